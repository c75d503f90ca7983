"""When algorithm D may stop: after how many consistent examples in a row, and how often it is wrong all the same.

Every rule is a number T0: stop when the hypothesis has been consistent with T0 tested examples in a row.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, expm1, floor, log, log1p, pi, sqrt
from typing import Any

from littlestone.bounds.bound import check
from littlestone.bounds.drift_chain import DriftChain, Sampling, chain, closest_mistakes, distance
from littlestone.core.rational import checked, simplest_fraction

__all__ = ["failure_probability", "hypothesis_rule", "least_rule", "overall_rule", "paper_rule"]

MOST = 10**100  # of what a float must hold
MOST_BITS = 1_000_000  # of powers that are made in rationals


def paper_rule(n: int, delta: float) -> int:
    """Return the paper's T0: the first T above ``sqrt(pi n/2) ln(1/delta)``.

    Meant: a wrong hypothesis survives T0 examples with a probability below delta. True for odd n; false for even n,
    where P_1 is smaller (n = 20, delta = 0.1: 0.121). Nor is it the probability that the output is wrong, for a run
    visits many wrong hypotheses: see `failure_probability`.

    >>> paper_rule(20, 0.1), paper_rule(21, 0.1)
    (13, 14)
    """
    n, delta = _whole("paper_rule", "n", n), _delta("paper_rule", delta)
    return floor(sqrt(pi * n / 2) * -log(delta)) + 1


def hypothesis_rule(n: int, delta: float, *, sampling: Sampling = "uniform") -> int:
    """Return the least T0 with ``(1 - P_1)^T0 < delta``: what the paper's rule is meant to be, for every n.

    For even n it is the first T above ``ln(1/delta)/ln(1+c)``, c = C(n,n/2)/2^n. Decided in rationals as long as the
    powers have fewer than a million binary digits, beyond that by logarithms.

    >>> hypothesis_rule(20, 0.1), hypothesis_rule(21, 0.1), hypothesis_rule(3, 0.25)
    (15, 12, 3)
    """
    n, delta = _whole("hypothesis_rule", "n", n), _delta("hypothesis_rule", delta)
    P = closest_mistakes(n, sampling)
    if P == 1:
        return 1
    T0 = floor(-log(delta) / -log1p(-P)) + 1
    if n * T0 > MOST_BITS:
        return T0
    stays, bound = 1 - _exact(n, sampling), simplest_fraction(delta)
    while stays**T0 >= bound:
        T0 += 1
    while T0 > 1 and stays ** (T0 - 1) < bound:
        T0 -= 1
    return T0


def overall_rule(n: int, delta: float, *, d: int | None = None, sampling: Sampling = "uniform") -> int:
    """Return a T0 for which the output is wrong with a probability of at most delta.

    It is the rule for one hypothesis with ``delta/(1+E)``: at most 1+E wrong hypotheses are visited in expectation, E
    the expected mistakes from distance ``d`` (n: the worst; None: from a start drawn uniformly). It supposes the worst
    of each of them; `least_rule` does not, and is much shorter.

    >>> overall_rule(11, 0.1), overall_rule(11, 0.1, d=11), overall_rule(101, 0.1)
    (28, 28, 721)
    """
    drift, delta = chain(n, sampling=sampling), _delta("overall_rule", delta)
    mistakes = drift.mistakes(d, log=True)
    more = mistakes + log1p(exp(-mistakes)) if mistakes > 0 else log1p(exp(mistakes))
    P = drift.P[1]
    return 1 if P == 1 else floor((-log(delta) + more) / -log1p(-P)) + 1


def least_rule(n: int, delta: float, *, d: int | None = None, sampling: Sampling = "uniform") -> int:
    """Return the least T0 for which the output is wrong with a probability of at most delta, by the exact chain.

    >>> least_rule(11, 0.1), least_rule(11, 0.1, d=11), least_rule(101, 0.1)
    (20, 20, 138)
    """
    drift, delta = chain(n, sampling=sampling), _delta("least_rule", delta)
    low, high = 0, overall_rule(n, delta, d=d, sampling=sampling)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _failure(drift, middle, d) <= delta else (middle, high)
    return high


def failure_probability(n: int, T0: int, *, d: int | None = None, sampling: Sampling = "uniform") -> float:
    """Return the probability that algorithm D, stopping after T0 consistent examples, is wrong.

    With s_i = (1-P_i)^T0 the run ends at distance i or more before it is at i-1 with probability
    ``f_i = (s_i + (1-s_i) q_i f_(i+1)) / (s_i + (1-s_i)(p_i + q_i f_(i+1)))``, and right with the product of the 1-f_i.

    Of D' and D'' only measurements are known: with delta = 0.1, the paper's rule and the batches of Table 1, 4000 runs
    each, D' was wrong in 13% (n = 11), 29% (10) and 34% (20), D'' in 1%, 8% and 6% of them.

    >>> [round(failure_probability(n, paper_rule(n, 0.1)), 4) for n in (5, 11, 21)]
    [0.2317, 0.7244, 0.9787]
    """
    T0 = _whole("failure_probability", "T0", T0)
    return _failure(chain(n, sampling=sampling), T0, d)


def _failure(drift: DriftChain, T0: int, d: int | None) -> float:
    n, f = drift.n, 0.0
    rights = [0.0] * (n + 1)  # ln(1 - f_i)
    for i in range(n, 0, -1):
        P, p = float(drift.P[i]), float(drift.p[i])
        s = exp(T0 * log1p(-P)) if P < 1 else 0.0
        up, down = (1 - s) * (1 - p) * f, (1 - s) * p
        f = (s + up) / (s + up + down)
        rights[i] = log1p(-f) if f < 0.5 else log(down / (s + up + down))
    right = 0.0
    wrong = [-expm1(right := right + one) for one in rights]
    if d is not None:
        return wrong[distance("failure_probability", "d", d, n)]
    return float(drift.over_starts(wrong))


def _exact(n: int, sampling: Sampling) -> Fraction:
    """Return P_1 as a fraction."""
    if n % 2:
        return Fraction(comb(n - 1, n // 2), 2 ** (n - 1))
    ties, every = comb(n, n // 2), 2**n
    return Fraction(ties, 2 * every) if sampling == "reflected" else Fraction(ties, every + ties)


def _whole(owner: str, name: str, value: Any) -> int:
    number: int = checked(owner, name, "int", value)
    check(1 <= number <= MOST, owner, f"1 <= {name} <= {MOST:.0e}", f"{name}={number}")
    return number


def _delta(owner: str, delta: Any) -> float:
    chance: float = checked(owner, "delta", "float", delta)
    check(0.0 < chance < 1.0, owner, "0 < delta < 1", f"delta={chance}")
    return chance
