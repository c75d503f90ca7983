"""Modified Balanced Winnow: the single-pass learner of Carvalho and Cohen."""

from __future__ import annotations

from littlestone.core.parameters import flag, number
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.stepping import Pairs

__all__ = ["ModifiedBalancedWinnow"]


class ModifiedBalancedWinnow(Learner):
    """Balanced Winnow on normalised rows, with a margin, whose factors depend on the values.

    Rows are normalised: ``x' = x / sum(x)``, the constant coordinate counted. Score: ``(u - v).x' - theta``; predict 1
    iff it is at least 0. Update where y score <= margin, with y in {-1, +1}, each attribute with x' > 0:

    - y = +1: ``u_i <- u_i alpha (1 + x'_i)``, ``v_i <- v_i beta (1 - x'_i)``;
    - y = -1: ``u_i <- u_i beta (1 - x'_i)``, ``v_i <- v_i alpha (1 + x'_i)``;

    from u = 2, v = 1. As x' sums to 1, `hypothesis` is w = u - v - theta with the threshold 0; `activation` is the
    score.

    Values must not be negative. An example's weight is the power to which its factors are raised.

    Bound
    -----
    None is known; `guarantee` is None.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.ModifiedBalancedWinnow()
    >>> [learner.learn_one(set(text.split()), spam) for text, spam in (("cheap pills", 1), ("lunch today", 0))]
    [1, 1]
    >>> learner.predict_one({"cheap", "lunch"}), learner.predict_one({"lunch", "tomorrow"})
    (1, 0)

    Reference
    ---------
    Carvalho and Cohen, "Single-pass online learning: performance, voting schemes and online feature selection", KDD
    2006.
    """

    domain = "non-negative"
    narrow = True
    alpha: float = number(default=1.5, above=1, says="The promotion factor.")
    beta: float = number(default=0.5, above=0, below=1, says="The demotion factor.")
    theta: float = number(default=1.0, says="The threshold.")
    margin: float = number(
        default=1.0, above=0, ends="[)", says="Update also where the score is right by no more than this."
    )
    bias: bool = flag(
        default=True,
        says="Add a constant coordinate of the value 1 to each row. Without it a row of one attribute has x' = 1, and "
        "sets a model's weight to 0 for good; a row of none says -theta and changes nothing.",
    )

    def _build(self, n: int | None) -> Machine:
        del n
        return Pairs([float(self.theta), float(self.alpha), float(self.beta), float(self.margin), float(self.bias)])
