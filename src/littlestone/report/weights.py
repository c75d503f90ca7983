"""The largest weights of a learner, as explain finds them; quick, for they are shown unasked."""

from __future__ import annotations

from math import inf, log2

from littlestone.core.errors import InvalidParameter
from littlestone.learners import Learner
from littlestone.learners.composite import Composite
from littlestone.models.explanation import Explanation, explain

__all__ = ["reach", "scale_note", "weights_of"]


def weights_of(learner: Learner, top: int) -> Explanation:
    """Return the explanation of a learner with ``top`` weights of each side, without looking for sets of attributes.

    >>> import littlestone as ls
    >>> learner = ls.Perceptron()
    >>> _ = ls.play(learner, ls.teachers.Disjunction(n=20, k=2, trials=300))
    >>> [one.attribute for one in weights_of(learner, top=2).supports]
    [1, 0]
    """
    if isinstance(learner, Composite) and learner.explained is None:
        raise InvalidParameter(
            f"plot: expected a learner with weights of its own, got {type(learner).__name__}, which is made of "
            f"learners ({', '.join(learner.inner)}); plot one of these: learner.inner[...]"
        )
    return explain(learner, top=top, max_size=1)


def reach(weight: float, start: float) -> float:
    """Return how far a weight has come: from 0, or from the weight at which all begin, in doublings.

    A Winnow weight of 1/8 is as far from 1 as one of 8, though a bar of its size could not be seen.

    >>> reach(-2.5, 0.0), reach(8.0, 1.0), reach(0.125, 1.0), reach(0.0, 1.0)
    (-2.5, 3.0, -3.0, -inf)
    """
    if start <= 0.0:
        return weight
    return log2(weight / start) if weight > 0.0 else -inf


def scale_note(start: float) -> list[str]:
    """Return what bars are where they are not of the weights themselves."""
    if start <= 0.0:
        return []
    begins = f"from {start:.6g}, where every attribute begins; the scale is logarithmic."
    return [f"Bars: by which factor a weight has risen (to the right) or fallen (to the left) {begins}"]
