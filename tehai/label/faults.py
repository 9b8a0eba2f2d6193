"""Find impossible tiles of a photo, whoever labelled them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from scorer.tiles import COPIES
from tehai.label.geometry import quads
from vision.labels import BACK, FACES, REDS, UNREADABLE, plain
from vision.quads import bounds, box_iou, clockwise

LABELS: Final = (*FACES, BACK, UNREADABLE)
"""The labels that a tile may have, in the order of tables."""

_OUTSIDE: Final = 0.5
"""How far a corner may be outside the photo, in tile sides: tiles at the edge are cut off."""
_ONE_PLACE: Final = 0.7
"""The IoU of two boxes from which they are one tile, listed twice."""


def rule_violations(photo: Mapping[str, Any]) -> Iterator[str]:
    """Sentences about tiles that no tile set and no meld can hold."""
    labels = Counter(tile["label"] for tile in photo["tiles"])
    kinds: Counter[str] = Counter()
    for label, count in labels.items():
        if label in FACES:
            kinds[plain(label)] += count
    for label, count in sorted(kinds.items()):
        if count > COPIES:
            yield f"{count} tiles are labelled {label}, but there are only {COPIES}"
    for red in REDS:
        if labels[red] > 1:
            yield f"{labels[red]} tiles are labelled {red}, but there is only one"
    melds: dict[str, list[str]] = {}
    for tile in photo["tiles"]:
        if tile["role"].startswith("meld:"):
            melds.setdefault(tile["role"], []).append(tile["label"])
    for role, tiles in sorted(melds.items()):
        if not _is_meld([plain(label) for label in tiles if label in FACES], len(tiles)):
            yield f"{' '.join(tiles)} ({role}) is no meld"


def _is_meld(faces: list[str], size: int) -> bool:
    if size not in (3, 4) or not faces:
        return False
    if len(set(faces)) == 1:
        return True
    ranks = sorted(int(face[0]) for face in faces)
    suits = {face[1] for face in faces}
    return (
        size == 3 and len(suits) == 1 and suits != {"z"} and ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]
    )


def bad_tiles(photo: Mapping[str, Any]) -> Iterator[str]:
    """Sentences about tiles with an invalid label or place."""
    tiles = photo["tiles"]
    corners = quads(tiles)
    for at, tile in enumerate(tiles):
        if tile["label"] not in LABELS:
            yield f"tile {at + 1} is labelled {tile['label']!r}, which is no tile"
        if not clockwise(corners[at]):
            yield f"the corners of tile {at + 1} ({tile['label']}) do not run clockwise around it"
        side = float(np.ptp(corners[at], axis=0).max())
        far = np.concatenate([-corners[at], corners[at] - [photo["width"], photo["height"]]]).max()
        if far > _OUTSIDE * side:
            yield f"tile {at + 1} ({tile['label']}) lies half outside the photo"
    shared = np.triu(box_iou(bounds(corners), bounds(corners)), 1)
    for one, other in np.argwhere(shared > _ONE_PLACE):
        labels = f"{tiles[one]['label']}, {tiles[other]['label']}"
        yield f"tiles {one + 1} and {other + 1} ({labels}) lie in one place"
