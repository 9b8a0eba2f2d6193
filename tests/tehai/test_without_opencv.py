"""Where OpenCV cannot be loaded, as in a container without the library of a screen: photos are read by numpy
alone, and of what does need it one sentence says what to install."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tehai.errors import Mistake, needs_opencv
from tehai.hand.sample import sample_path
from tests.tehai.label.lines import photo, tile, write
from tests.tehai.web.test_serve import scanned, started
from vision.network import NETWORKS
from vision.reader import read

ROOT = Path(__file__).resolve().parents[2]
MISSING = "libGL.so.1: cannot open shared object file: No such file or directory"
LOADER = f"""
import sys
from pathlib import Path
assert not hasattr(sys, "OpenCV_LOADER"), "recursion is detected"
sys.OpenCV_LOADER = True
sys.path.insert(1, str(Path(__file__).parent / "inside"))
raise ImportError({MISSING!r}, name="cv2", path="cv2.abi3.so")
"""
SENTENCE = (
    f"OpenCV cannot be loaded ({MISSING}): install the libraries that it needs, on Debian and Ubuntu with"
    " apt-get install libgl1 libglib2.0-0."
)
needs_models = pytest.mark.skipif(not (NETWORKS / "finder.onnx").is_file(), reason="the networks are missing")


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder with the bundled photo, its labels, and an OpenCV that loads as where libGL is missing: its
    loader leaves its own folder on the path, which has a ``typing``, and a mark that it is loading."""
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "typing.py").write_text("raise ImportError('this is another typing')\n")
    (tmp_path / "cv2.py").write_text(LOADER)
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
        ("read", "photos/a.jpg", "--draw", "drawn.png"),
        ("read", "photos/a.jpg", "--trace", "traced"),
        ("webcam", "--no-window"),
        ("review", "labelled", "--port", "0", "--no-browser"),
    ],
    ids=lambda arguments: arguments[-2],
)
def test_what_needs_opencv_says_what_to_install(bare: Path, arguments: tuple[str, ...]) -> None:
    done = tehai(bare, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"tehai: {SENTENCE}\n")


@needs_models
def test_photos_are_read_all_the_same(bare: Path) -> None:
    done = tehai(bare, "read", "photos/a.jpg", "--json")
    assert done.returncode == 0 and done.stderr == ""
    ours, theirs = json.loads(done.stdout), read(sample_path()).to_record()
    assert ours["hand"] == theirs["hand"] and ours["status"] == "ok"
    faces = [[(tile["label"], tile["role"]) for tile in seen["tiles"]] for seen in (ours, theirs)]
    assert faces[0] == faces[1]


@needs_models
def test_photos_are_labelled_all_the_same(bare: Path) -> None:
    done = tehai(bare, "label", "photos")
    assert done.returncode == 0 and done.stderr == "" and "Read 1 photo with" in done.stdout


@needs_models
def test_the_page_reads_and_scores_all_the_same(bare: Path) -> None:
    with started(bare, "--port", "0", above=bare) as (_, url):
        shot = {"photo": ("sample.jpg", sample_path().read_bytes(), "image/jpeg")}
        with httpx.Client(timeout=60) as phone:
            scanned(phone, url)
            answer = phone.post(f"{url.partition('?')[0]}api/read", files=shot).json()
    assert answer["result"]["status"] == "ok" and answer["result"]["points"] > 0


@needs_models
def test_the_doctor_says_what_reads_and_what_to_install(bare: Path) -> None:
    done = tehai(bare, "doctor")
    assert done.returncode == 0 and done.stderr == ""
    assert f"numpy alone, which takes longer. {SENTENCE}" in done.stdout
    assert done.stdout.count(SENTENCE) == 2  # of the pictures and of the cameras
    assert "self-test passed" in done.stdout


def test_another_module_that_is_missing_is_a_fault_of_ours() -> None:
    with pytest.raises(ImportError), needs_opencv():
        raise ImportError("no module named nope", name="nope")
    with (
        pytest.raises(Mistake, match=r"OpenCV is not installed: pip install opencv-python\."),
        needs_opencv(),
    ):
        raise ModuleNotFoundError("No module named 'cv2'", name="cv2")
