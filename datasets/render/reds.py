"""Red fives as makers print them, and as players make them of plain ones.

A set's red fives have one style, a row of :data:`STYLES`: a change of the plain five's inks, and a mark on
the face. Held-out styles occur only in held-out sets, to measure how networks read unknown marks.

A style must be recognisable on the tile alone. Most sets print the middle pip and stick red, and the
character 萬 of their plain fives. So no style is a red middle or a red 萬.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render.draw import BLACK, HEIGHT, RED, WIDTH, Plates

RGB = tuple[int, int, int]
Face = NDArray[np.uint8]
"""RGBA (192, 144, 4): ink only."""

Corners = tuple[tuple[int, int], ...]
"""Outer pips or sticks: -1 left or 1 right, -1 above or 1 below."""

Ink = Literal["own", "red", "painted", "plain", "part", "some", "upper"]
Mark = Literal["dot", "dots", "stone", "varnish", "scrawl", "band", "star", "rim"]


@dataclass(frozen=True, slots=True)
class Style:
    """How a set's red fives differ from its plain ones.

    ``ink``: ``own`` as in the drawing; ``red`` all of it; ``painted`` by hand; ``plain`` unchanged; ``part``
    one outer pip or stick; ``some`` two to four of them, or half a character; ``upper`` the upper two, or the
    numeral. ``mark``: the mark on the face. ``share``: the frequency among the styles of its side of the
    split.
    """

    share: float
    ink: Ink
    mark: Mark | None = None
    held_out: bool = False


STYLES: Mapping[str, Style] = {
    "own": Style(0.18, "own"),
    "printed": Style(0.17, "red"),
    "printed with a dot": Style(0.10, "red", "dot"),
    "painted": Style(0.20, "painted"),
    "painted with a dot": Style(0.05, "painted", "dot"),
    "dots": Style(0.11, "plain", "dots"),
    "stone": Style(0.07, "plain", "stone"),
    "varnish": Style(0.07, "plain", "varnish"),
    "part": Style(0.05, "part"),
    "some": Style(0.07, "some"),
    "scrawl": Style(0.14, "plain", "scrawl"),
    "band": Style(0.07, "plain", "band"),
    "star": Style(0.4, "plain", "star", held_out=True),
    "upper": Style(0.3, "upper", held_out=True),
    "rim": Style(0.3, "plain", "rim", held_out=True),
}

UNSEEN = 0.4
"""Share of the held-out sets whose red fives are of a style that is held out."""

_COLOURS: Mapping[str, tuple[float, Sequence[RGB]]] = {
    "the set's": (0.34, ()),
    "bright": (0.34, ((214, 44, 36), (232, 60, 40), (200, 30, 50), (236, 80, 70))),
    "dark": (0.12, ((126, 20, 28), (140, 26, 24), (116, 24, 40))),
    "orange": (0.10, ((236, 104, 36), (228, 88, 48), (240, 122, 60))),
    "pink": (0.10, ((232, 84, 128), (240, 110, 150), (224, 70, 150))),
}
"""Reds of the fives: share, and colours of the ink or paint; the first is the red of the other faces."""

_GOLDEN: RGB = (244, 206, 96)
"""Stones are golden, too. Clear ones are not drawn: on a white tile of 40 pixels nobody can tell them."""

_CORNERS = ((0.11, 0.09), (0.89, 0.09), (0.11, 0.91), (0.89, 0.91))
_SPOTS: Mapping[str, Sequence[tuple[float, float]]] = {
    "0m": ((0.86, 0.12), (0.14, 0.12), (0.88, 0.2), (0.12, 0.22), (0.87, 0.32)),
    "0p": ((0.08, 0.5), (0.92, 0.5), (0.5, 0.1), (0.1, 0.5)),
    "0s": ((0.5, 0.16), (0.5, 0.86), (0.5, 0.12)),
}
"""Where a mark has room beside the drawing, in shares of the face."""


_PARTS: Mapping[Ink, Sequence[Corners]] = {
    "part": tuple(((side, end),) for side in (-1, 1) for end in (-1, 1)),
    "some": (
        ((-1, 1), (1, 1)), ((-1, -1), (-1, 1)), ((1, -1), (1, 1)), ((-1, -1), (1, 1)), ((1, -1), (-1, 1)),
        tuple((side, end) for side in (-1, 1) for end in (-1, 1)),
    ),
    "upper": (((-1, -1), (1, -1)),),
}  # fmt: skip
"""Which outer pips or sticks are red."""


def names(*, held_out: bool) -> tuple[str, ...]:
    """The styles of one side of the split."""
    return tuple(name for name, style in STYLES.items() if style.held_out == held_out)


def choose(rng: np.random.Generator, *, held_out: bool) -> str:
    """The style of a set: training knows its own alone, held-out sets have all."""
    side = held_out and rng.random() < UNSEEN
    some = names(held_out=side)
    shares = np.array([STYLES[name].share for name in some])
    return some[int(rng.choice(len(some), p=shares / shares.sum()))]


# --- inks -----------------------------------------------------------------------------------------

_SMALL = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))


@dataclass(frozen=True, slots=True)
class Paint:
    """Red painted by hand over the inks of a plain five.

    The shares of the inks that still show: everywhere, under thin paint, and along the strokes' rims.
    """

    even: float
    thin: NDArray[np.float32]
    """(192, 144) a field over the face."""
    rim: float
    most: float = 0.45
    """All together at most: red wins on every face, or nobody could tell the label."""


_DARK = 150
"""Of 255: what a red's strongest part has to be, or little of a dark ink may show through it."""


def paint(rng: np.random.Generator, colour: RGB | None = None) -> Paint:
    """Paint of a colour that is uneven by chance; without one, of a red that nobody knows yet."""
    most = 0.45 if colour is not None and max(colour) >= _DARK else 0.3
    coarse = int(rng.integers(3, 9))
    patches = cv2.resize(rng.random((coarse + 2, coarse), np.float32), (WIDTH, HEIGHT))
    thin = np.clip((np.asarray(patches, np.float32) - 0.6) * 2.5, 0, 1) * np.float32(rng.uniform(0, 0.8))
    return Paint(rng.uniform(0.0, 0.3), thin, rng.uniform(0.0, 0.6) if rng.random() < 0.6 else 0.0, most)


def reddened(plain: Plates, painted: Paint | None) -> Plates:
    """A face wholly in red: printed so, or painted over."""
    total = np.minimum(plain.astype(np.float32).sum(axis=2), 255)
    shows = np.zeros_like(total)
    if painted is not None:
        stroke = cv2.blur(cv2.erode(total, _SMALL, iterations=2), (3, 3))
        rim = np.clip(1 - stroke / np.maximum(total, 1), 0, 1)
        shows = np.minimum(painted.even + painted.thin + painted.rim * rim, painted.most).astype(np.float32)
    face = plain * shows[..., None]
    face[..., RED] += total * (1 - shows)
    return np.asarray(face.round().clip(0, 255), np.uint8)


def _normalised(plain: Plates) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """x (1, 144) and y (192, 1) over the box of the ink, -1 to 1."""
    ink = plain.max(axis=2) > 60
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not rows.size:
        return np.zeros((1, WIDTH)), np.zeros((HEIGHT, 1))
    x = np.interp(np.arange(WIDTH), (columns[0], columns[-1]), (-1, 1))
    y = np.interp(np.arange(HEIGHT), (rows[0], rows[-1]), (-1, 1))
    return x[None], y[:, None]


def corner(red: str, x: NDArray[Any], y: NDArray[Any], side: int, end: int) -> NDArray[np.bool_]:
    """Where the pip or stick of one corner lies: ``side`` -1 left, 1 right; ``end`` -1 above, 1 below.

    ``x`` (1, w), ``y`` (h, 1): from -1 to 1 over the drawing.
    """
    if red == "0s":  # the fifth stands between them over nearly the whole height
        return np.asarray((side * x > 0.36) & (end * y > 0))
    return np.asarray((side * x > 0.34) & (end * y > 0.2))


def partly(red: str, ink: Ink, corners: Corners, x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.bool_]:
    """What of a plain five is made red: the pips or sticks of ``corners``, of a character all or one half.

    ``x`` (1, w), ``y`` (h, 1): from -1 to 1 over the drawing.
    """
    if red == "0m":
        return np.asarray((corners[0][0] * x > 0) if ink == "some" else x > -np.inf) & (y > -np.inf)
    return np.asarray(np.any([corner(red, x, y, *each) for each in corners], axis=0))


def _red_numeral(plain: Plates) -> Plates | None:
    """The numeral red and 萬 dark, the other way round than plain fives have it; None where the drawing has
    not both inks."""
    dark = np.delete(plain, RED, axis=2).max(axis=2)
    if min((dark > 100).mean(), (plain[..., RED] > 100).mean()) < 0.02:
        return None
    swapped = np.zeros_like(plain)
    swapped[..., RED], swapped[..., BLACK] = dark, plain[..., RED]
    return swapped


# --- marks ----------------------------------------------------------------------------------------

_FINE = 4


def _layer(shape: Callable[[Face], None]) -> Face:
    """What ``shape`` draws on a clear face four times as fine."""
    fine = np.zeros((HEIGHT * _FINE, WIDTH * _FINE, 4), np.uint8)
    shape(fine)
    small = cv2.resize(
        cv2.cvtColor(fine, cv2.COLOR_RGBA2mRGBA), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA
    )
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_mRGBA2RGBA), np.uint8)


def _over(face: Face, layer: Face) -> Face:
    """A layer laid over a face."""
    upper, lower = layer[..., 3:].astype(np.float32) / 255, face[..., 3:].astype(np.float32) / 255
    cover = upper + lower * (1 - upper)
    # Where nothing lies the face keeps its colour: clear texels are of the ink's own when they are resampled.
    mixed = (layer[..., :3] * upper + face[..., :3] * lower * (1 - upper)) / np.maximum(cover, 1e-3)
    colour = np.where(cover > 0.002, mixed, face[..., :3])
    return np.concatenate([colour, cover * 255], axis=2).round().clip(0, 255).astype(np.uint8)


def _pixels(spot: tuple[float, float]) -> tuple[int, int]:
    return round(spot[0] * WIDTH * _FINE), round(spot[1] * HEIGHT * _FINE)


def _shade(colour: RGB, share: float) -> tuple[int, int, int, int]:
    """An opaque colour, darker below 1, towards white above."""
    if share <= 1:
        red, green, blue = (round(part * share) for part in colour)
    else:
        red, green, blue = (round(part + (255 - part) * (share - 1)) for part in colour)
    return red, green, blue, 255


def _disc(face: Face, spot: tuple[float, float], radius: float, colour: tuple[int, int, int, int]) -> None:
    cv2.circle(face, _pixels(spot), round(radius * WIDTH * _FINE), colour, -1, cv2.LINE_AA)


def _stone(face: Face, spot: tuple[float, float], radius: float, colour: RGB, _: np.random.Generator) -> None:
    """A cut piece of glass, its rim dark, a light on it."""
    _disc(face, spot, radius, _shade(colour, 0.55))
    _disc(face, spot, radius * 0.8, _shade(colour, 1.0))
    _disc(face, spot, radius * 0.45, _shade(colour, 1.3))
    _disc(face, (spot[0] - radius * 0.3, spot[1] - radius * 0.25), radius * 0.2, (255, 250, 250, 255))


def _varnish(
    face: Face, spot: tuple[float, float], radius: float, colour: RGB, rng: np.random.Generator
) -> None:
    """A drop of nail varnish: uneven, with a light on it."""
    for _ in range(int(rng.integers(2, 5))):
        at = tuple(np.array(spot) + rng.normal(0, 0.35 * radius, 2) * (1, WIDTH / HEIGHT))
        axes = (rng.uniform(0.6, 1.0, 2) * radius * WIDTH * _FINE).round().astype(int)
        cv2.ellipse(
            face, _pixels((float(at[0]), float(at[1]))), (int(axes[0]), int(axes[1])),
            float(rng.uniform(0, 180)), 0, 360, _shade(colour, 1.0), -1, cv2.LINE_AA,
        )  # fmt: skip
    if rng.random() < 0.6:
        _disc(face, (spot[0] - 0.2 * radius, spot[1] - 0.2 * radius), radius * 0.18, _shade(colour, 1.6))


def _star(
    face: Face, spot: tuple[float, float], radius: float, colour: RGB, rng: np.random.Generator
) -> None:
    """A star of five points."""
    angle = -np.pi / 2 + np.arange(10) * np.pi / 5 + rng.normal(0, 0.15)
    reach = np.where(np.arange(10) % 2, rng.uniform(0.4, 0.5), 1.0) * radius * WIDTH * _FINE
    points = np.column_stack([np.cos(angle), np.sin(angle)]) * reach[:, None] + _pixels(spot)
    cv2.fillPoly(face, [points.round().astype(np.int32)], _shade(colour, 1.0), cv2.LINE_AA)


def _scrawl(
    face: Face, spot: tuple[float, float], radius: float, colour: RGB, rng: np.random.Generator
) -> None:
    """Whatever a player draws with a pen: a cross, a ring, a letter, a polygon, a line or two."""
    reach, shade = radius * WIDTH * _FINE, _shade(colour, 1.0)
    middle, line = np.array(_pixels(spot)), max(2, round(rng.uniform(0.3, 0.5) * reach))
    angle = rng.uniform(0, 2 * np.pi)
    kind = int(rng.integers(5))
    if kind == 0:
        cv2.circle(face, (int(middle[0]), int(middle[1])), round(0.8 * reach), shade, line, cv2.LINE_AA)
    elif kind == 1:
        letter, scale = "ARTKHXV5"[int(rng.integers(8))], 2 * reach / 22
        low = middle + np.array([-9, 11]) * scale
        cv2.putText(face, letter, (int(low[0]), int(low[1])), 0, scale, shade, line, cv2.LINE_AA)
    elif kind == 2:
        around = angle + np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(6, 9))))
        points = np.column_stack([np.cos(around), np.sin(around)]) * reach * rng.uniform(0.7, 1.1) + middle
        cv2.fillPoly(face, [points.round().astype(np.int32)], shade, cv2.LINE_AA)
    else:
        for turn in (angle, angle + np.pi / 2)[: 5 - kind]:
            way = np.array([np.cos(turn), np.sin(turn)]) * reach
            ends = (middle - way).round().astype(int), (middle + way).round().astype(int)
            cv2.line(face, tuple(ends[0].tolist()), tuple(ends[1].tolist()), shade, line, cv2.LINE_AA)


def _point(face: Face, spot: tuple[float, float], radius: float, colour: RGB, _: np.random.Generator) -> None:
    _disc(face, spot, radius, _shade(colour, 1.0))


_MARKS: Mapping[Mark, tuple[Callable[..., None], tuple[float, float], tuple[int, ...]]] = {
    "dot": (_point, (0.03, 0.055), (1,)),
    "dots": (_point, (0.05, 0.075), (1, 1, 2, 4)),
    "stone": (_stone, (0.065, 0.11), (1,)),
    "varnish": (_varnish, (0.07, 0.13), (1, 1, 2)),
    "scrawl": (_scrawl, (0.09, 0.15), (1, 1, 2)),
    "star": (_star, (0.1, 0.15), (1,)),
}
"""How each mark is drawn, its radius in shares of the face's width, and how many of it there may be.

What alone tells the five is never less than a tenth of the face across: four pixels where a tile has forty.
"""


_FLAT = (0.03, 0.06)
"""How far from a face's edge lines along it begin: nearer they lie on the tile's rounded edge, where no photo
from above shows them."""


def _rim(face: Face, thick: float, inset: float, colour: RGB) -> None:
    """A coloured line along the face's edges."""
    unit = WIDTH * _FINE
    low, line = round((inset + thick / 2) * unit), max(1, round(thick * unit))
    corner = (WIDTH * _FINE - low, HEIGHT * _FINE - low)
    cv2.rectangle(face, (low, low), corner, _shade(colour, 1.0), line, cv2.LINE_AA)


def _sides(face: Face, thick: float, inset: float, sides: Sequence[int], colour: RGB) -> None:
    """A coloured bar along some edges of the face: above, right, below, left."""
    height, width = face.shape[:2]
    bar, off = (round(part * WIDTH * _FINE) for part in (thick, inset))
    for side in sides:
        left, top = (width - off - bar if side == 1 else off), (height - off - bar if side == 2 else off)
        right, bottom = (off + bar if side == 3 else width - off), (off + bar if side == 0 else height - off)
        face[top:bottom, left:right] = _shade(colour, 1.0)


# --- a set's red fives ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RedFives:
    """The red fives of one set: a style with the paint, colour and places that the set has of it."""

    style: Style
    paint: Paint
    colour: RGB | None
    """Of the red ink and of the marks; None: the red of the set's other faces."""
    place: int
    radius: float
    count: int
    seed: int

    @classmethod
    def draw(cls, rng: np.random.Generator, name: str) -> RedFives:
        """Those of a set whose style has this name."""
        style = STYLES[name]
        kinds = list(_COLOURS.values())
        shades = kinds[int(rng.choice(len(kinds), p=[share for share, _ in kinds]))][1]
        colour = None
        if len(shades):
            near = np.clip(np.array(shades[int(rng.integers(len(shades)))]) + rng.normal(0, 6, 3), 0, 255)
            colour = int(near[0]), int(near[1]), int(near[2])
        if style.mark == "stone" and rng.random() < 0.25:
            colour = _GOLDEN
        _, radii, counts = _MARKS.get(style.mark or "dot", _MARKS["dot"])
        return cls(
            style, paint(rng, colour), colour, int(rng.integers(60)), float(rng.uniform(*radii)),
            int(rng.choice(counts)), int(rng.integers(2**32)),
        )  # fmt: skip

    @property
    def corners(self) -> Corners:
        """Which outer pips or sticks are red; none where the style is another one."""
        ways = _PARTS.get(self.style.ink, ((),))
        return ways[self.place % len(ways)]

    def plates(self, red: str, plain: Plates, own: Plates | None) -> Plates:
        """The plates of ``red``, from its plain five or from the drawing's own.

        All of it is red if the drawing does not allow the set's style.
        """
        ink = self.style.ink
        if ink == "plain":
            return plain.copy()
        if ink == "own" and own is not None:
            return reddened(own, None)
        if ink == "painted":
            return reddened(plain, self.paint)
        if red == "0m" and ink == "upper":
            numeral = _red_numeral(plain)
            return reddened(plain, None) if numeral is None else numeral
        if self.corners and (red != "0m" or ink == "some"):
            where = partly(red, ink, self.corners, *_normalised(plain))
            return np.where(where[..., None], reddened(plain, None), plain)
        return reddened(plain, None)

    def mark(self, red: str, colour: RGB) -> Face | None:
        """What is put on the face of ``red``, None where the style is one of inks alone. ``colour``: the red
        of the set's other faces."""
        mark = self.style.mark
        if mark is None:
            return None
        colour = self.colour or colour
        rng = np.random.default_rng(self.seed)
        if mark == "band":
            bar, off = float(rng.uniform(0.09, 0.14)), float(rng.uniform(*_FLAT))
            sides = rng.permutation(4)[: int(rng.integers(1, 4))].tolist()
            return _layer(lambda fine: _sides(fine, bar, off, sides, colour))
        if mark == "rim":
            thick, inset = float(rng.uniform(0.07, 0.1)), float(rng.uniform(*_FLAT))
            return _layer(lambda fine: _rim(fine, thick, inset, colour))
        shape, _, _ = _MARKS[mark]
        spots = (*_SPOTS[red], *_CORNERS) if mark != "dots" else _CORNERS
        chosen = [spots[(self.place + k) % len(spots)] for k in range(self.count)]

        def drawn(fine: Face) -> None:
            for spot in chosen:
                shape(fine, spot, self.radius, colour, rng)

        return _layer(drawn)

    def marked(self, red: str, face: Face, colour: RGB) -> Face:
        """The printed face of ``red`` with its mark, if the style has one."""
        layer = self.mark(red, colour)
        return face if layer is None else _over(face, layer)
