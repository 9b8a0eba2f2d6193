"""Grounds and backdrops: right size, varied, repeatable, quick."""

import time
from collections.abc import Callable

import numpy as np
import pytest

from datasets.render import textures
from vision.arrays import Pixels

STAMP = np.zeros((192, 144), np.uint8)
STAMP[40:150, 30:110] = 255


def table_top(rng: np.random.Generator, size: tuple[int, int] = (720, 960)) -> Pixels:
    return textures.table_top(rng, size, [STAMP])


_MAKERS = (textures.surface, textures.backdrop, table_top)


@pytest.mark.parametrize("make", _MAKERS)
@pytest.mark.parametrize("size", [(720, 960), (301, 77), (40, 640), (1, 1)])
def test_pictures_have_the_size_asked(make: Callable[..., Pixels], size: tuple[int, int]) -> None:
    for seed in range(25):
        picture = make(np.random.default_rng(seed), size)
        assert picture.shape == (*size, 3)
        assert picture.dtype == np.uint8


@pytest.mark.parametrize("make", _MAKERS)
def test_same_seed_same_picture(make: Callable[..., Pixels]) -> None:
    for seed in range(12):
        one, other = (make(np.random.default_rng(seed), (120, 160)) for _ in range(2))
        assert np.array_equal(one, other)


def test_surfaces_differ_in_colour_and_in_roughness() -> None:
    pictures = [textures.surface(np.random.default_rng(seed), (120, 160)).astype(float) for seed in range(60)]
    light = [picture.mean() for picture in pictures]
    rough = [np.abs(np.diff(picture, axis=1)).mean() for picture in pictures]
    assert np.std(light) > 30
    assert max(rough) > 8 > 2 > min(rough)


@pytest.mark.parametrize("kind", [*textures._SURFACES, *textures._BACKDROPS])
def test_no_kind_is_one_flat_colour(kind: Callable[..., Pixels]) -> None:
    spread = [float(kind(np.random.default_rng(seed), (240, 320)).std()) for seed in range(5)]
    assert max(spread) > 1.0


@pytest.mark.parametrize("stamps", [[STAMP, 255 - STAMP], []])
def test_characters_are_printed_on_some_table_tops(stamps: list[Pixels]) -> None:
    printed = 0
    for seed in range(40):
        one = textures.table_top(np.random.default_rng(seed), (240, 320), stamps)
        bare = textures._choose(rng := np.random.default_rng(seed), textures._TABLE_TOPS)(rng, (240, 320))
        printed += not np.array_equal(one, bare)
    assert 3 <= printed <= 16


def test_a_surface_takes_little_time() -> None:
    rng = np.random.default_rng(0)
    spent = []
    for _ in range(15):
        start = time.process_time()
        textures.surface(rng)
        spent.append(time.process_time() - start)
    assert np.median(spent) < 0.1  # some 15 ms on an idle core; slack for a busy one
