"""How far a hand is and what brings it nearer: by the definition, and in hands that programs get wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.efficiency import Dealt, random_hand
from scorer import Meld, is_complete, waits
from scorer.efficiency import Discard, discards, shanten, ukeire
from scorer.readings import Form
from scorer.tiles import COPIES, KINDS, LEFT_OUT, TILES, Tile, format_tiles, parse_tiles
from tests.scorer.random_wins import RandomWin, random_wins
from tests.scorer.short_hands import meld

SETS = tuple(map(meld, ("pon:777z", "pon:666z", "pon:555z", "pon:444z")))


@st.composite
def hands(draw: st.DrawFn, *sizes: int) -> tuple[tuple[Tile, ...], tuple[Meld, ...], int]:
    """Concealed tiles, declared sets, the number of players; ``sizes``: tiles beyond the sets to be made."""
    random = draw(st.randoms(use_true_random=True))
    while True:
        dealt = random_hand(random)
        number = sum(dealt.counts)
        melds = SETS[: 4 - number // 3]
        if number % 3 in sizes and not any(dealt.counts[one.tiles[0]] > 1 for one in melds):
            return tiles_of(dealt), melds, 3 if dealt.three else 4


def tiles_of(dealt: Dealt) -> tuple[Tile, ...]:
    return tuple(TILES[kind] for kind, count in enumerate(dealt.counts) for _ in range(count))


def drawable(tiles: tuple[Tile, ...], melds: tuple[Meld, ...], players: int) -> Iterator[Tile]:
    """Every kind that the hand does not hold four of."""
    held = [*tiles, *(tile for one in melds for tile in one.tiles)]
    for tile in TILES[:KINDS]:
        if held.count(tile) < COPIES and not (players == 3 and tile in LEFT_OUT):
            yield tile


def without(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    at = tiles.index(tile)
    return tiles[:at] + tiles[at + 1 :]


@settings(max_examples=150, deadline=None)
@given(hands(1))
def test_what_brings_a_hand_nearer_is_found_by_drawing_everything(
    dealt: tuple[tuple[Tile, ...], tuple[Meld, ...], int],
) -> None:
    """By brute force; a draw brings at most one nearer, and some draw always does."""
    tiles, melds, players = dealt
    found = ukeire(tiles, melds, players=players)
    assert found.shanten == shanten(tiles, melds, players=players)
    after = {
        tile: shanten((*tiles, tile), melds, players=players) for tile in drawable(tiles, melds, players)
    }
    assert set(after.values()) <= {found.shanten, found.shanten - 1}
    assert list(found.tiles) == [tile for tile, away in after.items() if away < found.shanten]
    assert found.tiles


@settings(max_examples=100, deadline=None)
@given(hands(1))
def test_ready_is_what_waits(dealt: tuple[tuple[Tile, ...], tuple[Meld, ...], int]) -> None:
    """0 where :func:`scorer.waits` finds any, for just those tiles."""
    tiles, melds, players = dealt
    found = ukeire(tiles, melds, players=players)
    waited = [tile for tile in waits(tiles, melds) if not (players == 3 and tile in LEFT_OUT)]
    assert (found.shanten == 0) is bool(waited)
    if waited:
        assert list(found.tiles) == waited


@settings(max_examples=100, deadline=None)
@given(hands(2))
def test_each_discard_is_the_hand_without_it(
    dealt: tuple[tuple[Tile, ...], tuple[Meld, ...], int],
) -> None:
    """With the thrown tile in sight; the best discard of a hand that is not finished loses nothing."""
    tiles, melds, players = dealt
    away = shanten(tiles, melds, players=players)
    assert (away == -1) is is_complete(tiles, melds)
    found = discards(tiles, melds, players=players)
    assert {one.tile for one in found} == set(tiles)
    for one in found:
        assert one.ukeire == ukeire(without(tiles, one.tile), melds, seen=(one.tile,), players=players)
    assert found[0].ukeire.shanten == max(away, 0)
    assert list(found) == sorted(found, key=lambda one: (one.ukeire.shanten, -one.ukeire.left))


@settings(max_examples=60, deadline=None)
@given(random_wins(reds=True))
def test_a_win_is_finished(drawn: RandomWin) -> None:
    hand = drawn.hand
    closed = (*hand.concealed, hand.win_tile)
    assert shanten(closed, hand.melds) == -1
    assert hand.win_tile.kind in ukeire(hand.concealed, hand.melds).tiles


@pytest.mark.parametrize(
    ("tiles", "melds", "away", "nearer"),
    [
        # a fourth tile that is in a triplet already is no pair, and nothing can be drawn to it
        ("1111m123p456s789s", (), 1, "23m1p4p6p9p"),
        ("1111z123m456p789s", (), 1, ""),
        # four of a kind in the hand, or declared, leave nothing of it to wait for
        ("1111m", ("pon:777z", "pon:666z", "pon:555z"), 1, "23m2z"),
        ("2m", ("ankan:1111m", "pon:666z", "pon:555z", "pon:777z"), 0, "2m"),
        ("23m44z", ("ankan:1111m", "pon:666z", "pon:555z"), 0, "4m"),
        ("12m44z", ("ankan:3333m", "pon:666z", "pon:555z"), 1, "12m4z"),
        # the three forms
        ("1133m5577p2288s4z", (), 0, "4z"),
        ("1133m5577p2268s4z", (), 1, "68s4z"),
        ("19m19p19s1234567z", (), 0, "19m19p19s1234567z"),
        ("119m19p19s123456z", (), 0, "7z"),
        ("19m28p37s1234567z", (), 4, None),
        ("1112345678999m", (), 0, "123456789m"),
        # four alike are one pair of seven
        ("1111m5577p2288s4z", (), 2, None),
    ],
)  # fmt: skip
def test_hands_that_programs_get_wrong(
    tiles: str, melds: tuple[str, ...], away: int, nearer: str | None
) -> None:
    found = ukeire(tiles, map(meld, melds))
    assert found.shanten == away
    if nearer:
        assert set(parse_tiles(nearer)) <= set(found.tiles)


def test_tiles_are_counted_as_far_as_they_are_in_sight() -> None:
    """The indicator, a pond, the sets, and a red five for a five."""
    found = ukeire("46p123p123m456s77z", seen="0p5p5p")
    assert (found.shanten, found.left, found.kinds) == (0, 1, parse_tiles("5p"))
    gone = ukeire("46p123p123m456s77z", seen="0p5p5p5p5p")
    assert (gone.left, gone.kinds, gone.gone) == (0, (), parse_tiles("5p"))


def test_three_players_wait_for_no_tile_that_they_do_not_use() -> None:
    assert ukeire("19m19p19s1234567z", players=3).shanten == 0
    assert shanten("1p123456789s11z9m", players=3) == 1
    four, three = (ukeire("1m123p456789s11z9m", players=players) for players in (4, 3))
    assert set(four.tiles) - set(three.tiles) == set(parse_tiles("2378m"))
    with pytest.raises(ValueError, match="more of 2m"):
        shanten("2m123p456789s11z9m", players=3)


def named(found: tuple[Discard, ...], tile: str) -> Discard:
    return next(one for one in found if str(one.tile) == tile)


def test_the_plain_five_goes_first() -> None:
    found = discards("123m456p789s11z05s9p")
    assert "5s" in {str(one.tile) for one in found}
    assert "0s" not in {str(one.tile) for one in found}


def test_a_discard_can_make_its_own_wait_furiten() -> None:
    """EMA 2008 §3.4.5: what is discarded counts; 3-6-9 of which the 9 goes now, or lies there."""
    found = named(discards("456789s123m456p77z"), "9s")
    assert found.ukeire.shanten == 0 and found.furiten == parse_tiles("9s")
    assert format_tiles(found.ukeire.kinds) == "369s"
    other = named(discards("45678s123m456p77z1z", own="3s"), "1z")
    assert other.furiten == parse_tiles("3s")
    assert named(discards("45678s123m456p77z1z", own="1s"), "1z").furiten == ()


def test_a_thrown_tile_is_in_sight() -> None:
    found = named(discards("45678s123m456p77z1z", own="3s"), "1z")
    assert found.ukeire.tiles[parse_tiles("3s")[0]] == 3


@pytest.mark.parametrize(
    ("tiles", "melds", "sentence"),
    [
        ("123m", (), "needs 13 or 14 concealed tiles, not 3"),
        ("123m456p789s1122z", ("pon:777z",), "needs 10 or 11 concealed tiles, not 13"),
        ("11111m456p789s22z", (), "There are more of 1m than there can be."),
    ],
)  # fmt: skip
def test_what_is_no_hand_is_refused(tiles: str, melds: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        shanten(tiles, map(meld, melds))


def test_the_forms_that_are_as_near_are_named() -> None:
    assert ukeire("1133m5577p2268s4z").forms == (Form.SEVEN_PAIRS,)
    assert ukeire("119m19p19s123456z").forms == (Form.THIRTEEN_ORPHANS,)
    assert ukeire("112233m556677p8s").forms == (Form.STANDARD, Form.SEVEN_PAIRS)
