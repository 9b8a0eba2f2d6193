"""What the face training does to a tile leaves its face what it is, or makes it what the label then says."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.patches import PATCH, TWINS, Patches
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


@pytest.mark.parametrize("change", [partial(augment.bend, strongest=2.5), augment.strokes, augment.hues])
def test_changes_keep_shape_and_rim(change: Callable[..., np.ndarray]) -> None:
    before = patch()
    after = change(before, np.random.default_rng(1))
    assert after.shape == before.shape and after.dtype == np.uint8
    assert not np.array_equal(after, before)
    if change is not augment.hues:
        assert np.abs(after[:4].astype(int) - before[:4]).max() == 0


def test_red_ink_becomes_another_red_and_dark_ink_another_dark_colour_in_any_light() -> None:
    face = np.full((80, 64, 3), (240, 236, 228), np.uint8)
    face[10:30, 20:44], face[50:70, 20:44] = (20, 22, 24), (200, 40, 36)
    for lamp in ((1, 1, 1), (1, 0.8, 0.55), (0.3, 0.28, 0.26)):
        lit = (face * lamp).astype(np.uint8)
        seen = set()
        for seed in range(20):
            after = augment.inks(lit, np.random.default_rng(seed)).astype(float)
            assert np.abs(after[:8] - lit[:8]).max() <= 1  # the bone stays
            white = after / after[2, 2]
            (dark, red) = white[20, 32], white[60, 32]
            assert red[0] > 1.15 * red[1:].max() and dark.max() < 0.6 and dark[0] <= dark[1:].max()
            seen.add((*after[20, 32], *after[60, 32]))
        assert len(seen) > 15


def test_in_a_dark_room_the_bone_is_dark_and_warm_and_black_ink_stays_black() -> None:
    before = patch()
    bone = (before == (225, 220, 205)).all(axis=2)
    black = (before == (25, 25, 25)).all(axis=2)
    warmth = []
    for seed in range(30):
        after = augment.dim(before, np.random.default_rng(seed), 0.4).astype(float)
        shown = after[bone].mean(axis=0)
        assert 60 < shown[0] < 190 and shown[0] + 8 > shown[1] > shown[2] - 8
        assert after[black].mean() < 25 and np.ptp(after[black].mean(axis=0)) < 8
        warmth.append(shown[2] / shown[0])
        again = augment.dim(after.astype(np.uint8), np.random.default_rng(seed), 0.4)
        assert np.percentile(again.max(axis=2), 90) > 50
    assert min(warmth) < 0.75 and max(warmth) > 0.85


def test_far_away_fine_strokes_are_lost_and_the_picture_keeps_its_size() -> None:
    lines = np.full((80, 64, 3), 220, np.uint8)
    lines[:, ::2] = 20
    for seed in range(8):
        after = augment.far(lines, np.random.default_rng(seed), 0.4, 0.5)
        assert after.shape == lines.shape and after.std() < 0.35 * lines.std()


def test_beyond_the_photos_edge_its_last_pixels_repeat() -> None:
    before, seen = patch(), set()
    for seed in range(12):
        rng = np.random.default_rng(seed)
        after = augment.edge(before, rng, 0.26)
        changed = np.abs(after.astype(int) - before).max(axis=2) > 0
        rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        if not rows.size:
            continue
        high, wide = before.shape[:2]
        seen.add((rows[-1] < 0.27 * high, rows[0] > 0.72 * high, columns[-1] < 0.27 * wide))
        sides = (after[: rows[-1] + 1], after[rows[0] :])
        assert changed.mean() < 0.27 and all(side.dtype == np.uint8 for side in sides)
    assert len(seen) >= 3  # from above, from below, from the sides


@pytest.fixture
def face_samples() -> Any:
    return pytest.importorskip("models.face_samples", reason="torch is not installed", exc_type=ImportError)


def patches(*labels: str, kind: int = 0) -> Patches:
    """The tile once for each label, as if it showed that."""
    count = len(labels)
    kinds = np.full(count, kind, np.uint8)
    return Patches(np.stack([patch()] * count), labels, kinds, ("a.jpg",) * count, ({},) * count)


def test_faces_that_suffer_most_are_most_often_seen_small_or_in_the_dark(face_samples: Any) -> None:
    bright = np.full((80, 64, 3), 235, np.uint8)
    dark = {}
    for label in ("1p", "5z", "9s"):
        rng = np.random.default_rng(4)
        seen = [face_samples.augmented(bright, label, rng).mean() for _ in range(300)]
        dark[label] = np.mean(np.array(seen) < 140)
    assert 0.03 < dark["1p"] < 0.16 < dark["9s"] < 0.36 and dark["5z"] > 0.16


def test_red_fives_are_painted_where_photos_show_only_plain_ones(face_samples: Any) -> None:
    batch = face_samples.Source([(patches("5p", kind=1), 1.0)], 60, seed=3)()
    drawn = {CLASSES[k] for k in batch.label.tolist()} - {"none"}
    assert drawn <= {"5p", "0p", CLASSES[-1]} and {"5p", "0p"} <= drawn
    red, plain = (
        batch.rgb[batch.label == CLASSES.index(label)].float().mean((0, 1, 2)) for label in ("0p", "5p")
    )
    assert red[0] - red[2] > plain[0] - plain[2]


def test_faces_that_are_often_wrong_are_drawn_more_often_and_their_twins_alike(face_samples: Any) -> None:
    source = face_samples.Source([(Patches.empty(), 1.0)], 8, seed=3)
    for wrong in ("0p", "5m", "9s"):
        shares = np.zeros(len(CLASSES))
        shares[CLASSES.index(wrong)] = 0.2
        source.favour(shares)
        assert shares.sum() == pytest.approx(0.2), "the caller's array stays as it is"
        for one, other in TWINS:
            chances = [source.chances[CLASSES.index(label)] for label in (one, other)]
            assert chances[0] == chances[1]
            assert (wrong in (one, other)) == (chances[0] > 2.5 * source.chances[CLASSES.index("1m")])
    assert source.chances[CLASSES.index("5z")] > source.chances[CLASSES.index("1z")]


@pytest.mark.parametrize("classes", [CLASSES, WITH_FOREIGN])
def test_foreign_tiles_are_drawn_only_where_they_are_a_class(
    classes: Sequence[str], face_samples: Any
) -> None:
    batch = face_samples.Source([(patches("6s", FOREIGN), 1.0)], 80, 3, classes)()
    drawn = {WITH_FOREIGN[k] for k in batch.label.tolist()}
    assert (FOREIGN in drawn) == (FOREIGN in classes) and "6s" in drawn
