"""Training photos whose every box is believed teach as renders do."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from datasets.photos import Photographed, read_manifest, teaching
from tests.models.manifest import add_row

BOX = (20, 30, 50, 80)


def write(folder: Path, name: str, **changes: object) -> None:
    """A grey photo with a white tile, and its row in the manifest."""
    rgb = np.full((120, 120, 3), 128, np.uint8)
    rgb[BOX[1] : BOX[3], BOX[0] : BOX[2]] = 255
    path = folder / "alanchoi" / name
    path.parent.mkdir(exist_ok=True)
    cv2.imwrite(str(path), rgb)
    add_row(folder, f"alanchoi/{name}", BOX, "5p", **changes)


def test_photos_teach_as_renders_do(tmp_path: Path) -> None:
    write(tmp_path, "one.png")
    write(tmp_path, "wide.png", stretched_to_square=True)
    write(tmp_path, "mirrored.png", mirrored=True)
    write(tmp_path, "unknown.png", mirrored=None)
    write(tmp_path, "sheared.png", aug="shear")
    write(tmp_path, "evaluated.png", use="eval-tray")
    one, wide = teaching(tmp_path)
    assert (one.path.name, one.kind, one.labels) == ("one.png", "photo", ("5p",))
    assert one.quads.tolist() == [[[20, 30], [50, 30], [50, 80], [20, 80]]]
    assert one.visible.tolist() == [1] and one.facing().all()
    assert one.load().shape == (120, 120, 3) and (one.load()[31, 21] == 255).all()
    assert isinstance(wide, Photographed) and wide.load().shape == (120, 160, 3)
    left, right = wide.quads[0, 0, 0], wide.quads[0, 1, 0]
    assert (wide.load()[50, round(left + 2) : round(right - 2)] > 250).all(), "the boxes are stretched alike"


def test_no_photo_that_measures_or_tunes_teaches(tmp_path: Path) -> None:
    for number in range(60):
        write(tmp_path, f"{number}.png", src=f"table {number // 2}")
    taught = teaching(tmp_path)
    assert 40 < len(taught) < 60 and not any(each.photo.held_back for each in taught if each.photo)
    held = [photo.held_back for photo in read_manifest(tmp_path, ["train"])]
    assert held[::2] == held[1::2], "copies of one photo are held back together"
