"""Short ways to write a hand in a test."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scorer import Hand, Meld, MeldType, Score, Tile, Win, Wind, load_rules, parse_tiles, preset_ids, score
from scorer.rules import RuleSet
from scorer.yaku import TABLE

EMA = load_rules("ema2008")
TENHOU = load_rules("tenhou")

FOUR = tuple(id_ for id_ in preset_ids() if load_rules(id_).players == 4)
"""The presets of four players; what three play has tests of its own (``test_three.py``)."""

_READ = {
    "seat_wind": Wind,
    "round_wind": Wind,
    "dora_indicators": parse_tiles,
    "ura_indicators": parse_tiles,
    "discards": parse_tiles,
}


def hand(text: str) -> Hand:
    """``"44p 5p pon:777z ankan:1111m"``: concealed tiles, the winning tile, melds."""
    concealed, win_tile, *melds = text.split()
    return Hand(parse_tiles(concealed), Tile.parse(win_tile), tuple(map(meld, melds)))


def meld(text: str) -> Meld:
    type_, tiles = text.split(":")
    return Meld(MeldType(type_), parse_tiles(tiles))


def win(how: str) -> Win:
    """``"ron riichi seat_wind=W honba=2"``; by default the south seat of an east round."""
    kind, *words = how.split()
    fields: dict[str, Any] = {"seat_wind": Wind.SOUTH, "round_wind": Wind.EAST}
    for word in words:
        field, _, value = word.partition("=")
        fields[field] = _READ.get(field, int)(value) if value else True
    return Win(tsumo={"tsumo": True, "ron": False}[kind], **fields)


def playing_all(rules: RuleSet) -> RuleSet:
    """The rules with the yaku of the table that they do not play, at one han each."""
    more = {
        yaku.id: (1, 0 if yaku.concealed else 1)
        for yaku in TABLE
        if not any(rules.yaku[yaku.id]) and yaku.id not in rules.limit_hands
    }
    return replace(rules, yaku={**rules.yaku, **more})


def scored(text: str, how: str = "ron", rules: RuleSet = EMA) -> Score:
    return score(hand(text), win(how), rules)
