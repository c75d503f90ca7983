"""Short names for the arrays that go from room to room."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bools", "Bytes", "Codes", "Columns", "Floats", "Ints", "State", "Words"]

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Codes = NDArray[np.uint8]  # outcomes and predictions: 0 or 1
Columns = NDArray[np.uint32]  # attributes by position, as rows have them
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
State = dict[str, NDArray[Any]]  # what has been learned
