"""Stage 5: how sure a reading is, by one curve; and what is in question: what the next readings have
otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.arrays import Array32
from vision.detections import Detections
from vision.labels import FACES
from vision.reading import DOUBTS, Doubt, another_hand, region_of
from vision.scene.config import CONFIG, SceneConfig
from vision.scene.decode import UNFINISHED, HandReading, PlayerReadings, Scene
from vision.scene.record import hand_record


def features(scene: Scene, found: Detections, config: SceneConfig = CONFIG) -> tuple[float, float]:
    """What the confidence of the best player's best reading follows from: its log odds, and those of the face
    that is least sure in its hand. Of hands that are not finished one alone is weighed: these say nothing of
    others like it, and count as even at most, where tiles are missing as less."""
    assert found.faces is not None
    best, odds = scene.players[0].best, scene.players[0].odds
    shares = [np.exp(found.faces[tile, face]) for tile, face in best.seen_faces.items()]
    share = float(np.clip(min(shares, default=0.5), _LEAST, 1 - _LEAST))
    least = float(np.log(share / (1 - share)))
    if best.finished:
        return odds, least
    return min(odds, 0.0 if best.is_whole else config.part), min(least, 0.0)


_LEAST: Final = 1e-3
"""Shares nearer to 0 or 1 say no more."""


def is_sure(scene: Scene, config: SceneConfig) -> bool:
    """Whether the best player's hand is finished, and nothing else that its tiles may be worth a question."""
    if not scene.players or not scene.players[0].best.finished:
        return False
    return bool(1 / (1 + np.exp(scene.players[0].odds)) < config.share)


def is_too_small(scene: Scene) -> bool:
    """Whether no hand was found that has the tiles of a player."""
    return not any(player.best.size >= UNFINISHED for player in scene.players)


def doubts(
    scene: Scene, found: Detections, size: tuple[int, int], config: SceneConfig = CONFIG
) -> tuple[Doubt, ...]:
    """What is in question in the hand of the first player, the gravest first; tiles are detections.
    ``size``: width and height of the pixels they were seen in."""
    player, quads = scene.players[0], found.quads
    others = other_hands(scene, player.best.tiles, quads, size, config) if player.best.finished else ()
    made: dict[tuple[object, ...], Doubt] = {}
    for doubt in (
        *others, *_differences(player, scene, quads, config),
        *_faces(player.best, found, config), *_indicators(scene, quads),
    ):  # fmt: skip
        made.setdefault((doubt.kind, doubt.tiles), doubt)
    return tuple(sorted(made.values(), key=lambda doubt: DOUBTS.index(doubt.kind)))


def _faces(best: HandReading, found: Detections, config: SceneConfig) -> Iterator[Doubt]:
    """Tiles that hardly look like the face that they have to show."""
    assert found.faces is not None
    shares = np.exp(found.faces[:, : len(FACES)])
    for tile, face in sorted(best.seen_faces.items(), key=lambda each: shares[each]):
        if shares[tile, face] < config.sure_face:
            other = FACES[int(np.argsort(-shares[tile])[int(shares[tile].argmax() == face)])]
            yield Doubt("face", (tile,), f"The {FACES[face]} may be a {other}.", {"label": other})


def _indicators(scene: Scene, quads: Array32) -> Iterator[Doubt]:
    """Tiles that may be indicators beside those that are listed."""
    if scene.unsure:
        tiles, names = zip(*((tile, FACES[face]) for tile, face in scene.unsure), strict=True)
        record = hand_record(scene.players[0].best, scene, quads)[0]
        record["dora_indicators"] = [*record.get("dora_indicators", ()), *names]
        what = "a dora indicator" if len(names) == 1 else "dora indicators"
        yield Doubt("indicator", tiles, f"The {' '.join(names)} may be {what}, too.", {"hand": record})


def other_hands(
    scene: Scene, own: Iterable[int], quads: Array32, size: tuple[int, int], config: SceneConfig = CONFIG
) -> Iterator[Doubt]:
    """Hands that may be finished, too, and have none of the tiles ``own`` of the first one. The others are as
    in :func:`doubts`."""
    for other in scene.players:
        reading = next((each for each in other.readings if each.finished), None)
        if reading is None or not {*own}.isdisjoint(reading.tiles):
            continue
        if np.exp(reading.score - other.best.score) > config.share:
            yield _other_hand(reading, scene, quads, size)


def placed(doubt: Doubt, places: Mapping[int, int]) -> Doubt:
    """A doubt about detections as one about the tiles that are listed: ``places``, of each detection."""
    return replace(doubt, tiles=tuple(places[i] for i in doubt.tiles if i in places))


def _differences(
    player: PlayerReadings, scene: Scene, quads: Array32, config: SceneConfig
) -> Iterator[Doubt]:
    """What the next readings of the same tiles have otherwise."""
    best = player.best
    near = [each for each, score in _apart(player) if np.exp(score - best.score) > config.share]
    for other in near[: config.doubts]:
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
            yield _win(best, other, scene, quads, mine)


def _apart(player: PlayerReadings) -> list[tuple[HandReading, float]]:
    """The next readings and their scores, likeliest first; of those with the same faces the likeliest, with
    the score of all of them together: they differ in which tile won."""
    same: dict[object, list[HandReading]] = {}
    for each in player.readings[1:]:
        own = each.win if each.faces == player.best.faces else frozenset(each.faces.items())
        same.setdefault(own, []).append(each)
    scored = [(some[0], float(np.logaddexp.reduce([each.score for each in some]))) for some in same.values()]
    return sorted(scored, key=lambda each: -each[1])


def _win(
    best: HandReading, other: HandReading, scene: Scene, quads: Array32, faces: Mapping[int, int]
) -> Doubt:
    tiles = tuple(tile for tile in (best.win, other.win) if tile is not None)
    record = {"hand": hand_record(other, scene, quads)[0]}
    if other.win is None:
        text = f"The {FACES[faces[tiles[0]]]} may not be the winning tile: nothing sets one apart for sure."
        return Doubt("win", tiles, text, record)
    beside = "" if best.win is None else f", not the {FACES[faces[best.win]]}"
    return Doubt("win", tiles, f"The winning tile may be the {FACES[faces[other.win]]}{beside}.", record)


def _other_hand(other: HandReading, scene: Scene, quads: Array32, size: tuple[int, int]) -> Doubt:
    region = region_of(quads[list(other.tiles)], size)
    return another_hand(tuple(sorted(other.tiles)), hand_record(other, scene, quads)[0], region)


def message(best: HandReading, waits: Sequence[str], odds: float = np.inf) -> tuple[str, str]:
    """Status and message of a hand: ``ok`` for a finished one whose winning tile is set apart, and which is
    likelier, by its log ``odds``, than all else that its tiles may be."""
    if best.finished:
        if odds < 0:
            return (
                "incomplete",
                "Which tiles are the hand is not sure: point at it with a region, or correct it.",
            )
        if best.win is not None:
            return "ok", ""
        return "incomplete", "No tile is set apart or turned: say which one is the winning tile."
    kans = sum(each.is_kan for each in best.called)
    wanted = f"a finished hand has {14 + kans}" + (f" with {kans} kan" if kans else "")
    if best.size == UNFINISHED:
        if waits:
            return "incomplete", f"13 tiles, waiting on {' '.join(waits)}."
        return "incomplete", "13 tiles, and they are not waiting on any: a finished hand has 14."
    if best.size == 14:
        return "incomplete", "14 tiles, but they make no finished hand."
    if not best.size:
        return "incomplete", "Tiles, but no hand among them: point at the hand with a region."
    tiles = "1 tile" if len(best.tiles) == 1 else f"{len(best.tiles)} tiles"
    return "incomplete", f"{tiles}, but {wanted}."
