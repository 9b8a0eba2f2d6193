"""What lessons and advice say keeps the rules of a reader (``benchmarks.teaching``), and those can fail."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from benchmarks import teaching
from scorer import load_rules, parse_tiles
from scorer.telling.advice import explain_unfinished
from scorer.telling.catalogue import LANGUAGES
from scorer.telling.lesson import explain
from tests.scorer.short_hands import EMA, hand, win


@pytest.mark.parametrize("language", LANGUAGES)
def test_lessons_and_advice_about_random_hands_keep_every_rule(language: str) -> None:
    """The same on 2,000 hands in each language: ``python -m benchmarks.teaching``."""
    lessons = 0
    for what, found in teaching.check(12, 21, [language]):
        assert found == [], what
        lessons += 1
    assert lessons > 20


def record(language: str = "en") -> dict[str, Any]:
    how = win("tsumo riichi dora_indicators=3m")
    return explain(hand("234m345567p2267s 8s"), how, EMA, language=language).to_record()


def step(lesson: dict[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(step for step in lesson["steps"] if step["kind"] == kind)
    return found


def test_a_sum_that_is_wrong_is_noticed() -> None:
    for kind, at in (("yaku", 0), ("fu", 0), ("fu", -2), ("payment", 0)):
        lesson = copy.deepcopy(record())
        assert not list(teaching.sums(lesson))
        step(lesson, kind)["lines"][at]["amount"] += 1
        assert list(teaching.sums(lesson)), kind


def test_a_word_without_its_explanation_is_noticed() -> None:
    for language in LANGUAGES:
        lesson = record(language)
        assert not list(teaching.words_before_use(lesson))
        taught = [line for one in lesson["steps"] for line in one["lines"] if line["words"]]
        for line in taught:
            words, line["words"] = line["words"], []
            found = list(teaching.words_before_use(lesson))
            line["words"] = words
            assert found or not {*words} & {"chow", "fu", "riichi", "dora_indicator", "base", "dealer"}


def test_a_line_that_comes_twice_is_noticed() -> None:
    lesson = record()
    assert not list(teaching.lines_twice(lesson))
    step(lesson, "fu")["lines"].append(step(lesson, "fu")["lines"][0])
    assert list(teaching.lines_twice(lesson))


def test_another_language_is_noticed() -> None:
    for language, foreign in (("ja", "Only a concealed hand."), ("en", "門前ロン")):
        lesson = record(language)
        assert not list(teaching.wrong_language(lesson))
        step(lesson, "yaku")["lines"][0]["text"] += foreign
        assert list(teaching.wrong_language(lesson))


def test_what_pays_no_more_is_noticed() -> None:
    lesson = explain(hand("123m456p678s22p34s 5s"), win("ron"), EMA).to_record()
    assert not list(teaching.cheaper(lesson))
    lesson["score"]["points"] = 100_000
    assert len(list(teaching.cheaper(lesson))) > 1


def test_what_is_not_rounded_is_noticed() -> None:
    for language, text in (("en", "2,000, rounded up to 2,000 points"), ("ja", "1,920点を切り上げて2,100点")):
        lesson = record(language)
        assert not list(teaching.rounding(lesson))
        step(lesson, "lookup")["lines"][-1]["text"] = text
        assert list(teaching.rounding(lesson))


def test_another_row_is_noticed() -> None:
    rules = load_rules("ema2008")
    lesson = record()
    assert not list(teaching.marked(lesson, rules))
    grid = step(lesson, "lookup")["grid"]
    grid["marked"] = [grid["marked"][0] + (1 if grid["marked"][0] == 0 else -1), grid["marked"][1]]
    assert list(teaching.marked(lesson, rules))


def test_a_lesson_without_an_end_is_noticed() -> None:
    lesson = record()
    assert not list(teaching.ending(lesson, EMA))
    assert list(teaching.ending({**lesson, "steps": lesson["steps"][:-1]}, EMA))
    assert list(teaching.ending({**lesson, "headline": "4 han"}, EMA))


def test_a_discard_that_keeps_another_number_is_noticed() -> None:
    held, how = parse_tiles("123m456p78s112257z"), win("ron")
    for language in LANGUAGES:
        lesson = explain_unfinished(held, (), how, EMA, language=language).to_record()
        assert not list(teaching.discards(lesson, held, (), EMA))
        assert list(teaching.discards(lesson, held, parse_tiles("6s"), EMA))
