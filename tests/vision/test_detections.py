"""One value of parallel arrays: what it refuses, and that slices keep together what belongs together."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detections import ROLES, Detections
from vision.labels import WITH_FOREIGN

COUNT = 5


def detections() -> Detections:
    """All arrays; each holds the number of its detection, pairs 10 times the first plus the second."""
    number = np.arange(COUNT, dtype=np.float32)

    def wide(*shape: int) -> np.ndarray:
        return np.broadcast_to(number.reshape(-1, *[1] * len(shape)), (COUNT, *shape)).copy()

    pairs = 10 * number[:, None] + number
    return Detections(
        wide(4, 2), number, wide(len(WITH_FOREIGN)), wide(4), wide(120), wide(len(WITH_FOREIGN)),
        wide(len(ROLES)), pairs, pairs,
    )  # fmt: skip


@pytest.mark.parametrize("which", [[3, 1], slice(1, 4), np.array([4, 0, 2]), np.arange(COUNT) % 2 == 0])
def test_a_slice_takes_the_same_of_every_array(which: slice) -> None:
    some = detections()[which]
    wanted = np.arange(COUNT)[which].astype(np.float32)
    assert len(some) == len(wanted)
    for array in (some.scores, some.quads[:, 0, 0], some.logits[:, 0], some.roles[:, 0]):  # type: ignore[index]
        assert array.tolist() == wanted.tolist()
    for pairs in (some.same_player, some.same_set):
        assert pairs is not None
        assert pairs.tolist() == (10 * wanted[:, None] + wanted).tolist()


def test_a_stage_adds_its_arrays_and_others_stay_empty() -> None:
    found = Detections(np.zeros((3, 4, 2), np.float32), np.zeros(3, np.float32))
    assert found[:2].logits is None and len(found[[]]) == 0
    more = found.with_arrays(turns=np.ones((3, 4), np.float32))
    assert found.turns is None and more.turns is not None and len(more[1:].turns) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("quads", np.zeros((3, 4), np.float32)),
        ("scores", np.zeros(4, np.float32)),
        ("logits", np.zeros((3, 39), np.float32)),
        ("roles", np.zeros((2, len(ROLES)), np.float32)),
        ("same_set", np.zeros((3, 2), np.float32)),
        ("embeddings", np.full((3, 120), np.nan, np.float32)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name: str, array: np.ndarray) -> None:
    arrays = {"quads": np.zeros((3, 4, 2), np.float32), "scores": np.zeros(3, np.float32), name: array}
    with pytest.raises(ValueError, match=name if name != "quads" else "quads|scores"):
        Detections(**arrays)
