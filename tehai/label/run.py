"""``tehai label DIR``: read every photo of a folder once, into the journal."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from tehai.doctor import models
from tehai.errors import Mistake
from tehai.label import duplicates, journal
from tehai.label.address import Address, listed
from tehai.label.files import Readable, content, unopened
from tehai.label.journal import Conflict, Entry, Journal, Line, Report, digests, now
from tehai.label.labeller import PhotoResult
from tehai.label.photo_files import Passed
from tehai.label.workers import Job, crew, read_all, stoppable
from tehai.output.join import plural, printable

_NAMED = 5
"""How many unreadable files the summary names."""


@dataclass(slots=True)
class Tally:
    """The result of a run. ``kept``: files that needed no reading. ``completed``: photos that got their key
    points. ``passed``: folders that could not be entered."""

    read: int = 0
    tiles: int = 0
    kept: int = 0
    completed: int = 0
    unreadable: dict[str, str] = field(default_factory=dict)
    passed: Passed = field(default_factory=Passed)
    seconds: float = 0.0
    stopped: bool = False


ENGINES: Final = ("processes", "ray")
"""What reads the photos: processes of this machine, or the workers of a Ray cluster."""


def label(
    folder: Path | Address, to: Path | None, workers: int | None, say: Report, engine: str = ENGINES[0]
) -> Tally:
    """Bring the journal of a folder up to date.

    Raises :class:`Mistake` if the folder or the journal is unusable, or there is no photo. The same if
    another run is active, the engine is not installed, or the disk is full. Finished photos stay in the
    journal.
    """
    if engine not in ENGINES:
        raise Mistake(f"There is no engine {engine}; there are {', '.join(ENGINES)}.")
    if isinstance(folder, Address) and engine != "ray":
        raise Mistake(f"{folder} is an address, which Ray reads; add --engine ray.")
    known = {path.stem: {"name": path.name, "sha256": sha256} for path, sha256 in _digests().items()}
    file = journal.place(folder, to)
    passed = Passed()
    found = listed(folder, passed)
    start = monotonic()
    with ExitStack() as stack:
        if engine == "ray":
            from tehai.label import cluster

            stack.enter_context(cluster.joined())
        if not found and not file.exists() and passed == Passed():
            raise Mistake(f"There are no photos in {folder}: name a folder with JPEG, PNG, WebP or HEIC.")
        opened = stack.enter_context(journal.writing(file, folder))
        stack.enter_context(journal.alone(file))
        if opened.repaired:
            say(opened.repaired)
        stopped = stack.enter_context(stoppable(say))
        bar = stack.enter_context(_bar())
        task = bar.add_task("", total=len(found), rate="")
        run = Run(
            opened, folder, known, lambda: bar.update(task, total=_left(bar, task)), Tally(passed=passed)
        )
        if engine == ENGINES[0]:
            run.without_points = duplicates.without_points(opened)
        for job, result in run.results(found, engine, workers, stopped):
            run.take(job, result)
            bar.update(task, advance=1, rate=_rate(bar.tasks[task].speed))
        tally = run.tally
        tally.seconds, tally.stopped = monotonic() - start, stopped()
        if not tally.stopped:
            run.forget(found)
        for sentence in _summary(tally, opened):
            say(sentence)
    return tally


def digest(file: Readable) -> str:
    """SHA-256 of a file's bytes. Raises OSError."""
    return hashlib.sha256(content(file)).hexdigest()


def _digests() -> dict[Path, str]:
    return {model.path: model.sha256 for model in models()}


@dataclass(slots=True)
class Run:
    """One run of labelling: the photos to read, and the results.

    ``claimed``: the paths of each content that a worker is reading. ``failed``: content that is no photo,
    with the reason. ``fresh``: content read in this run. ``without_points``: photos of older journals without
    key points; this run adds them.
    """

    journal: Journal
    folder: Path | Address
    models: dict[str, dict[str, str]]
    skip: Callable[[], None]
    tally: Tally = field(default_factory=Tally)
    claimed: dict[str, list[str]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)
    without_points: set[str] = field(default_factory=set)

    def results(
        self, listed: Sequence[str], engine: str, workers: int | None, stopped: Callable[[], bool]
    ) -> Iterator[tuple[Job, PhotoResult]]:
        """Each photo with its result, for :meth:`take`."""
        if engine == "ray":
            from tehai.label import cluster

            settled = [sha256 for sha256, entry in self.journal.index.photos.items() if self._settled(entry)]
            # Only the workers are near the photos: what a content is, and whether it is known, they find out.
            folder = self.folder.absolute() if isinstance(self.folder, Path) else self.folder
            jobs = [Job(path, folder / path, None) for path in listed]
            return cluster.read_all(jobs, workers, settled, stopped)
        return read_all(self.jobs(listed), crew(workers), stopped)

    def jobs(self, listed: Iterable[str]) -> Iterator[Job | None]:
        """The photos to read; None for each file that needs no reading."""
        for path in listed:
            job = self._job(path)
            if job is None:
                self.skip()
            yield job

    def _job(self, path: str) -> Job | None:
        file = self.folder / path
        try:
            sha256 = digest(file)
        except OSError as reason:
            self._fail(path, None, unopened(reason))
            return None
        if sha256 in self.failed:
            self._fail(path, sha256, self.failed[sha256])
            return None
        if sha256 in self.claimed:
            self.claimed[sha256].append(path)
            return None
        if self._known(path, sha256):
            if sha256 not in self.without_points:
                return None
            self.without_points.remove(sha256)
            return Job(path, file, sha256, known=True)
        self.claimed[sha256] = [path]
        return Job(path, file, sha256)

    def _known(self, path: str, sha256: str) -> bool:
        """Whether this content, at ``path``, needs no reading."""
        entry = self.journal.index.photos.get(sha256)
        if entry is None:
            return False
        self._place(path, sha256)
        self.tally.kept += self._settled(entry) and sha256 not in self.fresh
        return self._settled(entry)

    def _settled(self, entry: Entry) -> bool:
        """Whether a photo needs no reading: a person or these models have labelled it, or its predictions
        were imported."""
        return entry.touched or entry.models == digests(self.models) or "" in entry.models

    def forget(self, listed: Iterable[str]) -> None:
        """Record which paths are gone, as far as folders could be listed. Their photos stay in the journal,
        and are recognised at another path."""
        for path in sorted(set(self.journal.index.paths).difference(listed)):
            if not self.tally.passed.hides(path):
                self.journal.append({"kind": "gone", "path": path})

    def take(self, job: Job, result: PhotoResult) -> None:
        """Append the result of a photo."""
        sha256 = job.sha256 or result.sha256
        if job.known:
            self._complete(job, result)
            return
        if job.sha256 is None and sha256 is not None and self._known(job.path, sha256):
            return
        paths = self.claimed.pop(job.sha256) if job.sha256 else [job.path]
        if result.facts is None or sha256 is None:
            if sha256 is not None:
                self.failed[sha256] = result.message
            for path in paths:
                self._fail(path, sha256, result.message)
            return
        if result.sha256 != sha256:
            paths = paths[:1]  # the file was changed a moment ago: what it holds now was read
        self._add({"sha256": result.sha256, "path": job.path, **result.facts})
        for path in paths[1:]:
            self._place(path, sha256)

    def _complete(self, job: Job, result: PhotoResult) -> None:
        """Append a revision with the key points of a photo. All else stays, its author and time included."""
        if job.sha256 is None or result.sha256 != job.sha256 or result.facts is None:
            return  # the file has gone or changed this moment: the next run sees to it
        line = self.journal.photo(job.sha256)
        revision = line["revision"]
        try:
            self.journal.append({**line, **result.facts, "revision": revision + 1}, after=revision)
        except Conflict:
            return  # as soon as nobody is at work on it
        self.tally.completed += 1

    def _add(self, photo: Line) -> None:
        sha256 = photo["sha256"]
        entry = self.journal.index.photos.get(sha256)
        revision = entry.revision if entry else 0
        review = {"state": "unreviewed", "by": "models", "at": now()}
        line = {"kind": "photo", "revision": revision + 1, **photo, "models": self.models, "review": review}
        try:
            self.journal.append(line, after=revision)
        except Conflict:
            return  # somebody has reviewed it in the meantime, and knows better
        self.fresh.add(sha256)
        self.tally.read += 1
        self.tally.tiles += len(photo["tiles"])

    def _place(self, path: str, sha256: str) -> None:
        index = self.journal.index
        if index.paths.get(path) != sha256 or path in index.unreadable:
            self.journal.append({"kind": "place", "path": path, "sha256": sha256})

    def _fail(self, path: str, sha256: str | None, message: str) -> None:
        self.tally.unreadable[path] = message
        index = self.journal.index
        if index.unreadable.get(path) != message or index.paths.get(path) != sha256:
            self.journal.append({"kind": "unreadable", "path": path, "sha256": sha256, "message": message})


def _bar() -> Progress:
    """A progress bar with the photos done, photos a second and time left; only if standard error is a
    terminal."""
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def _left(bar: Progress, task: TaskID) -> float:
    return (bar.tasks[task].total or 1) - 1


def _rate(speed: float | None) -> str:
    return f"{speed:.1f} photos/s" if speed else ""


def _summary(tally: Tally, journal: Journal) -> Iterator[str]:
    """The result of the run in sentences."""
    before = f"; {plural(tally.kept, 'file')} had been read before" if tally.kept else ""
    rate = f", {tally.read / tally.seconds:.1f} a second" if tally.read and tally.seconds else ""
    if not journal.index.paths:
        yield "There are no photos: JPEG, PNG, WebP and HEIC files are read, in all folders below."
    yield (
        f"Read {plural(tally.read, 'photo')} with {plural(tally.tiles, 'tile')} "
        f"in {tally.seconds:.0f} s{rate}{before}. The labels are in {printable(str(journal.file))}."
    )
    if tally.completed:
        yield (
            f"{plural(tally.completed, 'photo')} that an earlier tehai had read got their points: copies of "
            "them are found now."
        )
    if tally.unreadable:
        yield f"{plural(len(tally.unreadable), 'file')} cannot be read:"
        for path, message in list(tally.unreadable.items())[:_NAMED]:
            yield f"  {printable(path)}: {message}"
        if len(tally.unreadable) > _NAMED:
            yield f"  and {len(tally.unreadable) - _NAMED} more; tehai stats lists them all."
    for folder, why in tally.passed.unlisted.items():
        yield (
            f"The folder {printable(folder)} cannot be listed ({why}): what it held before is kept as it "
            "was; check its permissions."
        )
    for folder in tally.passed.exports:
        yield f"The folder {printable(folder)} is an export of tehai: its pictures are copies, and not read."
    if tally.stopped:
        yield "Stopped before the end; the same command goes on."
        return
    copies = sum(len(paths) - 1 for paths in duplicates.exact(journal.index))
    near = duplicates.near(journal)
    found = [plural(copies, "exact copy", "exact copies") + " of another file"] if copies else []
    if near:
        found.append(f"{plural(sum(map(len, near)), 'photo')} nearly alike in {plural(len(near), 'group')}")
    if found:
        yield f"{', '.join(found)}; tehai stats lists them."
