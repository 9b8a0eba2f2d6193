"""The course: twelve steps, each with only what was taught so far, in both languages; walked to its end."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from random import Random

import pytest

from benchmarks import teaching
from scorer import Hand, Tile, Win, Wind, load_rules, parse_tiles
from scorer.readings import is_complete
from scorer.telling.lesson import explain
from scorer.telling.sentence import StepKind
from scorer.tiles import count_kinds
from tehai.learn.bench import Bench
from tehai.learn.course import CourseStep, reached, statement, steps
from tehai.learn.exercise import Exercise
from tehai.learn.hands import natural
from tehai.learn.knowledge import of_record, to_record
from tehai.learn.reader import for_learner
from tehai.learn.terminal_drill import TerminalDrill
from tests.tehai.learn.learning import setting
from tests.tehai.learn.test_terminal_drill import printed, talk


def posed(step: CourseStep, language: str, seed: int = 3) -> list[Exercise]:
    bench = Bench(setting(language=language), Random(seed))
    return [bench.exercise(topic, scope=step.scope) for topic in step.exercises]


def test_it_has_twelve_steps_of_a_page_a_hand_and_five_exercises() -> None:
    assert len(steps()) == 12 and [step.number for step in steps()] == list(range(1, 13))
    for step in steps():
        assert 4 <= len(step.passage.lines) <= 6 and len(step.exercises) == 5
        tiles = tuple(chain.from_iterable(step.hand))
        assert len(tiles) in (13, 14) and max(count_kinds(tiles)) <= 4
        if len(tiles) == 14:
            assert is_complete(tiles)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_word_and_no_fu_before_its_step_and_no_showpiece(language: str) -> None:
    """Four times over, as the drills below: ``python -m benchmarks.teaching``."""
    for what, found in teaching.course(language, 3):
        assert found == [], what


def test_drills_of_the_first_levels_show_hands_as_they_are_won() -> None:
    for what, found in teaching.drills("en", 1, times=1):
        assert found == [], what


def test_hands_show_what_was_taught_alone() -> None:
    for step in steps():
        for exercise in posed(step, "en", 8):
            shown = exercise.shown
            assert not shown.melds or "calls" in step.scope.allows
            assert "kans" in step.scope.allows or not any(meld.type.is_kan for meld in shown.melds)
            tiles = (*shown.concealed, *shown.last)
            assert "red" in step.scope.allows or not any(tile.is_red for tile in tiles)


def test_what_is_taught_is_kept_beside_the_topics(tmp_path: Path) -> None:
    sitting = talk(tmp_path, ["", *["?", "n"] * 5])
    first = steps()[0]
    assert reached(sitting.progress.topics) is first
    with pytest.raises(EOFError):
        sitting.course(first)
    assert "✓ Step 1 of 12 is done: The tiles" in printed(sitting)
    known = of_record(to_record(sitting.progress.topics))
    assert first.topic in known and reached(known) is steps()[1]


def test_the_whole_course_can_be_walked(tmp_path: Path) -> None:
    """Every exercise is answered with what is right, as it is told; the course ends with its last tick."""
    sitting = talk(tmp_path, [], "ja")
    told = _answering(sitting)
    sitting.course(reached(sitting.progress.topics))
    assert reached(sitting.progress.topics) is None
    assert printed(sitting).count("✓") >= 12 and told == [1.0] * 60


def _answering(sitting: TerminalDrill) -> list[float]:
    """The learner who knows all; Enter where nothing is asked."""
    credits: list[float] = []
    bench, words = sitting.bench, sitting.texts
    pending: list[str] = []

    class Right(Bench):
        def exercise(self, topic: str, **how: object) -> Exercise:
            exercise = super().exercise(topic, **how)  # type: ignore[arg-type]
            answers = [words.text(part.answer.right) for part in exercise.parts]
            credits.append(
                min(part.answer.credit(text) for part, text in zip(exercise.parts, answers, strict=True))
            )
            pending.extend(answers)
            return exercise

    sitting.bench = Right(bench.setting, Random(4))
    sitting.console.answers = iter(lambda: pending.pop(0) if pending else "", None)  # type: ignore[attr-defined]
    return credits


def test_enter_leads_into_the_course_until_it_is_done(tmp_path: Path) -> None:
    sitting = talk(tmp_path, [""])
    assert sitting.choose() is steps()[0]
    assert "My first evening, step 1 of 12: The tiles" in printed(sitting)
    assert talk(tmp_path, ["d"]).choose() is None and talk(tmp_path, ["3"]).choose() == "tenpai"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_step_reached_decides_what_a_lesson_says(language: str) -> None:
    hand, win = Hand(parse_tiles("234m340567p2267s"), Tile.parse("8s")), Win(tsumo=True, seat_wind=Wind.SOUTH)
    whole = explain(hand, win, load_rules("ema2008"), language=language)
    assert for_learner(whole, ()) is whole
    topics = [step.topic for step in steps()]
    early = for_learner(whole, topics[:10])  # all before the step on fu
    said = [early.text(value) for value in early.values()]
    assert not any("fu" in early.catalogue.terms(text) for text in said)
    assert said[0].startswith({"en": "4 han: 5,200 points", "ja": "4翻：5,200点"}[language])
    assert early.step(StepKind.PAYMENT) and early.step(StepKind.YAKU) and not early.step(StepKind.FU)
    assert "han" not in {term.id for term in early.terms} and "han" in {term.id for term in whole.terms}
    late = for_learner(whole, topics)
    assert late.step(StepKind.FU) and late.text(late.headline) == whole.text(whole.headline)
    assert len(late.terms) < len(whole.terms) / 2  # a word explained once is not explained again


def test_statements_are_right_or_wrong_with_a_reason() -> None:
    game = next(step for step in steps() if step.id == "game")
    found = [statement(topic) for topic in game.exercises]
    assert all(one is not None and one.explanation for one in found)
    assert len({one.parts[0].answer.credit("y") for one in found if one}) == 2
    assert statement("yaku.pinfu") is None


def test_natural_hands_are_finished_and_of_most_kinds() -> None:
    hands = natural()
    assert len(hands) >= 200
    assert all(is_complete((*deal.hand.concealed, deal.hand.win_tile), deal.hand.melds) for deal in hands)
    assert 0.1 < sum(bool(deal.hand.melds) for deal in hands) / len(hands) < 0.7
