"""An event loop for a test, also where another test of its process drives a browser and has one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def run_alone(work: Coroutine[object, object, Result]) -> Result:
    """What a coroutine returns, run in a thread of its own: a thread has one event loop at most."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
