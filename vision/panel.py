"""A part of a photo, large enough that its tiles can be told apart, with outlines and text on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.arrays import Array32, Pixels
from vision.quads import lengths

Colour = tuple[int, int, int]

INK: Colour = (20, 20, 20)
PAPER: Colour = (250, 250, 245)
FAINT: Colour = (150, 150, 150)
GOOD: Colour = (30, 170, 70)
BAD: Colour = (220, 40, 40)
HUES: tuple[Colour, ...] = (
    (230, 60, 60), (40, 120, 235), (30, 160, 70), (200, 120, 0), (150, 70, 210), (0, 155, 165),
    (205, 60, 150), (110, 110, 40),
)  # fmt: skip
"""What is counted takes them in turn."""

_TEXT = 18
"""Pixels of a line of text; more where a picture is so wide that it will be looked at smaller ..."""
_TITLE = 75
"""... than its width by this."""
_GAP = 6
_COMPASS = 40


class Panel:
    """Drawn on in pixels of the photo.

    ``pixels``: (h, w, 3) RGB; ``around``: quads (n, 4, 2) to be seen, all of the photo where there are none;
    ``tile``: pixels of a tile's side that are wanted, ``most``: of the panel's longer side.
    """

    def __init__(
        self, pixels: Pixels, around: NDArray[np.floating], *, tile: int = 60, most: int = 1500
    ) -> None:
        height, width = pixels.shape[:2]
        low, high, scale = np.zeros(2), np.array([width, height]), most / max(height, width)
        if len(around):
            side = float(np.median(lengths(around).mean(axis=1)))
            corners = around.reshape(-1, 2)
            low = np.clip(np.floor(corners.min(axis=0) - 1.5 * side), 0, high - 2)
            high = np.clip(np.ceil(corners.max(axis=0) + 1.5 * side), low + 2, high)
            scale = min(tile / max(side, 1.0), most / float((high - low).max()))
        (x0, y0), (x1, y1) = low.astype(int).tolist(), high.astype(int).tolist()
        size = max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale))
        self._low, self._scale = np.array([x0, y0], float), scale
        self.image = Image.fromarray(pixels[y0:y1, x0:x1]).resize(size, Image.Resampling.LANCZOS)
        self._pen = ImageDraw.Draw(self.image)

    def outline(self, quad: NDArray[np.floating], colour: Colour, width: int = 3) -> None:
        """A quad, its first edge, the face's top, twice as thick."""
        a, b, c, d = self._at(quad)
        self._pen.line([a, b, c, d, a], fill=colour, width=width, joint="curve")
        self._pen.line([a, b], fill=colour, width=2 * width)

    def path(self, points: NDArray[np.floating], colour: Colour, width: int = 5) -> None:
        self._pen.line(self._at(points), fill=colour, width=width, joint="curve")

    def compass(self, way: NDArray[np.floating]) -> None:
        """An arrow in the lower left corner that points a way (2,)."""
        middle = np.array([_COMPASS, self.image.height - _COMPASS], float)
        ahead = way / max(float(np.hypot(*way)), 1e-9)
        aside = np.array([-ahead[1], ahead[0]])
        disc = [*(middle - _COMPASS + _GAP).tolist(), *(middle + _COMPASS - _GAP).tolist()]
        self._pen.ellipse(disc, fill=PAPER, outline=INK, width=2)
        head = [26 * ahead, 10 * aside + 2 * ahead, -10 * aside + 2 * ahead]
        self._pen.line([_pair(middle - 24 * ahead), _pair(middle + 4 * ahead)], fill=INK, width=6)
        self._pen.polygon([_pair(middle + corner) for corner in head], fill=INK)

    def mark(self, point: NDArray[np.floating], text: str, colour: Colour, size: int = _TEXT) -> None:
        """Text with its middle at a point, on paper in the colour's frame."""
        font = ImageFont.load_default(size)
        ((x, y),) = self._at(point[None])
        if not (0 <= x < self.image.width and 0 <= y < self.image.height):
            return
        left, top, right, bottom = self._pen.textbbox((0, 0), text, font=font)
        w, h = right - left + 6, bottom - top + 6
        x = min(max(x - w / 2, 0), max(self.image.width - w, 0))
        y = min(max(y - h / 2, 0), max(self.image.height - h, 0))
        self._pen.rectangle((x, y, x + w, y + h), fill=PAPER, outline=colour, width=2)
        self._pen.text((x + 3 - left, y + 3 - top), text, font=font, fill=INK)

    def _at(self, points: NDArray[np.floating]) -> list[tuple[float, float]]:
        return [_pair(point) for point in (points + 0.5 - self._low) * self._scale]


def titled(picture: Image.Image, text: str, colour: Colour = INK, *, least: int = 420) -> Image.Image:
    """The picture, at least so wide, below lines of text that are broken where they are too long."""
    width = max(picture.width, least)
    size = max(_TEXT, width // _TITLE)
    font = ImageFont.load_default(size)
    pen = ImageDraw.Draw(picture)
    lines = [part for line in text.splitlines() for part in _broken(line, pen, font, width - 2 * _GAP)]
    step = size + _GAP
    whole = Image.new("RGB", (width, picture.height + step * len(lines) + _GAP), PAPER)
    pen = ImageDraw.Draw(whole)
    for at, line in enumerate(lines):
        pen.text((_GAP, _GAP / 2 + at * step), line, font=font, fill=colour)
    whole.paste(picture, (0, step * len(lines) + _GAP))
    return whole


def sheet(pictures: Sequence[Image.Image], columns: int) -> Image.Image:
    """Pictures beside and below one another."""
    columns = min(columns, len(pictures))
    rows = [pictures[k : k + columns] for k in range(0, len(pictures), columns)]
    wide = [max(row[k].width for row in rows if k < len(row)) for k in range(columns)]
    tall = [max(picture.height for picture in row) for row in rows]
    size = sum(wide) + _GAP * (columns + 1), sum(tall) + _GAP * (len(rows) + 1)
    whole = Image.new("RGB", size, FAINT)
    y = _GAP
    for row, height in zip(rows, tall, strict=True):
        x = _GAP
        for picture, width in zip(row, wide, strict=False):
            whole.paste(picture, (x, y))
            x += width + _GAP
        y += height + _GAP
    return whole


def heated(pixels: Pixels, heat: Array32) -> Pixels:
    """A darkened picture in which what is hot, 0 to 1 in cells that cover it, glows."""
    height, width = pixels.shape[:2]
    glow = Image.fromarray((np.clip(heat, 0, 1) * 255).astype(np.uint8)).resize((width, height))
    strength = np.asarray(glow, np.float32)[..., None] / 255
    return np.asarray(pixels * 0.45 * (1 - strength) + np.array([255, 140, 0]) * strength, np.uint8)


def _pair(point: NDArray[np.floating]) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def _broken(
    line: str, pen: ImageDraw.ImageDraw, font: ImageFont.ImageFont | ImageFont.FreeTypeFont, width: int
) -> list[str]:
    lines = [""]
    for word in line.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and pen.textlength(longer, font=font) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
