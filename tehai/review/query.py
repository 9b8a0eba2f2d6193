"""Parse the queries of the page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.requests import Request

from tehai.errors import Mistake
from tehai.label.faults import LABELS
from tehai.review.edit import parse_back

MOST: Final = 1000
"""The most photos or tiles in an answer."""


@dataclass(slots=True)
class Change:
    """New labels for tiles of one photo. ``after``: the revisions that the person saw. ``back``: those to
    restore; 0 for new labels."""

    after: set[int] = field(default_factory=set)
    labels: dict[int, str] = field(default_factory=dict)
    back: set[int] = field(default_factory=set)


def changes_of(given: object) -> dict[str, Change]:
    """The changes in a body, by photo. Raises :class:`Mistake`."""
    if not isinstance(given, list) or len(given) > MOST:
        raise Mistake(f"changes is a list of at most {MOST} objects.")
    found: dict[str, Change] = {}
    for one in given:
        match one:
            case {"key": str(key), "after": int(after), "tile": int(tile), "label": str(label)} if tile >= 0:
                change = found.setdefault(key, Change())
                change.after.add(after)
                change.labels[tile] = one_of("label", label, LABELS)
                change.back.add(parse_back(one.get("back")))
            case _:
                raise Mistake("a change has key, after, tile and label.")
    return found


def margin_asked(given: object, otherwise: float) -> float:
    """The margin in a query or a body. Raises :class:`Mistake`."""
    if given is None:
        return otherwise
    try:
        margin = float(given) if isinstance(given, (int, float, str)) and given is not True else math.nan
    except (ValueError, OverflowError):
        margin = math.nan
    if not 0 < margin <= 1:
        raise Mistake("margin is a number above 0, and 1 at most.")
    return margin


def one_of(name: str, value: str, known: Sequence[str] | Mapping[str, Any]) -> str:
    """The value if it is a known one. Raises :class:`Mistake`."""
    if value not in known:
        raise Mistake(f"{name} is one of {', '.join(known)}.")
    return value


def page_of(request: Request, usual: int) -> slice:
    """The slice of a list: ``offset`` and ``limit``, by default ``usual``. Raises :class:`Mistake`."""
    offset = number_of(request, "offset", 0, 0, 1_000_000_000)
    return slice(offset, offset + number_of(request, "limit", usual, 1, MOST))


def number_of(request: Request, name: str, usual: int, least: int, most: int) -> int:
    """A whole number of the query, by default ``usual``. Raises :class:`Mistake`."""
    text = request.query_params.get(name)
    if text is None:
        return usual
    if not (text.isascii() and text.isdecimal() and len(text) < 12 and least <= int(text) <= most):
        raise Mistake(f"{name} is a whole number from {least} to {most}.")
    return int(text)
