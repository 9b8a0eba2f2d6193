"""The door: a photo in, a :class:`vision.reading.Reading` out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision import image, network
from vision.arrays import Array
from vision.decode import Decoded, Limits, choose, waiting
from vision.faces import FaceReader, Faces, alike_in_colour
from vision.finder import Finder
from vision.labels import (
    BACK_INDEX,
    CLASSES,
    FACES,
    NOT_A_FACE_INDEX,
    UNREADABLE,
    WHITE_INDEX,
    plain,
)
from vision.mend import Mend
from vision.network import NETWORKS, Network
from vision.pixels import sharpness
from vision.quads import SAME_TILE, lengths, suppress
from vision.reading import Quad, Reading, SeenTile
from vision.record import hand_record
from vision.rows import of_kinds
from vision.table import Layout, Table

Region = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Engine:
    """How photos are read. ``finder``, ``faces``: model files; ``threads``: CPU threads of each network.

    ``most_tiles``: a photo with more is refused (four players' tiles are 136). ``smallest``: pixels of a
    tile's side below which faces cannot be told apart. ``unreadable``: a face less probable than this
    becomes ``?`` outside the hand. ``found_later``: the least probability of a face that the finder had
    missed and the row gave away; ``back_later``: of a back there, ``back_alike``: of one that looks like
    the other back of its ankan. ``above``: pixels of a tile's side at which the finder looks again, from
    above, where the tiles make no finished hand, or one with a tile less probable than ``sure``, or one
    whose plane is seen ``flattened`` as much (about 39° above the table).
    ``limits``: when the rules of a hand may overrule its pixels.
    """

    finder: Path = NETWORKS / "finder.onnx"
    faces: Path = NETWORKS / "faces.onnx"
    threads: int = 2
    most_tiles: int = 250
    smallest: float = 9.0
    unreadable: float = 0.3
    found_later: float = 0.6
    back_later: float = 0.3
    back_alike: float = 0.2
    above: float = 45.0
    sure: float = 0.5
    flattened: float = 1.6
    limits: Limits = field(default_factory=Limits)


class Reader:
    """Reads photos with networks that are loaded once.

    ``load``: what runs a network file on so many threads; raises FileNotFoundError or ValueError when it is
    missing or is not what it should be.
    """

    def __init__(
        self, engine: Engine | None = None, *, load: Callable[[Path, int], Network] = network.load
    ) -> None:
        self.engine = engine or Engine()
        self._finder = Finder(load(self.engine.finder, self.engine.threads))
        self._faces = FaceReader(load(self.engine.faces, self.engine.threads))

    def read(self, photo: image.PhotoSource | image.Photo, *, region: Region | None = None) -> Reading:
        """The tiles of a photo and the hand that they make.

        ``photo``: a path, bytes, a PIL image or an RGB array, as :func:`vision.image.load` takes it.
        ``region``: x0, y0, x1, y1 in fractions of the upright photo; tiles outside are as if absent.
        A photo without a readable tile gives a reading of status ``error`` whose message says what to do;
        what is no photo at all raises :class:`vision.image.PhotoError`.
        """
        _check_region(region)
        clock = _Clock()
        with clock.stage("load"):
            loaded = image.load(photo)
        with clock.stage("find"):
            quads = self._find(loaded, region)
        trouble = self._refusal(quads, loaded, region)
        if trouble:
            return _unread(loaded, trouble, clock)
        with clock.stage("faces"):
            seen = self._see(loaded, quads[: _CROWD * self.engine.most_tiles])
        trouble = self._crowd(len(seen.quads), region)
        if trouble:
            return _unread(loaded, trouble, clock)
        with clock.stage("table"):
            hand = self._arrange(loaded, seen)
        if hand.worth < _FINISHED + self.engine.sure:
            with clock.stage("look again"):
                hand = self._look_again(loaded, region, hand)
        return self._reading(loaded, hand, clock.elapsed)

    def faces(self, photo: image.Photo, quads: NDArray[np.float32]) -> Faces:
        """The faces at quads (n, 4, 2), pixels of ``photo.pixels``, where tiles are known to lie."""
        return self._faces.read(photo.pixels, quads)

    def arrange(self, photo: image.Photo, tiles: Faces) -> Reading:
        """The reading of at least one tile that is known already, such as those that several frames of a
        camera saw; nothing is looked for."""
        clock = _Clock()
        with clock.stage("table"):
            seen = _Seen(tiles.quads, tiles.probabilities.astype(float), tiles.rotation.astype(float))
            hand = self._hand(seen, False)
        return self._reading(photo, hand, clock.elapsed)

    def _reading(self, photo: image.Photo, hand: _Hand, elapsed: dict[str, float]) -> Reading:
        quads, probabilities = hand.seen.quads, hand.seen.probabilities
        layout, decoded = hand.layout, hand.decoded
        tiles = tuple(self._tiles(photo.to_full(quads), probabilities, layout, decoded))
        record, known = hand_record(layout, decoded.labels, decoded.overruled)
        status, message = judge(layout, decoded)
        if status != "ok" and _is_blurred(photo.pixels, quads):
            message += " The photo is blurred there: hold the camera still and focus on the tiles."
        return Reading(photo.name, photo.width, photo.height, tiles, record, known, status, message, elapsed)

    def _find(self, photo: image.Photo, region: Region | None) -> NDArray[np.float32]:
        """Quads of the tiles whose centres lie in the region, looked at as closely as it allows."""
        if region is None:
            return self._finder.find(photo.pixels).quads
        sides = np.tile(photo.pixels.shape[1::-1], 2)
        x0, y0, x1, y1 = region
        rim = 0.1 * np.array([x0 - x1, y0 - y1, x1 - x0, y1 - y0])  # tiles are told by what lies around them
        x0, y0, x1, y1 = np.clip((np.array(region) + rim) * sides, 0, sides).astype(int).tolist()
        part = np.ascontiguousarray(photo.pixels[y0 : y1 + 1, x0 : x1 + 1])
        quads = self._finder.find(part).quads + np.array([x0, y0], np.float32)
        return quads[_inside(quads, photo, region)]

    def _refusal(self, quads: NDArray[np.float32], photo: image.Photo, region: Region | None) -> str:
        """Why what the finder found cannot be read, or nothing."""
        if not len(quads):
            return _nothing_here(region, blurred=sharpness(photo.pixels, _SHARP_AT) < _SHARP)
        if float(np.median(lengths(quads).mean(axis=1))) < self.engine.smallest:
            return "The tiles are too small to be read; come closer or send the photo in full size."
        return ""

    def _crowd(self, tiles: int, region: Region | None) -> str:
        """Why so many tiles cannot be one player's hand, or nothing."""
        if not tiles:
            return _nothing_here(region)
        if tiles > self.engine.most_tiles:
            return (
                f"There seem to be {tiles} tiles, more than {self.engine.most_tiles}; "
                "come closer or point at the hand with a region."
            )
        return ""

    def _see(self, photo: image.Photo, quads: NDArray[np.float32]) -> _Seen:
        """The tiles among the quads."""
        seen = self._read_faces(photo, quads)
        likeliest = seen.probabilities.argmax(axis=1)
        tile = likeliest != NOT_A_FACE_INDEX
        face = tile & (likeliest != BACK_INDEX)
        if tile.sum() > self.engine.most_tiles or not face.any():
            tile = face  # backs that are the pattern of a cloth
        return replace(seen.where(tile).once_each(), nothing=seen.quads[likeliest == NOT_A_FACE_INDEX])

    def _read_faces(self, photo: image.Photo, quads: NDArray[np.float32]) -> _Seen:
        faces = self._faces.read(photo.pixels, quads)
        return _Seen(faces.quads, faces.probabilities.astype(float), faces.rotation.astype(float))

    def _arrange(self, photo: image.Photo, seen: _Seen, *, above: bool = False) -> _Hand:
        """The likeliest hand, after its halves, doubles and what seemed no tile beside it were looked at."""
        hand = self._hand(seen, above)
        for _ in range(_MENDED):
            mended = self._mended(photo, hand)
            if mended is hand.seen:
                break
            better = self._hand(mended, above)
            if hand.finished and not better.finished:
                break
            hand = better
        return hand

    def _hand(self, seen: _Seen, above: bool) -> _Hand:
        table = Table.of(seen.quads.astype(float), seen.probabilities, seen.rotation)
        layout, decoded = choose(table.layouts(), seen.probabilities, self.engine.limits)
        return _Hand(seen, table, layout, decoded, above or table.flattened < self.engine.flattened)

    def _mended(self, photo: image.Photo, hand: _Hand) -> _Seen:
        """The tiles of a hand with whole ones, where they are surely seen, in the place of odd ones."""
        seen = hand.seen
        tried = list(hand.table.mends(hand.layout, seen.nothing.astype(float)))
        if not tried:
            return seen
        looks = self._read_faces(photo, np.concatenate([mend.quads for mend in tried]).astype(np.float32))
        parts = np.split(np.arange(len(looks.quads)), np.cumsum([len(mend.quads) for mend in tried])[:-1])
        sure = [self._sure(photo, seen, *each) for each in zip(tried, map(looks.where, parts), strict=True)]
        out: set[int] = set()
        new: list[int] = []
        for k in sorted(range(len(tried)), key=lambda k: -sure[k]):
            if sure[k] > self.engine.found_later and out.isdisjoint(tried[k].out):
                out.update(tried[k].out)
                new.extend(parts[k])
        if not new:
            return seen
        kept = seen.where(np.delete(np.arange(len(seen.quads)), list(out)))
        return replace(looks.where(np.array(new)).surely_tiles().ahead_of(kept), nothing=seen.nothing)

    def _sure(self, photo: image.Photo, seen: _Seen, mend: Mend, looks: _Seen) -> float:
        """How sure it is, 0 to 1, that all the tiles of a mend are there."""
        if mend.like is not None:
            if seen.probabilities[mend.like].argmax() != BACK_INDEX:
                both = of_kinds(np.stack([looks.probabilities[0], seen.probabilities[mend.like]]))
                return float(both[0] @ both[1])
            pair = np.stack([looks.quads[0], seen.quads[mend.like]])
            maybe = looks.probabilities[0, BACK_INDEX] > self.engine.back_alike
            return float(maybe and alike_in_colour(photo.pixels, pair))
        faces = looks.probabilities[:, : len(FACES)].copy()
        if not mend.blank:
            faces[:, WHITE_INDEX] = 0
        return float(faces.max(axis=1).min())

    def _look_again(self, photo: image.Photo, region: Region | None, first: _Hand) -> _Hand:
        """The hand with tiles that were missed, if they make a better one of it; else as it was."""
        best = first
        for hand in self._more(photo, region, first):
            if hand.worth > best.worth:
                best = hand
            if best.worth >= _FINISHED + self.engine.sure:
                break
        return best

    def _more(self, photo: image.Photo, region: Region | None, first: _Hand) -> Iterator[_Hand]:
        """The hands of those who look closer, the cheapest look first."""
        yield from self._holes_filled(photo, first)
        # From above even what lies flat and far away has the shape of a tile. What the first such look
        # adds tells better how the table lies, for another one.
        hand = first
        for _ in range(_LOOKS_FROM_ABOVE):
            view = hand.table.from_above(self.engine.above, self._finder.widest)
            found = self._finder.find_through(photo.pixels, *view).quads[: self.engine.most_tiles]
            if region is not None:
                found = found[_inside(found, photo, region)]
            (sure, unsure), (old, rest) = (
                each.parted(self.engine.found_later) for each in (self._see(photo, found), first.seen)
            )
            hand = self._arrange(photo, sure.ahead_of(old).ahead_of(unsure).ahead_of(rest), above=True)
            yield hand
            yield from self._holes_filled(photo, hand, above=True)

    def _holes_filled(self, photo: image.Photo, hand: _Hand, *, above: bool = False) -> Iterator[_Hand]:
        """The hand with tiles missed beside its own, without what can be no whole tile; none missed, none."""
        if hand.finished:
            return
        spots = hand.table.holes(hand.layout)
        more = self._read_faces(photo, spots.astype(np.float32))
        face = more.probabilities[:, : len(FACES)].max(axis=1, initial=0) > self.engine.found_later
        back = more.probabilities[:, BACK_INDEX] > self.engine.back_later
        more = more.where(face | back)
        if not len(more.quads):
            return
        kept = np.delete(np.arange(len(hand.seen.quads)), hand.table.suspects())
        yield self._arrange(photo, hand.seen.where(kept).joined(more.surely_tiles()), above=above)

    def _tiles(
        self, quads: NDArray[np.float32], probabilities: Array, layout: Layout, decoded: Decoded
    ) -> Iterator[SeenTile]:
        overruled = set(decoded.overruled)
        order = np.argsort(-probabilities, axis=1)
        for i, role in enumerate(layout.roles):
            label, seen = decoded.labels[i], CLASSES[order[i, 0]]
            probability = float(probabilities[i, CLASSES.index(label)])
            runner_up = seen if label != seen else CLASSES[order[i, 1]]
            if role == "other" and probability < self.engine.unreadable:
                label = UNREADABLE
            yield SeenTile(
                quad=_quad(np.roll(quads[i], -layout.turns[i], axis=0)), label=label, probability=probability,
                runner_up=(runner_up, float(probabilities[i, CLASSES.index(runner_up)])), role=role,
                sideways=layout.sideways[i], upside_down=layout.upside_down[i],
                source="rule" if i in overruled else "seen",
            )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Seen:
    """Tiles as the networks see them: quads (n, 4, 2), probabilities (n, 39), rotation (n, 4); ``nothing``:
    quads (k, 4, 2) that the finder took for tiles and the face network did not."""

    quads: NDArray[np.float32]
    probabilities: Array
    rotation: Array
    nothing: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))

    def where(self, which: NDArray[Any]) -> _Seen:
        return _Seen(self.quads[which], self.probabilities[which], self.rotation[which], self.nothing)

    def once_each(self) -> _Seen:
        """Without the weaker ones of quads that have come to lie on one tile."""
        order = np.argsort(-self.probabilities.max(axis=1), kind="stable")
        kept = order[suppress(self.quads[order], SAME_TILE)]
        return self.where(np.sort(kept))

    def surely_tiles(self) -> _Seen:
        """Something lies there, or the look was in vain: "no tile" is no answer any more."""
        chances = np.delete(self.probabilities, NOT_A_FACE_INDEX, axis=1)
        chances /= chances.sum(axis=1, keepdims=True)
        return replace(self, probabilities=np.insert(chances, NOT_A_FACE_INDEX, 0, axis=1))

    def parted(self, chance: float) -> tuple[_Seen, _Seen]:
        """Those that are likelier what they seem than ``chance``, and the others."""
        sure = self.probabilities.max(axis=1) > chance
        return self.where(sure), self.where(~sure)

    def ahead_of(self, other: _Seen) -> _Seen:
        """With those of another look that lie on none of these."""
        both = self.joined(other)
        return both.where(suppress(both.quads, SAME_TILE))

    def joined(self, other: _Seen) -> _Seen:
        return _Seen(
            np.concatenate([self.quads, other.quads]),
            np.concatenate([self.probabilities, other.probabilities]),
            np.concatenate([self.rotation, other.rotation]),
            self.nothing,
        )


@dataclass(frozen=True, slots=True)
class _Hand:
    """Tiles, and the likeliest hand among them. ``trusted``: they were not seen at too low an angle."""

    seen: _Seen
    table: Table
    layout: Layout
    decoded: Decoded
    trusted: bool

    @property
    def finished(self) -> bool:
        return self.layout.size == 14 and self.decoded.legal and self.weakest > _NEVER

    @property
    def weakest(self) -> float:
        """The probability of the least sure tile of the hand."""
        inside = list(self.layout.hand)
        faces = [CLASSES.index(self.decoded.labels[i]) for i in inside]
        return float(self.seen.probabilities[inside, faces].min(initial=1.0))

    @property
    def worth(self) -> float:
        """The probability of the weakest tile, plus 2 for a finished hand that was seen well, plus 1 for
        another; 0.5 for a hand that waits; else 0."""
        if self.finished:
            return self.weakest + (_FINISHED if self.trusted else 1)
        return 0.5 * (self.layout.size == 13 and self.decoded.legal)


def read(
    photo: image.PhotoSource | image.Photo, *, region: Region | None = None, engine: Engine | None = None
) -> Reading:
    """:meth:`Reader.read` with a reader that is kept between calls (one for each ``engine``)."""
    return _reader(engine or Engine()).read(photo, region=region)


@lru_cache(maxsize=2)
def _reader(engine: Engine) -> Reader:
    return Reader(engine)


def judge(layout: Layout, decoded: Decoded) -> tuple[str, str]:
    """Status and message of a hand: ``ok`` for a finished hand whose winning tile is set apart."""
    labels = decoded.labels
    inside = [*layout.closed, *(() if layout.win is None else (layout.win,))]
    count = len(inside) + sum(len(meld.tiles) for meld in layout.melds)
    kans = sum(len(meld.tiles) == 4 for meld in layout.melds)
    wanted = f"a finished hand has {14 + kans}" + (f" with {kans} kan" if kans else "")
    if layout.size == 14 and decoded.legal:
        if layout.spare:
            extra = " ".join(labels[i] for i in layout.spare)
            return "incomplete", (
                f"{count + len(layout.spare)} tiles, but {wanted}: move {extra} away if it is no part of it."
            )
        if layout.win is not None:
            return "ok", ""
        return "incomplete", "No tile is set apart or turned: say which one is the winning tile."
    mine = [*inside, *(i for meld in layout.melds for i in meld.tiles)]
    copies = Counter(plain(labels[i]) for i in mine if labels[i] in FACES)
    if copies and max(copies.values()) > 4:
        label, count = copies.most_common(1)[0]
        return "incomplete", f"{count} tiles were read as {label}, but there are only four: correct one."
    unsure = ", ".join(dict.fromkeys(labels[i] for i in decoded.doubtful if i in inside))
    check = f" Check {unsure}." if unsure else ""
    if layout.size == 14:
        return "incomplete", f"14 tiles, but they make no finished hand.{check}"
    if layout.size == 13:
        waits = waiting(layout, labels)
        if waits:
            return "incomplete", f"13 tiles, waiting on {' '.join(waits)}."
        return "incomplete", f"13 tiles, and they are not waiting on any: a finished hand has 14.{check}"
    if not layout.size:
        return "incomplete", "Tiles, but no hand among them: point at the hand with a region."
    return "incomplete", f"{count} tiles, but {wanted}.{check}"


# --- small things ---------------------------------------------------------------------------------------

_FINISHED = 2.0
_CROWD = 3
"""What the finder takes for tiles is read up to so many times the most tiles: patterned cloth misleads it."""
_NEVER = 0.005
"""A face less probable than this is not there: a hand that needs it is not finished."""
_LOOKS_FROM_ABOVE = 2
_MENDED = 2
"""A hand that was mended shows where else something is to be mended, but not for ever."""
_SHARP_AT = 640
_SHARP = 12.0
"""Variance of the Laplacian at ``_SHARP_AT`` pixels below which a photo is called blurred. Of 60 training
photos all had 80 and more as they are; blurred by 2.5 pixels 95 % had 8 and less."""


class _Clock:
    def __init__(self) -> None:
        self.elapsed: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = perf_counter()
        try:
            yield
        finally:
            self.elapsed[name] = (perf_counter() - start) * 1000


def _check_region(region: Sequence[float] | None) -> None:
    if region is None:
        return
    if len(region) != 4 or not (0 <= region[0] < region[2] <= 1 and 0 <= region[1] < region[3] <= 1):
        raise ValueError("a region is x0,y0,x1,y1 in fractions of the photo, with x0 < x1 and y0 < y1")


def _inside(quads: NDArray[np.float32], photo: image.Photo, region: Region) -> NDArray[np.bool_]:
    height, width = photo.pixels.shape[:2]
    centre = quads.mean(axis=1) / np.array([width, height], np.float32)
    x0, y0, x1, y1 = region
    return np.asarray(
        (centre[:, 0] >= x0) & (centre[:, 0] <= x1) & (centre[:, 1] >= y0) & (centre[:, 1] <= y1)
    )


def _is_blurred(pixels: NDArray[np.uint8], quads: NDArray[np.float32]) -> bool:
    low = np.maximum(np.floor(quads.reshape(-1, 2).min(axis=0)), 0).astype(int)
    high = np.ceil(quads.reshape(-1, 2).max(axis=0)).astype(int) + 1
    part = pixels[low[1] : high[1], low[0] : high[0]]
    return bool(part.size) and sharpness(np.ascontiguousarray(part), _SHARP_AT) < _SHARP


def _nothing_here(region: Region | None, *, blurred: bool = False) -> str:
    where = "in that region" if region else "in the photo"
    advice = "it is blurred: hold the camera still" if blurred else "go closer, from above, in even light"
    return f"No mahjong tiles were found {where}; {advice}."


def _unread(photo: image.Photo, message: str, clock: _Clock) -> Reading:
    return Reading(photo.name, photo.width, photo.height, (), None, {}, "error", message, clock.elapsed)


def _quad(points: NDArray[Any]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d
