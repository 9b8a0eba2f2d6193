"""What surrounds the networks while they run."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from tests.vision.conftest import Scripted, noise
from tests.vision.scene.scripted_table import Table
from vision import network
from vision.detections import Detections
from vision.image import load
from vision.maps import Candidates


def blas() -> list[int]:
    """Threads that the products of numpy, and of whatever else brings a BLAS along, may take."""
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_products_take_one_thread_while_a_photo_is_read() -> None:
    during = list[list[int]]()

    class Counting(Scripted):
        def find(self, *photo: Any, **how: Any) -> Candidates:
            during.append(blas())
            return super().find(*photo, **how)

        def classify(self, *photo: Any) -> Detections:
            during.append(blas())
            return super().classify(*photo)

    script = Counting(Table(2.0).lay("123m456p789s22z333s"))
    reader, photo = script.reader(), load(noise())
    with threadpool_limits(limits=2, user_api="blas"):
        before = blas()
        reader.read_frame(photo)
        reader.read_rivers(photo)
        seen = reader.classify(photo, script.told.quads)
        reader.read(photo)
        reader.read_tiles(photo, seen)
        assert 2 in before and blas() == before
    assert len(during) >= 7 and during == [[1] * len(before)] * len(during)


def test_where_threads_cannot_be_told_photos_are_read_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    network._pools.cache_clear()
    try:
        with network.single_threaded_blas():
            assert network._pools() is None
    finally:
        network._pools.cache_clear()
