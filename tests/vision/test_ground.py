"""The colour around a print is the tile's own."""

from __future__ import annotations

import numpy as np

from vision.arrays import Pixels
from vision.ground import ground

IVORY, GREEN = (235, 230, 215), (30, 120, 60)


def crops(*colours: tuple[int, int, int], light: float = 1.0) -> Pixels:
    shades = np.array(colours, float)[:, None, None] * light
    return np.broadcast_to(shades, (len(colours), 80, 64, 3)).astype(np.uint8)


def test_the_colour_around_a_print_is_that_of_the_tile_whatever_is_printed() -> None:
    bare = crops(IVORY, IVORY, GREEN, GREEN)
    printed = bare.copy()
    printed[1::2, 20:60, 24:40] = (20, 20, 60)
    ivory, inked, green, other = ground(printed)
    assert np.allclose([ivory, green], ground(bare)[[0, 2]])
    assert np.linalg.norm(ivory - inked) < 0.1 and np.linalg.norm(green - other) < 0.1
    dim = ground(crops(IVORY, GREEN, light=0.5))
    apart, dimly = np.linalg.norm(ivory - green), np.linalg.norm(dim[0] - dim[1])
    assert apart > 1 and dimly > 0.8 * apart, "by their logs light hardly counts"
