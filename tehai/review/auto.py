"""Accept photos by their margins, and estimate the error rate."""

from __future__ import annotations

from math import sqrt
from typing import Any, Final

from tehai.review.edit import signature
from tehai.review.queue import Queue
from tehai.review.store import Store

MARGIN: Final = 0.85
"""The default margin that every tile must reach."""

_Z: Final = 1.959964
"""The standard deviations of a 95 % interval."""


def wilson(wrong: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927), which holds for few and for none wrong, too.

    >>> [round(bound, 3) for bound in wilson(0, 100)]
    [0.0, 0.037]
    """
    share, z2 = wrong / of, _Z**2 / of
    centre, half = share + z2 / 2, _Z * sqrt((share * (1 - share) + z2 / 4) / of)
    return max(0.0, (centre - half) / (1 + z2)), min(1.0, (centre + half) / (1 + z2))


def report(queue: Queue, margin: float) -> dict[str, Any]:
    """How many photos could be accepted at a margin, how many were at any, and the errors found since.

    ``error_rate``: the share of wrong tiles among those checked (label, missing or extra), with ``interval``;
    None before the first check. Only randomly drawn photos count, because those that a person chose are no
    fair sample.
    """
    accepted = [facts for facts in queue.facts.values() if facts.auto]
    checked = [facts.checked for facts in accepted if facts.checked]
    tiles, wrong = sum(one.tiles for one in checked), sum(one.wrong for one in checked)
    return {
        "margin": margin,
        "eligible": sum(1 for _ in queue.acceptable(margin)),
        "accepted": len(accepted),
        "drawn": sum(facts.drawn for facts in accepted),
        "checked": len(checked),
        "wrong_photos": sum(not one.right for one in checked),
        "wrong_tiles": wrong,
        "tiles_checked": tiles,
        "error_rate": wrong / tiles if tiles else None,
        "interval": wilson(wrong, tiles) if tiles else None,
    }


def accept(store: Store, margin: float, by: str) -> None:
    """Accept all photos that no person has changed, that violate no rule, and whose tiles all reach the
    margin.

    It skips a photo that is reviewed or read in the meantime.
    """
    with store.up_to_date() as queue:
        chosen = [(key, queue.facts[key].entry.revision) for key in queue.acceptable(margin)]
    review = {"state": "auto", **signature(by), "margin": margin}
    for start in range(0, len(chosen), _AT_ONCE):
        some = chosen[start : start + _AT_ONCE]
        store.append_following(
            [{**store.photo(key), "revision": revision + 1, "review": review} for key, revision in some]
        )


_AT_ONCE: Final = 200
"""Photos written to disk together, some 2 MB, because each write must wait for the disk."""
