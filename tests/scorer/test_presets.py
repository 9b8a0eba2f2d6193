"""What each preset makes of the hands on which rule sets differ, written with the rule texts open."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from scorer import HandError, load_rules
from scorer.rule_values import OFF
from scorer.rules import RuleSet
from scorer.yaku import BY_ID
from tests.scorer.short_hands import FOUR, scored

# --- the five sources, value by value ----------------------------------------------------------------------

SOURCES = ("ema2008", "ema_revised", "toudai", "wrc2017", "reference")
MATRIX = [
    [cell.strip() for cell in line.split("|")]
    for line in (Path(__file__).parent / "data" / "matrix.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def value_of(rules: RuleSet, key: str) -> Any:
    """What the rules say, as JSON has it: a key, a name in its table, or a yaku."""
    table, _, name = key.partition(".")
    found: Any = rules.yaku[key] if key in BY_ID else getattr(rules, table)
    return json.loads(json.dumps(found.get(name) if name else found))


@pytest.mark.parametrize("row", MATRIX, ids=lambda row: str(row[0]))
def test_every_row_of_the_matrix_is_a_key(row: list[str]) -> None:
    """Each has its value in each source, and each value says where it is written."""
    _, key, *values = row
    expected = [json.loads(value) for value in values]
    for preset, value in zip(SOURCES, expected * 5 if len(expected) == 1 else expected, strict=True):
        rules = load_rules(preset)
        assert value_of(rules, key) == value, preset
        assert rules.cite[key.partition(".")[0]], preset


def test_the_matrix_has_every_key() -> None:
    """But those that name and explain, what follows from another row, and yaku that no source plays."""
    named = {row[1].partition(".")[0] for row in MATRIX}
    assert {id_ for preset in SOURCES for id_, han in load_rules(preset).yaku.items() if any(han)} <= named
    elsewhere = {
        "liability_counters",
        "chombo_points",
        "natural_wins_alone",
        "yaku",
        "words",
        "players",
        "fourth_share",
        *OFF,
    }
    of_the_file = {"id", "base", "name", "name_ja", "source", "notes", "cite"}
    assert {field.name for field in fields(RuleSet)} - named == elsewhere | of_the_file


# --- all presets, hand by hand ------------------------------------------------------------------------------

HANDS = {
    "4 han 30 fu": ("123m456p78s33z456s 9s", "ron riichi dora_indicators=2z"),
    "open tanyao": ("456p78s22p345s 6s chi:234m", "ron"),
    "double wind pair": ("999m456p456s78s11z 9s", "ron riichi seat_wind=E"),
    "14 han": ("1122334455667p 7p", "tsumo riichi dora_indicators=3p"),
    "renhou": ("123m456p78s22z444z 9s", "ron renhou"),
    "thirteen waits": ("19m19p19s1234567z 1m", "ron"),
    "nine waits": ("1112345678999m 5m", "ron"),
    "suuankou, single wait": ("111m444p8s444z555s 8s", "tsumo"),
    "daisuushii": ("111222z5s 5s pon:444z pon:333z", "ron"),
    "two yakuman": ("1z333z555z 1z pon:444z pon:222z", "ron"),
    "open pinfu": ("456p78s33z456s 9s chi:123m", "ron houtei"),
    "five counters": ("123m456p78s22z444z 9s", "ron riichi honba=5"),
    "dora of an open hand": ("456p78s22z444z 9s chi:123m", "ron houtei dora_indicators=1z"),
    "kan dora": ("456p78s22z444z 9s ankan:1111m", "ron riichi dora_indicators=9p1z"),
    "ura dora": ("123m456p78s22z444z 9s", "ron riichi ura_indicators=1z"),
    "ippatsu": ("123m456p78s22z444z 9s", "ron riichi ippatsu"),
    "honroutou": ("111m999p11s44z 1s pon:999m", "ron seat_wind=W dora_indicators=9s"),
    "open all green": ("22334466s66z 6z pon:888s", "ron"),
    "red five": ("123m406p78s22z444z 9s", "ron riichi"),
}

PRESETS, *ROWS = [
    line.split()
    for line in (Path(__file__).parent / "data" / "worth.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
"""What each hand is worth by preset."""

CASES = [
    pytest.param(" ".join(row[: -len(PRESETS)]), preset, points, id=f"{row[0]} {row[1]}-{preset}")
    for row in ROWS
    for preset, points in zip(PRESETS, row[-len(PRESETS) :], strict=True)
]


def test_every_preset_and_hand_is_in_the_table() -> None:
    assert set(PRESETS) == set(FOUR)
    assert {" ".join(row[: -len(PRESETS)]) for row in ROWS} == set(HANDS)


@pytest.mark.parametrize(("name", "preset", "points"), CASES)
def test_worth(name: str, preset: str, points: str) -> None:
    hand, how = HANDS[name]
    try:
        found = str(scored(hand, how, load_rules(preset)).points)
    except HandError as error:
        assert error.faults[0].id in ("no_yaku", "below_minimum", "too_many_red_fives")
        found = "-"
    assert found == points
