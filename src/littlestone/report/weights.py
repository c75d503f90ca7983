"""The largest weights of a learner, as explain finds them; quick, for they are shown unasked."""

from __future__ import annotations

from collections.abc import Hashable

from littlestone.core.errors import InvalidParameter
from littlestone.learners import Learner
from littlestone.models.explanation import Evidence, Explanation, explain

__all__ = ["listed_classes", "weights_of"]


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


def listed_classes(found: Explanation) -> tuple[tuple[Hashable, tuple[Evidence, ...], tuple[Evidence, ...]], ...]:
    """Return the evidence of each class; of two classes that of the positive one, for the other mirrors it."""
    if len(found.classes) != 2:
        return found.classes
    return (max(found.classes, key=lambda one: (isinstance(one[0], str), one[0])),)
