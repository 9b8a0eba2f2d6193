"""An import finds the photos of our own exports by their content, and says where a file is damaged."""

from __future__ import annotations

import io
import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tehai.errors import Mistake
from tehai.label import journal
from tehai.label.formats import FORMATS
from tehai.label.formats.hub import arrow
from tehai.label.import_labels import Tally, bring
from tehai.label.run import digest
from tests.tehai.label.lines import photo, tile, write
from tests.tehai.label.test_formats import exported, needs, photos_of, picture

pytestmark = pytest.mark.usefixtures("without_points")

NAMES = (
    "images/a.jpg",
    "images/Images/a.jpg",
    "a.jpg",
    "A.jpg",
    "a.png",
    "two\nlines.jpg",
    "col:on.jpg",
    "que?stion.jpg",
    "back\\slash.jpg",
    "手牌 é.jpg",
    "no suffix/one.two.jpg",
    "images_/a.jpg",
    "=1+2.jpg",
    "'=1+2.jpg",
    "@sum.jpg",
    "-1.jpg",
    "+1.jpg",
)
"""Names that an export must change, and those that it could change them into."""

IMPORTED = [name for name, format_ in FORMATS.items() if format_.read]


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    lines = []
    for seed, name in enumerate(NAMES):
        sha256 = digest(picture(folder / name, seed))
        lines.append(photo(name, tile("1m", 20 + 30 * seed), sha256=sha256, state="accepted"))
    write(folder, *lines)
    return folder


def imported(format_: str, source: Path, folder: Path) -> Tally:
    return bring(format_, source, folder, None, None, False, "anna", str)


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("format_", [*IMPORTED, "journal"])
def test_photos_are_found_by_content(labelled: Path, tmp_path: Path, format_: str, flat: bool) -> None:
    needs(format_)
    exported(labelled, tmp_path / "out", format_, flat=flat)
    before = photos_of(labelled)
    (labelled / journal.NAME).unlink()
    (labelled / "a.jpg").rename(labelled / "moved.jpg")
    picture(labelled / "a.jpg", 99)  # another photo has its name now
    tally = imported(format_, tmp_path / "out", labelled)
    assert (tally.photos, tally.lost) == (len(NAMES), [])
    after = photos_of(labelled)
    assert set(after) == {*NAMES, "moved.jpg"} - {"a.jpg"}
    for path, line in after.items():
        wanted = before["a.jpg" if path == "moved.jpg" else path]
        assert line["sha256"] == wanted["sha256"]
        assert abs(line["tiles"][0]["quad"][0][0] - wanted["tiles"][0]["quad"][0][0]) <= 3.1


@pytest.mark.parametrize("format_", [*IMPORTED, "journal"])
def test_a_folder_may_have_the_name_of_a_part(tmp_path: Path, format_: str) -> None:
    needs(format_)
    folder = tmp_path / "photos"
    places = {"x.jpg": 20.0, "train/x.jpg": 300.0, "train/train/x.jpg": 500.0}
    write(
        folder,
        *(
            photo(name, tile("1m", at), sha256=digest(picture(folder / name, seed)), state="accepted")
            for seed, (name, at) in enumerate(places.items())
        ),
    )
    exported(folder, tmp_path / "out", format_)
    (folder / journal.NAME).unlink()
    imported(format_, tmp_path / "out", folder)
    found = {path: line["tiles"][0]["quad"][0][0] for path, line in photos_of(folder).items()}
    assert found == pytest.approx(places, abs=3.1)


def test_a_photo_that_was_replaced_gets_no_labels(labelled: Path, tmp_path: Path) -> None:
    exported(labelled, tmp_path / "out", "yolo")
    (labelled / journal.NAME).unlink()
    picture(labelled / "a.jpg", 99)
    tally = imported("yolo", tmp_path / "out", labelled)
    assert tally.photos == len(NAMES) - 1 and len(tally.lost) == 1


def replaced(file: str, before: bytes, after: bytes) -> Callable[[Path], object]:
    """Damages a file of an export."""

    def damage(out: Path) -> None:
        data = (out / file).read_bytes()
        assert before in data
        (out / file).write_bytes(data.replace(before, after, 1))

    return damage


def a_tar(text: bytes) -> Callable[[Path], object]:
    def damage(out: Path) -> None:
        with tarfile.open(out / "train-000000.tar", "w") as tar:
            entry = tarfile.TarInfo("one.json")
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text))

    return damage


def torn(file: str) -> Callable[[Path], object]:
    """Takes the last byte off."""
    return lambda out: os.truncate(out / file, (out / file).stat().st_size - 1)


def other_columns(file: str) -> Callable[[Path], object]:
    """A table of somebody else's."""

    def damage(out: Path) -> None:
        pa, pq = arrow()
        pq.write_table(pa.table({"image": [1], "label": ["1m"]}), out / file)

    return damage


LABELS = "labels/train/c.txt"
CVAT = "annotations.xml"
XML = "annotations/train/c.xml"


@pytest.mark.parametrize(
    ("format_", "damage", "where"),
    [
        ("yolo", replaced("provenance.jsonl", b'"name": "c.jpg"', b'"name": ""'), "provenance.jsonl, line 2"),
        ("yolo", replaced("provenance.jsonl", b'"models": {', b'"models": 1, "x": {'), "jsonl, line 1"),
        ("yolo", replaced("provenance.jsonl", b"c.jpg", b"c\xff.jpg"), "jsonl, line 2 is no UTF-8"),
        ("yolo", replaced(LABELS, b"\n", b"\n\xff 1 2"), "c.txt, line 2 is no UTF-8"),
        ("yolo", replaced(LABELS, b"0.", b"nan "), "c.txt, line 1"),
        ("yolo", replaced(LABELS, b"0.", b"x."), "c.txt, line 1"),
        ("yolo", replaced("data.yaml", b"names", b"\xffnames"), "data.yaml, line 4 is no UTF-8"),
        ("yolo-pose", replaced(LABELS, b"0.", b"inf 0."), "c.txt, line 1"),
        ("huggingface", replaced("images/train/metadata.jsonl", b"c.jpg", b"\xe9.jpg"), "line 2 is no"),
        ("huggingface", replaced("images/train/metadata.jsonl", b"640", b"0"), "metadata.jsonl, line 1"),
        ("huggingface", replaced("images/train/metadata.jsonl", b"[[", b"[[["), "metadata.jsonl, line 1"),
        ("voc", replaced(XML, b"encoding='utf-8'", b"encoding='klingon'"), "c.xml"),
        ("voc", replaced(XML, b"encoding='utf-8'", b"encoding='utf-7'"), "c.xml"),
        ("voc", replaced(XML, b"<name>", b"<name>\xff"), "c.xml"),
        ("voc", replaced(XML, b"640", b"-1"), "c.xml"),
        ("coco", replaced("annotations/instances_train.json", b"640", b"NaN"), "instances_train.json"),
        ("coco", replaced("annotations/instances_train.json", b"tile", b"\xfftile"), "json, line 1"),
        ("coco", replaced("annotations/instances_train.json", b"[[", b"[[[" * 30000), "instances_train.json"),
        ("cvat", replaced(CVAT, b"</annotations>", b""), "annotations.xml"),
        ("cvat", replaced(CVAT, b'points="', b'points="x'), "annotations.xml, the image a.jpg"),
        ("cvat", replaced(CVAT, b'name="c.jpg"', b'name=""'), "annotations.xml, the image 1"),
        ("labelme", replaced("images/train/c.json", b'"points": [', b'"points": [], "x": ['), "c.json"),
        ("label-studio", replaced("tasks.json", b'"points": [', b'"points": [], "x": ['), "tasks.json"),
        ("webdataset", a_tar(b"\xff\xfe{"), "train-000000.tar, one.json"),
        ("webdataset", a_tar(b'{"path": "", "width": 1, "height": 1, "tiles": [], "reviewed": 1}'), "json"),
        ("csv", replaced("labels.csv", b"640", b""), "labels.csv, line 2"),
        ("csv", replaced("labels.csv", b"1m", b"1m\xff"), "labels.csv, line 2 is no UTF-8"),
        ("parquet", torn("data/train-00000.parquet"), "train-00000.parquet"),
        ("parquet", other_columns("data/train-00000.parquet"), "train-00000.parquet"),
    ],
)  # fmt: skip
def test_damage_is_said_with_its_place(
    tmp_path: Path, format_: str, damage: Callable[[Path], object], where: str
) -> None:
    needs(format_)
    folder = tmp_path / "photos"
    lines = []
    for seed, name in enumerate(("a.jpg", "c.jpg")):
        sha256 = digest(picture(folder / name, seed))
        lines.append(photo(name, tile("1m"), sha256=sha256, state="accepted"))
    write(folder, *lines)
    exported(folder, tmp_path / "out", format_)
    (folder / journal.NAME).unlink()
    damage(tmp_path / "out")
    with pytest.raises(Mistake) as said:
        imported(format_, tmp_path / "out", folder)
    sentence = str(said.value)
    assert where in sentence and sentence.count("\n") == 0
    assert any(what in sentence for what in ("correct it there", "save the file as UTF-8", "check the file"))


def test_damaged_lines_of_another_journal_are_not_taken(tmp_path: Path) -> None:
    """They would make ours unreadable."""
    folder = tmp_path / "photos"
    sha256 = digest(picture(folder / "a.jpg", 1))
    source = write(tmp_path / "theirs", photo("a.jpg", tile("1m"), sha256=sha256, state="accepted"))
    line = json.loads(source.read_bytes().splitlines()[-1])
    head = source.read_bytes().splitlines()[0]
    for change in (
        {"tiles": 5},
        {"tiles": [{}]},
        {"tiles": [tile("1m", quad=[[0, 0], [1, 0], [1, "x"], [0, 1]])]},
        {"tiles": [tile("1m", quad=[[0, 0], [1, 0], [1, 1]])]},
        {"tiles": [{**tile("1m"), "label": 7}]},
        {"width": "640"},
        {"phash": None},
    ):
        source.write_bytes(head + b"\n" + json.dumps({**line, **change}).encode() + b"\n")
        with pytest.raises(Mistake, match=r"the photo a\.jpg"):
            imported("journal", source, folder)
