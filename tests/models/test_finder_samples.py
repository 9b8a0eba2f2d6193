"""What the finder is shown: tiles as small, as large and as cut as the reader meets them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

from models.finder_samples import ENCODING, Sample, sample
from models.scenes import Scene, from_above
from vision.quads import project

NONE = np.zeros((0, 4), np.float32)


def _scene(*corners: tuple[float, float], size: float = 24) -> Scene:
    """A grey photo, 960 by 720, with upright tiles whose upper left corners these are."""
    box = np.array([[0, 0], [0.87, 0], [0.87, 1.15], [0, 1.15]]) * size
    quads = np.array([box + corner for corner in corners], np.float32).reshape(-1, 4, 2)
    rgb = np.full((720, 960, 3), 90, np.uint8)
    return Scene(rgb, quads, np.zeros((0, 4, 2), np.float32), NONE, False, True, True)


def _taught(made: Sample) -> np.ndarray:
    """Sizes in pixels of the tiles whose centres a sample asks for."""
    peaks = made.maps[0] >= 0.999
    return np.asarray(np.exp((made.maps[5] + made.maps[8])[peaks] / 2) * ENCODING.unit)


def test_tiles_of_a_far_table_are_shown_as_small_as_the_first_look_sees_them() -> None:
    scene = _scene(*((200 + 30 * k, 300) for k in range(10)))
    rng = np.random.default_rng(1)
    shown = [_taught(sample(scene, 256, rng)) for _ in range(150)]
    middles = np.array([np.median(sizes) for sizes in shown if len(sizes)])
    assert 11 < middles.min() < 15 and middles.max() > 55
    assert 0.15 < np.mean(middles < 20) < 0.5


def test_a_tile_that_the_photos_edge_cuts_is_asked_for() -> None:
    scene = _scene((-9, 300), size=38)
    rng = np.random.default_rng(2)
    asked = [len(_taught(sample(scene, 256, rng, hardness=0.0))) for _ in range(60)]
    assert np.mean(asked) > 0.7


def test_where_only_things_lie_nothing_is_asked_for_and_finding_is_wrong() -> None:
    made = sample(_scene(), 256, np.random.default_rng(3))
    assert made.maps[0].max() == 0 and made.negative.min() == 1


def test_now_and_then_it_is_dark() -> None:
    rng = np.random.default_rng(4)
    light = [sample(_scene((300, 300)), 256, rng).rgb.max(axis=2) for _ in range(120)]
    assert 0.03 < np.mean([np.median(each) < 58 for each in light]) < 0.4


def test_from_above_a_leaning_render_shows_tiles_alike() -> None:
    scene = _scene(*((200 + 60 * k, 200 + 90 * j) for k in range(6) for j in range(4)), size=50)
    leaning = np.array([[1, 0.1, 0], [0, 0.8, 40], [0, 6e-4, 1]])
    rgb = np.asarray(cv2.warpPerspective(scene.rgb, leaning, (960, 720)), np.uint8)
    scene = replace(scene, rgb=rgb, quads=project(scene.quads, leaning))
    above = from_above(scene)
    assert scene.sizes().max() / scene.sizes().min() > 1.15
    assert above.sizes() == pytest.approx(40, rel=0.05)
    height, width = above.rgb.shape[:2]
    assert above.quads.min() > 100 and (above.quads < (width - 100, height - 100)).all()
