"""Select the photos of an export, with the part and name of each in the data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

from tehai.errors import Mistake
from tehai.label import duplicates
from tehai.label.address import Address
from tehai.label.files import NotAsLabelled, as_labelled
from tehai.label.formats import FORMATS
from tehai.label.formats.neutral import CLASSES, MOSTLY, ONE_CLASS, Image, Picture, Tile, cut
from tehai.label.journal import TOUCHED, Journal, Line, Report
from tehai.label.split import WAYS, Facts, Groups, Leak, belonging, sets, split, together
from tehai.label.upright import PLAIN, for_all
from tehai.output.join import plural
from vision.labels import UNREADABLE
from vision.reading import quad_of

IMAGES: Final = "images"
"""The folder of an export's photos.

Ultralytics finds the labels of a photo by the last folder of this name in its path, so no folder below may
have it.
"""


@dataclass(frozen=True, slots=True)
class Options:
    """What to export.

    ``shares``: of the parts, by name. ``set_depth``: how many folders of a path name the tile set. ``link``:
    link to the photos instead of copying them. ``reviewed``: only photos that a person has reviewed.
    ``flat``: all photos of a part in one folder. ``one_class``: every tile is a "tile". ``tag``: the named
    version to export.

    ``together``: the ways, as :func:`~tehai.label.split.belonging` takes them, in which photos belong to one
    part; near-duplicates always do. ``mask``: cover unreadable tiles. ``without_unreadable``: leave out
    photos with such a tile.
    """

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
    mask: bool = False
    without_unreadable: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """The photos of an export, read from the journal one at a time, as often as needed.

    By content hash: ``parts``: the split; ``names``: the name in the data set; ``places``: the paths in the
    folder. ``left_out``: by path, the reason why a photo is not exported; :meth:`photos` adds photos that it
    removes.

    ``classes``: the possible labels. ``leaks``: what parts might share. ``timeless``: photos without a time.
    ``unread``: unreadable tiles and all tiles of a photo. ``mask``: whether unreadable tiles are covered.
    """

    journal: Journal
    parts: dict[str, str]
    names: Mapping[str, str]
    places: Mapping[str, Sequence[str]]
    splits: tuple[str, ...]
    classes: tuple[str, ...]
    leaks: tuple[Leak, ...]
    timeless: frozenset[str]
    unread: Mapping[str, tuple[int, int]]
    left_out: dict[str, str]
    mask: bool

    def __iter__(self) -> Iterator[Picture]:
        for sha256 in self.parts:
            yield self.picture(self.journal.photo(sha256))

    def photos(self, split: str) -> Iterator[tuple[Picture, Image]]:
        """The photos of one part with their images. A photo that changed since it was labelled is removed
        from the export."""
        for sha256 in [sha256 for sha256, part in self.parts.items() if part == split]:
            line = self.journal.photo(sha256)
            try:
                yield self.picture(line), self.image(line)
            except NotAsLabelled as reason:
                del self.parts[sha256]
                self.left_out[reason.path] = str(reason)

    def image(self, line: Line) -> Image:
        """The image of a photo, from exactly the bytes that were labelled. Raises :class:`NotAsLabelled`."""
        sha256 = line["sha256"]
        path, data = as_labelled(self.journal.folder, self.places[sha256], sha256)
        unread = [tile for tile in line["tiles"] if tile["label"] not in CLASSES] if self.mask else []
        try:
            shown = for_all(data, path, [quad_of(tile["quad"]) for tile in unread])
        except OSError as reason:
            raise NotAsLabelled(path, f"cannot be opened as a photo ({reason})") from None
        return Image(shown, self.journal.path(path) if shown is data else None)

    def picture(self, line: Line) -> Picture:
        """A photo of the journal in the form of the export."""
        reviewed = line["review"]["state"] in TOUCHED
        return Picture(
            self.names[line["sha256"]],
            line["width"],
            line["height"],
            tuple(self._tiles(line, reviewed)),
            self.parts[line["sha256"]],
            reviewed,
        )

    def _tiles(self, line: Mapping[str, Any], reviewed: bool) -> Iterator[Tile]:
        """The tiles that have a class and are at least partly inside the photo."""
        for tile in line["tiles"]:
            label = ONE_CLASS[0] if self.classes == ONE_CLASS else tile["label"]
            found = Tile(quad_of(tile["quad"]), label, None if reviewed else tile["probability"])
            if label in self.classes and cut(found, line["width"], line["height"]):
                yield found

    def unread_tiles(self, *, detects: bool) -> str:
        """Sentences about unreadable tiles; empty without any. ``detects``: whether the format is for
        detectors."""
        count, total = (sum(self.unread[sha256][at] for sha256 in self.parts) for at in (0, 1))
        if not count or self.classes == ONE_CLASS:
            return ""
        what = f"{count:,} of {plural(total, 'tile')} have no readable face"
        if self.mask:
            return f"{what} and are covered in the photos."
        if UNREADABLE in self.classes:
            return f"{what} and are regions to be ignored."
        if not detects:
            return f"{what} and stayed out."
        return (
            f"{what} and stayed out: a detector takes them for background. Cover them with --mask, or leave "
            "their photos out with --without-unreadable-photos."
        )


def classes(options: Options, unread: int) -> tuple[str, ...]:
    """The classes of an export. Unreadable tiles are one of them only if the format can mark a region to
    ignore."""
    if options.one_class:
        return ONE_CLASS
    format_ = FORMATS.get(options.format)
    ignores = unread and not options.mask and format_ and format_.ignores
    return (*CLASSES, UNREADABLE) if ignores else CLASSES


def parse_shares(text: str) -> dict[str, float]:
    """Parse ``80,10,10`` or ``0.8,0.2`` as the shares of train, val and test."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if not 1 <= len(numbers) <= 3 or min(numbers) <= 0:
        raise Mistake(f"--split is the shares of train, val and test, such as 80,10,10, not “{text}”.")
    return {
        name: number / sum(numbers) for name, number in zip(("train", "val", "test"), numbers, strict=False)
    }


def choose(opened: Journal, options: Options, say: Report) -> Chosen:
    """Choose the part of each photo."""
    index, facts, edge, is_there = opened.index, [], Counter[str](), _is_there(opened.folder)
    places = index.places()
    unread: dict[str, tuple[int, int]] = {}
    left_out: dict[str, str] = {}
    unreadable = 0
    for sha256, entry in index.photos.items():
        if entry.state == "rejected" or (options.reviewed and not entry.touched):
            continue
        line = opened.read(entry.at)
        path = next((path for path in places[sha256] if is_there(path)), None)
        if path is None:
            left_out[line["path"]] = "is not there any more"
            continue
        labels = Counter(tile["label"] for tile in line["tiles"])
        missing = labels.total() - sum(labels[label] for label in CLASSES)
        if missing and options.without_unreadable:
            unreadable += 1
            continue
        unread[sha256] = missing, labels.total()
        edge.update(_at_the_edge(line))
        facts.append(Facts(sha256, path, line.get("taken"), labels))
    if unreadable:
        say(f"{plural(unreadable, 'photo')} with a tile without a readable face stayed out.")
    kinds = classes(options, any(missing for missing, _ in unread.values()))
    if format_ := FORMATS.get(options.format):  # a journal keeps everything
        for sentence in _at_edges(edge, cuts=format_.cuts):
            say(sentence)
    ways = _ways(facts, opened, options)
    groups = together(facts, [group for kept, found in ways.values() if kept for group in found])
    parts = split(groups, options.shares, options.seed)
    ordered = {fact.key: parts[fact.key] for fact in facts}
    leaks = tuple(Leak.of(what, kept, facts, found, parts) for what, (kept, found) in ways.items())
    timeless = frozenset(fact.key for fact in facts if fact.taken is None)
    if timeless and len(options.shares) > 1 and set(options.together) <= {"time"}:
        say(
            f"{plural(len(timeless), 'photo')} without a time: photos of one session may end up in different "
            "parts. --together numbers or --together folder keeps them together."
        )
    return Chosen(
        opened, ordered, _names(facts, options.flat), places, tuple(options.shares), kinds, leaks, timeless,
        unread, left_out, options.mask,
    )  # fmt: skip


def _is_there(folder: Path | Address) -> Callable[[str], bool]:
    """Whether a file exists at a path; an address is listed once."""
    if isinstance(folder, Address):
        return frozenset(folder.photos()).__contains__
    return lambda path: (folder / path).is_file()


def _ways(facts: list[Facts], opened: Journal, options: Options) -> dict[str, tuple[bool, Groups]]:
    """The ways in which photos belong together, by their name on the card, and whether each must stay
    together."""
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
"""The card's names for the ways in which photos belong together."""


def _at_the_edge(line: Mapping[str, Any]) -> Iterator[str]:
    """How a photo's tiles cross its edge: ``cut`` off, ``mostly`` outside, ``outside``."""
    for tile in line["tiles"]:
        quad = quad_of(tile["quad"])
        part = cut(Tile(quad, tile["label"]), line["width"], line["height"])
        if part is None:
            yield "outside"
        elif part.visible < 1:
            yield "cut" if part.visible >= MOSTLY else "mostly"


def _at_edges(edge: Counter[str], *, cuts: bool) -> Iterator[str]:
    """Sentences about the tiles that are not wholly inside their photo."""
    if cuts and (edge["cut"] or edge["mostly"]):
        yield (
            f"{plural(edge['cut'] + edge['mostly'], 'tile')} reach beyond their photo and are cut off at its "
            f"edge, {edge['mostly']} of them by more than half (marked where the format can say so)."
        )
    if edge["outside"]:
        yield f"{plural(edge['outside'], 'tile')} wholly outside their photo stayed out; see tehai check."


def _names(facts: list[Facts], flat: bool) -> dict[str, str]:
    """Unique names in the data set: the paths in plain characters. No folder has the name of the image
    folder.

    ``flat``: without folders.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for fact in facts:
        path = PurePosixPath(
            "".join(c if c.isprintable() and c not in '\\:*?"<>|#' else "_" for c in fact.path)
        )
        folders = (f"{part}_" if part.lower() == IMAGES else part for part in path.parts[:-1])
        path = PurePosixPath(*folders, path.name)
        suffix = path.suffix.lower() if path.suffix.lower() in PLAIN else ".jpg"
        stem = str(path.with_suffix(""))
        stem = stem.replace("/", "-") if flat else stem
        if stem.lower() in taken:  # the labels of a.jpg and a.png would be one file
            stem += f"-{fact.key[:8]}"
        taken.add(stem.lower())
        names[fact.key] = stem + suffix
    return names
