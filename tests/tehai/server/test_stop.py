"""Ctrl-C ends a server gracefully whenever it comes, and is answered."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.folders import ROOT
from tests.tehai.server.interrupted import STAGES

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")


@pytest.mark.parametrize(
    ("handler", "number", "times"),
    [
        ("default_int_handler", "SIGINT", "1"),
        ("default_int_handler", "SIGINT", "2"),
        ("default_int_handler", "SIGTERM", "1"),
        ("SIG_IGN", "SIGINT", "1"),  # what a shell leaves a command behind &
    ],
)
def test_an_interrupt_at_any_stage_stops_the_server_and_says_so(
    handler: str, number: str, times: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.tehai.server.interrupted", handler, number, times],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "".join(f"{stage} Stopped.\n" for stage in STAGES)
    assert (done.returncode, done.stderr) == (0, "")
