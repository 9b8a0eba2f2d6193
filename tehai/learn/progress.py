"""What a learner knows, kept in one small file of the platform's data folder.

The file is written anew in whole and put in the place of the old one, after each answer: whatever happens,
one of the two is there. One that cannot be understood is never written over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

from fsrs import Card, Rating, Scheduler
from platformdirs import user_data_path

from tehai.learn.trouble import Trouble

VERSION: Final = 1

_RATINGS: Final = ((1.0, Rating.Good), (0.5, Rating.Hard), (0.0, Rating.Again))
"""What an answer that earned at least so much tells the schedule."""

# without fuzz, so that the same answers give the same schedule
_SCHEDULER: Final = Scheduler(enable_fuzzing=False)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one topic: how many answers, what they earned together and the last; its card."""

    answers: int
    credit: float
    last: float
    card: Card

    @classmethod
    def after(cls, before: Known | None, credit: float, now: datetime) -> Known:
        """With one more answer."""
        card = before.card if before else Card(card_id=0, due=now)
        rating = next(rating for least, rating in _RATINGS if credit >= least)
        card, _ = _SCHEDULER.review_card(card, rating, now)
        answers, earned = (before.answers, before.credit) if before else (0, 0.0)
        return cls(answers + 1, earned + credit, credit, card)

    def to_record(self) -> dict[str, Any]:
        return {
            "answers": self.answers,
            "credit": round(self.credit, 3),
            "last": round(self.last, 3),
            "card": self.card.to_dict(),
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Known:
        """The inverse of :meth:`to_record`. Raises what a wrong record makes it raise."""
        known = cls(
            int(record["answers"]),
            float(record["credit"]),
            float(record["last"]),
            Card.from_dict(record["card"]),
        )
        if known.answers < 1 or not 0 <= known.credit <= known.answers or known.card.due.tzinfo is None:
            raise ValueError("numbers that cannot be")
        return known


def default_path() -> Path:
    """Where progress is kept for this user."""
    return user_data_path("tehai") / "learn.json"


@dataclass(slots=True)
class Progress:
    """A learner's progress by topic, and the file in which it is kept."""

    path: Path
    topics: dict[str, Known] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Progress:
        """What the file holds, nothing where there is none. Raises :class:`Trouble` for nonsense."""
        return cls(path, _read(path))

    def record(self, topic: str, credit: float, now: datetime) -> None:
        """One more answer, kept at once. Raises :class:`Trouble` where it cannot be.

        What another session has kept in the meantime is read first, so that nothing of it is lost.
        """
        topics = {**self.topics, **_read(self.path)}
        self.topics = {**topics, topic: Known.after(topics.get(topic), credit, now)}
        _write(
            self.path,
            {"version": VERSION, "topics": {id_: one.to_record() for id_, one in self.topics.items()}},
        )


def reset(path: Path) -> Path | None:
    """Begin anew: what was kept is put aside, and where is told; None where there was nothing.

    Raises :class:`Trouble` where it cannot be put aside.
    """
    if not path.exists():
        return None
    number = 1
    while (aside := path.with_name(f"{path.stem}-{number}.json")).exists():
        number += 1
    try:
        path.rename(aside)
    except OSError as reason:
        raise _unkept(path, reason) from None
    return aside


def _read(path: Path) -> dict[str, Known]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except OSError as reason:
        raise Trouble("trouble.unread", path=str(path), reason=str(reason.strerror)) from None
    except UnicodeDecodeError:
        raise Trouble("trouble.broken", path=str(path)) from None
    try:
        record = json.loads(text)
        version = record["version"]
        if isinstance(version, int) and version > VERSION:
            raise Trouble("trouble.newer", path=str(path))
        if version != VERSION:
            raise ValueError("no version")
        return {str(id_): Known.of(one) for id_, one in record["topics"].items()}
    except Trouble:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise Trouble("trouble.broken", path=str(path)) from None


def _write(path: Path, record: Mapping[str, Any]) -> None:
    """Write beside it, then put it in its place."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, suffix=".tmp", delete=False) as file:
            beside = Path(file.name)
            try:
                json.dump(record, file, ensure_ascii=False, indent=1)
                file.flush()
                os.fsync(file.fileno())
                file.close()
                beside.replace(path)
            except OSError:
                with suppress(OSError):
                    beside.unlink()
                raise
    except OSError as reason:
        raise _unkept(path, reason) from None


def _unkept(path: Path, reason: OSError) -> Trouble:
    return Trouble("trouble.unkept", path=str(path.parent), reason=str(reason.strerror))
