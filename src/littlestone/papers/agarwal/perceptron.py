"""Section 2: the Perceptron and the kernel Perceptron."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.bounds import kernel_perceptron_margin, perceptron_losses, perceptron_mistake_losses
from littlestone.core.arrays import Floats, Ints
from littlestone.learners import KernelPerceptron
from littlestone.papers.comparisons import Comparison, at_most, close, equal, every
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, results, run_with
from littlestone.papers.runs import weights
from littlestone.parts.kernels import Gaussian, Kernel, Linear, Polynomial, wrapped

__all__ = ["RESULTS"]

SIGNS = ("+1", "-1", "0")  # what sign(0) may be
ROUNDING = 1e-9


def _played(X: Ints, y: Ints, sign: str = "+1") -> tuple[NDArray[np.bool_], Floats]:
    """Return which trials were mistakes of the Perceptron, and its last weights.

    With whole numbers w.x >= 1/2 says w.x > 0: a tie is predicted -1. Where a tie is always a mistake, (y x, +1) is
    played in place of (x, y).
    """
    if sign == "0":
        X, y = X * y[:, np.newaxis], np.ones_like(y)
    learner = ls.Perceptron(bias=False, theta=0.0 if sign == "+1" else 0.5).begin(X.shape[1], labels=(-1, 1))
    predicted = learner.learn(X, y)
    return predicted != y, weights(learner)


def _separable(rng: np.random.Generator) -> tuple[Ints, Ints, Ints]:
    """Return a comparator and rows of whole numbers with its labels; every margin is at least 1."""
    n = int(rng.integers(1, 9))
    u = rng.integers(-4, 5, size=n)
    u[rng.integers(n)] = rng.integers(1, 5)
    X = rng.integers(-3, 4, size=(60, n))
    X = X[X @ u != 0]
    X = X if len(X) else u[np.newaxis]
    return u, X, np.sign(X @ u)


@run_with(quick={"problems": 300}, full={"problems": 1000})
@claim("theorem-2-1", "Theorem 2.1: the Perceptron convergence theorem", "Section 2, Theorem 2.1", rows=["A15"])
def theorem_2_1(seed: int, problems: int) -> Outcome:
    """If some u has y (u.x) >= gamma on every trial and no row is longer than R, the Perceptron makes at most
    R^2 |u|^2 / gamma^2 mistakes; at each of them w.u grows by gamma at least and |w|^2 by R^2 at most.
    """
    within: dict[str, list[bool]] = {sign: [] for sign in SIGNS}
    towards, longer, largest = [], [], Fraction(0)
    for number in range(problems):
        u, X, y = _separable(np.random.default_rng([seed, number]))
        gamma, radius2 = int((y * (X @ u)).min()), int((X * X).sum(axis=1).max())
        most = Fraction(radius2 * int(u @ u), gamma**2)
        for sign in SIGNS:
            wrong, last = _played(X, y, sign)
            within[sign].append(wrong.sum() <= most)
            largest = max(largest, int(wrong.sum()) / most)
            w = np.cumsum((y[:, np.newaxis] * X)[wrong], axis=0)
            before = np.vstack((np.zeros_like(u)[np.newaxis], w))
            towards.append(bool((np.diff(before @ u) >= gamma).all() and np.array_equal(before[-1], last)))
            longer.append(bool((np.diff((before * before).sum(axis=1)) <= radius2).all()))
    sizes = range(1, 65)
    units = {
        (sign, label): [int(_played(np.eye(n, dtype=np.int64), np.full(n, label), sign)[0].sum()) for n in sizes]
        for sign in SIGNS
        for label in (-1, 1)
    }
    never = [0] * len(sizes)
    return Outcome(
        f"{sum(map(sum, within.values())):,} of {3 * problems:,} runs stayed within the bound, the largest at "
        f"{float(largest):.2f} of it; {sizes[-1]} unit vectors labelled -1 cost {units['+1', -1][-1]} mistakes, the "
        "bound.",
        [
            *(every(f"sign(0) = {sign}: mistakes within R^2 |u|^2 / gamma^2", found) for sign, found in within.items()),
            every("w.u grows by gamma or more at each mistake, the weights are those of the learner", towards),
            every("|w|^2 grows by R^2 or less at each mistake", longer),
            equal("unit vectors, y = -1, sign(0) = +1: mistakes for n = 1, ..., 64", units["+1", -1], list(sizes)),
            equal("unit vectors, y = +1, sign(0) = +1", units["+1", 1], never),
            equal("unit vectors, y = +1, sign(0) = -1", units["-1", 1], list(sizes)),
            equal("unit vectors, y = +1, sign(0) = 0", units["0", 1], list(sizes)),
        ],
        note="The bound is attained: for unit vectors R = gamma = 1 and |u|^2 = n. The lecture leaves sign(0) open; "
        "the proof needs y (w.x) <= 0 on a mistake only, so any choice will do.",
    )


@run_with(quick={"problems": 1000}, full={"problems": 4000})
@claim("theorem-2-2", "Theorem 2.2: no separation needed", "Section 2, Theorem 2.2")
def theorem_2_2(seed: int, problems: int) -> Outcome:
    """Whatever the labels, for any u and gamma > 0 the Perceptron makes at most ((R |u| + sqrt(D)) / gamma)^2
    mistakes, D the sum of ((gamma - y u.x)+)^2 over all trials.
    """
    all_trials: list[float] = []
    mistakes_only: list[float] = []
    for number in range(problems):
        rng = np.random.default_rng([seed, number])
        n, trials = int(rng.integers(1, 7)), int(rng.integers(1, 41))
        passes = 1 + number % 2
        X = np.tile(rng.integers(-3, 4, size=(trials, n)), (passes, 1))
        y = np.tile(rng.choice([-1, 1], size=trials), passes)
        u = rng.integers(-3, 4, size=n) * int(rng.integers(2))  # half of the time, nothing
        gamma = float(rng.choice([0.5, 1.0, 2.0, 5.0]))
        wrong, _ = _played(X, y, SIGNS[number % 3])
        short = np.maximum(gamma - y * (X @ u), 0.0) ** 2
        problem = {"radius": float(np.sqrt((X * X).sum(axis=1).max())), "norm": float(np.sqrt(u @ u)), "gamma": gamma}
        bounds = (
            perceptron_losses(**problem, losses=float(short.sum())).value,
            perceptron_mistake_losses(**problem, losses=float(short[wrong].sum())).value,
        )
        for ratios, bound in zip((all_trials, mistakes_only), bounds, strict=True):
            ratios.append(int(wrong.sum()) / bound if bound else float(wrong.any()))
    tight = int(_played(np.eye(9, dtype=np.int64), np.full(9, -1))[0].sum())
    nine = round(perceptron_losses(radius=1.0, norm=0.0, gamma=1.0, losses=9.0).value)
    only = "the losses of mistakes only"
    return Outcome(
        f"{problems:,} runs on random labels came to at most {max(all_trials):.3f} of the bound, and to "
        f"{max(mistakes_only):.3f} of the same with the losses of the mistakes alone.",
        [
            at_most("mistakes / bound, the largest", max(all_trials), 1.0 + ROUNDING),
            at_most(f"mistakes / bound with {only}, the largest", max(mistakes_only), 1.0 + ROUNDING),
            equal(
                "u = 0, where the bound is the number of trials: mistakes on 9 unit vectors labelled -1", tight, nine
            ),
        ],
        note="The sum may be taken over the mistakes alone, which is sharper: the proof looks at no other trial. Only "
        "u / gamma matters; several passes, as in half of the runs, are one long sequence.",
    )


XOR = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
XOR_LABELS = np.array([1, -1, -1, 1])


def _kernel_run(kernel: Kernel, X: Floats | Ints, y: Ints) -> tuple[list[int], KernelPerceptron]:
    """Return the trials that were mistakes, and the learner."""
    learner = KernelPerceptron(kernel).begin(X.shape[1], labels=(-1, 1))
    predicted = learner.learn(np.asarray(X, dtype=np.float64), y)
    return np.flatnonzero(predicted != y).tolist(), learner


def _linear_is_primal(rng: np.random.Generator) -> tuple[bool, bool]:
    """Tell whether both learners miss the same trials, and have the same weights at the end."""
    n = int(rng.integers(1, 8))
    X, y = rng.integers(-3, 4, size=(50, n)), rng.choice([-1, 1], size=50)
    wrong, w = _played(X, y)
    trials, learner = _kernel_run(Linear(), X, y)
    summed = (y[:, np.newaxis] * X)[trials].sum(axis=0)
    own = [learner.weights().get(i, 0.0) for i in range(n)]
    return trials == np.flatnonzero(wrong).tolist(), bool(np.array_equal(summed, w) and own == w.tolist())


def _kernel_ratio(rng: np.random.Generator, kernel: Kernel) -> float:
    """Return mistakes over bound for labels given by a sum of kernels at some points, as a function of the space."""
    n = int(rng.integers(1, 5))
    X = rng.integers(-2, 3, size=(60, n)).astype(np.float64)
    centres = X[rng.integers(60, size=3)]
    beta = rng.choice([-2.0, -1.0, 1.0, 2.0], size=3)
    values = kernel.gram(X, centres) @ beta
    X, values = X[np.abs(values) > 0.01], values[np.abs(values) > 0.01]
    if not len(X):
        return 0.0
    wrong, _ = _kernel_run(kernel, X, np.sign(values).astype(np.int64))
    norm2 = float(beta @ kernel.gram(centres) @ beta)
    radius = float(np.sqrt(max(kernel(x, x) for x in X)))
    bound = kernel_perceptron_margin(radius=radius, norm=norm2**0.5, gamma=float(np.abs(values).min()))
    return len(wrong) / bound.value


@run_with(quick={"problems": 100}, full={"problems": 400})
@claim("theorem-2-3", "Theorem 2.3: the kernel Perceptron", "Section 2, Theorem 2.3", rows=["A16", "A17"])
def theorem_2_3(seed: int, problems: int) -> Outcome:
    """The Perceptron can be written with dot products only, and run with any kernel K: if some u has
    y K(u, x) >= gamma on every trial, it makes at most R^2 K(u, u) / gamma^2 mistakes, R^2 the largest K(x, x).
    """
    same = [_linear_is_primal(np.random.default_rng([seed, 0, number])) for number in range(problems)]
    kernels: dict[str, Kernel] = {
        "linear": Linear(),
        "(1 + x.z)^2": Polynomial(degree=2),
        "(1 + x.z)^3": Polynomial(degree=3),
        "Gaussian": Gaussian(gamma=0.5),
    }
    ratios = {
        name: max(_kernel_ratio(np.random.default_rng([seed, 1, number]), kernel) for number in range(problems))
        for name, kernel in kernels.items()
    }
    square, points = Polynomial(degree=2), np.tile(XOR, (5, 1))
    trials, _ = _kernel_run(square, points, np.tile(XOR_LABELS, 5))
    beta = np.linalg.solve(square.gram(XOR.astype(np.float64)), XOR_LABELS)
    norm2 = float(beta @ XOR_LABELS)
    xor_bound = kernel_perceptron_margin(radius=3.0, norm=norm2**0.5, gamma=1.0).value
    found: list[Comparison] = [
        every("linear kernel: the same mistakes as the Perceptron, whole numbers", [one for one, _ in same]),
        every("linear kernel: the sum of y x over the mistakes is w", [two for _, two in same]),
        *(at_most(f"{name}: mistakes / bound, the largest", ratio, 1.0 + ROUNDING) for name, ratio in ratios.items()),
        equal("XOR, five passes: trials (from 0) that are mistakes", trials, [1, 3, 6, 8]),
        close("XOR: |f|^2 of the function with margin 1", norm2, 0.5),
        close("XOR: the bound", xor_bound, 4.5),
        at_most("XOR: mistakes", len(trials), xor_bound),
    ]
    bad, bad_bound = _not_a_kernel()
    rows = [[name, round(ratio, 4)] for name, ratio in ratios.items()]
    return Outcome(
        f"XOR under (1 + x.z)^2 is learned with {len(trials)} mistakes (bound {xor_bound:.1f}); {4 * problems} runs "
        f"with four kernels came to at most {max(ratios.values()):.2f} of the bound.",
        found,
        note="u need not be an instance: any f = sum of beta_j K(x_j, .) will do, with |f|^2 = beta' K beta; so it was "
        "checked. K must be positive semi-definite, as kernels are: with K(a,a) = K(b,b) = 1, K(a,b) = -2 and "
        f'u = a, the single trial (b, -1) is {bad} mistake against a "bound" of {bad_bound:g}.',
        tables=[Table("Mistakes as a share of the bound, the largest of all runs", ["kernel", "largest share"], rows)],
    )


def _not_a_kernel() -> tuple[int, float]:
    """Return mistakes and bound for a symmetric function that is no kernel; a is 0 and b is 1."""
    matrix = np.array([[1.0, -2.0], [-2.0, 1.0]])
    trials, _ = _kernel_run(wrapped(lambda x, z: matrix[int(x[0]), int(z[0])]), np.array([[1]]), np.array([-1]))
    return len(trials), float(matrix[1, 1] * matrix[0, 0] / matrix[0, 1] ** 2)


RESULTS = results(globals())
