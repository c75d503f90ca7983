"""A model from a file, how files are read for it, and a quick start."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from littlestone.learners import Learner

__all__ = ["model_of", "start"]

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


def model_of(path: str) -> tuple[Learner, dict[str, Any]]:
    """Return the learner of a model file, and the options with which the file was read that it learned from."""
    from littlestone.model_file import inspect_model, load
    from littlestone.training import described

    record = described(inspect_model(path))
    learner = load(path)
    reading = {} if record is None else dict(record.reading)
    if learner.labels is not None and len(learner.labels) == 2:  # of more, a new file may have others
        reading["labels"] = tuple(learner.labels)
    return learner, reading
