"""Which photos an export takes, and the part and name that each has in the data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from tehai.errors import Mistake
from tehai.label import duplicates
from tehai.label.formats.neutral import CLASSES, Picture, Tile
from tehai.label.journal import TOUCHED, Journal, Say
from tehai.label.split import Facts, split, together
from tehai.text import plural
from vision.reading import quad_of

PLAIN = frozenset({".jpg", ".jpeg", ".png", ".webp"})
"""Suffixes of photos that every tool opens; others are exported as JPEG."""


@dataclass(frozen=True, slots=True)
class Options:
    """What to export. ``shares``: of the parts, by name. ``set_depth``: how many folders of a path name the
    tile set. ``link``: point to the photos rather than copy them. ``reviewed``: only what a person has
    looked at."""

    format: str
    shares: Mapping[str, float] = field(default_factory=lambda: {"train": 1.0})
    seed: int = 0
    set_depth: int = 0
    reviewed: bool = False
    link: bool = False
    licence: str = "not stated"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The photos of an export, read from the journal one at a time, as often as it takes.

    ``parts``: the split of each, by content hash; ``names``: its name in the data set.
    """

    journal: Journal
    parts: Mapping[str, str]
    names: Mapping[str, str]
    sources: Mapping[str, Path]
    splits: tuple[str, ...]

    def __iter__(self) -> Iterator[Picture]:
        for sha256 in self.parts:
            line = self.journal.photo(sha256)
            reviewed = line["review"]["state"] in TOUCHED
            yield Picture(
                self.names[sha256],
                line["width"],
                line["height"],
                tuple(_tile(tile, reviewed) for tile in line["tiles"] if tile["label"] in CLASSES),
                self.parts[sha256],
                reviewed,
                self.sources[sha256],
            )


def _tile(tile: Mapping[str, Any], reviewed: bool) -> Tile:
    return Tile(quad_of(tile["quad"]), tile["label"], None if reviewed else tile["probability"])


def parse_shares(text: str) -> dict[str, float]:
    """``80,10,10`` or ``0.8,0.2`` as the shares of train, val and test."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if not 1 <= len(numbers) <= 3 or min(numbers) <= 0:
        raise Mistake(f"--split is the shares of train, val and test, such as 80,10,10, not “{text}”.")
    return {
        name: number / sum(numbers) for name, number in zip(("train", "val", "test"), numbers, strict=False)
    }


def choose(opened: Journal, options: Options, say: Say) -> Chosen:
    """Which photos go where."""
    index, facts, gone, unread = opened.index, [], 0, 0
    places = index.places()
    sources = {}
    for sha256, entry in index.photos.items():
        if entry.state == "rejected" or (options.reviewed and not entry.touched):
            continue
        path = next((path for path in places[sha256] if opened.path(path).is_file()), None)
        if path is None:
            gone += 1
            continue
        line = opened.read(entry.at)
        labels = Counter(tile["label"] for tile in line["tiles"])
        unread += labels.total() - sum(labels[label] for label in CLASSES)
        sources[sha256] = opened.path(path)
        facts.append(Facts(sha256, path, line.get("taken"), labels))
    if gone:
        say(f"{plural(gone, 'photo')} of the journal cannot be found and stayed out; see tehai check.")
    if unread:
        say(f"{plural(unread, 'tile')} without a readable face stayed out.")
    groups = together(facts, duplicates.near(index), options.set_depth)
    parts = split(groups, options.shares, options.seed)
    ordered = {fact.key: parts[fact.key] for fact in facts}
    return Chosen(opened, ordered, _names(facts), sources, tuple(options.shares))


def _names(facts: list[Facts]) -> dict[str, str]:
    """Names in the data set: the paths, of plain characters, each once."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for fact in facts:
        path = PurePosixPath(
            "".join(c if c.isprintable() and c not in '\\:*?"<>|#' else "_" for c in fact.path)
        )
        suffix = path.suffix.lower() if path.suffix.lower() in PLAIN else ".jpg"
        stem = str(path.with_suffix(""))
        if stem.lower() in taken:  # the labels of a.jpg and a.png would be one file
            stem += f"-{fact.key[:8]}"
        taken.add(stem.lower())
        names[fact.key] = stem + suffix
    return names
