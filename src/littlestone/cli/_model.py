"""A model from a file, how files are read for it, and a quick start."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from littlestone.learners import Learner

__all__ = ["first_number", "is_binary", "model_of", "start"]

BLAS = "scipy.linalg.cython_blas"


def start() -> None:
    """Import Numba without SciPy's linear algebra, which no kernel here calls: it takes a fifth of a second."""
    if "numba.np.arraymath" in sys.modules or BLAS in sys.modules:
        return
    sys.modules[BLAS] = None  # type: ignore[assignment]  # to import it is an error, which Numba expects
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules[BLAS]


def is_binary(learner: Learner) -> bool:
    """Tell whether a learner knows its two labels: of many classes, a new file may have others."""
    return learner.labels is not None and not learner.many


def first_number(reading: dict[str, Any], zero_based: bool | None) -> tuple[int, str]:
    """Return the number of a model's first attribute as its file counts, and whose count that is."""
    if reading.get("hash_bits") is not None:
        return 0, "columns of hashed names"
    if reading.get("format") == "svmlight" or zero_based is not None:
        zero = reading.get("zero_based", False) if zero_based is None else zero_based
        return 0 if zero else 1, "as in its file"
    return (0, "as in its file") if "format" in reading else (1, "as in svmlight files")


def model_of(path: str) -> tuple[Learner, dict[str, Any]]:
    """Return the learner of a model file, and the options with which the file was read that it learned from."""
    from littlestone.models.files import inspect_model, load
    from littlestone.models.training import described

    record = described(inspect_model(path))
    learner = load(path)
    reading = {} if record is None else dict(record.reading)
    if is_binary(learner):
        reading["labels"] = learner.labels
    return learner, reading
