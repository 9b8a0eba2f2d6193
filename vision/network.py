"""How the networks run: ONNX on a few CPU threads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

_INSTALLED = Path(__file__).with_name("networks")
NETWORKS = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).resolve().parent.parent / "models"
"""Where ``finder.onnx`` and ``faces.onnx`` lie, a card beside each: in this package where it is installed, in
``models/`` of a checkout."""


def session(path: str | Path, threads: int) -> InferenceSession:
    """The network of an ONNX file, on ``threads`` CPU threads."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait busily take the cores from the stage that follows.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
