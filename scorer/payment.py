"""Han and minipoints to points, and who pays whom (EMA 2008 §4.1.2, §3.3.6, §3.4.10)."""

from __future__ import annotations

from typing import Final

from scorer.hand import Win
from scorer.rules import LIMITS, RuleSet

YAKUMAN_BASE: Final = 8000
STICK: Final = 1000

_KIRIAGE_BASE: Final = 1920
"""Base of 4 han 30 fu and of 3 han 60 fu, the nearest that any hand comes to mangan."""


def base_points(han: int, fu: int, rules: RuleSet) -> tuple[int, str | None]:
    """The base of a hand below yakuman and its limit (a key of ``rules.limits``) or None.

    The base is what one player pays a non-dealer's self-draw before it is rounded up.
    """
    for limit, base in reversed(tuple(LIMITS.items())):
        if han >= rules.limits.get(limit, han + 1):
            return base, limit
    base = fu << (han + 2)
    if base >= LIMITS["mangan"] or (rules.kiriage_mangan and base >= _KIRIAGE_BASE):
        return LIMITS["mangan"], "mangan"
    return base, None


def hand_points(base: int, tsumo: bool, is_dealer: bool) -> int:
    """The hand's own value: what the discarder pays, or the sum of what the three pay."""
    if tsumo:
        return sum(_shares(base, is_dealer))
    return _round_up(base * (6 if is_dealer else 4))


def deltas(win: Win, base: int, liable_base: int, rules: RuleSet) -> tuple[int, int, int, int] | None:
    """Who gets and pays what: (winner, next player, across, previous), counters and bets included.

    ``liable_base``: the part of ``base`` for whose yakuman ``win.pao``, if anybody, is liable.
    None on a discard whose discarder is not known. The sum is the bets that the winner takes.
    """
    if not win.tsumo and win.loser_offset is None:
        return None
    plays = rules.liability_tsumo if win.tsumo else rules.liability_ron
    liable = win.pao if liable_base and plays else None
    liable_base = liable_base if liable else 0
    paid = [0, 0, 0]
    counters = rules.honba_points * win.honba if _gets_counters(win, rules) else 0
    if win.tsumo:
        dealer = (4 - "ESWN".index(win.seat_wind)) % 4
        for offset, points in zip(_others(dealer), _shares(base - liable_base, win.is_dealer), strict=True):
            paid[offset - 1] += points
        if liable is None:
            paid = [points + counters // 3 for points in paid]
        else:
            paid[liable - 1] += hand_points(liable_base, True, win.is_dealer) + counters
    else:
        assert win.loser_offset is not None
        shared = hand_points(liable_base, False, win.is_dealer) // 2
        paid[win.loser_offset - 1] += hand_points(base, False, win.is_dealer) - shared
        paid[(liable or win.loser_offset) - 1] += shared
        pays_counters = liable if rules.liability_counters == "liable" else None
        paid[(pays_counters or win.loser_offset) - 1] += counters
    next_, across, previous = paid
    return sum(paid) + STICK * win.riichi_sticks, -next_, -across, -previous


def _gets_counters(win: Win, rules: RuleSet) -> bool:
    """Whether this winner is paid the counters on the table."""
    if rules.honba_dealer_only:
        return win.is_dealer
    return not win.ron_index or rules.honba_to_every_winner


def _others(dealer: int) -> tuple[int, int, int]:
    """The three other players, the dealer (offset 1–3; 0 = the winner himself) first."""
    first = dealer or 1
    rest = [offset for offset in (1, 2, 3) if offset != first]
    return first, rest[0], rest[1]


def _shares(base: int, is_dealer: bool) -> tuple[int, int, int]:
    """What each of the three pays a self-draw, the dealer first where he is among them."""
    double, single = _round_up(base * 2), _round_up(base)
    return (double, double, double) if is_dealer else (double, single, single)


def _round_up(points: int) -> int:
    return -(-points // 100) * 100
