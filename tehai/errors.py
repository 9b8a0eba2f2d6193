"""Errors of the user, each with one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar


class Mistake(ValueError):
    """Invalid input. The message is one sentence that says what is wrong and what to do.

    ``code``: the exit code of the command.
    """

    code: ClassVar[int] = 2


class Mistyped(Mistake):
    """An invalid line of tiles."""


class InDoubt(Mistake):
    """An uncertain reading in strict mode."""

    code: ClassVar[int] = 3


def _opencv_is_missing(error: ImportError) -> str:
    """Whether OpenCV cannot be loaded. Its wheel needs libraries of a screen, which slim containers lack."""
    if isinstance(error, ModuleNotFoundError):
        return "OpenCV is not installed: pip install opencv-python."
    return (
        f"OpenCV cannot be loaded ({error.msg}): install the libraries that it needs, on Debian and"
        " Ubuntu with apt-get install libgl1 libglib2.0-0."
    )


@contextmanager
def needs_opencv() -> Iterator[None]:
    """Within this context a missing OpenCV becomes a :class:`Mistake`. Reading a photo does not need it
    (:mod:`vision.pixels`)."""
    try:
        yield
    except ImportError as error:
        if error.name != "cv2":
            raise
        raise Mistake(_opencv_is_missing(error)) from error
