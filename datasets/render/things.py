"""Objects that are not tiles: keyboards, telephones, dominoes, cards, coasters, sheets, sticks.

An object is a few bodies (:data:`THINGS`). Their material (:data:`PAINTED`) paints them when the photo is
taken, with the colours of :data:`COLOURS`. Lengths are in millimetres. A printed cloth belongs to the table
(:mod:`datasets.render.textures`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator

from datasets.render import layouts
from datasets.render.layouts import Layout, Piece
from vision.arrays import Pixels

RGB = tuple[int, int, int]
Faces = Mapping[str, Pixels]
"""A set's faces as RGBA, for what has characters or pictures of tiles printed on it."""


@dataclass(frozen=True, slots=True)
class Part:
    """A body of a thing: its middle, its size (across, down, high), what it stands on, its turn."""

    material: str
    x: float
    y: float
    size: tuple[float, float, float]
    z: float = 0.0
    yaw: float = 0.0


# --- what they are made of ----------------------------------------------------------------------------


def _keys(
    rng: Generator, columns: int, rows: int, key: tuple[float, float], gap: float, base: float
) -> list[Part]:
    """Keys on a plate, the middle of it in the middle."""
    pitch = key[0] + gap, key[1] + gap
    plate = columns * pitch[0] + 10, rows * pitch[1] + 12, base
    parts = [Part("plate", 0, 0, plate)]
    for row in range(rows):
        shift = float(rng.uniform(-0.2, 0.2)) * key[0] if columns > 6 else 0.0
        for column in range(columns):
            at = (column - (columns - 1) / 2) * pitch[0] + shift, (row - (rows - 1) / 2) * pitch[1]
            parts.append(Part("key", *at, (*key, 3.5), base))
    return parts


def _keyboard(rng: Generator) -> list[Part]:
    key = float(rng.uniform(14, 17))
    return _keys(rng, int(rng.integers(8, 15)), int(rng.integers(4, 6)), (key, key), 2.5, 7.0)


def _remote(rng: Generator) -> list[Part]:
    """A remote control, or a calculator."""
    key = float(rng.uniform(8, 13)), float(rng.uniform(6, 10))
    return _keys(rng, int(rng.integers(3, 5)), int(rng.integers(5, 11)), key, 3.0, 12.0)


def _telephone(rng: Generator) -> list[Part]:
    wide = float(rng.uniform(66, 78))
    return [Part("telephone", 0, 0, (wide, wide * float(rng.uniform(1.95, 2.15)), 8.0))]


def _dominoes(rng: Generator) -> list[Part]:
    wide = float(rng.uniform(19, 26))
    size = wide, 2 * wide, float(rng.uniform(6, 11))
    along, apart = float(rng.uniform(0, 0.2)), wide + abs(float(rng.normal(1, 3)))
    count = int(rng.integers(2, 8))
    return [
        Part(
            "domino", (k - count / 2) * apart, float(rng.normal(0, 3)), size, 0.0, float(rng.normal(0, along))
        )
        for k in range(count)
    ]


def _cards(rng: Generator) -> list[Part]:
    """Playing cards in a fan, or side by side."""
    fan = rng.random() < 0.6
    step, turn = (16.0, 0.16) if fan else (float(rng.uniform(64, 72)), 0.02)
    count = int(rng.integers(2, 6))
    return [
        Part(
            "card", (k - count / 2) * step, -abs(k - count / 2) * turn * 12, (63.0, 88.0, 0.6),
            0.3 * k if fan else 0.0, -(k - count / 2) * turn,
        )
        for k in range(count)
    ]  # fmt: skip


def _coasters(rng: Generator) -> list[Part]:
    side, count = float(rng.uniform(80, 105)), int(rng.choice([1, 1, 2]))
    return [
        Part("coaster", k * side * 1.15, float(rng.normal(0, 8)), (side, side, 3.0)) for k in range(count)
    ]


def _sheet(rng: Generator) -> list[Part]:
    """A sheet to keep the score on, and a pen on it or beside it."""
    size = (148.0, 210.0, 0.5) if rng.random() < 0.6 else (105.0, 148.0, 0.5)
    parts = [Part("sheet", 0, 0, size)]
    if rng.random() < 0.6:
        at = float(rng.uniform(-0.3, 0.3)) * size[0], float(rng.uniform(-0.2, 0.2)) * size[1]
        parts.append(Part("pen", *at, (9.0, 140.0, 9.0), 0.5, float(rng.uniform(-1.2, 1.2))))
    return parts


def _ruler(rng: Generator) -> list[Part]:
    return [Part("ruler", 0, 0, (float(rng.uniform(25, 40)), float(rng.uniform(160, 310)), 2.0))]


def _booklet(rng: Generator) -> list[Part]:
    """A leaflet that shows hands, smaller than the tiles are."""
    return [Part("booklet", 0, 0, (float(rng.uniform(90, 150)), float(rng.uniform(120, 200)), 1.0))]


def _marker(rng: Generator) -> list[Part]:
    """The plate with the wind of the round."""
    return [Part("marker", 0, 0, (float(rng.uniform(28, 55)), float(rng.uniform(40, 80)), 4.0))]


def _packet(rng: Generator) -> list[Part]:
    size = float(rng.uniform(40, 110)), float(rng.uniform(60, 160)), float(rng.uniform(8, 30))
    return [Part("packet", 0, 0, size)]


def _sticks(rng: Generator) -> list[Part]:
    count, tidy = int(rng.integers(1, 8)), rng.random() < 0.6
    lean = 0.03 if tidy else 0.35
    apart = 7.5 if tidy else 13.0
    return [
        Part("stick", k * apart, float(rng.normal(0, 3)), (7.0, 86.0, 3.0), 0.0, float(rng.normal(0, lean)))
        for k in range(count)
    ]


def _dice(rng: Generator) -> list[Part]:
    size = (float(rng.uniform(9, 14)),) * 3
    return [
        Part(
            "die",
            k * float(rng.uniform(18, 30)),
            float(rng.normal(0, 8)),
            size,
            0.0,
            float(rng.uniform(0, 3)),
        )
        for k in range(int(rng.integers(1, 4)))
    ]


THINGS: dict[str, tuple[float, Callable[[Generator], list[Part]]]] = {
    "keyboard": (0.09, _keyboard),
    "remote control": (0.06, _remote),
    "telephone": (0.12, _telephone),
    "dominoes": (0.08, _dominoes),
    "playing cards": (0.09, _cards),
    "coasters": (0.08, _coasters),
    "score sheet": (0.10, _sheet),
    "ruler": (0.06, _ruler),
    "booklet": (0.05, _booklet),
    "marker": (0.05, _marker),
    "packet": (0.06, _packet),
    "sticks": (0.10, _sticks),
    "dice": (0.06, _dice),
}
"""How often each lies there, and its bodies."""

SMALL = ("playing cards", "coasters", "score sheet", "marker", "sticks", "dice")
"""What lies on the table itself while it is played on."""


def lay(layout: Layout, rng: Generator, spot: layouts.Vector, names: Sequence[str] = tuple(THINGS)) -> bool:
    """Lay one of these things about a spot (x, y); False where there is no room for it."""
    shares = np.array([THINGS[name][0] for name in names])
    parts = THINGS[names[int(rng.choice(len(names), p=shares / shares.sum()))]][1](rng)
    straight = rng.random() < 0.7
    turned = (
        rng.normal(0, 0.12) + rng.choice([0, np.pi / 2, np.pi]) if straight else rng.uniform(0, 2 * np.pi)
    )
    yaw = float(turned)
    ground = _ground(parts)
    turn = layouts.about_z(yaw)
    middle = np.array([*spot, 0.0])
    plate = Piece(middle + turn @ ground[0], turn, ground[1])
    if not layout.room(plate, _ROOM):
        return False
    for part in parts:
        x, y, _ = middle + turn @ [part.x, part.y, 0.0]
        layout.put(None, float(x), float(y), yaw + part.yaw, z=part.z, size=part.size, material=part.material)
    return True


PLATES = 0.5
"""How many tables have a plate whose player and wind the truth tells."""


def lay_plate(layout: Layout, rng: Generator, far: float) -> None:
    """On some tables the plate of the player who dealt first: at the right corner before the hand, ``far`` mm
    from the middle. It shows the wind of the round and lies there for all of the game.

    It is drawn from a stream of its own, so that the rest of a layout is the same with and without it.
    """
    rng = rng.spawn(1)[0]
    if rng.random() >= PLATES:
        return
    seat, wind = int(rng.integers(4)), str(rng.choice(["1z", "2z"], p=[0.55, 0.45]))
    (part,) = _marker(rng)
    turn = layouts.about_z(seat * np.pi / 2)
    for _ in range(30):
        spot = turn @ [float(rng.uniform(150, far - 50)), -far + float(rng.uniform(-15, 90)), 0.0]
        yaw = float(rng.normal(0, 0.1)) + float(rng.choice([0.0, np.pi / 2, np.pi], p=[0.7, 0.15, 0.15]))
        yaw += seat * np.pi / 2
        if layout.room(Piece(spot, layouts.about_z(yaw), part.size), _ROOM):
            plate = layout.put(
                None, float(spot[0]), float(spot[1]), yaw, size=part.size, material=part.material
            )
            plate.owner, plate.shows = seat, wind
            return


_ROOM = 5.0  # mm between a thing and whatever else lies there


def _ground(parts: Sequence[Part]) -> tuple[layouts.Vector, tuple[float, float, float]]:
    """The middle and the size of a box about all parts."""
    outlines = np.concatenate(
        [
            np.array([part.x, part.y])
            + layouts.CORNERS[:, :2] * np.array(part.size[:2]) / 2 @ layouts.about_z(part.yaw)[:2, :2].T
            for part in parts
        ]
    )
    low, high = outlines.min(axis=0), outlines.max(axis=0)
    return np.array([*(low + high) / 2, 0.0]), (float(high[0] - low[0]), float(high[1] - low[1]), 1.0)


# --- what they show -----------------------------------------------------------------------------------

_Size = tuple[int, int]
"""Rows and columns of a painting."""

_Painting = Callable[[Generator, _Size, Faces], Pixels]
"""The upper side of a body as RGBA, clear where the body's own colour shows."""


def _blank(size: _Size, colour: Sequence[float] | None = None) -> Pixels:
    picture = np.zeros((*size, 4), np.uint8)
    if colour is not None:
        picture[:] = (*(int(c) for c in colour), 255)
    return picture


def _any(rng: Generator, low: int = 0, high: int = 255) -> tuple[int, int, int, int]:
    grey, strength = rng.uniform(low, high), float(rng.choice([8, 30, 70]))
    red, green, blue = np.clip(grey + rng.normal(0, strength, 3), low, high).astype(int).tolist()
    return red, green, blue, 255


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789?!+-=/#%&"


def _write(
    picture: Pixels, rng: Generator, box: tuple[float, float, float, float], colour: Sequence[int], text: str
) -> None:
    """Text that fills a box of shares (x, y, width, height) of the picture as far as its shape lets it."""
    rows, cols = picture.shape[:2]
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX]))
    (wide, high), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = min(box[2] * cols / max(wide, 1), box[3] * rows / max(high, 1))
    at = round(box[0] * cols), round(box[1] * rows + high * scale)
    cv2.putText(picture, text, at, font, scale, colour, max(1, round(1.6 * scale)), cv2.LINE_AA)


def _stamp(picture: Pixels, face: Pixels, box: tuple[float, float, float, float]) -> None:
    """A face's ink in a box of shares (x, y, width, height)."""
    rows, cols = picture.shape[:2]
    x, y = round(box[0] * cols), round(box[1] * rows)
    wide, high = max(2, round(box[2] * cols)), max(2, round(box[3] * rows))
    place = picture[y : y + high, x : x + wide]
    if place.shape[:2] != (high, wide):
        return
    ink = cv2.resize(face, (wide, high), interpolation=cv2.INTER_AREA)
    share = ink[..., 3:].astype(np.float32) / 255
    place[..., :3] = (place[..., :3] * (1 - share) + ink[..., :3] * share).astype(np.uint8)
    place[..., 3] = np.maximum(place[..., 3], ink[..., 3])


def _key(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    picture = _blank(size)
    if rng.random() < 0.12:
        return picture
    colour = _any(rng, 0, 60) if rng.random() < 0.5 else _any(rng, 160, 255)
    text = _LETTERS[int(rng.integers(len(_LETTERS)))]
    if rng.random() < 0.25:
        text = str(rng.choice(["Esc", "Tab", "Alt", "Fn", "F5", "OK", "CH", "VOL"]))
    small = rng.random() < 0.5
    _write(picture, rng, (0.2, 0.15, 0.35, 0.35) if small else (0.25, 0.2, 0.5, 0.55), colour, text)
    return picture


def _screen(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    """A telephone's screen: dark, with signs in rows, or with writing; now and then its back with a lens."""
    rows, cols = size
    picture = _blank(size)
    inner = round(0.04 * cols), round(0.03 * rows)
    kind = int(rng.choice(4, p=[0.3, 0.3, 0.25, 0.15]))
    if kind == 3:
        for k in range(int(rng.integers(1, 4))):
            spot = round(0.2 * cols), round((0.07 + 0.09 * k) * rows)
            cv2.circle(picture, spot, round(0.09 * cols), (15, 15, 18, 255), -1, cv2.LINE_AA)
            cv2.circle(picture, spot, round(0.04 * cols), (70, 75, 95, 255), -1, cv2.LINE_AA)
        return picture
    shade = _any(rng, 2, 16) if kind == 0 else _any(rng)
    cv2.rectangle(picture, inner, (cols - inner[0], rows - inner[1]), shade, -1)
    if kind == 1:
        for row in range(int(rng.integers(3, 7))):
            for column in range(4):
                corner = round((0.1 + 0.22 * column) * cols), round((0.08 + 0.13 * row) * rows)
                end = corner[0] + round(0.14 * cols), corner[1] + round(0.07 * rows)
                cv2.rectangle(picture, corner, end, _any(rng, 40), -1, cv2.LINE_AA)
    if kind == 2:
        ink = _any(rng, 0, 60) if sum(shade[:3]) > 380 else _any(rng, 200, 255)
        for row in range(int(rng.integers(4, 16))):
            text = "".join(_LETTERS[i] for i in rng.integers(0, 36, int(rng.integers(6, 18))))
            _write(picture, rng, (0.08, 0.06 + 0.055 * row, 0.8, 0.025), ink, text)
    return picture


def _domino(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    rows, cols = size
    picture = _blank(size)
    ink = (20, 20, 24, 255)
    cv2.line(picture, (cols // 8, rows // 2), (cols - cols // 8, rows // 2), ink, max(1, cols // 30))
    for half in range(2):
        _pips(picture[half * rows // 2 : (half + 1) * rows // 2], int(rng.integers(0, 7)), ink, 0.09)
    return picture


_PIPS = {0: "", 1: "c", 2: "az", 3: "acz", 4: "agjz", 5: "agcjz", 6: "agjzlr"}
_PLACES = {
    "a": (0.25, 0.25), "z": (0.75, 0.75), "g": (0.75, 0.25), "j": (0.25, 0.75), "c": (0.5, 0.5),
    "l": (0.25, 0.5), "r": (0.75, 0.5),
}  # fmt: skip


def _pips(picture: Pixels, number: int, colour: Sequence[int], radius: float) -> None:
    rows, cols = picture.shape[:2]
    for x, y in (_PLACES[place] for place in _PIPS[number]):
        axes = max(1, round(radius * cols)), max(1, round(radius * rows))
        cv2.ellipse(picture, (round(x * cols), round(y * rows)), axes, 0, 0, 360, colour, -1, cv2.LINE_AA)


def _die(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    picture, number = _blank(size), int(rng.integers(1, 7))
    red, black = (190, 30, 30, 255), (25, 25, 35, 255)
    _pips(picture, number, red if number == 1 else black, 0.16 if number == 1 else 0.1)
    return picture


def _stick(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    """The dots of a point stick: one, five or eight, of one colour."""
    rows, cols = size
    picture = _blank(size)
    colour = (190, 30, 30, 255) if rng.random() < 0.6 else (70, 70, 80, 255)
    count = int(rng.choice([1, 5, 8]))
    columns = 2 if count == 8 else 1
    for k in range(count):
        at = (
            round((k % columns + 1) / (columns + 1) * cols),
            round((0.5 + 0.035 * (k // columns - count / columns / 2)) * rows),
        )
        axes = max(1, round(0.22 * cols / columns)), max(1, round(0.22 * cols / columns))
        cv2.ellipse(picture, at, axes, 0, 0, 360, colour, -1, cv2.LINE_AA)
    return picture


_SUITS = (
    ((0.5, 0.2), (0.8, 0.5), (0.5, 0.8), (0.2, 0.5)),
    ((0.5, 0.85), (0.15, 0.4), (0.3, 0.2), (0.5, 0.35), (0.7, 0.2), (0.85, 0.4)),
    ((0.5, 0.15), (0.85, 0.6), (0.6, 0.65), (0.65, 0.85), (0.35, 0.85), (0.4, 0.65), (0.15, 0.6)),
)
"""A diamond, a heart, a spade."""


_COLUMNS = (
    (1,), (2,), (3,), (2, 2), (2, 1, 2), (3, 3), (3, 1, 3), (3, 2, 3), (4, 1, 4), (4, 2, 4),
)  # fmt: skip
"""How many signs a card has from left to right, by its number."""


def _card(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    rows, cols = size
    picture = _blank(size, (248, 248, 244))
    if rng.random() < 0.2:  # its back
        ink = _any(rng, 10, 200)
        for k in range(-rows, cols + rows, max(3, cols // 12)):
            for slope in (1, -1):
                start, end = (k, 0 if slope > 0 else rows), (k + rows, rows if slope > 0 else 0)
                cv2.line(picture, start, end, ink, max(1, cols // 60), cv2.LINE_AA)
        cv2.rectangle(picture, (0, 0), (cols - 1, rows - 1), (248, 248, 244, 255), max(1, cols // 14))
        return picture
    suit = int(rng.integers(3))
    colour = (25, 25, 30, 255) if suit == 2 else (200, 25, 35, 255)
    shape = np.array(_SUITS[suit])

    def sign(x: float, y: float, wide: float, turned: bool) -> None:
        points = ((1 - shape if turned else shape) - 0.5) * wide * cols + (x * cols, y * rows)
        cv2.fillPoly(picture, [points.round().astype(np.int32)], colour, cv2.LINE_AA)

    number = int(rng.integers(1, 14))
    text = {1: "A", 11: "J", 12: "Q", 13: "K"}.get(number, str(number))
    _write(picture, rng, (0.06, 0.04, 0.13, 0.09), colour, text)
    sign(0.12, 0.2, 0.14, False)
    corner = picture[: rows // 4, : cols // 4].copy()
    picture[rows - rows // 4 :, cols - cols // 4 :] = corner[::-1, ::-1]
    if number > 10:
        cv2.rectangle(picture, (cols // 4, rows // 8), (cols - cols // 4, rows - rows // 8), _any(rng), -1)
        for _ in range(8):
            spot = rng.uniform(0.3, 0.7, 2) * (cols, rows)
            cv2.circle(picture, spot.astype(int).tolist(), max(1, cols // 9), _any(rng), -1, cv2.LINE_AA)
        return picture
    lines = _COLUMNS[number - 1]
    for column, count in enumerate(lines):
        x = 0.5 if len(lines) == 1 else 0.3 + 0.4 * column / (len(lines) - 1)
        for k in range(count):
            y = 0.5 if count == 1 else 0.18 + 0.64 * k / (count - 1)
            sign(x, y, 0.34 if number == 1 else 0.17, y > 0.5)
    return picture


def _coaster(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    """Rings, a border, and a character or letters."""
    rows, cols = size
    picture = _blank(size, _any(rng)[:3])
    ink = _any(rng)
    for k in range(int(rng.integers(0, 4))):
        radius = round((0.46 - 0.05 * k) * min(rows, cols))
        cv2.circle(picture, (cols // 2, rows // 2), radius, ink, max(1, cols // 60), cv2.LINE_AA)
    if faces and rng.random() < 0.6:
        _stamp(picture, _honour(rng, faces), (0.27, 0.2, 0.45, 0.6))
    else:
        text = "".join(_LETTERS[i] for i in rng.integers(0, 26, int(rng.integers(2, 8))))
        _write(picture, rng, (0.15, 0.4, 0.7, 0.2), ink, text)
    return picture


def _honour(rng: Generator, faces: Faces) -> Pixels:
    return faces[str(rng.choice([f"{n}z" for n in (1, 2, 3, 4, 6, 7)]))]


def _sheet_lines(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    """A table with columns for the players and figures in some of its rows."""
    rows, cols = size
    picture = _blank(size, (250, 249, 244) if rng.random() < 0.8 else _any(rng, 190, 255)[:3])
    columns, lines = int(rng.integers(4, 7)), int(rng.integers(8, 18))
    rule, ink = (120, 120, 125, 255), _any(rng, 0, 110)
    for k in range(columns + 1):
        x = round((0.06 + 0.88 * k / columns) * cols)
        cv2.line(picture, (x, round(0.1 * rows)), (x, round(0.95 * rows)), rule, 1, cv2.LINE_AA)
    for k in range(lines + 1):
        y = round((0.1 + 0.85 * k / lines) * rows)
        cv2.line(picture, (round(0.06 * cols), y), (round(0.94 * cols), y), rule, 1, cv2.LINE_AA)
    _write(picture, rng, (0.08, 0.03, 0.4, 0.04), ink, "".join(_LETTERS[i] for i in rng.integers(0, 26, 9)))
    for row in range(int(rng.integers(0, lines))):
        for column in range(columns):
            box = 0.08 + 0.88 * column / columns, 0.115 + 0.85 * row / lines, 0.6 / columns, 0.5 / lines
            _write(picture, rng, box, ink, str(int(rng.integers(-48, 60))))
    return picture


def _ruler_marks(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    rows, cols = size
    picture = _blank(size)
    ink = (30, 30, 32, 255)
    marks = max(10, rows // 6)
    for k in range(marks):
        y = round((k + 0.5) * rows / marks)
        long = 0.45 if k % 10 == 0 else 0.33 if k % 5 == 0 else 0.2
        cv2.line(picture, (0, y), (round(long * cols), y), ink, 1, cv2.LINE_AA)
        if k % 10 == 0:
            _write(picture, rng, (0.55, y / rows - 0.01, 0.3, 0.02), ink, str(k // 10))
    return picture


def _pages(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    """Writing, and pictures of tiles in rows."""
    rows, cols = size
    picture = _blank(size, (244, 243, 238))
    ink = _any(rng, 0, 90)
    y = 0.05
    while y < 0.9:
        if faces and rng.random() < 0.45:
            count = int(rng.integers(3, 11))
            wide = 0.84 / count if count > 6 else 0.12
            high = wide * cols / rows * 1.35
            if y + high > 0.97:
                break
            for k in range(count):
                face = faces[str(rng.choice(list(faces)))]
                corner = round((0.08 + k * wide) * cols), round(y * rows)
                end = round((0.08 + (k + 0.94) * wide) * cols), round((y + high) * rows)
                cv2.rectangle(picture, corner, end, (160, 160, 160, 255), 1, cv2.LINE_AA)
                _stamp(picture, face, (0.08 + k * wide, y, wide * 0.94, high))
            y += high + 0.03
        else:
            text = "".join(_LETTERS[i] for i in rng.integers(0, 36, int(rng.integers(10, 30))))
            _write(picture, rng, (0.08, y, float(rng.uniform(0.3, 0.84)), 0.02), ink, text)
            y += 0.04
    return picture


def _wind(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    return wind_plate(rng, size, _honour(rng, faces) if faces else None)


def wind_plate(rng: Generator, size: tuple[int, int], face: Pixels | None) -> Pixels:
    """A plate with this face, in its colours or white; None: with nothing."""
    picture = _blank(size)
    if face is not None:
        face = face.copy()
        if rng.random() < 0.6:
            face[..., :3] = 250
        _stamp(picture, face, (0.2, 0.15, 0.6, 0.7))
    return picture


def _packaging(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    """Fields of colour, a label and writing."""
    rows, cols = size
    picture = _blank(size, _any(rng)[:3])
    for _ in range(int(rng.integers(2, 7))):
        x, y = rng.uniform(0, 0.8, 2)
        w, h = rng.uniform(0.1, 0.6, 2)
        corner, end = (round(x * cols), round(y * rows)), (round((x + w) * cols), round((y + h) * rows))
        cv2.rectangle(picture, corner, end, _any(rng), -1)
    for k in range(int(rng.integers(1, 5))):
        text = "".join(_LETTERS[i] for i in rng.integers(0, 26, int(rng.integers(3, 12))))
        _write(picture, rng, (0.1, 0.1 + 0.2 * k, 0.8, float(rng.uniform(0.04, 0.15))), _any(rng), text)
    return picture


def _buttons(rng: Generator, size: _Size, faces: Faces) -> Pixels:
    """A console's buttons, lamps and figures about its middle."""
    rows, cols = size
    picture = _blank(size)
    ink = _any(rng, 60, 255)
    for k in range(4):
        angle = k * np.pi / 2 + np.pi / 4
        for reach, radius in ((0.36, 0.06), (0.22, 0.04)):
            at = round((0.5 + reach * np.cos(angle)) * cols), round((0.5 + reach * np.sin(angle)) * rows)
            cv2.circle(picture, at, max(1, round(radius * cols)), _any(rng, 40), -1, cv2.LINE_AA)
        x, y = 0.5 + 0.38 * np.cos(k * np.pi / 2) - 0.12, 0.5 + 0.38 * np.sin(k * np.pi / 2) - 0.05
        _write(picture, rng, (x, y, 0.24, 0.1), ink, str(int(rng.integers(-99, 500)) * 100))
    cv2.circle(picture, (cols // 2, rows // 2), round(0.14 * cols), ink, max(1, cols // 50), cv2.LINE_AA)
    return picture


PAINTED: dict[str, _Painting] = {
    "key": _key,
    "telephone": _screen,
    "domino": _domino,
    "card": _card,
    "coaster": _coaster,
    "sheet": _sheet_lines,
    "ruler": _ruler_marks,
    "booklet": _pages,
    "marker": _wind,
    "packet": _packaging,
    "stick": _stick,
    "die": _die,
    "console": _buttons,
}

COLOURS: dict[str, Sequence[RGB]] = {
    "rim": (
        (26, 30, 42),
        (18, 18, 20),
        (40, 44, 52),
        (120, 78, 44),
        (176, 120, 66),
        (206, 120, 40),
        (84, 52, 36),
        (226, 222, 232),
        (236, 234, 228),
        (150, 150, 154),
        (20, 70, 50),
        (90, 20, 26),
    ),
    "console": ((16, 16, 18), (30, 32, 38), (60, 62, 66), (26, 30, 70), (200, 200, 200)),
    "plate": ((20, 20, 24), (30, 32, 38), (190, 192, 196), (235, 235, 235), (60, 62, 70)),
    "key": ((24, 24, 28), (40, 42, 48), (238, 238, 236), (215, 215, 210), (90, 92, 100)),
    "telephone": ((14, 14, 16), (30, 30, 34), (225, 225, 228), (30, 50, 90), (150, 30, 40)),
    "domino": ((244, 240, 228), (250, 250, 250), (235, 220, 190)),
    "card": ((248, 248, 244),),
    "ruler": ((235, 200, 60), (205, 175, 130), (225, 230, 235), (150, 190, 220)),
    "marker": ((190, 25, 35), (20, 90, 60), (25, 50, 120), (240, 240, 236)),
    "pen": ((20, 20, 24), (25, 50, 130), (190, 30, 35), (230, 230, 230)),
    "stick": ((238, 236, 228), (238, 236, 228), (250, 250, 250), (34, 34, 38), (220, 200, 160)),
    "die": ((244, 244, 240), (244, 244, 240), (240, 226, 200)),
}
"""What a body's own colour is drawn from; any colour for the others."""
