"""A server to ask: the real one but for the reader, without a socket or on a port of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tehai.server.certificate import Certificate
from tehai.server.network import listen
from tehai.server.serving import Server, configured
from tehai.web.app import make_app
from tehai.web.worker_pool import WorkerPool
from tests.tehai.web.fakes import FakeReader

HERE = "http://localhost:8765"

Serving = Callable[[Starlette], int]


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def pool(reader: FakeReader) -> Iterator[WorkerPool]:
    with WorkerPool(reader) as pool:
        yield pool


@pytest.fixture
def client(pool: WorkerPool) -> TestClient:
    """A browser on this machine."""
    return TestClient(make_app(pool), base_url=HERE)


@pytest.fixture
def serving() -> Iterator[Serving]:
    """Serves applications on sockets, each on a port of its own, which it returns."""
    with ExitStack() as stack:
        yield lambda app: stack.enter_context(served(app))


@contextmanager
def served(app: Starlette, certificate: Certificate | None = None) -> Iterator[int]:
    with listen("127.0.0.1", 0) as listening:
        server = Server(configured(app, certificate))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield int(listening.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()
