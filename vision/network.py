"""How the networks run: the one place that knows what runs them, ONNX Runtime on a few CPU threads."""

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
"""Where the networks lie, a card beside each: in this package where it is installed, in ``models/`` of a
checkout."""

FINDER = NETWORKS / "finder.onnx"
FACES = NETWORKS / "faces.onnx"
SCENE = NETWORKS / "scene.onnx"


class Network(Protocol):
    """A network that has been loaded, whatever runs it."""

    @property
    def metadata(self) -> Mapping[str, str]:
        """What its file says about itself (``metadata_props``)."""

    def run(self, pictures: Pixels | Array32) -> Sequence[Array32]:
        """Its answers, in their order, to pictures: bytes (n, height, width, 3) or numbers (n, channels,
        height, width), whichever it was made for."""


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

    def run(self, pictures: Pixels | Array32) -> Sequence[Array32]:
        answers: Sequence[Array32] = self._session.run(None, {self._input: pictures})
        return answers


@contextmanager
def undisturbed() -> Iterator[None]:
    """While it lasts, numpy's products take one thread: those that BLAS wakes wait busily for longer than the
    products take, on the cores that the networks need next. Of several at once the last to end may leave it
    so."""
    pools = _pools()
    with pools.limit(limits=1, user_api="blas") if pools else nullcontext():
        yield


@lru_cache
def _pools() -> ThreadpoolController | None:
    """None in a browser, where there is one thread."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()


def metadata_of(data: bytes) -> dict[str, str]:
    """What an ONNX file says about itself, without what would run it.

    ``metadata_props`` is field 14 of a ModelProto (onnx.proto), each a StringStringEntryProto with the
    fields 1, key, and 2, value, in the wire format of Protocol Buffers. Raises ValueError for what is no such
    file.
    """
    try:
        entries = [dict(_fields(entry)) for number, entry in _fields(data) if number == 14]
        return {entry[1].decode(): entry[2].decode() for entry in entries}
    except (IndexError, KeyError, UnicodeDecodeError):
        raise ValueError("this is no ONNX file") from None


_FIXED = {1: 8, 5: 4}
"""Wire type to the bytes of its value: I64 and I32."""


def _fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The numbers of a message's fields, with the bytes of those that have a length."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == 0:
            _, at = _varint(data, at)
        elif kind == 2:
            length, at = _varint(data, at)
            if at + length > len(data):
                raise IndexError
            yield key >> 3, data[at : at + length]
            at += length
        else:
            at += _FIXED[kind]


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, lowest first, and where what follows it begins."""
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at
