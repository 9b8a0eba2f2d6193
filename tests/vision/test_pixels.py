"""The two rooms of :mod:`vision.pixels` do the same: one by OpenCV, one by numpy alone."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from tehai.hand.sample import sample_path
from tests.folders import DATA
from vision import pixels, pixels_numpy, pixels_opencv
from vision.arrays import Array32, Pixels
from vision.network import FINDER
from vision.reader import read

newer = pytest.mark.skipif(
    int(cv2.__version__.partition(".")[0]) < 5,
    reason="OpenCV before 5 rounds to 1/32 of a pixel where it looks",
)
FRAME = np.array([[0, 0], [64, 0], [64, 80], [0, 80]], np.float32)


PHOTOS = [sample_path(), *sorted((DATA / "photos" / "hands").glob("*.jpg"))[::3]]
needs_models = pytest.mark.skipif(not FINDER.is_file(), reason="the networks are not there")


def picture(height: int = 300, width: int = 401, seed: int = 0) -> Pixels:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def slanted(count: int, width: int, height: int) -> Array32:
    """Quads (n, 4, 2) about the size of a crop, in the picture and over its edge."""
    random = np.random.default_rng(1)
    sides = np.array([[-40, -50], [40, -50], [40, 50], [-40, 50]]) * random.uniform(0.4, 1.6, (count, 1, 1))
    places = random.uniform((0, 0), (width, height), (count, 1, 2))
    return (sides + places + random.normal(0, 4, (count, 4, 2))).astype(np.float32)


def assert_alike(ours: Pixels, theirs: Pixels, most: float = 0.0) -> None:
    """The same but for one step of 255 in no more than ``most`` of the values: here there is none, on another
    processor OpenCV may round a product and a sum twice."""
    assert ours.shape == theirs.shape and ours.dtype == theirs.dtype == np.uint8
    assert ours.flags.c_contiguous
    apart = np.abs(ours.astype(int) - theirs)
    assert apart.max(initial=0) <= (1 if most else 0)
    assert (apart > 0).mean() <= most


def test_opencv_works_where_it_can_be_loaded() -> None:
    assert pixels.backend() is pixels_opencv and pixels.backends() == (pixels_opencv, pixels_numpy)
    with pixels.using(pixels_numpy):
        assert pixels.backend().NAME == "numpy alone"
    assert pixels.backend().NAME == "OpenCV"


@pytest.mark.parametrize("factor", [1, 2, 4, 8])
@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_jpeg(factor: int, mode: str) -> None:
    """Both decode by libjpeg-turbo; 780 is no multiple of 8, so that the last cells are cut."""
    buffer = io.BytesIO()
    soft = np.asarray(cv2.resize(picture(30, 40), (1040, 780), interpolation=cv2.INTER_CUBIC))
    Image.fromarray(soft).convert(mode).save(buffer, "JPEG", quality=90)
    ours = pixels_numpy.decode_jpeg(buffer.getvalue(), factor)
    theirs = pixels_opencv.decode_jpeg(buffer.getvalue(), factor)
    assert ours is not None and theirs is not None
    assert ours.shape == (-(-780 // factor), 1040 // factor, 3)
    assert_alike(ours, theirs, most=0.01)


def test_a_jpeg_that_is_none() -> None:
    for room in pixels.backends():
        assert room.decode_jpeg(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00", 1) is None


@pytest.mark.parametrize("orientation", range(1, 9))
def test_upright(orientation: int) -> None:
    theirs = pixels.upright(picture(), orientation)
    with pixels.using(pixels_numpy):
        assert_alike(pixels.upright(picture(), orientation), theirs)


def test_grey() -> None:
    assert_alike(pixels_numpy.grey(picture()), pixels_opencv.grey(picture()))


@pytest.mark.parametrize(
    "size",
    [(401, 300), (400, 300), (200, 150), (100, 75), (133, 100), (128, 96), (401, 150), (77, 299), (8, 8)],
)
@pytest.mark.parametrize("channels", [1, 3])
def test_shrink(size: tuple[int, int], channels: int) -> None:
    """Also by halves and other whole factors, which OpenCV rounds in other ways."""
    for height, width in ((300, 401), (300, 400)):
        whole = picture(height, width) if channels == 3 else picture(height, width)[..., 0].copy()
        if size[0] <= width:
            assert_alike(pixels_numpy.shrink(whole, size), pixels_opencv.shrink(whole, size), most=1e-5)


@pytest.mark.parametrize("scale", [0.5, 0.25, 0.37, 1 / 3, 0.777, 0.999, 640 / 1999])
def test_shrink_by_a_scale(scale: float) -> None:
    for height, width in ((300, 400), (300, 401)):
        grey = picture(height, width)[..., 1].copy()
        assert_alike(pixels_numpy.shrink_by(grey, scale), pixels_opencv.shrink_by(grey, scale), most=1e-4)


@pytest.mark.parametrize("size", [(802, 600), (401, 300), (402, 301), (640, 479), (700, 300), (1283, 960)])
def test_enlarge(size: tuple[int, int]) -> None:
    """By whole numbers."""
    assert_alike(pixels_numpy.enlarge(picture(), size), pixels_opencv.enlarge(picture(), size))


def test_homographies() -> None:
    """Both multiply corners with 32 bits, which moves them by some 10⁻⁴ of a pixel."""
    quads = slanted(200, 4000, 3000)
    ours, theirs = (room.homographies(quads, FRAME) for room in (pixels_numpy, pixels_opencv))
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)
    corners = np.concatenate([quads, np.ones((200, 4, 1))], -1) @ ours.transpose(0, 2, 1)
    assert np.abs(corners[..., :2] / corners[..., 2:] - FRAME).max() < 1e-3
    assert not len(pixels_numpy.homographies(quads[:0], FRAME))


@newer
@pytest.mark.parametrize("border", [None, (114, 114, 114), (10, 200, 30)])
def test_warp(border: tuple[int, int, int] | None) -> None:
    matrices = pixels_opencv.homographies(slanted(40, 401, 300), FRAME)
    ours, theirs = (
        room.warp(picture(), matrices, (64, 80), border) for room in (pixels_numpy, pixels_opencv)
    )
    assert_alike(ours, theirs, most=1e-3)


@newer
def test_warp_towards_the_horizon() -> None:
    far = np.array([[[150, 20], [190, 20], [900, 280], [-500, 280]]], np.float32)
    matrices = pixels_opencv.homographies(far, 10 * FRAME)
    ours, theirs = (room.warp(picture(), matrices, (640, 800), (9, 9, 9)) for room in pixels.backends())
    assert_alike(ours, theirs, most=1e-3)


def test_a_quad_without_an_area_is_no_crash() -> None:
    nothing = np.zeros((1, 4, 2), np.float32)
    with np.errstate(all="raise"):
        matrices = pixels_numpy.homographies(nothing, FRAME)
        assert pixels_numpy.warp(picture(), matrices, (4, 5), None).shape == (1, 5, 4, 3)


def test_what_both_rooms_leave_to_the_door_is_opencv_s() -> None:
    heat = np.random.default_rng(0).random((61, 80), np.float32)
    assert np.array_equal(pixels.max_filter(heat), cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    padded = cv2.copyMakeBorder(picture(), 0, 5, 0, 7, cv2.BORDER_CONSTANT, value=(1, 2, 3))
    assert np.array_equal(pixels.pad(picture(), 5, 7, (1, 2, 3)), padded)
    grey = picture()[..., 0].copy()
    assert np.array_equal(pixels.from_grey(grey), cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB))
    sharp = float(cv2.Laplacian(cv2.cvtColor(picture(), cv2.COLOR_RGB2GRAY), cv2.CV_32F).var())
    assert pixels.sharpness(picture()) == sharp
    theirs = pixels.sharpness(picture(), 200)
    with pixels.using(pixels_numpy):
        assert pixels.sharpness(picture(), 200) == pytest.approx(theirs, rel=1e-6)


@pytest.mark.parametrize(
    ("what", "most"),
    [
        (lambda rgb: pixels_numpy.shrink(rgb, (640, 480)), 8),
        (lambda rgb: pixels_numpy.shrink(rgb, (4000, 3000)), 48),
        (pixels_numpy.grey, 60),
        (lambda rgb: pixels_numpy.upright(rgb, 6), 160),
    ],
    ids=["shrink", "halve", "grey", "upright"],
)
def test_48_megapixels_take_little_more_than_what_comes_of_them(
    what: Callable[[Any], Any], most: float
) -> None:
    """``most``: MB beside the 144 of the picture, the result among them."""
    whole = np.zeros((6000, 8000, 3), np.uint8)
    tracemalloc.start()
    try:
        what(whole)
        assert tracemalloc.get_traced_memory()[1] < most * 1e6
    finally:
        tracemalloc.stop()


@needs_models
@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.stem[:20])
def test_photos_are_read_alike(photo: Path) -> None:
    """Labels, roles and the hand are the same, corners less than half a pixel apart."""
    readings = []
    for room in pixels.backends():
        with pixels.using(room):
            readings.append(read(photo))
    theirs, ours = readings
    assert ours.hand == theirs.hand and ours.status == theirs.status
    faces = [[(tile.label, tile.role) for tile in reading.tiles] for reading in readings]
    assert faces[0] == faces[1]
    quads = [np.array([tile.quad for tile in reading.tiles]) for reading in readings]
    assert np.abs(quads[0] - quads[1]).max() < 0.5
    assert ours.confidence == pytest.approx(theirs.confidence, abs=1e-3)
