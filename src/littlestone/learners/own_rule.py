"""OwnRule: a learner with an update of one's own."""

from __future__ import annotations

from littlestone.core.errors import InvalidParameter
from littlestone.learners.arow import arow
from littlestone.learners.second_order import SecondOrder
from littlestone.machines.machine import Machine
from littlestone.machines.stepping import Stepping
from littlestone.parts.updates import Update

__all__ = ["OwnRule"]


class OwnRule(SecondOrder):
    """A linear learner that is updated as one's own function says; predict 1 iff ``w.x >= 0``.

    Parameters
    ----------
    rule : Update
        From `littlestone.rule`, of the first or of the second order; None: the rule of AROW with r = 1.
    bias : bool
        Add a constant coordinate, learned like any other. Without it x=0 is always taken for positive.
    covariance : "diagonal" or "full"
        Of a rule of the second order, as of `AROW`.

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

    def __init__(self, *, rule: Update | None = None, bias: bool = True, covariance: str = "diagonal") -> None:
        super().__init__(bias=bias, covariance=covariance)
        if rule is not None and not isinstance(rule, Update):
            raise InvalidParameter(
                f"OwnRule: rule must be a rule of learning, got {type(rule).__name__}; make one with littlestone.rule"
            )
        if rule is not None and rule.order == 1 and covariance != "diagonal":
            raise InvalidParameter("OwnRule: a rule of order 1 has no covariance, got covariance='full'; leave it out")
        self.rule = rule

    def _update(self) -> tuple[Update, tuple[float, ...]]:
        return (arow, (1.0,)) if self.rule is None else (self.rule, ())

    def _build(self, n: int | None) -> Machine:
        update, _ = self._update()
        if update.order == 2:
            return super()._build(n)
        return Stepping(update, when=update.when, bias=self.bias)
