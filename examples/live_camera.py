"""A camera over the table: ``python examples/live_camera.py [SOURCE]``.

``SOURCE``: a camera's number (0 unless given), a video file, a stream's address, or pictures by number
(``frames/%03d.jpg``). Each new hand is printed as soon as it lies still, with what it is worth. Ctrl-C ends
it.
"""

import sys

import cv2
import numpy as np

from scorer import score_record
from tehai.webcam.steady import Steady
from vision import Reader


def main(source: str) -> None:
    """Until the source ends."""
    capture = cv2.VideoCapture(int(source) if source.isdecimal() else source)
    if not capture.isOpened():
        sys.exit(f"{source} gives no picture: name a camera's number, a video file or a stream.")
    steady = Steady(Reader())
    there, bgr = capture.read()
    while there:
        view = steady.see(np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8))
        if view.fresh and view.reading is not None and view.reading.hand is not None:
            hand = view.reading.hand
            result = score_record({"tsumo": False, **hand})
            worth = result["in_words"] if result["status"] == "ok" else result["message"]
            print(hand["concealed"], hand.get("win_tile", "?"), worth, flush=True)
        there, bgr = capture.read()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "0")
