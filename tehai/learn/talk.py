"""Drills on the terminal: a question, the answer, why; again, until enough or ``q``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scorer.telling.sentence import Sentence, Value, say
from tehai.learn.bench import Bench
from tehai.learn.exercise import Exercise, Part
from tehai.learn.levels import LADDER, LEVELS, Level, title, topics
from tehai.learn.progress import Known, Progress
from tehai.learn.schedule import is_due, is_learnt, next_topic
from tehai.learn.show import print_exercise, print_passage
from tehai.learn.texts import Texts
from tehai.learn.trouble import Unclear
from tehai.terminal.lesson import wording

QUIT: Final = ("q", "quit", "exit", "終")
GIVE_UP: Final = ("?", "？")

Clock = Callable[[], datetime]


def now() -> datetime:
    """The time of the schedule."""
    return datetime.now(UTC)


class Quit(Exception):
    """The learner has had enough."""


@dataclass(slots=True)
class Talk:
    """A sitting of one learner. ``clock``: the time of the schedule.

    ``adapts``: whether what was wrong before comes with a hand dealt for it, and not as for everybody.
    """

    console: Console
    texts: Texts
    bench: Bench
    progress: Progress
    adapts: bool = True
    clock: Clock = now

    def choose(self) -> str | None:
        """The levels with what is known of them; the one chosen, or None for what is due next.

        Raises :class:`Quit` where none is wanted.
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
        self.console.print(Text(self._text(say("menu.title")), "bold"))
        self.console.print(Padding(table, (0, 0, 0, 2)))
        prompt = Text.assemble((self._text(say("menu.prompt", last=len(LADDER))), "bold"), " › ")
        while True:
            typed = self._line(prompt)
            if not typed:
                return None
            if chosen := level_named(typed):
                return chosen.id
            self.console.print(Text(self._text(say("menu.unclear", last=len(LADDER))), "yellow"))

    def drill(self, count: int, order: Iterator[str]) -> None:
        """So many exercises about the topics that come. Ends early where the learner has had enough."""
        earned: list[tuple[str, float]] = []
        self.console.print(Text(self._text(say("talk.help")), "dim"))
        try:
            for number in range(1, count + 1):
                topic = next(order)
                credit = self._one(topic, number, count)
                earned.append((topic, credit))
                self.progress.record(topic, credit, self.clock())
                if credit < 1 and number < count:
                    self._line(Text(self._text(say("talk.goes_on")), "dim"))
        except (Quit, EOFError, KeyboardInterrupt):
            self.console.print()
        self._end(earned)

    def by_schedule(self, level: str | None) -> Iterator[str]:
        """The topics as they are due, of one level or of all."""
        names = topics(self.bench.setting, level)
        last = None
        while True:
            last = next_topic(names, self.progress.topics, self.clock(), last)
            yield last

    def _one(self, topic: str, number: int, count: int) -> float:
        """One exercise: what it earned."""
        known = self.progress.topics.get(topic)
        wrong = known is not None and known.last < 1
        exercise = self.bench.exercise(topic, fresh=self.adapts and wrong)
        self._head(exercise, number, count)
        print_exercise(self.console, self.texts, exercise)
        earned = []
        for part in exercise.parts:
            credit = self._part(part)
            earned.append(credit or 0.0)
            if credit is None:
                break
        total = exercise.credit(earned)
        self._verdict(exercise, earned, total)
        for passage in exercise.explanation:
            print_passage(self.console, self.texts, passage)
        return total

    def _head(self, exercise: Exercise, number: int, count: int) -> None:
        """Which exercise it is; its topic would often be half of the answer."""
        level = LEVELS[exercise.topic.partition(".")[0]]
        where = f"{self._text(say('talk.head', number=number, count=count))} · {self._text(level.title)}"
        self.console.print()
        self.console.rule(Text(where, "bold"), style="dim", align="left")
        if exercise.origin is not None:
            self.console.print(Text(self._text(exercise.origin), "dim"))

    def _part(self, part: Part) -> float | None:
        """What the answer to a part earns; None where the learner would rather be told."""
        prompt = Text()
        if part.label is not None:
            prompt.append_text(wording(self.texts, part.label)).append(" ")
        prompt.append(f"({self._text(part.answer.how)})", "cyan").append(" › ", "bold")
        while True:
            typed = self._line(prompt)
            if typed in GIVE_UP:
                return None
            try:
                if typed:
                    return part.answer.credit(typed)
                self.console.print(Text(self._text(say("talk.empty")), "yellow"))
            except Unclear as unclear:
                self.console.print(wording(self.texts, unclear.sentence, "yellow"))

    def _verdict(self, exercise: Exercise, earned: list[float], total: float) -> None:
        """Right or wrong by a sign, a word and a colour; and what is right where it was not said."""
        kind, sign, style = _VERDICTS[(total > 0) + (total >= 1)]
        self.console.print(
            Text(f"{sign} {self._text(say(kind, percent=round(100 * total)))}", f"bold {style}")
        )
        if total >= 1:
            return
        for part, credit in zip(exercise.parts, [*earned, *[0.0] * len(exercise.parts)], strict=False):
            if credit < 1:
                right = wording(self.texts, part.answer.right, "bold")
                if part.label is not None:
                    right = Text.assemble(wording(self.texts, part.label), "  ", right)
                self.console.print(Padding(right, (0, 0, 0, 2)))

    def _end(self, earned: list[tuple[str, float]]) -> None:
        """What the sitting came to."""
        if not earned:
            return
        total = sum(credit for _, credit in earned)
        self.console.print()
        self.console.print(
            Text(self._text(say("talk.end", earned=_number(total), count=len(earned))), "bold")
        )
        weak = dict.fromkeys(topic for topic, credit in earned if credit < 1)
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
"""Cells of the bar of a level."""

_VERDICTS: Final = (
    ("talk.wrong", "✗", "red"),
    ("talk.partly", "~", "yellow"),
    ("talk.right", "✓", "green"),
)


def _number(value: float) -> str:
    """With the digits that it needs, two at most: points are quarters and thirds."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def level_named(typed: str) -> Level | None:
    """A level by its number or its id."""
    if typed.isdecimal() and 1 <= int(typed) <= len(LADDER):
        return LADDER[int(typed) - 1]
    return LEVELS.get(typed.casefold())


def print_statistics(console: Console, texts: Texts, progress: Progress, at: datetime) -> None:
    """What is known of each topic: answers, what they earned, when it comes again."""
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
            Text(texts.text(level.title), "bold"), Text(str(answers), "bold"), _percent(credit / answers), ""
        )
        for name, one in sorted(mine.items(), key=lambda item: item[1].credit / item[1].answers):
            known = _percent(one.credit / one.answers)
            table.add_row(f"  {texts.text(title(name))}", str(one.answers), known, texts.text(_next(one, at)))
    console.print(table)


_WEAK: Final = 0.6
_GOOD: Final = 0.85


def _percent(share: float) -> Text:
    return Text(f"{share:.0%}", "red" if share < _WEAK else "green" if share >= _GOOD else "yellow")


def _next(known: Known, at: datetime) -> Sentence:
    """When the topic comes again."""
    if is_due(known, at):
        return say("stats.now")
    days = (known.card.due - at).days
    return say("stats.days", days=days) if days else say("stats.today")
