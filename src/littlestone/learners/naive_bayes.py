"""Naive Bayes: attributes that are independent, given the label."""

from __future__ import annotations

from littlestone.core.parameters import choice
from littlestone.learners.counting import Counting
from littlestone.machines.counting import Classes
from littlestone.machines.machine import Machine

__all__ = ["NaiveBayes"]


class NaiveBayes(Counting):
    """Bayes' rule as if the attributes were independent, given the label.

    Of t examples c_y had the label y, and of those o_yi had attribute i on. By Laplace's rule of succession
    ``P(y) = (c_y + 1)/(t + 2)`` and ``P(x_i = 1 | y) = (o_yi + 1)/(c_y + 2)``; predict 1 iff
    ``P(1) prod_i P(x_i | 1) > P(0) prod_i P(x_i | 0)``; then count the example. Attributes that are off count too.

    It is a linear threshold function: `hypothesis` gives the logarithms of the odds,
    ``w_i = ln [P(x_i=1|1) P(x_i=0|0) / (P(x_i=0|1) P(x_i=1|0))]``, and theta what the attributes that are off say.
    A trial costs the attributes that are on, and the number of distinct counts. Ties are decided in whole numbers.

    Rows must be Boolean, and the number of attributes known: from an array, or from ``begin(n)``.

    Bound
    -----
    None is known, for either policy; `guarantee` is None. Where rows are uniform and the probabilities are those of the
    whole population, it makes no mistake on any disjunction (Domingos and Pazzani); copies of one attribute mislead it.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.NaiveBayes()
    >>> ls.play(learner, ls.teachers.Disjunction(n=20, k=3, trials=500)).mistakes
    7
    >>> learner.hypothesis().w[:4].round(1).tolist()
    [5.7, 6.1, 6.1, 0.2]

    Reference
    ---------
    Domingos and Pazzani, "Beyond independence", ICML 1996; Helmbold, Panizza and Warmuth, "Direct and indirect
    algorithms for on-line learning of disjunctions" (1999), equation (4), which says no more than that the attributes
    are independent: Laplace's rule and the tie (0) are choices made here.
    """

    tells_n = ("on", ("n", 2))
    policy: str = choice(
        default="always",
        among=("mistakes", "always"),
        says='When to count an example. "mistakes" often does better where attributes are redundant, and worse '
        "elsewhere.",
    )

    def _build(self, n: int | None) -> Machine:
        return Classes(n, always=self.policy == "always")
