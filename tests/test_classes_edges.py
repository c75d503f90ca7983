"""Many classes and probabilities where they are delicate: the constant coordinate, extreme numbers, mixed labels."""

from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.errors import InvalidData
from littlestone.learners import Bounded, MulticlassPerceptron
from littlestone.learners.calibration import Calibrated


@pytest.mark.parametrize("policy", ["top", "uniform", "proportional"])
def test_the_constant_coordinate_belongs_to_the_radius(policy):
    """Short rows, b and a in turn: the constant coordinate moves further than they do, and makes mistakes."""
    r, m = 0.05, 10
    rows = r * np.eye(m + 1)[[i for late in range(1, m + 1) for i in (late, 0)]]
    u = np.array([1.0] + [-1.0] * m) / np.sqrt(2 * (m + 1))  # of a, and -u of b: their squares sum to 1
    separating = {"norm": 1.0, "gamma": 2 * r * np.abs(u).min()}
    learner = MulticlassPerceptron(policy=policy).begin(m + 1, labels=("a", "b"))
    learner.learn(rows, ["b", "a"] * m)
    assert learner.mistakes > ls.bounds.multiclass_perceptron(radius=r, **separating).value
    assert learner.mistakes <= ls.bounds.multiclass_perceptron(radius=np.hypot(r, 1.0), **separating).value
    alone = MulticlassPerceptron(policy=policy, bias=False).begin(m + 1, labels=("a", "b"))
    alone.learn(rows, ["b", "a"] * m)
    assert alone.mistakes <= ls.bounds.multiclass_perceptron(radius=r, **separating).value


TWO_LABELS = {
    "Perceptron": lambda: ls.Perceptron(averaged=True),
    "Winnow": lambda: ls.Winnow(theta=4.0),
    "negations": lambda: ls.Perceptron(negations=True),
    "Bounded": lambda: Bounded(ls.Perceptron(), max_attributes=7),
    "Bounded, eligible": lambda: Bounded(ls.Perceptron(), eligible=3),
    "Bounded Winnow": lambda: Bounded(ls.Winnow(theta=4.0), max_attributes=6),
}


def same_state(one, other):
    assert one.keys() == other.keys()
    for key, value in one.items():
        assert np.array_equal(value, other[key]), key


@pytest.mark.parametrize("name", TWO_LABELS)
def test_calibration_is_the_same_by_name_and_by_array(name):
    rng = np.random.default_rng(3)
    X = np.zeros((150, 12), dtype=bool)
    for x in X:
        x[rng.choice(12, rng.integers(1, 6), replace=False)] = True
    y = (X[:, :3].any(axis=1) ^ (rng.random(150) < 0.1)).astype(int)
    words = [f"a{i:02}" for i in range(12)]
    array, rows, named, block = (Calibrated(TWO_LABELS[name]().begin(12, labels=(0, 1))) for _ in range(4))
    for it in (named, block):
        it.learner.begin(names=words)
    expected = array.learn(X, y).tolist()
    assert block.learn(replace(ls.Block.from_arrays(X), names=tuple(words)), y).tolist() == expected
    assert [rows.learn_one(x, label) for x, label in zip(X, y.tolist(), strict=True)] == expected
    for i, (x, label, said) in enumerate(zip(X, y.tolist(), expected, strict=True)):
        on = [words[j] for j in rng.permutation(np.flatnonzero(x))]
        assert named.learn_one(dict.fromkeys(on, 1) if i % 2 else set(on), label) == said
    for it in (rows, named, block):
        assert it.state()["scaling"].tolist() == array.state()["scaling"].tolist()
        assert it.learner.mistakes == array.learner.mistakes


def test_a_refusal_leaves_calibration_and_learner_untouched():
    service = Calibrated(Bounded(ls.Perceptron(), max_attributes=2))
    for _ in range(2):
        before = service.state()
        with pytest.raises(InvalidData, match="max_attributes=2"):
            service.learn([[1, 0, 0], [1, 1, 1]], [1, 0])
        same_state(service.state(), before)
        with pytest.raises(InvalidData, match="max_attributes=2"):
            service.learn_one(np.ones(3), 1)
        same_state(service.state(), before)
        service.learn([[1, 0, 0], [0, 1, 0]], [1, 0])
    assert service.learner.trials == 4
