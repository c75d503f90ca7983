"""Short names for the arrays of kernels, and for unsigned numbers: an unsigned index never counts from the end."""

from typing import Annotated, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

# The parameters of a kernel that Python calls say all that there is to know of its arguments: arrays are of one
# dimension and may be written to, unless they are marked.
READ = "read"
Grid = Annotated[T, 2]  # of two dimensions
Cube = Annotated[T, 3]  # of three
Read = Annotated[T, READ]  # only read, so that an array which cannot be written to will do

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Codes = NDArray[np.int32]  # of classes
Columns = NDArray[np.uint32]  # attributes by position, as rows have them
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Places = NDArray[np.int32]
Weights = NDArray[np.float64] | NDArray[np.float32]
Words = NDArray[np.uint64]
Whole = int | np.int64
Row = tuple[Columns, Floats, np.uint64, np.uint64]  # indices, values, and where a row begins and ends in them

MOST = 1e100  # the size of a value in a row, at most
ZERO, ONE, TWO, THREE, FOUR = (np.uint64(i) for i in range(5))
HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)  # half of the bits of a word, and the lower half of a word
LANES = 16  # rows whose bits are counted together
