"""Who came in is listed, and can be sent out one by one, also while he follows a game."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from tehai.cli import app
from tehai.errors import Mistake
from tehai.server.limits import Limits
from tehai.server.security import LOOPBACK, Access
from tehai.server.serving import RepeatedWarningFilter
from tehai.server.sessions import Sessions
from tehai.server.token import token_for
from tehai.web.app import make_app
from tehai.web.games.following import Follower, View, told
from tehai.web.worker_pool import WorkerPool
from tests.event_loop import run_alone
from tests.tehai.web.fakes import FakeReader

TOKEN = "s3cret"
HERE = "http://localhost:8765"


def phone(pool: WorkerPool, sessions: Sessions, agent: str) -> TestClient:
    guarded = make_app(pool, Access(LOOPBACK, token=TOKEN), sessions=sessions)
    client = TestClient(guarded, base_url=HERE, headers={"User-Agent": agent})
    assert client.get(f"/?t={TOKEN}").status_code == 200
    assert client.get("/api/words").status_code == 200
    return client


def test_each_can_be_sent_out_alone(tmp_path: Path) -> None:
    with WorkerPool(FakeReader()) as pool:
        sessions = Sessions(TOKEN, tmp_path)
        one, other = phone(pool, sessions, "one"), phone(pool, sessions, "other")
        listed = Sessions(TOKEN, tmp_path)  # as another process sees them
        names = {session.agent: session.name for session in listed.all()}
        assert set(names) == {"one", "other"}
        assert listed.end(names["one"][:8]).agent == "one"
        assert one.get("/api/words").status_code == 401 and other.get("/api/words").status_code == 200
        assert [session.agent for session in listed.all()] == ["other"]
        again = phone(pool, Sessions(TOKEN, tmp_path), "again")  # after a restart
        assert one.get("/api/words").status_code == 401 and again.get("/api/words").status_code == 200
        with pytest.raises(Mistake, match=r"^0 sessions are called nobody…; name one of"):
            listed.end("nobody")
    assert Sessions("another", tmp_path).all() == [], "another token, other sessions"
    assert TOKEN not in "".join(file.read_text(encoding="utf-8") for file in tmp_path.iterdir())


def test_who_is_sent_out_hears_no_more_of_a_game() -> None:
    async def followed() -> None:
        ended = False
        follower = Follower("me", "here", ended=lambda: ended)

        async def look() -> View:
            return View.of({"id": "a", "number": 1})

        stream = told(follower, look)
        assert await anext(stream) == b"retry: 1000\n\n"
        assert (await anext(stream)).startswith(b"event: game")
        ended = True
        follower.news.set()
        assert [more async for more in stream] == []

    run_alone(followed())


def test_two_servers_of_one_machine_have_one_list(tmp_path: Path) -> None:
    pages, labels = (Sessions(TOKEN, tmp_path) for _ in range(2))
    pages.note("anna", "192.168.1.7", "Phone")
    labels.note("beno", "192.168.1.8", "Phone")
    pages.note("carl", "192.168.1.9", "Phone")
    assert {one.name for one in labels.all()} == {"anna", "beno", "carl"}
    labels.end("anna")
    labels.note("dora", "192.168.1.10", "Phone")
    assert {one.name for one in pages.all()} == {"beno", "carl", "dora"}


def test_a_damaged_list_is_an_empty_one(tmp_path: Path) -> None:
    for text in (
        "",
        "{",
        "[]",
        '{"token": 1}',
        json.dumps({"token": Sessions(TOKEN, tmp_path)._token, "sessions": [1]}),
    ):
        (tmp_path / "sessions.json").write_text(text, encoding="utf-8")
        assert Sessions(TOKEN, tmp_path).all() == []


def test_the_command_lists_and_ends_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("tehai.server.token", "tehai.server.entrance"):
        monkeypatch.setattr(f"{module}.token_file", lambda: tmp_path / "token")
    Sessions(token_for(), tmp_path).note("abcdefgh1234", "192.168.1.7", "Phone\x1b[2J")
    run = CliRunner()
    done = run.invoke(app, ["serve", "--sessions"])
    assert (
        done.exit_code == 0 and done.stdout.startswith("abcdefgh  192.168.1.7") and "\x1b" not in done.stdout
    )
    done = run.invoke(app, ["serve", "--end-session", "abcd", "--sessions"])
    assert "192.168.1.7 is out" in done.stdout and "Nobody has come in" in done.stdout


def test_a_server_of_yesterday_has_its_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token, run = tmp_path / "token", CliRunner()
    for module in ("tehai.server.token", "tehai.server.entrance"):
        monkeypatch.setattr(f"{module}.token_file", lambda: token)
    assert "Nobody has come in" in run.invoke(app, ["serve", "--sessions"]).stdout and not token.exists()
    Sessions(token_for(), tmp_path).note("abcdefgh1234", "192.168.1.7", "Phone")
    kept = token.read_bytes()
    os.utime(token, (0, 0))
    assert run.invoke(app, ["serve", "--sessions"]).stdout.startswith("abcdefgh  192.168.1.7")
    (tmp_path / "sessions-ended.json").mkdir()  # which cannot be written
    done = run.invoke(app, ["serve", "--end-session", "abcd"])
    assert done.exit_code == 2 and "cannot be written" in done.stderr and "is out" not in done.stdout
    (tmp_path / "sessions-ended.json").rmdir()
    assert "192.168.1.7 is out" in run.invoke(app, ["serve", "--end-session", "abcd"]).stdout
    assert token.read_bytes() == kept


def test_a_stranger_fills_no_terminal() -> None:
    now = [0.0]
    few = RepeatedWarningFilter(lambda: now[0])

    def shown(text: str, *args: Any) -> str:
        record = logging.LogRecord("x", logging.WARNING, "", 0, text, args, None)
        return record.getMessage() if few.filter(record) else ""

    lines = [shown("Invalid request %d", number) for number in range(1000)]
    assert sum(map(bool, lines)) == RepeatedWarningFilter.MOST
    assert lines[4] == "Invalid request 4 (more of this kind are not shown for a minute)"
    assert shown("another kind")
    now[0] = 61
    assert shown("Invalid request %d", 7) == "Invalid request 7"


def test_limits_can_be_set() -> None:
    assert Limits.of() == Limits()
    limits = Limits.of(upload_mb=5, clients=7)
    assert (limits.upload, limits.followers, limits.in_flight) == (5_000_000, 7, 14)
    assert Limits().words() == {"--max-upload-mb": "20", "--clients": "48"}
