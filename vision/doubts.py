"""What is in question in a hand that was read, each with the other way to see it.

A doubt is an answer of :mod:`vision.reckoning` that is too likely beside the one that is taken; and what no
share tells: a second finished hand, a tile beside the row that was left out, a called three whose fourth may
lie beside it or beyond the photo's edge, a winning tile fetched from afar or that hardly looks like its face,
a wall without an indicator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.candidates import Candidate
from vision.habits import Habits
from vision.kinds import of_kinds
from vision.labels import BACK_INDEX, CLASSES, FACES, WHITE_INDEX, listed, plain
from vision.looks import HandSeen
from vision.reading import DOUBTFUL, DOUBTS, Doubt, another_hand, region_of
from vision.reckoning import Weighed
from vision.record import hand_record
from vision.rivals import matched, nearness


def doubts(hand: HandSeen, size: tuple[int, int]) -> tuple[Doubt, ...]:
    """The doubts of a hand, the gravest first. ``size``: width and height of the pixels it was seen in."""
    if not hand.layout.size:
        return ()
    seen = _Seen(hand, size, nearness(hand.answers[0].candidate))
    found: dict[tuple[object, ...], Doubt] = {}
    for doubt in (
        *seen.several(), *seen.alternatives(), *seen.beside(), *seen.cut(), *seen.fourth(), *seen.winning(),
        *seen.indicators(),
    ):  # fmt: skip
        found.setdefault((doubt.kind, doubt.tiles), doubt)
    return tuple(sorted(found.values(), key=lambda doubt: DOUBTS.index(doubt.kind)))


def confidence(hand: HandSeen, size: tuple[int, int]) -> float:
    """How probable it is, 0 to 1, that a hand of at least one tile is right: less where the fourth tile of a
    kan may be cut off. Arguments as those of :func:`doubts`."""
    cut = sum(1 for _ in _Seen(hand, size, nearness(hand.answers[0].candidate)).cut())
    return hand.confidence * (1 - hand.habits.doubts.fourth) ** cut


@dataclass(frozen=True, slots=True)
class _Seen:
    """A hand with the size of the photo. ``near``: :func:`vision.rivals.nearness`."""

    hand: HandSeen
    size: tuple[int, int]
    near: float

    @property
    def habits(self) -> Habits:
        return self.hand.habits

    @property
    def best(self) -> Candidate:
        return self.hand.answers[0].candidate

    def several(self) -> Iterator[Doubt]:
        """Other hands that are finished, too."""
        for rival in self.hand.rivals:
            if rival.answer.finished:
                yield self._other_hand(rival)

    def alternatives(self) -> Iterator[Doubt]:
        """What the next answers would have otherwise, where this one is not sure; and the face that is least
        sure, where they question none: of wrong labels that no answer has otherwise most are that one."""
        if self.hand.sureness >= self.habits.weights.told:
            return
        habit, rest = self.habits.doubts, self.hand.answers[1:]
        likely = [each for each in rest if each.share >= habit.least][: habit.most]
        found = [doubt for other in likely for doubt in self._difference(other)]
        yield from found
        if all(doubt.kind != "face" for doubt in found):
            yield from self._least_sure()

    def _least_sure(self) -> Iterator[Doubt]:
        labels, shown = self.best.decoded.labels, self.hand.seen.probabilities[:, : len(FACES)]
        sure = {i: shown[i, FACES.index(labels[i])] for i in self.best.layout.hand if labels[i] in FACES}
        if sure:
            least = min(sure, key=sure.__getitem__)
            others = [FACES[face] for face in np.argsort(-shown[least])]
            yield self._face(least, next(face for face in others if face != labels[least]))

    def _face(self, tile: int, instead: str) -> Doubt:
        return Doubt("face", (tile,), f"The {self._label(tile)} may be a {instead}.", {"label": instead})

    def _difference(self, other: Weighed) -> Iterator[Doubt]:
        mine, theirs = list(self.best.layout.hand), list(other.candidate.layout.hand)
        match = matched(self.best.middles, other.candidate.middles, self.near)
        if (match >= 0).sum() * 2 < min(len(mine), len(theirs)):
            if other.candidate.layout.size >= 13:  # fewer tiles are no hand to choose
                yield self._other_hand(other)
            return
        labels, changed = other.candidate.decoded.labels, False
        for place, k in zip(mine, match, strict=True):
            if k >= 0 and labels[theirs[k]] != self.best.decoded.labels[place]:
                changed = True
                yield self._face(place, labels[theirs[k]])
        left = tuple(place for place, k in zip(mine, match, strict=True) if k < 0)
        more = self._indices(other.candidate, sorted(set(range(len(theirs))) - set(match.tolist())))
        if left or more:
            yield self._count(other, left, more)
        elif not changed and self.best.layout.win is not None:  # an open one is asked about as it is
            yield self._win(other)

    def _count(self, other: Weighed, left: tuple[int, ...], more: tuple[int, ...]) -> Doubt:
        names = listed(self.best.decoded.labels[i] for i in (*left, *more))
        part = "may be no part of the hand" if left and not more else "may belong to the hand"
        text = f"The {names} {part}." if names else "A tile may have been overlooked."
        return Doubt("left_out", (*left, *more), text, {"hand": _record(other.candidate)})

    def _win(self, other: Weighed) -> Doubt:
        """Another winning tile, or none."""
        mine, theirs = self.best.layout.win, other.candidate.layout.win
        record = _record(other.candidate)
        own = (mine,) if mine is not None else ()
        if theirs is None:
            text = f"The {self._label(mine)} may not be the winning tile: nothing sets one apart for sure."
            return Doubt("win", own, text, {"hand": record})
        there = self._indices(other.candidate, [other.candidate.layout.hand.index(theirs)])
        name = other.candidate.decoded.labels[theirs]
        text = f"The winning tile may be the {name}" + (
            "." if mine is None else f", not the {self._label(mine)}."
        )
        return Doubt("win", (*own, *there), text, {"hand": record})

    def _other_hand(self, other: Weighed) -> Doubt:
        candidate = other.candidate
        tiles = self._indices(candidate, range(len(candidate.layout.hand)))
        region = region_of(candidate.quads[list(candidate.layout.hand)], self.size)
        return another_hand(tiles, _record(candidate), region)

    def beside(self) -> Iterator[Doubt]:
        """Tiles left out that lie where a winning tile would, beside a hand that has another one."""
        if self.best.layout.win is None:  # what is wrong is told instead
            return
        for i in self.best.layout.spare:
            text = f"The {self._label(i)} beside the row was left out: it would be a tile too many."
            other = {**_record(self.best), "win_tile": self._label(i)}
            yield Doubt("left_out", (i,), text, {"hand": other})

    def cut(self) -> Iterator[Doubt]:
        """Called threes of a kind whose fourth, seen nowhere else, would lie beyond the photo's edge."""
        kinds = [plain(label) for label in self.best.decoded.labels]
        for number, meld in enumerate(self.best.layout.melds):
            face, three = kinds[meld.tiles[0]], self._three(number)
            first, second, *_, last = self.hand.seen.quads[list(meld.tiles)].mean(axis=1)
            beside = np.array([2 * first - second, last + second - first])
            beyond = (beside < 0) | (beside > self.size)
            if meld.kind == "pon" and kinds.count(face) <= 3 and beyond.any():
                text = f"The {three} lie at the photo's edge: a fourth {face} may be cut off."
                yield Doubt("left_out", meld.tiles, text, self._with_fourth(number))

    def fourth(self) -> Iterator[Doubt]:
        """Tiles left out that lie beside a called three of their kind."""
        tiles, mine = self.hand.table.tiles, set(self.best.layout.hand)
        kinds = [plain(label) for label in self.best.decoded.labels]
        for number, meld in enumerate(self.best.layout.melds):
            if meld.kind != "pon":
                continue
            called, face = tiles.centre[list(meld.tiles)], kinds[meld.tiles[0]]
            for i in (i for i, kind in enumerate(kinds) if kind == face and i not in mine):
                if np.linalg.norm(called - tiles.centre[i], axis=1).min() < self.habits.doubts.another:
                    text = (
                        f"The {self._label(i)} beside the {self._three(number)} may be the fourth of a kan."
                    )
                    yield Doubt("left_out", (i,), text, self._with_fourth(number))
                    break

    def _three(self, number: int) -> str:
        return str(_record(self.best)["melds"][number]["tiles"])

    def _with_fourth(self, number: int) -> dict[str, Any]:
        """The hand with a kan instead of a called three."""
        record, three = _record(self.best), self._three(number)
        melds, face = [*record["melds"]], plain(self._label(self.best.layout.melds[number].tiles[0]))
        melds[number] = {**melds[number], "type": "minkan", "tiles": f"{three[:-1]}{face}"}
        return {"hand": {**record, "melds": melds}}

    def winning(self) -> Iterator[Doubt]:
        """A winning tile that looks like another face or hardly like its own, for what a row waits on is soon
        seen in whatever lies there; that lies so far away that it may be anybody's; or that is white: nothing
        marks it, and paper and cloth have such patches."""
        layout = self.best.layout
        if layout.win is None or not layout.closed:
            return
        own = plain(self._label(layout.win))
        kinds = of_kinds(self.hand.seen.probabilities[[layout.win]])[0]
        first, second = (FACES[kind] for kind in np.argsort(-kinds)[:2])
        if first != own or kinds[FACES.index(own)] < self.habits.doubts.won:
            yield self._face(layout.win, second if first == own else first)
        name = self._label(layout.win)
        if self.hand.is_fetched(layout):
            text = f"The {name} that lies apart was taken as the winning tile."
        elif name == FACES[WHITE_INDEX]:
            text = f"The {name} was taken as the winning tile; something white that is no tile looks alike."
        else:
            return
        instead = {key: value for key, value in _record(self.best).items() if key != "win_tile"}
        yield Doubt("win", (layout.win,), text, {"hand": instead})

    def indicators(self) -> Iterator[Doubt]:
        """Indicators that may be another tile, and tiles that may be one, too; a wall, and no indicator in
        it."""
        layout, probabilities = self.best.layout, self.hand.seen.probabilities
        for i in layout.dora:
            if probabilities[i].max() < DOUBTFUL:  # no answer tells: it is none of the hand's tiles
                yield self._face(i, CLASSES[int(np.argsort(-probabilities[i])[1])])
        if layout.dora and (more := self.hand.unsure_dora):
            record, names = _record(self.best), [self._label(i) for i in more]
            text = f"The {' '.join(names)} may be a dora indicator, too."
            listed = [*record["dora_indicators"], *names]
            yield Doubt("indicator", more, text, {"hand": {**record, "dora_indicators": listed}})
        if layout.dora or not self.hand.finished:
            return
        backs = probabilities.argmax(axis=1) == BACK_INDEX
        mine = set(layout.hand)
        for frame in self.hand.table.promising():
            for run in frame.runs:
                wall = [i for i in run.tiles if backs[i] and i not in mine]
                if len(wall) >= self.habits.doubts.wall:
                    yield Doubt(
                        "indicator", tuple(wall), "A wall lies there, and no dora indicator was seen."
                    )
                    return

    def _label(self, tile: int | None) -> str:
        return "" if tile is None else self.best.decoded.labels[tile]

    def _indices(self, candidate: Candidate, places: Sequence[int]) -> tuple[int, ...]:
        """Tiles of this hand's look that lie where those of another look do."""
        there = candidate.middles[list(places)]
        match = matched(there, self.best.quads.mean(axis=1), self.near)
        return tuple(int(k) for k in match if k >= 0)


def _record(candidate: Candidate) -> dict[str, Any]:
    decoded = candidate.decoded
    return hand_record(candidate.layout, decoded.labels, decoded.overruled)[0] or {
        "concealed": "",
        "melds": [],
    }
