"""The door: what becomes of a photo, with networks that answer by script."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.conftest import Scripted, noise
from tests.vision.scene.scripted_table import ROW, STEP, SURE, TALL, WIDE, Table
from vision import network
from vision.config import CONFIG
from vision.detections import Detections
from vision.image import Photo, load
from vision.messages import BLURRED
from vision.observer import Stage
from vision.reader import Engine, Reader
from vision.reading import PHOTO_DOUBTS, Reading

SCALE = 2.0
PHOTO = noise()
FLAT = np.full_like(PHOTO, 90)
"""As blurred as can be."""


def thirteen() -> Table:
    return Table(SCALE).lay("123m456p789s22z33s")


def finished() -> Table:
    return thirteen().lay("3s", "win")


def others(table: Table, *, row: int = 2) -> Table:
    """What lies beside a hand: six tiles of a river."""
    return table.lay("999p999m", "river", 9, row=row)


def read(table: Table, **script: Any) -> Reading:
    return Scripted(table, **script).reader().read(PHOTO)


# --- hands --------------------------------------------------------------------------------------------------


def test_a_finished_hand() -> None:
    reading = read(others(finished()))
    assert (reading.status, reading.message) == ("ok", "")
    assert reading.hand == {"concealed": "123m456p789s22z33s", "win_tile": "3s", "melds": []}
    assert reading.known == {"concealed": "seen", "win_tile": "seen", "melds": "seen"}
    assert [tile.role for tile in reading.tiles] == ["hand"] * 13 + ["win"] + ["other"] * 6
    assert (reading.width, reading.height) == (700, 320)
    assert [*reading.elapsed_ms] == ["load", "detect", "classify", "decode", "table", "judge"]
    assert reading.confidence is not None and 0.5 < reading.confidence < 1
    shown = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 3s 3s 3s 9p 9p 9p 9m 9m 9m"
    assert [tile.label for tile in reading.tiles] == shown.split()
    # The finder answers in any order and from any corner; the tiles come as they lie, from their faces' top.
    for tile, quad in zip(reading.tiles, others(finished()).quads, strict=True):
        assert np.allclose(tile.quad, quad) and tile.runner_up[0] != tile.label


def test_called_sets_and_indicators_have_their_roles() -> None:
    table = Table(SCALE).lay("123m456p2z33s").lay("2z", "win").lay("3s")
    table.lay("777z", "called", number=0, row=1).lay("4p", "dora", 9, row=2)
    reading = read(table)
    assert reading.hand is not None and reading.status == "ok"
    assert reading.hand["melds"] == [{"type": "pon", "tiles": "777z", "from": 3}]
    assert reading.hand["dora_indicators"] == ["4p"]
    roles = ["hand"] * 10 + ["win"] + ["meld:0"] * 3 + ["dora"]
    assert [tile.role for tile in reading.tiles] == roles and reading.tiles[10].label == "2z"


@pytest.mark.parametrize(
    ("tiles", "message"),
    [
        ("123m456p789s22z33s", "13 tiles, waiting on 3s 2z."),
        ("147m147p147s1234z", "13 tiles, and they are not waiting on any: a finished hand has 14."),
        ("123m456p789s22z333s", "No tile is set apart or turned: say which one is the winning tile."),
        ("9p23m456p789s22z333s", "14 tiles, but they make no finished hand."),
        ("1234m", "4 tiles, but a finished hand has 14."),
    ],
)
def test_what_is_not_finished_is_shown_and_explained(tiles: str, message: str) -> None:
    reading = read(Table(SCALE).lay(tiles))
    assert (reading.status, reading.message) == ("incomplete", message)
    assert reading.hand == {"concealed": tiles, "melds": []}
    assert {tile.role for tile in reading.tiles} == {"hand"}
    assert reading.confidence is not None and (reading.confidence < 0.7 or len(reading.tiles) == 14)


def test_where_nothing_is_a_hand_the_tiles_are_listed() -> None:
    reading = read(others(Table(SCALE)))
    assert reading.status == "incomplete" and "no hand among them" in reading.message
    assert len(reading.tiles) == 6 and reading.hand is None and reading.confidence is None


def test_another_players_finished_hand_is_in_question() -> None:
    table = finished().lay("234m567p345s4446z", player=1, row=2).lay("6z", "win", player=1, row=2)
    reading = read(table)
    (doubt,) = (each for each in reading.doubts if each.kind == "hand")
    assert {reading.tiles[place].role for place in doubt.tiles} == {"other"} and len(doubt.tiles) == 14
    assert doubt.instead is not None
    chosen = Scripted(table).reader().read(PHOTO, region=doubt.instead["region"])
    assert chosen.status == "ok" and chosen.hand == doubt.instead["hand"] != reading.hand


# --- tiles --------------------------------------------------------------------------------------------------


def test_an_overruled_tile_keeps_what_the_pixels_said() -> None:
    table = finished()
    table.faces[4] = {"8p": 9.0, "5p": 8.0}
    reading = read(table)
    (tile,) = (tile for tile in reading.tiles if tile.source == "rule")
    assert (tile.label, tile.runner_up[0]) == ("5p", "8p") and tile.is_doubtful
    assert tile.probability == pytest.approx(0.27, abs=0.01)
    assert tile.runner_up[1] == pytest.approx(0.73, abs=0.01)


def test_tiles_of_a_closed_kan_that_lie_face_down_are_backs_and_inferred() -> None:
    table = Table(SCALE).lay("456p789s22z").lay("2z", "win")
    reading = read(table.call("back", "5s", "5s", "back", row=1))
    assert reading.hand and reading.hand["melds"] == [{"type": "ankan", "tiles": "5555s", "from": None}]
    shown = [(tile.label, tile.source) for tile in reading.tiles if tile.role == "meld:0"]
    assert shown == [("back", "seen"), ("5s", "seen"), ("5s", "seen"), ("back", "seen")]
    assert reading.known["melds"] == "inferred" and reading.known["concealed"] == "seen"


def test_what_is_no_tile_is_not_listed_and_doubts_name_the_tiles_that_are() -> None:
    table = Table(SCALE).put({"none": 9.0}, {"none": SURE}, 9).lay("123m456p789s22z33s").lay("3s", "win")
    table.faces[5] = {"5p": 9.0, "8p": 8.0}
    reading = read(table)
    assert len(reading.tiles) == 14
    (doubt,) = (each for each in reading.doubts if each.kind == "face")
    assert [reading.tiles[place].label for place in doubt.tiles] == ["5p"]


def test_a_face_of_no_hand_that_is_not_sure_cannot_be_read() -> None:
    table = finished().put({"1s": 5.0, "2s": 4.9, "3s": 4.8}, {"river": SURE}, 9, row=2)
    assert read(table).tiles[-1].label == "?"


@pytest.mark.parametrize(("count", "what"), [(1, " 1 tile that"), (2, " 2 tiles that")])
def test_tiles_of_no_hand_are_listed_and_counted_where_the_hand_is_not_finished(
    count: int, what: str
) -> None:
    for table, said in ((thirteen(), "13 tiles, waiting on 3s 2z." + what), (finished(), "")):
        for _ in range(count):
            table.put("foreign", {"none": SURE}, 9, row=2)
        reading = read(table)
        assert [tile.label for tile in reading.tiles].count("foreign") == count
        assert reading.message.startswith(said) and bool(said) == bool(reading.message)


def test_tiles_that_are_known_are_all_told_in_their_order() -> None:
    """What a camera follows: be it nothing at all, or face down."""
    table = Table(SCALE).put("back", {"none": SURE}, 9, row=2).put("none", {"none": SURE}, 9, row=2)
    script = Scripted(others(table, row=1).lay("123m456p789s22z33s").lay("3s", "win"))
    order = np.random.default_rng(3).permutation(22)
    known = script.classify(PHOTO, script.told.quads)[order]
    reading = script.reader().read_tiles(load(PHOTO), known)
    assert [np.allclose(tile.quad, quad) for tile, quad in zip(reading.tiles, known.quads, strict=True)]
    roles = np.array(["other"] * 8 + ["hand"] * 13 + ["win"])[order]
    assert [tile.role for tile in reading.tiles] == roles.tolist() and reading.status == "ok"
    assert "find" not in script.asked and "again" not in script.asked


def arranged(table: Table, labels: list[str] | None = None) -> Reading:
    script = Scripted(table)
    return script.reader().read_tiles(load(PHOTO), script.classify(PHOTO, script.told.quads), labels)


def test_what_a_person_says_of_a_tile_is_never_overruled() -> None:
    table = finished()
    table.faces[4] = {"8p": 9.0, "5p": 8.0}
    said = ["?"] * 14
    assert arranged(table, said).status == arranged(table).status == "ok"
    said[4] = "8p"
    reading = arranged(table, said)
    assert reading.tiles[4].label == "8p" and reading.tiles[4].source == "seen"
    assert reading.status == "incomplete"
    said[4] = "foreign"
    assert arranged(table, said).tiles[4].label == "foreign"


def test_what_a_person_says_of_a_tile_of_a_called_set_is_not_overruled_either() -> None:
    table = Table(SCALE).lay("456p22z33s").lay("3s", "win").lay("123m", "called", number=0, row=1)
    table.lay("777z", "called", number=1, row=2)
    reading = arranged(table, ["?"] * 13 + ["6z"])
    assert reading.tiles[13].label == "6z" and reading.status == "incomplete"


def test_faces_are_asked_where_tiles_are_known_to_lie() -> None:
    script = Scripted(finished())
    seen = script.reader().classify(load(PHOTO), script.noticed[:3])
    assert isinstance(seen, Detections) and len(seen) == 3 and script.asked == ["classify"]


# --- how closely is looked ----------------------------------------------------------------------------------


def test_a_frame_is_glanced_at_once_and_of_a_full_table_what_lies_in_its_middle() -> None:
    script = Scripted(others(finished()), missed=(4,))
    reading = script.reader().read_frame(PHOTO)
    assert reading.status == "incomplete" and script.asked == ["find small", "classify", "relate"]
    table = others(Table(SCALE).lay("123m456p789s22z33s", row=1), row=2)
    few = Scripted(table).reader(replace(CONFIG, frame_detections=10))
    glanced, closely = few.read_frame(PHOTO).tiles, few.read(PHOTO).tiles
    assert (len(glanced), len(closely)) == (10, 19)
    middle = {tile.quad for tile in sorted(closely, key=_off)[:10]}
    assert {tile.quad for tile in glanced} == middle


def _off(tile: Any) -> float:
    return float(np.linalg.norm(np.mean(tile.quad, axis=0) - (350, 160)))


def test_only_what_is_not_sure_is_looked_at_again() -> None:
    """What is not new in a second look is not weighed."""
    for table, again in ((finished(), False), (thirteen(), True), (others(Table(SCALE)), False)):
        script = Scripted(table)
        reading = script.reader().read(PHOTO)
        assert ("again" in script.asked) == again == ("look again" in reading.elapsed_ms)
        assert len(reading.tiles) == len(table.faces)
        assert script.asked.count("relate") == script.asked.count("find")


def test_a_tile_that_was_missed_is_found_in_the_second_look() -> None:
    seen: list[object] = []
    script = Scripted(finished(), missed=(4,))
    reading = script.reader(observer=seen.append).read(PHOTO)
    assert reading.status == "ok" and len(reading.tiles) == 14
    assert isinstance(seen[0], Photo) and seen[-1] is reading
    stages = [each.name for each in seen if isinstance(each, Stage)]
    once = ["relate", "decode"]
    assert stages == ["detect", "classify", *once, "classify", *once, "judge"]


def test_a_second_look_does_not_take_a_whole_hand_apart() -> None:
    """A fourteenth tile that finishes nothing is rather another's."""
    assert read(thirteen().lay("9p")).message == "14 tiles, but they make no finished hand."
    reading = read(thirteen().lay("9p"), missed=(13,))
    assert reading.message == "13 tiles, waiting on 3s 2z." and len(reading.tiles) == 13


@pytest.mark.parametrize(("left_out", "concealed"), [("333s", 14), ("147p", 11)])
def test_a_hand_that_is_not_whole_is_read_as_if_framed(left_out: str, concealed: int) -> None:
    """Only if it is a finished hand then; what does not lie beside it stays out."""
    reading = read(others(Table(SCALE).lay("123m456p789s22z").lay(left_out, "river", 5)))
    assert [tile.role for tile in reading.tiles].count("hand") == concealed
    assert reading.message.startswith("No tile is set apart" if concealed == 14 else "11 tiles, but")


def test_two_outlines_of_one_tile_are_one() -> None:
    table = finished()
    reading = read(table, also=table.quads[[3]] + np.float32(6))
    assert reading.status == "ok" and len(reading.tiles) == 14


def test_an_outline_of_two_tiles_is_halved() -> None:
    """Also where the hand is finished and sure with it: two tiles of a kan look like one of a pon."""
    table = Table(SCALE).lay("456p22z").lay("7z", "win").lay("77z").lay("123m", "called", number=0, row=1)
    table.lay("5555s", "called", number=1, row=2)
    both = SCALE * np.array([[0, 0], [WIDE + STEP, 0], [WIDE + STEP, TALL], [0, TALL]]) + 20
    outline = (both + SCALE * np.array([2 * STEP, 2 * ROW])).astype(np.float32)
    reader = Scripted(table, missed=(13, 14), also=outline[None]).reader()
    glanced, reading = reader.read_frame(PHOTO), reader.read(PHOTO)
    for each, kan, count in ((glanced, "555s", 14), (reading, "5555s", 15)):
        assert each.hand is not None and each.status == "ok" and len(each.tiles) == count
        assert {meld["tiles"] for meld in each.hand["melds"]} == {"123m", kan}
    outlines = [np.ptp(tile.quad, axis=0)[0] for tile in reading.tiles]
    assert max(outlines) == pytest.approx(SCALE * WIDE), "the outline of both is gone"


# --- what is not read ---------------------------------------------------------------------------------------


def test_a_region_leaves_the_rest_out() -> None:
    script = Scripted(others(thirteen().lay("3s")), missed=(4,))
    reading = script.reader().read(PHOTO, region=(0.0, 0.0, 1.0, 0.5))
    assert [tile.role for tile in reading.tiles] == ["hand"] * 14, "in the second look, too"
    rest = script.reader().read(PHOTO, region=(0.0, 0.5, 1.0, 1.0))
    assert {tile.label for tile in rest.tiles} == {"9p", "9m"}


@pytest.mark.parametrize("region", [(0, 0, 0, 1), (0.5, 0, 0.4, 1), (0, 0, 1), (0, 0, 2, 1)])
def test_a_region_that_is_none(region: Any) -> None:
    with pytest.raises(ValueError, match="fractions of the photo"):
        Scripted(thirteen()).reader().read(PHOTO, region=region)


def test_nothing_is_found() -> None:
    reader = Scripted(thirteen(), missed=tuple(range(13))).reader()
    nothing = reader.read(PHOTO)
    assert (nothing.status, nothing.hand, nothing.tiles) == ("error", None, ())
    assert nothing.message == (
        "No mahjong tiles were found in the photo; go closer, from above, in even light."
    )
    assert "were found in that region" in reader.read(PHOTO, region=(0.0, 0.0, 1.0, 0.5)).message
    assert "it is blurred" in reader.read(FLAT).message
    assert reader.read_frame(PHOTO).message == reader.read_rivers(PHOTO).message == nothing.message


def test_tiles_that_are_too_small() -> None:
    reading = read(Table(0.3).lay("123m456p789s22z33s"))
    assert reading.status == "error" and "too small" in reading.message and not reading.tiles


def test_where_it_is_blurred_a_hand_that_is_not_finished_says_so() -> None:
    assert Scripted(thirteen()).reader().read(FLAT).message == "13 tiles, waiting on 3s 2z." + BLURRED
    assert Scripted(finished()).reader().read(FLAT).message == ""


@pytest.mark.parametrize("fault", PHOTO_DOUBTS)
def test_what_is_wrong_with_the_photo_itself_is_in_doubt(fault: str) -> None:
    reader, photo = Scripted(finished()).reader(), replace(load(PHOTO), fault=fault)
    for reading in (reader.read(photo), reader.read_frame(photo)):
        assert (reading.doubts[0].kind, reading.doubts[0].text) == ("photo", PHOTO_DOUBTS[fault])
        assert reading.status == "ok"


# --- as it is told ------------------------------------------------------------------------------------------


def test_pixels_decoded_elsewhere_are_read_in_the_coordinates_of_the_whole_photo() -> None:
    reader = Scripted(finished()).reader()
    whole, reduced = reader.read(PHOTO), reader.read(Photo.decoded(PHOTO, (2100, 960), "browser"))
    assert (reduced.photo, reduced.width, reduced.height) == ("browser", 2100, 960)
    assert reduced.hand == whole.hand and reduced.status == "ok"
    for there, here in zip(reduced.tiles, whole.tiles, strict=True):
        assert np.allclose(there.quad, 3 * (np.array(here.quad) + 0.5) - 0.5, atol=0.01)


def test_the_record_is_json() -> None:
    reading = read(thirteen().lay("4p", "dora", 9, row=2))
    record = json.loads(json.dumps(reading.to_record()))
    assert record["hand"]["known"] == {"concealed": "seen", "melds": "seen", "dora_indicators": "seen"}
    assert Reading.from_record(record).to_record() == record


def test_a_reader_loads_three_networks_once() -> None:
    engine, asked = Engine(threads=3), list[tuple[str, int]]()

    def loaded(file: Path, threads: int) -> network.Network:
        asked.append((file.name, threads))
        return network.load(file, threads)

    reader = Reader(engine, load=loaded)
    assert asked == [("finder.onnx", 3), ("faces.onnx", 3), ("scene.onnx", 3)] and reader.engine is engine
    with pytest.raises(ValueError, match="no scene model"):
        Reader(replace(engine, scene=engine.faces))


def test_importing_vision_imports_no_network_library() -> None:
    code = "import sys, vision; sys.exit(any(m in sys.modules for m in ('cv2', 'onnxruntime', 'numpy')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    with pytest.raises(AttributeError):
        __import__("vision").nonsense  # noqa: B018
