"""The pipeline from a photo to a :class:`vision.reading.Reading`: detect, classify, relate, decode, judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from vision import image, network
from vision.arrays import Array32
from vision.config import CONFIG, SceneConfig
from vision.detections import Detections
from vision.faces import FaceReader
from vision.finder import Finder
from vision.labels import BACK_INDEX, CLASSES, FOREIGN, NOT_A_FACE_INDEX, WITH_FOREIGN
from vision.messages import BLURRED, foreign_tiles, is_blurred, no_tiles, too_small
from vision.observer import Observer, Stage, no_observer
from vision.quads import axes, lies_sideways
from vision.reading import PHOTO_DOUBTS, Doubt, Reading, Region, SeenTile, quad_of, reading_order
from vision.scene.black_tiles import BLACK_TILES, are_black, may_be_black, negative
from vision.scene.classify import classify
from vision.scene.decode import HandReading, Scene, decode, in_any_hand
from vision.scene.detect import detect, detect_frame, hand_frame, second_pass, show_two_tiles
from vision.scene.judge import (
    confidence_features,
    doubts,
    has_no_whole_hand,
    is_sure,
    status_and_message,
    with_listed_tiles,
)
from vision.scene.naming import label_of, likeliest_face
from vision.scene.record import hand_record, hand_tiles, left_to_right
from vision.scene.relate import SceneNetwork
from vision.scene.table import table


class SceneReader:
    """Reads photos with three networks. ``observer`` receives every stage."""

    def __init__(
        self, finder: Finder, faces: FaceReader, scene: SceneNetwork, *, config: SceneConfig = CONFIG,
        observer: Observer = no_observer,
    ) -> None:  # fmt: skip
        self._finder, self._faces, self._scene = finder, faces, scene
        self._config, self._observe = config, observer
        self._sharpness_side = finder.settings.long_side

    @network.single_threaded_blas()
    def read(self, photo: image.PhotoSource | image.Photo, *, region: Region | None = None) -> Reading:
        """The tiles of a photo and the hand that they make.

        ``photo``: a path, bytes, a PIL image or an RGB array, as :func:`vision.image.load` takes it, or a
        decoded photo (:meth:`vision.image.Photo.decoded`). ``region``: x0, y0, x1, y1 in fractions of the
        upright photo; tiles outside do not count.

        A photo without a readable tile gives status ``error`` and a message that says what to do. Raises
        :class:`vision.image.PhotoError` for what is no photo.
        """
        _check_region(region)
        clock, loaded = self._load(photo)
        found, scene = self._scene_of(loaded, region, clock)
        is_black = False
        if has_no_whole_hand(scene) and may_be_black(found, self._config):
            dark = replace(loaded, pixels=negative(loaded.pixels))
            inverted, other = self._scene_of(dark, region, clock)
            if are_black(found, inverted, self._config):
                found, scene, is_black = inverted, other, has_no_whole_hand(other)
        reading = self._judged(loaded, found, scene, clock, region)
        if is_black:
            reading = replace(reading, message=BLACK_TILES, hand=None, known={}, confidence=None, doubts=())
        return self._finished(loaded, reading)

    @network.single_threaded_blas()
    def read_frame(self, photo: image.PhotoSource | image.Photo) -> Reading:
        """A reading of a camera's frame in bounded time: one pass, no table, and of many tiles only those
        that are large and near the middle. Arguments and errors as :meth:`read`."""
        clock, loaded = self._load(photo)
        found = detect_frame(self._finder, loaded.pixels, self._config)
        clock.note("detect")
        found, scene = self._classify_and_decode(loaded, found, None, clock)
        return self._finished(loaded, self._judged(loaded, found, scene, clock, has_table=False))

    @network.single_threaded_blas()
    def read_rivers(self, photo: image.PhotoSource | image.Photo) -> Reading:
        """The rivers of a table during play, in one pass, without a hand. Every tile is an indicator or has
        the role ``other``; the near player is the one nearest to the camera. Errors as :meth:`read`."""
        clock, loaded = self._load(photo)
        found = detect(self._finder, loaded.pixels, self._config)
        clock.note("detect")
        found, scene = self._classify_and_decode(loaded, found, None, clock)
        tiles, places = _tiles(loaded, found, scene, None, self._config)
        players = table(loaded.pixels, found, scene, places, near=()) if tiles else None
        clock.note("rivers")
        if not tiles:
            return self._without_tiles(loaded, no_tiles(loaded, None, self._sharpness_side), clock)
        text = "" if players else "No rivers are seen."
        return Reading(
            loaded.name, loaded.width, loaded.height, tiles, None, {}, "incomplete", text, clock.elapsed,
            table=players,
        )  # fmt: skip

    @network.single_threaded_blas()
    def classify(self, photo: image.Photo, quads: Array32) -> Detections:
        """Tiles at known quads (n, 4, 2), in pixels of ``photo.pixels``, classified."""
        return self._faces.classify(photo.pixels, quads, self._config)

    @network.single_threaded_blas()
    def read_tiles(
        self, photo: image.Photo, known: Detections, labels: Sequence[str] | None = None
    ) -> Reading:
        """The reading of ``known`` classified tiles, at least one, in their order, without a detection.

        ``labels``: the label of each where a person decided it, of ``vision.labels.WITH_FOREIGN``; any other
        word leaves the tile to the network.
        """
        clock = _Clock()
        found = self._scene.relate(known, _size(photo), framed=False)
        if labels is not None:
            found = _with_labels(found, labels, self._config)
        scene = decode(found, framed=False, config=self._config)
        clock.note("decode")
        return self._finished(photo, self._judged(photo, found, scene, clock, are_known=True))

    def _load(self, photo: image.PhotoSource | image.Photo) -> tuple[_Clock, image.Photo]:
        clock = _Clock()
        loaded = image.load(photo)
        clock.note("load")
        self._observe(loaded)
        return clock, loaded

    def _finished(self, photo: image.Photo, reading: Reading) -> Reading:
        """The reading, with a doubt if the photo itself is faulty."""
        if photo.fault:
            reading = replace(
                reading, doubts=(Doubt("photo", (), PHOTO_DOUBTS[photo.fault]), *reading.doubts)
            )
        self._observe(reading)
        return reading

    def _scene_of(self, photo: image.Photo, region: Region | None, clock: _Clock) -> tuple[Detections, Scene]:
        """The detections and the decoded scene, with a second pass if the first is not sure."""
        config = self._config
        found = _inside(detect(self._finder, photo.pixels, config), photo, region)
        clock.note("detect")
        found, scene = self._classify_and_decode(photo, found, region, clock)
        quads, is_hand = found.quads, np.exp(in_any_hand(found)) > config.possible
        is_double = show_two_tiles(quads, quads[is_hand], config)
        if is_hand.any() and (is_double.any() or not is_sure(scene, config)):
            more = second_pass(self._finder, photo.pixels, quads[is_hand], quads, quads[is_double], config)
            more = classify(self._faces, photo.pixels, _inside(more, photo, region), config)
            if len(more):
                self._observe(Stage("classify", more))
                again = self._relate_and_decode(photo, found[~is_double].concatenated(more), region)
                found, scene = max((found, scene), again, key=lambda each: _rank(each[1]))
            if region is None and has_no_whole_hand(scene):
                found, scene = self._framed(photo, found, scene)
            clock.note("look again")
        return found, scene

    def _framed(self, photo: image.Photo, found: Detections, scene: Scene) -> tuple[Detections, Scene]:
        """The scene as if a person had framed the hand, if it is a finished hand then: what else lies on the
        photo may mislead the scene model."""
        config = self._config
        inside = hand_frame(found, np.exp(in_any_hand(found)) > config.possible, config)
        related = self._scene.relate(found[inside], _size(photo), framed=True)
        framed = found.with_related(inside, related)
        other = decode(framed, framed=inside, config=config)
        if not any(player.best.finished for player in other.players):
            return found, scene
        self._observe(Stage("decode", framed, other))
        return framed, other

    def _classify_and_decode(
        self, photo: image.Photo, found: Detections, region: Region | None, clock: _Clock
    ) -> tuple[Detections, Scene]:
        """The detections, classified and related, and the decoded scene."""
        self._observe(Stage("detect", found))
        found = classify(self._faces, photo.pixels, found, self._config)
        self._observe(Stage("classify", found))
        clock.note("classify")
        decoded = self._relate_and_decode(photo, found, region)
        clock.note("decode")
        return decoded

    def _relate_and_decode(
        self, photo: image.Photo, found: Detections, region: Region | None
    ) -> tuple[Detections, Scene]:
        framed = region is not None
        found = self._scene.relate(found, _size(photo), framed=framed)
        self._observe(Stage("relate", found))
        scene = decode(found, framed=framed, config=self._config)
        self._observe(Stage("decode", found, scene))
        return found, scene

    def _judged(
        self, photo: image.Photo, found: Detections, scene: Scene, clock: _Clock,
        region: Region | None = None, *, are_known: bool = False, has_table: bool = True,
    ) -> Reading:  # fmt: skip
        """The reading of a scene. ``are_known``: list all tiles, in their order. ``has_table``: read the
        table."""
        config = self._config
        best = scene.players[0].best if scene.players else None
        tiles, places = _tiles(photo, found, scene, best, config, are_known=are_known)
        quads = found.quads[[*places]]
        error = too_small(quads) if tiles else no_tiles(photo, region, self._sharpness_side)
        if error:
            return self._without_tiles(photo, error, clock)
        players = table(photo.pixels, found, scene, places) if has_table else None
        clock.note("table")
        record, known, confidence = None, dict[str, str](), None
        questions: tuple[Doubt, ...] = ()
        status, text = "incomplete", "Tehai found tiles, but no hand among them: frame your hand."
        if best is not None:
            waits = [str(tile) for tile in hand_tiles(best, scene, found.quads).waits]
            player = scene.players[0]
            status, text = status_and_message(best, waits, player.odds, player.hand_odds)
            overruled = {i for i, at in places.items() if tiles[at].source == "rule"}
            record, known = hand_record(best, scene, found.quads, overruled)
            self._observe(Stage("judge", found, scene))
            asked = doubts(scene, found, _size(photo), config)
            questions = tuple(with_listed_tiles(each, places) for each in asked)
            confidence = self._scene.calibration.confidence(*confidence_features(scene, found, config))
        if status != "ok":
            text += BLURRED if is_blurred(photo.pixels, quads, self._sharpness_side) else ""
            text += foreign_tiles(sum(tile.label == FOREIGN for tile in tiles))
        clock.note("judge")
        return Reading(
            photo.name, photo.width, photo.height, tiles, record, known, status, text, clock.elapsed,
            confidence, questions, players,
        )  # fmt: skip

    def _without_tiles(self, photo: image.Photo, why: str, clock: _Clock) -> Reading:
        return Reading(photo.name, photo.width, photo.height, (), None, {}, "error", why, clock.elapsed)


def _rank(scene: Scene) -> tuple[bool, bool, float]:
    """Sort key of two scenes of one photo: a finished hand, then a whole one, then the score."""
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


def _check_region(region: Sequence[float] | None) -> None:
    if region is None:
        return
    if len(region) != 4 or not (0 <= region[0] < region[2] <= 1 and 0 <= region[1] < region[3] <= 1):
        raise ValueError("a region is x0,y0,x1,y1 in fractions of the photo, with x0 < x1 and y0 < y1")


def _size(photo: image.Photo) -> tuple[int, int]:
    return photo.pixels.shape[1], photo.pixels.shape[0]


def _inside(found: Detections, photo: image.Photo, region: Region | None) -> Detections:
    """The detections whose centre lies in the region."""
    if region is None:
        return found
    centre = found.quads.mean(axis=1) / _size(photo)
    return found[((centre >= region[:2]) & (centre <= region[2:])).all(axis=1)]


def _with_labels(found: Detections, labels: Sequence[str], config: SceneConfig) -> Detections:
    """Related detections with the faces that a person decided."""
    assert found.faces is not None
    faces = found.faces.copy()
    for tile, label in enumerate(labels):
        if label in WITH_FOREIGN:
            faces[tile] = config.excluded
            faces[tile, WITH_FOREIGN.index(label)] = 0.0
    return found.with_arrays(faces=faces)


def _tiles(
    photo: image.Photo, found: Detections, scene: Scene, best: HandReading | None, config: SceneConfig, *,
    are_known: bool = False,
) -> tuple[tuple[SeenTile, ...], dict[int, int]]:  # fmt: skip
    """The listed tiles of a reading, and detection to its index in the list. ``are_known``: list all, in
    their order."""
    if not len(found):
        return (), {}
    assert found.faces is not None
    shares, quads = np.exp(found.faces), photo.to_full(found.quads)
    roles = _roles(scene, best)
    faces = {} if best is None else best.faces
    faces |= dict((*scene.dora, *scene.ura))
    faces |= dict.fromkeys(
        (tile for each in (best.called if best else ()) for tile in each.face_down), BACK_INDEX
    )
    sideways = _sideways(found, best)
    upside_down = _upside_down(found, best, sideways)
    tiles: list[SeenTile] = []
    places: dict[int, int] = {}
    for i in range(len(found)) if are_known else _in_reading_order(found, scene, best):
        is_tile = 1 - shares[i, NOT_A_FACE_INDEX] > config.likely
        if i not in roles and not is_tile and not are_known:
            continue
        decoded = CLASSES[faces[i]] if i in faces else None
        label, probability, runner_up = label_of(shares[i], decoded, config)
        by_rule = decoded is not None and likeliest_face(shares[i]) not in (decoded, FOREIGN)
        places[i] = len(tiles)
        tiles.append(
            SeenTile(
                quad_of(quads[i]), label, probability, runner_up, role=roles.get(i, "other"),
                sideways=i in sideways, upside_down=i in upside_down, source="rule" if by_rule else "seen",
            )
        )  # fmt: skip
    return tuple(tiles), places


def _in_reading_order(found: Detections, scene: Scene, best: HandReading | None) -> list[int]:
    """The detections in the order of a reading: the hand's row, the winning tile, called sets, indicators,
    then all others row by row."""
    own: list[int] = []
    if best is not None:
        own = left_to_right([tile for tile, _ in best.concealed if tile != best.win], found.quads)
        own += [] if best.win is None else [best.win]
        own += [tile for each in best.called for tile in left_to_right(list(each.tiles), found.quads)]
    own += [tile for tile, _ in (*scene.dora, *scene.ura)]
    rest = sorted({*range(len(found))} - {*own})
    return own + [rest[at] for at in reading_order([quad_of(found.quads[i]) for i in rest])]


def _roles(scene: Scene, best: HandReading | None) -> dict[int, str]:
    """The role of each detection that is an indicator or in the hand."""
    roles = {tile: "dora" for tile, _ in scene.dora} | {tile: "ura" for tile, _ in scene.ura}
    if best is not None:
        roles |= {tile: "hand" for tile, _ in best.concealed}
        roles |= {tile: f"meld:{k}" for k, each in enumerate(best.called) for tile in each.tiles}
        if best.win is not None:
            roles[best.win] = "win"
    return roles


def _sideways(found: Detections, best: HandReading | None) -> set[int]:
    """Tiles of the hand that lie on their side: in a called set, or the winning tile against its row."""
    if best is None:
        return set()
    found_sideways = {
        tile for each in best.called
        for tile, side in zip(each.tiles, lies_sideways(found.quads[list(each.tiles)]), strict=True) if side
    }  # fmt: skip
    row = [tile for tile, _ in best.concealed if tile != best.win]
    if best.win is not None and row:
        across, _ = axes(found.quads[[best.win, *row]])
        facing = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-6)
        if np.median(np.abs(facing[1:] @ facing[0])) < np.cos(np.pi / 4):
            found_sideways.add(best.win)
    return found_sideways


def _upside_down(found: Detections, best: HandReading | None, sideways: set[int]) -> set[int]:
    """Tiles of the hand that are upside down to most of its row."""
    own = [] if best is None else [tile for tile, _ in best.concealed if tile not in sideways]
    if not own:
        return set()
    across, _ = axes(found.quads[own])
    return {tile for tile, way in zip(own, across @ across.sum(axis=0), strict=True) if way < 0}
