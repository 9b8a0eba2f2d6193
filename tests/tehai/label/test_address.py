"""Photos at an address of fsspec are checked, exported and reviewed as those of a folder are."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tehai.errors import Mistake
from tehai.label import journal
from tehai.label.address import Address
from tehai.label.check import check
from tehai.label.export import export
from tehai.label.run import digest
from tehai.label.selection import Options
from tehai.review.crops import PhotoMissing, read_bytes
from tests.tehai.label.lines import photo, tile
from tests.tehai.label.test_formats import picture

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A journal here, and three photos in memory, of which one has changed and one is gone."""
    url = f"memory://{uuid.uuid4()}/photos"
    system, root = fsspec.core.url_to_fs(url)
    lines = []
    for seed, name in enumerate(("deep/a.jpg", "changed.jpg", "gone.jpg")):
        file = picture(tmp_path / "made" / name, seed)
        lines.append(photo(name, tile("1m"), sha256=digest(file), state="accepted"))
        if name != "gone.jpg":
            system.pipe_file(f"{root}/{name}", file.read_bytes())
    system.pipe_file(f"{root}/changed.jpg", picture(tmp_path / "made" / "other.jpg", 9).read_bytes())
    file = tmp_path / "labels.jsonl"
    with journal.writing(file, Address(url)) as opened:
        for line in lines:
            opened.append(line)
    yield file, url
    system.rm(root, recursive=True)


def test_what_lies_at_an_address_is_checked(stored: tuple[Path, str]) -> None:
    with journal.reading(stored[0]) as opened:
        found = {(finding["kind"], finding["path"]) for finding in check(opened)}
    assert {("changed", "changed.jpg"), ("missing", "gone.jpg")} <= found
    assert not any(path == "deep/a.jpg" for _, path in found)


def test_what_lies_at_an_address_is_exported(stored: tuple[Path, str], tmp_path: Path) -> None:
    with journal.reading(stored[0]) as opened:
        left_out = export(opened, tmp_path / "out", Options("yolo"), str)
        with pytest.raises(Mistake, match="copy them and name the copy"):
            export(opened, tmp_path / "links", Options("yolo", link=True), str)
        export(opened, tmp_path / "again", Options("journal"), str)
    assert set(left_out) == {"changed.jpg", "gone.jpg"}
    copy = tmp_path / "out" / "images" / "train" / "deep" / "a.jpg"
    assert copy.read_bytes() == (tmp_path / "made" / "deep" / "a.jpg").read_bytes()
    with journal.reading(tmp_path / "again" / journal.NAME) as opened:
        assert str(opened.folder) == stored[1]


def test_what_lies_at_an_address_is_shown_for_review(stored: tuple[Path, str], tmp_path: Path) -> None:
    folder = Address(stored[1])
    key = digest(tmp_path / "made" / "deep" / "a.jpg")
    assert read_bytes(folder, ["deep/a.jpg"], key)
    with pytest.raises(PhotoMissing, match="is not there any more"):
        read_bytes(folder, ["gone.jpg"], key)
