"""Score a file of hand records line by line, in constant memory. An interrupted batch can be resumed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

from scorer.record import score_record
from tehai.errors import Mistake
from tehai.hand.doubts import record_in_doubt

IN_DOUBT: Final = "in_doubt"
"""The error of a record with an uncertain reading in strict mode."""

LONGEST: Final = 1 << 20
"""The most bytes of a line. A hand needs less than a hundredth of it."""

_STEP: Final = 64
"""The lines between two updates of the progress bar."""

_NAMED: Final = 5
"""The most lines without a score that the summary lists."""


@dataclass(slots=True)
class Tally:
    """The progress of a batch: the last finished line, the number of results, the first lines without a
    score, and the number of uncertain readings."""

    line: int = 0
    results: int = 0
    failures: int = 0
    doubted: int = 0
    failed: list[int] = field(default_factory=list)

    def count(self, line: int, result: Mapping[str, Any]) -> None:
        self.line = line
        self.results += 1
        if result["status"] == "error":
            self.failures += 1
            self.doubted += result["error"] == IN_DOUBT
            if len(self.failed) < _NAMED:
                self.failed.append(line)

    def summary(self) -> str:
        """One sentence about the records without a score; empty if all have one."""
        if not self.failures:
            return ""
        lines = ", ".join(map(str, self.failed)) + (", …" if self.failures > len(self.failed) else "")
        return f"{self.failures} of {self.results} records have no score, and say why in their line: {lines}."


def run_batch(file: str, out: Path | None, start: int, resume: bool, *, strict: bool = False) -> Tally:
    """Score the records of a file, or of standard input (``-``), from line ``start`` on.

    Results go to ``out`` or to standard output. ``resume``: continue after the results that ``out`` has
    already. A record without a score gives an error as its result. ``strict``: so does a record with an
    uncertain reading, as ``tehai webcam --no-window`` writes them. Raises :class:`Mistake` for an unusable
    file, and if the batch is interrupted.
    """
    if resume and out is None:
        raise Mistake("--resume goes on with a file of results: name it with --out.")
    if out is not None and out.exists() and not resume:
        raise Mistake(f"{out} is there already; go on with it with --resume, or name another file.")
    tally = Tally()
    with ExitStack() as stack:
        write: Callable[[str], object] = sys.stdout.write
        source = stack.enter_context(_opened(file)) if file != "-" else sys.stdin.buffer
        if out is not None:
            start = max(start, _last_line_of(out) + 1)
            # JSON can have half a UTF-16 character, which UTF-8 cannot: keep its escape
            write = stack.enter_context(out.open("a", encoding="utf-8", errors="backslashreplace")).write
        show = _progress(stack, source, aside=out is not None or not sys.stdout.isatty())
        try:
            for number, line in _lines(source):
                if number >= start and line.strip():
                    result = score_line(number, line, strict=strict)
                    write(_as_text(result) + "\n")
                    tally.count(number, result)
                if number % _STEP == 0:
                    show()
        except KeyboardInterrupt:
            goes_on = "--resume goes on" if out is not None else f"--start {tally.line + 1} goes on"
            raise Mistake(f"stopped after line {tally.line}; {goes_on}.") from None
    return tally


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_JSON: Final = json.JSONDecoder(parse_constant=_no_constant)
_as_text: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def score_line(number: int, line: bytes, *, strict: bool = False) -> dict[str, Any]:
    """The result of one line, with its number. ``ref``, a text or a number, is copied to the result.

    ``strict``: a record with an uncertain ``reading`` has no score.
    """
    if len(line) >= LONGEST:
        return _bad_line(number, f"is longer than {LONGEST} bytes")
    try:
        record = _JSON.decode(line.decode("utf-8-sig").rstrip())
    except json.JSONDecodeError as error:
        return _bad_line(number, f"is not JSON ({error.msg.removesuffix(' at')} at column {error.colno})")
    except UnicodeDecodeError:
        return _bad_line(number, "is not UTF-8 text: save the file as UTF-8")
    except (RecursionError, ValueError):  # deeply nested brackets, NaN, numbers of thousands of digits
        return _bad_line(number, "is JSON that cannot be read")
    if not isinstance(record, Mapping):
        return _bad_line(number, "is not a JSON object; write one hand record")
    ref = record.get("ref")
    if not isinstance(ref, str | int | float | None):
        return _bad_line(number, "has a ref that is neither text nor number")
    given = {} if ref is None else {"ref": ref}
    if strict and record_in_doubt(record.get("reading")):
        return {**_bad_line(number, "was read from a photo in doubt"), "error": IN_DOUBT, **given}
    return {"line": number, **given, **score_record(record)}


def _bad_line(number: int, what: str) -> dict[str, Any]:
    return {
        "line": number,
        "status": "error",
        "error": "bad_field",
        "message": f"Line {number} {what}.",
    }


def _opened(file: str) -> BinaryIO:
    try:
        return Path(file).open("rb")
    except OSError as reason:
        raise Mistake(f"{file} cannot be opened ({reason.strerror}); check the path.") from None


def _lines(source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """(number from 1, line). A line that is too long is cut."""
    number = 0
    while line := source.readline(LONGEST):
        number += 1
        rest = line
        while len(rest) == LONGEST and not rest.endswith(b"\n"):
            rest = source.readline(LONGEST)
        yield number, line


def _last_line_of(out: Path) -> int:
    """The number of the last line with a complete result in the file. The rest of the file is cut off.

    0 if the file is missing or has none. Raises :class:`Mistake` if the file has something else.
    """
    if not out.exists():
        return 0
    with out.open("r+b") as results:
        end = _after_newline(results, results.seek(0, os.SEEK_END))
        results.seek(_after_newline(results, end - 1) if end else 0)
        last = results.readline()
        try:
            if end:
                number = int(json.loads(last)["line"])
            elif last[: len(_BEGINNING)] == _BEGINNING[: len(last)]:
                number = 0
            else:
                raise ValueError("no result begins like that")
        except (ValueError, TypeError, KeyError):
            raise Mistake(f"{out} does not hold the results of a batch; name another file.") from None
        results.truncate(end)
        return number


_BEGINNING: Final = b'{"line": '
"""The beginning of every result."""


def _after_newline(file: BinaryIO, before: int) -> int:
    """The position where the line before position ``before`` begins."""
    while before:
        start = max(0, before - LONGEST)
        file.seek(start)
        found = file.read(before - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        before = start
    return 0


def _progress(stack: ExitStack, source: BinaryIO, aside: bool) -> Callable[[], None]:
    """A progress bar on standard error, if that is a terminal and results go elsewhere (``aside``)."""
    if not (aside and sys.stderr.isatty()):
        return lambda: None
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (BarColumn(), TaskProgressColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    bar = stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
    sized = source.seekable()
    task = bar.add_task("", total=os.fstat(source.fileno()).st_size if sized else None)
    return lambda: bar.update(task, completed=source.tell() if sized else 0)
