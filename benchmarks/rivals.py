"""Everybody who plays, each in its own way: predict, then learn, one row at a time, in the order of the rows.

A player is a function of a CSR matrix and Boolean labels that returns how many mistakes were made in one pass.
``OURS`` are littlestone's, ``PEERS`` all others; a line more is a player more.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import littlestone as ls

Player = Callable[[sparse.csr_matrix, np.ndarray], int]
EDGE = 1e-9  # nearer to the margin than this, scikit-learn is asked itself
FOLDER = tempfile.TemporaryDirectory()
LAST: dict[Any, tuple[sparse.csr_matrix, Any]] = {}  # what was made of the rows played last
BITS = 20  # of Vowpal Wabbit's table of weights
LEAST = 1e-15  # the smallest probability whose logarithm is taken


def littlestone(name: str, **parameters: Any) -> Player:
    """Return a learner of ours. Rows that are not Boolean are none of the business of one that wants them Boolean."""

    def play(X: sparse.csr_matrix, y: np.ndarray) -> int:
        learner = getattr(ls.learners, name)(**parameters)
        return int(ls.play(learner, _last(ls.from_arrays, X, y)).mistakes)

    return play


def scikit(make: Callable[[], Any], passive: float | None) -> Player:
    """Return an estimator of scikit-learn's, led by `partial_fit`, a row a call.

    ``passive`` is the margin beyond which it does not change, None where it always does: a call takes half a
    millisecond, and is left out where it would do nothing.
    """

    def play(X: sparse.csr_matrix, y: np.ndarray) -> int:
        from sklearn import config_context
        from threadpoolctl import threadpool_limits

        rival, mistakes = make(), 0
        with threadpool_limits(1), config_context(assume_finite=True, skip_parameter_validation=True):
            for row, (columns, values, label) in enumerate(rows(X, y)):
                f = float(rival.coef_[0][columns] @ values + rival.intercept_[0]) if row else 0.0
                mistakes += (f > 0) != label
                margin = f if label else -f
                if passive is None or margin < passive + EDGE:
                    one = sparse.csr_matrix((values, columns, [0, len(columns)]), shape=(1, X.shape[1]))
                    rival.partial_fit(one, [label], classes=None if row else [False, True])
        return mistakes

    return play


def rabbit(*options: str) -> Player:
    """Return Vowpal Wabbit, reading its own text, with its own progressive count of mistakes."""

    def play(X: sparse.csr_matrix, y: np.ndarray) -> int:
        import pylibvw

        path = _last(_written, X, y)
        vw = pylibvw.vw(["-d", str(path), "-b", str(BITS), "--binary", "--quiet", *options])
        vw.run_parser()
        mistakes = round(vw.get_sum_loss())
        vw.finish()
        return mistakes

    return play


def _written(X: sparse.csr_matrix, y: np.ndarray) -> Path:
    path = Path(FOLDER.name) / f"rows-{os.getpid()}.vw"
    write_rabbit(path, X, y)
    return path


def _last(make: Callable[[sparse.csr_matrix, np.ndarray], Any], X: sparse.csr_matrix, y: np.ndarray) -> Any:
    """Return ``make(X, y)``, made once where the same rows are played several times, one after another."""
    known = LAST.get(make)
    if known is None or known[0] is not X:
        LAST[make] = known = X, make(X, y)
    return known[1]


def write_rabbit(path: Path, X: sparse.csr_matrix, y: np.ndarray) -> None:
    """Write rows as Vowpal Wabbit's text: indices from 1, a value only where it is not 1."""
    words = np.array([f" {i + 1}" for i in range(X.shape[1])], dtype=object)
    boolean = bool((X.data == 1).all())
    with path.open("w", encoding="ascii") as file:
        for columns, values, label in rows(X, y):
            told = (
                words[columns]
                if boolean
                else [f" {i + 1}:{v!r}" for i, v in zip(columns, values.tolist(), strict=True)]
            )
            file.write(f"{1 if label else -1} |{''.join(told)}\n")


def river(make: Callable[[], Any]) -> Player:
    """Return a model of river's, with dicts from columns to values."""

    def play(X: sparse.csr_matrix, y: np.ndarray) -> int:
        model, mistakes = make(), 0
        for columns, values, label in rows(X, y):
            x = dict(zip(columns.tolist(), values.tolist(), strict=True))
            mistakes += bool(model.predict_one(x)) != label
            model.learn_one(x, label)
        return mistakes

    return play


def rows(X: sparse.csr_matrix, y: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, bool]]:
    """Yield the columns, the values and the label of each row."""
    ends = X.indptr.tolist()
    for start, end, label in zip(ends, ends[1:], y.tolist(), strict=False):
        yield X.indices[start:end], X.data[start:end], bool(label)


def _sklearn(name: str, **parameters: Any) -> Callable[[], Any]:
    def make() -> Any:
        from sklearn import linear_model

        return getattr(linear_model, name)(shuffle=False, **parameters)

    return make


def _river(name: str) -> Callable[[], Any]:
    def make() -> Any:
        from river import linear_model

        return getattr(linear_model, name)()

    return make


def _liblinear(X: sparse.csr_matrix, y: np.ndarray) -> int:
    """Return the errors of LIBLINEAR's support vector machine on the rows that it was trained on: a yardstick."""
    return int((liblinear(X, y).predict(X) != y).sum())


def liblinear(X: sparse.csr_matrix, y: np.ndarray) -> Any:
    """Return LIBLINEAR's support vector machine, trained, for 1,000 iterations at most."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it is a yardstick
        return LinearSVC(dual=True, random_state=0).fit(X, y)


OURS: dict[str, Player] = {
    name: littlestone(name)
    for name in (
        "Auto", "Perceptron", "Winnow", "BalancedWinnow", "ModifiedBalancedWinnow", "PassiveAggressive", "ALMA",
        "OGD", "Adagrad", "AROW", "NHERD", "ConfidenceWeighted", "SCW", "NaiveBayes",
    )
}  # fmt: skip
# What scikit-learn says of its PassiveAggressiveClassifier, which it retires: use this.
PASSIVE_AGGRESSIVE = {"penalty": None, "learning_rate": "pa1", "eta0": 1.0}
PEERS: dict[str, Player] = {
    "VW logistic": rabbit("--loss_function", "logistic"),
    "VW hinge": rabbit("--loss_function", "hinge"),
    "VW sgd hinge": rabbit("--loss_function", "hinge", "--sgd"),
    "sklearn Perceptron": scikit(_sklearn("Perceptron"), 0.0),
    "sklearn SGD": scikit(_sklearn("SGDClassifier"), None),
    "sklearn PA": scikit(_sklearn("SGDClassifier", **PASSIVE_AGGRESSIVE), 1.0),
    "river Perceptron": river(_river("Perceptron")),
    "river LogisticRegression": river(_river("LogisticRegression")),
    "river PA": river(_river("PAClassifier")),
    "river ALMA": river(_river("ALMAClassifier")),
}
BATCH = {"LIBLINEAR, on its own rows": _liblinear}
MULTIPLICATIVE = ("Winnow", "BalancedWinnow", "ModifiedBalancedWinnow")
SECOND_ORDER = ("AROW", "NHERD", "ConfidenceWeighted", "SCW", "Adagrad")


# Probabilities: the mean log loss of each row's probability before the row is learned


def _model_loss(X: sparse.csr_matrix, y: np.ndarray) -> float:
    """Return the log loss of a model with Auto, asked about each row before it learns it."""
    stream = ls.from_arrays(X, y)
    model, lost = ls.Model.begun("auto", stream), 0.0
    block = stream.block
    for at, label in enumerate(y.tolist()):
        row = block[at : at + 1]
        shares = model.probabilities_block(row)[0] if model.labels else np.array([0.5, 0.5])
        lost -= log(max(float(shares[int(label)]), LEAST))
        model.learn_block(row)
    return lost / len(y)


def _rabbit_loss(X: sparse.csr_matrix, y: np.ndarray) -> float:
    """Return Vowpal Wabbit's own progressive logistic loss, with its defaults."""
    import pylibvw

    path = _last(_written, X, y)
    vw = pylibvw.vw(["-d", str(path), "-b", str(BITS), "--quiet", "--loss_function", "logistic"])
    vw.run_parser()
    lost = vw.get_sum_loss()
    vw.finish()
    return float(lost / len(y))


LOG_LOSSES: dict[str, Callable[[sparse.csr_matrix, np.ndarray], float]] = {
    "Auto": _model_loss, "VW logistic": _rabbit_loss,
}  # fmt: skip
