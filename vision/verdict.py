"""What may be said of a photo: a finished hand, what it lacks, or why there is none; and what to do then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from vision.arrays import Array32, Pixels
from vision.decode import Decoded, waiting
from vision.habits import HABITS, Habits, VerdictHabits
from vision.image import Photo
from vision.labels import CLASSES, FACES, UNREADABLE, WHITE_INDEX, plain
from vision.looks import HandSeen
from vision.pixels import sharpness
from vision.quads import lengths, turned
from vision.reading import Region, SeenTile, quad_of
from vision.table import Layout


def judge(layout: Layout, decoded: Decoded) -> tuple[str, str]:
    """Status and message of a hand: ``ok`` for a finished hand whose winning tile is set apart."""
    labels = decoded.labels
    inside = [*layout.closed, *(() if layout.win is None else (layout.win,))]
    count = len(inside) + sum(len(meld.tiles) for meld in layout.melds)
    kans = sum(len(meld.tiles) == 4 for meld in layout.melds)
    wanted = f"a finished hand has {14 + kans}" + (f" with {kans} kan" if kans else "")
    if layout.size == 14 and decoded.legal:
        if layout.win is not None:
            return "ok", ""
        if layout.spare:
            extra = " ".join(labels[i] for i in layout.spare)
            return "incomplete", (
                f"{count + len(layout.spare)} tiles, but {wanted}: move {extra} away if it is no part of it."
            )
        return "incomplete", "No tile is set apart or turned: say which one is the winning tile."
    mine = [*inside, *(i for meld in layout.melds for i in meld.tiles)]
    copies = Counter(plain(labels[i]) for i in mine if labels[i] in FACES)
    if copies and max(copies.values()) > 4:
        label, count = copies.most_common(1)[0]
        return "incomplete", f"{count} tiles were read as {label}, but there are only four: correct one."
    unsure = ", ".join(dict.fromkeys(labels[i] for i in decoded.unsure if i in inside))
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


def verdict(photo: Photo, hand: HandSeen) -> tuple[str, str]:
    """Status and message of a photo's hand: those of :func:`judge`, and whether the photo is to blame."""
    status, message = judge(hand.layout, hand.decoded)
    if status != "ok" and _is_blurred(photo.pixels, hand.seen.quads, hand.habits.verdict):
        message += " The photo is blurred there: hold the camera still and focus on the tiles."
    return status, message


def refusal(photo: Photo, quads: Array32, region: Region | None, habits: Habits = HABITS) -> str:
    """Why what the finder found, quads (n, 4, 2), cannot be read; empty where it can."""
    if not len(quads):
        blurred = sharpness(photo.pixels, habits.verdict.sharp_side) < habits.verdict.sharp
        return _nothing_here(region, blurred=blurred)
    if float(np.median(lengths(quads).mean(axis=1))) < habits.verdict.smallest:
        return "The tiles are too small to be read; come closer or send the photo in full size."
    return ""


def crowd(tiles: int, region: Region | None, habits: Habits = HABITS) -> str:
    """Why so many tiles cannot be one player's hand; empty where they can."""
    if not tiles:
        return _nothing_here(region)
    most = habits.looks.most_tiles
    if tiles > most:
        advice = "come closer or point at the hand with a region"
        return f"There seem to be {tiles} tiles, more than {most}; {advice}."
    return ""


def seen_tiles(photo: Photo, hand: HandSeen) -> Iterator[SeenTile]:
    """The tiles as a reading has them: each with its place, label, runner-up and role."""
    probabilities, layout, labels = hand.seen.probabilities, hand.layout, hand.decoded.labels
    quads = turned(photo.to_full(hand.seen.quads), -np.array(layout.turns))
    overruled, habit = set(hand.decoded.overruled), hand.habits.verdict
    order = np.argsort(-probabilities, axis=1)
    for i, role in enumerate(layout.roles):
        label, seen = labels[i], CLASSES[order[i, 0]]
        probability = float(probabilities[i, CLASSES.index(label)])
        runner_up = seen if label != seen else CLASSES[order[i, 1]]
        least = habit.unreadable_white if label == FACES[WHITE_INDEX] else habit.unreadable
        if role == "other" and probability < least:
            label = UNREADABLE
        yield SeenTile(
            quad=quad_of(quads[i]), label=label, probability=probability,
            runner_up=(runner_up, float(probabilities[i, CLASSES.index(runner_up)])), role=role,
            sideways=layout.sideways[i], upside_down=layout.upside_down[i],
            source="rule" if i in overruled else "seen",
        )  # fmt: skip


def _is_blurred(pixels: Pixels, quads: Array32, habit: VerdictHabits) -> bool:
    low = np.maximum(np.floor(quads.reshape(-1, 2).min(axis=0)), 0).astype(int)
    high = np.ceil(quads.reshape(-1, 2).max(axis=0)).astype(int) + 1
    part = pixels[low[1] : high[1], low[0] : high[0]]
    return bool(part.size) and sharpness(np.ascontiguousarray(part), habit.sharp_side) < habit.sharp


def _nothing_here(region: Region | None, *, blurred: bool = False) -> str:
    where = "in that region" if region else "in the photo"
    advice = "it is blurred: hold the camera still" if blurred else "go closer, from above, in even light"
    return f"No mahjong tiles were found {where}; {advice}."
