"""What tiles are made of: colours of face and back, layers, and what is printed behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.render.draw import HEIGHT, WIDTH

RGB = tuple[int, int, int]
Print = NDArray[np.uint8]
"""RGBA (192, 144, 4), clear where nothing is printed."""


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a set's tiles; lengths are millimetres."""

    bone: RGB
    """Colour on the face's side."""
    back: RGB
    """Colour of the layer on the other side; the bone's own where the tile is of one piece."""
    one_piece: bool
    back_share: float
    """Share of the tile's thickness that the back's layer takes, 0 to 0.5."""
    seam: RGB
    """Colour of a layer between bone and back; the back's own where there are but two."""
    seam_share: float
    """Share of the thickness that seam and back take together."""
    behind: Print | None
    """What is printed on the back."""
    corner: float
    engraving: float
    """Depth of the ink below the face."""
    gloss: float
    """0 dull to 1 polished."""
    clear: float = 0.0
    """How much of what the tile lies on can be seen through it, 0 to 1."""

    @property
    def flat(self) -> NDArray[np.float64]:
        """The shares (2,) of the face's width and height for engravings. On the rounded edge they would be
        hidden from a low camera."""
        return 1 - 2 * _KEPT_OFF * self.corner / np.array(_FACE)


_FACE = (19.5, 26.0)
"""Width and height of a face in millimetres, about."""

_KEPT_OFF = 0.75
"""Share of the edge's rounding that engravings keep off: by eye, on photos of real tiles."""

_BONES: Mapping[RGB, float] = {
    (250, 250, 248): 5, (240, 240, 236): 4, (238, 232, 216): 3, (232, 218, 188): 1.2, (226, 234, 222): 1,
    (226, 234, 244): 1.5, (214, 214, 214): 0.6, (244, 236, 232): 1, (246, 232, 170): 0.4,
    (244, 214, 214): 0.3, (200, 228, 206): 0.3, (196, 220, 240): 0.3,
}  # fmt: skip
_BACKS: Mapping[str, tuple[float, tuple[RGB, ...]]] = {
    "yellow": (4, ((236, 190, 30), (250, 214, 60), (244, 170, 20))),
    "orange": (3, ((236, 130, 20), (240, 110, 40))),
    "green": (4, ((20, 130, 70), (60, 170, 110), (20, 150, 150), (16, 90, 54))),
    "blue": (5, ((30, 80, 190), (60, 150, 220), (20, 40, 90))),
    "red": (3.5, ((210, 30, 36), (160, 24, 34), (226, 60, 50))),
    "black": (3, ((30, 30, 34), (16, 16, 18), (52, 52, 58))),
    "white": (2, ((230, 230, 228), (246, 246, 244), (236, 228, 210))),
    "purple and pink": (2.5, ((110, 50, 150), (240, 110, 150))),
    "bamboo": (3.5, ((206, 166, 104), (190, 140, 80), (222, 190, 132), (150, 104, 60))),
    "brown and grey": (1.5, ((120, 80, 44), (120, 120, 124))),
}
"""Colours of backs by what a player would call them: how often, and shades."""

_ONE_PIECE = 0.08
_SEAM = 0.15
_PRINTED = 0.18
_GRAIN = "bamboo"
"""Backs of this colour show the grain of what they are made of."""


def near(rng: Generator, colour: RGB, spread: float) -> RGB:
    """A colour near another."""
    some = np.clip(np.array(colour) + rng.normal(0, spread, 3), 0, 255)
    red, green, blue = some.round().astype(int).tolist()
    return red, green, blue


def draw(rng: Generator, back: str | None = None) -> Body:
    """A random body. ``back``: what its back's colour is called where chance is not to choose it."""
    bones = np.array(list(_BONES.values()))
    bone = near(rng, list(_BONES)[int(rng.choice(len(bones), p=bones / bones.sum()))], 4)
    shares = np.array([share for share, _ in _BACKS.values()])
    chosen = back or list(_BACKS)[int(rng.choice(len(shares), p=shares / shares.sum()))]
    shades = _BACKS[chosen][1]
    colour = near(rng, shades[int(rng.integers(len(shades)))], 9)
    one_piece = back is None and bool(rng.random() < _ONE_PIECE)
    back_share = 0.0 if one_piece else float(rng.uniform(0.15, 0.45 if chosen == _GRAIN else 0.4))
    seam, seam_share = colour, back_share
    if not one_piece and rng.random() < _SEAM:
        own = shades[int(rng.integers(len(shades)))]
        seam = near(rng, own if rng.random() < 0.3 else _contrast(rng, colour), 6)
        seam_share = min(0.5, back_share + float(rng.uniform(0.05, 0.16)))
    behind = None
    if not one_piece and chosen == _GRAIN:
        behind = _grain(rng, colour)
    elif rng.random() < _PRINTED:
        kinds = list(_PRINTS)
        behind = kinds[int(rng.integers(len(kinds)))](rng, _contrast(rng, bone if one_piece else colour))
    return Body(
        bone, bone if one_piece else colour, one_piece, back_share, bone if one_piece else seam, seam_share,
        behind, float(rng.uniform(1.0, 3.0)), float(rng.uniform(0.0, 0.4)), float(rng.beta(1.5, 1.5)),
    )  # fmt: skip


UNUSUAL: Mapping[str, float] = {"ivory": 0.12, "black": 0.05, "see-through": 0.05}
"""Bodies that few sets have, and how often those that are drawn ``unusual`` have them."""


def unusual(rng: Generator, body: Body) -> tuple[Body, bool]:
    """A body as it is, or now and then one of :data:`UNUSUAL`; and whether its faces are dark."""
    chance = rng.random()
    for name, share in UNUSUAL.items():
        if chance < share:
            return _UNUSUAL[name](rng, body), name == "black"
        chance -= share
    return body, False


def _ivory(rng: Generator, body: Body) -> Body:
    """Bone all through, so that a wall of backs is of the colour of faces."""
    bone = near(rng, (240, 226, 184), 8)
    return replace(body, bone=bone, back=near(rng, bone, 5), seam=bone, behind=None)


def _black(rng: Generator, body: Body) -> Body:
    """Dark faces; the back dark, too, or of gold or white."""
    bone = near(rng, (30, 30, 34), 8)
    backs: tuple[RGB, ...] = (bone, bone, (206, 170, 84), (236, 234, 228), (150, 30, 36))
    back = backs[int(rng.integers(len(backs)))]
    return replace(body, bone=bone, back=back, seam=back)


def _see_through(rng: Generator, body: Body) -> Body:
    """Clear resin, tinted or not."""
    tints: tuple[RGB, ...] = ((226, 236, 238), (180, 220, 240), (240, 200, 214), (200, 236, 206))
    tint = near(rng, tints[int(rng.integers(len(tints)))], 6)
    clear, gloss = float(rng.uniform(0.3, 0.65)), float(rng.uniform(0.5, 1.0))
    return replace(body, bone=tint, back=tint, seam=tint, behind=None, clear=clear, gloss=gloss)


_UNUSUAL: Mapping[str, Callable[[Generator, Body], Body]] = {
    "ivory": _ivory, "black": _black, "see-through": _see_through,
}  # fmt: skip


# --- backs ----------------------------------------------------------------------------------------


def _contrast(rng: Generator, colour: RGB) -> RGB:
    """A colour that shows on another: gold, white or something dark."""
    light = sum(colour) > 480
    some: tuple[RGB, ...] = ((60, 60, 66), (150, 30, 40), (30, 60, 130)) if light else (
        (236, 232, 220), (214, 176, 90), (20, 20, 24)
    )  # fmt: skip
    return some[int(rng.integers(len(some)))]


def _clear(colour: RGB) -> Print:
    face = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    face[..., :3] = colour
    return face


def _inked(colour: RGB, cover: NDArray[np.uint8]) -> Print:
    face = _clear(colour)
    face[..., 3] = cover
    return face


def _grain(rng: Generator, colour: RGB) -> Print:
    """Fibres along the tile, and now and then a knot across it."""
    columns = rng.normal(0, 1, (1, int(rng.integers(24, 72)))).astype(np.float32)
    rows = cv2.resize(columns, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    drift = cv2.resize(rng.normal(0, 0.5, (6, 30)).astype(np.float32), (WIDTH, HEIGHT))
    cover = np.clip((rows + drift) * rng.uniform(30, 70), 0, 150)
    if rng.random() < 0.2:
        at = int(rng.integers(HEIGHT))
        cover[max(at - 3, 0) : at + 3] = rng.uniform(80, 160)
    dark = int(colour[0] * 0.6), int(colour[1] * 0.55), int(colour[2] * 0.5)
    return _inked(dark, cover.astype(np.uint8))


def _crest(rng: Generator, colour: RGB) -> Print:
    """A sign in the middle: rings, a star of rays, or letters."""
    cover = np.zeros((HEIGHT, WIDTH), np.uint8)
    middle, radius = (WIDTH // 2, HEIGHT // 2), int(rng.integers(26, 52))
    line = int(rng.integers(2, 7))
    kind = int(rng.integers(3))
    if kind == 0:
        text = str(rng.choice(("MJ", "R", "A", "TEN", "K")))
        (wide, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 1.6, line)
        at = middle[0] - wide // 2, middle[1] + tall // 2
        cv2.putText(cover, text, at, cv2.FONT_HERSHEY_DUPLEX, 1.6, 255, line, cv2.LINE_AA)
    else:
        cv2.circle(cover, middle, radius, 255, line, cv2.LINE_AA)
        rays = int(rng.integers(3, 9))
        for angle in np.arange(rays) * 2 * np.pi / rays:
            tip = round(middle[0] + np.cos(angle) * radius), round(middle[1] + np.sin(angle) * radius)
            cv2.line(cover, middle, tip, 255, line, cv2.LINE_AA)
        if kind == 2:
            cv2.circle(cover, middle, radius // 2, 255, -1, cv2.LINE_AA)
    return _inked(colour, cover)


def _lattice(rng: Generator, colour: RGB) -> Print:
    """Lines that cross, or dots in rows, within a frame."""
    cover = np.zeros((HEIGHT, WIDTH), np.uint8)
    step, line = int(rng.integers(12, 30)), int(rng.integers(1, 4))
    if rng.random() < 0.5:
        for at in range(-HEIGHT, WIDTH + HEIGHT, step):
            cv2.line(cover, (at, 0), (at + HEIGHT, HEIGHT), 255, line, cv2.LINE_AA)
            cv2.line(cover, (at, HEIGHT), (at + HEIGHT, 0), 255, line, cv2.LINE_AA)
    else:
        for y in range(step // 2, HEIGHT, step):
            for x in range(step // 2, WIDTH, step):
                cv2.circle(cover, (x, y), max(2, step // 5), 255, -1, cv2.LINE_AA)
    inset = int(rng.integers(6, 22))
    framed = np.zeros_like(cover)
    framed[inset:-inset, inset:-inset] = cover[inset:-inset, inset:-inset]
    cv2.rectangle(framed, (inset, inset), (WIDTH - inset, HEIGHT - inset), 255, line + 1, cv2.LINE_AA)
    return _inked(colour, framed)


_PRINTS: tuple[Callable[[Generator, RGB], Print], ...] = (_crest, _crest, _lattice)
