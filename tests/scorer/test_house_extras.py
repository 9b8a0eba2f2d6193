"""What only house rules play: yaku of their own, old yaku, no limits, two counted yakuman, chips."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

from scorer import Game, RulesError, parse_rules, replay, score_record, settle
from scorer.own_yaku import WORDS
from scorer.rules import RuleSet, house_text, load_rules, preset_ids
from scorer.settlement import Settlement
from scorer.telling.lesson import explain
from scorer.telling.sentence import StepKind, Unit
from tests.scorer.short_hands import hand, scored, win

OWN = """
base = "ema2008"
[own_yaku.sanpuukou]
name = "Three Winds"
name_ja = "三風刻"
han = [2, 1]
when = { triplets_among = [3, "1234z"] }
"""

WINDS = "111222333z45m99p 6m"
THREE_CALLED = "45m99p 6m pon:111z pon:222z pon:333z"


def house(text: str) -> RuleSet:
    return parse_rules(f'base = "ema2008"\n{text}')


def when(condition: str) -> RuleSet:
    return house(f"[own_yaku.own]\nhan = [1, 1]\nwhen = {condition}")


def test_a_yaku_of_ones_own_is_scored_concealed_and_open() -> None:
    rules = parse_rules(OWN)
    assert dict(scored(WINDS, "ron seat_wind=N", rules).yaku)["sanpuukou"] == 2
    assert dict(scored(THREE_CALLED, "ron seat_wind=N", rules).yaku)["sanpuukou"] == 1
    assert "sanpuukou" not in dict(scored("111222z333p45m99p 6m", "ron seat_wind=N", rules).yaku)


def test_a_yaku_of_ones_own_has_its_name_everywhere() -> None:
    rules = parse_rules(OWN)
    assert rules.vocabulary.yaku("sanpuukou") == "Three Winds"
    for language, name in (("en", "Three Winds"), ("ja", "三風刻")):
        lesson = explain(hand(WINDS), win("ron seat_wind=N"), rules, language=language)
        labels = [lesson.text(line.label) for line in lesson.step(StepKind.YAKU).lines if line.label]
        assert name in labels
    odd = parse_rules(OWN.replace("Three Winds", "3 < 4 Winds"))
    assert "3 &lt; 4 Winds" in scored(WINDS, "ron seat_wind=N", odd)._repr_html_()


def test_rules_with_a_yaku_of_their_own_are_values() -> None:
    rules = parse_rules(OWN)
    assert pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules) == rules
    assert hash(rules) == hash(parse_rules(OWN))


def test_a_game_keeps_a_yaku_of_ones_own(tmp_path: Path) -> None:
    """Its record holds the house rules as a text that can be read again."""
    path = tmp_path / "house.toml"
    path.write_text(OWN, "utf-8")
    assert parse_rules(house_text(path)).own_yaku == load_rules(path).own_yaku


CONDITIONS = [
    ('{ only = "123456789m" }', "12345678m11m345m 9m", "12345678m11p345m 9m"),
    ('{ without = "19m19p19s1234567z" }', "234m456p78s22p345s 6s", "234m456p78s22p345s 9s"),
    ('{ tiles = "222z" }', "22z123m456p78s444z 9s kan", None),
    ('{ runs = "123m123m" }', "112233m456p78s33z 9s", "123345m456p78s33z 9s"),
    ('{ triplets = "4z" }', "123m456p78s22z444z 9s", "123m456p78s22z555z 9s"),
    ('{ triplets_among = [1, "567z"] }', "123m456p78s22z555z 9s", "123m456p78s22z444z 9s"),
    ("{ concealed_triplets = 2 }", "111222m456p78s33z 9s", "111m222456p78s33z 9s kan"),
    ('{ pair = "2z" }', "123m456p78s22z444z 9s", "123m456p78s33z444z 9s"),
    ('{ win_tile = "9s" }', "123m456p78s22z444z 9s", "123m456p78s22z444z 6s"),
    ("{ suits = 3 }", "123m456p78s22z444z 9s", "123m456m78s22z444z 9s"),
    ('{ form = "chiitoitsu" }', "1122m3344p5566s7z 7z", "123m456p78s22z444z 9s"),
    ('{ wait = "tanki" }', "123m456p789s2z444z 2z", "123m456p78s22z444z 9s"),
    ('{ yaku = ["yakuhai_haku"] }', "123m456p78s22z555z 9s", "123m456p78s22z666z 9s"),
    ('[{ pair = "2z" }, { pair = "3z" }]', "123m456p78s33z444z 9s", "123m456p78s11z444z 9s"),
]


@pytest.mark.parametrize(
    ("condition", "has", "lacks"), [case for case in CONDITIONS if case[2] and "kan" not in case[1] + case[2]]
)
def test_a_word_of_a_condition(condition: str, has: str, lacks: str) -> None:
    rules = when(condition)
    assert "own" in dict(scored(has, "ron riichi", rules).yaku)
    assert "own" not in dict(scored(lacks, "ron riichi", rules).yaku)


def test_words_of_calls_kongs_and_the_way_of_winning() -> None:
    calls, kongs, late = when("{ calls = 2 }"), when("{ kongs = 1 }"), when('{ won = ["ron", "houtei"] }')
    assert "own" in dict(scored("78s22z444z 9s chi:123m chi:456p", "ron houtei", calls).yaku)
    assert "own" not in dict(scored("456p78s22z444z 9s chi:123m", "ron houtei", calls).yaku)
    assert "own" in dict(scored("456p78s22z444z 9s ankan:1111m", "ron riichi", kongs).yaku)
    assert "own" not in dict(scored("111m456p78s22z444z 9s", "ron riichi", kongs).yaku)
    assert "own" in dict(scored("123m456p78s22z444z 9s", "ron houtei", late).yaku)
    assert "own" not in dict(scored("123m456p78s22z444z 9s", "ron riichi", late).yaku)


def test_every_word_is_documented() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text("utf-8")
    assert all(f"`{word}`" in page for word in WORDS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[own_yaku.tanyao]\nhan = 1\nwhen = { suits = 1 }", "new name"),
        ("[own_yaku.own]\nwhen = { suits = 1 }", "must say its han"),
        ("[own_yaku.own]\nhan = [1, 1]", "must say when"),
        ("[own_yaku.own]\nhan = [1, 1]\nwhen = { suit = 1 }", "when has no 'suit'"),
        ("[own_yaku.own]\nhan = [1, 1]\nwhen = { suits = 9 }", "when.suits must be"),
        ('[own_yaku.own]\nhan = [1, 1]\nwhen = { runs = "12m" }', "must be runs"),
        ('[own_yaku.own]\nhan = [1, 1]\nwhen = { pair = "2x" }', "when.pair"),
        ("[own_yaku.own]\nhan = [1, 2]\nwhen = { suits = 1 }", "worth more open"),
        ("[own_yaku.own]\nhan = [1, 1]\nname = 3\nwhen = { suits = 1 }", "name of one line"),
    ],
)
def test_what_is_no_yaku_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(RulesError, match=message) as caught:
        house(text)
    assert "line 2" in str(caught.value)


def test_what_only_house_rules_play_is_off_in_every_preset() -> None:
    old = ("iipin_mouyue", "chuupin_raoyui", "tsubame_gaeshi", "kanburi", "shiiaru_raotai", "uumensai",
           "ishi_no_ue_ni_mo_sannen", "daichisei")  # fmt: skip
    for rules in map(load_rules, preset_ids()):
        assert not any(any(rules.yaku[id_]) for id_ in old)
        assert not (rules.own_yaku or rules.aotenjou or rules.chips or rules.chip_points)
        assert "counted_double_yakuman" not in rules.limits


def test_twenty_six_han_are_two_yakuman_where_they_are() -> None:
    rules = parse_rules(
        'base = "tenhou"\n[limits]\nmangan = 5\nhaneman = 6\nbaiman = 8\nsanbaiman = 11\n'
        "counted_yakuman = 13\ncounted_double_yakuman = 26"
    )
    for dora, limit, points in ((8, "counted_yakuman", 32000), (20, "counted_double_yakuman", 64000)):
        won = scored("112233789m99p12s 3s", f"ron riichi ura_count={dora} dora_count=4", rules)
        assert (won.limit, won.points) == (limit, points), won


def test_without_limits_everything_counts() -> None:
    rules = house("aotenjou = true")
    won = scored("123m456p78s22z444z 9s", "ron riichi dora_count=5 seat_wind=N", rules)
    assert (won.han, won.fu, won.limit) == (7, 40, None)
    assert won.points == -(-4 * (40 << 9) // 100) * 100
    dragons = scored("555666777z234m9p 9p", "ron", rules)  # 13 beside each yakuhai, sanankou and the like
    assert dragons.yakuman == 0 and dragons.han > 13 and dict(dragons.yaku)["daisangen"] == 13
    orphans = scored("19m19p19s123456z7z 7z", "ron", rules)
    assert orphans.points == -(-4 * (30 << orphans.han + 2) // 100) * 100
    for language in ("en", "ja"):
        assert explain(hand("19m19p19s123456z7z 7z"), win("ron"), rules, language=language).steps


CHIPS = 'base = "tenhou"\nchip_points = 2000\n[chips]\nippatsu = 1\naka = 1\nura = 2\n'
RECORD = {
    "concealed": "234m340567p2267s", "win_tile": "8s", "riichi": True, "ippatsu": True,
    "ura_indicators": ["1s"], "seat_wind": "S", "dora_indicators": ["9m"],
}  # fmt: skip


def test_chips_for_ippatsu_red_fives_and_ura(tmp_path: Path) -> None:
    """One for ippatsu, one for the red five, two for each of two ura: six from each who pays."""
    path = tmp_path / "house.toml"
    path.write_text(CHIPS, "utf-8")
    rules = load_rules(path)
    ron = {**RECORD, "rules": str(path), "tsumo": False, "loser_offset": 1}
    assert score_record(ron)["chips"] == 6
    settled = settle([ron])
    assert settled.chips == (0, 6, -6, 0) and settled.to_record()["chips"]["W"] == -6
    drawn = settle([{**ron, "tsumo": True, "loser_offset": None}])
    assert drawn.chips == (-6, 18, -6, -6)
    game = Game.start(rules).after(drawn, declared=["S"])
    assert game.chips == (-6, 18, -6, -6)
    without = Game.start(load_rules("tenhou")).after(drawn, declared=["S"])
    gained = [mine - theirs for mine, theirs in zip(game.scores(), without.scores(), strict=True)]
    assert gained == [-12000, 36000, -12000, -12000]
    back = Game.start(rules).after(
        Settlement((0, 0, 0, 0), chips=(1, -1, 0, 0))
    )  # now the first dealer is North
    assert back.after(Settlement((0, 0, 0, 0), chips=(1, 0, 0, -1))).chips == (0, 0, 0, 0)


def test_ippatsu_earns_its_chip_where_the_value_alone_is_told() -> None:
    how = {"tsumo": True, "seat_wind": "S", "riichi": True, "ippatsu": True}
    hand = {"value": {"han": 4, "fu": 30}, **how}
    game = replay([{"event": "start", "rules": CHIPS}, {"event": "win", "hands": [hand]}]).game
    assert game.chips == (-1, 3, -1, -1)


def test_a_lesson_tells_the_chips() -> None:
    """One for ippatsu, one for the red five, two for the ura."""
    how = win("ron riichi ippatsu ura_indicators=2m")
    for language, told, amount in (("en", "Chips, from each who pays", "× 4"), ("ja", "チップ", "4枚")):
        for rules, many in ((parse_rules(CHIPS), 1), (load_rules("tenhou"), 0)):
            lesson = explain(hand("234m340567p2267s 8s"), how, rules, language=language)
            lines = [line for step in lesson.steps for line in step.lines if line.unit is Unit.CHIPS]
            assert len(lines) == many
            for line in lines:
                assert line.worth is not None and lesson.text(line.worth) == amount
                assert lesson.text(line.sentence).startswith(told)


def test_a_yakuman_earns_chips_too_and_rules_without_them_none() -> None:
    rules = parse_rules(CHIPS)
    won = scored("222333444m055p6s 6s", "tsumo riichi ippatsu ura_indicators=4p", rules)
    assert won.yakuman and won.chips == 1 + 1 + 2 * 3
    assert scored("222333444m055p6s 6s", "tsumo riichi ippatsu").chips == 0
