"""Outside the course, drills and short lessons say what its steps have taught, and no more."""

from __future__ import annotations

from random import Random

import pytest

from scorer.telling.sentence import StepKind, Unit
from tehai.learn.bench import Bench
from tehai.learn.course import steps
from tehai.learn.exercise import Exercise
from tehai.learn.learner import last_step, learner
from tehai.learn.pages import pages
from tehai.learn.texts import Texts
from tests.tehai.learn.learning import setting

TEXTS = Texts("en", "english")


def after(number: int) -> list[str]:
    """The topics of so many steps of the course."""
    return [step.topic for step in steps()[:number]]


def told(exercise: Exercise) -> str:
    return " ".join(TEXTS.text(line.sentence) for passage in exercise.explanation for line in passage.lines)


def test_who_never_began_the_course_is_told_all() -> None:
    assert learner([], TEXTS) is None and last_step([]) is None
    assert last_step(after(3)) == steps()[2].topic and last_step(after(12)) == steps()[11].topic
    assert last_step([*after(2), steps()[5].topic]) == steps()[1].topic


@pytest.mark.parametrize("topic", ["yaku.riichi", "yaku.none", "yaku.pinfu", "yaku.tanyao"])
def test_a_drill_in_the_midst_of_the_course_is_cut_to_the_step_reached(topic: str) -> None:
    reader = learner(after(7), TEXTS)
    assert reader is not None
    bench = Bench(setting(), Random(6))
    for _ in range(4):
        exercise = bench.exercise(topic, learner=reader)
        assert "fu" not in TEXTS.terms(told(exercise))
        assert not exercise.shown.melds  # nobody has called yet
        assert not any(tile.is_red for tile in exercise.shown.concealed)
        lines = [line for passage in exercise.explanation for line in passage.lines]
        assert not {word for line in lines for word in line.words} & reader.words


def test_a_topic_that_goes_further_can_still_be_chosen() -> None:
    reader = learner(after(3), TEXTS)
    bench = Bench(setting(), Random(6))
    assert bench.exercise("yaku.chiitoitsu", learner=reader).topic == "yaku.chiitoitsu"
    fu = bench.exercise("fu.total", learner=reader)
    assert any(line.unit is Unit.FU for passage in fu.explanation for line in passage.lines)
    called = bench.exercise("groups.called", learner=reader)
    assert called.shown.melds


def test_after_the_course_words_are_known_and_hands_are_as_they_come() -> None:
    reader = learner(after(12), TEXTS)
    assert reader is not None and reader.scope is None
    exercise = Bench(setting(), Random(2)).exercise("yaku.pinfu", learner=reader)
    titles = [passage.title.kind for passage in exercise.explanation if passage.title is not None]
    assert f"step.{StepKind.YAKU}" in titles
    words = {word for passage in exercise.explanation for line in passage.lines for word in line.words}
    assert not words & reader.words


def test_a_short_lesson_says_nothing_of_fu_before_the_step_on_fu() -> None:
    before, behind = learner(after(8), TEXTS), learner(after(11), TEXTS)
    assert before is not None and behind is not None
    for name in ("pinfu", "pairs"):
        page = pages()[name]
        cut = before.page(page, TEXTS)
        assert len(cut.passage.lines) == len(page.passage.lines) - 1
        assert "fu" not in TEXTS.terms(" ".join(TEXTS.text(line.sentence) for line in cut.passage.lines))
        assert behind.page(page, TEXTS) == page
    assert before.page(pages()["fu"], TEXTS) == pages()["fu"]  # who opens it wants it
