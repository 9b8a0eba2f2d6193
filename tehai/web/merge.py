"""Merge several shots of one hand into one reading.

The shot with most of a hand is the base. The tiles of each other shot are matched with it group by group:
equal labels first, then tiles with a common candidate. The probabilities of matched tiles are multiplied.

A meld, an indicator or the winning tile that the base lacks is added. A doubt that one shot does not have
is dropped. A shot that differs too much shows another hand, and is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from scorer.hand import Meld
from scorer.hand_tiles import HandTiles
from scorer.tiles import Tile
from vision.labels import FACES
from vision.reading import DOUBTS, Doubt, Reading, SeenTile

DIFFERENT: Final = 4
"""The most tiles in which two shots of one hand may differ. A hand with more misread tiles would not help."""

_INDICATORS: Final[Mapping[str, str]] = {"dora": "dora_indicators", "ura": "ura_indicators"}
"""The field of each role."""

_ELSE: Final = 0.002
"""The probability of a label that is neither the tile's label nor its runner-up."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged reading.

    ``reading``: of the shot ``base``, with the additions of the others. ``shots``: for each tile the shot
    that its quad refers to. ``unlike``: the shots with another hand or none.
    """

    reading: Reading
    base: int
    shots: tuple[int, ...]
    unlike: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Shot:
    """One shot, or several merged ones: ``tiles`` of the photo, ``hand_tiles`` of the hand."""

    tiles: tuple[SeenTile, ...]
    hand_tiles: HandTiles

    @classmethod
    def of(cls, reading: Reading) -> _Shot | None:
        """None for a reading without a hand."""
        if reading.hand is None:
            return None
        return cls(reading.tiles, HandTiles.from_record(reading.hand, reading.known))


def merge(readings: Sequence[Reading]) -> Merged:
    """Merge one shot or more."""
    base = max(range(len(readings)), key=lambda at: _worth(readings[at]))
    first = merged = _Shot.of(readings[base])
    unlike = []
    shots = [base] * len(readings[base].tiles)
    for at, other in enumerate(map(_Shot.of, readings)):
        if at == base:
            continue
        more = None if merged is None or other is None else _joined(merged, other)
        if more is None:
            unlike.append(at)
            continue
        shots += [at] * (len(more.tiles) - len(shots))
        merged = more
    if first is None or merged is None:
        return Merged(readings[base], base, tuple(shots), tuple(unlike))
    if first.hand_tiles.is_complete and not merged.hand_tiles.is_complete:  # more sights have spoilt it
        merged, shots = first, shots[: len(first.tiles)]
    alike = [reading for at, reading in enumerate(readings) if at not in unlike]
    judged = _judged(readings[base], merged)
    if len(alike) > 1:
        judged = _less_doubted(judged, readings[base], alike)
    return Merged(judged, base, tuple(shots), tuple(unlike))


def _worth(reading: Reading) -> tuple[bool, int, float]:
    """The quality of a base: a finished hand first, then more tiles, then a more certain worst tile."""
    sure = [tile.probability for tile in reading.tiles if tile.role != "other"]
    return reading.status == "ok", min(len(sure), 14), min(sure, default=0.0)


def _groups(shot: _Shot) -> dict[str, list[int]]:
    """Indices of the tiles by group: ``closed`` with the winning tile, ``meld:0``…, ``dora``, ``ura``."""
    groups: dict[str, list[int]] = {}
    for at, tile in enumerate(shot.tiles):
        if tile.role != "other":
            groups.setdefault("closed" if tile.role in ("hand", "win") else tile.role, []).append(at)
    return groups


def _joined(mine: _Shot, theirs: _Shot) -> _Shot | None:
    """``mine`` merged with ``theirs``; None if the two show different hands."""
    own, fresh, pairs, left = _groups(mine), [], list[tuple[int, SeenTile]](), 0
    more = list[SeenTile]()
    for name, indices in _groups(theirs).items():
        group = [theirs.tiles[at] for at in indices]
        place = _place(name, group, mine, own)
        if place is None:
            fresh.append(name)
            continue
        ours = own.pop(place)
        found = _pairs(ours, group, mine)
        rest = [tile for tile in group if all(tile is not one for _, one in found)]
        if name in _INDICATORS and len(found) == len(ours):
            more += rest
        else:
            left += len(rest)
        pairs += found
    alike = sum(mine.tiles[at].label == tile.label for at, tile in pairs)
    if len(pairs) - alike + left > min(DIFFERENT, alike):
        return None
    joined = mine
    for at, tile in pairs:
        joined = _with_tile(joined, at, _together(mine.tiles[at], tile))
    joined = _with_win(joined, theirs)
    for name in fresh:
        joined = _with_group(joined, name, theirs)
    for tile in more:
        joined = _with_indicator(joined, tile)
    return joined


def _place(name: str, group: Sequence[SeenTile], mine: _Shot, own: dict[str, list[int]]) -> str | None:
    """Our group that matches theirs; a meld needs more than half of its tiles equal."""
    if not name.startswith("meld:"):
        return name if name in own else None
    for place, indices in own.items():
        if place.startswith("meld:") and 2 * len(_alike(indices, group, mine)) > len(group):
            return place
    return None


def _alike(indices: Sequence[int], group: Sequence[SeenTile], mine: _Shot) -> list[tuple[int, SeenTile]]:
    """Our tiles with theirs of the same label, most certain with most certain."""
    theirs, pairs = sorted(group, key=lambda tile: -tile.probability), []
    for at in sorted(indices, key=lambda at: -mine.tiles[at].probability):
        tile = next((tile for tile in theirs if tile.label == mine.tiles[at].label), None)
        if tile is not None:
            pairs.append((at, tile))
            theirs.remove(tile)
    return pairs


def _pairs(indices: Sequence[int], group: Sequence[SeenTile], mine: _Shot) -> list[tuple[int, SeenTile]]:
    """Pairs of our tiles and theirs: equal labels, then common candidates, then single tiles left over."""
    pairs = _alike(indices, group, mine)
    ours = [at for at in indices if all(at != found for found, _ in pairs)]
    theirs = [tile for tile in group if all(tile is not found for _, found in pairs)]
    for at in list(ours):
        tile = next((tile for tile in theirs if _may_be_one(mine.tiles[at], tile)), None)
        if tile is not None:
            pairs.append((at, tile))
            ours.remove(at)
            theirs.remove(tile)
    if len(ours) == len(theirs) == 1:
        pairs.append((ours[0], theirs[0]))
    return pairs


def _may_be_one(one: SeenTile, other: SeenTile) -> bool:
    return one.runner_up[0] == other.label or other.runner_up[0] == one.label


def _together(one: SeenTile, other: SeenTile) -> SeenTile:
    """The tile with the evidence of both shots."""
    labels = dict.fromkeys((one.label, other.label, one.runner_up[0], other.runner_up[0]))
    likely = {label: _of(one, label) * _of(other, label) for label in labels}
    whole = sum(likely.values())
    best, second = sorted(likely, key=lambda label: -likely[label])[:2]
    if best != one.label and not {best, one.label} <= {*FACES}:  # a back in a kan stays what it is
        best, second = one.label, best
    return replace(
        one,
        label=best,
        probability=likely[best] / whole,
        runner_up=(second, likely[second] / whole),
        source=one.source if best == one.label else "seen",
    )


def _of(tile: SeenTile, label: str) -> float:
    """The probability that the tile has this label."""
    if label == tile.label:
        return max(tile.probability, _ELSE)
    return max(tile.runner_up[1], _ELSE) if label == tile.runner_up[0] else _ELSE


# --- the record follows the tiles -----------------------------------------------------------------------


def _with_tile(shot: _Shot, at: int, tile: SeenTile) -> _Shot:
    """The shot with one tile replaced."""
    old, hand_tiles = shot.tiles[at], shot.hand_tiles
    tiles = (*shot.tiles[:at], tile, *shot.tiles[at + 1 :])
    if tile.label == old.label:
        return _Shot(tiles, hand_tiles)
    before, after = Tile.parse(old.label), Tile.parse(tile.label)
    if old.role == "win":
        hand_tiles = replace(hand_tiles, win_tile=after)
    elif old.role == "hand":
        hand_tiles = replace(hand_tiles, concealed=_swapped(hand_tiles.concealed, before, after))
    elif old.role.startswith("meld:"):
        melds, which = list(hand_tiles.melds), int(old.role.removeprefix("meld:"))
        meld = melds[which]
        melds[which] = Meld(meld.type, _swapped(meld.tiles, before, after), meld.source)
        hand_tiles = replace(hand_tiles, melds=tuple(melds))
    else:
        hand_tiles = _with_indicators(
            hand_tiles, old.role, _swapped(_indicators(hand_tiles, old.role), before, after)
        )
    return _Shot(tiles, hand_tiles)


def _swapped(tiles: tuple[Tile, ...], old: Tile, new: Tile) -> tuple[Tile, ...]:
    """The tiles with one of them replaced."""
    if old not in tiles:
        return tiles
    at = tiles.index(old)
    return (*tiles[:at], new, *tiles[at + 1 :])


def _with_win(mine: _Shot, theirs: _Shot) -> _Shot:
    """Our hand with the winning tile that only the other shot shows apart."""
    hand_tiles, won = mine.hand_tiles, theirs.hand_tiles.win_tile
    if (
        hand_tiles.win_tile is not None
        or won not in hand_tiles.concealed
        or len(hand_tiles.concealed) % 3 != 2
    ):
        return mine
    at = next(at for at, tile in enumerate(mine.tiles) if tile.role == "hand" and tile.label == str(won))
    tiles = (*mine.tiles[:at], replace(mine.tiles[at], role="win"), *mine.tiles[at + 1 :])
    known = {**hand_tiles.known, "win_tile": theirs.hand_tiles.known["win_tile"]}
    return _Shot(tiles, replace(hand_tiles.won_on(won) or hand_tiles, known=known))


def _with_group(mine: _Shot, name: str, theirs: _Shot) -> _Shot:
    """Our hand with their meld, if there is room for it; or with their indicators."""
    hand_tiles, other = mine.hand_tiles, theirs.hand_tiles
    field, role = _INDICATORS.get(name, "melds"), name
    if name.startswith("meld:"):
        if hand_tiles.size > 11:
            return mine
        role = f"meld:{len(hand_tiles.melds)}"
        hand_tiles = replace(
            hand_tiles, melds=(*hand_tiles.melds, other.melds[int(name.removeprefix("meld:"))])
        )
    elif name in _INDICATORS and field in other.known:
        hand_tiles = _with_indicators(hand_tiles, name, _indicators(other, name))
    else:
        return mine
    tiles = (*mine.tiles, *(replace(tile, role=role) for tile in theirs.tiles if tile.role == name))
    return _Shot(tiles, replace(hand_tiles, known={**hand_tiles.known, field: other.known[field]}))


def _with_indicator(mine: _Shot, tile: SeenTile) -> _Shot:
    """Our hand with one indicator more."""
    indicators = (*_indicators(mine.hand_tiles, tile.role), Tile.parse(tile.label))
    return _Shot((*mine.tiles, tile), _with_indicators(mine.hand_tiles, tile.role, indicators))


def _indicators(hand_tiles: HandTiles, role: str) -> tuple[Tile, ...]:
    return hand_tiles.dora_indicators if role == "dora" else hand_tiles.ura_indicators


def _with_indicators(hand_tiles: HandTiles, role: str, indicators: tuple[Tile, ...]) -> HandTiles:
    """With these indicators, of dora or of ura dora."""
    if role == "dora":
        return replace(hand_tiles, dora_indicators=indicators)
    return replace(hand_tiles, ura_indicators=indicators)


def _judged(base: Reading, merged: _Shot) -> Reading:
    """The base with all that was merged, and the new status if it is now finished."""
    hand_tiles = merged.hand_tiles
    known = {name: str(source) for name, source in hand_tiles.known.items()}
    reading = replace(base, tiles=merged.tiles, hand=hand_tiles.to_record(), known=known)
    if not hand_tiles.is_complete:
        return reading
    if hand_tiles.win_tile is not None:
        return replace(reading, status="ok", message="")
    return replace(reading, status="incomplete", message="Say which one is the winning tile.")


def _less_doubted(merged: Reading, base: Reading, alike: Sequence[Reading]) -> Reading:
    """The merged reading with the remaining doubts: kinds that every shot has, and faces that stay uncertain.

    Its confidence is that of the most confident shot.
    """
    always = set.intersection(*({doubt.kind for doubt in one.doubts} for one in alike)) - {"face"}
    faces = (
        Doubt("face", (at,), f"The {tile.label} may be a {tile.runner_up[0]}.", {"label": tile.runner_up[0]})
        for at, tile in enumerate(merged.tiles)
        if tile.role != "other" and tile.label in FACES and tile.is_doubtful
    )
    kept = [doubt for doubt in base.doubts if doubt.kind in always]
    doubts = sorted((*kept, *faces), key=lambda doubt: DOUBTS.index(doubt.kind))
    confidences = [one.confidence for one in alike if one.confidence is not None]
    return replace(merged, doubts=tuple(doubts), confidence=max(confidences, default=None))
