"""The measure: what it says of a reader whose answers are known, and that it goes on where it was stopped."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.photos import Photo
from models import measure
from models.figures import figures, report, values
from models.measure import Task, main, read_hand, read_tiles, records, today
from models.photographed import photographed
from models.scene_check import Indicators
from models.shares import Share
from tests.folders import DATA
from vision.reading import Reading, SeenTile

NOTHING = Reading("a.jpg", 8, 8, (), None, {}, "error", "No tile can be read.")


class Blind:
    """Reads nothing of any photo, and counts how often it was asked."""

    asked = 0

    def read(self, photo: Any, *, region: Any = None) -> Reading:
        Blind.asked += 1
        return NOTHING


def blind() -> Blind:
    return Blind()


def scene(
    verdict: str, part: str = "new layouts", outcome: str = "finished", name: str = "arc", **more: Any
) -> dict[str, Any]:
    record = {
        "part": part, "name": "1/000000.jpg", "file": "000000.jpg", "scene": name, "outcome": outcome,
        "verdict": verdict, "scored": verdict in ("right", "doubted", "silent"), "exact": verdict == "right",
        "confidence": 0.99, "doubts": [], "message": "", "tiles": None,
        "indicators": asdict(Indicators(**more.pop("indicators", {}))),
    }  # fmt: skip
    return record | more


def hand(name: str, became: str, ms: float = 100.0) -> dict[str, Any]:
    told = {"missed": [], "confidence": 0.97, "message": "What to do.", "doubts": [], "ms": ms}
    return {"part": "hands", "name": name, "became": became, **told}


def by_words(some: list[dict[str, Any]]) -> dict[str, Share]:
    """The shares of records of one part, by what they count."""
    return {figure.what: figure.share for figure in figures(some)}


def test_scenes_are_counted_by_what_became_of_them() -> None:
    some = [
        scene("right"),
        scene("right", doubts=["indicator"], confidence=0.96),
        scene("right", name="groups", doubts=["win"], confidence=0.5),
        scene("silent", name="groups", confidence=0.985),
        scene("asked", outcome="none", confidence=0.3, tiles=True),
        scene("silent", outcome="none", confidence=0.4, tiles=False),
        scene("right", outcome="none", scored=False, confidence=None),
        scene("asked", outcome="none", exact=True, confidence=0.995),
    ]
    found = by_words(some)
    assert found["finished hands right"] == Share(3, 4)
    assert found["… arc"] == Share(2, 2) and found["… groups"] == Share(1, 2)
    assert found["hands that are not finished: tiles right"] == Share(1, 2)
    assert found["wrong without a word"] == Share(2, 8)
    assert found["scored without a hand"] == Share(1, 4)
    assert found["right of those with confidence 0.98 or more"] == Share(2, 3)
    assert found["right of those scored with confidence 0.98 or more"] == Share(1, 2)
    assert found["right of those with confidence 0.95 or more"] == Share(3, 4)
    assert found["right hands with .95 or more"] == Share(2, 3)
    assert found["right hands with a doubt"] == Share(2, 3)
    assert found["right hands with a doubt that is not about indicators"] == Share(1, 3)


def test_indicators_are_counted_where_they_lie() -> None:
    some = [
        scene("right", indicators={"shown": 3, "right": 2, "beside": 1, "beside_right": 1}),
        scene("silent", indicators={"shown": 2, "right": 0, "beside": 2}),
        scene("asked", indicators={"shown": 9, "right": 9}),
        scene("right", indicators={"ura_as_dora": 1}),
        scene("right", indicators={"ura_as_dora": 1}, doubts=["indicator"]),
        scene("right", indicators={"shown": 1, "misread": 1}),
        scene("right", indicators={"shown": 1}),
    ]
    found = by_words(some)
    assert found["indicators on a wall listed rightly"] == Share(1, 4)
    assert found["indicators laid elsewhere listed rightly"] == Share(1, 3)
    assert found["right hands with wrong indicators, without a word"] == Share(3, 5)


def test_hands_are_compared_with_and_without_a_frame() -> None:
    some = [
        hand("a.jpg whole", "met"), hand("a.jpg framed", "asked"),
        hand("b.jpg whole", "asked"), hand("b.jpg framed", "met"),
        hand("c.jpg whole", "doubted"), hand("c.jpg framed", "silent"),
    ]  # fmt: skip
    found = by_words(some)
    assert found["whole: right"] == Share(1, 3)
    assert found["whole: right or asked"] == Share(2, 3)
    assert found["framed: wrong without a word"] == Share(1, 3)
    assert found["worse with a frame than without"] == Share(2, 3)


class AllMan:
    """Reads every tile as a 1m where the true boxes of the test lie."""

    def read(self, photo: Any, *, region: Any = None) -> Reading:
        quads = [((x, 0.0), (x + 20.0, 0.0), (x + 20.0, 30.0), (x, 30.0)) for x in (0.0, 40.0)]
        tiles = tuple(SeenTile(quad, "1m", 0.9, ("2m", 0.1)) for quad in quads)
        return replace(NOTHING, tiles=tiles)


@pytest.mark.parametrize(("use", "extra"), [("eval-club", {}), ("eval-tray", {"extra tiles": Share(0, 4)})])
def test_tiles_of_photos_are_added_up_after_a_way_through_their_file(
    tmp_path: Path, use: str, extra: dict[str, Share]
) -> None:
    cv2.imwrite(str(tmp_path / "a.jpg"), np.zeros((40, 80, 3), np.uint8))
    boxes = np.array([[0, 0, 20, 30], [40, 0, 60, 30]], np.float32)
    photo = Photo(
        tmp_path / "a.jpg", "leo_miura", "a", use, "jp", boxes, ("1m", "2m"), False, True, False,
        False, 1.0,
    )  # fmt: skip
    record = json.loads(json.dumps({"part": use, "name": "a.jpg", **read_tiles(photo, AllMan())}))
    assert by_words([record, record]) == {"tiles right": Share(2, 4), **extra}
    assert values([record])["uses"][use]["confusions"] == [("2m→1m", 1)]


def test_the_table_has_a_column_for_each_reader() -> None:
    columns = {
        "mine": [hand("a.jpg whole", "met", 100), hand("b.jpg whole", "met", 250)],
        "theirs": [hand("a.jpg whole", "silent")],
    }
    lines = "\n".join(report(columns))
    assert "| part | what | mine | theirs | should be |" in lines
    assert f"| hands | whole: right | {Share(2, 2)} | {Share(0, 1)} |  |" in lines
    assert "100 to 250 ms" in lines and "2.5 times" in lines


def test_what_was_read_is_not_read_again(tmp_path: Path) -> None:
    tasks = [Task("hands", name, lambda reader: {"status": reader.read(None).status}) for name in "abc"]
    name = f"{__name__}:blind"
    Blind.asked = 0
    measure.measure(tmp_path, name, tasks[:2], 1)
    with (tmp_path / "records.jsonl").open("a") as lines:
        lines.write('{"part": "ha')  # cut off
    done = measure.measure(tmp_path, name, tasks, 1)
    assert [record["name"] for record in done] == ["a", "b", "c"] and Blind.asked == 3
    assert records(tmp_path) == done
    with pytest.raises(ValueError, match="name another folder"):
        measure.measure(tmp_path, "models.measure:today", tasks, 1)


def test_what_other_networks_read_is_not_their_own(tmp_path: Path) -> None:
    file = tmp_path / "faces.onnx"
    tasks = [Task("hands", "a", lambda reader: {"status": "ok"})]
    reader = f"{__name__}:blind faces={file}"
    file.write_text("one")
    measure.measure(tmp_path / "out", reader, [], 1)
    file.write_text("another")
    with pytest.raises(ValueError, match="what other networks read: name another folder"):
        measure.measure(tmp_path / "out", reader, tasks, 1)


def photographs(folder: Path) -> None:
    """A folder of one photographed hand and no other photos."""
    (folder / "hands").mkdir(parents=True)
    row = {"file": "hands/arc.jpg", "rows": [["1m", "1m"]], "box": [0.1, 0.1, 0.9, 0.9]}
    for name in ("truth.json", "real-tables.json"):
        (folder / "hands" / name).write_text('{"photos": []}')
    (folder / "hands" / "groups.json").write_text(json.dumps({"photos": [row]}))
    cv2.imwrite(str(folder / "hands" / "arc.jpg"), np.zeros((40, 60, 3), np.uint8))
    (folder / "manifest.jsonl").write_text("")


def test_the_command_reads_whole_and_framed_and_writes_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photographs(tmp_path / "photos")
    out = tmp_path / "out"
    main([str(out), "--reader", f"{__name__}:blind", "--photos", str(tmp_path / "photos")])
    names = [record["name"] for record in records(out)]
    assert names == ["hands/arc.jpg whole", "hands/arc.jpg framed"]
    assert all(record["became"] == "asked" for record in records(out))
    assert "No tile can be read." in capsys.readouterr().out
    told = json.loads((out / "figures.json").read_text())
    assert {f["what"]: f["count"] for f in told["figures"]}["whole: right or asked"] == 1
    main([str(out), "--reader", f"{__name__}:blind", "--beside", str(out)])


def test_a_reader_that_is_none_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photographs(tmp_path / "photos")
    with pytest.raises(SystemExit):
        main([str(tmp_path / "out"), "--reader", "models.nothing:x", "--photos", str(tmp_path / "photos")])
    assert "models.nothing" in capsys.readouterr().err


def test_scenes_are_read_in_processes_and_a_truth_of_an_earlier_renderer_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "0.jpg"), np.full((96, 128, 3), 90, np.uint8))
    row = {"file": "0.jpg", "seed": 901, "kind": "game", "scene": "ready", "outcome": "none", "tiles": []}
    (tmp_path / "truth.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    out = tmp_path / "out"
    main([str(out), "--reader", f"{__name__}:blind", "--old", str(tmp_path), "--workers", "2"])
    (record,) = records(out)
    assert (record["part"], record["name"], record["verdict"]) == ("old mix", "901/0.jpg", "refused")
    told = json.loads((out / "figures.json").read_text())
    assert told["seeds"] == {"old mix": [901], "new layouts": []} and told["uses"] == {}
    shares = {figure["what"]: (figure["count"], figure["n"]) for figure in told["figures"]}
    assert shares["wrong without a word"] == (0, 1) and shares["scored without a hand"] == (0, 1)
    (tmp_path / "truth.jsonl").write_text('{"file": "0.jpg", "tiles": []}\n', encoding="utf-8")
    with pytest.raises(SystemExit):
        main([str(out), "--reader", f"{__name__}:blind", "--old", str(tmp_path)])
    assert "truth.jsonl lacks 'kind': render these photos again" in capsys.readouterr().err


@pytest.mark.skipif(not (DATA / "photos" / "hands").is_dir(), reason="no photographed hands")
def test_a_photographed_hand_is_read_by_what_ships() -> None:
    folder = DATA / "photos"
    photo = next(each for each in photographed(folder) if each["file"] == "hands/tenpai.jpg")
    found = read_hand(folder, photo, None, "as it is", today())
    assert found["became"] == "met" and found["missed"] == [] and found["ms"] > 0
