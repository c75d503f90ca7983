"""Write the golden model files of the current format: ``python -m tests.golden.make`` from the root.

Only for a new format, into names of its own: files that exist are left as they are, since they must load for ever.
"""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np

import littlestone as ls
from littlestone.parts.kernels import Conjunctions

FOLDER = Path(__file__).parent
N = 6

GOLDEN = {
    "format1-winnow": lambda: ls.Winnow(alpha=Fraction(3, 2), negations=True),
    "format1-perceptron": lambda: ls.Perceptron(averaged=True, w1=np.linspace(-1.0, 1.0, N)),
    "format1-quasi-additive": lambda: ls.QuasiAdditive(link=ls.links.two_sinh(1.3)),
    "format1-kernel-perceptron": lambda: ls.KernelPerceptron(Conjunctions(max_size=2), theta=3),
    "format1-kernel-winnow": lambda: ls.KernelWinnow(),
    "format1-naive-bayes": lambda: ls.NaiveBayes(),
    "format1-directed-drift": lambda: ls.DirectedDrift(seed=3),
    "format1-named": lambda: ls.Winnow(theta=2).begin(labels=("ham", "spam")),
    "format2-experts": lambda: ls.Experts([ls.Perceptron(), ls.Winnow(theta=2), ls.learners.AROW()]),
    "format3-table": lambda: "auto",
    "format3-text": lambda: "arow",
}


def rows():
    """Return rows that need no generator, whose stream might change."""
    X = np.array([[(7 * i * i + 3 * i * j + j) % 5 < 2 for j in range(N)] for i in range(40)])
    return X, (X[:, 0] | X[:, 3]).astype(int)


def raw(name):
    """Return the rows as a table of numbers and categories, or as texts, with their labels."""
    X, y = rows()
    labels = [("no", "yes")[outcome] for outcome in y]
    if name.endswith("text"):
        return [{"text": " ".join(f"word{i}" for i in np.flatnonzero(row)) or "none"} for row in X], labels
    return [
        {"size": 3.5 * i % 7, **{f"c{j}": "ab"[int(on)] for j, on in enumerate(row)}} for i, row in enumerate(X)
    ], labels


def taught(name):
    """Return a learner that has learned from the rows, or a model."""
    learner = GOLDEN[name]()
    X, y = rows()
    if name.startswith("format3"):
        table, labels = raw(name)
        reading = {"text": "text"} if name.endswith("text") else {"numeric": "size"}
        return ls.Model.train(table, labels, learner=learner, **reading)
    if not name.endswith("named"):
        learner.learn(X, y)
        return learner
    for row, outcome in zip(X, y, strict=True):
        learner.learn_one([f"a{i}" if i else ("a", i) for i in np.flatnonzero(row).tolist()], ("ham", "spam")[outcome])
    return learner


def recorded(learner, name):
    """Return what a golden file's learner must say."""
    X, _ = rows()
    if name.startswith("format3"):
        said = learner.predict(raw(name)[0]).tolist()
    elif learner.vocabulary is None:
        said = learner.predict(X).tolist()
    else:
        said = [learner.predict_one([f"a{i}" if i else ("a", i) for i in np.flatnonzero(row).tolist()]) for row in X]
    return {"learner": type(learner).__name__, "trials": learner.trials, "mistakes": learner.mistakes, "said": said}


if __name__ == "__main__":
    for name in GOLDEN:
        if not (FOLDER / f"{name}.npz").exists():
            learner = taught(name)
            ls.save(learner, FOLDER / f"{name}.npz")
            (FOLDER / f"{name}.json").write_text(json.dumps(recorded(learner, name)) + "\n")
