"""Bounds of Littlestone and Warmuth's Weighted Majority, over experts or over all disjunctions."""

from __future__ import annotations

from math import inf, log, log1p

from littlestone.bounds.bound import check, theorem
from littlestone.core.rational import ln_choices

__all__ = [
    "direct_weighted_majority",
    "duels",
    "weighted_majority",
    "weighted_majority_randomized",
    "weighted_majority_shares",
]

SOURCE = "Littlestone and Warmuth, The weighted majority algorithm, 1994"
EXPERTS = "the best of N experts makes at most m errors; weights start equal and fall by beta with each error"


def _loss(owner: str, ln_experts: float, beta: float, errors: float) -> float:
    """Return ln N + m ln(1/beta): how far the best expert's weight falls below the total at the start."""
    check(0.0 <= beta < 1.0, owner, "0 <= beta < 1", f"beta={beta}")
    if errors == 0:
        return ln_experts
    return ln_experts - errors * log(beta) if beta > 0.0 else inf


def _fall(beta: float) -> float:
    """Return ln(2/(1+beta)): how far the total falls with a mistake."""
    return -log1p((beta - 1.0) / 2.0)


MAJORITY = r"\frac{\ln N + m \ln\frac{1}{\beta}}{\ln\frac{2}{1 + \beta}}"


@theorem(
    "Littlestone-Warmuth, Weighted Majority",
    formula=MAJORITY,
    source=SOURCE,
    assumptions=EXPERTS,
    target="experts",
    positive="experts",
    not_negative="errors",
)
def weighted_majority(*, experts: int, beta: float, errors: int = 0) -> float:
    """``M <= (ln N + m ln(1/beta)) / ln(2/(1+beta))``; beta = 0 is halving, which bears no errors.

    >>> weighted_majority(experts=1024, beta=0).value, round(weighted_majority(experts=1024, beta=0.5, errors=3).value)
    (10.0, 31)
    """
    return _loss("weighted_majority", log(experts), beta, errors) / _fall(beta)


@theorem(
    "Littlestone-Warmuth, Weighted Majority of shares",
    formula=r"\frac{p \ln N + L \ln\frac{1}{\beta}}{\ln\frac{2}{1 + \beta}}",
    symbols={
        "loss": ("L", "what the best expert loses, or the best of each part"),
        "parts": ("p", "the number of parts of the sequence"),
        "beta": (r"\beta", "the factor by which a loss of 1 lowers a weight"),
    },
    source=SOURCE + ": WMG",
    assumptions="each expert gives each class a share, all of them 1 together; the best of N experts loses L, where a "
    "trial costs 1 minus the share of the true class; weights start equal and fall by beta^loss; the class with the "
    "largest weighted share is predicted; an expert may leave, if it is not the best; where the sequence has "
    "parts, and weights are equal again at the beginning of each, L is the sum of what the best of each loses there",
    target="shares",
    positive="experts",
    not_negative="loss",
)
def weighted_majority_shares(*, experts: int, beta: float, loss: float = 0.0, parts: int = 1) -> float:
    """``M <= (p ln N + L ln(1/beta)) / ln(2/(1+beta))``, on any sequence in p parts, for any number of classes.

    A mistake means that the shares of the true class have at most half of the weight, so that the total falls by the
    factor (1+beta)/2, since ``beta^l <= 1 - (1-beta) l``.

    >>> round(weighted_majority_shares(experts=15, beta=0.7, loss=100.5).value, 1)
    237.2
    """
    check(parts >= 1, "weighted_majority_shares", "parts >= 1", f"parts={parts}")
    return _loss("weighted_majority_shares", parts * log(experts), beta, loss) / _fall(beta)


@theorem(
    "Littlestone-Warmuth, randomised",
    formula=r"\frac{\ln N + m \ln\frac{1}{\beta}}{1 - \beta}",
    source=SOURCE,
    assumptions=EXPERTS + " on any trial; predict 1 with the probability that the weights give it",
    of="expected mistakes",
    target="experts",
    positive="experts",
    not_negative="errors",
)
def weighted_majority_randomized(*, experts: int, beta: float, errors: int = 0) -> float:
    """``E[M] <= (ln N + m ln(1/beta)) / (1-beta)``.

    >>> round(weighted_majority_randomized(experts=1024, beta=0.5, errors=3).value, 2)
    18.02
    """
    return _loss("weighted_majority_randomized", log(experts), beta, errors) / (1.0 - beta)


@theorem(
    "Weighted Majority over disjunctions",
    formula=MAJORITY,
    where=(r"N = \sum_{i=0}^{k} \binom{n}{i}",),
    symbols={
        "k": ("k", "the most attributes of a disjunction that votes"),
        "errors": ("m", "the mistakes of the best disjunction"),
    },
    usual={"k": "n"},
    source=SOURCE + "; Helmbold, Panizza and Warmuth, 1999",
    assumptions="x in {0,1}^n; some monotone disjunction (of at most k attributes) makes at most m errors; every such "
    "disjunction, the empty one too, is an expert; weights start equal and fall by beta with each error",
    target="disjunction among all",
    derived=True,
    positive="n",
    not_negative="errors",
)
def direct_weighted_majority(*, n: int, beta: float, errors: int = 0, k: int | None = None) -> float:
    """`weighted_majority` over all 2^n disjunctions, or over the ``C(n,0) + ... + C(n,k)`` of at most k attributes.

    For k > 1000 that sum is bounded from above, by Stirling's formula and a geometric series.

    >>> direct_weighted_majority(n=100, beta=0).value, round(direct_weighted_majority(n=10**9, beta=0.5, k=2).value, 1)
    (100.0, 141.7)
    """
    owner = "direct_weighted_majority"
    check(k is None or 0 <= k <= n, owner, "0 <= k <= n", f"k={k}, n={n}")
    ln_experts = n * log(2.0) if k is None else ln_choices(n, k)
    return _loss(owner, ln_experts, beta, errors) / _fall(beta)


@theorem(
    "Weighted Majority of two, in duels",
    formula="2 m + d + a",
    symbols={
        "errors": ("m", "what the better of the two makes in each duel, summed"),
        "duels": ("d", "the number of duels"),
        "alone": ("a", "the mistakes outside of duels"),
    },
    source=SOURCE,
    assumptions="in each of d duels predict with the one of two experts that has made fewer mistakes since it began, "
    "at equal numbers with the first; m is the sum of what the better of the two makes in each; `alone` is the number "
    "of mistakes outside of duels",
    target="experts",
    derived=True,
    not_negative="errors duels alone",
)
def duels(*, errors: int, duels: int = 1, alone: int = 0) -> float:
    """``M <= 2m + d`` in the duels, for any number of classes: less than `weighted_majority` has for any beta.

    Whoever leads has at most as many mistakes as the other, so the first leads into its (i+1)-th mistake only if the
    other makes at least i, and the other only if the first makes more than i. Where the first makes the fewer, m, each
    leads into at most m mistakes; where the other does, the first leads into at most m + 1.

    >>> duels(errors=10).value, duels(errors=10, duels=3, alone=5).value
    (21, 28)
    """
    return alone + 2 * errors + duels
