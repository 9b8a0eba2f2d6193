"""Requests in flight and a minute, and that photos are read in turn."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import httpx
import pytest

from tehai.server.connection import Impatient
from tehai.server.limits import Limits, Pace
from tehai.web.app import make_app
from tehai.web.desk import Desk
from tests.tehai.web.conftest import Serving
from tests.tehai.web.fakes import FakeEye, jpeg


def test_a_pace_allows_so_many_at_once_and_then_steadily() -> None:
    now = [0.0]
    pace = Pace(6, clock=lambda: now[0])
    assert [pace.wait("a") for _ in range(6)] == [0] * 6
    assert pace.wait("a") == pytest.approx(10)
    assert pace.wait("b") == 0
    now[0] = 9.9
    assert pace.wait("a") == pytest.approx(0.1)
    now[0] = 10.1
    assert pace.wait("a") == 0 and pace.wait("a") > 9


def test_a_pace_forgets_who_was_not_seen_for_longest() -> None:
    pace = Pace(1, clock=lambda: 0.0)
    assert pace.wait("first") == 0
    for number in range(Pace.CLIENTS):
        pace.wait(str(number))
    assert pace.wait("first") == 0 and len(pace._left) == Pace.CLIENTS


def post(port: int, **more: Any) -> httpx.Response:
    files = {"photo": ("shot.jpg", jpeg(), "image/jpeg")}
    return httpx.post(f"http://127.0.0.1:{port}/api/read", files=files, timeout=60, **more)


def test_ten_phones_at_once_are_served_in_turn(eye: FakeEye, serving: Serving) -> None:
    busy = threading.Semaphore(1)
    most: list[bool] = []

    def look() -> None:
        most.append(busy.acquire(blocking=False))
        time.sleep(0.02)
        busy.release()

    eye.meanwhile = look
    with Desk(eye, readers=1) as desk, ThreadPoolExecutor(10) as phones:
        port = serving(make_app(desk))
        answers = list(phones.map(lambda _: post(port), range(20)))
    assert [answer.status_code for answer in answers] == [200] * 20
    assert most == [True] * 20  # never two at once


def test_more_than_may_wait_are_told_to_come_back(eye: FakeEye, serving: Serving) -> None:
    go_on = threading.Event()
    eye.meanwhile = lambda: go_on.wait(60)
    with Desk(eye) as desk, ThreadPoolExecutor(8) as phones:
        port = serving(make_app(desk, limits=Limits(in_flight_each=3)))
        answers = as_completed([phones.submit(post, port) for _ in range(8)])
        refused = [next(answers).result() for _ in range(5)]
        go_on.set()
        served = [answer.result() for answer in answers]
    assert [answer.status_code for answer in refused] == [429] * 5
    assert [answer.status_code for answer in served] == [200] * 3
    assert all(int(one.headers["retry-after"]) >= 1 for one in refused)


def test_who_has_gone_is_not_read_for(
    eye: FakeEye, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, gone, go_on = threading.Event(), threading.Event(), threading.Event()
    lost = Impatient.connection_lost

    def note(connection: Impatient, reason: Exception | None) -> None:
        lost(connection, reason)
        gone.set()

    def look() -> None:
        started.set()
        go_on.wait(60)

    monkeypatch.setattr(Impatient, "connection_lost", note)
    eye.meanwhile = look
    with Desk(eye) as desk, ThreadPoolExecutor(1) as phones:
        port = serving(make_app(desk))
        first = phones.submit(post, port)
        assert started.wait(60)
        frame, patience = {"photo": ("f.jpg", jpeg())}, httpx.Timeout(60, read=0.2)
        with pytest.raises(httpx.ReadTimeout):  # a frame that nobody waits for any more
            httpx.post(f"http://127.0.0.1:{port}/api/find", files=frame, timeout=patience)
        assert gone.wait(60)
        go_on.set()
        assert first.result().status_code == 200
        assert post(port).status_code == 200
    assert len(eye.looks) == 2
