"""Rule sets: the presets, a user's own file, and what is said of a wrong one."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields, replace
from pathlib import Path

import pytest

import scorer.rules
from scorer import RulesError, load_rules, preset_ids, score_record
from scorer.readings import GroupType, Wait
from scorer.rules import FU, RuleSet, house_text, parse_rules
from scorer.shapes import set_fu, wait_fu
from scorer.yaku import BY_ID, TABLE
from tests.scorer.short_hands import scored

PRESETS = Path(scorer.rules.__file__).parent / "presets"

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
    headings = {"id", "base", "name", "name_ja", "source", "notes", "cite", "yaku", "limit_hands"}
    keys = {field.name for field in fields(RuleSet)} - headings
    assert keys | own | set(rules.limit_hands) <= set(rules.cite), "every value says where it is written"
    assert not [key for key in keys | own if rules.cite[key].endswith(".toml")], "in a text, not in the file"


@pytest.mark.parametrize("name", preset_ids())
def test_what_a_preset_writes_it_cites_itself(name: str) -> None:
    """A preset over a base has the base's citations for the base's values only."""
    written = tomllib.loads((PRESETS / f"{name}.toml").read_text(encoding="utf-8"))
    tables = {**written.get("yaku", {}), **written.get("limit_hands", {})}
    headings = {"base", "name", "name_ja", "source", "notes", "cite", "yaku", "limit_hands"}
    assert (set(written) - headings) | set(tables) <= set(written["cite"])


def test_rules_have_a_name_in_each_language(tmp_path: Path) -> None:
    named = {load_rules(name).named("ja") for name in preset_ids()}
    assert len(named) == len(preset_ids()) and load_rules("tenhou").named("en") == "Tenhou"
    assert not named & {load_rules(name).named("en") for name in preset_ids()}
    for text, names in (
        ('base = "tenhou"\n', ("Tenhou", "天鳳")),
        ('base = "tenhou"\nname = "Friends"\n', ("Friends", "Friends")),
        ('base = "tenhou"\nname = "Friends"\nname_ja = "友"\n', ("Friends", "友")),
    ):
        house = load_rules(write(tmp_path, text))
        assert (house.named("en"), house.named("ja")) == names


def test_the_presets_the_issue_names() -> None:
    assert {"ema2008", "tenhou"} <= set(preset_ids())


def test_house_rules_over_a_base(tmp_path: Path) -> None:
    path = write(tmp_path, 'base = "tenhou"\nkiriage_mangan = true\n[yaku]\nrenhou = 13\ntanyao = [1, 0]\n')
    house, base = load_rules(path), load_rules("tenhou")
    assert (house.id, house.kiriage_mangan, house.yaku["renhou"]) == ("house", True, (13, 0))
    assert house.yaku["tanyao"] == (1, 0) and house.han("tanyao", closed=False) == 0
    assert house.limits == base.limits and house.yaku["pinfu"] == base.yaku["pinfu"]
    assert score_record({**HAND, "rules": str(path)})["status"] == "ok"


def test_a_file_of_an_editor_that_marks_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(b'\xef\xbb\xbfbase = "tenhou"\nkiriage_mangan = true\n')
    assert load_rules(path).kiriage_mangan and parse_rules(house_text(path)).kiriage_mangan
    path.write_bytes(b'base = "tenhou"\nname = "caf\xe9"\n')
    with pytest.raises(RulesError, match=r"is not UTF-8 text: save it as UTF-8\."):
        load_rules(path)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('base = "tenho"', "tenhou"),
        ('base = "tenhou"\nkiriage = true', "kiriage_mangan"),
        ('base = "tenhou"\nkiriage_mangan = "yes"', "kiriage_mangan must be true or false"),
        ('base = "tenhou"\nopen_pinfu_fu = 13', "open_pinfu_fu must be 0, 2 or 10"),
        ('base = "tenhou"\nriichi_wall = true', "riichi_wall must be a whole number from 0 to 20"),
        ('base = "tenhou"\nname = 7', "name must be a text"),
        ('base = "tenhou"\nred_fives = 3', "red_fives must be three numbers"),
        ('base = "tenhou"\nliability = "daisangen"', "liability must be a list"),
        ('base = "tenhou"\nliability = ["daisangan"]', "daisangen"),
        ('base = "tenhou"\nyaku = 3', "yaku must be a table"),
        ('base = "tenhou"\n[yaku]\ntanyo = 1', "tanyao"),
        ('base = "tenhou"\n[yaku]\ntanyao = [1, 2, 3]', "tanyao must be a whole number"),
        ('base = "tenhou"\n[limits]\nmangen = 5', "mangan"),
        ('base = "tenhou"\n[cite]\ntanyo = "here"', "tanyao"),
        ('base = "tenhou"\nwords = "latin"', "words has no 'latin'; choose one of"),
        ('base = "tenhou"\ndaisharin_suits = "pz"', "daisharin_suits must be letters of suits"),
        ('base = "tenhou"\numa = [1, 2]', "uma must be four numbers"),
        ('base = "tenhou"\nabortive_draws = ["four_kong"]', "four_kongs"),
        ('base = "tenhou"\nnotes = [1]', "notes must be a list of texts"),
        ('base = "tenhou"\nabortive_draws = [3]', "abortive_draws must be a list of texts"),
        ('base = "tenhou"\nliability = ["riichi"]', "liability has no 'riichi'; choose one of"),
        ('base = "tenhou"\n[limits]\nmangan = 6\nhaneman = 6', "haneman must need more han than mangan"),
        ('base = "tenhou"\ntwo_han_counts = "wins"', "dealer_wins"),
        (
            'base = "tenhou"\n[limit_hands]\nrenhou = "mangen"',
            "renhou has no 'mangen'; the closest",
        ),
        ("kiriage_mangan = true", 'base is missing: name a preset, such as base = "ema2008"'),
        ('base = "tenhou"\nsanrenkou = [2, 2]', "line 2: sanrenkou is a yaku: write it under [yaku]"),
        ("kiriage_mangan = ", "TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, fault: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(RulesError) as caught:
        load_rules(path)
    message = str(caught.value)
    assert str(path) in message and fault in message and "\n" not in message
    assert score_record({**HAND, "rules": str(path)})["error"] == "unknown_rules"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('# house\nbase = "tenho"', 2),
        ('base = "tenhou"\n\nkiriage = true', 3),
        ('base = "tenhou"\nkiriage_mangan = "yes"', 2),
        ('base = "tenhou"\nnotes = [\n    "kiriage = false",\n]\nkiriage = true', 5),
        ('base = "tenhou"\n[yaku]\ntanyao = [1, 1]\n"tanyo" = 1', 4),
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


BAD_VALUES = {
    "name": ['""', '" "', '"two\\nlines"', "1"],
    "name_ja": ['""', "1"],
    "source": ['""', "[]"],
    "players": ["2", "5", "true", '"three"'],
    "fourth_share": ['"halved"', "true"],
    "words": ['"latin"', "1"],
    "red_fives": ["[1, 1]", "[1, 1, 5]", "[1, 1, -1]", "[1, 1, true]", '"111"'],
    "yaku": ["1", "{ tanyao = 14 }", "{ tanyao = [1, 25] }", "{ tanyao = 27 }", "{ tanyao = -1 }",
             "{ tanyao = 2 }", "{ tanyao = [1, 2] }", "{ tanyao = [1] }", "{ tanyao = true }",
             "{ tanyao = {} }", "{ tanyao = 1.0 }", "{ sanrenkou = 2 }", "{ riichi = [1, 1] }",
             "{ kokushi = [13, 13] }", "{ dora = 1 }"],
    "limit_hands": ["1", '{ renhou = "counted_yakuman" }', '{ renhou = "yakuman" }', "{ renhou = 5 }",
                    '{ tanyao = "mangan" }', '{ riichi = "haneman" }', '{ dora = "mangan" }'],
    "limits": ["5", "{}", "{ haneman = 6 }", "{ mangan = 2 }", "{ mangan = 27 }", "{ mangan = true }",
               "{ mangan = 5, baiman = 5 }", "{ mangan = 5, sextuple = 20 }"],
    "tenhou_special_waits": ["true", '"sometimes"'],
    "natural_wins_alone": ['"sometimes"', "true"],
    "daisharin_suits": ['""', '"pp"', '"z"', '["p"]', "1"],
    "paarenchan_counts": ['"draws"', "8"],
    "bets_left": ['"winner"', "true"],
    "paarenchan_wins": ["1", "21", "0", "8.0"],
    "own_yaku": ["1", "{ tanyao = { han = 1 } }", "{ new = 1 }", "{ new = { han = 1 } }"],
    "aotenjou": ["2"],
    "chips": ["1", "{ dora = 1 }", "{ aka = 11 }", "{ ura = true }"],
    "chip_points": ["-100", "50", "true", "2000"],
    "fu": ["1", "{ closed_ron = 20 }", "{ chiitoitsu = 50 }", "{ waits = 2 }", "{ waits = [2] }",
           "{ tsumo = true }"],
    "double_wind_pair_fu": ["1", "3", "-2", "6", "true", '"4"'],
    "open_pinfu_fu": ["1", "3", "11", "true"],
    "two_han_from_honba": ["-1", "21", "false"],
    "two_han_counts": ['"sticks"', "2"],
    "honba_points": ["100", "301", "1000", "-300", "3300"],
    "winners_per_discard": ["0", "4", "true", "3"],
    "liability": ['"daisangen"', '["tsuuiisou"]', '["daisangen", "daisangen"]', "[1]"],
    "liability_counters": ['"both"'],
    "noten_points": ["1000", "-600", "3100", "12600"],
    "chombo": ['"points"', '"mangan"'],
    "chombo_points": ["-1", "50", "true"],
    "abortive_draws": ['["four_kong"]', '["four_kongs", "four_kongs"]', '"none"'],
    "dealer_stays": ['"always"'],
    "riichi_wall": ["-1", "21"],
    "rounds": ["0", "3", "true"],
    "last_dealer_stops": ['"always"', "true"],
    "floating_uma": ["[0, 0, 0, 0]", "[[0, 0, 0, 0]]", '"none"', "[[0, 0, 0]]"],
    "extra_rounds": ["-1", "3", "true"],
    "extra_rounds_above": ["-100", "50"],
    "yakitori": ["-300", "100", "true"],
    "start_points": ["-100", "25050", "30000", "26000"],
    "target_points": ["25000", "20000", "1"],
    "oka": ["0", "-1", "10000"],
    "uma": ["[0, 0, 0]", "[1000, 0, 0, 0]", "[-1000, 0, 0, 1000]", "[10, 20, -10, -20]", '"none"',
            "[true, 0, 0, -1]", "[15, 5, -5, -15]"],
    "notes": ['"text"', "[1]", '[""]'],
    "cite": ['"here"', "{ words = 1 }", '{ word = "here" }', '{ tanyao = "" }'],
}  # fmt: skip
"""Values that mean nothing at a table, or that two keys say otherwise; over the preset ``tenhou``."""

YES_NO = {field.name: ['"yes"', "1", "0"] for field in fields(RuleSet) if field.type == "bool"}
BAD_PAIRS = [(key, value) for key, values in {**YES_NO, **BAD_VALUES}.items() for value in values]


@pytest.mark.parametrize(("key", "value"), BAD_PAIRS)
def test_a_value_without_sense_is_refused(tmp_path: Path, key: str, value: str) -> None:
    """With the file, the line and the key, whatever the rest of the file says."""
    path = write(tmp_path, f'base = "tenhou"\n# house\n{key} = {value}\n')
    with pytest.raises(RulesError) as caught:
        load_rules(path)
    message = str(caught.value)
    assert message.startswith(f"{path}, line 3: ") and key in message and message.endswith(".")
    assert "\n" not in message


def test_every_key_has_a_value_that_is_refused() -> None:
    keys = {field.name for field in fields(RuleSet)} - {"id", "base"}
    assert keys == {key for key, _ in BAD_PAIRS}


SOUND = {
    "fu": ["{}", "{ wait = 2 }"],
    "double_wind_pair_fu": ["0", "2", "4"],
    "open_pinfu_fu": ["0", "2", "10"],
    "yaku": ["{ sanrenkou = [2, 0] }", "{ sanrenkou = 0 }", "{ riichi = 2 }", "{ chuuren = [13, 13] }",
             "{ renhou = [5, 0] }", "{ daisuushii = [26, 26] }"],
    "limit_hands": ['{ renhou = "mangan" }', '{ kokushi_13 = "sextuple" }'],
    "limits": ["{ mangan = 4 }", "{ mangan = 5, sanbaiman = 13 }"],
    "honba_points": ["0", "1500"],
    "uma": ["[0, 0, 0, 0]", "[8000, 3000, 1000, -12000]"],
    "floating_uma": ["[]"],
    "chips": ["{}", "{ ippatsu = 1, aka = 1, ura = 2 }"],
    "name": ['"火曜の卓　二"'],
}  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in SOUND.items() for value in values]
)
def test_what_players_do_play_is_taken(tmp_path: Path, key: str, value: str) -> None:
    load_rules(write(tmp_path, f'base = "tenhou"\n{key} = {value}\n'))


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        ('base = "ema2008"\n[limit_hands]\nrenhou = "mangan"', 3, "write renhou = 0 under"),
        ('base = "ema2016"\n\n[yaku]\nrenhou = 13', 4, "an empty [limit_hands]"),
        ('base = "toudai"\nwinners_per_discard = 3', 2, "three winners are paid or a draw"),
        ('base = "ema2008"\nstart_points = 25000', 2, "oka must be 20000"),
        ('base = "ema2008"\nchombo = "points"', 2, "chombo_points must say how many"),
        ('base = "ema2008"\n[yaku]\nsanrenkou = 2', 3, "two numbers, concealed and open: [2, 2], or [2, 0]"),
    ],
)
def test_what_two_keys_say_otherwise(tmp_path: Path, text: str, line: int, fault: str) -> None:
    with pytest.raises(RulesError, match=rf"house\.toml, line {line}: .*{re.escape(fault)}"):
        load_rules(write(tmp_path, text))


def test_what_a_file_changes_has_no_citation_of_its_base(tmp_path: Path) -> None:
    """The base's text does not say so: the file itself, or what it gives."""
    text = 'base = "toudai"\nkan_dora = true\nura_dora = true\n[yaku]\nippatsu = 1\n[cite]\nura_dora = "ours"'
    house, base = load_rules(write(tmp_path, text)), load_rules("toudai")
    assert house.cite["kan_dora"] == house.cite["ippatsu"] == "house.toml"
    assert house.cite["ura_dora"] == "ours" and house.cite["liability"] == base.cite["liability"]


def test_the_minipoints_of_all_rules_are_those_that_are_scored() -> None:
    """The key ``fu`` says what the code does."""
    assert set_fu(GroupType.PON, 1, concealed=False) == FU["pung"]
    assert {wait_fu(wait) for wait in (Wait.KANCHAN, Wait.PENCHAN, Wait.TANKI)} == {FU["wait"]}
    for name, text, how in (
        ("closed_ron", "123m456p78s22z444z 9s", "ron riichi"),
        ("otherwise", "123m456p78s22z444z 9s", "tsumo"),
        ("otherwise", "456p78s22z444z 9s chi:123m", "ron houtei"),
        ("chiitoitsu", "1133m5577p2288s4z 4z", "ron"),
    ):
        begun = {"base fu", "seven pairs", "ron with a concealed hand"}  # whatever the sets are
        assert sum(item.fu for item in scored(text, how).fu_items if item.reason in begun) == FU[name]
    assert scored("123m456p78s33z456s 9s", "ron").fu == FU["pinfu_ron"]
    assert scored("123m456p78s33z456s 9s", "tsumo").fu == FU["pinfu_tsumo"]
    earned = {item.reason: item.fu for item in scored("123m456p78s55z444z 9s", "tsumo").fu_items}
    assert (earned["pair of dragons"], earned["tsumo"]) == (FU["value_pair"], FU["tsumo"])


TEXTS = {
    "ema2008": ("EMA 2008",),
    "ema_revised": ("EMA revised",),
    "ema2016": ("EMA 2016", "EMA revised"),
    "toudai": ("Toudai",),
    "wrc2015": ("WRC 2015", "riichi.wiki, WRC rules"),
    "rrc": ("RRC",),
    "rmu_a": ("Tenhou",),
    "rmu_b": ("Tenhou", "rmu.jp/rule"),
    "rmu_m": ("Tenhou",),
    "saikouisen": ("Tenhou",),
    "saikyosen": ("Tenhou",),
    "wrc2017": ("WRC 2017",),
    "reference": ("Reference",),
    "tenhou": ("Tenhou",),
    "majsoul": ("RiichiEnv", "Tenhou"),
    "tenhou3": ("Tenhou",),
    "majsoul3": ("RiichiEnv", "Tenhou"),
    "mleague": ("Tenhou",),
    "jpml": ("JPML", "Tenhou"),
    "wrc2025": ("WRC 2025", "EMA 2016", "EMA revised"),
}
"""Where each preset's yaku are written: in its own text, or in that of its base."""


@pytest.mark.parametrize("name", preset_ids())
def test_every_yaku_is_cited_from_the_text_of_its_rules(name: str) -> None:
    rules = load_rules(name)
    played = {id_ for id_, han in rules.yaku.items() if any(han)} | set(rules.limit_hands)
    assert {id_: rules.cite[id_] for id_ in played if not rules.cite[id_].startswith(TEXTS[name])} == {}


@pytest.mark.parametrize("name", ["ema", "nowhere/house.toml", "", "."])
def test_unknown_rules(name: str) -> None:
    with pytest.raises(RulesError):
        load_rules(name)


def test_what_the_notes_of_toudai_offer_is_taken(tmp_path: Path) -> None:
    """Each key and value of its notes, alone over the preset; those of yaku under their heading."""
    offered = re.findall(r"(\w+) = (\[[^\]]*\]|'\w+'|\w+)", " ".join(load_rules("toudai").notes))
    assert len(offered) > 20
    for key, value in offered:
        table = "[limit_hands]" if key in BY_ID and "'" in value else "[yaku]" if key in BY_ID else ""
        load_rules(write(tmp_path, f'base = "toudai"\n{table}\n{key} = {value}\n'))


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


@pytest.mark.parametrize("id_", preset_ids())
def test_house_rules_as_text_play_what_their_file_does(id_: str, tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text((PRESETS / f"{id_}.toml").read_text(encoding="utf-8"), encoding="utf-8")
    told, played = parse_rules(house_text(file)), load_rules(file)
    assert replace(told, id="", cite={}, notes=()) == replace(played, id="", cite={}, notes=())
