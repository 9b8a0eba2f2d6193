"""The examples of docstrings do what they say."""

from __future__ import annotations

import doctest
import importlib
import shutil
from pathlib import Path
from types import ModuleType

import pytest

import scorer
import vision
from vision.reader import Engine

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "tehai" / "hand" / "sample.jpg"
MODULES = [
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("scorer", "vision", "tehai")
    for file in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in file.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder with the sample as ``photo.jpg``."""
    if name.startswith(("vision", "tehai.webcam")) and not (Engine().finder.is_file() and SAMPLE.is_file()):
        pytest.skip("the networks or tehai/hand/sample.jpg are not there")
    if SAMPLE.is_file():
        shutil.copy(SAMPLE, tmp_path / "photo.jpg")
    monkeypatch.chdir(tmp_path)
    failed, attempted = doctest.testmod(importlib.import_module(name))
    assert attempted and not failed


@pytest.mark.parametrize("package", [scorer, vision], ids=lambda package: package.__name__)
def test_public_names_have_docstrings_and_the_doors_examples(package: ModuleType) -> None:
    """Errors and enumerations are shown where they are raised and used."""
    for name in package.__all__:
        thing = getattr(package, name)
        assert thing.__doc__, name
        if not isinstance(thing, type):
            assert ">>> " in thing.__doc__, name
