"""Faces drawn by rule: pins, bams, birds, the framed white dragon, index marks.

A face is stored as *plates*, like a print: an array (H, W, 4) of uint8. It has the coverage of each pixel by
black, blue, green and red ink. The colours of the inks are chosen when a set is printed, so that one drawing
serves many sets.
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Plates = NDArray[np.uint8]

HEIGHT, WIDTH = 192, 144
"""Size of a face in pixels."""

BLACK, BLUE, GREEN, RED = range(4)
"""Indices of the inks in a face's plates."""

_FINE = 2
"""Faces by rule are drawn this many times finer, then averaged down."""

_STAMP = 192
"""Side in pixels of the stamp from which dots are scaled."""

Stamp = NDArray[np.uint8]
"""(H, W, 2): what the dot's own ink covers, and what its accent ink covers."""


def blank() -> Plates:
    """A face without ink."""
    return np.zeros((HEIGHT, WIDTH, 4), np.uint8)


class _Canvas:
    """A fine face onto which stamps are put by centre, size and angle, in shares of the face's width."""

    def __init__(self) -> None:
        self.plates = np.zeros((HEIGHT * _FINE, WIDTH * _FINE, 4), np.uint8)

    def put(
        self,
        stamp: Stamp,
        centre: tuple[float, float],
        size: tuple[float, float],
        inks: tuple[int, int],
        angle: float = 0.0,
    ) -> None:
        """Put ``stamp`` with its middle at ``centre`` (x, y), ``size`` (width, height) large, turned by
        degrees.
        """
        height, width = stamp.shape[:2]
        unit = WIDTH * _FINE
        across, along = size[0] * unit / width, size[1] * unit / height
        small = cv2.resize(stamp, None, fx=across, fy=along, interpolation=cv2.INTER_AREA)
        if angle:
            side = math.ceil(math.hypot(*small.shape[:2])) + 2
            turn = cv2.getRotationMatrix2D((small.shape[1] / 2, small.shape[0] / 2), -angle, 1.0)
            turn[:, 2] += (side - small.shape[1]) / 2, (side - small.shape[0]) / 2
            small = cv2.warpAffine(small, turn, (side, side))
        top = round(centre[1] * unit - small.shape[0] / 2)
        left = round(centre[0] * unit - small.shape[1] / 2)
        y0, x0 = max(top, 0), max(left, 0)
        y1 = min(top + small.shape[0], self.plates.shape[0])
        x1 = min(left + small.shape[1], self.plates.shape[1])
        cut = small[y0 - top : y1 - top, x0 - left : x1 - left]
        for layer, ink in enumerate(inks):
            plate = self.plates[y0:y1, x0:x1, ink]
            np.maximum(plate, cut[..., layer], out=plate)

    def face(self) -> Plates:
        """The face at its own size."""
        return np.asarray(cv2.resize(self.plates, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


# --- dots -----------------------------------------------------------------------------------------

_Field = NDArray[np.float32]


def _polar() -> tuple[_Field, _Field]:
    y, x = np.mgrid[0:_STAMP, 0:_STAMP].astype(np.float32)
    x, y = (x + 0.5) * 2 / _STAMP - 1, (y + 0.5) * 2 / _STAMP - 1
    return np.hypot(x, y), np.arctan2(y, x)


_RADIUS, _ANGLE = _polar()


def _between(inner: float, outer: float, radius: _Field = _RADIUS) -> NDArray[np.bool_]:
    return (radius >= inner) & (radius < outer)


def _rings(rng: np.random.Generator, inner: float, outer: float) -> NDArray[np.bool_]:
    """Thin rings that fill the band."""
    count = int(rng.integers(1, 3))
    share = rng.uniform(0.35, 0.6)
    phase = (_RADIUS - inner) / (outer - inner) * count
    return _between(inner, outer) & (phase % 1.0 > share)


def _spokes(rng: np.random.Generator, inner: float, outer: float) -> NDArray[np.bool_]:
    """Straight spokes, as of a wheel."""
    count = int(rng.integers(4, 11))
    return _between(inner, outer) & (np.cos(_ANGLE * count) > rng.uniform(0.3, 0.75))


def _petals(rng: np.random.Generator, inner: float, outer: float) -> NDArray[np.bool_]:
    """Petals left open in an inked band: rounded holes that follow one another."""
    count = int(rng.integers(5, 13))
    middle, half = (inner + outer) / 2, (outer - inner) / 2
    along = ((_ANGLE * count / (2 * math.pi)) % 1.0 - 0.5) * 2 * math.pi / count * middle
    reach = min(math.pi / count * middle * rng.uniform(0.65, 0.85), half * 1.2)
    hole = (along / reach) ** 2 + ((_RADIUS - middle) / (half * rng.uniform(0.75, 0.95))) ** 2 < 1
    return _between(inner, outer) & ~hole


def _beads(rng: np.random.Generator, inner: float, outer: float) -> NDArray[np.bool_]:
    """Separate beads or petals of ink on a ring."""
    count = int(rng.integers(6, 13))
    middle, half = (inner + outer) / 2, (outer - inner) / 2
    along = ((_ANGLE * count / (2 * math.pi)) % 1.0 - 0.5) * 2 * math.pi / count * middle
    reach = math.pi / count * middle * rng.uniform(0.6, 0.85)
    return (along / reach) ** 2 + ((_RADIUS - middle) / (half * 0.9)) ** 2 < 1


def _filled(rng: np.random.Generator, inner: float, outer: float) -> NDArray[np.bool_]:
    return _between(inner, outer)


_BANDS: tuple[Callable[[np.random.Generator, float, float], NDArray[np.bool_]], ...] = (
    _rings, _spokes, _petals, _petals, _beads, _filled,
)  # fmt: skip


def _heart(rng: np.random.Generator, outer: float) -> NDArray[np.bool_]:
    """What stands in the middle of a dot: a disc, a ring, a flower or a cross."""
    kind = rng.integers(4)
    if kind == 0:
        return _between(0, outer * rng.uniform(0.55, 1))
    if kind == 1:
        return _between(outer * rng.uniform(0.4, 0.65), outer)
    lobes = int(rng.integers(4, 9))
    flower = outer * (0.75 + 0.25 * np.cos(_ANGLE * lobes)) > _RADIUS
    return np.asarray(flower & (outer * rng.uniform(0.1, 0.4) < _RADIUS), np.bool_)


def _stamp(own: NDArray[np.bool_], accent: NDArray[np.bool_]) -> Stamp:
    return np.dstack((own & ~accent, accent)).astype(np.uint8) * 255


def dot(rng: np.random.Generator) -> Stamp:
    """A small dot as on 2p to 9p, in one of many styles: rings, wheels, flowers, cogs, discs."""
    rim = rng.uniform(0.72, 0.9)
    edge: float | _Field = 1.0
    if rng.random() < 0.15:
        teeth = int(rng.integers(8, 17))
        edge = 1 - np.float32(rng.uniform(0.04, 0.1)) * (1 + np.cos(_ANGLE * teeth))
    heart = rng.uniform(0.2, 0.5)
    own = (rim <= _RADIUS) & (edge > _RADIUS)
    band = _BANDS[rng.integers(len(_BANDS))]
    own |= band(rng, heart + rng.uniform(0.05, 0.12), rim - rng.uniform(0.0, 0.12))
    middle = _heart(rng, heart)
    accented = rng.random() < 0.2
    return _stamp(own | middle, middle if accented else np.zeros_like(middle))


def disc(rng: np.random.Generator) -> Stamp:
    """The large ornate disc of 1p: several bands around a heart, often in two inks."""
    bounds = np.sort(rng.uniform(0.3, 0.85, int(rng.integers(1, 4))))
    edges = [0.0, *bounds[np.concatenate(([True], np.diff(bounds) > 0.12))], 0.92]
    own = _between(edges[-1], 1.0)
    if rng.random() < 0.3:  # petals instead of a rim
        own = _beads(rng, edges[-2], 1.0) | _between(edges[-2] - 0.05, edges[-2])
    accent = _heart(rng, edges[1])
    for inner, outer in itertools.pairwise(edges):
        band = _BANDS[rng.integers(len(_BANDS))](rng, inner + 0.04, outer - 0.03)
        if rng.random() < 0.3:
            accent |= band
        else:
            own |= band | _between(inner, inner + rng.uniform(0, 0.05))
    if rng.random() < 0.3:
        own, accent = own | accent, np.zeros_like(accent)
    return _stamp(own & ~accent, accent)


_Spot = tuple[float, float]

_PIN_SPOTS: Mapping[int, tuple[Sequence[_Spot], float]] = {
    2: (((0, -0.5), (0, 0.5)), 0.42),
    3: (((-0.62, -0.66), (0, 0), (0.62, 0.66)), 0.36),
    4: (((-0.55, -0.55), (0.55, -0.55), (-0.55, 0.55), (0.55, 0.55)), 0.37),
    5: (((-0.62, -0.65), (0.62, -0.65), (0, 0), (-0.62, 0.65), (0.62, 0.65)), 0.35),
    6: (((-0.5, -0.7), (0.5, -0.7), (-0.5, 0.08), (0.5, 0.08), (-0.5, 0.7), (0.5, 0.7)), 0.33),
    7: (
        ((-0.66, -0.78), (0, -0.6), (0.66, -0.42), (-0.42, 0.18), (0.42, 0.18), (-0.42, 0.76), (0.42, 0.76)),
        0.3,
    ),
    8: (tuple((x, y) for y in (-0.78, -0.26, 0.26, 0.78) for x in (-0.42, 0.42)), 0.29),
    9: (tuple((x, y) for y in (-0.7, 0, 0.7) for x in (-0.67, 0, 0.67)), 0.3),
}
"""Middles of the dots in shares of the drawing's half width and height; the dot's size in shares of its
width.
"""

_JAPANESE_REDS: Mapping[int, Sequence[int]] = {
    3: (1,),
    5: (2,),
    6: (2, 3, 4, 5),
    7: (3, 4, 5, 6),
    9: (3, 4, 5),
}

_CHINESE_INKS: Mapping[int, Sequence[int]] = {
    2: (GREEN, BLUE),
    3: (BLUE, RED, GREEN),
    4: (BLUE, GREEN, GREEN, BLUE),
    5: (BLUE, GREEN, RED, GREEN, BLUE),
    6: (GREEN, GREEN, RED, RED, RED, RED),
    7: (GREEN, GREEN, GREEN, RED, RED, RED, RED),
    8: (BLUE,) * 8,
    9: (GREEN, GREEN, GREEN, RED, RED, RED, BLUE, BLUE, BLUE),
}


def pins(rng: np.random.Generator) -> dict[str, Plates]:
    """1p to 9p in one style of dot and one arrangement and colouring, Japanese or Chinese."""
    stamp, ornate = dot(rng), disc(rng)
    chinese = rng.random() < 0.3
    main = int(rng.choice((BLACK, BLUE, BLUE, GREEN)))
    stretch = rng.uniform(1.08, 1.28)
    swell = rng.uniform(0.9, 1.08)
    half = 0.46, 0.46 * stretch
    middle = 0.5, 0.5 * HEIGHT / WIDTH
    canvas = _Canvas()
    accent = RED if rng.random() < 0.75 else GREEN
    size = rng.uniform(0.68, 0.92)
    canvas.put(ornate, middle, (size, size), (main, accent))
    faces = {"1p": canvas.face()}
    wide_sixes = rng.random() < 0.25  # six and eight spread evenly
    for number, (spots, share) in _PIN_SPOTS.items():
        canvas = _Canvas()
        reds = () if chinese else _JAPANESE_REDS.get(number, ())
        for index, (x, y) in enumerate(spots):
            ink = _CHINESE_INKS[number][index] if chinese else RED if index in reds else main
            if number == 6 and not wide_sixes and index in (2, 3):
                y += 0.02
            reach = half[0] - share * 0.9 / 2, half[1] - share * 0.9 / 2
            reach = (reach[0] / 0.67, reach[1] / 0.78) if number > 6 else (reach[0] / 0.62, reach[1] / 0.7)
            at = middle[0] + x * reach[0], middle[1] + y * reach[1]
            canvas.put(stamp, at, (share * swell, share * swell), (ink, RED if ink != RED else main))
        faces[f"{number}p"] = canvas.face()
    return faces


# --- sticks ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Cane:
    """The coordinates of a stick's pixels, in half widths unless noted.

    ``x``: from its middle line. ``joint``: 0 at the middle of a joint, 1 at a knuckle. ``end``: from the
    nearer end. ``knuckle``: from the nearest knuckle between two joints.
    """

    x: _Field
    joint: _Field
    end: _Field
    knuckle: _Field

    @classmethod
    def of(cls, joints: int) -> "_Cane":
        height, width = 240, 96
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        t, unit = (y + 0.5) / height, height / (width / 2)
        knuckle = np.abs((t * joints + 0.5) % 1.0 - 0.5) / joints * unit
        knuckle[(t * joints < 0.5) | (t * joints > joints - 0.5)] = np.inf  # nearer to an end
        return cls(
            np.abs((x + 0.5) * 2 / width - 1),
            np.abs((t * joints) % 1.0 - 0.5) * 2,
            np.minimum(t, 1 - t) * unit,
            knuckle,
        )

    def outline(self, rng: np.random.Generator) -> _Field:
        """How far it reaches from its middle line."""
        shape = rng.choice((0, 1, 2, 3, 3))
        if shape == 0:  # bones: knuckles at both ends and in the middle
            waist = rng.uniform(0.45, 0.75)
            profile = waist + (1 - waist) * np.clip((self.joint - 0.45) / 0.35, 0, 1) ** 2
        elif shape == 1:  # ovals
            profile = np.sqrt(np.clip(1 - self.joint ** rng.uniform(2.5, 5), 0, 1)) * rng.uniform(0.75, 1)
        elif shape == 2:  # straight with thin knuckles
            profile = np.where(self.joint > rng.uniform(0.7, 0.88), 1.0, rng.uniform(0.6, 0.85))
        else:  # a shaft with a flange at either end and a bead at each knuckle
            flange, bead = rng.uniform(0.2, 0.7), rng.uniform(0.55, 1.0)
            profile = np.full_like(self.x, rng.uniform(0.35, 0.7))
            profile = np.where(self.end < flange, 1 - (1 - profile) * (self.end / flange) ** 2, profile)
            profile = np.maximum(profile, np.sqrt(np.clip(bead**2 - self.knuckle**2, 0, None)))
        if rng.random() < 0.2:  # pointed ends
            profile = np.minimum(profile, rng.uniform(0.15, 0.5) + self.end * rng.uniform(0.8, 1.6))
        rounded = np.sqrt(np.clip(1 - (1 - self.end / 0.35) ** 2 * 0.8, 0, 1))
        return np.asarray(np.where(self.end < 0.35, profile * rounded, profile), np.float32)

    def open(self, rng: np.random.Generator, profile: _Field) -> NDArray[np.bool_]:
        """What of it has no ink: lines, rings and chevrons."""
        gaps = np.zeros(self.x.shape, bool)
        kind = rng.random()
        if kind < 0.55:  # a line along each joint
            gaps |= (self.x < rng.uniform(0.12, 0.32)) & (self.joint < rng.uniform(0.45, 0.75))
        elif kind < 0.7:  # all but an outline
            gaps |= (self.x < profile - rng.uniform(0.25, 0.35)) & (self.joint < 0.75)
        mark = rng.random()
        if mark < 0.3:  # a line at every knuckle
            line = np.abs(self.joint - rng.uniform(0.8, 0.95)) < rng.uniform(0.03, 0.07)
            gaps |= line & (self.x < 0.6)
        elif mark < 0.5:  # a hole in the knuckles between the joints
            gaps |= np.hypot(self.x, self.knuckle) < rng.uniform(0.2, 0.4)
        elif mark < 0.65:  # lines beside them, straight or as chevrons
            slope, thick, apart = rng.choice((0.0, 0.6)), rng.uniform(0.06, 0.14), rng.uniform(0.2, 0.45)
            line = np.abs(self.knuckle - slope * self.x - apart) < thick
            gaps |= line & (self.x < rng.uniform(0.4, 0.8))
        return gaps


def stick(rng: np.random.Generator, joints: int) -> Stamp:
    """A bamboo stick of some joints: bone-shaped, oval, straight or like a string of beads.

    Often with a light line along each joint, and with lines, rings or chevrons at the knuckles.
    """
    cane = _Cane.of(joints)
    profile = cane.outline(rng)
    own = (cane.x < profile) & ~cane.open(rng, profile)
    return _stamp(own, np.zeros_like(own))


_Stick = tuple[float, float, float]

_BAM_STICKS: Mapping[int, tuple[Sequence[_Stick], float]] = {
    2: (((0, -0.5, 0), (0, 0.5, 0)), 0.46),
    3: (((0, -0.5, 0), (-0.6, 0.5, 0), (0.6, 0.5, 0)), 0.46),
    4: (tuple((x, y, 0) for y in (-0.5, 0.5) for x in (-0.6, 0.6)), 0.46),
    5: ((*((x, y, 0) for y in (-0.5, 0.5) for x in (-0.72, 0.72)), (0, 0, 0)), 0.46),
    6: (tuple((x, y, 0) for y in (-0.5, 0.5) for x in (-0.72, 0, 0.72)), 0.46),
    7: (((0, -0.68, 0), *((x, y, 0) for y in (0.0, 0.68) for x in (-0.72, 0, 0.72))), 0.31),
    8: (
        tuple(
            (s * x, t * 0.5, s * t * a) for t in (-1, 1) for s in (-1, 1) for x, a in ((0.82, 0), (0.36, 50))
        ),
        0.42,
    ),
    9: (tuple((x, y, 0) for y in (-0.68, 0, 0.68) for x in (-0.72, 0, 0.72)), 0.31),
}
"""The sticks' centres in shares of the drawing's half width and height, with their angle in degrees; then the
sticks' length in shares of its height."""

_BAM_REDS: Mapping[int, Sequence[int]] = {5: (4,), 7: (0,), 9: (1, 4, 7)}

_CHINESE_BAMS: Mapping[int, Mapping[int, int]] = {
    5: {4: RED},
    6: {3: BLUE, 4: BLUE, 5: BLUE},
    7: {0: RED, 2: BLUE, 5: BLUE},
    8: {4: BLUE, 5: BLUE, 6: BLUE, 7: BLUE},
    9: {1: RED, 4: RED, 7: RED, 2: BLUE, 5: BLUE, 8: BLUE},
}


def bams(rng: np.random.Generator) -> dict[str, Plates]:
    """2s to 9s in one style of stick; the middle sticks red, all alike, or some blue as on Chinese sets."""
    style, joints = int(rng.integers(2**32)), int(rng.choice((1, 2, 2, 2, 2, 2, 2, 3)))
    fewer = rng.random() < 0.5  # short sticks have a joint less
    main = int(rng.choice((GREEN, GREEN, GREEN, BLACK)))
    colouring = rng.choice(("red", "red", "red", "plain", "chinese"), p=(0.25, 0.25, 0.25, 0.1, 0.15))
    wide, tall = rng.uniform(0.32, 0.45), rng.uniform(0.52, 0.6)
    thick = rng.uniform(0.12, min(0.22, wide / 1.7))
    touch = rng.uniform(0.96, 1.08)  # how nearly the rows of sticks meet
    faces = {}
    for number, (sticks, share) in _BAM_STICKS.items():
        canvas = _Canvas()
        stamp = stick(np.random.default_rng(style), max(1, joints - (fewer and share < 0.4)))
        length = share * 2 * tall * touch
        reach_x, reach_y = (
            (wide - thick / 2) / 0.72,
            (tall - length / 2) / (0.68 if number in (7, 9) else 0.5),
        )
        if number == 8:
            reach_x = (wide - thick / 2) / 0.82
        for index, (x, y, angle) in enumerate(sticks):
            ink = main
            if colouring == "red":
                ink = RED if index in _BAM_REDS.get(number, ()) else main
            elif colouring == "chinese":
                ink = _CHINESE_BAMS.get(number, {}).get(index, main)
            size = thick, length * (0.92 if angle else 1.0)
            at = 0.5 + x * reach_x, 0.5 * HEIGHT / WIDTH + y * reach_y
            canvas.put(stamp, at, size, (ink, ink), angle)
        faces[f"{number}s"] = canvas.face()
    return faces


# --- the rest -------------------------------------------------------------------------------------


_Point = tuple[float, float]


class Brush:
    """Shapes on a fine face, in units of its width; what is painted later covers what lies below it."""

    def __init__(self) -> None:
        self.layers = [np.zeros((HEIGHT * _FINE, WIDTH * _FINE), np.uint8) for _ in range(4)]

    def oval(
        self, ink: int | None, centre: _Point, axes: _Point, angle: float = 0.0, thick: float | None = None
    ) -> None:
        """An oval of half axes ``axes`` turned by ``angle`` degrees; filled, or a line ``thick`` wide.

        Without an ink it takes away what lies there.
        """
        unit, part = WIDTH * _FINE, 16
        at = round(centre[0] * unit * part), round(centre[1] * unit * part)
        half = round(axes[0] * unit * part), round(axes[1] * unit * part)
        line = -1 if thick is None else max(1, round(thick * unit))
        for layer, plate in enumerate(self.layers):
            value = 255 if layer == ink else 0
            cv2.ellipse(plate, at, half, angle, 0, 360, value, line, cv2.LINE_AA, 4)

    def stroke(self, ink: int | None, points: Sequence[_Point], thick: float) -> None:
        """A line through the points, ``thick`` wide."""
        unit, part = WIDTH * _FINE, 16
        path = np.array([np.array(points) * unit * part], np.float64).round().astype(np.int32)
        for layer, plate in enumerate(self.layers):
            value = 255 if layer == ink else 0
            cv2.polylines(plate, [path], False, value, max(1, round(thick * unit)), cv2.LINE_AA, 4)

    def face(self) -> Plates:
        """The face at its own size."""
        plates = cv2.merge(self.layers)
        return np.asarray(cv2.resize(plates, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def toward(start: _Point, angle: float, length: float) -> _Point:
    """The point ``length`` away in the direction ``angle`` (degrees, clockwise from the right)."""
    turn = math.radians(angle)
    return start[0] + math.cos(turn) * length, start[1] + math.sin(turn) * length


def _on_oval(centre: _Point, axes: _Point, angle: float, share: float) -> _Point:
    """The point of an oval of half axes ``share`` × ``axes`` in the direction ``angle`` (degrees)."""
    turn = math.radians(angle)
    return centre[0] + math.cos(turn) * axes[0] * share, centre[1] + math.sin(turn) * axes[1] * share


def _sparrow(rng: np.random.Generator, brush: Brush, inks: tuple[int, int, int]) -> None:
    """A bird in profile with a crest and a long tail."""
    body_ink, wing_ink, head_ink = inks
    line = rng.uniform(0.016, 0.03)
    tilt = rng.uniform(40, 75)
    chest = 0.52 + rng.normal(0, 0.02), 0.62 + rng.normal(0, 0.03)
    long, broad = rng.uniform(0.24, 0.32), rng.uniform(0.11, 0.17)
    rump, neck = toward(chest, 180 - tilt, long * 0.8), toward(chest, -tilt, long * 0.9)
    spread = rng.uniform(14, 34)
    for feather in np.linspace(-spread, spread, int(rng.integers(2, 6))):
        tip = toward(rump, 115 + feather, rng.uniform(0.3, 0.42))
        brush.stroke(int(rng.choice((wing_ink, head_ink))), (rump, tip), line * rng.uniform(1, 2.5))
    for leg in (-0.03, 0.07):
        foot = chest[0] + leg + 0.08, chest[1] + broad + rng.uniform(0.12, 0.2)
        brush.stroke(head_ink, ((chest[0] + leg, chest[1] + broad * 0.7), foot), line)
        brush.stroke(head_ink, ((foot[0] - 0.06, foot[1]), (foot[0] + 0.06, foot[1])), line)
    solid = rng.random() < 0.5
    brush.oval(body_ink, chest, (long, broad), -tilt)
    if not solid:
        brush.oval(None, chest, (long - line * 1.3, broad - line * 1.3), -tilt)
    wing = toward(chest, 90, broad * 0.1)
    for share in (1.0, 0.72, 0.45):
        size = long * 0.75 * share, broad * 0.62 * share
        brush.oval(None if solid else wing_ink, wing, size, -tilt + 8, line * 0.9)
    for bar in range(int(rng.integers(2, 6))):
        root = toward(chest, 180 - tilt, long * (0.15 + 0.12 * bar))
        brush.stroke(wing_ink if not solid else None, (root, toward(root, 60, broad * 0.7)), line * 0.7)
    skull = rng.uniform(0.075, 0.11)
    brush.oval(head_ink, neck, (skull, skull))
    if rng.random() < 0.5:
        brush.oval(None, neck, (skull * 0.7, skull * 0.7))
        brush.oval(head_ink, neck, (skull * 0.25, skull * 0.25))
    else:
        brush.oval(None, neck, (skull * 0.3, skull * 0.3))
    beak = toward(neck, rng.uniform(-10, 25), skull * 2.1)
    brush.stroke(head_ink, (toward(neck, -20, skull), beak, toward(neck, 35, skull)), line)
    for angle in np.linspace(-130, -70, int(rng.integers(1, 5))):
        brush.stroke(head_ink, (toward(neck, angle, skull * 0.8), toward(neck, angle, skull * 2)), line)


def _fan(rng: np.random.Generator, brush: Brush, root: _Point, fan_ink: int, eye_ink: int) -> None:
    """A peacock's tail above ``root``: a broad fan or a round crown.

    Its eyes are in arcs or everywhere. Its rim is smooth or frayed.
    """
    half = rng.uniform(0.26, 0.46), rng.uniform(0.26, 0.36)
    hub = root[0], max(root[1] - half[1] * rng.uniform(0.8, 1.05), half[1] + 0.06)
    line = rng.uniform(0.014, 0.024)
    filled, holes = rng.random() < 0.65, rng.random() < 0.6
    if rng.random() < 0.4:  # frayed
        for angle in np.linspace(0, 360, int(rng.integers(24, 44)), endpoint=False):
            tip = _on_oval(hub, half, float(angle), rng.uniform(1.08, 1.2))
            brush.stroke(fan_ink, (hub, tip), line * 0.7)
    if filled:
        brush.oval(fan_ink, hub, half)
    else:
        brush.oval(None, hub, half)
        brush.oval(fan_ink, hub, half, 0, line)
    size = rng.uniform(0.035, 0.065)
    eyes = [hub]
    if rng.random() < 0.5:  # rings of eyes about the middle
        for ring in range(1, int(rng.integers(2, 4))):
            share = ring * rng.uniform(0.36, 0.44)
            for angle in np.linspace(0, 360, 6 * ring, endpoint=False) + rng.uniform(0, 60):
                eyes.append(_on_oval(hub, half, float(angle), share))
    else:  # arcs about the root
        for row in range(int(rng.integers(2, 4))):
            radius = half[1] * (1.75 - 0.5 * row)
            wide = rng.uniform(38, 58) * half[0] / 0.4
            for angle in np.linspace(-90 - wide, -90 + wide, int(rng.integers(5, 9)) - row):
                eyes.append(toward(root, float(angle), radius))
                if not filled:
                    brush.stroke(fan_ink, (root, eyes[-1]), line * 0.7)
    for eye in eyes:
        brush.oval(None, eye, (size, size))
        if not filled or not holes:
            brush.oval(eye_ink, eye, (size * 0.8, size * 0.8), 0, None if filled else line)
        if rng.random() < 0.6:
            brush.oval(eye_ink, eye, (size * 0.4, size * 0.4))


def _peacock(rng: np.random.Generator, brush: Brush, inks: tuple[int, int, int]) -> None:
    """A peacock from the front: its tail spread above a small bird, which may look aside."""
    body_ink, fan_ink, eye_ink = inks
    root = 0.5 + rng.normal(0, 0.02), rng.uniform(0.76, 0.9)
    line = rng.uniform(0.014, 0.024)
    _fan(rng, brush, root, fan_ink, eye_ink)
    for stalk in np.linspace(-0.1, 0.1, int(rng.choice((0, 0, 3, 5)))):
        brush.stroke(fan_ink, ((root[0] + stalk, root[1] - 0.12), (root[0] + stalk, root[1] + 0.08)), line)
    broad, long = rng.uniform(0.08, 0.15), rng.uniform(0.12, 0.18)
    chest = root[0], root[1] + 0.1
    if rng.random() < 0.6:
        brush.oval(None, chest, (broad + 0.04, long + 0.03))
    wing = rng.uniform(0.11, 0.19), rng.uniform(0.045, 0.08)
    lift, apart, bars = rng.uniform(-10, 45), rng.uniform(0.12, 0.24), rng.random() < 0.7
    for side in (-1, 1):
        shoulder = root[0] + side * apart, chest[1] + rng.uniform(0.0, 0.04)
        brush.oval(body_ink, shoulder, wing, side * lift, None if rng.random() < 0.7 else line)
        for bar in (-0.5, 0.0, 0.5) if bars else ():
            at = shoulder[0] + side * wing[0] * bar, shoulder[1]
            brush.stroke(None, (at, toward(at, 90 - side * 30, wing[1] * 1.2)), line * 0.7)
        foot = root[0] + side * rng.uniform(0.05, 0.1), chest[1] + long + rng.uniform(0.04, 0.12)
        brush.stroke(eye_ink, ((root[0] + side * 0.05, chest[1] + long * 0.8), foot), line)
        brush.stroke(eye_ink, ((foot[0] - 0.05, foot[1]), (foot[0] + 0.05, foot[1])), line)
    brush.oval(body_ink, chest, (broad, long), 0, None if rng.random() < 0.6 else line * 1.5)
    aside = float(rng.choice((-1, 1))) * rng.uniform(0.02, 0.14)
    head = root[0] + aside, root[1] - rng.uniform(0.08, 0.16)
    brush.stroke(body_ink, (chest, head), rng.uniform(0.04, 0.08))
    brush.oval(body_ink, head, (0.05, 0.045))
    brush.oval(None, head, (0.014, 0.014))
    if rng.random() < 0.5:
        brush.stroke(eye_ink, (head, toward(head, 15 if aside > 0 else 165, 0.1)), line)


def bird(rng: np.random.Generator) -> Plates:
    """A bird for 1s, in one to three inks: a crested one in profile or a peacock from the front."""
    brush = Brush()
    main = int(rng.choice((GREEN, GREEN, BLACK)))
    body, wing, head = (int(rng.choice((main, main, BLUE, RED))) for _ in range(3))
    (_sparrow if rng.random() < 0.55 else _peacock)(rng, brush, (body, wing, head))
    face = brush.face()
    return np.ascontiguousarray(face[:, ::-1]) if rng.random() < 0.5 else face


def frame(rng: np.random.Generator) -> Plates:
    """The framed white dragon: one or two rectangles, plain, with cut corners or with an ornate band
    between.
    """
    fine = np.zeros((HEIGHT * _FINE, WIDTH * _FINE), np.uint8)
    height, width = fine.shape
    inset = rng.uniform(0.1, 0.2) * width, rng.uniform(0.08, 0.16) * height
    thick = int(rng.integers(4, 16))

    def corners(shrink: float, cut: float) -> NDArray[np.int32]:
        x0, y0 = inset[0] + shrink, inset[1] + shrink
        x1, y1 = width - x0, height - y0
        points = [(x0 + cut, y0), (x1 - cut, y0), (x1, y0 + cut), (x1, y1 - cut)]
        points += [(x1 - cut, y1), (x0 + cut, y1), (x0, y1 - cut), (x0, y0 + cut)]
        return np.array(points, np.int32)

    cut = float(rng.choice((0, 0, 12, 24)))
    cv2.polylines(fine, [corners(0, cut)], True, 255, thick, cv2.LINE_AA)
    kind = rng.integers(3)
    gap = rng.uniform(18, 44)
    if kind:
        inner = corners(gap, float(rng.choice((0, cut, 20))))
        cv2.polylines(fine, [inner], True, 255, int(rng.integers(3, 10)), cv2.LINE_AA)
    if kind == 2:  # a band of bars or squares between the two
        step = rng.uniform(16, 40)
        outer, inner = corners(gap * 0.25, 0), corners(gap * 0.75, 0)
        for side in range(0, 8, 2):
            a, b = outer[side].astype(float), outer[(side + 1) % 8].astype(float)
            inward = inner[side] - outer[side]
            for at in np.arange(step, float(np.hypot(*(b - a))) - step, step):
                start = a + (b - a) * at / np.hypot(*(b - a))
                normal = np.array([0.0, inward[1]]) if side in (0, 4) else np.array([inward[0], 0.0])
                end = start + normal
                cv2.line(fine, tuple(start.astype(int)), tuple(end.astype(int)), 255, 4, cv2.LINE_AA)
    if rng.random() < 0.12:  # an initial within, as on sets for the west
        letter, size = str(rng.choice(("B", "P", "W"))), rng.uniform(1.5, 4)
        (wide, tall), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_DUPLEX, size, 5)
        at = (width - wide) // 2, (height + tall) // 2
        cv2.putText(fine, letter, at, cv2.FONT_HERSHEY_DUPLEX, size, 255, 5, cv2.LINE_AA)
    face = blank()
    face[..., int(rng.choice((BLUE, BLUE, BLACK, GREEN)))] = cv2.resize(
        fine, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA
    )
    return face


@dataclass(frozen=True, slots=True)
class Index:
    """How the Latin index of a face is written."""

    side: int
    """-1 in the top left corner, 1 in the top right one."""
    size: float
    """Height in shares of the face's."""
    ink: int
    weight: int
    """Thickness of the strokes in pixels."""
    margin: tuple[int, int]
    """Pixels between it and the face's sides, and its top."""


def mark(face: Plates, text: str, index: Index) -> None:
    """Write an index into a corner of a face, in place."""
    font, (beside, above) = cv2.FONT_HERSHEY_DUPLEX, index.margin
    (width, height), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = index.size * HEIGHT / height
    x = beside if index.side < 0 else WIDTH - beside - round(width * scale)
    y = above + round(height * scale)
    plate = np.ascontiguousarray(face[..., index.ink])
    cv2.putText(plate, text, (x, y), font, scale, 255, index.weight, cv2.LINE_AA)
    face[..., index.ink] = plate
