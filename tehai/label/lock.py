"""Locks of the operating system on open files: they end with the process, so none is ever stale."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class Taken(Exception):
    """Another process holds the lock."""


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 62  # where nothing is ever written: what Windows locks, it also refuses to let others read

    def _take(descriptor: int, wait: bool) -> None:
        import os

        at = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:
            raise Taken from None
        finally:
            os.lseek(descriptor, at, os.SEEK_SET)

    def _free(descriptor: int) -> None:
        import os

        at = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
        os.lseek(descriptor, at, os.SEEK_SET)

else:
    import fcntl

    def _take(descriptor: int, wait: bool) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise Taken from None

    def _free(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


@contextmanager
def locked(descriptor: int, *, wait: bool) -> Iterator[None]:
    """The lock of an open file, waited for or else :class:`Taken` at once."""
    _take(descriptor, wait)
    try:
        yield
    finally:
        _free(descriptor)
