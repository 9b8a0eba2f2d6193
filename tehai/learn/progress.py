"""A learner's progress, in one small file of the platform's data folder.

Each answer writes a new file and replaces the old one, so one of them always exists. A file that cannot be
parsed is never overwritten.
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
from typing import Any

from platformdirs import user_data_path

from tehai.learn.errors import DrillError
from tehai.learn.knowledge import Known, Newer, of_record, to_record


def default_path() -> Path:
    """The file of this user's progress."""
    return user_data_path("tehai") / "learn.json"


@dataclass(slots=True)
class Progress:
    """A learner's progress by topic, and the file in which it is kept."""

    path: Path
    topics: dict[str, Known] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Progress:
        """Read a file; no progress if it does not exist. Raises :class:`DrillError` for an invalid one."""
        return cls(path, _read(path))

    def record(self, topic: str, credit: float | None, now: datetime, *, known: bool = True) -> None:
        """Add one answer (:meth:`Known.after`) and save it. Raises :class:`DrillError` if that fails.

        It first reads what another session has saved, so that nothing is lost.
        """
        topics = {**self.topics, **_read(self.path)}
        self.topics = {**topics, topic: Known.after(topics.get(topic), credit, now, known=known)}
        _write(self.path, to_record(self.topics))


def reset(path: Path) -> Path | None:
    """Start again: move the progress to a backup file and return its path; None if there was no progress.

    Raises :class:`DrillError` if that fails.
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


def export(path: Path, out: Path) -> None:
    """Write the progress to a file that :func:`take_in` and the page can read.

    Raises :class:`DrillError`.
    """
    record = to_record(_read(path))
    try:
        _replace(out, record)
    except OSError as reason:
        raise DrillError("trouble.page", path=str(out), reason=str(reason.strerror)) from None


def take_in(path: Path, file: Path) -> int:
    """Add the progress of such a file. Of a topic in both, the one with more answers stays.

    Returns the number of its topics. Raises :class:`DrillError` for an invalid file.
    """
    if not file.exists():
        raise DrillError("trouble.no_progress_at", path=str(file))
    here, there = _read(path), exported(file)
    more = {id_: one for id_, one in there.items() if id_ not in here or here[id_].answers < one.answers}
    _write(path, to_record({**here, **more}))
    return len(more)


def exported(file: Path) -> dict[str, Known]:
    """The knowledge in a file of :func:`export`. Raises :class:`DrillError` for an invalid file."""
    try:
        return _read(file)
    except DrillError:
        raise DrillError("trouble.no_progress", path=str(file)) from None


def _read(path: Path) -> dict[str, Known]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except OSError as reason:
        raise DrillError("trouble.unread", path=str(path), reason=str(reason.strerror)) from None
    except UnicodeDecodeError:
        raise DrillError("trouble.broken", path=str(path)) from None
    try:
        return of_record(json.loads(text))
    except Newer:
        raise DrillError("trouble.newer", path=str(path)) from None
    except (ValueError, RecursionError):
        raise DrillError("trouble.broken", path=str(path)) from None


def _write(path: Path, record: Mapping[str, Any]) -> None:
    try:
        _replace(path, record)
    except OSError as reason:
        raise _unkept(path, reason) from None


def _replace(path: Path, record: Mapping[str, Any]) -> None:
    """Write a new file, then replace the old one. Raises OSError."""
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


def _unkept(path: Path, reason: OSError) -> DrillError:
    return DrillError("trouble.unkept", path=str(path.parent), reason=str(reason.strerror))
