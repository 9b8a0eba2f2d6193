"""A release writes its version everywhere, and wants its changes told."""

from __future__ import annotations

import runpy
import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RELEASE = runpy.run_path(str(ROOT / ".ci" / "release"))
CHANGELOG = (
    "# Changelog\n\n## [1.1.0] - 2026-11-28\n\n- breaks: one\n- two\n\n## [1.0.0] - 2026-11-21\n\n- old\n"
)


def test_the_changes_of_a_version_are_its_own() -> None:
    assert RELEASE["changes"](CHANGELOG, "1.1.0") == ["- breaks: one", "- two"]
    assert RELEASE["changes"](CHANGELOG, "1.0.0") == ["- old"]


@pytest.mark.parametrize("text", [CHANGELOG, "## [1.2.0]\n" + "- line\n" * 16])
def test_a_version_without_changes_or_with_too_many_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="CHANGELOG"):
        RELEASE["changes"](text, "1.2.0")


def test_the_version_is_written_where_it_stands(tmp_path: Path) -> None:
    for name in {name for name, _, _ in RELEASE["STANDS"]}:
        shutil.copy(ROOT / name, tmp_path / name)
    RELEASE["written"](tmp_path, "9.8.7", date(2030, 1, 2))
    assert 'version = "9.8.7"' in (tmp_path / "pyproject.toml").read_text("utf-8")
    citation = (tmp_path / "CITATION.cff").read_text("utf-8")
    assert "version: 9.8.7\n" in citation and 'date-released: "2030-01-02"' in citation


def test_hashes_are_as_sha256sum_reads_them(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(b"")
    (tmp_path / "notes.txt").write_bytes(b"")
    assert RELEASE["hashes"](tmp_path) == (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.whl\n"
    )


def test_nothing_that_is_kept_points_elsewhere() -> None:
    """A link into somebody's own machine breaks the first command in another's clone."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("this is no clone, or git is not installed")
    kept = subprocess.run(
        ["git", "ls-files", "--stage"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert [line for line in kept.stdout.splitlines() if not line.startswith("100")] == []
