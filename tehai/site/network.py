"""Run the networks in a browser with onnxruntime-web, through an object of the worker
(``static/networks.js``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tehai.site.onnx_file import metadata_of
from vision.arrays import Array32, Pixels
from vision.network import Network


class Runtime(Protocol):
    """``networks.js`` as Python sees it."""

    def create(self, data: bytes) -> int:
        """Load a network; returns its number."""

    def run(self, number: int, data: Pixels, shape: list[int]) -> Any:
        """Run a network on bytes, or on 32-bit floats, of a shape. Returns a sequence of ``{data,
        shape}``."""


def loader(runtime: Runtime) -> Callable[[Path, int], Network]:
    """The replacement of :func:`vision.network.load`. There is only one thread."""

    def load(path: Path, threads: int) -> Network:
        if not path.is_file():
            raise FileNotFoundError(f"The model {path} is missing.")
        data = path.read_bytes()
        return _Session(runtime, runtime.create(data), metadata_of(data))

    return load


class _Session:
    def __init__(self, runtime: Runtime, number: int, metadata: Mapping[str, str]) -> None:
        self._runtime = runtime
        self._number = number
        self.metadata = metadata

    def run(self, pictures: Pixels | Array32) -> Sequence[Array32]:
        laid: Any = np.ascontiguousarray(pictures)
        answers = self._runtime.run(self._number, laid.reshape(-1).view(np.uint8), list(laid.shape))
        return [np.asarray(one.data.to_py(), np.float32).reshape(tuple(one.shape.to_py())) for one in answers]
