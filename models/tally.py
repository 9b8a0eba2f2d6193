"""Count tiles of real photos that a reading found and named right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from datasets.boxes import apart, match
from datasets.photos import COMPLETE
from models.shares import Share
from vision.labels import FACES
from vision.quads import bounds, box_iou
from vision.reading import SeenTile

FOUND = 0.5
"""IoU of bounding boxes from which a tile counts as found."""

APART = 0.3
"""IoU with all true boxes below which a face is an extra detection, if its centre lies in no box."""


@dataclass(slots=True)
class Tally:
    """Counts over the photos of one use. ``plain``: tiles that are no fives; ``extra``: detections beyond the
    boxes, None if the boxes are incomplete; ``wholly``: photos read without a mistake."""

    photos: int = 0
    tiles: int = 0
    found: int = 0
    right: int = 0
    plain: int = 0
    plain_right: int = 0
    extra: int | None = None
    wholly: int = 0
    milliseconds: list[float] = field(default_factory=list)
    confusions: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, use: str) -> Tally:
        """An empty tally for photos of a use."""
        return cls(extra=0 if use in COMPLETE else None)

    def add(self, tiles: Sequence[SeenTile], boxes: np.ndarray[Any, Any], labels: Sequence[str]) -> None:
        """Count one photo: ``tiles`` of its reading, true ``boxes`` (n, 4) and ``labels``. Labels that are
        no faces, such as flowers, are skipped."""
        is_face = np.array([label in FACES for label in labels], bool)
        quads = np.array([tile.quad for tile in tiles], np.float32).reshape(-1, 4, 2)
        overlaps = box_iou(bounds(quads), boxes)
        scores = np.array([tile.probability for tile in tiles], np.float32)
        truth = [label for label, face in zip(labels, is_face, strict=True) if face]
        pairs = match(scores, overlaps[:, is_face], FOUND) if len(tiles) else []
        read = {j: tiles[i].label for i, j in pairs}
        right = sum(read.get(j) == label for j, label in enumerate(truth))
        self.photos += 1
        self.tiles += len(truth)
        self.found += len(pairs)
        self.right += right
        plain = [(j, label) for j, label in enumerate(truth) if label[0] not in "05" or label[1] == "z"]
        self.plain += len(plain)
        self.plain_right += sum(read.get(j) == label for j, label in plain)
        self.confusions.update(f"{truth[j]}→{label}" for j, label in read.items() if label != truth[j])
        extra = 0
        if self.extra is not None:
            extra = sum(tiles[i].label in FACES for i in apart(quads, boxes, APART))
            self.extra += extra
        self.wholly += right == len(truth) and not extra

    def adding(self, records: Iterable[Mapping[str, Any]]) -> Tally:
        """Add records of other photos of the use, as :meth:`counts` returns them."""
        for record in records:
            self.confusions.update(record["confusions"])
            for name in self.counts().keys() - {"confusions"}:
                if (count := getattr(self, name)) is not None:
                    setattr(self, name, count + record[name])
        return self

    def counts(self) -> dict[str, Any]:
        """The counts as JSON values."""
        return {each.name: getattr(self, each.name) for each in fields(self)}  # asdict spoils a Counter

    def to_record(self) -> dict[str, Any]:
        """Figures as JSON values, with shares of the true tiles."""

        def share(count: int, whole: int) -> float:
            return round(Share(count, whole).share, 4)

        return {
            "photos": self.photos,
            "tiles": self.tiles,
            "found": share(self.found, self.tiles),
            "right": share(self.right, self.tiles),
            "right_without_fives": share(self.plain_right, self.plain),
            "extra": self.extra,
            "photos_wholly_right": self.wholly,
            "ms_median": round(float(np.median(self.milliseconds or [0.0])), 1),
            "confusions": self.confusions.most_common(10),
        }
