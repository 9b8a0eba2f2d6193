"""What a hand comes to by turns: as simulated draws do, and sensible at the ends."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from benchmarks.expected import compare, near_hand
from scorer import Win, load_rules, parse_tiles
from scorer.expected import DRAWS, DrawModel
from scorer.hand import Wind
from scorer.tiles import NORTH
from tests.scorer.short_hands import EMA


def walk(text: str, **facts: object) -> DrawModel:
    return DrawModel(parse_tiles(text), (), Win(False, Wind.SOUTH, **facts), EMA)  # type: ignore[arg-type]


@pytest.mark.parametrize("preset", ["ema2008", "tenhou3"])
@pytest.mark.parametrize("away", [0, 1, 2])
def test_it_is_as_drawn_by_chance(away: int, preset: str) -> None:
    random = Random(f"expected {away}")
    for _ in range(2):
        hand, tiles = near_hand(random, away, preset)
        assert [one for one in compare(hand, tiles, 400, random) if one.differs] == []


def test_a_wait_of_known_tiles_is_exact() -> None:
    """Seven of 123 unseen tiles win: the chance that none of the first draws is one of them."""
    text = "234m456p22s456s67s"
    found = walk(text).expected(parse_tiles(text))
    assert found is not None and found.good_shape is None
    none = 1.0
    for turn in found.turns:
        none *= 1 - 7 / (123 - turn.draws + 1)
        assert turn.tenpai == 1 and turn.won == pytest.approx(1 - none)
    assert turn.points / turn.won == pytest.approx(5200)  # riichi, tsumo, pinfu, tanyao
    assert found.yaku == pytest.approx(dict.fromkeys(("riichi", "menzen_tsumo", "pinfu", "tanyao"), 1.0))


def test_every_red_five_of_the_hand_counts() -> None:
    rules, points = replace(load_rules("tenhou"), red_fives=(1, 2, 1)), []
    for text in ("55p234678m234s78s", "05p234678m234s78s", "00p234678m234s78s"):
        tiles = parse_tiles(text)
        found = DrawModel(tiles, (), Win(False, Wind.SOUTH), rules).expected(tiles)
        assert found is not None
        points.append(found.after(DRAWS).points)
    assert points == sorted(set(points))


def test_three_players_set_norths_aside_each_a_dora_and_another_draw() -> None:
    """Of 95 unseen tiles 4 are norths, which cost no draw. So many may come before the first other tile."""
    text, rules = "234p456p22s456s67s", load_rules("tenhou3")
    win = Win(False, Wind.SOUTH)
    found = DrawModel(parse_tiles(text), (), win, rules).expected(parse_tiles(text))
    assert found is not None
    first = found.after(1)
    assert first.won == pytest.approx(7 / 91)
    points, norths = 0.0, 1.0
    for many, worth in enumerate((3900, 6000, 9000, 9000, 12000)):  # 4 to 8 han, the north's share not paid
        points += norths * 91 / (95 - many) * worth
        norths *= (4 - many) / (95 - many)
    assert first.points / first.won == pytest.approx(points)
    aside = DrawModel(parse_tiles(text), (), Win(False, Wind.SOUTH, nukidora=4), rules)
    more = aside.expected(parse_tiles(text))
    assert aside.norths == 0 and more is not None
    assert more.after(18).points / more.after(18).won == pytest.approx(12000)
    kept = DrawModel(parse_tiles("234p456p22s456s4z7s"), (), win, rules)
    assert kept.norths == 0 and NORTH in kept.pool  # who keeps one plays them as any other tile


def test_chances_grow_with_draws_and_shrink_with_distance() -> None:
    hands = ("234m456p22s456s67s", "234m456p22s456s69s", "234m458p22s456s69s")
    found = [walk(text).expected(parse_tiles(text)) for text in hands]
    for one in found:
        assert one is not None and len(one.turns) == DRAWS
        for before, after in zip(one.turns, one.turns[1:], strict=False):
            assert before.tenpai <= after.tenpai and before.won <= after.won <= after.tenpai <= 1
    ready, one_away, two_away = (one.after(12).won for one in found if one)
    assert ready > one_away > two_away > 0


def test_the_good_shapes_are_counted() -> None:
    """5s7s and 8p: of the draws that make it tenpai those that leave 45 or 67 wait on two sides."""
    text = "123m456p44p57s79s1z"
    found = walk(text).expected(parse_tiles(text))
    assert found is not None and found.good_shape == 0
    text = "123m456p44p56s13s1z"
    found = walk(text).expected(parse_tiles(text))
    assert found is not None and found.good_shape == 4 / 12  # 2s comes: 56 is left


def test_farther_hands_are_not_reckoned() -> None:
    text = "147m258p369s1234z"
    assert walk(text).expected(parse_tiles(text)) is None


def test_called_hands_without_a_yaku_never_win() -> None:
    from tests.scorer.short_hands import meld

    tiles = parse_tiles("456p22z678s79s")
    hand = DrawModel(tiles, (meld("chi:234m"),), Win(False, Wind.WEST), load_rules("tenhou"))
    found = hand.expected(tiles)
    assert found is not None and found.after(DRAWS).won == 0
