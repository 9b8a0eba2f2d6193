"""``tehai export``: labels and photos for another tool."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import track

from tehai.errors import Mistake
from tehai.label import card, journal, provenance
from tehai.label.address import Address
from tehai.label.formats import FORMATS
from tehai.label.journal import Journal, Report, encode
from tehai.label.photo_files import EXPORTED
from tehai.label.selection import IMAGES, Chosen, Options, choose
from tehai.output.join import plural, printable

JOURNAL = "journal"


def export(opened: Journal, out: Path, options: Options, say: Report) -> Mapping[str, str]:
    """Write the data set into a new folder. Returns the photos that changed since they were labelled, by
    path, with the reason; they are not exported.

    Raises :class:`Mistake` before anything is written if the export is impossible, and if the disk is full.
    """
    if options.format != JOURNAL and options.format not in FORMATS:
        raise Mistake(f"There is no format {options.format}; there are {', '.join([*FORMATS, JOURNAL])}.")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Mistake(f"{out} is there already; name a new folder.")
    if options.mask and (options.one_class or options.format == JOURNAL):
        raise Mistake("--mask covers tiles that this export keeps: drop it, or --one-class.")
    if options.link:
        _ = opened.local_folder
    format_ = FORMATS.get(options.format)
    if format_ and format_.needs:
        format_.needs()
    chosen = choose(opened, options, say)
    if not chosen.parts:
        raise Mistake(_NOTHING)
    try:
        out.mkdir(parents=True, exist_ok=True)
        _mark(out, options, opened)
        if format_ is None:
            _write_journal(opened, chosen, out)
        else:
            if format_.images:
                _write_images(chosen, out, options.link)
            format_.write(out, chosen)
            if unread := chosen.unread_tiles(detects=format_.cuts):
                say(unread)
            if format_.loses:
                say(f"{format_.words}: {format_.loses}")
        if not chosen.parts:
            shutil.rmtree(out)  # all that is in it was written here
            raise Mistake(_NOTHING)
        provenance.write(out, chosen)
        card.write(out, chosen, options, opened)
    except OSError as reason:
        raise Mistake(
            f"{out} cannot be written ({reason.strerror}); the export is not whole: "
            "make room, and export anew."
        ) from None
    counts = Counter(chosen.parts.values())
    parts = ", ".join(f"{counts[name]} {name}" for name in chosen.splits)
    for sentence in _left_out(chosen.left_out):
        say(sentence)
    say(f"Exported {plural(len(chosen.parts), 'photo')} ({parts}) to {out}.")
    return chosen.left_out


_NOTHING: Final = "There is nothing to export: no photo is there, as it was labelled, and fits."

_NAMED: Final = 20
"""How many of the photos that were left out are listed. The card lists all."""


def _left_out(photos: Mapping[str, str]) -> Iterator[str]:
    if photos:
        yield f"{plural(len(photos), 'photo')} stayed out; put them back as they were, or label them again:"
    for path, why in list(photos.items())[:_NAMED]:
        yield f"  {printable(path)} {why}"
    if len(photos) > _NAMED:
        yield f"  and {len(photos) - _NAMED} more, which README.md of the export names."


def _mark(out: Path, options: Options, opened: Journal) -> None:
    """Mark the folder as an export of its kind. This comes first, because an export may be interrupted."""
    facts = {
        "schema": 1,
        "format": options.format,
        "at": journal.now(),
        "journal": opened.version,
        "tag": options.tag,
        "seed": options.seed,
        "shares": dict(options.shares),
    }
    (out / EXPORTED).write_text(json.dumps(facts) + "\n", encoding="utf-8")


def _write_images(chosen: Chosen, out: Path, link: bool) -> None:
    console = Console(stderr=True)
    for split in chosen.splits:
        folder = out / IMAGES / split
        folder.mkdir(parents=True)
        photos = track(
            chosen.photos(split), split, sum(part == split for part in chosen.parts.values()),
            console=console, transient=True, disable=not console.is_terminal,
        )  # fmt: skip
        for picture, image in photos:
            target = folder / picture.name
            target.parent.mkdir(parents=True, exist_ok=True)
            if link and isinstance(image.file, Path):
                target.symlink_to(image.file)
            else:
                target.write_bytes(image.data)


def _write_journal(opened: Journal, chosen: Chosen, out: Path) -> None:
    """A new journal with the latest revision of each photo as its first. ``was``: the number of the revision
    before."""
    folder = opened.folder
    if isinstance(folder, Address):
        photos = folder.url
    else:
        photos = Path(os.path.relpath(folder, out.resolve())).as_posix()
    for split in chosen.splits:
        for _ in chosen.photos(split):
            pass  # those that are not what was labelled are left out on the way
    with (out / journal.NAME).open("wb") as file:
        file.write(encode({"kind": "project", "photos": photos, "at": journal.now()}))
        for sha256, part in chosen.parts.items():
            line = opened.photo(sha256)
            path, *copies = chosen.places[sha256]  # which may have changed since the line was written
            file.write(encode({**line, "path": path, "was": line["revision"], "revision": 1, "split": part}))
            for copy in copies:
                file.write(encode({"kind": "place", "path": copy, "sha256": sha256}))
