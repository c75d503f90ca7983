"""Perceptron: the additive learner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from littlestone import bounds
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import anything, check_number, check_numbers, flag, number
from littlestone.learners.quasi_additive import QuasiAdditiveLearner
from littlestone.machines.duals import Duals
from littlestone.machines.machine import Machine
from littlestone.parts import links
from littlestone.parts.links import Rule

if TYPE_CHECKING:
    from littlestone.bounds import Bound

__all__ = ["Perceptron"]


def _start(owner: str, name: str, value: Any) -> Any:
    if isinstance(value, Sequence | np.ndarray):
        if np.ndim(value) != 1 or len(value) == 0:
            raise InvalidParameter(f"{owner}: {name} must be a number, or one an attribute, got {value!r}")
        check_numbers(owner, name, value)
    else:
        check_number(owner, name, value)
    return value


class Perceptron(QuasiAdditiveLearner):
    """Add the examples it misses, subtract those it takes for positive.

    Update on a mistake: ``w <- w + eta y x`` with y in {-1, +1}. Predict 1 iff ``w.x >= theta``.

    Bound
    -----
    On a disjunction of k attributes, rows with at most X of them on: at most (4k+1)(X+1) mistakes; on data with
    margin gamma: R^2 |u|^2 / gamma^2, `bounds.perceptron_margin` and `bounds.perceptron_convergence`. On any data, by
    what u loses: `bounds.perceptron_losses`, `bounds.perceptron_mistake_losses` and `bounds.perceptron_hinge`.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.Perceptron(bias=False)
    >>> learner.learn([[1, 0, 1], [0, 1, 1], [1, 1, 0], [1, 0, 1]], [1, 0, 1, 1]).tolist(), learner.mistakes
    ([1, 1, 0, 1], 2)
    >>> learner.weights()
    {0: 1.0, 1: 0.0, 2: -1.0}

    Reference
    ---------
    Rosenblatt, "The perceptron", Psychological Review 65 (1958); Kivinen and Warmuth, "The Perceptron algorithm vs.
    Winnow", COLT 1995.
    """

    eta: float = number(
        default=1.0,
        above=0,
        says="The step. From zero, with theta 0, it changes no prediction; 1, 2 or 1/2 keep ties exact, 0.1 does not.",
    )
    theta: float = number(default=0.0, says="The threshold.")
    bias: bool = flag(
        default=True,
        says="Add a constant coordinate, learned like any other. Without it theta=0 can never learn that x=0 is "
        "negative.",
    )
    w1: float | Sequence[float] | NDArray[np.float64] = anything(
        default=0.0,
        takes="float or sequence of floats",
        check=_start,
        says="The weights before the first trial, one for all or one an attribute (the constant coordinate then starts "
        "at 0).",
    )

    @property
    def exchangeable(self) -> bool:  # type: ignore[override]
        """Whether permuting the attributes permutes the weights: not where each has a start of its own."""
        return np.ndim(self.w1) == 0

    def _needs_n(self) -> bool:
        return np.ndim(self.w1) == 1

    def _build(self, n: int | None) -> Machine:
        start = np.asarray(self.w1, dtype=np.float64)
        if start.ndim == 1 and len(start) != n:
            raise InvalidParameter(f"Perceptron: w1 must have one number an attribute ({n}), got {len(start)}")
        rule = Rule.counted(self.eta, link=links.identity(), start=start, theta=self.theta, **links.options_of(self))
        return Duals(rule, n)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if attribute_errors or not self.bias or self.theta != 0.0 or np.any(self.w1):
            return None
        return bounds.perceptron_disjunction(k=k, X=n - 1)
