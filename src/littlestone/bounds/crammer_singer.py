"""The bound of Crammer and Singer on ultraconservative learners of many classes."""

from __future__ import annotations

from math import sqrt

from littlestone.bounds.bound import theorem

__all__ = ["multiclass_perceptron"]


@theorem(
    "Crammer-Singer, Theorems 1 and 2",
    formula=r"2 \left(\frac{R \lVert W \rVert + \sqrt{L_2}}{\gamma}\right)^2 + c",
    symbols={
        "norm": (r"\lVert W \rVert", "the length of all weights together, those that the paper calls M"),
        "gamma": (r"\gamma", "their margin"),
        "losses": ("L_2", "the sum of the squares of what the trials lack of that margin"),
        "new_classes": ("c", "the classes that were not there before their first examples"),
    },
    source="Crammer and Singer, Ultraconservative online algorithms for multiclass problems, JMLR 3 (2003)",
    assumptions="any weights M, a vector a class, with squares summing to norm^2, and gamma > 0; losses is the sum of "
    "((gamma - M_y.x + max of M_r.x over r other than y)+)^2 over all trials; |x| <= R, where x has all its "
    "coordinates: with a constant one (bias=True) R^2 is 1 more than that of the rows; zero start; predictions by the "
    "current weights, not averaged; no margin and no weights of classes or examples; on an error y gains x and the "
    "classes that score at least as high lose it, in parts that sum to 1; of the classes, new_classes were not there "
    "before their first examples",
    positive="gamma",
    not_negative="radius norm losses new_classes",
)
def multiclass_perceptron(
    *, radius: float, norm: float, gamma: float, losses: float = 0.0, new_classes: int = 0
) -> float:
    """``M <= 2 ((R |M| + sqrt(losses)) / gamma)^2``, and one more for each class that came while running.

    Where it is separable with |M| = 1 this is 2 R^2 / gamma^2, the paper's first theorem; losses come from its second.
    With ``bias=True``, the default of `MulticlassPerceptron`, the constant coordinate belongs to x: R^2 is 1 more than
    that of the rows. It holds for the current weights (not averaged), margin 0, no weights of classes or examples.
    The first example of a class that nobody has heard of can be missed without an error that anything is learned from.

    >>> multiclass_perceptron(radius=3.0, norm=1.0, gamma=0.5).value
    72.0
    >>> multiclass_perceptron(radius=3.0, norm=1.0, gamma=0.5, losses=4.0, new_classes=20).value
    220.0
    """
    return 2.0 * ((radius * norm + sqrt(losses)) / gamma) ** 2 + new_classes
