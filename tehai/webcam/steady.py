"""Combine several frames of a still scene into one steady reading.

1. Compare each frame, small and without brightness, with the frame of the reading. Either nothing moved, the
camera shook, something covers the tiles, or the camera moved. This takes a few milliseconds, and most frames
need no more. 2. Some frames are read as a whole. Their tiles are matched to *tracks* by overlap. 3. Other
frames only classify the tiles of the tracks again. All frames vote on the faces.

The work is spread over frames, so that each is fast: one reads, the next classifies all tracks, and the one
after that concludes.
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
from vision.config import CONFIG, GEOMETRY
from vision.detections import Detections
from vision.faces import softmax
from vision.image import Photo
from vision.labels import FOREIGN, NOT_A_FACE_INDEX, WITH_FOREIGN
from vision.quads import distances, turns_between
from vision.reading import Reading, Region, quad_of


class FrameReader(Protocol):
    """Who reads frames: :class:`vision.reader.Reader`."""

    def read_frame(self, photo: Photo) -> Reading:
        """The tiles of a whole frame, detected within the time of a frame."""

    def read(self, photo: Photo, *, region: Region | None = None) -> Reading:
        """The tiles of a whole frame or of a region, detected as accurately as possible."""

    def classify(self, photo: Photo, quads: Array32) -> Detections:
        """The faces of tiles at known places."""

    def read_tiles(self, photo: Photo, known: Detections) -> Reading:
        """The reading of all these tiles, in their order."""


@dataclass(frozen=True, slots=True)
class Timing:
    """When to read a scene, and when its reading is steady; all numbers count frames.

    ``still``: without motion before the first reading. ``reads``: whole readings before the tiles are steady;
    one more to break a tie. ``gap``: between whole readings; the frames between classify the hand again.
    ``again``: between accurate readings of a steady scene that is no finished hand, ``most_reads`` in all;
    the first follows after ``gap``. ``disturbed``: with a change near the tiles before the scene is given up;
    a single broken frame does not matter. ``lasting``: with a change elsewhere before the scene is read
    again.
    """

    still: int = 3
    reads: int = 2
    gap: int = 4
    again: int = 20
    most_reads: int = 5
    disturbed: int = 2
    lasting: int = 8


class State(Enum):
    """The state of the scene."""

    WAITING = "waiting"
    """Something moves, or there are too few frames; there is no reading yet."""
    VOTING = "voting"
    """The scene is still, and readings are in progress."""
    STEADY = "steady"
    """The reading stands."""
    COVERED = "covered"
    """Something covers the tiles. Tehai reads them again when it is gone."""
    MOVED = "moved"
    """The camera has moved. Tehai reads the tiles again when it rests."""


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

    def __init__(self, reader: FrameReader, patience: Timing | None = None) -> None:
        self._reader = reader
        self._patience = patience or Timing()
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
            self._scene, self._region, self._state = None, None, State.WAITING
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
        something moves. Does nothing while no hand lies there."""
        self._region = None if self._scene is None else region

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
            self._scene, self._region = None, None
            self._state = State.MOVED if change.is_far else State.COVERED
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
        """Do the next step of the reading with this frame."""
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
        """The number of frames until the next reading of a steady scene."""
        return self._patience.again if scene.scrutinised else self._patience.gap

    def _is_settled(self, scene: _Scene) -> bool:
        """Whether there are enough readings, and a third one has broken any tie."""
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
    """n tracked tiles. ``quads`` (n, 4, 2): pixels of the scene's first frame. Sums over ``votes`` (n,):
    ``faces`` (n, 40) and ``turns`` (n, 4) of log probabilities, ``looks`` (n, d) of embeddings. ``seen``
    (n,): the number of whole readings with the tile."""

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
        for quad, away in zip(quads, distances(quads, self.quads), strict=True):
            match = min(free, key=away.__getitem__, default=None)
            if match is None or away[match] >= GEOMETRY.centre:
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
        # Quads of the answer begin at the top of the face; votes count from the first corner of the track.
        start = turns_between(answer.quads, asked)
        order = (np.arange(4) - start[:, None]) % 4
        if not self.looks.size:
            self.looks = np.zeros((len(self.quads), answer.embeddings.shape[1]))
        self.faces[which] += np.log(softmax(answer.logits) + _LEAST)
        self.turns[which] += np.log(np.take_along_axis(answer.turns, order, axis=1) + _LEAST)
        self.looks[which] += answer.embeddings
        self.votes[which] += 1

    def tiles(self) -> Cells:
        """Which of the tracks (n,) are tiles of a hand, by the votes on their faces."""
        return ~np.isin(self.faces.argmax(axis=1), _NO_FACE)

    def pooled(self, which: Indices) -> Detections:
        """The tracks with the mean of the log probabilities of all frames.

        The mean gives the same likeliest face as the sum. The sum would be overconfident, because frames
        repeat the same errors.
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
            quads.astype(np.float32), np.full(len(which), CONFIG.confident, np.float32),
            faces.astype(np.float32), turns.astype(np.float32),
            (self.looks[which] / votes).astype(np.float32),
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
        """Whether the scene has tiles but no finished hand."""
        return self.has_tiles and self.reading.status != "ok"

    @property
    def is_tied(self) -> bool:
        """Whether some tile was found by exactly half of the readings."""
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
        """Do the next step that is due."""
        self.due.popleft()(reader, photo, matrix)

    def turn_to(self, region: Region, reader: FrameReader, photo: Photo, matrix: Array) -> None:
        """Take the hand in a region of this frame. Votes cannot override this choice of the player."""
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
        """The reading of the tiles that most frames show.

        If they are no finished hand, the next frames try others in this order: the labels of one frame, the
        tiles on which all frames agree, all tiles.
        """
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
"""The margin around the hand that counts as near, in diagonals of a tile."""


# --- small things -------------------------------------------------------------------------------------------


def _through(quads: Array32, matrix: Array) -> Array32:
    """Quads (n, 4, 2) after a shift, rotation and scale (3, 3)."""
    return np.asarray(quads @ matrix[:2, :2].T + matrix[:2, 2], np.float32)


def _scored(reading: Reading) -> HandTiles | None:
    """The part of a reading that affects the score, in sorted order."""
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
