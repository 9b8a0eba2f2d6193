"""Parse files of labels of other tools, which may be damaged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tehai.errors import Mistake


@contextmanager
def parsing(where: Path | str, what: str) -> Iterator[None]:
    """Raises :class:`Mistake` for whatever goes wrong inside: the file was to hold ``what``.

    ``where``: the file, with its line where one is known. Parsers have errors of so many kinds that a list of
    them would be one short.
    """
    try:
        yield
    except Mistake:
        raise
    except OSError as error:
        raise Mistake(f"{where} cannot be read ({error.strerror or error}); check the file.") from error
    except Exception as error:
        raise Mistake(
            f"{where} cannot be read as {what} ({_reason(error)}); correct it there, or take it out."
        ) from error


def text_of(file: Path) -> str:
    """The text of a file. Raises :class:`Mistake` with the line if it is not UTF-8."""
    with parsing(file, "text"):
        data = file.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Mistake(f"{file}, line {line} is no UTF-8; save the file as UTF-8.") from None


def lines_of(file: Path) -> Iterator[tuple[str, str]]:
    """The lines that are not blank, each with its place: ``FILE, line 3``."""
    for number, line in enumerate(text_of(file).split("\n"), 1):
        if line.strip():
            yield f"{file}, line {number}", line


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error}"
    return " ".join(str(error).split()) or type(error).__name__
