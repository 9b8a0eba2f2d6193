"""The parser of each key of a rules file. It returns the value or raises :class:`BadValue` with the
reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from reprlib import repr as shown
from types import MappingProxyType
from typing import Any, Final

from scorer.own_yaku import BadCondition, OwnYaku, parse_own_yaku
from scorer.words import VOCABULARIES
from scorer.yaku import BY_ID, CONCEALED_ONLY, FED_YAKU, YAKUMAN

LIMITS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "mangan": 2000, "haneman": 3000, "baiman": 4000, "sanbaiman": 6000, "counted_yakuman": 8000,
        "counted_double_yakuman": 16000,
    }
)  # fmt: skip
"""The base points of the limits, lowest first (EMA 2008 §4.1.3)."""


LIMIT_HANDS: Final[Mapping[str, int]] = MappingProxyType(
    {**{name: base for name, base in LIMITS.items() if not name.startswith("counted")}, "sextuple": 12000}
)
"""The base points of limit hands: a limit, or six times mangan (Toudai §3.4.2)."""

FU: Final[Mapping[str, int]] = MappingProxyType(
    {
        "closed_ron": 30, "otherwise": 20, "chiitoitsu": 25, "pinfu_ron": 30, "pinfu_tsumo": 20,
        "pung": 2, "value_pair": 2, "wait": 2, "tsumo": 2,
    }
)  # fmt: skip
"""The minipoints on which every text agrees (EMA 2008 §4.1.1, Toudai §3.2).

``closed_ron``, ``otherwise``: the base of a concealed hand won by ron, and of any other hand. ``pung``: an
open triplet of simples; concealed doubles it, terminals or honours double it, a kan takes it four times.
``value_pair``: of dragons, the seat wind or the round wind. ``wait``: edge, closed or single. ``tsumo``: a
self-draw without pinfu.
"""

CHOMBO: Final = ("reverse_mangan", "points", "none")
"""The penalties for a chombo: paid at the table, subtracted from the final score, or not defined."""

CHIPS: Final = ("ippatsu", "aka", "ura")
"""The sources of chips: ippatsu, each red five, each ura dora."""

ABORTIVE_DRAWS: Final = ("nine_terminals", "four_winds", "four_riichi", "four_kongs")
"""The abortive draws, without three winners on one discard: that is ``triple_ron_draw``."""

_NATURAL_ALONE: Final = ("always", "concealed", "never")
_TENHOU_WAITS: Final = ("never", "last_tile", "always")
_PAARENCHAN_COUNTS: Final = ("wins", "hands")
_BETS_LEFT: Final = ("first", "nobody")
_TWO_HAN_COUNTS: Final = ("counters", "dealer_wins")
_LIABLE_COUNTERS: Final = ("liable", "discarder")
_DEALER_STAYS: Final = ("win", "win_or_tenpai", "unless_south_tenpai")
_LAST_DEALER_STOPS: Final = ("never", "win", "win_or_tenpai")
_FOURTH_SHARE: Final = ("lost", "split")


class BadValue(Exception):
    """An invalid value of a key. The message says what it must be.

    ``name``: the invalid name within the table of the key; empty if the key itself is invalid.
    """

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value.splitlines()) > 1:
        raise BadValue("must be a text of one line")
    return value


def _yes_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise BadValue("must be true or false")
    return value


def _number(least: int, most: int, step: int = 1) -> Callable[[object], int]:
    """``step``: the number must be a multiple of it, so that players can share it."""
    steps = f", a multiple of {step}" if step > 1 else ""

    def check(value: object) -> int:
        if type(value) is not int or not least <= value <= most or value % step:
            raise BadValue(f"must be a whole number from {least} to {most}{steps}")
        return value

    return check


def _number_of(*valid: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        if type(value) is not int or value not in valid:
            raise BadValue(f"must be {', '.join(map(str, valid[:-1]))} or {valid[-1]}")
        return value

    return check


_FEW: Final = 12
"""So many names fit in one sentence."""


def name_in(valid: Iterable[str], name: object) -> str:
    """``name`` if it is one of ``valid``. Otherwise raises :class:`BadValue` that says which it could be."""
    valid = tuple(valid)
    if name not in valid:
        raise BadValue(f"has no {shown(name)}; {likeliest(str(name), valid)}", str(name))
    return str(name)


def likeliest(name: str, valid: Sequence[str]) -> str:
    """Which of ``valid`` is meant: the closest to ``name`` if one is near, all of them if they are few.

    >>> likeliest("daisangan", ["daisangen", "rinshan"]), likeliest("x", ["daisangen", "rinshan"])
    ("the closest is 'daisangen'", 'choose one of daisangen, rinshan')
    """
    from difflib import get_close_matches  # imported late, because it is slow and rarely needed

    if close := get_close_matches(name[:40], valid, n=1):
        return f"the closest is {close[0]!r}"
    return f"choose one of {', '.join(valid)}" if len(valid) <= _FEW else "docs/rules.md lists all names"


def _one_of(valid: tuple[str, ...]) -> Callable[[object], str]:
    return lambda value: name_in(valid, value)


def _fu(value: object) -> Mapping[str, int]:
    for name, fu in _table(value).items():
        if FU[name_in(FU, name)] != fu or type(fu) is not int:
            raise BadValue(f"{name} must be {FU[name]}: no rules have other minipoints for it", name)
    return FU


def _suits(value: object) -> str:
    if not isinstance(value, str) or not value or sorted(set(value) & set("mps")) != sorted(value):
        raise BadValue("must be letters of suits, each once: m, p, s")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise BadValue("must be a list of texts")
    return tuple(map(_text, value))


def _names_of(valid: tuple[str, ...]) -> Callable[[object], tuple[str, ...]]:
    def check(value: object) -> tuple[str, ...]:
        names = tuple(name_in(valid, name) for name in _texts(value))
        for name in names:
            if names.count(name) > 1:
                raise BadValue(f"has {name!r} twice")
        return names

    return check


def _uma(value: object) -> tuple[int, ...]:
    if (
        not isinstance(value, list)
        or len(value) not in (3, 4)
        or not all(type(points) is int for points in value)
    ):
        raise BadValue("must be four numbers: points of the first to the fourth, or three of three players")
    falling = [100_000, *value] == sorted([100_000, *value], reverse=True)
    if not falling or sum(value) or any(points % 100 for points in value):
        raise BadValue("must be hundreds for the first to the last, none more than the one before, 0 in all")
    return tuple(value)


def _floating_uma(value: object) -> tuple[tuple[int, ...], ...]:
    if not isinstance(value, list):
        raise BadValue("must be a list of uma, the first where one player has target_points, or an empty one")
    try:
        return tuple(map(_uma, value))
    except BadValue as bad:
        raise BadValue(f"must be a list of uma: each {bad}") from None


def _red_fives(value: object) -> tuple[int, int, int]:
    check = _number(0, 4)
    if not isinstance(value, list) or len(value) != 3:
        raise BadValue("must be three numbers: red fives of characters, circles, bamboos")
    return check(value[0]), check(value[1]), check(value[2])


def _table(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise BadValue("must be a table of names and values")
    return value


def _yaku(value: object) -> Mapping[str, tuple[int, int]]:
    return {name_in(BY_ID, id_): _yaku_han(id_, han) for id_, han in _table(value).items()}


_YAKU_HAN: Final = (*range(YAKUMAN), YAKUMAN, 2 * YAKUMAN)


def _yaku_han(id_: str, han: object) -> tuple[int, int]:
    """Concealed and open han. One number alone is an error if an open hand can have the yaku."""
    pair: list[Any] = han if isinstance(han, list) and len(han) == 2 else [han, 0]
    if not all(type(one) is int and one in _YAKU_HAN for one in pair):
        most, double = YAKUMAN - 1, 2 * YAKUMAN
        raise BadValue(
            f"{id_} must be a whole number from 0 to {most}, {YAKUMAN} for a yakuman or {double} for two,"
            " or two of them in brackets: concealed and open",
            id_,
        )
    closed, open_ = pair
    if id_ in CONCEALED_ONLY:
        if open_:
            raise BadValue(f"{id_} must be one number: no open hand has it", id_)
    elif han == closed and closed:
        raise BadValue(
            f"{id_} must be two numbers, concealed and open: [{closed}, {closed}],"
            f" or [{closed}, 0] where open hands have none",
            id_,
        )
    if open_ > closed:
        raise BadValue(f"{id_} must not be worth more open than concealed, which comes first", id_)
    return closed, open_


def _own_yaku(value: object) -> Mapping[str, OwnYaku]:
    values = {}
    for id_, written in _table(value).items():
        try:
            values[id_] = parse_own_yaku(id_, written, _yaku_han)
        except BadCondition as bad:
            raise BadValue(f"{id_} {bad}", id_) from None
    return values


def _numbers(value: object, names: Iterable[str], low: int, high: int) -> Mapping[str, int]:
    """A table of numbers from ``low`` to ``high``, each under one of the names."""
    values = {}
    for name, number in _table(value).items():
        try:
            values[name_in(names, name)] = _number(low, high)(number)
        except BadValue as bad:
            raise BadValue(str(bad) if bad.name else f"{name} {bad}", name) from None
    return values


def _chips(value: object) -> Mapping[str, int]:
    return _numbers(value, CHIPS, 0, 10)


def _limits(value: object) -> Mapping[str, int]:
    values = _numbers(value, LIMITS, 3, 2 * YAKUMAN)
    if "mangan" not in values:
        raise BadValue("must say from how many han mangan is paid")
    for lower, higher in pairwise(limit for limit in LIMITS if limit in values):
        if values[lower] >= values[higher]:
            raise BadValue(f"{higher} must need more han than {lower}", higher)
    return values


def _limit_hands(value: object) -> Mapping[str, str]:
    values = {}
    for id_, limit in _table(value).items():
        name_in(BY_ID, id_)
        try:
            values[id_] = name_in(LIMIT_HANDS, limit)
        except BadValue as bad:
            raise BadValue(f"{id_} {bad}", id_) from None
    return values


def _cite(value: object) -> Mapping[str, str]:
    values = {}
    for key, text in _table(value).items():
        name_in((*KEYS, *BY_ID), key)
        try:
            values[key] = _text(text)
        except BadValue as bad:
            raise BadValue(f"{key} {bad}", key) from None
    return values


KEYS: Final[Mapping[str, Callable[[object], Any]]] = {
    "name": _text,
    "name_ja": _text,
    "source": _text,
    "words": _one_of(tuple(VOCABULARIES)),
    "players": _number_of(3, 4),
    "red_fives": _red_fives,
    "yaku": _yaku,
    "own_yaku": _own_yaku,
    "limit_hands": _limit_hands,
    "tenhou_special_waits": _one_of(_TENHOU_WAITS),
    "limits": _limits,
    "aotenjou": _yes_no,
    "kiriage_mangan": _yes_no,
    "yakuman_add_up": _yes_no,
    "honroutou_with_chanta": _yes_no,
    "four_alike_are_pairs": _yes_no,
    "natural_wins_alone": _one_of(_NATURAL_ALONE),
    "rinshan_on_last_tile": _yes_no,
    "renhou_by_dealer": _yes_no,
    "suukantsu_needs_rinshan": _yes_no,
    "daisharin_suits": _suits,
    "paarenchan_wins": _number(2, 20),
    "paarenchan_counts": _one_of(_PAARENCHAN_COUNTS),
    "paarenchan_retires": _yes_no,
    "dora_open_hands": _yes_no,
    "kan_dora": _yes_no,
    "ura_dora": _yes_no,
    "nukidora": _yes_no,
    "fu": _fu,
    "double_wind_pair_fu": _number_of(0, 2, 4),
    "open_pinfu_fu": _number_of(0, 2, 10),
    "two_han_from_honba": _number(0, 20),
    "two_han_counts": _one_of(_TWO_HAN_COUNTS),
    "kokushi_robs_ankan": _yes_no,
    "fourth_share": _one_of(_FOURTH_SHARE),
    "honba_points": _number(0, 3000, 100),
    "honba_to_every_winner": _yes_no,
    "honba_dealer_only": _yes_no,
    "winners_per_discard": _number(1, 3),
    "triple_ron_draw": _yes_no,
    "bets_returned": _yes_no,
    "bets_split": _yes_no,
    "bets_left": _one_of(_BETS_LEFT),
    "liability": _names_of(FED_YAKU),
    "liability_all_open": _yes_no,
    "liability_whole_hand": _yes_no,
    "liability_tsumo": _yes_no,
    "liability_ron": _yes_no,
    "liability_counters": _one_of(_LIABLE_COUNTERS),
    "nagashi_mangan": _yes_no,
    "nagashi_collects": _yes_no,
    "noten_points": _number(0, 12000, 200),
    "chombo": _one_of(CHOMBO),
    "chombo_points": _number(0, 100000, 100),
    "abortive_draws": _names_of(ABORTIVE_DRAWS),
    "dealer_stays": _one_of(_DEALER_STAYS),
    "abort_keeps_deal": _yes_no,
    "rounds": _number_of(1, 2),
    "extra_rounds": _number(0, 2),
    "extra_rounds_above": _number(0, 100000, 100),
    "sudden_death": _yes_no,
    "last_dealer_stops": _one_of(_LAST_DEALER_STOPS),
    "bust": _yes_no,
    "riichi_wall": _number(0, 20),
    "riichi_below_1000": _yes_no,
    "start_points": _number(0, 100000, 100),
    "target_points": _number(0, 100000, 100),
    "oka": _number(0, 400000, 100),
    "uma": _uma,
    "floating_uma": _floating_uma,
    "ties_share": _yes_no,
    "yakitori": _number(0, 30000, 600),
    "chips": _chips,
    "chip_points": _number(0, 20000, 100),
    "notes": _texts,
    "cite": _cite,
}
"""The parser of every key of a file."""

OFF: Final[Mapping[str, Any]] = {
    "own_yaku": {}, "limit_hands": {}, "aotenjou": False, "chips": {}, "chip_points": 0,
}  # fmt: skip
"""Keys that a file may leave out, with the value for rules that do not play them."""
