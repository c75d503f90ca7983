"""Section 2: algorithm D, a Markov chain on the distance to the target, solved exactly; Theorem 1."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, getcontext
from fractions import Fraction
from itertools import accumulate
from math import comb, exp, log
from typing import Any

import numpy as np

from littlestone.bounds.fang_venkatesh import directed_drift_growth, theorem1_constants
from littlestone.papers.comparisons import above, at_most, below, close, equal, every, mean_is
from littlestone.papers.fang_venkatesh._runs import cube, half_space, played, spread
from littlestone.papers.outcome import Figure, Line, Outcome, Table
from littlestone.papers.result import claim, results, run_with
from littlestone.theory.drift import chain

__all__ = ["RESULTS"]

P = {2: "1/3 1/3", 3: "1/2 1/2 1"}  # chance of a mistake at distance 1, ..., n
DOWN = {2: "1/2 1", 3: "1/2 5/6 1", 4: "1/3 11/18 3/4 1", 5: "1/3 7/12 71/100 22/25 1"}  # that it leads nearer
MISTAKES = {
    2: "3 4",
    3: "17/5 24/5 29/5",
    4: "277/33 122/11 421/33 454/33",
    5: "50205/5467 67107/5467 7059/497 84607/5467 90074/5467",
}
FROM_ANYWHERE = "1/2 5/2 19/5 907/88 1105847/87472"
EXAMPLES = "12 51/5 628/15"
NEAREST = {7: 23.7785, 9: 61.9298, 11: 164.491, 15: 1238.40, 21: 29211.4, 31: 7.16251e6, 41: 2.1192e9, 101: 8.8588e24}
FARTHEST = {7: 39.894, 9: 94.339, 11: 228.931, 15: 1522.64, 21: 33063.2}
P_1 = "P_1: C(n-1,(n-1)/2)/2^(n-1) for odd n, C/(2^n + C) with C = C(n,n/2) for even n"
ROUNDED = 3e-5  # of numbers with five digits or six


def _enumerated(n: int) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """Return P_d, p_d and E_d for d = 1, ..., n from the algorithm as printed: all examples, all choices of index."""
    examples, chances, downs = half_space(n), [], []
    for d in range(1, n + 1):
        wrong = np.arange(n) < d
        w = np.where(wrong, -1, 1)
        apart = (examples != w)[examples @ w < 0]
        shares = [Fraction(int((row & wrong).sum()), int(row.sum())) for row in apart]
        chances.append(Fraction(len(shares), len(examples)))
        downs.append(sum(shares, start=Fraction(0)) / len(shares))
    falls, beyond = [], Fraction(0)
    for down in reversed(downs):
        beyond = (1 + (1 - down) * beyond) / down
        falls.append(beyond)
    return chances, downs, list(accumulate(falls[::-1]))


def _nearest(n: int) -> Fraction:
    """Return the chance that a hypothesis with one wrong coordinate errs, by formula."""
    ties = comb(n, n // 2)
    return Fraction(comb(n - 1, n // 2), 2 ** (n - 1)) if n % 2 else Fraction(ties, 2**n + ties)


def _texts(numbers: Sequence[Fraction | float]) -> str:
    return " ".join(map(str, numbers))


@claim("chain", "Algorithm D as a Markov chain", "Section 2", quick={"largest": 7}, full={"largest": 10}, rows=["A23"])
def as_a_chain(seed: int, largest: int) -> Outcome:
    """The hypotheses are a finite Markov chain. Only the number d of wrong coordinates matters: with chance P_d the
    next example is a mistake, which then leads nearer with chance p_d; the expected mistakes E_d follow.
    """
    found = {n: _enumerated(n) for n in range(1, largest + 1)}
    chains = {n: chain(n, exact=True) for n in found}
    same = [
        [list(chains[n].P[1:]), list(chains[n].p[1:]), [chains[n].mistakes(d) for d in range(1, n + 1)]] == list(by)
        for n, by in found.items()
    ]
    pairs = [by[0][d - 1] == by[0][d] for n, by in found.items() for d in range(1, n, 2)]
    rising = [a <= b for by in found.values() for a, b in zip(by[0], by[0][1:], strict=False)]
    every_start = [chains[n].mistakes() for n in range(1, 6)]
    examples = [chains[n].examples(n) for n in (2, 3, 4)]
    near = [abs(float(chain(n).mistakes(1)) / mean - 1) < ROUNDED for n, mean in NEAREST.items()]
    far = [abs(float(chain(n).mistakes(n)) / mean - 1) < ROUNDED for n, mean in FARTHEST.items()]
    head = ["n", *(f"d = {d}" for d in range(1, 6))]
    rows = [[n, *map(str, found[n][2]), *[""] * (5 - n)] for n in range(1, 6)]
    return Outcome(
        f"From the opposite vertex {', '.join(str(found[n][2][-1]) for n in range(2, 6))} mistakes for n = 2 to 5; "
        f"enumeration and chain agree for {sum(same)} of {len(same)} n.",
        [
            every("chain = all examples and indices enumerated, n", same),
            *[equal(f"reference: P, n = {n}", _texts(found[n][0]), expected) for n, expected in P.items()],
            *[equal(f"reference: p, n = {n}", _texts(found[n][1]), expected) for n, expected in DOWN.items()],
            *[equal(f"reference: E, n = {n}", _texts(found[n][2]), expected) for n, expected in MISTAKES.items()],
            equal("reference: E from a random start, n = 1 to 5", _texts(every_start), FROM_ANYWHERE),
            equal("reference: examples from the opposite vertex, n = 2 to 4", _texts(examples), EXAMPLES),
            every(f"reference: E_1 to five digits, n = {', '.join(map(str, NEAREST))}", near),
            every(f"reference: E_n to five digits, n = {', '.join(map(str, FARTHEST))}", far),
            equal(P_1, [by[0][0] for by in found.values()], [_nearest(n) for n in found]),
            every("P_n = 1, n odd", [by[0][-1] == 1 for n, by in found.items() if n % 2]),
            every("P_(2j-1) = P_(2j)", pairs),
            every("P_d does not fall with d", rising),
        ],
        tables=[Table("Expected mistakes from distance d", head, rows)],
    )


@run_with(quick={"largest": 8, "runs": 2000}, full={"largest": 10})
@claim("pigeonhole", "Why it drifts the right way", "Sections 2 and 3")
def pigeonhole(seed: int, largest: int, runs: int) -> Outcome:
    """On a mistake more than half of the coordinates disagree with the example, and flipping at least one of them is
    right; so a random one of them is right with positive probability, but near the target with one of order 1/n.
    """
    enough, some = [], []
    for n in range(1, largest + 1):
        examples = half_space(n)
        for w in cube(n):
            apart = (examples != w)[examples @ w < 0]
            enough += (2 * apart.sum(axis=1) > n).tolist()
            some += (apart & (w == -1)).any(axis=1).tolist()
    sizes = range(1, 61)
    exact = {n: chain(n, exact=True) for n in sizes}
    bound = [exact[n].p[d] <= Fraction(2 * d, n) for n in sizes for d in range(1, n + 1)]
    nearest = [exact[n].p[1] == Fraction(1, n // 2 + 1) for n in sizes]
    always = "always the lowest index"
    options: dict[str, Any] = {"choice": "lowest", "runs": runs}
    lowest = {n: played(seed, n, cap=5000, **options).converged for n in (5, 9)}
    opposite = [int(played(seed, n, cap=500, start="opposite", **options).converged.sum()) for n in lowest]
    return Outcome(
        f"In {sum(some):,} of {len(some):,} mistakes for n up to {largest} some flip was right; next to the target it "
        f"is drawn with chance 1/(floor(n/2) + 1), for {sum(nearest)} of {len(nearest)} n.",
        [
            every("more than half of the coordinates disagree, mistakes", enough),
            every("one of them is wrong in the hypothesis, mistakes", some),
            every("p_1 = 1/(floor(n/2) + 1), n up to 60", nearest),
            every("p_d <= 2d/n, n up to 60", bound),
            *(mean_is(f"{always}, n = {n}: part of runs that converge", c, 0.5 ** (n // 2)) for n, c in lowest.items()),
            equal("the same from the opposite vertex, n = 5 and 9: runs that converge", opposite, [0, 0]),
        ],
        note="The index must be random: if the lowest is always taken, the last floor(n/2) coordinates never change "
        "(the lowest of more than n/2 is not among them), and a random start is good with chance 2^-floor(n/2).",
    )


GAMES: dict[tuple[int, str], tuple[float, float, float]] = {  # reference: mean, s.d. (0: not noted), rounding
    (5, "opposite"): (16.476, 11.9, 6e-4),
    (8, "opposite"): (85.63, 0, 0.5),
    (9, "opposite"): (94.339, 83.0, 6e-4),
    (11, "random"): (218.77, 215.0, 6e-3),
    (11, "opposite"): (228.931, 0, 6e-3),
}
PARTS = ("converged", "mistakes", "begun")
HEAD = ["n, start", "mean ± s.e.", "chain", "s.d.", "chain's s.d."]


@run_with(quick={"runs": 2000}, full={"runs": 20_000})
@claim("convergence", "Theorem 1: convergence", "Section 2, Theorem 1", rows=["A25", "B1"])
def convergence(seed: int, runs: int) -> Outcome:
    """Directed Drift comes to the target in finite time with probability one, whatever the first hypothesis."""
    sizes = range(1, 62)
    possible = [all(P > 0 and p > 0 for P, p in zip(chain(n).P[1:], chain(n).p[1:], strict=True)) for n in sizes]
    done = {(n, start): played(seed, n, start=start, runs=runs, cap=1 << 40) for n, start in GAMES}
    all_runs = [*done.values(), played(seed, 21, "asynchronous", 16, runs=min(runs, 1000))]
    starts = {(n, start): n if start == "opposite" else None for n, start in GAMES}
    exact = {key: float(chain(key[0]).mistakes(start)) for key, start in starts.items()}
    deviations = {key: float(chain(key[0]).variance(start)) ** 0.5 for key, start in starts.items()}
    near = [abs(deviations[key] / one - 1) < 0.01 for key, (_, one, _) in GAMES.items() if one]
    came, mistakes, begun = (np.concatenate([getattr(one, name) for one in all_runs]) for name in PARTS)
    rows = [
        [
            f"{n}, {start}",
            spread(one.mistakes, 2),
            exact[n, start],
            float(one.mistakes.std(ddof=1)),
            deviations[n, start],
        ]
        for (n, start), one in done.items()
    ]
    return Outcome(
        f"{int(came.sum()):,} of {len(came):,} runs came to the target; n = 11 from the opposite vertex in "
        f"{spread(done[11, 'opposite'].mistakes, 1)} mistakes, by the chain {exact[11, 'opposite']:.1f}.",
        [
            every("from every distance the target can be reached, n", possible),
            every("the target never errs, n", [chain(n).P[0] == 0 for n in sizes]),
            every("runs that came to the target", came),
            every("mistakes at least the distance at the start", mistakes >= begun),
            every("and of its parity, D and D'", (mistakes - begun) % 2 == 0),
            *(
                mean_is(f"D, n = {n}, {start} start, mean by the chain", one.mistakes, exact[n, start])
                for (n, start), one in done.items()
            ),
            *(
                close(f"reference: mean of the chain, n = {n}, {start} start", exact[n, start], mean, rounding)
                for (n, start), (mean, _, rounding) in GAMES.items()
            ),
            every("reference: standard deviations of the chain within 1%, n = 5, 9, 11", near),
        ],
        tables=[Table(f"Mistakes of D, {runs:,} runs", HEAD, rows)],
    )


def _sizes(step: int) -> list[int]:
    """Return 1, ..., 61, and then every step-th number up to 301."""
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
    best = [chain(n).mistakes(d) > chain(n).mistakes(d - 1) for n in range(2, 61) for d in range(2, n + 1)]
    return Outcome(
        f"True from distance 1 for {sum(holds)} of {len(holds)} n from 2 to {largest}; at n = 21 the bound is "
        f"{alpha * exp(beta * 21):.0f} and the truth {float(chain(21).mistakes(1)):,.0f}.",
        [
            every(f"E_1 at least alpha e^(beta n), n = 2 to {largest}", holds),
            every("distance 1 is the best wrong start, n up to 60", best),
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
    with_factor = [logs[n] <= log(1 + constant / n) + 1e-12 for n in sizes]
    return Outcome(
        f"Without the factor true for {sum(plain)} of {len(plain)} n from 4 to {largest}; for n = 1, 2, 3 the factor "
        f"must be at least {', '.join(f'{exp(logs[n]):.3f}' for n in need)}.",
        [
            every(f"E_n <= (n/2)^n, n = 4 to {largest}", plain),
            every(f"E_n <= (n/2)^n (1 + {constant:.3g}/n), n from 1 on", with_factor),
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


LOCAL = {5: 0.50, 7: 0.48, 9: 0.48, 15: 0.51, 21: 0.534, 31: 0.559, 41: 0.575}  # slopes of the reference


def _slope(ns: list[int]) -> float:
    return float(np.polyfit(ns, [float(chain(n).mistakes(1, log=True)) for n in ns], 1)[0])


@run_with(quick={"runs": 2000}, full={"runs": 20_000})
@claim("growth", "Table 1: the growth of algorithm D", "Section 2, Table 1", rows=["B6"])
def growth(seed: int, runs: int) -> Outcome:
    """The time of algorithm D is exponential: at least of order e^(0.139 n) and at most of order e^(n log n)."""
    small, large = _slope(list(range(5, 22, 2))), _slope(list(range(11, 42, 2)))
    local = {n: _slope([n - 2, n]) for n in [*LOCAL, 101, 301, 1001]}
    ends = {n: played(seed, n, start=1, runs=runs, cap=1 << 40).mistakes.reshape(20, -1).mean(axis=1) for n in (5, 13)}
    slopes = np.log(ends[13] / ends[5]) / 8
    sizes = list(range(2, 42))
    alpha, beta = theorem1_constants()
    truth = {n: float(chain(n).mistakes(1, log=True)) for n in (51, 101, 201, 301)}
    fitted = [one - (0.6928 * n - 1.690 * n**0.5 + 0.631 * log(n) + 1.55) for n, one in truth.items()]
    near = [exp(directed_drift_growth(n, log=True) - truth[n]) for n in (51, 101, 301)]
    formula = "ln E_1 = 0.6928 n - 1.690 sqrt n + 0.631 ln n + 1.55 within 0.02, n = 51, 101, 201, 301"
    caption = "Exact chain, with the two bounds of Theorem 1; logarithmic."
    lines = [
        Line("from distance 1", sizes, [float(chain(n).mistakes(1)) for n in sizes]),
        Line("from the opposite vertex", sizes, [float(chain(n).mistakes(n)) for n in sizes]),
        Line("lower bound", sizes, [alpha * exp(beta * n) for n in sizes], kind="theory"),
        Line("upper bound, (n/2)^n", sizes[:22], [(n / 2) ** n for n in sizes[:22]], kind="theory"),
        Line("2^n", sizes, [2.0**n for n in sizes], kind="theory"),
    ]
    figure = Figure("Expected mistakes of algorithm D", caption, "n", "expected mistakes", lines, "linear", "log")
    return Outcome(
        f"The slope of ln E_1 is {small:.3f} for n = 5 to 21 and {large:.3f} for n = 11 to 41; locally "
        f"{local[101]:.3f} at n = 101 and {local[1001]:.3f} at n = 1001, towards ln 2.",
        [
            above("least local slope", min(local.values()), 0.139),
            every("the slope rises from n = 7 on", np.diff(list(local.values())[1:]) > 0),
            below("slope at n = 1001", local[1001], log(2)),
            close("reference: least-squares slope, odd n = 5 to 21", small, 0.504, 5e-4),
            close("reference: least-squares slope, odd n = 11 to 41", large, 0.547, 5e-4),
            *(close(f"reference: local slope at n = {n}", local[n], slope, 0.005) for n, slope in LOCAL.items()),
            mean_is("slope between n = 5 and 13, simulated, 20 groups", slopes, 0.4856),
            every("2^n e^(-1.718 sqrt n) n^(pi/4) c within 0.1%, n = 51, 101, 301", [abs(q - 1) < 1e-3 for q in near]),
            every(f"reference: {formula}", [abs(gap) < 0.02 for gap in fitted]),
        ],
        note="Both bounds hold and both are loose: E_1 is about 2^n e^(-1.7 sqrt n), so algorithm D is hardly better "
        "than trying vertices at random, 2^n, and its rate is ln 2 = 0.693, not 0.139.",
        figures=[figure],
    )


RESULTS = results(globals())
