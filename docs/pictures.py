"""Makes the pictures of README and webcam window from the bundled sample: ``python docs/pictures.py``."""

from __future__ import annotations

import io
import re
from pathlib import Path

import cv2
import numpy as np
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from tehai.hand import inputs, scoring
from tehai.hand.sample import NAME, sample_path
from tehai.output.drawing import draw
from tehai.terminal.show import print_notes, print_score
from tehai.webcam.live_hand import LiveHand
from tehai.webcam.session import Window
from tehai.webcam.source import Frame
from tehai.webcam.steady import State, Steady, View
from vision.arrays import Pixels
from vision.image import load
from vision.reader import Reader

DOCS = Path(__file__).resolve().parent
WIDTH = 1280
"""Pixels of the drawn photo."""

# Rich's own frame names fonts on the web: the picture has to stand by itself.
FRAME = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.S)


def main() -> None:
    hand_input = inputs.from_photo(NAME, None)
    assert hand_input.reading is not None
    photo = load(sample_path()).pixels
    save("sample", resized(draw(photo, hand_input.reading), WIDTH), 88)
    save("webcam", window(photo), 85)
    outcome = scoring.settle(hand_input.with_facts({"tsumo": False, "loser_offset": 3}))
    if outcome.result is None or outcome.problem:
        raise SystemExit(outcome.problem)
    console = Console(record=True, width=100, file=io.StringIO(), highlight=False)
    print_score(console, outcome.hand_input.opened, outcome.result)
    print_notes(console, outcome.notes)
    console.save_svg(str(DOCS / "score.svg"), title="tehai score sample", code_format=FRAME)


def window(photo: Pixels) -> Pixels:
    """The window of ``tehai webcam`` with the photo before the camera, cut to a camera's proportions."""
    high = photo.shape[1] * 9 // 16
    top = (photo.shape[0] - high) // 2
    pixels = resized(np.ascontiguousarray(photo[top : top + high]), WIDTH)
    steady, view = Steady(Reader(inputs.installed_engine())), View(State.WAITING)
    while view.state is not State.STEADY:
        view = steady.see(pixels)
    shown = Window(LiveHand(), DOCS)
    shown.take(View(view.state, view.reading, fresh=True))
    return shown.picture(Frame(pixels, 0, 0.0))


def resized(pixels: Pixels, width: int) -> Pixels:
    height = round(width * pixels.shape[0] / pixels.shape[1])
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def save(name: str, pixels: Pixels, quality: int) -> None:
    cv2.imwrite(
        str(DOCS / f"{name}.jpg"),
        cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR),
        [cv2.IMWRITE_JPEG_QUALITY, quality],
    )


if __name__ == "__main__":
    main()
