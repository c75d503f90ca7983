"""The engine of the experts of a pool that keep a full covariance, for few attributes.

``means`` has a row an expert, ``roots`` its J' with the covariance JJ', see `covariances`: transposed, so that the
long loops run along rows and in vectors, and the sums are still the same. Coordinate 0 is the constant one. Of more
than two classes each expert has a mean and a covariance for each of them, class by class; a row moves those of its
class, and of the best other one. With a row that has an attribute beyond the first `few` they are out for good.
"""

import math

import numpy as np

from littlestone.engine.arrays import ONE, Bytes, Codes, Columns, Cube, Floats, Grid, Ints, Row
from littlestone.engine.compiling import inlined, native
from littlestone.engine.learning.rules import is_asked, step

FEW = 300  # attributes that a full covariance is kept of, if there are two classes
IN = 2  # counts: whether these experts take part
RULE, WHEN = range(2)  # kind: the address of an expert's rule, and when it is asked

MOST = 1e150  # as in `covariances`


@native
def few(targets: int) -> int:
    """Return of how many attributes covariances are kept: together those of all targets have as many numbers as one."""
    return int(math.sqrt((FEW + 1) * (FEW + 1) / targets)) - 1


@inlined
def _fits(indices: Columns, first: np.uint64, last: np.uint64, most: int) -> bool:
    """Tell whether a row has none but the first attributes."""
    j, fits = first, True
    while j < last:
        fits = fits and indices[j] < most
        j += ONE
    return fits


@inlined
def _score(
    indices: Columns, values: Floats, first: np.uint64, last: np.uint64, mean: Floats, largest: np.uint64
) -> float:
    """Return mean.x: two interleaved sums; attributes that nobody has seen have the mean 0."""
    s0 = s1 = 0.0
    j = first
    while j < last:
        i = np.uint64(indices[j]) + ONE
        m = mean[i] if i <= largest else 0.0
        if len(values) > 0:
            m *= values[j]
        if (j - first) & ONE:
            s1 += m
        else:
            s0 += m
        j += ONE
    return float(s0 + s1 + mean[0])


@native
def _across(line: Row, root: Floats, p: Floats) -> float:
    """Put J'x into ``p``; return its square, x'JJ'x."""
    indices, values, first, last = line
    for k in range(len(p)):
        p[k] = root[k, 0]
    j = first
    while j < last:
        at, x = np.int64(indices[j]) + 1, 1.0 if len(values) == 0 else values[j]
        for k in range(len(p)):
            p[k] += root[k, at] * x
        j += ONE
    v = 0.0
    for k in range(len(p)):
        v += p[k] * p[k]
    return v


@native
def _move(mean: Floats, root: Floats, p: Floats, v: float, alpha: float, c: float, moves: Floats) -> None:
    """Move a mean by alpha Sigma x, and add c x x' to the inverse of Sigma."""
    grown = math.sqrt(1.0 + c * v)
    kappa = (1.0 - 1.0 / grown) / v if c * v > 1.0 else c / (grown * (1.0 + grown))
    moves[:] = 0.0  # Sigma x = J p
    for k in range(len(p)):
        across, q = root[k], p[k]
        for i in range(len(p)):
            moves[i] += across[i] * q
    for i in range(len(p)):
        mean[i] = min(max(mean[i] + alpha * moves[i], -MOST), MOST)
        moves[i] *= kappa
    for k in range(len(p)):
        across, q = root[k], p[k]
        for i in range(len(p)):
            across[i] -= moves[i] * q


@native
def _learn(
    line: Row, mean: Floats, root: Floats, kind: Ints, a: float,
    positive: bool, weight: float, s: float, p: Floats, moves: Floats,
) -> None:  # fmt: skip
    """Let an expert learn a row of one of two classes."""
    m = s if positive else -s
    if not is_asked(kind[WHEN], m, (s >= 0.0) == positive, 1.0):
        return
    v = _across(line, root, p)
    learned, alpha, c = step(kind[RULE], a, 0.0, m, v, weight)
    if learned:
        _move(mean, root, p, v, alpha if positive else -alpha, c, moves)


@native
def _learn_one_of_many(
    line: Row, means: Floats, roots: Floats, kind: Ints, rule: Floats, e: int,
    y: int, weight: float, s: Floats, work: tuple[Floats, Floats, Floats],
) -> None:  # fmt: skip
    """Let expert e learn that class y is before the best of the others, by half of the difference of their scores.

    So it learns x/2 for one class and -x/2 for the other; what two covariances have to do with each other is left out.
    """
    other = 1 if y == 0 else 0
    for t in range(len(s)):
        if t != y and s[t] > s[other]:
            other = t
    m = 0.5 * s[y] - 0.5 * s[other]
    if not is_asked(kind[e, WHEN], m, m > 0.0, 1.0):
        return
    (p, q, moves), its, others = work, y * len(kind) + e, other * len(kind) + e
    v, u = _across(line, roots[its], p), _across(line, roots[others], q)
    learned, alpha, c = step(kind[e, RULE], rule[e], 0.0, m, 0.25 * v + 0.25 * u, weight)
    if learned:
        _move(means[its], roots[its], p, v, 0.5 * alpha, 0.25 * c, moves)
        _move(means[others], roots[others], q, u, -0.5 * alpha, 0.25 * c, moves)


@native
def score(
    indptr: Ints, indices: Columns, values: Floats, means: Grid[Floats], scores: Cube[Floats], present: Bytes
) -> None:
    """Put down the score of each row, class and expert (of two classes that of the second), and who is there."""
    experts, largest = scores.shape[2], np.uint64(means.shape[1] - 1)
    most = few(len(means) // experts)
    for row in range(len(present)):
        first, last = np.uint64(indptr[row]), np.uint64(indptr[row + 1])
        present[row] = _fits(indices, first, last, most)
        for k in range(len(means) if present[row] else 0):
            scores[row, k // experts, k % experts] = _score(indices, values, first, last, means[k], largest)


@native
def learn(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Codes, importance: Floats, means: Grid[Floats],
    roots: Cube[Floats], kind: Grid[Ints], rule: Floats, counts: Ints, scores: Cube[Floats], present: Bytes,
) -> None:  # fmt: skip
    """Do what `score` does, and let them learn each row; there are means and covariances for all outcomes."""
    experts, largest, width = len(kind), np.uint64(means.shape[1] - 1), roots.shape[1]
    p, q, moves, targets = np.zeros(width), np.zeros(width), np.zeros(width), len(means) // experts
    most, said = few(targets), np.zeros(targets)
    for row in range(len(present)):
        first, last = np.uint64(indptr[row]), np.uint64(indptr[row + 1])
        there = counts[IN] != 0 and _fits(indices, first, last, most)
        present[row] = there
        if not there:
            counts[IN] = 0
            continue
        line, weight = (indices, values, first, last), importance[row] if len(importance) > 0 else 1.0
        for e in range(experts):
            for t in range(targets):
                said[t] = _score(indices, values, first, last, means[t * experts + e], largest)
                scores[row, t, e] = said[t]
            if weight == 0.0:
                continue
            if targets == 1:
                y = outcomes[row] == 1
                _learn(line, means[e], roots[e], kind[e], rule[e], y, weight, said[0], p, moves)
            else:
                work = p, q, moves
                _learn_one_of_many(line, means, roots, kind, rule, e, outcomes[row], weight, said, work)
