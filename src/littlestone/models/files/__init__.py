"""Model files: a learner written down, and taken up again where it stopped.

A file is an npz archive without pickles: a JSON header and plain arrays, which ``numpy.load`` reads too. Arrays of
which most entries are equal (weights that never moved) are kept as the entries that differ. The header holds the
SHA-256 of every array, and of itself.

`MOST_BYTES` is how much room the arrays of a file may take, unless a caller allows more.

>>> from littlestone.models.files import MOST_BYTES
>>> MOST_BYTES == 2**31
True
"""

from littlestone.models.files.checkpoint import Checkpoint
from littlestone.models.files.files import MOST_BYTES, inspect_model, load, load_all, save
from littlestone.models.files.rest import Rest

__all__ = ["MOST_BYTES", "Checkpoint", "Rest", "inspect_model", "load", "load_all", "save"]
