"""SBSB: singly variant Bayes, in which one attribute tells the label."""

from __future__ import annotations

from littlestone.learners.counting import Counting
from littlestone.machines.counting import Agreements
from littlestone.machines.machine import Machine

__all__ = ["SBSB"]


class SBSB(Counting):
    """Bayes' rule where one attribute, nobody knows which, equals the label with a probability that nobody knows.

    The model: labels are 1 with an unknown probability; one attribute, each as likely, equals the label with an unknown
    probability; the others are fair coins. Of t trials M were positive, and s_i had x_i = y. Predict 1 iff

    ``(M+1) sum_i [x_i (s_i+1) + (1-x_i)(t-s_i+1)] / C(t, s_i) > (t-M+1) sum_i [(1-x_i)(s_i+1) + x_i (t-s_i+1)] /
    C(t, s_i)``; then, after every trial, ``t += 1``, ``M += y``, ``s_i += [x_i = y]``.

    With the posterior ``P_i = (1/C(t, s_i)) / sum_j (1/C(t, s_j))`` that is the linear threshold function
    ``sum_i x_i P_i (2 s_i - t) > sum_i P_i (s_i - M)``, and so `hypothesis` gives it. Attributes that are off count
    too. A trial costs the attributes that are on, and the number of distinct s_i; binomials are kept as logarithms, and
    what these cannot decide is decided in whole numbers, as long as these have at most 2^27 digits.

    Rows must be Boolean, and the number of attributes known: from an array, or from ``begin(n)``. There is no
    parameter.

    Bound
    -----
    None is claimed: this is the best that can be done where the model is true, and may do badly elsewhere.

    Example
    -------
    >>> import numpy as np
    >>> from littlestone.learners import SBSB
    >>> learner = SBSB()
    >>> learner.learn(np.array([[1, 0], [0, 1], [1, 1], [1, 0]]), [1, 0, 1, 1]).tolist()
    [0, 0, 0, 1]
    >>> learner.hypothesis().w.round(2).tolist()
    [3.2, -0.4]

    Reference
    ---------
    Littlestone and Mesterharm, "An apobayesian relative of Winnow", NIPS 9 (1996), whose names these are. That they are
    the Singly Variant Bayes (SVB) of Helmbold, Panizza and Warmuth (1999) is inferred.
    """

    tells_n = ("net", ("n",))

    _always = True

    def _build(self, n: int | None) -> Machine:
        return Agreements(n, always=self._always)
