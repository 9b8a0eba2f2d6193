"""COCO: one JSON file a split. A tile is a box and a polygon, or a box and the corners as key points."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from tehai.errors import Mistake
from tehai.label.formats.neutral import Picture, Pictures, Tile, as_quad, corners_or, upright_quad
from tehai.label.formats.parsing import parsing, text_of
from tehai.label.photo_files import EXPORTED

CORNERS: Final = ("top_left", "top_right", "bottom_right", "bottom_left")
"""The key points of a tile: the corners of its face, as its player sees them."""

_Annotation = Callable[[Picture, Tile, Tile], dict[str, Any]]
"""The annotation of a tile in one kind of file, from its photo, the tile, and its part inside the photo."""


def write(out: Path, pictures: Pictures) -> None:
    """``annotations/instances_<split>.json``, written photo by photo; class ids start at 1.

    A region to ignore is a crowd (``iscrowd``) with a run-length mask: an unreadable tile, or one mostly
    outside the photo.
    """
    _write(out, pictures, "instances", {}, _segmented)


def write_keypoints(out: Path, pictures: Pictures) -> None:
    """``annotations/keypoints_<split>.json``; a corner outside the photo is not labelled (0, 0, 0)."""
    skeleton = {"keypoints": CORNERS, "skeleton": [[1, 2], [2, 3], [3, 4], [4, 1]]}
    _write(out, pictures, "keypoints", skeleton, _pointed)


def _write(out: Path, pictures: Pictures, kind: str, more: dict[str, Any], annotation: _Annotation) -> None:
    folder = out / "annotations"
    folder.mkdir(parents=True, exist_ok=True)
    head = {
        "info": {"description": "mahjong tiles, labelled with tehai", "version": "1.0"},
        "licenses": [],
        "categories": [
            {"id": number, "name": name, "supercategory": "tile", **more}
            for number, name in enumerate(pictures.classes, 1)
        ],
    }
    for split in pictures.splits:
        rows = (
            ("images", _images(pictures, split)),
            ("annotations", _annotations(pictures, split, annotation)),
        )
        with (folder / f"{kind}_{split}.json").open("w", encoding="utf-8") as file:
            file.write(json.dumps(head)[:-1])
            for field, some in rows:
                file.write(f', "{field}": [')
                for at, row in enumerate(some):
                    file.write((",\n" if at else "\n") + json.dumps(row))
                file.write("]")
            file.write("}\n")


def _of(pictures: Pictures, split: str) -> Iterator[tuple[int, Picture]]:
    return enumerate((picture for picture in pictures if picture.split == split), 1)


def _images(pictures: Pictures, split: str) -> Iterator[dict[str, Any]]:
    for number, picture in _of(pictures, split):
        size = {"width": picture.width, "height": picture.height}
        yield {"id": number, "file_name": picture.name, **size, "reviewed": picture.reviewed}


def _annotations(pictures: Pictures, split: str, annotation: _Annotation) -> Iterator[dict[str, Any]]:
    number, classes = 0, list(pictures.classes)
    for image, picture in _of(pictures, split):
        for tile in picture.tiles:
            if part := picture.cut(tile):
                number += 1
                x0, y0, x1, y1 = part.box()
                yield {
                    "id": number,
                    "image_id": image,
                    "category_id": classes.index(tile.label) + 1,
                    "bbox": [round(value, 2) for value in (x0, y0, x1 - x0, y1 - y0)],
                    "area": round(part.area(), 1),
                    **annotation(picture, tile, part),
                    **({} if tile.score is None else {"score": tile.score}),
                }


def _segmented(picture: Picture, tile: Tile, part: Tile) -> dict[str, Any]:
    corners = [round(value, 2) for point in part.quad for value in point]
    if part.ignored:
        # Loaders take the segmentation of a crowd for a mask; its corners are kept for whoever reads them.
        mask = {"size": [int(picture.height), int(picture.width)], "counts": _runs(picture, part)}
        return {"segmentation": mask, "iscrowd": 1, "corners": corners}
    return {"segmentation": [corners], "iscrowd": 0}


def _pointed(picture: Picture, tile: Tile, part: Tile) -> dict[str, Any]:
    inside = [0 <= x <= picture.width and 0 <= y <= picture.height for x, y in tile.quad]
    points = [
        (round(x, 2), round(y, 2), 2) if seen else (0, 0, 0)
        for (x, y), seen in zip(tile.quad, inside, strict=True)
    ]
    seen = {"keypoints": [value for point in points for value in point], "num_keypoints": sum(inside)}
    return {**_segmented(picture, tile, part), **seen}


def _runs(picture: Picture, tile: Tile) -> list[int]:
    """COCO's run lengths of a mask: pixels column by column, outside and inside alternately, outside
    first."""
    import cv2
    import numpy as np

    mask = np.zeros((int(picture.height), int(picture.width)), np.uint8)
    cv2.fillPoly(mask, [np.round(np.array(tile.quad)).astype(np.int32)], [1])
    flat = mask.ravel(order="F")
    changes = np.flatnonzero(np.diff(flat, prepend=np.uint8(0)))
    return [int(run) for run in np.diff(changes, prepend=0, append=flat.size)]


def read(source: Path) -> Iterator[Picture]:
    """Read a file of annotations or results, or all annotations of a folder. Without a polygon a tile has its
    box."""
    for file in [source] if source.is_file() else sorted(source.rglob("*.json")):
        if file.name == EXPORTED:
            continue
        text = text_of(file)
        with parsing(file, "a COCO file of annotations"):
            data = json.loads(text)
            if isinstance(data, list) and file != source:
                continue  # results, of the annotations beside them: to be named by themselves
            pictures = _results(file, data) if isinstance(data, list) else _annotated(data)
        yield from pictures


def _annotated(data: dict[str, Any]) -> list[Picture]:
    names = {kind["id"]: str(kind["name"]) for kind in data["categories"]}
    tiles: dict[int, list[Tile]] = {}
    for row in data["annotations"]:
        tiles.setdefault(row["image_id"], []).append(_tile(row, names))
    return [_picture(image, tiles.get(image["id"], []), image.get("reviewed")) for image in data["images"]]


def _picture(image: dict[str, Any], tiles: list[Tile], reviewed: bool | None) -> Picture:
    if reviewed is None and any(tile.score is not None for tile in tiles):
        reviewed = False  # a person gives no probabilities
    return Picture(str(image["file_name"]), image["width"], image["height"], tuple(tiles), reviewed=reviewed)


def _results(file: Path, rows: list[dict[str, Any]]) -> list[Picture]:
    """Results of a detector (https://cocodataset.org/#format-results): a list of boxes or polygons with
    scores.

    The file of annotations beside it names the photos and classes of the numbers.
    """
    images: dict[Any, dict[str, Any]] = {}
    names: dict[int, str] = {}
    for other in sorted(file.parent.glob("*.json")):
        data = json.loads(text_of(other)) if other != file else None
        if isinstance(data, dict) and "images" in data and "categories" in data:
            images.update({image["id"]: image for image in data["images"]})
            names.update({kind["id"]: str(kind["name"]) for kind in data["categories"]})
    found: dict[Any, list[Tile]] = {}
    for row in rows:
        if row["image_id"] not in images:
            raise Mistake(
                f"{file} holds results, and no file beside it says which photo {row['image_id']} is: put the "
                "annotations that the model was tried on into the same folder."
            )
        found.setdefault(row["image_id"], []).append(_tile(row, names))
    return [_picture(images[number], tiles, False) for number, tiles in found.items()]


def _tile(row: dict[str, Any], names: dict[int, str]) -> Tile:
    label = names.get(row["category_id"], f"class {row['category_id']}")
    score = None if row.get("score") is None else float(row["score"])
    x, y, width, height = row["bbox"]
    box = upright_quad(x, y, x + width, y + height)
    flat = row.get("corners") or _polygon(row.get("segmentation"))
    quad = as_quad(list(zip(flat[::2], flat[1::2], strict=True))) if flat else box
    points = row.get("keypoints") or []
    if len(points) == 3 * len(CORNERS):
        quad = corners_or(quad, [points[at : at + 3] for at in range(0, len(points), 3)])
    return Tile(quad, label, score)


def _polygon(segmentation: Any) -> list[float]:
    return list(segmentation[0]) if isinstance(segmentation, list) and segmentation else []
