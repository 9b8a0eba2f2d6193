"""CVAT's own way to write boxes, and who said what."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as Xml

import numpy as np

from tehai.label.formats import cvat
from tests.tehai.label.test_formats import exported, labelled

assert labelled  # a fixture

THEIRS = """<?xml version="1.0" encoding="utf-8"?>
<annotations><version>1.1</version><meta/>
  <image id="7" name="set/a.jpg" width="640" height="480">
    <box label="1m" source="manual" occluded="0" xtl="100" ytl="50" xbr="130" ybr="90" z_order="0"/>
    <box label="2m" source="manual" occluded="0" xtl="100" ytl="50" xbr="130" ybr="90" rotation="90.0"/>
    <polyline label="table" points="1,1;2,2"/>
  </image>
  <image id="8" name="b.jpg" width="640" height="480"/>
</annotations>
"""


def test_boxes_of_cvat_are_turned_about_their_middle(tmp_path: Path) -> None:
    (tmp_path / "annotations.xml").write_text(THEIRS, encoding="utf-8")
    one, other = cvat.read(tmp_path / "annotations.xml")
    assert [tile.label for tile in one.tiles] == ["1m", "2m"] and one.reviewed is True
    assert one.tiles[0].quad == ((100, 50), (130, 50), (130, 90), (100, 90))
    assert np.allclose(one.tiles[1].quad, ((135, 55), (135, 85), (95, 85), (95, 55)))
    assert (other.name, other.tiles, other.reviewed) == ("b.jpg", (), None)


def test_the_file_says_what_a_task_needs(labelled: Path, tmp_path: Path) -> None:
    exported(labelled, tmp_path / "out", "cvat")
    root = Xml.parse(tmp_path / "out" / "annotations.xml").getroot()
    assert root.findtext("version") == "1.1"
    names = {label.findtext("name") for label in root.iter("label")}
    shapes = list(root.iter("polygon"))
    assert {shape.attrib["label"] for shape in shapes} == {"0p", "back", "1z", "9s"} <= names
    assert {(shape.attrib["label"], shape.attrib["source"]) for shape in shapes} >= {
        ("0p", "manual"),
        ("9s", "auto"),
    }
    (image,) = [image for image in root.iter("image") if image.attrib["name"] == "one.jpg"]
    assert (image.attrib["subset"], image.attrib["width"], image.attrib["height"]) == ("train", "640", "480")
