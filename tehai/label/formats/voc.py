"""Pascal VOC: an XML file a photo, a box a tile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as Xml

from tehai.label.formats.neutral import Picture, Pictures, Tile, upright_quad
from tehai.label.formats.parsing import parsing

_SIDES: Final = ("xmin", "ymin", "xmax", "ymax")


def write(out: Path, pictures: Pictures) -> None:
    """``annotations/<split>/<name>.xml``; corners in whole pixels, counted from 1 as VOC does."""
    for picture in pictures:
        root = Xml.Element("annotation")
        Xml.SubElement(root, "folder").text = f"images/{picture.split}"
        Xml.SubElement(root, "filename").text = picture.name
        size = Xml.SubElement(root, "size")
        for name, value in (("width", picture.width), ("height", picture.height), ("depth", 3)):
            Xml.SubElement(size, name).text = str(int(value))
        Xml.SubElement(root, "segmented").text = "0"
        for tile in picture.clipped():
            object_ = Xml.SubElement(root, "object")
            for name, text in (
                ("name", tile.label),
                ("pose", "Unspecified"),
                ("truncated", str(int(tile.visible < 1))),
                ("difficult", str(int(tile.ignored))),
            ):
                Xml.SubElement(object_, name).text = text
            box = Xml.SubElement(object_, "bndbox")
            most = (picture.width, picture.height) * 2
            for name, value, last in zip(_SIDES, tile.box(), most, strict=True):
                Xml.SubElement(box, name).text = str(min(round(value) + 1, int(last)))
        Xml.indent(root)
        file = (out / "annotations" / picture.split / picture.name).with_suffix(".xml")
        file.parent.mkdir(parents=True, exist_ok=True)
        Xml.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def read(source: Path) -> Iterator[Picture]:
    """Every XML file below."""
    for file in sorted(source.rglob("*.xml")):
        with parsing(file, "a Pascal VOC annotation"):
            root = Xml.parse(file).getroot()
            if root.tag != "annotation":
                continue
            yield Picture(
                _text(root, "filename"),
                float(_text(root, "size/width")),
                float(_text(root, "size/height")),
                tuple(map(_tile, root.iter("object"))),
                reviewed=None,
            )


def _tile(object_: Xml.Element) -> Tile:
    x0, y0, x1, y1 = (float(_text(object_, f"bndbox/{name}")) - 1 for name in _SIDES)
    return Tile(upright_quad(x0, y0, x1, y1), _text(object_, "name"))


def _text(element: Xml.Element, path: str) -> str:
    text = element.findtext(path)
    if text is None:
        raise ValueError(f"it has no {path}")
    return text.strip()
