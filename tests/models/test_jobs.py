"""Several photos at a time."""

from __future__ import annotations

import os
from functools import partial

import pytest

from models.jobs import run_jobs


@pytest.mark.parametrize("workers", [1, 2])
def test_answers_come_in_order(workers: int) -> None:
    assert list(run_jobs([partial(divmod, 7 * n, 5) for n in range(6)], workers)) == [
        divmod(7 * n, 5) for n in range(6)
    ]


def test_several_workers_are_processes_of_their_own() -> None:
    assert os.getpid() not in set(run_jobs([os.getpid] * 4, 2))


def test_less_than_one_worker_is_refused() -> None:
    with pytest.raises(ValueError, match="--workers"):
        list(run_jobs([os.getpid], 0))
