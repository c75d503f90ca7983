"""Directed Drift's algorithm D as a Markov chain of distances to the target, exactly: in rationals or in floats.

The number d of wrong coordinates is all that matters. A wrong coordinates and R right ones disagree with the example;
it is positive iff R + d - A <= n/2, a mistake iff s = A + R > n/2, and then d falls with probability A/s. For each s
that leaves hypergeometric sums over A >= a, a = ceil((2s - n + 2d)/4), with A/s C(d,A) = d/s C(d-1,A-1)::

    T = sum_A C(d-1,A-1) C(n-d,s-A)     down: d/s T
    V = sum_A C(d,A) C(n-1-d,s-1-A)     up: (n-d)/s V

Both count sets of s-1 out of n-1 things that have enough of the first d-1 or d; from one d to the next they change by a
single term, so that all probabilities together cost O(n^2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import comb, inf, isinf, lcm, log, log1p, pi, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.core.rational import checked, ln

__all__ = [
    "DriftChain",
    "Sampling",
    "central",
    "chain",
    "closest_mistakes",
    "distance",
    "known_sampling",
    "positive_half",
]

Sampling = Literal["uniform", "reflected"]
Real = Fraction | float
LARGEST, LARGEST_EXACT, LARGEST_COUNT = 3000, 200, 100_000


def positive_half(n: int) -> int:
    """Return the number of vertices u of {-1,+1}^n with ``<w,u> >= 0``, whatever the vertex w.

    >>> [positive_half(n) for n in range(1, 11)]
    [1, 3, 4, 11, 16, 42, 64, 163, 256, 638]
    """
    n = _size("positive_half", n)
    if n > LARGEST_COUNT:
        raise TooLarge(
            f"positive_half: expected n <= {LARGEST_COUNT}, got {n}; it is 2^(n-1) (1 + sqrt(2/(pi n))), n even"
        )
    half: int = 2 ** (n - 1)
    return half if n % 2 else half + comb(n, n // 2) // 2


def central(n: int) -> float:
    """Return ``C(n,n/2)/2^n`` for an even n: how likely a random vertex is orthogonal to a given one.

    >>> central(2), central(10), round(central(10**12) * 10**6, 12)
    (0.5, 0.24609375, 0.797884560803)
    """
    n = _size("central", n)
    if n % 2:
        raise InvalidParameter(f"central: expected an even n, got n={n}; for an odd one no vertices are orthogonal")
    if n <= 1000:
        every: int = 2**n
        return comb(n, n // 2) / every
    return sqrt(2 / (pi * n)) * (1 - 1 / (4 * n) + 1 / (32 * n * n) + 5 / (128 * n**3))


def closest_mistakes(n: int, sampling: Sampling = "uniform") -> float:
    """Return P_1, the probability of a mistake with one coordinate wrong, which is the least of all.

    With c = `central`: c(n-1) for odd n, c/(1+c) for even n, and c/2 where the examples are reflected. With uniform
    sampling it is also E[u_k w*_k], the bias of one coordinate.

    >>> [closest_mistakes(n) for n in (1, 2, 3, 5)], closest_mistakes(10, "reflected")
    ([1.0, 0.3333333333333333, 0.5, 0.375], 0.123046875)
    """
    n, way = _size("closest_mistakes", n), known_sampling(sampling)
    if n % 2:
        return central(n - 1) if n > 1 else 1.0
    c = central(n)
    return c / 2 if way == "reflected" else c / (1 + c)


@dataclass(frozen=True, eq=False)
class DriftChain:
    """The chain of algorithm D; ``chain`` makes it.

    ``P[d]`` is the probability of a mistake at distance d, ``p[d]`` that the mistake takes it to d-1 (else to d+1).
    Expectations are Fractions where the chain is ``exact``, else floats, inf where they leave the floats (n about
    1090); ``log=True`` gives their natural logarithm as a float. The start is at distance ``d`` from the target, or,
    with None, drawn uniformly from all vertices; the goal is to be within a distance of it, 0 unless ``within`` is said
    (the paper's footnote 2).

    >>> drift = chain(5, exact=True)
    >>> print(*drift.p[1:], "and", drift.mistakes(5), drift.mistakes())
    1/3 7/12 71/100 22/25 1 and 90074/5467 1105847/87472
    >>> [round(chain(31).mistakes(31, within=goal)) for goal in (0, 1, 3, 7)]
    [7721909, 559397, 15968, 306]
    >>> chain(1500).mistakes(1), round(chain(1500).mistakes(1, log=True), 2)
    (inf, 980.46)
    """

    n: int
    sampling: Sampling
    exact: bool
    P: tuple[Real, ...]
    p: tuple[Real, ...]

    def mistakes(self, d: int | None = None, *, within: int = 0, log: bool = False) -> Real:
        """Return the expected mistakes.

        The fall from i to i-1 takes h_i = (1 + q_i h_(i+1))/p_i of them, and a run from d is d falls.
        """
        return self._expected([1] * (self.n + 1), d, within, log)

    def examples(self, d: int | None = None, *, within: int = 0, log: bool = False) -> Real:
        """Return the expected examples up to the last mistake, that one included: 1/P_i for each mistake at i.

        >>> print(*[chain(n, exact=True).examples(n) for n in (2, 3, 4)])
        12 51/5 628/15
        """
        return self._expected([1, *(1 / P for P in self.P[1:])], d, within, log)

    def variance(self, d: int | None = None, *, within: int = 0) -> Real:
        """Return the variance of the mistakes: v_i = q_i (h_i + h_(i+1))^2 + (q_i/p_i) v_(i+1) for each fall.

        >>> [round(chain(n).variance(start) ** 0.5, 1) for n, start in ((5, 5), (9, 9), (11, None))]
        [11.9, 82.9, 213.4]
        """
        h = _falls([1] * (self.n + 1), self.p)
        v: list[Real] = [0 * self.p[0]] * (self.n + 2)
        for i in range(self.n, 0, -1):
            both = h[i] + (h[i + 1] if i < self.n else 0)
            v[i] = (1 - self.p[i]) * (both * both + v[i + 1] / self.p[i])
        each = self._totals(v[:-1], d, within)
        if d is not None:
            return each[-1]
        means, mean = self._totals(h, d, within), self.mistakes(within=within)
        if isinf(mean):
            return inf
        return self.over_starts([one + (m - mean) * (m - mean) for one, m in zip(each, means, strict=True)])

    def _expected(self, cost: Sequence[Real], d: int | None, within: int, logarithm: bool) -> Real:
        if logarithm and not self.exact:
            return self._log_expected(cost, d, within)
        totals = self._totals(_falls(cost, self.p), d, within)
        mean = self.over_starts(totals) if d is None else totals[-1]
        if not logarithm:
            return mean
        return ln(mean) if mean else -inf

    def _totals(self, falls: list[Real], d: int | None, within: int) -> list[Real]:
        """Return for each start, up to d, the sum of its falls down to the goal."""
        last = self.n if d is None else distance("chain", "d", d, self.n)
        goal = min(distance("chain", "within", within, self.n), last)
        return list(accumulate([0 * self.p[0]] * (goal + 1) + falls[goal + 1 : last + 1]))

    def over_starts(self, totals: Sequence[Real]) -> Real:
        """Return the mean over all vertices as starts; a weight that underflows does not meet what is infinite."""
        pairs = zip(_row(self.n), totals, strict=True)
        every: int = 2**self.n
        if self.exact:
            return sum((many * total for many, total in pairs), start=Fraction(0)) / every
        return float(sum((many / every) * total for many, total in pairs if many / every))

    def _log_expected(self, cost: Sequence[Real], d: int | None, within: int) -> float:
        goal, falls, h = distance("chain", "within", within, self.n), [-inf] * (self.n + 1), -inf
        for i in range(self.n, 0, -1):
            up = log1p(-self.p[i]) if self.p[i] < 1 else -inf
            h = float(np.logaddexp(log(cost[i]), up + h)) - log(self.p[i])
            falls[i] = h if i > goal else -inf
        totals = np.logaddexp.accumulate(falls)
        if d is not None:
            return float(totals[distance("chain", "d", d, self.n)])
        weights = [log(many) for many in _row(self.n)]
        return float(np.logaddexp.reduce(totals + weights)) - self.n * log(2.0)


def chain(n: int, *, sampling: Sampling = "uniform", exact: bool = False) -> DriftChain:
    """Return algorithm D's chain for examples drawn from the positive half-space of the target.

    Parameters
    ----------
    n : int >= 1
        Up to 200 in rationals, up to 3000 in floats (12 digits or more).
    sampling : "uniform" or "reflected"
        "reflected": drawn from all vertices and reflected where negative, which for even n gives the vertices
        orthogonal to the target half of their weight. For odd n the two are the same.
    exact : bool
        Fractions instead of floats.

    Example
    -------
    >>> round(chain(10).mistakes(10), 2), round(chain(10, sampling="reflected").mistakes(10), 2)
    (209.04, 178.49)
    """
    n, way = _size("chain", n), known_sampling(sampling)
    most = LARGEST_EXACT if exact else LARGEST
    if n > most:
        other = "directed_drift_growth(n) is near" if n > LARGEST else "exact=False has floats"
        raise TooLarge(f"chain: expected n <= {most} {'in rationals' if exact else 'in floats'}, got {n}; {other}")
    return _chain(n, way if n % 2 == 0 else "uniform", bool(exact))


@lru_cache(maxsize=256)
def _chain(n: int, sampling: Sampling, exact: bool) -> DriftChain:
    rows = _pascal(n, exact)
    flows = [(0, 0), *_flows(n, sampling == "reflected", exact, rows)]
    if exact:
        all_of: int = 2**n if sampling == "reflected" else positive_half(n)
        total: Any = all_of * lcm(*range(n // 2 + 1, n + 1))
        P = tuple(Fraction(down + up, total) for down, up in flows)
        return DriftChain(n, sampling, exact, P, (Fraction(0), *(Fraction(x, x + y) for x, y in flows[1:])))
    total = 2.0 if sampling == "reflected" else 1.0 + (0.0 if n % 2 else rows[n, n // 2])
    P_ = tuple(min(1.0, float(down + up) / float(total)) for down, up in flows)
    return DriftChain(n, sampling, exact, P_, (0.0, *(float(x) / float(x + y) for x, y in flows[1:])))


def _pascal(n: int, exact: bool) -> NDArray[Any]:
    """Return C(k,j), in floats C(k,j)/2^k, for 0 <= k, j <= n; the last column is 0, and serves j = -1."""
    rows = np.zeros((n + 1, n + 2), dtype=object if exact else np.float64)
    rows[0, 0] = 1
    for k in range(1, n + 1):
        rows[k, 1:] = rows[k - 1, 1:] + rows[k - 1, :-1]
        rows[k, 0] = rows[k - 1, 0]
        rows[k, -1] = 0
        if not exact:
            rows[k] *= 0.5
    return rows


def _flows(n: int, reflected: bool, exact: bool, rows: NDArray[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield for d = 1..n the weights of a mistake that goes down, and up: times lcm(s), in floats over 2^(n-1).

    With reflection they are doubled, less the vertices orthogonal to the target, R + d - A = n/2, counted once.
    """
    s = np.arange(n // 2 + 1, n + 1)
    share = lcm(*s.tolist()) // s.astype(object) if exact else 1.0 / s
    half = 1 if exact else 0.5  # two rows of n-2 things in all
    T = np.where((2 * s - n + 5) // 4 == 1, rows[n - 1][s - 1], 0)
    for d in range(1, n + 1):
        edge = 2 * s - n + 2 * d
        a, tie = (edge + 3) // 4, edge % 4 == 0
        least, beyond = rows[d - 1][a - 1], rows[n - 1 - d][s - a]  # d = n: a row that is not used
        V = T - half * least * beyond if d < n else 0 * T
        if reflected:
            down = 2 * T - tie * least * rows[n - d][s - a]
            up = 2 * V - tie * rows[d][a] * rows[n - 1 - d][s - 1 - a]
        else:
            down, up = T, V
        yield d * (down * share).sum(), (n - d) * (up * share).sum()
        T = V + np.where((edge + 5) // 4 == a, rows[d][a - 1] * beyond, 0)


def _falls(cost: Sequence[Real], p: Sequence[Real]) -> list[Real]:
    """Return what each fall from i to i-1 is expected to cost."""
    falls = [0 * p[0]]
    for i in range(len(p) - 1, 0, -1):
        falls.append((cost[i] + (1 - p[i]) * falls[-1]) / p[i])
    return [0 * p[0], *falls[:0:-1]]


def _row(n: int) -> list[int]:
    """Return C(n,0), ..., C(n,n)."""
    return list(accumulate(range(n), lambda many, i: many * (n - i) // (i + 1), initial=1))


def distance(owner: str, name: str, value: Any, n: int) -> int:
    """Return a distance between vertices, or refuse it."""
    found: int = checked(owner, name, "int", value)
    if not 0 <= found <= n:
        raise InvalidParameter(
            f"{owner}: expected 0 <= {name} <= n={n}, got {name}={found}; it counts wrong coordinates"
        )
    return found


def known_sampling(sampling: Any) -> Sampling:
    """Return a way of sampling, or refuse it."""
    if not isinstance(sampling, str) or sampling not in {"uniform", "reflected"}:
        raise InvalidParameter(f"sampling: expected 'uniform' or 'reflected', got {sampling!r}")
    return "uniform" if sampling == "uniform" else "reflected"


def _size(owner: str, n: Any) -> int:
    size: int = checked(owner, "n", "int", n)
    if size < 1:
        raise InvalidParameter(f"{owner}: expected n >= 1 coordinates, got n={size}")
    return size
