"""Binary vectors that are consistent with examples: how many there are, and finding one.

w is consistent with u iff ``<w,u> >= 0``, that is unless ``2 popcount(w xor u) > n``: a tie is no mistake. Labelled
examples are reflected, u = y x, as in the paper's footnote 1; so a tie is no mistake of a negative example either,
unless ``strict``: then w must predict every label as `DirectedDrift` does, 1 iff ``w.x >= 0``. Odd n have no ties.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from math import acos, ceil, comb, exp, inf, log, log1p, pi
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone.bounds.drift_chain import Sampling, chain
from littlestone.bounds.fang_venkatesh import Mode
from littlestone.core.block import Block
from littlestone.core.errors import TooLarge
from littlestone.core.parameters import check_number, check_whole
from littlestone.learners.directed_drift import DirectedDrift
from littlestone.theory.drift.sampling import pack, reflected_examples, sample

__all__ = [
    "Answer",
    "Search",
    "annealed_constant",
    "consistent_fraction",
    "consistent_vector",
    "count_consistent",
    "expected_consistent",
    "search",
]

MOST_COORDINATES = 24
AT_ONCE = 1 << 18  # vectors looked at together: they stay in the cache


def count_consistent(X: Any, y: Any = None, *, strict: bool = False) -> int:
    """Return how many of the 2^n vectors of {-1,+1}^n are consistent with all examples, by looking at each; n <= 24.

    ``strict``: a tie is a mistake of a negative example.

    >>> count_consistent([[1, 1, 1]]), count_consistent([[1, 1, 1]], [-1]), count_consistent([[1, 1], [0, 0]])
    (4, 4, 2)
    >>> count_consistent([[1, 1]], [-1]), count_consistent([[1, 1]], [-1], strict=True)
    (3, 1)
    """
    u = reflected_examples("count_consistent", X, y)
    n = _countable("count_consistent", u.shape[1])
    return _count(pack(u)[:, 0].astype(np.uint32), n, _least(u, y, strict).tolist())


def consistent_fraction(n: int, ratio: float, samples: int, *, seed: int, sampling: Sampling = "uniform") -> float:
    """Return in what part of some samples of ``ceil(ratio n)`` examples only the target is consistent.

    Lyuu and Rivin: from 1.45 n examples on, as n grows, nearly always. At small n that is not so yet.

    >>> [consistent_fraction(11, ratio, 100, seed=0) for ratio in (1.45, 2.5)]
    [0.58, 0.99]
    """
    n = _countable("consistent_fraction", check_whole("consistent_fraction", "n", n))
    samples = check_whole("consistent_fraction", "samples", samples)
    check_number("consistent_fraction", "ratio", ratio, above=0.0)
    rng = np.random.default_rng(check_whole("consistent_fraction", "seed", seed, least=0))
    unique = 0
    for _ in range(samples):
        u = pack(sample(n, ceil(ratio * n), seed=rng, sampling=sampling))[:, 0].astype(np.uint32)
        unique += _count(u, n, [0] * len(u)) == 1
    return unique / samples


def expected_consistent(n: int, T: int, *, sampling: Sampling = "uniform") -> float:
    """Return how many vectors are consistent with T random examples in expectation: ``sum_d C(n,d) (1-P_d)^T``.

    What it exceeds 1 by bounds the probability that there is another one besides the target.

    >>> [round(expected_consistent(101, T), 4) for T in (147, 202, 253)]
    [2.4817, 1.0003, 1.0]
    """
    drift, T = chain(n, sampling=sampling), check_whole("expected_consistent", "T", T, least=0, most=1 << 62)
    stays = [log1p(-float(P)) if P < 1 else -np.inf for P in drift.P]
    logs = [log(comb(n, d)) + (T * stay if T else 0.0) for d, stay in enumerate(stays)]
    total = float(np.logaddexp.reduce(logs))
    return exp(total) if total < 709.0 else inf


class Constant(NamedTuple):
    """Examples a coordinate, and the fraction of wrong coordinates at which they are needed."""

    ratio: float
    distance: float


@cache
def annealed_constant() -> Constant:
    """Return Lyuu and Rivin's 1.45: the largest ``H(x) / -ln(1 - arccos(1-2x)/pi)``, H the entropy, and its x.

    With more examples a coordinate, the expected number of consistent vectors at distance xn vanishes for every x.

    >>> ratio, distance = annealed_constant()
    >>> round(ratio, 5), round(distance, 4)
    (1.44797, 0.1512)
    """
    from scipy.optimize import minimize_scalar

    def needed(x: float) -> float:
        return (x * log(x) + (1 - x) * log1p(-x)) / log1p(-acos(1 - 2 * x) / pi)

    x = float(minimize_scalar(lambda x: -needed(x), bounds=(1e-9, 0.5), method="bounded", options={"xatol": 1e-9}).x)
    return Constant(needed(x), x)


class Answer(NamedTuple):
    """A consistent vector; or None, and whether there is none or it is not known.

    >>> import littlestone as ls
    >>> found = ls.drift.consistent_vector([[1, 1, 1], [1, -1, 1]])
    >>> found.outcome, found.w.tolist()
    ('found', [1, -1, 1])
    """

    w: NDArray[np.int8] | None
    outcome: Literal["found", "none", "undecided"]
    why: str


def consistent_vector(X: Any, y: Any = None, *, strict: bool = False, time_limit: float | None = None) -> Answer:
    """Find a w in {-1,+1}^n that is consistent with all examples, by an integer program that SciPy's HiGHS solves.

    With w = 2z - 1 it is ``sum u_i z_i >= (sum u_i + n % 2)/2``, for ``<w,u>`` is as odd as n. "found" is checked in
    whole numbers; "none" is HiGHS's proof that there is none; "undecided" where ``time_limit``, in seconds, ran out.
    ``strict``: a tie is a mistake of a negative example, as it is of a learner, which predicts 1 there (even n).

    >>> X = [[1, 1, -1], [1, -1, 1], [-1, 1, 1]]
    >>> consistent_vector(X).w
    array([1, 1, 1], dtype=int8)
    >>> consistent_vector([*X, [-1, -1, -1]]).outcome
    'none'
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    rows = reflected_examples("consistent_vector", X, y)
    n = rows.shape[1]
    both = np.unique(np.column_stack([rows, _least(rows, y, strict)]), axis=0).astype(np.int64)
    u, least = both[:, :n], both[:, n]
    if time_limit is not None:
        check_number("consistent_vector", "time_limit", time_limit, above=0.0)
    if len(u) == 0:
        return Answer(np.ones(n, dtype=np.int8), "found", "no examples")
    result = milp(
        np.zeros(n),
        integrality=np.ones(n),
        bounds=Bounds(0.0, 1.0),
        constraints=LinearConstraint(u, (u.sum(axis=1) + n % 2 + least) // 2, np.inf),
        options={} if time_limit is None else {"time_limit": float(time_limit)},
    )
    if result.x is not None:
        w = np.where(result.x > 0.5, np.int8(1), np.int8(-1))
        if (u @ w.astype(np.int64) >= least).all():
            return Answer(w, "found", "")
    return Answer(None, "none" if result.status == 2 else "undecided", str(result.message))


@dataclass(frozen=True, eq=False)
class Search:
    """What came of a search: whether the hypothesis ``w`` agrees with every row, and what it cost.

    >>> import numpy as np
    >>> import littlestone as ls
    >>> rows = ls.drift.sample(9, 200, seed=0)
    >>> found = ls.drift.search(rows)
    >>> found.converged, found.errors
    (True, 0)
    """

    converged: bool
    w: NDArray[np.int8] = field(repr=False)
    passes: int
    tested: int
    mistakes: int
    errors: int  # rows that w has wrong
    learner: DirectedDrift = field(repr=False)


def search(
    X: Any, y: Any = None, *, mode: Mode = "single", batch: int | None = None, seed: int = 0, passes: int = 100
) -> Search:
    """Look for weights in {-1, +1} that agree with every row, by Directed Drift, in at most ``passes`` passes.

    ``X`` has rows of signs or Boolean ones; ``y`` their labels (None: all positive). Where no such weights exist, or
    none is found, the result says so, with its counters; `drift.consistent_vector`, ``strict``, decides which it is.

    >>> import numpy as np
    >>> from littlestone.theory.drift import search
    >>> rng = np.random.default_rng(1)
    >>> target, X = rng.choice([-1, 1], 9), rng.choice([-1, 1], (200, 9))
    >>> found = search(X, X @ target >= 0)
    >>> found.converged, bool((found.w == target).all())
    (True, True)
    >>> search(np.array([[1, 1, 1], [-1, -1, -1]])).converged  # no w has both positive
    False
    """
    passes = check_whole("search", "passes", passes)
    rows = Block.from_arrays(X)
    labels = np.ones(len(rows), dtype=bool) if y is None else np.asarray(y)
    learner = DirectedDrift(mode=mode, batch=batch, seed=seed)
    errors, made = -1, 0
    while errors != 0 and made < passes:
        learner.learn(rows, labels)
        errors, made = int(np.count_nonzero(learner.predict(rows) != labels)), made + 1
    hypothesis = learner.hypothesis()
    assert hypothesis is not None
    w = hypothesis.w.astype(np.int8)
    return Search(errors == 0, w, made, learner.tested, learner.mistakes, errors, learner)


def _least(u: NDArray[np.int8], y: Any, strict: bool) -> NDArray[np.int8]:
    """Return what ``<w,u>`` must be at least: 0, or 2 where a tie is a mistake."""
    least = np.zeros(len(u), dtype=np.int8)
    if strict and y is not None and u.shape[1] % 2 == 0:
        least[np.asarray(y) != 1] = 2
    return least


def _count(u: NDArray[np.uint32], n: int, least: list[int]) -> int:
    """Count the consistent vectors block by block; most are gone after a few examples."""
    count = 0
    for start in range(0, 1 << n, AT_ONCE):
        left = np.arange(start, min(start + AT_ONCE, 1 << n), dtype=np.uint32)
        for example, product in zip(u, least, strict=True):
            left = left[2 * np.bitwise_count(left ^ example) <= n - product]
        count += len(left)
    return count


def _countable(owner: str, n: int) -> int:
    if n > MOST_COORDINATES:
        raise TooLarge(
            f"{owner}: there are 2^n vectors; expected n <= {MOST_COORDINATES}, got {n}; consistent_vector finds one, "
            "expected_consistent says how many there are on average"
        )
    return n
