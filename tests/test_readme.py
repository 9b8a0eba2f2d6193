"""What the README shows is what happens."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from typer.testing import CliRunner

from tehai.cli import app

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_scoring_example_prints_what_it_says() -> None:
    code = next(block for block in re.findall(r"```python\n(.*?)```", README, re.S) if "from scorer" in block)
    comment = re.search(r"print\(.*\)  # (.*)", code)
    assert comment is not None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    assert out.getvalue().strip() == comment[1]


def test_the_commands_exist() -> None:
    for command in sorted(set(re.findall(r"^tehai (\w+)", README, re.M))):
        assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0, command


def test_the_typed_hand_is_scored() -> None:
    typed = re.search(r'tehai score "([^"]+)"', README)
    assert typed is not None
    assert CliRunner().invoke(app, ["score", typed[1], "--defaults"]).exit_code == 0
