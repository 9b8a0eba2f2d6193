"""Ctrl-C ends a server gracefully whenever it comes, and is answered."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from rich.console import Console

from tehai.server.network import listen
from tehai.server.serving import configured, until_interrupted

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")

STAGES = ("announcing", "serve", "startup", "main_loop", "shutdown", "ended")


@pytest.fixture(params=[signal.default_int_handler, signal.SIG_IGN], ids=["in front", "in the background"])
def handler(request: pytest.FixtureRequest) -> Iterator[Any]:
    """What a shell leaves a command that it starts: one behind ``&`` ignores interrupts."""
    before = signal.signal(signal.SIGINT, request.param)
    yield request.param
    signal.signal(signal.SIGINT, before)


async def nothing(scope: Any, receive: Any, send: Any) -> None:
    """An application that is asked nothing."""


def interrupt(times: int) -> None:
    for _ in range(times):
        os.kill(os.getpid(), signal.SIGINT)


class Interrupted(uvicorn.Server):
    """A server that is interrupted as soon as it comes to a stage of its life."""

    def __init__(self, stage: str, times: int) -> None:
        super().__init__(configured(nothing))
        self.stage, self.times = stage, times

    def reach(self, stage: str) -> None:
        if stage == self.stage:
            interrupt(self.times)

    async def serve(self, *args: Any, **options: Any) -> None:
        self.reach("serve")
        await super().serve(*args, **options)
        self.reach("ended")

    async def startup(self, *args: Any, **options: Any) -> None:
        self.reach("startup")
        await super().startup(*args, **options)

    async def main_loop(self) -> None:
        self.reach("main_loop")
        if self.stage in ("shutdown", "ended"):
            self.should_exit = True
        await super().main_loop()

    async def shutdown(self, *args: Any, **options: Any) -> None:
        self.reach("shutdown")
        await super().shutdown(*args, **options)


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("stage", STAGES)
def test_an_interrupt_at_any_stage_stops_the_server_and_says_so(stage: str, times: int, handler: Any) -> None:
    printed = io.StringIO()
    server = Interrupted(stage, times)
    try:
        with listen("127.0.0.1", 0) as listening, until_interrupted(server, Console(file=printed)):
            server.reach("announcing")
            server.run(sockets=[listening])
    except KeyboardInterrupt:
        pytest.fail("the interrupt went past the server")
    assert printed.getvalue() == "Stopped.\n"
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_server_that_is_told_to_end_stops_alike(handler: Any) -> None:
    printed = io.StringIO()
    server = Interrupted("none", 0)
    with listen("127.0.0.1", 0) as listening, until_interrupted(server, Console(file=printed)):
        os.kill(os.getpid(), signal.SIGTERM)
        server.run(sockets=[listening])
    assert printed.getvalue() == "Stopped.\n"
