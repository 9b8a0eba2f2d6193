"""Several photos at a time."""

from __future__ import annotations

import os
from functools import partial

import pytest

from models.jobs import run_jobs


@pytest.mark.parametrize("workers", [1, 2])
def test_answers_come_in_order(workers: int) -> None:
    jobs = [partial(divmod, 7 * n, 5) for n in range(6)]
    assert list(run_jobs(jobs, workers)) == [job() for job in jobs]
    assert (os.getpid() in set(run_jobs([os.getpid] * 4, workers))) == (workers == 1)


def test_less_than_one_worker_is_refused() -> None:
    with pytest.raises(ValueError, match="--workers"):
        list(run_jobs([os.getpid], 0))
