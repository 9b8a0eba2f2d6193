"""``tehai rules``: presets in words, their differences, and one hand under several rule sets."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scorer import load_rules, preset_ids
from scorer.rules import RuleSet
from scorer.words import VOCABULARIES
from tehai.cli import app
from tehai.terminal.phrases import PHRASES
from tehai.terminal.rulebook import differences, worth

OPEN_TANYAO = ["score", "456p78s22p345s + 6s [234m]", "--ron", "--defaults"]


def run(*args: str) -> str:
    result = CliRunner().invoke(app, args, env={"COLUMNS": "1500"})
    assert result.exit_code == 0, result.output
    return result.output


def test_every_key_is_said_in_words() -> None:
    headings = {"id", "base", "name", "name_ja", "source", "notes", "cite", "yaku", "own_yaku", "limit_hands"}
    worded = [key for keys in PHRASES.values() for key in keys]
    assert sorted(worded) == sorted({field.name for field in fields(RuleSet)} - headings)


def test_list() -> None:
    output = run("rules")
    assert "Tenhou, three players  天鳳（三人打ち）" in output
    assert "tenhou  Tenhou  天鳳\n" in run("rules", "tenhou")
    assert all(name in output for name in preset_ids())


@pytest.mark.parametrize("name", preset_ids())
def test_a_preset_in_words_with_its_sources(name: str) -> None:
    output, rules = run("rules", name), load_rules(name)
    assert rules.name in output and all(note in output for note in rules.notes)
    for keys in PHRASES.values():
        for key, say in keys.items():
            assert say(getattr(rules, key), rules.vocabulary) in output and rules.cite[key][:60] in output


def test_difference_is_only_the_difference() -> None:
    one, other = load_rules("wrc2015"), load_rules("wrc2017")
    found = {key: (here, there) for key, here, there in differences(one, other, one.vocabulary)}
    assert set(found) == {
        "limits",
        "nagashi_mangan",
        "dealer_stays",
        "renhou",
        "kokushi_13",
        "chuuren_9",
        "daisuushii",
        "ryuuiisou",
        "chinroutou",
    }
    assert found["ryuuiisou"] == ("yakuman", "yakuman, concealed")
    output = run("rules", "--diff", "wrc2015", "wrc2017")
    assert all(key in output for key in found) and "pinfu" not in output
    assert "have the same rules" in run("rules", "--diff", "tenhou", "tenhou")


def test_worth_of_a_yaku() -> None:
    english, kanji = VOCABULARIES["english"], VOCABULARIES["kanji"]
    assert worth(load_rules("ema2016"), "renhou", english) == "mangan by itself"
    assert worth(load_rules("ema2016"), "renhou", kanji) == "満貫 by itself"
    assert worth(load_rules("ema2008"), "chinitsu", english) == "6, open 5"
    assert worth(load_rules("ema2008"), "daisuushii", kanji) == "2倍役満"
    assert worth(load_rules("tenhou"), "paarenchan", english) == "not played"


def test_a_rule_says_when_the_dealer_stays_and_the_game_ends() -> None:
    """Toudai §7.4: the deal passes on where South is ready and the dealer is not, whoever else is."""
    words, game = VOCABULARIES["english"], PHRASES["The game"]
    stays = "the dealer stays after a win, and after a draw unless South is tenpai and the dealer is not"
    assert game["dealer_stays"]("unless_south_tenpai", words) == stays
    assert game["sudden_death"](True, words).endswith("as soon as somebody has it and the deal passes on")
    assert game["last_dealer_stops"]("win", words).endswith(
        "after a win, if first and no further round is due"
    )


def test_one_hand_under_several_rules(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('base = "toudai"\nopen_pinfu_fu = 2\n', encoding="utf-8")
    output = run(*OPEN_TANYAO, "--rules", f"ema2008,toudai,{house}")
    assert "ema2008: This hand has no yaku" in output and "700" in output and "1,000" in output
    record = json.loads(run(*OPEN_TANYAO, "--rules", "toudai, tenhou", "--json"))
    assert {name: one["points"] for name, one in record["by_rules"].items()} == {
        "toudai": 700,
        "tenhou": 1000,
    }


def test_a_red_five_is_plain_under_those_rules_that_have_none() -> None:
    hand = ["score", "234m067p2267s345p + 8s", "--ron", "--defaults", "--json"]
    assert json.loads(run(*hand, "--rules", "ema2016"))["result"]["han"] == 2
    for order in ("ema2016,ema2008", "ema2008,ema2016"):
        by_rules = json.loads(run(*hand, "--rules", order))["by_rules"]
        assert {name: one["han"] for name, one in by_rules.items()} == {"ema2008": 3, "ema2016": 2}


def test_the_words_of_the_rules(tmp_path: Path) -> None:
    """English as it is spoken for all presets; EMA's or kanji where house rules ask for them."""
    house = tmp_path / "house.toml"
    house.write_text('base = "tenhou"\nwords = "kanji"\n', encoding="utf-8")
    club = tmp_path / "club.toml"
    club.write_text('base = "ema2008"\nwords = "ema"\n', encoding="utf-8")
    hand = ["score", "111m456p78s22z444z + 9s", "--ron", "--riichi", "--defaults", "--rules"]
    for preset in preset_ids():
        printed = run(*hand, preset)
        assert re.search(r"\d han \d0 fu, ", printed) and "minipoints" not in printed, preset
    assert "minipoints" in run(*hand, str(club)) and " fan" in run(*hand, str(club))
    assert "翻" in run(*hand, str(house)) and "符" in run(*hand, str(house))


def test_terms_are_chosen_over_those_of_the_rules() -> None:
    """Yaku, limits, minipoints, melds and what is wrong: all in the vocabulary asked for."""
    hand = ["score", "11p456s77z + 7z [2222m] [9999m]", "--ron", "--defaults", "--rules", "ema2008"]
    english, ema, japanese, kanji = (run(*hand, "--terms", terms) for terms in VOCABULARIES)
    assert run(*hand) == english
    for wording in ("Dragon Pung, red", "honours finished by a ", "1 fan 50 minipoints", "win on a discard"):
        assert wording in ema
    for wording in ("Dragon Triplet, red", "honours finished by ron ", "open kan", "1 han 50 fu"):
        assert wording in english
    for wording in ("yakuhai chun", "minkou of yaochuuhai (ron)", "minkan of", "1 han 50 fu"):
        assert wording in japanese
    for wording in ("役牌 中", "幺九牌明刻（ロン）", "中張牌明槓", "1翻 50符"):
        assert wording in kanji
    record = json.loads(run(*hand, "--terms", "kanji", "--json"))
    assert record["result"]["in_words"] == "1翻 50符 1,600点"
    lost = CliRunner().invoke(
        app, ["score", "123m456p78s22z444z + 9s", "--ron", "--no-riichi", "-y", "--terms", "kanji"]
    )
    assert lost.exit_code == 2 and "no 役" in lost.output and "ドラ alone" in lost.output
    limit = ["score", "1122334455667p + 7p", "--ron", "--riichi", "-y"]
    assert "三倍満 11翻" in run(*limit, "--terms", "kanji") and "sanbaiman, 11 han" in run(*limit)
    several = run(*limit, "--terms", "kanji", "--rules", "tenhou,ema2016")
    assert "清一色" in several and "三倍満" in several
    printed = run("rules", "tenhou", "--terms", "english")
    assert "4 han 30 fu" in printed and "a concealed kan is never robbed" in printed
    assert "2倍役満" in run("rules", "--diff", "ema2008", "ema2016", "--terms", "kanji")


def test_many_rule_sets_side_by_side_are_never_cut() -> None:
    names = [
        "ema2008",
        "tenhou",
        "wrc2017",
        "toudai",
        "mleague",
        "jpml",
        "majsoul",
        "ema2016",
        "wrc2025",
        "reference",
    ]
    hand = ["123m456p789s2277z+7z", "--tsumo", "--riichi", "--seat", "E", "--defaults"]
    asked = ["score", *hand, "--rules", ",".join(names)]
    printed = CliRunner().invoke(app, asked, env={"COLUMNS": "80"}).output
    assert "…" not in printed and max(map(len, printed.splitlines())) <= 80
    assert all(name in printed for name in names) and printed.count("6,000") == len(names)


def test_unknown_rules_among_several() -> None:
    result = CliRunner().invoke(app, [*OPEN_TANYAO, "--rules", "tenhou,tenho"])
    assert result.exit_code == 2 and "'tenhou'" in result.output
    result = CliRunner().invoke(app, ["rules", "--diff", "tenhou", "tenho"])
    assert result.exit_code == 2 and "'tenhou'" in result.output


def test_a_yaku_of_house_rules_is_shown_with_the_score(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    own = '[own_yaku.own]\nname = "Fives"\nhan = [1, 1]\nwhen = { tiles = "5p" }'
    path.write_text(f'base = "tenhou"\n{own}\n', "utf-8")
    text = run("score", "456p78s22p345s + 6s [234m]", "--ron", "--defaults", "--rules", str(path))
    assert "Fives" in text
