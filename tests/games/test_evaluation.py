"""Evaluation against scikit-learn, and the area under the ROC curve against its definition."""

import io
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.games.evaluation import Evaluation, RankSum, evaluate, known_to
from littlestone.streams import SvmlightStream, VWStream

SCORES = st.lists(st.tuples(st.sampled_from([-2.0, -0.5, 0.0, 0.5, 1e100]), st.booleans()), min_size=1, max_size=30)


@given(SCORES, st.integers(1, 5))
def test_the_area_is_the_probability_of_the_right_order(told, size):
    from littlestone.games import ranking

    ranks = RankSum()
    before, ranking.AT_ONCE = ranking.AT_ONCE, 4  # equal ones are put together on the way
    try:
        for start in range(0, len(told), size):
            ranks.add(*zip(*told[start : start + size], strict=True))
    finally:
        ranking.AT_ONCE = before
    pairs = [(high, low) for high, one in told if one for low, other in told if not other]
    expected = sum((high > low) + (high == low) / 2 for high, low in pairs)
    assert ranks.area() == (expected / len(pairs) if pairs else None)


@pytest.fixture(scope="module")
def played():
    stream = ls.teachers.LabelNoise(ls.teachers.Disjunction(n=30, k=4, trials=30_000, density=0.15), 0.1)
    learner = ls.Perceptron()
    ls.play(learner, stream, trials=1000)
    block = ls.Block.joined(list(stream.blocks()))
    return learner, stream, block


def test_binary_figures_are_those_of_scikit_learn(played):
    from sklearn import metrics

    learner, stream, block = played
    found = evaluate(learner, stream)
    y, predicted, scores = block.outcomes, learner.predict(block), learner.activation(block)
    assert len(np.unique(scores)) < 1000  # many ties
    np.testing.assert_array_equal(found.confusion, metrics.confusion_matrix(y, predicted))
    assert found.accuracy == pytest.approx(metrics.accuracy_score(y, predicted), abs=1e-15)
    assert found.auc == pytest.approx(metrics.roc_auc_score(y, scores), abs=1e-12)
    figures = np.array([[told[name] for name in ("precision", "recall", "f1")] for told in found.classes()]).T
    expected = metrics.precision_recall_fscore_support(y, predicted)[:3]
    np.testing.assert_allclose(figures, expected, atol=1e-15)
    assert found.mistakes == int((y != predicted).sum())


@given(st.integers(2, 5), st.integers(0, 10**6))
def test_figures_of_many_classes_are_those_of_scikit_learn(classes, seed):
    from sklearn import metrics

    rng = np.random.default_rng(seed)
    y, predicted = rng.integers(0, classes, (2, 40))
    confusion = np.zeros((classes, classes), dtype=np.int64)
    np.add.at(confusion, (y, predicted), 1)
    averages = Evaluation(tuple(range(classes)), confusion).averages()
    for name in ("macro", "micro"):
        expected = metrics.precision_recall_fscore_support(y, predicted, average=name, zero_division=0)[:3]
        np.testing.assert_allclose(list(averages[name].values()), expected, atol=1e-12)


class Columns:
    """The least of a learner of three classes."""

    labels, n, vocabulary = ("a", "b", "c"), None, None

    def activation(self, block):
        dense = np.zeros((len(block), 3))
        for row in range(len(block)):
            indices, values = block.row(row)
            dense[row, indices] = 1.0 if values is None else values
        return dense

    def predict(self, block):
        return np.array(self.labels)[self.activation(block).argmax(axis=1)]


def test_the_area_of_each_class_against_the_rest():
    from sklearn import metrics

    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (500, 3)) / 2
    y = np.array(["c", "a", "b"])[np.where(rng.random(500) < 0.6, (X.argmax(axis=1) + 1) % 3, rng.integers(0, 3, 500))]
    found = evaluate(Columns(), ls.from_arrays(X, y))
    expected = [metrics.roc_auc_score(y == label, X[:, c]) for c, label in enumerate("abc")]
    np.testing.assert_allclose(found.aucs, expected, atol=1e-12)
    assert found.auc == pytest.approx(np.mean(expected))
    told = found.as_dict()
    assert told["classes"][1]["auc"] == found.aucs[1]
    unseen = evaluate(Columns(), ls.from_arrays(X[:4], ["a", "d", "d", "a"]))
    assert unseen.labels == ("a", "b", "c", "d")
    assert unseen.confusion[3].sum() == 2
    assert unseen.aucs[3] is None


def test_attributes_beyond_a_fixed_number_count_nothing(tmp_path):
    learner = ls.Winnow().begin(3)
    learner.learn([[1, 1, 0], [0, 1, 1]], [1, 0])
    wide = ls.from_arrays([[1, 0, 0, 0, 1], [0, 1, 0, 0, 0]], [1, 0])
    narrow = ls.from_arrays([[1, 0, 0], [0, 1, 0]], [1, 0])
    assert evaluate(learner, wide).as_dict() == evaluate(learner, narrow).as_dict()
    named = ls.Winnow()
    path = tmp_path / "a.vw"
    path.write_text("1 | sun\n0 | rain\n")
    ls.play(named, VWStream(path))
    path.write_text("1 | snow sun\n0 | rain\n1 | snow\n")
    found = evaluate(named, VWStream(path))
    assert (named.n, found.examples) == (2, 3)
    with pytest.raises(InvalidData, match="by number"):
        known_to(ls.Winnow().begin(2), next(VWStream(path).blocks()))
    with pytest.raises(InvalidParameter, match="has learned something"):
        evaluate(ls.Winnow(), narrow)
    with pytest.raises(InvalidLabel, match="predict takes them"):
        evaluate(learner, VWStream(path, labels=(), unlabelled=True))


def vw(*lines):
    return VWStream(io.BytesIO("".join(f"{line}\n" for line in lines).encode()), labels=(-1, 1))


def test_names_that_a_learner_with_a_fixed_n_has_not_met_count_nothing():
    learner = ls.Winnow(theta=2).begin(4, labels=(-1, 1))
    learner.learn_one({"a"}, 1)
    learner.learn_one({"b"}, -1)
    rows = ["-1 | p q", "-1 | r s", "-1 | a t"]
    for order in permutations(rows):
        [block] = vw(*order).blocks()
        assert learner.predict(known_to(learner, block)).tolist() == [1 if "a" in row else -1 for row in order]
        assert evaluate(learner, vw(*order)).confusion.tolist() == [[2, 1], [0, 0]]


def test_a_label_that_does_not_come_is_no_class():
    learner = ls.Perceptron()
    learner.learn([[1, 0], [0, 1]], [1, -1])
    found = evaluate(learner, SvmlightStream(io.BytesIO(b"1 1:1\n1 2:1\n")))
    assert found.labels == (-1, 1)
    assert found.confusion.shape == (2, 2)
