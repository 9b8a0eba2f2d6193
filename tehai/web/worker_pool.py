"""Where the work is done: a few threads that share the networks, so that all phones are served in turn."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, Protocol, Self, TypeVar

from tehai.hand.inputs import installed_engine
from tehai.server.answers import GONE

if TYPE_CHECKING:
    from vision.image import Photo
    from vision.reading import Reading, Region

T = TypeVar("T")

QUIET: Final = 10.0
"""Seconds without a photo after which memory is given back: between photos of a busy table it is kept."""


class PhotoReader(Protocol):
    """What reads a photo: :class:`vision.reader.Reader`, or a test's own."""

    def read(self, photo: Photo, *, region: Region | None = None) -> Reading: ...

    def read_frame(self, photo: Photo) -> Reading: ...

    def read_rivers(self, photo: Photo) -> Reading: ...


class Place(Protocol):
    """Where an application has its work done: :class:`WorkerPool`, or a browser's, which has no threads."""

    @property
    def reader(self) -> PhotoReader: ...

    async def look(self, work: Callable[[], T], is_gone: Callable[[], Awaitable[bool]]) -> T: ...

    async def think(self, work: Callable[[], T]) -> T: ...


def give_back() -> None:
    """Gives the system the memory of photos that the C library keeps for others to come. Only glibc has to be
    told so; elsewhere nothing is done."""
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    if trim is not None:
        trim(0)


class WorkerPool:
    """The reader and the threads. ``readers``: photos read at once. Scoring has threads of its own: an answer
    does not wait for other people's photos. ``rest``: what is done after ``quiet`` seconds without a
    photo."""

    def __init__(
        self,
        reader: PhotoReader,
        readers: int = 1,
        rest: Callable[[], None] = give_back,
        quiet: float = QUIET,
    ) -> None:
        self.reader = reader
        self._rest = rest
        self._quiet = quiet
        self._resting: asyncio.TimerHandle | None = None
        self._turn = asyncio.Semaphore(readers)
        self._reading = ThreadPoolExecutor(readers, "read")
        self._scoring = ThreadPoolExecutor(2, "score")

    async def look(self, work: Callable[[], T], is_gone: Callable[[], Awaitable[bool]]) -> T:
        """What takes the networks, done when its turn comes; first come, first served.

        ``is_gone``: whether nobody waits for the answer any more; then nothing is done.
        """
        async with self._turn:
            if await is_gone():
                raise GONE
            try:
                return await asyncio.get_running_loop().run_in_executor(self._reading, work)
            finally:
                self._rest_later()

    def _rest_later(self) -> None:
        """When no other photo comes."""
        if self._resting is not None:
            self._resting.cancel()
        loop = asyncio.get_running_loop()
        self._resting = loop.call_later(self._quiet, loop.run_in_executor, self._reading, self._rest)

    async def think(self, work: Callable[[], T]) -> T:
        """What takes no photo, done off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._scoring, work)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """What is being done is finished, what waits is dropped."""
        if self._resting is not None:
            self._resting.cancel()
        for threads in (self._reading, self._scoring):
            threads.shutdown(cancel_futures=True)


def readers(threads: int | None = None) -> int:
    """Photos read at once, on so many threads or on all of the machine's."""
    return max(1, (threads or os.cpu_count() or 1) // installed_engine().threads)


def open_worker_pool(threads: int | None = None) -> WorkerPool:
    """A pool with the networks loaded. Raises :class:`Mistake` naming a network that is missing."""
    from vision.reader import Reader

    return WorkerPool(Reader(installed_engine()), readers(threads))
