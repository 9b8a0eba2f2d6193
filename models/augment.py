"""What a camera does to a picture after the scene is set: cheap changes that keep every pixel's place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render import reds
from vision.arrays import Array32, Pixels

Change = Callable[[Pixels, np.random.Generator], Pixels]


def by_chance(rgb: Pixels, rng: np.random.Generator, changes: Iterable[tuple[float, Change]]) -> Pixels:
    """The picture after those of the changes that befall it, in their order: each with its chance."""
    for chance, change in changes:
        if rng.random() < chance:
            rgb = change(rgb, rng)
    return rgb


def exposure(rgb: Pixels, rng: np.random.Generator, tint: float) -> Pixels:
    """Brightness, contrast, gamma and a white balance off by up to ``tint`` in one table look-up."""
    ramp = np.linspace(0, 1, 256, dtype=np.float32)[:, None]
    gain = rng.uniform(0.75, 1.2) * rng.uniform(1 - tint, 1 + tint, 3)
    table = np.clip(ramp * gain + rng.uniform(-0.06, 0.06), 0, 1) ** rng.uniform(0.8, 1.25)
    lut = (table * 255).astype(np.uint8)
    return np.asarray(cv2.LUT(rgb, np.ascontiguousarray(lut[:, None, :])), np.uint8)


def dim(rgb: Pixels, rng: np.random.Generator, warmest: float) -> Pixels:
    """A dark room: a third to a tenth of the light, of lamps whose blue is down to ``warmest`` of their red,
    and the noise of a camera that makes the best of it. Black ink stays black beside the bone."""
    warmth = float(rng.uniform(warmest, 1))
    lamp = np.array([1, 0.4 + 0.6 * warmth, warmth])
    # Of the light itself: on a file's scale of 255 a tenth of it is a third.
    gain = (lamp * np.exp(rng.uniform(np.log(0.1), np.log(0.35)))) ** (1 / _GAMMA)
    # What is dark already is not made black: nobody would ask what it shows.
    bright = float(np.percentile(rgb[::2, ::2].max(axis=2), 90))
    gain *= max(1.0, _SEEN / (bright * float(gain.max()) + 1e-3))
    table = np.linspace(0, 255, 256)[:, None] * np.minimum(gain, 1)
    lut = np.ascontiguousarray(table.round().astype(np.uint8)[:, None, :])
    return noise(np.asarray(cv2.LUT(rgb, lut), np.uint8), rng, 7)


_GAMMA = 2.2
_SEEN = 60.0
"""Of 255: what the lightest parts have at least."""


def far(rgb: Pixels, rng: np.random.Generator, least: float, most: float) -> Pixels:
    """``least`` to ``most`` of its size as the camera took it: out of focus or moved, noisy and compressed at
    those few pixels, and enlarged."""
    height, width = rgb.shape[:2]
    share = float(rng.uniform(least, most))
    size = (max(8, round(width * share)), max(8, round(height * share)))
    small = np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA), np.uint8)
    taken = by_chance(small, rng, _TAKEN)
    return np.asarray(cv2.resize(taken, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def edge(rgb: Pixels, rng: np.random.Generator, most: float) -> Pixels:
    """The photo ends within the picture: up to ``most`` of it from one side repeat the last pixels."""
    side, depth = int(rng.integers(4)), float(rng.uniform(0, most))
    turned = np.rot90(rgb, side)
    rows = round(depth * len(turned))
    ended = np.concatenate([np.repeat(turned[rows : rows + 1], rows, axis=0), turned[rows:]])
    return np.ascontiguousarray(np.rot90(ended, -side))


def grey(rgb: Pixels, _: np.random.Generator) -> Pixels:
    """The picture without colour, three channels still."""
    return np.asarray(cv2.cvtColor(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB), np.uint8)


def blur(rgb: Pixels, rng: np.random.Generator, strongest: float) -> Pixels:
    """Out of focus or moved, by up to about ``strongest`` pixels."""
    amount = float(rng.uniform(0.3, strongest))
    if rng.random() < 0.6:
        return np.asarray(cv2.GaussianBlur(rgb, (0, 0), amount), np.uint8)
    length = max(2, round(amount * 2.5)) | 1
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    half = length // 2
    tip = (round(half + half * np.cos(angle)), round(half + half * np.sin(angle)))
    tail = (2 * half - tip[0], 2 * half - tip[1])
    cv2.line(kernel, tip, tail, 1.0)
    return np.asarray(cv2.filter2D(rgb, -1, kernel / kernel.sum()), np.uint8)


def noise(rgb: Pixels, rng: np.random.Generator, strongest: float) -> Pixels:
    """Sensor noise with a deviation of up to ``strongest`` of 255."""
    field: NDArray[np.int16] = np.empty(rgb.shape, np.int16)
    deviation = float(rng.uniform(1, strongest))
    cv2.setRNGSeed(int(rng.integers(1 << 30)))
    cv2.randn(field, np.zeros(3), np.full(3, deviation))
    return np.asarray(cv2.add(rgb, field, dtype=cv2.CV_8U), np.uint8)


def jpeg(rgb: Pixels, rng: np.random.Generator, worst: int) -> Pixels:
    """Compressed and read back, with a quality of ``worst`` or better."""
    _, data = cv2.imencode(".jpg", rgb, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(worst, 95))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


_TAKEN = (
    (0.6, partial(blur, strongest=1.1)), (0.5, partial(noise, strongest=9)), (0.4, partial(jpeg, worst=45))
)  # fmt: skip
"""What befalls a small picture as the camera takes it."""


def coarse(rgb: Pixels, rng: np.random.Generator, least: float) -> Pixels:
    """Shrunk to ``least`` or more of its size and enlarged again: a tile far away."""
    height, width = rgb.shape[:2]
    share = float(rng.uniform(least, 1))
    size = (max(4, round(width * share)), max(4, round(height * share)))
    small = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def sharpen(rgb: Pixels, rng: np.random.Generator, strongest: float) -> Pixels:
    """Edges raised as phones do, by up to ``strongest`` times what a small blur takes away."""
    soft = cv2.GaussianBlur(rgb, (0, 0), float(rng.uniform(0.8, 1.8)))
    amount = float(rng.uniform(0.2, strongest))
    return np.asarray(cv2.addWeighted(rgb, 1 + amount, soft, -amount, 0), np.uint8)


def strokes(rgb: Pixels, rng: np.random.Generator) -> Pixels:
    """Ink a little thicker or thinner: what is dark grows or shrinks."""
    change = cv2.erode if rng.random() < 0.5 else cv2.dilate
    changed = change(rgb, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)))
    share = float(rng.uniform(0.3, 1))
    return np.asarray(cv2.addWeighted(rgb, 1 - share, changed, share, 0), np.uint8)


def bend(rgb: Pixels, rng: np.random.Generator, strongest: float) -> Pixels:
    """The drawing bent smoothly by up to ``strongest`` pixels; the picture's rim stays where it is."""
    height, width = rgb.shape[:2]
    moves = np.zeros((7, 6, 2), np.float32)
    moves[2:-2, 2:-2] = rng.uniform(-strongest, strongest, (3, 2, 2))
    field = cv2.resize(moves, (width, height), interpolation=cv2.INTER_CUBIC)
    x = np.arange(width, dtype=np.float32) + field[..., 0]
    y = np.arange(height, dtype=np.float32)[:, None] + field[..., 1]
    bent = cv2.remap(rgb, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.uint8)


def hues(rgb: Pixels, rng: np.random.Generator) -> Pixels:
    """All colours moved round the circle together: the red ink of one maker is another one's blue."""
    hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)
    turn = np.arange(256, dtype=np.int64) + int(rng.integers(180))
    hsv[..., 0] = cv2.LUT(np.ascontiguousarray(hsv[..., 0]), (turn % 180).astype(np.uint8))
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB), np.uint8)


def inks(rgb: Pixels, rng: np.random.Generator) -> Pixels:
    """The red ink another red and the dark ink another dark colour, by chance: a red five stays red by it, a
    plain one plain, whichever of its parts its maker prints red."""
    bone = np.maximum(np.percentile(rgb, 90, axis=(0, 1)).astype(np.float32), 1)
    face = rgb / bone  # as it is in white light
    red = np.clip((face[..., 0] - face[..., 1:].max(-1)) / 0.25, 0, 1)[..., None]
    dark = np.clip((0.6 - face.max(-1)) / 0.25, 0, 1)[..., None] * (1 - red)
    gain = np.array([rng.uniform(0.7, 1.15), *rng.uniform(0.5, 1.4, 2)], np.float32)
    other = face * gain + np.array([0, *rng.uniform(0, 0.12, 2)], np.float32)
    other[..., 1:] = np.minimum(other[..., 1:], 0.8 * other[..., :1])
    tint = np.array(_DARK_INKS[int(rng.integers(len(_DARK_INKS)))], np.float32) * rng.uniform(0, 0.4)
    changed = face + red * (other - face) * rng.uniform(0.3, 1) + dark * tint
    return np.asarray((changed * bone).round().clip(0, 255), np.uint8)


_DARK_INKS = ((0.1, 0.25, 1.0), (0.05, 0.7, 0.3), (0.1, 0.6, 0.7), (0.35, 0.35, 0.35), (0.45, 0.2, 0.9))
"""Colours towards which black goes: blue, green, teal, grey, violet."""


def redden(patch: Pixels, corners: Array32, red: str, rng: np.random.Generator) -> Pixels:
    """The plain five whose ``corners`` (4, 2) are given as the red one, in a style that training knows
    (:mod:`datasets.render.reds`): its ink painted red, all or a part of it, or a mark put on its face."""
    (x0, y0), (x1, y1) = corners.min(0), corners.max(0)
    rows, columns = slice(round(y0), round(y1)), slice(round(x0), round(x1))
    inset_x, inset_y = 0.07 * (x1 - x0), 0.06 * (y1 - y0)
    mask = np.zeros(patch.shape[:2], np.float32)
    mask[round(y0 + inset_y) : round(y1 - inset_y), round(x0 + inset_x) : round(x1 - inset_x)] = 1
    face = patch[mask > 0].astype(np.float32)
    bone = np.maximum(np.percentile(face[face.sum(1) >= np.percentile(face.sum(1), 60)], 50, axis=0), 20)
    fives = reds.RedFives.draw(rng, reds.choose(rng, held_out=False))
    painted = patch.astype(np.float32)
    if fives.style.ink != "plain":
        shown = mask
        if fives.corners:
            x, y = (np.linspace(-1.2, 1.2, n) for n in (columns.stop - columns.start, rows.stop - rows.start))
            shown = np.zeros_like(mask)
            shown[rows, columns] = reds.partly(red, fives.style.ink, fives.corners, x[None], y[:, None])
            shown *= mask
        painted = _painted(painted, bone, cv2.GaussianBlur(shown, (0, 0), 2), fives, rng)
    layer = fives.mark(red, _RED)
    if layer is not None:
        size = columns.stop - columns.start, rows.stop - rows.start
        small = cv2.resize(cv2.cvtColor(layer, cv2.COLOR_RGBA2mRGBA), size, interpolation=cv2.INTER_AREA)
        # The mark lies in the light that the bone lies in.
        part = painted[rows, columns]
        lit = small[..., :3] * (bone / _BONE)
        painted[rows, columns] = part * (1 - small[..., 3:].astype(np.float32) / 255) + lit
    return np.asarray(np.clip(painted, 0, 255), np.uint8)


_RED = (200, 44, 40)
"""The red of a mark that has the colour of its set's other reds: nobody knows that of a real one."""

_BONE = 244.0
"""How light bone is in full light."""


def _painted(
    patch: NDArray[np.float32],
    bone: NDArray[np.float64],
    where: NDArray[Any],
    fives: reds.RedFives,
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """A patch with its ink painted red, as far as ``where`` (h, w) says."""
    # How much of the bone's light the ink takes, whatever its colour, tells how much ink there is.
    ink = np.clip(rng.uniform(1.1, 1.7) * (1 - (patch / bone).min(-1)) - 0.12, 0, 1) * where
    if rng.random() < 0.5:
        # Thin paint over the old ink: red at the rims, dark within.
        ink *= 1 - rng.uniform(0.3, 0.65) * cv2.GaussianBlur(ink, (0, 0), 2.5)
    if fives.colour is not None:
        red = bone * np.array(fives.colour) / _BONE
    else:
        red = bone * [rng.uniform(0.7, 1.0), *(rng.uniform(0.06, 0.35) + rng.uniform(-0.04, 0.08, 2))]
    return np.asarray(patch + (red - patch) * ink[..., None], np.float32)
