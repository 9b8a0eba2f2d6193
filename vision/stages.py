"""What sees pictures of the few tiles of a photo that are looked into: a network for each of the layers that
stand on it, in the file beside theirs. Twelve convolutions, three of which are a stage (He et al. 2016), in
int8, fitted by :mod:`models.stages`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from vision import network
from vision.arrays import Array32

See = Callable[[Array32], Array32]
"""The last maps (m, k) of pictures (m, channels, H, W), one at least."""


def beneath(layers: Path) -> Path:
    """The file of the network on which the layers of a file stand."""
    return layers.with_suffix(".onnx")


def seen_by(sees: network.Network) -> See:
    """What a network sees."""

    def see(pictures: Array32) -> Array32:
        (maps,) = sees.run(pictures)
        return maps

    return see


def seen_beneath(layers: Path) -> See:
    """What the network sees on which the layers of a file stand, which is loaded when it is asked first."""
    return lambda pictures: _loaded(layers)(pictures)


@lru_cache
def _loaded(layers: Path) -> See:
    return seen_by(network.load(beneath(layers)))
