"""The entry point: reads a photo into a :class:`vision.reading.Reading`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from vision import image, network
from vision.faces import FaceReader
from vision.finder import Finder
from vision.network import FACES, FINDER, SCENE, Network
from vision.observer import Observer, no_observer
from vision.reading import Reading, Region
from vision.scene.reader import SceneReader
from vision.scene.relate import SceneNetwork


@dataclass(frozen=True, slots=True)
class Engine:
    """The model files ``finder``, ``faces`` and ``scene``, and the CPU ``threads`` of each network.

    >>> Engine(threads=1).finder.name
    'finder.onnx'
    """

    finder: Path = FINDER
    faces: Path = FACES
    scene: Path = SCENE
    threads: int = 2


class Reader(SceneReader):
    """Reads photos; it loads the networks once.

    >>> import numpy as np
    >>> reader = Reader(Engine(threads=1))
    >>> for photo in ("photo.jpg", np.zeros((480, 640, 3), np.uint8)):
    ...     print(reader.read(photo).status)
    ok
    error

    ``load``: loads a network file for a number of threads. ``observer``: receives every stage of every
    reading. Raises FileNotFoundError for a missing network and ValueError for a wrong one.
    """

    def __init__(
        self, engine: Engine | None = None, *, load: Callable[[Path, int], Network] = network.load,
        observer: Observer = no_observer,
    ) -> None:  # fmt: skip
        self.engine = engine or Engine()
        finder, faces, scene = (
            load(file, self.engine.threads)
            for file in (self.engine.finder, self.engine.faces, self.engine.scene)
        )
        super().__init__(Finder(finder), FaceReader(faces), SceneNetwork(scene), observer=observer)


def read(
    photo: image.PhotoSource | image.Photo,
    *,
    region: Region | None = None,
    engine: Engine | None = None,
    observer: Observer = no_observer,
) -> Reading:
    """:meth:`Reader.read` with a reader kept between calls, one for each ``engine`` and ``observer``.

    >>> reading = read("photo.jpg", region=(0.0, 0.5, 1.0, 1.0))
    >>> reading.status, reading.hand["melds"]
    ('ok', [{'type': 'pon', 'tiles': '777z', 'from': 1}])
    """
    return _reader(engine or Engine(), observer).read(photo, region=region)


@lru_cache(maxsize=2)
def _reader(engine: Engine, observer: Observer) -> Reader:
    return Reader(engine, observer=observer)
