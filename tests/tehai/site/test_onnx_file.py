"""The metadata of an ONNX file, read without what runs it."""

from __future__ import annotations

import pytest

from tehai.site.onnx_file import metadata_of
from vision.network import NETWORKS, load


@pytest.mark.parametrize("network", ["finder", "faces", "scene"])
def test_the_metadata_is_that_of_the_running_network(network: str) -> None:
    path = NETWORKS / f"{network}.onnx"
    assert metadata_of(path.read_bytes()) == load(path).metadata


@pytest.mark.parametrize("data", [b"no network", b"\x72\xff", b"\x72\x05\x0a\x01a", b"\x80", b"\x03"])
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no ONNX file"):
        metadata_of(data)
