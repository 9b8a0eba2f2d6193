"""The formats for export and import of labels: a module each, and one table of all."""

from __future__ import annotations

from tehai.label.formats import coco, crops, cvat, hub, labelme, labelstudio, shards, table, voc, yolo
from tehai.label.formats.neutral import Format

_BOXES = "It holds upright boxes: corners, rotation and which way up a tile lies are lost"
_UNSCORED = "Probabilities are lost."

FORMATS: dict[str, Format] = {
    "yolo": Format("YOLO, boxes", f"{_BOXES}, and so are probabilities.", yolo.write_boxes, yolo.read),
    "yolo-obb": Format("YOLO, four corners", _UNSCORED, yolo.write_corners, yolo.read),
    "yolo-pose": Format("YOLO, boxes with corners as key points", _UNSCORED, yolo.write_pose, yolo.read),
    "coco": Format("COCO, boxes and quads as polygons", "", coco.write, coco.read, ignores=True),
    "coco-keypoints": Format(
        "COCO, boxes with corners as key points", "", coco.write_keypoints, coco.read, ignores=True
    ),
    "voc": Format(
        "Pascal VOC", f"{_BOXES}, as are probabilities and fractions of pixels.", voc.write, voc.read
    ),
    "labelme": Format("labelme", "Probabilities are kept as text alone.", labelme.write, labelme.read),
    "cvat": Format("CVAT for images 1.1, a polygon a tile", "", cvat.write, cvat.read),
    "label-studio": Format(
        "Label Studio, with predictions",
        "",
        labelstudio.write,
        labelstudio.read,
        predictions=labelstudio.read_predictions,
    ),
    "huggingface": Format("Hugging Face, photos with metadata.jsonl", "", hub.write, hub.read, head=hub.head),
    "parquet": Format(
        "Hugging Face, Parquet with the photos in it",
        "",
        hub.write_parquet,
        hub.read_parquet,
        images=False,
        head=hub.parquet_head,
        needs=hub.arrow,
    ),
    "webdataset": Format("WebDataset, tar files", "", shards.write, shards.read, images=False),
    "csv": Format("a table, a line a tile", "", table.write, table.read, cuts=False),
    "crops": Format(
        "a folder of crops a class",
        "Where the tiles lie in their photos is lost.",
        crops.write,
        None,
        images=False,
        cuts=False,
    ),
}
"""The formats by their name on the command line. The journal itself is another one
(:mod:`tehai.label.export`)."""
