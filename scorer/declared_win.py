"""A win that players declare by its value, without tiles: han and fu, a limit, or a number of yakuman.

Players often record a hand without its tiles. Its payment is the same as for any hand. Tiles and yaku are
unknown, so nothing checks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from reprlib import repr as shown
from typing import Any, Final

from scorer.hand import Win
from scorer.payment import NO_FU, YAKUMAN_BASE, base_points, deltas, hand_points
from scorer.record import RecordError, parse_win
from scorer.rules import LIMITS, RuleSet
from scorer.score import below_minimum, least_han_needed
from scorer.status import HandError
from scorer.yaku import YAKUMAN

FU_VALUES: Final = (20, 25, *range(30, 120, 10))
"""The rounded minipoints that a hand can have."""

_MOST_HAN: Final = 50
_MOST_YAKUMAN: Final = 7
_HELP: Final = '{"han": 3, "fu": 40}, {"han": 6}, {"limit": "mangan"} or {"yakuman": 1}'


@dataclass(frozen=True, slots=True)
class DeclaredScore:
    """The score of a declared win: the properties of a :class:`scorer.Score` that need no tiles.

    ``fu``: None if the payment does not depend on it. ``liable``: for how many of the yakuman the player
    ``win.pao`` is liable.
    """

    han: int
    fu: int | None
    limit: str | None
    yakuman: int
    base: int
    win: Win
    rules: RuleSet
    liable: int = 0

    @property
    def points(self) -> int:
        """The value of the hand without honba and riichi sticks."""
        return hand_points(self.base, self.win.tsumo, self.win.is_dealer, self.rules)

    @property
    def chips(self) -> int:
        """Chips for ippatsu, from each payer. The tiles that earn others are unknown."""
        return self.rules.chips.get("ippatsu", 0) * self.win.ippatsu

    @property
    def deltas(self) -> tuple[int, int, int, int] | None:
        """(winner, next player, across, previous) with honba and riichi sticks.

        None for a ron whose discarder is unknown.
        """
        return deltas(self.win, self.base, YAKUMAN_BASE * self.liable, self.rules)


@dataclass(frozen=True, slots=True)
class DeclaredWin:
    """A parsed hand record without tiles. It has ``han`` and perhaps ``fu``, or ``limit``, or ``yakuman``."""

    win: Win
    rules: RuleSet
    han: int = 0
    fu: int | None = None
    limit: str | None = None
    yakuman: int = 0
    liable: int = 0

    def score(self, win: Win) -> DeclaredScore:
        """The score. ``win``: how it was won, with the honba and riichi sticks on the table.

        Raises :class:`scorer.RecordError` for fewer han than such a win has, and :class:`scorer.HandError`
        for fewer than it needs.
        """
        rules = self.rules
        if self.yakuman:
            han, base = YAKUMAN * self.yakuman, YAKUMAN_BASE * self.yakuman
            return DeclaredScore(han, None, "yakuman", self.yakuman, base, win, rules, self.liable)
        if self.limit:
            han = rules.limits[self.limit]
            return DeclaredScore(han, None, self.limit, 0, LIMITS[self.limit], win, rules)
        _check_han(self.han, self.fu, win, rules)
        base, reached = base_points(self.han, self.fu or 0, rules)
        return DeclaredScore(self.han, self.fu, reached, 0, base, win, rules)


def parse_declared_win(record: Mapping[str, Any], rules: RuleSet) -> DeclaredWin:
    """Parse a hand record that has a ``value`` in place of tiles (``docs/game.md``).

    Raises :class:`scorer.RecordError` for an invalid field.
    """
    win = parse_win(record)
    value = record.get("value")
    if not isinstance(value, Mapping):
        raise _wrong(f"value must be such as {_HELP}, not {shown(value)}.")
    ways = [way for way in ("han", "limit", "yakuman") if value.get(way) is not None]
    if len(ways) != 1:
        raise _wrong(f"value says one thing: {_HELP}.")
    if rules.aotenjou and ways[0] != "han":
        raise _wrong(rules.vocabulary.say("{rules} has no limits: write {han} and {fu}.", rules=rules.name))
    if win.pao is not None:
        _check_liable(win, ways[0], rules)
    match ways[0]:
        case "yakuman":
            yakuman = _whole("yakuman", value["yakuman"], most_yakuman(rules))
            return DeclaredWin(win, rules, yakuman=yakuman, liable=_liable(win, yakuman, value, rules))
        case "limit":
            limit = value["limit"]
            if limit not in tuple(rules.limits):
                raise _wrong(f"value.limit is one of {', '.join(rules.limits)}, not {shown(limit)}.")
            return DeclaredWin(win, rules, limit=str(limit))
    han = _whole("han", value["han"], _MOST_HAN)
    fu = value.get("fu")
    if fu is None and han >= rules.limits["mangan"] and not rules.aotenjou:
        return DeclaredWin(win, rules, han=han)
    if type(fu) is not int or fu not in FU_VALUES:
        raise _wrong(f"value.fu is one of {', '.join(map(str, FU_VALUES))}, not {shown(fu)}.")
    return DeclaredWin(win, rules, han=han, fu=fu)


_WAYS: Final = ("open_riichi", "ippatsu", "rinshan", "chankan", "haitei", "houtei")
"""Ways of winning that are a yaku each, beside riichi and the self-draw of a concealed hand."""


def _check_han(han: int, fu: int | None, win: Win, rules: RuleSet) -> None:
    """Raise :class:`scorer.RecordError` if such a win has more han or never these fu, and
    :class:`scorer.HandError` if it is below the minimum of han."""
    ways = sum(rules.han(name, win.has_riichi) for name in _WAYS if getattr(win, name))
    if win.double_riichi:
        ways += rules.han("double_riichi", True) - rules.han("riichi", True)
    least = least_han(fu or NO_FU, win.tsumo, rules, riichi=win.has_riichi, ways=ways)
    way = ("tsumo" if win.tsumo else "ron") + " with riichi" * win.has_riichi
    if least is None:
        raise _wrong(f"value: no hand has {fu} fu by {way}: correct one of them.")
    if han < least:
        named = f"a hand of {fu} fu" if fu else "a hand"
        raise _wrong(f"value: {named} by {way} has {least} han or more: correct one of them.")
    if han < least_han_needed(win, rules):
        raise HandError(below_minimum(win, rules, han))


def _liable(win: Win, yakuman: int, value: Mapping[str, Any], rules: RuleSet) -> int:
    """For how many yakuman ``win.pao`` is liable: those that player fed, or all, as the rules say."""
    named = value.get("liable")
    if win.pao is None:
        if named is not None:
            raise _wrong("value.liable goes with pao, who fed so many of the yakuman: add pao, or drop it.")
        return 0
    if named is None and yakuman > 1 and not rules.liability_whole_hand:
        raise _wrong(f"value.liable must say of how many of the {yakuman} yakuman pao is liable.")
    if named is None or rules.liability_whole_hand:
        return yakuman
    return _whole("liable", named, yakuman)


def _check_liable(win: Win, way: str, rules: RuleSet) -> None:
    """Raise :class:`scorer.RecordError` if nobody can be liable for the declared value."""
    if not may_be_liable(win.tsumo, rules):
        sentence = f"In {{rules}} nobody is liable on a {{{'tsumo' if win.tsumo else 'ron'}}}: take pao away."
        raise RecordError("bad_field", "pao", rules.vocabulary.say(sentence, rules=rules.name))
    if way != "yakuman":
        sentence = (
            "Of a win without tiles one is liable for a yakuman alone: take pao away, or write the tiles."
        )
        raise RecordError("bad_field", "pao", sentence)


def may_be_liable(tsumo: bool, rules: RuleSet) -> bool:
    """Whether a player can be liable for a yakuman that was declared by its value."""
    return bool({*rules.liability} - {"rinshan"}) and (
        rules.liability_tsumo if tsumo else rules.liability_ron
    )


def most_yakuman(rules: RuleSet) -> int:
    """The most yakuman that these rules pay for a hand, 0 without limits. If yakuman do not add up, one yaku
    may count as two.

    >>> from scorer import load_rules
    >>> most_yakuman(load_rules("ema2008")), most_yakuman(load_rules("ema2016"))
    (2, 1)
    """
    if rules.aotenjou:
        return 0
    if rules.yakuman_add_up:
        return _MOST_YAKUMAN
    return max(1, max(max(han) for han in rules.yaku.values()) // YAKUMAN)


def least_han(fu: int, tsumo: bool, rules: RuleSet, *, riichi: bool = False, ways: int = 0) -> int | None:
    """The fewest han of a hand with so many minipoints; None if no hand has them.

    20: pinfu by tsumo, or an open hand by ron under rules without extra minipoints for it (Toudai §3.4.3).
    25: seven pairs (EMA 2008 §4.1.1).
    ``ways``: the han of other circumstances, such as ippatsu.

    >>> from scorer import load_rules
    >>> least_han(20, True, load_rules("ema2008")), least_han(20, False, load_rules("ema2008"))
    (2, None)
    >>> least_han(30, True, load_rules("ema2008"), riichi=True)
    2
    """
    drawn = rules.han("menzen_tsumo", True) * tsumo
    ways += rules.han("riichi", True) * riichi
    if fu > 25:
        return max(1, ways + drawn * riichi)
    if fu == 20 and not tsumo:
        return None if rules.open_pinfu_fu or riichi else max(1, ways)
    han = rules.han("pinfu" if fu == 20 else "chiitoitsu", True)
    return han + drawn + ways if han else None


def _whole(name: str, value: object, most: int) -> int:
    if type(value) is not int or not 1 <= value <= most:
        numbers = f"a whole number from 1 to {most}" if most > 1 else "1 by these rules"
        raise _wrong(f"value.{name} is {numbers}, not {shown(value)}.")
    return value


def _wrong(sentence: str) -> RecordError:
    return RecordError("bad_field", "value", sentence)
