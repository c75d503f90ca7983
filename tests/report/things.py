"""One of each kind of thing that is shown, made once, with names that HTML and matplotlib could take for their own."""

from functools import cache

import numpy as np

import littlestone as ls

NAMES = ["free", "<b>bold</b>", "$1 or $2", "_hidden", "tomorrow\nnight", "a name " * 9]


def logistic(learner):
    """Return probabilities of two labels."""

    def probabilities(rows):
        positive = 1 / (1 + np.exp(-learner.activation(rows)))
        return np.column_stack((1 - positive, positive))

    return probabilities


def shares(learner):
    """Return probabilities of many classes."""

    def probabilities(rows):
        scores = np.exp(learner.activation(rows) - learner.activation(rows).max(axis=1, keepdims=True))
        return scores / scores.sum(axis=1, keepdims=True)

    return probabilities


@cache
def words():
    """A learner of attributes with names, and labels."""
    learner, rng = ls.Perceptron().begin(labels=("ham", "<spam>")), np.random.default_rng(0)
    for _ in range(60):
        x = {NAMES[i] for i in rng.choice(len(NAMES), rng.integers(0, 4), replace=False)}
        learner.learn_one(x, "<spam>" if "free" in x else "ham")
    return learner


@cache
def many(classes):
    """A learner of many classes, and how it was evaluated."""
    rng, learner = np.random.default_rng(1), ls.MulticlassPerceptron()
    y = rng.integers(0, classes, 600)
    X = (rng.random((600, classes)) < 0.1) | (np.eye(classes, dtype=bool)[y] & (rng.random((600, 1)) < 0.8))
    labels = np.array([f"<{c}>" for c in range(classes)])[y]
    learner.learn(X.astype(float), labels)
    return learner, ls.evaluate(learner, ls.from_arrays(X.astype(float), labels), probabilities=shares(learner))


@cache
def mail(learner="auto"):
    """A model of messages."""
    rows = [{"note": "lunch today", "class": "ham"}, {"note": "free prize today", "class": "<spam>"}] * 20
    return ls.Model.train(rows, label="class", text="note", learner=learner, labels=("ham", "<spam>"))


@cache
def table():
    """A model of mixed columns."""
    rng = np.random.default_rng(3)
    sizes, kinds = rng.normal(5, 2, 80).round(2).tolist(), rng.choice(["a", "<b>"], 80).tolist()
    rows = [{"<size>": size, "kind": kind, "y": int(size > 5)} for size, kind in zip(sizes, kinds, strict=True)]
    return ls.Model.train(rows, label="y", learner="perceptron", cost={"false-positive": 3})


@cache
def numbers():
    """A stream of numbers."""
    return ls.teachers.Linear(n=20, k=2, noise=0.1, trials=300)


@cache
def things():
    """Things by name."""
    rows = ls.teachers.Disjunction(n=20, k=2, trials=300, noise=0.05)
    run = ls.play(ls.Winnow(), ls.teachers.Disjunction(n=20, k=2, trials=300))
    known = ls.play(ls.Winnow.for_disjunctions(n=20, k=2), ls.teachers.Disjunction(n=20, k=2, trials=300))
    learner, auto = ls.Perceptron(), ls.Auto()
    ls.play(learner, rows)
    ls.play(auto, rows)
    return {
        "run": run,
        "run with a bound": known,
        "run without": ls.play(ls.Perceptron(averaged=True), rows),
        "run of nothing": ls.play(ls.Perceptron(), rows, trials=0),
        "bound": known.guarantee,
        "open bound": run.guarantee,
        "learner": words(),
        "fresh learner": ls.Winnow(),
        "learner of classes": many(4)[0],
        "learner of many classes": many(30)[0],
        "auto": auto,
        "experts": ls.Experts(pool=[ls.Winnow(), ls.Perceptron()]),
        "conjunctions": _played(ls.KernelPerceptron(), rows),
        "explanation": ls.explain(words()),
        "explanation of classes": ls.explain(many(4)[0]),
        "explanation of nothing": ls.explain(ls.Winnow()),
        "explained": ls.explain_example(words(), {"free", "never seen", "$1 or $2"}),
        "explained classes": ls.explain_example(many(4)[0], np.array([1.0, 0, 0, 1])),
        "model": mail(),
        "model of a table": table(),
        "model of an array": ls.Model(many(4)[0]),
        "fresh model": ls.Model(ls.Auto()),
        "reasons": mail().explain("FREE prize <b>lunch</b>"),
        "reasons of weights": mail("arow").explain("free prize today, never seen"),
        "reasons of a table": table().explain({"<size>": 7, "kind": "a"}),
        "reasons of classes": ls.Model(many(30)[0]).explain(np.eye(30)[2]),
        "evaluation": ls.evaluate(learner, rows, probabilities=logistic(learner)),
        "evaluation without probabilities": ls.evaluate(learner, rows),
        "evaluation of no rows": ls.evaluate(
            learner, ls.from_arrays(np.zeros((0, 20)), np.zeros(0)), probabilities=logistic(learner)
        ),
        "evaluation of classes": many(4)[1],
        "evaluation of many classes": many(30)[1],
        "contest": ls.contest({"_w": ls.Winnow(), "<p>": ls.Perceptron()}, rows, permutations=2),
        "contest of one game": ls.contest([ls.Winnow(), ls.Elimination()], rows),
        "certificate": run.certificate({0, 1}),
        "loss run": ls.play(ls.GradientDescent(), numbers()),
        "loss run that falls far": ls.play(ls.EGPlusMinus(U=2.0), ls.teachers.Linear(n=20, k=2, trials=900)),
        "loss run of nothing": ls.play(ls.GradientDescent(), numbers(), trials=0),
        "contest of regressors": ls.contest(
            {"<g>": ls.GradientDescent(), "_e": ls.EGPlusMinus(U=2.0), "$v$": ls.VAWForecaster()},
            numbers(),
            permutations=2,
        ),
        "contest of regressors far apart": ls.contest(
            [ls.GradientDescent(eta=1e-6), ls.EGPlusMinus(U=2.0)], ls.teachers.Linear(n=20, k=2, trials=900)
        ),
    }


def _played(learner, stream):
    ls.play(learner, stream)
    return learner
