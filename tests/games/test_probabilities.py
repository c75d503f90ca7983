"""The figures of probabilities against scikit-learn, and on what it does not know: labels never met, decisions."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.games.evaluation import evaluate
from littlestone.games.probabilities import BINS, LEAST, ProbabilityScores
from littlestone.games.ranking import RankSum

metrics = pytest.importorskip("sklearn.metrics")
SIZES = st.tuples(st.integers(2, 5), st.integers(2, 60), st.integers(0, 10**6), st.integers(1, 9))


def told(classes, size, seed, coarse):
    """Return labels, of which each comes, and probabilities, of which some are equal, 0 or 1."""
    rng = np.random.default_rng(seed)
    truth = np.append(np.arange(classes), rng.integers(0, classes, size))
    raw = rng.integers(0, coarse + 1, (len(truth), classes)) + 1e-3
    return truth, raw / raw.sum(axis=1, keepdims=True)


def counted(truth, probabilities, positive=None, at_once=7):
    scores = ProbabilityScores(probabilities.shape[1], positive)
    for start in range(0, len(truth), at_once):
        scores.add(probabilities[start : start + at_once], truth[start : start + at_once])
    return scores


@settings(max_examples=30)
@given(SIZES)
def test_log_loss_and_brier_score_are_those_of_scikit_learn(size):
    truth, probabilities = told(*size)
    classes = probabilities.shape[1]
    scores = counted(truth, probabilities, 1 if classes == 2 else None)
    labels = range(classes)
    assert scores.log_loss == pytest.approx(metrics.log_loss(truth, probabilities, labels=labels), abs=1e-12)
    expected = metrics.brier_score_loss(truth, probabilities if classes > 2 else probabilities[:, 1], labels=labels)
    assert scores.brier == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30)
@given(SIZES)
def test_the_bins_are_those_of_scikit_learn(size):
    from sklearn.calibration import calibration_curve

    truth, probabilities = told(2, *size[1:])
    scores = counted(truth, probabilities, positive=1)
    bins = [one for one in scores.reliability() if one.examples]
    shares, means = calibration_curve(truth, probabilities[:, 1], n_bins=BINS)
    np.testing.assert_allclose([one.share for one in bins], shares)
    np.testing.assert_allclose([one.probability for one in bins], means)
    apart = sum(one.examples * abs(one.share - one.probability) for one in bins) / len(truth)
    assert scores.calibration_error == pytest.approx(apart, abs=1e-12)
    assert all(one.low <= one.probability <= one.high for one in bins)


@settings(max_examples=30)
@given(SIZES)
def test_of_many_classes_the_most_probable_one_is_in_bins(size):
    truth, probabilities = told(max(3, size[0]), *size[1:])
    scores = counted(truth, probabilities)
    top, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == truth
    edges = np.linspace(0, 1, BINS + 1)
    places = np.searchsorted(edges[1:-1], top)
    apart = sum(abs((top - right)[places == place].sum()) for place in range(BINS)) / len(truth)
    assert scores.calibration_error == pytest.approx(apart, abs=1e-12)
    assert sum(one.examples for one in scores.reliability()) == len(truth)


@settings(max_examples=30)
@given(SIZES)
def test_the_curve_is_that_of_scikit_learn(size):
    truth, probabilities = told(2, *size[1:])
    ranks = RankSum()
    ranks.add(probabilities[:, 1], truth == 1)
    curve = ranks.curve(points=10**6)
    precision, recall, thresholds = metrics.precision_recall_curve(truth, probabilities[:, 1])
    np.testing.assert_allclose(curve.precision[::-1], precision[:-1])
    np.testing.assert_allclose(curve.recall[::-1], recall[:-1])
    np.testing.assert_array_equal(curve.threshold[::-1], thresholds)
    for one, positive in ((ranks, truth == 1), (ranks.reversed(), truth == 0)):
        scores = probabilities[:, 1] if one is ranks else -probabilities[:, 1]
        assert one.average_precision() == pytest.approx(metrics.average_precision_score(positive, scores), abs=1e-12)
        assert one.area() == ranks.area()


def test_a_long_curve_is_thinned_and_keeps_its_ends():
    rng = np.random.default_rng(0)
    scores, ranks = rng.random(20_000), RankSum()
    ranks.add(scores, rng.random(20_000) < scores**3)
    thin, whole = ranks.curve(), ranks.curve(points=10**6)
    assert len(whole.recall) == 20_000
    assert 150 < len(thin.recall) <= 200
    for one, other in zip(thin, whole, strict=True):
        assert (one[0], one[-1]) == (other[0], other[-1])
    assert np.diff(thin.recall).max() < 0.02
    assert (np.diff(thin.threshold) < 0).all()
    none = RankSum()
    none.add([0.5, 0.5], [False, False])
    assert none.curve() is none.average_precision() is none.area() is None


def test_what_was_impossible_and_came_has_a_finite_log_loss():
    scores = counted(np.array([0, 1]), np.array([[1.0, 0.0], [1.0, 0.0]]), positive=1)
    assert scores.log_loss == pytest.approx(-log(LEAST) / 2)
    assert scores.brier == 0.5
    fresh = ProbabilityScores(2, 1)
    assert fresh.log_loss is fresh.brier is fresh.calibration_error is None
    assert {one.share for one in fresh.reliability()} == {None}


class Shares:
    """A learner of two labels, or of three classes: the first attribute of a row is the probability of the last."""

    n = vocabulary = None

    def __init__(self, *labels, many=False):
        self.labels, self.many_classes = labels, many

    def probabilities(self, block):
        last = block.values
        return np.column_stack([*[(1 - last) / (len(self.labels) - 1)] * (len(self.labels) - 1), last])

    def predict(self, block):
        return np.array(self.labels)[np.where(block.values > 0.5, len(self.labels) - 1, 0)]

    def activation(self, block):
        found = self.probabilities(block)
        return found if self.many_classes else found[:, 1] - 0.5


def rows(values, labels):
    return ls.from_arrays(np.array(values)[:, None], np.array(labels, dtype=object))


def test_an_evaluation_has_the_figures_and_without_probabilities_has_none():
    learner, stream = Shares("ham", "spam"), rows([0.9, 0.2, 0.6, 0.4], ["spam", "ham", "ham", "spam"])
    found = evaluate(learner, stream, probabilities=learner.probabilities)
    p, y = np.array([0.9, 0.2, 0.6, 0.4]), np.array([1, 0, 0, 1])
    assert found.log_loss == pytest.approx(metrics.log_loss(y, p))
    assert found.brier == pytest.approx(metrics.brier_score_loss(y, p))
    assert found.average_precision == pytest.approx(metrics.average_precision_score(y, p))
    assert found.average_precisions[0] == pytest.approx(metrics.average_precision_score(1 - y, 1 - p))
    assert (list(found.curves), found.reliability_of) == (["spam"], "spam")
    plain = evaluate(learner, stream)
    assert plain.log_loss is plain.brier is plain.calibration_error is None
    assert plain.reliability == ()
    assert (plain.auc, plain.average_precision) == (found.auc, found.average_precision)
    report = found.as_dict()
    assert [one["examples"] for one in report["reliability"] if one["examples"]] == [1, 1, 1, 1]
    assert report["precision_recall"][0]["recall"] == [0.5, 0.5, 1.0, 1.0]


def test_decisions_are_positions_among_the_labels():
    learner, stream = Shares("ham", "spam"), rows([0.9, 0.2, 0.6, 0.4], ["spam", "ham", "ham", "spam"])

    def decided(decide):
        return evaluate(learner, stream, probabilities=learner.probabilities, decide=decide)

    assert decided(None).confusion.tolist() == [[1, 1], [1, 1]]
    assert decided(lambda found: (found[:, 1] > 0.3).astype(int)).confusion.tolist() == [[1, 1], [0, 2]]
    for wrong in ("spam", [1, 0], np.array([1.0, 0, 0, 0]), np.array([2, 0, 0, 0]), np.array([-1, 0, 0, 0])):
        with pytest.raises(InvalidData, match="expected the position of a label, from 0 to 1, for each of 4 examples"):
            decided(lambda _, wrong=wrong: wrong)
    with pytest.raises(InvalidParameter, match="give probabilities="):
        evaluate(learner, stream, decide=lambda found: found[:, 1] > 0.5)


@pytest.mark.parametrize("wrong", [[[0.5, 0.5]], np.full((4, 3), 1 / 3), [[0.6, 0.6]] * 4, [[np.nan, 1]] * 4,
                                   [[-0.5, 1.5]] * 4])  # fmt: skip
def test_what_are_no_probabilities_is_refused(wrong):
    learner, stream = Shares("ham", "spam"), rows([0.9, 0.2, 0.6, 0.4], ["spam", "ham", "ham", "spam"])
    with pytest.raises(InvalidData, match=r"expected probabilities (with a row for each of 4|>= 0 that sum to 1)"):
        evaluate(learner, stream, probabilities=lambda block: wrong)


def test_a_label_that_was_never_met_has_the_probability_0():
    learner = Shares("a", "b", "c", many=True)
    found = evaluate(learner, rows([0.8, 0.1, 0.5], ["c", "new", "a"]), probabilities=learner.probabilities)
    assert found.labels == ("a", "b", "c", "new")
    assert found.log_loss == pytest.approx(-(log(0.8) + log(LEAST) + log(0.25)) / 3)
    squares = (0.1**2 * 2 + 0.2**2) + (0.45**2 * 2 + 0.1**2 + 1) + (0.75**2 + 0.25**2 + 0.5**2)
    assert found.brier == pytest.approx(squares / 3)
    assert found.average_precisions[3] is None
    assert found.reliability_of is None
    two = Shares("ham", "spam")
    found = evaluate(two, rows([0.8, 0.2], ["spam", "new"]), probabilities=two.probabilities)
    assert found.log_loss == pytest.approx(-(log(0.8) + log(LEAST)) / 2)
    assert (found.reliability_of, found.aucs[2]) == ("spam", None)


def test_of_two_classes_the_later_label_is_the_positive_one():
    learner = Shares("spam", "ham", many=True)  # in the order in which they came
    found = evaluate(learner, rows([0.9, 0.2, 0.6], ["ham", "spam", "spam"]), probabilities=learner.probabilities)
    assert (found.labels, found.reliability_of, list(found.curves)) == (("ham", "spam"), "spam", ["spam"])
    assert found.average_precision == 1.0
    assert [one.examples for one in found.reliability].index(1) == 1  # 1 - 0.9


def test_many_classes_are_averaged_one_against_the_rest():
    rng = np.random.default_rng(3)
    learner = Shares("a", "b", "c", many=True)
    values, labels = rng.random(50), rng.choice(["a", "b", "c"], 50)
    found = evaluate(learner, rows(values, labels), probabilities=learner.probabilities)
    table = np.column_stack([(1 - values) / 2, (1 - values) / 2, values])
    expected = metrics.average_precision_score(np.array([labels == c for c in "abc"]).T, table, average=None)
    np.testing.assert_allclose(found.average_precisions, expected)
    assert found.average_precision == pytest.approx(expected.mean())
    assert list(found.curves) == ["a", "b", "c"]
