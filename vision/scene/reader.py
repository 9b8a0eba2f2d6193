"""A photo in, a :class:`vision.reading.Reading` out: detect, classify, relate, decode, judge, in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from vision import image, network
from vision.arrays import Array32, Mask
from vision.detections import ROLES, Detections
from vision.faces import FaceReader
from vision.finder import Finder
from vision.labels import BACK_INDEX, CLASSES, FOREIGN, NOT_A_FACE_INDEX, WITH_FOREIGN
from vision.observer import Observer, no_observer
from vision.quads import across_the_rest, axes
from vision.reading import FAULTY, Doubt, Reading, Region, SeenTile, quad_of, row_by_row
from vision.scene.black import BLACK, are_black, may_be_black, negative
from vision.scene.classify import classify
from vision.scene.config import CONFIG, SceneConfig
from vision.scene.decode import HandReading, Scene, decode
from vision.scene.detect import are_double, detect, glimpse, look_again
from vision.scene.judge import doubts, features, is_sure, is_too_small, message, placed
from vision.scene.naming import likeliest_face, named_face
from vision.scene.record import hand_record, in_order, laid
from vision.scene.relate import SceneNetwork
from vision.scene.stage import Stage
from vision.scene.table import table
from vision.trouble import BLURRED, is_blurred, left_out, nothing_found, too_small


class SceneReader:
    """Reads photos with three networks. ``observer`` receives every stage."""

    def __init__(
        self, finder: Finder, faces: FaceReader, scene: SceneNetwork, *, config: SceneConfig = CONFIG,
        observer: Observer = no_observer,
    ) -> None:  # fmt: skip
        self._finder, self._faces, self._scene = finder, faces, scene
        self._config, self._observe = config, observer

    @network.undisturbed()
    def read(self, photo: image.PhotoSource | image.Photo, *, region: Region | None = None) -> Reading:
        """The tiles of a photo and the hand that they make.

        ``photo``: a path, bytes, a PIL image or an RGB array, as :func:`vision.image.load` takes it, or one
        that was decoded elsewhere (:meth:`vision.image.Photo.decoded`).
        ``region``: x0, y0, x1, y1 in fractions of the upright photo; tiles outside are as if absent.
        A photo without a readable tile gives a reading of status ``error`` whose message says what to do;
        what is no photo at all raises :class:`vision.image.PhotoError`.
        """
        _check(region)
        clock, loaded = self._loaded(photo)
        found, scene = self._seen(loaded, region, clock)
        is_black = False
        if is_too_small(scene) and may_be_black(found, self._config):
            dark = replace(loaded, pixels=negative(loaded.pixels))
            inverted, other = self._seen(dark, region, clock)
            if are_black(found, inverted, self._config):
                found, scene, is_black = inverted, other, is_too_small(other)
        reading = self._told(loaded, found, scene, clock, region)
        if is_black:
            reading = replace(reading, message=BLACK, hand=None, known={}, confidence=None, doubts=())
        return self._shown(loaded, reading)

    @network.undisturbed()
    def read_frame(self, photo: image.PhotoSource | image.Photo) -> Reading:
        """A reading of a camera's frame, which the next frame will correct: in a bounded time, whatever lies
        there. Nothing is looked at again, no table is read, and of many tiles only those are read to which
        the camera is held."""
        clock, loaded = self._loaded(photo)
        found = glimpse(self._finder, loaded.pixels, self._config)
        clock.note("detect")
        found, scene = self._related(loaded, found, None, clock)
        return self._shown(loaded, self._told(loaded, found, scene, clock, has_table=False))

    @network.undisturbed()
    def read_rivers(self, photo: image.PhotoSource | image.Photo) -> Reading:
        """The rivers of a table that is being played at: no hand is looked for, every tile has the role
        ``other`` or is an indicator, and the near player is whoever sits nearest to the camera. Nothing is
        looked at again."""
        clock, loaded = self._loaded(photo)
        found = detect(self._finder, loaded.pixels, self._config)
        clock.note("detect")
        found, scene = self._related(loaded, found, None, clock)
        tiles, places = _tiles(loaded, found, scene, None, self._config)
        seen = table(loaded.pixels, found, scene, places, near=()) if tiles else None
        clock.note("rivers")
        if not tiles:
            return self._without_tiles(loaded, nothing_found(loaded, None), clock)
        text = "" if seen else "No rivers are seen."
        return Reading(
            loaded.name, loaded.width, loaded.height, tiles, None, {}, "incomplete", text, clock.elapsed,
            table=seen,
        )  # fmt: skip

    @network.undisturbed()
    def classify(self, photo: image.Photo, quads: Array32) -> Detections:
        """The tiles at quads (n, 4, 2), pixels of ``photo.pixels``, where some are known to lie, with what
        the face network says of them."""
        return self._faces.look(photo.pixels, quads, self._config)

    @network.undisturbed()
    def read_tiles(
        self, photo: image.Photo, known: Detections, labels: Sequence[str] | None = None
    ) -> Reading:
        """The reading of at least one classified tile that is known already, such as those that several
        frames of a camera saw: of all of them, in their order. Nothing is looked for. ``labels``: what each
        surely shows, of ``vision.labels.WITH_FOREIGN``, where somebody says so; any other word leaves it to
        the network."""
        clock = _Clock()
        found = self._scene.relate(known, _size(photo), framed=False)
        if labels is not None:
            found = _as_said(found, labels)
        scene = decode(found, framed=False, config=self._config)
        clock.note("decode")
        return self._shown(photo, self._told(photo, found, scene, clock, are_known=True))

    def _loaded(self, photo: image.PhotoSource | image.Photo) -> tuple[_Clock, image.Photo]:
        clock = _Clock()
        loaded = image.load(photo)
        clock.note("load")
        self._observe(loaded)
        return clock, loaded

    def _shown(self, photo: image.Photo, reading: Reading) -> Reading:
        """The reading, and what is wrong with the photo itself."""
        if photo.fault:
            reading = replace(reading, doubts=(Doubt("photo", (), FAULTY[photo.fault]), *reading.doubts))
        self._observe(reading)
        return reading

    def _seen(self, photo: image.Photo, region: Region | None, clock: _Clock) -> tuple[Detections, Scene]:
        """All detections and the likeliest legal scene, after a second look where the first is not sure."""
        config = self._config
        found = _within(detect(self._finder, photo.pixels, config), photo, region)
        clock.note("detect")
        found, scene = self._related(photo, found, region, clock)
        quads, is_hand = found.quads, self._hands(found)
        is_double = are_double(quads, quads[is_hand], config)
        if is_hand.any() and (is_double.any() or not is_sure(scene, config)):
            more = look_again(self._finder, photo.pixels, quads[is_hand], quads, quads[is_double], config)
            more = classify(self._faces, photo.pixels, _within(more, photo, region), config)
            if len(more):
                self._observe(Stage("classify", more))
                again = self._decoded(photo, found[~is_double].joined(more), region)
                found, scene = max((found, scene), again, key=lambda each: _standing(each[1]))
            clock.note("look again")
        return found, scene

    def _related(
        self, photo: image.Photo, found: Detections, region: Region | None, clock: _Clock
    ) -> tuple[Detections, Scene]:
        """What was detected, classified and related, and the likeliest legal scene."""
        self._observe(Stage("detect", found))
        found = classify(self._faces, photo.pixels, found, self._config)
        self._observe(Stage("classify", found))
        clock.note("classify")
        related = self._decoded(photo, found, region)
        clock.note("decode")
        return related

    def _decoded(
        self, photo: image.Photo, found: Detections, region: Region | None
    ) -> tuple[Detections, Scene]:
        framed = region is not None
        found = self._scene.relate(found, _size(photo), framed=framed)
        self._observe(Stage("relate", found))
        scene = decode(found, framed=framed, config=self._config)
        self._observe(Stage("decode", found, scene))
        return found, scene

    def _hands(self, found: Detections) -> Mask:
        """(n,) which detections may be in anyone's hand."""
        assert found.roles is not None
        hands = [ROLES.index(role) for role in ("hand", "called", "win")]
        return np.asarray(np.exp(found.roles[:, hands]).sum(axis=1) > self._config.beside)

    def _told(
        self, photo: image.Photo, found: Detections, scene: Scene, clock: _Clock,
        region: Region | None = None, *, are_known: bool = False, has_table: bool = True,
    ) -> Reading:  # fmt: skip
        """What a reading tells of a scene. ``are_known``: all its tiles are listed, in their order;
        ``has_table``: the table is read, too."""
        config = self._config
        best = scene.players[0].best if scene.players else None
        tiles, places = _tiles(photo, found, scene, best, config, are_known=are_known)
        quads = found.quads[[*places]]
        trouble = too_small(quads) if tiles else nothing_found(photo, region)
        if trouble:
            return self._without_tiles(photo, trouble, clock)
        players = table(photo.pixels, found, scene, places) if has_table else None
        clock.note("table")
        record, known, sure = None, dict[str, str](), None
        asked: tuple[Doubt, ...] = ()
        status, text = "incomplete", "Tiles, but no hand among them: point at the hand with a region."
        if best is not None:
            waits = [str(tile) for tile in laid(best, scene, found.quads).waits]
            status, text = message(best, waits, scene.players[0].odds)
            overruled = {i for i, at in places.items() if tiles[at].source == "rule"}
            record, known = hand_record(best, scene, found.quads, overruled)
            self._observe(Stage("judge", found, scene))
            asked = tuple(placed(each, places) for each in doubts(scene, found, _size(photo), config))
            sure = self._scene.calibration.confidence(*features(scene, found, config))
        if status != "ok":
            text += BLURRED if is_blurred(photo.pixels, quads) else ""
            text += left_out(sum(tile.label == FOREIGN for tile in tiles))
        clock.note("judge")
        return Reading(
            photo.name, photo.width, photo.height, tiles, record, known, status, text, clock.elapsed, sure,
            asked, players,
        )  # fmt: skip

    def _without_tiles(self, photo: image.Photo, why: str, clock: _Clock) -> Reading:
        return Reading(photo.name, photo.width, photo.height, (), None, {}, "error", why, clock.elapsed)


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


def _check(region: Sequence[float] | None) -> None:
    if region is None:
        return
    if len(region) != 4 or not (0 <= region[0] < region[2] <= 1 and 0 <= region[1] < region[3] <= 1):
        raise ValueError("a region is x0,y0,x1,y1 in fractions of the photo, with x0 < x1 and y0 < y1")


def _size(photo: image.Photo) -> tuple[int, int]:
    return photo.pixels.shape[1], photo.pixels.shape[0]


def _within(found: Detections, photo: image.Photo, region: Region | None) -> Detections:
    """The detections whose centre lies in the region."""
    if region is None:
        return found
    centre = found.quads.mean(axis=1) / _size(photo)
    return found[((centre >= region[:2]) & (centre <= region[2:])).all(axis=1)]


_SAID = -40.0
"""Log probability of a face where a person says that it is another: no rule of a hand makes up for it."""


def _as_said(found: Detections, labels: Sequence[str]) -> Detections:
    """The related detections with the faces that a person says."""
    assert found.faces is not None
    faces = found.faces.copy()
    for tile, label in enumerate(labels):
        if label in WITH_FOREIGN:
            faces[tile] = _SAID
            faces[tile, WITH_FOREIGN.index(label)] = 0.0
    return found.adding(faces=faces)


def _tiles(
    photo: image.Photo, found: Detections, scene: Scene, best: HandReading | None, config: SceneConfig, *,
    are_known: bool = False,
) -> tuple[tuple[SeenTile, ...], dict[int, int]]:  # fmt: skip
    """The tiles as a reading lists them, and the place there of each detection that is listed; ``are_known``:
    of all, in their order."""
    if not len(found):
        return (), {}
    assert found.faces is not None
    shares, quads = np.exp(found.faces), photo.to_full(found.quads)
    roles = _roles(scene, best)
    faces = {} if best is None else best.faces
    faces |= dict((*scene.dora, *scene.ura))
    faces |= dict.fromkeys((tile for each in (best.called if best else ()) for tile in each.down), BACK_INDEX)
    flat = _flat(found, best)
    upside_down = _upside_down(found, best, flat)
    tiles: list[SeenTile] = []
    places: dict[int, int] = {}
    for i in range(len(found)) if are_known else _as_read(found, scene, best):
        is_tile = 1 - shares[i, NOT_A_FACE_INDEX] > config.shown
        if i not in roles and not is_tile and not are_known:
            continue
        told = CLASSES[faces[i]] if i in faces else None
        label, probability, runner_up = named_face(shares[i], told, config)
        by_rule = told is not None and likeliest_face(shares[i]) not in (told, FOREIGN)
        places[i] = len(tiles)
        tiles.append(
            SeenTile(
                quad_of(quads[i]), label, probability, runner_up, role=roles.get(i, "other"),
                sideways=i in flat, upside_down=i in upside_down, source="rule" if by_rule else "seen",
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
        for tile, side in zip(each.tiles, across_the_rest(found.quads[list(each.tiles)]), strict=True) if side
    }  # fmt: skip
    row = [tile for tile, _ in best.concealed if tile != best.win]
    if best.win is not None and row:
        across, _ = axes(found.quads[[best.win, *row]])
        facing = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-6)
        if np.median(np.abs(facing[1:] @ facing[0])) < np.cos(np.pi / 4):
            flat.add(best.win)
    return flat


def _upside_down(found: Detections, best: HandReading | None, flat: set[int]) -> set[int]:
    """Tiles of the hand that stand the other way than most of its row."""
    own = [] if best is None else [tile for tile, _ in best.concealed if tile not in flat]
    if not own:
        return set()
    across, _ = axes(found.quads[own])
    return {tile for tile, way in zip(own, across @ across.sum(axis=0), strict=True) if way < 0}
