"""Rule sets: what differs between rules, as data (``RULES.md``, "The matrix").

A preset is a file ``scorer/rules/<id>.toml`` that gives every key. A house-rules file names a ``base`` preset
and gives the keys that differ. What is written must be known: an unknown key or value is a
:class:`RulesError` that names the file, the key and the closest valid name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from reprlib import repr as shown
from types import MappingProxyType
from typing import Any, Final

from scorer.yaku import BY_ID

_FOLDER: Final = Path(__file__).parent / "rules"

LIMITS: Final[Mapping[str, int]] = MappingProxyType(
    {"mangan": 2000, "haneman": 3000, "baiman": 4000, "sanbaiman": 6000, "counted_yakuman": 8000}
)
"""The limits, lowest first, with what a non-dealer pays for another's self-draw (EMA 2008 §4.1.3)."""


CHOMBO: Final = ("reverse_mangan", "none")
"""The penalties for a chombo that are paid at the table."""


class RulesError(ValueError):
    """A rule set that does not exist or cannot be understood; the message is a sentence that says where."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """What a set of rules says. Every field is a key of the TOML file but ``id``, which is the file's name.

    ``name``, ``source``: what players call the rules, and where they are written.
    ``red_fives``: how many red fives of characters, circles and bamboos are in play.
    ``yaku``: han by yaku id as (concealed, open), for all of the table; 0 = not for such a hand; 13 is a
    yakuman, 26 are two. The file names those that differ from the table; a number alone is concealed only.
    ``limits``: least han of each limit that is played; one left out is not played.
    ``kiriage_mangan``: whether 4 han 30 fu and 3 han 60 fu are paid as mangan.
    ``yakuman_add_up``: whether several yakuman are all paid; otherwise the greatest alone.
    ``honroutou_with_chanta``: whether all terminals and honours in sets are also an outside hand, of the open
    value.
    ``dora_open_hands``: whether dora count for open hands too. ``kan_dora``: whether each kong opens another
    indicator; otherwise the first alone counts. ``ura_dora``: whether riichi opens them.
    ``double_wind_pair_fu``: for a pair of the wind that is both seat and round.
    ``open_pinfu_fu``: for an open hand that earns nothing else.
    ``honba_points``: what a counter adds to a hand, paid in three parts on a self-draw.
    ``honba_to_every_winner``: whether counters are paid to later winners on a discard too.
    ``honba_dealer_only``: whether counters are paid only to a winner who is the dealer.
    ``winners_per_discard``: how many of those who win on one discard are paid, next in turn first; 1 = head
    bump.
    ``triple_ron_draw``: whether three winners on one discard make the hand a draw.
    ``bets_returned``: whether of several winners each that declared riichi gets his own bet back; the first
    takes the rest, or all.
    ``nagashi_mangan``: whether discards of terminals and honours alone, none claimed, are paid as a drawn
    mangan. ``nagashi_collects``: whether it takes counters and bets too.
    ``noten_points``: what those who are not tenpai pay together after an exhaustive draw.
    ``chombo``: ``reverse_mangan``, or ``none`` where the rules name no penalty between the players.
    ``two_han_from_honba``: counters from which dora apart two han are needed; 0 = never.
    ``liability``: yakuman ids whose last open set makes its feeder liable (pao). ``liability_whole_hand``:
    whether for the whole hand; otherwise for his own yakuman alone where others are added to it.
    ``cite``: by key or yaku id, where the source says so.
    """

    id: str
    name: str
    source: str
    red_fives: tuple[int, int, int]
    yaku: Mapping[str, tuple[int, int]]
    limits: Mapping[str, int]
    kiriage_mangan: bool
    yakuman_add_up: bool
    honroutou_with_chanta: bool
    dora_open_hands: bool
    kan_dora: bool
    ura_dora: bool
    double_wind_pair_fu: int
    open_pinfu_fu: int
    honba_points: int
    honba_to_every_winner: bool
    honba_dealer_only: bool
    winners_per_discard: int
    triple_ron_draw: bool
    bets_returned: bool
    nagashi_mangan: bool
    nagashi_collects: bool
    noten_points: int
    chombo: str
    two_han_from_honba: int
    liability: tuple[str, ...]
    liability_whole_hand: bool
    cite: Mapping[str, str]

    def han(self, yaku_id: str, closed: bool) -> int:
        """Han of a yaku for a concealed or an open hand, 0 where it does not count."""
        return self.yaku[yaku_id][0 if closed else 1]


class _Bad(Exception):
    """A value that a key cannot have; the message says what it must be."""


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _Bad("must be a text")
    return value


def _yes_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Bad("must be true or false")
    return value


def _number(least: int, most: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise _Bad(f"must be a whole number from {least} to {most}")
        return value

    return check


def _name_in(valid: Iterable[str], name: object) -> str:
    """``name``, where it is one of ``valid``; otherwise a complaint with the closest of them."""
    valid = tuple(valid)
    if name not in valid:
        close = get_close_matches(str(name)[:40], valid, n=1, cutoff=0)
        raise _Bad(f"has no {shown(name)}; the closest is {close[0]!r}")
    return str(name)


def _red_fives(value: object) -> tuple[int, int, int]:
    check = _number(0, 4)
    if not isinstance(value, list) or len(value) != 3:
        raise _Bad("must be three numbers: red fives of characters, circles, bamboos")
    return check(value[0]), check(value[1]), check(value[2])


def _table(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _Bad("must be a table of names and values")
    return value


def _yaku(value: object) -> Mapping[str, tuple[int, int]]:
    check = _number(0, 26)
    values: dict[str, tuple[int, int]] = {}
    for id_, han in _table(value).items():
        closed, open_ = han if isinstance(han, list) and len(han) == 2 else (han, 0)
        try:
            values[_name_in(BY_ID, id_)] = check(closed), check(open_)
        except _Bad as bad:
            if id_ not in BY_ID:
                raise
            raise _Bad(f"{id_} {bad}, or two of them: concealed and open") from None
    return values


def _limits(value: object) -> Mapping[str, int]:
    return {_name_in(LIMITS, name): _number(1, 99)(han) for name, han in _table(value).items()}


def _liability(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _Bad("must be a list of yaku ids")
    return tuple(_name_in(BY_ID, name) for name in value)


def _cite(value: object) -> Mapping[str, str]:
    return {_name_in((*_KEYS, *BY_ID), key): _text(text) for key, text in _table(value).items()}


_KEYS: Final[Mapping[str, Callable[[object], Any]]] = {
    "name": _text,
    "source": _text,
    "red_fives": _red_fives,
    "yaku": _yaku,
    "limits": _limits,
    "kiriage_mangan": _yes_no,
    "yakuman_add_up": _yes_no,
    "honroutou_with_chanta": _yes_no,
    "dora_open_hands": _yes_no,
    "kan_dora": _yes_no,
    "ura_dora": _yes_no,
    "double_wind_pair_fu": _number(0, 4),
    "open_pinfu_fu": _number(0, 2),
    "honba_points": _number(0, 3000),
    "honba_to_every_winner": _yes_no,
    "honba_dealer_only": _yes_no,
    "winners_per_discard": _number(1, 3),
    "triple_ron_draw": _yes_no,
    "bets_returned": _yes_no,
    "nagashi_mangan": _yes_no,
    "nagashi_collects": _yes_no,
    "noten_points": _number(0, 12000),
    "chombo": lambda value: _name_in(CHOMBO, value),
    "two_han_from_honba": _number(0, 99),
    "liability": _liability,
    "liability_whole_hand": _yes_no,
    "cite": _cite,
}
"""Every key of a file and how its value is understood."""


@cache
def preset_ids() -> tuple[str, ...]:
    """The presets that come with the package, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def load_rules(name: str | Path = "ema2008") -> RuleSet:
    """The preset with that id, or the house rules in that TOML file. Raises :class:`RulesError`.

    >>> load_rules("tenhou").kiriage_mangan
    False
    """
    if name in preset_ids():
        return _preset(str(name))
    path = Path(name)
    if path.suffix != ".toml":
        close = get_close_matches(str(name)[:40], preset_ids(), n=1, cutoff=0)[0]
        raise RulesError(
            f"There are no rules called {shown(str(name))}; the closest is {close!r}."
            " House rules are given as the path of a .toml file."
        )
    return _load(path)


@cache
def _preset(id_: str) -> RuleSet:
    return _load(_FOLDER / f"{id_}.toml")


def _load(path: Path) -> RuleSet:
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RulesError(f"The rules file {path} cannot be read: {error.strerror}.") from None
    except ValueError as error:  # not TOML, not UTF-8, or no path at all
        raise RulesError(f"The rules file {path} is not TOML: {error}.") from None
    base: RuleSet | None = None
    if "base" in written:
        try:
            base = _preset(_name_in(preset_ids(), written.pop("base")))
        except _Bad as bad:
            raise RulesError(f"{path}: base {bad}.") from None
    values: dict[str, Any] = {}
    for key, value in written.items():
        try:
            understand = _KEYS[_name_in(_KEYS, key)]
            values[key] = understand(value)
        except _Bad as bad:
            raise RulesError(f"{path}: {f'{key} ' if key in _KEYS else 'the file '}{bad}.") from None
    return _assemble(path, base, values)


def _assemble(path: Path, base: RuleSet | None, values: dict[str, Any]) -> RuleSet:
    """The rule set of a file's values over its base; without a base every key must be there."""
    common = {id_: (yaku.closed, yaku.open) for id_, yaku in BY_ID.items()}
    inherited: dict[str, Any] = (
        {field.name: getattr(base, field.name) for field in fields(RuleSet)} if base else {}
    )
    missing = [key for key in _KEYS if key != "yaku" and key not in values and key not in inherited]
    if missing:
        raise RulesError(
            f'{path}: {", ".join(missing)} missing; write them, or name a base preset: base = "ema2008".'
        )
    merged = {**inherited, **values, "id": path.stem}
    merged["yaku"] = MappingProxyType({**(base.yaku if base else common), **values.get("yaku", {})})
    merged["cite"] = MappingProxyType({**(base.cite if base else {}), **values.get("cite", {})})
    merged["limits"] = MappingProxyType(dict(merged["limits"]))
    return RuleSet(**merged)
