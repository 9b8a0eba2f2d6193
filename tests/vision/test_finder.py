"""The maps say what was written into them, and one tile is listed once."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from vision.finder import CHANNELS, Encoding, FinderSettings, decode, encode, iou, suppress

ENCODING = Encoding()


def row(count: int, angle: float, size: float = 30.0, perspective: float = 0.0) -> np.ndarray:
    """Touching tiles in a row, turned by ``angle`` degrees about the middle of a 384-pixel picture."""
    x = (np.arange(count + 1) - count / 2) * size * 0.75
    quads = np.array([[[a, -size / 2], [b, -size / 2], [b, size / 2], [a, size / 2]] for a, b in pairwise(x)])
    flat = quads.reshape(-1, 2) / (1 + perspective * quads.reshape(-1, 2)[:, 1:] / 100)
    turn = cv2.getRotationMatrix2D((0, 0), angle, 1)[:, :2]
    return (flat @ turn.T + 192).reshape(-1, 4, 2).astype(np.float32)


@pytest.mark.parametrize("angle", [0, 17, 45, 90, 133, 180, 270])
@pytest.mark.parametrize("perspective", [0.0, 0.2])
def test_what_is_encoded_is_decoded(angle: float, perspective: float) -> None:
    truth = row(10, angle, perspective=perspective)
    maps, weight = encode(truth, 96, 96, ENCODING)
    assert np.isfinite(maps).all() and np.isfinite(weight).all() and maps.shape == (CHANNELS, 96, 96)
    found = decode(maps, ENCODING, 0.5, 0.4)
    assert len(found.quads) == 10
    overlaps = np.array([[iou(a, b) for b in truth] for a in found.quads])
    assert sorted(overlaps.argmax(1)) == list(range(10))
    assert overlaps.max(1).min() > 0.9


def test_the_first_edge_is_the_top_or_the_bottom_one() -> None:
    truth = row(3, 30)
    found = decode(encode(truth, 96, 96, ENCODING)[0], ENCODING, 0.5, 0.4)
    for quad in found.quads:
        near = truth[np.argmin(np.linalg.norm(truth.mean(1) - quad.mean(0), axis=1))]
        assert min(np.abs(quad - near).max(), np.abs(np.roll(quad, 2, 0) - near).max()) < 0.5


def test_small_tiles_stay_apart() -> None:
    truth = row(12, 5, size=14)
    assert len(decode(encode(truth, 96, 96, ENCODING)[0], ENCODING, 0.5, 0.4).quads) == 12


def test_a_wavering_direction_is_taken_from_the_tiles_around() -> None:
    truth = row(7, 20)
    maps, _ = encode(truth, 96, 96, ENCODING)
    x, y = (truth[3].mean(0) / ENCODING.stride).astype(int)
    maps[[3, 4, 6, 7], y, x] = [0.05, -0.1, 0.02, 0.1]  # the mean of two directions at right angles
    found = decode(maps, ENCODING, 0.5, 0.4)
    best = found.quads[np.argmax([iou(quad, truth[3]) for quad in found.quads])]
    edge = best[1] - best[0]
    assert np.degrees(np.arctan2(edge[1], edge[0])) % 90 == pytest.approx(-20 % 90, abs=2)
    assert iou(best, truth[3]) > 0.7


def test_no_tiles_no_candidates() -> None:
    maps, weight = encode(np.zeros((0, 4, 2), np.float32), 8, 8, ENCODING)
    assert not maps.any() and not weight.any()
    assert decode(maps, ENCODING, 0.3, 0.4).quads.shape == (0, 4, 2)


def test_a_quad_without_area_is_left_out() -> None:
    maps, _ = encode(np.full((1, 4, 2), 16, np.float32), 8, 8, ENCODING)
    assert not maps.any()


def test_suppression_keeps_neighbours_and_drops_doubles() -> None:
    tiles = row(3, 0)
    moved = tiles[:1] + np.float32([6, 0])
    half = tiles[1:2] * [1, 0.5] + [0, 96]
    kept = suppress(np.concatenate([tiles, moved, half]).astype(np.float32), 0.4)
    assert kept.tolist() == [0, 1, 2]


def test_metadata_of_another_model_is_refused() -> None:
    with pytest.raises(ValueError, match="no tile finder"):
        FinderSettings.from_metadata({"task": "faces"})
    with pytest.raises(ValueError, match="incomplete"):
        FinderSettings.from_metadata({"task": "finder"})
