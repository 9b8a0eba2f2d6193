"""The card of an exported data set: a page of counts, and a sheet of thumbnails."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from tehai.label.files import NotAsLabelled
from tehai.label.formats import FORMATS
from tehai.label.journal import Journal, Line
from tehai.label.selection import Chosen, Options
from tehai.label.split import tile_set
from tehai.output.join import printable
from vision.image import load

COLUMNS, ROWS = 6, 4
WIDTH, HEIGHT = 240, 180
"""Thumbnails of the sheet: how many, and their pixels."""


def write(out: Path, chosen: Chosen, options: Options, opened: Journal) -> None:
    """``README.md`` and ``thumbnails.jpg``."""
    (out / "README.md").write_text(text(chosen, options, opened), encoding="utf-8")
    sheet(out / "thumbnails.jpg", chosen, options.seed)


def text(chosen: Chosen, options: Options, opened: Journal) -> str:
    """The page."""
    labels: dict[str, Counter[str]] = {part: Counter() for part in chosen.splits}
    photos: Counter[str] = Counter()
    reviewed = 0
    models: set[str] = set()
    for picture in chosen:
        labels[picture.split].update(tile.label for tile in picture.tiles)
        photos[picture.split] += 1
        reviewed += bool(picture.reviewed)
    for sha256 in chosen.parts:
        models.update(opened.index.photos[sha256].models)
    total = sum(labels.values(), Counter[str]())
    format_ = FORMATS.get(options.format)
    unread = chosen.unread_tiles(detects=format_.cuts) if format_ else ""
    parts = [f"| photos | {' | '.join(str(photos[part]) for part in chosen.splits)} | {photos.total()} |"]
    parts += [
        f"| {label} | {' | '.join(str(labels[part][label]) for part in chosen.splits)} | {total[label]} |"
        for label in chosen.classes
    ]
    sets = [
        f"| {name or '(not named)'} | {n} |" for name, n in sorted(_sets(chosen, options.set_depth).items())
    ]
    lines = [
        "# Mahjong tiles",
        "",
        f"- licence: {options.licence}",
        f"- version: {f'{options.tag}, ' if options.tag else ''}journal {opened.version}",
        f"- photos: {photos.total()}, of which {reviewed} were reviewed by a person; tiles: {total.total()}",
        f"- format: {format_.words if format_ else 'journal'}. {format_.loses if format_ else ''}".rstrip(),
        *([f"- {unread}"] if unread else []),
        f"- labelled by models with SHA-256 {', '.join(sorted(models)) or 'none'}",
        f"- split with seed {options.seed}, see “What the parts share”",
        "",
        f"| | {' | '.join(chosen.splits)} | all |",
        f"|---{'|---' * len(chosen.splits)}|---|",
        *parts,
        "",
        *_shared(chosen),
        "",
        *_left_out(chosen),
        "| tile set | photos |",
        "|---|---|",
        *sets,
        "",
        "![thumbnails](thumbnails.jpg)",
        "",
    ]
    head = format_.head(chosen, options.licence) if format_ and format_.head else ""
    return head + "\n".join(lines)


def _left_out(chosen: Chosen) -> Iterator[str]:
    """Photos that are not what was labelled any more."""
    if chosen.left_out:
        yield "## Photos that were left out"
        yield ""
        for path, why in sorted(chosen.left_out.items()):
            yield f"- `{printable(path)}` {why}"
        yield ""


def _shared(chosen: Chosen) -> Iterator[str]:
    """What is known to be in more than one part, and what nobody knows."""
    yield "## What the parts share"
    yield ""
    yield "| photos that have in common | were kept together | groups | photos | groups in several parts |"
    yield "|---|---|---|---|---|"
    for leak in chosen.leaks:
        kept = "yes" if leak.kept else "no"
        yield f"| {leak.what} | {kept} | {leak.groups} | {leak.photos} | {leak.separated} |"
    yield ""
    if timeless := chosen.timeless.intersection(chosen.parts):
        yield (
            f"{len(timeless)} of {len(chosen.parts)} photos do not say when they were taken: whether their "
            "sessions were parted is not known."
        )
    else:
        yield "Every photo says when it was taken."


def _sets(chosen: Chosen, depth: int) -> Counter[str]:
    """Photos by tile set."""
    return Counter(tile_set(chosen.places[sha256][0], depth) for sha256 in chosen.parts)


def sheet(file: Path, chosen: Chosen, seed: int) -> None:
    """Some of the photos with their tiles outlined."""
    some = random.Random(seed).sample(range(len(chosen.parts)), min(COLUMNS * ROWS, len(chosen.parts)))
    shown = [sha256 for at, sha256 in enumerate(chosen.parts) if at in some]
    lines = map(chosen.journal.photo, shown)
    thumbnails = [thumbnail for line in lines if (thumbnail := _thumbnail(chosen, line)) is not None]
    rows = -(-len(thumbnails) // COLUMNS)
    page = np.full((rows * HEIGHT, COLUMNS * WIDTH, 3), 255, np.uint8)
    for at, thumbnail in enumerate(thumbnails):
        y, x = at // COLUMNS * HEIGHT, at % COLUMNS * WIDTH
        page[y : y + thumbnail.shape[0], x : x + thumbnail.shape[1]] = thumbnail
    _, data = cv2.imencode(".jpg", cv2.cvtColor(page, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 85])
    file.write_bytes(data.tobytes())


def _thumbnail(chosen: Chosen, line: Line) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]] | None:
    """A photo with its tiles; None where it has changed this moment."""
    try:
        image = chosen.image(line)
    except NotAsLabelled:
        return None
    picture = chosen.picture(line)
    scale = min((WIDTH - 4) / picture.width, (HEIGHT - 4) / picture.height)
    size = max(1, int(picture.width * scale)), max(1, int(picture.height * scale))
    small = cv2.resize(load(image.data, 2 * WIDTH).pixels, size, interpolation=cv2.INTER_AREA)
    corners = [np.array(tile.quad) * scale for tile in picture.tiles]
    outlined = cv2.polylines(
        small, [np.round(one).astype(np.int32) for one in corners], True, (255, 0, 160), 1
    )
    return np.asarray(outlined, np.uint8)
