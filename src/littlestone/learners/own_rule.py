"""OwnRule: a learner with an update of one's own."""

from __future__ import annotations

from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import anything
from littlestone.learners.arow import arow
from littlestone.learners.second_order import SecondOrder
from littlestone.machines.machine import Machine
from littlestone.machines.stepping import Stepping
from littlestone.parts.updates import Update

__all__ = ["OwnRule"]


def _rule(owner: str, name: str, value: Any) -> Any:
    """Refuse what is no rule of learning."""
    if not isinstance(value, Update):
        raise InvalidParameter(
            f"{owner}: {name} must be a rule of learning, got {type(value).__name__}; make one with littlestone.rule"
        )
    return value


class OwnRule(SecondOrder):
    """A linear learner that is updated as one's own function says; predict 1 iff ``w.x >= 0``.

    A row's weight is given to the rule.

    Bound
    -----
    That of the rule, if its owner can prove one; none is claimed here.

    Example
    -------
    The Perceptron with a margin, and steps that become shorter:

    >>> import littlestone as ls
    >>> shorter = ls.rule(lambda m, square, weight, trial: weight / trial**0.5, order=1)
    >>> learner = ls.OwnRule(rule=shorter, bias=False)
    >>> learner.learn([[1, 0], [0, 1], [1, 1], [1, 0]], [1, 0, 1, 1]).tolist()
    [1, 1, 1, 1]
    >>> learner.hypothesis().w.round(4).tolist()
    [1.5774, -0.1298]
    """

    rule: Update | None = anything(
        default=None,
        takes="Update",
        check=_rule,
        says="From `littlestone.rule`, of the first or of the second order; None: the rule of AROW with r = 1.",
    )

    def _check(self) -> None:
        if self.rule is not None and self.rule.order == 1 and self.covariance != "diagonal":
            raise InvalidParameter("OwnRule: a rule of order 1 has no covariance, got covariance='full'; leave it out")

    def _update(self) -> tuple[Update, tuple[float, ...]]:
        return (arow, (1.0,)) if self.rule is None else (self.rule, ())

    def _build(self, n: int | None) -> Machine:
        update, _ = self._update()
        if update.order == 2:
            return super()._build(n)
        return Stepping(update, when=update.when, bias=self.bias)
