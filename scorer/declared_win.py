"""A win that is told by its worth alone, without tiles: han and fu, a limit, or how many yakuman.

At a table much is agreed upon without a tile being written down. What is told is paid as any hand is; what it
was made of nobody can say, so neither its tiles nor its yaku are checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from reprlib import repr as shown
from typing import Any, Final

from scorer.hand import Win
from scorer.payment import YAKUMAN_BASE, base_points, deltas, hand_points
from scorer.record import RecordError, parse_way
from scorer.rules import LIMITS, RuleSet
from scorer.yaku import YAKUMAN

FU_VALUES: Final = (20, 25, *range(30, 120, 10))
"""The minipoints that a hand can have, rounded."""

_MOST_HAN: Final = 50
_MOST_YAKUMAN: Final = 7
_HELP: Final = '{"han": 3, "fu": 40}, {"han": 6}, {"limit": "mangan"} or {"yakuman": 1}'


@dataclass(frozen=True, slots=True)
class DeclaredScore:
    """What a win is worth that was told; what is asked of a :class:`scorer.Score` and needs no tiles.

    ``fu``: None where nothing hangs on it.
    """

    han: int
    fu: int | None
    limit: str | None
    yakuman: int
    base: int
    win: Win
    rules: RuleSet

    @property
    def points(self) -> int:
        """The hand's own value without counters and bets."""
        return hand_points(self.base, self.win.tsumo, self.win.is_dealer, self.rules)

    @property
    def chips(self) -> int:
        """None: what earns them was not told."""
        return 0

    @property
    def deltas(self) -> tuple[int, int, int, int] | None:
        """(winner, next player, across, previous) with counters and bets; None if the discarder is open."""
        return deltas(self.win, self.base, self.base if self.yakuman else 0, self.rules)


@dataclass(frozen=True, slots=True)
class DeclaredWin:
    """A hand record without tiles, understood. ``han`` with ``fu``, or ``limit``, or ``yakuman``."""

    win: Win
    rules: RuleSet
    han: int = 0
    fu: int | None = None
    limit: str | None = None
    yakuman: int = 0

    def score(self, win: Win) -> DeclaredScore:
        """What is paid for it. ``win``: how it was won, with what the table adds."""
        if self.yakuman:
            base, limit = YAKUMAN_BASE * self.yakuman, "yakuman"
            return DeclaredScore(YAKUMAN * self.yakuman, None, limit, self.yakuman, base, win, self.rules)
        if self.limit:
            han = self.rules.limits[self.limit]
            return DeclaredScore(han, None, self.limit, 0, LIMITS[self.limit], win, self.rules)
        base, reached = base_points(self.han, self.fu or 0, self.rules)
        return DeclaredScore(self.han, self.fu, reached, 0, base, win, self.rules)


def parse_declared_win(record: Mapping[str, Any], rules: RuleSet) -> DeclaredWin:
    """The record of a hand whose worth is told in ``value`` (``docs/game.md``), under these rules.

    Raises :class:`scorer.RecordError` for what is wrong.
    """
    win = parse_way(record)
    value = record.get("value")
    if not isinstance(value, Mapping):
        raise _wrong(f"value must be such as {_HELP}, not {shown(value)}.")
    ways = [way for way in ("han", "limit", "yakuman") if value.get(way) is not None]
    if len(ways) != 1:
        raise _wrong(f"value says one thing: {_HELP}.")
    if win.pao is not None:
        _check_liable(win, ways[0], rules)
    match ways[0]:
        case "yakuman":
            return DeclaredWin(win, rules, yakuman=_whole("yakuman", value["yakuman"], most_yakuman(rules)))
        case "limit":
            limit = value["limit"]
            if limit not in tuple(rules.limits):
                raise _wrong(f"value.limit is one of {', '.join(rules.limits)}, not {shown(limit)}.")
            return DeclaredWin(win, rules, limit=str(limit))
    han = _whole("han", value["han"], _MOST_HAN)
    fu = value.get("fu")
    if fu is None and han >= rules.limits["mangan"]:
        return DeclaredWin(win, rules, han=han)
    if type(fu) is not int or fu not in FU_VALUES:
        raise _wrong(f"value.fu is one of {', '.join(map(str, FU_VALUES))}, not {shown(fu)}.")
    least, way = least_han(fu, win.tsumo, rules), "tsumo" if win.tsumo else "ron"
    if least is None:
        raise _wrong(f"value: no hand has {fu} fu by {way}: correct one of them.")
    if han < least:
        raise _wrong(f"value: a hand of {fu} fu by {way} has {least} han or more: correct one of them.")
    return DeclaredWin(win, rules, han=han, fu=fu)


def _check_liable(win: Win, way: str, rules: RuleSet) -> None:
    """Raises :class:`scorer.RecordError` where nobody can be liable for what is told."""
    if not (rules.liability_tsumo if win.tsumo else rules.liability_ron) or not rules.liability:
        sentence = f"In {{rules}} nobody is liable on a {{{'tsumo' if win.tsumo else 'ron'}}}: take pao away."
        raise RecordError("bad_field", "pao", rules.vocabulary.say(sentence, rules=rules.name))
    if way != "yakuman":
        sentence = (
            "Of a win without tiles one is liable for a yakuman alone: take pao away, or write the tiles."
        )
        raise RecordError("bad_field", "pao", sentence)


def most_yakuman(rules: RuleSet) -> int:
    """How many a hand can be paid by these rules: where they do not add up, two for a yaku that is worth two.

    >>> from scorer import load_rules
    >>> most_yakuman(load_rules("ema2008")), most_yakuman(load_rules("ema2016"))
    (2, 1)
    """
    if rules.yakuman_add_up:
        return _MOST_YAKUMAN
    return max(1, max(max(han) for han in rules.yaku.values()) // YAKUMAN)


def least_han(fu: int, tsumo: bool, rules: RuleSet) -> int | None:
    """The fewest han of a hand with so many minipoints; None where no hand has them.

    20 are pinfu by tsumo, or an open hand by ron where such a hand gets nothing for it (Toudai §3.4.3).
    25 are seven pairs (EMA 2008 §4.1.1).

    >>> from scorer import load_rules
    >>> least_han(20, True, load_rules("ema2008")), least_han(20, False, load_rules("ema2008"))
    (2, None)
    """
    if fu > 25:
        return 1
    if fu == 20 and not tsumo:
        return None if rules.open_pinfu_fu else 1
    han = rules.han("pinfu" if fu == 20 else "chiitoitsu", True)
    return han + rules.han("menzen_tsumo", True) * tsumo if han else None


def _whole(name: str, value: object, most: int) -> int:
    if type(value) is not int or not 1 <= value <= most:
        numbers = f"a whole number from 1 to {most}" if most > 1 else "1 by these rules"
        raise _wrong(f"value.{name} is {numbers}, not {shown(value)}.")
    return value


def _wrong(sentence: str) -> RecordError:
    return RecordError("bad_field", "value", sentence)
