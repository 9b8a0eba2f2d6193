"""The index beside a journal: it never says anything else than the journal, whatever has become of it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tehai.cli import app
from tehai.hand.sample import sample_path
from tehai.label import cache, duplicates, journal, stats
from tehai.label.journal import Index, Journal
from tehai.label.run import digest
from tehai.review.queue import Queue
from tests.tehai.label.lines import photo, tile, write

LINES = (
    *(photo(f"{name}.jpg", tile("1m"), tile("2m", 200)) for name in "abcdef"),
    photo("a.jpg", tile("9p"), revision=2, state="corrected"),
    {"kind": "place", "path": "copy\udcff.jpg", "sha256": photo("b.jpg")["sha256"]},
    {"kind": "gone", "path": "c.jpg"},
    {"kind": "unreadable", "path": "d\udcff.jpg", "sha256": None, "message": "d\udcff.jpg is no photo"},
    photo("g.jpg", tile("5s"), models={"imported": {"name": "x", "sha256": ""}}),
)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if these journals were large."""
    for module in (cache, journal):
        monkeypatch.setattr(module, "LEAST", 1)
    monkeypatch.setattr(journal, "_MANY", 1)
    monkeypatch.setattr(duplicates, "_MANY", 1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path, *LINES)


def index_of(file: Path) -> Path:
    return file.with_name(f".{file.name}.index")


def without_index(file: Path) -> Index:
    """What the journal says, line by line."""
    found, at = Index(), 0
    for raw in file.read_bytes().splitlines(keepends=True):
        found.take(journal.json.loads(raw), at)
        at += len(raw)
    return found


def opened(file: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Index, int]:
    """What opening the journal finds, and how many lines are read for it."""
    read = []
    take = Journal._take
    monkeypatch.setattr(Journal, "_take", lambda self, line: (read.append(line), take(self, line)))
    with journal.reading(file) as labels:
        found = labels.index
    monkeypatch.undo()
    return found, len(read)


def test_lines_are_read_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert index_of(file).is_file()
    assert opened(file, monkeypatch) == (without_index(file), 0)


def test_what_others_have_added_is_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with file.open("ab") as out:
        out.write(journal.encode(photo("b.jpg", tile("3m"), revision=2, state="accepted")))
        out.write(journal.encode(photo("h.jpg", tile("3m"))))
    found, read = opened(file, monkeypatch)
    assert (found, read) == (without_index(file), 2)
    assert list(found.photos) == list(without_index(file).photos), "in the order in which they came"


def corrupt(index: Path) -> None:
    index.write_bytes(index.read_bytes()[:5000] + b"nonsense" * 1000)


def tell(statement: str) -> Callable[[Path], None]:
    def change(index: Path) -> None:
        with sqlite3.connect(index) as base:
            base.execute(statement)
        base.close()

    return change


@pytest.mark.parametrize(
    "spoil",
    [
        lambda index: index.unlink(),
        lambda index: index.write_bytes(b""),
        lambda index: index.write_bytes(b"no database at all, but quite some bytes of text" * 99),
        lambda index: index.write_bytes(index.read_bytes()[:5000]),
        corrupt,
        tell("DELETE FROM photos WHERE revision = 2"),
        tell("UPDATE photos SET models = 'no JSON'"),
        tell("UPDATE about SET value = '0' WHERE name = 'version'"),
        tell("UPDATE about SET value = 'x' WHERE name = 'end'"),
        tell("DROP TABLE paths"),
    ],
)
def test_an_index_that_is_of_no_use_is_made_anew(
    file: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Path], object]
) -> None:
    spoil(index_of(file))
    with journal.reading(file) as labels:
        assert labels.index == without_index(file)
    assert opened(file, monkeypatch) == (without_index(file), 0), "and is of use again"


def test_another_journal_in_its_place_is_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = file.read_bytes()
    file.write_bytes(data.replace(b'"1m"', b'"7z"'))  # as long as it was
    assert opened(file, monkeypatch)[1] == 1 + len(LINES)
    lines = data.splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-3]))
    assert opened(file, monkeypatch) == (without_index(file), len(lines) - 3)
    file.write_bytes(b"".join([*lines[:1], *lines[2:]]) + data[len(lines[0]) :])
    with pytest.raises(Exception, match="does not follow the one before"):
        opened(file, monkeypatch)


def test_where_no_index_can_be_written_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f".{journal.NAME}.index").mkdir()
    file = write(tmp_path, *LINES)
    assert opened(file, monkeypatch) == (without_index(file), 1 + len(LINES))


def test_two_who_write_at_once_leave_an_index_of_both(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with journal.writing(file) as one, journal.writing(file) as other:
        one.append(photo("h.jpg", tile("1p")))
        other.append(photo("i.jpg", tile("2p")))
        one.append(photo("h.jpg", tile("3p"), revision=2, state="accepted"))
    assert opened(file, monkeypatch) == (without_index(file), 0)


def facts_of(file: Path) -> tuple[Any, ...]:
    with journal.reading(file) as labels:
        queue = Queue()
        queue.follow(labels)
        facts = {name: value for name, value in stats.stats(labels).items() if name != "journal"}
        return queue.facts, facts, duplicates.near(labels)


def test_facts_of_photos_are_found_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = facts_of(file)
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "_found", lambda *_: pytest.fail("it is known"))
        assert facts_of(file) == found
    with file.open("ab") as out:
        out.write(journal.encode(photo("b.jpg", tile("3m"), revision=2, state="accepted")))
    changed = facts_of(file)
    assert changed[0][photo("b.jpg")["sha256"]].state == "accepted" and changed[1] != found[1]
    index_of(file).unlink()
    assert facts_of(file) == changed, "as the journal alone says it"


def test_damaged_facts_are_found_again(file: Path) -> None:
    found = facts_of(file)
    tell("UPDATE facts SET value = 'x'")(index_of(file))
    assert facts_of(file) == found
    tell("UPDATE facts SET value = '\"zz\"', more = x'00'")(index_of(file))
    assert facts_of(file) == found
    tell("UPDATE facts SET at = at + 1")(index_of(file))
    assert facts_of(file) == found


def test_what_an_older_program_kept_is_found_anew(file: Path) -> None:
    found = facts_of(file)
    older = "UPDATE kinds SET name = 'layout 1' WHERE name GLOB 'layout *'"
    tell(older)(index_of(file))
    tell("DELETE FROM about WHERE name GLOB 'near *'")(index_of(file))
    assert facts_of(file) == found
    with sqlite3.connect(index_of(file)) as base:
        names = {name for (name,) in base.execute("SELECT name FROM kinds WHERE name GLOB 'layout *'")}
    base.close()
    assert names == {duplicates.KIND.name}


def test_after_an_import_the_index_knows_what_review_and_statistics_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tehai.review.queue.LEAST", 1)
    photos, elsewhere = tmp_path / "photos", tmp_path / "elsewhere"
    photos.mkdir()
    elsewhere.mkdir()
    shutil.copy(sample_path(), photos / "a.jpg")
    given = write(elsewhere, photo("a.jpg", tile("1m"), sha256=digest(photos / "a.jpg"), state="accepted"))
    result = CliRunner().invoke(app, ["import", "journal", str(given), str(photos)])
    assert result.exit_code == 0 and "Imported 1 tile of 1 photo" in result.output
    monkeypatch.setattr(Journal, "_found", lambda *_: pytest.fail("it is known"))
    monkeypatch.setattr(duplicates, "_found", lambda *_: pytest.fail("it is known"))
    assert facts_of(photos / journal.NAME)[1]["tiles"] == 1
