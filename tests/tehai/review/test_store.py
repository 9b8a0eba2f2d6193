"""One journal, several who add to it: nobody's work is lost, and trouble is said."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tehai.label import journal
from tehai.label.journal import Conflict
from tehai.review.queue import Wanted
from tehai.review.store import JournalUnavailable, NoPhoto, Store
from tests.tehai.label.lines import photo, tile, write
from tests.tehai.review.conftest import Opening, key_of

ROOT = Path(__file__).parents[3]
KEY = key_of("a.jpg")


def corrected(store: Store, label: str, by: str, key: str = KEY) -> None:
    """Relabels the first tile, on top of what is there."""
    latest = store.photo(key)
    review = {"state": "corrected", "by": by, "at": journal.now()}
    tiles = [{**latest["tiles"][0], "label": label}, *latest["tiles"][1:]]
    after = latest["revision"]
    store.append({**latest, "revision": after + 1, "tiles": tiles, "review": review}, after=after)


def test_who_comes_second_is_told_and_nothing_is_overwritten(tmp_path: Path, opening: Opening) -> None:
    file = write(tmp_path, photo("a.jpg", tile("1m")))
    one, other = opening(file), opening(file)
    mine = other.photo(KEY)
    corrected(one, "2m", "anna")
    with pytest.raises(Conflict):
        other.append({**mine, "revision": 2}, after=1)
    assert other.photo(KEY)["tiles"][0]["label"] == "2m"
    corrected(other, "3m", "bob")
    assert [line["review"]["by"] for line in one.history(KEY)] == ["models", "anna", "bob"]
    assert [line["tiles"][0]["label"] for line in one.history(KEY)] == ["1m", "2m", "3m"]
    with one.up_to_date() as queue:
        assert queue.facts[KEY].state == "corrected"


def test_the_history_is_of_this_photo_alone(tmp_path: Path, opening: Opening) -> None:
    lines = [photo(name, tile("1m")) for name in ("a.jpg", "b.jpg")]
    place = {"kind": "place", "path": "copy.jpg", "sha256": KEY}
    store = opening(write(tmp_path, *lines, place))
    for label in ("2m", "3m"):
        for name in ("a.jpg", "b.jpg"):
            corrected(store, label, "anna", key_of(name))
    assert [line["revision"] for line in store.history(KEY)] == [1, 2, 3]
    assert {line["sha256"] for line in store.history(KEY)} == {KEY}
    assert store.model(KEY) == lines[0] | {"schema": 1}
    assert store.paths(KEY) == ["a.jpg", "copy.jpg"]
    for asked in (store.photo, store.history, store.model):
        with pytest.raises(NoPhoto):
            asked("0" * 64)


_LABELLING = """
import sys
from pathlib import Path
from tehai.label import journal
from tests.tehai.label.lines import photo, tile
with journal.writing(Path(sys.argv[1])) as labels:
    for number in range(60):
        labels.append(photo(f"new{number}.jpg", *[tile("1m", 40 * k) for k in range(12)]))
"""


def test_labels_are_added_while_others_review(tmp_path: Path, opening: Opening) -> None:
    """A run that adds photos, and two reviewers who correct the same one: every line is there, and whole."""
    file = write(tmp_path, photo("a.jpg", tile("1m")))
    stores, failed = [opening(file), opening(file)], []
    labelling = subprocess.Popen([sys.executable, "-c", _LABELLING, str(file)], cwd=ROOT)

    def work(store: Store, by: str) -> None:
        done = 0
        while done < 20:
            try:
                corrected(store, "5m", by)
            except Conflict:
                continue
            except Exception as error:
                failed.append(error)
                return
            done += 1
            with store.up_to_date() as queue:
                queue.select(Wanted())

    threads = [threading.Thread(target=work, args=each) for each in zip(stores, ("anna", "bob"), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert labelling.wait() == 0 and not failed
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    assert len(lines) == 1 + 1 + 60 + 40
    for store in stores:
        history = store.history(KEY)
        assert [line["revision"] for line in history] == list(range(1, 42))
        assert [line["review"]["by"] for line in history].count("bob") == 20
        with store.up_to_date() as queue:
            assert len(queue.facts) == 61 and len(queue.select(Wanted())[0]) == 60


def test_a_line_that_somebody_is_writing_is_waited_for(tmp_path: Path, opening: Opening) -> None:
    """Seen without the journal's lock it would look torn, and be taken off."""
    file = write(tmp_path, photo("a.jpg", tile("1m")))
    store = opening(file)
    store.photo(KEY)
    data = journal.encode(photo("b.jpg", tile("2m")))
    with file.open("ab", buffering=0) as half, journal.locked(half.fileno(), wait=True):
        half.write(data[:100])
        reader = threading.Thread(target=store.photo, args=(KEY,))
        reader.start()
        reader.join(0.2)
        assert reader.is_alive()
        half.write(data[100:])
    reader.join()
    assert store.photo(key_of("b.jpg"))["tiles"][0]["label"] == "2m"


def test_a_journal_that_is_moved_or_replaced_is_said(tmp_path: Path, opening: Opening) -> None:
    file = write(tmp_path, photo("a.jpg", tile("1m")))
    store = opening(file)
    latest = store.photo(KEY)
    copy = file.read_bytes()
    file.rename(tmp_path / "old.jsonl")
    for again in (False, True):
        if again:
            file.write_bytes(copy)
        with pytest.raises(JournalUnavailable, match="moved or replaced; stop tehai review"):
            store.append({**latest, "revision": 2}, after=1)
        with pytest.raises(JournalUnavailable), store.up_to_date():
            pass
    assert file.read_bytes() == copy


def test_a_full_disk_and_a_newer_program_are_said(
    tmp_path: Path, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path, photo("a.jpg", tile("1m")))
    store = opening(file)
    latest = store.photo(KEY)

    def full(descriptor: int, data: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(JournalUnavailable, match="No space left"):
            store.append({**latest, "revision": 2}, after=1)
    corrected(store, "2m", "anna")
    with file.open("ab") as other:
        other.write(b'{"schema":3,"kind":"cloud"}\n')
    with pytest.raises(JournalUnavailable, match="newer tehai"):
        store.photo(KEY)


def test_once_closed_nothing_is_written(tmp_path: Path, opening: Opening) -> None:
    store = opening(write(tmp_path, photo("a.jpg", tile("1m"))))
    latest = store.photo(KEY)
    store.close()
    with pytest.raises(JournalUnavailable, match="has ended"):
        store.append({**latest, "revision": 2}, after=1)
