"""CVAT for images 1.1 (https://docs.cvat.ai/docs/dataset_management/formats/format-cvat/): one XML file, a
polygon a tile."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as Xml

from tehai.label.formats.neutral import Picture, Pictures, Tile, as_quad, upright_quad
from tehai.label.formats.parsing import parsing
from vision.reading import Quad

NAME: Final = "annotations.xml"

_SCORE: Final = "probability"
"""The attribute with the probability of a model's label."""


def write(out: Path, pictures: Pictures) -> None:
    """``annotations.xml``, written photo by photo.

    People's labels are ``manual``, a model's are ``auto``. A tile that the edge cuts off is ``occluded``.
    """
    with (out / NAME).open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version>\n')
        file.write(Xml.tostring(_meta(pictures), "unicode") + "\n")
        for number, picture in enumerate(pictures):
            file.write(Xml.tostring(_image(number, picture), "unicode") + "\n")
        file.write("</annotations>\n")


def _meta(pictures: Pictures) -> Xml.Element:
    """The labels of the task, to create one from the file."""
    meta = Xml.Element("meta")
    labels = Xml.SubElement(Xml.SubElement(meta, "task"), "labels")
    for name in pictures.classes:
        label = Xml.SubElement(labels, "label")
        Xml.SubElement(label, "name").text = name
        Xml.SubElement(label, "type").text = "polygon"
        attribute = Xml.SubElement(Xml.SubElement(label, "attributes"), "attribute")
        for field, text in (("name", _SCORE), ("mutable", "False"), ("input_type", "text")):
            Xml.SubElement(attribute, field).text = text
    return meta


def _image(number: int, picture: Picture) -> Xml.Element:
    size = {"width": str(int(picture.width)), "height": str(int(picture.height))}
    image = Xml.Element("image", {"id": str(number), "name": picture.name, "subset": picture.split, **size})
    for tile in picture.clipped():
        about = {
            "label": tile.label,
            "source": "manual" if tile.score is None else "auto",
            "occluded": str(int(tile.visible < 1)),
            "points": ";".join(f"{x:.2f},{y:.2f}" for x, y in tile.quad),
            "z_order": "0",
        }
        polygon = Xml.SubElement(image, "polygon", about)
        if tile.score is not None:
            Xml.SubElement(polygon, "attribute", {"name": _SCORE}).text = str(tile.score)
    return image


def read(source: Path) -> Iterator[Picture]:
    """The file, or every XML file of CVAT below: polygons, and boxes with their rotation."""
    for file in [source] if source.is_file() else sorted(source.rglob("*.xml")):
        with parsing(file, "annotations of CVAT"):
            root = Xml.parse(file).getroot()
        if root.tag != "annotations":
            continue
        for image in root.iter("image"):
            name = image.get("name", "")
            with parsing(f"{file}, the image {name or image.get('id')}", "an image with tiles"):
                yield _picture(image, name)


def _picture(image: Xml.Element, name: str) -> Picture:
    shapes = [shape for shape in image if shape.tag in ("polygon", "box")]
    by_model = any(shape.get("source") == "auto" for shape in shapes)
    size = float(image.attrib["width"]), float(image.attrib["height"])
    tiles = tuple(map(_tile, shapes))
    return Picture(name, *size, tiles, reviewed=not by_model if shapes else None)


def _tile(shape: Xml.Element) -> Tile:
    score = shape.findtext(f"attribute[@name='{_SCORE}']")
    quad = _box(shape) if shape.tag == "box" else as_quad(_points(shape.attrib["points"]))
    return Tile(quad, shape.attrib["label"], float(score) if score else None)


def _points(text: str) -> list[list[float]]:
    return [[float(value) for value in point.split(",")] for point in text.split(";")]


def _box(shape: Xml.Element) -> Quad:
    """CVAT rotates boxes clockwise about their centre, in degrees."""
    x0, y0, x1, y1 = (float(shape.attrib[name]) for name in ("xtl", "ytl", "xbr", "ybr"))
    turn = math.radians(float(shape.get("rotation", 0)))
    x, y, c, s = (x0 + x1) / 2, (y0 + y1) / 2, math.cos(turn), math.sin(turn)
    corners = upright_quad(x0 - x, y0 - y, x1 - x, y1 - y)
    return as_quad([[x + px * c - py * s, y + px * s + py * c] for px, py in corners])
