"""What a learner computes with, and what it comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from littlestone.core.arrays import Codes, Floats, State
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.rows import Rows

__all__ = ["Hypothesis", "Machine", "Shrinking", "Single", "size_kept", "takes_every_row"]

Names = dict[Any, Any]


class Machine(Protocol):
    """What a learner computes with: arrays in, arrays out, no names and no labels."""

    theta: float

    @property
    def size(self) -> int:
        """How many attributes have weights of their own; any other has the initial weight."""

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions. A refusal undoes the rows before it."""

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row; change nothing."""

    def grow(self, size: int) -> None:
        """Give weights of their own to ``size`` attributes."""

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes, and of the constant coordinate (0 without one)."""

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of updates, promotions and demotions."""

    def state(self) -> State:
        """Return all that has been learned, as arrays."""

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""


def takes_every_row(machine: object) -> bool:
    """Tell whether a machine's `learn` and `grow` refuse no row that was checked; one that does not say so may."""
    return getattr(machine, "takes_every_row", False) is True


@runtime_checkable
class Shrinking(Protocol):
    """A machine whose `learn` may refuse rows after it has grown for them."""

    @property
    def size(self) -> int:
        """How many attributes there are."""

    def shrink(self, size: int) -> None:
        """Forget all but ``size`` attributes: nothing has been learned of the others."""


@contextmanager
def size_kept(machine: object) -> Iterator[None]:
    """Give a machine (or None: nothing) its size back if what is done here is refused."""
    size = machine.size if isinstance(machine, Shrinking) else 0
    try:
        yield
    except BaseException:
        if isinstance(machine, Shrinking):
            machine.shrink(size)
        raise


class Single:
    """What a machine is that also takes one dict, at a fraction of the cost of a block.

    ``columns`` has the column of each name. What comes back is the prediction, or LONG_WAY: nothing has been done, and
    the example is to be taken as a row.
    """

    def limit(self, least: float, largest: float) -> None:
        """Say which values a dict may be read with: none, if nobody has said it."""
        raise NotImplementedError

    def learn_one(self, x: Names, columns: Names, outcome: int) -> int:
        """Predict one example, then update."""
        raise NotImplementedError

    def predict_one(self, x: Names, columns: Names) -> int:
        """Predict one example; change nothing."""
        raise NotImplementedError
