"""The classes that a picture of a tile can be told apart into, in the order that every table here keeps."""

FACES: tuple[str, ...] = (
    *(f"{n}m" for n in range(1, 10)),
    *(f"{n}p" for n in range(1, 10)),
    *(f"{n}s" for n in range(1, 10)),
    *(f"{n}z" for n in range(1, 8)),
    "0m",
    "0p",
    "0s",
)
"""34 faces and the three red fives, in mpsz notation (``HAND.md``)."""

BACK = "back"
"""A tile seen from its back."""

NOT_A_FACE = "none"
"""What the finder took for a tile and is none."""

UNREADABLE = "?"
"""A tile whose face cannot be read; never a class of the network, a decision about its answer."""

CLASSES: tuple[str, ...] = (*FACES, BACK, NOT_A_FACE)
"""What the face classifier answers, in order."""
