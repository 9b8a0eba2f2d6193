"""Tiles that are seen at an angle, as from above."""

from __future__ import annotations

import numpy as np
import pytest

from vision.quads import areas, axes, project
from vision.scene.rectify import rectifying

LYING = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], float)
ASIDE = np.array([[40, 0], [40, 30], [0, 30], [0, 0]], float)


def tiles(count: int = 14) -> np.ndarray:
    """A row of tiles, every fifth on its side, below it a second one."""
    quads = []
    for k in range(count):
        place = np.array([45.0 * (k % 8), 70.0 * (k // 8)])
        quads.append((ASIDE if k % 5 == 4 else LYING) + place)
    return np.array(quads)


CAMERA = np.array([[0.9, 0.2, 300.0], [-0.1, 0.5, 400.0], [2e-4, 9e-4, 1.0]])


def test_from_an_angle_all_are_alike_again() -> None:
    seen = project(tiles(), CAMERA).astype(np.float32)
    flat = project(seen.astype(float), rectifying(seen))
    size = areas(flat)
    assert np.ptp(areas(seen)) > 0.3 * areas(seen).mean() and np.ptp(size) < 0.03 * size.mean()
    wide, high = (np.linalg.norm(side, axis=1) for side in axes(flat))
    upright = [k for k in range(14) if k % 5 != 4]
    assert (wide / high)[upright] == pytest.approx(0.75, abs=0.03)


def test_from_above_nothing_changes() -> None:
    quads = (tiles() + 100).astype(np.float32)
    assert project(quads, rectifying(quads)) == pytest.approx(quads, abs=2.5)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_tiles_do_no_harm_and_those_without_an_area_tell_nothing(count: int) -> None:
    assert np.isfinite(rectifying(project(tiles(count), CAMERA).astype(np.float32))).all()
    assert (rectifying(np.zeros((5, 4, 2), np.float32)) == np.eye(3)).all()
