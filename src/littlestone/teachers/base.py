"""Teacher: somebody who chooses the next example having seen what the learner would say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.hypothesis import Hypothesis

__all__ = ["Teacher", "View"]


class View(Protocol):
    """What a teacher may see of the learner; looking changes nothing."""

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
    """An opponent, asked for one trial at a time. ``target`` is the concept it is bound to, where it has one."""

    n_attributes: int
    target: NDArray[Any] | None = None

    def begin(self, view: View) -> None:  # noqa: B027 - most teachers have nothing to prepare
        """Look at the learner before the first trial."""

    @abstractmethod
    def trial(self, view: View) -> tuple[NDArray[np.generic], int] | None:
        """Return the next row (one number an attribute) and its outcome (0 or 1), or None at the end."""
