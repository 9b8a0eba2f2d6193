"""The door: a photo in, a :class:`vision.reading.Reading` out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from time import perf_counter

import numpy as np

from vision import image, network
from vision.arrays import Array32
from vision.doubts import confidence, doubts
from vision.faces import FaceReader, Faces
from vision.finder import Finder
from vision.foreign import foreign_tiles, left_out
from vision.habits import HABITS, Habits
from vision.labels import UNREADABLE
from vision.looks import HandSeen, Look, TilesSeen, brief
from vision.network import FACES, FINDER, SCENE, Network
from vision.reading import FAULTY, Doubt, Reading, Region, SeenTile, row_by_row
from vision.record import hand_record
from vision.scene.beside import Beside
from vision.scene.decode import UNFINISHED
from vision.scene.reader import SceneReader
from vision.scene.relate import SceneNetwork
from vision.table import Layout
from vision.verdict import crowd, refusal, seen_tiles, verdict
from vision.watch import Watch, nobody


@dataclass(frozen=True, slots=True)
class Engine:
    """How photos are read. ``finder``, ``faces``: model files; ``scene``: that of the scene model, without
    which no photo is read a second time, and no indicator or table; ``threads``: CPU threads of each network;
    ``habits``: the numbers on which everything behind the networks rests.

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

    A hand that its tiles' places do not tell surely is read once more by the scene model
    (:mod:`vision.scene`). Its hand is taken where that can be scored, or where the first one is not whole.

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
        self._load = load
        finder, faces = (
            network.Remembering(load(file, self.engine.threads))
            for file in (self.engine.finder, self.engine.faces)
        )
        self._remembering = finder.one_photo, faces.one_photo  # what is read twice is seen once
        self._finder, self._faces = Finder(finder, watch), FaceReader(faces)

    @cached_property
    def _scene(self) -> SceneNetwork | None:
        """Loaded for the first photo that needs it; None where it is not installed."""
        if not self.engine.scene.is_file():
            return None
        return SceneNetwork(self._load(self.engine.scene, self.engine.threads))

    @cached_property
    def _scenes(self) -> SceneReader | None:
        """What reads with it."""
        if self._scene is None:
            return None
        return SceneReader(self._finder, self._faces, self._scene, watch=self._watch)

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
    def rivers(self, photo: image.PhotoSource | image.Photo) -> Reading:
        """A frame of a camera that is held over a table while a game is played: its ``table``, whose near
        player is whoever sits nearest to the camera, and no hand. None of it without the scene model."""
        loaded = image.load(photo)
        if self._scenes is None:
            return _without_tiles(loaded, _Clock(), "The scene model, which reads tables, is not installed.")
        return self._scenes.rivers(loaded)

    @network.undisturbed()
    def _read(
        self, photo: image.PhotoSource | image.Photo, region: Region | None, *, briefly: bool
    ) -> Reading:
        _check_region(region)
        clock = _Clock()
        with clock.stage("load"):
            loaded = image.load(photo)
        self._watch(loaded)
        of_finder, of_faces = self._remembering
        with of_finder(), of_faces():
            first = self._first(loaded, region, clock, briefly=briefly)
            second = None if briefly else self._second(loaded, region, first, clock)
            if second is not None:
                reading = replace(second, elapsed_ms=clock.elapsed)
            elif isinstance(first, str):
                reading = _without_tiles(loaded, clock, first)
            else:
                beside = None if briefly else self._beside(loaded, first, clock)
                reading = self._reading(loaded, first, beside, clock)
        return self._shown(loaded, reading)

    def _first(
        self, photo: image.Photo, region: Region | None, clock: _Clock, *, briefly: bool
    ) -> HandSeen | str:
        """What the places of the tiles tell; where there are none to tell it, why."""
        habits = self.engine.habits
        look = Look(photo, self._finder, self._faces, region, habits, self._watch, briefly)
        with clock.stage("find"):
            quads = look.find()
        if trouble := refusal(photo, quads, region, habits):
            return trouble
        with clock.stage("faces"):
            seen = look.see(quads[: habits.looks.crowd * habits.looks.most_tiles])
        if trouble := crowd(len(seen.quads), region, habits):
            return trouble
        with clock.stage("table"):
            hand = look.arrange(seen)
        return replace(hand, seen=replace(hand.seen, foreign=seen.foreign))

    def _second(
        self, photo: image.Photo, region: Region | None, first: HandSeen | str, clock: _Clock
    ) -> Reading | None:
        """The scene model's reading, where the first one is not sure and this can be scored; where the first
        one is of no whole hand, also if this is of one that cannot."""
        hand = None if isinstance(first, str) else first
        if self._scenes is None or (hand is not None and hand.sure):
            return None
        with clock.stage("scene"):
            second = self._scenes.second(photo, region=region)
        is_whole = hand is not None and (hand.finished or hand.layout.size == UNFINISHED)
        return None if second is None or (is_whole and second.status != "ok") else second

    def _beside(self, photo: image.Photo, hand: HandSeen, clock: _Clock) -> Beside | None:
        """What the scene model says of the tiles beside a hand; None where none lie there."""
        quads, own = hand.seen.quads, hand.layout.hand
        if self._scene is None or len(quads) == len(own):
            return None
        with clock.stage("beside"):
            return Beside.of(self._faces, self._scene, photo, quads, own)

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
        beside = self._beside(photo, hand, clock)
        return self._shown(photo, self._reading(photo, hand, beside, clock, are_known=True))

    def _reading(
        self, photo: image.Photo, hand: HandSeen, beside: Beside | None, clock: _Clock, *,
        are_known: bool = False,
    ) -> Reading:  # fmt: skip
        """The reading of a hand and of what lies ``beside`` it. ``are_known``: its tiles are listed in their
        order."""
        with clock.stage("doubts"):
            hand = hand if beside is None else hand.with_indicators(*beside.indicators)
            record, known = hand_record(hand.layout, hand.decoded.labels, hand.decoded.overruled)
            status, message = verdict(photo, hand)
            spare = tuple(foreign_tiles(photo, hand.seen.foreign, hand.seen.quads))
            message += left_out(len(spare)) if status != "ok" else ""
            size = photo.pixels.shape[1], photo.pixels.shape[0]
            in_question = doubts(hand, size)
            asked = {i for doubt in in_question for i in doubt.tiles}
            vain = {*np.flatnonzero(hand.in_vain | hand.slivers).tolist()} - asked
            tiles = list(seen_tiles(photo, hand))
            tiles = tiles if beside is None or are_known else beside.named(tiles)
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
        table = None
        if beside is not None:
            with clock.stage("rivers"):
                table = beside.table(place)
            if hand.finished and all(doubt.kind != "hand" for doubt in in_question):
                in_question = (*beside.hands(place), *in_question)
        return Reading(
            photo.name, photo.width, photo.height, (*listed.values(), *spare), record, known, status, message,
            clock.elapsed, sure, in_question, table=table,
        )  # fmt: skip

    def _shown(self, photo: image.Photo, reading: Reading) -> Reading:
        """The reading, and what is wrong with the photo itself."""
        if photo.fault:
            reading = replace(reading, doubts=(Doubt("photo", (), FAULTY[photo.fault]), *reading.doubts))
        self._watch(reading)
        return reading


def _without_tiles(photo: image.Photo, clock: _Clock, message: str) -> Reading:
    return Reading(photo.name, photo.width, photo.height, (), None, {}, "error", message, clock.elapsed)


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
