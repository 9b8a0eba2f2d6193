"""Makes the README's pictures from the bundled sample: ``python docs/pictures.py``."""

from __future__ import annotations

import io
import re
from pathlib import Path

import cv2
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from tehai import gather, scoring
from tehai.sample import NAME, sample_path
from tehai.terminal.show import print_notes, print_score
from vision.draw import draw
from vision.image import load

DOCS = Path(__file__).resolve().parent
WIDTH = 1280
"""Pixels of the drawn photo."""

# Rich's own frame names fonts on the web: the picture has to stand by itself.
FRAME = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.S)


def main() -> None:
    given = gather.from_photo(NAME, None)
    assert given.reading is not None
    picture = draw(load(sample_path()).pixels, given.reading)
    height = round(WIDTH * picture.shape[0] / picture.shape[1])
    small = cv2.resize(picture, (WIDTH, height), interpolation=cv2.INTER_AREA)
    cv2.imwrite(
        str(DOCS / "sample.jpg"), cv2.cvtColor(small, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 88]
    )
    outcome = scoring.settle(given.with_facts({"tsumo": False, "loser_offset": 3}))
    if outcome.result is None or outcome.problem:
        raise SystemExit(outcome.problem)
    console = Console(record=True, width=100, file=io.StringIO(), highlight=False)
    print_score(console, outcome.given.opened, outcome.result)
    print_notes(console, outcome.notes)
    console.save_svg(str(DOCS / "score.svg"), title="tehai score sample", code_format=FRAME)


if __name__ == "__main__":
    main()
