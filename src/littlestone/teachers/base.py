"""Teacher: somebody who chooses the next example having seen what the learner would say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.hypothesis import Hypothesis

__all__ = ["Teacher", "View"]


class View(Protocol):
    """What a teacher may see of the learner; looking changes nothing.

    >>> import numpy as np
    >>> import littlestone as ls
    >>> class Curious(ls.Teacher):
    ...     n_attributes = 2
    ...     def trial(self, view):
    ...         row = np.array([1, 0])
    ...         print(view.trials, view.predict(row), view.activation(row))
    ...         return (row, 0) if view.trials < 2 else None
    >>> run = ls.play(ls.Perceptron(), Curious())
    0 1 0.0
    1 0 -2.0
    2 0 -2.0
    """

    @property
    def trials(self) -> int:
        """How many trials have been played."""

    def predict(self, row: ArrayLike) -> int:
        """Return the learner's prediction of ``row``, 0 or 1."""

    def activation(self, row: ArrayLike) -> float:
        """Return the learner's ``w.x - theta`` at ``row``."""

    def hypothesis(self) -> Hypothesis | None:
        """Return the learner's current weights and threshold."""


class Teacher(ABC):
    """An opponent, asked for one trial at a time. ``target`` is the concept it is bound to, where it has one.

    >>> import numpy as np
    >>> import littlestone as ls
    >>> class Contrary(ls.Teacher):
    ...     "Always the label that the learner does not predict."
    ...     n_attributes = 2
    ...     def trial(self, view):
    ...         row = np.array([1, view.trials % 2])
    ...         return row, 1 - view.predict(row)
    >>> ls.play(ls.Perceptron(), Contrary(), trials=20).mistakes
    20
    """

    n_attributes: int
    target: NDArray[Any] | None = None

    def begin(self, view: View) -> None:  # noqa: B027 - most teachers have nothing to prepare
        """Look at the learner before the first trial."""

    @abstractmethod
    def trial(self, view: View) -> tuple[NDArray[np.generic], int] | None:
        """Return the next row (one number an attribute) and its outcome (0 or 1), or None at the end."""
