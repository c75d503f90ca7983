"""Section 2, Theorem 1: the two bounds on the mistakes of algorithm D, their constants, and the true growth."""

from __future__ import annotations

from decimal import Decimal, getcontext
from math import exp, log

import numpy as np

from littlestone.bounds.fang_venkatesh import directed_drift_growth, theorem1_constants
from littlestone.papers.comparisons import above, at_most, below, close, equal, every, mean_is
from littlestone.papers.fang_venkatesh._runs import played
from littlestone.papers.outcome import Figure, Line, Outcome
from littlestone.papers.result import claim, run_with
from littlestone.theory.drift import chain

__all__ = ["RESULTS"]


def _sizes(step: int) -> list[int]:
    """Return 1, ..., 61 and every so manieth up to 301."""
    return [*range(1, 61), *range(61, 302, step)]


@claim("theorem-1-lower", "Theorem 1: the lower bound", "Section 2, Theorem 1", quick={"step": 30}, full={"step": 1})
def theorem_1_lower(seed: int, step: int) -> Outcome:
    """From any wrong start the expected mistakes of algorithm D are at least alpha e^(beta n), up to a term of order n,
    with alpha = 1.77... and beta = 0.139...
    """
    alpha, beta = theorem1_constants()
    sizes = _sizes(step)[1:]
    largest = sizes[-1]
    slack = [float(chain(n).mistakes(1, log=True)) - log(alpha) - beta * n for n in sizes]
    holds = [one >= 0 for one in slack]
    return Outcome(
        f"True from distance 1 for {sum(holds)} of {len(holds)} n from 2 to {largest}; at n = 21 the bound is "
        f"{alpha * exp(beta * 21):.0f} and the truth {float(chain(21).mistakes(1)):,.0f}.",
        [
            every(f"E_1 at least alpha e^(beta n), n = 2 to {largest}", holds),
            every(
                "distance 1 is the best wrong start, n up to 60",
                [chain(n).mistakes(d) > chain(n).mistakes(d - 1) for n in range(2, 61) for d in range(2, n + 1)],
            ),
        ],
        note=f"At n = 1 the bound without its term of order n is false: 1 mistake, and not {alpha * exp(beta):.2f}. "
        "The constants come from the gambler's ruin with p_d <= 2d/n: the largest of (x/2) ln((1-x)/x). It is far "
        f"from the truth: at n = {largest} by a factor of e^{slack[-1]:.0f}.",
    )


@claim("theorem-1-upper", "Theorem 1: the upper bound", "Section 2, Theorem 1", quick={"step": 30}, full={"step": 1})
def theorem_1_upper(seed: int, step: int) -> Outcome:
    """From any start the expected mistakes of algorithm D are at most (n/2)^n, times a factor 1 + O(1/n)."""
    sizes = _sizes(step)
    largest = sizes[-1]
    logs = {n: float(chain(n).mistakes(n, log=True)) - n * log(n / 2) for n in sizes}
    need = {n: (exp(logs[n]) - 1) * n for n in (1, 2, 3)}
    constant = max(need.values())
    plain = [logs[n] <= 0 for n in sizes if n >= 4]
    return Outcome(
        f"Without the factor true for {sum(plain)} of {len(plain)} n from 4 to {largest}; for n = 1, 2, 3 the factor "
        f"must be at least {', '.join(f'{exp(logs[n]):.3f}' for n in need)}.",
        [
            every(f"E_n <= (n/2)^n, n = 4 to {largest}", plain),
            every(
                f"E_n <= (n/2)^n (1 + {constant:.3g}/n), n from 1 on",
                [logs[n] <= log(1 + constant / n) + 1e-12 for n in sizes],
            ),
            at_most("the constant of O(1/n) that suffices", constant, 6.0 + 1e-9),
        ],
        note=f"At n = 2 the opposite vertex costs 4 mistakes and (n/2)^n = 1. At n = {largest} the bound is too large "
        f"by a factor of e^{-logs[largest]:.0f}.",
    )


def _lambert() -> tuple[Decimal, Decimal]:
    """Return alpha and beta with 30 digits: w e^w = 1/e by Newton's method."""
    getcontext().prec = 40
    w, goal = Decimal("0.278"), Decimal(-1).exp()
    for _ in range(8):
        w -= (w * w.exp() - goal) / (w.exp() * (1 + w))
    return (1 + w) / (1 - w), w / 2


@claim("theorem-1-constants", "Theorem 1: its constants", "Section 2, Theorem 1", rows=["A24"])
def theorem_1_constants(seed: int) -> Outcome:
    """The constants of the lower bound are alpha = 1.771866547... and beta = 0.139232271..."""
    alpha, beta = _lambert()
    own = theorem1_constants()
    xs = np.linspace(0.01, 0.99, 99_999)
    highest = float((xs / 2 * np.log((1 - xs) / xs)).max())
    return Outcome(
        f"alpha = {alpha:.16f} and beta = {beta:.16f}.",
        [
            equal("alpha, the digits printed", f"{alpha:.20f}"[:11], "1.771866547"),
            equal("beta, the digits printed", f"{beta:.20f}"[:11], "0.139232271"),
        ],
        [
            close("alpha = (1+w)/(1-w), w = W(1/e)", own[0], float(alpha), 1e-15),
            close("beta = w/2", own[1], float(beta), 1e-16),
            close("reference: alpha", own[0], 1.7718665519963888, 1e-15),
            close("reference: beta", own[1], 0.1392322713805369, 1e-16),
            close("beta is the largest (x/2) ln((1-x)/x)", highest, float(beta), 1e-9),
            below("0.139, as in the abstract, is below beta", 0.139, float(beta)),
        ],
        "The last two digits of alpha are wrong; nothing depends on them.",
        f"alpha is printed as 1.771866547..., and is {alpha:.10f}...",
    )


def _slope(ns: list[int]) -> float:
    return float(np.polyfit(ns, [float(chain(n).mistakes(1, log=True)) for n in ns], 1)[0])


@run_with(quick={"runs": 2000}, full={"runs": 20_000})
@claim("growth", "Table 1: the growth of algorithm D", "Section 2, Table 1", rows=["B6"])
def growth(seed: int, runs: int) -> Outcome:
    """The time of algorithm D is exponential: at least of order e^(0.139 n) and at most of order e^(n log n)."""
    small, large = _slope(list(range(5, 22, 2))), _slope(list(range(11, 42, 2)))
    told = {5: 0.50, 7: 0.48, 9: 0.48, 15: 0.51, 21: 0.534, 31: 0.559, 41: 0.575}
    local = {n: _slope([n - 2, n]) for n in [*told, 101, 301, 1001]}
    ends = {n: played(seed, n, start=1, runs=runs, cap=1 << 40).mistakes.reshape(20, -1).mean(axis=1) for n in (5, 13)}
    slopes = np.log(ends[13] / ends[5]) / 8
    sizes = list(range(2, 42))
    alpha, beta = theorem1_constants()
    fitted = [
        float(chain(n).mistakes(1, log=True)) - (0.6928 * n - 1.690 * n**0.5 + 0.631 * log(n) + 1.55)
        for n in (51, 101, 201, 301)
    ]
    near = [exp(directed_drift_growth(n, log=True) - float(chain(n).mistakes(1, log=True))) for n in (51, 101, 301)]
    return Outcome(
        f"The slope of ln E_1 is {small:.3f} for n = 5 to 21 and {large:.3f} for n = 11 to 41; locally "
        f"{local[101]:.3f} at n = 101 and {local[1001]:.3f} at n = 1001, towards ln 2.",
        [
            above("least local slope", min(local.values()), 0.139),
            every("the slope rises from n = 7 on", np.diff(list(local.values())[1:]) > 0),
            below("slope at n = 1001", local[1001], log(2)),
            close("reference: least-squares slope, odd n = 5 to 21", small, 0.504, 5e-4),
            close("reference: least-squares slope, odd n = 11 to 41", large, 0.547, 5e-4),
            *[close(f"reference: local slope at n = {n}", local[n], slope, 0.005) for n, slope in told.items()],
            mean_is("slope between n = 5 and 13, simulated, 20 groups", slopes, 0.4856),
            every("2^n e^(-1.718 sqrt n) n^(pi/4) c within 0.1%, n = 51, 101, 301", [abs(q - 1) < 1e-3 for q in near]),
            every("reference: ln E_1 = 0.6928 n - 1.690 sqrt n + 0.631 ln n + 1.55 within 0.02, n = 51, 101, 201, 301",
                  [abs(gap) < 0.02 for gap in fitted]),
        ],
        note="Both bounds hold and both are loose: E_1 is about 2^n e^(-1.7 sqrt n), so algorithm D is hardly better "
        "than trying vertices at random, 2^n, and its rate is ln 2 = 0.693, not 0.139.",
        figures=[Figure(
            "Expected mistakes of algorithm D", "Exact chain, with the two bounds of Theorem 1; logarithmic.", "n",
            "expected mistakes", [
                Line("from distance 1", sizes, [float(chain(n).mistakes(1)) for n in sizes]),
                Line("from the opposite vertex", sizes, [float(chain(n).mistakes(n)) for n in sizes]),
                Line("lower bound", sizes, [alpha * exp(beta * n) for n in sizes], kind="theory"),
                Line("upper bound, (n/2)^n", sizes[:22], [(n / 2) ** n for n in sizes[:22]], kind="theory"),
                Line("2^n", sizes, [2.0**n for n in sizes], kind="theory")], "linear", "log")],
    )  # fmt: skip


RESULTS = (theorem_1_lower, theorem_1_upper, theorem_1_constants, growth)
