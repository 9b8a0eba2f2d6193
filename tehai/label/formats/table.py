"""CSV: a line a tile."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from tehai.label.formats.neutral import Picture, Pictures, Tile, as_quad
from tehai.label.formats.parsing import parsing, text_of
from tehai.output.cells import cell, value_of

_CORNERS = ("x0", "y0", "x1", "y1", "x2", "y2", "x3", "y3")
COLUMNS = ("file", "split", "width", "height", "reviewed", "label", "probability", *_CORNERS)


def write(out: Path, pictures: Pictures) -> None:
    """``labels.csv``; a photo without tiles is a line without a label."""
    with (out / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(COLUMNS)
        for picture in pictures:
            photo = (
                cell(picture.name),
                picture.split,
                picture.width,
                picture.height,
                int(bool(picture.reviewed)),
            )
            for tile in picture.tiles:
                score = "" if tile.score is None else tile.score
                rows.writerow(
                    (*photo, cell(tile.label), score, *(value for point in tile.quad for value in point))
                )
            if not picture.tiles:
                rows.writerow((*photo, *[""] * (len(COLUMNS) - len(photo))))


def read(source: Path) -> Iterator[Picture]:
    """``labels.csv`` in a folder, or a file of that kind; the lines of a photo stand together."""
    path = source / "labels.csv" if source.is_dir() else source
    with parsing(path, "a table of tiles"):
        rows = csv.DictReader(io.StringIO(text_of(path), newline=""))
        tiles = (_row(f"{path}, line {rows.line_num}", row) for row in rows)
        for name, some in groupby(tiles, key=lambda found: found.name):
            found = list(some)
            yield replace(found[0], name=name, tiles=tuple(tile for one in found for tile in one.tiles))


def _row(where: str, row: dict[str, str]) -> Picture:
    """A photo with the tile of one line, or with none."""
    with parsing(where, "a tile of a photo"):
        tiles = (_tile(row),) if row["label"] else ()
        size = float(row["width"]), float(row["height"])
        return Picture(value_of(row["file"]), *size, tiles, reviewed=row["reviewed"] == "1")


def _tile(row: dict[str, str]) -> Tile:
    values = [float(row[name]) for name in _CORNERS]
    score = float(row["probability"]) if row["probability"] else None
    return Tile(as_quad(list(zip(values[::2], values[1::2], strict=True))), value_of(row["label"]), score)
