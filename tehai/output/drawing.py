"""A reading drawn on its photo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

import cv2
import numpy as np

from vision.arrays import Array32, Pixels
from vision.quads import bounds, lengths
from vision.reading import Reading, SeenTile

Colour = tuple[int, int, int]
Box = tuple[int, int, int, int]

COLOURS: dict[str, Colour] = {
    "hand": (40, 190, 90),
    "win": (235, 60, 60),
    "dora": (190, 90, 230),
    "ura": (190, 90, 230),
    "nuki": (190, 90, 230),
    "other": (150, 150, 150),
}
"""RGB by role; melds take :data:`MELD_COLOURS` in turn."""

MELD_COLOURS: tuple[Colour, ...] = ((50, 140, 255), (0, 190, 210), (110, 110, 255), (20, 160, 160))
DOUBT: Colour = (255, 215, 0)
"""The colour around the label of a doubtful tile. The label also has the second-best face."""

_LEGIBLE = 34
"""The least size of a typical tile in pixels for a legible label. Smaller photos are enlarged first ..."""
_LONGEST = 3200
"""... but never beyond this side."""
_FONT = cv2.FONT_HERSHEY_SIMPLEX


@dataclass(frozen=True, slots=True)
class _Label:
    text: str
    colour: Colour
    doubtful: bool
    quad: Array32


def draw(pixels: Pixels, reading: Reading) -> Pixels:
    """The photo with an outline in the colour of its role and a label for every tile; doubtful ones with
    ``?``.

    Backs that belong to no hand (a wall) have none: nobody needs to check them.

    ``pixels``: (h, w, 3) uint8 RGB, the upright photo at any size; it stays unchanged. Returns RGB of the
    same shape, or larger if the tiles would be too small for labels.
    """
    scale = _enlargement(pixels, reading)
    height, width = pixels.shape[:2]
    size = (round(width * scale), round(height * scale))
    enlarged = cv2.resize(pixels, size, interpolation=cv2.INTER_CUBIC) if scale > 1 else pixels
    canvas: Pixels = np.array(enlarged, np.uint8, order="C")
    ratio = canvas.shape[1] / reading.width
    tiles = [tile for tile in reading.tiles if tile.role != "other" or tile.label != "back"]
    labels = [_label(tile, np.array(tile.quad, np.float32) * ratio) for tile in tiles]
    taken: list[Box] = []
    for label in labels:
        _outline(canvas, label)
    obstacles = [_bounds(label.quad) for label in labels]
    for label in labels:
        _write(canvas, label, obstacles, taken)
    return canvas


def _enlargement(pixels: Pixels, reading: Reading) -> float:
    if not reading.tiles:
        return 1.0
    ratio = pixels.shape[1] / reading.width
    spans = [_span(np.array(tile.quad, np.float32)) * ratio for tile in reading.tiles]
    wanted = _LEGIBLE / max(float(np.median(spans)), 1.0)
    return max(1.0, min(wanted, float(_LONGEST / max(pixels.shape[:2]))))


def _span(quad: Array32) -> float:
    """The shorter side of the quad. The square root of the area would overestimate foreshortened tiles."""
    top, right, bottom, left = lengths(quad)
    return float(min(top + bottom, right + left) / 2)


def _label(tile: SeenTile, quad: Array32) -> _Label:
    if tile.role.startswith("meld:"):
        colour = MELD_COLOURS[int(tile.role[5:]) % len(MELD_COLOURS)]
    else:
        colour = COLOURS[tile.role]
    doubtful = tile.is_doubtful and tile.role != "other"
    text = f"{tile.label}? {tile.runner_up[0]}" if doubtful else tile.label
    return _Label(text, colour, doubtful, quad)


def _outline(canvas: Pixels, label: _Label) -> None:
    thickness = max(1, round(_span(label.quad) / 24))
    corners = np.round(label.quad).astype(np.int32)
    cv2.polylines(canvas, [corners], True, label.colour, thickness, cv2.LINE_AA)
    # The face's top edge, twice as thick: it shows which way up the tile was read.
    cv2.line(canvas, corners[0].tolist(), corners[1].tolist(), label.colour, 2 * thickness, cv2.LINE_AA)


def _write(canvas: Pixels, label: _Label, obstacles: Sequence[Box], taken: list[Box]) -> None:
    span = _span(label.quad)
    size = float(np.clip(span * 0.34, 13, 90))
    font = size / 30
    thickness = max(1, round(size / 13))
    (width, height), base = cv2.getTextSize(label.text, _FONT, font, thickness)
    pad = max(2, round(size / 6))
    w, h = width + 2 * pad, height + base + pad
    box = _place(label.quad, w, h, canvas.shape[1], canvas.shape[0], obstacles, taken)
    taken.append(box)
    x0, y0, x1, y1 = box
    cv2.rectangle(canvas, (x0, y0), (x1, y1), DOUBT if label.doubtful else label.colour, cv2.FILLED)
    if label.doubtful:
        cv2.rectangle(canvas, (x0, y0), (x1, y1), label.colour, max(1, thickness))
    ink = (0, 0, 0) if label.doubtful else (255, 255, 255)
    cv2.putText(
        canvas, label.text, (x0 + pad, y0 + pad // 2 + height), _FONT, font, ink, thickness, cv2.LINE_AA
    )  # fmt: skip


def _place(
    quad: Array32,
    w: int,
    h: int,
    width: int,
    height: int,
    obstacles: Sequence[Box],
    taken: Sequence[Box],
) -> Box:
    """The place where the label hides least: above, below, left or right of the tile, or on its upper
    part."""
    left, top, right, bottom = _bounds(quad)
    x, y = (left + right) // 2, (top + bottom) // 2
    corners = (
        (x - w // 2, top - h),
        (x - w // 2, bottom),
        (left - w, y - h // 2),
        (right, y - h // 2),
        (x - w // 2, top),
    )
    best: tuple[float, Box] | None = None
    for rank, (x0, y0) in enumerate(corners):
        x0, y0 = min(max(x0, 0), max(width - w - 1, 0)), min(max(y0, 0), max(height - h - 1, 0))
        box = (x0, y0, x0 + w, y0 + h)
        own = _overlap(box, (left, top, right, bottom))
        others = sum(_overlap(box, other) for other in obstacles) - own
        # On a neighbour a label would be taken for the neighbour's: better hide a part of its own tile.
        # Hiding another label is worst.
        cost = others + 0.7 * own + 4 * sum(_overlap(box, other) for other in taken) + rank * 0.03 * w * h
        if best is None or cost < best[0]:
            best = cost, box
    assert best is not None
    return best[1]


def _bounds(quad: Array32) -> Box:
    x0, y0, x1, y1 = bounds(quad[None])[0]
    return floor(x0), floor(y0), ceil(x1), ceil(y1)


def _overlap(a: Box, b: Box) -> int:
    return max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))
