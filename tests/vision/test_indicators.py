"""Which faces are indicators: those within a wall, however its backs look."""

from __future__ import annotations

import pytest

from tests.vision.layouts import BACK, H, Laid, W, hand_of, line

ROW = "1m 2m 3m 6m 7m 8m 6p 7p 3s 7s 1z 1z 2z 3z"
WALL = 120.0
"""How far above the hand a wall lies, in millimetres."""


def wall(*faces: str, backs: tuple[int, int] = (3, 3), lower: float = 0.0) -> list[Laid]:
    """Faces between so many backs on either side; those from the second one on to the right lie lower."""
    labels = [BACK] * backs[0] + [*faces] + [BACK] * backs[1]
    first = backs[0] + len(faces)
    return [
        Laid(label, k * (W + 0.3), WALL - (lower if k > first else 0.0), 0, "other")
        for k, label in enumerate(labels)
    ]


def indicators(tiles: list[Laid], doubts: dict[int, dict[str, float]] | None = None) -> list[str]:
    row = line(ROW)
    seen = hand_of([*row, *tiles], {len(row) + k: chances for k, chances in (doubts or {}).items()})
    return [tiles[i - len(row)].label for i in seen.layout.dora]


def test_a_face_within_a_wall_is_one() -> None:
    assert indicators(wall("4p")) == ["4p"]
    assert indicators(wall("4p", "2z", "9s")) == ["4p", "2z", "9s"]
    assert indicators(wall("4p", backs=(0, 1))) == [], "one back is no wall"


def test_a_face_at_a_walls_end_is_one_even_where_the_rest_of_it_is_a_layer_lower() -> None:
    assert indicators(wall("4p", backs=(0, 4))) == ["4p"]
    assert indicators(wall("4p", backs=(0, 4), lower=0.9 * H)) == ["4p"]
    assert indicators(wall("4p", backs=(0, 4), lower=2 * H)) == []


def test_a_wall_whose_backs_are_white_is_no_row_of_dragons() -> None:
    tiles = wall("4p")
    white = {k: {"5z": 0.65, "back": 0.3} for k, tile in enumerate(tiles) if tile.label == BACK}
    assert indicators(tiles, white) == ["4p"]
    dragons = {k: {"5z": 0.97} for k in white}
    assert indicators(tiles, dragons) == []


def test_what_hardly_is_a_face_in_a_wall_is_a_back() -> None:
    """A pattern, and white between backs that were told for backs."""
    tiles = wall("4p")
    pattern = {1: {"9s": 0.35, "6s": 0.2, "back": 0.2}}
    assert indicators(tiles, pattern) == ["4p"]
    white = {0: {"5z": 0.88, "back": 0.1}, 2: {"5z": 0.6, "back": 0.3}, 4: {"5z": 0.88, "back": 0.05}}
    assert indicators(tiles, white) == ["4p"]
    beside = {2: {"9s": 0.35, "6s": 0.2, "back": 0.2}}
    assert indicators(tiles, beside) == [], "it may be the second of two"
    assert indicators(wall("4p", "4p", backs=(0, 2)), {1: {"4p": 0.35, "3p": 0.3, "back": 0.1}}) == []


def test_a_white_tile_beside_one_that_may_be_a_back_is_no_dragon() -> None:
    tiles = wall("5z", backs=(0, 5))
    assert indicators(tiles, {0: {"5z": 0.93}, 1: {"5z": 0.53, "back": 0.42}}) == []


def test_an_ankan_of_which_a_face_can_hardly_be_read_is_no_wall() -> None:
    ankan = line(f"4s {BACK} {BACK} 4s", y=WALL, role="other")
    assert indicators(ankan, {0: {"4s": 0.54, "8p": 0.3}, 3: {"4s": 0.4, "8p": 0.3}}) == []


@pytest.mark.parametrize(("sure", "found"), [(0.97, ["5z"]), (0.7, [])])
def test_a_white_tile_in_a_wall_is_one_where_it_is_surely_a_dragon(sure: float, found: list[str]) -> None:
    assert indicators(wall("5z"), {3: {"5z": sure, "back": 1 - sure}}) == found


def test_an_ankan_beside_other_melds_is_no_wall() -> None:
    assert indicators(line(f"6z 6z 6z {BACK} 3z 3z {BACK}", y=WALL, role="other")) == []


def test_three_alike_are_a_set_and_what_can_hardly_be_read_is_no_indicator() -> None:
    assert indicators(wall("2z", "2z", "2z")) == []
    assert indicators(wall("4p"), {3: {"4p": 0.4, "3p": 0.3, "back": 0.1}}) == []


def test_a_river_whose_sides_seem_backs_is_no_wall() -> None:
    sides = wall("4p", backs=(0, 4))
    faces = [Laid("7s", tile.x, WALL + H, 0, "other") for tile in sides]
    assert indicators(sides) == ["4p"]
    assert indicators([*sides, *faces]) == []
    ura = [Laid("7s", sides[0].x, WALL + H, 0, "other")]
    assert indicators([*sides, *ura]) == ["4p"], "what lies above the indicator alone is that of the ura"


def test_a_wall_that_touches_a_row_with_some_of_its_tiles_is_none_the_less_one() -> None:
    touching = line("7s 8s 9s", x=4 * (W + 0.3), y=WALL - H, role="other")
    assert indicators([*wall("4p", backs=(2, 5)), *touching]) == ["4p"]
