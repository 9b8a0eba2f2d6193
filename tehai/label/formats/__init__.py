"""The formats that labels are exported to and imported from: one module each, one table of them all."""

from __future__ import annotations

from tehai.label.formats import coco, crops, labelme, labelstudio, table, voc, yolo
from tehai.label.formats.neutral import Format

_BOXES = "It holds upright boxes: corners, rotation and which way up a tile lies are lost"
_UNSCORED = "Probabilities are lost."

FORMATS: dict[str, Format] = {
    "yolo": Format("YOLO, boxes", f"{_BOXES}, and so are probabilities.", yolo.write_boxes, yolo.read),
    "yolo-obb": Format("YOLO, four corners", _UNSCORED, yolo.write_corners, yolo.read),
    "coco": Format("COCO, boxes and quads as polygons", "", coco.write, coco.read),
    "voc": Format(
        "Pascal VOC", f"{_BOXES}, as are probabilities and fractions of pixels.", voc.write, voc.read
    ),
    "labelme": Format("labelme", "Probabilities are kept as text alone.", labelme.write, labelme.read),
    "label-studio": Format("Label Studio, with predictions", "", labelstudio.write, labelstudio.read),
    "csv": Format("a table, a line a tile", "", table.write, table.read),
    "crops": Format(
        "a folder of crops a class",
        "Where the tiles lie in their photos is lost.",
        crops.write,
        None,
        images=False,
    ),
}
"""By the name that the command line knows. The journal itself is the ninth (:mod:`tehai.label.export`)."""
