"""The log of changes: what stands in it, what is refused, and that nothing of it is lost."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scorer import replay
from tehai.errors import Mistake
from tehai.server.answers import Refusal
from tehai.web.games import store as room
from tehai.web.games.changes import Change, after, entries_of
from tehai.web.games.store import FILE, GameStore
from tests.folders import ROOT
from tests.scorer.short_games import DRAW, start
from tests.tehai.web.games.logs import BEGUN, EMPTY, adding, entry

HANDS = [adding("one", EMPTY), adding("two", DRAW)]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with GameStore(tmp_path / "games") as store:
        yield store


def code(change: Any) -> tuple[int, str]:
    with pytest.raises(Refusal) as caught:
        change()
    assert caught.value.sentence.endswith(".")
    return caught.value.status, caught.value.code


def test_indicators_stay_with_their_hand_whichever_event_is_taken_back(store: GameStore) -> None:
    game = store.begin([BEGUN], len)
    game = store.change(game.id, game.number, HANDS[0], len)
    game = store.turn(game.id, len(game.entries), ["1m"])
    game = store.change(game.id, game.number, HANDS[1], len)
    assert game.dora == ()
    without = store.change(game.id, game.number, Change.of({"id": "c", "remove": 2}), len)
    assert without.dora == (), "they are of the hand that is booked"
    now = store.turn(game.id, len(without.entries), ["2m"])
    more = [entry("start", start()), entry("new", EMPTY), entry("two", DRAW)]
    now = store.change(game.id, now.number, Change.of({"id": "d", "set": more}), len)
    assert now.dora == ("2m",), "they are of the next hand still"
    moved = adding("moved", {"event": "correction", "changes": [100, -100, 0, 0]})
    now = store.change(game.id, now.number, moved, len)
    assert now.dora == ("2m",), "points that are corrected end no hand"
    now = store.change(game.id, now.number, Change.of({"id": "f", "remove": 4}), len)
    assert now.dora == ("2m",)
    assert store.change(game.id, now.number, Change.of({"id": "e", "remove": 3}), len).dora == ()


def test_a_game_grows_by_changes_and_stands_again_after_a_restart(tmp_path: Path) -> None:
    with GameStore(tmp_path) as store:
        game = store.begin([BEGUN], len)
        for change in HANDS:
            game = store.change(game.id, game.number, change, len)
        game = store.change(
            game.id, 3, Change.of({"id": "c", "replace": 2, "entry": entry("one", DRAW)}), len
        )
        game = store.change(game.id, 4, Change.of({"id": "d", "remove": 3}), len)
        anew = [entry("start", start()), entry("new", EMPTY), entry("one", DRAW)]
        game = store.change(game.id, 5, Change.of({"id": "e", "set": anew}), len)
    with GameStore(tmp_path) as store:
        assert store.game(game.id) == game and game.number == 6
        assert [one["id"] for one in game.entries] == ["start", "new", "one"]
        assert game.events == [start(), EMPTY, DRAW]
        assert [one["number"] for one in store.changes(game.id, 2)] == [3, 4, 5, 6]
        assert store.games(9) == [game] and store.newest() == game


def test_the_file_is_its_owners_and_no_line_of_it_is_rewritten(tmp_path: Path) -> None:
    with GameStore(tmp_path) as store:
        game = store.begin([BEGUN], len)
        store.change(game.id, 1, Change.of({"id": "r", "replace": 1, "entry": entry("s", start())}), len)
        assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
        lines = sqlite3.connect(tmp_path / FILE).execute("SELECT number FROM changes").fetchall()
    assert lines == [(1,), (2,)]


def test_who_comes_second_is_told_what_was_booked(store: GameStore) -> None:
    game = store.begin([BEGUN], len)
    store.change(game.id, 1, HANDS[0], len)
    with pytest.raises(Refusal) as caught:
        store.change(game.id, 1, HANDS[1], len)
    assert (caught.value.status, caught.value.code) == (409, "game_conflict")
    assert caught.value.more["number"] == 2
    (other,) = caught.value.more["changes"]
    assert other["id"] == "one" and other["add"]["event"] == EMPTY
    assert len(store.game(game.id).entries) == 2


def test_what_is_sent_again_is_written_once(store: GameStore) -> None:
    game = store.begin([BEGUN, HANDS[0]], len)
    assert store.begin([BEGUN, HANDS[0]], len) == game
    booked = store.change(game.id, 2, HANDS[1], len)
    assert store.change(game.id, 2, HANDS[1], len) == booked


def test_six_at_once_book_one_hand_and_then_all(store: GameStore) -> None:
    game = store.begin([BEGUN], len)

    def book(phone: int) -> int:
        last, tries = 1, 0
        while True:
            tries += 1
            try:
                store.change(game.id, last, adding(f"of-{phone}", EMPTY), len)
                return tries
            except Refusal as refusal:
                last = refusal.more["number"]

    with ThreadPoolExecutor(6) as phones:
        tries = list(phones.map(book, range(6)))
    stands = store.game(game.id)
    assert stands.number == 7 and len({one["id"] for one in stands.entries}) == 7
    assert min(tries) == 1
    assert [line["number"] for line in store.changes(game.id, 0)] == list(range(1, 8))


def test_what_cannot_be_a_game_is_not_written(store: GameStore) -> None:
    def wrong(_: object) -> None:
        raise Refusal(422, "bad_game", "It cannot have been.")

    assert code(lambda: store.begin([BEGUN], wrong)) == (422, "bad_game")
    assert store.newest() is None
    game = store.begin([BEGUN], len)
    assert code(lambda: store.change(game.id, 1, HANDS[0], wrong)) == (422, "bad_game")
    assert store.game(game.id) == game


def test_there_are_only_so_many(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_GAMES", 2)
    monkeypatch.setattr(room, "MOST_CHANGES", 2)
    with monkeypatch.context() as small:
        small.setattr(room, "LARGEST", 10)
        little = store.begin([adding("x", start())], len)
        assert code(lambda: store.change(little.id, 1, HANDS[0], len)) == (409, "too_many_changes")
    game = store.begin([BEGUN], len)
    assert code(lambda: store.begin([adding("other", start())], len)) == (409, "too_many_games")
    store.change(game.id, 1, HANDS[0], len)
    assert code(lambda: store.change(game.id, 2, HANDS[1], len)) == (409, "too_many_changes")
    assert code(lambda: store.game("none")) == (404, "no_game")


def test_each_change_of_a_new_game_has_a_name_of_its_own(store: GameStore) -> None:
    assert code(lambda: store.begin([BEGUN, BEGUN], len)) == (422, "bad_field")
    assert store.newest() is None


@pytest.mark.parametrize(
    "body",
    [
        {}, {"id": "a"}, {"id": "a", "add": 1}, {"id": "a", "add": {}}, {"id": "a", "add": entry("", EMPTY)},
        {"id": "../x", "add": entry("a", EMPTY)}, {"id": "a" * 65, "add": entry("a", EMPTY)},
        {"add": entry("a", EMPTY)}, {"id": 7, "add": entry("a", EMPTY)}, {"id": "a", "remove": 0},
        {"id": "a", "remove": True}, {"id": "a", "remove": "2"}, {"id": "a", "remove": 1.5},
        {"id": "a", "replace": 2}, {"id": "a", "set": []}, {"id": "a", "set": [1]}, {"id": "a", "set": {}},
        {"id": "a", "remove": 2, "add": entry("a", EMPTY)},
        {"id": "a", "add": {**entry("a", EMPTY), "at": 5}},
        {"id": "a", "add": {**entry("a", EMPTY), "at": "x" * 41}},
        {"id": "a", "add": entry("a", {"event": "draw", "x": float("nan")})},
        {"id": "a", "add": entry("a", {"event": "draw", "x": [[[[[[[[[[]]]]]]]]]]})},
        {"id": "a", "add": entry("a", {"event": "draw", "x": "y" * 20_000})},
    ],
)  # fmt: skip
def test_what_is_no_change_is_refused(body: dict[str, Any]) -> None:
    assert code(lambda: Change.of(body))[0] in (413, 422)


@pytest.mark.parametrize("body", [{"remove": 1}, {"remove": 3}, {"replace": 3, "entry": entry("x", EMPTY)},
                                  {"replace": 9, "entry": entry("x", EMPTY)}])  # fmt: skip
def test_a_change_of_what_is_not_there_is_refused(body: dict[str, Any]) -> None:
    two = entries_of([BEGUN, HANDS[0]])
    assert code(lambda: after(two, Change.of({"id": "a", **body}))) == (422, "no_event")


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Mistake, match="cannot be kept"):
        GameStore(tmp_path / "file")
    (tmp_path / FILE).write_text("this is no database, and longer than a head of one is" * 40)
    with pytest.raises(Mistake, match="not a database"):
        GameStore(tmp_path)


def test_games_of_a_newer_version_are_left_alone(tmp_path: Path) -> None:
    GameStore(tmp_path).__exit__()
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("PRAGMA user_version=99")
    with pytest.raises(Mistake, match="newer"):
        GameStore(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL")
def test_no_booked_hand_is_lost_by_kill_9(tmp_path: Path) -> None:
    """Five times in a row, at whatever moment it comes; what was said to be booked is there."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.tehai.web.games.killed", str(tmp_path)]
    with GameStore(tmp_path) as store:
        store.begin([BEGUN], len)
    for kill in range(5):
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            said = [writer.stdout.readline() for _ in range(1 + kill)]
            writer.kill()
            said += writer.stdout.readlines()
        booked = [line.split() for line in said if line.endswith("\n")]
        with GameStore(tmp_path) as store:
            game = store.game(booked[-1][0])
            names = [one["id"] for one in game.entries]
            assert game.number == len(names) <= int(booked[-1][1]) + 1  # one may stand and not be said
            assert all(names[int(number) - 1] == name for _, number, name in booked)
            assert len(replay(game.events).turns) == len(names) - 1
    with sqlite3.connect(tmp_path / FILE) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_the_newest_game_is_the_one_that_was_begun_last(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock may be set back in the middle of an evening."""
    clock = iter((5000.0, 40.0, 3000.0))
    monkeypatch.setattr(room.time, "time", lambda: next(clock))
    games = [store.begin([adding(name, start())], len).id for name in ("one", "two", "three")]
    assert [game.id for game in store.games(9)] == games[::-1]
    newest = store.newest()
    assert newest is not None and newest.id == games[-1]


def test_games_of_an_earlier_version_are_in_the_order_of_their_time(tmp_path: Path) -> None:
    with GameStore(tmp_path) as store:
        games = [store.begin([adding(name, start())], len).id for name in ("one", "two")]
    with closing(sqlite3.connect(tmp_path / FILE)) as file, file:
        file.execute("DROP TABLE games")
        file.execute("PRAGMA user_version=1")
    with GameStore(tmp_path) as store:
        assert [game.id for game in store.games(9)] == games[::-1]
        store.begin([adding("three", start())], len)
    with GameStore(tmp_path) as store:
        assert len(store.games(9)) == 3


def test_a_backup_is_whole_while_the_server_writes(tmp_path: Path) -> None:
    with GameStore(tmp_path / "games") as store:
        game = store.begin([BEGUN], len)
        game = store.change(game.id, game.number, HANDS[0], len)
        room.back_up(tmp_path / "games", tmp_path / "copy.sqlite")
        store.change(game.id, game.number, HANDS[1], len)
    assert stat.S_IMODE((tmp_path / "copy.sqlite").stat().st_mode) == 0o600
    (tmp_path / "again").mkdir()
    (tmp_path / "copy.sqlite").rename(tmp_path / "again" / FILE)
    assert [file.name for file in (tmp_path / "again").iterdir()] == [FILE]
    with GameStore(tmp_path / "again") as restored:
        assert restored.game(game.id) == game


def test_what_cannot_be_backed_up_is_said(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match="There are no games in"):
        room.back_up(tmp_path, tmp_path / "copy.sqlite")
    with GameStore(tmp_path):
        (tmp_path / "copy.sqlite").touch()
        with pytest.raises(Mistake, match="is there already"):
            room.back_up(tmp_path, tmp_path / "copy.sqlite")
        with pytest.raises(Mistake, match="cannot be copied"):
            room.back_up(tmp_path, tmp_path / "none" / "copy.sqlite")
