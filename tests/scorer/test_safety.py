"""How safe a tile is: by all hands that a player may have, tried one by one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from random import Random

import pytest

from scorer import Tile, parse_tiles, waits
from scorer.readings import Wait
from scorer.safety import Danger, Reason, River, danger, risks, ways_to_win
from scorer.tenpai import furiten, wait_kinds
from scorer.tiles import COPIES, KINDS, TILES, YAOCHUU
from tests.scorer.short_hands import meld

CALLED = tuple(map(meld, ("pon:777z", "pon:666z", "pon:555z")))
"""Three sets, so that four concealed tiles are a hand; of dragons, which are in no case below."""

SPARE = (27, 28, 29)
"""Winds for a pair that has nothing to do with the tile."""


def by_trying(tile: Tile, passed: tuple[Tile, ...], seen: tuple[Tile, ...]) -> set[tuple[Wait, int]]:
    """The waits in which some hand of four tiles near the tile wins on it, and how many kinds of them.

    Each hand is of tiles that are not in sight, waits for the tile, and is not furiten.
    """
    suit = tile.kind - tile.kind % 9
    near = (
        [tile.kind]
        if tile.kind >= 27
        else [kind for kind in range(tile.kind - 3, tile.kind + 4) if suit <= kind < suit + 9]
    )
    gone = Counter(one.kind for one in seen)
    found = set()
    for kinds in combinations_with_replacement(sorted({*near, *SPARE}), 4):
        held = Counter(kinds)
        if any(gone[kind] + many > COPIES for kind, many in held.items() if kind not in SPARE):
            continue
        hand = tuple(TILES[kind] for kind in kinds)
        if tile not in waits(hand, CALLED) or furiten(hand, CALLED, discards=passed):
            continue
        rest = [kind for kind in kinds if kind not in SPARE or kind == tile.kind]
        for wait in wait_kinds(hand, CALLED)[tile]:
            # with a pair of winds apart; a tanki besides a finished run
            below = sum(kind < tile.kind for kind in rest) if wait is Wait.RYANMEN else 0
            if (len(set(rest)) == 2 and len(rest) == 2) or wait in (Wait.TANKI, Wait.SHANPON):
                found.add((wait, below))
    return found


def rank(found: set[tuple[Wait, int]]) -> Danger:
    kinds = {wait for wait, _ in found}
    sides = sum(wait is Wait.RYANMEN for wait, _ in found)
    if sides:
        return Danger.BOTH_SIDES if sides > 1 else Danger.ONE_SIDE
    if kinds & {Wait.KANCHAN, Wait.PENCHAN}:
        return Danger.ONE_TILE
    return Danger.NO_SEQUENCE if kinds else Danger.NOTHING


@pytest.mark.parametrize("seed", range(60))
def test_a_rank_is_what_some_hand_waits_for(seed: int) -> None:
    random = Random(seed)
    tile = TILES[random.randrange(27)]
    suit = tile.kind - tile.kind % 9
    wall = [kind for kind in range(suit, suit + 9) for _ in range(COPIES)]
    wall.remove(tile.kind)
    random.shuffle(wall)
    many = random.randint(4, 26)
    passed = tuple(TILES[kind] for kind in wall[: many // 4])
    seen = (tile, *(TILES[kind] for kind in wall[:many]))
    ways = [way for way in ways_to_win(tile, passed, seen) if way.wait is not Wait.KOKUSHI]
    assert danger(ways) is rank(by_trying(tile, passed, seen))


@pytest.mark.parametrize(
    ("tile", "passed", "seen", "expected"),
    [
        ("1z", "", "111z", Danger.NO_SEQUENCE),  # a single wait on the last one
        ("1z", "", "1111z", Danger.NO_SEQUENCE),  # thirteen orphans alone
        ("1z", "", "1111z9999m", Danger.NOTHING),  # which need the others
        ("4p", "1p7p", "147p", Danger.ONE_TILE),  # both sides barred
        ("4p", "1p", "14p", Danger.ONE_SIDE),
        ("4p", "", "45555p", Danger.ONE_SIDE),  # no 5p: neither 56 nor 35, but 23
        ("4p", "", "433335555p", Danger.NO_SEQUENCE),
        ("3p", "", "34444p", Danger.ONE_TILE),  # 12 waits at the edge
    ],
)
def test_hands_that_players_look_at(tile: str, passed: str, seen: str, expected: Danger) -> None:
    looked = parse_tiles(seen)
    one = Tile.parse(tile)
    if one not in looked:
        looked = (*looked, one)
    assert danger(ways_to_win(one, parse_tiles(passed), looked)) is expected


def test_thirteen_orphans_wait_for_one_tile_or_for_all() -> None:
    """With three of each orphan in sight only the hand that waits for all is left, and any orphan among the
    player's discards bars it."""
    east = TILES[27]
    thrice = tuple(TILES[kind] for kind in sorted(YAOCHUU) for _ in range(3))
    (orphans,) = [way for way in ways_to_win(east, (), thrice) if way.wait is Wait.KOKUSHI]
    assert orphans.is_possible
    (orphans,) = [way for way in ways_to_win(east, (TILES[0],), thrice) if way.wait is Wait.KOKUSHI]
    assert orphans.barred == TILES[0]


def test_all_that_he_discarded_is_safe_and_nothing_else_when_nothing_is_seen() -> None:
    for kind in range(KINDS):
        tile = TILES[kind]
        assert danger(ways_to_win(tile, (tile,), (tile,))) is Danger.NOTHING
        assert danger(ways_to_win(tile, (), (tile,))) is not Danger.NOTHING


@pytest.mark.parametrize(
    ("tile", "reason", "rank", "by"),
    [
        ("4p", Reason.OWN_DISCARD, Danger.NOTHING, ""),
        ("2m", Reason.PASSED, Danger.NOTHING, ""),
        ("5z", Reason.GONE, Danger.NOTHING, ""),
        ("3z", Reason.HONOUR, Danger.NO_SEQUENCE, ""),
        ("1p", Reason.SUJI, Danger.NO_SEQUENCE, "4p"),
        ("7p", Reason.SUJI, Danger.ONE_TILE, "4p"),
        ("9s", Reason.WALL, Danger.NO_SEQUENCE, "8s"),
        ("5m", Reason.SUJI, Danger.ONE_SIDE, "2m"),
        ("5s", Reason.OPEN, Danger.BOTH_SIDES, ""),
    ],
)
def test_each_danger_has_its_reason(tile: str, reason: Reason, rank: Danger, by: str) -> None:
    left = River("left", parse_tiles("4p"), riichi=True, since=parse_tiles("2m"))
    right = River("right", parse_tiles("2m"))
    seen = parse_tiles(f"4p2m8888s5555z19m19p1s{tile}" if tile != "5z" else "4p2m8888s5555z19m19p1s1111z")
    (found,) = risks(Tile.parse(tile), (right, left), seen)
    assert (found.reason, found.danger, found.tiles) == (reason, rank, parse_tiles(by))
    assert found.who == "left" and found.riichi


def test_three_players_have_no_sequence_with_a_terminal_of_characters() -> None:
    for tile, rank in (("1m", Danger.NO_SEQUENCE), ("1p", Danger.ONE_SIDE)):
        (found,) = risks(Tile.parse(tile), [River("left", parse_tiles("9s"))], parse_tiles(tile), players=3)
        assert (found.danger, found.reason) == (rank, Reason.OPEN)


def test_without_a_riichi_all_whose_rivers_are_known_count_the_worst_first() -> None:
    rivers = (River("right", parse_tiles("5s")), River("across", ()), River("left", parse_tiles("1z")))
    found = risks(Tile.parse("5s"), rivers, parse_tiles("5s1z5s"))
    assert [one.who for one in found] == ["left", "right"] and found[1].danger is Danger.NOTHING
