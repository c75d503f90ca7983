"""Section 1: DNF as a disjunction of all conjunctions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.block import Block
from littlestone.bounds import winnow_disjunction
from littlestone.kernels import Conjunctions
from littlestone.papers.comparisons import equal, every, less, mean_within
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim

__all__ = ["RESULTS"]


def expanded(X: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return, for each row, which of the 3^N conjunctions hold: 2^N of them, as numbers in base 3."""
    rows, n = X.shape
    literals = np.where(X, 1, 2) * 3 ** np.arange(n)
    chosen = (np.arange(2**n)[:, np.newaxis] >> np.arange(n) & 1).astype(np.int64)
    found: NDArray[np.int64] = np.sort(literals @ chosen.T, axis=1)
    assert found.shape == (rows, 2**n)
    return found


def _stream(seed: int, n: int, terms: int, size: int, trials: int) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return uniform rows, labelled by a DNF of random terms with ``size`` literals each."""
    rng = np.random.default_rng(seed)
    X = rng.random((trials, n)) < 0.5
    y = np.zeros(trials, dtype=np.int64)
    for _ in range(terms):
        chosen, signs = rng.choice(n, size, replace=False), rng.random(size) < 0.5
        y |= (X[:, chosen] == signs).all(axis=1)
    return X, y


def _block(X: NDArray[np.bool_]) -> Block:
    on = expanded(X)
    indptr = np.arange(len(X) + 1) * on.shape[1]
    return Block.from_csr(indptr, on.ravel(), n_attributes=3 ** X.shape[1])


@claim(
    "dnf-kernel",
    "The kernel of all conjunctions",
    "Section 1",
    quick={"largest": 4, "runs": 3, "trials": 300},
    rows=["A14"],
)
def dnf_kernel(seed: int, largest: int, runs: int, trials: int) -> Outcome:
    """One attribute for each of the 3^N conjunctions makes a DNF a disjunction. Their dot products are 2 to the number
    of bits on which two instances agree, so that an additive learner need not write them down.
    """
    pairs, same = [], []
    for n in range(1, largest + 1):
        cube = np.array(list(product([False, True], repeat=n)))
        on = [set(row) for row in expanded(cube).tolist()]
        for i, x in enumerate(cube):
            for j, z in enumerate(cube):
                pairs.append(len(on[i] & on[j]) == Conjunctions()(x, z) == 2 ** int((x == z).sum()))
    for run in range(runs):
        X, y = _stream(seed + run, 6, 3, 3, trials)
        explicit, kernel = ls.Perceptron(bias=False), ls.KernelPerceptron("conjunctions")
        one = explicit.begin(3**6, labels=(0, 1)).learn(_block(X), y)
        same.append(np.array_equal(one, kernel.begin(6, labels=(0, 1)).learn(X, y)))
    return Outcome(
        f"{sum(pairs):,} of {len(pairs):,} pairs for N <= {largest}; kernel and explicit Perceptron predict alike in "
        f"{sum(same)} of {runs} runs.",
        [every("dot product of 3^N features = kernel = 2^agreements, pairs", pairs),
         every("the Perceptron over 3^6 features and the kernel Perceptron predict alike, runs", same)],
    )  # fmt: skip


def _pieces(runs: int, **sizes: Any) -> list[dict[str, Any]]:
    return [{"run": run, **sizes} for run in range(runs)]


def _play(seed: int, run: int, n: int, terms: int, size: int, trials: int) -> list[int]:
    X, y = _stream(seed + run, n, terms, size, trials)
    block = _block(X)
    players = [ls.Perceptron(bias=False), ls.Winnow(alpha=1.5, theta=3**n / terms), ls.Winnow(alpha=2, theta=3**n)]
    for player in players:
        player.begin(3**n, labels=(0, 1)).learn(block, y)
    return [player.mistakes for player in players]


@claim("dnf-experiment", "DNF by expansion: the experiment", "Section 1", pieces=_pieces, part=_play,
       quick={"n": 8, "terms": 4, "size": 3, "trials": 3000, "runs": 10}, full={"runs": 1000})  # fmt: skip
def dnf_experiment(done: Sequence[list[int]], seed: int, n: int, terms: int, runs: int, **_: Any) -> Outcome:
    """On uniform instances, all 3^N conjunctions as attributes, Winnow does not come close to its bound on k-term DNF,
    and the Perceptron makes fewer mistakes than Winnow tuned as in the theorems.
    """
    found = np.array(done)
    bound = winnow_disjunction(n=3**n, k=terms, alpha=1.5, theta=3**n / terms).value
    doubled = winnow_disjunction(n=3**n, k=terms).value
    names = ["Perceptron", "Winnow(1.5, 3^N/k)", "Winnow(2, 3^N)"]
    limits = ["\N{EN DASH}", bound, doubled]
    rows = [[name, float(found[:, at].mean()), float(found[:, at].std(ddof=1)), limits[at]]
            for at, name in enumerate(names)]  # fmt: skip
    return Outcome(
        f"{3**n:,} conjunctions, {terms} random terms: Perceptron {rows[0][1]:.0f}, Winnow {rows[1][1]:.0f} mistakes; "
        f"its bound is {bound:.0f}.",
        [
            less("Perceptron less Winnow(1.5, 3^N/k)", found[:, 0], found[:, 1]),
            mean_within("Winnow(1.5, 3^N/k): mistakes over the bound", found[:, 1] / bound, 0.0, 0.6),
            mean_within("Winnow(2, 3^N): mistakes over the bound", found[:, 2] / doubled, 0.0, 0.6),
            equal("runs beyond a bound", int((found[:, 1] > bound).sum() + (found[:, 2] > doubled).sum()), 0),
        ],
        note="The paper does not say which formulas were drawn; here each term has 3 literals on 3 of the attributes.",
        tables=[Table(f"Mistakes in {runs} runs", ["learner", "mean", "s.d.", "bound"], rows)],
    )


RESULTS = (dnf_kernel, dnf_experiment)
