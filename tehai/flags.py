"""The flags of ``tehai score`` that tell a fact: which record field each answers, what its words mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tehai.errors import Mistake
from tehai.notation import parse_tiles

FLAG_OF: dict[str, str] = {
    "win_tile": "--win",
    "tsumo": "--tsumo or --ron",
    "seat_wind": "--seat",
    "round_wind": "--round",
    "riichi": "--riichi or --no-riichi",
    "double_riichi": "--double-riichi",
    "dora_indicators": "--dora",
    "ura_indicators": "--ura",
    "riichi_sticks": "--sticks",
    "loser_offset": "--from",
}
"""Record field to the flag that answers it, where that is not just its name (:func:`flag_of`)."""

_WINDS = {
    **{"east": "E", "south": "S", "west": "W", "north": "N", "e": "E", "s": "S", "w": "W", "n": "N"},
    **{"1z": "E", "2z": "S", "3z": "W", "4z": "N"},
}
_PLAYERS = {"right": 1, "across": 2, "left": 3, "1": 1, "2": 2, "3": 3}


def flag_of(field: str) -> str:
    """The flag that answers a record field ahead."""
    return FLAG_OF.get(field, f"--{field.replace('_', '-')}")


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
_PLAYER = _word(_PLAYERS, "right, across or left")
_PARSE: dict[str, Callable[[str], Any]] = {
    "win_tile": _tile,
    "seat_wind": _WIND,
    "round_wind": _WIND,
    "dora_indicators": _indicators,
    "ura_indicators": _indicators,
    "loser_offset": _PLAYER,
    "pao": _PLAYER,
}


def from_flag(field: str, text: str | None) -> Any:
    """The value of a flag's text; None where the flag was not given. A :class:`Mistake` names the flag."""
    if text is None:
        return None
    try:
        return _PARSE[field](text)
    except Mistake as mistake:
        raise Mistake(f"{flag_of(field)}: {mistake}") from None
