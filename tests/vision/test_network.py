"""What surrounds the networks while they run."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from vision import network, reader
from vision.reader import Reader


def blas() -> list[int]:
    """Threads that the products of numpy, and of whatever else brings a BLAS along, may take."""
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_products_take_one_thread_while_a_photo_is_read() -> None:
    before, during = blas(), list[list[int]]()

    class Looking(Reader):
        def __init__(self) -> None:
            pass

        def _read(self, *_: object, **__: object) -> reader.Reading:
            during.append(blas())
            return reader.Reading("", 1, 1, (), None, {}, "error", "", {}, None, ())

    Looking().read(np.zeros((1, 1, 3), np.uint8))
    Looking().glance(np.zeros((1, 1, 3), np.uint8))
    assert during == [[1] * len(before)] * 2 and blas() == before


def test_where_threads_cannot_be_told_photos_are_read_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    network._pools.cache_clear()
    try:
        with network.undisturbed():
            assert network._pools() is None
    finally:
        network._pools.cache_clear()
