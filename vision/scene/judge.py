"""Stage 5: the confidence of a reading, by one calibrated curve, and its doubts, from the next readings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import Array32
from vision.config import CONFIG, SceneConfig
from vision.detections import Detections
from vision.labels import FACES
from vision.reading import DOUBTS, Doubt, hand_doubt, region_of
from vision.scene.decode import UNFINISHED, HandReading, PlayerReadings, Scene
from vision.scene.record import hand_record


def confidence_features(scene: Scene, found: Detections, config: SceneConfig = CONFIG) -> tuple[float, float]:
    """The inputs of the confidence curve for the first player's best reading: its log odds, and the log odds
    of the least certain face of its hand. An unfinished hand has no rival of its kind, so its log odds are at
    most 0, and lower if tiles are missing."""
    assert found.faces is not None
    best, odds = scene.players[0].best, scene.players[0].odds
    faces = [np.exp(found.faces[tile, face]) for tile, face in best.seen_faces.items()]
    share = float(np.clip(min(faces, default=0.5), config.min_share, 1 - config.min_share))
    least = float(np.log(share / (1 - share)))
    if best.finished:
        return odds, least
    return min(odds, 0.0 if best.is_whole else config.partial), min(least, 0.0)


def is_sure(scene: Scene, config: SceneConfig) -> bool:
    """Whether the first player's hand is finished, and no other reading of its tiles is worth a doubt."""
    if not scene.players or not scene.players[0].best.finished:
        return False
    return bool(1 / (1 + np.exp(scene.players[0].odds)) < config.doubt_share)


def has_no_whole_hand(scene: Scene) -> bool:
    """Whether every player has fewer tiles than a hand."""
    return not any(player.best.size >= UNFINISHED for player in scene.players)


def doubts(
    scene: Scene, found: Detections, size: tuple[int, int], config: SceneConfig = CONFIG
) -> tuple[Doubt, ...]:
    """The doubts of the first player's hand, the gravest first; their tiles are detections. ``size``: width
    and height of the photo in pixels."""
    player, quads = scene.players[0], found.quads
    others = other_hand_doubts(scene, player.best.tiles, quads, size, config) if player.best.finished else ()
    made: dict[tuple[object, ...], Doubt] = {}
    for doubt in (
        *others, *_reading_doubts(player, scene, quads, config),
        *_face_doubts(player.best, found, config), *_indicator_doubts(scene, quads),
    ):  # fmt: skip
        made.setdefault((doubt.kind, doubt.tiles), doubt)
    return tuple(sorted(made.values(), key=lambda doubt: DOUBTS.index(doubt.kind)))


def _face_doubts(best: HandReading, found: Detections, config: SceneConfig) -> Iterator[Doubt]:
    """Tiles for whose face the scene model is not confident."""
    assert found.faces is not None
    shares = np.exp(found.faces[:, : len(FACES)])
    for tile, face in sorted(best.seen_faces.items(), key=lambda each: shares[each]):
        if shares[tile, face] < config.confident:
            other = FACES[int(np.argsort(-shares[tile])[int(shares[tile].argmax() == face)])]
            yield Doubt("face", (tile,), f"The {FACES[face]} may be a {other}.", {"label": other})


def _indicator_doubts(scene: Scene, quads: Array32) -> Iterator[Doubt]:
    """Tiles that may be further indicators."""
    if scene.possible_indicators:
        tiles, names = zip(*((tile, FACES[face]) for tile, face in scene.possible_indicators), strict=True)
        record = hand_record(scene.players[0].best, scene, quads)[0]
        record["dora_indicators"] = [*record.get("dora_indicators", ()), *names]
        what = "a dora indicator" if len(names) == 1 else "dora indicators"
        yield Doubt("indicator", tiles, f"The {' '.join(names)} may be {what}, too.", {"hand": record})


def other_hand_doubts(
    scene: Scene, own: Iterable[int], quads: Array32, size: tuple[int, int], config: SceneConfig = CONFIG
) -> Iterator[Doubt]:
    """Other hands that may be finished and share no tile with ``own``; arguments as in :func:`doubts`."""
    for other in scene.players:
        reading = next((each for each in other.readings if each.finished), None)
        if reading is None or not {*own}.isdisjoint(reading.tiles):
            continue
        if np.exp(reading.score - other.best.score) > config.doubt_share:
            yield _other_hand_doubt(reading, scene, quads, size)


def with_listed_tiles(doubt: Doubt, places: Mapping[int, int]) -> Doubt:
    """A doubt about detections as one about listed tiles. ``places``: detection to its index in the list."""
    return replace(doubt, tiles=tuple(places[i] for i in doubt.tiles if i in places))


def _reading_doubts(
    player: PlayerReadings, scene: Scene, quads: Array32, config: SceneConfig
) -> Iterator[Doubt]:
    """How the next readings of the same tiles differ from the best."""
    best = player.best
    near = [each for each, score in _alternatives(player) if np.exp(score - best.score) > config.doubt_share]
    for other in near[: config.alternatives]:
        mine, theirs = best.faces, other.faces
        left, more = sorted(mine.keys() - theirs.keys()), sorted(theirs.keys() - mine.keys())
        changed = [tile for tile in mine.keys() & theirs.keys() if mine[tile] != theirs[tile]]
        for tile in changed:
            text = f"The {FACES[mine[tile]]} may be a {FACES[theirs[tile]]}."
            yield Doubt("face", (tile,), text, {"label": FACES[theirs[tile]]})
        if left or more:
            names = " ".join([*(FACES[mine[t]] for t in left), *(FACES[theirs[t]] for t in more)])
            part = "may be no part of the hand" if not more else "may belong to the hand"
            record = {"hand": hand_record(other, scene, quads)[0]}
            yield Doubt("left_out", (*left, *more), f"The {names} {part}.", record)
        elif not changed and other.win != best.win and best.finished and other.finished:
            yield _win_doubt(best, other, scene, quads, mine)


def _alternatives(player: PlayerReadings) -> list[tuple[HandReading, float]]:
    """The next readings with their scores, likeliest first. Readings with the same faces, which differ in the
    winning tile, are one, with their scores added."""
    same: dict[object, list[HandReading]] = {}
    for each in player.readings[1:]:
        own = each.win if each.faces == player.best.faces else frozenset(each.faces.items())
        same.setdefault(own, []).append(each)
    scored = [(some[0], float(np.logaddexp.reduce([each.score for each in some]))) for some in same.values()]
    return sorted(scored, key=lambda each: -each[1])


def _win_doubt(
    best: HandReading, other: HandReading, scene: Scene, quads: Array32, faces: Mapping[int, int]
) -> Doubt:
    tiles = tuple(tile for tile in (best.win, other.win) if tile is not None)
    record = {"hand": hand_record(other, scene, quads)[0]}
    if other.win is None:
        text = f"The {FACES[faces[tiles[0]]]} may not be the winning tile: nothing sets one apart for sure."
        return Doubt("win", tiles, text, record)
    beside = "" if best.win is None else f", not the {FACES[faces[best.win]]}"
    return Doubt("win", tiles, f"The winning tile may be the {FACES[faces[other.win]]}{beside}.", record)


def _other_hand_doubt(other: HandReading, scene: Scene, quads: Array32, size: tuple[int, int]) -> Doubt:
    region = region_of(quads[list(other.tiles)], size)
    return hand_doubt(tuple(sorted(other.tiles)), hand_record(other, scene, quads)[0], region)


def status_and_message(
    best: HandReading, waits: Sequence[str], odds: float = np.inf, hand_odds: float = np.inf
) -> tuple[str, str]:
    """Status and message of a hand: ``ok`` if it is finished, a winning tile is set apart, and its log
    ``odds`` against all other readings are positive. ``hand_odds``: the same, whichever of its tiles won.
    ``waits``: the tiles it waits for."""
    if best.finished:
        if odds >= 0 and best.win is not None:
            return "ok", ""
        if hand_odds >= 0:
            return "incomplete", "No tile is set apart or turned: say which one is the winning tile."
        return "incomplete", "Tehai is not sure which tiles form the hand: frame it, or correct the tiles."
    kans = sum(each.is_kan for each in best.called)
    wanted = f"a finished hand has {14 + kans}" + (f" with {kans} kan" if kans else "")
    if best.size == UNFINISHED:
        if waits:
            return "incomplete", f"13 tiles, waiting on {' '.join(waits)}."
        return "incomplete", "13 tiles, and they are not waiting on any: a finished hand has 14."
    if best.size == 14:
        return "incomplete", "14 tiles, but they make no finished hand."
    tiles = "1 tile" if len(best.tiles) == 1 else f"{len(best.tiles)} tiles"
    return "incomplete", f"{tiles}, but {wanted}."
