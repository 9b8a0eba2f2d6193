"""The likeliest concealed part of a finished hand, exact, by dynamic programming over the kinds of tiles.

The rules alone define what is finished: sets and a pair, seven pairs or thirteen orphans; at most four tiles
of a kind; a limit of red fives for each suit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final

import numpy as np

from scorer.tiles import KIND_OF, KINDS
from vision.arrays import Array
from vision.config import CONFIG
from vision.labels import FACES

RED_OF: Final = {KIND_OF[face]: face for face in range(KINDS, len(FACES))}
"""Kinds that have a red five, and its face."""

RED_LIMIT: Final = {kind: 2 if FACES[kind][1] == "p" else 1 for kind in RED_OF}
"""Red fives of a suit in one set of tiles: one, or two of circles."""

_ORPHANS: Final = frozenset(k for k in range(KINDS) if k >= 27 or k % 9 in (0, 8))

Chosen = tuple[tuple[int, int], ...]
"""(tile, face) of each tile."""

_Rows = Sequence[Sequence[float]]
"""Gains (n, 37) as plain numbers: one by one they are read several times faster than from an array."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Tiles that are left beside called sets: ``kinds`` (34,), and ``reds`` of each kind of five."""

    kinds: tuple[int, ...]
    reds: dict[int, int]

    @classmethod
    def after(cls, faces: Iterable[int]) -> Limits | None:
        """The limits when called sets have these faces; None if the rules allow no such sets."""
        kinds, reds = [4] * KINDS, dict(RED_LIMIT)
        for face in faces:
            kinds[KIND_OF[face]] -= 1
            if face >= KINDS:
                reds[KIND_OF[face]] -= 1
        return None if min(kinds) < 0 or min(reds.values()) < 0 else cls(tuple(kinds), reds)


NO_SETS: Final = Limits((4,) * KINDS, dict(RED_LIMIT))


@dataclass(frozen=True, slots=True)
class _Option:
    """A choice of ``count`` tiles of a kind. ``mask``: which ambiguous tiles are among them, as bits."""

    count: int
    mask: int
    gain: float
    chosen: Chosen


_NOTHING: Final = _Option(0, 0, 0.0, ())


def best_concealed(
    gains: Array, size: int, limits: Limits = NO_SETS, *, least: float = -np.inf
) -> tuple[float, Chosen] | None:
    """The likeliest concealed part of ``size`` tiles (14 less three a called set), and its gain.

    ``gains`` (n, 37): log odds of a tile being in it with this face, against not being in it. None if no
    choice is finished with a gain above ``least``.
    """
    kinds = _Kinds.of(gains, limits)
    sets = size // 3
    found = [kinds.best(_sets_up_to(sets), (0, False, 0, 0), (sets, True, 0, 0), least)]
    if size == 14:
        found.append(kinds.best(_seven_pairs, 0, 7, least))
        found.append(kinds.best(_thirteen_orphans, 0, 14, least))
    legal = [each for each in found if each is not None]
    return max(legal, key=lambda each: each[0]) if legal else None


# --- the options of each kind ------------------------------------------------------------------------


def kind_gains(gains: Array) -> Array:
    """(n, 34): the gain of each kind, red or plain, of gains (n, 37)."""
    kinds = gains[:, :KINDS].copy()
    for kind, face in RED_OF.items():
        kinds[:, kind] = np.maximum(kinds[:, kind], gains[:, face])
    return kinds


_Trail = tuple["_Trail", Chosen] | None


@dataclass(frozen=True, slots=True)
class _Kinds:
    """``options`` of each kind. ``most`` (35, masks): upper bounds on the gain of the kinds from this one on,
    when the ambiguous tiles of the mask are used."""

    options: list[list[_Option]]
    most: list[list[float]]

    @classmethod
    def of(cls, gains: Array, limits: Limits) -> _Kinds:
        kinds = kind_gains(gains)
        best = kinds.max(axis=1) if len(kinds) else np.zeros(0)
        plausible = kinds > np.maximum(best - CONFIG.margin, -CONFIG.max_log_odds)[:, None]
        several = np.flatnonzero(plausible.sum(axis=1) > 1)
        second = np.sort(np.where(plausible, kinds, -np.inf), axis=1)[:, -2] if len(kinds) else best
        free = several[np.argsort(-second[several], kind="stable")][: CONFIG.search_width].tolist()
        bit = {tile: 1 << place for place, tile in enumerate(free)}
        for tile in several.tolist():
            if tile not in bit:
                plausible[tile] = False
                plausible[tile, kinds[tile].argmax()] = True
        made, rows = [], gains.tolist()
        for kind in range(KINDS):
            tiles = np.flatnonzero(plausible[:, kind]).tolist()
            made.append(list(_of_kind(kind, tiles, bit, rows, limits)) if tiles else [_NOTHING])
        # A settled tile counts at its kind; an ambiguous one counts once, with its best kind still to come.
        worth = np.where(plausible, np.maximum(kinds, 0), 0)
        to_come = np.maximum.accumulate(np.pad(worth, ((0, 0), (0, 1)))[:, ::-1], axis=1)[:, ::-1]
        settled = to_come[[tile for tile in range(len(gains)) if tile not in bit]].sum(axis=0)
        masks = np.arange(1 << len(free))[:, None] >> np.arange(len(free)) & 1
        most = settled[:, None] + to_come[free].T @ (1 - masks.T)
        return cls(made, most.tolist())

    def best(
        self, step: Callable[..., Iterator[object]], start: object, end: object, least: float
    ) -> tuple[float, Chosen] | None:
        """The best path from ``start`` to ``end``, its gain above ``least``. ``step`` yields the states after
        a kind, from the state before, the kind and the number of its tiles."""
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
    kind: int, tiles: Sequence[int], bit: dict[int, int], gains: _Rows, limits: Limits
) -> Iterator[_Option]:
    """The best option for each count and each choice of ambiguous tiles."""
    value = _valuation(kind, gains, limits.reds)
    free = [tile for tile in tiles if tile in bit]
    settled = sorted((tile for tile in tiles if tile not in bit), key=lambda tile: -value((tile,))[0])
    most = limits.kinds[kind]
    for number in range(min(len(free), most) + 1):
        for some in combinations(free, number):
            mask = sum(bit[tile] for tile in some)
            for more in range(min(len(settled), most - number) + 1):
                # Which fives are red depends on the others.
                ways = combinations(settled, more) if kind in RED_OF else [tuple(settled[:more])]
                gain, chosen = max((value((*some, *way)) for way in ways), key=lambda each: each[0])
                if all(gains[tile][face] > CONFIG.impossible for tile, face in chosen):
                    yield _Option(number + more, mask, gain, chosen)


def _valuation(
    kind: int, gains: _Rows, reds: dict[int, int]
) -> Callable[[tuple[int, ...]], tuple[float, Chosen]]:
    """A function from tiles to their best gain as tiles of this kind, and their faces."""
    if kind not in RED_OF:
        return lambda tiles: (
            sum(gains[tile][kind] for tile in tiles), tuple((tile, kind) for tile in tiles)
        )  # fmt: skip
    red, most = RED_OF[kind], reds[kind]

    def value(tiles: tuple[int, ...]) -> tuple[float, Chosen]:
        redder = sorted(tiles, key=lambda tile: gains[tile][kind] - gains[tile][red])
        are_red = {tile for tile in redder[:most] if gains[tile][red] > gains[tile][kind]}
        chosen = tuple((tile, red if tile in are_red else kind) for tile in tiles)
        return sum(gains[tile][face] for tile, face in chosen), chosen

    return value


# --- transitions from kind to kind ------------------------------------------------------------------------

_SHAPES: Final = {
    count: [
        (runs, triplet, pair)
        for runs in range(count + 1) for triplet in (0, 1) for pair in (0, 1)
        if runs + 3 * triplet + 2 * pair == count
    ]
    for count in range(5)
}  # fmt: skip
"""For each number of tiles of a kind beside runs already begun: the runs, triplet and pair that they
begin."""


def _sets_up_to(most: int) -> Callable[..., Iterator[object]]:
    """Transitions for sets and a pair. State: sets begun, whether there is a pair, runs whose last tile is of
    this kind, runs whose middle tile is."""

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
    """The ``faces`` of a called set's tiles and their ``gain``. ``face_down``: tiles of a closed kan, two of
    four, or one of three if the detector missed the fourth."""

    gain: float
    faces: tuple[int, ...]
    face_down: tuple[int, ...] = ()


def best_called(gains: Array, backs: Array, missed_back: float = 0.0) -> LegalSet | None:
    """The likeliest faces of three or four tiles as one called set; None if the rules allow no such set.

    ``gains`` (k, 37) of each face; ``backs`` (k,) of lying face down, as two tiles of a closed kan do. If the
    detector missed one of them, that costs ``missed_back``. A tile face down gets the face of the others.
    """
    kinds, count, rows = kind_gains(gains), len(gains), gains.tolist()
    found = [
        _same_kind(kind, range(count), rows)
        for kind in np.argsort(-kinds.sum(axis=0))[: CONFIG.alternatives].tolist()
    ]
    for kind in np.argsort(-np.sort(kinds, axis=0)[-2:].sum(axis=0))[: CONFIG.alternatives].tolist():
        order = np.argsort(kinds[:, kind] - backs, kind="stable").tolist()
        down, up = order[:-2], sorted(order[-2:])
        shown = _same_kind(kind, up, rows)
        faces = [kind] * count
        for place, face in zip(up, shown.faces, strict=True):
            faces[place] = face
        gain = shown.gain + float(backs[down].sum()) - missed_back * (count == 3)
        found.append(LegalSet(gain, tuple(faces), tuple(down)))
    if count == 3:
        found.append(_run(gains, kinds))
    best = max(found, key=lambda each: each.gain)
    return best if best.gain > CONFIG.impossible else None


def _same_kind(kind: int, places: Sequence[int], gains: _Rows) -> LegalSet:
    """The tiles at ``places`` as tiles of one kind."""
    gain, chosen = _valuation(kind, gains, RED_LIMIT)(tuple(places))
    return LegalSet(gain, tuple(face for _, face in chosen))


_ORDERS: Final = np.array([*permutations(range(3))])
_STARTS: Final = np.array([9 * suit + rank for suit in range(3) for rank in range(7)])


def _run(gains: Array, kinds: Array) -> LegalSet:
    """The likeliest run of three tiles."""
    totals = kinds[np.arange(3)[:, None], _STARTS + _ORDERS[..., None]].sum(axis=1)
    order, start = np.unravel_index(int(totals.argmax()), totals.shape)
    faces = []
    for place, step in enumerate(_ORDERS[order].tolist()):
        kind = int(_STARTS[start]) + step
        red = RED_OF.get(kind)
        faces.append(red if red is not None and gains[place, red] > gains[place, kind] else kind)
    return LegalSet(float(totals[order, start]), tuple(faces))
