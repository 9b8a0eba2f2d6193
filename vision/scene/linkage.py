"""Which detections belong together, by the scene model's log odds for each pair."""

from __future__ import annotations

import numpy as np

from vision.arrays import Array


def average_linkage(same: Array, counts: Array | float = 1.0, most: float = np.inf) -> list[list[int]]:
    """Clusters of n detections, by average linkage (Sokal and Michener 1958) of log odds ``same`` (n, n), as
    long as their mean is positive. ``counts`` (n,): what each counts for; no cluster counts for more than
    ``most``."""
    total, number = same.copy(), np.ones(len(same))
    weight = number * counts
    np.fill_diagonal(total, -np.inf)
    groups = [[k] for k in range(len(same))]
    while True:
        mean = total / np.outer(number, number)
        mean[weight[:, None] + weight > most] = -np.inf
        if not (mean > 0).any():
            return [group for group in groups if group]
        one, other = divmod(int(mean.argmax()), len(same))
        groups[one] += groups[other]
        groups[other] = []
        number[one], weight[one] = number[one] + number[other], weight[one] + weight[other]
        total[one] += total[other]
        total[:, one] = total[one]
        total[one, one] = total[other] = total[:, other] = -np.inf
