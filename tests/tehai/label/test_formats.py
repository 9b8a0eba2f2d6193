"""Every format there and back, opened by the tools that own it where they are installed, and names from
anywhere."""

from __future__ import annotations

import json
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from tehai.cli import app
from tehai.errors import Mistake
from tehai.label import journal
from tehai.label.export import export
from tehai.label.formats import FORMATS, labelstudio, yolo
from tehai.label.formats.neutral import CLASSES, as_quad
from tehai.label.geometry import quads
from tehai.label.import_labels import Finder, UnknownClasses, bring
from tehai.label.names import map_lines, suggestion
from tehai.label.run import digest
from tehai.label.selection import Options, parse_shares
from tests.tehai.label.lines import photo, tile, write
from vision.quads import bounds

pytestmark = pytest.mark.usefixtures("without_points")

BOXES = {"yolo": 0.06, "voc": 0.51}
"""Formats of boxes, and by how many pixels they may be off."""
QUADS = {
    "yolo-obb": 0.06,
    "yolo-pose": 0.06,
    "coco": 0.051,
    "coco-keypoints": 0.051,
    "huggingface": 0.051,
    "parquet": 0.051,
    "webdataset": 0.051,
    "labelme": 0.051,
    "cvat": 0.051,
    "label-studio": 0.06,
    "csv": 0.051,
    "journal": 0.0,
}


def picture(file: Path, seed: int) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.random.default_rng(seed).integers(0, 255, (48, 64, 3), np.uint8)
    cv2.imwrite(str(file), cv2.resize(pixels, (640, 480), interpolation=cv2.INTER_NEAREST))
    return file


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Three photos: reviewed, as read with one face unreadable, and without tiles."""
    folder = tmp_path / "photos"
    names = ["one.jpg", "deep/two é.png", "deep/er/three.jpg"]
    tiles = [
        [tile("0p"), tile("back", 200.5), tile("1z", 300, 300)],
        [tile("9s", 400, probability=0.5), tile("?", 500)],
        [],
    ]
    lines = []
    for seed, (name, some) in enumerate(zip(names, tiles, strict=True)):
        sha256 = digest(picture(folder / name, seed))
        state = "unreviewed" if seed == 1 else "accepted"
        lines.append(photo(name, *some, sha256=sha256, state=state))
    write(folder, *lines)
    return folder


def exported(folder: Path, out: Path, format_: str, **options: Any) -> list[str]:
    printed: list[str] = []
    with journal.reading(folder / journal.NAME) as opened:
        export(opened, out, Options(format_, **options), printed.append)
    return printed


def needs(format_: str) -> None:
    """Skip where what writes a format is not installed."""
    if format_ == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")


def photos_of(folder: Path) -> dict[str, journal.Line]:
    with journal.reading(folder / journal.NAME) as opened:
        return {line["path"]: line for line in opened.photos()}


@pytest.mark.parametrize("format_", [*BOXES, *QUADS])
def test_there_and_back(labelled: Path, tmp_path: Path, format_: str) -> None:
    needs(format_)
    out = tmp_path / "out"
    printed = exported(labelled, out, format_)
    assert printed[-1] == f"Exported 3 photos (3 train) to {out}."
    ignores = format_ != "journal" and FORMATS[format_].ignores
    if format_ != "journal":
        unread = "regions to be ignored" if ignores else "stayed out"
        assert any(
            line.startswith("1 of 5 tiles have no readable face") and unread in line for line in printed
        )
    bare = tmp_path / "bare"
    (labelled / journal.NAME).rename(tmp_path / "kept.jsonl")
    labelled.rename(bare)
    if format_ == "journal":
        out.rename(tmp_path / "away")
        out = tmp_path / "away"
    tally = bring(format_, out, bare, None, None, False, "anna", str)
    assert (tally.photos, tally.lost, tally.kept) == (3, [], 0)
    with journal.reading(tmp_path / "kept.jsonl") as opened:
        before = {line["path"]: line for line in opened.photos()}
    for path, line in photos_of(bare).items():
        kept = [
            one for one in before[path]["tiles"] if one["label"] in CLASSES or format_ == "journal" or ignores
        ]
        assert [one["label"] for one in line["tiles"]] == [one["label"] for one in kept]
        assert (line["width"], line["height"]) == (640, 480)
        if format_ in BOXES:
            assert np.allclose(bounds(quads(line["tiles"])), bounds(quads(kept)), atol=BOXES[format_])
        else:
            assert np.allclose(quads(line["tiles"]), quads(kept), atol=QUADS[format_])
        state = before[path]["review"]["state"]
        assert line["review"]["state"] == (
            state if state == "unreviewed" or format_ == "journal" else "imported"
        )
    if format_ == "journal":
        assert photos_of(bare)["one.jpg"]["tiles"] == before["one.jpg"]["tiles"], "nothing is lost"


def test_what_a_format_cannot_hold_is_said(labelled: Path, tmp_path: Path) -> None:
    for format_, facts in FORMATS.items():
        if format_ == "parquet" and find_spec("pyarrow") is None:
            continue
        printed = exported(labelled, tmp_path / format_, format_)
        assert any(facts.loses in sentence for sentence in printed) or not facts.loses
    with pytest.raises(Mistake, match="crops do not say where"):
        bring("crops", tmp_path / "crops", labelled, None, None, False, "", str)
    crops = sorted(
        path.relative_to(tmp_path / "crops").as_posix() for path in (tmp_path / "crops").rglob("*.png")
    )
    assert crops == [
        "train/0p/one-0.png",
        "train/1z/one-2.png",
        "train/9s/deep-two é-0.png",
        "train/back/one-1.png",
    ]
    with pytest.raises(Mistake, match="is there already; name a new folder"):
        exported(labelled, tmp_path / "coco", "coco")
    with pytest.raises(Mistake, match="no format yaml; there are yolo, yolo-obb"):
        exported(labelled, tmp_path / "x", "yaml")


def test_the_card_counts_what_is_there(labelled: Path, tmp_path: Path) -> None:
    exported(labelled, tmp_path / "out", "csv", licence="CC BY 4.0", set_depth=1, reviewed=True)
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    for line in (
        "- licence: CC BY 4.0",
        "| photos | 2 | 2 |",
        "| 0p | 1 | 1 |",
        "| 9s | 0 | 0 |",
        "| deep | 1 |",
        "| nearly alike | yes | 0 | 0 | 0 |",
        "| folder | no | 0 | 0 | 0 |",
        "| tile set | yes | 0 | 0 | 0 |",
    ):
        assert f"{line}\n" in card
    sheet = cv2.imread(str(tmp_path / "out" / "thumbnails.jpg"))
    assert sheet is not None and sheet.shape == (180, 1440, 3)


def test_a_turned_photo_is_exported_as_its_labels_count(tmp_path: Path) -> None:
    from PIL import Image

    folder = tmp_path / "photos"
    picture(folder / "a.jpg", 1)
    with Image.open(folder / "a.jpg") as image:
        exif = image.getexif()
        exif[0x0112] = 6
        image.save(folder / "turned.jpg", exif=exif)
    write(folder, photo("turned.jpg", width=480, height=640, sha256=digest(folder / "turned.jpg")))
    exported(folder, tmp_path / "out", "labelme")
    with Image.open(tmp_path / "out" / "images" / "train" / "turned.jpg") as image:
        assert image.size == (480, 640) and image.getexif().get(0x0112, 1) == 1


def test_predictions_and_annotations_of_label_studio(labelled: Path, tmp_path: Path) -> None:
    exported(labelled, tmp_path / "out", "label-studio")
    tasks = {
        labelstudio._name(task["data"]["image"]): task
        for task in json.loads((tmp_path / "out" / "tasks.json").read_text(encoding="utf-8"))
    }
    read = tasks["deep/two é.png"]
    assert not read["annotations"] and read["predictions"][0]["score"] == 0.5
    assert tasks["one.jpg"]["annotations"] and not tasks["one.jpg"]["predictions"]


def test_classes_by_other_names(labelled: Path, tmp_path: Path) -> None:
    source = tmp_path / "theirs"
    (source / "labels" / "train").mkdir(parents=True)
    (source / "labels" / "train" / "one.txt").write_text(
        "0 0.5 0.5 0.1 0.1\n2 0.2 0.2 0.1 0.1\n2 0.3 0.2 0.1 0.1\n1 0.7 0.2 0.1 0.1\n", encoding="utf-8"
    )
    (source / "data.yaml").write_text("nc: 3\nnames: ['Bamboo 1', flower, red-dragon]\n", encoding="utf-8")
    before = (labelled / journal.NAME).read_bytes()
    with pytest.raises(UnknownClasses, match=r"3 classes with 4 tiles .* Nothing was imported") as unknown:
        bring("yolo", source, labelled, None, None, False, "", str)
    assert unknown.value.lines == [
        '"red-dragon" = "7z"  # 2 tiles',
        '"Bamboo 1" = "1s"  # 1 tiles',
        '"flower" = ""  # 1 tiles, no suggestion: empty leaves them out',
    ]
    assert (labelled / journal.NAME).read_bytes() == before
    names = tmp_path / "names.toml"
    names.write_text("\n".join(unknown.value.lines), encoding="utf-8")
    assert bring("yolo", source, labelled, None, names, False, "", str).kept == 1, "anna's work stays"
    tally = bring("yolo", source, labelled, None, names, True, "", str)
    assert (tally.photos, tally.tiles, tally.left_out) == (1, 3, 1)
    line = photos_of(labelled)["one.jpg"]
    assert (line["revision"], [one["label"] for one in line["tiles"]]) == (2, ["1s", "7z", "7z"])
    assert line["tiles"][0]["quad"][0] == [288.0, 216.0]
    names.write_text('"flower" = "8z"', encoding="utf-8")
    with pytest.raises(Mistake, match="is to be '8z', which is no tile"):
        bring("yolo", source, labelled, None, names, False, "", str)
    shown = CliRunner().invoke(app, ["import", "yolo", str(source), str(labelled)])
    assert shown.exit_code == 2 and '"red-dragon" = "7z"' in shown.stdout


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("1m", "1m"), ("5MR", "0m"), ("red_5_pin", "0p"), ("Circles-9", "9p"), ("three bamboo", "3s"),
        ("green dragon", "6z"), ("East", "1z"), ("chun", "7z"), ("charcter 4", "4m"), ("spring", ""),
        ("back", "back"),
    ],
)  # fmt: skip
def test_suggestions(name: str, label: str) -> None:
    assert suggestion(name) == label
    assert map_lines(Counter({'a"b\\': 1}))[0].startswith(r'"a\"b\\" = ')


@pytest.mark.parametrize(
    "text",
    [
        "names: [a, 'b c', d]",
        "names:\n- a\n- 'b c'\n- d\nnc: 3",
        'x: 1\nnames:\n  0: a\n  2: d\n  1: "b c"\n',
    ],
)
def test_names_of_data_yaml(tmp_path: Path, text: str) -> None:
    (tmp_path / "data.yaml").write_text(text, encoding="utf-8")
    assert yolo._names(tmp_path / "data.yaml") == {0: "a", 1: "b c", 2: "d"}


def test_classes_txt_will_do(tmp_path: Path) -> None:
    (tmp_path / "classes.txt").write_text("1m\n9s\n", encoding="utf-8")
    (tmp_path / "a.txt").write_text("1 0.5 0.5 0.2 0.2\n", encoding="utf-8")
    (read,) = yolo.read(tmp_path)
    assert (read.name, [tile.label for tile in read.tiles]) == ("a", ["9s"])


@pytest.mark.parametrize("format_", [*BOXES, *QUADS])
def test_nonsense_is_refused_in_a_sentence(tmp_path: Path, format_: str) -> None:
    needs(format_)
    source = tmp_path / "source"
    source.mkdir()
    folder = tmp_path / "photos"
    folder.mkdir()
    with pytest.raises(Mistake):
        bring(format_, source, folder, None, None, False, "", str)
    with pytest.raises(Mistake, match="does not exist"):
        bring(format_, tmp_path / "none", folder, None, None, False, "", str)
    for name in (
        "a.txt",
        "a.json",
        "a.xml",
        "a.tar",
        "a.parquet",
        "annotations.xml",
        "metadata.jsonl",
        "tasks.json",
        "labels.csv",
        "data.yaml",
        journal.NAME,
    ):
        (source / name).write_text("names: [a]\nx y z\n", encoding="utf-8")
    with pytest.raises(Mistake):
        bring(format_, source, folder, None, None, False, "", str)


def test_photos_are_found_by_what_is_left_of_their_path() -> None:
    finder = Finder.of(Path(), ["a/one.jpg", "b/one.jpg", "b/two.heic", "c.jpg"])
    assert finder.find("a/one.jpg") == "a/one.jpg" and finder.find("a/one") == "a/one.jpg"
    assert finder.find("one.jpg") is None, "two photos are called so"
    assert finder.find("b/two.jpg") == "b/two.heic" and finder.find("/their/disk/two.jpg") == "b/two.heic"
    assert finder.find("nothing") is None


def test_polygons_become_quads() -> None:
    clockwise = ((1.0, 1.0), (5.0, 1.0), (5.0, 7.0), (1.0, 7.0))
    assert as_quad([list(point) for point in clockwise]) == clockwise
    assert as_quad([[1, 1], [1, 7], [5, 7], [5, 1]]) == clockwise, "the first corner stays the first"
    six = as_quad([[0, 0], [5, 0], [10, 0], [10, 10], [5, 10], [0, 10]])
    corners = sorted((round(x, 3), round(y, 3)) for x, y in six)
    assert corners == [(0, 0), (0, 10), (10, 0), (10, 10)]


def test_shares() -> None:
    assert parse_shares("80,10,10") == {"train": 0.8, "val": 0.1, "test": 0.1}
    for nonsense in ("", "a", "1,2,3,4", "1,0"):
        with pytest.raises(Mistake, match="shares of train, val and test"):
            parse_shares(nonsense)
