"""Rare hands are finished, and worth what they are photographed for."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

pytest.importorskip("numba", reason="the renderer needs numba: pip install 'tehai[render]'")

from datasets import laid
from datasets.render import yakuman
from datasets.render.layouts import Pool, deal
from scorer import Hand, Meld, Win, load_rules, score

CALLS = {"pon": "pon", "kan": "minkan"}


def test_rare_hands_are_yakuman_of_tiles_that_were_left() -> None:
    rules, found = load_rules("tenhou"), Counter[str]()
    for seed in range(120):
        rng = np.random.default_rng(seed)
        pool = Pool(rng, 0.7, rare=1.0)
        (*closed, win), called = deal(pool, rng)
        assert pool.count == 136 - 14 - sum(kind == "kan" for kind, _ in called)
        assert min(pool.left.values()) >= 0
        melds = tuple(Meld(CALLS[kind], "".join(tiles), 1) for kind, tiles in called)
        won = score(Hand("".join(closed), win, melds), Win(tsumo=True), rules)
        assert won.yakuman, (closed, win, called)
        found.update(name for name, _ in won.yaku)
    assert {"kokushi", "chuuren", "daisangen", "suukantsu", "suuankou"} <= {
        name.removesuffix("_13").removesuffix("_tanki").removesuffix("_9") for name in found
    }


def test_what_is_not_left_is_not_dealt() -> None:
    pool = Pool(np.random.default_rng(0), 0.0)
    for face in pool.left:
        pool.left[face] = min(pool.left[face], 1)
    dealt = [yakuman.deal(pool, np.random.default_rng(seed)) for seed in range(40)]
    assert not any(dealt) and max(pool.left.values()) == 1


def test_other_scenes_lie_as_before() -> None:
    order = laid.Order(5, laid.KINDS, 960)
    rare = laid.Order(5, laid.KINDS, 960, rare=1.0)
    assert laid.lay(order, 3) == laid.lay(laid.Order(5, laid.KINDS, 960, 0.0), 3)
    assert any(laid.lay(order, number) != laid.lay(rare, number) for number in range(4))
