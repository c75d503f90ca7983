"""Regressor: the public face of every learner that predicts numbers. A loss takes the place of mistakes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Never

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats, State
from littlestone.core.errors import DivergenceWarning
from littlestone.core.numbers import Numbers
from littlestone.learners.base import Learner
from littlestone.machines.machine import Seen
from littlestone.parts.losses import Loss, square

if TYPE_CHECKING:
    from littlestone.bounds import Bound, OpenBound, VoidBound

EXAMPLE = {"loss": 0.0, "norm": 1.0, "divergence": 1.0}  # of a target that nobody has described

__all__ = ["Regressor"]


class Regressor(Learner):
    """An on-line learner of numbers: it predicts one, is told the outcome, and pays the loss between the two.

    All that a `Learner` does with rows, names, files and threads it does too; what it learns are numbers, and
    predictions are numbers. It has a `loss` and makes no mistakes; there is no tie, and there are no labels.

    >>> import littlestone as ls
    >>> learner = ls.GradientDescent(eta=0.1)
    >>> learner.learn([[1, 0], [0, 1], [1, 1]], [1.0, 2.0, 3.5]).round(3).tolist()
    [0.0, 0.2, 1.12]
    >>> round(learner.loss, 3), learner.trials, learner.updates
    (9.904, 3, 3)
    """

    predicts_numbers = True
    _coding = Numbers  # type: ignore[assignment]

    def _prepare(self) -> None:
        super()._prepare()
        self._lost = 0.0
        self._warned = False

    # What it pays

    @property
    def measure(self) -> Loss:
        """The loss that it pays, and that its bound is about."""
        return square()

    @property
    def loss(self) -> float:
        """What it has lost so far, the losses of all trials together."""
        return self._lost

    def losses(self, predictions: ArrayLike, y: ArrayLike) -> Floats:
        """Return what predictions of some outcomes cost, each."""
        return self.measure(predictions, y)

    @property
    def mistakes(self) -> Never:
        """A regressor makes none: it has a `loss`."""
        raise AttributeError(f"{self._owner}: it predicts numbers, and makes no mistakes; ask for its loss")

    @property
    def labels(self) -> tuple[()]:
        """A regressor has none."""
        return ()

    @property
    def tie(self) -> Never:
        """A regressor has none."""
        raise AttributeError(f"{self._owner}: it predicts numbers, and has no tie")

    @property
    def guarantee(self) -> Bound | OpenBound | VoidBound | None:  # type: ignore[override]
        """The bound on its loss, or on its regret, that its parameters buy.

        It is about a target, a fixed u that predicts u.x: ``guarantee.at(loss=L, norm=D)`` is the bound if it loses L.
        None where no theorem is known to hold: among others where no X says how large rows are, or examples had
        weights. Where a row was larger than X it is void, and says from which trial on.

        >>> import littlestone as ls
        >>> ls.GradientDescent(X=2.0).guarantee.at(loss=5.0, norm=2.0).value
        42.0
        """
        bound = None if self._weighted else self._theorem()
        if bound is None:
            return None
        from littlestone.bounds import OpenBound, VoidBound

        missing = [name for name in bound.describing if name not in self._promise]
        found = OpenBound(bound, missing[0], tuple(missing[1:])) if missing else bound
        left = self._left()
        return VoidBound(found, left[1], left[0]) if left else found

    def _theorem(self) -> Bound | None:
        """Return the theorem that the parameters buy, with `_described` for what describes the target."""
        return None

    def _described(self, *names: str) -> dict[str, float]:
        """Return numbers that describe the target: those that were promised, or any."""
        return {name: self._promise.get(name, EXAMPLE[name]) for name in names}

    def _left(self) -> tuple[int, str] | None:
        """Return the first trial, from 1 on, that is not what the guarantee assumes, and why; None: there is none."""
        seen = self.seen
        beyond = [] if seen is None else [(seen.beyond_X, "a row", "X"), (seen.beyond_Y, "an outcome", "Y")]
        found = [(trial, what, name) for trial, what, name in beyond if trial is not None]
        if not found:
            return None
        trial, what, name = min(found)
        return trial, f"{what} is larger than {name} = {getattr(self, name):g}"

    # Inside

    def _outcomes(self, block: Any, y: ArrayLike | None) -> tuple[Any, Any]:
        numbers: Any
        numbers, known = super()._outcomes(block, y)
        self.measure.check(self._owner, numbers)
        return numbers, known

    def _outcome(self, y: Any) -> tuple[Any, Any]:
        number: Any
        number, known = super()._outcome(y)
        self.measure.check(self._owner, number)
        return number, known

    def _pay(self, predictions: NDArray[Any], outcomes: NDArray[Any]) -> None:
        _, self._lost = self.measure.added(predictions, outcomes, self._lost)
        if not self._warned and (why := self._diverges()) is not None:
            self._warned = True
            warnings.warn(f"{self._owner}: {why}", DivergenceWarning, stacklevel=4)

    def _diverges(self) -> str | None:
        """Return why its weights may grow without end, None if nothing says so."""
        return None

    @property
    def seen(self) -> Seen | None:
        """How large rows were, and the first trials beyond what was stated; None before it has begun."""
        return None if self._machine is None else self._machine.seen

    def mark(self) -> Callable[[], None]:
        """Return what takes the counts of later trials back; what was learned from them stays."""
        return partial(vars(self).update, {"_trials": self._trials, "_lost": self._lost})

    def state(self) -> State:
        """Return all that has been learned, as a dict of arrays."""
        return super().state() | {"loss": np.array(self._lost)}

    def _take(self, state: Mapping[str, NDArray[Any]]) -> None:
        super()._take(state)
        self._lost = float(state["loss"])
