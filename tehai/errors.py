"""What a person did wrong, said in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar


class Mistake(ValueError):
    """Input that cannot be used: the message is one sentence that says what is wrong and what to do.

    ``code``: the exit code of the command.
    """

    code: ClassVar[int] = 2


class Mistyped(Mistake):
    """A line of tiles that cannot be read."""


class InDoubt(Mistake):
    """A reading in doubt, where nothing but a sure one was wanted."""

    code: ClassVar[int] = 3


def _opencv_is_missing(error: ImportError) -> str:
    """Its wheel brings all but what belongs to a screen, which slim containers lack."""
    if isinstance(error, ModuleNotFoundError):
        return "OpenCV is not installed: pip install opencv-python."
    return (
        f"OpenCV cannot be loaded ({error.msg}): install the libraries that it needs, on Debian and"
        " Ubuntu with apt-get install libgl1 libglib2.0-0."
    )


@contextmanager
def needs_opencv() -> Iterator[None]:
    """What is done here may need OpenCV. Raises :class:`Mistake` where it cannot be loaded. To read a photo
    nobody needs it (:mod:`vision.pixels`)."""
    try:
        yield
    except ImportError as error:
        if error.name != "cv2":
            raise
        raise Mistake(_opencv_is_missing(error)) from error
