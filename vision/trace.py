"""Every stage of a reading as a picture: where a misread photo went wrong.

>>> from vision.reader import Reader
>>> from vision.trace import Trace
>>> Reader(watch=Trace("trace")).read("photo.jpg")  # doctest: +SKIP

writes into ``trace/photo`` what ``stages.txt`` there lists. What the reading itself does not make (layouts
that are too unlikely to be weighed) is made here by the functions that it calls.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from vision.arrays import Array, Array32
from vision.draw import COLOURS, MELD_COLOURS, draw
from vision.faces import CropShape, cut
from vision.finder import Pass
from vision.habits import listed
from vision.image import Photo
from vision.labels import CLASSES
from vision.looks import Found, HandSeen, Mended, Named, TilesSeen, Tried
from vision.panel import BAD, FAINT, GOOD, HUES, INK, Colour, Panel, heated, sheet, titled
from vision.quads import turned
from vision.reading import Reading
from vision.reckoning import Weighed
from vision.record import hand_record
from vision.rows import Frame, Run
from vision.scene.trace import SceneTrace
from vision.weights import TERMS

_PICTURED = 6
"""Answers of a hand that are pictured; ``answers.tsv`` has them all."""
_HEAVIEST = 8
_MOST_FACES = 160
_MOST_MENDS = 24
_CROP = CropShape(width=112, height=140)
_COLUMNS = (
    "hand", "rank", "share", "score", "beside", *(f"term_{name}" for name in TERMS), "tiles", "complete",
    "reads", "closed", "win", "melds", "dora", "spare", "overruled", "unsure",
)  # fmt: skip


class Trace(SceneTrace):
    """A :class:`vision.reader.Reader`'s watch that writes what it is shown."""

    def __init__(self, folder: str | Path) -> None:
        super().__init__(folder)
        self._hands: list[HandSeen] = []

    def _draw(self, stage: object) -> None:
        match stage:
            case Photo():
                self._begin(stage)
                self._hands = []
            case Pass():
                self._pass(stage)
            case Found():
                self._found(stage)
            case Named():
                self._faces(stage)
            case HandSeen():
                self._hand(stage)
            case Mended():
                self._mends(stage)
            case Reading():
                self._verdict(stage)
            case _:
                super()._draw(stage)

    def _pass(self, run: Pass) -> None:
        panel = Panel(heated(run.pixels, run.maps[0]), np.zeros((0, 4, 2)), most=1400)
        for quad in run.found.quads:
            panel.outline(quad, (90, 200, 255), 2)
        height, width = run.pixels.shape[:2]
        self._write(
            "map", panel.image,
            f"The finder's map of {width} x {height} pixels: {len(run.found.quads)} candidates, "
            f"scores {_span(run.found.scores)}",
        )  # fmt: skip

    def _found(self, found: Found) -> None:
        panel = self._panel(found.quads)
        for i, quad in enumerate(found.quads):
            panel.outline(quad, HUES[1])
            panel.mark(quad.mean(axis=0), str(i), HUES[1])
        self._write(
            "quads", panel.image, f"{len(found.quads)} quads; the thick edge is taken for a top or bottom"
        )

    def _faces(self, named: Named) -> None:
        crops = cut(self._pixels, named.seen.quads[:_MOST_FACES], _CROP)
        cells = []
        for i, (crop, tile) in enumerate(zip(crops, named.tile, strict=False)):
            text = f"{i}{'' if tile else ': no tile'}\n" + "\n".join(_likeliest(named.seen, i))
            cells.append(titled(Image.fromarray(crop), text, INK if tile else BAD, least=130))
        kept = int(named.tile.sum())
        if cells:
            self._write(
                "faces", sheet(cells, 10),
                f"{len(named.seen.quads)} quads as the face network sees them, {kept} taken for tiles: "
                "number, three likeliest faces"
                + (f" (the first {_MOST_FACES})" if len(named.seen.quads) > _MOST_FACES else ""),
            )  # fmt: skip

    def _hand(self, hand: HandSeen) -> None:
        self._hands.append(hand)
        number = len(self._hands)
        panels = [self._rows(hand, frame) for frame in hand.table.promising()]
        if panels:
            self._write(
                f"hand-{number}-rows", sheet(panels, 2),
                f"Hand {number}: {len(hand.seen.quads)} tiles in runs, along each direction that may be up "
                "(arrow); grey: no whole tile, or aslant",
            )  # fmt: skip
        self._tabulate(number, hand)
        shown = hand.answers[:_PICTURED]
        roles = [one.candidate.layout.roles for one in shown]
        among = [i for i, each in enumerate(zip(*roles, strict=True)) if set(each) != {"other"}]
        around = hand.seen.quads[among] if among else hand.seen.quads
        best = [self._layout(hand, around, rank, each) for rank, each in enumerate(shown, 1)]
        self._write(
            f"hand-{number}-answers", sheet(best, 2),
            f"Hand {number}: the likeliest {len(best)} of {len(hand.answers)} answers (all in answers.tsv); "
            f"right with {hand.confidence:.3f}",
        )  # fmt: skip

    def _rows(self, hand: HandSeen, frame: Frame) -> Image.Image:
        panel = self._panel(hand.seen.quads, most=1200)
        for quad in hand.seen.quads[frame.quarter < 0]:
            panel.outline(quad, FAINT)
        middles = hand.seen.quads.mean(axis=1)
        runs = sorted(frame.runs, key=lambda run: -len(run.columns))
        for at, run in enumerate(runs):
            colour = HUES[at % len(HUES)]
            for column in run.columns:
                for i in column.tiles:
                    panel.outline(hand.seen.quads[i], colour, 5 if column.turned else 2)
            panel.path(middles[[column.tiles[0] for column in run.columns]], colour)
            for i in run.tiles:
                panel.mark(middles[i], str(i), colour, 15)
        centre = hand.table.tiles.centre.mean(axis=0)
        here, there = hand.table.tiles.plane.invert(np.stack([centre, centre + frame.up]))
        panel.compass(there - here)
        longest = ", ".join(str(len(run.columns)) for run in runs if len(run.columns) > 1)
        return titled(
            panel.image, f"Runs of {longest or 'one'} tiles and {_ones(runs)} single; thick: on its side"
        )

    def _layout(self, hand: HandSeen, around: Array32, rank: int, weighed: Weighed) -> Image.Image:
        panel = self._panel(around, most=900)
        layout, decoded = weighed.candidate.layout, weighed.candidate.decoded
        for i, (role, quad) in enumerate(zip(layout.roles, hand.seen.quads, strict=True)):
            panel.outline(turned(quad, -layout.turns[i]), _hue(role), 2 if role == "other" else 4)
        for i, role in enumerate(layout.roles):
            if role != "other":
                changed = "!" if i in decoded.overruled else "?" if i in decoded.unsure else ""
                panel.mark(hand.seen.quads[i].mean(axis=0), decoded.labels[i] + changed, _hue(role))
        chosen = rank == 1
        text = f"{rank}. {_sum(hand, weighed)}{': chosen' if chosen else ''}\n{_reads(weighed)}"
        return titled(panel.image, text, GOOD if chosen else INK)

    def _tabulate(self, number: int, hand: HandSeen) -> None:
        file = self._folder / "answers.tsv"
        with file.open("w" if number == 1 else "a", encoding="utf-8", newline="") as out:
            table = csv.writer(out, delimiter="\t", lineterminator="\n")
            if number == 1:
                table.writerow(_COLUMNS)
            for rank, one in enumerate(hand.answers, 1):
                layout, decoded = one.candidate.layout, one.candidate.decoded
                table.writerow([
                    number, rank, f"{one.share:.4f}", f"{one.score:.2f}",
                    f"{one.score - _worth(hand, one).sum():.2f}",
                    *(f"{term + 0.0:.2f}" for term in one.terms), layout.size, int(decoded.legal),
                    _reads(one), _numbers(layout.closed), "" if layout.win is None else layout.win,
                    "; ".join(f"{meld.kind} {_numbers(meld.tiles)}" for meld in layout.melds),
                    _numbers(layout.dora), _numbers(layout.spare), _numbers(decoded.overruled),
                    _numbers(decoded.unsure),
                ])  # fmt: skip

    def _mends(self, mended: Mended) -> None:
        ranked = sorted(mended.tried, key=lambda one: -one.sure)
        pairs = [self._mend(mended.hand, one) for one in ranked[:_MOST_MENDS]]
        taken = sum(one.taken for one in mended.tried)
        self._write(
            f"hand-{len(self._hands)}-mends", sheet(pairs, 3),
            f"Mends of hand {len(self._hands)}: {len(mended.tried)} tried, {taken} taken; before and after",
        )  # fmt: skip

    def _mend(self, hand: HandSeen, one: Tried) -> Image.Image:
        old = hand.seen.quads[list(one.mend.out)]
        around = np.concatenate([old, one.mend.quads.astype(np.float32)])
        before, after = (Panel(self._pixels, around, tile=90, most=260) for _ in range(2))
        for quad in hand.seen.quads:
            before.outline(quad, FAINT, 2)
        for quad in old:
            before.outline(quad, BAD)
        for quad in one.mend.quads:
            after.outline(quad, FAINT, 2)
        for quad in one.seen.quads:
            after.outline(quad, GOOD if one.taken else BAD)
        sees = "; ".join(", ".join(_likeliest(one.seen, k)) for k in range(len(one.seen.quads)))
        what = f"in the place of {_numbers(one.mend.out)}" if one.mend.out else "where nothing was seen"
        text = f"{'Taken' if one.taken else 'Not taken'}, {one.sure:.2f} sure: {what}\nsees {sees}"
        return titled(sheet([before.image, after.image], 2), text, GOOD if one.taken else INK)

    def _verdict(self, reading: Reading) -> None:
        picture = Image.fromarray(draw(self._pixels, reading))
        text = f"Verdict: {reading.status}. {reading.message}".strip()
        if reading.hand:
            text += "\n" + ", ".join(f"{name}: {value}" for name, value in reading.hand.items())
        self._write("verdict", picture, text)
        if self._hands:
            with (self._folder / "habits.tsv").open("w", encoding="utf-8", newline="") as out:
                table = csv.writer(out, delimiter="\t", lineterminator="\n")
                table.writerow(("habit", "value", "kind", "reason"))
                table.writerows(
                    (one.name, one.value, one.kind, one.reason) for one in listed(self._hands[-1].habits)
                )


def _likeliest(seen: TilesSeen, i: int) -> list[str]:
    """The three likeliest faces of a tile, with their probabilities."""
    chances = seen.probabilities[i]
    return [f"{CLASSES[k]} {chances[k]:.2f}" for k in np.argsort(-chances)[:3]]


def _reads(weighed: Weighed) -> str:
    """The hand as text."""
    layout, decoded = weighed.candidate.layout, weighed.candidate.decoded
    record, _ = hand_record(layout, decoded.labels, decoded.overruled)
    if record is None:
        return "no hand"
    won = f" + {record['win_tile']}" if "win_tile" in record else ""
    return ", ".join(
        [record["concealed"] + won, *(f"{meld['type']} {meld['tiles']}" for meld in record["melds"])]
    )


def _worth(hand: HandSeen, weighed: Weighed) -> Array:
    """(k,) what each term of an answer adds to its score; the rest is what it is worth beside the others."""
    return np.asarray(weighed.terms * np.array(hand.habits.weights.terms))


def _sum(hand: HandSeen, weighed: Weighed) -> str:
    """What an answer's score is made of: the terms that count for most."""
    layout, decoded = weighed.candidate.layout, weighed.candidate.decoded
    worth = _worth(hand, weighed)
    heaviest = [k for k in np.argsort(-np.abs(worth))[:_HEAVIEST] if worth[k]]
    names = list(TERMS)
    parts = ", ".join(f"{names[k].replace('_', ' ')} {worth[k]:+.1f}" for k in heaviest)
    finished = ("finished" if layout.size == 14 else "waiting") if decoded.legal else "not finished"
    beside = f"beside the others {weighed.score - worth.sum():+.1f}"
    return f"{weighed.share:.3f}, {weighed.score:.1f} = {beside}, {parts}…; {layout.size} tiles, {finished}"


def _hue(role: str) -> Colour:
    return MELD_COLOURS[int(role[5:]) % len(MELD_COLOURS)] if role.startswith("meld:") else COLOURS[role]


def _numbers(indices: Sequence[int]) -> str:
    return " ".join(map(str, indices))


def _ones(runs: Sequence[Run]) -> int:
    return sum(len(run.columns) == 1 for run in runs)


def _span(scores: Array32) -> str:
    return f"{scores.min():.2f} to {scores.max():.2f}" if len(scores) else "none"
