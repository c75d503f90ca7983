"""Thresholded-BEG and Winnow with the parameters of Theorem 5, and noisy streams against all disjunctions."""

from __future__ import annotations

from math import log

import numpy as np

import littlestone as ls
from littlestone import bounds
from littlestone.papers.helmbold_panizza_warmuth._enumeration import attribute_errors
from littlestone.papers.helmbold_panizza_warmuth._games import Bound, Make, Played, noisy

__all__ = ["against_all", "beg", "theta", "winnow"]


def theta(alpha: float) -> float:
    return alpha * log(alpha) / (alpha * alpha - 1.0)


def beg(alpha: float, w1: float | None = None) -> tuple[Make, Bound]:
    """Return Theorem 5's learner and its bound."""
    return (
        lambda n, k: ls.ThresholdedBEG(beta1=alpha, beta0=1.0 / alpha, w1=w1),
        lambda n, k, a: bounds.thresholded_beg(n=n, k=k, alpha=alpha, w1=w1, attribute_errors=a).value,
    )


def winnow(alpha: float) -> tuple[Make, Bound]:
    """Return Winnow as Auer and Warmuth have it, and its bound."""
    return (
        lambda n, k: ls.Winnow(alpha=alpha, theta=theta(alpha), w1=1.0 / n, tie=0),
        lambda n, k, a: bounds.winnow_attribute_errors(n=n, k=k, alpha=alpha, attribute_errors=a).value,
    )


def against_all(make: Make, bound: Bound, seed: int, runs: int, first: int = 0) -> list[Played]:
    """Play noisy streams; the bound is the least that any of the 2^n disjunctions gives, the empty one too.

    Attribute errors are counted on the mistakes alone: no more than in all rows, so that the bound is no larger.
    """
    found = []
    for number in range(first, first + runs):
        X, y = noisy(seed, number)
        n = X.shape[1]
        learner = make(n, 1).begin(n, labels=(0, 1))
        wrong = learner.learn(X, y.astype(int)) != y
        errors = attribute_errors(X[wrong], y[wrong])
        sizes = np.bitwise_count(np.arange(1 << n))
        best = [(bound(n, k, int(errors[sizes == k].min())), k, int(errors[sizes == k].min())) for k in range(n + 1)]
        least, k, a = min(best)
        found.append(Played(n, k, a, learner.mistakes, least))
    return found
