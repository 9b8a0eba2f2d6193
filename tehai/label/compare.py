"""``tehai label compare``: the errors of another network on photos that people have reviewed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tehai.errors import Mistake
from tehai.label.agreement import CHECKED_STATES
from tehai.label.files import NotAsLabelled, as_labelled
from tehai.label.geometry import Tile, pairs
from tehai.label.journal import Journal, Line, Report
from tehai.label.labeller import readable
from tehai.output.join import plural
from vision.image import PhotoError, load
from vision.labels import UNREADABLE
from vision.network import load as load_network
from vision.reader import Engine, Reader

TASKS: Final = ("finder", "faces")
"""The tasks of a network. The other network stays as it is."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An error of a network on one tile.

    ``label``: the ground truth, empty for no tile. ``said``: the network's label, empty for a tile that it
    misses. ``probability``: of that label. ``quad``: the tile's place.
    """

    label: str
    said: str
    probability: float
    quad: Any

    def words(self) -> str:
        """The error in a few words."""
        if not self.said:
            return f"{self.label} not found"
        if not self.label:
            return f"{self.said} where no tile is ({self.probability:.2f})"
        return f"{self.label} read as {self.said} ({self.probability:.2f})"


@dataclass(frozen=True, slots=True)
class Compared:
    """One photo: the number of ``tiles`` that people labelled, and the errors of the network.

    The last field is the number of errors of the network that labelled the photo; None without one.
    """

    path: str
    sha256: str
    tiles: int
    faults: tuple[Fault, ...]
    before: int | None

    def to_record(self) -> dict[str, Any]:
        """The photo as JSON values."""
        faults = [{name: getattr(fault, name) for name in Fault.__slots__} for fault in self.faults]
        return {"path": self.path, "tiles": self.tiles, "before": self.before, "faults": faults}


def summary(photos: Sequence[Compared]) -> Iterator[str]:
    """How often the network is wrong, beside the network before it."""
    tiles, faults = sum(one.tiles for one in photos), sum(len(one.faults) for one in photos)
    reviewed = plural(len(photos), "reviewed photo")
    yield f"{reviewed} with {plural(tiles, 'tile')}: {plural(faults, 'mistake')}."
    if known := [one for one in photos if one.before is not None]:
        before, now = sum(one.before or 0 for one in known), sum(len(one.faults) for one in known)
        read = plural(len(known), "photo")
        yield f"On the {read} that a model had read before: {plural(before, 'mistake')} then, {now:,} now."


def reader_with(model: Path) -> Reader:
    """A reader with the network of this file instead of the shipped one. Raises :class:`Mistake`."""
    try:
        task = load_network(model, 1).metadata.get("task")
    except (OSError, ValueError) as error:
        raise Mistake(f"{model} cannot be loaded as a network ({error}); name an ONNX file.") from None
    if task not in TASKS:
        raise Mistake(f"{model} says that it is for {task!r}, not for one of {', '.join(TASKS)}.")
    return Reader(Engine(finder=model) if task == "finder" else Engine(faces=model))


def compare(journal: Journal, reader: Reader, say: Report) -> list[Compared]:
    """Read every photo whose tiles a person has all reviewed; the hardest photos first.

    The order is by the number of errors, then by the network's confidence in them. Photos that changed since
    the review are reported and left out.
    """
    found = list(_compared(journal, reader, say))
    return sorted(found, key=lambda one: (-len(one.faults), -_surest(one), one.path))


def _surest(one: Compared) -> float:
    return max((fault.probability for fault in one.faults), default=0.0)


def _compared(journal: Journal, reader: Reader, say: Report) -> Iterator[Compared]:
    places = journal.index.places()
    for sha256, entry in journal.index.photos.items():
        line = journal.read(entry.at)
        if line["review"]["state"] not in CHECKED_STATES or line["review"].get("part"):
            continue
        try:
            path, data = as_labelled(journal.folder, places[sha256], sha256)
            seen = reader.read(load(data)).tiles
        except (NotAsLabelled, PhotoError) as reason:
            say(f"{line['path']} stayed out: {reason}.")
            continue
        tiles = [
            {"quad": t.quad, "label": t.label, "probability": t.probability} for t in map(readable, seen)
        ]
        before = journal.read(entry.model_at)["tiles"] if entry.model_at >= 0 else None
        yield Compared(
            path,
            sha256,
            len(line["tiles"]),
            tuple(_faults(line, tiles)),
            None if before is None else sum(1 for _ in _faults(line, before)),
        )


def _faults(line: Line, seen: list[Any]) -> Iterator[Fault]:
    """Where the network's labels differ from people's. Any label of an unreadable tile is right."""
    truth: list[Tile] = line["tiles"]
    same = pairs(truth, seen)
    for at, other in same:
        label, said = truth[at]["label"], seen[other]["label"]
        if said != label and label != UNREADABLE:
            yield Fault(label, said, seen[other]["probability"], truth[at]["quad"])
    met, taken = {at for at, _ in same}, {other for _, other in same}
    for at, tile in enumerate(truth):
        if at not in met and tile["label"] != UNREADABLE:
            yield Fault(tile["label"], "", 0.0, tile["quad"])
    for other, tile in enumerate(seen):
        if other not in taken:
            yield Fault("", tile["label"], tile["probability"], tile["quad"])
