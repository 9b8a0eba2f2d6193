"""The tables of a score are in the language that ``--lang`` names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tehai.cli import app

OPEN = "340567p22s78s [p777z] + 9s"
HANDS = [
    (OPEN, "--seat", "E", "--from", "left", "--honba", "2", "--sticks", "1", "--dora", "4p"),
    (OPEN, "--seat", "S", "--tsumo"),
    (OPEN, "--tsumo"),
    (OPEN, "--tsumo", "--rules", "tenhou3"),
    (OPEN, "--ron", "--honba", "1"),
    (OPEN, "--ron", "--rules", "ema2008,tenhou"),
    ("456p78s22p345s + 6s [c234m]", "--ron", "--rules", "ema2008,tenhou"),
    ("234m2s [p777z] [a1111p] [k9999s] + 2s", "--tsumo", "--rinshan"),
    ("19m19p19s1234567z + 1m", "--tsumo", "--seat", "W"),
]
"""Each kind of table and sentence: payments with and without seats, three players, a rule set without a win,
melds, a yakuman."""
NAMES = {"EMA", "M", "ema", "tenhou"}
"""Latin letters that a Japanese reader expects: names of rule sets."""


def score(*args: str) -> str:
    result = CliRunner().invoke(app, ["score", *args, "--defaults"], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("hand", HANDS, ids=" ".join)
def test_no_english_is_left_in_japanese_tables(hand: tuple[str, ...]) -> None:
    printed = re.sub(r"\b\d[mpsz]\b|--\w+", " ", score(*hand, "--lang", "ja"))
    assert set(re.findall(r"[A-Za-z]+", printed)) - NAMES == set()


def test_each_part_of_a_score_in_japanese() -> None:
    printed = score(*HANDS[0], "--lang", "ja")
    for part in (
        "手牌",
        "和了牌",
        "ポン",
        "東家（親）",
        "東場",
        "本場：2",
        "供託：1",
        "役牌 中",
        "符の内訳",
        "幺九牌明刻",
    ):
        assert part in printed
    payments = [
        line.split() for line in printed.splitlines() if line.startswith(("自分", "下家", "対面", "上家"))
    ]
    assert [row[:3] for row in payments] == [
        ["自分", "東", "受け取り"],
        ["下家", "南", "支払いなし"],
        ["対面", "西", "支払いなし"],
        ["上家", "北", "支払い"],
    ]


def test_who_pays_is_not_said_where_nobody_knows() -> None:
    """A liable player shares a ron; and under Toudai's rules only the dealer gets counters."""
    called = "222p1z + 1z [p555z] [p666z] [p777z]"
    said = score(called, "--rules", "tenhou", "--ron", "--pao", "right", "--honba", "2")
    assert "Who pays what depends on the discarder." in said and "The discarder pays 32,000" not in said
    said = score(OPEN, "--rules", "toudai", "--ron", "--seat", "S", "--honba", "2")
    assert "The discarder pays 1,000. Name the player" in said


def test_a_yaku_of_the_house_has_its_name_beside_other_rules(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    own = 'name = "Plain Shape"\nname_ja = "ふつうの形"\nhan = [1, 1]\nwhen = { form = "standard" }\n'
    house.write_text(f'base = "ema2008"\n[own_yaku.plain]\n{own}', encoding="utf-8")
    assert "Plain Shape" in score(OPEN, "--ron", "--rules", f"tenhou,{house}")
    assert "ふつうの形なし" in score(OPEN, "--ron", "--rules", str(house), "--lang", "ja")


def test_named_terms_stand_in_japanese_tables_too() -> None:
    printed = score(*HANDS[0], "--lang", "ja", "--terms", "japanese")
    assert "yakuhai chun" in printed and "受け取り" in printed
