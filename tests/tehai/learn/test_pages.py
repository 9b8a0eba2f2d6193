"""The pages that teach, and wrong answers taken apart."""

from __future__ import annotations

import re

import pytest

from scorer import Hand, Meld, MeldType, Win, Wind, load_rules, parse_tiles, preset_ids
from scorer.efficiency import shanten, ukeire
from scorer.readings import is_complete, waits
from scorer.telling.catalogue import LANGUAGES, glossary
from scorer.telling.sentence import Line, Name
from scorer.tiles import COPIES, Tile, count_kinds
from scorer.wait_values import scored
from tehai.learn.answers import (
    ChosenAnswer,
    DiscardAnswer,
    GroupsAnswer,
    NumberAnswer,
    PaymentAnswer,
    TileAnswer,
    WaitAnswer,
    YakuAnswer,
    YesNoAnswer,
)
from tehai.learn.course import texts as taught
from tehai.learn.exercise import Answer
from tehai.learn.levels import LADDER, LEVELS, topics, topics_of
from tehai.learn.pages import course, pages
from tehai.learn.pages import texts as written
from tests.tehai.learn.learning import setting, texts
from tests.tehai.learn.texts import placeholders

JAPANESE = re.compile(r"[぀-ヿ一-鿿]")


def lines_of(id_: str) -> tuple[Line, ...]:
    return pages()[id_].passage.lines


def test_twenty_short_lessons_lead_from_the_tiles_to_counting_fu() -> None:
    assert len(course()) == len({page.id for page in course()}) == 20
    assert (course()[0].id, course()[-1].id) == ("tiles", "fu")
    assert {level.id for level in LADDER} <= pages().keys()
    assert pages().keys() == {page.id for page in course()} | {level.id for level in LADDER}


@pytest.mark.parametrize("preset", ["ema2008", "tenhou", "wrc2025"])
def test_each_is_followed_by_a_drill_of_topics_that_there_are(preset: str) -> None:
    how = setting(preset)
    known = set(topics(how))
    for page in pages().values():
        assert topics_of(page, how) and set(topics_of(page, how)) <= known
        assert page.id not in LEVELS or set(topics_of(page, how)) == set(topics(how, page.id))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_is_short_and_whole_and_in_one_language(language: str) -> None:
    words = texts(setting(language=language))
    for page in pages().values():
        lines = page.passage.lines
        assert 3 <= len(lines) <= 6
        assert any(line.groups for line in lines) or page.id in ("table", "score", "ask")
        assert 2 <= len(words.text(page.title)) <= 32
        for line in lines:
            text = words.text(line.sentence)
            assert 5 <= len(text) <= 300, text
            for field in placeholders(words.message(line.sentence.kind)):
                assert field.startswith("term[") and field[5:-1] in glossary(), field
            if language == "ja":
                assert JAPANESE.search(text) and not re.search(r"[A-Za-z]", text), text
            else:
                assert not JAPANESE.search(text), text


def test_no_picture_has_a_fifth_tile_of_a_kind() -> None:
    for page in pages().values():
        for line in page.passage.lines:
            assert max(count_kinds(tile for group in line.groups for tile in group)) <= COPIES


@pytest.mark.parametrize(
    ("page", "at"), [("groups", 0), ("groups", 4), ("tanyao", 0), ("pairs", 0), ("triplets", 0), ("yaku", 1),
                     ("win", 0), ("win", 3), ("win", 4), ("pinfu", 0), ("flush", 0), ("flush", 1), ("fu", 5)]
)  # fmt: skip
def test_whole_hands_are_finished_ones(page: str, at: int) -> None:
    assert is_complete(tuple(tile for group in lines_of(page)[at].groups for tile in group))


def won(page: str, at: int, **fields: object) -> set[str]:
    """The yaku of the hand in a picture, won on its last tile by the south player in the east round."""
    *rest, last = (tile for group in lines_of(page)[at].groups for tile in group)
    win = Win(**{"tsumo": False, "seat_wind": Wind.SOUTH, "round_wind": Wind.EAST, "riichi": True, **fields})  # type: ignore[arg-type]
    found = scored(Hand(tuple(rest), last), win, load_rules("ema2008"))
    return set() if found is None else {id_ for id_, _ in found.yaku}


def test_hands_have_the_yaku_that_the_lessons_say() -> None:
    assert "tanyao" in won("tanyao", 0) and "tanyao" not in won("tanyao", 1)
    assert "pinfu" in won("pinfu", 0)
    assert "chiitoitsu" in won("pairs", 0) and "ryanpeikou" in won("pairs", 3)
    assert "suuankou_tanki" in won("triplets", 0)  # none of it called: more than the lesson is about
    assert "honitsu" in won("flush", 0) and "chinitsu" in won("flush", 1) and "honitsu" not in won("flush", 2)
    assert not won("win", 4, riichi=False) and won("win", 3, riichi=False, tsumo=True) == {"menzen_tsumo"}
    assert "tanyao" in won("yaku", 1)


def test_what_the_lessons_count_is_so() -> None:
    hand = tuple(tile for group in lines_of("fu")[5].groups for tile in group)
    win = Win(tsumo=False, seat_wind=Wind.SOUTH, riichi=True)
    found = scored(Hand(hand[:-1], hand[-1]), win, load_rules("ema2008"))
    assert found is not None and found.fu == 40
    tiles = [tuple(tile for group in line.groups for tile in group) for line in lines_of("shanten")]
    assert shanten(tiles[1]) == 1 and shanten(tiles[3]) == 1
    called = [("pon", "111z"), ("pon", "222z")]
    melds = tuple(Meld(MeldType(kind), parse_tiles(group), 1) for kind, group in called)
    assert "".join(map(str, waits(parse_tiles("3334567s"), melds))) == "2s4s5s7s8s"
    both = (*melds, Meld(MeldType.PON, parse_tiles("333z"), 1))
    for four, waited in (("2345s", "25s"), ("3444s", "235s")):
        assert waits(parse_tiles(four), both) == parse_tiles(waited)
    assert waits((*parse_tiles("23456s"), *parse_tiles("99m")), melds) == parse_tiles("147s")
    assert set(ukeire("3455m123p456p99p7z").tiles) >= set(parse_tiles("25m"))


def test_where_rules_differ_the_lessons_say_so() -> None:
    """Each of these values differs among the presets, so that no lesson may claim one of them for all."""
    presets = tuple(map(load_rules, preset_ids()))
    for text, values, hedges in (
        ("page.riichi.4", {bool(rules.han("ippatsu", True)) for rules in presets}, ("Many rules", "多くの")),
        ("page.riichi.5", {bool(rules.riichi_wall) for rules in presets}, ("most rules", "ルールも多く")),
        ("page.fu.4", {rules.double_wind_pair_fu for rules in presets}, ("some rules", "ルールも")),
        ("page.table.4", {rules.kiriage_mangan for rules in presets}, ("Some rules", "ルールが")),
        ("page.score.5", {rules.honba_dealer_only for rules in presets}, ("most rules", "多くの")),
        ("course.riichi.4", {bool(rules.riichi_wall) for rules in presets}, ("most rules", "ルールも多く")),
        ("course.fu.3", {rules.double_wind_pair_fu for rules in presets}, ("some rules", "ルールも")),
    ):
        assert len(values) == 2, text
        for language, hedge in zip(LANGUAGES, hedges, strict=True):
            assert hedge in {**written(language), **taught(language)}[text], text


# --- wrong answers taken apart ------------------------------------------------------------------------------


def told(answer: Answer, text: str) -> list[str]:
    words = texts(setting())
    return [
        " ".join([words.text(line.sentence), *("".join(map(str, group)) for group in line.groups)])
        for line in answer.apart(text)
    ]


@pytest.mark.parametrize(
    ("answer", "text", "lines"),
    [
        (WaitAnswer((2, 5)), "3m 9m", ["Found: 3m", "Missed: 6m", "Wrong: 9m"]),
        (WaitAnswer(()), "3m", ["Wrong: 3m"]),
        (WaitAnswer((2, 5)), "none", ["Missed: 36m"]),
        (TileAnswer(Tile.parse("5p")), "5s", ["The number is right, the suit is not."]),
        (TileAnswer(Tile.parse("5p")), "6p", ["The suit is right, the number is not."]),
        (TileAnswer(Tile.parse("0p")), "5p", ["Suit and number are right.", "It is the red one."]),
        (TileAnswer(Tile.parse("1z")), "2z", ["Wrong: 2z"]),
        (NumberAnswer(40, "fu", frozenset({32})), "32",
         ["32 is the right sum, but not rounded up to full tens."]),
        (NumberAnswer(40, "fu"), "30", ["30 is 10 too few."]),
        (NumberAnswer(3, "han"), "5", ["5 is 2 too many."]),
        (PaymentAnswer((500, 1000)), "500/2000", ["Found: 500", "Missed: 1,000", "Wrong: 2,000"]),
        (PaymentAnswer((8000,)), "7,700", ["7,700 is 300 too few."]),
        (YesNoAnswer(True), "n", []),
        (ChosenAnswer({1: True, 2: False, 3: True}), "1 2", ["Found: 1", "Missed: 3", "Wrong: 2"]),
        (DiscardAnswer((27,), {27: 20, 0: 16}, (0, 8, 27)), "1m",
         ["1m keeps 16 tiles that bring the hand nearer, the best discard 20."]),
        (DiscardAnswer((27,), {27: 20, 0: 16}, (0, 8, 27)), "9m", ["9m takes the hand a step back."]),
        (GroupsAnswer((parse_tiles("123m"), parse_tiles("234m"), parse_tiles("55z"))), "123m 342m 55z", []),
        (GroupsAnswer((parse_tiles("123m"), parse_tiles("456m"), parse_tiles("55z"))), "124m 356m 55z",
         ["Found 5z5z", "Missed 1m2m3m 4m5m6m", "Neither a sequence nor a triplet nor a pair. 1m2m4m"]),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_taken_apart(answer: Answer, text: str, lines: list[str]) -> None:
    found = told(answer, text)
    assert not lines or found[0] == lines[0]
    assert set(lines) <= set(found)
    if answer.credit(text) < 1 and not isinstance(answer, YesNoAnswer):
        assert found


def test_a_yaku_that_is_not_there_is_told_with_its_rule() -> None:
    answer = YakuAnswer(("riichi", "tanyao"))
    lines = answer.apart("riichi, pinfu")
    kinds = ["apart.right", "apart.missed", "apart.wrong", "rule.pinfu"]
    assert [line.sentence.kind for line in lines] == kinds
    assert lines[-1].label == Name("pinfu")


def test_what_3455_takes_is_counted_right() -> None:
    takes = [str(tile.rank) for tile in ukeire("3455m123p789s147z").kinds if tile.suit == "m"]
    said = written("en")["page.discard.4"], written("ja")["page.discard.4"]
    assert said[0].endswith(f"3455 takes {', '.join(takes[:-1])} and {takes[-1]}.")
    assert f"3455には{'・'.join(takes)}の" in said[1]
