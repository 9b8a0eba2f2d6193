"""The table around a hand that another reader read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import pytest

from tests.vision.scene.laid import Laid, game
from vision.arrays import Array32, Pixels
from vision.detections import ROLES, Detections
from vision.faces import CropShape, FaceReader
from vision.finder import Finder
from vision.image import Photo
from vision.labels import WITH_FOREIGN
from vision.reader import Engine, Reader
from vision.reading import SeenTile
from vision.scene.beside import Beside
from vision.scene.reader import SceneReader
from vision.scene.relate import SceneNetwork

SIZE = (2000, 2000)


class Faces:
    """A face network that reads nothing and turns nothing."""

    shape = CropShape(width=64, height=80)

    def run(self, crops: Pixels) -> Sequence[Array32]:
        n = len(crops)
        labels = np.zeros((n, len(WITH_FOREIGN)), np.float32)
        labels[:, 0] = 9
        turns = np.tile(np.array([5, 0, 0, 0], np.float32), (n, 1))
        return labels, turns, np.zeros((n, 8), np.float32), np.zeros((n, 120, 1), np.float32)


class SceneModel:
    """A scene model that knows what was laid."""

    metadata: Mapping[str, str] = {
        "task": "scene", "roles": json.dumps(ROLES), "classes": json.dumps(WITH_FOREIGN),
        "settings": json.dumps({"calibration": {"slope": 1.0, "shift": 0.0}}),
    }  # fmt: skip

    def __init__(self, seen: Detections) -> None:
        self._seen = seen

    def run(self, pictures: Any) -> Sequence[Array32]:
        seen = self._seen
        assert seen.roles is not None and seen.faces is not None and seen.finished is not None
        assert seen.same_player is not None and seen.same_set is not None
        pairs = np.stack([seen.same_player, seen.same_set])
        return seen.roles[None], seen.faces[None], seen.finished[None], pairs[None]


@pytest.fixture
def laid() -> Laid:
    return game()


def read(laid: Laid, hand: list[int]) -> Beside:
    seen = laid.seen()
    photo = Photo.decoded(np.zeros((*SIZE, 3), np.uint8), SIZE)
    faces, scene = cast(FaceReader, Faces()), SceneNetwork(SceneModel(seen))
    return Beside.of(faces, scene, photo, seen.quads, hand)


def table_of(laid: Laid, hand: list[int]) -> Any:
    return read(laid, hand).table({i: i for i in range(len(laid.quads))})


def test_rivers_are_told_by_the_places_of_the_tiles(laid: Laid) -> None:
    hand = laid.hand(1)
    table = table_of(laid, hand)
    assert [(player.seat, len(player.river.tiles)) for player in table] == [
        ("near", 13), ("right", 7), ("across", 12), ("left", 14),
    ]  # fmt: skip
    assert table.river("left").tiles == tuple(range(14)) and table.river("left").riichi == 8


def test_the_near_player_is_who_has_the_hand_that_was_read(laid: Laid) -> None:
    laid.hand(2)
    near = laid.hand(3)
    assert len(table_of(laid, near).river("near").tiles) == 12


def test_of_a_table_at_play_near_is_who_sits_nearest_to_the_camera(
    laid: Laid, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid.hand(1)  # seen from above, as no reading of a hand has it
    seen = laid.seen()
    monkeypatch.setattr(
        "vision.scene.reader.detect", lambda *_: Detections(seen.quads, np.full(len(seen), 0.9, np.float32))
    )
    faces, scene = cast(FaceReader, Faces()), SceneNetwork(SceneModel(seen))
    reading = SceneReader(cast(Finder, None), faces, scene).rivers(
        Photo.decoded(np.zeros((*SIZE, 3), np.uint8), SIZE)
    )
    assert reading.hand is None and {tile.role for tile in reading.tiles} == {"other"}
    assert reading.table is not None
    rivers = {player.seat: player.river for player in reading.table if player.river}
    assert {seat: len(river.tiles) for seat, river in rivers.items()} == {
        "near": 14, "right": 13, "across": 7, "left": 12,
    }  # fmt: skip
    assert (rivers["near"].riichi, rivers["across"].riichi) == (8, 3)


def test_indicators_are_none_of_the_hand(laid: Laid) -> None:
    hand = laid.hand(1)
    laid.put(0, 0, 0, "dora")
    laid.roles[hand[0]] = "dora"
    assert read(laid, hand).indicators == ([len(laid.quads) - 1], [])


def test_tiles_of_no_hand_get_their_faces_among_all_of_them(laid: Laid) -> None:
    hand = laid.hand(1)
    laid.put(0, 0, 0, "wall", back=True)
    before = [
        SeenTile(((0, 0), (1, 0), (1, 1), (0, 1)), "5z", 0.6, ("back", 0.3), "hand" if i in hand else "other")
        for i in range(len(laid.quads))
    ]
    after = read(laid, hand).named(before)
    assert [after[i] for i in hand] == [before[i] for i in hand]
    assert (after[-1].label, after[-1].probability, after[-1].role) == ("back", 1.0, "other")
    assert {tile.label for tile in after[: hand[0]]} == {"?"}, "the scene model knows no face of theirs"


def test_another_network_is_refused() -> None:
    class Other(SceneModel):
        metadata = {"task": "faces"}  # noqa: RUF012

    with pytest.raises(ValueError, match="no scene model"):
        SceneNetwork(Other(game().seen()))


def test_without_the_scene_model_there_is_no_table(tmp_path: Any) -> None:
    engine = Engine(scene=tmp_path / "gone.onnx")
    if not engine.finder.is_file():
        pytest.skip("the networks are not installed")
    reader = Reader(engine)
    assert reader._scene is None
    reading = reader.rivers(np.zeros((60, 80, 3), np.uint8))
    assert reading.table is None and "not installed" in reading.message
