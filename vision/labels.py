"""The classes of the face classifier. Their order is that of every array of probabilities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scorer.tiles import KIND_OF, KINDS, TILES

FACES: Final[tuple[str, ...]] = tuple(str(tile) for tile in TILES)
"""34 faces and the three red fives, in mpsz notation (``docs/hand.md``); the index is the tile's."""

BACK: Final = "back"
"""A tile seen from its back."""

NOT_A_FACE: Final = "none"
"""A false detection."""

UNREADABLE: Final = "?"
"""A tile whose face cannot be read: a decision, never a class of the network."""

FOREIGN: Final = "foreign"
"""A tile that no hand has: a flower, a season, a joker, a spare blank."""

CLASSES: Final[tuple[str, ...]] = (*FACES, BACK, NOT_A_FACE)
"""The classes of a face classifier, in order."""

WITH_FOREIGN: Final[tuple[str, ...]] = (*CLASSES, FOREIGN)
"""The classes of a face classifier that also knows foreign tiles."""

BACK_INDEX: Final = CLASSES.index(BACK)
NOT_A_FACE_INDEX: Final = CLASSES.index(NOT_A_FACE)
WHITE_INDEX: Final = CLASSES.index("5z")
"""The white dragon, blank in many sets."""

PLAIN_OF: Final = {FACES[red]: FACES[KIND_OF[red]] for red in range(KINDS, len(FACES))}
"""Red fives to their plain ones."""

REDS: Final[tuple[str, ...]] = tuple(PLAIN_OF)

FIVES: Final[frozenset[str]] = frozenset([*PLAIN_OF, *PLAIN_OF.values()])
"""Faces that differ only in colour."""

LOOK_ALIKE_UPSIDE_DOWN: Final[frozenset[str]] = frozenset([
    "1p", "2p", "3p", "4p", "5p", "8p", "9p", "0p", "2s", "4s", "5s", "6s", "8s", "9s", "0s", "5z",
    BACK, NOT_A_FACE,
])  # fmt: skip
"""Classes that look the same, or nearly so, after half a turn."""


def listed(labels: Iterable[str]) -> str:
    """The tiles in one phrase, with the number of those face down; empty if there are none.

    >>> listed(["1m", "2m"]), listed(["back", "6z", "back"])
    ('1m 2m', '6z and 2 face-down tiles')
    """
    named = list(labels)
    down = named.count(BACK)
    faces = " ".join(label for label in named if label != BACK)
    backs = "face-down tile" if down == 1 else f"{down} face-down tiles"
    return " and ".join(part for part in (faces, backs if down else "") if part)


def plain(label: str) -> str:
    """The label, with a plain five for a red one.

    >>> plain("0p"), plain("5p"), plain("back")
    ('5p', '5p', 'back')
    """
    return PLAIN_OF.get(label, label)
