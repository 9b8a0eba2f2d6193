"""``tehai export``: labels and photos as another tool wants them."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from rich.console import Console
from rich.progress import track

from tehai.errors import Mistake
from tehai.label import card, duplicates, journal
from tehai.label.formats import FORMATS
from tehai.label.formats.neutral import CLASSES, Picture, Tile
from tehai.label.journal import TOUCHED, Journal, Say, encode
from tehai.label.run import plural
from tehai.label.split import Facts, split, together
from tehai.label.upright import is_upright, open_image, upright

PLAIN = frozenset({".jpg", ".jpeg", ".png", ".webp"})
"""Suffixes of photos that every tool opens; others are exported as JPEG."""

JOURNAL = "journal"


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
            said = line["review"]["state"] in TOUCHED
            yield Picture(
                self.names[sha256],
                line["width"],
                line["height"],
                tuple(_tile(tile, said) for tile in line["tiles"] if tile["label"] in CLASSES),
                self.parts[sha256],
                said,
                self.sources[sha256],
            )


def _tile(tile: Mapping[str, Any], said: bool) -> Tile:
    a, b, c, d = ((float(x), float(y)) for x, y in tile["quad"])
    return Tile((a, b, c, d), tile["label"], None if said else tile["probability"])


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


def export(opened: Journal, out: Path, options: Options, say: Say) -> None:
    """Write the data set into a new folder. Raises :class:`Mistake` where that cannot be, before anything is
    written, or where the disk is full."""
    if options.format != JOURNAL and options.format not in FORMATS:
        raise Mistake(f"There is no format {options.format}; there are {', '.join([*FORMATS, JOURNAL])}.")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Mistake(f"{out} is there already; name a new folder.")
    chosen = choose(opened, options, say)
    if not chosen.parts:
        raise Mistake("There is nothing to export: no photo of the journal is there and fits.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        if options.format == JOURNAL:
            _write_journal(opened, chosen, out)
        else:
            format_ = FORMATS[options.format]
            if format_.images:
                for part in chosen.splits:
                    (out / "images" / part).mkdir(parents=True)
                _write_images(chosen, out, options.link)
            format_.write(out, chosen)
            if format_.loses:
                say(f"{format_.words}: {format_.loses}")
        card.write(out, chosen, options, opened)
    except OSError as reason:
        raise Mistake(
            f"{out} cannot be written ({reason.strerror}); the export is not whole: "
            "make room, and export anew."
        ) from None
    counts = Counter(chosen.parts.values())
    parts = ", ".join(f"{counts[name]} {name}" for name in chosen.splits)
    say(f"Exported {plural(len(chosen.parts), 'photo')} ({parts}) to {out}.")


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


def _write_images(chosen: Chosen, out: Path, link: bool) -> None:
    console = Console(stderr=True)
    photos = track(
        chosen, "photos", len(chosen.parts), console=console, transient=True, disable=not console.is_terminal
    )
    for picture in photos:
        assert picture.source is not None
        target = out / "images" / picture.split / picture.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if data := _upright(picture.source):
            target.write_bytes(data)
        elif link:
            target.symlink_to(picture.source)
        else:
            shutil.copyfile(picture.source, target)


def _upright(source: Path) -> bytes:
    """The photo anew, where not every tool would show it as the labels count its pixels: HEIC, or turned by
    its EXIF. Nothing for one that can stay as it is."""
    with open_image(source) as image:
        if source.suffix.lower() in PLAIN and is_upright(image):
            return b""
        return upright(image, "PNG" if source.suffix.lower() == ".png" else "JPEG")


def _write_journal(opened: Journal, chosen: Chosen, out: Path) -> None:
    """A journal of its own: of each photo the latest revision as its first; ``was`` is the number that it
    had."""
    relative = Path(os.path.relpath(opened.folder, out.resolve())).as_posix()
    with (out / journal.NAME).open("wb") as file:
        file.write(encode({"kind": "project", "photos": relative, "at": journal.now()}))
        for sha256, part in chosen.parts.items():
            line = opened.photo(sha256)
            file.write(encode({**line, "was": line["revision"], "revision": 1, "split": part}))
