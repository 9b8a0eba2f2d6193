"""Norths beside the hand of a photo: set aside where three play, any tiles elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer.tiles import NORTH, TILES
from tehai.hand.inputs import from_reading, inferred_facts
from tehai.hand.nukidora import set_aside
from tehai.hand.rivers import others_seen
from tests.tehai.readings import quad, row
from vision.reading import Quad, Reading, SeenTile

HAND = row("111999m34p678s22z", "5p")


def with_tiles(*places: tuple[str, Quad]) -> Reading:
    """The hand with other tiles around it."""
    others = tuple(SeenTile(place, label, 0.99, ("1m", 0.01), "other") for label, place in places)
    return replace(HAND, tiles=(*HAND.tiles, *others))


def above(place: int, rows: float) -> Quad:
    """Where a tile lies so many lengths above another place of the row."""
    return tuple((x, y - 50 * rows) for x, y in quad(place))  # type: ignore[return-value]


BESIDE = [("4z", quad(15)), ("4z", quad(17))]
"""Two norths to the right of the hand, the second beside the first."""


def test_norths_beside_the_hand_are_set_aside() -> None:
    reading, norths = set_aside(with_tiles(*BESIDE, ("4z", above(3, 4)), ("3z", quad(-1))))
    assert norths == 2
    assert [tile.role for tile in reading.tiles if tile.label in ("3z", "4z")] == [
        "nuki",
        "nuki",
        "other",
        "other",
    ]
    assert set_aside(HAND) == (HAND, 0)


@pytest.mark.parametrize("rules", ["tenhou3", "majsoul3"])
def test_three_players_are_asked_no_more_how_many(rules: str) -> None:
    given = from_reading(with_tiles(*BESIDE)).with_facts({"rules": rules})
    plan = given.plan()
    assert given.record["nukidora"] == 2 and given.known["nukidora"] == "inferred"
    assert "nukidora" not in [question.field for question in plan.questions]
    assert "Two norths were set aside." in inferred_facts(given, plan)
    assert given.reading is not None and [t.role for t in given.reading.tiles].count("nuki") == 2


def test_who_says_how_many_is_believed() -> None:
    given = from_reading(with_tiles(*BESIDE)).with_facts({"rules": "tenhou3", "nukidora": 1})
    assert given.record["nukidora"] == 1 and given.known["nukidora"] == "asked"
    assert others_seen(given) == (TILES[NORTH],)  # the other is the one set aside, which advice counts


def test_what_is_not_seen_is_asked() -> None:
    given = from_reading(HAND).with_facts({"rules": "tenhou3"})
    assert "nukidora" in [question.field for question in given.plan().questions]


def test_four_players_set_no_north_aside() -> None:
    given = from_reading(with_tiles(*BESIDE)).with_facts({"rules": "tenhou"})
    assert "nukidora" not in given.record and given.reading == with_tiles(*BESIDE)
