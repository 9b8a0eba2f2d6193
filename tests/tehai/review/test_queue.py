"""Which photos are shown, and that the queue follows what others add."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tehai.errors import Mistake
from tehai.label import journal
from tehai.label.journal import Journal
from tehai.review.queue import DRAWN, Queue, Wanted, is_drawn
from tests.tehai.label.lines import photo, tile, write
from tests.tehai.review.conftest import key_of

NAMES = {key_of(name): name for name in ("t/a.jpg", "t/b.jpg", "t/u/c.jpg", "d.jpg", "e.jpg", "f.jpg")}
LINES = (
    photo("t/a.jpg", tile("1m"), tile("2m", 200)),
    photo("t/b.jpg", tile("1m", margin=0.1)),
    photo("t/u/c.jpg", tile("9p", margin=0.5)),
    photo("d.jpg", tile("1m"), state="accepted"),
    photo("e.jpg", *(tile("3s", 40 * k) for k in range(5)), state="rejected"),
    photo("f.jpg", tile("1m"), state="imported"),
)


@pytest.fixture
def labels(tmp_path: Path) -> Iterator[Journal]:
    with journal.writing(write(tmp_path, *LINES)) as opened:
        yield opened


@pytest.fixture
def queue(labels: Journal) -> Queue:
    made = Queue()
    made.follow(labels)
    return made


def names(queue: Queue, **wanted: Any) -> list[str]:
    return [NAMES[key] for key in queue.select(Wanted(**wanted))[0]]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, ["t/b.jpg", "t/u/c.jpg", "t/a.jpg"]),
        ({"state": "accepted"}, ["d.jpg"]),
        ({"state": "all", "face": "1m"}, ["t/b.jpg", "t/a.jpg", "d.jpg", "f.jpg"]),
        ({"folder": "t/u"}, ["t/u/c.jpg"]),
        ({"folder": "t"}, ["t/b.jpg", "t/u/c.jpg", "t/a.jpg"]),
        ({"folder": "t/"}, []),
        ({"state": "all", "folder": "."}, ["d.jpg", "e.jpg", "f.jpg"]),
        ({"kind": "margin"}, ["t/b.jpg", "t/u/c.jpg"]),
        ({"kind": "margin", "face": "9p", "folder": "t"}, ["t/u/c.jpg"]),
        ({"state": "all", "face": "7z"}, []),
    ],
)
def test_filters_leave_the_hardest_first(queue: Queue, wanted: dict[str, str], expected: list[str]) -> None:
    found = names(queue, **wanted)
    assert sorted(found) == sorted(expected)
    if "state" not in wanted:
        assert found == expected


def test_each_filter_counts_what_its_values_would_leave(queue: Queue) -> None:
    for wanted in ({}, {"face": "1m"}, {"state": "all", "kind": "margin"}, {"folder": "t", "face": "9p"}):
        _, counts = queue.select(Wanted(**wanted))
        for name, field in (("states", "state"), ("faces", "face"), ("kinds", "kind")):
            for value, count in counts[name].items():
                assert len(names(queue, **{**wanted, field: value})) == count, (wanted, field, value)
    _, counts = queue.select(Wanted(state="all"))
    assert counts["folders"] == {"t": 2, "t/u": 1, ".": 3}
    assert counts["states"] == {"unreviewed": 3, "accepted": 1, "rejected": 1, "imported": 1}


def test_the_queue_follows_what_others_add(queue: Queue, labels: Journal) -> None:
    with journal.writing(labels.file) as other:
        done = photo("t/b.jpg", tile("1m", margin=0.1), revision=2, state="accepted")
        other.append(done, after=1)
        other.append(photo("g.jpg", tile("?", margin=-0.9)))
        other.append({"kind": "place", "path": "moved.jpg", "sha256": key_of("t/a.jpg")})
        other.append({"kind": "gone", "path": "t/a.jpg"})
        other.append({"kind": "gone", "path": "t/u/c.jpg"})
    labels.append()
    queue.follow(labels)
    assert [queue.path(key) for key in queue.select(Wanted())[0]] == ["g.jpg", "t/u/c.jpg", "moved.jpg"]
    assert queue.places[key_of("t/u/c.jpg")] == [], "it is gone, and known by where it lay"


def test_imported_labels_wait_where_models_differ(tmp_path: Path) -> None:
    lines = [photo("a.jpg", tile("1m")), photo("b.jpg", tile("1m"))]
    reviewed = [
        photo("a.jpg", tile("2m"), revision=2, state="imported"),
        photo("b.jpg", tile("1m"), revision=2, state="imported"),
    ]
    queue = Queue()
    with journal.writing(write(tmp_path, *lines, *reviewed)) as labels:
        queue.follow(labels)
    assert queue.select(Wanted())[0] == [key_of("a.jpg")]


def test_tiles_of_a_face_come_least_sure_first(queue: Queue) -> None:
    assert queue.tiles("1m", None)[0] == (key_of("t/b.jpg"), 0)
    assert {key for key, _ in queue.tiles("1m", "open")} == {key_of("t/a.jpg"), key_of("t/b.jpg")}
    assert queue.tiles("3s", None) == [], "rejected photos are nobody's business"
    assert len(queue.tiles("3s", "rejected")) == 5


def test_what_is_drawn_depends_on_the_content_alone() -> None:
    keys = [key_of(str(number)) for number in range(20_000)]
    drawn = [key for key in keys if is_drawn(key)]
    assert abs(len(drawn) / len(keys) - DRAWN) < 0.005
    assert drawn == [key for key in keys if is_drawn(key)]


def test_a_line_that_is_no_photo_is_named(tmp_path: Path) -> None:
    line = photo("a.jpg", tile("1m"))
    del line["tiles"][0]["margin"]
    with (
        journal.writing(write(tmp_path, line)) as labels,
        pytest.raises(Mistake, match=r"Revision 1 .*'margin'"),
    ):
        Queue().follow(labels)
