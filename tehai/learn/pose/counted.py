"""The shanten of an unfinished hand as books count it: eight, minus two for a set, one for a block, one for
the pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from scorer.telling.sentence import Line, Sentence, Tiles, say
from scorer.tiles import KINDS, TILES, count_kinds

_SETS: Final = 4
_PAIRS: Final = 7

_Kinds = tuple[int, ...]
_Cut = tuple[_Kinds, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """``sets``, ``blocks`` (two tiles of a set), ``pairs`` (0 or 1), all without declared sets.

    ``away``: the shanten by this count.
    """

    sets: _Cut
    blocks: _Cut
    pairs: _Cut
    away: int


def left_over(tiles: Tiles) -> Tiles:
    """The tiles outside sets and pair in the division with the lowest shanten. The number of tiles need not
    fit."""
    found = counted(tiles, (_SETS * 3 + 2 - len(tiles)) // 3)
    rest = list(count_kinds(tiles))
    for group in (*found.sets, *found.pairs[:1]):
        for kind in group:
            rest[kind] -= 1
    return tuple(TILES[kind] for kind, many in enumerate(rest) for _ in range(many))


def counted(concealed: Tiles, declared: int) -> Counted:
    """The division with the lowest shanten; among equal ones the one with most sets."""
    best: Counted | None = None
    for sets in _sets(count_kinds(concealed), 0, _SETS - declared):
        for pairs, blocks in _rest(_without(count_kinds(concealed), sets), _SETS - declared - len(sets)):
            away = 2 * (_SETS - declared - len(sets)) - len(blocks) - len(pairs)
            if best is None or (away, -len(sets)) < (best.away, -len(best.sets)):
                best = Counted(sets, blocks, pairs, away)
    assert best is not None
    return best


def _without(counts: _Kinds, groups: _Cut) -> list[int]:
    left = list(counts)
    for group in groups:
        for kind in group:
            left[kind] -= 1
    return left


def _sets(counts: _Kinds, first: int, most: int) -> Iterator[_Cut]:
    """Every choice of at most so many sets, from a kind upwards."""
    yield ()
    if not most:
        return
    for kind in range(first, KINDS):
        for group in _sets_from(kind):
            left = _without(counts, (group,))
            if min(left) >= 0:
                for more in _sets(tuple(left), kind, most - 1):
                    yield (group, *more)


def _sets_from(kind: int) -> Iterator[_Kinds]:
    yield (kind,) * 3
    if kind < 27 and kind % 9 <= 6:
        yield (kind, kind + 1, kind + 2)


def _rest(left: list[int], room: int) -> Iterator[tuple[_Cut, _Cut]]:
    """Every choice of a pair or none, with as many blocks as there is room for."""
    yield (), tuple(_blocks(left))[:room]
    for kind in range(KINDS):
        if left[kind] >= 2:
            yield ((kind, kind),), tuple(_blocks(_without(tuple(left), ((kind, kind),))))[:room]


def _blocks(left: list[int]) -> Iterator[_Kinds]:
    """Blocks of two tiles, lowest first, as many as possible: all help equally."""
    left = list(left)
    for kind in range(KINDS):
        for other in (kind, *((kind + 1, kind + 2) if kind < 27 else ())):
            if other // 9 != kind // 9:
                continue
            while left[kind] >= 1 + (other == kind) and left[other] >= 1:
                left[kind] -= 1
                left[other] -= 1
                yield (kind, other)


def lines(concealed: Tiles, declared: int, away: int) -> Iterator[Line]:
    """The count in words, for each form of hand that has the shanten of the scorer."""
    found = counted(concealed, declared)
    if found.away == away:
        for name, groups in (("sets", found.sets), ("blocks", found.blocks), ("pair", found.pairs)):
            if groups:
                group_tiles = tuple(tuple(TILES[kind] for kind in group) for group in groups)
                yield Line(Sentence(f"counted.{name}"), group_tiles)
        sets = len(found.sets) + declared
        values = {"sets": sets, "twice": 2 * sets, "blocks": len(found.blocks), "pair": len(found.pairs)}
        yield Line(Sentence("counted.sum", {**values, "away": away}))
    held = [count for count in count_kinds(concealed) if count]
    pairs = sum(count > 1 for count in held)
    if not declared and len(held) >= _PAIRS and _PAIRS - 1 - pairs == away:
        yield Line(say("counted.pairs", many=pairs, away=away))
