"""White dragons are told from what looks alike by the colours that lie around them, and by nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Array32, Pixels
from vision.labels import CLASSES
from vision.whites import FACTS, colours, compare, evidence, ground, lights

IVORY, GREEN = (235, 230, 215), (30, 120, 60)


def tiles(*names: str, blank: float = 0.5) -> Array32:
    """Probabilities of faces that are sure, and of blanks (``"?"``) that may be a white dragon or a back."""
    probabilities = np.full((len(names), len(CLASSES)), 1e-4, np.float32)
    for row, name in enumerate(names):
        if name == "?":
            probabilities[row, [CLASSES.index("5z"), CLASSES.index("back")]] = 0.48, 0.5
            probabilities[row, CLASSES.index("none")] = 0.02
        else:
            probabilities[row, CLASSES.index(name)] = 0.97
    return probabilities


def in_a_row(count: int) -> Array32:
    """Quads of tiles 40 pixels wide."""
    x = np.arange(count)[:, None] * 40 + np.array([0, 40, 40, 0])
    return np.stack([x, np.broadcast_to([0, 0, 52, 52], x.shape)], axis=2).astype(np.float32)


def crops(*colours: tuple[int, int, int], light: float = 1.0) -> Pixels:
    shades = np.array(colours, float)[:, None, None] * light
    return np.broadcast_to(shades, (len(colours), 80, 64, 3)).astype(np.uint8)


ROW = ("2m", "3m", "4m", "?", "6p", "7p", "8p", "back", "back")
WHITE = CLASSES.index("5z")


@pytest.mark.parametrize("light", [1.0, 0.4], ids=["bright", "dark"])
def test_a_blank_is_a_white_dragon_where_its_white_is_that_of_the_faces(light: float) -> None:
    def white(colour: tuple[int, int, int]) -> float:
        colours = [colour if name == "?" else GREEN if name == "back" else IVORY for name in ROW]
        changed = compare(tiles(*ROW), in_a_row(len(ROW)), crops(*colours, light=light))
        return float(changed[3, WHITE])

    assert white(IVORY) > 0.9 and white(GREEN) < 0.1


def test_only_what_seems_a_blank_changes_and_the_others_stay_to_each_other() -> None:
    before = tiles(*ROW)
    after = compare(before, in_a_row(len(ROW)), crops(*[IVORY] * len(ROW)))
    blanks = [CLASSES.index(name) for name in ("5z", "back", "none")]
    faces = [row for row, name in enumerate(ROW) if name not in ("?", "back")]
    assert np.array_equal(after[faces], before[faces])
    assert after.sum(axis=1) == pytest.approx(before.sum(axis=1), abs=1e-5)
    others = np.delete(np.arange(len(CLASSES)), blanks)
    assert np.array_equal(after[:, others], before[:, others])
    assert after[3, blanks[1]] / after[3, blanks[2]] == pytest.approx(25, rel=0.01)


def test_without_a_blank_nothing_changes() -> None:
    before = tiles("1m", "2m")
    assert compare(before, in_a_row(2), crops(IVORY, IVORY)) is before


def test_a_tile_that_lies_alone_has_no_neighbours_to_be_held_against() -> None:
    seen = evidence(tiles("?"), in_a_row(1), crops(IVORY))
    assert seen.tiles.tolist() == [0] and seen.facts.shape == (1, FACTS)
    assert not seen.facts[0, 3:20].any() and np.isfinite(seen.facts).all()


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


def test_what_is_printed_does_not_count_as_white() -> None:
    shown = np.full((1, 80, 64, 3), IVORY, np.uint8)
    shown[:, 25:45, 20:44] = 0
    printed, bare = (colours(lights(each), (0.6, 0.9)) for each in (shown, crops(IVORY)))
    assert printed == pytest.approx(bare, abs=0.05)
    assert colours(lights(shown), (0.0, 0.1))[0, 0] < bare[0, 0] - 2


def test_a_tile_brings_its_print_along() -> None:
    spotted = np.full((1, 80, 64, 3), IVORY, np.uint8)
    spotted[:, 30:50, 24:40] = 60
    bare, printed = (evidence(tiles("?"), in_a_row(1), each).facts[0, 20] for each in (crops(IVORY), spotted))
    assert printed > 0.3 > bare
