"""The quasi-additive family, written once: ``z += step x`` on a mistake, ``w = link(z)``.

`Rule` says what an algorithm is: its link, its two steps, where the duals start, the threshold and the tie. `Duals` is
the machine that plays by a rule. `QuasiAdditive` is the family as a learner, for links of one's own; the named
learners are short compositions over the same two.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import Options, check_flag, check_number, check_options
from littlestone.engine.learning import duals
from littlestone.learners.base import Learner
from littlestone.machines.duals import Duals
from littlestone.machines.machine import Machine
from littlestone.parts import links
from littlestone.parts.links import Link
from littlestone.parts.rules import Rule, conservative

__all__ = ["Duals", "QuasiAdditive", "Rule", "take_options"]


def take_options(learner: Learner, options: Options) -> None:
    """Check the family's options and keep them as attributes of the learner."""
    for name, value in check_options(type(learner).__name__, options, learner.parameter_names()[:-4]).items():
        setattr(learner, name, value)
    if learner.dtype == "float32":
        for name, value in learner.params().items():
            numbers = np.atleast_1d(np.asarray(value, dtype=object))
            for number in numbers.tolist():
                real = isinstance(number, int | float | Fraction | np.number) and not isinstance(number, bool)
                if real and name != "seed" and number and not 1e-30 <= abs(number) <= 1e30:
                    raise InvalidParameter(
                        f"{type(learner).__name__}: {name} must be 0 or of a size from 1e-30 to 1e30 with float32 "
                        f"weights, got {number!r}"
                    )


class QuasiAdditive(Learner):
    """The family with a link of one's own.

    Update on a mistake: ``z <- z + eta y x`` with y in {-1, +1}; weights ``w = link(z)``; predict 1 iff w.x >= theta.

    Parameters
    ----------
    link : Link
        From `littlestone.link` or `littlestone.parts.links`; None: the identity, which is the Perceptron.
    eta : float > 0
        How far a mistake moves the duals.
    theta : float
        The threshold.
    bias : bool
        Add a constant coordinate, learned like any other.
    start : float
        The dual of every attribute before the first trial. Where weights that are not 0 are divided by a sum of all
        (`exponential`, or `p_norm` with another start than 0), n is needed, unless the scale decides nothing.

    Duals are held between -1e150 and 1e150 (float32: 1e25), and so are weights by a link of one's own (float32: 1e18).
    Where such a link has no number, as e^z / (1 + e^z) for z = 1000, half of the step is made, or half of that, ...
    averaged, margin, negations, dtype
        As on every learner of the family: predict with the mean of all hypotheses so far; update also where
        y (w.x - theta) <= margin; learn from (x, 1 - x); "float64" or "float32" weights.

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

    link: Link | None
    averaged: bool
    dtype: str

    def __init__(
        self,
        *,
        link: Link | None = None,
        eta: float = 1.0,
        theta: float = 0.0,
        bias: bool = True,
        start: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        super().__init__()
        if link is not None and not isinstance(link, Link):
            raise InvalidParameter(
                f"QuasiAdditive: link must be a Link, got {type(link).__name__}; make one with littlestone.link"
            )
        check_number("QuasiAdditive", "eta", eta, above=0.0)
        check_number("QuasiAdditive", "theta", theta)
        check_number("QuasiAdditive", "start", start)
        check_flag("QuasiAdditive", "bias", bias)
        if link is not None and np.isnan(link(start)):
            raise InvalidParameter(f"QuasiAdditive: start: link {link.name} has no number at {start!r}, got nan")
        self.link, self.eta, self.theta, self.bias, self.start = link, eta, theta, bias, start
        take_options(self, options)

    @property
    def _counts_all(self) -> bool:  # type: ignore[override]
        """Whether attributes that are never on count too: where weights that are not 0 are divided by a sum of all."""
        scale = duals.UNSCALED if self.link is None else self.link.scale
        return scale == duals.SUM or (scale == duals.NORM and self.start != 0.0)

    def _needs_n(self) -> bool:
        # Where the scale decides nothing, what is not seen yet does not matter.
        return self._counts_all and (self.theta != 0.0 or self.averaged or self.margin > 0.0)

    def _build(self, n: int | None) -> Machine:
        told: dict[str, Any] = {
            "link": links.identity() if self.link is None else self.link,
            "start": self.start, "theta": self.theta, "margin": conservative(self.margin),
            "bias": self.bias, "averaged": self.averaged, "dtype": self.dtype,
        }  # fmt: skip
        if told["link"].code in (duals.IDENTITY, duals.P_NORM):
            rule = Rule.counted(self.eta, **told)
        else:
            rule = Rule(up=self.eta, down=-self.eta, **told)
        return Duals(rule, n)
