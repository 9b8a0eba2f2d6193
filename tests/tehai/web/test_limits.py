"""Requests in flight and a minute, and that photos are read in turn."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack

import httpx
import pytest

from tehai.server.connection import TimeoutProtocol
from tehai.server.limits import Limits, RateLimit
from tehai.server.security import LOOPBACK, Access
from tehai.web.app import make_app
from tehai.web.worker_pool import WorkerPool
from tests.tehai.web.conftest import Serving
from tests.tehai.web.fakes import FakeReader, jpeg


def test_a_pace_allows_so_many_at_once_and_then_steadily() -> None:
    now = [0.0]
    rate = RateLimit(6, clock=lambda: now[0])
    assert [rate.wait("a") for _ in range(6)] == [0] * 6
    assert rate.wait("a") == pytest.approx(10)
    assert rate.wait("b") == 0
    now[0] = 9.9
    assert rate.wait("a") == pytest.approx(0.1)
    now[0] = 10.1
    assert rate.wait("a") == 0 and rate.wait("a") > 9


def test_a_pace_forgets_who_was_not_seen_for_longest() -> None:
    rate = RateLimit(1, clock=lambda: 0.0)
    assert rate.wait("first") == 0
    for number in range(RateLimit.CLIENTS):
        rate.wait(str(number))
    assert rate.wait("first") == 0 and len(rate._left) == RateLimit.CLIENTS


def post(port: int, phone: int = 1) -> httpx.Response:
    """A photo from a phone with an address of its own."""
    files = {"photo": ("shot.jpg", jpeg(), "image/jpeg")}
    with httpx.Client(transport=httpx.HTTPTransport(local_address=f"127.0.0.{phone}")) as client:
        return client.post(f"http://127.0.0.1:{port}/api/read", files=files, timeout=60)


def test_ten_phones_at_once_are_served_in_turn(reader: FakeReader, serving: Serving) -> None:
    busy = threading.Semaphore(1)
    most: list[bool] = []

    def look() -> None:
        most.append(busy.acquire(blocking=False))
        time.sleep(0.02)
        busy.release()

    reader.meanwhile = look
    with WorkerPool(reader, readers=1) as pool, ThreadPoolExecutor(10) as phones:
        port = serving(make_app(pool))
        answers = list(phones.map(lambda number: post(port, 1 + number % 10), range(20)))
    assert [answer.status_code for answer in answers] == [200] * 20
    assert most == [True] * 20  # never two at once


def test_more_than_may_wait_are_told_to_come_back(reader: FakeReader, serving: Serving) -> None:
    go_on = threading.Event()
    reader.meanwhile = lambda: go_on.wait(60)
    with WorkerPool(reader) as pool, ThreadPoolExecutor(8) as phones:
        port = serving(make_app(pool, limits=Limits(in_flight_each=3)))
        answers = as_completed([phones.submit(post, port) for _ in range(8)])
        refused = [next(answers).result() for _ in range(5)]
        go_on.set()
        served = [answer.result() for answer in answers]
    assert [answer.status_code for answer in refused] == [429] * 5
    assert [answer.status_code for answer in served] == [200] * 3
    assert all(int(one.headers["retry-after"]) >= 1 for one in refused)


PART = b'--b\r\nContent-Disposition: form-data; name="photo"; filename="x.jpg"\r\n\r\n'


def slow_upload(port: int, cookie: str = "", address: str = "127.0.0.1") -> socket.socket:
    """A photo that does not come."""
    connection = socket.create_connection(("127.0.0.1", port), 60, (address, 0))
    head = (
        "POST /api/read HTTP/1.1", f"Host: localhost:{port}", f"Cookie: {cookie}",
        "Content-Type: multipart/form-data; boundary=b", "Content-Length: 500000",
    )  # fmt: skip
    connection.sendall("".join(f"{line}\r\n" for line in (*head, "")).encode() + PART)
    return connection


def test_uploads_that_do_not_come_keep_nobody_from_reading(reader: FakeReader, serving: Serving) -> None:
    with WorkerPool(reader) as pool, ExitStack() as stack:
        port = serving(make_app(pool))
        slow = [stack.enter_context(slow_upload(port)) for _ in range(13)]
        for connection in slow[3:]:
            assert connection.recv(4096).split()[1] == b"429", "three of one client"
        assert post(port, 2).status_code == 200


def test_cookies_that_one_mints_do_not_make_him_many(reader: FakeReader, serving: Serving) -> None:
    access = Access(LOOPBACK, token="s3cret")
    with WorkerPool(reader) as pool, ExitStack() as stack:
        port = serving(make_app(pool, access, limits=Limits(in_flight=8, in_flight_each=4, a_minute=12)))
        base = f"http://localhost:{port}"
        minted = [f"{access.cookie_name(f'localhost:{port}')}={access.new_cookie()}" for _ in range(40)]
        slow = [stack.enter_context(slow_upload(port, cookie)) for cookie in minted[:6]]
        for connection in slow[3:]:
            assert connection.recv(4096).split()[1] == b"429", "three of one address"

        def asked(cookie: str, address: str) -> int:
            with httpx.Client(transport=httpx.HTTPTransport(local_address=address)) as client:
                return client.get(f"{base}/api/rules", headers={"Cookie": cookie}, timeout=60).status_code

        statuses = [asked(cookie, "127.0.0.1") for cookie in minted]
        assert statuses.count(429) >= 10, "so many a minute, whatever the cookie"
        assert asked(minted[0], "127.0.0.3") == 200, "nobody else notices"


def test_who_has_gone_is_not_read_for(
    reader: FakeReader, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, gone, go_on = threading.Event(), threading.Event(), threading.Event()
    lost = TimeoutProtocol.connection_lost

    def note(connection: TimeoutProtocol, reason: Exception | None) -> None:
        lost(connection, reason)
        gone.set()

    def look() -> None:
        started.set()
        go_on.wait(60)

    monkeypatch.setattr(TimeoutProtocol, "connection_lost", note)
    reader.meanwhile = look
    with WorkerPool(reader) as pool, ThreadPoolExecutor(1) as phones:
        port = serving(make_app(pool))
        first = phones.submit(post, port)
        assert started.wait(60)
        frame, patience = {"photo": ("f.jpg", jpeg())}, httpx.Timeout(60, read=0.2)
        with pytest.raises(httpx.ReadTimeout):  # a frame that nobody waits for any more
            httpx.post(f"http://127.0.0.1:{port}/api/find", files=frame, timeout=patience)
        assert gone.wait(60)
        go_on.set()
        assert first.result().status_code == 200
        assert post(port).status_code == 200
    assert len(reader.looks) == 2
