"""Points from han and minipoints, and who pays whom (EMA 2008 §4.1.2, §3.3.6, §3.4.10)."""

from __future__ import annotations

from typing import Final

from scorer.hand import OTHERS, Win, Wind, seat_at
from scorer.rules import LIMITS, RuleSet

YAKUMAN_BASE: Final = 8000
STICK: Final = 1000

NO_FU: Final = 30
"""The minipoints of a form that has none, such as thirteen orphans, under rules without limits (aotenjou)."""

_KIRIAGE_BASE: Final = 1920
"""The base of 4 han 30 fu and of 3 han 60 fu, the highest below mangan."""


def base_points(han: int, fu: int, rules: RuleSet) -> tuple[int, str | None]:
    """The base points of a hand below yakuman, and its limit (a key of ``rules.limits``) or None.

    The base is what one non-dealer pays for another non-dealer's self-draw, before rounding.
    """
    if rules.aotenjou:
        return (fu or NO_FU) << (han + 2), None
    for limit, base in reversed(tuple(LIMITS.items())):
        if han >= rules.limits.get(limit, han + 1):
            return base, limit
    base = fu << (han + 2)
    if base >= LIMITS["mangan"] or (rules.kiriage_mangan and base >= _KIRIAGE_BASE):
        return LIMITS["mangan"], "mangan"
    return base, None


def hand_points(base: int, tsumo: bool, is_dealer: bool, rules: RuleSet) -> int:
    """The value of the hand without honba: what the discarder pays, or the sum of all payments."""
    if tsumo:
        return sum(shares(base, is_dealer, rules))
    return _round_up(base * (6 if is_dealer else 4))


def deltas(
    win: Win, base: int, liable_base: int, rules: RuleSet, *, fed_draw: bool = False
) -> tuple[int, int, int, int] | None:
    """Gains and losses (winner, next player, across, previous), with honba and riichi sticks.

    Their sum is the riichi sticks that the winner takes. None for a ron whose discarder is unknown. With
    three players the place across stays 0.
    ``liable_base``: the part of ``base`` for which the player ``win.pao`` is liable. ``fed_draw``: whether
    that liability is for rinshan, not for a yakuman.
    """
    if not win.tsumo and win.loser_offset is None:
        return None
    plays = rules.liability_tsumo if win.tsumo else rules.liability_ron
    liable = win.pao if liable_base and plays else None
    liable_base = liable_base if liable else 0
    paid = [0, 0, 0]
    counters = rules.honba_points * win.honba if gets_counters(win, rules) else 0
    if win.tsumo:
        others = _others(win, rules)
        for offset, points in zip(others, shares(base - liable_base, win.is_dealer, rules), strict=True):
            paid[offset - 1] += points
            if liable is None:
                paid[offset - 1] += counters // len(others)
        if liable is not None:
            # The feeder of rinshan pays the sum of all shares (Toudai §4.1.1). The feeder of a yakuman pays
            # as for a ron, so that three players lose no fourth share.
            paid[liable - 1] += hand_points(liable_base, fed_draw, win.is_dealer, rules) + counters
    else:
        assert win.loser_offset is not None
        shared = hand_points(liable_base, False, win.is_dealer, rules) // 2
        paid[win.loser_offset - 1] += hand_points(base, False, win.is_dealer, rules) - shared
        paid[(liable or win.loser_offset) - 1] += shared
        pays_counters = liable if rules.liability_counters == "liable" else None
        paid[(pays_counters or win.loser_offset) - 1] += counters
    next_, across, previous = paid
    return sum(paid) + STICK * win.riichi_sticks, -next_, -across, -previous


def gets_counters(win: Win, rules: RuleSet) -> bool:
    """Whether this winner gets the honba points."""
    if rules.honba_dealer_only:
        return win.is_dealer
    return not win.ron_index or rules.honba_to_every_winner


def _others(win: Win, rules: RuleSet) -> list[int]:
    """The offsets of the other players, the dealer first. A winner of unknown seat counts as South."""
    players = rules.players
    seat = win.seat_wind or Wind.SOUTH
    return sorted(OTHERS[players], key=lambda offset: seat_at(seat, offset, players) is not Wind.EAST)


def shares(base: int, is_dealer: bool, rules: RuleSet) -> tuple[int, ...]:
    """What each other player pays for a self-draw, the dealer first.

    With three players the share of the fourth is lost, or split between the two payers (north bisection in
    Mahjong Soul). Each half is rounded up too.
    """
    double, single = _round_up(base * 2), _round_up(base)
    missing = double if is_dealer else single
    paid = (double, double, double) if is_dealer else (double, single, single)
    if rules.players == 4:
        return paid
    half = _round_up(missing // 2) if rules.fourth_share == "split" else 0
    return paid[0] + half, paid[1] + half


def _round_up(points: int) -> int:
    return -(-points // 100) * 100
