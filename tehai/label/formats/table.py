"""CSV: a line a tile."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from tehai.errors import Mistake
from tehai.label.formats.neutral import Picture, Pictures, Tile, as_quad

_CORNERS = ("x0", "y0", "x1", "y1", "x2", "y2", "x3", "y3")
COLUMNS = ("file", "split", "width", "height", "reviewed", "label", "probability", *_CORNERS)


def write(out: Path, pictures: Pictures) -> None:
    """``labels.csv``; a photo without tiles is a line without a label."""
    with (out / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(COLUMNS)
        for picture in pictures:
            photo = (picture.name, picture.split, picture.width, picture.height, int(bool(picture.reviewed)))
            for tile in picture.tiles:
                score = "" if tile.score is None else tile.score
                rows.writerow((*photo, tile.label, score, *(value for point in tile.quad for value in point)))
            if not picture.tiles:
                rows.writerow((*photo, *[""] * (len(COLUMNS) - len(photo))))


def read(source: Path) -> Iterator[Picture]:
    """``labels.csv`` in a folder, or a file of that kind; the lines of a photo stand together."""
    path = source / "labels.csv" if source.is_dir() else source
    try:
        with path.open(encoding="utf-8", newline="") as file:
            for name, rows in groupby(csv.DictReader(file), key=lambda row: row["file"]):
                lines = list(rows)
                first = lines[0]
                yield Picture(
                    name,
                    float(first["width"]),
                    float(first["height"]),
                    tuple(_tile(row) for row in lines if row["label"]),
                    reviewed=first["reviewed"] == "1",
                )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Mistake(f"{path} is no table of tiles ({type(error).__name__}: {error}).") from None


def _tile(row: dict[str, str]) -> Tile:
    values = [float(row[name]) for name in _CORNERS]
    score = float(row["probability"]) if row["probability"] else None
    return Tile(as_quad(list(zip(values[::2], values[1::2], strict=True))), row["label"], score)
