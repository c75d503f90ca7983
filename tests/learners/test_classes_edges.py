"""Many classes and probabilities where they are delicate: the constant coordinate, extreme numbers, mixed labels."""

from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidModel, InvalidParameter
from littlestone.games.evaluation import evaluate
from littlestone.learners import Bounded, MulticlassPerceptron, WinnerTakesAll
from littlestone.learners.calibrated import Calibrated
from littlestone.learners.delayed import Delayed
from littlestone.models.files import load, save
from tests.models.test_model_damage import forged, put
from tests.naive import winner_takes_all as slow


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


HEAVY = {"class_weights": {0: 1e100, 1: 1e100}}
EXTREMES = {
    "tiny": (1e-155, {}, {}, 1.0),
    "least": (5e-324, {}, {}, 1.0),
    "tiny, averaged": (1e-155, {"averaged": True}, {"averaged": True}, 1.0),
    "huge": (1e100, {}, {}, 1e100),
    "huge with weights of classes": (1e100, HEAVY, HEAVY, 1e100),
    "huge and balanced": (1e100, {"class_weights": "balanced"}, {"class_weights": "balanced"}, 1e100),
}


@pytest.mark.parametrize("name", EXTREMES)
def test_probabilities_of_extreme_numbers_are_probabilities(name, tmp_path):
    size, told, slowly, weight = EXTREMES[name]
    X, y = size * np.eye(3)[[0, 1, 2] * 40], [0, 1, 2] * 40
    learner = MulticlassPerceptron(bias=False, **told)
    twin = slow.WinnerTakesAll(policy="uniform", linked=False, **slowly)
    assert learner.learn(X, y, weight=np.full(len(y), weight)).tolist() == [
        twin.learn({label: size}, label, weight) for label in y
    ]
    assert learner._machine.scale == pytest.approx(twin.scale(), rel=1e-6)
    for rows in (X[:3], 1e100 * np.eye(3), -1e100 * np.ones((1, 3)), np.zeros((1, 3))):
        p = learner.predict_proba(rows)
        assert np.isfinite(p).all()
        assert p.sum(axis=1) == pytest.approx(1.0)
    save(learner, tmp_path / "model.npz")
    again = load(tmp_path / "model.npz")
    assert np.array_equal(again.predict_proba(X), learner.predict_proba(X))


@pytest.mark.parametrize("size", [5e-324, 1e-155, 1e-80, 1e100])
def test_probabilities_of_two_labels_are_finite_whatever_the_activations(size):
    X = size * np.vstack((np.eye(2)[[0, 1] * 20], np.zeros((1, 2)), [[1, 1]]))
    service = Calibrated(ls.Perceptron(bias=False))
    service.learn(X, [0, 1] * 21, weight=np.full(42, min(size, 1e100)))
    assert np.isfinite(service.state()["scaling"]).all()
    p = service.predict_proba(np.vstack((X, 1e100 * np.eye(2), -1e100 * np.eye(2))))
    assert np.isfinite(p).all()
    assert p.sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("at", "value"), [(0, 101.0), (0, np.nan), (1, 0.0), (1, 2.5), (1, 1e9), (2, np.inf), (2, -1.0), (2, 1e300),
                      (3, 1e300), (3, -1.0)],
)  # fmt: skip
def test_a_forged_scale_is_refused(at, value, tmp_path):
    learner = WinnerTakesAll("perceptron")
    learner.learn(np.eye(3)[[0, 1, 2] * 5], [0, 1, 2] * 5)
    save(learner, tmp_path / "model.npz")
    forged(tmp_path / "model.npz", put("scale", at, value))
    with pytest.raises(InvalidModel, match="model.npz"):
        load(tmp_path / "model.npz")


def test_targets_take_parameters_only():
    for bounded in (Bounded(ls.Winnow(), max_attributes=3), Bounded(), "bounded:max_attributes=3"):
        with pytest.raises(InvalidParameter, match=r"got Bounded\(.*Bounded\(WinnerTakesAll"):
            WinnerTakesAll(bounded)
    learned = ls.Perceptron()
    learned.learn([[1, 0], [0, 1]], [0, 1])
    with pytest.raises(InvalidParameter, match="learned nothing.* after 2 trials"):
        WinnerTakesAll(learned)


@pytest.mark.parametrize(("first", "later"), [([0, 1], True), ([True, False], 1), ([0.5, 1.0], True), ([1, 2], "1")])
def test_kinds_of_labels_are_not_mixed_though_true_is_equal_to_1(first, later):
    learner = MulticlassPerceptron()
    learner.learn(np.eye(2), first)
    before = learner.state()
    for refused in (
        lambda: learner.learn_one(np.eye(2)[0], later),
        lambda: learner.learn(np.eye(2)[:1], [later]),
        lambda: learner.learn(np.eye(2), np.array([first[0], later], dtype=object)),
        lambda: learner.begin(labels=[later]),
    ):
        with pytest.raises(InvalidLabel, match="such as .*, as so far, got"):
            refused()
    same_state(learner.state(), before)


@pytest.mark.parametrize("make", [MulticlassPerceptron, WinnerTakesAll])
def test_the_area_of_two_classes_is_that_of_what_decides(make):
    from sklearn import metrics

    rng = np.random.default_rng(5)
    X = rng.random((400, 12)) < 0.3
    y = np.where(X[:, :3].any(axis=1) ^ (rng.random(400) < 0.15), "spam", "ham")
    learner = make()
    learner.learn(X[:200], y[:200])
    own = learner.activation(X)[:, learner.classes.index("spam")]
    other = learner.activation(X)[:, learner.classes.index("ham")]
    found = evaluate(learner, ls.from_arrays(X, y))
    assert found.labels == ("ham", "spam")
    assert found.auc == pytest.approx(metrics.roc_auc_score(y == "spam", own - other), abs=1e-12)
    assert found.aucs == (found.auc, found.auc)


@pytest.mark.parametrize("learner", [ls.Perceptron(), MulticlassPerceptron()])
def test_counts_of_a_service_are_whole_numbers_of_python(learner):
    service = Delayed(learner)
    for i, label in enumerate(np.array([0, 1, 0, 1])):
        service.predict_one(np.eye(2)[label], id=i)
        service.learn_one(i, label)
    assert service.mistakes > 0
    assert type(service.mistakes) is type(service.trials) is int
