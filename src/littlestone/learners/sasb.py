"""SASB: the apobayesian relative of SBSB, which counts its mistakes alone."""

from __future__ import annotations

from littlestone.learners.sbsb import SBSB

__all__ = ["SASB"]


class SASB(SBSB):
    """The apobayesian relative: the same rule as SBSB, but a trial counts only if it was a mistake.

    Predict as `SBSB` does, with t, M and s_i counted over the mistakes alone. The independence that the model asks for
    is no longer needed: it learns disjunctions and other linearly separable functions, as Winnow does.

    Rows must be Boolean, and the number of attributes known: from an array, or from ``begin(n)``. There is no
    parameter.

    Bound
    -----
    The authors prove O(d^-2 log(n/d)) mistakes where the margin is d; neither the constant nor, with certainty, the
    argument of the logarithm could be read, so none is claimed and `guarantee` is None.

    Example
    -------
    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=20, k=3, trials=500)
    >>> ls.play(ls.SASB(), stream).mistakes, ls.play(ls.SBSB(), stream).mistakes
    (20, 101)

    Reference
    ---------
    Littlestone and Mesterharm, "An apobayesian relative of Winnow", NIPS 9 (1996), whose names these are. That they are
    the Singly Variant Bayes (SVB) of Helmbold, Panizza and Warmuth (1999) is inferred.
    """

    _always = False
