"""What a table for the game has beside its cloth: a rim, plain or with trays for sticks, and a console.

Lengths in millimetres, in the coordinates of :mod:`datasets.render.layouts`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from datasets.render.layouts import Layout

_STICK = (7.0, 86.0, 3.0)


@dataclass(frozen=True, slots=True)
class Rim:
    """How one table's rim is made, on all its sides alike; with ``trays`` there are so many on a side."""

    depth: float
    tall: float
    trays: int

    @classmethod
    def draw(cls, rng: Generator) -> Rim:
        """A plain one, or one with trays as automatic tables have."""
        if rng.random() < 0.5:
            return cls(float(rng.uniform(25, 80)), float(rng.uniform(3, 22)), 0)
        return cls(float(rng.uniform(55, 90)), float(rng.uniform(8, 20)), int(rng.integers(3, 6)))


def side(layout: Layout, rng: Generator, rim: Rim, middle: float, inner: float, length: float) -> None:
    """One side of a rim that runs along x about ``middle``, its inner edge at y = ``inner``, towards -y."""
    y = inner - rim.depth / 2

    def bar(x: float, y: float, size: tuple[float, float, float]) -> None:
        layout.put(None, x, y, size=size, material="rim")

    if not rim.trays:
        bar(middle, y, (length, rim.depth, rim.tall))
        _some_sticks(layout, rng, [(middle + x, y) for x in (-220, -60, 100)], rim.depth, rim.tall)
        return
    wall = 0.13 * rim.depth
    bar(middle, y, (length, rim.depth, 1.5))
    bar(middle, inner - wall / 2, (length, wall, rim.tall))
    bar(middle, inner - rim.depth + wall / 2, (length, wall, rim.tall))
    reach = min(length, 760.0) / rim.trays
    spots = [middle + (k - rim.trays / 2) * reach for k in range(rim.trays + 1)]
    for x in spots:
        bar(x, y, (wall, rim.depth - 2 * wall, rim.tall))
    _some_sticks(layout, rng, [(x + reach / 2, y) for x in spots[:-1]], rim.depth - 2 * wall, 1.5)


def _some_sticks(
    layout: Layout, rng: Generator, spots: list[tuple[float, float]], depth: float, z: float
) -> None:
    """Sticks side by side along the rim, on some of the spots, some lying on others."""
    most = max(1, int((depth - 4) / _STICK[0]))
    for x, y in spots:
        for k in range(int(rng.choice([0, 1, 3, 8], p=[0.45, 0.15, 0.2, 0.2]))):
            line, level = k % most, k // most
            layout.put(
                None, x + float(rng.normal(0, 6)), y + (line - (min(most, 8) - 1) / 2) * (_STICK[0] + 0.4),
                np.pi / 2 + float(rng.normal(0, 0.03)), z=z + level * _STICK[2], size=_STICK,
                material="stick",
            )  # fmt: skip


def console(layout: Layout, rng: Generator) -> None:
    """The plate in the middle of an automatic table, with its buttons."""
    across = float(rng.uniform(90, 112))
    layout.put(None, 0, 0, size=(across, across, float(rng.uniform(1, 4))), material="console")
