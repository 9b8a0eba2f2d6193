"""The reading of a photo: the frozen result of :func:`vision.read` (``docs/reading.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal, NotRequired, TypedDict, get_args

from scorer.hand_tiles import HandTiles
from scorer.svg import row_svg
from vision.config import CONFIG
from vision.labels import UNREADABLE
from vision.players import SeenTable, TableRecord

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
Region = tuple[float, float, float, float]
"""x0, y0, x1, y1 in fractions of the upright photo."""

READING_THRESHOLD = CONFIG.certain
"""A reading of less confidence is in doubt."""

TILE_THRESHOLD = CONFIG.confident
"""A person should check a tile whose label is less probable."""


def quad_of(points: Iterable[Iterable[float]]) -> Quad:
    """Four corners, such as an array (4, 2), as plain numbers."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def region_of(quads: Iterable[Iterable[Iterable[float]]], size: tuple[int, int]) -> Region:
    """The smallest region of a photo of ``size``, width and height, around quads, such as an array (n, 4, 2).

    >>> region_of([[(40, 20), (80, 20), (80, 60), (40, 60)]], (100, 100))
    (0.4, 0.2, 0.8, 0.6)
    """
    xs, ys = zip(*(point for quad in quads for point in quad), strict=True)
    ends = (min(xs) / size[0], min(ys) / size[1], max(xs) / size[0], max(ys) / size[1])
    x0, y0, x1, y1 = (round(min(max(float(end), 0.0), 1.0), 4) for end in ends)
    return x0, y0, x1, y1


def reading_order(quads: Sequence[Quad]) -> list[int]:
    """The indices of quads in reading order: the upper row first, each row from the left.

    >>> box = lambda x, y: ((x, y), (x + 4, y), (x + 4, y + 6), (x, y + 6))
    >>> reading_order([box(9, 1), box(0, 20), box(0, 0)])
    [2, 0, 1]
    """
    centres = [tuple(sum(axis) / 4 for axis in zip(*quad, strict=True)) for quad in quads]
    heights = sorted(max(y for _, y in quad) - min(y for _, y in quad) for quad in quads)
    row = heights[len(heights) // 2] / 2 if heights else 0
    found: list[list[int]] = []
    for at in sorted(range(len(quads)), key=lambda at: centres[at][1]):
        if found and centres[at][1] - centres[found[-1][-1]][1] < row:
            found[-1].append(at)
        else:
            found.append([at])
    return [at for line in found for at in sorted(line, key=lambda at: centres[at][0])]


class TileRecord(TypedDict):
    """A tile of :class:`ReadingRecord`."""

    quad: list[list[float]]
    label: str
    probability: float
    runner_up: list[Any]
    role: str
    sideways: bool
    upside_down: bool
    source: str


class DoubtRecord(TypedDict):
    """A doubt of :class:`ReadingRecord`."""

    kind: str
    tiles: list[int]
    text: str
    instead: dict[str, Any] | None


class ReadingRecord(TypedDict):
    """A reading as JSON values (``docs/reading.md``)."""

    photo: str
    width: int
    height: int
    tiles: list[TileRecord]
    hand: dict[str, Any] | None
    status: str
    confidence: float | None
    doubts: list[DoubtRecord]
    message: NotRequired[str]
    table: TableRecord | None
    elapsed_ms: dict[str, float]


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile of a photo.

    ``quad``: pixels of the upright photo, clockwise from the face's own top left.
    ``label``: mpsz, ``back``, ``foreign`` (a tile that no hand has), or ``?`` where the face cannot be read.
    ``probability``: of the label, 0 to 1; ``runner_up``: the next likely label and its probability.
    ``role``: ``hand``, ``win``, ``meld:0``…, ``dora``, ``ura`` or ``other``.
    ``source``: ``seen``, or ``rule`` where the legal-hand decoder overruled the pixels.

    >>> tile = SeenTile(((4, 4), (44, 4), (44, 60), (4, 60)), "0p", 0.97, ("5p", 0.02), role="win")
    >>> tile.to_record()["runner_up"]
    ['5p', 0.02]
    """

    quad: Quad
    label: str
    probability: float
    runner_up: tuple[str, float]
    role: str = "other"
    sideways: bool = False
    upside_down: bool = False
    source: str = "seen"

    @property
    def is_doubtful(self) -> bool:
        """Whether a person should check it: improbable, unreadable, or decided by the rules."""
        return self.probability < TILE_THRESHOLD or self.label == UNREADABLE or self.source == "rule"

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> SeenTile:
        """The inverse of :meth:`to_record`."""
        label, probability = record["runner_up"]
        values = {**record, "quad": quad_of(record["quad"]), "runner_up": (label, probability)}
        return cls(**{name: values[name] for name in cls.__dataclass_fields__ if name in values})

    def to_record(self) -> TileRecord:
        """The tile as JSON values, coordinates to a tenth of a pixel, probabilities to 4 digits."""
        return {
            "quad": [[round(x, 1), round(y, 1)] for x, y in self.quad],
            "label": self.label,
            "probability": round(self.probability, 4),
            "runner_up": [self.runner_up[0], round(self.runner_up[1], 4)],
            "role": self.role,
            "sideways": self.sideways,
            "upside_down": self.upside_down,
            "source": self.source,
        }


DoubtKind = Literal["photo", "hand", "win", "face", "left_out", "indicator"]
DOUBTS: tuple[DoubtKind, ...] = get_args(DoubtKind)
"""Kinds of doubts, the gravest first: is the photo whole, which hand is meant, which tile won, which face has
a tile, does a tile belong to the hand, is a tile an indicator."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question about a reading.

    ``tiles``: indices of the reading's tiles that it is about. ``text``: one sentence for a person.
    ``instead``: the alternative as JSON values, None if unknown. A face has its ``label``; another winning
    tile, size or hand has its ``hand`` record; another hand also has the ``region`` that holds it alone.

    >>> Doubt("face", (3,), "The 9s may be a 6s.", {"label": "6s"}).to_record()["instead"]
    {'label': '6s'}
    """

    kind: DoubtKind
    tiles: tuple[int, ...]
    text: str
    instead: dict[str, Any] | None = field(default=None, hash=False)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Doubt:
        """The inverse of :meth:`to_record`."""
        return cls(record["kind"], tuple(record["tiles"]), record["text"], record.get("instead"))

    def to_record(self) -> DoubtRecord:
        """The doubt as JSON values."""
        return {"kind": self.kind, "tiles": list(self.tiles), "text": self.text, "instead": self.instead}


def hand_doubt(tiles: tuple[int, ...], record: dict[str, Any], region: Region) -> Doubt:
    """The doubt that another hand is meant. ``record``: its hand record; ``region``: where it lies."""
    names = record["concealed"] + record.get("win_tile", "")
    names += "".join(f" {meld['tiles']}" for meld in record["melds"])
    text = f"Another hand lies there, {names}: frame the one that you mean."
    return Doubt("hand", tiles, text, {"hand": record, "region": list(region)})


PHOTO_DOUBTS = {
    "cut_off": "The photo breaks off before its end, so part of it may be missing: copy it again.",
    "damaged": "The photo is damaged, so part of it may look wrong: copy it again or take another.",
}
"""The text of a doubt about a photo, by its ``fault`` (:class:`vision.image.Photo`)."""


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """A photo read: every tile, and the hand record as far as the photo shows it.

    ``tiles`` come in reading order: the hand as its row lies, the winning tile, melds, indicators, then all
    others row by row.
    ``hand`` holds only the fields that the photo shows or lets one infer, in the form of ``docs/hand.md``;
    ``known`` says for each of them ``seen``, ``inferred`` or ``default``.
    ``status``: ``ok`` (a finished hand), ``incomplete`` (tiles, but no finished hand: 13 tiles, winning
    tile open, ...) or ``error`` (nothing readable); ``message`` says what is wrong and what to do.
    ``elapsed_ms``: milliseconds by stage. ``confidence``: how probable it is that tiles, roles and winning
    tile are all right, None without a hand; ``doubts``: what is in question, the gravest first.
    ``table``: rivers, called sets and open hands of all players, None without a river.

    >>> from vision import read
    >>> reading = read("photo.jpg")
    >>> [tile.label for tile in reading.tiles if tile.role == "meld:0"]
    ['7z', '7z', '7z']
    >>> sorted(reading.known)
    ['concealed', 'dora_indicators', 'melds', 'win_tile']
    """

    photo: str
    width: int
    height: int
    tiles: tuple[SeenTile, ...]
    hand: dict[str, Any] | None = field(hash=False)
    known: dict[str, str] = field(hash=False)
    status: str
    message: str = ""
    elapsed_ms: dict[str, float] = field(default_factory=dict, hash=False)
    confidence: float | None = None
    doubts: tuple[Doubt, ...] = ()
    table: SeenTable | None = None

    @property
    def line(self) -> str:
        """The hand as a typed line (:mod:`scorer.notation`), empty where there is none."""
        from scorer.notation import format_line

        return "" if self.hand is None else format_line(HandTiles.from_record(self.hand, self.known))

    def __repr__(self) -> str:
        confidence = "" if self.confidence is None else f", confidence={self.confidence:.3f}"
        return f"Reading({self.photo!r}, {self.line!r}, {self.status!r}, {len(self.tiles)} tiles{confidence})"

    def _repr_html_(self) -> str:
        """The hand, its confidence and its doubts, for a notebook."""
        notes = [self.message, *(doubt.text for doubt in self.doubts)]
        if self.confidence is not None:
            notes.append(f"{self.confidence:.1%} sure.")
        text = "".join(f"<p>{escape(note)}</p>" for note in notes if note)
        if self.hand is None:
            return text
        tiles = HandTiles.from_record(self.hand, self.known)
        won = () if tiles.win_tile is None else (tiles.win_tile,)
        return row_svg([tiles.concealed, won, *(meld.faces for meld in tiles.melds)]) + text

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Reading:
        """The inverse of :meth:`to_record`, which rounds coordinates and probabilities."""
        hand = dict(record["hand"]) if record["hand"] is not None else None
        return cls(
            record["photo"],
            record["width"],
            record["height"],
            tuple(map(SeenTile.from_record, record["tiles"])),
            hand,
            {} if hand is None else hand.pop("known"),
            record["status"],
            record.get("message", ""),
            dict(record["elapsed_ms"]),
            record["confidence"],
            tuple(map(Doubt.from_record, record["doubts"])),
            SeenTable.from_record(record["table"]) if record.get("table") else None,
        )

    def to_record(self) -> ReadingRecord:
        """The reading as one JSON object (``docs/reading.md``)."""
        record: ReadingRecord = {
            "photo": self.photo,
            "width": self.width,
            "height": self.height,
            "tiles": [tile.to_record() for tile in self.tiles],
            "hand": None if self.hand is None else {**self.hand, "known": dict(self.known)},
            "status": self.status,
            "confidence": None if self.confidence is None else round(self.confidence, 4),
            "doubts": [doubt.to_record() for doubt in self.doubts],
            "table": None if self.table is None else self.table.to_record(),
            "elapsed_ms": {stage: round(ms, 1) for stage, ms in self.elapsed_ms.items()},
        }
        if self.message:
            record["message"] = self.message
        return record
