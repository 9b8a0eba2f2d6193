"""Hugging Face (https://huggingface.co/docs/datasets): photos with ``metadata.jsonl``, or Parquet files that
contain the photos.

Both open with ``datasets.load_dataset(OUT)``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from tehai.errors import Mistake
from tehai.label.formats.neutral import Image, Picture, Pictures, Tile, as_quad
from tehai.label.formats.parsing import lines_of, parsing

SHARD: Final = 400_000_000
"""Bytes of photos in a Parquet file. The hub's own limit is 500 MB."""

_ROWS: Final = 64
"""Photos in memory at a time."""

_WHAT: Final = "photos with objects"

_INSTALL: Final = 'pip install "tehai[parquet]"'


def write(out: Path, pictures: Pictures) -> None:
    """``images/<split>/metadata.jsonl``: a line a photo. ``file_name`` is a path relative to it."""
    for split in pictures.splits:
        with (out / "images" / split / "metadata.jsonl").open("w", encoding="utf-8") as file:
            for picture in pictures:
                if picture.split == split:
                    row = {"file_name": picture.name, **_row(picture, pictures.classes)}
                    file.write(json.dumps(row) + "\n")


def _row(picture: Picture, classes: Sequence[str]) -> dict[str, Any]:
    parts = list(picture.clipped())
    boxes = [part.box() for part in parts]
    return {
        "width": int(picture.width),
        "height": int(picture.height),
        "reviewed": picture.reviewed,
        "objects": {
            "bbox": [[round(value, 2) for value in (x0, y0, x1 - x0, y1 - y0)] for x0, y0, x1, y1 in boxes],
            "corners": [[round(value, 2) for point in part.quad for value in point] for part in parts],
            "category": [classes.index(part.label) for part in parts],
            "label": [part.label for part in parts],
            # JSON says no types: a file without any number here would have another column than the next one.
            "score": [1.0 if part.score is None else part.score for part in parts],
            "visible": [part.visible for part in parts],
        },
    }


def head(pictures: Pictures, licence: str) -> str:
    """The YAML at the beginning of the card (https://huggingface.co/docs/hub/datasets-cards)."""
    paths = "".join(f"  - split: {_split(split)}\n    path: images/{split}/**\n" for split in pictures.splits)
    return _head(pictures, licence, paths)


def parquet_head(pictures: Pictures, licence: str) -> str:
    """The YAML for Parquet."""
    paths = "".join(
        f"  - split: {_split(split)}\n    path: data/{split}-*.parquet\n" for split in pictures.splits
    )
    return _head(pictures, licence, paths)


def _head(pictures: Pictures, licence: str, paths: str) -> str:
    known = re.sub(r"[\s_]+", "-", licence.strip().lower())
    named = (
        f"license: {known}\n"
        if known in LICENCES
        else f"license: other\nlicense_name: {json.dumps(licence)}\n"
    )
    return (
        f"---\npretty_name: Mahjong tiles\n{named}task_categories:\n- object-detection\ntags:\n- mahjong\n"
        f"- riichi\nconfigs:\n- config_name: default\n  data_files:\n{paths}---\n\n"
    )


LICENCES: Final = frozenset(
    ("apache-2.0", "mit", "cc0-1.0", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "cc-by-nc-sa-4.0", "odbl")
)
"""Names of licences on the hub. Any other licence is ``other`` there."""


def _split(name: str) -> str:
    return {"val": "validation"}.get(name, name)


def read(source: Path) -> Iterator[Picture]:
    """Every ``metadata.jsonl`` below."""
    for file in sorted(source.rglob("metadata.jsonl")):
        for where, line in lines_of(file):
            with parsing(where, _WHAT):
                row = json.loads(line)
                yield _picture(row, str(row["file_name"]))


def _picture(row: dict[str, Any], name: str) -> Picture:
    objects, reviewed = row["objects"], bool(row["reviewed"])
    scores = [None if reviewed else float(score) for score in objects["score"]]
    found = zip(objects["label"], objects["corners"], scores, strict=True)
    tiles = (
        Tile(as_quad(list(zip(flat[::2], flat[1::2], strict=True))), str(label), score)
        for label, flat, score in found
    )
    return Picture(name, row["width"], row["height"], tuple(tiles), reviewed=reviewed)


def write_parquet(out: Path, pictures: Pictures) -> None:
    """``data/<split>-00000.parquet`` and so on: a row a photo, with the photo's bytes."""
    pa, pq = arrow()
    (out / "data").mkdir(parents=True)
    schema = _schema(pa, pictures.classes)
    for split in pictures.splits:
        for number, shard in enumerate(_shards(pictures.photos(split))):
            with pq.ParquetWriter(out / "data" / f"{split}-{number:05}.parquet", schema) as file:
                for rows in shard:
                    table = [{**_row(one, pictures.classes), "image": image} for one, image in rows]
                    file.write_table(pa.Table.from_pylist(table, schema))


_Rows = list[tuple[Picture, dict[str, Any]]]


def _shards(photos: Iterator[tuple[Picture, Image]]) -> Iterator[Iterator[_Rows]]:
    """Groups of rows for each file, each photo with its image."""
    todo = next(photos, None)

    def shard() -> Iterator[_Rows]:
        nonlocal todo
        size, rows = 0, _Rows()
        while todo is not None and size < SHARD:
            picture, image = todo
            rows.append((picture, {"bytes": image.data, "path": picture.name}))
            size += len(image.data)
            todo = next(photos, None)
            if len(rows) == _ROWS:
                yield rows
                rows = []
        yield rows

    while todo is not None:
        yield shard()


def arrow() -> tuple[Any, Any]:
    """``pyarrow`` and ``pyarrow.parquet``. Raises :class:`Mistake` if they are not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Mistake(f"Parquet needs pyarrow, which is not installed: {_INSTALL}") from None
    return pyarrow, pyarrow.parquet


def _schema(pa: Any, classes: Sequence[str]) -> Any:
    """The types of Arrow, and those of the columns in ``datasets``."""
    numbers = {"dtype": "float32", "_type": "Value"}
    columns = {
        "image": pa.struct([("bytes", pa.binary()), ("path", pa.string())]),
        "width": pa.int32(),
        "height": pa.int32(),
        "reviewed": pa.bool_(),
        "objects": pa.struct(
            [
                ("bbox", pa.list_(pa.list_(pa.float32(), 4))),
                ("corners", pa.list_(pa.list_(pa.float32(), 8))),
                ("category", pa.list_(pa.int64())),
                ("label", pa.list_(pa.string())),
                ("score", pa.list_(pa.float32())),
                ("visible", pa.list_(pa.float32())),
            ]
        ),
    }
    features = {
        "image": {"_type": "Image"},
        "width": {"dtype": "int32", "_type": "Value"},
        "height": {"dtype": "int32", "_type": "Value"},
        "reviewed": {"dtype": "bool", "_type": "Value"},
        "objects": {
            "bbox": {"feature": {"feature": numbers, "length": 4, "_type": "List"}, "_type": "List"},
            "corners": {"feature": {"feature": numbers, "length": 8, "_type": "List"}, "_type": "List"},
            "category": {"feature": {"names": list(classes), "_type": "ClassLabel"}, "_type": "List"},
            "label": {"feature": {"dtype": "string", "_type": "Value"}, "_type": "List"},
            "score": {"feature": numbers, "_type": "List"},
            "visible": {"feature": numbers, "_type": "List"},
        },
    }
    return pa.schema(
        list(columns.items()), metadata={"huggingface": json.dumps({"info": {"features": features}})}
    )


def read_parquet(source: Path) -> Iterator[Picture]:
    """Read every ``*.parquet`` below, a group of rows at a time, without the photos."""
    _, pq = arrow()
    for file in sorted(source.rglob("*.parquet")):
        with parsing(file, _WHAT):
            table = pq.ParquetFile(file)
            for batch in table.iter_batches(
                _ROWS, columns=["image.path", "width", "height", "reviewed", "objects"]
            ):
                for row in batch.to_pylist():
                    yield _picture(row, str(row["image"]["path"]))
