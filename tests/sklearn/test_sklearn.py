"""The classifiers in scikit-learn: its own suite, and what it does not ask."""

import copy
import inspect
import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed: pip install littlestone[sklearn]")

import pandas as pd
import polars as pl
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import littlestone as ls
import littlestone.sklearn as facade
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.learners.register import LEARNERS
from littlestone.sklearn import PerceptronClassifier, VocabularyVectorizer, WinnowClassifier

CLASSIFIERS = [getattr(facade, f"{learner.__name__}Classifier") for learner in LEARNERS.values()]
MANY = [kind for kind in CLASSIFIERS if kind._learner.many_classes]
each = pytest.mark.parametrize("kind", CLASSIFIERS, ids=lambda kind: kind.__name__)


def spam(rows=300, n=30, k=3, seed=0):
    """Return Boolean rows and whether one of the first k attributes is on."""
    rng = np.random.default_rng(seed)
    X = rng.random((rows, n)) < 0.1
    return X, np.where(X[:, :k].any(axis=1), "spam", "ham")


def twice_and_unsorted(X):
    """Return the same rows, each entry as two halves, from the last column to the first."""
    data, indices = np.repeat(X.data[::-1], 2) / 2, np.repeat(X.indices[::-1], 2)
    return sparse.csr_array((data, indices, 2 * (X.nnz - X.indptr)[::-1]), shape=X.shape)[::-1]


@parametrize_with_checks(
    [kind() for kind in CLASSIFIERS],
    expected_failed_checks=lambda estimator: facade.EXCUSED.get(type(estimator).__name__, {}),
)
def test_scikit_learns_own_suite(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore:Can't test estimator VocabularyVectorizer")  # but for its parameters
def test_the_suite_on_what_takes_no_arrays():
    assert all(check["status"] == "passed" for check in check_estimator(VocabularyVectorizer(), on_fail=None))


@pytest.mark.parametrize("name", facade.EXCUSED)
def test_what_is_excused_is_so_on_rows_it_takes(name):
    """What `check_decision_proba_consistency` asks, on rows without negative values."""
    assert all(reason for reason in facade.EXCUSED[name].values())
    X = np.random.default_rng(0).random((120, 4)) * 6
    model = getattr(facade, name)().fit(X[:100], X[:100, 0] > 3)
    shares, decision = model.predict_proba(X[100:])[:, 1].round(10), model.decision_function(X[100:])
    assert (np.diff(decision[np.lexsort((decision, shares))]) >= -1e-9).all()


@each
def test_every_classifier_has_probabilities(kind):
    X, y = spam(150, 12)
    model = kind().fit(X, y)
    shares = model.predict_proba(X)
    assert shares.shape == (150, 2)
    assert np.allclose(shares.sum(axis=1), 1.0)
    assert model.classes_[shares.argmax(axis=1)].tolist() == model.predict(X).tolist()
    assert np.array_equal(model.predict_log_proba(X), np.log(shares))
    parts = kind()
    for at in range(0, 150, 50):
        parts.partial_fit(X[at : at + 50], y[at : at + 50], classes=["ham", "spam"])
    again = pickle.loads(pickle.dumps(model))
    for other in (parts, again, copy.deepcopy(model)):
        assert np.array_equal(other.predict_proba(X), shares)
    assert np.array_equal(again.partial_fit(X, y).predict_proba(X), parts.partial_fit(X, y).predict_proba(X))


def test_a_refused_part_changes_no_probability():
    X, y = spam(100, 12)
    model = PerceptronClassifier().fit(X, y)
    before = model.predict_proba(X)
    for rows, labels in ((X, np.where(y == "spam", "spam", "eggs")), (np.full((3, 12), np.nan), y[:3])):
        with pytest.raises(ValueError, match="expected one of the classes|NaN"):
            model.partial_fit(rows, labels)
    assert np.array_equal(model.predict_proba(X), before)


def test_every_learner_has_an_estimator_and_the_lists_agree():
    public = {name for name in vars(facade) if name.endswith("Classifier")}
    assert public - {"LearnerClassifier", "ManyClassifier"} == {kind.__name__ for kind in CLASSIFIERS}
    assert public <= set(facade.__all__)
    assert facade.__all__ == sorted(facade.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name))


@each
def test_the_signature_is_the_learners(kind):
    learner = kind._learner
    shown = {name: p.default for name, p in inspect.signature(kind).parameters.items()}
    assert [name for name in shown if name not in ("max_iter", "binarize", "round_down")] == learner.parameter_names()
    assert {name: shown[name] for name in learner.parameter_names()} == learner().params()
    assert kind().get_params() == shown
    assert kind.__doc__.splitlines()[0] == learner.__doc__.splitlines()[0]
    assert all(f"{name}" in kind.__doc__ for name in shown)
    with pytest.raises(TypeError, match="no parameter 'zeta'"):
        kind(zeta=1)


@each
def test_dense_sparse_frame_and_the_learner_itself_agree(kind):
    X, y = spam(60, 12)
    model = kind().fit(X, y)
    learner = kind._learner().begin(X.shape[1], labels=("ham", "spam"))
    learner.learn(X, y)
    assert model.predict(X).tolist() == learner.predict(X).tolist()
    assert model.run_.mistakes == learner.mistakes
    frame = pd.DataFrame(X.astype(float), columns=[f"w{i}" for i in range(X.shape[1])])
    wide, untidy = sparse.csr_array(X.astype(float)), sparse.csr_array(X.astype(float))
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    untidy = twice_and_unsorted(untidy)
    assert not untidy.has_canonical_format
    others = (pl.from_pandas(frame), sparse.csc_array(X), wide, untidy, frame)
    for rows in (sparse.csr_matrix(X), sparse.csr_array(X.astype(np.float32)), X.astype(int), *others):
        again = clone(model).fit(rows, y)
        assert again.predict(rows).tolist() == learner.predict(X).tolist()
        assert np.array_equal(again.decision_function(rows), model.decision_function(X))
    assert again.feature_names_in_.tolist() == frame.columns.tolist()
    if hasattr(learner, "hypotheses"):
        assert model.coef_.shape == (1, X.shape[1])
    elif learner.hypothesis() is None:
        assert not hasattr(model, "coef_")
    else:
        assert model.coef_.shape == (1, X.shape[1])
        assert model.intercept_.tolist() == [-learner.hypothesis().theta]


@each
def test_the_sign_of_the_decision_is_the_prediction(kind):
    X, y = spam(60, 12)
    model = kind().partial_fit(X[:1], y[:1], classes=["spam", "ham"])
    everything = np.vstack([X, np.zeros((1, 12), dtype=bool)])
    assert ((model.decision_function(everything) > 0) == (model.predict(everything) == "spam")).all()


@each
def test_parts_in_order_are_one_pass_and_fit_forgets(kind):
    X, y = spam(90, 12)
    whole, parts = kind().fit(X, y), kind()
    for at in range(0, 90, 30):
        parts.partial_fit(X[at : at + 30], y[at : at + 30], classes=["ham", "spam"] if at == 0 else None)
    assert np.array_equal(whole.decision_function(X), parts.decision_function(X))
    assert parts.learner_.mistakes == whole.run_.mistakes
    assert np.array_equal(parts.fit(X, y).decision_function(X), whole.decision_function(X))
    assert parts.learner_.trials == 90


@each
def test_pickles_hold_no_rows_and_predict_the_same(kind):
    X, y = spam(60, 12)
    model = kind().fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    assert again.run_.mistakes == model.run_.mistakes
    assert again.run_.played is None
    assert model.run_.played is not None
    with pytest.raises(InvalidParameter, match="nor in a pickle; fit again"):
        again.certificate({0})
    more = again.partial_fit(X, y)
    assert np.array_equal(more.decision_function(X), model.partial_fit(X, y).decision_function(X))


@pytest.mark.parametrize("kind", MANY, ids=lambda kind: kind.__name__)
def test_many_classes(kind):
    X, _ = spam(400, 12)
    y = np.array(["none", "one", "two"])[np.where(X[:, 0], 1, np.where(X[:, 1], 2, 0))]
    model = kind(max_iter=5).fit(X, y)
    learner = kind._learner().begin(12, labels=("none", "one", "two"))
    for _ in range(model.n_iter_):
        learner.learn(X, y)
    assert model.classes_.tolist() == ["none", "one", "two"]
    assert model.run_.mistakes == learner.mistakes
    assert model.score(X, y) > 0.9
    decision, shares = model.decision_function(X), model.predict_proba(X)
    assert np.array_equal(
        decision, model.predict_log_proba(X) if kind is facade.AutoClassifier else learner.activation(X)
    )
    assert np.array_equal(model.classes_[decision.argmax(axis=1)], model.predict(X))
    assert np.allclose(shares.sum(axis=1), 1.0)
    if hasattr(learner, "hypotheses"):
        assert np.allclose(X @ model.coef_.T + model.intercept_, decision)
    parts = kind().partial_fit(X[:7], y[:7], classes=["two", "none", "one"]).partial_fit(X[7:], y[7:])
    assert np.array_equal(parts.decision_function(X), kind().fit(X, y).decision_function(X))
    with pytest.raises(InvalidLabel, match="expected one of the classes"):
        parts.partial_fit(X[:1], ["three"])
    with pytest.raises(InvalidLabel, match="at least two classes"):
        kind().partial_fit(X, y, classes=["one"])


@pytest.mark.parametrize("kind", MANY, ids=lambda kind: kind.__name__)
def test_two_of_many_classes(kind):
    """What `check_decision_proba_consistency` asks, on rows that are not negative."""
    X, y = spam(200, 12)
    model = kind().fit(X, y)
    decision = model.decision_function(X)
    assert decision.shape == (200,)
    assert np.array_equal(model.classes_[(decision > 0).astype(int)], model.predict(X))
    if hasattr(model.learner_, "hypotheses"):
        assert model.coef_.shape == (1, 12)
        assert np.allclose((X @ model.coef_.T + model.intercept_)[:, 0], decision)
    else:
        assert not hasattr(model, "coef_")
    order = np.lexsort((decision, model.predict_proba(X)[:, 1].round(10)))
    assert (np.diff(decision[order]) >= -1e-9).all()
    nothing = kind().partial_fit(X[:1], y[:1], classes=["ham", "spam"])
    assert (nothing.predict(np.zeros((1, 12))) == "ham") == (nothing.decision_function(np.zeros((1, 12))) < 0)


def test_weights_of_classes_are_by_label():
    X, y = spam(300)
    plain, heavy = (facade.MulticlassPerceptronClassifier(class_weights=told).fit(X, y) for told in (None, {"spam": 4}))
    learner = ls.MulticlassPerceptron(class_weights={"spam": 4}).begin(30, labels=("ham", "spam"))
    learner.learn(X, y)
    assert np.array_equal(heavy.predict(X), learner.predict(X))
    assert not np.array_equal(heavy.coef_, plain.coef_)
    with pytest.raises(InvalidLabel, match="expected some of the classes .* got 'eggs'"):
        facade.MulticlassPerceptronClassifier(class_weights={"eggs": 2}).fit(X, y)
    assert facade.MulticlassPerceptronClassifier(class_weights="balanced").fit(X, y).score(X, y) > 0.8


def test_theory_comes_along():
    X, y = spam()
    model = WinnowClassifier().fit(X, y)
    assert model.guarantee_.at(k=3).value >= model.run_.mistakes
    run = ls.play(ls.Winnow(), ls.from_arrays(X, y))
    assert model.certificate({0, 1, 2}).bound == run.certificate({0, 1, 2}).bound
    named = WinnowClassifier().fit(pd.DataFrame(X, columns=[f"w{i}" for i in range(30)]).astype(int), y)
    assert named.certificate({"w0", "w1", "w2"}).bound == model.certificate({0, 1, 2}).bound
    with pytest.raises(InvalidData, match="expected names of features, got 'w99'"):
        named.certificate({"w99"})
    with pytest.raises(InvalidParameter, match="rows are not kept by partial_fit"):
        model.partial_fit(X, y).certificate({0})
    assert not hasattr(model, "run_")


def test_more_passes_stop_when_nothing_changes():
    X, y = spam()
    model = WinnowClassifier(max_iter=50).fit(X, y)
    assert 1 < model.n_iter_ < 50
    assert model.score(X, y) == 1.0
    assert model.run_.trials == model.n_iter_ * len(X)
    assert model.run_.mistakes == model.learner_.mistakes == len(model.run_.mistake_trials)
    assert model.certificate({0, 1, 2}).mistakes == model.run_.mistakes
    for wrong in (0, 1.5, "many"):
        with pytest.raises(InvalidParameter, match="max_iter must be a whole number >= 1"):
            WinnowClassifier(max_iter=wrong).fit(X, y)


def test_searches_and_pipelines():
    X, y = spam(400)
    search = GridSearchCV(WinnowClassifier(), {"alpha": [1.2, 2.0], "max_iter": [1, 5]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.95
    piped = make_pipeline(StandardScaler(), facade.BalancedWinnowClassifier(alpha=1.1, averaged=True))
    assert cross_val_score(piped, X.astype(float), y, cv=3).mean() > 0.8
    assert repr(WinnowClassifier(alpha=1.5)) == "WinnowClassifier(alpha=1.5)"


def test_domains_are_kept():
    X, y = spam(40, 6)
    shifted = X - 0.5
    with pytest.raises(ValueError, match="Negative values in data passed to WinnowClassifier"):
        WinnowClassifier().fit(shifted, y)
    boolean = facade.EliminationClassifier()
    assert boolean.fit(shifted, y).predict(shifted).tolist() == boolean.fit(X, y).predict(X).tolist()
    with pytest.raises(InvalidData, match=r"expected a Boolean value \(0 or 1\), got 0.5"):
        boolean.set_params(binarize=None).fit(np.abs(shifted), y)
    with pytest.raises(InvalidParameter, match="binarize: expected a threshold >= 0 for sparse rows"):
        boolean.set_params(binarize=-1.0).fit(sparse.csr_matrix(X.astype(float)), y)
    boxes = facade.BoxWinnowClassifier(sides=4)
    assert np.array_equal(boxes.fit(X + 0.5, y).predict(X + 0.25), boxes.fit(X, y).predict(X))
    with pytest.raises(InvalidData, match="expected a whole number"):
        boxes.set_params(round_down=False).fit(X + 0.5, y)
    real = facade.KernelPerceptronClassifier(kernel="gaussian")
    assert real.fit(shifted, y).score(shifted, y) > 0.5
    doubled = sparse.coo_array(([1.0, 1.0], ([0, 0], [1, 1])), shape=(2, 3)).tocsr()
    doubled.indices, doubled.data, doubled.indptr = np.array([1, 1]), np.array([1.0, 1.0]), np.array([0, 2, 2])
    doubled.has_canonical_format = False
    assert PerceptronClassifier().fit(doubled, [1, 0]).coef_.shape == (1, 3)


def test_labels_are_two_and_told():
    X, y = spam(40, 6)
    for call, said in (
        (lambda: PerceptronClassifier().partial_fit(X, y), "classes must be passed on the first call"),
        (lambda: PerceptronClassifier().partial_fit(X, y, classes=["ham", "eggs", "spam"]), "expected two, got 3"),
        (lambda: PerceptronClassifier().partial_fit(X, y, classes=["ham", "eggs"]), "expected one of the classes"),
        (lambda: PerceptronClassifier().fit(X, ["ham"] * 40), "expected two classes, got one class"),
        (lambda: PerceptronClassifier().fit(X, np.arange(40) % 3), "Only binary classification is supported"),
        (lambda: PerceptronClassifier().fit(X, y).partial_fit(X, y, classes=[0, 1]), r"expected \['ham', 'spam'\]"),
    ):
        with pytest.raises(InvalidLabel, match=said):
            call()
    fresh = PerceptronClassifier()
    with pytest.raises(InvalidLabel):
        fresh.partial_fit(X, y, classes=["ham", "eggs"])
    assert not hasattr(fresh, "learner_")
    for labels in ([False, True], [-1, 1], [3, 7], [1.0, 2.0]):
        told = np.asarray(labels)[(y == "spam").astype(int)]
        assert PerceptronClassifier().fit(X, told).predict(X).dtype == told.dtype


def test_the_vocabulary_grows_and_width_stays():
    words = VocabularyVectorizer(max_attributes=5)
    first = words.fit_transform([{"b": 2, "a": True}, ["c", "c"], {"colour": "red", "z": 0}])
    assert list(words.vocabulary_) == ["a", "b", "c", "colour=red", "z"]
    assert first.toarray().tolist() == [[1, 2, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0]]
    assert words.inverse_transform(first)[0] == {"a": 1.0, "b": 2.0}
    assert words.transform([{"new"}]).nnz == 0
    with pytest.raises(InvalidData, match="name 'new' is one more than max_attributes=5"):
        words.partial_fit([{"new"}])
    assert "new" not in words.vocabulary_
    free = VocabularyVectorizer().fit([{"a"}]).partial_fit([("b", 7), {"b"}])
    assert free.transform([{7, "a"}]).toarray().tolist() == [[1, 1, 0]]
    assert free.get_feature_names_out().tolist() == ["a", "7", "b"]
    assert free.fit([{"only"}]).transform([]).shape == (0, 1)


def test_the_vectorizer_in_a_frame():
    made = VocabularyVectorizer(max_attributes=3, sparse_output=False).set_output(transform="pandas")
    frame = made.fit_transform([{"a": 1.5}, {"b"}])
    assert frame.columns.tolist() == ["a", "b", "(2)"]
    assert frame.to_numpy().tolist() == [[1.5, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("X", "said"),
    [
        ("text", "expected a list of examples, got str"),
        ({"a": 1}, "expected a list of examples, got dict"),
        ([7], "or a text, got int; set analyzer"),
        ([{"a": None}], "attribute 'a': expected a finite number or a string, got None"),
        ([{"a": float("nan")}], "expected a finite number or a string, got nan"),
        ([[["a"]]], "expected names that can be looked up"),
        (7, "expected a list of examples, got int"),
    ],
)
def test_the_vectorizer_refuses(X, said):
    words = VocabularyVectorizer()
    with pytest.raises(InvalidData, match=said):
        words.fit(X)
    with pytest.raises(InvalidData, match=said):
        words.fit([{"a"}]).transform(X)


def test_the_vectorizer_refuses_rows_of_another_width():
    words = VocabularyVectorizer(max_attributes=4).fit([{"a"}])
    with pytest.raises(InvalidData, match="expected rows of 4 columns, got 2"):
        words.inverse_transform(np.zeros((1, 2)))
    with pytest.raises(InvalidData, match="expected columns below the 1 names, got 3"):
        words.inverse_transform([[0, 0, 0, 1]])
    with pytest.raises(InvalidParameter, match="max_attributes must be a whole number"):
        VocabularyVectorizer(max_attributes=0).fit([{"a"}])


@pytest.mark.parametrize("display", ["diagram", "text"])
def test_estimators_are_displayed_without_warnings(display):
    X, y = spam(rows=40)
    words = VocabularyVectorizer()
    fitted = [WinnowClassifier().fit(X, y), facade.AutoClassifier().fit(X, y), words.fit([{"a"}, {"b"}])]
    made = [*(kind() for kind in CLASSIFIERS), VocabularyVectorizer(), make_pipeline(words, WinnowClassifier())]
    with config_context(display=display):
        for estimator in made + fitted:
            bundle = estimator._repr_mimebundle_()
            assert type(estimator).__name__ in bundle["text/plain"]
            assert ("text/html" in bundle) == (display == "diagram")
            assert repr(estimator)


def test_a_classifier_by_the_name_of_its_learner():
    named = facade.classifier("Winnow:alpha=1.5")
    assert isinstance(named, facade.WinnowClassifier)
    assert named.get_params()["alpha"] == 1.5
    assert clone(named).fit([[1, 0], [0, 1]], ["a", "b"]).learner_.alpha == 1.5
    assert type(facade.classifier("auto")) is facade.AutoClassifier
    for wrong, said in (
        (3, "such as 'winnow:alpha=1.5', got 3"),
        ("winow", "did you mean winnow"),
        ("winnow:alhpa=2", "did you mean alpha"),
        ("winnow:alpha=0", "alpha must be a number > 1"),
    ):
        with pytest.raises(InvalidParameter, match=said):
            facade.classifier(wrong)


def test_a_frame_is_no_list_of_texts():
    frame = pd.DataFrame({"message": ["win a prize", "lunch at noon"]})
    with pytest.raises(InvalidData, match=r"got a frame \(DataFrame\); give one column of it, as X\['message'\]"):
        VocabularyVectorizer().fit(frame)
    rows = VocabularyVectorizer().fit(frame["message"])
    with pytest.raises(InvalidData, match="give one column"):
        rows.transform(frame)
    assert rows.transform(frame["message"]).shape == (2, 6)
