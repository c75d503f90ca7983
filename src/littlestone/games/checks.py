"""check_learner: the public battery. Any learner that passes it keeps the contract of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.learners import Learner
from littlestone.learners.regressors.base import Regressor

__all__ = ["CHECKS", "check_learner"]

Make = Callable[[], Learner]
N = 12


def _data(make: Make, seed: int = 0, rows: int = 120) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Return rows and outcomes: labels, or numbers that the loss of a regressor takes."""
    rng = np.random.default_rng(seed)
    X = rng.random((rows, N)) < 0.3
    X[rng.integers(0, rows, 6)] = False
    y: NDArray[np.int64] = np.asarray(X[:, :2].any(axis=1), dtype=np.int64)
    flipped = rng.integers(0, rows, 5)
    y[flipped] = 1 - y[flipped]
    learner = make()
    if not isinstance(learner, Regressor):
        return X, y
    real = y + X[:, 2:5] @ [0.5, -0.25, 1.0] + rng.normal(size=rows) * 0.1
    return X, real if learner.measure.range[0] < 0.0 else y.astype(np.float64)


def _begun(make: Make) -> Learner:
    """Return a learner that knows n and, unless it predicts numbers, the labels."""
    learner = make()
    return learner.begin(N) if isinstance(learner, Regressor) else learner.begin(N, labels=(0, 1))


def _same(a: Learner, b: Learner, what: str) -> None:
    """Compare two learners bit for bit."""
    one, other = a.state(), b.state()
    assert one.keys() == other.keys(), f"{what}: states have {sorted(one)} and {sorted(other)}"
    for key in one:
        assert np.array_equal(one[key], other[key], equal_nan=one[key].dtype.kind == "f"), f"{what}: {key} differs"


def _alike(one: Any, other: Any) -> bool:
    """Compare two values of a parameter; learners by their own parameters."""
    if isinstance(one, Learner) and isinstance(other, Learner):
        mine, theirs = one.params(), other.params()
        return type(one) is type(other) and all(_alike(mine[key], theirs[key]) for key in mine)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    return np.array_equal(np.asarray(one), np.asarray(other))


def check_predict_is_pure(make: Make) -> None:
    """Predict and activation change nothing, before the first trial and after."""
    X, y = _data(make)
    learner, twin = make().begin(N), make().begin(N)
    learner.predict(X), learner.activation(X), learner.predict_one(X[0])
    assert learner.learn(X, y).tolist() == twin.learn(X, y).tolist(), "a prediction changed the game"
    before = learner.copy()
    learner.predict(X), learner.activation(X), learner.hypothesis(), learner.weights()
    _same(learner, before, "predict")


def check_predicts_before_it_learns(make: Make) -> None:
    """The prediction that learn returns is the one that predict would have made just before."""
    X, y = _data(make)
    learner = _begun(make)
    for row, outcome in zip(X, y, strict=True):
        predicted = learner.predict(row[np.newaxis])[0]
        assert learner.learn(row[np.newaxis], [outcome])[0] == predicted, "learn did not predict as predict does"


def check_any_block_size(make: Make) -> None:
    """One row at a time, some at a time and all at once give the same predictions and the same state."""
    X, y = _data(make)
    whole = make().begin(N)
    expected = whole.learn(X, y).tolist()
    for size in (1, 7, 64):
        parts = make().begin(N)
        predicted = [
            label for at in range(0, len(X), size) for label in parts.learn(X[at : at + size], y[at : at + size])
        ]
        assert predicted == expected, f"blocks of {size} predict otherwise"
        _same(whole, parts, f"blocks of {size}")


def check_one_equals_many(make: Make) -> None:
    """Arrays by position, one at a time, give what a block gives; names give the same mistakes."""
    X, y = _data(make)
    many, one, named = make().begin(N), make().begin(N), make().begin(N, names=[f"a{i}" for i in range(N)])
    expected = many.learn(X, y).tolist()
    assert [one.learn_one(row, label) for row, label in zip(X, y, strict=True)] == expected, "learn_one by position"
    _same(many, one, "learn_one")
    rows = [[f"a{i}" for i in np.flatnonzero(row)] for row in X]
    assert [named.learn_one(row, label) for row, label in zip(rows, y.tolist(), strict=True)] == expected, "by name"


def check_order_is_kept(make: Make) -> None:
    """Rows are played in the order in which they come: the first mistake is the first possible one."""
    X, y = _data(make)
    learner = make().begin(N)
    first = learner.predict(X[:1])[0]
    assert learner.learn(X, y)[0] == first, "the first row was not played first"


def check_state_resumes(make: Make) -> None:
    """Learn A, write the state down, take it up, learn B: the same as A + B, bit for bit; copies are independent."""
    X, y = _data(make)
    whole, half = make().begin(N), make().begin(N)
    whole.learn(X[:60], y[:60])
    half.learn(X[:60], y[:60])
    copy, resumed = half.copy(), type(half).from_state(half.params(), half.state())
    expected = whole.learn(X[60:], y[60:]).tolist()
    _same(half, copy, "copy")
    for learner, what in ((copy, "copy"), (resumed, "from_state")):
        assert learner.learn(X[60:], y[60:]).tolist() == expected, f"{what} goes on otherwise"
        _same(whole, learner, what)
    assert half.trials == 60, "what a copy learned reached the original"
    before = make().params()
    assert all(_alike(resumed.params()[k], v) for k, v in before.items()), "params"


def check_counts(make: Make) -> None:
    """Trials, mistakes and updates are what they are called."""
    X, y = _data(make)
    learner = make().begin(N)
    predicted = learner.learn(X, y)
    assert learner.trials == len(X), "trials"
    if isinstance(learner, Regressor):
        assert np.isclose(learner.loss, learner.losses(predicted, y).sum(), rtol=1e-12, atol=0.0), "loss"
        assert not hasattr(learner, "mistakes"), "a regressor makes no mistakes"
    else:
        tested = getattr(learner, "tested_rows", np.ones(len(X), dtype=bool))
        assert learner.mistakes == int(np.count_nonzero((predicted != y) & tested)), "mistakes"
    steps = learner.promotions + learner.demotions
    if learner.many_classes:  # each target has steps of its own
        counts = learner.class_counts().values()  # type: ignore[attr-defined]
        assert (len(X), learner.mistakes) == (sum(c.examples for c in counts), sum(c.mistakes for c in counts)), "class"
        assert steps == sum(c.promotions + c.demotions for c in counts), "steps"
        assert learner.updates <= learner.trials, "updates"
    else:
        assert steps <= learner.updates <= learner.trials, "updates"


def check_empty_rows_and_blocks(make: Make) -> None:
    """A row without attributes is a row, a block without rows changes nothing."""
    learner = _begun(make)
    before = learner.copy()
    assert learner.learn(np.zeros((0, N), dtype=bool), np.zeros(0, dtype=int)).size == 0, "an empty block"
    assert learner.predict(np.zeros((0, N), dtype=bool)).size == 0, "an empty block"
    _same(learner, before, "an empty block")
    assert learner.learn(np.zeros((3, N), dtype=bool), [0, 1, 0]).size == 3, "rows without attributes"


def check_repeated_columns(make: Make) -> None:
    """Attributes that are always equal get equal weights, where the order of attributes does not matter."""
    X, y = _data(make)
    X[:, 7] = X[:, 3]
    learner = make().begin(N)
    learner.learn(X, y)
    hypothesis = learner.hypothesis()
    if learner.exchangeable and hypothesis is not None:
        assert hypothesis.w[7] == hypothesis.w[3], "equal columns, unequal weights"


def check_sparse_equals_dense(make: Make) -> None:
    """A sparse matrix, floats that are all ones and Booleans are the same data."""
    from scipy import sparse

    X, y = _data(make)
    expected = make().begin(N).learn(X, y).tolist()
    for data in (sparse.csr_matrix(X), sparse.coo_array(X.astype(float)), X.astype(float), X.astype(np.int8)):
        assert make().begin(N).learn(data, y).tolist() == expected, f"{type(data).__name__} {data.dtype}"


def check_unseen_attributes(make: Make) -> None:
    """Attributes without examples have equal weights, and a name that nobody has seen is no obstacle."""
    learner = _begun(make)
    learner.learn_one(["a", "b"], 1)
    said = learner.predict_one(["a", "zebra"])
    assert np.isfinite(said) if isinstance(learner, Regressor) else said in (0, 1), "an unseen name"
    assert "zebra" not in (learner.vocabulary or ()), "predict_one learned a name"
    learner.learn_one(["late", "b"], 0)
    assert set(learner.weights()) >= {"a", "b", "late"}, "weights by name"


def check_refusals(make: Make) -> None:
    """Bad input is a ValueError that leaves the learner as it was: not even a new name."""
    X, y = _data(make)
    learner = make().begin(N)
    learner.learn(X, y)
    named = _begun(make)
    named.learn_one({"a": 1}, 1)
    nan, inf = np.where(X, np.nan, 0.0), np.where(X, np.inf, 0.0)
    wide = np.ones((2, N + 1), dtype=bool)
    calls: dict[str, tuple[Learner, Callable[[Learner], Any]]] = {
        "nan": (learner, lambda it: it.learn(nan, y)),
        "inf": (learner, lambda it: it.learn(inf, y)),
        "too few labels": (learner, lambda it: it.learn(X, y[:-1])),
        "a third label": (learner, lambda it: it.learn(X, np.where(y == 1, 2, y))),
        "an attribute beyond n": (learner, lambda it: it.learn(wide, [0, 1])),
        "an attribute beyond n, predicted": (learner, lambda it: it.predict(wide)),
        "a string": (learner, lambda it: it.learn("row", [1])),
        "names after positions": (learner, lambda it: it.learn_one({"a": 1}, 1)),
        "a negative weight": (learner, lambda it: it.learn(X, y, weight=-np.ones(len(X)))),
        "a string for an example": (named, lambda it: it.learn_one("a", 1)),
        "a value that is no number": (named, lambda it: it.learn_one({"new": "red"}, 1)),
        "a value that is not finite": (named, lambda it: it.learn_one({"new": np.nan}, 1)),
        "a third label by name": (named, lambda it: it.learn_one({"new": 1}, 7)),
        "a name twice": (named, lambda it: it.learn_one(["new", "new"], 1)),
        "positions after names": (named, lambda it: it.learn(X, y)),
        "too many names": (named, lambda it: it.learn_one([f"n{i}" for i in range(N + 1)], 1)),
    }
    if learner.many_classes:  # a new label is a new class, but not one of another kind
        calls["a third label"] = (learner, lambda it: it.learn(X, np.where(y == 1, "two", "zero")))
        calls["a third label by name"] = (named, lambda it: it.learn_one({"new": 1}, "seven"))
    if isinstance(learner, Regressor):  # any number is an outcome, unless its loss says otherwise; nothing else is
        calls |= _no_numbers(learner, named, X, y)
    for what, (player, call) in calls.items():
        before = player.copy()
        try:
            call(player)
        except ValueError:
            pass
        else:
            raise AssertionError(f"{what} was not refused")
        _same(player, before, f"after the refusal of {what}")


def _no_numbers(
    learner: Learner, named: Learner, X: Any, y: Any
) -> dict[str, tuple[Learner, Callable[[Learner], Any]]]:
    """Return calls with outcomes that are no finite numbers, in place of those with a third label."""
    words = np.where(y > 0.5, "high", "low")
    return {
        "a third label": (learner, lambda it: it.learn(X, words)),
        "a third label by name": (named, lambda it: it.learn_one({"new": 1}, "high")),
        "an outcome of nan": (learner, lambda it: it.learn(X, np.where(y > 0.5, np.nan, y))),
        "an outcome of inf": (learner, lambda it: it.learn(X, np.where(y > 0.5, np.inf, y))),
        "an outcome of nan by name": (named, lambda it: it.learn_one({"new": 1}, float("nan"))),
        "an outcome of inf by name": (named, lambda it: it.learn_one({"new": 1}, float("-inf"))),
        "an outcome of None by name": (named, lambda it: it.learn_one({"new": 1}, None)),
        "labels": (learner, lambda it: it.begin(N, labels=("low", "high"))),
    }


CHECKS: tuple[Callable[[Make], None], ...] = tuple(
    thing for name, thing in list(globals().items()) if name.startswith("check_")
)


def check_learner(learner: Learner | type[Learner]) -> None:
    """Run the whole battery on a learner or a regressor (a class, or an instance whose parameters are taken).

    Raises AssertionError, naming the check that failed.

    >>> import littlestone as ls
    >>> ls.check_learner(ls.Winnow(alpha=1.5))
    >>> ls.check_learner(ls.GradientDescent(loss_function="huber:0.5"))
    """

    def make() -> Learner:
        if isinstance(learner, type):
            return learner()
        return type(learner)(**learner.params())

    for check in CHECKS:
        try:
            check(make)
        except AssertionError as error:
            error.add_note(f"{check.__name__} failed for {make()!r}")
            raise
