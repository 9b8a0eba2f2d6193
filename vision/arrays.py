"""The arrays that reading hands about, by what they hold."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
"""What is reckoned with: millimetres, probabilities, matrices."""

Array32: TypeAlias = NDArray[np.float32]
"""What the networks and pictures take and give: maps, and quads in pixels."""

Pixels: TypeAlias = NDArray[np.uint8]
"""(height, width, 3) RGB, or (n, height, width, 3)."""

Indices: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]
