"""Drills on the terminal: a question, the answer, the reason; until the count is reached or ``q``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scorer.telling.sentence import Line, Sentence, Value, say
from tehai.learn.bench import Bench
from tehai.learn.course import CourseStep, reached, steps
from tehai.learn.errors import UnclearAnswer
from tehai.learn.exercise import Exercise, Outcome, Part
from tehai.learn.knowledge import Known
from tehai.learn.learner import Learner, learner
from tehai.learn.levels import LADDER, LEVELS, Level, title, topics
from tehai.learn.pages import Page, pages
from tehai.learn.progress import Progress
from tehai.learn.schedule import is_due, is_learnt, next_topic
from tehai.learn.show import print_exercise, print_page, print_passage
from tehai.learn.texts import Texts
from tehai.terminal.flowing import Flowing
from tehai.terminal.lesson import line_text, print_lines, wording

QUIT: Final = ("q", "quit", "exit", "終")
GIVE_UP: Final = ("?", "？")
DUE: Final = ("d", "due", "復習")
NEXT: Final = ("n", "next", "次")
"""Words that skip the rest of an explanation."""

Clock = Callable[[], datetime]


def now() -> datetime:
    """The time of the schedule."""
    return datetime.now(UTC)


class Quit(Exception):
    """The learner wants to stop."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What the learner typed for a part, and its credit; both None if the learner does not know."""

    text: str | None
    credit: float | None


@dataclass(slots=True)
class TerminalDrill:
    """A session of one learner. ``clock``: the time of the schedule.

    ``adapts``: whether a topic that was wrong comes with a newly dealt hand. ``teaches``: whether a level
    begins with its page. ``taught``: levels whose page was shown, or is not needed.
    """

    console: Console
    texts: Texts
    bench: Bench
    progress: Progress
    adapts: bool = True
    clock: Clock = now
    teaches: bool = True
    taught: set[str] = field(default_factory=set)

    def choose(self) -> str | CourseStep | None:
        """Print the levels with the learner's progress. Returns the chosen one.

        Without a choice, the next step of an unfinished course, or None for what is due. Raises :class:`Quit`
        if the learner wants to stop.
        """
        setting = self.bench.setting
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        for number, level in enumerate(LADDER, 1):
            names = topics(setting, level.id, rest=False)
            known = [self.progress.topics[name] for name in names if name in self.progress.topics]
            due = sum(is_due(one, self.clock()) for one in known)
            learnt = sum(map(is_learnt, known))
            full = _BAR * learnt // len(names)
            bar = Text.assemble(("━" * full, "green"), ("╌" * (_BAR - full), "dim"))
            state = say("menu.state", learnt=learnt, all=len(names))
            waiting = self._text(say("menu.due", due=due)) if due else ""
            table.add_row(Text(str(number), "cyan"), self._text(level.title), bar, self._text(state), waiting)
        step = reached(self.progress.topics)
        self.console.print(Text(self._text(say("menu.title")), "bold"))
        if step is not None:
            self.console.print(Padding(Text(self._step_title(step), "cyan"), (0, 0, 0, 2)))
        self.console.print(Padding(table, (0, 0, 0, 2)))
        asked = say("menu.prompt", last=len(LADDER))
        if step is not None:
            asked = say("course.prompt", number=step.number, title=step.title, last=len(LADDER))
        prompt = Text.assemble((self._text(asked), "bold"), " › ")
        while True:
            typed = self._line(prompt)
            if not typed:
                return step
            if typed.casefold() in DUE:
                return None
            if chosen := level_named(typed):
                return chosen.id
            self.console.print(Text(self._text(say("menu.unclear", last=len(LADDER))), "yellow"))

    def _step_title(self, step: CourseStep) -> str:
        return self._text(say("course.step", number=step.number, many=len(steps()), title=step.title))

    def course(self, step: CourseStep | None) -> None:
        """The course from a step on. Raises :class:`Quit` when the learner wants to stop."""
        while step is not None:
            self._step(step)
            step = reached(self.progress.topics)
            if step is not None:
                self._line(Text(self._text(say("talk.goes_on")), "dim"))
        self.console.print(Text(self._text(say("course.all")), "bold green"))

    def _step(self, step: CourseStep) -> None:
        """The page, a hand, five exercises about the steps so far, and the mark of a finished step."""
        self.console.print()
        self.console.rule(Text(self._step_title(step), "bold"), style="dim", align="left")
        hand = Line(say("course.hand"), step.hand)
        print_lines(self.console, self.texts, (*step.passage.lines, hand), None)
        self._line(Text(self._text(say("talk.begins")), "dim"))
        credits: list[float] = []

        def keep(topic: str, outcome: Outcome) -> None:
            credits.append(outcome.credit or 0.0)
            if topic.partition(".")[0] in LEVELS:
                self._keep(topic, outcome)

        for number, topic in enumerate(step.exercises, 1):
            exercise = self.bench.exercise(topic, scope=step.scope)
            self._posed(exercise, number, len(step.exercises), step.title, keep)
        self.progress.record(step.topic, sum(credits) / len(credits), self.clock())
        done = say("course.done", number=step.number, many=len(steps()), title=step.title)
        self.console.print(Text(self._text(done), "bold green"))

    def drill(self, count: int, order: Iterator[str]) -> None:
        """So many exercises about the topics in ``order``. Ends early when the learner wants to stop."""
        done: list[tuple[str, Outcome]] = []

        def keep(topic: str, outcome: Outcome) -> None:
            done.append((topic, outcome))
            self._keep(topic, outcome)

        self.console.print(Text(self._text(say("talk.help")), "dim"))
        try:
            for number in range(1, count + 1):
                topic = next(order)
                self._teach(topic)
                exercise = self._one(topic)
                self._posed(exercise, number, count, LEVELS[exercise.level].title, keep)
        except (Quit, EOFError, KeyboardInterrupt):
            self.console.print()
        self._end(done)

    def lesson(self, page: Page) -> None:
        """A short lesson. Raises :class:`Quit` if the learner does not want its exercises."""
        self.console.print()
        reader = self._learner
        print_page(self.console, self.texts, page if reader is None else reader.page(page, self.texts))
        self._line(Text(self._text(say("talk.begins")), "dim"))

    def _teach(self, topic: str) -> None:
        """The page of a level, before its first exercise, if the learner has never met the level."""
        level = topic.partition(".")[0]
        met = {name.partition(".")[0] for name in self.progress.topics}
        if self.teaches and level not in met | self.taught:
            self.lesson(pages()[level])
        self.taught.add(level)

    def by_schedule(self, names: Sequence[str]) -> Iterator[str]:
        """Of these topics the one that is due, repeatedly."""
        last = None
        while True:
            last = next_topic(names, self.progress.topics, self.clock(), last)
            yield last

    def _keep(self, topic: str, outcome: Outcome) -> None:
        self.progress.record(topic, outcome.credit, self.clock(), known=outcome.is_known)

    def _one(self, topic: str) -> Exercise:
        """An exercise about the topic, with a newly dealt hand if it was wrong before."""
        known = self.progress.topics.get(topic)
        wrong = known is not None and known.last < 1
        return self.bench.exercise(topic, fresh=self.adapts and wrong, learner=self._learner)

    @property
    def _learner(self) -> Learner | None:
        """The learner with the progress of the course; None if everybody gets the same exercises."""
        return learner(self.progress.topics, self.texts) if self.adapts else None

    def _posed(
        self,
        exercise: Exercise,
        number: int,
        count: int,
        title: Sentence,
        keep: Callable[[str, Outcome], None],
    ) -> None:
        """Pose an exercise, print its result in one line, and on Enter the explanation.

        ``title``: its heading. ``keep`` receives the result before the next question.
        """
        self._head(exercise, number, count, title)
        print_exercise(self.console, self.texts, exercise)
        answers: list[Answered] = []
        for part in exercise.parts:
            answers.append(self._part(part))
            if answers[-1].credit is None:
                answers += [Answered(None, None)] * (len(exercise.parts) - len(answers))
                break
        outcome = Outcome(tuple(one.credit for one in answers))
        apart = self._verdict(exercise, answers, outcome)
        keep(exercise.topic, outcome)
        if self._line(Text(self._text(say("talk.why")), "dim")).casefold() in NEXT:
            return
        print_lines(self.console, self.texts, apart, None)
        for passage in exercise.explanation:
            print_passage(self.console, self.texts, passage)
        if number < count:
            self._line(Text(self._text(say("talk.goes_on")), "dim"))

    def _head(self, exercise: Exercise, number: int, count: int, title: Sentence) -> None:
        """The number of the exercise, without its topic, which could give the answer away."""
        where = f"{self._text(say('talk.head', number=number, count=count))} · {self._text(title)}"
        self.console.print()
        self.console.rule(Text(where, "bold"), style="dim", align="left")
        if exercise.origin is not None:
            self.console.print(Text(self._text(exercise.origin), "dim"))

    def _part(self, part: Part) -> Answered:
        """The answer to a part, or that the learner does not know."""
        prompt = Text()
        if part.label is not None:
            prompt.append_text(wording(self.texts, part.label)).append(" ")
        prompt.append(f"({self._text(part.answer.how)})", "cyan").append(" › ", "bold")
        while True:
            typed = self._line(prompt)
            if typed in GIVE_UP:
                return Answered(None, None)
            try:
                if typed:
                    return Answered(typed, part.answer.credit(typed))
                self.console.print(Text(self._text(say("talk.empty")), "yellow"))
            except UnclearAnswer as unclear:
                self.console.print(wording(self.texts, unclear.sentence, "yellow"))

    def _verdict(self, exercise: Exercise, answers: Sequence[Answered], outcome: Outcome) -> Sequence[Line]:
        """Print one line: right or wrong by sign, word and colour, the right answer, the first mistake.

        Returns the rest of the remarks.
        """
        kind, sign, style = verdict(outcome)
        percent = round(100 * (outcome.credit or 0.0))
        said = Text(f"{sign} {self._text(say(kind, percent=percent))}", f"bold {style}")
        apart: list[Line] = []
        for part, answered in zip(exercise.parts, answers, strict=True):
            if answered.credit == 1:
                continue
            if part.label is not None:
                said.append("  ").append_text(wording(self.texts, part.label))
            said.append("  ").append_text(wording(self.texts, part.answer.right, "bold"))
            if answered.text is not None:
                apart += part.answer.apart(answered.text)
        if apart:
            said.append("  ").append_text(line_text(self.texts, apart[0]))
        self.console.print(Flowing(said))
        return apart[1:]

    def _end(self, done: Sequence[tuple[str, Outcome]]) -> None:
        """Print the result of the session."""
        if not done:
            return
        credits = [outcome.credit for _, outcome in done if outcome.credit is not None]
        self.console.print()
        if credits:
            earned = say("talk.end", earned=_number(sum(credits)), count=len(credits))
            self.console.print(Text(self._text(earned), "bold"))
        if unknown := sum(not outcome.is_known for _, outcome in done):
            self.console.print(Text(self._text(say("talk.unknown_end", count=unknown))))
        weak = dict.fromkeys(topic for topic, outcome in done if not outcome.is_right)
        for topic in weak:
            self.console.print(Padding(self._text(say("talk.weak", topic=title(topic))), (0, 0, 0, 2)))

    def _line(self, prompt: Text) -> str:
        typed = self.console.input(prompt).strip()
        if typed.casefold() in QUIT:
            raise Quit
        return typed

    def _text(self, value: Value) -> str:
        return self.texts.text(value)


_BAR: Final = 12
"""The width of a level's bar in cells."""

_STYLES: Final = {
    "talk.wrong": ("✗", "red"),
    "talk.partly": ("~", "yellow"),
    "talk.right": ("✓", "green"),
    "talk.unknown": ("?", "cyan"),
    "talk.so_far": ("?", "cyan"),
}


def verdict(outcome: Outcome) -> tuple[str, str, str]:
    """The message, sign and terminal colour for a result."""
    kind = outcome.verdict
    return (kind, *_STYLES[kind])


def _number(value: float) -> str:
    """The number with at most two decimals: credits are quarters and thirds."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def level_named(typed: str) -> Level | None:
    """A level by its number or its id."""
    if typed.isdecimal() and 1 <= int(typed) <= len(LADDER):
        return LADDER[int(typed) - 1]
    return LEVELS.get(typed.casefold())


def print_statistics(console: Console, texts: Texts, progress: Progress, at: datetime) -> None:
    """Print for each topic the answers, their credit, and when it comes again."""
    if not progress.topics:
        console.print(texts.text(say("stats.none")))
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head, justify in (("topic", "left"), ("answers", "right"), ("right", "right"), ("next", "left")):
        table.add_column(
            texts.text(Sentence(f"stats.{head}")), justify="right" if justify == "right" else "left"
        )
    for level in LADDER:
        mine = {name: one for name, one in progress.topics.items() if name.startswith(f"{level.id}.")}
        if not mine:
            continue
        answers, credit = sum(one.answers for one in mine.values()), sum(one.credit for one in mine.values())
        table.add_row(
            Text(texts.text(level.title), "bold"),
            Text(str(answers), "bold"),
            _percent(credit / answers if answers else None),
            "",
        )
        for name, one in sorted(mine.items(), key=lambda item: item[1].share or 0.0):
            known = _percent(one.share)
            table.add_row(f"  {texts.text(title(name))}", str(one.answers), known, texts.text(_next(one, at)))
    console.print(table)


_WEAK: Final = 0.6
_GOOD: Final = 0.85


def _percent(share: float | None) -> Text:
    if share is None:
        return Text("–")
    return Text(f"{share:.0%}", "red" if share < _WEAK else "green" if share >= _GOOD else "yellow")


def _next(known: Known, at: datetime) -> Sentence:
    """When the topic comes again."""
    if is_due(known, at):
        return say("stats.now")
    days = (known.card.due - at).days
    return say("stats.days", days=days) if days else say("stats.today")
