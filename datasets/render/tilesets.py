"""Random tile sets from drawings, fonts and generated faces.

Each drawing is converted to plates (``datasets.render.draw``) once a process. A set picks a drawing for each
suit. It prints it with its own inks, weight, size and wear, and gets a body. Drawings of one family share
outlines, so training and evaluation are split by family.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from datasets.render import bodies, draw, foreign
from datasets.render import reds as styles
from datasets.render.bodies import RGB, Body, near
from datasets.render.draw import BLACK, BLUE, GREEN, HEIGHT, RED, WIDTH, Plates
from vision.labels import FACES, PLAIN_OF, REDS, plain

_T = TypeVar("_T")

MAN = tuple(f"{n}m" for n in range(1, 10))
PIN = tuple(f"{n}p" for n in range(1, 10))
BAM = tuple(f"{n}s" for n in range(1, 10))
HONOURS = tuple(f"{n}z" for n in range(1, 8))

WHITE = "5z"
BIRD = "1s"


@dataclass(frozen=True, slots=True)
class TileSet:
    """A set of tiles: its engraved faces and its body.

    ``faces``: an RGBA picture (192, 144, 4) for each of the 37 faces, transparent without ink. Transparent
    pixels have the ink's colour, for resampling.
    """

    name: str
    family: str
    faces: Mapping[str, NDArray[np.uint8]]
    body: Body
    foreign: Mapping[str, NDArray[np.uint8]]
    """Faces, as in ``faces``, of tiles that come with the set and that no hand has: at least one."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where drawings come from: a folder of pictures of faces, or a font with the characters of man and
    honours.
    """

    name: str
    family: str
    kind: Literal["art", "font"]
    path: Path
    held_out: bool
    """Kept from training, for measuring on drawings never seen."""
    index: int = 0
    """Which face of a font collection."""


# --- what there is --------------------------------------------------------------------------------

_ART: dict[str, str] = {
    "fluffystuff": "A",
    "inked_glmahjongtile": "B",
    "ink_gl_mahjongtile_svg": "B",
    "inked_imahjong_jp": "B",
    "lietxia": "B-C",
    "ink_pypi_riichienv": "E",
    "martinpersson": "M",
    "inked_imahjong_hk": "H2",
    "inked_imahjong_can": "H2",
    "inked_imahjong_tw": "H3",
    "inked_notosanssymbols2": "H",
    "samoheen": "H4",
}
"""Folders of drawings and their families; the drawings with a body of ``pypi_riichienv`` are the same
as its ink.
"""

_SHARED = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
_FONT_ROOTS = tuple(Path(folder, "fonts") for folder in _SHARED.split(":"))
"""Where fonts are installed for everybody (XDG Base Directory Specification 0.8)."""

_FONTS: Mapping[str, tuple[str, str, int]] = {
    "kouzan-kaisho": ("kouzan", "truetype/kouzan-mouhitsu/kouzan-mouhitsu.ttf", 0),
    "kouzan-gyosho": ("kouzan", "truetype/kouzan-mouhitsu/kouzan-mouhitsu-gyosho.ttf", 0),
    "wenkai": ("wenkai", "truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf", 0),
    "ukai": ("ukai", "truetype/arphic/ukai.ttc", 0),
    "tw-kai": ("tw-kai", "truetype/cns11643/TW-Kai-98_1.ttf", 0),
    "cwkai": ("cwkai", "truetype/cwtex/cwkai.ttf", 0),
    "serif-black": ("noto-serif", "opentype/noto/NotoSerifCJK-Black.ttc", 0),
    "serif-bold": ("noto-serif", "opentype/noto/NotoSerifCJK-Bold.ttc", 3),
    "sans-bold": ("noto-sans", "opentype/noto/NotoSansCJK-Bold.ttc", 0),
}
"""Family, path and collection index of the fonts that have every character; those not installed are
passed over.
"""

HELD_OUT = frozenset({"E", "M", "H4", "ukai"})
"""Families that training never sees."""

_NUMERALS = "一二三四五六七八九"
_WAN = "萬"
_CHARACTERS = {"1z": "東", "2z": "南", "3z": "西", "4z": "北", "6z": "發", "7z": "中"}
_ALL_CHARACTERS = _NUMERALS + "伍" + _WAN + "".join(_CHARACTERS.values())
_STAND_IN = "\U000f8a01"
"""No font has it: what is drawn in its place stands for every character that is missing."""


def sources(art: Path | None) -> tuple[Source, ...]:
    """Every drawing that this machine has: the art sets under ``art`` and the fonts installed.

    Works without either: sets then are drawn by rule as far as rules go, and ``draw_set`` says what is
    missing.
    """
    found = []
    for name, family in _ART.items():
        if art is not None and (art / name / "5m.png").is_file():
            found.append(Source(name, family, "art", art / name, family in HELD_OUT))
    for name, (family, path, index) in _FONTS.items():
        file = next((file for root in _FONT_ROOTS if (file := root / path).is_file()), None)
        if file is not None:
            source = Source(name, family, "font", file, family in HELD_OUT, index)
            if _glyphs(source):
                found.append(source)
    return tuple(found)


def missing_families(art: Path | None, *, held_out: bool) -> list[str]:
    """The families of one side of the split (``datasets/sources.toml``) that this machine lacks a drawing or
    a font of."""
    here = {source.name for source in sources(art)}
    known = _ART | {name: family for name, (family, _, _) in _FONTS.items()}
    lacking = {known[name] for name in known.keys() - here}
    return sorted(family for family in lacking if (family in HELD_OUT) == held_out)


# --- drawings to plates ---------------------------------------------------------------------------

_BODY: Mapping[str, tuple[int, int, int, int]] = {"martinpersson": (46, 92, 338, 498)}
"""Where the face lies (x0, y0, x1, y1) in sets that are drawn with a body."""


def _lift(picture: NDArray[np.uint8], body: tuple[int, int, int, int] | None) -> Plates:
    """Separate an RGBA picture (512, 384, 4) into plates (512, 384, 4): light colours are the body, the
    rest ink.
    """
    red, green, blue, opaque = cv2.split(picture)
    low, high = cv2.min(cv2.min(red, green), blue), cv2.max(cv2.max(red, green), blue)
    light, full = (165, 100) if body else (225, 110)
    inked = np.clip((light - np.arange(256)) * (255 / (light - full)), 0, 255).astype(np.uint8)
    cover = np.asarray(cv2.multiply(cv2.LUT(low, inked), opaque, scale=1 / 255), np.uint8)
    if body:
        x0, y0, x1, y1 = body
        cover[:y0] = cover[y1:] = 0
        cover[:, :x0] = cover[:, x1:] = 0
    dull = cv2.subtract(high, low) < 45
    warm, cold = red == high, blue >= green
    inks = {BLACK: dull, BLUE: ~dull & ~warm & cold, GREEN: ~dull & ~warm & ~cold, RED: ~dull & warm}
    return np.asarray(cv2.merge([cover * inks[ink] for ink in sorted(inks)]), np.uint8)


def _extent(faces: Sequence[Plates]) -> tuple[int, int, int, int] | None:
    """The box (x0, y0, x1, y1) that holds the ink of all of them; None where there is none."""
    # Plate by plate: a maximum over the last axis takes forty times as long.
    ink = np.max([plate for face in faces for plate in cv2.split(face)], axis=0) > 60
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not rows.size:
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


_FILL = 0.95
"""Cached drawings fill this share of the face in the tighter direction; sets then shrink them."""


def _fit(faces: Mapping[str, Plates]) -> dict[str, Plates]:
    """Bring drawings of one suit to the face's size so that together they fill it, keeping their sizes
    relative.
    """
    box = _extent(list(faces.values()))
    if box is None:
        return {label: draw.blank() for label in faces}
    x0, y0, x1, y1 = box
    scale = _FILL * min(WIDTH / (x1 - x0), HEIGHT / (y1 - y0))
    size = max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale))
    left, top = (WIDTH - size[0]) // 2, (HEIGHT - size[1]) // 2
    fitted = {}
    for label, plates in faces.items():
        face = draw.blank()
        small = cv2.resize(plates[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA)
        face[top : top + size[1], left : left + size[0]] = small
        fitted[label] = face
    return fitted


def _suits(faces: Mapping[str, Plates]) -> dict[str, Plates]:
    """Fit suit by suit; the frame of the white dragon is larger than the characters, so it stands alone."""
    groups = (
        MAN + REDS[:1],
        PIN + REDS[1:2],
        BAM + REDS[2:],
        tuple(x for x in HONOURS if x != WHITE),
        (WHITE,),
    )
    fitted: dict[str, Plates] = {}
    for group in groups:
        fitted |= _fit({label: faces[label] for label in group if label in faces})
    return fitted


@lru_cache(maxsize=64)
def _drawing(source: Source) -> Mapping[str, Plates]:
    """The faces of an art set as plates of the face's size; a file that is absent is no entry."""
    faces = {}
    for label in FACES:
        file = source.path / f"{label}.png"
        if file.is_file():
            with Image.open(file) as picture:
                pixels = np.array(picture.convert("RGBA"))
            faces[label] = _lift(pixels, _BODY.get(source.name))
    return _suits(faces)


_GLYPH = 160
"""Size in pixels at which characters are drawn."""


@lru_cache(maxsize=64)
def _glyphs(source: Source) -> Mapping[str, NDArray[np.uint8]]:
    """Masks of a font's characters, cut to their ink; empty where the font draws one of the faces' blank or
    as a stand-in. Those of foreign faces are left out where they are missing.
    """
    try:
        font = ImageFont.truetype(str(source.path), _GLYPH, index=source.index)
    except OSError:
        return {}
    masks = {}
    for character in _ALL_CHARACTERS + foreign.CHARACTERS + _STAND_IN:
        picture = Image.new("L", (_GLYPH * 2, _GLYPH * 2))
        ImageDraw.Draw(picture).text((_GLYPH // 2, _GLYPH // 2), character, fill=255, font=font)
        box = picture.getbbox()
        masks[character] = np.asarray(picture.crop(box) if box else Image.new("L", (1, 1)), np.uint8)
    stand_in = masks.pop(_STAND_IN)
    there = {
        character: mask
        for character, mask in masks.items()
        if mask.size >= 64 and mask.max() >= 128 and not np.array_equal(mask, stand_in)
    }
    return there if there.keys() >= set(_ALL_CHARACTERS) else {}


_KERNEL = {size: cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)) for size in (3, 9)}


def _stroke(mask: NDArray[np.uint8], weight: float) -> NDArray[np.uint8]:
    """Make strokes thicker (``weight`` > 0) or thinner (< 0) by about that many pixels."""
    if weight == 0:
        return mask
    kernel = _KERNEL[3]
    change = cv2.dilate if weight > 0 else cv2.erode
    whole, part = divmod(abs(weight), 1.0)
    mask = np.asarray(change(mask, kernel, iterations=int(whole)) if whole else mask, np.uint8)
    return np.asarray(cv2.addWeighted(mask, 1 - part, change(mask, kernel), part, 0), np.uint8)


def _place(face: Plates, mask: NDArray[np.uint8], box: tuple[float, float, float, float], ink: int) -> None:
    """Stretch a mask into a box (x0, y0, x1, y1 in shares of the face's size), in place."""
    x0, x1 = (round(np.clip(v, 0, 1) * WIDTH) for v in box[0::2])
    y0, y1 = (round(np.clip(v, 0, 1) * HEIGHT) for v in box[1::2])
    plate = face[y0:y1, x0:x1, ink]
    np.maximum(plate, cv2.resize(mask, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA), out=plate)


def _fitted_box(
    mask: NDArray[np.uint8], middle: tuple[float, float], width: float, height: float, stretch: float
) -> tuple[float, float, float, float]:
    """Box around ``middle`` in which a character keeps its shape up to ``stretch`` and stays within
    width, height.
    """
    tall, wide = mask.shape[0] * stretch / HEIGHT, mask.shape[1] / WIDTH
    scale = min(width / wide, height / tall)
    w, h = wide * scale / 2, tall * scale / 2
    return middle[0] - w, middle[1] - h, middle[0] + w, middle[1] + h


def _written_man(rng: np.random.Generator, fonts: Sequence[Source]) -> dict[str, Plates]:
    """Man faces in one or two fonts: the numeral above 萬."""
    upper = _glyphs(_any(rng, fonts))
    lower = upper if rng.random() < 0.7 else _glyphs(_any(rng, fonts))
    share = rng.uniform(0.36, 0.46)
    weight, stretch = rng.uniform(-1.2, 3.0), rng.uniform(0.85, 1.15)
    wide = rng.uniform(0.8, 0.97)
    five = "伍" if rng.random() < 0.6 else "五"
    wan = _stroke(lower[_WAN], weight)
    faces = {}
    for number, character in enumerate(_NUMERALS, 1):
        face = draw.blank()
        numeral = _stroke(upper[five if number == 5 else character], weight)
        box = _fitted_box(numeral, (0.5, 0.02 + share / 2), wide * 0.92, share * 0.92, stretch)
        _place(face, numeral, box, BLACK)
        _place(face, wan, _fitted_box(wan, (0.5, (share + 0.98) / 2), wide, 0.96 - share, stretch), RED)
        faces[f"{number}m"] = face
    return faces


def _written_honours(rng: np.random.Generator, fonts: Sequence[Source]) -> dict[str, Plates]:
    """Winds, green and red dragon in one font."""
    glyphs = _glyphs(_any(rng, fonts))
    weight, stretch = rng.uniform(-1.0, 3.5), rng.uniform(0.95, 1.3)
    wide = rng.uniform(0.7, 0.95)
    inks = {"6z": GREEN, "7z": RED}
    faces = {}
    for label, character in _CHARACTERS.items():
        face = draw.blank()
        mask = _stroke(glyphs[character], weight)
        _place(face, mask, _fitted_box(mask, (0.5, 0.5), wide, 0.85, stretch), inks.get(label, BLACK))
        faces[label] = face
    return faces


# --- a set ----------------------------------------------------------------------------------------


def _rgb(colour: NDArray[np.float32]) -> RGB:
    red, green, blue = colour.round().astype(int).tolist()
    return red, green, blue


def _any(rng: np.random.Generator, choices: Sequence[_T]) -> _T:
    return choices[int(rng.integers(len(choices)))]


def _pick(rng: np.random.Generator, choices: Mapping[RGB, float]) -> RGB:
    weights = np.array(list(choices.values()))
    return list(choices)[rng.choice(len(choices), p=weights / weights.sum())]


_BLACKS: Mapping[RGB, float] = {
    (28, 32, 40): 4,
    (20, 20, 22): 2,
    (44, 52, 66): 2,
    (36, 44, 58): 2,
    (60, 60, 66): 1,
}
_BLUES: Mapping[RGB, float] = {
    (30, 44, 120): 3,
    (36, 70, 170): 2,
    (40, 90, 200): 1,
    (40, 56, 90): 3,
    (24, 34, 70): 2,
}
_GREENS: Mapping[RGB, float] = {
    (20, 90, 50): 3,
    (22, 60, 46): 3,
    (40, 130, 60): 2,
    (60, 150, 90): 1,
    (30, 80, 80): 1,
}
_REDS: Mapping[RGB, float] = {
    (176, 40, 44): 4,
    (130, 40, 44): 3,
    (206, 50, 46): 3,
    (220, 84, 56): 1,
    (150, 24, 40): 2,
}

_Inks = NDArray[np.float32]
"""(4, 3): the colour of each plate."""


def _inks(rng: np.random.Generator) -> _Inks:
    """The colours of a set's inks: many sets have but a dark one and red."""
    dark = near(rng, _pick(rng, _BLACKS), 5)
    red = near(rng, _pick(rng, _REDS), 8)
    if rng.random() < 0.5:
        blue, green = dark, dark
        if rng.random() < 0.5:
            green = near(rng, (26, 58, 52), 6)
    else:
        blue, green = near(rng, _pick(rng, _BLUES), 8), near(rng, _pick(rng, _GREENS), 8)
        if rng.random() < 0.3:
            blue = dark
    return np.array((dark, blue, green, red), np.float32)


def _on_black(rng: np.random.Generator) -> _Inks:
    """Light inks, for dark faces: white or gold for what is black elsewhere."""
    main = near(rng, ((236, 236, 230), (214, 176, 90))[int(rng.integers(2))], 8)
    blue = main if rng.random() < 0.5 else near(rng, (110, 170, 240), 12)
    green = main if rng.random() < 0.3 else near(rng, (90, 200, 120), 12)
    return np.array((main, blue, green, near(rng, (232, 64, 60), 10)), np.float32)


@dataclass(frozen=True, slots=True)
class _Press:
    """How a set's drawings are printed and how the ink has kept."""

    weight: float
    """Change of the strokes' thickness in pixels."""
    opacity: float
    wear: NDArray[np.uint8] | None
    """(192, 144), 255 where nothing is worn."""
    filled: float
    """How much ink has run into the narrow gaps of a drawing, 0 to 1."""
    sheen: float
    """How light the middle of broad strokes is: paint in a groove reflects, 0 to 1."""
    lit: tuple[int, int]
    """Where the light comes from: pixels by which the sheen is off the strokes' middle."""


def _press(rng: np.random.Generator) -> _Press:
    return _Press(
        weight=float(np.clip(rng.normal(0.5, 0.6), -0.6, 1.8)),
        opacity=rng.uniform(0.75, 1.0) if rng.random() < 0.35 else 1.0,
        wear=_wear(rng),
        filled=rng.uniform(0.15, 0.6) if rng.random() < 0.3 else 0.0,
        sheen=rng.uniform(0.15, 0.65) if rng.random() < 0.3 else 0.0,
        lit=(int(rng.integers(-1, 2)), int(rng.integers(-1, 2))),
    )


def _print(rng: np.random.Generator, plates: Plates, inks: _Inks, press: _Press) -> NDArray[np.uint8]:
    """Plates to RGBA."""
    if press.filled:
        run = cv2.morphologyEx(plates, cv2.MORPH_CLOSE, _KERNEL[9])
        plates = np.asarray(cv2.max(plates, cv2.convertScaleAbs(run, alpha=press.filled)), np.uint8)
    if not plates.any():
        return np.zeros_like(plates)
    sums = cv2.transform(plates.astype(np.float32), np.vstack((inks.T, np.ones((1, 4), np.float32))))
    mean = np.array(cv2.mean(sums), np.float32)
    *colours, total = (np.asarray(plane, np.float32) for plane in cv2.split(sums))
    shown = np.minimum(total, 255) * np.float32(press.opacity)
    # The mean colour fills what is transparent, so that enlarging or shrinking a face lets no black in.
    mean *= np.float32(0.5) / max(float(mean[3]), 1e-3)
    share = 1 / (total + mean[3])
    colours = [(colour + part) * share for colour, part in zip(colours, mean[:3], strict=True)]
    if press.sheen:
        core = cv2.blur(cv2.erode(shown, _KERNEL[3]), (3, 3)) * np.float32(press.sheen / 255)
        core = np.roll(core, press.lit, axis=(1, 0))
        colours = [colour + (_SHEEN - colour) * core for colour in colours]
    if press.wear is not None:
        shown *= _turned(rng, press.wear) / np.float32(255)
    return np.asarray(cv2.convertScaleAbs(cv2.merge((*colours, shown))), np.uint8)


_SHEEN = np.float32(160)
"""How light, of 255, a full sheen is."""


def _wear(rng: np.random.Generator) -> NDArray[np.uint8] | None:
    """Where ink has come off: blotches and specks over a face, or None for a set that is as new."""
    if rng.random() < 0.6:
        return None
    coarse = int(rng.integers(4, 24))
    noise = rng.random((coarse * 4 // 3 + 1, coarse), np.float32)
    field = cv2.resize(noise, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    least = rng.uniform(0.4, 0.9)
    return np.asarray((np.clip(field * 1.8 + rng.uniform(-0.2, 0.3), least, 1) * 255), np.uint8)


def _move(rng: np.random.Generator, scale: float, most: NDArray[np.float64]) -> NDArray[np.float32]:
    """The affine map that shrinks a drawing to ``scale`` of the face, with a little random stretch and
    offset.

    It stays within the shares ``most`` (2,) of the face's width and height.
    """
    across, along = np.minimum(scale * rng.uniform(0.96, 1.04, 2), most) / _FILL
    dx, dy = rng.normal(0, 0.008, 2) * (WIDTH, HEIGHT)
    return np.array(
        ((across, 0, (1 - across) * WIDTH / 2 + dx), (0, along, (1 - along) * HEIGHT / 2 + dy)), np.float32
    )


@dataclass(frozen=True, slots=True)
class _Pool:
    """The sources that a set may draw from."""

    art: tuple[Source, ...]
    fonts: tuple[Source, ...]
    by_rule: bool


def _of(
    rng: np.random.Generator, pool: tuple[Source, ...], labels: Sequence[str]
) -> tuple[str, dict[str, Plates]]:
    """Some labels of a random art set, families having equal chances, with the family's name."""
    family = _any(rng, sorted({source.family for source in pool}))
    drawing = _drawing(_any(rng, [source for source in pool if source.family == family]))
    return family, {label: drawing[label] for label in labels if label in drawing}


def _suit(
    rng: np.random.Generator, pool: _Pool, labels: Sequence[str], whole: Source | None
) -> tuple[str, dict[str, Plates]]:
    """Drawings of one suit with the name of their family."""
    if whole is not None:
        drawing = _drawing(whole)
        return whole.family, {label: drawing[label] for label in labels if label in drawing}
    suit = labels[0][1]
    if suit in "mz" and pool.fonts and (not pool.art or rng.random() < 0.5):
        faces = (_written_man if suit == "m" else _written_honours)(rng, pool.fonts)
        return "font", faces
    if suit == "p" and pool.by_rule and (not pool.art or rng.random() < 0.4):
        return "rule", draw.pins(rng)
    if suit == "s" and pool.by_rule and (not pool.art or rng.random() < 0.65):
        faces = draw.bams(rng)
        return "rule", faces
    if pool.art:
        return _of(rng, pool.art, labels)
    raise ValueError(
        "no drawings of tiles: give the folder of art, or install the fonts that sources.toml names"
    )


def _bird(rng: np.random.Generator, pool: _Pool) -> Plates:
    """1s from any drawing that has it, now and then in more inks than it was drawn with, or by rule."""
    if not pool.art or (pool.by_rule and rng.random() < 0.65):
        return draw.bird(rng)
    plates = _of(rng, pool.art, (BIRD,))[1][BIRD]
    if rng.random() < 0.6:
        return plates
    # Cut across at a random slant: one part keeps its inks, the other takes another one.
    y, x = np.mgrid[-1 : 1 : HEIGHT * 1j, -1 : 1 : WIDTH * 1j]
    angle = rng.uniform(0, 2 * np.pi)
    part = np.cos(angle) * x + np.sin(angle) * y > rng.normal(0, 0.3)
    changed = plates.copy()
    changed[part] = 0
    changed[..., _any(rng, (BLUE, RED, BLACK))] += plates.max(axis=2) * part
    return changed


def draw_set(
    rng: np.random.Generator,
    sources: Sequence[Source],
    held_out: bool = False,
    *,
    unusual: bool = False,
) -> TileSet:
    """A random set from the sources of one side of the split; raises ValueError where they have no man faces.

    Held-out sets take their faces from held-out drawings alone; nothing in them is drawn by rule but a frame.
    ``unusual``: now and then of ivory, black, or see-through.
    """
    pool = _Pool(
        tuple(s for s in sources if s.kind == "art" and s.held_out == held_out),
        tuple(s for s in sources if s.kind == "font" and s.held_out == held_out),
        by_rule=not held_out,
    )
    whole = _any(rng, pool.art) if pool.art and rng.random() < 0.35 else None
    names = []
    plates: dict[str, Plates] = {}
    for labels in ((*MAN, "0m"), (*PIN, "0p"), (*BAM, "0s"), HONOURS):
        family, faces = _suit(rng, pool, labels, whole)
        names.append(family)
        plates |= faces
    if whole is None and (BIRD not in plates or rng.random() < 0.4):
        plates[BIRD] = _bird(rng, pool)
    style = styles.choose(rng, held_out=held_out)
    spares = _foreign(rng, pool, held_out=held_out)
    return _finish(rng, plates, spares, names, styles.RedFives.draw(rng, style), unusual)


def _foreign(rng: np.random.Generator, pool: _Pool, *, held_out: bool) -> dict[str, Plates]:
    """Some foreign faces, written on with one of the fonts where there is any."""
    glyphs = _glyphs(_any(rng, pool.fonts)) if pool.fonts else {}
    weight = rng.uniform(-1.0, 2.0)

    def stamp(face: Plates, character: str, middle: tuple[float, float], height: float, ink: int) -> None:
        mask = _stroke(glyphs[character], weight)
        _place(face, mask, _fitted_box(mask, middle, 1.1 * height * HEIGHT / WIDTH, height, 1.0), ink)

    count = int(rng.integers(3, 7))
    return foreign.faces(rng, count, held_out=held_out, characters="".join(glyphs), stamp=stamp)


def _finish(
    rng: np.random.Generator,
    plates: dict[str, Plates],
    spares: dict[str, Plates],
    names: Sequence[str],
    fives: styles.RedFives,
    unusual: bool,
) -> TileSet:
    """Print the drawings in one set's inks and give it a body."""
    inks, press, body = _inks(rng), _press(rng), bodies.draw(rng)
    if unusual:
        body, dark = bodies.unusual(rng, body)
        inks = _on_black(rng) if dark else inks
    index = _index(rng, body.flat) if rng.random() < 0.12 else None
    scale = (
        rng.triangular(0.72, 0.9, 0.96) if index is None else rng.uniform(0.7, 0.82)
    )  # drawings make room for an index
    if rng.random() < 0.6:
        plates[WHITE] = draw.blank()
    elif WHITE not in plates or not plates[WHITE].any() or rng.random() < 0.5:
        plates[WHITE] = draw.frame(rng)
    for red, five in PLAIN_OF.items():
        plates[red] = fives.plates(red, plates[five], plates.get(red))
    moves = {suit: _move(rng, scale * rng.uniform(0.94, 1.04), body.flat) for suit in "mpsz"}
    moves[WHITE] = _move(rng, rng.uniform(0.85, 0.98), body.flat)
    blue = _swap(inks, BLACK, inks[BLUE])  # numerals and winds are blue on many Chinese sets
    tints = {suit: blue if rng.random() < 0.25 else inks for suit in "mz"}
    if fives.colour is not None and fives.style.ink != "plain":
        for red in REDS:
            tints[red] = _swap(tints.get(red[1], inks), RED, np.array(fives.colour, np.float32))
    faces = {}
    for label in FACES:
        move = moves.get(label, moves[label[1]])
        face = np.asarray(cv2.warpAffine(plates[label], move, (WIDTH, HEIGHT)), np.uint8)
        face = _stroke(face, press.weight)
        if index is not None and label != WHITE:
            draw.mark(face, _index_text(label), index)
        faces[label] = _print(rng, face, tints.get(label, tints.get(label[1], inks)), press)
        if label in REDS:
            faces[label] = fives.marked(label, faces[label], _rgb(inks[RED]))
    if plates[WHITE].any():  # else it would be a white dragon
        spares[foreign.BLANK] = draw.blank()
    return TileSet(
        name="+".join(names),
        family=names[0] if len(set(names)) == 1 else "mix",
        faces=faces,
        foreign={
            name: _print(
                rng, np.asarray(cv2.warpAffine(face, moves["z"], (WIDTH, HEIGHT)), np.uint8), inks, press
            )
            for name, face in spares.items()
        },
        body=body,
    )


def _swap(inks: _Inks, plate: int, colour: NDArray[np.float32]) -> _Inks:
    """The inks with one plate printed in another colour."""
    changed = inks.copy()
    changed[plate] = colour
    return changed


def _turned(rng: np.random.Generator, wear: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same wear mirrored at random, so that no two faces lose the same spots."""
    return wear[:: rng.choice((-1, 1)), :: rng.choice((-1, 1))]


def _index(rng: np.random.Generator, most: NDArray[np.float64]) -> draw.Index:
    """How a set's index marks look: always at the top, left or right, within the shares ``most`` (2,) of the
    face's width and height."""
    ink = _any(rng, (RED, BLUE, BLACK))
    beside, above = (max(8, round(off)) for off in (1 - most) / 2 * (WIDTH, HEIGHT))
    side, size, weight = int(rng.choice((-1, 1))), rng.uniform(0.08, 0.16), int(rng.integers(1, 4))
    return draw.Index(side, size, ink, weight, (beside, above))


def _index_text(label: str) -> str:
    """What an index mark says: the number, or the honour's initial."""
    return "ESWNWFC"[int(label[0]) - 1] if label[1] == "z" else plain(label)[0]
