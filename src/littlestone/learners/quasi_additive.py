"""The quasi-additive family, written once: ``z += step x`` on a mistake, ``w = link(z)``.

`Rule` says what an algorithm is: its link, its two steps, where the duals start, the threshold and the tie. `Duals` is
the machine that plays by a rule. `QuasiAdditive` is the family as a learner, for links of one's own; the named
learners are short compositions over the same two.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import anything, flag, number
from littlestone.engine.learning import duals
from littlestone.learners.base import Learner
from littlestone.machines.duals import Duals
from littlestone.machines.machine import Machine
from littlestone.parts import links
from littlestone.parts.links import Link, Rule

__all__ = ["Duals", "QuasiAdditive", "QuasiAdditiveLearner", "Rule"]


def _link(owner: str, name: str, value: Any) -> Link | None:
    if value is not None and not isinstance(value, Link):
        raise InvalidParameter(
            f"{owner}: {name} must be a Link, got {type(value).__name__}; make one with littlestone.link"
        )
    return value


def _dtype(owner: str, name: str, value: Any) -> str:
    if value not in ("float64", "float32", np.float64, np.float32):
        raise InvalidParameter(f"{owner}: {name} must be 'float64' or 'float32', got {value!r}")
    return str(np.dtype(value).name)


class QuasiAdditiveLearner(Learner):
    """A learner of the family: the parameters that all of them have."""

    averaged: bool = flag(default=False, says="Predict with the mean of all hypotheses so far.")
    margin: float = number(
        default=0.0,
        above=0,
        ends="[)",
        says="Update also where ``y (w.x - theta) <= margin``, with y in {-1, +1}; 0: on mistakes only.",
    )
    negations: bool = flag(
        default=False, says="Learn from (x, 1 - x): a literal and its negation have a weight each; n must be known."
    )
    dtype: str = anything(
        default="float64",
        takes='"float64" or "float32"',
        check=_dtype,
        says='The type of the weights; with "float32" numbers must be 0 or of a size from 1e-30 to 1e30.',
    )
    randomized = False  # unless a learner has it as a parameter

    def _check(self) -> None:
        if self.randomized and (self.averaged or self.margin):
            raise InvalidParameter(f"{self._owner}: randomized goes with neither averaged nor margin; leave them out")
        for name, value in self.params().items() if self.dtype == "float32" else ():
            for one in np.atleast_1d(np.asarray(value, dtype=object)).tolist():
                real = isinstance(one, int | float | Fraction | np.number) and not isinstance(one, bool)
                if real and name != "seed" and one and not 1e-30 <= abs(one) <= 1e30:
                    raise InvalidParameter(
                        f"{self._owner}: {name} must be 0 or of a size from 1e-30 to 1e30 with float32 "
                        f"weights, got {one!r}"
                    )


class QuasiAdditive(QuasiAdditiveLearner):
    """The family with a link of one's own.

    Update on a mistake: ``z <- z + eta y x`` with y in {-1, +1}; weights ``w = link(z)``; predict 1 iff w.x >= theta.

    Duals are held between -1e150 and 1e150 (float32: 1e25), and so are weights by a link of one's own (float32: 1e18).
    Where such a link has no number, as e^z / (1 + e^z) for z = 1000, half of the step is made, or half of that, ...

    Bound
    -----
    That of the link's potential, if its owner can prove one; none is claimed here.

    Example
    -------
    >>> import littlestone as ls
    >>> cubic = ls.link(lambda z: z * z * z)
    >>> learner = ls.QuasiAdditive(link=cubic, bias=False, theta=1.0)
    >>> learner.learn([[1, 1, 0], [1, 0, 0], [0, 0, 1]], [1, 1, 0]).tolist()
    [0, 1, 0]
    >>> learner.hypothesis().w.tolist()
    [1.0, 1.0, 0.0]

    Reference
    ---------
    Grove, Littlestone and Schuurmans, "General convergence results for linear discriminant updates", Machine
    Learning 43 (2001).
    """

    link: Link | None = anything(
        default=None,
        takes="Link",
        check=_link,
        says="From `littlestone.link` or `littlestone.parts.links`; None: the identity, which is the Perceptron.",
    )
    eta: float = number(default=1.0, above=0, says="How far a mistake moves the duals.")
    theta: float = number(default=0.0, says="The threshold.")
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")
    start: float = number(
        default=0.0,
        says="The dual of every attribute before the first trial. Where weights that are not 0 are divided by a sum of "
        "all (`exponential`, or `p_norm` with another start than 0), n is needed, unless the scale decides "
        "nothing.",
    )

    def _check(self) -> None:
        super()._check()
        if self.link is not None and np.isnan(self.link(self.start)):
            raise InvalidParameter(
                f"{self._owner}: start: link {self.link.name} has no number at {self.start!r}, got nan"
            )

    @property
    def _counts_all(self) -> bool:  # type: ignore[override]
        """Whether attributes that are never on count too: where weights that are not 0 are divided by a sum of all."""
        scale = duals.UNSCALED if self.link is None else self.link.scale
        return scale == duals.SUM or (scale == duals.NORM and self.start != 0.0)

    def _needs_n(self) -> bool:
        # Where the scale decides nothing, what is not seen yet does not matter.
        return self._counts_all and (self.theta != 0.0 or self.averaged or self.margin > 0.0)

    def _build(self, n: int | None) -> Machine:
        link = links.identity() if self.link is None else self.link
        given = {"link": link, "start": self.start, "theta": self.theta, **links.options_of(self)}
        if link.code in (duals.IDENTITY, duals.P_NORM):
            return Duals(Rule.counted(self.eta, **given), n)
        return Duals(Rule(up=self.eta, down=-self.eta, **given), n)
