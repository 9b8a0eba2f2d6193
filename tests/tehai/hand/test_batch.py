"""``tehai batch``: every line has a result, and a batch that was cut off goes on where it stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tehai.errors import Mistake
from tehai.hand.batch import LONGEST, run_batch, score_line

GOOD = {"concealed": "234m340567p2267s", "win_tile": "8s", "tsumo": True, "loser_offset": None}


def hands(count: int) -> str:
    return "".join(
        json.dumps({**GOOD, "honba": number % 50, "ref": number}) + "\n" for number in range(count)
    )


def results_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"{nonsense", "is not JSON (Expecting property name enclosed in double quotes at column 2)"),
        (b'{"concealed": "340p', "is not JSON (Unterminated string starting at column 15)"),
        (b'{"concealed": "340p"\n', "is not JSON (Expecting ',' delimiter at column 21)"),
        (b"[]", "is not a JSON object"),
        (b"\xff\xfe", "is not UTF-8 text: save the file as UTF-8"),
        (b"[" * 100_000, "cannot be read"),
        (b'{"honba": ' + b"9" * 5000 + b"}", "cannot be read"),
        (b'{"ref": NaN}', "cannot be read"),
        (b'{"ref": [[]]}', "neither text nor number"),
        (b" " * LONGEST, "is longer than"),
    ],
)
def test_a_bad_line_is_reported_with_its_number(line: bytes, complaint: str) -> None:
    result = score_line(17, line)
    assert (result["line"], result["status"], result["error"]) == (17, "error", "bad_field")
    assert result["message"].startswith("Line 17 ") and complaint in result["message"]


def test_bad_lines_do_not_stop_the_rest(tmp_path: Path) -> None:
    good = json.dumps(GOOD).encode()
    lines = [good, b"{", b"", good, b"\xff" * 10, b"x" * (2 * LONGEST + 5), b'{"ref": "\\ud800"}', good]
    file, out = tmp_path / "hands.jsonl", tmp_path / "results.jsonl"
    file.write_bytes(b"\n".join(lines))
    tally = run_batch(str(file), out, 1, False)
    assert [(one["line"], one["status"]) for one in results_of(out)] == [
        (1, "ok"), (2, "error"), (4, "ok"), (5, "error"), (6, "error"), (7, "error"), (8, "ok"),
    ]  # fmt: skip
    assert tally.summary() == "4 of 7 records have no score, and say why in their line: 2, 5, 6, 7."


@pytest.mark.parametrize("kept", [0, 1, 40, 99, 100])
@pytest.mark.parametrize("torn", ["", '{"line": 77, "sta'])
def test_what_is_there_is_kept_and_the_rest_is_done(tmp_path: Path, kept: int, torn: str) -> None:
    file, whole, out = tmp_path / "hands.jsonl", tmp_path / "whole.jsonl", tmp_path / "results.jsonl"
    file.write_text(hands(100), encoding="utf-8")
    run_batch(str(file), whole, 1, False)
    written = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    out.write_text("".join(written[:kept]) + torn, encoding="utf-8")
    assert run_batch(str(file), out, 1, True).results == 100 - kept
    assert out.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")


def test_a_start_in_the_middle(tmp_path: Path) -> None:
    file, out = tmp_path / "hands.jsonl", tmp_path / "results.jsonl"
    file.write_text(hands(20), encoding="utf-8")
    run_batch(str(file), out, 15, False)
    assert [one["line"] for one in results_of(out)] == list(range(15, 21))


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    file, out = tmp_path / "hands.jsonl", tmp_path / "results.jsonl"
    file.write_text(hands(2), encoding="utf-8")
    out.write_text("my notes\n", encoding="utf-8")
    with pytest.raises(Mistake, match="is there already"):
        run_batch(str(file), out, 1, False)
    with pytest.raises(Mistake, match="does not hold the results"):
        run_batch(str(file), out, 1, True)
    with pytest.raises(Mistake, match="name it with --out"):
        run_batch(str(file), None, 1, True)
    with pytest.raises(Mistake, match="cannot be opened"):
        run_batch(str(tmp_path / "none.jsonl"), None, 1, False)
    assert out.read_text(encoding="utf-8") == "my notes\n"


@pytest.mark.parametrize("notes", ["my notes", "my\nnotes", '{"annotations": []}'])
def test_what_is_no_result_is_not_cut_off(tmp_path: Path, notes: str) -> None:
    file, out = tmp_path / "hands.jsonl", tmp_path / "notes.json"
    file.write_text(hands(2), encoding="utf-8")
    out.write_text(notes, encoding="utf-8")
    with pytest.raises(Mistake, match="does not hold the results"):
        run_batch(str(file), out, 1, True)
    assert out.read_text(encoding="utf-8") == notes


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_killed_batch_is_resumed(tmp_path: Path) -> None:
    """Killed outright while it writes, then resumed: the same results as in one go, none twice."""
    file, whole, out = tmp_path / "hands.jsonl", tmp_path / "whole.jsonl", tmp_path / "results.jsonl"
    file.write_text(hands(3000), encoding="utf-8")
    run_batch(str(file), whole, 1, False)
    command = [sys.executable, "-m", "tehai", "batch", str(file), "--out", str(out)]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[3])
    while process.poll() is None and not (out.exists() and out.stat().st_size):
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = out.stat().st_size
    assert 0 < done < whole.stat().st_size, "killed in the middle"
    subprocess.run([*command, "--resume"], cwd=Path(__file__).parents[3], check=True)
    assert out.read_bytes() == whole.read_bytes()
