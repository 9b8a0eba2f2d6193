"""Saving a photo with its reading drawn on it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2

from tehai.errors import Mistake
from tehai.hand import sample
from tehai.output.drawing import draw
from vision.image import load
from vision.reading import Reading


def save_drawing(photo: str, reading: Reading, out: Path, names: Counter[str]) -> Path:
    """Write the drawing to ``out``, or into it where it is a folder; returns the file. ``names``: how many
    photos of each name were drawn before."""
    source = sample.sample_path() if photo == sample.NAME else Path(photo)
    names[source.stem] += 1
    again = f"-{names[source.stem]}" if names[source.stem] > 1 else ""
    file = out / f"{source.stem}{again}.png" if out.is_dir() else out
    picture = cv2.cvtColor(draw(load(source).pixels, reading), cv2.COLOR_RGB2BGR)
    try:
        written = cv2.imwrite(str(file), picture)
    except cv2.error:
        written = False
    if not written:
        raise Mistake(f"{file} cannot be written; name a .png or .jpg file in a folder that exists.")
    return file
