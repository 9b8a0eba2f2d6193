"""How many readings a second a camera gets, and whether memory stays flat: ``python -m benchmarks.webcam``.

The bundled sample as a camera at 1280×720 sees it: noise, changing light, shocks, and hands over the table.
Prints milliseconds (wall clock and processor) and readings a second of each kind of frame, what the window's
picture costs besides, and the process's memory after every thousandth of ``--frames`` frames. Frames are made
beforehand: what a camera's driver or a video's decoder needs is not measured.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # of a script only its own folder is there

from tehai.hand.sample import sample_path  # noqa: E402
from tehai.webcam.live_hand import LiveHand  # noqa: E402
from tehai.webcam.session import Window  # noqa: E402
from tehai.webcam.source import Frame  # noqa: E402
from tehai.webcam.steady import State, Steady, View  # noqa: E402
from vision.arrays import Pixels  # noqa: E402
from vision.image import load  # noqa: E402
from vision.reader import Engine, Reader  # noqa: E402

WIDTH, HEIGHT = 1280, 720
NOISE = 6.0
"""Grey values: a webcam in the evening."""
KINDS = 16
"""Different frames of each sort: noise that repeats sooner would be seen through."""
HANDS_EVERY = 1000
"""Frames between two hands over the table while memory is watched."""


@dataclass
class Times:
    """Milliseconds of frames: as the clock has it, and of this process's processor time."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def line(self, what: str) -> str:
        if not self.wall:
            return f"{what:<34}did not occur"
        middle, late = statistics.median(self.wall), float(np.percentile(self.wall, 95))
        return (
            f"{what:<34}{len(self.wall):6} frames {middle:8.1f} ms median {late:8.1f} p95"
            f" {statistics.median(self.processor):8.1f} of the processor {1000 / middle:8.1f} a second"
        )


def scene() -> Pixels:
    """The sample, cut to a camera's proportions."""
    photo = load(sample_path()).pixels
    high = round(photo.shape[1] * HEIGHT / WIDTH)
    top = (photo.shape[0] - high) // 2
    cut = np.ascontiguousarray(photo[top : top + high])
    return np.asarray(cv2.resize(cut, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def seen(picture: Pixels, number: int, light: float = 0.0, shock: float = 0.0) -> Pixels:
    """The picture as a frame shows it."""
    random = np.random.default_rng(number)
    dx, dy = random.uniform(-shock, shock, 2)
    matrix = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    moved = cv2.warpAffine(picture, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
    lit = moved * (1 + random.uniform(-light, light)) + random.normal(0, NOISE, moved.shape)
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def hands(picture: Pixels) -> list[Pixels]:
    """A hand that passes over the tiles."""
    frames = []
    for step in range(12):
        over = picture.copy()
        cv2.ellipse(over, (150 + 90 * step, 560), (80, 260), 20, 0, 360, (205, 160, 130), -1, cv2.LINE_AA)
        frames.append(seen(over, step))
    return frames


def play(steady: Steady, frames: Sequence[Pixels]) -> Iterator[tuple[View, float, float]]:
    for frame in frames:
        wall, processor = time.perf_counter(), time.process_time()
        view = steady.see(frame)
        yield view, (time.perf_counter() - wall) * 1000, (time.process_time() - processor) * 1000


def speed(steady: Steady, still: list[Pixels], shaken: list[Pixels], rounds: int) -> View:
    """Readings a second, by what a frame has to do."""
    first, voting, tracked, followed = Times(), Times(), Times(), Times()
    started = time.perf_counter()
    reads, view = 0, View(State.WAITING)
    for view, wall, processor in play(steady, still):
        if view.reads:
            times = first if view.reads > reads else voting
            times.wall.append(wall)
            times.processor.append(processor)
        reads = view.reads
        if view.state is State.STEADY:
            break
    waited = time.perf_counter() - started
    for times, frames in ((tracked, still), (followed, shaken)):
        for _ in range(rounds):
            for view, wall, processor in play(steady, frames):
                if view.state is not State.STEADY:
                    raise SystemExit("A frame that only shook or changed its light has started over.")
                times.wall.append(wall)
                times.processor.append(processor)
    assert view.reading is not None
    print(f"{len(view.reading.tiles)} tiles, {view.reading.status}")
    print(f"steady {waited * 1000:.0f} ms after the first frame")
    print(first.line("whole frame"))
    print(voting.line("faces named, or concluded"))
    print(tracked.line("steady: noise, light"))
    print(followed.line("steady: shaken by up to 6 pixels"))
    return view


def picture_cost(view: View, frame: Pixels, rounds: int) -> None:
    window = Window(LiveHand(), Path())
    window.take(View(view.state, view.reading, fresh=True))
    times = Times()
    for number in range(rounds):
        wall, processor = time.perf_counter(), time.process_time()
        window.picture(Frame(frame, number, 0.0))
        times.wall.append((time.perf_counter() - wall) * 1000)
        times.processor.append((time.process_time() - processor) * 1000)
    print(times.line("the window's picture"))


def memory(steady: Steady, still: list[Pixels], over: list[Pixels], count: int) -> None:
    """Resident memory in MB while hands come and go."""
    sizes, resets, before = [], 0, State.STEADY
    for number in range(count):
        place = number % HANDS_EVERY
        frame = over[place] if place < len(over) else still[number % len(still)]
        view = steady.see(frame)
        resets += view.state is State.COVERED and before is not State.COVERED
        before = view.state
        if (number + 1) % (count // 10 or 1) == 0:
            sizes.append(resident())
            print(f"  {number + 1:6} frames, {resets:3} times started over: {sizes[-1]:7.1f} MB", flush=True)
    print(f"memory grew by {sizes[-1] - sizes[0]:.1f} MB from the first tenth to the last")


def resident() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frames", type=int, default=10_000, help="of the memory test; 0 leaves it out")
    parser.add_argument("--rounds", type=int, default=20, help=f"times {KINDS} frames of each steady kind")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {WIDTH}×{HEIGHT}")
    picture = scene()
    still = [seen(picture, number, light=0.25) for number in range(KINDS)]
    shaken = [seen(picture, number, light=0.1, shock=6) for number in range(KINDS)]
    started = time.perf_counter()
    steady = Steady(Reader(Engine()))
    print(f"networks loaded in {(time.perf_counter() - started) * 1000:.0f} ms")
    view = speed(steady, still, shaken, options.rounds)
    picture_cost(view, still[0], 3 * options.rounds)
    if options.frames:
        memory(steady, still, hands(picture), options.frames)


if __name__ == "__main__":
    main()
