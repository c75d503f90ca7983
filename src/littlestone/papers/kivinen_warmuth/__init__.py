"""Kivinen and Warmuth, "The Perceptron algorithm vs. Winnow" (COLT 1995)."""

from littlestone.papers.kivinen_warmuth import (
    adversary,
    algorithms,
    batch,
    classes,
    dnf,
    figure_1,
    figure_2,
    hadamard,
    horizons,
    programming,
    random_rows,
    theorem_8,
    tunings,
    upper_bounds,
)
from littlestone.papers.result import Paper

__all__ = ["PAPER"]

CHAPTERS = (
    algorithms, programming, upper_bounds, batch, dnf, classes, hadamard, theorem_8, adversary, random_rows, figure_1,
    figure_2, tunings, horizons,
)  # fmt: skip

PAPER = Paper(
    "kivinen_warmuth",
    "The Perceptron algorithm vs. Winnow",
    "Jyrki Kivinen and Manfred K. Warmuth, The Perceptron algorithm vs. Winnow: linear vs. logarithmic mistake bounds "
    "when few input variables are relevant, COLT 1995.",
    [result for chapter in CHAPTERS for result in chapter.RESULTS],
    "Additive learners, the Perceptron and the ellipsoid method among them, can be made to err about as often as "
    "there are attributes, on disjunctions of a few of them; Winnow errs about as often as the logarithm.",
)
