"""labelme: a JSON file beside each photo, a polygon a tile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tehai.label.formats.neutral import Picture, Pictures, Tile, as_quad, upright_quad
from tehai.label.formats.parsing import parsing, text_of

VERSION = "5.5.0"
"""The version of labelme whose files these are."""


def write(out: Path, pictures: Pictures) -> None:
    """``images/<split>/<name>.json``."""
    for picture in pictures:
        file = (out / "images" / picture.split / picture.name).with_suffix(".json")
        file.parent.mkdir(parents=True, exist_ok=True)
        data = {
            "version": VERSION,
            "flags": {"reviewed": picture.reviewed},
            "shapes": [_shape(tile) for tile in picture.clipped()],
            "imagePath": Path(picture.name).name,
            "imageData": None,
            "imageHeight": picture.height,
            "imageWidth": picture.width,
        }
        file.write_text(json.dumps(data, indent=1), encoding="utf-8")


def _shape(tile: Tile) -> dict[str, Any]:
    return {
        "label": tile.label,
        "points": [list(point) for point in tile.quad],
        "group_id": None,
        "description": "" if tile.score is None else f"probability {tile.score}",
        "shape_type": "polygon",
        "flags": {"truncated": True, "ignored": tile.ignored} if tile.visible < 1 else {},
        "mask": None,
    }


def read(source: Path) -> Iterator[Picture]:
    """Every JSON file of labelme below: polygons and rectangles."""
    for file in sorted(source.rglob("*.json")):
        text = text_of(file)
        with parsing(file, "a file of labelme"):
            data = json.loads(text)
            if "shapes" not in data:
                continue
            folder = file.relative_to(source).parent
            parts = folder.parts[2:] if folder.parts[:1] == ("images",) else folder.parts
            name = "/".join((*parts, Path(data["imagePath"].replace("\\", "/")).name))
            tiles = tuple(_tile(shape) for shape in data["shapes"] if shape["shape_type"] in _SHAPES)
            reviewed = (data.get("flags") or {}).get("reviewed")
            yield Picture(name, data["imageWidth"], data["imageHeight"], tiles, reviewed=reviewed)


_SHAPES = ("polygon", "rectangle")


def _tile(shape: dict[str, Any]) -> Tile:
    points = shape["points"]
    if shape["shape_type"] == "rectangle":
        (x0, y0), (x1, y1) = points
        return Tile(upright_quad(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)), str(shape["label"]))
    return Tile(as_quad(points), str(shape["label"]))
