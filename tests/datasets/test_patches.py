"""Which tiles of a render teach their faces."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from datasets.patches import from_renders
from datasets.renders import Render
from models.scenes import scene_of_render
from vision.labels import FOREIGN, WITH_FOREIGN

TILES = (("5p", None, 1.0), (FOREIGN, "plum 0", 1.0), (FOREIGN, "blank", 1.0), ("1m", None, 0.2))


def _render(folder: Path) -> Render:
    path = folder / "a.png"
    cv2.imwrite(str(path), np.full((120, 240, 3), 120, np.uint8))
    quads = [
        [[x, 20], [x + 30, 20], [x + 30, 60], [x, 60]] for x in range(10, 10 + 50 * len(TILES), 50)
    ]  # fmt: skip
    labels, drawings, visible = zip(*TILES, strict=True)
    return Render(
        path, "hand", np.array(quads, np.float32), labels, ("other",) * len(TILES),
        np.array(visible, np.float32), None, drawings=drawings,
    )  # fmt: skip


def test_foreign_tiles_teach_only_where_they_are_a_class_and_blank_ones_never(tmp_path: Path) -> None:
    render = _render(tmp_path)
    assert [label for label in from_renders([render], 9, 1).labels if label != "none"] == ["5p"]
    taught = from_renders([render], 9, 1, WITH_FOREIGN).labels
    assert sorted(label for label in taught if label != "none") == ["5p", FOREIGN]


def test_the_finder_is_asked_for_foreign_tiles_as_for_any_other(tmp_path: Path) -> None:
    scene = scene_of_render(_render(tmp_path))
    assert len(scene.quads) == 3 and len(scene.ignored) == 1


def test_a_face_seen_from_its_edge_teaches_nothing(tmp_path: Path) -> None:
    render = _render(tmp_path)
    render.quads[0, :, 1] = (20, 20, 27, 27)  # a standing tile from above: 30 by 7 pixels
    assert render.facing().tolist() == [False, True, True, True]
    assert set(from_renders([render], 9, 1).labels) <= {"none"}
    scene = scene_of_render(render)
    assert len(scene.quads) == 2 and len(scene.ignored) == 2
