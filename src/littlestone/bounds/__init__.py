"""Theorems about mistakes, each a function of numbers that returns a `Bound`. All of them are in `THEOREMS`."""

from littlestone.bounds.agarwal import normalized_winnow_margin, optimal_eta, perceptron_margin
from littlestone.bounds.bound import THEOREMS, Bound
from littlestone.bounds.gentile import p_norm_disjunction, p_norm_margin
from littlestone.bounds.helmbold_panizza_warmuth import (
    bayes_beg_theorem3,
    bayes_beg_theorem4,
    normalized_winnow_disjunction,
    thresholded_beg,
    thresholded_beg_noise_free,
    winnow_attribute_errors,
)
from littlestone.bounds.kivinen_warmuth import elimination, perceptron_disjunction, winnow_disjunction

__all__ = [
    "THEOREMS",
    "Bound",
    "bayes_beg_theorem3",
    "bayes_beg_theorem4",
    "elimination",
    "normalized_winnow_disjunction",
    "normalized_winnow_margin",
    "optimal_eta",
    "p_norm_disjunction",
    "p_norm_margin",
    "perceptron_disjunction",
    "perceptron_margin",
    "thresholded_beg",
    "thresholded_beg_noise_free",
    "winnow_attribute_errors",
    "winnow_disjunction",
]
