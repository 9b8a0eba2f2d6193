"""A layer tells chances of whatever odds, without a warning; what is stored comes back."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from vision.arrays import Array32
from vision.layer import Layer, Stored


def test_odds_beyond_all_measure_are_chances_too() -> None:
    layer = Layer(*(np.zeros(shape, np.float32) for shape in ((1, 1), 1, 1, ())), np.ones((), np.float32))
    odds = np.array([-500, -1, 0, 1, 500], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chances = layer.chance(odds, np.zeros((5, 1), np.float32))
    assert chances == pytest.approx([0, 0.2689, 0.5, 0.7311, 1], abs=1e-4)


@dataclass(frozen=True, slots=True)
class Tables(Stored):
    one: Array32
    other: Array32

    PRECISION = np.float16


def test_tables_come_back_as_precisely_as_they_were_written(tmp_path: Path) -> None:
    tables = Tables(np.float32([[100.03, -50], [0, 1]]), np.float32([1.2345678]))
    tables.write(tmp_path / "tables.npz")
    back = Tables.read(tmp_path / "tables.npz")
    assert back.one == pytest.approx(tables.one, rel=1e-3) and back.other == pytest.approx(
        tables.other, rel=1e-3
    )
    assert back.one.dtype == np.float32
    with np.load(tmp_path / "tables.npz") as stored:
        assert stored["one"].dtype == stored["other"].dtype == np.float16


def test_a_file_that_lacks_an_array_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "tables.npz", one=np.zeros((2, 2), np.int8))
    with pytest.raises(KeyError, match="other"):
        Tables.read(tmp_path / "tables.npz")
