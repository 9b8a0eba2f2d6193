"""What surrounds the networks while they run."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from tests.vision.conftest import NO_MODEL
from vision import network, reader
from vision.arrays import Array32, Pixels
from vision.faces import Faces
from vision.finder import Candidates
from vision.image import Photo
from vision.network import Remembering
from vision.reader import Engine, Reader


def blas() -> list[int]:
    """Threads that the products of numpy, and of whatever else brings a BLAS along, may take."""
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_products_take_one_thread_while_a_photo_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    before, during = blas(), list[list[int]]()

    class Looking:
        """Stands for the networks, and sees nothing."""

        def find(self, *_: object, **__: object) -> Candidates:
            during.append(blas())
            return Candidates(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))

        def read(self, *_: object, **__: object) -> Faces:
            during.append(blas())
            return Faces(*(np.zeros((0, *each), np.float32) for each in ((4, 2), (39,), (4,))))

    monkeypatch.setattr(reader, "Finder", lambda *_: Looking())
    monkeypatch.setattr(reader, "FaceReader", lambda *_, **__: Looking())
    some, pixels = (
        Reader(Engine(scene=NO_MODEL), load=lambda *_: Looking()),
        np.zeros((480, 640, 3), np.uint8),
    )
    some.read(pixels)
    some.glance(pixels)
    some.faces(Photo(pixels, 640, 480), np.zeros((0, 4, 2), np.float32))
    assert during == [[1] * len(before)] * 3 and blas() == before


def test_where_threads_cannot_be_told_photos_are_read_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    network._pools.cache_clear()
    try:
        with network.undisturbed():
            assert network._pools() is None
    finally:
        network._pools.cache_clear()


class Sums:
    """Answers the sum of each picture, and twice that; counts what it ran on."""

    metadata: Mapping[str, str] = {"task": "sums"}

    def __init__(self) -> None:
        self.ran: list[int] = []

    def run(self, pictures: Pixels | Array32) -> Sequence[Array32]:
        self.ran.append(len(pictures))
        sums = pictures.reshape(len(pictures), -1).sum(axis=1).astype(np.float32)
        return sums, 2 * sums


def test_each_picture_is_run_once_and_answered_in_its_place_until_it_is_forgotten() -> None:
    sums = Sums()
    network = Remembering(sums)
    pictures = np.arange(4 * 2 * 3 * 3, dtype=np.uint8).reshape(4, 2, 3, 3)
    with network.one_photo():
        first = network.run(pictures[:3])
        again = network.run(pictures[[3, 1, 1]])
    assert sums.ran == [3, 1]
    assert np.array_equal(first, sums.run(pictures[:3])) and np.array_equal(
        again, sums.run(pictures[[3, 1, 1]])
    )
    sums.ran.clear()
    network.run(pictures[1:3])
    network.run(pictures[1:3])
    assert sums.ran == [2, 2] and network.metadata == {"task": "sums"}, "beyond a photo nothing is kept"


def test_a_photo_that_ends_meanwhile_takes_no_answer_from_another() -> None:
    """Several threads may read with one reader."""
    sums = Sums()
    network = Remembering(sums)
    pictures = np.arange(2 * 2 * 3 * 3, dtype=np.uint8).reshape(2, 2, 3, 3)

    class Ending(Sums):
        def run(self, pictures: Pixels | Array32) -> Sequence[Array32]:
            network._known = None
            return super().run(pictures)

    network._network = Ending()
    with network.one_photo():
        assert np.array_equal(network.run(pictures), sums.run(pictures))
        assert np.array_equal(network.run(pictures), sums.run(pictures))
