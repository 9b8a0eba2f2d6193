"""Where frames come from: a camera by its number, a stream by its address, a video file."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tehai.errors import Mistake
from tehai.output.join import printable
from vision.arrays import Pixels

WIDTH, HEIGHT = 1280, 720
"""The requested frame size. Tiles are large enough, and most cameras give 30 such frames a second."""

DEVICES = Path("/dev")
NAMES = Path("/sys/class/video4linux")
"""Where Linux has its cameras, and what it calls them."""

_MOST_CAMERAS: Final = 10
"""Numbers tried where the system lists no cameras."""
_STREAM_MS: Final = 5000
"""The timeout of a stream, at its start and later."""
_USUAL_RATE: Final = 30.0
"""The default frame rate of a video."""
_LATE: Final = 0.1
"""The delay in seconds after which frames of a video are dropped, as for a camera."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera of this machine. ``trouble``: why it gives no picture, or empty."""

    number: int
    name: str
    width: int = 0
    height: int = 0
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a source: (h, w, 3) RGB, its number from 0 and its time since the first, in seconds."""

    pixels: Pixels
    number: int
    seconds: float


class Source:
    """An open source of frames; to be closed, or used as a context manager."""

    def __init__(self, capture: cv2.VideoCapture, first: Pixels, name: str, ends: bool, paced: bool) -> None:
        self.name = name
        self._capture = capture
        self._first = first
        self._ends = ends
        self._paced = paced

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its first frame."""
        return self._first.shape[1], self._first.shape[0]

    def frames(
        self, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> Iterator[Frame]:
        """Every frame of a camera; of a video those that its viewer has time for, at their time.

        Raises :class:`Mistake` where a camera or a stream stops.
        """
        start = clock()
        rate = self._capture.get(cv2.CAP_PROP_FPS) or _USUAL_RATE
        yield Frame(_rgb(self._first), 0, 0.0)
        number = 0
        while self._capture.grab():
            number += 1
            seconds = number / rate if self._ends else clock() - start
            if self._paced:
                ahead = seconds - (clock() - start)
                if ahead < -_LATE:
                    continue
                sleep(max(0.0, ahead))
            got, pixels = self._capture.retrieve()
            if not got:
                break
            yield Frame(_rgb(pixels), number, seconds)
        if not self._ends:
            raise Mistake(f"{self.name} has stopped sending pictures; check that it is on and connected.")

    def close(self) -> None:
        """Release the camera."""
        self._capture.release()

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_source(text: str, *, fast: bool = False) -> Source:
    """The source that ``text`` names: a camera's number, a stream's address (with ``://``), or a video file.

    ``fast``: a video is played frame by frame as fast as they are taken, and none is left out.
    Raises :class:`Mistake` where there is no such thing, or it gives no picture.
    """
    _hush()
    try:
        text.encode()
    except UnicodeEncodeError:  # at which OpenCV would end the program
        raise Mistake(f"{printable(text)} cannot be opened by this name; rename the file.") from None
    if text.isdecimal():
        return _open_camera(int(text))
    if "://" in text:
        capture = cv2.VideoCapture(
            text,
            cv2.CAP_ANY,
            [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _STREAM_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _STREAM_MS],
        )
        trouble = f"Nothing comes from {text}; check the address, and that the camera there is on."
        return _started(capture, text, trouble, ends=False, paced=False)
    path = Path(text)
    if not path.exists():
        raise Mistake(f"{text} does not exist; name a camera's number, a stream's address or a video file.")
    if path.is_dir():
        raise Mistake(f"{text} is a folder; name the video file itself.")
    trouble = f"{text} cannot be played; give a video such as an .mp4 file."
    return _started(cv2.VideoCapture(text), path.name, trouble, ends=True, paced=not fast)


def _open_camera(number: int) -> Source:
    if _lists_cameras():
        device = DEVICES / f"video{number}"
        if not device.exists():
            raise Mistake(f"There is no camera {number}; {_others()}")
        if not os.access(device, os.R_OK | os.W_OK):
            raise Mistake(f"You may not use camera {number}; ask for access to {device} (group video).")
    trouble = f"Camera {number} gives no picture; close other programs that may use it, and try again."
    if not _lists_cameras():
        trouble = f"There is no camera {number}, or another program is using it; {_others()}"
    return _started(_capture(number), f"camera {number}", trouble, ends=False, paced=False)


def _others() -> str:
    """A hint about the existing cameras."""
    if _lists_cameras() and not _numbers():
        return "none is connected: connect one, or name a video file or a stream with --camera."
    return "tehai webcam --list shows those that there are."


def _capture(number: int) -> cv2.VideoCapture:
    capture = cv2.VideoCapture(number, cv2.CAP_V4L2 if _lists_cameras() else cv2.CAP_ANY)
    # Uncompressed, most cameras send but a few such frames a second.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # what lies on the table now, not a second ago
    return capture


def _started(capture: cv2.VideoCapture, name: str, trouble: str, *, ends: bool, paced: bool) -> Source:
    got, first = capture.read() if capture.isOpened() else (False, None)
    if not got or first is None:
        capture.release()
        raise Mistake(trouble)
    return Source(capture, np.asarray(first, np.uint8), name, ends, paced)


def cameras() -> tuple[Camera, ...]:
    """The cameras of this machine, each looked through for a moment."""
    _hush()
    found = []
    for number in _numbers() if _lists_cameras() else range(_MOST_CAMERAS):
        capture = _capture(number)
        got, picture = capture.read() if capture.isOpened() else (False, None)
        capture.release()
        name = _name(number)
        if got and picture is not None:
            found.append(Camera(number, name, picture.shape[1], picture.shape[0]))
        elif _lists_cameras() and _is_main(number):
            found.append(Camera(number, name, trouble="busy, or not to be used by you"))
    return tuple(found)


def _lists_cameras() -> bool:
    return sys.platform == "linux"


def _numbers() -> list[int]:
    devices = (device.name.removeprefix("video") for device in DEVICES.glob("video*"))
    return sorted(int(number) for number in devices if number.isdecimal())


def _name(number: int) -> str:
    try:
        return (NAMES / f"video{number}" / "name").read_text(encoding="utf-8").strip()
    except OSError:
        return "camera"


def _is_main(number: int) -> bool:
    """Whether this is a camera's picture, not what else its driver has to tell (``v4l2`` numbers these)."""
    try:
        return (NAMES / f"video{number}" / "index").read_text(encoding="ascii").strip() == "0"
    except OSError:
        return True


def _rgb(pixels: NDArray[Any]) -> Pixels:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB), np.uint8)


def _hush() -> None:
    """What is wrong is said in one sentence, so OpenCV and what it opens videos and windows with need not."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
