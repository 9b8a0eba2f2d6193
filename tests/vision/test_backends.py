"""What runs networks and what touches pixels stand in one module each: others can stand in their place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.folders import ROOT
from tests.test_imports import imported_modules, named_modules
from vision.labels import WITH_FOREIGN
from vision.network import NETWORKS, load


def users(package: str, library: str) -> set[str]:
    """Modules of a package that import a library."""
    files = sorted((ROOT / package).rglob("*.py"))
    return {
        file.stem for file in files if library in {name.partition(".")[0] for name in imported_modules(file)}
    }


def test_one_module_runs_networks_and_one_knows_opencv() -> None:
    assert users("vision", "onnxruntime") == {"network"} and not users("tehai", "onnxruntime")
    assert users("vision", "cv2") == {"pixels_opencv"}


def test_reading_a_photo_needs_all_of_vision() -> None:
    """The browser loads this package whole: what no photo needs stands in ``tehai``."""
    files = {file.relative_to(ROOT) for file in (ROOT / "vision").rglob("*.py")}
    modules = {".".join(file.with_suffix("").parts): file for file in files if file.stem != "__init__"}
    reached, ahead = set[str](), {"vision.reader"}
    while ahead:
        name = ahead.pop()
        reached.add(name)
        ahead |= {*named_modules(ROOT / modules[name], modules)} - reached
    assert reached == modules.keys()


def test_a_browser_can_import_all_of_vision() -> None:
    """No sockets, no threads, no processes."""
    for library in ("socket", "threading", "multiprocessing", "subprocess", "asyncio", "concurrent"):
        assert not users("vision", library), library


def test_a_network_that_is_missing_or_damaged_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"gone\.onnx is missing"):
        load(tmp_path / "gone.onnx")
    text = tmp_path / "text.onnx"
    text.write_text("no network")
    with pytest.raises(ValueError, match=r"text\.onnx is damaged"):
        load(text)


def test_a_network_says_what_it_is_and_answers_pictures() -> None:
    network = load(NETWORKS / "faces.onnx", 1)
    assert network.metadata["task"] == "faces"
    answers = network.run(np.zeros((2, 80, 64, 3), np.uint8))
    assert [each.shape for each in answers] == [(2, len(WITH_FOREIGN)), (2, 4), (2, 8), (2, 120, 20)]
