"""The server keeps to the description that it serves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.folders import ROOT

DESCRIBED = Path(__file__).with_name("described.py")


def test_every_operation_keeps_to_its_description() -> None:
    """In a process of its own: the plugin of schemathesis takes seconds to load, in every run of any test."""
    command = [sys.executable, "-m", "pytest", "-o", "addopts=-q --import-mode=importlib", str(DESCRIBED)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-8000:]
    assert " passed" in done.stdout
