"""Sixes and nines of bamboos are told by how their columns repeat, however their sticks are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Array32, Pixels
from vision.labels import CLASSES
from vision.sticks import FACTS, compare, evidence

SIX, NINE = CLASSES.index("6s"), CLASSES.index("9s")


def probabilities(*names: str) -> Array32:
    """Faces that are sure, and what may be a six or a nine (``"?"``), a little likelier a nine."""
    table = np.full((len(names), len(CLASSES)), 1e-4, np.float32)
    for row, name in enumerate(names):
        if name == "?":
            table[row, [SIX, NINE]] = 0.35, 0.6
        else:
            table[row, CLASSES.index(name)] = 0.97
    return table


def stick(length: int, bead: bool) -> np.ndarray:
    """One stick, 8 pixels wide: dark, lighter in the middle, with a bead there if need be."""
    shades = np.full((length, 8), 60, np.uint8)
    shades[:1] = shades[-1:] = 235
    middle = slice(length // 2 - 2, length // 2 + 2)
    shades[middle] = 120 if bead else 90
    if not bead:
        shades[:, [0, 7]] = 235
        shades[middle] = 60
    return shades


def crop(rows: int, *, bead: bool = False, sideways: bool = False) -> Pixels:
    """A tile with three columns of so many sticks, in a crop that shows an eighth more on every side."""
    shades = np.full((80, 64), 235, np.uint8)
    length = 54 // rows
    for row in range(rows):
        for column in (14, 28, 42):
            top = 13 + row * length
            shades[top : top + length, column : column + 8] = stick(length, bead)
    if sideways:
        shades = np.rot90(shades)[np.arange(80) * 64 // 80][:, np.arange(64) * 80 // 64]
    return np.repeat(shades[..., None], 3, axis=2)


@pytest.mark.parametrize("bead", [False, True], ids=["plain", "beaded"])
@pytest.mark.parametrize("sideways", [False, True], ids=["upright", "sideways"])
def test_a_column_of_two_sticks_makes_a_six_and_one_of_three_a_nine(bead: bool, sideways: bool) -> None:
    crops = np.stack([crop(rows, bead=bead, sideways=sideways) for rows in (2, 3)])
    turns = np.array([3, 3] if sideways else [0, 2])
    six, nine = compare(probabilities("?", "?"), crops, turns)
    assert six[SIX] > 0.8 and nine[NINE] > 5 * six[NINE]


def test_only_the_two_change_and_only_to_each_other() -> None:
    before = probabilities("?", "3s", "back")
    after = compare(before, np.stack([crop(2)] * 3), np.zeros(3, int))
    assert np.array_equal(after[1:], before[1:])
    others = np.delete(np.arange(len(CLASSES)), [SIX, NINE])
    assert np.array_equal(after[0, others], before[0, others])
    assert after[0].sum() == pytest.approx(before[0].sum(), rel=1e-5)


def test_without_one_of_them_nothing_changes() -> None:
    before = probabilities("3s", "1z")
    assert compare(before, np.stack([crop(2)] * 2), np.zeros(2, int)) is before


def test_a_tile_on_its_side_repeats_as_an_upright_one() -> None:
    crops = np.stack([crop(2), crop(2, sideways=True)])
    seen = evidence(probabilities("?", "?"), crops, np.array([0, 1]))
    assert seen.facts.shape == (2, FACTS) and np.abs(seen.facts[:, 1:]).max() <= 1
    upright, side = seen.facts[:, 1:]
    assert np.corrcoef(upright, side)[0, 1] > 0.8
