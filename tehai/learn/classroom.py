"""A table of a class: a folder with a file of progress for each pupil."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scorer.telling.sentence import say
from tehai.learn.course import steps
from tehai.learn.errors import DrillError
from tehai.learn.knowledge import Known
from tehai.learn.levels import LEVELS, title
from tehai.learn.progress import exported
from tehai.learn.texts import Texts

_WORST: Final = 3
"""The number of weak topics to name for each pupil."""

_GOOD: Final = 0.85
"""The average credit from which a topic is not weak."""


@dataclass(frozen=True, slots=True)
class Pupil:
    """``name``: the name of the file. ``topics``: what the pupil knows of each topic."""

    name: str
    topics: Mapping[str, Known]

    @property
    def worst(self) -> tuple[str, ...]:
        """The topics with the least credit, in order."""
        shares = {id_: one.share for id_, one in self.topics.items() if id_.partition(".")[0] in LEVELS}
        weak = [(share, id_) for id_, share in shares.items() if share is not None and share < _GOOD]
        return tuple(id_ for _, id_ in sorted(weak)[:_WORST])


def pupils(folder: Path) -> Iterator[Pupil]:
    """The pupils of a folder by name. Raises :class:`DrillError` without a file, and for a file that is no
    progress."""
    files = sorted(folder.glob("*.json")) if folder.is_dir() else []
    if not files:
        raise DrillError("trouble.no_class", path=str(folder))
    for file in files:
        yield Pupil(file.stem, exported(file))


def print_class(console: Console, texts: Texts, folder: Path) -> None:
    """Print a row for each pupil, a column for each step of the course, and the weakest topics."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(texts.text(say("class.pupil")), no_wrap=True)
    for step in steps():
        table.add_column(str(step.number), justify="center")
    table.add_column(texts.text(say("class.worst")))
    for pupil in pupils(folder):
        done = (Text("✓", "green") if step.topic in pupil.topics else Text("·", "dim") for step in steps())
        worst = " · ".join(texts.text(title(id_)) for id_ in pupil.worst)
        table.add_row(pupil.name, *done, worst)
    console.print(table)
    for step in steps():
        console.print(Text(f"{step.number:2} {texts.text(step.title)}", "dim"))
