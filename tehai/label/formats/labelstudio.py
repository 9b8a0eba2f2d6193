"""Label Studio: a list of tasks. Labels of models are predictions, people's labels are annotations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from tehai.label.formats.neutral import Picture, Pictures, Tile, as_quad, upright_quad
from tehai.label.formats.parsing import parsing, text_of

_SERVED = "/data/local-files/?d="
"""The path at which Label Studio serves files of its local storage."""


def write(out: Path, pictures: Pictures) -> None:
    """``tasks.json`` to import, and ``config.xml``, its labelling interface."""
    with (out / "tasks.json").open("w", encoding="utf-8") as file:
        file.write("[")
        for at, picture in enumerate(pictures):
            file.write((",\n" if at else "\n") + json.dumps(_task(picture)))
        file.write("]\n")
    labels = "\n".join(f'    <Label value="{name}"/>' for name in pictures.classes)
    (out / "config.xml").write_text(
        '<View>\n  <Image name="image" value="$image" zoom="true"/>\n'
        f'  <PolygonLabels name="label" toName="image">\n{labels}\n  </PolygonLabels>\n</View>\n',
        encoding="utf-8",
    )


def _task(picture: Picture) -> dict[str, Any]:
    results = [_result(at, tile, picture) for at, tile in enumerate(picture.clipped())]
    data = {"image": _SERVED + quote(f"images/{picture.split}/{picture.name}"), "split": picture.split}
    if picture.reviewed:
        return {"data": data, "annotations": [{"result": results}], "predictions": []}
    scores = [tile.score for tile in picture.tiles if tile.score is not None]
    prediction = {"model_version": "tehai", "score": min(scores, default=0.0), "result": results}
    return {"data": data, "annotations": [], "predictions": [prediction]}


def _result(at: int, tile: Tile, picture: Picture) -> dict[str, Any]:
    points = [[100 * x / picture.width, 100 * y / picture.height] for x, y in tile.quad]
    return {
        "id": f"tile{at}",
        "type": "polygonlabels",
        "from_name": "label",
        "to_name": "image",
        "original_width": picture.width,
        "original_height": picture.height,
        "image_rotation": 0,
        "value": {"points": points, "closed": True, "polygonlabels": [tile.label]},
        **({} if tile.score is None else {"score": tile.score}),
        **({} if tile.visible == 1 else {"meta": {"text": [f"visible {tile.visible:g}"]}}),
    }


def read(source: Path) -> Iterator[Picture]:
    """Read ``tasks.json`` or an export of Label Studio: polygons and rectangles of the last annotation, else
    of the last prediction."""
    return _read(source, ("annotations", "predictions"))


def read_predictions(source: Path) -> Iterator[Picture]:
    """The last prediction of each task that has one, whatever its annotations."""
    return _read(source, ("predictions",))


def _read(source: Path, kinds: Sequence[str]) -> Iterator[Picture]:
    file = source / "tasks.json" if source.is_dir() else source
    text = text_of(file)
    with parsing(file, "tasks of Label Studio"):
        for task in json.loads(text):
            kind = next((kind for kind in kinds if task.get(kind)), "")
            if not kind and "annotations" not in kinds:
                continue
            said = task[kind][-1] if kind else {"result": []}
            rows = said["result"]
            known = [row for row in rows if row["type"] in ("polygonlabels", "rectanglelabels")]
            width, height = (
                float(known[0][f"original_{side}"]) if known else 1.0 for side in ("width", "height")
            )
            yield Picture(
                _name(task["data"]["image"]),
                width,
                height,
                tuple(_tile(row, width, height) for row in known),
                reviewed=kind == "annotations",
                by=_who(said),
            )


def _who(said: dict[str, Any]) -> str:
    """The model of a prediction, or the person of an annotation: a number, or an address."""
    person = said.get("completed_by")
    if isinstance(person, dict):
        person = person.get("email")
    return str(said.get("model_version") or person or "")


def _name(address: str) -> str:
    parts = urlsplit(address)
    path = parse_qs(parts.query).get("d", [unquote(parts.path)])[0]
    folders = path.split("/")
    return "/".join(folders[2:]) if folders[0] == "images" and len(folders) > 2 else path


def _tile(row: dict[str, Any], width: float, height: float) -> Tile:
    value, score = row["value"], row.get("score")
    label = str(value[row["type"]][0])
    if row["type"] == "polygonlabels":
        quad = as_quad([[x * width / 100, y * height / 100] for x, y in value["points"]])
    else:
        x, y = value["x"] * width / 100, value["y"] * height / 100
        quad = upright_quad(x, y, x + value["width"] * width / 100, y + value["height"] * height / 100)
        if value.get("rotation"):
            quad = _rotated(quad, value["rotation"])
    return Tile(quad, label, None if score is None else float(score))


def _rotated(quad: Any, degrees: float) -> Any:
    """Label Studio rotates rectangles clockwise about their top left corner."""
    from math import cos, radians, sin

    (x, y), c, s = quad[0], cos(radians(degrees)), sin(radians(degrees))
    return tuple((x + (px - x) * c - (py - y) * s, y + (px - x) * s + (py - y) * c) for px, py in quad)
