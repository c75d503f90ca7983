"""The end of the lecture: what the next one promises of on-line regression."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from typing import Any

import numpy as np

import littlestone as ls
from littlestone.bounds import eg_plus_minus, gradient_descent
from littlestone.core.arrays import Floats
from littlestone.papers.comparisons import above, equal
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, results, run_with

__all__ = ["RESULTS"]

# How an outcome is chosen once the prediction is known: at the farther end, at either end, near what u predicts
Choice = Callable[[np.random.Generator, float, float], float]
CHOICES: dict[str, Choice] = {
    "the farther end": lambda _rng, p, _r: -1.0 if p > 0.0 else 1.0,
    "either end": lambda rng, _p, _r: float(rng.choice((-1.0, 1.0))),
    "near the target": lambda rng, _p, r: r + 0.1 * float(rng.standard_normal()),
}


def _game(
    rng: np.random.Generator, learner: ls.Regressor, choose: Choice, u: Floats, trials: int
) -> tuple[Floats, Floats]:
    """Play rows of numbers in [-1, 1] whose outcomes are chosen after the prediction; return rows and outcomes."""
    X, y = rng.uniform(-1.0, 1.0, (trials, len(u))), np.zeros(trials)
    for t, row in enumerate(X):
        y[t] = choose(rng, learner.predict_one(row), float(row @ u))
        learner.learn_one(row, float(y[t]))
    return X, y


def _entropy(u: Floats, U: float) -> float:
    """Return the relative entropy of u, as 2n weights with the sum U, and equal ones."""
    halves = np.append(np.maximum(u, 0.0), np.maximum(-u, 0.0)) + (U - np.abs(u).sum()) / (2 * len(u))
    shares = halves[halves > 0.0] / U
    return float(shares @ np.log(shares)) + log(2 * len(u))


@run_with(quick={"n": 8, "trials": 60, "runs": 20}, full={"runs": 400})
@claim("regression", "Additive and multiplicative updates for on-line regression", "The end of Section 4")
def regression(seed: int, n: int, trials: int, runs: int) -> Outcome:
    """For on-line regression, too, there are algorithms with additive and with multiplicative updates, whose
    cumulative loss can be bounded by that of the best predictor of a class. (The lecture leaves both to the next one;
    we take gradient descent and EG+-.)
    """
    games, beyond, closest, rows = 0, 0, dict.fromkeys(("gradient descent", "EG+-"), 0.0), list[Sequence[Any]]()
    for name, choose in CHOICES.items():
        shares: dict[str, list[float]] = {learner: [] for learner in closest}
        for run in range(runs):
            rng = np.random.default_rng([seed, run, len(name)])
            u = rng.standard_normal(n) * (rng.random(n) < 0.5)
            u /= max(np.abs(u).sum(), 1e-9)
            X_2, U = float(n) ** 0.5, 1.0
            gd = ls.GradientDescent(X=X_2, bias=False).begin(n)
            eg = ls.EGPlusMinus(X=1.0, U=U, bias=False).begin(n)
            X, y = _game(rng, gd, choose, u, trials)
            best = np.linalg.lstsq(X, y, rcond=None)[0]
            for v in (u, best):
                loss = float(np.square(X @ v - y).sum())
                bound = gradient_descent(loss=loss, norm=float(np.sqrt(v @ v)), X=X_2, c=1.0).value
                shares["gradient descent"].append(gd.loss / bound)
            X, y = _game(rng, eg, choose, u, trials)
            loss = float(np.square(X @ u - y).sum())
            shares["EG+-"].append(
                eg.loss / eg_plus_minus(loss=loss, U=U, X=1.0, n=n, divergence=_entropy(u, U), c=1.0).value
            )
        for learner, found in shares.items():
            games, beyond = games + len(found), beyond + sum(share > 1.0 + 1e-9 for share in found)
            closest[learner] = max(closest[learner], *found)
            rows.append([name, learner, len(found), f"{min(found):.3f}", f"{max(found):.3f}"])
    head = ["outcomes", "learner", "games and comparators", "loss / bound, least", "most"]
    return Outcome(
        f"{games} comparisons, {beyond} beyond the bound; gradient descent comes to "
        f"{closest['gradient descent']:.2f} of its bound, EG+- to {closest['EG+-']:.2f} of its own.",
        [
            equal("comparisons beyond the bound", beyond, 0),
            *(above(f"{name}: loss / bound, the most", most, 0.1) for name, most in closest.items()),
        ],
        note="The proofs are those of the references (Cesa-Bianchi, Long and Warmuth; Kivinen and Warmuth): see "
        "`bounds.gradient_descent` and `bounds.eg_plus_minus`.",
        tables=[Table("Loss beside the bound", head, rows)],
    )


RESULTS = results(globals())
