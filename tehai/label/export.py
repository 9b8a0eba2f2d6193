"""``tehai export``: labels and photos as another tool wants them."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.progress import track

from tehai.errors import Mistake
from tehai.label import card, journal, provenance
from tehai.label.chosen import Chosen, Options, choose
from tehai.label.formats import FORMATS
from tehai.label.journal import Journal, Say, encode
from tehai.label.upright import turned
from tehai.label.walk import EXPORTED
from tehai.text import plural

JOURNAL = "journal"


def export(opened: Journal, out: Path, options: Options, say: Say) -> None:
    """Write the data set into a new folder. Raises :class:`Mistake` where that cannot be, before anything is
    written, or where the disk is full."""
    if options.format != JOURNAL and options.format not in FORMATS:
        raise Mistake(f"There is no format {options.format}; there are {', '.join([*FORMATS, JOURNAL])}.")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Mistake(f"{out} is there already; name a new folder.")
    format_ = FORMATS.get(options.format)
    if format_ and format_.needs:
        format_.needs()
    chosen = choose(opened, options, say)
    if not chosen.parts:
        raise Mistake("There is nothing to export: no photo of the journal is there and fits.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        _mark(out, options, opened)
        if format_ is None:
            _write_journal(opened, chosen, out)
        else:
            if format_.images:
                for part in chosen.splits:
                    (out / "images" / part).mkdir(parents=True)
                _write_images(chosen, out, options.link)
            format_.write(out, chosen)
            if format_.loses:
                say(f"{format_.words}: {format_.loses}")
        provenance.write(out, chosen)
        card.write(out, chosen, options, opened)
    except OSError as reason:
        raise Mistake(
            f"{out} cannot be written ({reason.strerror}); the export is not whole: "
            "make room, and export anew."
        ) from None
    counts = Counter(chosen.parts.values())
    parts = ", ".join(f"{counts[name]} {name}" for name in chosen.splits)
    say(f"Exported {plural(len(chosen.parts), 'photo')} ({parts}) to {out}.")


def _mark(out: Path, options: Options, opened: Journal) -> None:
    """What says that the folder is an export, of what kind; first of all, as an export may break off."""
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
    photos = track(
        chosen, "photos", len(chosen.parts), console=console, transient=True, disable=not console.is_terminal
    )
    for picture in photos:
        assert picture.source is not None
        target = out / "images" / picture.split / picture.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if data := turned(picture.source):
            target.write_bytes(data)
        elif link:
            target.symlink_to(picture.source)
        else:
            shutil.copyfile(picture.source, target)


def _write_journal(opened: Journal, chosen: Chosen, out: Path) -> None:
    """A journal of its own: of each photo the latest revision as its first; ``was`` is the number that it
    had."""
    relative = Path(os.path.relpath(opened.folder, out.resolve())).as_posix()
    with (out / journal.NAME).open("wb") as file:
        file.write(encode({"kind": "project", "photos": relative, "at": journal.now()}))
        for sha256, part in chosen.parts.items():
            line = opened.photo(sha256)
            file.write(encode({**line, "was": line["revision"], "revision": 1, "split": part}))
