"""Run the command: read frames, and show a window with keys or write records as lines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from tehai.errors import Mistake
from tehai.hand.doubts import other_hands
from tehai.hand.inputs import installed_engine, nothing
from tehai.output.drawing import draw
from tehai.output.photo_archive import ArchiveError, PhotoArchive
from tehai.settings.options import vocabulary
from tehai.settings.preferences import kept_rules
from tehai.webcam.live_hand import LiveHand, doubt_sentences, hand_input_of, is_whole
from tehai.webcam.panel import WIDTH as PANEL_WIDTH
from tehai.webcam.panel import count, paint
from tehai.webcam.source import Camera, Frame, Source, cameras, open_source
from tehai.webcam.steady import State, Steady, View
from vision.arrays import Pixels
from vision.image import PhotoError
from vision.reading import Reading, Region

_TITLE: Final = "tehai webcam"
_VIEW: Final = (980, 640)
"""The most pixels of the picture, so that it fits on the screen of a laptop with the panel."""
_QUIT, _SNAPSHOT, _NEXT = frozenset((27, ord("q"), ord("Q"))), frozenset(b"cC"), frozenset(b"nN")
_OTHER_HAND: Final = frozenset(b"hH")
_TICK_MS: Final = 15
"""The wait for a key between two frames, and after the end of a video."""
_KEY: Final = 0xFFFF
"""The bits of a key code that identify the key. Higher bits may hold NumLock. With the 8 bits of
``cv2.waitKey`` an arrow would look like Q."""
_GROUND: Final = 12
"""The grey around a picture that is smaller than its place."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command was told. ``camera``: number, address or file; ``fast``: play a file without its
    pauses; ``snapshots``: folder that snapshots go to; ``rules``, ``terms``: as for ``tehai score``."""

    camera: str = "0"
    fast: bool = False
    snapshots: Path = Path()
    rules: str | None = None
    terms: str | None = None

    def facts(self) -> dict[str, Any]:
        """The record fields for every hand. Raises :class:`Mistake` for unknown rules or terms."""
        vocabulary(self.terms)
        chosen = {"rules": self.rules or kept_rules(), "words": self.terms}
        facts = {name: value for name, value in chosen.items() if value is not None}
        nothing().with_facts(facts)
        return facts


def list_cameras() -> list[str]:
    """The cameras, a line each; a sentence where there is none."""
    found = cameras()
    if not found:
        return ["No camera was found: connect one, or name a video file or a stream with --camera."]
    return [f"{one.number}  {one.name}  {_state(one)}" for one in found]


def _state(camera: Camera) -> str:
    return camera.trouble or f"{camera.width}×{camera.height}"


def watch(options: Options, write: Callable[[str], object]) -> None:
    """Write a line for each new steady hand, until the source ends: its record as JSON.

    Raises :class:`Mistake` for a source that gives no pictures, or stops.
    """
    facts = options.facts()
    with open_source(options.camera, fast=options.fast) as source:
        steady = _steady()
        for frame in source.frames():
            view = _see(steady, frame)
            if view.fresh and view.reading is not None and is_whole(view.reading):
                write(json.dumps(record_of(view.reading, facts, frame), ensure_ascii=False))


def record_of(reading: Reading, facts: dict[str, Any], frame: Frame) -> dict[str, Any]:
    """The hand record with the best guess for every open fact, its sources, and the time of the frame.

    With 13 tiles there is no winning tile to guess; the record has the waits instead.
    """
    hand_input = hand_input_of(reading, facts)
    plan = hand_input.plan()
    record, known = dict(plan.record), dict(plan.known)
    seen: dict[str, Any] = {"status": reading.status}
    if hand_input.hand_tiles.is_waiting:
        record.pop("win_tile", None)
        known.pop("win_tile", None)
        seen["waits"] = [str(tile) for tile in hand_input.hand_tiles.waits]
    if reading.message:
        seen["message"] = reading.message
    read = reading.to_record()
    seen |= {"confidence": read["confidence"], "doubts": read["doubts"]}
    seen |= {"frame": frame.number, "seconds": round(frame.seconds, 2)}
    return {**record, "known": known, "reading": seen}


def show(options: Options) -> None:
    """The window, until it is closed. Raises :class:`Mistake` as :func:`watch`, and without a screen."""
    facts = options.facts()
    if nothing().with_facts(facts).opened.rules.words == "kanji":
        raise Mistake("The window's font has no kanji; choose --terms english, ema or japanese.")
    with open_source(options.camera, fast=options.fast) as source:
        check_screen()
        steady = _steady()
        window = Window(LiveHand(facts), options.snapshots)
        cv2.namedWindow(_TITLE, cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO | cv2.WINDOW_GUI_NORMAL)
        try:
            with ThreadPoolExecutor(1) as worker:
                _loop(source, steady, window, worker, options.fast)
        finally:
            cv2.destroyAllWindows()


def _loop(source: Source, steady: Steady, window: Window, worker: ThreadPoolExecutor, fast: bool) -> None:
    """Show frames as they come. A reading takes longer than a frame and runs in another thread."""
    busy: Future[View] | None = None
    for frame in _without_end(source.frames()):
        if busy is None or busy.done():
            if busy is not None:
                window.take(busy.result())
            if window.starts_over:
                steady.forget()
                window.starts_over = False
            if window.turns_to is not None:
                steady.turn_to(window.turns_to)
                window.turns_to = None
            busy = worker.submit(_see, steady, frame)
        if fast:
            window.take(busy.result())
            busy = None
        if not _present(window, frame):
            return


def _without_end(frames: Iterable[Frame]) -> Iterator[Frame]:
    """The frames, then the last one without end, so that Tehai can read it and ask questions."""
    for frame in frames:
        yield frame
    while True:
        yield frame


def _present(window: Window, frame: Frame) -> bool:
    """Show a frame and take a key; whether to go on."""
    picture = window.picture(frame)
    if frame.number == 0:
        cv2.resizeWindow(_TITLE, picture.shape[1], picture.shape[0])
    cv2.imshow(_TITLE, cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    key = cv2.waitKeyEx(_TICK_MS) & _KEY
    if cv2.getWindowProperty(_TITLE, cv2.WND_PROP_VISIBLE) < 1:
        return False
    return window.press(key, frame)


class Window:
    """The content of the window and the effect of its keys, without the window itself.

    ``starts_over``: read the tiles again. ``turns_to``: read the hand in this region of the picture.
    """

    def __init__(self, live: LiveHand, snapshots: Path) -> None:
        self.live = live
        self.view = View(State.WAITING)
        self.note = ""
        self.starts_over = False
        self.turns_to: Region | None = None
        self._snapshots = snapshots
        self._painted: tuple[object, ...] = ()
        self._panel = np.zeros((0, 0, 3), np.uint8)

    def take(self, view: View) -> None:
        """What is known after a frame."""
        self.view = view
        if view.fresh and view.reading is not None:
            self.live.see(view.reading)
            self.note = ""

    def picture(self, frame: Frame) -> Pixels:
        """The frame with its tiles drawn, and the panel beside it, RGB."""
        height, width = frame.pixels.shape[:2]
        scale = min(_VIEW[0] / width, _VIEW[1] / height)
        size = (round(width * scale), round(height * scale))
        method = cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR  # the latter is five times faster
        pixels = np.asarray(cv2.resize(frame.pixels, size, interpolation=method), np.uint8)
        if self.view.reading is not None:
            drawn = draw(pixels, self.view.reading)
            pixels = drawn if drawn.shape == pixels.shape else _resized(drawn, size)
        canvas = np.full((_VIEW[1], size[0] + PANEL_WIDTH, 3), _GROUND, np.uint8)
        top = (_VIEW[1] - size[1]) // 2
        canvas[top : top + size[1], : size[0]] = pixels
        canvas[:, size[0] :] = self._painted_panel()
        return canvas

    def _painted_panel(self) -> Pixels:
        """The panel, painted again only if its content has changed, because text is slow to paint."""
        live, message = self.live, self.view.reading.message if self.view.reading else ""
        seen = (self.view.state, count(self.view), message)
        doubts = tuple(doubt_sentences(live))
        says = (*seen, doubts, live.outcome, live.typed, live.chosen, live.note, self.note)
        if says != self._painted:
            self._panel, self._painted = paint(self.view, live, _VIEW[1], self.note), says
        return self._panel

    def press(self, key: int, frame: Frame) -> bool:
        """Take a key; whether to go on."""
        if key in _QUIT:
            return False
        if key in _SNAPSHOT:
            self.note = self._snapshot(frame)
        elif key in _NEXT:
            self.live.forget()
            self.note, self.starts_over = "", True
        elif key in _OTHER_HAND and self.live.other_hand is not None:
            self.turns_to = self._other_hand()
            self.note = "Reading the other hand." if self.turns_to else "Wait until the picture is steady."
        elif self.live.key(key):
            self.note = ""
        return True

    def _other_hand(self) -> Region | None:
        """Where the other hand lies in the steady picture, if there is one. The camera may have moved since
        the hand was read."""
        reading = self.view.reading
        if reading is None or self.view.state is not State.STEADY:
            return None
        return next((region for _, region in other_hands(tuple(enumerate(reading.doubts)))), None)

    def _snapshot(self, frame: Frame) -> str:
        """Save the frame with its reading. Returns a sentence about it."""
        _, photo = cv2.imencode(
            ".jpg", cv2.cvtColor(frame.pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 95]
        )
        facts: dict[str, Any] = (
            {} if self.view.reading is None else {"reading": self.view.reading.to_record()}
        )
        if self.live.outcome is not None:
            facts["hand"] = self.live.outcome.hand_input.record
        try:
            name = PhotoArchive.at(self._snapshots).keep(photo.tobytes(), facts)
        except (Mistake, ArchiveError) as error:
            return f"Not saved: {error}"
        return f"{name} saved in {self._snapshots}"


def check_screen() -> None:
    """Raise :class:`Mistake` if no window can be opened.

    The test runs in another process, because the window library ends its process without a screen.
    """
    hint = "open the window where there is one, or print records with --no-window."
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise Mistake(f"There is no screen here to open a window on; {hint}")
    code = "import cv2; cv2.namedWindow('tehai', cv2.WINDOW_AUTOSIZE); cv2.destroyAllWindows()"
    tried = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    if tried.returncode:
        raise Mistake(f"No window can be opened on the screen {os.environ.get('DISPLAY', '')}; {hint}")


def _steady() -> Steady:
    from vision.reader import Reader

    return Steady(Reader(installed_engine()))


def _see(steady: Steady, frame: Frame) -> View:
    try:
        return steady.see(frame.pixels)
    except PhotoError as error:
        raise Mistake(f"The camera's pictures cannot be read: {error}") from None


def _resized(pixels: Pixels, size: tuple[int, int]) -> Pixels:
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
