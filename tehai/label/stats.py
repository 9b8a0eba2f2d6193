"""``tehai stats``: what a journal holds, in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from tehai.label import duplicates
from tehai.label.faults import LABELS, rule_violations
from tehai.label.geometry import pairs
from tehai.label.journal import TOUCHED, Journal
from vision.labels import REDS

_PAIRS = 10
"""How many of the commonest confusions of a folder are kept."""


@dataclass(slots=True)
class Folder:
    """One folder. ``compared``: tiles of people's labels that the models had read too, in the same place;
    ``missed``: that they had not; ``extra``: what only they had; ``confusions``: "model→person"."""

    photos: int = 0
    tiles: int = 0
    reviewed: int = 0
    compared: int = 0
    agreed: int = 0
    missed: int = 0
    extra: int = 0
    confusions: Counter[str] = field(default_factory=Counter)

    def compare(self, model: list[dict[str, Any]], person: list[dict[str, Any]]) -> None:
        """A photo's tiles as the models read them, and as a person left them."""
        both = pairs(model, person)
        labels = [(model[i]["label"], person[j]["label"]) for i, j in both]
        self.compared += len(both)
        self.agreed += sum(guess == truth for guess, truth in labels)
        self.missed += len(person) - len(both)
        self.extra += len(model) - len(both)
        self.confusions.update(f"{guess}→{truth}" for guess, truth in labels if guess != truth)

    def to_record(self) -> dict[str, Any]:
        """The folder as JSON values."""
        return {
            "photos": self.photos,
            "tiles": self.tiles,
            "reviewed": self.reviewed,
            "compared": self.compared,
            "agreed": self.agreed,
            "missed": self.missed,
            "extra": self.extra,
            "confusions": [[pair, count] for pair, count in self.confusions.most_common(_PAIRS)],
        }


def stats(journal: Journal) -> dict[str, Any]:
    """All that ``tehai stats --json`` prints; one photo at a time is held in memory."""
    places = journal.index.places()
    labels: Counter[str] = Counter()
    states: Counter[str] = Counter()
    folders: dict[str, Folder] = {}
    violations = []
    for sha256, entry in journal.index.photos.items():
        photo = journal.read(entry.at)
        path = next(iter(places[sha256]), photo["path"])
        states[entry.state] += 1
        labels.update(tile["label"] for tile in photo["tiles"])
        violations += [{"path": path, "message": message} for message in rule_violations(photo)]
        folder = folders.setdefault(str(PurePosixPath(path).parent), Folder())
        folder.photos += 1
        folder.tiles += len(photo["tiles"])
        folder.reviewed += entry.state in TOUCHED
        if entry.touched and entry.model_at >= 0 and entry.state != "rejected":
            folder.compare(journal.read(entry.model_at)["tiles"], photo["tiles"])
    names = {sha256: paths[0] for sha256, paths in places.items() if paths}
    return {
        "journal": str(journal.file),
        "photos": sum(states.values()),
        "tiles": labels.total(),
        "states": dict(states),
        "labels": {label: labels[label] for label in LABELS} | labels,
        "reds": {red: labels[red] for red in REDS},
        "folders": {name: folder.to_record() for name, folder in sorted(folders.items())},
        "duplicates": {
            "exact": duplicates.exact(journal.index),
            "near": [
                paths
                for group in duplicates.near(journal.index)
                if len(paths := [names[sha256] for sha256 in group if sha256 in names]) > 1
            ],
        },
        "violations": violations,
        "unreadable": [
            {"path": path, "message": message} for path, message in sorted(journal.index.unreadable.items())
        ],
    }
