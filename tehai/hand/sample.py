"""The bundled sample photo."""

from __future__ import annotations

from pathlib import Path

from tehai.errors import Mistake

NAME = "sample"
"""What to type in a photo's place."""

_FILE = Path(__file__).with_name("sample.jpg")


def sample_path() -> Path:
    """Where the sample photo lies. Raises :class:`Mistake` where it is not installed."""
    if not _FILE.is_file():
        raise Mistake("The sample photo is missing from this installation; install tehai again.")
    return _FILE
