"""What is seen of a photo: tiles, the hand that they make, and what mends it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array, Array32, Mask
from vision.candidates import Candidate, candidates
from vision.decode import Decoded, counted
from vision.faces import FaceReader, Faces, alike_in_colour
from vision.finder import Finder
from vision.foreign import ForeignSeen, is_foreign
from vision.habits import HABITS, Habits, LookHabits
from vision.image import Photo
from vision.kinds import of_kinds
from vision.labels import BACK_INDEX, FACES, NOT_A_FACE_INDEX, WHITE_INDEX
from vision.mend import Mend
from vision.quads import SAME_TILE, axes, covered, sizes, suppress
from vision.reading import Region
from vision.reckoning import Weighed, reckon
from vision.rivals import rivals
from vision.signs import signs
from vision.table import Layout, Table
from vision.watch import Watch, nobody
from vision.weights import Weights, features


@dataclass(frozen=True, slots=True)
class TilesSeen:
    """Tiles as the networks see them: quads (n, 4, 2), probabilities (n, 39), rotation (n, 4); ``nothing``:
    quads (k, 4, 2) that the finder took for tiles and the face network did not; ``sought``: (n,) tiles that
    were looked for because a hand seemed to lack one there; ``ground``: (n, 3) the colours around their
    prints, all alike where they are not known; ``foreign``: tiles that no hand has, which are none of these.
    A look of its own alone knows them."""

    quads: Array32
    probabilities: Array
    rotation: Array
    sought: Mask
    ground: Array32
    nothing: Array32 = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))
    foreign: ForeignSeen = field(default_factory=ForeignSeen)

    @classmethod
    def of(cls, faces: Faces) -> TilesSeen:
        found = cls.found(faces.quads, faces.probabilities.astype(float), faces.rotation.astype(float))
        return replace(found, ground=faces.ground) if len(faces.ground) else found

    @classmethod
    def found(cls, quads: Array32 | Array, probabilities: Array, rotation: Array) -> TilesSeen:
        """Tiles that were not sought, of colours that are not known."""
        ground = np.zeros((len(quads), 3), np.float32)
        return cls(np.asarray(quads, np.float32), probabilities, rotation, np.zeros(len(quads), bool), ground)

    def where(self, which: NDArray[Any]) -> TilesSeen:
        quads, sought, ground = self.quads[which], self.sought[which], self.ground[which]
        return TilesSeen(quads, self.probabilities[which], self.rotation[which], sought, ground, self.nothing)

    def once_each(self) -> TilesSeen:
        """Without the weaker ones of quads that have come to lie on one tile."""
        order = np.argsort(-self.probabilities.max(axis=1), kind="stable")
        kept = order[suppress(self.quads[order], SAME_TILE)]
        return self.where(np.sort(kept))

    @property
    def printed(self) -> Array:
        """(n,) how likely the likeliest face is that has a print."""
        faces = np.delete(self.probabilities[:, : len(FACES)], WHITE_INDEX, axis=1)
        return np.asarray(faces.max(axis=1))

    def apart_in_colour(self, others: TilesSeen, habit: LookHabits) -> Array:
        """(m,) how far the colours of others (m) are, in logs of light, from those around the prints of the
        sure faces that lie nearest, which were not sought; nothing where there are none."""
        faces = np.flatnonzero((self.printed > habit.print_sure) & ~self.sought)
        if not len(faces):
            return np.zeros(len(others.quads))
        middles = self.quads[faces].mean(axis=1)
        away = np.linalg.norm(others.quads.mean(axis=1)[:, None] - middles[None], axis=2)
        near = self.ground[faces[np.argsort(away, axis=1)[:, : habit.beside]]]
        return np.asarray(np.linalg.norm(others.ground - np.median(near, axis=1), axis=1))

    def surely_tiles(self) -> TilesSeen:
        """Those that were sought: something lies there, or the look was in vain; "no tile" is no answer."""
        chances = np.delete(self.probabilities, NOT_A_FACE_INDEX, axis=1)
        chances /= chances.sum(axis=1, keepdims=True)
        chances = np.insert(chances, NOT_A_FACE_INDEX, 0, axis=1)
        return replace(self, probabilities=chances, sought=np.ones(len(chances), bool))

    def ahead_of(self, other: TilesSeen) -> TilesSeen:
        """With those of the others that lie on none of these."""
        both = self.joined(other)
        return both.where(suppress(both.quads, SAME_TILE))

    def joined(self, other: TilesSeen) -> TilesSeen:
        return TilesSeen(
            np.concatenate([self.quads, other.quads]),
            np.concatenate([self.probabilities, other.probabilities]),
            np.concatenate([self.rotation, other.rotation]),
            np.concatenate([self.sought, other.sought]),
            np.concatenate([self.ground, other.ground]),
            self.nothing,
        )


@dataclass(frozen=True)
class HandSeen:
    """Tiles, and the hands that they may be. ``candidates``: those of these tiles; ``answers``: what they say
    and what those before they were mended said, weighed together, the likeliest first. ``earlier``: finished
    hands of other tiles, seen before these were mended; ``unsure_dora``: tiles that may be indicators of the
    dora beside those of the layout."""

    seen: TilesSeen
    table: Table
    candidates: tuple[Candidate, ...]
    answers: tuple[Weighed, ...]
    earlier: tuple[Candidate, ...] = ()
    unsure_dora: tuple[int, ...] = ()

    @classmethod
    def of(cls, seen: TilesSeen, habits: Habits = HABITS) -> HandSeen:
        """The hands among at least one tile."""
        table = Table.of(seen.quads.astype(float), seen.probabilities, seen.rotation, habits)
        found = candidates(table, seen.probabilities, seen.sought, seen.ground)
        return cls(seen, table, found, reckon(found, habits.weights))

    @property
    def habits(self) -> Habits:
        return self.table.tiles.habits

    @property
    def layout(self) -> Layout:
        return self.answers[0].candidate.layout

    @property
    def likely(self) -> tuple[Layout, ...]:
        """The layouts that may be the hand but for what was not seen well, the likeliest first."""
        habit = self.habits.mends
        others = (each for each in self._own_answers[1 : habit.hands] if each.share > habit.likely)
        return (self.layout, *(each.candidate.layout for each in others))

    @property
    def _own_answers(self) -> Sequence[Weighed]:
        """The answers that are made of these tiles: earlier ones number others."""
        own = {*self.candidates}
        return [each for each in self.answers if each.candidate in own]

    @property
    def decoded(self) -> Decoded:
        return self.answers[0].candidate.decoded

    @property
    def finished(self) -> bool:
        return self.answers[0].answer.finished

    def after(self, before: HandSeen) -> HandSeen:
        """With the finished hands that were seen ``before`` it was mended, of other tiles than its own, and
        are less likely: what mends one hand may tear another one."""
        mine = self.seen.quads[list(self.layout.hand)]
        theirs = ((each, np.asarray(each.candidate.quads, np.float32)) for each in before.answers)
        earlier = tuple(
            each.candidate for each, quads in theirs
            if each.answer.finished
            and not covered(quads[list(each.candidate.layout.hand)], mine).any()
        )  # fmt: skip
        earlier, answers = _behind(self.candidates, earlier, self.habits.weights)
        return replace(self, earlier=earlier, answers=answers)

    def tears(self, before: HandSeen) -> bool:
        """Whether it is less than a finished hand that was seen ``before`` it was mended: none, or one that
        lacks some of its tiles and has none that was not seen then."""
        if not (before.finished and self.finished):
            return before.finished
        mine, theirs = (each.seen.quads[list(each.layout.hand)] for each in (self, before))
        lost, new = ~covered(theirs, mine), ~covered(mine, before.seen.quads)
        return bool(lost.any() and not new.any())

    def is_fetched(self, layout: Layout) -> bool:
        """Whether the winning tile lies so far from the closed ones that it may be anybody's."""
        if layout.win is None or not layout.closed:
            return False
        centre = self.table.tiles.centre
        away = np.linalg.norm(centre[list(layout.closed)] - centre[layout.win], axis=1).min()
        return bool(away > self.habits.doubts.fetched)

    def with_indicators(self, sure: Sequence[int], unsure: Sequence[int]) -> HandSeen:
        """With tiles that surely are indicators of the dora, and such as may be: no more than can lie open,
        and none of a kind of which the hand and those before it have all four."""
        best, *others = self.answers
        layout, labels, kinds = best.candidate.layout, best.candidate.decoded.labels, self.table.tiles.kinds
        left = 4 - np.sum(counted(layout, labels), axis=0)
        if layout.win is not None:
            left[kinds[layout.win]] -= 1
        shown = list[int]()
        for i in (*sure, *unsure):
            if labels[i] in FACES and left[kinds[i]] > 0 and len(shown) < self.habits.looks.indicators:
                left[kinds[i]] -= 1
                shown.append(i)
        listed, asked = ([i for i in shown if i in some] for some in (sure, unsure))
        known = replace(layout, dora=self.table.in_reading_order(layout, listed))
        answers = replace(best, candidate=replace(best.candidate, layout=known)), *others
        return replace(self, answers=answers, unsure_dora=tuple(asked))

    @property
    def in_vain(self) -> Mask:
        """(n,) tiles that were sought because a hand seemed to lack them, serve none, and are not surely
        faces of the colour of those around them: cloth between two tiles can look like one."""
        seen, habit = self.seen, self.habits.looks
        vain: Mask = seen.sought & np.array([role == "other" for role in self.layout.roles], bool)
        if vain.any():
            idle = seen.where(vain)
            alike = seen.apart_in_colour(idle, habit) < habit.idle_like
            vain[vain] = ~(alike & (idle.printed > habit.print_sure))
        return vain

    @property
    def slivers(self) -> Mask:
        """(n,) white dragons of no hand that are much narrower than the tile that lies nearest to each: a
        tile's side is as white."""
        what, quads = zip(self.layout.roles, self.decoded.labels, strict=True), self.seen.quads
        idle = np.flatnonzero([each == ("other", FACES[WHITE_INDEX]) for each in what])
        middles, width = quads.mean(axis=1), np.linalg.norm(axes(quads), axis=2).min(axis=0)
        away = np.linalg.norm(middles[idle][:, None] - middles, axis=2)
        away[np.arange(len(idle)), idle] = np.inf
        slivers = np.zeros(len(quads), np.bool_)
        slivers[idle] = width[idle] < self.habits.looks.sliver * width[away.argmin(axis=1)]
        return slivers

    def may_have(self, mends: Iterable[Mend]) -> Iterator[Mend]:
        """Those of the mends that may be the hand's: one of their tiles lies beside one of some answer."""
        for mend in mends:
            if self._is_beside(self.table.tiles.plane.apply(mend.quads).mean(axis=1)).any():
                yield mend

    def _is_beside(self, middles: Array) -> Mask:
        """(n,) whether tiles with these middles (n, 2), in millimetres, lie beside one of some answer. Where
        these have too few to tell, all do."""
        own = [*{i for each in self._own_answers for i in each.candidate.layout.hand}]
        if len(own) < self.habits.looks.core:
            return np.ones(len(middles), bool)
        away = np.linalg.norm(middles[:, None] - self.table.tiles.centre[own][None], axis=2)
        return np.asarray(away.min(axis=1) < self.habits.mends.far)

    @property
    def confidence(self) -> float:
        """How probable it is, 0 to 1, that the likeliest answer is right, and that no other hand has been
        finished which is not asked about."""
        unnoticed = self.habits.weights.unnoticed if self.finished else 0.0
        return self.sureness * (1 - unnoticed)

    @cached_property
    def rivals(self) -> tuple[Weighed, ...]:
        """The hands of other tiles that may be finished, too."""
        return tuple(rivals(self.answers, self.habits.doubts))

    @cached_property
    def sureness(self) -> float:
        """How probable it is, 0 to 1, that the likeliest answer is right, whatever others lie there."""
        best = self.answers[0]
        seen = signs(self.table, self.seen.probabilities, best.candidate)
        return self.habits.weights.confidence(features(best.share, best.terms, seen), finished=self.finished)

    @property
    def sure(self) -> bool:
        """Whether the scene model need not be asked."""
        finished = self.finished and self.answers[0].share >= self.habits.looks.sure
        return finished and not self.rivals


def _behind(
    own: Sequence[Candidate], earlier: Sequence[Candidate], weights: Weights
) -> tuple[tuple[Candidate, ...], tuple[Weighed, ...]]:
    """The ``earlier`` candidates that lie behind the likeliest ``own`` one, and the answers of all."""
    known = {*own}
    while True:
        answers = reckon((*own, *earlier), weights)
        if answers[0].candidate in known:
            return tuple(earlier), answers
        earlier = [each for each in earlier if each is not answers[0].candidate]


def _by_colour(seen: TilesSeen, mend: Mend) -> bool:
    """Whether nothing but their colour tells that tiles of a mend are there."""
    like = None if mend.like is None else seen.probabilities[mend.like].argmax()
    return like in (BACK_INDEX, WHITE_INDEX)


# --- what a watch is shown ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """What the finder takes for tiles: quads (n, 4, 2)."""

    quads: Array32


@dataclass(frozen=True, slots=True)
class Named:
    """What the face network sees at quads; ``tile``: (n,) those that are taken for tiles."""

    seen: TilesSeen
    tile: Mask


@dataclass(frozen=True, slots=True)
class Tried:
    """A mend and what the face network sees there. ``sure``: 0 to 1 that all of it is there; ``taken``: it
    was believed."""

    mend: Mend
    seen: TilesSeen
    sure: float
    taken: bool


@dataclass(frozen=True, slots=True)
class Mended:
    """Every mend of a hand that was tried."""

    hand: HandSeen
    tried: tuple[Tried, ...]


def brief(habits: Habits) -> Habits:
    """The habits for the frames of a camera, whose hands are looked for in fewer places."""
    most = {
        "most_frames": habits.looks.frames_briefly,
        "most_cores": habits.looks.cores_briefly,
        "most_layouts": habits.looks.layouts_briefly,
    }
    return replace(habits, table=replace(habits.table, **most))


# --- looking ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Look:
    """A photo, or a region of it, and the networks that look at it. ``briefly``: it is a frame of a camera,
    the next of which will tell more."""

    photo: Photo
    finder: Finder
    faces: FaceReader
    region: Region | None = None
    habits: Habits = HABITS
    watch: Watch = nobody
    briefly: bool = False

    def find(self) -> Array32:
        """Quads of the tiles whose centres lie in the region, looked at as closely as it allows."""
        quads = self._searched()
        if self.briefly:
            quads = self._held_to(quads)
        self.watch(Found(quads))
        return quads

    def see(self, quads: Array32) -> TilesSeen:
        """The tiles among the quads."""
        faces = self.faces.read(self.photo.pixels, quads, briefly=self.briefly)
        seen, foreign = TilesSeen.of(faces), is_foreign(faces)
        likeliest = seen.probabilities.argmax(axis=1)
        tile = likeliest != NOT_A_FACE_INDEX
        face = tile & (likeliest != BACK_INDEX)
        if tile.sum() > self.habits.looks.most_tiles or not face.any():
            tile = face  # backs that are the pattern of a cloth
        self.watch(Named(seen, tile))
        nothing = seen.quads[(likeliest == NOT_A_FACE_INDEX) & ~foreign]
        tiles = seen.where(tile).once_each()
        return replace(tiles, nothing=nothing, foreign=ForeignSeen.of(faces, foreign))

    def arrange(self, seen: TilesSeen) -> HandSeen:
        """The likeliest hand, after its halves, doubles and what seemed no tile beside it were looked at."""
        hand = self._hand(seen)
        if self.briefly:
            return hand
        for _ in range(self.habits.mends.rounds):
            mended = (self._hand(each, before=hand) for each in self._mended(hand))
            better = next((each for each in mended if not each.tears(hand)), None)
            if better is None:
                break
            hand = better
        return hand

    def _searched(self) -> Array32:
        pixels = self.photo.pixels
        if self.region is None:
            return self.finder.find(pixels, briefly=self.briefly).quads
        sides = np.tile(pixels.shape[1::-1], 2)
        x0, y0, x1, y1 = self.region
        rim = self.habits.looks.rim * np.array([x0 - x1, y0 - y1, x1 - x0, y1 - y0])
        x0, y0, x1, y1 = np.clip((np.array(self.region) + rim) * sides, 0, sides).astype(int).tolist()
        part = np.ascontiguousarray(pixels[y0 : y1 + 1, x0 : x1 + 1])
        quads = self.finder.find(part, briefly=self.briefly).quads + np.array([x0, y0], np.float32)
        return self._inside(quads)

    def _inside(self, quads: Array32) -> Array32:
        """Those of the quads whose centres lie in the region."""
        if self.region is None:
            return quads
        height, width = self.photo.pixels.shape[:2]
        x, y = (quads.mean(axis=1) / np.array([width, height], np.float32)).T
        x0, y0, x1, y1 = self.region
        return np.asarray(quads[(x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)])

    def _held_to(self, quads: Array32) -> Array32:
        """Those of the quads to which a camera is held: large ones, and those in the picture's middle."""
        height, width = self.photo.pixels.shape[:2]
        off = np.linalg.norm(quads.mean(axis=1) - np.array([width / 2, height / 2], np.float32), axis=1)
        order = np.argsort(off / np.maximum(sizes(quads), 1) ** 2, kind="stable")
        return np.asarray(quads[np.sort(order[: self.habits.looks.most_briefly])])

    def _named(self, quads: Array32) -> TilesSeen:
        return TilesSeen.of(self.faces.read(self.photo.pixels, quads, briefly=self.briefly))

    def _hand(self, seen: TilesSeen, before: HandSeen | None = None) -> HandSeen:
        hand = HandSeen.of(seen, brief(self.habits) if self.briefly else self.habits)
        hand = hand.after(before) if before else hand
        self.watch(hand)
        return hand

    def _mended(self, hand: HandSeen) -> Iterator[TilesSeen]:
        """The tiles of a hand with whole ones, where they are surely seen, in the place of odd ones; and
        without those that their colour alone tells, which cloth and shadows have, too."""
        seen = hand.seen
        mends = [*hand.may_have(hand.table.mends(hand.likely, seen.nothing.astype(float)))]
        if not mends:
            return
        looks = self._named(np.concatenate([mend.quads for mend in mends]).astype(np.float32))
        parts = np.split(np.arange(len(looks.quads)), np.cumsum([len(mend.quads) for mend in mends])[:-1])
        sure = [self._sure(seen, *each) for each in zip(mends, map(looks.where, parts), strict=True)]
        taken: list[int] = []
        out: set[int] = set()
        for k in sorted(range(len(mends)), key=lambda k: -sure[k]):
            if sure[k] > self.habits.looks.found_later and out.isdisjoint(mends[k].out):
                out.update(mends[k].out)
                taken.append(k)
        tried = (Tried(mend, looks.where(parts[k]), sure[k], k in taken) for k, mend in enumerate(mends))
        self.watch(Mended(hand, tuple(tried)))
        printed = [k for k in taken if not _by_colour(seen, mends[k])]
        for some in (taken, printed) if len(printed) < len(taken) else (taken,):
            if some:
                lost = [i for k in some for i in mends[k].out]
                new = looks.where(np.concatenate([parts[k] for k in some]))
                kept = seen.where(np.delete(np.arange(len(seen.quads)), lost))
                yield replace(new.surely_tiles().ahead_of(kept), nothing=seen.nothing)

    def _sure(self, seen: TilesSeen, mend: Mend, looks: TilesSeen) -> float:
        """How sure it is, 0 to 1, that all the tiles of a mend are there."""
        if mend.like is not None:
            return self._alike(seen, mend.like, looks)
        faces = looks.probabilities[:, : len(FACES)].copy()
        if not mend.blank:
            faces[:, WHITE_INDEX] = 0
        return float(faces.max(axis=1).min())

    def _alike(self, seen: TilesSeen, like: int, looks: TilesSeen) -> float:
        """How sure it is, 0 to 1, that a place shows what the tile ``like`` shows: what has no print by its
        colour."""
        habit, chances, there = self.habits.looks, seen.probabilities[like], looks.probabilities[0]
        both = np.stack([looks.quads[0], seen.quads[like]])
        if (kind := chances.argmax()) == BACK_INDEX:
            alike = alike_in_colour(self.photo.pixels, both)
            return float(there[BACK_INDEX] > (habit.back_alike if alike else habit.back_unlike))
        if kind == WHITE_INDEX:
            white = there[WHITE_INDEX] > habit.white_alike and alike_in_colour(self.photo.pixels, both)
            return float(there[WHITE_INDEX] + there[BACK_INDEX]) if white else 0.0
        first, second = of_kinds(np.stack([there, chances]))
        return float(first @ second)
