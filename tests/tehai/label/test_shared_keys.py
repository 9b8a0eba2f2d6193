"""What has keys in common, found without holding everything against everything."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from tehai.label import shared_keys, spool
from tehai.label.shared_keys import Keys


def kept(things: Sequence[NDArray[np.int64]], width: int = 5) -> Keys:
    keys = Keys(width)
    for one in things:
        keys.add(np.unique(one).astype(">i8").view(np.uint8).reshape(-1, 8)[:, -width:].tobytes())
    return keys


def drawn(things: int, of: int, bits: int, seed: int) -> list[NDArray[np.int64]]:
    return list(np.random.default_rng(seed).integers(0, 1 << bits, (things, of)))


@pytest.fixture(params=["at once", "in many parts"])
def parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, as if so few were many."""
    if request.param == "in many parts":
        monkeypatch.setattr(spool, "_SPOOLED", 500)
        for name, value in {"_SLICE": 1000, "_MANY": 3000, "_YIELDED": 3}.items():
            monkeypatch.setattr(shared_keys, name, value)


@pytest.mark.usefixtures("parts")
def test_what_shares_keys_is_found_and_what_everybody_has_tells_nothing() -> None:
    things = drawn(5000, 20, 36, seed=6)
    things[4321] = np.concatenate([things[17][:9], things[4321][9:]])
    things[4999] = np.concatenate([things[18][:2], things[4999][2:]])
    common = np.arange(3)
    pairs = list(kept([np.concatenate([one, common]) for one in things]).company(share=0.15))
    assert pairs[0] == (17, 4321) and len(pairs) <= len(things)
    assert (18, 4999) not in pairs, "two of 23 are less than that share"
    assert all(one < other for one, other in pairs)
    assert (18, 4999) in kept(things).company()


@pytest.mark.usefixtures("parts")
def test_keys_are_compared_the_shorter_the_fewer_there_are() -> None:
    things = drawn(2000, 50, 32, seed=3)
    things[1500] = np.concatenate([things[40][:5] ^ 7, things[1500][5:]])  # the last bits differ
    things[1600] = np.concatenate([things[50][:1], things[1600][1:]])
    assert next(kept(things, width=4).company(room=5)) == (40, 1500)
    assert (40, 1500) not in kept(things, width=4).company()
    assert (50, 1600) not in kept(things, width=4).company(), "one key is chance"


@pytest.mark.usefixtures("parts")
def test_who_has_less_in_common_with_others_comes_first() -> None:
    things = drawn(40, 30, 36, seed=1)
    crowd = [np.concatenate([one, things[0][:6]]) for one in things[:20]]
    friends = [np.concatenate([one, things[20][:5]]) for one in things[20:22]]
    pairs = list(kept([*crowd, *friends, *things[22:]]).company())
    assert pairs[0] == (20, 21) and len(pairs) > 20, "five keys of their own before six that all have"


def test_nothing_and_who_has_nothing_has_no_company() -> None:
    nothing = np.zeros(0, np.int64)
    assert list(Keys(5).company()) == [] == list(kept([nothing] * 3).company(room=5))
    assert list(kept([nothing, np.arange(4), nothing, np.arange(4)]).company()) == [(1, 3)]


def test_the_likeliest_of_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_keys, "_BEST", 2)
    things = [np.arange(1000 * at, 1000 * at + 20) for at in range(8)]
    for one, other in pairwise(range(8)):
        things[other] = np.concatenate([things[other], things[one][: 2 + one]])
    for other in range(3, 8):
        things[other] = np.concatenate([things[other], things[0][10 : 10 + other]])
    pairs = list(kept(things).company())
    assert len([one for one, _ in pairs if one == 0]) == 2 and (0, 7) in pairs
