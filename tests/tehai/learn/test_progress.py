"""What comes next, and that what a learner knows is never lost."""

from __future__ import annotations

import errno
import json
import os
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tehai.learn.errors import DrillError
from tehai.learn.knowledge import VERSION, Known, of_record
from tehai.learn.progress import Progress, reset
from tehai.learn.schedule import AT_ONCE, for_class, is_due, is_learnt, next_topic

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TOPICS = tuple(f"fu.{at}" for at in range(8))


def after(*credits: float, at: datetime = NOON) -> Known:
    known = None
    for number, credit in enumerate(credits):
        known = Known.after(known, credit, at + number * timedelta(minutes=11))
    assert known is not None
    return known


def test_the_first_topics_of_the_ladder_come_first_and_a_few_at_a_time() -> None:
    known: dict[str, Known] = {}
    posed, last, now = [], None, NOON
    for _ in range(16):
        last = next_topic(TOPICS, known, now, last)
        posed.append(last)
        known[last] = Known.after(known.get(last), 1.0, now)
        assert sum(not is_learnt(one) for one in known.values()) <= AT_ONCE
        now += timedelta(seconds=20)
    assert posed[:AT_ONCE] == list(TOPICS[:AT_ONCE])
    assert posed[AT_ONCE] == TOPICS[0]  # once more, and only then is there room for a new one
    assert sorted(posed) == sorted(TOPICS * 2)  # all of them twice, none twice in a row
    assert all(one != two for one, two in pairwise(posed))


def test_what_was_wrong_comes_again_before_what_was_right() -> None:
    known = {"fu.0": after(1.0), "fu.1": after(0.0), "fu.2": after(1.0), "fu.3": after(1.0)}
    assert next_topic(TOPICS[:4], known, NOON + timedelta(minutes=2), "fu.3") == "fu.1"


def test_what_is_due_comes_before_what_is_new() -> None:
    known = {"fu.5": after(1.0, 1.0)}
    assert is_learnt(known["fu.5"])
    assert next_topic(TOPICS, known, NOON + timedelta(hours=1)) == "fu.0"
    later = known["fu.5"].card.due + timedelta(days=1)
    assert is_due(known["fu.5"], later) and next_topic(TOPICS, known, later) == "fu.5"


def test_intervals_grow_with_right_answers_and_shrink_with_wrong_ones() -> None:
    known, now = after(1.0, 1.0), NOON
    waits = []
    for _ in range(4):
        now = known.card.due
        known = Known.after(known, 1.0, now)
        waits.append(known.card.due - now)
    assert waits == sorted(waits) and waits[-1] > timedelta(days=20)
    wrong = Known.after(known, 0.2, known.card.due)
    assert wrong.card.due - known.card.due < timedelta(hours=1)
    assert (wrong.answers, wrong.credit, wrong.last) == (7, pytest.approx(6.2), 0.2)


def test_not_to_know_is_no_mistake_and_comes_again_soon() -> None:
    known = after(1.0, 1.0)
    unknown = Known.after(known, None, known.card.due)
    assert (unknown.answers, unknown.credit, unknown.share, unknown.unknown) == (2, 2.0, 1.0, 1)
    assert unknown.card.due - known.card.due < timedelta(hours=1) and unknown.last < 1
    partly = Known.after(known, 1.0, known.card.due, known=False)
    assert (partly.answers, partly.share, partly.card.due) == (3, 1.0, unknown.card.due)
    never = Known.after(None, None, NOON)
    assert never.share is None and Known.of(never.to_record()) == never


def test_a_class_gets_every_topic_once_before_any_twice_in_the_order_of_the_ladder() -> None:
    drawn = for_class(TOPICS, 20, Random(3))
    assert drawn == sorted(drawn, key=TOPICS.index) and len(drawn) == 20
    assert all(2 <= drawn.count(topic) <= 3 for topic in TOPICS)
    assert drawn == for_class(TOPICS, 20, Random(3)) != for_class(TOPICS, 20, Random(4))


def test_of_the_rest_nothing_comes_before_all_of_the_first() -> None:
    rest = ("fu.rare", "fu.rarer")
    assert set(for_class(TOPICS, 5, Random(3), rest)) < set(TOPICS)
    assert for_class(TOPICS, 9, Random(3), rest)[:-1] == list(TOPICS)
    assert for_class(TOPICS, 10, Random(3), rest) == [*TOPICS, *rest]


def test_progress_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "learn.json"
    progress = Progress.load(path)
    progress.record("fu.wait", 0.5, NOON)
    progress.record("yaku.pinfu", 1.0, NOON)
    again = Progress.load(path)
    assert again.topics == progress.topics and again.topics["fu.wait"].credit == 0.5
    assert [file.name for file in path.parent.iterdir()] == ["learn.json"]


def test_two_sittings_at_a_time_keep_both(tmp_path: Path) -> None:
    path = tmp_path / "learn.json"
    one, two = Progress.load(path), Progress.load(path)
    one.record("fu.wait", 1.0, NOON)
    two.record("fu.pair", 1.0, NOON)
    two.record("fu.wait", 0.0, NOON)
    assert {id_: known.answers for id_, known in Progress.load(path).topics.items()} == {
        "fu.wait": 2,
        "fu.pair": 1,
    }


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "5", '{"version": 1}', '{"version": "1", "topics": {}}', '{"topics": {}}',
        '{"version": 1, "topics": []}', '{"version": 1, "topics": {"fu.wait": 3}}',
        '{"version": 1, "topics": {"fu.wait": {"answers": 1, "credit": 5, "last": 1, "card": {}}}}',
        "\udc80",
    ],
)  # fmt: skip
def test_a_file_that_makes_no_sense_is_said_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "learn.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = path.read_bytes()
    with pytest.raises(DrillError, match=r"^trouble\.broken$"):
        Progress.load(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "card",
    [{"stability": -1.0}, {"stability": float("nan")}, {"state": 2, "stability": None}, {"difficulty": "x"},
     {"last_review": "2026-01-01T00:00:00"}],
)  # fmt: skip
def test_a_card_that_the_scheduler_cannot_go_on_from_is_refused(card: dict[str, Any]) -> None:
    record = after(1.0).to_record()
    with pytest.raises(ValueError, match=r"cannot be|could not"):
        of_record({"version": VERSION, "topics": {"fu.wait": {**record, "card": {**record["card"], **card}}}})


def test_what_the_version_before_wrote_is_read(tmp_path: Path) -> None:
    path = tmp_path / "learn.json"
    record = after(1.0, 0.0).to_record()
    del record["unknown"]
    path.write_text(json.dumps({"version": 1, "topics": {"fu.wait": record}}))
    assert Progress.load(path).topics == {"fu.wait": after(1.0, 0.0)}


def test_a_file_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "learn.json"
    path.write_text(json.dumps({"version": VERSION + 1, "levels": "new"}))
    with pytest.raises(DrillError, match=r"^trouble\.newer$"):
        Progress.load(path)


def test_what_breaks_while_a_sitting_runs_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "learn.json"
    progress = Progress.load(path)
    progress.record("fu.wait", 1.0, NOON)
    path.write_text("{")
    with pytest.raises(DrillError, match=r"^trouble\.broken$"):
        progress.record("fu.wait", 1.0, NOON)
    assert path.read_text() == "{"


def test_beginning_anew_puts_the_old_aside(tmp_path: Path) -> None:
    path = tmp_path / "learn.json"
    assert reset(path) is None
    for text in ("first", "second"):
        path.write_text(text)
        aside = reset(path)
        assert aside is not None and aside.read_text() == text and not path.exists()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    progress = Progress(tmp_path / "file" / "learn.json")
    with pytest.raises(DrillError, match=r"^trouble\.unread$"):
        progress.record("fu.wait", 1.0, NOON)


def test_a_full_disk_is_said_and_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "learn.json"
    Progress(path).record("fu.wait", 1.0, NOON)
    before = path.read_bytes()

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DrillError, match=r"^trouble\.unkept$"):
        Progress.load(path).record("fu.wait", 1.0, NOON)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
