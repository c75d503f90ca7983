"""From mistakes on independent examples to the error of a hypothesis: with probability 1 - delta at most epsilon."""

from __future__ import annotations

from math import ceil, expm1, log, log1p, sqrt

from littlestone.bounds.bound import check, theorem

__all__ = ["averaged_risk", "longest_survivor", "survivor", "survivor_trials", "voted_risk"]

SURVIVOR = "Littlestone, From on-line to batch learning, COLT 1989"
RISK = (
    "Cesa-Bianchi, Conconi and Gentile, On the generalization ability of on-line learning algorithms, IEEE IT 50, 2004"
)
DRAWN = "examples drawn independently from one distribution, played once in the order in which they came"


def _check_delta(owner: str, delta: float) -> None:
    check(0.0 < delta < 1.0, owner, "0 < delta < 1", f"delta={delta}")


def _epsilon(survived: int, ln_chance: float) -> float:
    """Return the error e with ``(1-e)^survived = chance``."""
    return 1.0 if survived == 0 else -expm1(ln_chance / survived)


@theorem(
    "Littlestone, longest survivor",
    formula=r"1 - \left(\frac{\delta}{M + 1}\right)^{1/s}",
    symbols={"mistakes": ("M", "the most mistakes, known before the game")},
    source=SURVIVOR,
    assumptions=DRAWN
    + "; the algorithm has at most M + 1 hypotheses, as one that changes only on its at most M mistakes; "
    "one of them was right on so many examples in a row",
    of="error",
    not_negative="mistakes survived",
)
def longest_survivor(*, mistakes: int, survived: int, delta: float = 0.05) -> float:
    """``1 - (delta/(M+1))^(1/s)``, which is at most ``ln((M+1)/delta)/s``; M is known before the game.

    Were it worse than that, a hypothesis would be right s times in a row with a chance below delta/(M+1).

    >>> round(longest_survivor(mistakes=20, survived=500).value, 4)
    0.012
    """
    _check_delta("longest_survivor", delta)
    return _epsilon(survived, log(delta) - log(mistakes + 1))


@theorem(
    "Littlestone, longest survivor, no bound known",
    formula=r"1 - \left(\frac{\delta}{(j + 1)(j + 2)}\right)^{1/s}",
    symbols={"changes": ("j", "the changes before this hypothesis")},
    source=SURVIVOR,
    assumptions=DRAWN + "; the hypothesis that comes after so many changes was right on so many examples in a row",
    of="error",
    derived=True,
    not_negative="changes survived",
)
def survivor(*, changes: int, survived: int, delta: float = 0.05) -> float:
    """``1 - (delta/((j+1)(j+2)))^(1/s)`` for the hypothesis after j changes: the shares of delta sum to delta.

    >>> round(survivor(changes=20, survived=500).value, 4)
    0.0181
    """
    _check_delta("survivor", delta)
    return _epsilon(survived, log(delta) - log(changes + 1) - log(changes + 2))


@theorem(
    "Littlestone, longest survivor, examples needed",
    formula="M + (M + 1)(s - 1) + 1",
    where=(r"s = \left\lceil \frac{\ln\frac{M + 1}{\delta}}{-\ln(1 - \varepsilon)} \right\rceil",),
    symbols={
        "mistakes": ("M", "the most mistakes, known before the game"),
        "epsilon": (r"\varepsilon", "the error that is wanted at most"),
    },
    source=SURVIVOR,
    assumptions=DRAWN + "; the algorithm changes only on its at most M mistakes",
    of="examples",
    not_negative="mistakes",
)
def survivor_trials(*, mistakes: int, epsilon: float, delta: float = 0.05) -> float:
    """``M + (M+1) (s-1) + 1`` with ``s = ceil(ln((M+1)/delta) / -ln(1-epsilon))``: by then one has survived s.

    >>> survivor_trials(mistakes=20, epsilon=0.05).value
    2478
    """
    _check_delta("survivor_trials", delta)
    check(0.0 < epsilon < 1.0, "survivor_trials", "0 < epsilon < 1", f"epsilon={epsilon}")
    s = ceil(log((mistakes + 1) / delta) / -log1p(-epsilon))
    return mistakes + (mistakes + 1) * (s - 1) + 1


def _mean_risk(owner: str, trials: int, mistakes: int, delta: float) -> float:
    _check_delta(owner, delta)
    check(0 <= mistakes <= trials, owner, "0 <= mistakes <= trials", f"mistakes={mistakes}, trials={trials}")
    return mistakes / trials + sqrt(-log(delta) / (2.0 * trials))


@theorem(
    "Cesa-Bianchi-Conconi-Gentile, mean of the predictions",
    formula=r"\min\left(1, \frac{M}{T} + \sqrt{\frac{\ln(1/\delta)}{2 T}}\right)",
    source=RISK,
    assumptions=DRAWN + "; the predictions of the hypotheses before each trial are averaged; the loss is |mean - y|",
    of="absolute loss",
    positive="trials",
)
def averaged_risk(*, trials: int, mistakes: int, delta: float = 0.05) -> float:
    """``M/T + sqrt(ln(1/delta) / (2T))``, and at most 1: Hoeffding's inequality for martingales, and convexity.

    The paper has sqrt(2 ln(1/delta) / T); the differences lie in an interval of length 1, which gives half of it.

    >>> round(averaged_risk(trials=1000, mistakes=20).value, 4)
    0.0587
    """
    return min(1.0, _mean_risk("averaged_risk", trials, mistakes, delta))


@theorem(
    "Cesa-Bianchi-Conconi-Gentile, vote",
    formula=r"\min\left(1, 2 \left(\frac{M}{T} + \sqrt{\frac{\ln(1/\delta)}{2 T}}\right)\right)",
    source=RISK,
    assumptions=DRAWN + "; the hypotheses before each trial vote with equal weights",
    of="error",
    positive="trials",
)
def voted_risk(*, trials: int, mistakes: int, delta: float = 0.05) -> float:
    """``2 (M/T + sqrt(ln(1/delta) / (2T)))``, and at most 1: where a vote errs, half of the voters do.

    >>> round(voted_risk(trials=1000, mistakes=20).value, 4)
    0.1174
    """
    return min(1.0, 2.0 * _mean_risk("voted_risk", trials, mistakes, delta))
