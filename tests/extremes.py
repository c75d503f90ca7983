"""Games of numbers at the ends of the floats, for any learner: what must stay true of it, whatever comes."""

import random
from itertools import pairwise

import numpy as np

from littlestone.core.errors import LittlestoneError
from littlestone.learners.regressors import Regressor

ANY = [0, 0, 0, 1, 1, -1, 2, 0.5, 5e-324, -5e-324, 1e-308, 1e-160, -1e-160, 1e-100, 1e-50, 1e50, 1e100, -1e100, 3e99]
VALUES = {
    "any": ANY,
    "non-negative": [value for value in ANY if value >= 0],
    "unit": [0, 0, 1, 1, 5e-324, 1e-308, 1e-160, 0.5, 1 - 2**-53],
    "Boolean": [0, 0, 1],
    "sign": [1, -1],
    "whole": [0, 0, 1, 2, 3],
}
WEIGHTS = [0, 1, 1, 5e-324, 1e-308, 1e-160, 1e-100, 0.5, 2, 3, 1e8, 1e50, 1e100]
OUTCOMES = {"any": ANY, "unit": [0, 1, 0.5, 5e-324, 1e-160, 1 - 2**-53], "Boolean": [0, 1]}
MANY = 2000  # rows of a long game, in which sums add up


def rows_of(chance, learner, n):
    """Return rows and labels, most of few different values."""
    values = [value for value in VALUES[learner._domain()] if abs(value) <= learner._most()]
    if chance.random() < 0.5 and learner.domain != "sign":
        values = [0, *chance.sample(values, min(len(values), chance.randint(2, 4)))]
    rows = chance.choice([1, 3, 6, 10, 30])
    X = np.array([[chance.choice(values) for _ in range(n)] for _ in range(rows)], dtype=float)
    if not isinstance(learner, Regressor):
        return X, np.array([chance.randint(0, 1) for _ in range(rows)])
    loss = learner.measure
    kind = "any" if loss.range[0] < 0.0 else "unit" if loss.name == "logistic" else "Boolean"
    return X, np.array([chance.choice(OUTCOMES[kind]) for _ in range(rows)], dtype=float)


def weights_of(chance, rows):
    """Return weights of examples, or none."""
    some = WEIGHTS if chance.random() < 0.6 else [0, 1] if chance.random() < 0.5 else [chance.choice(WEIGHTS)]
    return None if chance.random() < 0.5 else np.array([chance.choice(some) for _ in range(rows)], dtype=float)


def check_same(one, other, what):
    """Compare two states bit for bit."""
    assert one.keys() == other.keys(), what
    for key in one:
        a, b = np.asarray(one[key]), np.asarray(other[key])
        assert (a.shape, a.dtype) == (b.shape, b.dtype), (what, key, a, b)
        assert np.array_equal(a, b), (what, key, a, b)  # nothing is NaN


def check_numbers(learner, X, *, eliminates):
    """Hold a learner to numbers that are numbers: of what is eliminated the dual is -inf, and nothing else is."""
    for key, array in learner.state().items():
        if np.asarray(array).dtype.kind == "f":
            assert not np.isnan(array).any(), (key, array)
            assert eliminates or not np.isinf(array).any(), (key, array)
    assert np.isfinite(learner.activation(X)).all(), learner.activation(X)
    shown = [each for each in learner.weights().values() if not isinstance(each, dict)]
    assert np.isfinite(shown).all(), shown
    hypothesis = learner.hypothesis()
    if hypothesis is not None:
        assert np.isfinite(hypothesis.w).all() and np.isfinite(hypothesis.theta), hypothesis


def check_scores(learner, Z):
    """Hold scores to: the same row by row and all at once, and nothing is changed by asking."""
    before = learner.state()
    said, scores = learner.predict(Z), learner.activation(Z)
    for i in range(len(Z)):
        assert np.array_equal(learner.activation(Z[i : i + 1])[0], scores[i]), (i, Z[i], scores[i])
        if not getattr(learner, "randomized", False):  # each trial has a coin of its own
            assert learner.predict(Z[i : i + 1])[0] == said[i], (i, Z[i])
    check_same(before, learner.state(), "predict")


def learned(learner, X, y, weight):
    """Let a learner learn; return the predictions, or None if it refuses, and then leaves no trace."""
    before = learner.state()
    try:
        return learner.learn(X, y, weight=weight)
    except LittlestoneError:
        check_same(before, learner.state(), "a refusal")
        return None


def play(make, seed, *, eliminates=False, long=True):
    """Play one game in blocks and row by row; return whether it was not refused."""
    chance = random.Random(seed)
    n = chance.randint(2, 6)
    X, y = rows_of(chance, make(), n)
    if long and chance.random() < 0.1:
        X, y = np.tile(X, (MANY // len(y), 1)), np.tile(y, MANY // len(y))
    weight = weights_of(chance, len(y))
    fixed = chance.random() < 0.6

    def begun():
        learner = make()
        known = n if fixed or learner._needs_n() or learner.negations else None
        return learner.begin(known) if isinstance(learner, Regressor) else learner.begin(known, labels=(0, 1))

    whole = begun()
    said = learned(whole, X, y, weight)
    if said is None:
        whole, weight = begun(), None
        said = learned(whole, X, y, weight)
    if said is None:
        return False
    check_numbers(whole, X, eliminates=eliminates)
    if isinstance(whole, Regressor):
        assert np.isfinite(said).all(), said
        assert 0.0 <= whole.loss <= 1e300, whole.loss
        whole.machine.check_kinds(whole.machine.state())
        whole.machine.check(whole.machine.state())
    cuts = range(len(y) + 1) if len(y) < 60 else [0, 1, 700, len(y)]
    parts = begun()
    again = [
        label
        for a, b in pairwise(cuts)
        for label in parts.learn(X[a:b], y[a:b], weight=None if weight is None else weight[a:b]).tolist()
    ]
    assert again == said.tolist()
    check_same(whole.state(), parts.state(), "row by row")
    more = 0 if fixed or whole._needs_n() or whole.negations else 3  # attributes that nobody has seen
    Z = np.hstack([X[:4], X[:4, :1].repeat(more, axis=1)])
    check_scores(whole, Z if whole.domain == "sign" else np.vstack([Z, np.zeros_like(Z[:1])]))
    return True
