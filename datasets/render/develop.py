"""What a phone does to the light before it is a file: blur, exposure, colour, noise, sharpening, JPEG."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numba import njit
from numpy.random import Generator
from numpy.typing import NDArray

from vision.arrays import Array32, Mask, Pixels

GAMMA = 2.2
LINEAR: Array32 = ((np.arange(256) / 255.0) ** GAMMA).astype(np.float32)
"""(256,) linear light 0..1 of 8-bit display values."""


def _blurred(light: Array32, rng: Generator) -> Array32:
    # In pixels of the photo, whatever its size: a camera with more of them has the lens for it.
    sigma = float(rng.choice([0.35, 0.6, 0.9, 1.3], p=[0.35, 0.35, 0.2, 0.1]))
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)
    if rng.random() < 0.12:
        # At most what a player would still keep: of more, faces cannot be told by anyone.
        length = max(3, round(rng.uniform(1.5, 4)))
        kernel = np.zeros((length, length), np.float32)
        angle = float(rng.uniform(0, np.pi))
        middle = (length - 1) / 2
        offset = np.array([np.cos(angle), np.sin(angle)]) * middle
        start, end = np.round(middle - offset).astype(int), np.round(middle + offset).astype(int)
        cv2.line(kernel, start.tolist(), end.tolist(), 1.0)
        light = np.asarray(cv2.filter2D(light, -1, kernel / kernel.sum()), np.float32)
    return light


def _hand_in_view(light: Array32, rng: Generator) -> Mask:
    """A forearm and fingers that reach in from an edge, drawn onto the light; returns where."""
    height, width = light.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    side = int(rng.integers(3))
    along = float(rng.uniform(0.1, 0.9))
    start = np.array([[0, along * height], [width, along * height], [along * width, 0]][side])
    inward = np.array([[1, 0], [-1, 0], [0, 1]][side], float)
    reach, girth = float(rng.uniform(0.08, 0.25)) * width, float(rng.uniform(0.03, 0.08)) * width
    palm = start + inward * reach + rng.normal(0, 0.03 * width, 2)
    cv2.line(mask, start.astype(int).tolist(), palm.astype(int).tolist(), 255, round(girth * 1.6))
    cv2.circle(mask, palm.astype(int).tolist(), round(girth), 255, -1)
    for spread in np.linspace(-0.9, 0.9, 5) + rng.normal(0, 0.1, 5):
        c, s = np.cos(spread), np.sin(spread)
        tip = palm + np.array([inward[0] * c - inward[1] * s, inward[0] * s + inward[1] * c]) * girth * 2.1
        cv2.line(mask, palm.astype(int).tolist(), tip.astype(int).tolist(), 255, max(2, round(girth * 0.45)))
    skin = np.array([0.55, 0.30, 0.20], np.float32) * float(rng.uniform(0.25, 1.3))
    small = cv2.resize(mask, (width // 4, height // 4), interpolation=cv2.INTER_AREA)  # all that blur leaves
    shade = cv2.resize(cv2.GaussianBlur(small, (0, 0), max(1.0, girth / 12)), (width, height))
    covered: Mask = mask > 0
    light[covered] = (
        skin * (np.float32(0.35) + shade[covered].astype(np.float32) * np.float32(0.65 / 255))[:, None]
    )
    return covered


_LEVELS = 65536
_GRAINS = 1 << 21


@cache
def _grains() -> Array32:
    """Normal noise that every photo takes a stretch of: drawing its own would take as long as the rest."""
    return np.random.default_rng(0).standard_normal(_GRAINS, np.float32)


def _tone(contrast: float) -> Array32:
    """(65536,) display values 0..1 of linear light 0..1."""
    shown = np.linspace(0, 1, _LEVELS, dtype=np.float32) ** np.float32(1 / GAMMA)
    bent = shown + np.float32(contrast) * (shown - np.float32(0.5)) * (1 - np.abs(2 * shown - 1))
    return np.asarray(bent, np.float32)


@njit(cache=True, fastmath=True, error_model="numpy")
def _develop(light, gain, vignette, tone, strength, grains, at, noise):  # type: ignore[no-untyped-def]
    """Linear light to display values, in place; the noise is that of ``grains`` from ``at`` on."""
    height, width = light.shape[:2]
    values = np.empty(3, np.float32)
    for v in range(height):
        for u in range(width):
            far = ((u / width - 0.5) ** 2 + (v / height - 0.5) ** 2) * 2
            fall = (1 - vignette * far) * (_LEVELS - 1)
            for k in range(3):
                values[k] = tone[int(min(max(light[v, u, k] * gain[k] * fall, 0.0), _LEVELS - 1.0))]
            grey = (values[0] + values[1] + values[2]) / 3
            for k in range(3):
                light[v, u, k] = grey + (values[k] - grey) * strength + grains[at] * noise
                at += 1
                if at == len(grains):
                    at = 0


def expose(light: Array32, subject: Mask, width: int, height: int, rng: Generator) -> Pixels:
    """Linear light of any size to the 8-bit RGB photo (height, width, 3) that a phone would store.

    Exposed for the pixels of ``subject``, now and then wrongly.
    The JPEG compression of the file is part of it, so the photo may be stored losslessly.
    """
    metered = light[::4, ::4][subject[::4, ::4]]
    metered = metered if len(metered) else light[::8, ::8].reshape(-1, 3)
    bright = float(np.percentile(metered.max(axis=1), 92)) + 1e-4
    image = np.asarray(cv2.resize(light, (width, height), interpolation=cv2.INTER_AREA), np.float32)
    image = _blurred(image, rng)
    balance = np.exp(rng.normal(0, 0.09, 3) * np.array([1.0, 0.35, 1.0]))
    gain = (balance * float(rng.uniform(0.35, 1.05)) / bright).astype(np.float32)
    vignette = float(rng.uniform(0.1, 0.45)) if rng.random() < 0.4 else 0.0
    tone = _tone(float(rng.normal(0.12, 0.15)))
    strength = float(rng.uniform(0.55, 1.35)) if rng.random() < 0.35 else 1.0
    noise = float(rng.choice([0.004, 0.012, 0.03], p=[0.5, 0.35, 0.15]))
    _develop(image, gain, vignette, tone, strength, _grains(), int(rng.integers(_GRAINS)), noise)
    if rng.random() < 0.3:
        coarse = rng.standard_normal((height // 3 + 1, width // 3 + 1, 3), np.float32) * np.float32(noise)
        cv2.add(image, cv2.resize(coarse, (width, height)), dst=image)
    sharper = float(rng.uniform(0.3, 1.2)) if rng.random() < 0.45 else 0.0
    soft = cv2.GaussianBlur(image, (0, 0), 1.2) if sharper else image
    photo = cv2.addWeighted(image, 255 * (1 + sharper), soft, -255 * sharper, 0, dtype=cv2.CV_8U)
    quality = int(rng.integers(40, 97))
    bgr = cv2.cvtColor(photo, cv2.COLOR_RGB2BGR)
    stored = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR_RGB), np.uint8)


def cover(light: Array32, owner: NDArray[np.int32], nobody: int, rng: Generator) -> None:
    """Now and then a player's hand in view; what it covers belongs to nobody."""
    if rng.random() < 0.10:
        owner[_hand_in_view(light, rng)] = nobody
