"""Waits that can be read in several ways, and the furiten examples of EMA 2008 §3.4.5."""

from __future__ import annotations

import pytest

from scorer import Hand, furiten, readings, wait_kinds, waits
from scorer.tenpai import FuritenKind
from scorer.tiles import TILES, YAOCHUU, parse_tiles
from tests.scorer.short_hands import meld


def ways(concealed: str, *melds: str) -> dict[str, set[str]]:
    found = wait_kinds(parse_tiles(concealed), map(meld, melds))
    return {str(TILES[kind]): {wait.value for wait in waiting} for kind, waiting in found.items()}


RUNS = ("chi:123s", "chi:123p")


@pytest.mark.parametrize(
    ("concealed", "melds", "waiting"),
    [
        # EMA 2008 §4.1.1: the 7 of 5-6-7 or of 7-8-9, pinfu or an edge wait
        (
            "56789m234p44s777z",
            (),
            {"4m": {"ryanmen"}, "7m": {"ryanmen", "penchan"}},
        ),
        # Toudai §3.2.5: 5557 is a central wait for the 6 and a hanging one for the 7
        ("5557m123p123s777z", (), {"6m": {"kanchan"}, "7m": {"tanki"}}),
        # the kinds of Toudai §3.2.5, one each
        ("23m456p123s777z11p", (), {"1m": {"ryanmen"}, "4m": {"ryanmen"}}),
        ("24m456p123s777z11p", (), {"3m": {"kanchan"}}),
        ("12m456p123s777z11p", (), {"3m": {"penchan"}}),
        ("89m456p123s777z11p", (), {"7m": {"penchan"}}),
        ("4m123m456p123s777z", (), {"1m": {"tanki"}, "4m": {"tanki"}}),
        ("11m22p456p123s777z", (), {"1m": {"shanpon"}, "2p": {"shanpon"}}),
        # a triplet, or the middle of a run
        ("3335m44z", ("pon:777z", "chi:123s"), {}),
        ("3335m", ("pon:777z", *RUNS), {"4m": {"kanchan"}, "5m": {"tanki"}}),
        ("3334m", ("pon:777z", *RUNS), {"2m": {"ryanmen"}, "4m": {"tanki"}, "5m": {"ryanmen"}}),
        ("2345678m", ("pon:777z", "pon:666z"), {"2m": {"tanki"}, "5m": {"tanki"}, "8m": {"tanki"}}),
        # the same tile closes a run from the middle, from the edge, or makes the pair
        ("1234444m", ("pon:777z", "pon:666z"), {"1m": {"tanki"}}),
        ("1223444m", ("pon:777z", "pon:666z"), {"2m": {"tanki", "kanchan"}, "3m": {"kanchan", "penchan"}}),
        # seven pairs and thirteen orphans
        ("1133m5577p2288s4z", (), {"4z": {"tanki"}}),
        ("19m19p19s1234567z", (), {str(TILES[kind]): {"kokushi_13"} for kind in sorted(YAOCHUU)}),
        ("119m19p19s123456z", (), {"7z": {"kokushi"}}),
        # seven pairs wait for the 7, and two double runs for it and two more
        (
            "1122334455667m",
            (),
            {"1m": {"tanki", "ryanmen"}, "4m": {"tanki", "ryanmen"}, "7m": {"tanki", "ryanmen"}},
        ),
    ],
)  # fmt: skip
def test_ways_to_wait(concealed: str, melds: tuple[str, ...], waiting: dict[str, set[str]]) -> None:
    assert ways(concealed, *melds) == waiting


def test_every_way_is_a_reading_that_pays_or_not() -> None:
    """The ways are those of the readings, whose choice is the winner's."""
    concealed = parse_tiles("56789m234p44s777z")
    for kind, waiting in wait_kinds(concealed).items():
        assert waiting == {one.wait for one in readings(Hand(concealed, TILES[kind]), tsumo=False)}


# The tile pictures of the three examples are lost; each hand is one that waits as the text says.
EXAMPLES = [
    # "The player has a three-sided wait for 3-6-9. Furiten if any of them are among his discards."
    ("45678s123m456p77z", "369s", "1m2m3m4m5m6m7m8m9m1p2p3p4p5p6p7p8p9p1s2s4s5s7s8s1234567z"),
    # "Waiting 1-4 circles. A discarded 7 circles does not make the player furiten."
    ("23567p123m456s77z", "14p", "7p"),
    # "Waiting for three tiles: 4 and 7 circles and red dragon. One of these discarded: furiten."
    ("44456p123m456s77z", "47p7z", "5p6p1m4s6z"),
]


@pytest.mark.parametrize(("hand", "waited", "harmless"), EXAMPLES)
def test_furiten_examples(hand: str, waited: str, harmless: str) -> None:
    concealed = parse_tiles(hand)
    tiles = parse_tiles(waited)
    assert waits(concealed) == tuple(tiles)
    assert furiten(concealed, discards=parse_tiles(harmless)) is None
    for tile in tiles:
        found = furiten(concealed, discards=[*parse_tiles(harmless), tile])
        assert found is not None
        assert (found.kind, found.tiles) == (FuritenKind.OWN_DISCARD, (tile.kind,))


def test_example_one_with_a_completion_without_yaku() -> None:
    """ "… even if the hand completed with the previous discard is without a yaku": open, 9s gives none."""
    found = furiten(parse_tiles("78s22z"), [*map(meld, ("chi:123m", "chi:456p", "pon:444z"))],
                    discards=parse_tiles("9s"))  # fmt: skip
    assert found is not None and found.tiles == parse_tiles("9s")


def test_passed_tiles() -> None:
    """EMA 2008 §3.4.5: a tile let pass is furiten until the next draw, §3.3.12: after riichi to the end."""
    concealed = parse_tiles("23567p123m456s77z")
    assert furiten(concealed, discards=(), passed=parse_tiles("7p")) is None
    found = furiten(concealed, discards=(), passed=parse_tiles("4p"))
    assert found is not None and found.kind is FuritenKind.TEMPORARY
    found = furiten(concealed, discards=(), passed=parse_tiles("4p"), riichi=True)
    assert found is not None and found.kind is FuritenKind.RIICHI
    found = furiten(concealed, discards=parse_tiles("1p"), passed=parse_tiles("4p"), riichi=True)
    assert found is not None and (found.kind, found.tiles) == (FuritenKind.OWN_DISCARD, parse_tiles("1p"))


def test_a_red_five_is_a_five() -> None:
    found = furiten(parse_tiles("46p123p123m456s77z"), discards=parse_tiles("0p"))
    assert found is not None and found.tiles == (13,)


def test_a_hand_that_waits_for_nothing_is_not_furiten() -> None:
    assert furiten(parse_tiles("1111m"), map(meld, ("pon:777z",) * 3), discards=parse_tiles("1m")) is None
