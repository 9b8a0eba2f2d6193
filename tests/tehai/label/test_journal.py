"""The journal: only added to, nothing lost, every kind of damage said."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tehai.errors import Mistake
from tehai.label import journal
from tehai.label.journal import Conflict
from tests.tehai.label.lines import photo, tile, write

ROOT = Path(__file__).parents[3]


def test_the_latest_revision_is_what_is_read(tmp_path: Path) -> None:
    first, second = photo("a.jpg", tile("1m")), photo("a.jpg", tile("2m"), revision=2, state="corrected")
    file = write(tmp_path, first, photo("b.jpg"), second)
    with journal.reading(file) as opened:
        assert [line["path"] for line in opened.photos()] == ["a.jpg", "b.jpg"]
        latest = opened.photo(first["sha256"])
        entry = opened.index.photos[first["sha256"]]
        assert (latest["revision"], latest["tiles"][0]["label"]) == (2, "2m")
        assert entry.touched
        assert opened.read(entry.model_at)["tiles"][0]["label"] == "1m", "what the models said is kept too"
        assert [line["kind"] for line in opened.lines()] == ["project", "photo", "photo", "photo"]


def test_of_many_revisions_those_that_follow_are_added(tmp_path: Path) -> None:
    file = write(tmp_path, photo("a.jpg"), photo("b.jpg"), photo("c.jpg"))
    many = [photo(name, revision=2, state="auto") for name in ("a.jpg", "b.jpg", "c.jpg")]
    with journal.writing(file) as one, journal.writing(file) as other:
        other.append(photo("b.jpg", revision=2, state="corrected"), after=1)
        one.append_following(many)
        one.append_following(many)  # by now none of them follows
        assert [line["review"]["state"] for line in one.photos()] == ["auto", "corrected", "auto"]
        assert len(list(one.lines())) == 1 + 3 + 3


def test_a_photo_that_has_moved_lies_where_it_lies_now(tmp_path: Path) -> None:
    first = photo("old.jpg", tile("1m"))
    moved = [
        {"kind": "place", "path": "new.jpg", "sha256": first["sha256"]},
        {"kind": "gone", "path": "old.jpg"},
    ]
    later = photo("old.jpg", tile("2m"), revision=2, state="corrected")
    with journal.reading(write(tmp_path, first, *moved, later)) as opened:
        assert opened.index.places() == {first["sha256"]: ["new.jpg"]}


def test_names_of_any_kind_come_through(tmp_path: Path) -> None:
    names = ["手牌 é.jpg", "two\nlines.jpg", os.fsdecode(b"\xff\xfe.jpg"), 'quote".jpg']
    file = write(tmp_path, *map(photo, names))
    assert len(file.read_bytes().splitlines()) == 1 + len(names)
    with journal.reading(file) as opened:
        assert [line["path"] for line in opened.photos()] == names


@pytest.mark.parametrize("rest", [b'{"schema": 1, "kind": "pho', b"\x00" * 40, b"\x00" * 40 + b"\n", b"[]\n"])
def test_a_torn_last_line_is_taken_off_and_said(tmp_path: Path, rest: bytes) -> None:
    file = write(tmp_path, photo("a.jpg"))
    whole = file.read_bytes()
    file.write_bytes(whole + rest)
    with journal.reading(file) as opened:
        assert "torn" in opened.repaired and "left out" in opened.repaired
    assert file.read_bytes() == whole + rest, "who only reads repairs nothing"
    with journal.writing(file) as opened:
        assert f"torn ({len(rest)} bytes after 2 whole lines); it has been taken off" in opened.repaired
        opened.append(photo("b.jpg"))
    assert file.read_bytes().startswith(whole)
    with journal.reading(file) as opened:
        assert len(opened.index.photos) == 2 and not opened.repaired


@pytest.mark.parametrize("other", [b'{"annotations": []}', b"my notes\n", b"x"])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, other: bytes) -> None:
    file = tmp_path / "notes.json"
    file.write_bytes(other)
    for opening in (journal.reading, journal.writing):
        with pytest.raises(Mistake, match="holds no labels; name"), opening(file):
            pass
    assert file.read_bytes() == other


@pytest.mark.parametrize("rest", [b"{", b'{"schema":1,"kind":"proj', b"\x00" * 40])
def test_a_first_line_that_was_torn_is_taken_off(tmp_path: Path, rest: bytes) -> None:
    file = tmp_path / journal.NAME
    file.write_bytes(rest)
    with journal.writing(file) as opened:
        assert "after 0 whole lines" in opened.repaired


def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = write(tmp_path, photo("a.jpg"))
    newer = file.read_bytes() + b'{"schema":3,"kind":"cloud"}\n'
    file.write_bytes(newer)
    for opening in (journal.reading, journal.writing):
        with pytest.raises(Mistake, match=r"newer tehai \(schema 3, known up to 2\)"), opening(file):
            pass
    assert file.read_bytes() == newer


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"{torn}\n", "no line of a journal"),
        (b'{"schema":1,"kind":"cloud"}\n', "no kind of line"),
        (b'{"schema":1,"kind":"photo","sha256":"00"}\n', "has no 'review'"),
        (journal.encode(photo("a.jpg", revision=3)), "revision 3 does not follow"),
        (journal.encode(photo("c.jpg", state="loved")), "no state 'loved'"),
    ],
)
def test_damage_inside_is_named_and_never_cut_off(tmp_path: Path, line: bytes, complaint: str) -> None:
    file = write(tmp_path, photo("a.jpg"))
    damaged = file.read_bytes() + line + journal.encode(photo("b.jpg"))
    file.write_bytes(damaged)
    with pytest.raises(Mistake, match=f"Line 3 of .*{complaint}"), journal.writing(file):
        pass
    assert file.read_bytes() == damaged


def test_two_writers_see_each_other_and_none_overwrites(tmp_path: Path) -> None:
    file = write(tmp_path, photo("a.jpg", tile("1m")))
    with journal.writing(file) as one, journal.writing(file) as other:
        one.append(photo("a.jpg", tile("2m"), revision=2, state="corrected"), after=1)
        with pytest.raises(Conflict) as conflict:
            other.append(photo("a.jpg", tile("3m"), revision=2, state="corrected"), after=1)
        assert conflict.value.latest == 2
        sha256 = photo("a.jpg")["sha256"]
        assert other.photo(sha256)["tiles"][0]["label"] == "2m", "the other's work is there to be shown"
        other.append(photo("a.jpg", tile("3m"), revision=3, state="corrected"), after=2)
    with journal.reading(file) as opened:
        assert opened.photo(sha256)["revision"] == 3


def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, photo("a.jpg"))
    whole, write_really = file.read_bytes(), os.write

    def half(descriptor: int, data: Any) -> int:
        if len(data) < 300:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write_really(descriptor, data[: len(data) // 2])

    with journal.writing(file) as opened:
        monkeypatch.setattr(os, "write", half)
        with pytest.raises(Mistake, match=r"No space left on device.*nothing that it holds is lost"):
            opened.append(photo("b.jpg"))
        monkeypatch.undo()
        assert file.read_bytes() == whole
        opened.append(photo("b.jpg"))
    with journal.reading(file) as opened:
        assert len(opened.index.photos) == 2


def test_a_second_run_is_refused_until_the_first_has_ended_even_killed(tmp_path: Path) -> None:
    file = tmp_path / journal.NAME
    code = (
        "import sys, time; from pathlib import Path; from tehai.label import journal\n"
        "with journal.alone(Path(sys.argv[1])):\n    print('mine', flush=True); time.sleep(60)\n"
    )
    first = subprocess.Popen([sys.executable, "-c", code, str(file)], cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert first.stdout is not None and first.stdout.readline() == b"mine\n"
        by = rf"Another run is at work on .* \(process {first.pid} since"
        with pytest.raises(Mistake, match=by), journal.alone(file):
            pass
    finally:
        first.kill()
        first.wait()
    with journal.alone(file):
        pass


def test_a_journal_belongs_to_one_folder(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    file = tmp_path / "labels.jsonl"
    with journal.writing(file, here) as opened:
        assert opened.folder == here
    with pytest.raises(Mistake, match=r"holds the labels of .*here"), journal.writing(file, there):
        pass
    here.rename(tmp_path / "moved")
    with journal.writing(file, tmp_path / "moved") as opened:
        assert opened.folder == tmp_path / "moved", "a folder that has moved is followed"


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    none = tmp_path / "none.jsonl"
    with pytest.raises(Mistake, match=r"no labels at .*make them with: tehai label"), journal.reading(none):
        pass
    assert journal.place(tmp_path, None) == tmp_path / journal.NAME
    assert journal.place(Path("x"), tmp_path) == tmp_path / journal.NAME
    assert json.loads(journal.encode({"kind": "project", "photos": "."})) == {
        "schema": 1,
        "kind": "project",
        "photos": ".",
    }
    assert time.strptime(journal.now(), "%Y-%m-%dT%H:%M:%S%z")
