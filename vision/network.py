"""How the networks run: the one place that knows what runs them, ONNX Runtime on a few CPU threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from vision.arrays import Array32, Pixels

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

_INSTALLED = Path(__file__).with_name("networks")
NETWORKS = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).resolve().parent.parent / "models"
"""Where ``finder.onnx`` and ``faces.onnx`` lie, a card beside each: in this package where it is installed, in
``models/`` of a checkout."""

FINDER = NETWORKS / "finder.onnx"
FACES = NETWORKS / "faces.onnx"


class Network(Protocol):
    """A network that has been loaded, whatever runs it."""

    @property
    def metadata(self) -> Mapping[str, str]:
        """What its file says about itself (``metadata_props``)."""

    def run(self, pictures: Pixels) -> Sequence[Array32]:
        """Its answers, in their order, to pictures (n, height, width, 3)."""


def load(path: str | Path, threads: int = 2) -> Network:
    """The network of an ONNX file, on ``threads`` CPU threads.

    Raises FileNotFoundError when it is missing and ValueError when it is no network.
    """
    import onnxruntime

    if not Path(path).is_file():
        raise FileNotFoundError(f"The model {path} is missing.")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait busily take the cores from the stage that follows.
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

    def run(self, pictures: Pixels) -> Sequence[Array32]:
        answers: Sequence[Array32] = self._session.run(None, {self._input: pictures})
        return answers
