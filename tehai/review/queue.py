"""The review queue: facts of the photos in memory, some 1.5 kB each, without their tiles."""

from __future__ import annotations

import gc
import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from tehai.label import duplicates, stats
from tehai.label.cache import LEAST, FactValues, growing
from tehai.label.faults import LABELS
from tehai.label.journal import STATES, Entry, Journal, Kind, Line, reading
from tehai.label.stats import Folder
from tehai.review.hardness import RULES, HardnessReason, hardness, margin_of, reasons, settled

DRAWN: Final = 0.05
"""The share of photos accepted by their margins that a person still checks."""

SEED: Final = "tehai review 1"
"""The seed of that random sample. Another seed draws other photos."""

_LABEL_AT: Final = {label: at for at, label in enumerate(LABELS)}
_ELSE: Final = len(LABELS)


def is_drawn(sha256: str) -> bool:
    """Whether a photo is in the random sample. It depends on the content, so nobody can choose."""
    digest = hashlib.sha256(f"{SEED} {sha256}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < DRAWN * 2**64


@dataclass(frozen=True, slots=True)
class Checked:
    """The check of a photo accepted by its margins. ``tiles``: the number compared. ``wrong``: how many were
    wrong. ``right``: whether the whole photo was right."""

    tiles: int
    wrong: int
    right: bool


class Facts(NamedTuple):
    """The facts of a photo's latest revision, cached in the index of the journal. A tuple, because there are
    very many.

    ``more``: packed bytes: the faces (``shown`` bytes), each tile's label as an index of
    ``tehai.label.faults.LABELS``, and the margins. ``kinds``: of the reasons. ``named``: the path in the
    revision. ``said``: the reasons, ids and texts.

    ``settled``: a person has checked the whole photo. ``auto``: it was once accepted by its margins.
    ``drawn``: it is in the random sample. ``outcome``: the result of that check.
    """

    entry: Entry
    more: bytes
    kinds: frozenset[str]
    shown: int
    named: str
    said: list[list[str]]
    hardness: float
    settled: bool
    auto: bool
    drawn: bool
    outcome: list[Any] | None

    @property
    def faces(self) -> bytes:
        return self.more[: self.shown]

    @property
    def labels(self) -> bytes:
        return self.more[self.shown : self._margins_at]

    @property
    def margins(self) -> array[float]:
        """The margins of the tiles; 1 for a person's labels."""
        return array("d", self.more[self._margins_at :])

    @property
    def _margins_at(self) -> int:
        return self.shown + (len(self.more) - self.shown) // _TILE

    @property
    def why(self) -> tuple[HardnessReason, ...]:
        return tuple(HardnessReason(id_, text) for id_, text in self.said)

    @property
    def checked(self) -> Checked | None:
        return Checked(*self.outcome) if self.outcome else None

    @property
    def state(self) -> str:
        return self.entry.state

    @property
    def open(self) -> bool:
        """Whether the photo waits for a person."""
        if self.state == "auto":
            return self.drawn
        if self.state == "imported":
            return "disagree" in self.kinds
        return not self.settled

    def acceptable(self, margin: float) -> bool:
        """Whether the photo may be accepted by its margins: no person has changed it, and it violates no
        rule."""
        return (
            self.state == "unreviewed"
            and self.kinds.isdisjoint(RULES)
            and min(self.margins, default=-1) >= margin
        )


def found(journal: Journal, sha256: str, entry: Entry, photo: Line) -> FactValues:
    """The cached values for :func:`facts_of`."""
    drawn = is_drawn(sha256)
    model = journal.read(entry.model_at) if entry.touched and entry.model_at >= 0 else None
    before = photo if model is None else model
    auto = before["review"]["state"] == "auto"
    is_settled = settled(photo["review"])
    why = tuple(reasons(photo, model["tiles"] if model else None, drawn=drawn and entry.state == "auto"))
    labels = bytes(_LABEL_AT.get(tile["label"], _ELSE) for tile in photo["tiles"])
    margins = array("d", (1.0 if (m := margin_of(tile)) is None else m for tile in photo["tiles"]))
    checked = _checked(model, photo) if model and auto and drawn and is_settled else None
    faces = bytes(sorted({*labels} - {_ELSE}))
    return [
        len(faces),
        photo["path"],
        [[reason.id, reason.text] for reason in why],
        hardness(photo, why),
        is_settled,
        auto,
        drawn and auto,
        checked and [checked.tiles, checked.wrong, checked.right],
    ], faces + labels + margins.tobytes()


def _is_whole(value: Any, more: bytes) -> bool:
    """Whether cached values of :func:`found` are valid."""
    return (
        isinstance(value, list)
        and len(value) == 8
        and isinstance(value[0], int)
        and 0 <= value[0] <= len(more)
        and (len(more) - value[0]) % _TILE == 0
    )


KIND: Final = Kind("queue 1", found, _is_whole)
"""The kind of these facts in the index of a journal."""

_TILE: Final = 9
"""Bytes of a tile: its label, and its margin as a float."""


def facts_of(entry: Entry, said: FactValues, kinds: dict[frozenset[str], frozenset[str]]) -> Facts:
    """The facts of a photo. ``kinds``: sets to share, because most photos have the same few."""
    value, more = said
    ids = frozenset([id_ for id_, _ in value[2]])
    return Facts(entry, more, kinds.setdefault(ids, ids), *value)


def _checked(accepted: Mapping[str, Any], photo: Mapping[str, Any]) -> Checked:
    if photo["review"]["state"] == "rejected":  # nobody says which tiles were wrong
        return Checked(0, 0, right=False)
    found = Folder()
    found.compare(accepted["tiles"], photo["tiles"])
    wrong = found.compared - found.agreed + found.missed + found.extra
    return Checked(found.compared + found.missed + found.extra, wrong, right=not wrong)


def prepare(file: Path) -> None:
    """Fill the index of a large journal with all facts for review, statistics and splits."""
    if file.stat().st_size >= LEAST:
        with reading(file) as journal:
            for _ in journal.facts(KIND, stats.KIND, duplicates.KIND, duplicates.POINTS):
                pass
            duplicates.near(journal)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Filters; None accepts all.

    ``state``: of a photo, or ``open``, or ``all``. ``folder``: with its subfolders; ``.`` for photos outside
    of folders. ``kind``: of a reason.
    """

    state: str = "open"
    face: str | None = None
    folder: str | None = None
    kind: str | None = None


STATES_ASKED: Final = (*STATES, "open", "all")


@dataclass(slots=True)
class Queue:
    """Facts by content hash; :meth:`follow` updates them from the journal.

    ``places``: the paths of each photo: several for copies, none if it is gone.
    """

    facts: dict[str, Facts] = field(default_factory=dict)
    places: dict[str, list[str]] = field(default_factory=dict)
    _lying: tuple[int, dict[str, str | None], set[str]] = (0, {}, set())
    _paths: dict[str, tuple[str, str]] = field(default_factory=dict)
    _kinds: dict[frozenset[str], frozenset[str]] = field(default_factory=dict)

    def follow(self, journal: Journal) -> None:
        """Read new lines of the journal. Raises :class:`Mistake` for an invalid line."""
        index = journal.index
        with growing():
            changed = None
            if self.facts:
                changed = [
                    sha256
                    for sha256, entry in index.photos.items()
                    if (known := self.facts.get(sha256)) is None or known.entry is not entry
                ]
            for sha256, entry, (said,) in journal.facts(KIND, some=changed):
                self.facts[sha256] = facts_of(entry, said, self._kinds)
            if changed is None:
                gc.freeze()  # they stay: no look for garbage need go through them
            lying = len(index.photos), dict(index.paths), set(index.unreadable)
            if lying != self._lying:
                self._lying, self.places = lying, index.places()
                lie = ((key, lies[0] if lies else self.facts[key].named) for key, lies in self.places.items())
                self._paths = {key: (path, path.rpartition("/")[0] or ".") for key, path in lie}

    def path(self, sha256: str) -> str:
        """The present or last path of a photo."""
        return self._paths[sha256][0]

    def select(self, wanted: Wanted) -> tuple[list[str], dict[str, Counter[str]]]:
        """The photos that match all filters, hardest first.

        Also, for each filter, the number of photos for each of its values while the other filters stay.
        """
        passes = list(self._filters(wanted))
        chosen: list[tuple[float, str, str]] = []
        states: list[str] = []
        faces = bytearray()
        folders: list[str] = []
        kinds: list[str] = []
        for sha256, facts in self.facts.items():
            path, folder = self._paths[sha256]
            failed = [name for name, lets_through in passes if not lets_through(facts, folder)]
            if not failed:
                chosen.append((-facts.hardness, path, sha256))
            if not failed or failed == ["state"]:
                states.append(facts.entry.state)
            if not failed or failed == ["face"]:
                faces += facts.more[: facts.shown]
            if not failed or failed == ["folder"]:
                folders.append(folder)
            if not failed or failed == ["kind"]:
                kinds += facts.kinds
        chosen.sort()
        return [sha256 for _, _, sha256 in chosen], {
            "states": Counter(states),
            "faces": Counter({LABELS[at]: count for at, count in sorted(Counter(faces).items())}),
            "folders": Counter(folders),
            "kinds": Counter(kinds),
        }

    @staticmethod
    def _filters(wanted: Wanted) -> Iterator[tuple[str, Callable[[Facts, str], bool]]]:
        """The test of each filter that is set, with the photo's folder."""
        state, folder, kind = wanted.state, wanted.folder, wanted.kind
        if state != "all":
            yield "state", lambda facts, _: _is_of(facts, state)
        if wanted.face is not None:
            face = _LABEL_AT[wanted.face]
            yield "face", lambda facts, _: face in facts.faces
        if folder is not None:
            yield "folder", lambda _, lies: _is_in(lies, folder)
        if kind is not None:
            yield "kind", lambda facts, _: kind in facts.kinds

    def tiles(self, label: str, state: str | None) -> list[tuple[str, int]]:
        """All tiles of a label as photo and index, least certain first.

        ``state``: of the photos, as in :class:`Wanted`; None for all but rejected ones.
        """
        code = _LABEL_AT[label]
        found: list[tuple[float, str, int]] = []
        for sha256, facts in self.facts.items():
            if code in facts.faces and _is_of(facts, state):
                labels, margins = facts.labels, facts.margins
                at = labels.find(code)
                while at >= 0:
                    found.append((margins[at], sha256, at))
                    at = labels.find(code, at + 1)
        found.sort()
        return [(sha256, at) for _, sha256, at in found]

    def acceptable(self, margin: float) -> Iterator[str]:
        """The photos for which :meth:`Facts.acceptable` is true."""
        return (sha256 for sha256, facts in self.facts.items() if facts.acceptable(margin))


def _is_of(facts: Facts, state: str | None) -> bool:
    if state is None:
        return facts.state != "rejected"
    return state == "all" or (facts.open if state == "open" else facts.state == state)


def _is_in(folder: str, wanted: str) -> bool:
    return folder == wanted or folder.startswith(f"{wanted}/")
