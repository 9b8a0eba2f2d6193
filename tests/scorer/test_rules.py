"""Rule sets: the presets, a user's own file, and what is said of a wrong one."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

import scorer.rules
from scorer import RulesError, load_rules, preset_ids, score_record
from scorer.rules import RuleSet
from scorer.yaku import TABLE

PRESETS = Path(scorer.rules.__file__).parent / "rules"

HAND = {"concealed": "123m456p78s22z444z", "win_tile": "9s", "tsumo": False, "riichi": True}


def write(folder: Path, text: str) -> Path:
    path = folder / "house.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", preset_ids())
def test_presets_load_and_cite_every_key(name: str) -> None:
    rules = load_rules(name)
    assert rules.id == name
    assert set(rules.yaku) == {yaku.id for yaku in TABLE}
    common = {yaku.id: (yaku.closed, yaku.open) for yaku in TABLE}
    own = {id_ for id_, han in rules.yaku.items() if han != common[id_]}
    headings = {"id", "base", "name", "source", "notes", "cite", "yaku", "limit_hands"}
    keys = {field.name for field in fields(RuleSet)} - headings
    assert keys | own | set(rules.limit_hands) <= set(rules.cite), "every value says where it is written"


@pytest.mark.parametrize("name", preset_ids())
def test_what_a_preset_writes_it_cites_itself(name: str) -> None:
    """A preset over a base has the base's citations for the base's values only."""
    written = tomllib.loads((PRESETS / f"{name}.toml").read_text(encoding="utf-8"))
    tables = {**written.get("yaku", {}), **written.get("limit_hands", {})}
    headings = {"base", "name", "source", "notes", "cite", "yaku", "limit_hands"}
    assert (set(written) - headings) | set(tables) <= set(written["cite"])


def test_the_presets_the_issue_names() -> None:
    assert {"ema2008", "tenhou"} <= set(preset_ids())


def test_house_rules_over_a_base(tmp_path: Path) -> None:
    path = write(tmp_path, 'base = "tenhou"\nkiriage_mangan = true\n[yaku]\nrenhou = 13\ntanyao = [1, 0]\n')
    house, base = load_rules(path), load_rules("tenhou")
    assert (house.id, house.kiriage_mangan, house.yaku["renhou"]) == ("house", True, (13, 0))
    assert house.yaku["tanyao"] == (1, 0) and house.han("tanyao", closed=False) == 0
    assert house.limits == base.limits and house.yaku["pinfu"] == base.yaku["pinfu"]
    assert score_record({**HAND, "rules": str(path)})["status"] == "ok"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('base = "tenho"', "tenhou"),
        ('base = "tenhou"\nkiriage = true', "kiriage_mangan"),
        ('base = "tenhou"\nkiriage_mangan = "yes"', "kiriage_mangan must be true or false"),
        ('base = "tenhou"\nopen_pinfu_fu = 13', "open_pinfu_fu must be a whole number from 0 to 10"),
        ('base = "tenhou"\nopen_pinfu_fu = true', "open_pinfu_fu must be a whole number"),
        ('base = "tenhou"\nname = 7', "name must be a text"),
        ('base = "tenhou"\nred_fives = 3', "red_fives must be three numbers"),
        ('base = "tenhou"\nliability = "daisangen"', "liability must be a list"),
        ('base = "tenhou"\nliability = ["daisangan"]', "daisangen"),
        ('base = "tenhou"\nyaku = 3', "yaku must be a table"),
        ('base = "tenhou"\n[yaku]\ntanyo = 1', "tanyao"),
        ('base = "tenhou"\n[yaku]\ntanyao = [1, 2, 3]', "tanyao must be a whole number"),
        ('base = "tenhou"\n[limits]\nmangen = 5', "mangan"),
        ('base = "tenhou"\n[cite]\ntanyo = "here"', "tanyao"),
        ('base = "tenhou"\nwords = "latin"', "words has no 'latin'; the closest is"),
        ('base = "tenhou"\nnukidora = true', "nukidora must be false"),
        ('base = "tenhou"\ndaisharin_suits = "pz"', "daisharin_suits must be letters of suits"),
        ('base = "tenhou"\numa = [1, 2, 3]', "uma must be four numbers"),
        ('base = "tenhou"\nabortive_draws = ["four_kong"]', "four_kongs"),
        ('base = "tenhou"\nnotes = [1]', "notes must be a list of texts"),
        ('base = "tenhou"\nabortive_draws = [3]', "abortive_draws must be a list of texts"),
        ('base = "tenhou"\nliability = ["riichi"]', "liability has no 'riichi'; the closest is"),
        ('base = "tenhou"\n[limits]\nmangan = 6\nhaneman = 6', "haneman must need more han than mangan"),
        ('base = "tenhou"\ntwo_han_counts = "wins"', "dealer_wins"),
        (
            'base = "tenhou"\n[limit_hands]\nrenhou = "mangen"',
            "renhou has no 'mangen'; the closest",
        ),
        ("kiriage_mangan = true", "base"),
        ("kiriage_mangan = ", "TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(RulesError) as caught:
        load_rules(path)
    message = str(caught.value)
    assert str(path) in message and said in message and "\n" not in message
    assert score_record({**HAND, "rules": str(path)})["error"] == "unknown_rules"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('# house\nbase = "tenho"', 2),
        ('base = "tenhou"\n\nkiriage = true', 3),
        ('base = "tenhou"\nkiriage_mangan = "yes"', 2),
        ('base = "tenhou"\nnotes = [\n    "kiriage = false",\n]\nkiriage = true', 5),
        ('base = "tenhou"\n[yaku]\ntanyao = 1\n"tanyo" = 1', 4),
        ('base = "tenhou"\n[yaku]\nrenhou = 13\n[limits]\nmangan = 5\nhaneman = "x"', 6),
        ('base = "tenhou"\n[cite]\nrenhou = "here"\n[limit_hands]\nrenhou = "man"', 5),
        ('base = "tenhou"\n[yakus]\ntanyao = 1', 2),
        ('base = "tenhou"\nyaku.renhou = 13\nyaku.tanyo = 1', 3),
        ('base = "tenhou"\nyaku = { tanyo = 1 }', 2),
        ('base = "tenhou"\n[limits]\nmangan = 5\nhaneman = 5', 4),
    ],
)
def test_the_line_is_named(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(RulesError, match=rf"house\.toml, line {line}: "):
        load_rules(write(tmp_path, text))


@pytest.mark.parametrize("name", ["ema", "nowhere/house.toml", "", "."])
def test_unknown_rules(name: str) -> None:
    with pytest.raises(RulesError):
        load_rules(name)


DOCS = Path(__file__).parents[2] / "docs" / "rules.md"


def test_the_page_has_every_key_and_preset() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert all(f"`{field.name}`" in text for field in fields(RuleSet) if field.name != "id")
    assert all(f"| `{id_}` |" in text for id_ in preset_ids())


def test_the_house_rules_of_the_page_score(tmp_path: Path) -> None:
    text = DOCS.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]
    path = write(tmp_path, text)
    assert load_rules(path).yaku["sanrenkou"] == (2, 2)
    result = score_record({**HAND, "rules": str(path), "ippatsu": True})
    assert result["yaku"] == [["riichi", 1], ["ippatsu", 1]]
