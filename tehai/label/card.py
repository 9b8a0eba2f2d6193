"""The card of an exported data set: a page of counts, and a sheet of thumbnails."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from tehai.label.chosen import Chosen, Options
from tehai.label.formats import FORMATS
from tehai.label.formats.neutral import Picture
from tehai.label.journal import Journal
from tehai.label.split import tile_set
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
        f"- labelled by models with SHA-256 {', '.join(sorted(models)) or 'none'}",
        f"- split with seed {options.seed}, see “What the parts share”",
        "",
        f"| | {' | '.join(chosen.splits)} | all |",
        f"|---{'|---' * len(chosen.splits)}|---|",
        *parts,
        "",
        *_shared(chosen),
        "",
        "| tile set | photos |",
        "|---|---|",
        *sets,
        "",
        "![thumbnails](thumbnails.jpg)",
        "",
    ]
    head = format_.head(chosen, options.licence) if format_ and format_.head else ""
    return head + "\n".join(lines)


def _shared(chosen: Chosen) -> Iterator[str]:
    """What is known to be in more than one part, and what nobody knows."""
    yield "## What the parts share"
    yield ""
    yield "| photos that have in common | were kept together | groups | photos | groups in several parts |"
    yield "|---|---|---|---|---|"
    for leak in chosen.leaks:
        kept = "yes" if leak.kept else "no"
        yield f"| {leak.what} | {kept} | {leak.groups} | {leak.photos} | {leak.parted} |"
    yield ""
    if chosen.timeless:
        yield (
            f"{chosen.timeless} of {len(chosen.parts)} photos do not say when they were taken: whether their "
            "sessions were parted is not known."
        )
    else:
        yield "Every photo says when it was taken."


def _sets(chosen: Chosen, depth: int) -> Counter[str]:
    """Photos by tile set."""
    folder = chosen.journal.folder
    return Counter(
        tile_set(source.relative_to(folder).as_posix(), depth) for source in chosen.sources.values()
    )


def sheet(file: Path, chosen: Chosen, seed: int) -> None:
    """Some of the photos with their tiles outlined."""
    some = set(random.Random(seed).sample(range(len(chosen.parts)), min(COLUMNS * ROWS, len(chosen.parts))))
    thumbnails = [_thumbnail(picture) for at, picture in enumerate(chosen) if at in some]
    rows = -(-len(thumbnails) // COLUMNS)
    page = np.full((rows * HEIGHT, COLUMNS * WIDTH, 3), 255, np.uint8)
    for at, thumbnail in enumerate(thumbnails):
        y, x = at // COLUMNS * HEIGHT, at % COLUMNS * WIDTH
        page[y : y + thumbnail.shape[0], x : x + thumbnail.shape[1]] = thumbnail
    _, data = cv2.imencode(".jpg", cv2.cvtColor(page, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 85])
    file.write_bytes(data.tobytes())


def _thumbnail(picture: Picture) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    assert picture.source is not None
    scale = min((WIDTH - 4) / picture.width, (HEIGHT - 4) / picture.height)
    size = max(1, int(picture.width * scale)), max(1, int(picture.height * scale))
    small = cv2.resize(load(picture.source, 2 * WIDTH).pixels, size, interpolation=cv2.INTER_AREA)
    corners = [np.array(tile.quad) * scale for tile in picture.tiles]
    outlined = cv2.polylines(
        small, [np.round(one).astype(np.int32) for one in corners], True, (255, 0, 160), 1
    )
    return np.asarray(outlined, np.uint8)
