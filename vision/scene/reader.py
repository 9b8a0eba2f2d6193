"""A photo in, a :class:`vision.reading.Reading` out: detect, classify, relate, decode, judge, in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

from vision import image, network
from vision.arrays import Array32, Mask
from vision.detections import ROLES, Detections
from vision.faces import FaceReader
from vision.finder import Finder
from vision.labels import FACES, FOREIGN, NOT_A_FACE_INDEX
from vision.network import SCENE, Network
from vision.quads import axes
from vision.reading import Reading, Region, SeenTile, quad_of, row_by_row
from vision.scene.black import BLACK, are_black, may_be_black, negative
from vision.scene.classify import classify
from vision.scene.config import CONFIG, SceneConfig
from vision.scene.decode import HandReading, Scene, decode
from vision.scene.detect import detect, halves, look_again
from vision.scene.judge import confidence, doubts, is_sure, is_too_small, is_whole, message, placed
from vision.scene.naming import likeliest_face, named_face
from vision.scene.record import hand_record, in_order, laid, sideways
from vision.scene.relate import SceneNetwork
from vision.scene.stage import Stage
from vision.scene.table import table
from vision.watch import Watch, nobody


class SceneReader:
    """Reads photos as :class:`vision.reader.Reader` does, by the scene model: ``finder``, ``faces`` and
    ``scene`` are its networks. ``watch`` is shown every stage."""

    def __init__(
        self, finder: Finder, faces: FaceReader, scene: SceneNetwork, *, config: SceneConfig = CONFIG,
        watch: Watch = nobody,
    ) -> None:  # fmt: skip
        self._finder, self._faces, self._scene = finder, faces, scene
        self._config, self._watch = config, watch

    @network.undisturbed()
    def read(self, photo: image.PhotoSource | image.Photo, *, region: Region | None = None) -> Reading:
        """The tiles of a photo and the hand that they make; arguments and errors as those of
        :meth:`vision.reader.Reader.read`."""
        clock = _Clock()
        loaded = image.load(photo)
        self._watch(loaded)
        clock.note("load")
        reading = self._reading(loaded, *self._found(loaded, region, clock), clock)
        self._watch(reading)
        return reading

    def second(self, photo: image.Photo, *, region: Region | None = None) -> Reading | None:
        """The same of a photo that somebody else has begun to read, and shows; None where no whole hand is
        found, and no black tiles."""
        clock = _Clock()
        found, scene, is_black = self._found(photo, region, clock)
        return self._reading(photo, found, scene, is_black, clock) if is_black or is_whole(scene) else None

    def rivers(self, photo: image.Photo) -> Reading:
        """The rivers of a table that is being played at: no hand is looked for, every tile has the role
        ``other`` or is an indicator, and the near player is whoever sits nearest to the camera. Nothing is
        looked at again."""
        clock, config = _Clock(), self._config
        found = classify(self._faces, photo.pixels, detect(self._finder, photo.pixels, config), config)
        clock.note("classify")
        found, scene = self._related(photo, found, None)
        clock.note("relate")
        tiles, places = _tiles(photo, found, scene, None, config)
        seen = table(photo.pixels, found, scene, places, near=()) if tiles else None
        clock.note("rivers")
        status, text = ("incomplete", "" if seen else "No rivers are seen.") if tiles else ("error", _NOTHING)
        return Reading(
            photo.name, photo.width, photo.height, tiles, None, {}, status, text, clock.elapsed, table=seen
        )

    def _found(
        self, photo: image.Photo, region: Region | None, clock: _Clock
    ) -> tuple[Detections, Scene, bool]:
        """What is seen, of black tiles in the negative; and whether they are black and too few to be read."""
        found, scene = self._seen(photo, region, clock)
        if is_too_small(scene) and may_be_black(found, self._config):
            dark = replace(photo, pixels=negative(photo.pixels))
            inverted, other = self._seen(dark, region, clock)
            if are_black(found, inverted, self._config):
                return inverted, other, is_too_small(other)
        return found, scene, False

    def _seen(self, photo: image.Photo, region: Region | None, clock: _Clock) -> tuple[Detections, Scene]:
        """All detections and the likeliest legal scene, after a second look where the first is not sure."""
        config = self._config
        found = _within(detect(self._finder, photo.pixels, config), photo, region)
        self._watch(Stage("detect", found))
        clock.note("detect")
        found = classify(self._faces, photo.pixels, found, config)
        self._watch(Stage("classify", found))
        clock.note("classify")
        found, scene = self._related(photo, found, region)
        clock.note("relate")
        quads = found.quads[self._hands(found)]
        double = halves(found.quads, quads, config)
        if len(quads) and (len(double) or not is_sure(scene, config)):
            more = self._look_again(photo, found.quads, quads, double, region)
            if len(more):
                again = self._related(photo, found.joined(more), region)
                found, scene = max((found, scene), again, key=lambda each: _standing(each[1]))
            clock.note("look again")
        return found, scene

    def _related(
        self, photo: image.Photo, found: Detections, region: Region | None
    ) -> tuple[Detections, Scene]:
        """All detections through the scene model, and the likeliest legal scene."""
        size, framed = (photo.pixels.shape[1], photo.pixels.shape[0]), region is not None
        found = self._scene.relate(found, size, framed=framed)
        self._watch(Stage("relate", found))
        scene = decode(found, framed=framed, config=self._config)
        self._watch(Stage("decode", found, scene))
        return found, scene

    def _hands(self, found: Detections) -> Mask:
        """(n,) which detections may be in anyone's hand."""
        assert found.roles is not None
        hands = [ROLES.index(role) for role in ("hand", "called", "win")]
        return np.asarray(np.exp(found.roles[:, hands]).sum(axis=1) > self._config.beside)

    def _look_again(
        self, photo: image.Photo, known: Array32, hands: Array32, double: Array32, region: Region | None
    ) -> Detections:
        """What else lies where ``hands`` (k, 4, 2) lie, seen larger; and each of two tiles by itself."""
        config = self._config
        more = _within(look_again(self._finder, photo.pixels, hands, known, double, config), photo, region)
        more = classify(self._faces, photo.pixels, more, config)
        self._watch(Stage("classify", more))
        return more

    def _reading(
        self, photo: image.Photo, found: Detections, scene: Scene, is_black: bool, clock: _Clock
    ) -> Reading:
        reading = self._told(photo, found, scene, clock)
        if not is_black:
            return reading
        return replace(reading, message=BLACK, hand=None, known={}, confidence=None, doubts=())

    def _told(self, photo: image.Photo, found: Detections, scene: Scene, clock: _Clock) -> Reading:
        config = self._config
        best = scene.players[0].best if scene.players else None
        tiles, places = _tiles(photo, found, scene, best, config)
        if best is None:
            status, text = ("incomplete", "Tiles, but no hand among them.") if tiles else ("error", _NOTHING)
            clock.note("judge")
            return Reading(
                photo.name, photo.width, photo.height, tiles, None, {}, status, text, clock.elapsed,
                table=table(photo.pixels, found, scene, places) if tiles else None,
            )  # fmt: skip
        waits = [str(tile) for tile in laid(best, scene, found.quads).waits]
        status, text = message(best, waits, scene.players[0].odds)
        record, known = hand_record(best, scene, found.quads)
        size = photo.pixels.shape[1], photo.pixels.shape[0]
        asked = tuple(placed(each, places) for each in doubts(scene, found, size, config))
        sure = confidence(scene, self._scene.calibration)
        players = table(photo.pixels, found, scene, places)
        clock.note("judge")
        return Reading(
            photo.name, photo.width, photo.height, tiles, record, known, status, text, clock.elapsed, sure,
            asked, players,
        )  # fmt: skip


_NOTHING = "No mahjong tiles were found in the photo; go closer, from above, in even light."


def _standing(scene: Scene) -> tuple[bool, bool, float]:
    """By what a scene is preferred to another of the same photo: a finished hand, one of a player's 13 tiles,
    then how likely its tiles are."""
    if not scene.players:
        return False, False, -np.inf
    best = scene.players[0].best
    return best.finished, best.is_whole, best.score


class _Clock:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        self.elapsed: dict[str, float] = {}
        self._last = perf_counter()

    def note(self, stage: str) -> None:
        now = perf_counter()
        self.elapsed[stage] = self.elapsed.get(stage, 0.0) + (now - self._last) * 1000
        self._last = now


def _within(found: Detections, photo: image.Photo, region: Region | None) -> Detections:
    """The detections whose centre lies in the region."""
    if region is None:
        return found
    if len(region) != 4 or not (0 <= region[0] < region[2] <= 1 and 0 <= region[1] < region[3] <= 1):
        raise ValueError("a region is x0,y0,x1,y1 in fractions of the photo, with x0 < x1 and y0 < y1")
    height, width = photo.pixels.shape[:2]
    centre = found.quads.mean(axis=1) / (width, height)
    return found[((centre >= region[:2]) & (centre <= region[2:])).all(axis=1)]


def _tiles(
    photo: image.Photo, found: Detections, scene: Scene, best: HandReading | None, config: SceneConfig
) -> tuple[tuple[SeenTile, ...], dict[int, int]]:
    """The tiles as a reading lists them, and the place there of each detection that is listed."""
    if not len(found):
        return (), {}
    assert found.faces is not None
    shares, quads = np.exp(found.faces), photo.to_full(found.quads)
    roles = _roles(scene, best)
    faces = {} if best is None else best.faces
    faces |= dict((*scene.dora, *scene.ura))
    flat = _flat(found, best)
    tiles: list[SeenTile] = []
    places: dict[int, int] = {}
    for i in _as_read(found, scene, best):
        is_tile = 1 - shares[i, NOT_A_FACE_INDEX] > config.shown
        if i not in roles and not is_tile:
            continue
        told = FACES[faces[i]] if i in faces else None
        label, probability, runner_up = named_face(shares[i], told, config)
        by_rule = told is not None and likeliest_face(shares[i]) not in (told, FOREIGN)
        places[i] = len(tiles)
        tiles.append(
            SeenTile(
                quad_of(quads[i]), label, probability, runner_up, role=roles.get(i, "other"),
                sideways=i in flat, source="rule" if by_rule else "seen",
            )
        )  # fmt: skip
    return tuple(tiles), places


def _as_read(found: Detections, scene: Scene, best: HandReading | None) -> list[int]:
    """The detections as one reads them: the hand as its row lies, the winning tile, called sets, indicators,
    and then all others row by row."""
    own: list[int] = []
    if best is not None:
        own = in_order([tile for tile, _ in best.concealed if tile != best.win], found.quads)
        own += [] if best.win is None else [best.win]
        own += [tile for each in best.called for tile in in_order(list(each.tiles), found.quads)]
    own += [tile for tile, _ in (*scene.dora, *scene.ura)]
    rest = sorted({*range(len(found))} - {*own})
    return own + [rest[at] for at in row_by_row([quad_of(found.quads[i]) for i in rest])]


def _roles(scene: Scene, best: HandReading | None) -> dict[int, str]:
    roles = {tile: "dora" for tile, _ in scene.dora} | {tile: "ura" for tile, _ in scene.ura}
    if best is not None:
        roles |= {tile: "hand" for tile, _ in best.concealed}
        roles |= {tile: f"meld:{k}" for k, each in enumerate(best.called) for tile in each.tiles}
        if best.win is not None:
            roles[best.win] = "win"
    return roles


def _flat(found: Detections, best: HandReading | None) -> set[int]:
    """Detections of the hand that lie on their side: in their set, or, the winning one, beside the row."""
    if best is None:
        return set()
    flat = {
        tile for each in best.called
        for tile, side in zip(each.tiles, sideways(each, found.quads), strict=True) if side
    }  # fmt: skip
    row = [tile for tile, _ in best.concealed if tile != best.win]
    if best.win is not None and row:
        across, _ = axes(found.quads[[best.win, *row]])
        facing = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-6)
        if np.median(np.abs(facing[1:] @ facing[0])) < np.cos(np.pi / 4):
            flat.add(best.win)
    return flat


def scene_reader(
    scene: str | Path = SCENE, *, threads: int = 1, watch: Watch = nobody,
    load: Callable[[Path, int], Network] = network.load,
) -> SceneReader:  # fmt: skip
    """A reader with the networks that ship, on so many threads, and this file of the scene model: the factory
    for ``python -m models.measure --reader vision.scene.reader:scene_reader``.

    Raises FileNotFoundError or ValueError when a network is missing or is not what it should be.
    """
    finder, faces, relations = (load(Path(each), threads) for each in (network.FINDER, network.FACES, scene))
    return SceneReader(Finder(finder), FaceReader(faces), SceneNetwork(relations), watch=watch)
