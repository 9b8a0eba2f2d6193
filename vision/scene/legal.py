"""Which tiles, as which faces, make the likeliest concealed part of a finished hand: exactly, by dynamic
programming over the kinds of tiles.

What counts as finished is a matter of rules alone: sets and a pair, seven pairs, thirteen orphans; four tiles
of a kind; so many red fives a suit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final

import numpy as np

from scorer.tiles import KIND_OF, KINDS
from vision.arrays import Array
from vision.labels import FACES

RED_OF: Final = {KIND_OF[face]: face for face in range(KINDS, len(FACES))}
"""Kinds that have a red five, and its face."""

RED_LIMIT: Final = {kind: 2 if FACES[kind][1] == "p" else 1 for kind in RED_OF}
"""Red fives of a suit in one set of tiles: one, or two of circles."""

_IMPOSSIBLE: Final = -25.0
"""A tile has no face with a gain of no more than this."""

_ORPHANS: Final = frozenset(k for k in range(KINDS) if k >= 27 or k % 9 in (0, 8))

Chosen = tuple[tuple[int, int], ...]
"""Tiles and the face that each has."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What called sets leave: ``kinds`` (34,) tiles of each kind, and ``reds`` of each kind of five."""

    kinds: tuple[int, ...]
    reds: dict[int, int]

    @classmethod
    def after(cls, faces: Iterable[int]) -> Limits | None:
        """Where tiles of these faces lie in called sets; None where there cannot be so many."""
        kinds, reds = [4] * KINDS, dict(RED_LIMIT)
        for face in faces:
            kinds[KIND_OF[face]] -= 1
            if face >= KINDS:
                reds[KIND_OF[face]] -= 1
        return None if min(kinds) < 0 or min(reds.values()) < 0 else cls(tuple(kinds), reds)


NO_SETS: Final = Limits((4,) * KINDS, dict(RED_LIMIT))


_PLAUSIBLE: Final = 6.0
"""Gain by which another kind of a tile may be less likely than its best one."""

_LEAST: Final = -8.0
"""A tile has no kind with a gain of no more than this."""

_OPEN: Final = 6
"""Tiles at most that may be of several kinds."""


@dataclass(frozen=True, slots=True)
class _Option:
    """So many tiles of a kind. ``mask``: which tiles of several kinds are among them."""

    count: int
    mask: int
    gain: float
    chosen: Chosen


_NOTHING: Final = _Option(0, 0, 0.0, ())


def best_concealed(
    gains: Array, size: int, limits: Limits = NO_SETS, *, least: float = -np.inf
) -> tuple[float, Chosen] | None:
    """The likeliest concealed part of ``size`` tiles (14 less three a called set), and its gain.

    ``gains`` (n, 37): what it adds to the scene's log probability that a tile is of it with this face, rather
    than not of it. None where no choice is finished, or none whose gain is more than ``least``.
    """
    kinds = _Kinds.of(gains, limits)
    sets = size // 3
    found = [kinds.best(_sets_up_to(sets), (0, False, 0, 0), (sets, True, 0, 0), least)]
    if size == 14:
        found.append(kinds.best(_seven_pairs, 0, 7, least))
        found.append(kinds.best(_thirteen_orphans, 0, 14, least))
    legal = [each for each in found if each is not None]
    return max(legal, key=lambda each: each[0]) if legal else None


# --- what each kind may be made of ------------------------------------------------------------------------


def kind_gains(gains: Array) -> Array:
    """(n, 34): the gain of each kind, red or plain, of gains (n, 37)."""
    kinds = gains[:, :KINDS].copy()
    for kind, face in RED_OF.items():
        kinds[:, kind] = np.maximum(kinds[:, kind], gains[:, face])
    return kinds


_Trail = tuple["_Trail", Chosen] | None


@dataclass(frozen=True, slots=True)
class _Kinds:
    """``options``: of each kind, what it may be made of. ``most`` (35, masks): the gain that kinds from this
    one on can still bring, at most, where these of the free tiles are used."""

    options: list[list[_Option]]
    most: list[list[float]]

    @classmethod
    def of(cls, gains: Array, limits: Limits) -> _Kinds:
        kinds = kind_gains(gains)
        best = kinds.max(axis=1) if len(kinds) else np.zeros(0)
        plausible = kinds > np.maximum(best - _PLAUSIBLE, _LEAST)[:, None]
        several = np.flatnonzero(plausible.sum(axis=1) > 1)
        second = np.sort(np.where(plausible, kinds, -np.inf), axis=1)[:, -2] if len(kinds) else best
        free = several[np.argsort(-second[several], kind="stable")][:_OPEN].tolist()
        bit = {tile: 1 << place for place, tile in enumerate(free)}
        for tile in several.tolist():
            if tile not in bit:
                plausible[tile] = False
                plausible[tile, kinds[tile].argmax()] = True
        made = []
        for kind in range(KINDS):
            tiles = np.flatnonzero(plausible[:, kind]).tolist()
            made.append(list(_of_kind(kind, tiles, bit, gains, limits)) if tiles else [_NOTHING])
        # A settled tile brings its gain at its kind; a free one its best among the kinds to come, once.
        worth = np.where(plausible, np.maximum(kinds, 0), 0)
        to_come = np.maximum.accumulate(np.pad(worth, ((0, 0), (0, 1)))[:, ::-1], axis=1)[:, ::-1]
        settled = to_come[[tile for tile in range(len(gains)) if tile not in bit]].sum(axis=0)
        masks = np.arange(1 << len(free))[:, None] >> np.arange(len(free)) & 1
        most = settled[:, None] + to_come[free].T @ (1 - masks.T)
        return cls(made, most.tolist())

    def best(
        self, step: Callable[..., Iterator[object]], start: object, end: object, least: float
    ) -> tuple[float, Chosen] | None:
        """The best way from a state to another. ``step`` yields the states after a kind, by the state before,
        the kind and how many tiles of it there are."""
        states: dict[tuple[object, int], tuple[float, _Trail]] = {(start, 0): (0.0, None)}
        for kind, several in enumerate(self.options):
            after: dict[tuple[object, int], tuple[float, _Trail]] = {}
            most = self.most[kind + 1]
            for (state, used), (gain, trail) in states.items():
                for option in several:
                    total, mask = gain + option.gain, used | option.mask
                    if option.mask & used or total + most[mask] <= least:
                        continue
                    for new in step(state, kind, option.count):
                        key = new, mask
                        if key not in after or total > after[key][0]:
                            after[key] = total, ((trail, option.chosen) if option.chosen else trail)
            states = after
        ends = [each for (state, _), each in states.items() if state == end]
        if not ends:
            return None
        gain, trail = max(ends, key=lambda each: each[0])
        chosen: list[tuple[int, int]] = []
        while trail:
            trail, some = trail
            chosen += some
        return gain, tuple(sorted(chosen))


def _of_kind(
    kind: int, tiles: Sequence[int], bit: dict[int, int], gains: Array, limits: Limits
) -> Iterator[_Option]:
    """For each count and each choice of free tiles the best option."""
    value = _valued(kind, gains, limits.reds)
    free = [tile for tile in tiles if tile in bit]
    settled = sorted((tile for tile in tiles if tile not in bit), key=lambda tile: -value((tile,))[0])
    most = limits.kinds[kind]
    for number in range(min(len(free), most) + 1):
        for some in combinations(free, number):
            mask = sum(bit[tile] for tile in some)
            for more in range(min(len(settled), most - number) + 1):
                # Among fives it depends on the others which are red.
                ways = combinations(settled, more) if kind in RED_OF else [tuple(settled[:more])]
                gain, chosen = max((value((*some, *way)) for way in ways), key=lambda each: each[0])
                if min((gains[each] for each in chosen), default=0.0) > _IMPOSSIBLE:
                    yield _Option(number + more, mask, gain, chosen)


def _valued(
    kind: int, gains: Array, reds: dict[int, int]
) -> Callable[[tuple[int, ...]], tuple[float, Chosen]]:
    """What tiles are worth together as tiles of a kind, and their faces."""
    if kind not in RED_OF:
        return lambda tiles: (
            float(sum(gains[tile, kind] for tile in tiles)), tuple((tile, kind) for tile in tiles)
        )  # fmt: skip
    red, most = RED_OF[kind], reds[kind]

    def value(tiles: tuple[int, ...]) -> tuple[float, Chosen]:
        redder = sorted(tiles, key=lambda tile: gains[tile, kind] - gains[tile, red])
        are_red = {tile for tile in redder[:most] if gains[tile, red] > gains[tile, kind]}
        chosen = tuple((tile, red if tile in are_red else kind) for tile in tiles)
        return float(sum(gains[tile, face] for tile, face in chosen)), chosen

    return value


# --- kind by kind to a finished hand ------------------------------------------------------------------------

_SHAPES: Final = {
    count: [
        (runs, triplet, pair)
        for runs in range(count + 1) for triplet in (0, 1) for pair in (0, 1)
        if runs + 3 * triplet + 2 * pair == count
    ]
    for count in range(5)
}  # fmt: skip
"""What tiles of a kind that are left over begin: runs, a triplet, the pair."""


def _sets_up_to(most: int) -> Callable[..., Iterator[object]]:
    """Sets and a pair. State: sets begun, whether there is a pair, runs whose last tile comes now, runs whose
    middle one does."""

    def step(state: tuple[int, bool, int, int], kind: int, count: int) -> Iterator[object]:
        sets, paired, last, middle = state
        left = count - last - middle
        if left < 0:
            return
        runs_begin = kind < 27 and kind % 9 < 7
        for runs, triplet, pair in _SHAPES[left]:
            if sets + runs + triplet > most or (pair and paired) or (runs and not runs_begin):
                continue
            yield sets + runs + triplet, paired or bool(pair), middle, runs

    return step


def _seven_pairs(state: int, kind: int, count: int) -> Iterator[object]:
    if count in (0, 2):
        yield state + count // 2


def _thirteen_orphans(state: int, kind: int, count: int) -> Iterator[object]:
    if kind in _ORPHANS and count in (1, 2) and state + count <= 14:
        yield state + count
    elif kind not in _ORPHANS and not count:
        yield state


# --- called sets --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LegalSet:
    """The ``faces`` of a called set's tiles, the ``gain`` of these, and which of them lie face ``down`` as in
    a closed kan: of four tiles two, of three one, where the fourth was not seen."""

    gain: float
    faces: tuple[int, ...]
    down: tuple[int, ...] = ()


def best_called(gains: Array, backs: Array, escaped: float = 0.0) -> LegalSet | None:
    """The likeliest faces of three or four tiles that are one called set; None where they can be none.

    ``gains`` (k, 37) of each face, ``backs`` (k,) that a tile is face down: in no set but a closed kan is
    one. There two are, of which one may have escaped: that costs ``escaped``. A tile that is face down gets
    the others' face.
    """
    kinds, count = kind_gains(gains), len(gains)
    found = [_alike(kind, range(count), gains) for kind in np.argsort(-kinds.sum(axis=0))[:_TRIED].tolist()]
    for kind in np.argsort(-np.sort(kinds, axis=0)[-2:].sum(axis=0))[:_TRIED].tolist():
        order = np.argsort(kinds[:, kind] - backs, kind="stable").tolist()
        down, up = order[:-2], sorted(order[-2:])
        shown = _alike(kind, up, gains)
        faces = [kind] * count
        for place, face in zip(up, shown.faces, strict=True):
            faces[place] = face
        gain = shown.gain + float(backs[down].sum()) - escaped * (count == 3)
        found.append(LegalSet(gain, tuple(faces), tuple(down)))
    if count == 3:
        found.append(_run(gains, kinds))
    best = max(found, key=lambda each: each.gain)
    return best if best.gain > _IMPOSSIBLE else None


_TRIED: Final = 3
"""Kinds of a triplet that are tried, the likeliest by the sum of gains; red fives apart the first is best."""


def _alike(kind: int, places: Sequence[int], gains: Array) -> LegalSet:
    gain, chosen = _valued(kind, gains, RED_LIMIT)(tuple(places))
    return LegalSet(gain, tuple(face for _, face in chosen))


_ORDERS: Final = tuple(permutations(range(3)))
_STARTS: Final = np.array([9 * suit + rank for suit in range(3) for rank in range(7)])


def _run(gains: Array, kinds: Array) -> LegalSet:
    totals = np.array([
        sum(kinds[place, _STARTS + step] for place, step in enumerate(order)) for order in _ORDERS
    ])  # fmt: skip
    order, start = np.unravel_index(int(totals.argmax()), totals.shape)
    faces = []
    for place, step in enumerate(_ORDERS[int(order)]):
        kind = int(_STARTS[start]) + step
        red = RED_OF.get(kind)
        faces.append(red if red is not None and gains[place, red] > gains[place, kind] else kind)
    return LegalSet(float(totals[order, start]), tuple(faces))
