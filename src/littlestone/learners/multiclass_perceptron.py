"""The multiclass Perceptron: ultraconservative, for only classes that score too high are changed."""

from __future__ import annotations

from littlestone.core.parameters import choice, flag, number
from littlestone.learners.many_classes import Many
from littlestone.parts import links
from littlestone.parts.links import Rule, conservative

__all__ = ["MulticlassPerceptron"]


class MulticlassPerceptron(Many):
    """One weight vector a class; on an error the true one comes nearer, those that scored too high go away.

    Predict ``argmax_r w_r.x``. The error set: ``E = {r != y : w_r.x >= w_y.x - margin}``. If it is not empty,
    ``w_y <- w_y + x`` and ``w_r <- w_r - tau_r x`` for r in E, where the tau sum to 1.

    Bound
    -----
    On rows with |x| <= R that some weights with squares summing to 1 tell apart by gamma: at most 2 R^2 / gamma^2
    mistakes without ``bias``, 2 (R^2 + 1) / gamma^2 with it (the constant coordinate is one of x, and these weights
    may have one too), and one more for each class that was not named beforehand: `bounds.multiclass_perceptron`. Only
    with ``averaged=False``, ``margin=0`` and no weights of classes or examples: otherwise none is known.

    Example
    -------
    >>> learner = MulticlassPerceptron()
    >>> learner.learn([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0]], ["a", "b", "c", "b"]).tolist()
    [None, 'a', 'b', 'b']
    >>> learner.classes, learner.mistakes, learner.links
    (('a', 'b', 'c'), 3, 5)

    Reference
    ---------
    Crammer and Singer, "Ultraconservative online algorithms for multiclass problems", JMLR 3 (2003).
    """

    policy: str = choice(
        default="uniform",
        among=("top", "uniform", "proportional"),
        listed=True,
        says="All of tau to the highest class in E; the same to each; or in proportion to how far each is too high.",
    )
    bias: bool = flag(default=True, says="Add a constant coordinate to every class, learned like any other.")
    averaged: bool = flag(default=False, says="Predict with the mean of all hypotheses so far.")
    margin: float = number(default=0.0, above=0, ends="[)", says="The true class must win by more than this.")

    def _rule(self, n: int | None) -> Rule:
        del n
        return Rule(
            link=links.identity(), up=1.0, down=-1.0, start=0.0, theta=0.0, bias=self.bias,
            margin=conservative(self.margin), averaged=self.averaged,
        )  # fmt: skip
