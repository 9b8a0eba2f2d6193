"""Read photos with several processes at once."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tehai.errors import Mistake

if TYPE_CHECKING:
    from types import FrameType

    from tehai.label.address import Address
    from tehai.label.files import Readable
    from tehai.label.labeller import Labeller, PhotoResult

WORKER_BYTES: Final = 400_000_000
"""Memory for a worker in bytes: with a PNG of 12 megapixels it uses 335 MB, with a JPEG 190."""

BREAKS: Final = 5
"""Workers that may die one after another, without a photo read in between, before the run gives up."""

DYING: Final = (
    "The processes that read die one after another, perhaps for want of memory; "
    "try fewer of them with --workers 1."
)
FALLEN: Final = "reading it brought the reading process down."
"""The reason in the journal for a photo that kills its worker twice."""


@dataclass(frozen=True, slots=True)
class Job:
    """A photo to read: its path in the journal, its place, and the hash of its content.

    The hash is None if only the worker can read the file. ``known``: the photo was read before and only needs
    its key points.
    """

    path: str
    file: Path | Address
    sha256: str | None
    known: bool = False


@dataclass(frozen=True, slots=True)
class Crew:
    """``workers`` processes, whose networks use ``threads`` threads each."""

    workers: int
    threads: int = 1


def crew(workers: int | None = None) -> Crew:
    """As many workers as there are cores and memory for, with one thread each: several threads share the work
    of a network badly (``benchmarks/label.py``). ``workers``: a number to use instead."""
    if workers is not None:
        if workers > _MOST:
            raise Mistake(f"{workers} processes are more than one machine takes; the most is {_MOST}.")
        return Crew(workers)
    return Crew(max(1, min(_cores(), _free_memory() // WORKER_BYTES)))


_MOST: Final = 256
"""The most processes of one machine."""


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _free_memory() -> int:
    """The bytes that Linux reports as available; on other systems enough for all cores."""
    try:
        facts = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return _cores() * WORKER_BYTES
    return next(int(fact.split()[1]) * 1024 for fact in facts if fact.startswith("MemAvailable:"))


@contextmanager
def stoppable(say: Callable[[str], None]) -> Iterator[Callable[[], bool]]:
    """Whether someone has asked to stop, with Ctrl-C or the signal to terminate. A second Ctrl-C stops at
    once."""
    asked = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        say("Stopping; this takes a few seconds.")

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def read_all(
    jobs: Iterable[Job | None], crew: Crew, stopped: Callable[[], bool] = lambda: False
) -> Iterator[tuple[Job, PhotoResult]]:
    """Each photo with its result, in the order of completion.

    The next of ``jobs`` is taken only when a worker is nearly free. A None in it means that there was nothing
    to do; finished results are then returned. A photo that kills its worker is tried once more, alone, and
    then listed as unreadable.
    """
    run = _Run(iter(jobs), crew, stopped)
    try:
        while run.fill():
            yield from run.collect()
    finally:
        run.pool.shutdown(cancel_futures=True)


class _Run:
    """Photos in progress. ``suspects``: photos of which one has killed a worker; they are read one at a time.
    ``alone``: the suspect in progress."""

    def __init__(self, jobs: Iterator[Job | None], crew: Crew, stopped: Callable[[], bool]) -> None:
        self.pool = _pool(crew)
        self._jobs, self._crew, self._stopped = jobs, crew, stopped
        self._flying: dict[Future[PhotoResult], Job] = {}
        self._suspects: deque[Job] = deque()
        self._alone: Job | None = None
        self._more, self._hurry, self._breaks = True, False, 0

    def fill(self) -> bool:
        """Hand out work; whether there is any result to come."""
        self._hurry = False
        if self._stopped():
            for future in [future for future in self._flying if future.cancel()]:
                del self._flying[future]
            return bool(self._flying)
        if self._suspects:
            if not self._flying:
                self._alone = self._suspects.popleft()
                self._submit(self._alone)
            return True
        while self._more and len(self._flying) < 2 * self._crew.workers and not self._hurry:
            job = next(self._jobs, _END)
            self._more = job is not _END
            self._hurry = job is None
            if isinstance(job, Job):
                self._submit(job)
        return self._more or bool(self._flying)

    def _submit(self, job: Job) -> None:
        try:
            future = self.pool.submit(_look, job.file, job.known)
        except BrokenProcessPool as broken:  # a worker has died since the last result
            future = Future()
            future.set_exception(broken)
        self._flying[future] = job

    def collect(self) -> Iterator[tuple[Job, PhotoResult]]:
        """The results so far. It waits for one, unless there was nothing to do for the last photo."""
        done, _ = wait(self._flying, timeout=0 if self._hurry else None, return_when=FIRST_COMPLETED)
        fallen = []
        for future in done:
            job = self._flying.pop(future)
            try:
                result = future.result()
            except BrokenProcessPool:
                fallen.append(job)
            else:
                self._breaks = 0
                yield job, result
        if fallen:
            yield from self._start_anew(fallen)

    def _start_anew(self, fallen: list[Job]) -> Iterator[tuple[Job, PhotoResult]]:
        from tehai.label.labeller import PhotoResult

        fallen += self._flying.values()
        self._flying.clear()
        self.pool.shutdown(cancel_futures=True)
        self._breaks += 1
        if self._breaks > BREAKS:
            raise Mistake(DYING)
        self.pool = _pool(self._crew)
        if fallen == [self._alone]:
            yield fallen[0], PhotoResult(None, None, FALLEN)
        else:
            self._suspects.extend(fallen)


_END: Final = object()


def _pool(crew: Crew) -> ProcessPoolExecutor:
    # Started afresh, not forked: the parent's threads and locks stay its own.
    return ProcessPoolExecutor(
        crew.workers, mp_context=get_context("spawn"), initializer=_start, initargs=(crew.threads,)
    )


_labeller: Labeller | None = None


def _start(threads: int) -> None:
    """Prepare a worker process."""
    global _labeller
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches all processes; the parent decides what it means
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    _labeller = labeller(threads)


def labeller(threads: int) -> Labeller:
    """A labeller with its networks loaded, for a process with so many threads."""
    from tehai.label.labeller import Labeller
    from vision.pixels import use_threads
    from vision.reader import Engine

    use_threads(threads)
    return Labeller(Engine(threads=threads))


def _leave_with_parent() -> None:
    """End a worker if its parent is killed, which would leave it waiting for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _look(file: Readable, known: bool) -> PhotoResult:
    assert _labeller is not None
    return _labeller(file, known=known)
