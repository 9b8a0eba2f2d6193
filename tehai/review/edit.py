"""A person's review of a photo as its next revision. No journal and no HTTP here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from tehai.errors import Mistake
from tehai.label.faults import LABELS, bad_tiles
from tehai.label.journal import UNDOUBTED, Line, now
from tehai.review.hardness import settled

Quad = tuple[tuple[float, float], ...]

BY_A_PERSON: Final = ("accepted", "corrected", "rejected")
"""States that a person sets."""

BACK_TO: Final = ("unreviewed", "auto", "imported")
"""States that a person can only restore."""

MOST_TILES: Final = 1000
LONGEST_NAME: Final = 80
_FAR: Final = 1e6
"""The greatest coordinate in pixels; no photo is as large."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A tile of a review. Its place determines its role in the hand."""

    quad: Quad
    label: str


@dataclass(frozen=True, slots=True)
class Review:
    """A person's review of a photo.

    ``after``: the revision that the person saw. ``tiles``: None to keep its tiles. ``part``: whether the
    person checked only some tiles. ``back``: the number of a revision to restore whole; 0 for none.
    """

    after: int
    state: str
    by: str
    tiles: tuple[Reviewed, ...] | None = None
    part: bool = False
    back: int = 0


class Inspector(Protocol):
    """Reads tiles of the photo again."""

    def look(self, quads: Sequence[Quad]) -> list[Line] | None:
        """Tiles of the journal at quads, by the face network; None if the photo cannot be read."""

    def arrange(self, tiles: Sequence[Line]) -> dict[str, Any]:
        """``tiles`` with their roles, and ``hand``, ``status`` and ``message`` as in a line of the journal.
        Labels stay as they are."""


def parse_review(body: Mapping[str, Any], by: str) -> Review:
    """Parse a review from the page. ``by``: the default name of the reviewer. Raises :class:`Mistake`."""
    after, state, tiles = body.get("after"), body.get("state"), body.get("tiles")
    if not isinstance(after, int) or isinstance(after, bool) or after < 1:
        raise Mistake("after is the number of the revision that the review is of.")
    if state not in (*BY_A_PERSON, *BACK_TO):
        raise Mistake(f"state is one of {', '.join((*BY_A_PERSON, *BACK_TO))}.")
    if tiles is not None and (not isinstance(tiles, list) or len(tiles) > MOST_TILES):
        raise Mistake(f"tiles is a list of at most {MOST_TILES} tiles.")
    reviewed = None if tiles is None else tuple(_parse_tile(at, tile) for at, tile in enumerate(tiles, 1))
    return Review(after, state, parse_name(body.get("by"), by), reviewed, back=parse_back(body.get("back")))


def parse_back(number: object) -> int:
    """The number of a revision to restore; 0 for none. Raises :class:`Mistake`."""
    if number is None:
        return 0
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise Mistake("back is the number of a revision to restore.")
    return number


def parse_name(name: object, otherwise: str) -> str:
    """The reviewer's name. Raises :class:`Mistake` for an invalid one."""
    if name is None:
        return otherwise
    if not isinstance(name, str) or not 0 < len(name.strip()) <= LONGEST_NAME or not name.isprintable():
        raise Mistake(f"by is a name of at most {LONGEST_NAME} characters on one line.")
    return name.strip()


def parse_quad(quad: Any) -> Quad:
    """Four corners in pixels. Raises :class:`Mistake`."""
    match quad:
        case [[_, _], [_, _], [_, _], [_, _]] if all(_is_place(value) for corner in quad for value in corner):
            return tuple((round(float(x), 1), round(float(y), 1)) for x, y in quad)
    raise Mistake("a quad is four corners [x, y] in pixels.")


def _is_place(value: object) -> bool:
    return isinstance(value, (int, float)) and abs(value) < _FAR


def _parse_tile(at: int, tile: object) -> Reviewed:
    if not isinstance(tile, dict):
        raise Mistake(f"tile {at} is no object with quad and label.")
    try:
        quad = parse_quad(tile.get("quad"))
    except Mistake as mistake:
        raise Mistake(f"tile {at}: {mistake}") from None
    label = tile.get("label")
    if label not in LABELS:
        raise Mistake(f"tile {at} is labelled {label!r}; a label is one of {' '.join(LABELS)}.")
    return Reviewed(quad, label)


def revised(history: Sequence[Line], review: Review, path: str, inspector: Inspector) -> Line:
    """The photo's next revision.

    ``history``: its revisions in order. ``path``: its place. A tile of an earlier revision is copied from the
    latest one that has it. A set of tiles of an earlier revision also restores its hand. Raises
    :class:`Mistake` for impossible tiles, and for a state that the photo never had with these tiles.
    """
    latest = history[-1]
    if review.back > len(history):
        raise Mistake(f"The photo has no revision {review.back}; it can only go back to one that it had.")
    tiles = tuple(map(_reviewed, latest["tiles"])) if review.tiles is None else review.tiles
    alike = [line for line in reversed(history) if _same(line["tiles"], tiles)]
    before = history[review.back - 1] if review.back else _before(alike, review.state)
    if before is not None:
        content, signed = before, {**before["review"], **signature(review.by)}
    else:
        content = alike[0] if alike else _remade(history, tiles, inspector)
        signed = {"state": review.state, **signature(review.by)}
        if review.state != "rejected":
            signed["state"] = "accepted" if _same(_as_it_came(history)["tiles"], tiles) else "corrected"
        if review.part and not settled(latest["review"]):
            signed["part"] = True
    kept = {name: content[name] for name in ("tiles", "hand", "status", "message", "models")}
    answers = {name: content.get(name, nothing) for name, nothing in UNDOUBTED.items()}
    return {**latest, **kept, **answers, "path": path, "revision": latest["revision"] + 1, "review": signed}


def signature(by: str) -> dict[str, str]:
    """The reviewer and the time."""
    return {"by": by, "at": now()}


def _before(alike: Sequence[Line], state: str) -> Line | None:
    """The revision to restore; None without one. Raises :class:`Mistake` for a state that the photo never
    had."""
    if state not in BACK_TO:
        return None
    for line in alike:
        if line["review"]["state"] == state:
            return line
    raise Mistake(f"With these tiles the photo was never {state}; it can only go back to that.")


def relabelled(tile: Line, label: str) -> Line:
    """The tile with a person's label. The journal has the three likeliest labels of the network; others count
    as 0."""
    if not tile["top3"]:
        return {**tile, "label": label, "source": "person"}
    seen = dict(tile["top3"])
    own = seen.get(label, 0.0)
    margin = own - max((p for other, p in seen.items() if other != label), default=0.0)
    return {**tile, "label": label, "probability": own, "margin": round(margin, 4), "source": "person"}


def _as_it_came(history: Sequence[Line]) -> Line:
    """The last revision by models or an import."""
    return next((line for line in reversed(history) if line["review"]["state"] in BACK_TO), history[0])


def quad_of(tile: Line) -> Quad:
    """The corners of a tile of the journal, to a tenth of a pixel as in :func:`parse_quad`."""
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in tile["quad"])


def _reviewed(tile: Line) -> Reviewed:
    return Reviewed(quad_of(tile), tile["label"])


def _same(lines: Sequence[Line], tiles: Sequence[Reviewed]) -> bool:
    """Whether the lines have these tiles, in any order."""
    return Counter(map(_reviewed, lines)) == Counter(tiles)


def _remade(history: Sequence[Line], tiles: Sequence[Reviewed], inspector: Inspector) -> Line:
    """The latest revision with other tiles and their hand."""
    latest = history[-1]
    known = {quad_of(tile): tile for line in history for tile in line["tiles"]}
    fresh = list(dict.fromkeys(tile.quad for tile in tiles if tile.quad not in known))
    _check(fresh, latest)
    seen = dict(zip(fresh, inspector.look(fresh) or map(_unseen, fresh), strict=True)) if fresh else {}
    made = []
    for tile in tiles:
        before = known.get(tile.quad)
        if before is not None and before["label"] == tile.label:
            made.append(before)
        else:
            made.append(relabelled(before or seen[tile.quad], tile.label))
    if not made:
        nothing = {"hand": None, "status": "error", "message": "There are no tiles."}
        return {**latest, **UNDOUBTED, **nothing, "tiles": []}
    return {**latest, **UNDOUBTED, **inspector.arrange(made)}


def _check(fresh: Iterable[Quad], photo: Line) -> None:
    """Raises :class:`Mistake` for a drawn quad that cannot be a tile."""
    for quad in fresh:
        alone = {**photo, "tiles": [_unseen(quad)]}
        if wrong := next(bad_tiles(alone), None):
            raise Mistake(f"The quad {[list(corner) for corner in quad]} cannot be: {wrong}.")


def _unseen(quad: Quad) -> Line:
    """A tile without a network's answer."""
    return {
        "quad": [list(corner) for corner in quad],
        "label": "?",
        "probability": 1.0,
        "margin": None,
        "top3": [],
        "role": "other",
        "sideways": False,
        "upside_down": False,
        "source": "person",
    }
