"""The maps say what was written into them, and one tile is listed once."""

import json
from dataclasses import asdict
from itertools import pairwise
from typing import ClassVar

import cv2
import numpy as np
import pytest

from datasets.boxes import iou
from models.maps import encode
from vision.finder import Finder, FinderSettings
from vision.maps import CHANNELS, Encoding, decode
from vision.quads import suppress

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
    found = decode(maps, ENCODING, 0.5)
    assert len(found.quads) == 10
    overlaps = np.array([[iou(a, b) for b in truth] for a in found.quads])
    assert sorted(overlaps.argmax(1)) == list(range(10))
    assert overlaps.max(1).min() > 0.9


def test_the_first_edge_is_the_top_or_the_bottom_one() -> None:
    truth = row(3, 30)
    found = decode(encode(truth, 96, 96, ENCODING)[0], ENCODING, 0.5)
    for quad in found.quads:
        near = truth[np.argmin(np.linalg.norm(truth.mean(1) - quad.mean(0), axis=1))]
        assert min(np.abs(quad - near).max(), np.abs(np.roll(quad, 2, 0) - near).max()) < 0.5


def test_small_tiles_stay_apart() -> None:
    truth = row(12, 5, size=14)
    assert len(decode(encode(truth, 96, 96, ENCODING)[0], ENCODING, 0.5).quads) == 12


def test_a_wavering_direction_is_taken_from_the_tiles_around() -> None:
    truth = row(7, 20)
    maps, _ = encode(truth, 96, 96, ENCODING)
    x, y = (truth[3].mean(0) / ENCODING.stride).astype(int)
    maps[[3, 4, 6, 7], y, x] = [0.05, -0.1, 0.02, 0.1]  # the mean of two directions at right angles
    found = decode(maps, ENCODING, 0.5)
    best = found.quads[np.argmax([iou(quad, truth[3]) for quad in found.quads])]
    edge = best[1] - best[0]
    assert np.degrees(np.arctan2(edge[1], edge[0])) % 90 == pytest.approx(-20 % 90, abs=2)
    assert iou(best, truth[3]) > 0.7


def test_no_tiles_no_candidates() -> None:
    maps, weight = encode(np.zeros((0, 4, 2), np.float32), 8, 8, ENCODING)
    assert not maps.any() and not weight.any()
    assert decode(maps, ENCODING, 0.3).quads.shape == (0, 4, 2)
    maps, _ = encode(np.full((1, 4, 2), 16, np.float32), 8, 8, ENCODING)
    assert not maps.any(), "a quad without area is left out"


def test_suppression_keeps_neighbours_and_drops_doubles() -> None:
    tiles = row(3, 0)
    moved = tiles[:1] + np.float32([6, 0])
    half = tiles[1:2] * [1, 0.5] + [0, 96]
    kept = suppress(np.concatenate([tiles, moved, half]).astype(np.float32))
    assert kept.tolist() == [0, 1, 2]


def test_metadata_of_another_model_is_refused() -> None:
    with pytest.raises(ValueError, match="no tile finder"):
        FinderSettings.from_metadata({"task": "faces"})
    with pytest.raises(ValueError, match="incomplete"):
        FinderSettings.from_metadata({"task": "finder"})


class WhiteTiles:
    """A network that finds white rectangles, and keeps the size of every picture it was shown."""

    settings = FinderSettings(ENCODING, 0.3, 640, 32, smallest=24, largest=75, wanted=40)
    metadata: ClassVar = {"task": "finder", "settings": json.dumps(asdict(settings))}

    def __init__(self) -> None:
        self.shown: list[tuple[int, int]] = []

    def run(self, pictures: np.ndarray) -> list[np.ndarray]:
        picture = pictures[0]
        self.shown.append(picture.shape[:2])
        white = (picture.min(-1) > 150).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(white)
        boxes = [stats[k, :4] for k in range(1, count) if stats[k, 4] > 12]
        quads = [[[x, y], [x + w, y], [x + w, y + h], [x, y + h]] for x, y, w, h in boxes]
        height, width = (side // ENCODING.stride for side in picture.shape[:2])
        return [encode(np.array(quads, np.float32).reshape(-1, 4, 2), height, width, ENCODING)[0][None]]


def photographed(size: int) -> tuple[Finder, WhiteTiles, np.ndarray, np.ndarray]:
    """A dark photo of 3200 × 2400 pixels with five white tiles whose square root of the area is about so
    many pixels: a finder, its network, the photo, the quads."""
    wide, tall = round(size * 0.86), round(size * 1.16)
    x = 300 + np.arange(5) * (wide + size // 2)
    quads = np.array([[[a, 1000], [a + wide, 1000], [a + wide, 1000 + tall], [a, 1000 + tall]] for a in x])
    photo = np.zeros((2400, 3200, 3), np.uint8)
    for quad in quads:
        photo[quad[0, 1] : quad[2, 1], quad[0, 0] : quad[2, 0]] = 255
    network = WhiteTiles()
    return Finder(network), network, photo, quads.astype(np.float32)


@pytest.mark.parametrize(("size", "passes"), [(200, 1), (80, 2), (420, 2)])
def test_tiles_of_an_awkward_size_are_searched_again_where_they_lie(size: int, passes: int) -> None:
    finder, network, photo, truth = photographed(size)
    found = finder.find(photo)
    assert len(network.shown) == passes
    order = np.argsort(found.quads[:, 0, 0])
    assert np.abs(found.quads[order] - truth).max() < 0.12 * size
    if size < 100:
        # At twice the working size the whole photo would have 1280 pixels; only the row's part is looked at.
        assert max(network.shown[1]) < 700


def test_small_tiles_that_run_together_beside_large_ones_are_looked_at_more_closely() -> None:
    finder, network, photo, large = photographed(200)
    x = np.array([300, 420, 540, 660, 712])  # the last two nearly touch
    small = np.array([[[a, 400], [a + 50, 400], [a + 50, 470], [a, 470]] for a in x], np.float32)
    for quad in small.astype(int):
        photo[quad[0, 1] : quad[2, 1], quad[0, 0] : quad[2, 0]] = 255
    assert len(finder.find(photo, enlarge=False).scores) == len(large) + len(small) - 1
    found = finder.find(photo)
    assert len(network.shown) == 3 and max(network.shown[2]) < 1280
    truth = np.concatenate([small, large])
    order = np.lexsort((found.quads[:, 0, 0], found.quads[:, 0, 1] > 700))
    assert len(order) == len(truth) and np.abs(found.quads[order] - truth).max() < 24


def test_a_photo_in_which_nothing_is_found_is_searched_smaller_and_larger() -> None:
    finder, network, photo, _ = photographed(200)
    assert not len(finder.find(np.zeros_like(photo)).scores)
    assert [max(shown) for shown in network.shown] == [640, 224, 1280]


def test_a_brief_search_never_grows() -> None:
    finder, network, photo, _ = photographed(80)
    assert len(finder.find(photo, enlarge=False).scores) == 5
    finder.find(np.zeros_like(photo), enlarge=False)
    assert [max(shown) for shown in network.shown] == [640, 640, 224]
    finder, network, photo, truth = photographed(420)
    found = finder.find(photo, enlarge=False)
    assert len(network.shown) == 2 and network.shown[1] < network.shown[0]  # large tiles are made smaller
    assert np.abs(found.quads[np.argsort(found.quads[:, 0, 0])] - truth).max() < 0.12 * 420


def test_tiles_found_through_a_homography_lie_where_they_are_in_the_photo() -> None:
    finder, network, photo, truth = photographed(80)
    matrix = np.array([[0.3, 0.0, 10.0], [0.0, 0.4, -300.0], [0.0, 1e-5, 1.0]])
    found = finder.find_warped(photo, matrix, (800, 480))
    assert network.shown == [(480, 800)]
    order = np.argsort(found.quads[:, 0, 0])
    assert np.abs(found.quads[order] - truth).max() < 16
    assert not len(finder.find_warped(np.zeros_like(photo), matrix, (800, 480)).scores)
