"""What ``tehai review`` says before it serves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tehai.errors import Mistake
from tehai.label import journal
from tehai.review.serve import opened
from tests.tehai.label.lines import photo, tile, write

ROOT = Path(__file__).parents[3]
MODELS = ROOT / "models"


def complaint(where: Path, to: Path | None = None) -> str:
    with pytest.raises(Mistake) as caught, opened(where, to):
        pass
    return str(caught.value)


def test_what_there_is_to_review_is_opened(tmp_path: Path) -> None:
    file = write(tmp_path, photo("a.jpg", tile("1m")))
    for where, to in ((tmp_path, None), (file, None), (tmp_path, tmp_path), (tmp_path, file)):
        with opened(where, to) as labels:
            assert len(labels.index.photos) == 1


def test_what_cannot_be_reviewed_is_said(tmp_path: Path) -> None:
    assert complaint(tmp_path).endswith("make them with: tehai label DIR.")
    assert complaint(tmp_path / "none").endswith("make them with: tehai label DIR.")
    empty = tmp_path / "empty"
    empty.mkdir()
    write(empty)
    assert complaint(empty).endswith("holds no photos yet; read them with: tehai label DIR.")
    file = write(tmp_path, photo("a.jpg", tile("1m")))
    assert complaint(empty, file).startswith(f"{file} holds the labels of {tmp_path}, not of {empty};")
    with file.open("ab") as other:
        other.write(b'{"schema":3,"kind":"cloud"}\n')
    assert "newer tehai (schema 3, known up to 2)" in complaint(tmp_path)


def test_a_journal_that_may_not_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, photo("a.jpg", tile("1m")))
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    assert complaint(tmp_path) == (
        f"{file} may not be written: corrections could not be kept; change its permissions."
    )


def test_a_torn_last_line_is_mended_and_said(tmp_path: Path) -> None:
    file = write(tmp_path, photo("a.jpg", tile("1m")))
    with file.open("ab") as other:
        other.write(b'{"schema":1,"ki')
    with opened(tmp_path, None) as labels:
        assert "it has been taken off" in labels.repaired


@pytest.mark.skipif(not (MODELS / "faces.onnx").is_file(), reason="the networks are not there")
@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_the_command_serves_until_it_is_stopped(tmp_path: Path) -> None:
    write(tmp_path, photo("a.jpg", tile("1m")))
    command = [sys.executable, "-m", "tehai", "review", str(tmp_path), "--port", "0", "--by", "anna"]
    running = subprocess.Popen(
        [*command, "--no-browser"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "400"},
    )
    try:
        assert running.stdout is not None
        address, waiting, who = (running.stdout.readline() for _ in range(3))
        assert waiting == f"To review: 1 of 1 photo ({tmp_path / journal.NAME}).\n"
        assert "you review as anna" in who
        with urllib.request.urlopen(f"{address.strip()}api/me") as answer:
            assert answer.read() == b'{"by":"anna"}'
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait(60)
