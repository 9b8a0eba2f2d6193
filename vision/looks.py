"""What is seen of a photo, and looked at again where the hand that it makes is not sure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Array, Array32, Mask
from vision.decode import Decoded, choose
from vision.faces import FaceReader, Faces, alike_in_colour
from vision.finder import Finder
from vision.foreign import ForeignSeen, is_foreign
from vision.habits import HABITS, Habits
from vision.image import Photo
from vision.labels import BACK_INDEX, CLASSES, FACES, NOT_A_FACE_INDEX, WHITE_INDEX
from vision.mend import Mend
from vision.quads import SAME_TILE, covered, sizes, suppress
from vision.reading import Region
from vision.rows import of_kinds
from vision.table import Layout, Table
from vision.watch import Watch, nobody


class Standing(IntEnum):
    """What a hand is, the better the higher."""

    OPEN = 0
    WAITING = 1
    FINISHED = 2
    """But seen at too low an angle."""
    TRUSTED = 3
    """Finished, and seen well."""


class Worth(NamedTuple):
    """How good a hand is beside another of the same photo. ``weakest``: the probability of the least sure
    tile of a finished hand, 0 for any other."""

    standing: Standing
    weakest: float = 0.0


@dataclass(frozen=True, slots=True)
class TilesSeen:
    """Tiles as the networks see them: quads (n, 4, 2), probabilities (n, 39), rotation (n, 4); ``nothing``:
    quads (k, 4, 2) that the finder took for tiles and the face network did not; ``foreign``: tiles that no
    hand has, which are none of these. A look of its own alone knows them."""

    quads: Array32
    probabilities: Array
    rotation: Array
    nothing: Array32 = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))
    foreign: ForeignSeen = field(default_factory=ForeignSeen)

    @classmethod
    def of(cls, faces: Faces) -> TilesSeen:
        return cls(faces.quads, faces.probabilities.astype(float), faces.rotation.astype(float))

    def where(self, which: NDArray[Any]) -> TilesSeen:
        return TilesSeen(self.quads[which], self.probabilities[which], self.rotation[which], self.nothing)

    def once_each(self) -> TilesSeen:
        """Without the weaker ones of quads that have come to lie on one tile."""
        order = np.argsort(-self.probabilities.max(axis=1), kind="stable")
        kept = order[suppress(self.quads[order], SAME_TILE)]
        return self.where(np.sort(kept))

    def surely_tiles(self) -> TilesSeen:
        """Something lies there, or the look was in vain: "no tile" is no answer any more."""
        chances = np.delete(self.probabilities, NOT_A_FACE_INDEX, axis=1)
        chances /= chances.sum(axis=1, keepdims=True)
        return replace(self, probabilities=np.insert(chances, NOT_A_FACE_INDEX, 0, axis=1))

    def parted(self, chance: float) -> tuple[TilesSeen, TilesSeen]:
        """Those that are likelier what they seem than ``chance``, and the others."""
        sure = self.probabilities.max(axis=1) > chance
        return self.where(sure), self.where(~sure)

    def ahead_of(self, other: TilesSeen) -> TilesSeen:
        """With those of another look that lie on none of these."""
        both = self.joined(other)
        return both.where(suppress(both.quads, SAME_TILE))

    def joined(self, other: TilesSeen) -> TilesSeen:
        return TilesSeen(
            np.concatenate([self.quads, other.quads]),
            np.concatenate([self.probabilities, other.probabilities]),
            np.concatenate([self.rotation, other.rotation]),
            self.nothing,
        )


@dataclass(frozen=True, slots=True)
class HandSeen:
    """Tiles, and the likeliest hand among them. ``above``: they were looked at from above."""

    seen: TilesSeen
    table: Table
    layout: Layout
    decoded: Decoded
    above: bool

    @classmethod
    def of(cls, seen: TilesSeen, habits: Habits = HABITS, *, above: bool = False) -> HandSeen:
        """The likeliest hand among at least one tile."""
        table = Table.of(seen.quads.astype(float), seen.probabilities, seen.rotation, habits)
        layout, decoded = choose(table.layouts(), seen.probabilities, habits.decode)
        return cls(seen, table, layout, decoded, above)

    @property
    def habits(self) -> Habits:
        return self.table.tiles.habits

    @property
    def finished(self) -> bool:
        legal = self.layout.size == 14 and self.decoded.legal
        return legal and self.weakest > self.habits.looks.never

    @property
    def weakest(self) -> float:
        """The probability of the least sure tile of the hand."""
        inside = list(self.layout.hand)
        faces = [CLASSES.index(self.decoded.labels[i]) for i in inside]
        return float(self.seen.probabilities[inside, faces].min(initial=1.0))

    @property
    def worth(self) -> Worth:
        if self.finished:
            trusted = self.above or self.table.flattened < self.habits.looks.flattened
            return Worth(Standing.TRUSTED if trusted else Standing.FINISHED, self.weakest)
        waits = self.layout.size == 13 and self.decoded.legal
        return Worth(Standing.WAITING if waits else Standing.OPEN)

    @property
    def sure(self) -> bool:
        """Whether no other look is needed."""
        return self.worth >= Worth(Standing.TRUSTED, self.habits.looks.sure)


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


@dataclass(frozen=True, slots=True)
class Again:
    """A second look: ``how`` it was done, the hand that it makes, and whether that is better than the best of
    those before it."""

    how: str
    hand: HandSeen
    better: bool


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
        faces = self.faces.read(self.photo.pixels, quads)
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

    def arrange(self, seen: TilesSeen, *, above: bool = False) -> HandSeen:
        """The likeliest hand, after its halves, doubles and what seemed no tile beside it were looked at."""
        hand = self._hand(seen, above)
        if self.briefly:
            return hand
        for _ in range(self.habits.mends.rounds):
            mended = self._mended(hand)
            if mended is hand.seen:
                break
            better = self._hand(mended, above)
            if hand.finished and not better.finished:
                break
            hand = better
        return hand

    def again(self, first: HandSeen) -> HandSeen:
        """The hand with tiles that were missed, if they make a better one of it; else as it was."""
        best = first
        for how, hand in self._more(first):
            better = hand.worth > best.worth
            self.watch(Again(how, hand, better))
            if better:
                best = hand
            if best.sure:
                break
        return best

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

    def _hand(self, seen: TilesSeen, above: bool) -> HandSeen:
        return self._kept(HandSeen.of(seen, self.habits, above=above))

    def _kept(self, hand: HandSeen) -> HandSeen:
        self.watch(hand)
        return hand

    def _mended(self, hand: HandSeen) -> TilesSeen:
        """The tiles of a hand with whole ones, where they are surely seen, in the place of odd ones."""
        seen = hand.seen
        mends = list(hand.table.mends(hand.layout, seen.nothing.astype(float)))
        if not mends:
            return seen
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
        if not taken:
            return seen
        kept = seen.where(np.delete(np.arange(len(seen.quads)), list(out)))
        new = looks.where(np.concatenate([parts[k] for k in taken]))
        return replace(new.surely_tiles().ahead_of(kept), nothing=seen.nothing)

    def _sure(self, seen: TilesSeen, mend: Mend, looks: TilesSeen) -> float:
        """How sure it is, 0 to 1, that all the tiles of a mend are there."""
        if mend.like is not None:
            if seen.probabilities[mend.like].argmax() != BACK_INDEX:
                both = of_kinds(np.stack([looks.probabilities[0], seen.probabilities[mend.like]]))
                return float(both[0] @ both[1])
            pair = np.stack([looks.quads[0], seen.quads[mend.like]])
            maybe = looks.probabilities[0, BACK_INDEX] > self.habits.looks.back_alike
            return float(maybe and alike_in_colour(self.photo.pixels, pair))
        faces = looks.probabilities[:, : len(FACES)].copy()
        if not mend.blank:
            faces[:, WHITE_INDEX] = 0
        return float(faces.max(axis=1).min())

    def _more(self, first: HandSeen) -> Iterator[tuple[str, HandSeen]]:
        """The hands of those who look closer, the cheapest look first."""
        holes = _holes(first)
        yield from self._filled(first, holes)
        hand = self._from_above(first)
        yield "from above", hand
        more = _holes(hand)
        yield from self._filled(hand, more[~covered(more, holes)], above=True)

    def _from_above(self, first: HandSeen) -> HandSeen:
        """The hand with what is seen about it from above, where even what lies flat and far away has the
        shape of a tile. Tiles that were read well are not read again."""
        habit, tiles = self.habits.looks, first.table.tiles
        mine = np.array([i for i in first.layout.hand if tiles.usable[i]], np.intp)
        if len(mine) < habit.core:
            view = first.table.from_above(habit.above, self.finder.widest)
        else:
            view = tiles.plane.from_above(tiles.quads[mine], habit.above, self.finder.widest)
        quads = self._inside(self.finder.find_through(self.photo.pixels, *view).quads)[: habit.most_tiles]
        settled, others = first.seen.parted(habit.settled)
        found = self.see(quads[~covered(quads, settled.quads)])
        if not len(found.quads):
            return self._kept(replace(first, above=True))
        (sure, unsure), (old, rest) = (each.parted(habit.found_later) for each in (found, others))
        both = settled.ahead_of(sure).ahead_of(old).ahead_of(unsure).ahead_of(rest)
        return self.arrange(replace(both, nothing=found.nothing), above=True)

    def _filled(
        self, hand: HandSeen, holes: Array32, *, above: bool = False
    ) -> Iterator[tuple[str, HandSeen]]:
        """The hand with the tiles that its holes (k, 4, 2) show, without what can be no whole tile; none
        there, none."""
        habit = self.habits.looks
        more = self._named(holes)
        face = more.probabilities[:, : len(FACES)].max(axis=1, initial=0) > habit.found_later
        back = more.probabilities[:, BACK_INDEX] > habit.back_later
        more = more.where(face | back)
        if not len(more.quads):
            return
        kept = np.delete(np.arange(len(hand.seen.quads)), hand.table.suspects())
        yield "holes filled", self.arrange(hand.seen.where(kept).joined(more.surely_tiles()), above=above)


def _holes(hand: HandSeen) -> Array32:
    """Quads (k, 4, 2) beside the tiles of a hand where one may have been missed, none of a finished one."""
    if hand.finished:
        return np.zeros((0, 4, 2), np.float32)
    return hand.table.holes(hand.layout).astype(np.float32)
