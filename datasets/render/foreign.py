"""Tiles that come with a set and are in no hand of riichi: flowers, seasons, jokers, animals, a maker's logo,
spare blanks.

All are drawn by rule; characters are added where a font has them. Training and held-out sets have drawings of
their own (:data:`KINDS`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator

from datasets.render.draw import BLACK, BLUE, GREEN, HEIGHT, RED, WIDTH, Brush, Plates, toward

FLOWERS, SEASONS, JOKER = "梅蘭菊竹", "春夏秋冬", "百搭"
CHARACTERS = FLOWERS + SEASONS + JOKER
_NUMERALS = "一二三四"

_Drawing = Callable[[Generator, Brush], None]

TALL = HEIGHT / WIDTH
"""Height of a face in units of its width."""


def _ink(rng: Generator, *inks: int) -> int:
    return int(inks[int(rng.integers(len(inks)))])


# --- plants ---------------------------------------------------------------------------------------


def _leaf(
    brush: Brush, root: tuple[float, float], angle: float, long: float, ink: int, *, open_: bool
) -> None:
    """A pointed leaf, filled or as an outline."""
    side = long * 0.28
    tip = toward(root, angle, long)
    middle = toward(root, angle, long * 0.45)
    edges = [toward(middle, angle - 90, side), toward(middle, angle + 90, side)]
    if open_:
        brush.stroke(ink, (root, edges[0], tip, edges[1], root), 0.016)
    else:
        brush.oval(ink, toward(root, angle, long / 2), (long / 2, side * 0.7), angle)


def _blossom(rng: Generator, brush: Brush, at: tuple[float, float], size: float, ink: int) -> None:
    """Five or more petals about a heart; filled, or outlines."""
    petals, filled = int(rng.integers(5, 8)), rng.random() < 0.4
    start = rng.uniform(0, 360)
    for angle in start + np.arange(petals) * 360 / petals:
        middle = toward(at, float(angle), size * 0.6)
        brush.oval(ink, middle, (size * 0.42, size * 0.36), float(angle))
        if not filled:
            brush.oval(None, middle, (size * 0.42 - 0.02, size * 0.36 - 0.018), float(angle))
    brush.oval(None, at, (size * 0.3, size * 0.3))
    brush.oval(ink, at, (size * 0.2, size * 0.2), 0, None if rng.random() < 0.5 else 0.016)


def _stem(rng: Generator, foot: tuple[float, float], top: tuple[float, float]) -> list[tuple[float, float]]:
    """A path from the ground upwards, bent by chance."""
    bend = rng.normal(0, 0.12)
    t = np.linspace(0, 1, 9)
    x = foot[0] + (top[0] - foot[0]) * t + bend * np.sin(np.pi * t)
    y = foot[1] + (top[1] - foot[1]) * t
    return list(zip(x.tolist(), y.tolist(), strict=True))


def _twig(rng: Generator, brush: Brush) -> None:
    """A branch with several small blossoms, as of a plum."""
    green, red = _ink(rng, GREEN, BLACK, GREEN), _ink(rng, RED, RED, BLUE)
    path = _stem(rng, (rng.uniform(0.3, 0.7), 1.22), (rng.uniform(0.3, 0.7), rng.uniform(0.45, 0.6)))
    brush.stroke(green, path, rng.uniform(0.018, 0.03))
    for k in range(int(rng.integers(2, 5))):
        root = path[int(rng.integers(2, 8))]
        tip = toward(root, float(rng.choice((-150, -30))) + rng.normal(0, 20), rng.uniform(0.12, 0.3))
        brush.stroke(green, (root, tip), 0.016)
        _blossom(rng, brush, tip, rng.uniform(0.08, 0.13), red)
        if k % 2:
            _leaf(brush, root, rng.uniform(0, 360), rng.uniform(0.1, 0.18), green, open_=rng.random() < 0.5)
    _blossom(rng, brush, path[-1], rng.uniform(0.1, 0.17), red)


def _grass(rng: Generator, brush: Brush) -> None:
    """Long bent leaves from one root with a small flower, as of an orchid."""
    green, red = _ink(rng, GREEN, GREEN, BLACK), _ink(rng, RED, RED, BLUE)
    root = rng.uniform(0.42, 0.58), 1.2
    for angle in np.linspace(-135, -45, int(rng.integers(4, 8))) + rng.normal(0, 6):
        long, droop = rng.uniform(0.55, 0.9), rng.uniform(0.1, 0.35) * np.sign(np.cos(np.radians(angle)))
        t = np.linspace(0, 1, 10)
        x = root[0] + np.cos(np.radians(angle)) * long * t + droop * 0.3 * t**2
        y = root[1] + np.sin(np.radians(angle)) * long * t + abs(droop) * t**2
        path = list(zip(x.tolist(), y.tolist(), strict=True))
        brush.stroke(green, path, rng.uniform(0.02, 0.045))
    for _ in range(int(rng.integers(1, 3))):
        bud = root[0] + rng.normal(0, 0.15), rng.uniform(0.75, 1.0)
        brush.oval(red, bud, (0.05, 0.08), rng.uniform(-30, 30), None if rng.random() < 0.4 else 0.02)


def _headed(rng: Generator, brush: Brush) -> None:
    """A stem with pairs of leaves and one broad flower, as of a chrysanthemum or a peony."""
    green, red = _ink(rng, GREEN, GREEN, BLACK), _ink(rng, RED, RED, BLACK)
    low = rng.random() < 0.5
    head = rng.uniform(0.42, 0.58), rng.uniform(0.9, 1.0) if low else rng.uniform(0.55, 0.75)
    path = _stem(rng, (0.5, 1.24), (head[0], 0.5 if low else head[1]))
    brush.stroke(green, path, rng.uniform(0.018, 0.03))
    open_ = bool(rng.random() < 0.5)
    for root in path[1::2]:
        for side in (-1, 1):
            angle = -90 + side * rng.uniform(30, 80)
            _leaf(brush, root, angle, rng.uniform(0.14, 0.26), green, open_=open_)
    half = rng.uniform(0.16, 0.26), rng.uniform(0.1, 0.17)
    if rng.random() < 0.5:
        brush.oval(None, head, half)
        for share in (1.0, 0.55):
            brush.oval(red, head, (half[0] * share, half[1] * share), 0, 0.02)
        for x in np.linspace(-0.7, 0.7, int(rng.integers(3, 6))):
            top = half[1] * (1 - x * x) ** 0.5
            at = head[0] + x * half[0]
            brush.stroke(red, ((at, head[1] - top), (at, head[1] + top)), 0.016)
    else:
        _blossom(rng, brush, head, half[0], red)


def _stalks(rng: Generator, brush: Brush) -> None:
    """Jointed stalks with narrow leaves, as of bamboo."""
    ink, leaf = _ink(rng, GREEN, BLUE, BLACK), _ink(rng, GREEN, GREEN, BLACK)
    lean = rng.normal(0, 0.1)
    for x in 0.5 + rng.uniform(-0.2, 0.2, int(rng.integers(1, 4))):
        thick = rng.uniform(0.03, 0.07)
        for joint in np.arange(0.42, 1.2, rng.uniform(0.13, 0.2)):
            foot, top = joint + 0.12, joint + 0.01
            brush.stroke(
                ink, ((x + lean * (1.2 - foot), foot), (x + lean * (1.2 - top), top)), thick
            )  # fmt: skip
        for _ in range(int(rng.integers(3, 7))):
            y = rng.uniform(0.5, 1.05)
            side = float(rng.choice((-1, 1)))
            root = x + lean * (1.2 - y), y
            angle = 90 - side * rng.uniform(20, 80)
            _leaf(brush, root, angle, rng.uniform(0.14, 0.26), leaf, open_=False)


def _potted(rng: Generator, brush: Brush) -> None:
    """A plant in a pot on a stand."""
    pot, leaf, red = _ink(rng, BLUE, RED, BLACK), _ink(rng, GREEN, BLUE), _ink(rng, RED, BLACK)
    wide, rim = rng.uniform(0.14, 0.24), rng.uniform(0.92, 1.0)
    edges = ((0.5 - wide, rim), (0.5 - wide * 0.6, 1.16), (0.5 + wide * 0.6, 1.16), (0.5 + wide, rim))
    brush.stroke(pot, (*edges, edges[0]), 0.024)
    for share in rng.uniform(0.2, 0.9, int(rng.integers(1, 4))):
        y = rim + (1.16 - rim) * share
        brush.stroke(pot, ((0.5 - wide * 0.8, y), (0.5 + wide * 0.8, y)), 0.016)
    for side in (-1, 1):
        brush.stroke(_ink(rng, RED, BLACK), ((0.5, 1.18), (0.5 + side * wide, 1.25)), 0.02)
    for angle in np.linspace(-155, -25, int(rng.integers(5, 10))) + rng.normal(0, 5):
        tip = toward((0.5, rim), float(angle), rng.uniform(0.2, 0.42))
        brush.stroke(leaf, ((0.5, rim), tip), rng.uniform(0.016, 0.03))
        if rng.random() < 0.5:
            brush.oval(red, tip, (0.05, 0.045))
            brush.oval(None, tip, (0.02, 0.018))


def _lotus(rng: Generator, brush: Brush) -> None:
    """Broad petals in a bowl on the water."""
    red, leaf = _ink(rng, RED, BLUE), _ink(rng, GREEN, BLACK)
    middle = 0.5, rng.uniform(0.85, 0.95)
    for angle in np.linspace(-165, -15, int(rng.integers(5, 9))):
        _leaf(brush, middle, float(angle), rng.uniform(0.26, 0.38), red, open_=True)
    for y in np.linspace(1.02, 1.22, int(rng.integers(2, 4))):
        reach = rng.uniform(0.2, 0.36)
        brush.stroke(leaf, ((0.5 - reach, y), (0.5, y + 0.03), (0.5 + reach, y)), 0.022)
    brush.oval(leaf, middle, (0.12, 0.05), 0, 0.02)


def _pavilion(rng: Generator, brush: Brush) -> None:
    """A small house with a curved roof before hills."""
    ink, roof = _ink(rng, BLACK, BLUE), _ink(rng, RED, GREEN)
    x, y = 0.5 + rng.normal(0, 0.05), rng.uniform(0.8, 0.92)
    wide = rng.uniform(0.2, 0.3)
    brush.stroke(roof, ((x - wide, y), (x - wide * 0.5, y - 0.08), (x, y - 0.2), (x + wide * 0.5, y - 0.08),
                        (x + wide, y)), 0.035)  # fmt: skip
    for at in np.linspace(-0.65, 0.65, int(rng.integers(2, 5))):
        brush.stroke(ink, ((x + at * wide, y), (x + at * wide, y + 0.26)), 0.025)
    brush.stroke(ink, ((x - wide, y + 0.26), (x + wide, y + 0.26)), 0.03)
    brush.stroke(
        GREEN, ((0.08, 0.68), (0.25, 0.5), (0.4, 0.62), (0.6, 0.45), (0.92, 0.68)), rng.uniform(0.014, 0.024)
    )


def _person(rng: Generator, brush: Brush) -> None:
    """Somebody with a rod, a load or an axe."""
    ink, coat = _ink(rng, BLACK, BLUE), _ink(rng, RED, BLUE, GREEN)
    x = 0.5 + rng.normal(0, 0.05)
    brush.oval(ink, (x, 0.55), (0.075, 0.08), 0, 0.022)
    brush.stroke(ink, ((x - 0.16, 0.5), (x, 0.41), (x + 0.16, 0.5)), 0.024)  # a hat
    brush.stroke(coat, ((x, 0.64), (x - 0.16, 1.0), (x + 0.16, 1.0), (x, 0.64)), rng.uniform(0.02, 0.05))
    for side in (-1, 1):
        brush.stroke(ink, ((x + side * 0.07, 1.0), (x + side * 0.1, 1.22)), 0.026)
    hand = x + float(rng.choice((-1, 1))) * 0.24, rng.uniform(0.7, 0.85)
    brush.stroke(coat, ((x, 0.7), hand), 0.03)
    brush.stroke(_ink(rng, GREEN, BLACK), ((hand[0], 0.4), (hand[0] + rng.normal(0, 0.08), 1.2)), 0.02)


# --- jokers, animals, logos -----------------------------------------------------------------------


def write(
    plates: Plates, text: str, middle: tuple[float, float], height: float, ink: int, weight: int
) -> None:
    """Latin letters about a point in shares of the face's size, ``height`` of its height, no wider than the
    face, in place."""
    font = cv2.FONT_HERSHEY_DUPLEX
    (wide, tall), _ = cv2.getTextSize(text, font, 1.0, weight)
    scale = min(height * HEIGHT / tall, 0.86 * WIDTH / wide)
    at = round(middle[0] * WIDTH - wide * scale / 2), round(middle[1] * HEIGHT + tall * scale / 2)
    plate = np.ascontiguousarray(plates[..., ink])
    cv2.putText(plate, text, at, font, scale, 255, weight, cv2.LINE_AA)
    plates[..., ink] = plate


def _jester(rng: Generator, brush: Brush) -> None:
    """A face with a cap and bells."""
    face, cap = _ink(rng, BLACK, BLUE), _ink(rng, RED, GREEN, BLUE)
    middle = 0.5, 0.72
    for angle in np.linspace(-155, -25, int(rng.integers(3, 6))):
        tip = toward(middle, float(angle), rng.uniform(0.36, 0.44))
        brush.stroke(cap, (toward(middle, float(angle) - 18, 0.2), tip), 0.05)
        brush.stroke(cap, (toward(middle, float(angle) + 18, 0.2), tip), 0.05)
        brush.oval(_ink(rng, RED, BLUE, GREEN), tip, (0.05, 0.05))
    brush.oval(None, middle, (0.21, 0.24))
    brush.oval(face, middle, (0.21, 0.24), 0, 0.022)
    for side in (-1, 1):
        brush.oval(face, (0.5 + side * 0.08, 0.68), (0.025, 0.03))
    brush.stroke(RED, ((0.4, 0.8), (0.45, 0.85), (0.55, 0.85), (0.6, 0.8)), 0.025)
    brush.oval(RED, (0.5, 0.75), (0.03, 0.03))


def _crown(rng: Generator, brush: Brush) -> None:
    """A crown with stones."""
    ink, y = _ink(rng, RED, BLUE, BLACK), rng.uniform(0.7, 0.85)
    points = [(0.2, y - 0.16), (0.34, y), (0.5, y - 0.24), (0.66, y), (0.8, y - 0.16)]
    brush.stroke(ink, ((0.25, y + 0.18), *points, (0.75, y + 0.18), (0.25, y + 0.18)), 0.035)
    for at in points[::2]:
        brush.oval(_ink(rng, RED, GREEN, BLUE), at, (0.045, 0.045))


def _cat(rng: Generator, brush: Brush) -> None:
    """The head of a cat."""
    ink, middle = _ink(rng, BLACK, BLUE, RED), (0.5, 0.75)
    for side in (-1, 1):
        ear = 0.5 + side * 0.24, 0.42
        brush.stroke(ink, ((0.5 + side * 0.26, 0.68), ear, (0.5 + side * 0.06, 0.54)), 0.03)
    brush.oval(None, middle, (0.27, 0.24))
    brush.oval(ink, middle, (0.27, 0.24), 0, 0.026)
    for side in (-1, 1):
        brush.oval(GREEN, (0.5 + side * 0.11, 0.7), (0.045, 0.055), 0, None if rng.random() < 0.5 else 0.02)
        for tilt in (-12, 0, 12):
            root = 0.5 + side * 0.1, 0.84
            brush.stroke(ink, (root, toward(root, tilt if side > 0 else 180 - tilt, 0.3)), 0.013)
    brush.oval(RED, (0.5, 0.8), (0.03, 0.025))


def _fish(rng: Generator, brush: Brush) -> None:
    """A fish with scales."""
    ink = _ink(rng, RED, BLUE, BLACK)
    middle, half = (0.46, 0.72), (rng.uniform(0.24, 0.3), rng.uniform(0.13, 0.2))
    brush.stroke(ink, ((0.66, 0.72), (0.9, 0.55), (0.84, 0.72), (0.9, 0.89), (0.66, 0.72)), 0.03)
    brush.oval(None, middle, half)
    brush.oval(ink, middle, half, 0, 0.026)
    for x in np.linspace(0.4, 0.62, 4):
        brush.stroke(ink, ((x, 0.62), (x + 0.04, 0.72), (x, 0.82)), 0.014)
    brush.oval(ink, (0.3, 0.68), (0.025, 0.025))


def _mouse(rng: Generator, brush: Brush) -> None:
    """A mouse with a long tail."""
    ink = _ink(rng, BLACK, BLUE)
    brush.stroke(ink, ((0.7, 0.9), (0.88, 0.8), (0.84, 0.6), (0.92, 0.5)), 0.022)
    brush.oval(ink, (0.5, 0.86), (0.26, 0.17), 0, None if rng.random() < 0.5 else 0.026)
    brush.oval(None, (0.26, 0.76), (0.13, 0.12))
    brush.oval(ink, (0.26, 0.76), (0.13, 0.12), 0, 0.026)
    brush.oval(RED, (0.33, 0.63), (0.07, 0.08), 0, 0.024)
    brush.oval(ink, (0.22, 0.74), (0.022, 0.022))


def _centipede(rng: Generator, brush: Brush) -> None:
    """A long body of many rings with legs."""
    ink, legs = _ink(rng, RED, BLACK), _ink(rng, GREEN, BLACK)
    t = np.linspace(0, 1, int(rng.integers(7, 11)))
    xs = 0.5 + 0.18 * np.sin(t * rng.uniform(4, 7))
    for x, y in zip(xs.tolist(), (0.4 + 0.75 * t).tolist(), strict=True):
        brush.stroke(legs, ((x - 0.15, y + 0.04), (x, y), (x + 0.15, y + 0.04)), 0.018)
        brush.oval(ink, (x, y), (0.07, 0.05))


def _ring_logo(rng: Generator, brush: Brush) -> None:
    """A maker's sign: something within a ring."""
    ink = _ink(rng, BLUE, RED, BLACK, GREEN)
    middle = 0.5, TALL / 2
    brush.oval(ink, middle, (0.34, 0.34), 0, rng.uniform(0.02, 0.06))
    corners = [toward(middle, float(a), 0.26) for a in rng.uniform(0, 360) + np.arange(4) * 120]
    brush.stroke(_ink(rng, ink, RED), corners, rng.uniform(0.03, 0.07))


def _barred_logo(rng: Generator, brush: Brush) -> None:
    """A maker's sign: bars of growing length."""
    ink, start = _ink(rng, BLUE, RED, BLACK), rng.uniform(0.1, 0.2)
    for k in range(int(rng.integers(3, 6))):
        y = 0.45 + 0.12 * k
        brush.stroke(ink, ((start, y), (start + 0.2 + 0.11 * k, y)), rng.uniform(0.04, 0.07))


# --- what a set has -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """A drawing of a foreign tile. ``head``: what is written with it: ``plant`` a number and a character,
    ``joker`` the word, ``logo`` letters, or nothing."""

    drawing: _Drawing | None
    head: str
    share: float
    held_out: bool = False


KINDS: Mapping[str, Kind] = {
    "plum": Kind(_twig, "plant", 2),
    "orchid": Kind(_grass, "plant", 2),
    "chrysanthemum": Kind(_headed, "plant", 3),
    "bamboo": Kind(_stalks, "plant", 2),
    "joker": Kind(None, "joker", 1),
    "jester": Kind(_jester, "joker", 1),
    "cat": Kind(_cat, "", 0.7),
    "fish": Kind(_fish, "", 0.7),
    "logo": Kind(_ring_logo, "logo", 1),
    "pot": Kind(_potted, "plant", 2, held_out=True),
    "lotus": Kind(_lotus, "plant", 2, held_out=True),
    "pavilion": Kind(_pavilion, "plant", 1.5, held_out=True),
    "person": Kind(_person, "plant", 1.5, held_out=True),
    "crown": Kind(_crown, "joker", 1, held_out=True),
    "mouse": Kind(_mouse, "", 0.7, held_out=True),
    "centipede": Kind(_centipede, "", 0.7, held_out=True),
    "bars": Kind(_barred_logo, "logo", 1, held_out=True),
}

BLANK = "blank"
"""A spare without a drawing; only where the white dragon has one, or it would be a white dragon."""

_MAKERS = ("MJ", "TEN", "KIYO", "A&S", "ROYAL", "No.7", "JM", "STAR")


def kinds(*, held_out: bool) -> tuple[str, ...]:
    """The drawings of one side of the split."""
    return tuple(name for name, kind in KINDS.items() if kind.held_out == held_out)


Stamp = Callable[[Plates, str, tuple[float, float], float, int], None]
"""Puts a character onto plates: its middle in shares of the face, its height in shares of the face's."""


def faces(rng: Generator, count: int, *, held_out: bool, characters: str, stamp: Stamp) -> dict[str, Plates]:
    """``count`` foreign faces of a set, named. ``characters``: those of :data:`CHARACTERS` and the numerals
    that ``stamp`` can write; without any there are Latin letters and digits alone."""
    some = kinds(held_out=held_out)
    shares = np.array([KINDS[name].share for name in some])
    made: dict[str, Plates] = {}
    for number in range(count):
        name = some[int(rng.choice(len(some), p=shares / shares.sum()))]
        made[f"{name} {number}"] = _face(rng, KINDS[name], characters, stamp)
    return made


def _face(rng: Generator, kind: Kind, characters: str, stamp: Stamp) -> Plates:
    brush = Brush()
    if kind.drawing is not None:
        kind.drawing(rng, brush)
    plates = brush.face()
    if kind.head == "plant":
        _plant_head(rng, plates, characters, stamp)
    elif kind.head == "joker":
        _joker_head(rng, plates, characters, stamp, alone=kind.drawing is None)
    elif kind.head == "logo" and rng.random() < 0.8:
        text = str(rng.choice(_MAKERS))
        write(plates, text, (0.5, float(rng.choice((0.1, 0.9)))), 0.11, _ink(rng, BLUE, BLACK, RED), 2)
    return plates


def _plant_head(rng: Generator, plates: Plates, characters: str, stamp: Stamp) -> None:
    """A number in one upper corner, a character in the other; some have one of them alone."""
    side = float(rng.choice((-1, 1)))
    inks = _ink(rng, BLACK, BLUE, RED, GREEN), _ink(rng, BLACK, BLUE, RED, RED)
    high, y = rng.uniform(0.16, 0.25), rng.uniform(0.12, 0.15)
    own = [c for c in FLOWERS + SEASONS if c in characters]
    if own:
        stamp(plates, str(rng.choice(own)), (0.5 - side * 0.3, y), high, inks[0])
    if own and rng.random() < 0.15:
        return
    numerals = [c for c in _NUMERALS if c in characters]
    if numerals and rng.random() < 0.2:
        stamp(plates, str(rng.choice(numerals)), (0.5 + side * 0.3, y), high * 0.8, inks[1])
    else:
        write(
            plates,
            str(rng.integers(1, 5)),
            (0.5 + side * 0.32, y),
            high * 0.75,
            inks[1],
            int(rng.integers(2, 5)),
        )


def _joker_head(rng: Generator, plates: Plates, characters: str, stamp: Stamp, *, alone: bool) -> None:
    """The word, large where there is no figure."""
    ink = _ink(rng, RED, BLUE, GREEN, BLACK)
    if alone and all(c in characters for c in JOKER) and rng.random() < 0.5:
        for character, y in zip(JOKER, (0.28, 0.72), strict=True):
            stamp(plates, character, (0.5, y), 0.4, ink)
    elif alone and rng.random() < 0.5:
        slant = 0.12 * (rng.random() < 0.3)
        for k, letter in enumerate("JOKER"):
            write(plates, letter, (0.5 + slant * (k - 2), 0.14 + 0.18 * k), 0.13, ink, 3)
    else:
        y = 0.5 if alone else float(rng.choice((0.1, 0.9)))
        write(plates, "JOKER", (0.5, y), 0.16 if alone else 0.11, ink, int(rng.integers(2, 5)))
