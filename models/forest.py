"""Fit a forest (:mod:`vision.forest`) that tells which answers are right, by gradient boosting."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier

from vision.arrays import Array, Mask
from vision.forest import Forest

TREES, DEPTH, RATE = 500, 7, 0.03
"""How many trees, how deep, and how much of each is taken."""

SHARE, FEATURES, LEAST = 0.8, 0.2, 2
"""So much of the answers, drawn anew for each tree, and of the features, drawn anew for each node, is looked
at; so many answers lie in a leaf, at least. Few features at a time keep one that tells much from hiding the
others (random forests: Breiman 2001, https://doi.org/10.1023/A:1010933404324).

Of 10,781 hands of other tiles of seeds 914 to 920 that may be finished, each told by the others, the log
likelihood is -798 by isotonic regression (:mod:`models.calibration`). With its estimate for pure steps used
for mixed ones it was -802; so told it was -817 with 0.35 of the features, -821 with a depth of 6 and 0.3 of
them, -821 with a tenth and three in a leaf. With a depth of 6, half of the answers, a tenth of the features
and five in a leaf it was -841, and -847 by beta calibration."""


def fit(seen: Array, right: Mask, seed: int = 0) -> Forest:
    """The trees that tell which answers, some right and some not, are right by their features (n, k)."""
    fitted = GradientBoostingClassifier(
        n_estimators=TREES, learning_rate=RATE, max_depth=DEPTH, subsample=SHARE, max_features=FEATURES,
        min_samples_leaf=LEAST, random_state=seed,
    ).fit(seen.astype(np.float32), right)  # fmt: skip
    nodes = 2**DEPTH - 1
    features, values = np.zeros((TREES, nodes)), np.full((TREES, nodes), np.inf)
    leaves = np.zeros((TREES, nodes + 1))
    for number, (tree,) in enumerate(fitted.estimators_):
        _put(tree.tree_, 0, 0, features[number], values[number], leaves[number])
    share = right.mean()
    parts = features, values, leaves * RATE, np.array(np.log(share / (1 - share)))
    return Forest(*(np.asarray(each, np.float32) for each in parts))


def _put(tree: Any, node: int, place: int, features: Array, values: Array, leaves: Array) -> None:
    """A node of a tree and all below it, at a place of the tree of full depth. A leaf that lies higher is the
    left end of what would be below it."""
    if place >= len(features):
        leaves[place - len(features)] = tree.value[node, 0, 0]
        return
    left, right = tree.children_left[node], tree.children_right[node]
    if left < 0:
        return _put(tree, node, 2 * place + 1, features, values, leaves)
    features[place], values[place] = tree.feature[node], tree.threshold[node]
    _put(tree, left, 2 * place + 1, features, values, leaves)
    _put(tree, right, 2 * place + 2, features, values, leaves)
