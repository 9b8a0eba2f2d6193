"""The networks without which no photo is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tehai.errors import Mistake
from tehai.hand.inputs import installed_networks
from vision import network

NAMES = ("finder", "faces", "scene")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which a file of each lies."""
    for name in NAMES:
        file = tmp_path / f"{name}.onnx"
        file.write_bytes(b"")
        monkeypatch.setattr(network, name.upper(), file)
    return tmp_path


def test_all_networks_are_named(installed: Path) -> None:
    assert [file.name for file in installed_networks()] == ["finder.onnx", "faces.onnx", "scene.onnx"]


@pytest.mark.parametrize("name", NAMES)
def test_a_network_that_is_missing_is_named(installed: Path, name: str) -> None:
    (installed / f"{name}.onnx").unlink()
    with pytest.raises(Mistake, match=rf"The model {name}\.onnx is missing from .*; install tehai again\."):
        installed_networks()
