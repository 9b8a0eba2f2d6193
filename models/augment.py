"""Augmentations: cheap changes of pictures (h, w, 3) uint8 that keep every pixel at its place."""

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
    """Apply each of ``changes`` with its probability, in their order."""
    for chance, change in changes:
        if rng.random() < chance:
            rgb = change(rgb, rng)
    return rgb


def exposure(rgb: Pixels, rng: np.random.Generator, tint: float) -> Pixels:
    """Change brightness, contrast, gamma and, by up to ``tint``, the white balance."""
    ramp = np.linspace(0, 1, 256, dtype=np.float32)[:, None]
    gain = rng.uniform(0.75, 1.2) * rng.uniform(1 - tint, 1 + tint, 3)
    table = np.clip(ramp * gain + rng.uniform(-0.06, 0.06), 0, 1) ** rng.uniform(0.8, 1.25)
    lut = (table * 255).astype(np.uint8)
    return np.asarray(cv2.LUT(rgb, np.ascontiguousarray(lut[:, None, :])), np.uint8)


def dim(rgb: Pixels, rng: np.random.Generator, warmest: float) -> Pixels:
    """Darken as in a room with a third to a tenth of the light, and add noise. The lamp's blue is ``warmest``
    of its red or more."""
    warmth = float(rng.uniform(warmest, 1))
    lamp = np.array([1, 0.4 + 0.6 * warmth, warmth])
    # A gain of light: after gamma, a tenth of the light is a third of the pixel value.
    gain = (lamp * np.exp(rng.uniform(np.log(0.1), np.log(0.35)))) ** (1 / _GAMMA)
    # A picture that is dark already stays readable.
    bright = float(np.percentile(rgb[::2, ::2].max(axis=2), 90))
    gain *= max(1.0, _READABLE / (bright * float(gain.max()) + 1e-3))
    table = np.linspace(0, 255, 256)[:, None] * np.minimum(gain, 1)
    lut = np.ascontiguousarray(table.round().astype(np.uint8)[:, None, :])
    return noise(np.asarray(cv2.LUT(rgb, lut), np.uint8), rng, 7)


_GAMMA = 2.2
_READABLE = 60.0
"""Pixel value of 255 that the lightest parts keep."""


def far(rgb: Pixels, rng: np.random.Generator, least: float, most: float) -> Pixels:
    """Shrink to ``least`` to ``most`` of the size, blur, add noise and compress there, and enlarge again."""
    height, width = rgb.shape[:2]
    share = float(rng.uniform(least, most))
    size = (max(8, round(width * share)), max(8, round(height * share)))
    small = np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA), np.uint8)
    changed = by_chance(small, rng, _OF_FAR)
    return np.asarray(cv2.resize(changed, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def edge(rgb: Pixels, rng: np.random.Generator, most: float) -> Pixels:
    """Let the photo end inside the picture: up to ``most`` of it, from one side, repeats the last pixels."""
    side, depth = int(rng.integers(4)), float(rng.uniform(0, most))
    turned = np.rot90(rgb, side)
    rows = round(depth * len(turned))
    ended = np.concatenate([np.repeat(turned[rows : rows + 1], rows, axis=0), turned[rows:]])
    return np.ascontiguousarray(np.rot90(ended, -side))


def grey(rgb: Pixels, _: np.random.Generator) -> Pixels:
    """Remove the colours; the picture keeps three channels."""
    return np.asarray(cv2.cvtColor(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB), np.uint8)


def blur(rgb: Pixels, rng: np.random.Generator, strongest: float) -> Pixels:
    """Blur by defocus or motion, by up to about ``strongest`` pixels."""
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
    """Add sensor noise with a deviation of up to ``strongest`` of 255."""
    field: NDArray[np.int16] = np.empty(rgb.shape, np.int16)
    deviation = float(rng.uniform(1, strongest))
    cv2.setRNGSeed(int(rng.integers(1 << 30)))
    cv2.randn(field, np.zeros(3), np.full(3, deviation))
    return np.asarray(cv2.add(rgb, field, dtype=cv2.CV_8U), np.uint8)


def jpeg(rgb: Pixels, rng: np.random.Generator, worst: int) -> Pixels:
    """Compress as JPEG with a quality of ``worst`` or better, and decode."""
    _, data = cv2.imencode(".jpg", rgb, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(worst, 95))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


_OF_FAR = (
    (0.6, partial(blur, strongest=1.1)), (0.5, partial(noise, strongest=9)), (0.4, partial(jpeg, worst=45))
)  # fmt: skip
"""Changes of a small picture in :func:`far`, each with its probability."""


def coarse(rgb: Pixels, rng: np.random.Generator, least: float) -> Pixels:
    """Shrink to ``least`` or more of the size and enlarge again, as a tile far away."""
    height, width = rgb.shape[:2]
    share = float(rng.uniform(least, 1))
    size = (max(4, round(width * share)), max(4, round(height * share)))
    small = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def sharpen(rgb: Pixels, rng: np.random.Generator, strongest: float) -> Pixels:
    """Sharpen as phones do, by up to ``strongest`` times the difference to a slight blur."""
    soft = cv2.GaussianBlur(rgb, (0, 0), float(rng.uniform(0.8, 1.8)))
    amount = float(rng.uniform(0.2, strongest))
    return np.asarray(cv2.addWeighted(rgb, 1 + amount, soft, -amount, 0), np.uint8)


def strokes(rgb: Pixels, rng: np.random.Generator) -> Pixels:
    """Make the ink a little thicker or thinner."""
    change = cv2.erode if rng.random() < 0.5 else cv2.dilate
    changed = change(rgb, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)))
    share = float(rng.uniform(0.3, 1))
    return np.asarray(cv2.addWeighted(rgb, 1 - share, changed, share, 0), np.uint8)


def bend(rgb: Pixels, rng: np.random.Generator, strongest: float) -> Pixels:
    """Bend the drawing smoothly by up to ``strongest`` pixels. The picture's rim stays at its place."""
    height, width = rgb.shape[:2]
    moves = np.zeros((7, 6, 2), np.float32)
    moves[2:-2, 2:-2] = rng.uniform(-strongest, strongest, (3, 2, 2))
    field = cv2.resize(moves, (width, height), interpolation=cv2.INTER_CUBIC)
    x = np.arange(width, dtype=np.float32) + field[..., 0]
    y = np.arange(height, dtype=np.float32)[:, None] + field[..., 1]
    bent = cv2.remap(rgb, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.uint8)


def hues(rgb: Pixels, rng: np.random.Generator) -> Pixels:
    """Shift all hues by the same random angle: makers print in different inks."""
    hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)
    turn = np.arange(256, dtype=np.int64) + int(rng.integers(180))
    hsv[..., 0] = cv2.LUT(np.ascontiguousarray(hsv[..., 0]), (turn % 180).astype(np.uint8))
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB), np.uint8)


def inks(rgb: Pixels, rng: np.random.Generator) -> Pixels:
    """Change red ink to another red, and dark ink to another dark colour. A red five stays red, and a plain
    one plain."""
    bone = np.maximum(np.percentile(rgb, 90, axis=(0, 1)).astype(np.float32), 1)
    face = rgb / bone  # in white light
    red = np.clip((face[..., 0] - face[..., 1:].max(-1)) / 0.25, 0, 1)[..., None]
    dark = np.clip((0.6 - face.max(-1)) / 0.25, 0, 1)[..., None] * (1 - red)
    gain = np.array([rng.uniform(0.7, 1.15), *rng.uniform(0.5, 1.4, 2)], np.float32)
    other = face * gain + np.array([0, *rng.uniform(0, 0.12, 2)], np.float32)
    other[..., 1:] = np.minimum(other[..., 1:], 0.8 * other[..., :1])
    tint = np.array(_DARK_INKS[int(rng.integers(len(_DARK_INKS)))], np.float32) * rng.uniform(0, 0.4)
    changed = face + red * (other - face) * rng.uniform(0.3, 1) + dark * tint
    return np.asarray((changed * bone).round().clip(0, 255), np.uint8)


_DARK_INKS = ((0.1, 0.25, 1.0), (0.05, 0.7, 0.3), (0.1, 0.6, 0.7), (0.35, 0.35, 0.35), (0.45, 0.2, 0.9))
"""Tints of black ink: blue, green, teal, grey, violet."""


def redden(patch: Pixels, corners: Array32, red: str, rng: np.random.Generator) -> Pixels:
    """Turn the plain five at ``corners`` (4, 2) into the red five ``red``, in a random style of
    :mod:`datasets.render.reds`: all or a part of its ink painted red, or a mark on its face."""
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
        # The mark is lit as the bone is.
        part = painted[rows, columns]
        lit = small[..., :3] * (bone / _BONE)
        painted[rows, columns] = part * (1 - small[..., 3:].astype(np.float32) / 255) + lit
    return np.asarray(np.clip(painted, 0, 255), np.uint8)


_RED = (200, 44, 40)
"""Colour of a mark whose style says the red of its set, which is unknown in a photo."""

_BONE = 244.0
"""Pixel value of bone in full light."""


def _painted(
    patch: NDArray[np.float32],
    bone: NDArray[np.float64],
    where: NDArray[Any],
    fives: reds.RedFives,
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """Paint the ink of a patch red. ``where`` (h, w): how much, from 0 to 1; ``bone``: colour of the face."""
    # Ink of any colour absorbs light of the bone: by how much says how much ink there is.
    ink = np.clip(rng.uniform(1.1, 1.7) * (1 - (patch / bone).min(-1)) - 0.12, 0, 1) * where
    if rng.random() < 0.5:
        # Thin paint over the old ink: red at the rims, dark inside.
        ink *= 1 - rng.uniform(0.3, 0.65) * cv2.GaussianBlur(ink, (0, 0), 2.5)
    if fives.colour is not None:
        red = bone * np.array(fives.colour) / _BONE
    else:
        red = bone * [rng.uniform(0.7, 1.0), *(rng.uniform(0.06, 0.35) + rng.uniform(-0.04, 0.08, 2))]
    return np.asarray(patch + (red - patch) * ink[..., None], np.float32)
