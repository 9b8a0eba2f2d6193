"""A reliability diagram: how often readings are right, beside how sure they say they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from models.shares import Share

SIDE, LEFT, ABOVE, BELOW = 300, 60, 50, 48
"""Pixels of a panel's side and of what is written around it."""

INK, FAINT, DATA, BAR = "#222222", "#d8d8d8", "#0b5cad", "#9dc3e6"
SMOOTH = 3
"""So many times larger it is drawn than it is saved: Pillow's lines have steps."""

ZOOM = 0.9
"""Where the second panel begins: most readings lie above."""


@dataclass(frozen=True, slots=True)
class _Panel:
    """The square from (low, low) to (1, 1), its left upper corner at pixel (x, y)."""

    draw: ImageDraw.ImageDraw
    x: int
    y: int
    low: float

    def at(self, confidence: float, share: float) -> tuple[float, float]:
        """Pixels of a point; what lies below the panel stands on its lower edge."""
        across, up = ((max(value, self.low) - self.low) / (1 - self.low) for value in (confidence, share))
        return (self.x + across * SIDE) * SMOOTH, (self.y + (1 - up) * SIDE) * SMOOTH

    def line(self, start: tuple[float, float], end: tuple[float, float], colour: str, width: int) -> None:
        self.draw.line((*self.at(*start), *self.at(*end)), colour, width * SMOOTH)

    def text(self, x: float, y: float, text: str, anchor: str, size: int = 12) -> None:
        font = ImageFont.load_default(size * SMOOTH)
        self.draw.text((x * SMOOTH, y * SMOOTH), text, INK, font, anchor)

    def axes(self, title: str) -> None:
        for step in range(6):
            value = self.low + (1 - self.low) * step / 5
            self.line((value, self.low), (value, 1), FAINT, 1)
            self.line((self.low, value), (1, value), FAINT, 1)
            x, y = (pixel / SMOOTH for pixel in self.at(value, value))
            self.text(x, self.y + SIDE + 8, f"{value:.2f}", "mt")
            self.text(self.x - 8, y, f"{value:.2f}", "rm")
        self.line((self.low, self.low), (1, 1), INK, 1)
        self.text(self.x + SIDE / 2, self.y - 24, title, "mb", 13)
        self.text(self.x + SIDE / 2, self.y + SIDE + 40, "confidence, mean of a bin", "mb")

    def bin(self, confidence: float, right: Share) -> None:
        """The share right and its 95 % interval as a bar; a triangle where it lies below the panel."""
        low, high = right.interval
        self.line((confidence, low), (confidence, high), BAR, 5)
        x, y = self.at(confidence, right.share)
        reach = 4 * SMOOTH
        if right.share >= self.low:
            self.draw.ellipse((x - reach, y - reach, x + reach, y + reach), DATA)
        else:
            self.draw.polygon([(x - reach, y - 2 * reach), (x + reach, y - 2 * reach), (x, y)], DATA)

    def count(self, confidence: float, n: int) -> None:
        """How many readings a bin holds, along the upper edge."""
        x, y = (pixel / SMOOTH for pixel in self.at(confidence, 1))
        self.text(x, y - 7, str(n), "mb", 10)


def diagram(found: dict[str, Any]) -> Image.Image:
    """The picture of what :func:`models.scene_figures.reliability` found, RGB: all of it, and its upper end.
    On the line readings are right as often as they say; below it they are too sure."""
    wide, high = 2 * (LEFT + SIDE) + 24, ABOVE + SIDE + BELOW
    image = Image.new("RGB", (wide * SMOOTH, high * SMOOTH), "white")
    draw = ImageDraw.Draw(image)
    for column, panel in enumerate(_panels(draw)):
        panel.axes(
            f"the same from {ZOOM:.2f}" if column else "share of readings that are right; on top, how many"
        )
        for row in found["bins"]:
            if row["confidence"] >= panel.low:
                panel.bin(row["confidence"], Share.from_record(row["right"]))
            if panel.low <= row["confidence"] <= (1 if column else ZOOM):
                panel.count(row["confidence"], row["right"]["n"])
    return image.resize((wide, high), Image.Resampling.LANCZOS)


def _panels(draw: ImageDraw.ImageDraw) -> Iterator[_Panel]:
    for column, low in enumerate((0.0, ZOOM)):
        yield _Panel(draw, LEFT + column * (LEFT + SIDE), ABOVE, low)
