"""The course "My first evening": steps that lead a beginner from the tiles to a game (``course.toml``).

A step is a page, a hand as it looks at a table, and five exercises about the steps so far. It is finished
when all five were answered. Finished steps are saved with the topics of the drills, as ``course.<id>``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from scorer.hand import Hand, Meld
from scorer.readings import Form, readings
from scorer.rules import RuleSet
from scorer.telling.catalogue import Catalogue
from scorer.telling.for_learners import LearnerKnowledge
from scorer.telling.sentence import Line, Sentence, StepKind, Tiles, Unit, say
from scorer.tiles import TILES, Tile, parse_tiles
from scorer.wait_values import scored
from scorer.yaku import DORA
from tehai.learn.answers import NumberAnswer, YesNoAnswer
from tehai.learn.deal import Deal
from tehai.learn.exercise import Exercise, Part, Passage, Shown

_FILE: Final = Path(__file__).with_name("course.toml")
_MARK: Final = "course."
_PRICES: Final = {"1": 1000, "2": 2000, "3": 4000, "4": 8000}
"""The points for so many han before the course has taught fu."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What the hands of a step may show. All have four sets and a pair, the only form that the course
    teaches.

    ``allows``: riichi, calls, han, dora, fu, red, kans. ``yaku``: their ids, empty before the first step
    about yaku.
    """

    allows: frozenset[str]
    yaku: frozenset[str]

    def fit(self, deal: Deal, rules: RuleSet) -> Deal | None:
        """The deal without what the course has not taught; None if its tiles show it."""
        hand, win = deal.hand, deal.win
        if hand.melds and "calls" not in self.allows:
            return None
        if hand.has_kan and "kans" not in self.allows:
            return None
        if not any(one.form is Form.STANDARD for one in readings(hand, win.tsumo)):
            return None
        if "red" not in self.allows:
            hand = _plain(hand)
        rare: dict[str, Any] = dict.fromkeys(_RARE, False)
        win = replace(
            win,
            riichi=win.has_riichi and "riichi" in self.allows,
            **rare,
            dora_indicators=win.dora_indicators[:1] if "dora" in self.allows else (),
            ura_indicators=(),
            dora_count=win.dora_count if "dora" in self.allows else 0,
            ura_count=0,
            honba=0,
            riichi_sticks=0,
            dealer_wins=0,
        )
        won = scored(hand, win, rules)
        if self.yaku and won and not {id_ for id_, _ in won.yaku if id_ not in DORA} <= self.yaku:
            return None
        return replace(deal, hand=hand, win=win)

    def simplified(self, exercise: Exercise, explained: Container[str] | None = None) -> Exercise:
        """The exercise without explanations of what the course has not taught.

        ``explained``: words that need no explanation; None for all, as on the pages of the course.
        """
        kept = (one for one in exercise.explanation if one.title not in _LATER)
        passages = tuple(self._plainly(one, explained) for one in kept)
        question = exercise.question
        if "dora" not in self.allows and question.kind == "ask.yaku":
            question = say("ask.yaku_plain")
        if "fu" not in self.allows:
            passages = tuple(map(_without_fu, passages))
        simplified = tuple(one for one in passages if one.lines)
        return replace(exercise, question=question, explanation=simplified)

    def _plainly(self, passage: Passage, explained: Container[str] | None) -> Passage:
        """The passage without explanations of these words.

        Within the course also without sources, and without han before the step about them.
        """
        if explained is None:
            lines = [replace(line, words=(), source="") for line in passage.lines]
        else:
            words = (tuple(one for one in line.words if one not in explained) for line in passage.lines)
            lines = [replace(line, words=some) for line, some in zip(passage.lines, words, strict=True)]
        if "han" not in self.allows:
            lines = [replace(line, amount=None) if line.unit is Unit.HAN else line for line in lines]
        return replace(passage, lines=tuple(lines))


_RARE: Final = (
    "double_riichi", "open_riichi", "ippatsu", "rinshan", "chankan", "haitei", "houtei", "tenhou", "chiihou",
    "renhou", "tsubame_gaeshi", "kanburi",
)  # fmt: skip
_LATER: Final = tuple(Sentence(f"step.{kind}") for kind in (StepKind.CHOICE, StepKind.LUCK))
_PRICED: Final = ("no_yaku.", "near.", "riichi.", "calls.")


def _without_fu(passage: Passage) -> Passage:
    """The passage without lines that give a value in fu."""
    lines = [
        line
        for line in passage.lines
        if line.sentence.kind == "no_yaku.finished" or not line.sentence.kind.startswith(_PRICED)
    ]
    lines = [
        replace(line, sentence=say("course.no_yaku")) if line.sentence.kind == "no_yaku.finished" else line
        for line in lines
    ]
    return replace(passage, lines=tuple(lines))


def _plain(hand: Hand) -> Hand:
    """The hand with plain fives instead of red ones."""

    def plain(tiles: Tiles) -> tuple[Tile, ...]:
        return tuple(TILES[tile.kind] for tile in tiles)

    melds = tuple(Meld(meld.type, plain(meld.tiles), meld.source) for meld in hand.melds)
    return Hand(plain(hand.concealed), TILES[hand.win_tile.kind], melds)


@dataclass(frozen=True, slots=True)
class CourseStep:
    """``number``: from 1. ``passage``: its page. ``hand``: the groups of one hand. ``exercises``: topics."""

    id: str
    number: int
    passage: Passage
    hand: tuple[Tiles, ...]
    exercises: tuple[str, ...]
    scope: Scope

    @property
    def title(self) -> Sentence:
        return Sentence(f"{_MARK}{self.id}")

    @property
    def topic(self) -> str:
        """The topic under which a finished step is saved."""
        return f"{_MARK}{self.id}"


@cache
def _written() -> tuple[dict[str, Any], ...]:
    with _FILE.open("rb") as file:
        return tuple(tomllib.load(file)["steps"])


@cache
def steps() -> tuple[CourseStep, ...]:
    """All steps in order. Each allows what those before it allow."""
    found: list[CourseStep] = []
    allows, yaku = frozenset[str](), frozenset[str]()
    for number, one in enumerate(_written(), 1):
        allows |= frozenset(one.get("allows", ()))
        yaku |= frozenset(one.get("yaku", ()))
        lines = tuple(
            Line(
                Sentence(f"{_MARK}{one['id']}.{at}"),
                tuple(map(parse_tiles, part.get("tiles", "").split())),
                won=part.get("won", False),
            )
            for at, part in enumerate(one["parts"], 1)
        )
        hand = tuple(map(parse_tiles, one["hand"].split()))
        scope = Scope(allows, yaku)
        found.append(CourseStep(one["id"], number, Passage(lines), hand, tuple(one["exercises"]), scope))
    return tuple(found)


@cache
def texts(language: str) -> Mapping[str, str]:
    """The messages of the course by id."""
    found = {}
    for one in _written():
        found[f"{_MARK}{one['id']}"] = one[language]
        found.update((f"{_MARK}{one['id']}.{at}", part[language]) for at, part in enumerate(one["parts"], 1))
        for statement in one.get("statements", ()):
            found[f"{_MARK}{one['id']}.{statement['id']}"] = statement[language]
            found[f"{_MARK}{one['id']}.{statement['id']}.why"] = statement["why"][language]
    return found


def reached(known: Container[str]) -> CourseStep | None:
    """The first unfinished step; None if all are finished. ``known``: the topics that were answered."""
    return next((one for one in steps() if one.topic not in known), None)


def learner_knowledge(known: Container[str], texts: Catalogue) -> LearnerKnowledge | None:
    """What the finished steps have taught; None if the course was never begun."""
    done = [step for step in steps() if step.topic in known]
    said = (value for step in done for value in (step.title, *(line.sentence for line in step.passage.lines)))
    words = frozenset(word for value in said for word in texts.terms(texts.text(value)))
    return LearnerKnowledge(words, any("fu" in step.scope.allows for step in done)) if done else None


def statement(topic: str) -> Exercise | None:
    """The exercise of a topic without a hand: a statement, or the points for so many han."""
    level, _, what = topic.partition(".")
    if level == "price":
        line = Line(say("course.price", han=int(what), points=_PRICES[what]))
        parts = (Part(NumberAnswer(_PRICES[what], "points")),)
        return Exercise(topic, say("ask.price", han=int(what)), Shown(), parts, (Passage((line,)),))
    for one in _written():
        for said in one.get("statements", ()):
            if one["id"] == level and said["id"] == what:
                kind = f"{_MARK}{level}.{what}"
                why = Passage((Line(Sentence(f"{kind}.why")),))
                return Exercise(
                    topic, Sentence(kind), Shown(), (Part(YesNoAnswer(said["yes"], of_rule=False)),), (why,)
                )
    return None
