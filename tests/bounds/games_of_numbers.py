"""Games of numbers against an adversary that sees each prediction, and what a target has to do with them."""

import numpy as np

N = 3


def row(rng, X, norm):
    """Draw a row that is as large as X allows, or smaller, in the norm that counts."""
    x = rng.normal(size=N) if rng.random() < 0.5 else np.eye(N)[rng.integers(N)] * rng.choice([-1.0, 1.0])
    x = x * (rng.random(N) < 0.8)
    size = norm(x)
    full = X / size if size > 0.0 else 0.0
    return x * full * (1.0 if rng.random() < 0.7 else rng.random())


def outcome(rng, p, x, u):
    """Draw an outcome when the prediction is known: what u says, what hurts, anything, or nearly nothing."""
    kind = rng.integers(5)
    if kind == 0:
        return float(u @ x)
    if kind == 1:
        return float(p - rng.choice([-1.0, 1.0]) * rng.exponential(2.0))
    if kind == 2:
        return float(u @ x - np.sign(p - u @ x) * rng.random())  # u errs a little on the other side
    return float(rng.normal() * (10.0 if kind == 3 else 1e-3))


def played(rng, learner, X, norm, u, trials, *, clip=None, binary=False, said=None, weights=None):
    """Play, each outcome chosen after the prediction; return rows and outcomes.

    ``clip`` and ``binary`` say which outcomes there may be; predictions go into ``said``, weights into ``weights``.
    """
    rows, outcomes = np.zeros((trials, N)), np.zeros(trials)
    learner.begin(N)
    for t in range(trials):
        rows[t] = row(rng, X, norm)
        p = float(learner.predict(rows[t : t + 1])[0])
        y = outcome(rng, p, rows[t], u)
        if binary:
            y = float(y < p)
        outcomes[t] = y if clip is None else min(max(y, clip[0]), clip[1])
        if weights is not None:
            weights.append(learner.coordinates()[0][:N].copy())
        if said is not None:
            said.append(p)
        learner.learn(rows[t : t + 1], outcomes[t : t + 1])
    return rows, outcomes


def length(x):
    return float(np.sqrt(x @ x))


def spread(x):
    return float(x.max() - x.min())


def size(x):
    return float(np.abs(x).max())


def entropy(u, w):
    on = u > 0.0
    return max(float(u[on] @ np.log(u[on] / w[on])), 0.0)


def binary_entropy(u, w):
    return sum(entropy(np.array([a, 1.0 - a]), np.array([b, 1.0 - b])) for a, b in zip(u, w, strict=True))


def simplex_points(rng, count=6):
    """Yield points of the simplex: corners, the middle, others."""
    yield from np.eye(N)
    yield np.full(N, 1.0 / N)
    yield from rng.dirichlet(np.full(N, 0.5), size=count)
