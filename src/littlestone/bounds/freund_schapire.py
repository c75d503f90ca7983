"""Bounds of Freund and Schapire: Hedge on losses, and the voted Perceptron on random rows."""

from __future__ import annotations

from math import inf, log, sqrt

from littlestone.bounds.bound import check, theorem

__all__ = ["hedge", "hedge_regret", "voted_error"]

LOSSES = "losses in [0,1], chosen by anybody; the loss is the mean of the experts' under the weights"


@theorem(
    "Freund-Schapire, Hedge",
    formula=r"\frac{\ln N + L_1 \ln\frac{1}{\beta}}{1 - \beta}",
    symbols={
        "loss": ("L_1", "what the best expert loses"),
        "beta": (r"\beta", "the factor by which a loss of 1 lowers a weight"),
    },
    source="Freund and Schapire, A decision-theoretic generalization of on-line learning, JCSS 55, 1997",
    assumptions=LOSSES + "; the best of N experts loses at most that much; weights fall by beta^loss",
    of="loss",
    positive="experts",
    not_negative="loss",
)
def hedge(*, experts: int, beta: float, loss: float = 0.0) -> float:
    """``L <= (ln N + loss ln(1/beta)) / (1-beta)``.

    >>> round(hedge(experts=10, beta=0.9, loss=100.0).value, 1)
    128.4
    """
    check(0.0 <= beta < 1.0, "hedge", "0 <= beta < 1", f"beta={beta}")
    if loss == 0.0:
        return log(experts) / (1.0 - beta)
    return (log(experts) - loss * log(beta)) / (1.0 - beta) if beta > 0.0 else inf


@theorem(
    "Cesa-Bianchi-Lugosi, Hedge without parameters",
    formula=r"2 \sqrt{\frac{T}{2} \ln N} + \sqrt{\frac{\ln N}{8}}",
    source="Cesa-Bianchi and Lugosi, Prediction, learning, and games, 2006, Theorem 2.3",
    assumptions=LOSSES + "; at trial t weights e^(-eta L), eta = sqrt(8 ln N / t), L what each expert has lost",
    of="regret",
    positive="experts",
    not_negative="trials",
)
def hedge_regret(*, experts: int, trials: int) -> float:
    """``2 sqrt(T/2 ln N) + sqrt(ln N / 8)`` above the best expert's loss, for every T.

    >>> round(hedge_regret(experts=10, trials=1000).value, 1)
    68.4
    """
    return 2.0 * sqrt(0.5 * trials * log(experts)) + sqrt(log(experts) / 8.0)


@theorem(
    "Freund-Schapire, voted Perceptron",
    formula=r"\min\left(1, \frac{2 \mathbb{E}[M]}{T + 1}\right)",
    symbols={
        "trials": ("T", "the number of examples but one"),
        "mistakes": (r"\mathbb{E}[M]", "the expected mistakes of the on-line algorithm on T + 1 examples"),
    },
    source="Freund and Schapire, Large margin classification using the Perceptron algorithm, ML 37, 1999, Theorem 3",
    assumptions="T + 1 examples drawn independently from one distribution; mistakes is the expected number of the "
    "on-line algorithm on them; the hypotheses after 0 to T examples vote with equal weights",
    of="expected error",
    not_negative="trials mistakes",
)
def voted_error(*, trials: int, mistakes: float) -> float:
    """``2 E[M] / (T+1)``, and at most 1: the error of a vote is at most twice the mean error of the voters.

    >>> voted_error(trials=999, mistakes=20).value
    0.04
    """
    return min(1.0, 2.0 * mistakes / (trials + 1.0))
