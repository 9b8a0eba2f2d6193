"""Run jobs in parallel processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from operator import call
from typing import TypeVar

import cv2

T = TypeVar("T")


def run_jobs(jobs: Sequence[Callable[[], T]], workers: int) -> Iterator[T]:
    """Yield the result of each job, in order. With more than one worker, jobs must be picklable.

    Raises ValueError for less than one worker.
    """
    if workers < 1:
        raise ValueError("--workers is at least 1")
    if workers == 1 or len(jobs) < 2:
        cv2.setNumThreads(1)
        yield from map(call, jobs)
        return
    # Spawned, not forked: a fork would copy locks that the parent's threads hold.
    with ProcessPoolExecutor(workers, get_context("spawn"), cv2.setNumThreads, (1,)) as pool:
        yield from pool.map(call, jobs)
