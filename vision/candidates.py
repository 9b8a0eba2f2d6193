"""Every way to see a photo's tiles as a hand that is worth weighing: layouts, labels and winning tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from vision.arrays import Array, Array32, Mask
from vision.decode import Choices, Decoded, decodings, waiting
from vision.kinds import of_kinds
from vision.labels import BACK, FACES, plain
from vision.table import Layout, Table
from vision.terms import (
    BESTED,
    LABELS,
    LYING,
    OPEN,
    ROW,
    Evidence,
    Row,
    hand_terms,
    loose,
    sure_kinds,
    unlikeness,
    win_terms,
)


class Answer(NamedTuple):
    """What a candidate says, whichever tiles say it: two that give the same answer are one to a player."""

    finished: bool
    concealed: tuple[str, ...]
    win: str | None
    melds: frozenset[tuple[str, tuple[str, ...], int]]


@dataclass(frozen=True, eq=False)
class Candidate:
    """One way to see the tiles as a hand, with its labels. ``terms``: (k,) those of ``vision.weights.TERMS``;
    ``quads``: (n, 4, 2) pixels, all tiles of the look that it was seen in."""

    layout: Layout
    decoded: Decoded
    terms: Array
    quads: Array

    @cached_property
    def middles(self) -> Array:
        """(n, 2) pixels, of the hand's tiles."""
        return self._middles(self.layout.hand)

    @cached_property
    def closed_middles(self) -> Array:
        """(n, 2) pixels, of the hand's tiles without those of its melds."""
        called = {i for meld in self.layout.melds for i in meld.tiles}
        return self._middles([i for i in self.layout.hand if i not in called])

    @cached_property
    def unwon_middles(self) -> Array:
        """(n, 2) pixels, of the hand's tiles without the winning one."""
        return self._middles([i for i in self.layout.hand if i != self.layout.win])

    def _middles(self, tiles: Sequence[int]) -> Array:
        return np.asarray(self.quads[list(tiles)].mean(axis=1)).reshape(-1, 2)

    @property
    def finished(self) -> bool:
        return self.layout.size == 14 and self.decoded.legal

    @cached_property
    def answer(self) -> Answer:
        layout, labels = self.layout, self.decoded.labels
        melds: Counter[tuple[str, tuple[str, ...]]] = Counter()
        for meld in layout.melds:
            faces = [labels[i] for i in meld.tiles if labels[i] != BACK]
            if meld.kind == "ankan":  # a red five may lie face down in it
                faces = [plain(face) for face in faces[:1]]
            melds[meld.kind, tuple(sorted(faces))] += 1
        return Answer(
            self.finished,
            tuple(sorted(labels[i] for i in layout.closed)),
            None if layout.win is None else labels[layout.win],
            frozenset((*meld, count) for meld, count in melds.items()),
        )


def candidates(
    table: Table,
    probabilities: Array,
    sought: Mask,
    ground: Array32,
) -> tuple[Candidate, ...]:
    """All candidates of a table, at least one; no order.

    ``probabilities``: (n, 39); ``sought``: (n,) tiles that were only looked for where the hand lacked one;
    ``ground``: (n, 3) the colours around their prints.
    """
    found: list[Candidate] = []
    choices = Choices.of(probabilities, table.tiles.habits.decode)
    kinds, sure = of_kinds(probabilities), sure_kinds(table.tiles)
    rows: dict[int, dict[frozenset[int], Row]] = {}
    for layout in map(_without_win, table.layouts()):
        frame, unlike = table.frames[layout.frame], unlikeness(table.tiles, layout, probabilities, ground)
        known = rows.setdefault(layout.frame, {})
        evidence = Evidence(frame, probabilities, kinds, sought, sure, unlike, known)
        for decoded in decodings(choices, layout):
            found += _of_hand(evidence, layout, _honest(evidence, layout, decoded))
    return tuple(_compared(found))


def _compared(found: Sequence[Candidate]) -> Iterator[Candidate]:
    """All of them, the unfinished ones with how likely other tiles are a finished hand."""
    finished: dict[frozenset[int], float] = {}
    for each in found:
        if each.finished:
            hand = frozenset(each.layout.hand)
            likely = float(np.exp(each.terms[LABELS])) * loose(each.terms)
            finished[hand] = max(finished.get(hand, 0.0), likely)
    for each in found:
        others = [likely for hand, likely in finished.items() if hand.isdisjoint(each.layout.hand)]
        if others and not each.finished:
            terms = each.terms.copy()
            terms[BESTED] = max(others)
            each = replace(each, terms=terms)
        yield each


def _without_win(layout: Layout) -> Layout:
    """A layout of other than 14 tiles with none set apart: no tile has won."""
    if layout.win is None or layout.size == 14:
        return layout
    return replace(layout, closed=(*layout.closed, layout.win), win=None)


def _honest(evidence: Evidence, layout: Layout, decoded: Decoded) -> Decoded:
    """No hand is finished by a place that was looked at for want of a tile, and shows no face, or one that is
    not of the others' colour: what is printed on the cloth."""
    faces = {i for i in layout.hand if decoded.labels[i] in FACES}
    no_face = any(evidence.sought[i] for i in faces.intersection(decoded.overruled))
    made_up = no_face or evidence.strange[[*faces]].any()
    return replace(decoded, legal=False) if made_up else decoded


def _of_hand(evidence: Evidence, layout: Layout, decoded: Decoded) -> Iterator[Candidate]:
    terms = hand_terms(evidence, layout, decoded)
    if layout.size == 14 and decoded.legal:
        yield from _finished(evidence, layout, decoded, terms)
        return
    if layout.closed:
        terms[ROW] = evidence.row(layout.closed).terms
    if layout.size == 13 and decoded.legal:
        finished = tuple(_waiting(evidence, layout, decoded))
        terms[LYING] = max((loose(each.terms) for each in finished), default=0.0)
        yield from finished
    yield Candidate(layout, decoded, terms, evidence.quads)


def _finished(evidence: Evidence, layout: Layout, decoded: Decoded, terms: Array) -> Iterator[Candidate]:
    """A finished hand whose winning tile nothing tells, and with each of its tiles as the winning one."""
    closed = (*layout.closed, *(() if layout.win is None else (layout.win,)))
    opened = terms.copy()
    opened[OPEN], opened[ROW] = 1, evidence.row(closed).terms
    yield Candidate(replace(layout, closed=closed, win=None), decoded, opened, evidence.quads)
    hand, fours = frozenset(layout.hand), _fours(layout, decoded)
    for tile in closed:
        rest = tuple(i for i in closed if i != tile)
        row = evidence.row(rest)
        unlike = float(evidence.unlike[tile])
        told = win_terms(terms, row, tile, decoded.labels, hand, fours, unlike, 0, tile == layout.win)
        yield Candidate(replace(layout, closed=rest, win=tile), decoded, told, evidence.quads)


def _fours(layout: Layout, decoded: Decoded) -> frozenset[str]:
    """Labels of which a called set holds three."""
    return frozenset(decoded.labels[meld.tiles[0]] for meld in layout.melds if meld.kind == "pon")


def _waiting(evidence: Evidence, layout: Layout, decoded: Decoded) -> Iterator[Candidate]:
    """A hand that one tile would finish, with the nearest of such tiles that lie loose."""
    tiles, habit = evidence.frame.tiles, evidence.frame.tiles.habits.decode
    hand, waits = set(layout.hand), set(waiting(layout, decoded.labels))
    sure = evidence.probabilities.max(axis=1) > habit.loose
    lying = [
        i for i in np.flatnonzero(tiles.usable & sure & ~evidence.strange).tolist()
        if i not in hand and plain(decoded.labels[i]) in waits
    ]  # fmt: skip
    if not lying:
        return
    row, fours = evidence.row(layout.closed), _fours(layout, decoded)
    distance = tiles.apart[np.ix_(lying, layout.closed)].min(axis=1)
    for nearer, k in enumerate(np.argsort(distance)[: habit.most_loose].tolist()):
        tile = lying[k]
        finished = replace(layout, win=tile)
        terms = hand_terms(evidence, finished, decoded)
        unlike = float(evidence.unlike[tile])
        won = frozenset(finished.hand)
        told = win_terms(terms, row, tile, decoded.labels, won, fours, unlike, nearer, False)
        yield Candidate(finished, decoded, told, evidence.quads)
