"""The door: a photo in, a :class:`vision.reading.Reading` out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from vision import image, network
from vision.arrays import Array32
from vision.doubts import confidence, doubts
from vision.faces import FaceReader, Faces
from vision.finder import Finder
from vision.foreign import ForeignSeen, foreign_tiles, left_out
from vision.habits import HABITS, Habits
from vision.labels import UNREADABLE
from vision.looks import HandSeen, Look, TilesSeen, brief
from vision.network import FACES, FINDER, SCENE, Network
from vision.players import SeenTable
from vision.reading import FAULTY, Doubt, Reading, Region, SeenTile, row_by_row
from vision.record import hand_record
from vision.scene.beside import FEWEST, TableReader
from vision.table import Layout
from vision.verdict import crowd, refusal, seen_tiles, verdict
from vision.watch import Watch, nobody

_NOT_IN_HAND = ("dora", "ura", "other")


@dataclass(frozen=True, slots=True)
class Engine:
    """How photos are read. ``finder``, ``faces``: model files; ``scene``: that of the scene model, without
    which no table is read; ``threads``: CPU threads of each network; ``habits``: the numbers on which
    everything behind the networks rests.

    >>> Engine(threads=1).finder.name
    'finder.onnx'
    """

    finder: Path = FINDER
    faces: Path = FACES
    scene: Path = SCENE
    threads: int = 2
    habits: Habits = HABITS


class Reader:
    """Reads photos with networks that are loaded once.

    >>> import numpy as np
    >>> reader = Reader(Engine(threads=1))
    >>> for photo in ("photo.jpg", np.zeros((480, 640, 3), np.uint8)):
    ...     print(reader.read(photo).status)
    ok
    error

    ``load``: what runs a network file on so many threads; raises FileNotFoundError or ValueError when it is
    missing or is not what it should be. ``watch``: is shown every stage of every reading.
    """

    def __init__(
        self,
        engine: Engine | None = None,
        *,
        load: Callable[[Path, int], Network] = network.load,
        watch: Watch = nobody,
    ) -> None:
        self.engine = engine or Engine()
        self._watch = watch
        self._finder = Finder(load(self.engine.finder, self.engine.threads), watch)
        self._faces = FaceReader(load(self.engine.faces, self.engine.threads))
        self._load = load

    @cached_property
    def _tables(self) -> TableReader | None:
        """Loaded for the first photo that shows more than a hand; None where there is no scene model."""
        if not self.engine.scene.is_file():
            return None
        return TableReader(self._faces, self._load(self.engine.scene, self.engine.threads))

    def read(self, photo: image.PhotoSource | image.Photo, *, region: Region | None = None) -> Reading:
        """The tiles of a photo and the hand that they make.

        ``photo``: a path, bytes, a PIL image or an RGB array, as :func:`vision.image.load` takes it, or one
        that was decoded elsewhere (:meth:`vision.image.Photo.decoded`).
        ``region``: x0, y0, x1, y1 in fractions of the upright photo; tiles outside are as if absent.
        A photo without a readable tile gives a reading of status ``error`` whose message says what to do;
        what is no photo at all raises :class:`vision.image.PhotoError`.
        """
        return self._read(photo, region, briefly=False)

    def glance(self, photo: image.PhotoSource | image.Photo) -> Reading:
        """A reading of a camera's frame, which the next frame will correct: in a bounded time, whatever lies
        there. Nothing is looked at again, and of a table full of tiles only those are read to which the
        camera is held."""
        return self._read(photo, None, briefly=True)

    @network.undisturbed()
    def _read(
        self, photo: image.PhotoSource | image.Photo, region: Region | None, *, briefly: bool
    ) -> Reading:
        _check_region(region)
        habits = self.engine.habits
        clock = _Clock()
        with clock.stage("load"):
            loaded = image.load(photo)
        self._watch(loaded)
        look = Look(loaded, self._finder, self._faces, region, habits, self._watch, briefly)
        with clock.stage("find"):
            quads = look.find()
        trouble = refusal(loaded, quads, region, habits)
        if trouble:
            return self._made(loaded, clock, "error", trouble)
        with clock.stage("faces"):
            seen = look.see(quads[: habits.looks.crowd * habits.looks.most_tiles])
        trouble = crowd(len(seen.quads), region, habits)
        if trouble:
            return self._made(loaded, clock, "error", trouble)
        with clock.stage("table"):
            hand = look.arrange(seen)
        if not briefly and (not hand.sure or any(hand.others())):
            with clock.stage("look again"):
                hand = look.again(hand)
        return self._reading(loaded, hand, clock, seen.foreign, with_table=not briefly)

    @network.undisturbed()
    def faces(self, photo: image.Photo, quads: Array32) -> Faces:
        """The faces at quads (n, 4, 2), pixels of ``photo.pixels``, where tiles are known to lie."""
        return self._faces.read(photo.pixels, quads)

    @network.undisturbed()
    def arrange(self, photo: image.Photo, tiles: Faces) -> Reading:
        """The reading of at least one tile that is known already, such as those that several frames of a
        camera saw: of all of them, in their order. Nothing is looked for."""
        clock = _Clock()
        with clock.stage("table"):
            hand = HandSeen.of(TilesSeen.of(tiles), brief(self.engine.habits))
        return self._reading(photo, hand, clock, are_known=True)

    def _reading(
        self, photo: image.Photo, hand: HandSeen, clock: _Clock, foreign: ForeignSeen | None = None,
        *, are_known: bool = False, with_table: bool = False,
    ) -> Reading:  # fmt: skip
        with clock.stage("doubts"):
            hand = hand.with_indicators()
            record, known = hand_record(hand.layout, hand.decoded.labels, hand.decoded.overruled)
            status, message = verdict(photo, hand)
            spare = tuple(foreign_tiles(photo, foreign, hand.seen.quads)) if foreign else ()
            message += left_out(len(spare)) if status != "ok" else ""
            size = photo.pixels.shape[1], photo.pixels.shape[0]
            in_question = doubts(hand, size)
            asked = {i for doubt in in_question for i in doubt.tiles}
            vain = {*np.flatnonzero(hand.in_vain | hand.slivers).tolist()} - asked
            tiles = list(seen_tiles(photo, hand))
            order = range(len(tiles)) if are_known else in_reading_order(tiles, hand.layout)
            listed = {
                i: replace(tiles[i], label=UNREADABLE) if i in vain else tiles[i]
                for i in order if are_known or i not in vain
            }  # fmt: skip
            place = {i: number for number, i in enumerate(listed)}
            in_question = tuple(
                replace(doubt, tiles=tuple(place[i] for i in doubt.tiles)) for doubt in in_question
            )
            sure = None if record is None else confidence(hand, size)
        seen = (*listed.values(), *spare)
        table = None
        own = [k for k, tile in enumerate(listed.values()) if tile.role not in _NOT_IN_HAND]
        if with_table and len(listed) - len(own) >= FEWEST and self._tables is not None:
            with clock.stage("rivers"):
                table = self._tables.read(photo, hand.seen.quads[list(listed)], own)
        return self._made(photo, clock, status, message, seen, record, known, sure, in_question, table)

    def _made(
        self, photo: image.Photo, clock: _Clock, status: str, message: str, tiles: tuple[SeenTile, ...] = (),
        record: dict[str, Any] | None = None, known: dict[str, str] | None = None,
        confidence: float | None = None, doubts: tuple[Doubt, ...] = (), table: SeenTable | None = None,
    ) -> Reading:  # fmt: skip
        if photo.fault:
            doubts = (Doubt("photo", (), FAULTY[photo.fault]), *doubts)
        reading = Reading(
            photo.name, photo.width, photo.height, tiles, record, known or {}, status, message, clock.elapsed,
            confidence, doubts, table,
        )  # fmt: skip
        self._watch(reading)
        return reading


def read(
    photo: image.PhotoSource | image.Photo,
    *,
    region: Region | None = None,
    engine: Engine | None = None,
    watch: Watch = nobody,
) -> Reading:
    """:meth:`Reader.read` with a reader that is kept between calls, one for each ``engine`` and ``watch``.

    >>> reading = read("photo.jpg", region=(0.0, 0.5, 1.0, 1.0))
    >>> reading.status, reading.hand["melds"]
    ('ok', [{'type': 'pon', 'tiles': '777z', 'from': 1}])
    """
    return _reader(engine or Engine(), watch).read(photo, region=region)


@lru_cache(maxsize=2)
def _reader(engine: Engine, watch: Watch) -> Reader:
    return Reader(engine, watch=watch)


def in_reading_order(tiles: Sequence[SeenTile], layout: Layout) -> list[int]:
    """The indices of the tiles: the hand as its row lies, the winning tile, melds, indicators, and then all
    others row by row."""
    won = () if layout.win is None else (layout.win,)
    melds = (at for meld in layout.melds for at in meld.tiles)
    ours = [*layout.closed, *won, *melds, *layout.dora]
    rest = sorted({*range(len(tiles))} - {*ours})
    return ours + [rest[at] for at in row_by_row([tiles[at].quad for at in rest])]


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
