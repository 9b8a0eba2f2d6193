"""The threads that do the work. They share the networks and serve all phones in turn."""

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
"""Seconds without a photo after which memory is returned to the system."""


class PhotoReader(Protocol):
    """Reads photos: :class:`vision.reader.Reader`, or one for tests."""

    def read(self, photo: Photo, *, region: Region | None = None) -> Reading: ...

    def read_frame(self, photo: Photo) -> Reading: ...

    def read_rivers(self, photo: Photo) -> Reading: ...


class Place(Protocol):
    """Where an application does its work: :class:`WorkerPool`, or one for a browser, which has no threads."""

    @property
    def reader(self) -> PhotoReader: ...

    async def look(self, work: Callable[[], T], is_gone: Callable[[], Awaitable[bool]]) -> T: ...

    async def think(self, work: Callable[[], T]) -> T: ...


def give_back() -> None:
    """Return the memory that the C library keeps for further photos. Only glibc needs this."""
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    if trim is not None:
        trim(0)


class WorkerPool:
    """The reader and its threads.

    ``readers``: photos read at once. Scoring has its own threads, so that it need not wait for photos.
    ``rest``: called after ``quiet`` seconds without a photo.
    """

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
        """Do work that needs the networks, in the order of arrival.

        ``is_gone``: whether the client has disconnected; then nothing is done.
        """
        async with self._turn:
            if await is_gone():
                raise GONE
            try:
                return await asyncio.get_running_loop().run_in_executor(self._reading, work)
            finally:
                self._rest_later()

    def _rest_later(self) -> None:
        """Call ``rest`` later, unless another photo comes."""
        if self._resting is not None:
            self._resting.cancel()
        loop = asyncio.get_running_loop()
        self._resting = loop.call_later(self._quiet, loop.run_in_executor, self._reading, self._rest)

    async def think(self, work: Callable[[], T]) -> T:
        """Do work without a photo, off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._scoring, work)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Finish the work in progress and drop the rest."""
        if self._resting is not None:
            self._resting.cancel()
        for threads in (self._reading, self._scoring):
            threads.shutdown(cancel_futures=True)


def readers(threads: int | None = None) -> int:
    """The number of photos read at once, with so many threads or all of the machine's."""
    return max(1, (threads or os.cpu_count() or 1) // installed_engine().threads)


def open_worker_pool(threads: int | None = None) -> WorkerPool:
    """A pool with the networks loaded. Raises :class:`Mistake` that names a missing network."""
    from vision.reader import Reader

    return WorkerPool(Reader(installed_engine()), readers(threads))
