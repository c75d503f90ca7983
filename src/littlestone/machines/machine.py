"""The contract of machines: all that a learner and the rooms above ask of what it computes with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from math import inf
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, Ints, State
from littlestone.core.errors import LittlestoneError
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.rows import Rows, check_size
from littlestone.engine.dicts import LONG_WAY
from littlestone.machines.power_table import Table
from littlestone.machines.sound import Kinds, Loaded, check_kinds, check_numbers, need
from littlestone.parts.links import Rule

__all__ = ["Alone", "Exactly", "Hypothesis", "Machine", "Names", "Seen", "of_kind", "size_kept"]

M = TypeVar("M", bound="Machine")
Names = dict[Any, Any]
Outcomes = NDArray[Any]  # and predictions: codes of labels


class Exactly(NamedTuple):
    """The weights of some attributes as they are, not as floats show them."""

    weight: Callable[[int], Fraction]  # of the i-th of them
    constant: Fraction
    theta: Fraction
    rounding: float  # relatively: how far the machine's own sums may be off; 0: they are exact, inf: nobody knows
    exponents: NDArray[np.int64] | None = None  # promotions and demotions of each, or the difference and 0
    apart: bool = False  # whether promotions and demotions are separate there


class Seen(NamedTuple):
    """What a regressor's machine has seen: the largest row so far, and the first trials beyond what was stated.

    Trials count from 1; None: there was none. ``steep``: a step that left a larger error on its own row.
    """

    largest: float
    beyond_X: int | None
    beyond_Y: int | None
    steep: int | None

    @classmethod
    def of(cls, seen: Floats) -> Seen:
        """Return it as the engine has it, in an array."""
        largest, *trials = seen.tolist()
        return cls(largest, *(int(trial) or None for trial in trials))


class Machine(ABC):
    """What a learner computes with: arrays in, arrays out, no names and no labels.

    A machine writes `learn`, `score`, `weights`, `state` and `restore`, says which arrays a state has (`kinds`) and
    checks what must hold of them (`check`); the rest has defaults. It keeps its counts in ``_counts``: the numbers of
    updates, promotions and demotions stand there together, the first at ``_updates``.

    >>> import littlestone as ls
    >>> machine = ls.Winnow().begin(4).machine
    >>> isinstance(machine, ls.learners.Machine), machine.theta, sorted(machine.state())
    (True, 4.0, ['counts', 'exponents', 'states'])
    """

    theta: float = 0.0
    rule: Rule | None = None  # of an algorithm of the quasi-additive family
    table: Table | None = None  # of exact weights, where it keeps whole exponents
    seen: Seen | None = None  # of a regressor: how large rows and outcomes were
    signed: bool = False  # whether rows have come with -1 for what others leave out
    quick: ClassVar[bool] = False  # whether it takes one dict, at a fraction of the cost of a block
    takes_every_row: ClassVar[bool] = False  # whether `learn` and `grow` refuse no row that was checked
    kinds: ClassVar[Kinds] = MappingProxyType({})  # the arrays of a state
    optional: ClassVar[frozenset[str]] = frozenset()  # those of them that may be missing, all together
    infinite: ClassVar[frozenset[str]] = frozenset()  # those in which numbers may be infinite
    _size: int = 0
    _counts: Ints
    _updates: ClassVar[int] = 1

    # The game

    @property
    def size(self) -> int:
        """How many attributes have weights of their own; any other has the initial weight."""
        return self._size

    @property
    def classes(self) -> int | None:
        """How many classes it knows; None: there are two labels."""
        return None

    @abstractmethod
    def learn(self, rows: Rows, outcomes: Outcomes, importance: Floats) -> Outcomes:
        """Predict, then update, row by row; return the predictions. A refusal undoes the rows before it."""

    @abstractmethod
    def score(self, rows: Rows) -> tuple[Outcomes, Floats]:
        """Return the predictions and w.x - theta of each row; change nothing, so that many threads may ask at once."""

    def grow(self, size: int) -> None:
        """Give weights of their own to ``size`` attributes."""
        if size > self._size:
            check_size(size)
            self._size = size

    def shrink(self, size: int) -> None:
        """Forget all but ``size`` attributes, where `learn` may refuse rows after it has grown for them."""
        del size

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of updates, promotions and demotions."""
        updates, promotions, demotions = self._counts[self._updates : self._updates + 3].tolist()
        return updates, promotions, demotions

    # One dict at a time. ``columns`` has the column of each name. What comes back is the prediction, or LONG_WAY:
    # nothing has been done, and the example is to be taken as a row.

    def limit(self, least: float, largest: float) -> None:
        """Set the range of values that `learn_one` takes from a dict; before, it takes none."""
        del least, largest

    def learn_one(self, x: Names, columns: Names, outcome: int) -> int:
        """Predict one example, then update."""
        del x, columns, outcome
        return LONG_WAY

    def predict_one(self, x: Names, columns: Names) -> int:
        """Predict one example; change nothing."""
        del x, columns
        return LONG_WAY

    # What it has come to

    @abstractmethod
    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes, and of the constant coordinate (0 without one)."""

    @property
    def exact_theta(self) -> Fraction:
        """The threshold, exactly."""
        return Fraction(self.theta)

    def unseen(self) -> float:
        """Return what an attribute weighs that nobody has seen; 0 where there can be none."""
        return 0.0

    def divisor(self, values: Floats) -> float:
        """Return what a row of these values is divided by before it is scored."""
        del values
        return 1.0

    def exactly(self, columns: Ints, weights: Floats, constant: float) -> Exactly:
        """Return the exact weights of some attributes, given as floats show them, and how far sums may be off."""
        del columns
        rounding = self._rounding(weights, constant)
        return Exactly(lambda i: Fraction(float(weights[i])), Fraction(constant), self.exact_theta, rounding)

    def _rounding(self, weights: Floats, constant: float) -> float:
        del weights, constant
        return inf

    def alone(self) -> Alone | None:
        """Return the machine if each of its weights stands alone: one can go, and the others stay what they are."""
        return None

    # Written down

    @abstractmethod
    def state(self) -> State:
        """Return all that has been learned, as arrays."""

    @abstractmethod
    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` gave."""

    def kinds_of(self, state: Loaded) -> Kinds:
        """Return which arrays such a state should have, and of what kind they are."""
        del state
        return self.kinds

    def check_kinds(self, state: Loaded) -> None:
        """Raise `Unsound` if these are not the arrays that a machine like this writes down."""
        kinds = self.kinds_of(state)
        missing = self.optional - state.keys()
        need(not missing or missing == self.optional, f"the arrays {sorted(self.optional)}, or none of them")
        need(state.keys() == kinds.keys() - missing, f"the arrays {sorted(kinds)}")
        check_kinds({name: kind for name, kind in kinds.items() if name in state}, state)

    def check(self, state: Loaded) -> None:
        """Raise `Unsound` if no game of a machine like this leads to such a state, whose arrays are of its kinds.

        What indexes an array must lie in it: kernels do not look.
        """
        for name, array in state.items():
            check_numbers(array, name, infinite=name in self.infinite)


class Alone(Machine):
    """A machine whose weights stand alone: what `Bounded` and `prune` need.

    Of many classes, what an attribute has is all of its weights together, a link in each class.
    """

    @abstractmethod
    def distances(self) -> Floats:
        """Return how far the dual of each attribute is from where it began; not 0 where anything has moved."""

    @abstractmethod
    def reset(self, columns: Ints) -> None:
        """Give attributes their initial weights again."""

    @abstractmethod
    def select(self, columns: Ints) -> State:
        """Return the state of these attributes alone, as `state` would."""

    def shown(self, columns: Ints) -> list[Any]:
        """Return what attributes weigh: a number each, or of many classes one by the number of each linked class.

        The column of one that nobody has seen is the size.
        """
        found: list[Any] = self.weights(self.size + 1)[0][columns].tolist()
        return found


def of_kind(machine: Machine, kind: Callable[..., M]) -> M:
    """Return a machine as what it is, a ``kind`` known to the learner that has made it."""
    assert isinstance(kind, type)
    assert isinstance(machine, kind)
    return cast("M", machine)


@contextmanager
def size_kept(machine: Machine | None) -> Iterator[None]:
    """Give a machine (or None: nothing) its size back if what is done here is refused; an interrupt refuses nothing."""
    size = 0 if machine is None else machine.size
    try:
        yield
    except LittlestoneError:
        if machine is not None:
            machine.shrink(size)
        raise
