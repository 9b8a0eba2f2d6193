"""What tiles lie on and what is seen beyond the table: pictures made from noise, lines and shapes.

Noise is drawn small and enlarged, so that a picture of 960×720 takes some milliseconds.
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Pixels

Size = tuple[int, int]
"""Height and width in pixels."""

_Field = NDArray[np.float32]
_Colour = NDArray[np.float32]


def _noise(
    rng: np.random.Generator, size: Size, cells: float, squeeze: float = 1.0, *, swing: float = 1.0
) -> _Field:
    """Smooth noise in -swing to swing (h, w): some ``cells`` bumps across, ``squeeze`` times as many down."""
    rows = int(np.clip(cells * squeeze * size[0] / size[1], 2, size[0]))
    columns = int(np.clip(cells, 2, size[1]))
    small = (rng.random((rows, columns), np.float32) * 2 - 1) * np.float32(swing)
    return np.asarray(cv2.resize(small, (size[1], size[0]), interpolation=cv2.INTER_LINEAR), np.float32)


_PIECE, _EDGE = 192, 16
"""Pixels a side of the piece from which grain is tiled, and those around it that a blur may look at."""


def _grain(
    rng: np.random.Generator, size: Size, swing: float = 1.0, blur: Callable[[_Field], object] | None = None
) -> _Field:
    """Noise of single pixels in -swing to swing (h, w), blurred or not; tiled from a small piece."""
    piece = (rng.random((_PIECE, _PIECE), np.float32) * 2 - 1) * np.float32(swing)
    if blur is not None:
        wrapped = cv2.copyMakeBorder(piece, _EDGE, _EDGE, _EDGE, _EDGE, cv2.BORDER_WRAP)
        piece = np.asarray(blur(np.asarray(wrapped, np.float32)), np.float32)[_EDGE:-_EDGE, _EDGE:-_EDGE]
    return np.tile(piece, (-(-size[0] // _PIECE), -(-size[1] // _PIECE)))[: size[0], : size[1]]


def _shade(base: _Colour, field: _Field, depth: float) -> Pixels:
    """A colour made lighter and darker by a field, ``depth`` being the share at the field's 1."""
    field = np.maximum(field, np.float32(-1 / depth))  # no darker than black
    return np.asarray(
        cv2.merge([cv2.convertScaleAbs(field, alpha=float(c) * depth, beta=float(c)) for c in base]), np.uint8
    )


def _blend(one: Pixels, other: Pixels, share: _Field) -> Pixels:
    """``other`` over ``one`` where ``share`` (h, w; 0 to 1) says so."""
    rest = np.ascontiguousarray(1 - share)
    return np.asarray(cv2.blendLinear(one, other, rest, np.ascontiguousarray(share)), np.uint8)


def _colour(rng: np.random.Generator, *choices: tuple[int, int, int], spread: float = 14) -> _Colour:
    """One of the colours, a little off."""
    base = np.array(choices[rng.integers(len(choices))], np.float32)
    return np.clip(base * rng.uniform(0.75, 1.15) + rng.normal(0, spread, 3), 4, 255).astype(np.float32)


def _any_colour(rng: np.random.Generator) -> _Colour:
    grey, strength = rng.uniform(10, 245), rng.choice((5, 5, 25, 60))
    return np.clip(grey + rng.normal(0, strength, 3), 0, 255).astype(np.float32)


def _bgr(colour: _Colour) -> tuple[float, float, float]:
    """A colour as OpenCV's drawing takes it; channels keep their order."""
    return float(colour[0]), float(colour[1]), float(colour[2])


def _plain(colour: _Colour, size: Size) -> Pixels:
    row = np.tile(colour.astype(np.uint8), size[1])
    return np.tile(row, (size[0], 1)).reshape(*size, 3)


_FELTS = (
    (36, 96, 62), (24, 70, 50), (30, 60, 120), (40, 90, 150), (130, 30, 40), (110, 110, 112), (60, 60, 64),
    (24, 24, 28), (96, 72, 52), (150, 165, 180), (64, 140, 150), (120, 116, 108),
)  # fmt: skip


_GAMING_FELTS = (
    (0, 112, 112), (10, 120, 100), (20, 118, 72), (44, 140, 62), (112, 128, 144), (26, 42, 84), (34, 74, 150),
    (150, 148, 146), (100, 100, 104), (30, 30, 33), (112, 30, 42), (100, 78, 58), (0, 146, 164),
    (70, 110, 60),
)  # fmt: skip


def _cloth(rng: np.random.Generator, size: Size, colours: Sequence[tuple[int, int, int]] = _FELTS) -> Pixels:
    """Felt or short pile: fibres, lumps and worn places."""
    rough = 2 * rng.uniform(0.2, 0.8)
    field = _grain(rng, size, rough, lambda piece: cv2.GaussianBlur(piece, (0, 0), 0.8))
    if rng.random() < 0.5:  # fibres have a direction
        along = (9, 1) if rng.random() < 0.5 else (1, 9)
        field = field + _grain(rng, size, rough, lambda piece: cv2.blur(piece, along))
    field = field + _noise(rng, size, 120, swing=0.4)
    field += _noise(rng, size, 5, swing=0.6)
    return _shade(_colour(rng, *colours), field, rng.uniform(0.05, 0.2))


def _seams(rng: np.random.Generator, picture: Pixels) -> None:
    """Dark lines of an automatic table's trapdoors and embossed rectangles, in place."""
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(-20, 20), rng.uniform(0.7, 1.6))
    thick = int(rng.integers(1, 6))
    mean = np.array(cv2.mean(picture)[:3], np.float32)
    dark, light = mean * np.float32(rng.uniform(0.05, 0.5)), np.minimum(mean * 1.25, 255)
    shapes = []
    for _ in range(int(rng.integers(1, 5))):  # where walls rise and hands stand
        x, y = rng.uniform(-0.2, 0.9) * width, rng.uniform(-0.1, 0.95) * height
        w, h = rng.uniform(0.3, 1.3) * width, rng.uniform(0.06, 0.25) * height
        corners = np.array(((x, y), (x + w, y), (x + w, y + h), (x, y + h)))
        shapes.append(corners[:, ::-1] * (width / height) if rng.random() < 0.3 else corners)
    if rng.random() < 0.4:  # the middle: a square in a square, joined at the corners
        middle, half = rng.uniform(0, 1, 2) * (width, height), rng.uniform(0.15, 0.4) * width
        square = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)))
        inner, outer = middle + square * half * rng.uniform(0.5, 0.9), middle + square * half
        shapes += [inner, outer, *(np.array((a, b)) for a, b in zip(inner, outer, strict=True))]
    for shape in shapes:
        points = cv2.transform(shape[None].astype(np.float32), turn).astype(np.int32)
        cv2.polylines(picture, [points + thick], True, _bgr(light), thick, cv2.LINE_AA)
        cv2.polylines(picture, [points], True, _bgr(dark), thick, cv2.LINE_AA)


def _table(rng: np.random.Generator, size: Size) -> Pixels:
    """The cloth of an automatic table."""
    picture = _cloth(rng, size)
    _seams(rng, picture)
    return picture


_WOODS = (
    (150, 100, 60),
    (190, 150, 100),
    (110, 66, 40),
    (70, 46, 34),
    (205, 175, 130),
    (160, 120, 90),
    (225, 205, 175),
)


def _wood(rng: np.random.Generator, size: Size) -> Pixels:
    """Boards or one slab, grain along one side of the picture."""
    tall = rng.random() < 0.4
    height, width = (size[1], size[0]) if tall else size
    base = _colour(rng, *_WOODS)
    warp = _noise(rng, (height, width), 3, 2, swing=2 * rng.uniform(0.5, 3))
    warp += np.linspace(0, 2 * rng.uniform(8, 40), height, dtype=np.float32)[:, None]
    field = np.sin(warp, out=warp)
    field *= np.float32(0.5)
    field += _noise(rng, (height, width), 6, 40, swing=0.7)
    field += _noise(rng, (height, width), 12, 90, swing=0.5)
    if rng.random() < 0.6:
        boards = int(rng.integers(2, 9))
        edges = np.linspace(0, height, boards + 1).astype(int)
        for top, bottom in itertools.pairwise(edges):
            field[top:bottom] = np.roll(field[top:bottom], int(rng.integers(width)), axis=1) + rng.normal(
                0, 0.4
            )
            field[max(bottom - int(rng.integers(1, 4)), 0) : bottom] = -3
    picture = _shade(base, field, rng.uniform(0.06, 0.22))
    return np.ascontiguousarray(picture.transpose(1, 0, 2)) if tall else picture


def _weave(rng: np.random.Generator, size: Size) -> Pixels:
    """Woven cloth or a straw mat."""
    step = rng.uniform(3, 14)
    y = np.sin(np.arange(size[0], dtype=np.float32) * 2 * math.pi / step)[:, None]
    x = np.sin(
        np.arange(size[1], dtype=np.float32) * 2 * math.pi / (step * float(rng.choice((1, 1, 2, 0.5))))
    )[None]
    field = x * y if rng.random() < 0.5 else np.maximum(np.abs(x), np.abs(y)) * 2 - 1
    field += _noise(rng, size, 150, swing=0.6)
    field += _noise(rng, size, 4, swing=0.6)
    return _shade(_any_colour(rng), field, rng.uniform(0.05, 0.25))


def _leather(rng: np.random.Generator, size: Size) -> Pixels:
    """Leatherette or moulded plastic: small bumps lit from a side."""
    bumps = _noise(rng, size, rng.uniform(80, 260), swing=0.4)
    field = cv2.Sobel(bumps, cv2.CV_32F, 1, 0) + cv2.Sobel(bumps, cv2.CV_32F, 0, 1)
    field += _noise(rng, size, 3, swing=0.8)
    return _shade(_any_colour(rng), np.asarray(field, np.float32), rng.uniform(0.03, 0.2))


def _smooth(rng: np.random.Generator, size: Size) -> Pixels:
    """Paper, a lacquered or a white table, a dark one: a plain colour with a gradient of light."""
    base = _colour(
        rng, (245, 245, 242), (228, 224, 216), (200, 202, 206), (40, 40, 44), (16, 16, 18), (180, 150, 120)
    )
    field = _noise(rng, size, 3) + _grain(rng, size, rng.uniform(0, 0.3))
    return _shade(base, field, rng.uniform(0.02, 0.12))


def _marble(rng: np.random.Generator, size: Size) -> Pixels:
    """Veined stone."""
    fold = _noise(rng, size, 4) + _noise(rng, size, 9, swing=0.5) + _noise(rng, size, 28, swing=0.25)
    vein = np.exp(-np.abs(np.sin(fold * rng.uniform(3, 8))) * rng.uniform(3, 9))
    base = _shade(_colour(rng, (236, 234, 230), (60, 62, 66), (200, 190, 176), (40, 70, 60)), fold, 0.08)
    return _blend(base, _plain(_any_colour(rng), size), np.asarray(vein * rng.uniform(0.3, 0.9), np.float32))


def _print(rng: np.random.Generator, size: Size) -> Pixels:
    """Printed cloth: checks, stripes or dots in a few colours, in any direction."""
    angle, step = rng.uniform(0, math.pi), rng.uniform(16, 140)
    y, x = np.mgrid[0 : size[0] : 2, 0 : size[1] : 2].astype(np.float32)
    u = (x * math.cos(angle) + y * math.sin(angle)) / step
    v = (y * math.cos(angle) - x * math.sin(angle)) / step
    column, row = np.floor(u), np.floor(v)
    u, v = u - column, v - row
    kind = rng.integers(4)
    if kind == 0:
        index = (column + row).astype(np.int32) & 1
    elif kind == 1:
        index = (u * int(rng.integers(2, 5))).astype(np.int32)
    elif kind == 2:
        index = ((u - 0.5) ** 2 + (v - 0.5) ** 2 < rng.uniform(0.03, 0.15)).astype(np.int32)
    else:
        index = (u < rng.uniform(0.2, 0.5)).astype(np.int32) + (v < rng.uniform(0.2, 0.5))
    palette = np.array([_any_colour(rng) for _ in range(5)]).astype(np.uint8)
    picture = np.asarray(cv2.resize(palette[index], (size[1], size[0])), np.uint8)
    shade = np.abs(_noise(rng, size, 4, swing=0.25))
    return _blend(picture, _plain(_any_colour(rng), size), np.asarray(shade, np.float32))


def _clouds(rng: np.random.Generator, size: Size) -> Pixels:
    """Colours flowing into one another, with grain."""
    cells = int(rng.integers(2, 24))
    small = rng.integers(0, 256, (cells, cells, 3), np.uint8)
    if rng.random() < 0.85:
        small = (small * rng.uniform(0.1, 0.5) + _any_colour(rng) * 0.6).clip(0, 255).astype(np.uint8)
    interpolation = int(rng.choice((cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST)))
    picture = np.asarray(cv2.resize(small, (size[1], size[0]), interpolation=interpolation), np.uint8)
    grain = (np.abs(_grain(rng, size)) * 24 * rng.random()).astype(np.uint8)
    return np.asarray(cv2.add(picture, cv2.merge((grain, grain, grain))), np.uint8)


def _shapes(rng: np.random.Generator, picture: Pixels) -> None:
    """Polygons, lines and circles, in place."""
    height, width = picture.shape[:2]
    for _ in range(int(rng.integers(4, 30))):
        middle = rng.uniform(0, 1, 2) * (width, height)
        colour, reach = _bgr(_any_colour(rng)), rng.uniform(0.02, 0.3) * width
        kind = rng.integers(3)
        if kind == 0:
            count = int(rng.integers(3, 7))
            angles = np.sort(rng.uniform(0, 2 * math.pi, count))
            points = middle + np.column_stack((np.cos(angles), np.sin(angles))) * reach
            cv2.fillPoly(picture, [points.astype(np.int32)], colour, cv2.LINE_AA)
        elif kind == 1:
            end = middle + rng.normal(0, reach, 2)
            thick = int(rng.integers(1, 12))
            cv2.line(
                picture, middle.astype(int).tolist(), end.astype(int).tolist(), colour, thick, cv2.LINE_AA
            )
        else:
            thick = -1 if rng.random() < 0.6 else int(rng.integers(1, 10))
            cv2.circle(picture, middle.astype(int).tolist(), round(reach / 3), colour, thick, cv2.LINE_AA)


def _text(rng: np.random.Generator, picture: Pixels) -> None:
    """Lines of writing as on a sheet or a book, in place."""
    width = picture.shape[1]
    scale, colour = rng.uniform(0.4, 1.6), _bgr(_any_colour(rng))
    left, step = rng.uniform(0, 0.4) * width, scale * 32
    thick = int(rng.integers(1, 4))
    for row in range(int(rng.integers(3, 16))):
        letters = "".join(map(chr, rng.integers(33, 126, int(rng.integers(5, 50)))))
        at = int(left), int((row + 1) * step + rng.uniform(0, 3))
        cv2.putText(picture, letters, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thick, cv2.LINE_AA)


def _keys(rng: np.random.Generator, picture: Pixels) -> None:
    """A grid of rounded boxes with signs on them, as a keyboard, a calculator or a shelf of boxes, in
    place.
    """
    height, width = picture.shape[:2]
    w, h = rng.uniform(0.03, 0.12) * width, rng.uniform(0.04, 0.16) * height
    gap, cap, ink = rng.uniform(1, 12), _bgr(_any_colour(rng)), _bgr(_any_colour(rng))
    x0, y0 = rng.uniform(0, 0.5) * width, rng.uniform(0, 0.5) * height
    for row in range(int(rng.integers(2, 7))):
        shift = rng.uniform(0, w)
        for column in range(int(rng.integers(4, 14))):
            x, y = x0 + shift + column * (w + gap), y0 + row * (h + gap)
            cv2.rectangle(picture, (int(x), int(y)), (int(x + w), int(y + h)), cap, -1)
            if rng.random() < 0.8:
                sign = chr(int(rng.integers(48, 91)))
                at = int(x + w * 0.2), int(y + h * 0.6)
                cv2.putText(
                    picture, sign, at, cv2.FONT_HERSHEY_SIMPLEX, h / 60, ink, 1 + int(h > 40), cv2.LINE_AA
                )


def _spines(rng: np.random.Generator, picture: Pixels) -> None:
    """Backs of books, boxes or bottles side by side, in place."""
    height, width = picture.shape[:2]
    x, top = 0.0, rng.uniform(-0.2, 0.5) * height
    while x < width:
        w = rng.uniform(0.015, 0.08) * width
        y = top + rng.uniform(0, 0.15) * height
        colour = _any_colour(rng)
        cv2.rectangle(picture, (int(x), int(y)), (int(x + w), height), _bgr(colour), -1)
        cv2.line(picture, (int(x), int(y)), (int(x), height), _bgr(colour * 0.4), 2)
        for _ in range(int(rng.integers(0, 4))):
            band = int(rng.uniform(y, height))
            end = int(x + w), band + int(rng.integers(2, 30))
            cv2.rectangle(picture, (int(x), band), end, _bgr(_any_colour(rng)), -1)
        x += w


_CLUTTERS: tuple[Callable[[np.random.Generator, Pixels], None], ...] = (
    _shapes,
    _shapes,
    _text,
    _keys,
    _spines,
)


def _clutter(rng: np.random.Generator, size: Size) -> Pixels:
    """Some simple ground with things on it that are no tiles."""
    ground = (_smooth, _clouds, _wood, _cloth, _print)[rng.integers(5)]
    picture = np.ascontiguousarray(ground(rng, size))
    for _ in range(int(rng.integers(1, 3))):
        _CLUTTERS[rng.integers(len(_CLUTTERS))](rng, picture)
    return picture


_SURFACES: Mapping[Callable[[np.random.Generator, Size], Pixels], float] = {
    _cloth: 4, _table: 5, _wood: 3, _weave: 2, _leather: 1.5, _smooth: 2.5, _marble: 1, _print: 1.5,
    _clouds: 1, _clutter: 2, }  # fmt: skip


def _gaming_cloth(rng: np.random.Generator, size: Size) -> Pixels:
    """The cloth of a table to play on: even, in few colours, often with the seams of an automatic table."""
    picture = _cloth(rng, size, _GAMING_FELTS)
    if rng.random() < 0.4:
        _seams(rng, picture)
    return picture


def _ornaments(rng: np.random.Generator, picture: Pixels, stamps: Sequence[Pixels]) -> None:
    """What is printed on a mat to play on: frames, rings, checks, and large characters, in place.

    ``stamps``: characters (h, w), 255 where they are; without any Latin letters are printed.
    """
    height, width = picture.shape[:2]
    ink = _plain(_any_colour(rng), (height, width))
    print_: _Field = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(0, 3))):
        x, y = rng.uniform(0, 0.7) * width, rng.uniform(0, 0.7) * height
        end = int(x + rng.uniform(0.1, 0.7) * width), int(y + rng.uniform(0.1, 0.7) * height)
        thick = int(rng.integers(1, 9))
        if rng.random() < 0.5:
            cv2.rectangle(print_, (int(x), int(y)), end, 1.0, thick, cv2.LINE_AA)
        else:
            cv2.circle(
                print_, (int(x), int(y)), int(rng.uniform(0.05, 0.25) * width), 1.0, thick, cv2.LINE_AA
            )
    if rng.random() < 0.3:  # a band of checks
        step, top = int(rng.integers(12, 60)), int(rng.uniform(0, 0.8) * height)
        for k in range(width // step):
            row = top + (k % 2) * step
            cv2.rectangle(print_, (k * step, row), ((k + 1) * step, row + step), 1.0, -1)
    for _ in range(int(rng.integers(1, 6))):
        high = int(rng.uniform(0.08, 0.4) * height)
        wide = int(high * rng.uniform(0.65, 1.0))
        if high < 8 or wide < 8 or wide > width:
            continue
        x, y = int(rng.uniform(0, width - wide)), int(rng.uniform(0, height - high))
        sign = np.zeros((high, wide), np.uint8)
        if len(stamps):
            stamp = stamps[int(rng.integers(len(stamps)))]
            sign[:] = cv2.resize(stamp, (wide, high), interpolation=cv2.INTER_AREA)
        else:
            cv2.putText(
                sign, chr(int(rng.integers(65, 91))), (0, high - 2), 0, high / 26, 255, 2, cv2.LINE_AA
            )
        turned = np.rot90(sign, int(rng.choice([0, 0, 1, 2, 3]))) / np.float32(255)
        place = print_[y : y + turned.shape[0], x : x + turned.shape[1]]
        np.maximum(place, turned[: place.shape[0], : place.shape[1]], out=place)
    picture[:] = _blend(picture, ink, print_ * np.float32(rng.uniform(0.35, 1.0)))


_TABLE_TOPS: Mapping[Callable[[np.random.Generator, Size], Pixels], float] = {
    _gaming_cloth: 9, _wood: 2, _smooth: 2, _weave: 1, _leather: 0.7, _print: 1, _marble: 0.3, _clutter: 0.4,
}  # fmt: skip


def table_top(rng: np.random.Generator, size: Size, stamps: Sequence[Pixels]) -> Pixels:
    """A table that is played on, RGB (h, w, 3): mostly cloth, now and then with ``stamps`` (h, w) printed on
    it.
    """
    picture = _choose(rng, _TABLE_TOPS)(rng, size)
    if rng.random() < 0.2:
        picture = np.ascontiguousarray(picture)
        _ornaments(rng, picture, stamps)
    return picture


def _choose(
    rng: np.random.Generator, kinds: Mapping[Callable[[np.random.Generator, Size], Pixels], float]
) -> Callable[[np.random.Generator, Size], Pixels]:
    weights = np.array(list(kinds.values()))
    return list(kinds)[rng.choice(len(kinds), p=weights / weights.sum())]


def surface(rng: np.random.Generator, size: Size = (720, 960)) -> Pixels:
    """A random table top seen from above, RGB (h, w, 3): felt, seamed cloth, wood, mats, stone, prints,
    clutter.
    """
    return _choose(rng, _SURFACES)(rng, size)


def _dark(rng: np.random.Generator, size: Size) -> Pixels:
    """A dark room with some light."""
    base = rng.uniform(3, 50) * rng.uniform(0.7, 1.3, 3)
    return _shade(base.astype(np.float32), _noise(rng, size, 4) + _noise(rng, size, 20) * 0.3, 0.6)


def _room(rng: np.random.Generator, size: Size) -> Pixels:
    """Things out of focus: shelves, people, walls."""
    small = (max(size[0] // 2, 8), max(size[1] // 2, 8))
    picture = _clouds(rng, small)
    for _ in range(int(rng.integers(1, 4))):
        _CLUTTERS[rng.integers(len(_CLUTTERS))](rng, picture)
    blurred = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 6))
    return np.asarray(cv2.resize(blurred, (size[1], size[0])), np.uint8)


def _clothing(rng: np.random.Generator, size: Size) -> Pixels:
    """Folds of cloth."""
    folds = np.sin((_noise(rng, size, 3) * 3 + _noise(rng, size, 7)) * rng.uniform(1, 3))
    return _shade(
        _any_colour(rng), np.asarray(folds + _noise(rng, size, 200) * 0.2, np.float32), rng.uniform(0.1, 0.4)
    )


_BACKDROPS: Mapping[Callable[[np.random.Generator, Size], Pixels], float] = {
    _dark: 2, _wood: 2, _room: 4, _clothing: 2, _clutter: 1.5, _smooth: 1, _clouds: 1,
}  # fmt: skip


def backdrop(rng: np.random.Generator, size: Size = (720, 960)) -> Pixels:
    """What lies beyond the table's edge, RGB (h, w, 3): a dark room, floor boards, shelves and people
    out of focus.
    """
    return _choose(rng, _BACKDROPS)(rng, size)
