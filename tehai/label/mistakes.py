"""The mistakes of ``tehai label compare`` with their pictures: a page of one file, without scripts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from scorer.svg import sprite, use
from tehai.errors import Mistake
from tehai.label.compare import Compared, summary
from tehai.label.files import NotAsLabelled, as_labelled
from tehai.label.geometry import quads
from tehai.label.journal import Journal
from tehai.lesson.html import document
from tehai.output.join import plural, printable
from tehai.output.picture import data_uri
from vision.arrays import Array32, Pixels
from vision.faces import CropShape, cut
from vision.image import load
from vision.labels import BACK, FACES

_CROP: Final = CropShape(96, 120, 1.5)
"""Pixels of a tile's picture; enough is around it to see what the network saw."""

_SIDE: Final = 420
"""Pixels of the longer side of a photo's picture."""

_OUTLINE: Final = (224, 0, 140)

_STYLE: Final = """\
body { margin: 0 auto; max-width: 64rem; padding: 1rem; font: 16px/1.45 system-ui, sans-serif; color: #1d2733;
  background: #f6f4ee; }
h1 { font-size: 1.4rem; } h2 { font-size: 1rem; margin: 0 0 .6rem; overflow-wrap: anywhere; }
section { background: #fff; border: 1px solid #ddd8cc; border-radius: .6rem; padding: .8rem 1rem;
  margin: 0 0 .8rem; }
.found { display: flex; flex-wrap: wrap; gap: .8rem; align-items: flex-start; }
.found > img { max-width: 100%; }
figure { margin: 0; width: 8.5rem; } figcaption { font-size: .85rem; }
figure img { display: block; } .tile { height: 2.2rem; width: auto; vertical-align: middle; }
@media (prefers-color-scheme: dark) {
  body { color: #e8e4da; background: #16191d; } section { background: #20252b; border-color: #39404a; } }
"""


def writable(file: Path) -> None:
    """Raise :class:`Mistake` for a place that takes no file, before anything is compared in vain."""
    folder = file.absolute().parent
    if file.is_dir() or not os.access(folder, os.W_OK):
        raise Mistake(
            f"{file} cannot be written; name a file, such as mistakes.html, in a folder that exists."
        )


def page(journal: Journal, photos: Sequence[Compared], most: int) -> str:
    """The page of the first ``most`` photos that have mistakes."""
    wrong = [one for one in photos if one.faults]
    title = "What the new network gets wrong"
    parts = [sprite(), f"<h1>{title}</h1>\n"]
    parts += [f"<p>{escape(sentence)}</p>\n" for sentence in summary(photos)]
    parts += [part for one in wrong[:most] for part in _section(journal, one)]
    if len(wrong) > most:
        parts.append(f"<p>{plural(len(wrong) - most, 'photo')} more with mistakes: see --most.</p>\n")
    return document("en", title, _STYLE, "".join(parts), "light dark")


def _section(journal: Journal, one: Compared) -> Iterator[str]:
    """A photo: the whole with its mistakes numbered, then each of them."""
    yield f"<section><h2>{escape(printable(one.path))}: {plural(len(one.faults), 'mistake')}</h2>\n"
    try:
        _, data = as_labelled(journal.folder, [one.path], one.sha256)
    except NotAsLabelled as reason:  # changed since it was read
        yield f"<p>The photo {escape(str(reason))}.</p></section>\n"
        return
    photo = load(data)
    there = quads([{"quad": fault.quad} for fault in one.faults])
    corners = np.asarray((there + 0.5) / photo.scale - 0.5, np.float32)
    whole = _image(_outlined(photo.pixels, corners), "the photo with its mistakes outlined")
    yield f'<div class="found">{whole}\n'
    crops = cut(photo.pixels, corners, _CROP)
    for number, (fault, crop) in enumerate(zip(one.faults, crops, strict=True), 1):
        drawn = " → ".join(_face(label) for label in (fault.label, fault.said))
        caption = f"<figcaption>{number}. {escape(fault.words())}<br>{drawn}</figcaption>"
        yield f"<figure>{_image(Image.fromarray(crop), fault.words())}{caption}</figure>\n"
    yield "</div></section>\n"


def _face(label: str) -> str:
    """What a label looks like, where it is drawn."""
    return use(label) if label in (*FACES, BACK) else escape(label or "–")


def _outlined(rgb: Pixels, corners: Array32) -> Image.Image:
    """The photo, small, with numbered outlines."""
    scale = min(1.0, _SIDE / max(rgb.shape[:2]))
    size = max(1, round(rgb.shape[1] * scale)), max(1, round(rgb.shape[0] * scale))
    picture = Image.fromarray(rgb).resize(size)
    draw = ImageDraw.Draw(picture)
    for number, quad in enumerate(corners * scale, 1):
        draw.polygon([tuple(point) for point in quad.tolist()], outline=_OUTLINE, width=2)
        draw.text(tuple(quad[0].tolist()), str(number), fill=_OUTLINE, stroke_fill="white", stroke_width=2)
    return picture


def _image(picture: Image.Image, words: str) -> str:
    return f'<img src="{data_uri(picture)}" alt="{escape(words)}">'
