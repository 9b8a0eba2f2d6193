"""Drills and short lessons for the page: posed, graded and explained as JSON values. No HTTP here.

The server stores nothing. The browser keeps what a learner knows and sends it with each request. An exercise
is identified by its origin (``ref``), and is made again to grade its answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from random import Random, SystemRandom
from typing import Any, Final

from scorer.rules import RuleSet
from scorer.telling.sentence import Grid, Line, Name, Sentence, Value, say
from scorer.tiles import TILES, Tile
from tehai.learn import evening
from tehai.learn.answers import (
    ChosenAnswer,
    DiscardAnswer,
    GroupsAnswer,
    NumberAnswer,
    PaymentAnswer,
    TileAnswer,
    WaitAnswer,
    YakuAnswer,
)
from tehai.learn.bench import Bench
from tehai.learn.course import CourseStep, reached, steps
from tehai.learn.deal import in_order
from tehai.learn.errors import DrillError, UnclearAnswer
from tehai.learn.exercise import Answer, Exercise, Outcome, Part, Passage, Setting, Shown, lying
from tehai.learn.knowledge import Known, of_record, to_record
from tehai.learn.learner import last_step, learner
from tehai.learn.levels import LADDER, LEVELS, title, topics, topics_of
from tehai.learn.own_hands import OwnHands, hand_of
from tehai.learn.pages import Page, course, pages
from tehai.learn.pictures import column
from tehai.learn.schedule import is_due, is_learnt, next_topic
from tehai.learn.texts import Texts
from tehai.server.answers import Refusal
from tehai.web.request_rules import RequestRules

MOST_OWN: Final = 30
"""The most hands of the user's own in a request."""

_OWN_SHARE: Final = 0.5
"""The share of exercises about the user's own hands, if there are some.

A topic that was wrong before gets a newly dealt hand instead.
"""

_LONGEST_NAME: Final = 60

_PRESETS: Final = RequestRules()

_SEEDS: Final = 2**52
"""The greatest seed: a browser stores such numbers exactly."""

_WORDS: Final = ("title", "lessons", "levels", "all", "unknown", "done", "none", "next", "begin", "back",
                 "from", "more", "together", "apart", "teach", "anew", "sure", "known", "course",
                 "goes_on", "why", "evening", "mine", "progress", "progress_why", "save", "load", "taken",
                 "nothing_new", "not_progress")  # fmt: skip
"""Texts of the page around exercises."""


@dataclass(frozen=True, slots=True)
class Drills:
    """The drills for one request. ``known``: the learner's knowledge of each topic. ``request_rules``: the
    rules that a hand of the user's may name."""

    setting: Setting
    known: Mapping[str, Known]
    request_rules: RequestRules = _PRESETS

    @classmethod
    def of(
        cls,
        rules: RuleSet,
        called: str,
        language: str,
        progress: object,
        request_rules: RequestRules = _PRESETS,
    ) -> Drills:
        """Raises :class:`Refusal` for rules without drills, and for invalid progress."""
        if rules.players == 3:
            words = Texts(language, rules.words)
            sentence = words.text(say("trouble.four_players", rules=rules.named(language)))
            raise Refusal(422, "no_drills", sentence)
        if language == "ja":
            rules = replace(rules, words="kanji")
        try:
            known = {} if progress is None else of_record(progress)
        except ValueError:
            raise Refusal(422, "bad_field", "progress is what an answer returned as known.") from None
        return cls(Setting(rules, called, language), known, request_rules)

    def _under_rules_of(self, record: object) -> Drills | None:
        """The drills under the rules by which a hand was won, in the same words.

        None for three players, and for rules that the server does not know.
        """
        named = record.get("rules") if isinstance(record, Mapping) else None
        if not isinstance(named, str):
            return self
        try:
            rules = self.request_rules.rules(named)
        except Refusal:
            return None
        if rules.players == 3:
            return None
        rules = replace(rules, words=self.setting.rules.words)
        return replace(self, setting=replace(self.setting, rules=rules))

    @property
    def texts(self) -> Texts:
        return Texts(self.setting.language, self.setting.rules.words, self.setting.rules.own_yaku)

    # --- what there is --------------------------------------------------------------------------------------

    def menu(self, now: datetime) -> dict[str, Any]:
        """The lessons and levels with the learner's progress, and the page's texts."""
        text = self.texts.text
        return {
            "words": {word: text(say(f"web.{word}")) for word in _WORDS},
            "lessons": [
                {"id": page.id, "title": text(page.title), **self._state(topics_of(page, self.setting), now)}
                for page in course()
            ],
            "levels": [
                {
                    "id": level.id,
                    "title": text(level.title),
                    **self._state(topics(self.setting, level.id, rest=False), now),
                }
                for level in LADDER
            ],
            "course": self._course(),
            **self._state(tuple(name for name in self.known if name in topics(self.setting)), now),
        }

    def _course(self) -> list[dict[str, Any]]:
        """The steps of the course: whether each is finished, and which is next."""
        following = reached(self.known)
        return [
            {
                "id": step.id,
                "title": self.texts.text(step.title),
                "done": step.topic in self.known,
                "next": step is following,
                "exercises": len(step.exercises),
            }
            for step in steps()
        ]

    def _state(self, names: Sequence[str], now: datetime) -> dict[str, Any]:
        met = [self.known[name] for name in names if name in self.known]
        learnt, due = sum(map(is_learnt, met)), sum(is_due(one, now) for one in met)
        text = self.texts.text
        return {
            "learnt": learnt,
            "all": len(names),
            "due": due,
            "told": text(say("menu.state", learnt=learnt, all=len(names))),
            "waiting": text(say("menu.due", due=due)) if due else "",
        }

    def page(self, id_: object) -> dict[str, Any]:
        """A page that teaches: a lesson, or a step of the course (``course.<id>``)."""
        if step := _step(id_):
            hand = Line(say("course.hand"), step.hand)
            lines = self._lines((*step.passage.lines, hand))
            return {"id": id_, "title": self.texts.text(self._step_title(step)), "lines": lines}
        if not isinstance(id_, str) or id_ not in pages():
            raise Refusal(422, "bad_field", f"lesson is one of {', '.join(pages())}.")
        return self._page(pages()[id_])

    def _step_title(self, step: CourseStep) -> Sentence:
        return say("course.step", number=step.number, many=len(steps()), title=step.title)

    def _page(self, page: Page) -> dict[str, Any]:
        reader = learner(self.known, self.texts)
        page = page if reader is None else reader.page(page, self.texts)
        return {"id": page.id, "title": self.texts.text(page.title), "lines": self._lines(page.passage.lines)}

    # --- an exercise ----------------------------------------------------------------------------------------

    def exercise(self, body: Mapping[str, Any], now: datetime) -> dict[str, Any]:
        """The due exercise of a level (``level``), of a lesson (``lesson``), or of all.

        ``last``: the topic before it. ``own``: hand records of the user's own. For a step of the course
        (``step``, ``nth`` from 0) the exercise of that place.
        """
        if step := _step(body.get("step")):
            nth = body.get("nth")
            at = nth if type(nth) is int and 0 <= nth < len(step.exercises) else 0
            ref = {"topic": step.exercises[at], "seed": SystemRandom().randrange(_SEEDS), "fresh": False,
                   "own": None, "step": step.topic, "nth": at}  # fmt: skip
            title = self.texts.text(self._step_title(step))
            return {"ref": ref, "level": title, "page": None, **self._exercise(self._posed(ref))}
        if (player := body.get("player")) is not None:
            if not isinstance(player, str):
                raise Refusal(422, "bad_field", "player is a name, or empty for hands without a game.")
            return self._of_the_evening(player[:_LONGEST_NAME], body, now)
        names = self._asked_for(body)
        last = body.get("last")
        topic = next_topic(names, self.known, now, last if last in names else None)
        known = self.known.get(topic)
        wrong = known is not None and known.last < 1
        random = SystemRandom()
        own = body.get("own")
        hands = [one for one in own[:MOST_OWN] if isinstance(one, Mapping)] if isinstance(own, list) else []
        mine = random.choice(hands) if hands and not wrong and random.random() < _OWN_SHARE else None
        ref = {"topic": topic, "seed": random.randrange(_SEEDS), "fresh": wrong, "own": mine,
               "reached": last_step(self.known)}  # fmt: skip
        exercise = self._posed(ref)
        met = {name.partition(".")[0] for name in self.known}
        return {
            "ref": ref,
            "level": self.texts.text(LEVELS[exercise.level].title),
            "page": None if exercise.level in met else self._page(pages()[exercise.level]),
            **self._exercise(exercise),
        }

    def _of_the_evening(self, player: str, body: Mapping[str, Any], now: datetime) -> dict[str, Any]:
        """The ``player``'s due exercise about the hands ``own``; ``nth``: how many came before."""
        last, nth = body.get("last"), body.get("nth")
        own = body.get("own")
        records = [one for one in own[:MOST_OWN] if isinstance(one, Mapping)] if isinstance(own, list) else []
        read = ((hand_of(one, str(one.get("at", ""))[:10]), one) for one in records)
        hands = [
            (hand, record, under)
            for hand, record in read
            if hand is not None and hand.known and (under := self._under_rules_of(record)) is not None
        ]
        before = last if last in evening.TOPICS else None
        try:
            at, seed, exercise = evening.exercise(
                [(hand, under.setting) for hand, _, under in hands],
                player,
                self.known,
                now,
                before,
                SystemRandom(),
            )
        except DrillError as trouble:
            raise Refusal(422, "no_drills", self.texts.text(trouble.sentence)) from None
        _, record, under = hands[at]
        ref = {"topic": exercise.topic, "seed": seed, "fresh": False, "own": record, "player": player,
               "nth": nth if type(nth) is int else 0}  # fmt: skip
        level = self.texts.text(say("evening.title", player=player) if player else say("evening.mine"))
        return {"ref": ref, "level": level, "page": None, **under._exercise(exercise)}

    def _asked_for(self, body: Mapping[str, Any]) -> tuple[str, ...]:
        level, lesson = body.get("level"), body.get("lesson")
        if isinstance(lesson, str) and lesson in pages():
            return topics_of(pages()[lesson], self.setting)
        if lesson is not None or not (level is None or (isinstance(level, str) and level in LEVELS)):
            raise Refusal(
                422, "bad_field", f"level is one of {', '.join(LEVELS)}; lesson one of {', '.join(pages())}."
            )
        return topics(self.setting, level)

    def _posed(self, ref: object) -> Exercise:
        """The exercise of a ``ref``. Raises :class:`Refusal` if it cannot be made."""
        topic, seed, fresh, own = "", 0, False, None
        match ref:
            case {"topic": str(topic), "seed": int(seed), "fresh": bool(fresh), "own": own}:
                pass
        step = _step(ref.get("step")) if isinstance(ref, Mapping) else None
        asked = topics(self.setting) if step is None else step.exercises
        if topic not in (*asked, *evening.TOPICS):
            raise Refusal(422, "bad_field", "ref is what an exercise came with.")
        mine = hand_of(own, str(own.get("at", ""))[:10]) if isinstance(own, Mapping) else None
        bench = Bench(self.setting, Random(seed), OwnHands((mine,)) if mine else OwnHands())
        at = ref.get("reached") if isinstance(ref, Mapping) else None
        reader = learner(self.known, self.texts, at) if isinstance(at, str) else None
        try:
            return bench.exercise(
                topic, fresh=fresh, scope=None if step is None else step.scope, learner=reader
            )
        except DrillError as trouble:
            raise Refusal(422, "no_drills", self.texts.text(trouble.sentence)) from None

    def _exercise(self, exercise: Exercise) -> dict[str, Any]:
        return {
            "question": self._pieces(exercise.question),
            "origin": None if exercise.origin is None else self.texts.text(exercise.origin),
            "shown": self._shown(exercise.shown),
            "parts": [self._part(part, exercise) for part in exercise.parts],
        }

    def _shown(self, shown: Shown) -> dict[str, Any]:
        caption = self.texts.text
        melds = [
            {"name": caption(say(f"caption.{meld.type}")), "tiles": _labels(lying(meld))}
            for meld in shown.melds
        ]
        face: dict[str, str | int] | None = None
        if shown.drawn is not None:
            face = {"tile": str(shown.drawn)}
        elif shown.face is not None:
            face = {"column": column(shown.face[0]), "row": shown.face[1]}
        return {
            "face": face,
            "concealed": _labels(shown.concealed),
            "last": _labels(shown.last),
            "win": caption(say("caption.last")),
            "melds": melds,
            "facts": list(map(self._pieces, shown.facts)),
        }

    def _part(self, part: Part, exercise: Exercise) -> dict[str, Any]:
        return {
            "label": None if part.label is None else self._pieces(part.label),
            "how": self.texts.text(part.answer.how),
            **self._keys(part.answer, exercise),
        }

    def _keys(self, answer: Answer, exercise: Exercise) -> dict[str, Any]:
        """The keys for an answer: ``kind``, the ``choices`` if they are few, and ``none``: whether nothing
        may be right."""
        held = _labels(dict.fromkeys(TILES[tile.kind] for tile in exercise.shown.concealed))
        match answer:
            case TileAnswer():
                return {"kind": "tile", "choices": None}
            case DiscardAnswer():
                return {"kind": "tile", "choices": held}
            case WaitAnswer(_, "how.one_tile", _):
                return {"kind": "tile", "choices": _labels(_asked(exercise))}
            case WaitAnswer(_, "how.tiles_any", _):
                return {"kind": "tiles", "choices": held, "none": False}
            case WaitAnswer() if exercise.level == "blocks":
                suit = exercise.shown.concealed[0].kind // 9
                return {"kind": "tiles", "choices": _labels(TILES[9 * suit : 9 * suit + 9]), "none": False}
            case WaitAnswer():
                return {"kind": "tiles", "choices": None, "none": True}
            case YakuAnswer():
                return {"kind": "several", "choices": self._yaku(), "none": True}
            case ChosenAnswer(options):
                return {
                    "kind": "several",
                    "choices": [[str(one), str(one)] for one in options],
                    "none": True,
                }
            case NumberAnswer(number, unit):
                whole = unit == "fu" and exercise.topic in _WHOLE_FU
                numbers = _TOTALS if whole else _NUMBERS.get(unit, ())
                if number not in numbers:  # points, and what is larger than a hand of most evenings
                    return {"kind": "points", "many": 1}
                return {"kind": "one", "choices": [[str(one), str(one)] for one in numbers]}
            case PaymentAnswer(payments):
                return {"kind": "points", "many": len(payments)}
            case GroupsAnswer(groups):
                return {"kind": "groups", "choices": _labels(in_order(chain.from_iterable(groups)))}
        words = [("y", say("right.yes")), ("n", say("right.no"))]
        return {"kind": "one", "choices": [[typed, self.texts.text(value)] for typed, value in words]}

    def _yaku(self) -> list[list[str]]:
        """The yaku of the rules, frequent ones first, those that only the rules have last."""
        names = [topic.removeprefix("yaku.") for topic in topics(self.setting, "yaku")]
        names += self.setting.rules.own_yaku
        return [[id_, self.texts.text(Name(id_))] for id_ in names if id_ != "none"]

    # --- an answer ------------------------------------------------------------------------------------------

    def answer(self, body: Mapping[str, Any], now: datetime) -> dict[str, Any]:
        """The result of the answers to an exercise (``ref``).

        ``answers``: a text for each part, null for one that the learner does not know.
        """
        under: Drills | None = self
        match body.get("ref"):
            case {"topic": topic, "own": own} if topic in evening.TOPICS:
                under = self._under_rules_of(own)
        if under is None:
            raise Refusal(422, "bad_field", "ref is what an exercise came with.")
        return under._graded(body, now)

    def _graded(self, body: Mapping[str, Any], now: datetime) -> dict[str, Any]:
        exercise, answers = self._posed(body.get("ref")), body.get("answers")
        if (
            not isinstance(answers, list)
            or len(answers) != len(exercise.parts)
            or not all(one is None or isinstance(one, str) for one in answers)
        ):
            raise Refusal(422, "bad_field", "answers is a list with a text or null for each part.")
        try:
            earned = tuple(
                None if one is None else part.answer.credit(one)
                for part, one in zip(exercise.parts, answers, strict=True)
            )
        except UnclearAnswer as unclear:
            return {"unclear": self._pieces(unclear.sentence)}
        outcome = Outcome(earned)
        before = self.known.get(self._kept_under(body.get("ref"), exercise))
        after = Known.after(before, outcome.credit, now, known=outcome.is_known)
        percent = round(100 * (outcome.credit or 0.0))
        return {
            "verdict": outcome.verdict.removeprefix("talk."),
            "text": self.texts.text(say(outcome.verdict, percent=percent)),
            "topic": self.texts.text(title(exercise.topic)) if exercise.level in LEVELS else "",
            "parts": [
                {
                    "label": None if part.label is None else self._pieces(part.label),
                    "right": self._pieces(part.answer.right),
                    "known": credit == 1,
                    "apart": [] if one is None or credit == 1 else self._lines(part.answer.apart(one)),
                }
                for part, one, credit in zip(exercise.parts, answers, earned, strict=True)
            ],
            "why": list(map(self._passage, exercise.explanation)),
            **self._kept(body.get("ref"), exercise, after, outcome, now),
        }

    def _kept(
        self, ref: object, exercise: Exercise, after: Known, outcome: Outcome, now: datetime
    ) -> dict[str, Any]:
        """The knowledge after an exercise; after the last one of a step, that the step is finished
        (``step``)."""
        mine = exercise.topic in evening.TOPICS
        known = {self._kept_under(ref, exercise): after} if mine or exercise.level in LEVELS else {}
        step = _step(ref.get("step")) if isinstance(ref, Mapping) else None
        step_text = None
        if step is not None and isinstance(ref, Mapping) and ref.get("nth") == len(step.exercises) - 1:
            known[step.topic] = Known.after(None, outcome.credit or 0.0, now)
            done = say("course.done", number=step.number, many=len(steps()), title=step.title)
            step_text = self.texts.text(done)
        if mine and isinstance(ref, Mapping) and ref.get("nth") == evening.MANY - 1:
            step_text = self.texts.text(say("evening.done", many=evening.MANY))
        return {"known": to_record(known), "step": step_text}

    def _kept_under(self, ref: object, exercise: Exercise) -> str:
        """The topic under which knowledge is saved; after a game the player's."""
        player = ref.get("player") if isinstance(ref, Mapping) else None
        if exercise.topic in evening.TOPICS and isinstance(player, str):
            return evening.topic_of(exercise.topic, player)
        return exercise.topic

    # --- what is told ---------------------------------------------------------------------------------------

    def _pieces(self, value: Value) -> list[str | list[str]]:
        """Texts, and tiles as lists of labels."""
        return [one if isinstance(one, str) else _labels(one) for one in self.texts.pieces(value)]

    def _lines(self, lines: Iterable[Line]) -> list[dict[str, Any]]:
        return [
            {
                "label": None if line.label is None else self.texts.text(line.label),
                "text": self._pieces(line.sentence),
                "groups": list(map(_labels, line.groups)),
                "won": line.won,
                "worth": None if line.worth is None else self.texts.text(line.worth),
                "source": None if line.cited is None else self.texts.text(line.cited),
            }
            for line in lines
        ]

    def _passage(self, passage: Passage) -> dict[str, Any]:
        return {
            "title": None if passage.title is None else self.texts.text(passage.title),
            "lines": self._lines(passage.lines),
            "grid": None if passage.grid is None else self._grid(passage.grid),
        }

    def _grid(self, grid: Grid) -> dict[str, Any]:
        return {
            "head": list(map(self._pieces, grid.head)),
            "rows": [list(map(self._pieces, row)) for row in grid.rows],
            "marked": list(grid.marked),
        }


_NUMBERS: Final[Mapping[str, Sequence[int]]] = {
    "han": range(1, 14),
    "fu": (0, 2, 4, 8, 16, 32),
    "away": range(7),
}
_TOTALS: Final = (20, 25, *range(30, 111, 10))
_WHOLE_FU: Final = frozenset({"fu.total", *(f"score.{what}" for what in LEVELS["score"].first)})
"""Numbers to choose from, by unit, and for all fu of a hand."""


def _asked(exercise: Exercise) -> tuple[Tile, ...]:
    """The tiles that a question names."""
    named = exercise.question.values["tiles"]
    assert isinstance(named, tuple)
    return tuple(one for one in named if isinstance(one, Tile))


def _step(topic: object) -> CourseStep | None:
    """The step of the course with this topic."""
    return next((one for one in steps() if one.topic == topic), None)


def _labels(tiles: Iterable[Any]) -> list[str]:
    return list(map(str, tiles))
