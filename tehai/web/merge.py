"""Several shots of one hand made one reading.

The shot that shows most of a hand is the base. The tiles of every other one are laid on it group by group:
what both call the same is the same tile, and of what is left those belong together of which one may be the
other. Of two sights of a tile the probabilities are multiplied. A meld or dora indicators that the base lacks
are taken over, and so is which tile won. A shot that differs too much shows another hand, and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from scorer.readings import counts_are_complete
from scorer.tiles import count_kinds, format_tiles, parse_tiles
from vision.labels import FACES
from vision.reading import Reading, SeenTile

DIFFERENT: Final = 4
"""Tiles in which two shots of one hand may differ; a hand of which more were misread helps no other."""

_ELSE: Final = 0.002
"""Probability of a label that is neither a tile's own nor its runner-up."""


@dataclass(frozen=True, slots=True)
class Merged:
    """``reading``: of the shot ``base``, with what the others add. ``shots``: for each of its tiles the shot
    in which the quad lies. ``unlike``: the shots that show another hand, or none."""

    reading: Reading
    base: int
    shots: tuple[int, ...]
    unlike: tuple[int, ...]


def merge(readings: Sequence[Reading]) -> Merged:
    """One reading of one shot or more."""
    base = max(range(len(readings)), key=lambda at: _worth(readings[at]))
    merged, unlike = readings[base], []
    shots = [base] * len(merged.tiles)
    for at, other in enumerate(readings):
        if at == base:
            continue
        more = _joined(merged, other)
        if more is None:
            unlike.append(at)
            continue
        shots += [at] * (len(more.tiles) - len(shots))
        merged = more
    if _is_finished(readings[base]) and not _is_finished(merged):  # more sights have spoilt it
        merged, shots = readings[base], shots[: len(readings[base].tiles)]
    return Merged(_judged(merged), base, tuple(shots), tuple(unlike))


def _worth(reading: Reading) -> tuple[bool, int, float]:
    """How good a base: a finished hand, the more of its tiles, the surer the least sure of them."""
    sure = [tile.probability for tile in reading.tiles if tile.role != "other"]
    return reading.status == "ok", min(len(sure), 14), min(sure, default=0.0)


def _groups(reading: Reading) -> dict[str, list[int]]:
    """Indices of the tiles by group: ``closed`` with the winning tile, ``meld:0``…, ``dora``, ``ura``."""
    groups: dict[str, list[int]] = {}
    for at, tile in enumerate(reading.tiles):
        if tile.role != "other":
            groups.setdefault("closed" if tile.role in ("hand", "win") else tile.role, []).append(at)
    return groups


def _joined(mine: Reading, theirs: Reading) -> Reading | None:
    """``mine`` with what ``theirs`` says of it; None where the two show different hands."""
    if mine.hand is None or theirs.hand is None:
        return None
    own, fresh, pairs, left = _groups(mine), [], list[tuple[int, SeenTile]](), 0
    for name, indices in _groups(theirs).items():
        group = [theirs.tiles[at] for at in indices]
        place = _place(name, group, mine, own)
        if place is None:
            fresh.append(name)
            continue
        found = _pairs(own.pop(place), group, mine)
        left += len(group) - len(found)
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
    return joined


def _place(name: str, group: Sequence[SeenTile], mine: Reading, own: dict[str, list[int]]) -> str | None:
    """Which of our groups theirs is; of a meld more than half of the tiles must be the same."""
    if not name.startswith("meld:"):
        return name if name in own else None
    for place, indices in own.items():
        if place.startswith("meld:") and 2 * len(_alike(indices, group, mine)) > len(group):
            return place
    return None


def _alike(indices: Sequence[int], group: Sequence[SeenTile], mine: Reading) -> list[tuple[int, SeenTile]]:
    """Our tiles with theirs of the same label, the surest with the surest."""
    theirs, pairs = sorted(group, key=lambda tile: -tile.probability), []
    for at in sorted(indices, key=lambda at: -mine.tiles[at].probability):
        tile = next((tile for tile in theirs if tile.label == mine.tiles[at].label), None)
        if tile is not None:
            pairs.append((at, tile))
            theirs.remove(tile)
    return pairs


def _pairs(indices: Sequence[int], group: Sequence[SeenTile], mine: Reading) -> list[tuple[int, SeenTile]]:
    """Our tiles with theirs that are the same: alike first, then those that may be one another, then what is
    left over on both sides by itself."""
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
    """The tile as both sights of it have it."""
    labels = dict.fromkeys((one.label, other.label, one.runner_up[0], other.runner_up[0]))
    likely = {label: _of(one, label) * _of(other, label) for label in labels}
    whole = sum(likely.values())
    best, second = sorted(likely, key=lambda label: -likely[label])[:2]
    if best not in FACES:  # a back in a kan stays what it is
        best, second = one.label, best
    return replace(
        one,
        label=best,
        probability=likely[best] / whole,
        runner_up=(second, likely[second] / whole),
        source=one.source if best == one.label else "seen",
    )


def _of(tile: SeenTile, label: str) -> float:
    """How likely the tile is that label."""
    if label == tile.label:
        return max(tile.probability, _ELSE)
    return max(tile.runner_up[1], _ELSE) if label == tile.runner_up[0] else _ELSE


# --- the record follows the tiles -----------------------------------------------------------------------


def _with_tile(reading: Reading, at: int, tile: SeenTile) -> Reading:
    """The reading with one tile seen better."""
    old = reading.tiles[at]
    tiles = (*reading.tiles[:at], tile, *reading.tiles[at + 1 :])
    hand = dict(reading.hand or {})
    if tile.label != old.label and old.role == "win":
        hand["win_tile"] = tile.label
    elif tile.label != old.label and old.role == "hand":
        hand["concealed"] = _swapped(hand["concealed"], old.label, tile.label)
    elif tile.label != old.label and old.role.startswith("meld:"):
        which = int(old.role.removeprefix("meld:"))
        hand["melds"] = [
            {**meld, "tiles": _swapped(meld["tiles"], old.label, tile.label)} if place == which else meld
            for place, meld in enumerate(hand["melds"])
        ]
    elif tile.label != old.label:
        field = f"{old.role}_indicators"
        hand[field] = [str(one) for one in parse_tiles(_swapped("".join(hand[field]), old.label, tile.label))]
    return replace(reading, tiles=tiles, hand=hand)


def _swapped(text: str, old: str, new: str) -> str:
    """The tiles with one of them another."""
    tiles = [str(tile) for tile in parse_tiles(text)]
    if old in tiles:
        tiles[tiles.index(old)] = new
    return format_tiles(parse_tiles("".join(tiles)))


def _with_win(mine: Reading, theirs: Reading) -> Reading:
    """Which closed tile won, where only theirs has it apart."""
    hand, won = dict(mine.hand or {}), (theirs.hand or {}).get("win_tile")
    closed = [str(tile) for tile in parse_tiles(hand["concealed"])]
    if hand.get("win_tile") or won not in closed or len(closed) % 3 != 2:
        return mine
    closed.remove(won)
    at = next(at for at, tile in enumerate(mine.tiles) if tile.role == "hand" and tile.label == won)
    tiles = (*mine.tiles[:at], replace(mine.tiles[at], role="win"), *mine.tiles[at + 1 :])
    hand |= {"concealed": format_tiles(parse_tiles("".join(closed))), "win_tile": won}
    return replace(mine, tiles=tiles, hand=hand, known={**mine.known, "win_tile": theirs.known["win_tile"]})


def _with_group(mine: Reading, name: str, theirs: Reading) -> Reading:
    """Their meld, where our hand has room for one more; their indicators."""
    hand, other = dict(mine.hand or {}), theirs.hand or {}
    group, field, role = [tile for tile in theirs.tiles if tile.role == name], f"{name}_indicators", name
    if name.startswith("meld:"):
        if _size(mine) > 11:
            return mine
        field, role = "melds", f"meld:{len(hand['melds'])}"
        hand["melds"] = [*hand["melds"], other["melds"][int(name.removeprefix("meld:"))]]
    elif field in other:
        hand[field] = list(other[field])
    else:
        return mine
    tiles = (*mine.tiles, *(replace(tile, role=role) for tile in group))
    return replace(mine, tiles=tiles, hand=hand, known={**mine.known, field: theirs.known[field]})


def _size(reading: Reading) -> int:
    """Tiles of the hand, each meld counted as three."""
    hand: dict[str, Any] = reading.hand or {"concealed": "", "melds": []}
    return len(parse_tiles(hand["concealed"])) + ("win_tile" in hand) + 3 * len(hand["melds"])


def _is_finished(reading: Reading) -> bool:
    hand = reading.hand or {}
    closed = parse_tiles(hand.get("concealed", "") + hand.get("win_tile", ""))
    return counts_are_complete(count_kinds(closed), len(hand.get("melds", ())))


def _judged(merged: Reading) -> Reading:
    """With the status that a hand finished by other shots now has."""
    if not _is_finished(merged) or merged.hand is None:
        return merged
    if "win_tile" in merged.hand:
        return replace(merged, status="ok", message="")
    return replace(merged, status="incomplete", message="Say which one is the winning tile.")
