"""What learners that count share."""

from __future__ import annotations

from littlestone.core.arrays import Floats
from littlestone.core.rational import check_counted
from littlestone.learners.base import Learner

__all__ = ["Counting"]


class Counting(Learner):
    """A learner that counts Boolean attributes, those that are off too."""

    domain = "Boolean"
    _counts_all = True

    @property
    def tie(self) -> int:
        """0: predict 1 only where it is the more probable."""
        return 0

    def _needs_n(self) -> bool:
        return True

    def _check_weights(self, importance: Floats) -> None:
        check_counted(self._owner, importance, "it counts examples")
