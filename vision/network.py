"""Runs the networks with ONNX Runtime on a few CPU threads: the one module that knows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from vision.arrays import Array32, Pixels

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from threadpoolctl import ThreadpoolController

_INSTALLED = Path(__file__).with_name("networks")
NETWORKS = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).resolve().parent.parent / "models"
"""The folder of the networks and their cards: in this package once installed, ``models/`` in a checkout."""

FINDER = NETWORKS / "finder.onnx"
FACES = NETWORKS / "faces.onnx"
SCENE = NETWORKS / "scene.onnx"


class Network(Protocol):
    """A loaded network, whatever runs it."""

    @property
    def metadata(self) -> Mapping[str, str]:
        """The ``metadata_props`` of its file."""

    def run(self, pictures: Pixels | Array32) -> Sequence[Array32]:
        """Its outputs, in order. ``pictures``: its input, such as bytes (n, height, width, 3) or numbers (n,
        channels, height, width)."""


def load(path: str | Path, threads: int = 2) -> Network:
    """The network of an ONNX file, on ``threads`` CPU threads.

    Raises FileNotFoundError if it is missing and ValueError if it is no network.
    """
    import onnxruntime

    if not Path(path).is_file():
        raise FileNotFoundError(f"The model {path} is missing.")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait busily would take the cores from the next stage.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as reason:  # onnxruntime's errors have no common base of their own
        raise ValueError(f"The model {Path(path).name} is damaged ({type(reason).__name__}).") from reason
    return _Session(session)


class _Session:
    """A network as ONNX Runtime runs it."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session
        (self._input,) = (each.name for each in session.get_inputs())

    @property
    def metadata(self) -> Mapping[str, str]:
        return dict(self._session.get_modelmeta().custom_metadata_map)

    def run(self, pictures: Pixels | Array32) -> Sequence[Array32]:
        outputs: Sequence[Array32] = self._session.run(None, {self._input: pictures})
        return outputs


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Limits numpy's matrix products to one thread: further BLAS threads wait busily on the cores that the
    networks need next. Of several contexts at once, the last to end may leave the limit in place."""
    pools = _pools()
    with pools.limit(limits=1, user_api="blas") if pools else nullcontext():
        yield


@lru_cache
def _pools() -> ThreadpoolController | None:
    """The controller of BLAS threads; None in a browser, which has one thread."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()
