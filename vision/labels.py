"""What a face is: the classes that a picture of a tile can be told apart into, and which of them are alike.

The order of :data:`CLASSES` is the order that every table of probabilities keeps.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scorer.tiles import KIND_OF, KINDS, TILES

FACES: Final[tuple[str, ...]] = tuple(str(tile) for tile in TILES)
"""34 faces and the three red fives, in mpsz notation (``docs/hand.md``); the index is the tile's."""

BACK: Final = "back"
"""A tile seen from its back."""

NOT_A_FACE: Final = "none"
"""What the finder took for a tile and is none."""

UNREADABLE: Final = "?"
"""A tile whose face cannot be read; never a class of the network, a decision about its answer."""

FOREIGN: Final = "foreign"
"""A tile that no hand has: a flower, a season, a joker, a spare blank."""

CLASSES: Final[tuple[str, ...]] = (*FACES, BACK, NOT_A_FACE)
"""What the face classifier answers, in order."""

WITH_FOREIGN: Final[tuple[str, ...]] = (*CLASSES, FOREIGN)
"""What a face classifier answers that was taught foreign tiles, too; the others' places are the same."""

BACK_INDEX: Final = CLASSES.index(BACK)
NOT_A_FACE_INDEX: Final = CLASSES.index(NOT_A_FACE)
WHITE_INDEX: Final = CLASSES.index("5z")
"""The white dragon's, whose face shows nothing on many sets."""

PLAIN_OF: Final = {FACES[red]: FACES[KIND_OF[red]] for red in range(KINDS, len(FACES))}
"""Red fives to their plain ones."""

REDS: Final[tuple[str, ...]] = tuple(PLAIN_OF)

FIVES: Final[frozenset[str]] = frozenset([*PLAIN_OF, *PLAIN_OF.values()])
"""Faces that are told apart by colour alone."""

LOOK_ALIKE_UPSIDE_DOWN: Final[frozenset[str]] = frozenset([
    "1p", "2p", "3p", "4p", "5p", "8p", "9p", "0p", "2s", "4s", "5s", "6s", "8s", "9s", "0s", "5z",
    BACK, NOT_A_FACE,
])  # fmt: skip
"""Classes that look the same, or nearly so, after half a turn."""


def listed(labels: Iterable[str]) -> str:
    """The tiles in one phrase, those that lie face down by their number; empty where there are none.

    >>> listed(["1m", "2m"]), listed(["back", "6z", "back"])
    ('1m 2m', '6z and 2 face-down tiles')
    """
    named = list(labels)
    down = named.count(BACK)
    faces = " ".join(label for label in named if label != BACK)
    backs = "face-down tile" if down == 1 else f"{down} face-down tiles"
    return " and ".join(part for part in (faces, backs if down else "") if part)


def plain(label: str) -> str:
    """The label with a red five as its plain one; every other label is its own.

    >>> plain("0p"), plain("5p"), plain("back")
    ('5p', '5p', 'back')
    """
    return PLAIN_OF.get(label, label)
