"""Where photos are read: what is done when none comes any more."""

from __future__ import annotations

import asyncio
import platform
from pathlib import Path

import pytest

from tehai.web.worker_pool import WorkerPool, give_back
from tests.event_loop import run_alone
from tests.tehai.web.fakes import FakeReader


async def waits() -> bool:
    return False


def resident() -> float:
    """MB that this process holds."""
    (line,) = (
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")
    )
    return int(line.split()[1]) / 1024


def test_who_has_read_a_photo_rests_when_no_other_comes() -> None:
    async def evening() -> None:
        rested = asyncio.Event()
        loop = asyncio.get_running_loop()
        rest = lambda: loop.call_soon_threadsafe(rested.set)  # noqa: E731
        with WorkerPool(FakeReader(), rest=lambda: None, quiet=3600) as pool:
            assert await pool.look(lambda: 1, waits) == 1
        with WorkerPool(FakeReader(), rest=rest, quiet=0) as pool:
            assert await pool.look(lambda: 2, waits) == 2
            await rested.wait()

    run_alone(evening())


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told to give memory back")
def test_memory_is_given_back_that_lies_below_what_is_held() -> None:
    photos = [bytes(100_000) for _ in range(2000)]
    last = photos.pop()
    photos.clear()
    held = resident()
    give_back()
    assert resident() < held - 100
    assert len(last) == 100_000
