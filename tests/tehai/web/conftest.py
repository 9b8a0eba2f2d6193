"""A server to ask without a socket: the real one but for the eye."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tehai.web.app import make_app
from tehai.web.desk import Desk
from tests.tehai.web.fakes import FakeEye

HERE = "http://localhost:8765"


@pytest.fixture
def eye() -> FakeEye:
    return FakeEye()


@pytest.fixture
def client(eye: FakeEye) -> Iterator[TestClient]:
    """A browser on this machine."""
    with Desk(eye) as desk:
        yield TestClient(make_app(desk), base_url=HERE)
