"""The flags of ``tehai score`` that tell a fact: which record field each answers, what its words mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scorer.asking.plan import TILE, Question
from tehai.errors import Mistake
from tehai.notation import parse_tiles

_FLAGS: dict[str, str] = {
    TILE: "--tiles",
    "win_tile": "--win",
    "tsumo": "--tsumo or --ron",
    "dealer": "--dealer or --no-dealer",
    "seat_wind": "--seat",
    "round_wind": "--round",
    "riichi": "--riichi or --no-riichi",
    "dora_indicators": "--dora",
    "ura_indicators": "--ura",
    "pao": "--pao",
    "loser_offset": "--from",
}
"""What a question is about (``scorer.asking.plan``) to the flag that answers it ahead."""

MOMENTS = ("rinshan", "chankan", "haitei", "houtei", "tenhou", "chiihou", "renhou")
"""Ways of winning, each with a flag of its name."""

MARKS = (*MOMENTS, "ippatsu", "double_riichi", "open_riichi")
"""All rare circumstances that have a flag."""

NOTHING_SPECIAL: dict[str, Any] = {**dict.fromkeys(MARKS, False), "dealer_wins": 0}
"""What ``--nothing-special`` denies together."""

_WINDS = {
    **{"east": "E", "south": "S", "west": "W", "north": "N", "e": "E", "s": "S", "w": "W", "n": "N"},
    **{"1z": "E", "2z": "S", "3z": "W", "4z": "N"},
}
_PLAYERS = {"right": 1, "across": 2, "left": 3, "unknown": None, "1": 1, "2": 2, "3": 3}


def flags_for(questions: Iterable[Question]) -> tuple[str, ...]:
    """The flags that answer questions ahead; one denies all that is rare together."""
    found: dict[str, None] = {}
    rare: dict[str, None] = {}
    for question in questions:
        if question.field in _FLAGS:
            found |= dict.fromkeys([_FLAGS[question.field]])
        if question.takes_ura:
            found |= dict.fromkeys([_FLAGS["ura_indicators"]])
        marks = {mark for choice in question.choices for mark in choice.marks}
        rare |= {f"--{mark.replace('_', '-')}": None for mark in MARKS if mark in marks}
    return (*found, f"--nothing-special (or {' '.join(rare)})") if rare else tuple(found)


def _word(words: Mapping[str, Any], hint: str) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        key = text.strip().lower()
        if key not in words:
            raise Mistake(f"“{text}” is not {hint}.")
        return words[key]

    return parse


def _indicators(text: str) -> list[str]:
    return [] if text.strip().lower() in ("", "-", "none") else list(parse_tiles(text))


def _tile(text: str) -> str:
    tiles = parse_tiles(text)
    if len(tiles) != 1:
        raise Mistake(f"“{text}” is not one tile; write it as 3m.")
    return tiles[0]


_WIND = _word(_WINDS, "E, S, W or N")
_PLAYER = _word(_PLAYERS, "right, across, left or unknown")
_PARSE: dict[str, Callable[[str], Any]] = {
    "win_tile": _tile,
    "seat_wind": _WIND,
    "round_wind": _WIND,
    "dora_indicators": _indicators,
    "ura_indicators": _indicators,
    "loser_offset": _PLAYER,
    "pao": _PLAYER,
}


def facts_of(texts: Mapping[str, str | None], plain: Mapping[str, Any]) -> dict[str, Any]:
    """The record fields that flags tell. ``texts``: field to what was typed; ``plain``: to its value.

    None is a flag not given. Who says open riichi or ippatsu says riichi; who says riichi does not mean a
    double one.
    """
    facts: dict[str, Any] = {field: _value(field, text) for field, text in texts.items() if text is not None}
    facts |= {field: value for field, value in plain.items() if value is not None}
    if facts.get("dealer"):
        facts["seat_wind"] = "E"
    if any(map(facts.get, ("double_riichi", "open_riichi", "ippatsu"))):
        facts.setdefault("riichi", True)
    if "riichi" in facts:
        facts.setdefault("double_riichi", False)
    if facts.get("riichi") is False:
        facts.setdefault("ippatsu", False)
    return facts


def _value(field: str, text: str) -> Any:
    """The value of a flag's text. A :class:`Mistake` names the flag."""
    try:
        return _PARSE[field](text)
    except Mistake as mistake:
        raise Mistake(f"{_FLAGS[field]}: {mistake}") from None
