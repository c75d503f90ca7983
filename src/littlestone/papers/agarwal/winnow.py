"""Section 3: normalised Winnow, its update and Theorem 3.1."""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, log, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.bounds import normalized_winnow_margin, normalized_winnow_optimal, optimal_eta
from littlestone.bounds.agarwal import ln_cosh
from littlestone.core.arrays import Floats
from littlestone.papers.comparisons import at_least, at_most, close, equal, every
from littlestone.papers.outcome import Figure, Line, Outcome
from littlestone.papers.result import claim, results, run_with
from littlestone.papers.runs import weights
from littlestone.parts import links

__all__ = ["RESULTS"]

ETAS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
ROUNDING = 1e-8
NOTHING = 1e-9  # as a threshold: ties w.x = 0, up to rounding, are below it


@dataclass(frozen=True)
class Problem:
    """Rows with labels, a non-negative u that separates them, and what the theorem says of them in numbers."""

    X: Floats
    y: NDArray[np.int64]
    u: Floats
    gamma: float
    radius: float
    norm: float

    @property
    def n(self) -> int:
        """The number of attributes."""
        return int(self.X.shape[1])

    def denominator(self, eta: float) -> float:
        """Return that of the bound, which the lecture divides by whatever its sign."""
        return eta * self.gamma - self.norm * ln_cosh(eta * self.radius)

    def entropy(self) -> float:
        """Return the entropy of u / |u|."""
        p = self.u[self.u > 0.0] / self.norm
        return float(-(p * np.log(p)).sum())


def _problem(rng: np.random.Generator, *, ties: bool = True) -> Problem:
    """Draw a problem with a sparse or dense comparator, and a margin that is not tiny.

    Rows are real or, where ``ties`` are no trouble, of -1 and 1 half of the time.
    """
    n = int(rng.integers(2, 9))
    u = rng.random(n) * (rng.random(n) < rng.choice([0.3, 1.0]))
    u[rng.integers(n)] = 1.0
    signs = ties and rng.random() < 0.5
    X = rng.choice([-1.0, 1.0], size=(60, n)) if signs else rng.uniform(-1.0, 1.0, size=(60, n))
    values = X @ u
    kept = np.abs(values) > 0.1 * u.sum()
    X, values = (X[kept], values[kept]) if kept.any() else (np.ones((1, n)), np.array([u.sum()]))
    return Problem(
        X, np.sign(values).astype(np.int64), u, float(np.abs(values).min()), float(np.abs(X).max()), float(u.sum())
    )


def _played(problem: Problem, eta: float) -> tuple[NDArray[np.bool_], Floats]:
    learner = ls.NormalizedWinnow(eta=eta).begin(problem.n, labels=(-1, 1))
    predicted = learner.learn(problem.X, problem.y)
    return predicted != problem.y, weights(learner)


def _softmax(z: Floats) -> Floats:
    w = np.exp(z - z.max(axis=1, keepdims=True))
    return np.asarray(w / w.sum(axis=1, keepdims=True))


@run_with(quick={"problems": 200}, full={"problems": 1000})
@claim("winnow-update", "The update of normalised Winnow", "Section 3", rows=["A18", "A22"])
def winnow_update(seed: int, problems: int) -> Outcome:
    """On a mistake w_i is multiplied by exp(eta y x_i) and the weights are normalised again; this moves w.x in the
    direction of the label.
    """
    one = ls.NormalizedWinnow(eta=log(2)).begin(3, labels=(-1, 1))
    x = np.array([[1.0, -1.0, -1.0]])
    before = float(one.activation(x)[0])
    one.learn(x, [1])
    still = ls.NormalizedWinnow(eta=log(2)).begin(3, labels=(-1, 1))
    still.learn(np.ones((1, 3)), [-1])  # a mistake, and all x_i equal
    moved, as_computed, plain, with_threshold = [], [], [], []
    for number in range(problems):
        problem = _problem(np.random.default_rng([seed, number]))
        eta = ETAS[number % len(ETAS)]
        wrong, last = _played(problem, eta)
        signed = (problem.y[:, np.newaxis] * problem.X)[wrong]
        w = _softmax(np.vstack((np.zeros(problem.n), eta * np.cumsum(signed, axis=0))))
        moved.append(bool(((w[1:] * signed).sum(axis=1) >= (w[:-1] * signed).sum(axis=1) - ROUNDING).all()))
        as_computed.append(bool(np.abs(w[-1] - last).max() <= ROUNDING))
        untied = _problem(np.random.default_rng([seed, number]), ties=False)
        plain.append(_alike(untied, eta, 0.0))
        with_threshold.append(_alike(untied, eta, 0.25))
    return Outcome(
        f"In {sum(moved)} of {problems} runs every update moved w.x as the label says; Winnow without normalisation "
        f"predicted alike in {sum(plain)} of them with theta 0, and in {sum(with_threshold)} with theta 1/4.",
        [
            close("n = 3, eta = ln 2, x = (1,-1,-1), y = +1: w.x", before, -1.0 / 3.0, 1e-12),
            *(
                close(f"the same: w_{i + 1} after the update", w, expected, 1e-12)
                for i, (w, expected) in enumerate(zip(weights(one), (2 / 3, 1 / 6, 1 / 6), strict=True))
            ),
            close("the same: Z", float(np.exp(log(2) * x[0]).mean()), 1.0, 1e-12),
            equal("n = 3, x = (1,1,1), y = -1: updates", still.updates, 1),
            close("the same: the largest change of a weight", float(np.abs(weights(still) - 1 / 3).max()), 0.0, 1e-12),
            every("y (w.x) does not fall by the update, in all mistakes of a run", moved),
            every("the learner's weights are those of the formula", as_computed),
            every("theta 0: predictions with and without normalisation are the same", plain),
            at_most("theta 1/4: runs in which they are still the same", sum(with_threshold), problems - 1),
        ],
        note="Where all x_i are equal the update changes nothing. With theta 0 the normalisation matters to the proof "
        "only, not to the predictions; this was compared on real rows, as with rows of -1 and 1 there are ties w.x = 0 "
        "that floats may break either way.",
    )


def _alike(problem: Problem, eta: float, theta: float) -> bool:
    """Tell whether weights that sum to one and weights that do not (1/n at the start) predict alike."""
    normal = ls.NormalizedWinnow(eta=eta, theta=theta).begin(problem.n, labels=(-1, 1))
    free = ls.QuasiAdditive(link=links.power(np.e, 1.0 / problem.n), eta=eta, theta=theta, bias=False)
    free.begin(problem.n, labels=(-1, 1))
    return bool(np.array_equal(normal.learn(problem.X, problem.y), free.learn(problem.X, problem.y)))


SMALLEST = Problem(np.array([[0.1, -1.0]]), np.array([1]), np.array([1.0, 0.0]), 0.1, 1.0, 1.0)


@run_with(quick={"problems": 200}, full={"problems": 1000})
@claim("theorem-3-1", "Theorem 3.1: any eta", "Section 3, Theorem 3.1", rows=["A20"])
def theorem_3_1(seed: int, problems: int) -> Outcome:
    """If some u >= 0 has y (u.x) >= gamma on every trial and |x_i| <= R, then for any eta > 0 normalised Winnow makes
    at most |u| ln n / (eta gamma - |u| ln cosh(eta R)) mistakes, |u| the 1-norm.
    """
    wrong, _ = _played(SMALLEST, 1.0)
    mistakes, printed = int(wrong.sum()), log(2) / SMALLEST.denominator(1.0)
    alone = _played(Problem(np.array([[1.0], [-1.0]]), np.array([1, -1]), np.array([1.0]), 1.0, 1.0, 1.0), 1.0)[0]
    ratios, sharper, drops, senseless, guarded, tied = [], [], [], 0, [], []
    for number in range(problems):
        problem = _problem(np.random.default_rng([seed, number]))
        known: dict[str, Any] = {"n": problem.n, "gamma": problem.gamma, "radius": problem.radius, "norm": problem.norm}
        entropy = problem.entropy()
        for eta in ETAS:
            wrong, _ = _played(problem, eta)
            bound = normalized_winnow_margin(eta=eta, **known).value
            senseless += problem.denominator(eta) <= 0.0
            guarded.append((problem.denominator(eta) <= 0.0) == (bound == float("inf")))
            drops.append(_falls(problem, eta, wrong))
            if problem.denominator(eta) > 0.0:
                ratios.append(int(wrong.sum()) / bound)
                tied.append(_ties_wrong(problem, eta) / bound)
                least = normalized_winnow_margin(eta=eta, entropy=entropy, **known).value
                sharper.append(int(wrong.sum()) / least if least else float(wrong.any()))
    pairs = problems * len(ETAS)
    guarded_bound = str(normalized_winnow_margin(n=2, gamma=0.1, eta=1.0).value)
    return Outcome(
        f"One trial, n = 2, eta = 1: {mistakes} mistake against {printed:.4f}. Where the denominator is positive "
        f"({len(ratios):,} of {pairs:,} runs) mistakes come to at most {max(ratios):.3f} of the bound.",
        [at_most("n = 2, u = (1,0), x = (0.1,-1), y = +1, eta = 1: mistakes", mistakes, printed)],
        [
            at_most("positive denominator: mistakes / bound, the largest", max(ratios), 1.0 + ROUNDING),
            at_most("the same where every tie w.x = 0 is a mistake", max(tied), 1.0 + ROUNDING),
            at_most("with ln n - H(u/|u|) for ln n: the largest", max(sharper), 1.0 + ROUNDING),
            every("at each mistake KL(u/|u|, w) falls by eta gamma/|u| - ln cosh(eta R) or more", drops),
            every("the library's bound is infinite where the denominator is not positive", guarded),
            equal("n = 1, where the bound is 0: mistakes", int(alone.sum()), 0),
            equal("the bound of the counterexample, guarded", guarded_bound, "inf"),
        ],
        erratum="The bound holds only where eta gamma > |u| ln cosh(eta R). Where that denominator is not positive the "
        "proof divides by it and says nothing; the printed number is then negative or infinite.",
        counterexample=f"n = 2, u = (1,0), one trial x = (0.1,-1), y = +1, gamma = 0.1, eta = 1: w.x = -0.45, "
        f"{mistakes} mistake, and the bound is ln 2 / (0.1 - ln cosh 1) = {printed:.4f}. With n = 1 there is none: "
        "there are no mistakes, and ln n = 0.",
        note=f"{senseless:,} of {pairs:,} random pairs of a problem and an eta have no positive denominator. "
        "The divergence at the start is ln n less the entropy of u/|u|, which makes the bound sharper at no cost.",
    )


def _ties_wrong(problem: Problem, eta: float) -> int:
    """Return the mistakes where a tie is one whatever the label: (y x, +1) is played, and +1 needs w.x > 0."""
    learner = ls.NormalizedWinnow(eta=eta, theta=NOTHING).begin(problem.n, labels=(-1, 1))
    return int((learner.learn(problem.X * problem.y[:, np.newaxis], np.ones_like(problem.y)) < 0).sum())


def _falls(problem: Problem, eta: float, wrong: NDArray[np.bool_]) -> bool:
    """Tell whether the divergence from u/|u| falls by as much as (18) says at every mistake."""
    signed = (problem.y[:, np.newaxis] * problem.X)[wrong]
    z = np.vstack((np.zeros(problem.n), eta * np.cumsum(signed, axis=0)))
    on = problem.u > 0.0
    p = problem.u[on] / problem.norm
    with np.errstate(divide="ignore"):
        divergence = (p * (np.log(p) - np.log(_softmax(z)[:, on]))).sum(axis=1)
    return bool((-np.diff(divergence) >= problem.denominator(eta) / problem.norm - ROUNDING).all())


@run_with(quick={"problems": 300}, full={"problems": 2000})
@claim("theorem-3-1-best-eta", "Theorem 3.1: the best eta", "Section 3, Theorem 3.1, (24) and (25)", rows=["A19"])
def theorem_3_1_best_eta(seed: int, problems: int) -> Outcome:
    """With eta* = ln((R|u| + gamma)/(R|u| - gamma)) / 2R the bound is smallest; it is then ln n / g(eps),
    eps = gamma/(R|u|), g(eps) = ((1+eps) ln(1+eps) + (1-eps) ln(1-eps)) / 2 >= eps^2/2, and so at most
    2 R^2 |u|^2 ln n / gamma^2.
    """
    grid = np.concatenate((np.geomspace(1e-6, 0.99, 400), 1.0 - np.geomspace(0.01, 1e-9, 100)))
    g = np.array([_g(eps) for eps in grid])
    least, at_best, ratios, looser = [], [], [], []
    for number in range(problems):
        problem = _problem(np.random.default_rng([seed, number]))
        known: dict[str, Any] = {"gamma": problem.gamma, "radius": problem.radius, "norm": problem.norm}
        eps = problem.gamma / (problem.radius * problem.norm)
        if eps > 1.0 - 1e-9:
            continue
        eta = optimal_eta(**known)
        others = [problem.denominator(eta * factor) for factor in (0.5, 0.9, 0.99, 1.01, 1.1, 2.0)]
        least.append(max(others) <= problem.denominator(eta) * (1.0 + ROUNDING))
        at_best.append(abs(problem.denominator(eta) - problem.norm * _g(eps)) <= 1e-9)
        wrong, _ = _played(problem, eta)
        bound = normalized_winnow_optimal(n=problem.n, **known).value
        ratios.append(int(wrong.sum()) / bound)
        looser.append(bound <= 2.0 * log(problem.n) / eps**2 * (1.0 + ROUNDING))
    share, even = g / (grid**2 / 2.0), np.linspace(0.01, 0.999999, 60)
    printed = ((1 + grid) * np.log1p(grid) + (1 - grid) * np.log1p(-grid)) / 2
    p = (1 + grid) / 2
    divergence = p * np.log(2 * p) + (1 - p) * np.log(2 * (1 - p))
    return Outcome(
        f"In {len(ratios)} runs with eta* mistakes came to at most {max(ratios):.3f} of ln n / g(eps); "
        f"g(eps) / (eps^2/2) rises from 1 to {share[-1]:.4f}.",
        [
            every("no eta near eta* has a larger denominator", least),
            every("the denominator at eta* is |u| g(eps), within 1e-9", at_best),
            at_most("mistakes / (ln n / g(eps)), the largest", max(ratios), 1.0 + ROUNDING),
            every("ln n / g(eps) is at most 2 R^2 |u|^2 ln n / gamma^2", looser),
            at_least("g(eps) / (eps^2/2), the least on a grid", float(share.min()), 1.0 - ROUNDING),
            close("g(1), in the limit", float(g[-1]), log(2), 1e-7),
            close("g(eps) / (eps^2/2) at eps = 1, in the limit, and 2 ln 2", float(share[-1]), 2 * log(2), 1e-7),
            at_most("g(eps) as printed, and as here: the largest difference", float(np.abs(printed - g).max()),
                    ROUNDING),
            at_most("g(eps) and the divergence of a coin of (1 + eps)/2 from a fair one: the largest difference",
                    float(np.abs(divergence - g).max()), ROUNDING),
        ],
        note="At eps = 1 the printed eta* is infinite; g(1) = ln 2 then gives log2 n, the bound of halving.",
        figures=[Figure(
            "What the last step of the proof gives away",
            "The bound with eta* is ln n / g(eps); replacing g(eps) by eps^2/2 loses a factor between 1 and 2 ln 2.",
            "eps = gamma / (R |u|)", "g(eps) / (eps^2/2)",
            [Line("g(eps) / (eps^2/2)", even.tolist(), [_g(eps) / (eps**2 / 2) for eps in even]),
             Line("2 ln 2", [0.0, 1.0], [2 * log(2)] * 2, kind="theory")],
        )],
    )  # fmt: skip


def _g(eps: float) -> float:
    return eps * atanh(eps) + 0.5 * float(np.log1p(-eps * eps))


@run_with(quick={"runs": 50}, full={"runs": 200})
@claim("halving", "The largest margin: halving", "Section 3, (24) and (25) at eps = 1", rows=["A21"])
def halving(seed: int, runs: int) -> Outcome:
    """Where u = e_i and x in {-1, 1}^n, gamma is as large as R |u|: (25) becomes log2 n mistakes, for eta to
    infinity.
    """
    bits = _bits(16)
    attained = [_errors(_bits(n), _bits(n)[:, -1], 0.0) for n in (2, 4, 8, 16)]
    found = {(target, theta): _errors(bits, bits[:, target], theta) for target in (0, 15) for theta in (0.0, NOTHING)}
    both = {target: _errors(bits * bits[:, [target]], np.ones(4), NOTHING) for target in (0, 15)}
    worst, below_n = {}, "n = 2, 4, 8, 16, the bits of the numbers below n"
    for n in (2, 4, 8, 16):
        drawn = [np.random.default_rng([seed, n, run]).choice([-1.0, 1.0], size=(60, n)) for run in range(runs)]
        worst[n] = max(_errors(X, X[:, 0], 0.0) for X in drawn)
    return Outcome(
        f"n = 16, the bits of the numbers 0 to 15: {found[15, 0.0]} mistakes for attribute 15 and {found[0, 0.0]} for "
        f"attribute 0; on random rows at most {', '.join(map(str, worst.values()))} for n = 2, 4, 8, 16.",
        [
            equal("n = 16, target 15, sign(0) = +1: mistakes", found[15, 0.0], 4),
            equal("n = 16, target 0, sign(0) = +1: mistakes", found[0, 0.0], 0),
            equal("n = 16, target 0, sign(0) = -1: mistakes", found[0, NOTHING], 4),
            equal("n = 16, targets 0 and 15, sign(0) = 0: mistakes", list(both.values()), [4, 4]),
            close("the bound for n = 16", normalized_winnow_optimal(n=16, gamma=1.0).value, 4.0),
            *(at_most(f"n = {n}: mistakes on random rows, the most", most, log2(n)) for n, most in worst.items()),
            equal(f"{below_n}, the last attribute: mistakes", attained, [1, 2, 3, 4]),
        ],
        note="eta is 1000: what is wrong once weighs nothing.",
    )


def _bits(n: int) -> Floats:
    """Return a row for each binary digit, -1 where it is on in the number of the attribute."""
    return np.array([[-1.0 if i >> b & 1 else 1.0 for i in range(n)] for b in range(n.bit_length() - 1)])


def _errors(X: Floats, y: Floats, theta: float) -> int:
    learner = ls.NormalizedWinnow(eta=1000.0, theta=theta).begin(X.shape[1], labels=(-1, 1))
    return int((learner.learn(X, y.astype(np.int64)) != y).sum())


RESULTS = results(globals())
