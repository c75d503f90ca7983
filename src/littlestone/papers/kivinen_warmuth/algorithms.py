"""Section 2.2: the algorithms themselves: one family, the threshold as a coordinate, negations, exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

import littlestone as ls
from littlestone import bounds
from littlestone.papers.comparisons import equal, every
from littlestone.papers.kivinen_warmuth._problems import problem
from littlestone.papers.outcome import Outcome
from littlestone.papers.result import claim, run_with
from littlestone.parts.links import power
from littlestone.teachers import Disjunction

__all__ = ["RESULTS"]


@claim("one-family", "One algorithm, two links", "Section 2.2", quick={"problems": 30}, full={"problems": 1000})
def one_family(seed: int, problems: int) -> Outcome:
    """The Perceptron adds eta (y - y^) x to its weights and Winnow multiplies them by the exponential of it: one
    algorithm with two ways from sums to weights. Only the ratio of Winnow's first weights and threshold matters.
    """
    rng = np.random.default_rng(seed)
    same: dict[str, list[bool]] = {"Perceptron": [], "Winnow": [], "scaled": []}
    for _ in range(problems):
        n = int(rng.integers(5, 60))
        X = rng.random((400, n)) < rng.uniform(0.05, 0.5)
        y = X[:, : int(rng.integers(1, 5))].any(axis=1).astype(int)

        def said(learner: ls.Learner, rows: Any = X, outcomes: Any = y) -> Any:
            return learner.begin(rows.shape[1], labels=(0, 1)).learn(rows, outcomes)

        winnow = said(ls.Winnow(alpha=2, theta=n))
        same["Perceptron"].append(np.array_equal(said(ls.QuasiAdditive()), said(ls.Perceptron())))
        same["Winnow"].append(np.array_equal(said(ls.QuasiAdditive(link=power(2.0), theta=n, bias=False)), winnow))
        same["scaled"].append(np.array_equal(said(ls.Winnow(alpha=2, theta=3 * n, w1=3)), winnow))
    return Outcome(
        f"Of {problems:,} problems with 400 trials each, {sum(same['Perceptron']):,} and {sum(same['Winnow']):,} were "
        f"played alike, and {sum(same['scaled']):,} with w1 and theta of Winnow three times as large.",
        [
            every("identity link and Perceptron: the same predictions, problems", same["Perceptron"]),
            every("link 2^z and Winnow(2, N): the same predictions, problems", same["Winnow"]),
            every("Winnow, w1 and theta times 3: the same predictions, problems", same["scaled"]),
        ],
    )


@run_with(quick={"problems": 30, "trials": 50}, full={"problems": 1000})
@claim("threshold", "The threshold as a coordinate", "Section 2.2")
def threshold(seed: int, problems: int, trials: int) -> Outcome:
    """A constant coordinate replaces the threshold: it is fixed to zero, and what it was is learned with the weights,
    as that coordinate's weight with the opposite sign.
    """
    rng = np.random.default_rng(seed)
    same, opposite = [], []
    for _ in range(problems):
        X, y, _, _ = problem(rng)
        learned, written = ls.Perceptron(), ls.Perceptron(bias=False)
        rows = np.hstack([X, np.ones((len(X), 1), dtype=bool)])
        same.append(np.array_equal(learned.learn(X, y), written.learn(rows, y)))
        one, other = learned.hypothesis(), written.hypothesis()
        assert one is not None
        assert other is not None
        opposite.append(np.array_equal(np.append(one.w, -one.theta), other.w))
    X, y = np.zeros((trials, 3), dtype=bool), np.zeros(trials, dtype=int)
    without, with_it = ls.Perceptron(bias=False), ls.Perceptron()
    for learner in (without, with_it):
        learner.begin(3, labels=(0, 1)).learn(X, y)
    return Outcome(
        f"{sum(same):,} of {problems:,} problems are played as with a 1 written into every row; x = 0, negative, "
        f"{trials} times: {with_it.mistakes} mistake with the constant coordinate, {without.mistakes} without it.",
        [
            every("the same predictions as with a 1 in every row and threshold 0, problems", same),
            every("the threshold is the weight of that 1, with the opposite sign, problems", opposite),
            equal("with the constant coordinate: mistakes on x = 0", with_it.mistakes, 1),
        ],
        note="Without it and with threshold 0 the Perceptron can never learn that x = 0 is negative: it predicted 1 in "
        f"{without.mistakes} of {trials} trials, for the update is zero.",
    )


@claim("negations", "Negated attributes", "Section 2.2", quick={"problems": 40}, full={"problems": 1000})
def negations(seed: int, problems: int) -> Outcome:
    """Winnow's weights are positive. Negated attributes are learned if each x_i has 1 - x_i beside it, with the bound
    for twice as many attributes.
    """
    rng = np.random.default_rng(seed)
    same, within, ratio = [], [], 0.0
    for _ in range(problems):
        X, _, n, k = problem(rng)
        flipped = rng.random(k) < 0.5
        y = (X[:, :k] ^ flipped).any(axis=1)
        doubled = ls.Winnow(theta=2 * n)
        told = doubled.learn(np.hstack([X, ~X]), y)
        same.append(np.array_equal(told, ls.Winnow(theta=2 * n, negations=True).learn(X, y)))
        bound = bounds.winnow_disjunction(n=2 * n, k=k).value
        within.append(doubled.mistakes <= bound)
        ratio = max(ratio, doubled.mistakes / bound)
    plain, beside = ls.Winnow(theta=1), ls.Winnow(theta=2, negations=True)
    for learner in (plain, beside):
        learner.begin(1, labels=(0, 1)).learn(np.zeros((50, 1), dtype=bool), np.ones(50, dtype=int))
    return Outcome(
        f"{sum(within):,} of {problems:,} random problems stayed within the bound for 2N attributes, at most "
        f"{ratio:.2f} of it.",
        [
            every("within the bound for 2N attributes, problems", within),
            every("the learner's own negations predict as columns 1 - x, problems", same),
            equal("N = 1, target not x_1, x = 0 fifty times: mistakes with the negation", beside.mistakes, 1),
            equal("the same without it", plain.mistakes, 50),
        ],
    )


@claim("learning-rate", "The Perceptron's learning rate", "Section 4", quick={"trials": 3000})
def learning_rate(seed: int, trials: int) -> Outcome:
    """From zero weights, with the threshold as a coordinate, the Perceptron's learning rate makes no difference."""
    blocks = list(Disjunction.figure2(n=200, trials=trials, seed=seed).blocks())
    said, mistakes = {}, {}
    for eta in (1.0, 0.5, 2.0, 0.75, 3.0, 0.1, 1 / 3):
        learner = ls.Perceptron(eta=eta)
        said[eta] = np.concatenate([learner.learn(block) for block in blocks])
        mistakes[eta] = learner.mistakes
    changed = {eta: int((own != said[1.0]).sum()) for eta, own in said.items()}
    return Outcome(
        f"Of {trials:,} predictions eta 1/2, 2, 3/4 and 3 change {changed[0.5]}, {changed[2.0]}, {changed[0.75]} and "
        f"{changed[3.0]}; in floats eta 0.1 changes {changed[0.1]} and 1/3 {changed[1 / 3]}.",
        [
            equal(f"eta {eta:g}: predictions that differ from those of eta 1", changed[eta], 0)
            for eta in (0.5, 2.0, 0.75, 3.0)
        ],
        note="The paper assumes exact arithmetic. A rate whose multiples floats do not hold exactly breaks the ties "
        f"w.x = 0, which are frequent here: {mistakes[1.0]} mistakes with eta 1, {mistakes[0.1]} with 0.1. An "
        "experiment should take eta = 1.",
    )


ALPHA = Fraction(3, 2)


def _exactly(stream: Disjunction, theta: Fraction) -> tuple[list[int], int]:
    """Play Winnow with alpha 3/2 in rationals: its predictions, and the number of scores that are theta itself."""
    exponents = [0] * stream.n_attributes
    powers = {0: Fraction(1)}
    said, ties = [], 0
    for block in stream.blocks():
        assert block.outcomes is not None
        for t, outcome in enumerate(block.outcomes.tolist()):
            on = block.indices[block.indptr[t] : block.indptr[t + 1]].tolist()
            score = sum((powers[exponents[i]] for i in on), Fraction(0))
            ties += score == theta
            said.append(int(score >= theta))
            if said[-1] != outcome:
                for i in on:
                    exponents[i] += 1 if outcome else -1
                    powers.setdefault(exponents[i], ALPHA ** exponents[i])
    return said, ties


@run_with(quick={"runs": 4, "trials": 3000}, full={"runs": 100})
@claim("exact-arithmetic", "Exact arithmetic, and ties", "Section 2.2")
def exact_arithmetic(seed: int, runs: int, trials: int) -> Outcome:
    """All arithmetic is taken to be exact. On the rows of Figure 2 this matters to Winnow as well: theta = N/k = 5/2 is
    1 + 3/2, so that scores meet the threshold itself. Its predictions here are those of rationals.
    """
    same, ties = [], []
    for run in range(runs):
        stream = Disjunction.figure2(n=200, trials=trials, seed=seed + run)
        theta = Fraction(200, stream.k)
        said, tied = _exactly(stream, theta)
        learner = ls.Winnow(alpha=1.5, theta=float(theta))
        same.append(np.concatenate([learner.learn(block) for block in stream.blocks()]).tolist() == said)
        ties.append(tied)
    return Outcome(
        f"{sum(same)} of {runs} runs of {trials:,} trials are predicted as in rationals; {min(ties)} to {max(ties)} "
        "scores a run are ties.",
        [
            every("Winnow(3/2, N/k) predicts as in rationals, runs", same),
            every("runs with ties w.x = theta", [tied > 0 for tied in ties]),
        ],
        note="The learner keeps whole exponents of alpha.",
    )


RESULTS = (one_family, threshold, negations, learning_rate, exact_arithmetic)
