"""Reviewed labels to train on: the journal that ``tehai label`` and its review write (``docs/labels.md``).

The journal is read by its documented schema, so that the trainings need nothing of what ships.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.patches import KINDS, PATCH, SMALLEST, Patches
from vision.arrays import Array32
from vision.faces import cut
from vision.image import load
from vision.labels import CLASSES
from vision.quads import sizes

SCHEMA = 2
"""The newest version of a journal's lines that is understood here; the names of versions have 2."""

REVIEWED = frozenset({"accepted", "corrected", "imported"})
"""States of photos that a person stands behind."""

AUTO = "auto"
"""The state of photos that their margins alone accepted: trained on only where that is asked for."""

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Labelled:
    """One reviewed photo.

    ``quads`` (n, 4, 2): pixels of the upright photo at full resolution. If ``exact``, they are clockwise from
    the face's own top left; otherwise they may be boxes. ``complete``: whether every tile is listed.
    ``labels``: ``?`` for an unreadable face.
    """

    path: Path
    sha256: str
    state: str
    quads: Array32
    labels: tuple[str, ...]
    exact: bool
    complete: bool

    @property
    def held_back(self) -> bool:
        """Whether the photo measures instead of teaching: some 8 % of them."""
        return int(self.sha256[:8], 16) % 100 < 8

    def decoded(self) -> tuple[NDArray[np.uint8], Array32]:
        """RGB pixels, and the quads in them. Raises ValueError when the file is no readable photo."""
        photo = load(self.path)
        return photo.pixels, np.asarray((self.quads + 0.5) / photo.scale - 0.5, np.float32)


def read_labels(file: Path, evaluation: frozenset[str], *, auto: bool = False) -> list[Labelled]:
    """The reviewed photos of a journal; with ``auto`` also those accepted by their margins.

    ``evaluation``: hashes of photos that must not be trained on. Raises OSError if there is no journal.
    Raises ValueError for a damaged or newer journal, for photos elsewhere, and for such a hash.
    """
    project, latest, places = _read(file)
    folder = str(project["photos"])
    if "://" in folder:
        raise ValueError(f"the photos of {file} lie at {folder}: copy them here and label the copy")
    wanted = REVIEWED | {AUTO} if auto else REVIEWED
    chosen = {sha256: line for sha256, line in latest.items() if line["review"]["state"] in wanted}
    measured = [line["path"] for sha256, line in chosen.items() if sha256 in evaluation]
    if measured:
        raise ValueError(
            f"{len(measured)} of the reviewed photos of {file} are evaluation photos, which are never "
            f"trained on (the first: {measured[0]!r}): reject them in the review, or label another folder"
        )
    photos = []
    for sha256, line in chosen.items():
        paths = [(file.parent / folder / path) for path in places.get(sha256, ())]
        path = next((path for path in paths if path.is_file() and digest(path) == sha256), None)
        if path is not None:
            photos.append(_labelled(path, sha256, line))
    print(
        f"{len(photos)} reviewed photos of {len(latest)} in {file}"
        + (f", {len(chosen) - len(photos)} more are not where it says" if len(chosen) > len(photos) else ""),
        flush=True,
    )
    return photos


def _labelled(path: Path, sha256: str, line: Line) -> Labelled:
    tiles, state = line["tiles"], line["review"]["state"]
    return Labelled(
        path,
        sha256,
        state,
        np.array([tile["quad"] for tile in tiles], np.float32).reshape(-1, 4, 2),
        tuple(tile["label"] for tile in tiles),
        exact=not any(tile["source"] == "imported" or _is_box(tile["quad"]) for tile in tiles),
        complete=state != "imported",
    )


def _is_box(quad: list[list[float]]) -> bool:
    """Whether a quad is a box along the photo's edges: nobody has said which of its corners is which."""
    return all(len({point[axis] for point in quad}) == 2 for axis in (0, 1))


def _read(file: Path) -> tuple[Line, dict[str, Line], dict[str, list[str]]]:
    """The project, the latest revision of each photo by content hash, and where each content lies."""
    project: Line | None = None
    latest: dict[str, Line] = {}
    lies: dict[str, str] = {}
    raw = file.read_bytes().splitlines(keepends=True)
    for number, text in enumerate(raw, 1):
        if number == len(raw) and not text.endswith(b"\n"):
            break  # a line that was torn: the next run of tehai label takes it off
        try:
            line = json.loads(text)
            schema, kind = line["schema"], line["kind"]
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"line {number} of {file} is damaged") from None
        if schema > SCHEMA:
            raise ValueError(f"{file} was written by a newer tehai (schema {schema})")
        if kind == "project":
            project = line
        elif kind == "photo":
            latest[line["sha256"]] = line
            if line["revision"] == 1:
                lies[line["path"]] = line["sha256"]
        elif kind == "place":
            lies[line["path"]] = line["sha256"]
        elif kind in ("gone", "unreadable"):
            lies.pop(line["path"], None)
    if project is None:
        raise ValueError(f"{file} is no journal of labels")
    places: dict[str, list[str]] = {}
    for path, sha256 in lies.items():
        places.setdefault(sha256, []).append(path)
    return project, latest, places


def evaluation_contents(photos: Path) -> frozenset[str]:
    """Hashes of all files that are measured on: photos whose use begins with ``eval``, and all of ``hands/``.
    Raises ValueError where nobody can say which these are."""
    if not (photos / "manifest.jsonl").is_file():
        raise ValueError(
            f"{photos} has no manifest.jsonl, which says which photos are never trained on: "
            "name its folder with --photos"
        )
    with (photos / "manifest.jsonl").open(encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        files = {photos / row["file"] for row in rows if row["use"].startswith("eval")}
    return frozenset(map(digest, files | {file for file in photos.glob("hands/**/*") if file.is_file()}))


def digest(file: Path) -> str:
    """SHA-256 of a file's content. Raises OSError."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def patches_of(photos: Iterable[Labelled]) -> Patches:
    """Patches at the reviewed quads, for the face training. They teach labels, not corners or turns: labels
    that were boxes once know neither."""
    pixels = [np.zeros((0, PATCH.height, PATCH.width, 3), np.uint8)]
    rows: list[dict[str, Any]] = []
    for photo in photos:
        rgb, quads = photo.decoded()
        able = [k for k, label in enumerate(photo.labels) if label in CLASSES]
        large = [k for k in able if sizes(quads[k : k + 1])[0] >= SMALLEST]
        pixels.append(cut(rgb, quads[large], PATCH))
        about = {"kind": "photo", "photo": photo.sha256, "mirrored": False, "held_back": photo.held_back}
        rows += [{"label": photo.labels[k], **about} for k in large]
    return Patches(
        np.concatenate(pixels),
        tuple(row["label"] for row in rows),
        np.full(len(rows), KINDS.index("photo"), np.uint8),
        tuple(row["photo"] for row in rows),
        tuple(rows),
    )


def summary(photos: Iterable[Labelled]) -> dict[str, int]:
    """What a checkpoint, and later the card, says of the labels that taught."""
    teaching = [photo for photo in photos if not photo.held_back]
    states = Counter(photo.state for photo in teaching)
    return {"photos": len(teaching), "tiles": sum(len(photo.labels) for photo in teaching), **states}
