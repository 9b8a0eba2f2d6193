"""``tehai stats``: the contents of a journal in numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tehai.label import agreement, double_assignment, duplicates, faults
from tehai.label.cache import FactValues
from tehai.label.faults import LABELS
from tehai.label.geometry import pairs
from tehai.label.journal import Entry, Journal, Kind, Line
from vision.labels import REDS

_PAIRS = 10
"""The number of the most frequent confusions of a folder to keep."""


@dataclass(slots=True)
class Folder:
    """The figures of one folder.

    ``compared``: tiles of people's labels that the models had detected in the same place. ``missed``: tiles
    that the models had not. ``extra``: tiles that only the models had. ``confusions``: counts of
    "model→person".
    """

    photos: int = 0
    tiles: int = 0
    reviewed: int = 0
    compared: int = 0
    agreed: int = 0
    missed: int = 0
    extra: int = 0
    confusions: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, compared: int, agreed: int, missed: int, extra: int, confusions: Sequence[Any]) -> Folder:
        """The figures of one compared photo."""
        return cls(0, 0, 0, compared, agreed, missed, extra, Counter(dict(confusions)))

    def add(self, other: Folder) -> None:
        """Add the figures of more photos."""
        self.compared += other.compared
        self.agreed += other.agreed
        self.missed += other.missed
        self.extra += other.extra
        self.confusions.update(other.confusions)

    def compare(self, model: list[dict[str, Any]], person: list[dict[str, Any]]) -> None:
        """Compare a photo's tiles as the models labelled them with a person's."""
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


def counted(journal: Journal, sha256: str, entry: Entry, photo: Line) -> FactValues:
    """The counted facts of a photo.

    Its path, the number of each label, violations of the rules, the comparison of models and person, and that
    of several people.
    """
    labels = Counter(tile["label"] for tile in photo["tiles"])
    versus = None
    if entry.touched and entry.model_at >= 0 and entry.state != "rejected":
        model, found = journal.read(entry.model_at)["tiles"], Folder()
        found.compare(model, photo["tiles"])
        numbers = (found.compared, found.agreed, found.missed, found.extra)
        said = agreement.answers(model, photo["tiles"])
        versus = [*numbers, list(found.confusions.items()), agreement.to_rows(said)]
    people = agreement.of_photo(journal, entry)
    return [photo["path"], labels, list(faults.rule_violations(photo)), versus, people], b""


KIND: Final = Kind(
    "stats 1",
    counted,
    lambda value, _: isinstance(value, list) and len(value) == 5,
)


def stats(journal: Journal) -> dict[str, Any]:
    """The output of ``tehai stats --json``; one photo at a time is in memory."""
    places = journal.index.places()
    labels: Counter[str] = Counter()
    states: Counter[str] = Counter()
    folders: dict[str, Folder] = {}
    violations = []
    compared: defaultdict[tuple[str, str], list[Any]] = defaultdict(lambda: [0, Counter()])
    for sha256, entry, ((found, _),) in journal.facts(KIND):
        named, of_photo, against, versus, people = found
        path = next(iter(places[sha256]), named)
        states[entry.state] += 1
        labels.update(of_photo)
        violations += [{"path": path, "message": message} for message in against]
        folder = folders.setdefault(path.rpartition("/")[0] or ".", Folder())
        folder.photos += 1
        folder.tiles += sum(of_photo.values())
        folder.reviewed += entry.touched
        if versus:
            folder.add(Folder.of(*versus[:-1]))
            compared["models", "people"][0] += 1
            compared["models", "people"][1].update(agreement.of_rows(versus[-1]))
        for one, other, rows in people:
            compared[one, other][0] += 1
            compared[one, other][1].update(agreement.of_rows(rows))
    for one, other, said in double_assignment.compared(journal):
        compared[one, other][0] += 1
        compared[one, other][1].update(said)
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
                for group in duplicates.near(journal)
                if len(paths := [names[sha256] for sha256 in group if sha256 in names]) > 1
            ],
        },
        "agreement": [
            {"one": one, "other": other, **agreement.to_record(photos, said)}
            for (one, other), (photos, said) in sorted(compared.items())
        ],
        "violations": violations,
        "unreadable": [
            {"path": path, "message": message} for path, message in sorted(journal.index.unreadable.items())
        ],
    }
