"""A stream of frames to a steady reading: what still lies there is read by several frames together.

Every frame is first compared, small and without its brightness, with the frame that was read: nothing moved,
the camera shook a little, something covers the tiles, the camera moved. That takes a few milliseconds and is
all that most frames need. The tiles of a scene are tracks: some frames are read as a whole, their tiles
matched to the tracks by what they cover; others only name the faces of the tracks again. All of them vote.
No frame is kept from the next one for long: where one was read, the next names the faces of all tracks, and
the one after that concludes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import Protocol

import numpy as np

from scorer.hand_tiles import HandTiles
from tehai.webcam.motion import STILL, Cells, Change, Sketch
from vision import image
from vision.arrays import Array, Array32, Indices, Pixels
from vision.detections import Detections
from vision.faces import GIVEN, softmax
from vision.image import Photo
from vision.labels import FOREIGN, NOT_A_FACE_INDEX, WITH_FOREIGN
from vision.quads import SAME_TILE, iou, turns_between
from vision.reading import Reading, Region, quad_of


class FrameReader(Protocol):
    """Who reads frames: :class:`vision.reader.Reader`."""

    def read_frame(self, photo: Photo) -> Reading:
        """The tiles of a whole frame, looked for as far as a frame's time goes."""

    def read(self, photo: Photo, *, region: Region | None = None) -> Reading:
        """The tiles of a whole frame, or of a region of it, looked for as closely as can be."""

    def classify(self, photo: Photo, quads: Array32) -> Detections:
        """The faces where tiles are known to lie."""

    def read_tiles(self, photo: Photo, known: Detections) -> Reading:
        """The reading of tiles that are known, of all of them in their order."""


@dataclass(frozen=True, slots=True)
class Patience:
    """When a scene is read, and when its reading is steady; all in frames.

    ``still``: without motion before the first read. ``reads``: whole readings before the tiles are steady;
    one more where they leave a tie. ``gap``: from one whole reading to the next; the frames between them name
    the faces of the hand again. ``again``: from one reading to the next of a steady scene that is no finished
    hand, ``most_reads`` in all: these look closely, and the first of them comes after a ``gap``.
    ``disturbed``: with something new near the tiles before the scene is given up: a single torn frame is
    nothing. ``lasting``: with something new far from them before the scene is read anew.
    """

    still: int = 3
    reads: int = 2
    gap: int = 4
    again: int = 20
    most_reads: int = 5
    disturbed: int = 2
    lasting: int = 8


class State(Enum):
    """What happens at the table."""

    WAITING = "waiting"
    """Something moves, or too few frames have come; nothing is read yet."""
    VOTING = "voting"
    """The scene lies still and is being read."""
    STEADY = "steady"
    """The reading stands."""
    COVERED = "covered"
    """Something has come over the tiles; they are read again once it is gone."""
    MOVED = "moved"
    """The camera has moved; the tiles are read again once it rests."""


@dataclass(frozen=True, slots=True)
class View:
    """What is known after a frame.

    ``reading``: in this frame's pixels; None while nothing is read. ``fresh``: this frame made a reading
    steady whose hand is another than the steady one's before. ``reads``, ``votes``: whole readings of the
    scene, and frames that have named its faces.
    """

    state: State
    reading: Reading | None = None
    fresh: bool = False
    reads: int = 0
    votes: int = 0


class Steady:
    """The steady reading of a camera: give every frame to :meth:`see`.

    A hand over the tiles or a moved camera starts over; noise, exposure and small shocks do not. What it
    keeps does not grow with the number of frames.

    >>> from vision import Reader
    >>> from vision.image import load
    >>> steady, frame = Steady(Reader()), load("photo.jpg", max_side=960).pixels
    >>> for _ in range(10):
    ...     view = steady.see(frame)
    ...     if view.fresh:
    ...         print(view.state.value, view.reading.hand["concealed"])
    steady 234m067p3488s
    """

    def __init__(self, reader: FrameReader, patience: Patience | None = None) -> None:
        self._reader = reader
        self._patience = patience or Patience()
        self._past: deque[Sketch] = deque(maxlen=self._patience.still)
        self._scene: _Scene | None = None
        self._state = State.WAITING
        self._hand: HandTiles | None = None
        self._region: Region | None = None

    def see(self, frame: Pixels) -> View:
        """What is known after this frame, (h, w, 3) uint8 RGB.

        Raises :class:`vision.image.PhotoError` for what is no picture.
        """
        photo = image.load(frame)
        sketch = Sketch.of(photo.pixels)
        if self._past and self._past[-1].size != sketch.size:
            self._past.clear()
            self._scene, self._state = None, State.WAITING
        recent = sketch.change_from(self._past[0]) if len(self._past) == self._patience.still else None
        self._past.append(sketch)
        if self._scene is None:
            if recent is None or not recent.is_quiet:
                return View(self._state)
            return self._start(photo, sketch)
        return self._go_on(self._scene, photo, sketch, recent)

    def forget(self) -> None:
        """Read the scene anew; its hand is fresh even if it is the same."""
        self._scene, self._hand, self._region, self._state = None, None, None, State.WAITING

    def turn_to(self, region: Region) -> None:
        """Read the hand in this part of the next frame instead of the one that was taken. It stands until
        something moves."""
        self._region = region

    def _start(self, photo: Photo, sketch: Sketch) -> View:
        self._scene = scene = _Scene(sketch)
        scene.read(self._reader.read_frame, photo, STILL)
        self._state = State.VOTING
        return self._view(scene, STILL)

    def _go_on(self, scene: _Scene, photo: Photo, sketch: Sketch, recent: Change | None) -> View:
        change = sketch.change_from(scene.sketch)
        near = change.is_far or change.covers(scene.near)
        scene.disturbed = scene.disturbed + 1 if near else 0
        if scene.disturbed >= self._patience.disturbed:
            self._scene, self._state = None, State.MOVED if change.is_far else State.COVERED
            self._past.clear()
            return View(self._state)
        if near:
            return self._view(scene, STILL)
        lasts = change.covers(~scene.near) and recent is not None and recent.is_quiet
        scene.lasting = scene.lasting + 1 if lasts else 0
        if scene.lasting >= self._patience.lasting:
            return self._start(photo, sketch)
        if self._region is not None:
            scene.turn_to(self._region, self._reader, photo, change.matrix)
            self._region, self._state = None, State.STEADY
        elif not scene.chosen:
            self._vote(scene, photo, change.matrix)
        return self._view(scene, change.matrix)

    def _vote(self, scene: _Scene, photo: Photo, matrix: Array) -> None:
        """Let the frame say what it can still add."""
        patience = self._patience
        scene.age += 1
        if scene.due:
            scene.go_on(self._reader, photo, matrix)
        elif not self._is_settled(scene):
            if scene.age >= patience.gap:
                scene.read(self._reader.read_frame, photo, matrix)
            elif scene.has_tiles:
                scene.name_faces(self._reader, photo, matrix)
        elif scene.is_unfinished and scene.reads < patience.most_reads and scene.age >= self._wait(scene):
            scene.read(self._reader.read, photo, matrix)
            scene.scrutinised = True
            while scene.due:
                scene.go_on(self._reader, photo, matrix)
        self._state = State.STEADY if self._is_settled(scene) else State.VOTING

    def _wait(self, scene: _Scene) -> int:
        """Frames from the last reading of a steady scene to the next."""
        return self._patience.again if scene.scrutinised else self._patience.gap

    def _is_settled(self, scene: _Scene) -> bool:
        """Whether enough readings have been made and weighed, and a third one has broken a tie of two."""
        more = scene.reads - self._patience.reads
        return not scene.due and (more > 0 or (more == 0 and not scene.is_tied))

    def _view(self, scene: _Scene, matrix: Array) -> View:
        hand = _scored(scene.reading) if self._state is State.STEADY else None
        fresh = hand not in (None, self._hand)
        if fresh:
            self._hand = hand
        return View(self._state, _moved(scene.reading, matrix), fresh, scene.reads, scene.votes)


# --- the tiles of a scene -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Tracks:
    """n tiles, followed: ``quads`` (n, 4, 2) pixels of the scene's first frame; sums over their ``votes``
    (n,) of log probabilities, ``faces`` (n, 40) and ``turns`` (n, 4), and of embeddings, ``looks`` (n, d);
    ``seen`` (n,): how many whole readings have found them."""

    quads: Array32 = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))
    faces: Array = field(default_factory=lambda: np.zeros((0, len(WITH_FOREIGN))))
    turns: Array = field(default_factory=lambda: np.zeros((0, 4)))
    looks: Array = field(default_factory=lambda: np.zeros((0, 0)))
    votes: Indices = field(default_factory=lambda: np.zeros(0, np.intp))
    seen: Indices = field(default_factory=lambda: np.zeros(0, np.intp))

    def find(self, quads: Array32) -> Indices:
        """Count the tiles of a whole reading, those known already and new ones; returns their tracks."""
        known = len(self.quads)
        free = set(range(known))
        new: list[Array32] = []
        found = []
        away = np.abs(self.quads.mean(axis=1) - quads.mean(axis=1)[:, None]).max(axis=2)
        close = away < np.ptp(quads, axis=1).max(axis=1)[:, None]
        for quad, there in zip(quads, close, strict=True):
            near = [i for i in np.flatnonzero(there).tolist() if i in free]
            match = max(near, key=lambda i: iou(self.quads[i], quad), default=None)
            if match is None or iou(self.quads[match], quad) < SAME_TILE:
                found.append(known + len(new))
                new.append(quad)
            else:
                found.append(match)
                free.discard(match)
                self.seen[match] += 1
        self.quads = np.concatenate([self.quads, np.array(new, np.float32).reshape(-1, 4, 2)])
        self.faces = np.concatenate([self.faces, np.zeros((len(new), len(WITH_FOREIGN)))])
        self.turns = np.concatenate([self.turns, np.zeros((len(new), 4))])
        self.looks = np.concatenate([self.looks, np.zeros((len(new), self.looks.shape[1]))])
        self.votes = np.concatenate([self.votes, np.zeros(len(new), np.intp)])
        self.seen = np.concatenate([self.seen, np.ones(len(new), np.intp)])
        return np.array(found, np.intp)

    def add(self, which: Indices, asked: Array32, answer: Detections) -> None:
        """Let a frame vote: ``answer`` to the quads ``asked`` of the tracks ``which``."""
        assert answer.logits is not None and answer.turns is not None and answer.embeddings is not None
        # The answer's quads start where the face does; here all votes count from the track's own corner.
        start = turns_between(answer.quads, asked)
        order = (np.arange(4) - start[:, None]) % 4
        if not self.looks.size:
            self.looks = np.zeros((len(self.quads), answer.embeddings.shape[1]))
        self.faces[which] += np.log(softmax(answer.logits) + _LEAST)
        self.turns[which] += np.log(np.take_along_axis(answer.turns, order, axis=1) + _LEAST)
        self.looks[which] += answer.embeddings
        self.votes[which] += 1

    def tiles(self) -> Cells:
        """Which of the tracks (n,) are tiles of a hand by what the frames say of their faces."""
        return ~np.isin(self.faces.argmax(axis=1), _NO_FACE)

    def pooled(self, which: Indices) -> Detections:
        """The tracks as one frame would show them that agrees with all: the mean of the logarithms.

        The likeliest face is that of the sum. The sum itself would be far too sure: what one frame mistakes,
        the next mistakes too.
        """
        votes = np.maximum(self.votes[which], 1)[:, None]
        faces = self.faces[which] / votes
        faces[:, _NO_FACE] = np.log(_LEAST)  # see :meth:`tiles`
        turns = np.exp(self.turns[which] / votes)
        start = turns.argmax(axis=1)
        order = (np.arange(4) + start[:, None]) % 4
        quads = np.take_along_axis(self.quads[which], order[..., None], axis=1)
        turns = np.take_along_axis(turns / turns.sum(axis=1, keepdims=True), order, axis=1)
        return Detections(
            quads.astype(np.float32), np.full(len(which), GIVEN, np.float32), faces.astype(np.float32),
            turns.astype(np.float32), (self.looks[which] / votes).astype(np.float32),
        )  # fmt: skip


_NO_FACE = [NOT_A_FACE_INDEX, WITH_FOREIGN.index(FOREIGN)]

_LEAST = 1e-6
"""Added to every probability, so that no single frame can rule a face out."""


class _Scene:
    """What lies there since ``sketch`` was taken: its tiles, and their reading in that frame's pixels."""

    def __init__(self, sketch: Sketch) -> None:
        self.sketch = sketch
        self.near: Cells = np.zeros(sketch.cells, np.bool_)
        self.reads = self.votes = self.age = self.disturbed = self.lasting = 0
        self.scrutinised = False
        self.chosen = False
        self.reading = Reading("", 0, 0, (), None, {}, "error")
        self.due: deque[Callable[[FrameReader, Photo, Array], None]] = deque()
        self._tracks = _Tracks()
        self._hand: Indices = np.zeros(0, np.intp)
        self._finished: list[tuple[Indices, Reading]] = []

    @property
    def has_tiles(self) -> bool:
        return len(self._tracks.quads) > 0

    @property
    def is_unfinished(self) -> bool:
        """Whether tiles lie there that were read as no finished hand."""
        return self.has_tiles and self.reading.status != "ok"

    @property
    def is_tied(self) -> bool:
        """Whether as many readings found some tile as missed it."""
        return bool((2 * self._tracks.seen == self.reads).any())

    def read(self, look: Callable[[Photo], Reading], photo: Photo, matrix: Array) -> None:
        """Read a whole frame by a ``look`` of the reader, the scene moved by ``matrix``. What follows is
        ``due``."""
        found = look(photo)
        back = np.asarray(np.linalg.inv(matrix), np.float64)
        quads = np.array([tile.quad for tile in found.tiles], np.float32).reshape(-1, 4, 2)
        which = self._tracks.find(_through(quads, back))
        if found.status == "ok":
            self._finished.append((which, _moved(found, back)))
        self.reads += 1
        self.age = 0
        if self.has_tiles:
            self.due.append(self._name_all)
        if self.reads == 1:
            self._take(which, _moved(found, back))
        elif self.has_tiles:
            self.due.append(self._conclude)

    def go_on(self, reader: FrameReader, photo: Photo, matrix: Array) -> None:
        """Do the first thing that is due."""
        self.due.popleft()(reader, photo, matrix)

    def turn_to(self, region: Region, reader: FrameReader, photo: Photo, matrix: Array) -> None:
        """Take the hand in a region of this frame: who chose it is not outvoted."""
        found, back = reader.read(photo, region=region), np.asarray(np.linalg.inv(matrix), np.float64)
        quads = np.array([tile.quad for tile in found.tiles], np.float32).reshape(-1, 4, 2)
        self._take(self._tracks.find(_through(quads, back)), _moved(found, back))
        self.chosen = True

    def name_faces(self, reader: FrameReader, photo: Photo, matrix: Array) -> None:
        """Let a frame vote on the faces of the hand alone."""
        self._name(reader, photo, matrix, self._hand)

    def _name_all(self, reader: FrameReader, photo: Photo, matrix: Array) -> None:
        self._name(reader, photo, matrix, np.arange(len(self._tracks.quads)))

    def _name(self, reader: FrameReader, photo: Photo, matrix: Array, which: Indices) -> None:
        asked = _through(self._tracks.quads[which], matrix)
        self._tracks.add(which, asked, reader.classify(photo, asked))
        self.votes += 1

    def _conclude(self, reader: FrameReader, photo: Photo, _: Array) -> None:
        """The reading of the tiles that most frames show. If they are no finished hand, the surest that is
        one is due, a frame for each: what one was read as, its tiles as all name them, or all tiles seen."""
        tiles = self._tracks.tiles()
        often = np.flatnonzero(tiles & (2 * self._tracks.seen >= self.reads))
        if len(often):
            self._take(often, reader.read_tiles(photo, self._tracks.pooled(often)))
        if self.reading.status == "ok":
            return
        sets = [which[tiles[which]] for which, _ in self._finished]
        if len(often) < int(tiles.sum()):
            sets.append(np.flatnonzero(tiles))
        pooled = list[tuple[Indices, Reading]]()
        self.due.extend(partial(self._arrange, which, pooled) for which in sets if len(which))
        self.due.append(partial(self._take_surest, pooled))

    def _arrange(
        self,
        which: Indices,
        pooled: list[tuple[Indices, Reading]],
        reader: FrameReader,
        photo: Photo,
        _: Array,
    ) -> None:
        pooled.append((which, reader.read_tiles(photo, self._tracks.pooled(which))))

    def _take_surest(self, pooled: list[tuple[Indices, Reading]], *_: object) -> None:
        finished = [one for one in (*pooled, *self._finished) if one[1].status == "ok"]
        if finished:
            self._take(*max(finished, key=lambda one: _weakest(one[1])))

    def _take(self, which: Indices, reading: Reading) -> None:
        self.reading = reading
        self._hand = which[[tile.role != "other" for tile in reading.tiles]]
        self.near = self._neighbourhood()

    def _neighbourhood(self) -> Cells:
        """The cells in which a change may be one of the hand's tiles, of all tiles where there is no hand."""
        hand = [tile for tile in self.reading.tiles if tile.role != "other"] or self.reading.tiles
        if not hand:
            return np.zeros(self.sketch.cells, np.bool_)
        quads = np.array([tile.quad for tile in hand], np.float32)
        diagonal = float(np.linalg.norm(quads[:, 0] - quads[:, 2], axis=1).mean())
        return self.sketch.around(quads.reshape(-1, 2), _REACH * diagonal)


_REACH = 1.5
"""How many diagonals of a tile around the hand count as near."""


# --- small things -------------------------------------------------------------------------------------------


def _through(quads: Array32, matrix: Array) -> Array32:
    """Quads (n, 4, 2) moved by a shift, turn and scale (3, 3)."""
    return np.asarray(quads @ matrix[:2, :2].T + matrix[:2, 2], np.float32)


def _scored(reading: Reading) -> HandTiles | None:
    """What of a reading is scored, in whatever order it was found and whatever lies around it."""
    return None if reading.hand is None else HandTiles.from_record(reading.hand, {}).unordered


def _moved(reading: Reading, matrix: Array) -> Reading:
    if matrix is STILL or not reading.tiles:
        return reading
    quads = _through(np.array([tile.quad for tile in reading.tiles], np.float32), matrix)
    return replace(
        reading,
        tiles=tuple(
            replace(tile, quad=quad_of(quad)) for tile, quad in zip(reading.tiles, quads, strict=True)
        ),
    )


def _weakest(reading: Reading) -> float:
    """The probability of the least sure tile of the hand."""
    return min(tile.probability for tile in reading.tiles if tile.role not in ("dora", "other"))
