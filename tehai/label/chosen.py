"""Which photos an export takes, and the part and name that each has in the data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

from tehai.errors import Mistake
from tehai.label import duplicates
from tehai.label.formats import FORMATS
from tehai.label.formats.neutral import CLASSES, MOSTLY, ONE_CLASS, Picture, Tile, cut
from tehai.label.journal import TOUCHED, Journal, Say
from tehai.label.split import WAYS, Facts, Groups, Leak, belonging, sets, split, together
from tehai.label.upright import PLAIN
from tehai.text import plural
from vision.labels import UNREADABLE
from vision.reading import quad_of


@dataclass(frozen=True, slots=True)
class Options:
    """What to export. ``shares``: of the parts, by name. ``set_depth``: how many folders of a path name the
    tile set. ``link``: point to the photos rather than copy them. ``reviewed``: only what a person has
    looked at. ``flat``: all photos of a part in one folder. ``one_class``: every tile is a "tile".
    ``tag``: the named version that is exported. ``together``: in which ways photos belong together that are
    not to be parted, as :func:`~tehai.label.split.belonging` takes them; near-duplicates never are."""

    format: str
    shares: Mapping[str, float] = field(default_factory=lambda: {"train": 1.0})
    seed: int = 0
    set_depth: int = 0
    reviewed: bool = False
    link: bool = False
    licence: str = "not stated"
    flat: bool = False
    one_class: bool = False
    tag: str | None = None
    together: tuple[str, ...] = ("time",)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The photos of an export, read from the journal one at a time, as often as it takes.

    ``parts``: the split of each, by content hash; ``names``: its name in the data set; ``classes``: what its
    tiles may be; ``leaks``: what parts might share, and ``timeless``: how many photos do not say when they
    were taken.
    """

    journal: Journal
    parts: Mapping[str, str]
    names: Mapping[str, str]
    sources: Mapping[str, Path]
    splits: tuple[str, ...]
    classes: tuple[str, ...] = CLASSES
    leaks: tuple[Leak, ...] = ()
    timeless: int = 0

    def __iter__(self) -> Iterator[Picture]:
        for sha256 in self.parts:
            line = self.journal.photo(sha256)
            reviewed = line["review"]["state"] in TOUCHED
            yield Picture(
                self.names[sha256],
                line["width"],
                line["height"],
                tuple(self._tiles(line, reviewed)),
                self.parts[sha256],
                reviewed,
                self.sources[sha256],
            )

    def _tiles(self, line: Mapping[str, Any], reviewed: bool) -> Iterator[Tile]:
        """Those that have a class, and of which anything lies in the photo."""
        for tile in line["tiles"]:
            label = ONE_CLASS[0] if self.classes == ONE_CLASS else tile["label"]
            found = Tile(quad_of(tile["quad"]), label, None if reviewed else tile["probability"])
            if label in self.classes and cut(found, line["width"], line["height"]):
                yield found


def classes(options: Options, unread: int) -> tuple[str, ...]:
    """What the tiles of an export may be: its classes, and where the format can say that a region is to be
    ignored, the tiles that nobody can read."""
    if options.one_class:
        return ONE_CLASS
    format_ = FORMATS.get(options.format)
    return (*CLASSES, UNREADABLE) if unread and format_ and format_.ignores else CLASSES


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
    index, facts, gone, unread, edge = opened.index, [], 0, 0, Counter[str]()
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
        edge.update(_at_the_edge(line))
        sources[sha256] = opened.path(path)
        facts.append(Facts(sha256, path, line.get("taken"), labels))
    if gone:
        say(f"{plural(gone, 'photo')} of the journal cannot be found and stayed out; see tehai check.")
    kinds = classes(options, unread)
    if format_ := FORMATS.get(options.format):  # a journal keeps everything
        for sentence in _unlearnt(unread, edge, kinds, cuts=format_.cuts):
            say(sentence)
    ways = _ways(facts, opened, options)
    groups = together(facts, [group for kept, found in ways.values() if kept for group in found])
    parts = split(groups, options.shares, options.seed)
    ordered = {fact.key: parts[fact.key] for fact in facts}
    leaks = tuple(Leak.of(what, kept, facts, found, parts) for what, (kept, found) in ways.items())
    timeless = sum(fact.taken is None for fact in facts)
    if timeless and len(options.shares) > 1 and set(options.together) <= {"time"}:
        say(
            f"{plural(timeless, 'photo')} do not say when they were taken: what sessions they are of is not "
            "known, and may be parted. --together numbers or --together folder keeps them together."
        )
    return Chosen(
        opened, ordered, _names(facts, options.flat), sources, tuple(options.shares), kinds, leaks, timeless
    )


def _ways(facts: list[Facts], opened: Journal, options: Options) -> dict[str, tuple[bool, Groups]]:
    """In which ways photos belong together, by what the card calls them, and whether they are to stay so."""
    ways = {NEAR: (True, duplicates.near(opened))}
    for way in (*WAYS, *options.together):
        ways[_WORDS.get(way, f"“{way}”")] = way in options.together, belonging(way, facts)
    if options.set_depth:
        ways["tile set"] = True, sets(facts, options.set_depth)
    return ways


NEAR: Final = "nearly alike"
_WORDS: Final = {
    "time": "session, by time",
    "numbers": "numbers in names that follow each other",
    "folder": "folder",
}
"""What the card calls the ways in which photos belong together."""


def _at_the_edge(line: Mapping[str, Any]) -> Iterator[str]:
    """What of a photo's tiles reaches beyond it: ``cut`` off, ``mostly`` outside, ``outside``."""
    for tile in line["tiles"]:
        quad = quad_of(tile["quad"])
        part = cut(Tile(quad, tile["label"]), line["width"], line["height"])
        if part is None:
            yield "outside"
        elif part.visible < 1:
            yield "cut" if part.visible >= MOSTLY else "mostly"


def _unlearnt(unread: int, edge: Counter[str], kinds: tuple[str, ...], *, cuts: bool) -> Iterator[str]:
    """What is not in the data set as it is in the labels, in sentences."""
    if unread and kinds == CLASSES:
        yield f"{plural(unread, 'tile')} without a readable face stayed out."
    elif unread and UNREADABLE in kinds:
        yield f"{plural(unread, 'tile')} without a readable face: regions to be ignored."
    if cuts and (edge["cut"] or edge["mostly"]):
        yield (
            f"{plural(edge['cut'] + edge['mostly'], 'tile')} reach beyond their photo and are cut off at its "
            f"edge, {edge['mostly']} of them by more than half (marked where the format can say so)."
        )
    if edge["outside"]:
        yield f"{plural(edge['outside'], 'tile')} wholly outside their photo stayed out; see tehai check."


def _names(facts: list[Facts], flat: bool) -> dict[str, str]:
    """Names in the data set: the paths, of plain characters, each once; ``flat``: without folders."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for fact in facts:
        path = PurePosixPath(
            "".join(c if c.isprintable() and c not in '\\:*?"<>|#' else "_" for c in fact.path)
        )
        suffix = path.suffix.lower() if path.suffix.lower() in PLAIN else ".jpg"
        stem = str(path.with_suffix(""))
        stem = stem.replace("/", "-") if flat else stem
        if stem.lower() in taken:  # the labels of a.jpg and a.png would be one file
            stem += f"-{fact.key[:8]}"
        taken.add(stem.lower())
        names[fact.key] = stem + suffix
    return names
