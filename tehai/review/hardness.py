"""How much a photo needs a person's review, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np

from scorer.readings import counts_are_complete
from scorer.tiles import count_kinds, parse_tiles
from tehai.label.faults import bad_tiles, rule_violations
from tehai.label.geometry import SAME, pairs, quads
from tehai.label.journal import TOUCHED
from tehai.output.join import capitalised
from vision.labels import FACES, NOT_A_FACE, UNREADABLE
from vision.quads import bounds, box_iou

DOUBT: Final = 0.8
"""The margin below which a tile is in doubt: 12 % of held-out tiles, with 90 % of the wrong ones
(``docs/review.md``)."""

KINDS: Final[Mapping[str, float]] = {
    "copies": 0.9,
    "rule": 0.8,
    "unread": 0.7,
    "disagree": 0.6,
    "check": 0.5,
    "count": 0.1,
    "doubt": 0.0,
    "margin": 0.0,
}
"""The reasons for a review, each with the probability that something needs a correction.

A margin has its own: about (1 - margin) / 2. A doubt is part of the reading's confidence.
"""

RULES: Final = frozenset({"copies", "rule", "unread"})
"""Reasons against accepting a photo by its margins."""

_NAMED: Final = 3
"""The most tiles that a sentence names; others are counted."""

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class HardnessReason:
    """A reason: ``id``, a key of :data:`KINDS`, and its sentence."""

    id: str
    text: str


def settled(review: Mapping[str, Any]) -> bool:
    """Whether a person has checked the whole photo."""
    return review["state"] in TOUCHED and review["state"] != "imported" and not review.get("part", False)


def margin_of(tile: Line) -> float | None:
    """The network's margin for a tile; None if a person has labelled it."""
    margin: float | None = tile["margin"]
    return None if tile["source"] == "person" else margin


def in_doubt(tile: Line) -> bool:
    """Whether the tile itself needs a check."""
    margin = margin_of(tile)
    return margin is not None and (tile["label"] == UNREADABLE or margin < DOUBT)


def reasons(
    photo: Line, model: Sequence[Line] | None = None, *, drawn: bool = False
) -> Iterator[HardnessReason]:
    """Why a person should review a photo.

    ``model``: the tiles as the models last read them, if a person has labelled it since. ``drawn``: whether
    it is in the random sample of photos accepted by their margins.
    """
    if photo["review"]["state"] == "rejected":
        return
    open_, against = not settled(photo["review"]), [_sentence(text) for text in rule_violations(photo)]
    copies = _copies(photo) if against else []
    for kind, sentences in (
        ("copies", copies),
        ("rule", _against_rules(photo, [text for text in against if text not in copies])),
        ("unread", _unread(photo) if open_ else ()),
        ("disagree", _disagreements(photo["tiles"], model) if model is not None else ()),
        ("count", _odd_count(photo)),
        ("doubt", _doubts(photo) if open_ else ()),
        ("margin", _small_margins(photo["tiles"]) if open_ else ()),
    ):
        yield from (HardnessReason(kind, sentence) for sentence in sentences)
    if drawn:
        yield HardnessReason("check", "It was accepted by its margins, and drawn to be checked.")


def hardness(photo: Line, why: Sequence[HardnessReason]) -> float:
    """The probability that something needs a correction, for independent reasons.

    At least the doubt of the reading's confidence.
    """
    if photo["review"]["state"] == "rejected":
        return 0.0
    right = prod(1 - KINDS[id_] for id_ in {reason.id for reason in why})
    if not settled(photo["review"]):
        margins = sorted(margin for tile in photo["tiles"] if (margin := margin_of(tile)) is not None)
        doubtful = [margin for margin in margins if margin < DOUBT] or margins[:1]
        right *= prod((1 + margin) / 2 for margin in doubtful)
        confidence: float | None = photo.get("confidence")
        if confidence is not None:
            right = min(right, confidence)
    return 1 - right


def _copies(photo: Line) -> list[str]:
    """Violations that do not depend on the tiles' roles: more copies of a tile than exist."""
    loose = [{**tile, "role": "other"} for tile in photo["tiles"]]
    return [_sentence(text) for text in rule_violations({"tiles": loose})]


def _against_rules(photo: Line, broken: Sequence[str]) -> Iterator[str]:
    yield from broken
    if _may_lie_badly(photo):
        yield from map(_sentence, bad_tiles(photo))
    if _size(photo["tiles"]) == 14 and not _finished(photo["tiles"]):
        yield "The hand has 14 tiles, but they make no finished hand."


def _may_lie_badly(photo: Line) -> bool:
    """Whether ``bad_tiles`` could find something. It is thirty times as slow as this test."""
    corners = quads(photo["tiles"])
    edges = corners[:, _NEXT] - corners
    following = edges[:, _NEXT]
    turns = edges[..., 0] * following[..., 1] - edges[..., 1] * following[..., 0]
    inside = (corners >= 0).all() and (corners <= [photo["width"], photo["height"]]).all()
    boxes = bounds(corners)
    return bool((turns <= 0).any() or not inside or np.triu(box_iou(boxes, boxes), 1).max(initial=0) > SAME)


_NEXT: Final = [1, 2, 3, 0]


def _unread(photo: Line) -> Iterator[str]:
    if photo["status"] == "error":
        yield photo["message"] or "Nothing could be read."
    count = sum(tile["label"] == UNREADABLE for tile in photo["tiles"])
    if count:
        yield f"{count} {'tile' if count == 1 else 'tiles'} could not be read."


def _odd_count(photo: Line) -> Iterator[str]:
    size = _size(photo["tiles"])
    if size not in (0, 13, 14):
        yield f"The hand has {size} tiles, a kan counted as three: 13 or 14 are wanted."


def _doubts(photo: Line) -> Iterator[str]:
    """The doubts of the reading, without those of faces, which are in the margins."""
    yield from (doubt["text"] for doubt in photo.get("doubts", ()) if doubt["kind"] != "face")


def _size(tiles: Sequence[Line]) -> int:
    """The number of tiles of the hand, with a kan counted as three."""
    roles = [tile["role"] for tile in tiles]
    melds = {role for role in roles if role.startswith("meld:")}
    return roles.count("hand") + roles.count("win") + 3 * len(melds)


def _finished(tiles: Sequence[Line]) -> bool:
    inside = [tile["label"] for tile in tiles if tile["role"] in ("hand", "win")]
    melds = {tile["role"] for tile in tiles if tile["role"].startswith("meld:")}
    if not all(label in FACES for label in inside):
        return False
    return counts_are_complete(count_kinds(parse_tiles("".join(inside))), len(melds))


def _disagreements(person: Sequence[Line], model: Sequence[Line]) -> Iterator[str]:
    both = pairs(model, person)
    apart = [
        f"{model[i]['label']} where it is labelled {person[j]['label']} (tile {j + 1})"
        for i, j in both
        if model[i]["label"] != person[j]["label"]
    ]
    if apart:
        more = f" and {len(apart) - _NAMED} more" if len(apart) > _NAMED else ""
        yield f"The models read {', '.join(apart[:_NAMED])}{more}."
    missed, extra = len(person) - len(both), len(model) - len(both)
    if missed:
        yield f"The models did not see {missed} of the tiles that are labelled."
    if extra:
        yield f"The models saw {extra} more than are labelled."


def _small_margins(tiles: Sequence[Line]) -> Iterator[str]:
    doubtful = [at for at, tile in enumerate(tiles) if in_doubt(tile) and tile["label"] != UNREADABLE]
    if not doubtful:
        return
    at = min(doubtful, key=lambda at: float(tiles[at]["margin"]))
    tile = tiles[at]
    rival = next((label for label, _ in tile["top3"] if label != tile["label"]), "another")
    rival = "no tile" if rival == NOT_A_FACE else rival
    says = f"looks more like {rival}" if tile["margin"] < 0 else f"could be {rival}"
    many = f"{len(doubtful)} tiles are in doubt, above all" if len(doubtful) > 1 else "In doubt is"
    yield f"{many} tile {at + 1}: {tile['label']}, which {says} (margin {tile['margin']:.2f})."


def _sentence(text: str) -> str:
    return f"{capitalised(text)}."
