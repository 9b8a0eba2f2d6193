"""A photo is taken otherwise as it is said."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from models import conditions
from models.conditions import CONDITIONS, Pixels


@pytest.fixture(scope="module")
def photo() -> Pixels:
    """A gradient with a red corner at its top left."""
    rgb = np.full((120, 160, 3), 90, np.uint8)
    rgb[:, :, 1] += np.arange(160, dtype=np.uint8)[None] // 2
    rgb[:40, :40] = 220, 20, 20
    return rgb


def corner(rgb: Pixels) -> tuple[int, int]:
    """Where the middle of what is red lies, in thirds across and down."""
    y, x = np.nonzero((rgb[..., 0] > 180) & (rgb[..., 1] < 80))
    return int(3 * x.mean() / rgb.shape[1]), int(3 * y.mean() / rgb.shape[0])


@pytest.mark.parametrize("name", CONDITIONS)
def test_every_condition_gives_a_photo(photo: Pixels, name: str) -> None:
    photo = cv2.resize(photo, (1280, 960), interpolation=cv2.INTER_NEAREST).astype(np.uint8)
    before = photo.copy()
    made = CONDITIONS[name](photo)
    assert made.dtype == np.uint8 and made.ndim == 3 and made.flags.c_contiguous
    assert np.array_equal(photo, before), "the photo itself stays as it was"
    assert np.array_equal(made, photo) == (name == "as it is")


@pytest.mark.parametrize(("degrees", "there"), [(90, (2, 0)), (180, (2, 2)), (270, (0, 2))])
def test_a_photo_is_turned_clockwise(photo: Pixels, degrees: int, there: tuple[int, int]) -> None:
    made = conditions.turned(photo, degrees)
    assert made.shape[:2] == ((160, 120) if degrees % 180 else (120, 160))
    assert corner(made) == there


def test_light_size_and_blur_are_what_they_say(photo: Pixels) -> None:
    assert conditions.lit(photo, [0.5]).mean() == pytest.approx(photo.mean() / 2, abs=1)
    assert conditions.lit(photo, [1.0, 1.0, 0.5])[60, 80].tolist() == [90, photo[60, 80, 1], 45]
    assert conditions.smaller(photo, 0.5).shape == (60, 80, 3)
    assert np.ptp(conditions.grey(photo), axis=2).max() == 0

    def edge(rgb: Pixels) -> int:
        return int(np.abs(np.diff(rgb[20, :, 0].astype(int))).max())

    large = cv2.resize(photo, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST).astype(np.uint8)
    soft: Callable[[Pixels], Pixels]
    for soft in (lambda rgb: conditions.blurred(rgb, 8), lambda rgb: conditions.shaken(rgb, 20)):
        assert edge(soft(photo)) < edge(photo), "the edge is softer"
        assert edge(soft(large)) < edge(soft(photo)), "of a larger photo by more pixels"
