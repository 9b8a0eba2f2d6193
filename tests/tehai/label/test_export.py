"""An export is of the photos that were labelled, and says what it left out."""

from __future__ import annotations

import json
import tarfile
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from tehai.cli import app
from tehai.errors import Mistake
from tehai.label import journal
from tehai.label.formats import FORMATS
from tehai.label.run import digest
from tehai.label.upright import for_all
from tests.tehai.label.lines import photo, tile, write
from tests.tehai.label.test_formats import exported, needs, picture
from vision.labels import UNREADABLE

CHANGED = ("turned.jpg", "replaced.png", "torn.jpg", "gone.jpg")
KEPT = ("deep/kept.jpg", "moved.jpg")


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """Six photos, of which four are no longer what was labelled; of one a copy still is."""
    folder = tmp_path / "photos"
    lines = []
    for seed, name in enumerate((*CHANGED, *KEPT)):
        sha256 = digest(picture(folder / name, seed))
        lines.append(photo(name, tile("1m"), sha256=sha256, state="accepted"))
    write(folder, *lines, {"kind": "place", "path": "other copy.jpg", "sha256": lines[-1]["sha256"]})
    (folder / "other copy.jpg").write_bytes((folder / "moved.jpg").read_bytes())
    picture(folder / "moved.jpg", 17)
    with Image.open(folder / "turned.jpg") as image:
        image.rotate(180).save(folder / "turned.jpg")
    picture(folder / "replaced.png", 18)
    (folder / "torn.jpg").write_bytes((folder / "torn.jpg").read_bytes()[:900])
    (folder / "gone.jpg").unlink()
    return folder


@pytest.mark.parametrize("format_", [*FORMATS, "journal"])
def test_a_photo_that_changed_stays_out_and_is_named(changed: Path, tmp_path: Path, format_: str) -> None:
    needs(format_)
    out = tmp_path / "out"
    printed = exported(changed, out, format_)
    assert printed[-1].startswith("Exported 2 photos (2 train)")
    assert "4 photos stayed out; put them back as they were, or label them again:" in printed
    for name in CHANGED:
        (line,) = [line for line in printed if line.strip().startswith(name)]
        assert line.endswith(
            "is not there any more" if name == "gone.jpg" else "changed since it was labelled"
        )
        assert f"`{name}`" in (out / "README.md").read_text(encoding="utf-8")
    for file in out.rglob("*"):
        assert not any(name.partition(".")[0] in file.name for name in CHANGED)
    said = [json.loads(line)["name"] for line in (out / "provenance.jsonl").read_text().splitlines()]
    assert sorted(said) == ["deep/kept.jpg", "moved.jpg"]


def test_what_cannot_be_opened_does_not_stop_an_export(
    changed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(file: Path) -> bytes:
        if file.name == "kept.jpg":
            raise PermissionError(13, "Permission denied")
        return file.read_bytes()

    monkeypatch.setattr("tehai.label.files.content", refuse)  # the superuser may open every file
    printed = exported(changed, tmp_path / "out", "coco")
    assert any(line.strip().startswith("deep/kept.jpg the file cannot be opened") for line in printed)
    assert printed[-1].startswith("Exported 1 photo ")


def test_the_exit_code_says_so_where_it_is_asked(changed: Path, tmp_path: Path) -> None:
    run = CliRunner()
    assert run.invoke(app, ["export", "yolo", str(changed), str(tmp_path / "one")]).exit_code == 0
    assert run.invoke(app, ["export", "yolo", str(changed), str(tmp_path / "two"), "--strict"]).exit_code == 3


def test_where_nothing_is_as_it_was_nothing_is_written(changed: Path, tmp_path: Path) -> None:
    picture(changed / "other copy.jpg", 19)
    picture(changed / "deep" / "kept.jpg", 20)
    for format_ in ("yolo", "webdataset", "journal"):
        with pytest.raises(Mistake, match="There is nothing to export"):
            exported(changed, tmp_path / "out", format_)
        assert not (tmp_path / "out").exists()


@pytest.fixture
def unreadable(tmp_path: Path) -> Path:
    """Two photos; in one nobody can read a tile."""
    folder = tmp_path / "photos"
    clear = photo("clear.jpg", tile("1m"), sha256=digest(picture(folder / "clear.jpg", 1)), state="accepted")
    tiles = (tile("1m"), tile(UNREADABLE, 300, 200))
    veiled = photo("veiled.jpg", *tiles, sha256=digest(picture(folder / "veiled.jpg", 2)), state="accepted")
    write(folder, clear, veiled)
    return folder


@pytest.mark.parametrize("format_", ["yolo", "coco", "webdataset"])
def test_a_tile_that_nobody_can_read_is_covered(unreadable: Path, tmp_path: Path, format_: str) -> None:
    out = tmp_path / "out"
    printed = exported(unreadable, out, format_, mask=True)
    said = "1 of 3 tiles have no readable face and are covered in the photos."
    assert said in printed and f"- {said}\n" in (out / "README.md").read_text(encoding="utf-8")
    if format_ == "webdataset":
        with tarfile.open(out / "train-000000.tar") as tar:
            (name,) = [name for name in tar.getnames() if name.endswith("veiled.jpg")]
            content = tar.extractfile(name)
            assert content is not None
            shown = np.asarray(Image.open(BytesIO(content.read())))
    else:
        shown = cv2.imread(str(out / "images" / "train" / "veiled.jpg"))
        assert (out / "images" / "train" / "clear.jpg").read_bytes() == (
            unreadable / "clear.jpg"
        ).read_bytes()
    assert abs(shown[210:235, 303:323].astype(int) - 114).max() < 12, "grey"
    before = cv2.imread(str(unreadable / "veiled.jpg"))
    if format_ != "webdataset":  # there the channels are the other way round
        assert np.abs(shown[:, :280].astype(int) - before[:, :280]).mean() < 10, "the rest is as it was"
    if format_ == "coco":
        data = json.loads((out / "annotations" / "instances_train.json").read_text(encoding="utf-8"))
        assert len(data["annotations"]) == 2 and UNREADABLE not in {one["name"] for one in data["categories"]}


def test_photos_with_such_a_tile_can_stay_out(unreadable: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = ["export", "yolo", str(unreadable), str(out), "--without-unreadable-photos", "--strict"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, "they were asked to stay out"
    assert "1 photo with a tile without a readable face stayed out." in done.stdout
    assert [file.name for file in (out / "images" / "train").iterdir()] == ["clear.jpg"]


def test_the_card_counts_what_a_detector_takes_for_background(unreadable: Path, tmp_path: Path) -> None:
    said = "tiles have no readable face and stayed out: a detector takes them for background. "
    assert any(line.startswith(f"1 of 3 {said}") for line in exported(unreadable, tmp_path / "out", "yolo"))
    assert f"- 1 of 3 {said}" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    exported(unreadable, tmp_path / "all", "journal")
    assert "no readable face" not in (tmp_path / "all" / "README.md").read_text(encoding="utf-8"), (
        "it is kept"
    )
    picture(unreadable / "veiled.jpg", 3)
    printed = exported(unreadable, tmp_path / "less", "yolo")
    assert not any("no readable face" in line for line in printed), "of what is exported alone"


def test_no_cell_of_the_table_is_a_formula(tmp_path: Path) -> None:
    """Labels come from elsewhere, and so do names of files."""
    folder = tmp_path / "photos"
    sha256 = digest(picture(folder / "=cmd.jpg", 1))
    write(folder, photo("=cmd.jpg", tile("1m"), sha256=sha256, state="accepted"))
    exported(folder, tmp_path / "out", "csv")
    (_, row) = (tmp_path / "out" / "labels.csv").read_text(encoding="utf-8").splitlines()
    assert row.startswith("'=cmd.jpg,")


@pytest.mark.parametrize("options", [{"format_": "journal"}, {"format_": "yolo", "one_class": True}])
def test_what_is_kept_is_not_covered(unreadable: Path, tmp_path: Path, options: dict[str, object]) -> None:
    with pytest.raises(Mistake, match="--mask covers tiles that this export keeps"):
        exported(unreadable, tmp_path / "out", mask=True, **options)  # type: ignore[arg-type]
    assert journal.NAME in {file.name for file in unreadable.iterdir()}


def test_a_journal_says_where_a_photo_has_moved(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    moved = digest(picture(folder / "new.jpg", 1))
    write(
        folder,
        photo("old.jpg", tile("1m"), sha256=moved),
        {"kind": "gone", "path": "old.jpg"},
        {"kind": "place", "path": "new.jpg", "sha256": moved},
    )
    exported(folder, tmp_path / "out", "journal")
    assert exported(tmp_path / "out", tmp_path / "again", "csv")[-1].startswith("Exported 1 photo ")


def test_crops_of_photos_with_like_names_are_all_there(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    names = ("a/b.jpg", "a-b.jpg", "A/b.jpg")
    write(
        folder,
        *(photo(one, tile("1m"), sha256=digest(picture(folder / one, at))) for at, one in enumerate(names)),
    )
    exported(folder, tmp_path / "out", "crops")
    crops = {file.name.lower() for file in (tmp_path / "out" / "train" / "1m").iterdir()}
    assert len(crops) == 3, "even where large and small letters are one"


def test_a_photo_is_what_its_name_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it holds, and however large it is."""
    held = BytesIO()
    Image.new("RGB", (64, 48)).save(held, "BMP")  # as HEIC by the name of a JPEG
    assert for_all(held.getvalue(), "a.jpg").startswith(b"\xff\xd8\xff")
    jpeg = for_all(held.getvalue(), "a.heic")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)
    assert for_all(jpeg, "a.jpg") == jpeg


def test_a_photo_of_16_bits_is_not_bleached_where_it_is_changed() -> None:
    Image.fromarray(np.full((48, 64), 100 * 256, np.uint16)).save(held := BytesIO(), "PNG", exif=b"damaged")
    with Image.open(BytesIO(for_all(held.getvalue(), "a.png", [((0, 0), (9, 0), (9, 9), (0, 9))]))) as shown:
        assert shown.getpixel((40, 40)) == (100, 100, 100)
