"""Helmbold, Panizza and Warmuth, "Direct and indirect algorithms for on-line learning of disjunctions" (1999)."""

from littlestone.papers.helmbold_panizza_warmuth import (
    attribute_noise,
    direct,
    experiments,
    figure_1,
    model_m,
    normalized_winnow,
    randomised,
    singly_variant,
    theorem_3,
    theorem_4,
    thresholded_beg,
    without_noise,
)
from littlestone.papers.result import Paper

__all__ = ["PAPER"]

PAPER = Paper(
    "helmbold_panizza_warmuth",
    "Direct and indirect algorithms for on-line learning of disjunctions",
    "David P. Helmbold, Sandra Panizza and Manfred K. Warmuth, Direct and indirect algorithms for on-line learning of "
    "disjunctions, EuroCOLT 1999.",
    [
        *direct.RESULTS, *attribute_noise.RESULTS, *model_m.RESULTS, *figure_1.RESULTS, *theorem_3.RESULTS,
        *theorem_4.RESULTS, *thresholded_beg.RESULTS, *without_noise.RESULTS, *randomised.RESULTS,
        *normalized_winnow.RESULTS, *experiments.RESULTS, *singly_variant.RESULTS,
    ],
    "Direct learners keep a weight for each disjunction, indirect ones a weight for each attribute. With a label for "
    "each attribute Bayes' rule over all disjunctions needs n weights, and the mistake-driven learners that come of it "
    "have bounds like Winnow's.",
)  # fmt: skip
