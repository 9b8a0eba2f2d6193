"""What the face training does to a tile leaves its face what it is, or makes it what the label then says."""

import cv2
import numpy as np
import pytest

from datasets.patches import PATCH
from datasets.render import reds
from models import augment
from vision.labels import CLASSES, FOREIGN, WITH_FOREIGN


def patch() -> np.ndarray:
    """A bone tile on green cloth with a black, a blue and a red disc."""
    pixels = np.full((PATCH.height, PATCH.width, 3), (20, 120, 40), np.uint8)
    (x0, y0), (x1, y1) = PATCH.corners().min(0).astype(int), PATCH.corners().max(0).astype(int)
    pixels[y0:y1, x0:x1] = (225, 220, 205)
    for share, ink in ((0.25, (25, 25, 25)), (0.5, (30, 40, 150)), (0.75, (190, 30, 30))):
        cv2.circle(pixels, (round((x0 + x1) / 2), round(y0 + share * (y1 - y0))), 7, ink, -1)
    return pixels


def _redness(pixel: np.ndarray) -> int:
    return int(pixel[0] - max(pixel[1:]))


def _in_style(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(reds, "choose", lambda rng, held_out: name)


@pytest.mark.parametrize("name", ["printed", "painted", "own"])
def test_a_reddened_tile_has_redder_ink_and_the_same_bone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _in_style(monkeypatch, name)
    before, corners = patch(), PATCH.corners()
    middle, height = round(float(corners[:, 0].mean())), float(np.ptp(corners[:, 1]))
    for seed in range(8):
        after = augment.redden(before, corners, "0p", np.random.default_rng(seed)).astype(int)
        for share in (0.25, 0.5):  # the black and the blue disc
            spot = round(float(corners[:, 1].min()) + share * height), middle
            assert _redness(after[spot]) > _redness(before[spot].astype(int)) + 30
        assert np.abs(after[:10] - before[:10]).max() == 0  # the cloth
        bone = after[round(float(corners[:, 1].mean())), round(float(corners[:, 0].min())) + 9]
        assert np.abs(bone - (225, 220, 205)).max() <= 6


@pytest.mark.parametrize("name", ["dots", "stone", "varnish"])
def test_a_marked_tile_keeps_its_ink_and_differs_by_its_mark(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _in_style(monkeypatch, name)
    before, corners = patch(), PATCH.corners()
    (x0, y0), (x1, y1) = corners.min(0).round().astype(int), corners.max(0).round().astype(int)
    for seed in range(8):
        after = augment.redden(before, corners, "0s", np.random.default_rng(seed))
        changed = np.abs(after.astype(int) - before).max(axis=2) > 30
        assert 12 <= changed.sum() < 0.25 * changed.size
        changed[y0:y1, x0:x1] = False
        assert not changed.any()


def test_a_part_of_the_ink_is_one_corner_and_all_of_it_for_man(monkeypatch: pytest.MonkeyPatch) -> None:
    _in_style(monkeypatch, "part")
    corners = PATCH.corners()
    inked = patch()
    (x0, y0), (x1, y1) = corners.min(0), corners.max(0)
    spots = [
        (round(y0 + b * (y1 - y0)), round(x0 + a * (x1 - x0))) for a in (0.24, 0.76) for b in (0.22, 0.78)
    ]
    for row, column in spots:
        cv2.circle(inked, (column, row), 6, (25, 25, 25), -1)
    for seed in range(8):
        for red, count in (("0p", 1), ("0s", 1), ("0m", 4)):
            after = augment.redden(inked, corners, red, np.random.default_rng(seed)).astype(int)
            assert sum(_redness(after[spot]) > 30 for spot in spots) == count


@pytest.mark.parametrize("change", [augment.bend, augment.strokes, augment.hues])
def test_changes_keep_shape_and_rim(change: object) -> None:
    before = patch()
    arguments = (2.5,) if change is augment.bend else ()
    after = change(before, np.random.default_rng(1), *arguments)  # type: ignore[operator]
    assert after.shape == before.shape and after.dtype == np.uint8
    assert not np.array_equal(after, before)
    if change is not augment.hues:
        assert np.abs(after[:4].astype(int) - before[:4]).max() == 0


def test_red_fives_are_painted_where_photos_show_only_plain_ones() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from datasets.patches import Patches
    from models.face_samples import Source

    label = "5p"
    real = Patches(patch()[None], (label,), np.array([1], np.uint8), ("a.jpg",), ({},))
    batch = Source([(real, 1.0)], 60, seed=3)()
    drawn = {CLASSES[int(k)] for k in torch.unique(batch.label)} - {"none"}
    assert drawn <= {"5p", "0p", CLASSES[-1]} and {"5p", "0p"} <= drawn
    red = batch.rgb[batch.label == CLASSES.index("0p")].float().mean((0, 1, 2))
    plain = batch.rgb[batch.label == CLASSES.index("5p")].float().mean((0, 1, 2))
    assert red[0] - red[2] > plain[0] - plain[2]


def test_faces_that_are_often_wrong_are_drawn_more_often() -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    from datasets.patches import Patches
    from models.face_samples import Source

    pixels = np.stack([patch(), patch()])
    both = Patches(pixels, ("6s", "9s"), np.zeros(2, np.uint8), ("a.jpg",) * 2, ({}, {}))
    source = Source([(both, 1.0)], 200, seed=3)
    wrong = np.zeros(len(CLASSES))
    wrong[CLASSES.index("6s")] = 0.1
    source.favour(wrong)
    drawn = [CLASSES[int(k)] for k in source().label]
    assert drawn.count("6s") > 1.8 * drawn.count("9s") > 0


def test_foreign_tiles_are_drawn_only_where_they_are_a_class() -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    from datasets.patches import Patches
    from models.face_samples import Source

    both = Patches(np.stack([patch()] * 2), ("6s", FOREIGN), np.zeros(2, np.uint8), ("a.jpg",) * 2, ({}, {}))
    for classes, there in ((CLASSES, False), (WITH_FOREIGN, True)):
        drawn = {WITH_FOREIGN[int(k)] for k in Source([(both, 1.0)], 80, 3, classes)().label}
        assert (FOREIGN in drawn) == there and "6s" in drawn
