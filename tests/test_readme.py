"""What README and the first pages of the documentation show is what happens."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tehai.cli import app
from tehai.hand.sample import sample_path

ROOT = Path(__file__).resolve().parent.parent
README, LIBRARY = (
    (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/use-as-a-library.md")
)


def blocks(text: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text, re.S)


@pytest.mark.parametrize("code", [*blocks(README), *blocks(LIBRARY)])
def test_the_python_runs_and_prints_points(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(sample_path(), "photo.jpg")
    exec(code, {})
    assert re.search(r"\b(7700|11600)\b", capsys.readouterr().out)


def test_the_commands_exist() -> None:
    commands = sorted(set(re.findall(r"(?:^|`)tehai (\w+)", README, re.M)))
    assert len(commands) > 5
    for command in commands:
        assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0, command


def test_the_typed_hand_is_scored() -> None:
    typed = re.search(r'tehai score "([^"]+)"', README)
    assert typed is not None
    assert CliRunner().invoke(app, ["score", typed[1], "--defaults"]).exit_code == 0
