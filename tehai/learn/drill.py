"""The command ``tehai learn``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from random import Random, SystemRandom
from typing import Concatenate, Final, ParamSpec

from rich.console import Console
from rich.text import Text

from scorer.telling.sentence import Sentence, say
from tehai.errors import Mistake
from tehai.hand.scoring import is_terminal
from tehai.learn.bench import Bench
from tehai.learn.classroom import print_class
from tehai.learn.course import CourseStep
from tehai.learn.errors import DrillError
from tehai.learn.exercise import Exercise, Setting
from tehai.learn.handout import handout
from tehai.learn.levels import LEVELS, topics, topics_of
from tehai.learn.own_files import read_own
from tehai.learn.own_hands import OwnHands
from tehai.learn.pages import Page, course, pages
from tehai.learn.progress import Progress, default_path, export, reset, take_in
from tehai.learn.schedule import for_class
from tehai.learn.sheet import key, page
from tehai.learn.show import has_colours
from tehai.learn.terminal_drill import Quit, TerminalDrill, level_named, now, print_statistics
from tehai.learn.texts import Texts
from tehai.settings.options import known_language, rule_set, vocabulary
from tehai.settings.preferences import rules_or_default

_LARGEST_SEED: Final = 9999


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options of the command. ``seed``: None for random exercises."""

    level: str | None = None
    lesson: str | None = None
    count: int = 10
    seed: int | None = None
    source: str | None = None
    rules: str | None = None
    terms: str | None = None
    language: str = "en"
    fu_for_limits: bool = False
    counters: bool = False

    def setting(self, colours: bool = True) -> Setting:
        """The setting of the exercises. Raises :class:`Mistake` for unknown rules, terms or language."""
        known_language(self.language)
        preset = rules_or_default(self.rules)
        rules, words = rule_set(preset), vocabulary(self.terms)
        if rules.players == 3:
            raise Mistake(
                f"The drills are of four players, and {rules.name} is of three: name other --rules."
            )
        if self.language == "ja":
            rules = replace(rules, words="kanji")  # as the lessons, whose sentences explain the answers
        elif words is not None:
            rules = replace(rules, words=words.name)
        return Setting(rules, preset, self.language, self.fu_for_limits, self.counters, colours)

    def level_id(self) -> str | None:
        """The chosen level. Raises :class:`DrillError` for an unknown one."""
        if self.level is None:
            return None
        found = level_named(self.level.strip())
        if found is None:
            raise DrillError("trouble.level", levels=", ".join(LEVELS), typed=self.level)
        return found.id

    def page(self) -> Page | None:
        """The chosen short lesson. Raises :class:`DrillError` for an unknown one."""
        if self.lesson is None:
            return None
        typed, read = self.lesson.strip(), course()
        if typed.isdecimal() and 1 <= int(typed) <= len(read):
            return read[int(typed) - 1]
        if typed not in pages():
            raise DrillError("trouble.lesson", typed=typed)
        return pages()[typed]

    def own(self, random: Random) -> OwnHands:
        return OwnHands() if self.source is None else read_own(self.source, random)


P = ParamSpec("P")
Door = Callable[Concatenate[Console, Wanted, P], None]


def _in_words(door: Door[P]) -> Door[P]:
    """The function, with drill errors as :class:`Mistake` in the chosen language."""

    @wraps(door)
    def door_in_words(console: Console, wanted: Wanted, /, *args: P.args, **more: P.kwargs) -> None:
        try:
            door(console, wanted, *args, **more)
        except DrillError as trouble:
            raise Mistake(_texts(wanted.setting()).text(trouble.sentence)) from None

    return door_in_words


@_in_words
def drills(console: Console, wanted: Wanted) -> None:
    """A session on the terminal. Raises :class:`Mistake` if it is impossible."""
    setting, level, lesson = wanted.setting(has_colours(console)), wanted.level_id(), wanted.page()
    progress = Progress.load(default_path())
    if not is_terminal():
        raise DrillError("trouble.terminal")
    random = Random(wanted.seed) if wanted.seed is not None else SystemRandom()
    bench = Bench(setting, random, wanted.own(random))
    talk = TerminalDrill(console, _texts(setting), bench, progress, adapts=wanted.seed is None)
    with suppress(Quit, EOFError, KeyboardInterrupt):
        if lesson is not None:
            talk.lesson(lesson)
            talk.taught.update(name.partition(".")[0] for name in topics_of(lesson, setting))
        if wanted.seed is not None:
            talk.drill(wanted.count, iter(_for_class(wanted, setting, random)))
        elif lesson is not None:
            talk.drill(wanted.count, talk.by_schedule(topics_of(lesson, setting)))
        else:
            chosen = level or talk.choose()
            if isinstance(chosen, CourseStep):
                talk.course(chosen)
            else:
                talk.drill(wanted.count, talk.by_schedule(topics(setting, chosen)))


@_in_words
def sheet(console: Console, wanted: Wanted, out: Path) -> None:
    """Write the page to ``out``, with its key beside it, and report both."""
    setting = wanted.setting()
    seed = wanted.seed if wanted.seed is not None else SystemRandom().randint(1, _LARGEST_SEED)
    random = Random(seed)
    bench = Bench(setting, random, wanted.own(random))
    exercises = list(_exercises(bench, _for_class(wanted, setting, random)))
    texts = _texts(setting)
    about = say(
        "sheet.about", rules=setting.rules.named(wanted.language), count=len(exercises), seed=str(seed)
    )
    answers = out.with_name(f"{out.stem}-key{out.suffix}")
    try:
        out.write_text(page(texts, exercises, about, wanted.page()), encoding="utf-8")
        answers.write_text(key(texts, exercises, about), encoding="utf-8")
    except OSError as reason:
        raise DrillError("trouble.page", path=str(out), reason=str(reason.strerror)) from None
    console.print(texts.text(say("sheet.written", page=str(out), key=str(answers))), soft_wrap=True)


@_in_words
def lessons(console: Console, wanted: Wanted) -> None:
    """Print the short lessons with their names and numbers."""
    texts = _texts(wanted.setting())
    for number, one in enumerate(course(), 1):
        console.print(
            Text.assemble((f"{number:2} ", "cyan"), (f"{one.id:10} ", "dim"), texts.text(one.title))
        )


@_in_words
def statistics(console: Console, wanted: Wanted) -> None:
    """Print what the learner knows of each topic."""
    print_statistics(console, _texts(wanted.setting()), Progress.load(default_path()), now())


@_in_words
def begin_anew(console: Console, wanted: Wanted) -> None:
    """Move the progress to a backup file and start again."""
    aside = reset(default_path())
    outcome = Sentence("reset.none") if aside is None else say("reset.aside", path=str(aside))
    console.print(_texts(wanted.setting()).text(outcome), soft_wrap=True)


@_in_words
def class_table(console: Console, wanted: Wanted, folder: Path) -> None:
    """Print the progress of each pupil of a class."""
    print_class(console, _texts(wanted.setting()), folder)


@_in_words
def export_progress(console: Console, wanted: Wanted, out: Path) -> None:
    """Write the progress to a file, for another machine or the teacher."""
    export(default_path(), out)
    console.print(_texts(wanted.setting()).text(say("progress.written", path=str(out))), soft_wrap=True)


@_in_words
def import_progress(console: Console, wanted: Wanted, file: Path) -> None:
    """Add the progress of a file to the user's."""
    many = take_in(default_path(), file)
    console.print(_texts(wanted.setting()).text(say("progress.taken", count=many)), soft_wrap=True)


@_in_words
def print_handout(console: Console, wanted: Wanted, out: Path) -> None:
    """Write the yaku and the points of the rules to two pages."""
    setting = wanted.setting()
    texts = _texts(setting)
    try:
        out.write_text(handout(texts, setting.rules), encoding="utf-8")
    except OSError as reason:
        raise DrillError("trouble.page", path=str(out), reason=str(reason.strerror)) from None
    console.print(texts.text(say("handout.written", path=str(out))), soft_wrap=True)


def _texts(setting: Setting) -> Texts:
    return Texts(setting.language, setting.rules.words, setting.rules.own_yaku)


def _for_class(wanted: Wanted, setting: Setting, random: Random) -> list[str]:
    """Topics that are equal for everybody, common ones first: those of the chosen lesson, the ladder, or all
    of the chosen level."""
    level, lesson = wanted.level_id(), wanted.page()
    if lesson is not None:
        return for_class(topics_of(lesson, setting), wanted.count, random)
    first = topics(setting, level, rest=False)
    every = topics(setting, level) if level is not None else first
    return for_class(first, wanted.count, random, every[len(first) :])


def _exercises(bench: Bench, order: list[str]) -> Iterator[Exercise]:
    for topic in order:
        yield bench.exercise(topic)
