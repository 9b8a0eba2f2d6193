"""Point a phone at a finished mahjong hand, get its score.

A photo, a typed hand or a record in; its tiles, its score and what is still open out:

>>> import tehai
>>> tehai.score("234m340567p2267s + 8s", tsumo=True).points
5200
>>> tehai.score(tehai.read("photo.jpg")).points
7700
>>> [question.field for question in tehai.plan("234m340567p2267s + 8s", riichi=True).questions]
['dora_indicators', 'dealer', 'tsumo', 'special']
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it; to import typing would take a tenth of the time

if TYPE_CHECKING:
    from typing import Any

    from scorer import Hand, HandError, Meld, RuleSet, Score, Tile, Win, Wind, load_rules
    from scorer.asking.plan import Plan
    from tehai.errors import Mistake
    from tehai.library import advise, plan, score
    from vision import Reader, Reading, read
    from vision.image import PhotoError

    __version__: str

__all__ = [
    "Hand",
    "HandError",
    "Meld",
    "Mistake",
    "PhotoError",
    "Plan",
    "Reader",
    "Reading",
    "RuleSet",
    "Score",
    "Tile",
    "Win",
    "Wind",
    "__version__",
    "advise",
    "load_rules",
    "plan",
    "read",
    "score",
]

_WHERE = {
    **dict.fromkeys(("Reader", "Reading", "read"), "vision"),
    "PhotoError": "vision.image",
    "Plan": "scorer.asking.plan",
    "Mistake": "tehai.errors",
    **dict.fromkeys(("advise", "plan", "score"), "tehai.library"),
}
"""Names that are not in :mod:`scorer` to where they are."""


def __getattr__(name: str) -> Any:
    # Only who reads a photo waits for the networks, and only who scores for the rules.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "__version__":
        from importlib.metadata import version

        return version(__name__)
    from importlib import import_module

    return getattr(import_module(_WHERE.get(name, "scorer")), name)


def __dir__() -> list[str]:
    return __all__
