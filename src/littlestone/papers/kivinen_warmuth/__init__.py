"""Kivinen and Warmuth, "The Perceptron algorithm vs. Winnow" (COLT 1995)."""

from littlestone.papers.result import Paper

__all__ = ["PAPER"]

PAPER = Paper.of_chapters(
    __name__,
    "The Perceptron algorithm vs. Winnow",
    "Jyrki Kivinen and Manfred K. Warmuth, The Perceptron algorithm vs. Winnow: linear vs. logarithmic mistake bounds "
    "when few input variables are relevant, COLT 1995.",
    "algorithms upper_bounds section_1 additive lower_bounds random_rows figures horizons regression",
    "Additive learners, the Perceptron and the ellipsoid method among them, can be made to err about as often as "
    "there are attributes, on disjunctions of a few of them; Winnow errs about as often as the logarithm.",
)
