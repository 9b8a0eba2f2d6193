"""``python -m tests.tehai.server.interrupted HANDLER SIGNAL TIMES``: a server that is told to end at each
stage of its life, one after the other, and what it says. Signals and a loop need a process of their own.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import uvicorn
from rich.console import Console

from tehai.server.network import listen
from tehai.server.serving import configured, until_interrupted

STAGES = ("announcing", "serve", "startup", "main_loop", "shutdown", "ended")


async def nothing(scope: Any, receive: Any, send: Any) -> None:
    """An application that is asked nothing."""


class Interrupted(uvicorn.Server):
    """A server that gets a signal as soon as it comes to a stage."""

    def __init__(self, stage: str, number: int, times: int) -> None:
        super().__init__(configured(nothing))
        self.stage, self.number, self.times = stage, number, times

    def reach(self, stage: str) -> None:
        for _ in range(self.times if stage == self.stage else 0):
            os.kill(os.getpid(), self.number)

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


def main(handler: str, number: str, times: str) -> None:
    signal.signal(signal.SIGINT, getattr(signal, handler))
    for stage in STAGES:
        print(stage, end=" ", flush=True)
        server = Interrupted(stage, getattr(signal, number), int(times))
        with listen("127.0.0.1", 0) as listening, until_interrupted(server, Console()):
            server.reach("announcing")
            server.run(sockets=[listening])
        assert signal.getsignal(signal.SIGINT) is getattr(signal, handler)


if __name__ == "__main__":
    main(*sys.argv[1:])
