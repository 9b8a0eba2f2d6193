"""Where OpenCV cannot be loaded, as in a container without the library of a screen: one sentence says what to
install, and what needs no picture still works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tehai.errors import Mistake, needs_opencv
from tehai.sample import sample_path
from tests.tehai.label.lines import photo, tile, write
from vision.network import NETWORKS

ROOT = Path(__file__).resolve().parents[2]
MISSING = "libGL.so.1: cannot open shared object file: No such file or directory"
SENTENCE = (
    f"OpenCV cannot be loaded ({MISSING}): install the libraries that it needs, on Debian and Ubuntu with"
    " apt-get install libgl1 libglib2.0-0."
)
needs_models = pytest.mark.skipif(not (NETWORKS / "finder.onnx").is_file(), reason="the networks are missing")


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder with the bundled photo, its labels, and an OpenCV that loads as where libGL is missing."""
    (tmp_path / "cv2.py").write_text(f"raise ImportError({MISSING!r}, name='cv2', path='cv2.abi3.so')\n")
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.jpg").write_bytes(sample_path().read_bytes())
    (tmp_path / "labelled").mkdir()
    write(tmp_path / "labelled", photo("a.jpg", tile("1m")))
    return tmp_path


def tehai(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "COLUMNS": "400"}
    return subprocess.run(
        [sys.executable, "-m", "tehai", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


@needs_models
@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "sample", "--defaults"),
        ("read", "photos/a.jpg"),
        ("serve", "--port", "0"),
        ("webcam", "--no-window"),
        ("label", "photos"),
        ("review", "labelled", "--port", "0", "--no-browser"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_what_needs_pictures_says_what_to_install(bare: Path, arguments: tuple[str, ...]) -> None:
    done = tehai(bare, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"tehai: {SENTENCE}\n")


@needs_models
def test_the_doctor_says_it_and_prints_the_rest(bare: Path) -> None:
    done = tehai(bare, "doctor")
    assert done.returncode == 2 and done.stderr == ""
    assert "opencv-python" in done.stdout and "finder.onnx" in done.stdout and "sha256" in done.stdout
    assert done.stdout.count(SENTENCE) == 2  # of the cameras and of the self-test


def test_typed_hands_are_scored_all_the_same(bare: Path) -> None:
    done = tehai(bare, "score", "234m340567p2267s + 8s", "--defaults")
    assert done.returncode == 0 and done.stderr == ""


def test_another_module_that_is_missing_is_a_fault_of_ours() -> None:
    with pytest.raises(ImportError), needs_opencv():
        raise ImportError("no module named nope", name="nope")
    with pytest.raises(Mistake, match="OpenCV"), needs_opencv():
        raise ModuleNotFoundError("No module named 'cv2'", name="cv2")
