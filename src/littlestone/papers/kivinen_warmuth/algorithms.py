"""Section 2.2: the algorithms themselves: one family, the threshold as a coordinate, linear programming methods."""

from __future__ import annotations

from typing import Any

import numpy as np

import littlestone as ls
from littlestone import bounds
from littlestone.links import power
from littlestone.papers.comparisons import Comparison, at_most, equal, every
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim
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
        same["scaled"].append(np.array_equal(said(ls.Winnow(alpha=2, theta=4 * n, w1=4)), winnow))
    return Outcome(
        f"Of {problems} problems with 400 trials each, {sum(same['Perceptron'])} and {sum(same['Winnow'])} were played "
        "alike.",
        [
            every("identity link and Perceptron: the same predictions, problems", same["Perceptron"]),
            every("link 2^z and Winnow(2, N): the same predictions, problems", same["Winnow"]),
            every("Winnow, w1 and theta times 4: the same predictions, problems", same["scaled"]),
        ],
    )


@claim("threshold", "The threshold as a coordinate", "Section 2.2", quick={"trials": 50})
def threshold(seed: int, trials: int) -> Outcome:
    """A constant coordinate replaces the threshold, so that it can be fixed to zero and is learned with the weights."""
    X, y = np.zeros((trials, 3), dtype=bool), np.zeros(trials, dtype=int)
    without, with_it = ls.Perceptron(bias=False), ls.Perceptron()
    for learner in (without, with_it):
        learner.begin(3, labels=(0, 1)).learn(X, y)
    return Outcome(
        f"x = 0, negative, {trials} times: {with_it.mistakes} mistake with the constant coordinate, {without.mistakes} "
        "without it.",
        [equal("with the constant coordinate: mistakes on x = 0", with_it.mistakes, 1)],
        note=f"Without it and with threshold 0 the Perceptron can never learn that x = 0 is negative: it predicted 1 "
        f"{without.mistakes} times, for the update is zero.",
    )


SIZES = [(20, 3), (50, 3)]
# Mistakes of the ellipsoid method on the streams of Figures 1 and 2, seeds 0 and 1, by an implementation of its own
STREAMS = {("R1", 20): [325, 332], ("R3", 20): [131, 121], ("R2", 20): [1677, 1653], ("R1", 80): [396, 387]}


@claim("linear-programming", "Linear programming methods as learners", "Section 2.2", quick={"trials": 20_000})
def linear_programming(seed: int, trials: int) -> Outcome:
    """The ellipsoid method and Vaidya's make learners by the reduction of Maass and Turan; on disjunctions their
    mistakes are O(N^2 log N) and O(N log N).
    """
    found: list[Comparison] = []
    rows = []
    for n, k in SIZES:
        stream = Disjunction(n, k, trials=trials, reading="R2", seed=seed)
        players = [ls.Ellipsoid(), ls.Ellipsoid(deep=True), ls.VolumetricCenter(), ls.Perceptron(), ls.Winnow()]
        mistakes = [run.mistakes for run in ls.play_all(players, stream)]
        rows.append([f"{n}, {k}", *mistakes])
        found += [at_most(f"N = {n}, k = {k}: {name}", made, round(bounds.ellipsoid(n=n, k=k).value))
                  for name, made in zip(("ellipsoid", "ellipsoid, deep cuts"), mistakes, strict=False)]  # fmt: skip
        found.append(at_most(f"N = {n}, k = {k}: Vaidya's method, against N ln N", mistakes[2], round(n * np.log(n))))
    played = {
        (reading, k): [
            ls.play(ls.Ellipsoid(), Disjunction(200, k, trials=20_000, reading=reading, seed=own)).mistakes
            for own in (0, 1)
        ]
        for reading, k in STREAMS
    }
    found += [equal(f"{reading}, N = 200, k = {k}, seeds 0 and 1: ellipsoid, reference", played[reading, k], told)
              for (reading, k), told in STREAMS.items()]  # fmt: skip
    return Outcome(
        f"N = 50, k = 3: ellipsoid {rows[1][1]}, with deep cuts {rows[1][2]}, Vaidya's method {rows[1][3]}, Perceptron "
        f"{rows[1][4]}, Winnow {rows[1][5]} mistakes.",
        found,
        note="For Vaidya's method the constant of the bound is not given; mistakes are compared with N ln N. The "
        "variant here (volumetric centre, central cuts, rows of small leverage dropped) is not covered by his proof.",
        tables=[Table(f"Mistakes in {trials:,} trials, dense irrelevant attributes",
                      ["N, k", "ellipsoid", "deep cuts", "Vaidya", "Perceptron", "Winnow"], rows)],
    )  # fmt: skip


RESULTS = (one_family, threshold, linear_programming)
