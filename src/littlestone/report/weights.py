"""The largest weights of a learner, as explain finds them; quick, for they are shown unasked."""

from __future__ import annotations

from littlestone.core.errors import InvalidParameter
from littlestone.learners import Learner
from littlestone.models.explanation import Explanation, explain

__all__ = ["weights_of"]


def weights_of(learner: Learner, top: int) -> Explanation:
    """Return the explanation of a learner with ``top`` weights of each side, without looking for sets of attributes.

    >>> import littlestone as ls
    >>> learner = ls.Perceptron()
    >>> _ = ls.play(learner, ls.teachers.Disjunction(n=20, k=2, trials=300))
    >>> [one.attribute for one in weights_of(learner, top=2).supports]
    [1, 0]
    """
    if learner.inner:
        raise InvalidParameter(
            f"plot: expected a learner with weights of its own, got {type(learner).__name__}, which is made of "
            f"learners ({', '.join(learner.inner)}); plot one of these: learner.inner[...]"
        )
    return explain(learner, top=top, max_size=1)
