"""Types of the arrays that the stages share."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
"""Values of computation: probabilities, matrices, lengths."""

Array32: TypeAlias = NDArray[np.float32]
"""Inputs and outputs of the networks, and quads in pixels."""

Pixels: TypeAlias = NDArray[np.uint8]
"""(height, width, 3) RGB, or (n, height, width, 3)."""

Indices: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]
