"""Work on several photos at a time, in processes of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from operator import call
from typing import TypeVar

import cv2

T = TypeVar("T")


def run_jobs(jobs: Sequence[Callable[[], T]], workers: int) -> Iterator[T]:
    """What each job gives, in order. With more than one worker a job has to be picklable.

    Raises ValueError where there is less than one worker.
    """
    if workers < 1:
        raise ValueError("--workers is at least 1")
    if workers == 1 or len(jobs) < 2:
        cv2.setNumThreads(1)
        yield from map(call, jobs)
        return
    # Started afresh, not forked: the parent's threads and locks stay its own.
    with ProcessPoolExecutor(workers, get_context("spawn"), cv2.setNumThreads, (1,)) as pool:
        yield from pool.map(call, jobs)
