"""COCO: one JSON file a split; each tile a box and its quad as a polygon."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tehai.errors import Mistake
from tehai.label.formats.neutral import CLASSES, Picture, Pictures, Tile, as_quad, upright_quad
from tehai.label.walk import EXPORTED


def write(out: Path, pictures: Pictures) -> None:
    """``annotations/instances_<split>.json``, written as the photos go by; class ids start at 1."""
    folder = out / "annotations"
    folder.mkdir(parents=True, exist_ok=True)
    head = {
        "info": {"description": "mahjong tiles, labelled with tehai", "version": "1.0"},
        "licenses": [],
        "categories": [
            {"id": number, "name": name, "supercategory": "tile"} for number, name in enumerate(CLASSES, 1)
        ],
    }
    for split in pictures.splits:
        with (folder / f"instances_{split}.json").open("w", encoding="utf-8") as file:
            file.write(json.dumps(head)[:-1])
            for field, rows in (("images", _images), ("annotations", _annotations)):
                file.write(f', "{field}": [')
                for at, row in enumerate(rows(pictures, split)):
                    file.write((",\n" if at else "\n") + json.dumps(row))
                file.write("]")
            file.write("}\n")


def _of(pictures: Pictures, split: str) -> Iterator[tuple[int, Picture]]:
    return enumerate((picture for picture in pictures if picture.split == split), 1)


def _images(pictures: Pictures, split: str) -> Iterator[dict[str, Any]]:
    for number, picture in _of(pictures, split):
        yield {"id": number, "file_name": picture.name, "width": picture.width, "height": picture.height}


def _annotations(pictures: Pictures, split: str) -> Iterator[dict[str, Any]]:
    number = 0
    for image, picture in _of(pictures, split):
        for tile in picture.tiles:
            number += 1
            x0, y0, x1, y1 = tile.box()
            score = {} if tile.score is None else {"score": tile.score}
            yield {
                "id": number,
                "image_id": image,
                "category_id": CLASSES.index(tile.label) + 1,
                "bbox": [round(value, 2) for value in (x0, y0, x1 - x0, y1 - y0)],
                "area": round(_area(tile), 1),
                "segmentation": [[value for point in tile.quad for value in point]],
                "iscrowd": 0,
                **score,
            }


def _area(tile: Tile) -> float:
    following = (*tile.quad[1:], tile.quad[0])
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(tile.quad, following, strict=True))) / 2


def read(source: Path) -> Iterator[Picture]:
    """A file of annotations, or every one of a folder. A tile without a polygon has its box."""
    for file in [source] if source.is_file() else sorted(source.rglob("*.json")):
        if file.name == EXPORTED:
            continue
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            names = {kind["id"]: str(kind["name"]) for kind in data["categories"]}
            tiles: dict[int, list[Tile]] = {}
            for row in data["annotations"]:
                tiles.setdefault(row["image_id"], []).append(_tile(row, names))
            pictures = [
                Picture(
                    str(image["file_name"]), image["width"], image["height"], tuple(tiles.get(image["id"],
                    ())), reviewed=True,
                )
                for image in data["images"]
            ]  # fmt: skip
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Mistake(
                f"{file} is no COCO file of annotations ({type(error).__name__}: {error})."
            ) from None
        yield from pictures


def _tile(row: dict[str, Any], names: dict[int, str]) -> Tile:
    label = names.get(row["category_id"], f"class {row['category_id']}")
    polygons = row.get("segmentation") or []
    if isinstance(polygons, list) and polygons:
        flat = polygons[0]
        return Tile(as_quad(list(zip(flat[::2], flat[1::2], strict=True))), label)
    x, y, width, height = row["bbox"]
    return Tile(upright_quad(x, y, x + width, y + height), label)
