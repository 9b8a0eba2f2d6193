"""Convert flags of ``tehai score`` to facts of a hand, and questions to the flags that answer them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from scorer.asking.plan import COUNTS, TILE, Question, dora_number
from scorer.tiles import format_tiles
from tehai.errors import Mistake
from tehai.flags.table import FLAGS, NAMES, NOTHING_SPECIAL
from tehai.hand.notation import Record, typed_tiles

Typed = bool | int | str | list[str] | tuple[str, ...] | None
"""The typed value of a flag; None without the flag."""

Flags = Mapping[str, Typed]
"""The typed values of flags by field of the record."""

_FLAG_OF: Final = {flag.field: flag for flag in FLAGS}

FIELD_NAMES: Final = {**NAMES, **{count: NAMES[field] for field, count in COUNTS.items()}}
"""The flag that states each field of the record, for an error in its value."""

_ANSWERS: Final = {**NAMES, TILE: "--tiles"}
"""The flag that answers a question (``scorer.asking.plan``), by field."""

_MARKS: Final = (
    *("rinshan", "chankan", "haitei", "houtei", "tenhou", "chiihou", "renhou"),
    *("tsubame_gaeshi", "kanburi"),
    *("ippatsu", "double_riichi", "open_riichi"),
)
"""The rare circumstances with a flag."""

_NONE_OF_THEM: Final[Record] = {**dict.fromkeys(_MARKS, False), "dealer_wins": 0}
"""The facts of ``--nothing-special``."""

_MOST_INDICATORS: Final = 5

_WINDS: Final = {
    **{"east": "E", "south": "S", "west": "W", "north": "N", "e": "E", "s": "S", "w": "W", "n": "N"},
    **{"1z": "E", "2z": "S", "3z": "W", "4z": "N"},
}
_PLAYERS: Final = {"right": 1, "across": 2, "left": 3, "unknown": None, "1": 1, "2": 2, "3": 3}


def flags_for(questions: Iterable[Question], fields: Iterable[str] = ()) -> tuple[str, ...]:
    """The flags that answer the questions, and those of further fields. One flag denies all rare
    circumstances."""
    found: dict[str, None] = {}
    rare: dict[str, None] = {}
    for question in questions:
        if question.field in _ANSWERS:
            found[_ANSWERS[question.field]] = None
        if question.takes_ura:
            found[_ANSWERS["ura_indicators"]] = None
        marks = {mark for choice in question.choices for mark in choice.marks}
        rare |= {f"--{mark.replace('_', '-')}": None for mark in _MARKS if mark in marks}
    found |= {_ANSWERS[field]: None for field in fields}
    return (*found, f"--nothing-special (or {' '.join(rare)})") if rare else tuple(found)


def _word(words: Mapping[str, Any], hint: str) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        key = text.strip().lower()
        if key not in words:
            raise Mistake(f"“{text}” is not {hint}.")
        return words[key]

    return parse


def _indicators(text: str) -> list[str]:
    return [] if text.strip().lower() in ("", "-", "none") else [str(tile) for tile in typed_tiles(text)]


def _tiles(text: str) -> str:
    return "" if text.strip() == "-" else format_tiles(typed_tiles(text))


def _tile(text: str) -> str:
    tiles = typed_tiles(text)
    if len(tiles) != 1:
        raise Mistake(f"“{text}” is not one tile; write it as 3m.")
    return str(tiles[0])


_WIND = _word(_WINDS, "E, S, W or N")
_PLAYER = _word(_PLAYERS, "right, across, left or unknown")
_MEANING: Final[Mapping[str, Callable[[str], Any]]] = {
    "win_tile": _tile,
    "seat_wind": _WIND,
    "round_wind": _WIND,
    "dora_indicators": _indicators,
    "ura_indicators": _indicators,
    "discards": _tiles,
    "loser_offset": _PLAYER,
    "pao": _PLAYER,
}


def facts_of(flags: Flags) -> Record:
    """The record fields of flags. ``flags``: the typed value by field, a list for a flag that adds up; None
    without the flag.

    Open riichi and ippatsu imply riichi. Riichi alone implies no double riichi. A robbed concealed kan
    implies a robbed kan. Raises :class:`Mistake` with the names of the flags for an invalid value and for
    contradicting flags.
    """
    facts: Record = {}
    for field, typed in flags.items():
        if isinstance(typed, list | tuple):
            facts |= _added_up(field, typed) if typed else {}
        elif typed is not None:
            facts |= _added_up(field, [typed]) if field in COUNTS else {field: _value(field, typed)}
    for one, other, holds in _CONTRADICTIONS:
        if one in facts and other in facts and holds(facts[one], facts[other]):
            names = f"{_as_typed(one, flags[one])} and {_as_typed(other, flags[other])}"
            raise Mistake(f"{names} contradict each other: drop one.")
    nothing_special = facts.pop(NOTHING_SPECIAL, False)
    if facts.get("dealer"):
        facts["seat_wind"] = "E"
    if facts.get("robbed_ankan"):
        facts["chankan"] = True
    if any(map(facts.get, ("double_riichi", "open_riichi", "ippatsu"))):
        facts.setdefault("riichi", True)
    if "riichi" in facts:
        facts.setdefault("double_riichi", False)
    if facts.get("riichi") is False:
        facts.setdefault("ippatsu", False)
    return {**_NONE_OF_THEM, **facts} if nothing_special else facts


_CONTRADICTIONS: Final[tuple[tuple[str, str, Callable[[Any, Any], bool]], ...]] = (
    ("dealer", "seat_wind", lambda dealer, wind: dealer is not (wind == "E")),
    *(("tsumo", field, lambda tsumo, who: tsumo and bool(who)) for field in ("loser_offset", "ron_index")),
    *(
        ("riichi", field, lambda riichi, also: not riichi and bool(also))
        for field in ("double_riichi", "open_riichi", "ippatsu", "ura_indicators")
    ),
)
"""(field, other field, test whether their values contradict each other)."""


def _as_typed(field: str, typed: Typed) -> str:
    """A flag with its value."""
    names = _FLAG_OF[field].names.split("/")
    if isinstance(typed, bool):
        return names[not typed]
    return f"{names[0]} {' '.join(typed) if isinstance(typed, list | tuple) else typed}"


def _added_up(field: str, texts: Sequence[Any]) -> Record:
    """The fields of a repeated flag: its tiles in order, and the sum of its numbers of dora."""
    if field not in COUNTS:
        return {field: "".join(_value(field, text) for text in texts)}
    numbers = [(text, dora_number(text)) for text in texts]
    tiles = [tile for text, number in numbers if number is None for tile in _value(field, text)]
    if len(tiles) > _MOST_INDICATORS:
        raise Mistake(f"{NAMES[field]} takes at most five indicators, such as 3m5z: drop the rest.")
    counts = [number for _, number in numbers if number is not None]
    return {field: tiles} | ({COUNTS[field]: sum(counts)} if counts else {})


def _value(field: str, typed: bool | int | str) -> Any:
    """The value of a flag."""
    if not isinstance(typed, str):
        return typed
    try:
        return _MEANING[field](typed)
    except Mistake as mistake:
        raise Mistake(f"{NAMES[field]}: {mistake}") from None
