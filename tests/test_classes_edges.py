"""Many classes and probabilities where they are delicate: the constant coordinate, extreme numbers, mixed labels."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.learners import MulticlassPerceptron


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
