"""The random wins of tests and benchmarks can be, and every kind of win is among them."""

from __future__ import annotations

from collections import Counter
from random import Random

from benchmarks.wins import random_win
from scorer import HandStatus, MeldType, Wind, check, load_rules
from scorer.tiles import COPIES, KINDS, TILES

COUNT = 1500
FLAGS = (
    "tsumo", "riichi", "double_riichi", "ippatsu", "rinshan", "chankan", "haitei", "houtei", "tenhou",
    "chiihou", "renhou",
)  # fmt: skip


def test_all_can_be_and_all_kinds_are_among_them() -> None:
    random, rules = Random(11), load_rules("tenhou")
    seen: Counter[object] = Counter()
    for _ in range(COUNT):
        one = random_win(random)
        hand, win = one.hand, one.win
        assert check(hand, win, rules) in (HandStatus.VALID, HandStatus.NO_YAKU), one
        shown = (*hand.tiles, *win.dora_indicators, *win.ura_indicators)
        assert max(Counter(tile.kind for tile in shown).values()) <= COPIES
        reds = Counter(tile for tile in shown if tile.is_red)
        assert all(count == 1 for count in reds.values())
        assert len(win.ura_indicators) == (len(win.dora_indicators) if win.has_riichi else 0)
        seen.update(name for name in FLAGS if getattr(win, name))
        seen.update(meld.type for meld in hand.melds)
        seen.update([win.seat_wind, ("round", win.round_wind), len(win.dora_indicators), *reds])
        seen["double riichi with a kong"] += win.double_riichi and bool(hand.melds)
    expected = [*FLAGS, *MeldType, *Wind, *(("round", wind) for wind in Wind), *range(1, 6), *TILES[KINDS:]]
    assert [one for one in (*expected, "double riichi with a kong") if not seen[one]] == []


def test_without_red_fives_there_are_none() -> None:
    random = Random(12)
    for _ in range(200):
        one = random_win(random, reds=False)
        win = one.win
        assert not any(tile.is_red for tile in (*one.hand.tiles, *win.dora_indicators, *win.ura_indicators))
