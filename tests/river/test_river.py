"""The classifiers in river: its own suite, and what it does not ask."""

import gc
import inspect
import pickle
import runpy
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("river", reason="river is not installed: pip install littlestone[river]")

import pandas as pd
import polars as pl
from river import checks, compose, datasets, evaluate, feature_extraction, metrics, preprocessing

import littlestone as ls
import littlestone.river as facade
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter, UnknownSize
from littlestone.learners.register import LEARNERS
from littlestone.river import PerceptronClassifier, WinnowClassifier

SLOW = {"DirectBayes", "KernelPerceptron", "KernelWinnow", "VolumetricCenter", "WeightedMajority"}  # 10 s and more
KINDS = [getattr(facade, f"{learner.__name__}Classifier") for learner in LEARNERS.values()]
each = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


@pytest.fixture(scope="module", autouse=True)
def _frozen():
    """Let the collector pass over all that has been imported: each of 80 checks on memory calls it twice."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def suite():
    """Yield every check of river's suite with every classifier."""
    for kind in KINDS:
        for params in kind._unit_test_params():
            model = kind(**params)
            for i, check in enumerate(checks.yield_checks(model)):
                slow = check.__name__ == "check_bounded_memory_growth" and kind._kind.__name__ in SLOW
                yield pytest.param(model, check, id=f"{kind.__name__}-{i}-{check.__name__}",
                                   marks=[pytest.mark.slow] if slow else [])  # fmt: skip


@pytest.mark.parametrize(("model", "check"), list(suite()))
def test_rivers_own_suite(model, check):
    assert not model._unit_test_skips()
    check(model.clone())


def made(kind, **params):
    return kind(**{**next(kind._unit_test_params()), **params})


def stream(rows=80, n=10, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, n)) < 0.3
    return [({f"w{i}": 1 for i in np.flatnonzero(x)}, bool(x[:2].any())) for x in X]


def test_every_learner_has_a_classifier():
    regressors = {name for name in facade.__all__ if name.endswith("Regressor")} | {"regressor"}
    assert set(facade.__all__) - regressors == {kind.__name__ for kind in KINDS} | {
        "LearnerClassifier",
        "ManyClassifier",
        "classifier",
    }


@pytest.mark.parametrize("name", ["river", "sklearn"])
def test_the_stubs_are_what_their_program_writes(name):
    source = Path(ls.__file__).parent
    program = source.parents[1] / "docs" / "stubs.py"
    if not program.exists():
        pytest.skip("the documentation is not beside the package")
    pytest.importorskip("sklearn", reason="scikit-learn is not installed: pip install littlestone[sklearn]")
    made = runpy.run_path(str(program))
    assert made["stub"](name).read_text() == made["page"](name), "run make stubs"


@each
def test_parameters_are_the_learners(kind):
    shown = {name: p.default for name, p in inspect.signature(kind).parameters.items()}
    own = kind._kind.parameter_names()
    assert [name for name in shown if name not in ("n", "labels", "binarize", "round_down")] == own
    assert {name: shown[name] for name in own} == kind._kind().params()
    with pytest.raises(TypeError, match="no parameter 'zeta'"):
        kind(zeta=1)


@each
def test_it_plays_as_the_learner_does(kind):
    model = made(kind, labels=(False, True))
    learner = kind._kind(**{name: getattr(model, name) for name in kind._kind.parameter_names()})
    learner.begin(model.n, labels=(False, True))
    for x, y in stream():
        said = learner.learn_one(x, y)
        if model.learner_.trials:
            assert model.predict_one(x) is said
            scores = model.predict_proba_one(x)
            assert sum(scores.values()) == pytest.approx(1.0)
            assert scores[said] >= 0.5
        model.learn_one(x, y)
    assert model.learner_.mistakes == learner.mistakes
    assert model.weights == learner.weights() if learner.hypothesis() is not None else True
    again = pickle.loads(pickle.dumps(model))
    for x, y in stream(20, seed=1):
        assert again.predict_one(x) == model.predict_one(x)
        again.learn_one(x, y), model.learn_one(x, y)


@each
@pytest.mark.parametrize("frames", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_frames_are_rows_in_order(kind, frames):
    rng = np.random.default_rng(0)
    X = (rng.random((60, 6)) < 0.4).astype(float)
    y = X[:, 0] > 0
    one, many = made(kind), made(kind)
    names = [f"w{i}" for i in range(6)]
    for at in (0, 30):
        many.learn_many(frames({name: X[at : at + 30, i] for i, name in enumerate(names)}), y[at : at + 30])
    for row, label in zip(X, y, strict=True):
        one.learn_one(dict(zip(names, row, strict=True)), label)
    assert one.learner_.mistakes == many.learner_.mistakes
    frame = frames({name: X[:, i] for i, name in enumerate(names)})
    said = many.predict_many(frame)
    assert isinstance(said, type(frame[names[0]]))
    assert said.to_list() == [one.predict_one(dict(zip(names, row, strict=True))) for row in X]
    scores = many.predict_proba_many(frame)
    assert isinstance(scores, frames)
    for row, p in zip(X, np.asarray(scores)[:, 1], strict=True):
        assert one.predict_proba_one(dict(zip(names, row, strict=True)))[True] == pytest.approx(p)


def test_columns_called_by_number_are_names():
    model = PerceptronClassifier()
    model.learn_many(pd.DataFrame([[1, 0], [0, 1]]), pd.Series([True, False]))
    model.learn_one({0: 1, 7: 1}, True)
    assert set(model.weights) == {0, 1, 7}
    assert model.predict_many(pd.DataFrame({7: [1]}, index=["here"])).index.tolist() == ["here"]


@pytest.mark.parametrize(
    ("come", "negative", "positive"),
    [
        ([True, False], False, True),
        ([np.True_], False, True),
        ([1, 0], 0, 1),
        ([-1, 1], -1, 1),
        (["spam", "ham"], "spam", "ham"),
        ([5, 3], 5, 3),
        ([5, 1], 5, 1),
        ([1, 2], 2, 1),
        ([np.str_("b"), "a"], "b", "a"),
    ],
)
def test_labels_as_they_come(come, negative, positive):
    model = PerceptronClassifier()
    assert model.predict_one({"a": 1}) is None
    assert model.predict_many(pd.DataFrame({"a": [1]})).tolist() == [None]
    assert model.predict_proba_one({"a": 1}) == {False: 0.5, True: 0.5}
    assert model.predict_proba_many(pd.DataFrame({"a": [1]})).to_numpy().tolist() == [[0.5, 0.5]]
    for i, label in enumerate(come):
        model.learn_one({"a": 1}, label)
        assert model.predict_one({"a": 1}) in come[: i + 1]
        assert label in model.predict_proba_one({"b": 1})
    assert model._answers == (negative, positive)
    assert set(model.predict_proba_one({"a": 1})) == {negative, positive}
    assert set(model.predict_proba_many(pd.DataFrame({"a": [1]})).columns) == {negative, positive}


MANY = [kind for kind in KINDS if kind._kind.many_classes]


def weather(rows=120, seed=0):
    """Yield examples of three classes, the third of which comes late."""
    rng = np.random.default_rng(seed)
    names = np.array(["rain", "sun", "snow"])
    for i in range(rows):
        c = int(rng.integers(0, 3 if i > rows // 3 else 2))
        noise = rng.integers(0, 20, 3).tolist()
        yield {str(names[c]): 1.0, **{f"day {j}": 0.5 for j in noise}}, ("wet", "dry", "white")[c]


@pytest.mark.parametrize("kind", MANY, ids=lambda kind: kind.__name__)
def test_many_classes_come_when_they_come(kind):
    model = kind()
    assert model._multiclass
    assert model.predict_one({"rain": 1}) is None
    assert model.predict_proba_one({"rain": 1}) == {}
    assert model.predict_many(pd.DataFrame({"rain": [1]})).tolist() == [None]
    assert model.predict_proba_many(pd.DataFrame({"rain": [1]})).shape[1] == 0
    learner, seen = kind._kind(), []
    for x, y in weather():
        assert model.predict_one(x) == learner.learn_one(x, y)
        model.learn_one(x, y)
        seen += [y] * (y not in seen)
        shares = model.predict_proba_one(x)
        assert list(shares) == seen
        assert sum(shares.values()) == pytest.approx(1.0)
    assert len(seen) == 3
    frame = pd.DataFrame({"rain": [1.0, 0.0], "snow": [0.0, 1.0]}, index=["a", "b"])
    assert model.predict_many(frame).to_dict() == {"a": "wet", "b": "white"}
    shares = model.predict_proba_many(frame)
    assert shares.loc["b"].to_dict() == pytest.approx(model.predict_proba_one({"snow": 1.0}))
    again = pickle.loads(pickle.dumps(model))
    assert again.predict_proba_one({"sun": 1}) == model.predict_proba_one({"sun": 1})
    score = evaluate.progressive_val_score(weather(), kind(), metrics.Accuracy())
    assert score.get() > 0.7


@pytest.mark.parametrize("kind", MANY, ids=lambda kind: kind.__name__)
def test_many_frames_are_rows_in_order_and_classes_may_be_told(kind):
    rows = list(weather())
    names = sorted({name for x, _ in rows for name in x})
    frame = pd.DataFrame([{name: x.get(name, 0.0) for name in names} for x, _ in rows])
    y = pd.Series([y for _, y in rows])
    one, many = kind(labels=("white", "wet")), kind(labels=["white", "wet"])
    for row, label in zip(frame.to_dict("records"), y, strict=True):
        one.learn_one(row, label)
    for at in (0, 50):
        many.learn_many(frame[at : at + 50] if at == 0 else frame[at:], y[at : at + 50] if at == 0 else y[at:])
    assert one.learner_.mistakes == many.learner_.mistakes
    assert list(many.predict_proba_one({"sun": 1})) == ["white", "wet", "dry"]
    assert many.predict_proba_one({"sun": 1}) == pytest.approx(one.predict_proba_one({"sun": 1}))
    before = pickle.dumps(many)
    for wrong in (None, float("nan"), 3):
        with pytest.raises(InvalidLabel):
            many.learn_one({"sun": 1}, wrong)
    assert pickle.dumps(many) == before
    for wrong in ("wet", 7, (), ("wet", "wet")):
        with pytest.raises(InvalidLabel):
            kind(labels=wrong)


def test_targets_of_many_classes_may_be_told():
    model = facade.WinnerTakesAllClassifier(learner="perceptron", class_weights={"rare": 3.0})
    for x, y in weather():
        model.learn_one(x, y if y != "white" else "rare")
    assert model.clone().learner is model.learner
    assert model.predict_one({"snow": 1, "day 3": 1}) == "rare"
    unsized = facade.WinnerTakesAllClassifier(learner="winnow")
    with pytest.raises(UnknownSize, match="give n="):
        unsized.learn_one({"a": 1}, "wet")


def test_a_bound_on_attributes():
    model = facade.BoundedClassifier(learner=ls.Winnow(theta=8), max_attributes=50)
    for i in range(500):
        x = {"spam" if i % 2 else "ham": 1, f"name {i}": 1}
        model.predict_one(x)
        model.learn_one(x, bool(i % 2))
    assert model.learner_.held <= 50
    assert model.predict_one({"spam": 1}) is True
    scores = model.predict_proba_one({"spam": 1, "never seen": 1})
    assert scores[True] > 0.5


def test_two_labels_may_be_told():
    model = PerceptronClassifier(labels=("ham", "spam"))
    assert model.predict_one({"a": 1}) == "spam"  # a tie, which the Perceptron takes for positive
    model.learn_one({"a": 1}, "ham")
    assert model.predict_one({"a": 1}) == "ham"
    for wrong in ("spam", ("spam",), ("ham", "ham"), 7):
        with pytest.raises(InvalidLabel, match=r"expected \(negative, positive\)"):
            PerceptronClassifier(labels=wrong)


@pytest.mark.parametrize(
    ("x", "y", "error", "said"),
    [
        ({"new": 1}, 7, InvalidLabel, "a third label 7"),
        ({"new": 1}, "spam", InvalidLabel, "third label 'spam'"),
        ({"new": 1}, float("nan"), InvalidLabel, "got nan"),
        ({"new": 1}, None, InvalidLabel, "got None"),
        ({"new": "red"}, True, InvalidData, "for a category use a name like 'colour=red'"),
        ({"new": float("nan")}, True, InvalidData, "expected a finite value"),
        ("text", True, InvalidData, "expected one example as a dict"),
    ],
)
def test_a_refusal_leaves_no_trace(x, y, error, said):
    model = PerceptronClassifier()
    model.learn_one({"a": 1, "b": 0.5}, False)
    before = pickle.dumps(model)
    with pytest.raises(error, match=said):
        model.learn_one(x, y)
    if error is InvalidData and isinstance(x, dict):
        with pytest.raises(error):
            model.learn_many(pd.DataFrame([x]), [y])
    assert pickle.dumps(model) == before


def test_a_new_label_with_a_bad_example_is_not_kept():
    model = PerceptronClassifier()
    with pytest.raises(InvalidData):
        model.learn_one({"a": None}, "spam")
    assert model.predict_one({"a": 1}) is None
    with pytest.raises(InvalidLabel, match="labels of one kind, got 'spam' and 1"):
        model.learn_many(pd.DataFrame({"a": [1, 2]}), pd.Series(["spam", 1], dtype=object))
    assert model.predict_one({"a": 1}) is None
    with pytest.raises(InvalidData, match="row 0, attribute 'b': expected a finite number, got nan"):
        model.learn_many(pd.DataFrame([{"a": 1}, {"b": 1}]), [True, False])


def test_n_is_asked_for_where_it_matters():
    for call in (lambda m: m.learn_one({"a": 1}, True), lambda m: m.learn_many(pd.DataFrame({"a": [1]}), [True])):
        model = WinnowClassifier()
        assert model.predict_one({"a": 1}) is None
        with pytest.raises(UnknownSize, match="WinnowClassifier: the number of attributes is needed .* give n="):
            call(model)
        assert model.predict_one({"a": 1}) is None
    model = WinnowClassifier(n=2)
    model.learn_one({"a": 1, "b": 1}, True)
    assert model.guarantee.at(k=1).value > 0
    with pytest.raises(InvalidData, match="attribute 'c' is one more than the fixed n=2"):
        model.learn_one({"c": 1}, True)
    with pytest.raises(InvalidParameter, match="alpha must be a number > 1"):
        WinnowClassifier(alpha=0.5)


def test_domains_are_kept():
    boolean = facade.EliminationClassifier(n=4)
    boolean.learn_one({"a": 0.7, "b": -3.0}, True)
    assert boolean.weights["a"] > 0
    for x in ({"a": "red"}, {"a": float("inf")}):
        with pytest.raises(InvalidData, match="attribute 'a': expected a finite number"):
            boolean.learn_one(x, True)
    with pytest.raises(InvalidData, match="expected one example as a dict, got list"):
        boolean.learn_one(["a"], True)
    with pytest.raises(InvalidData, match="expected a Boolean value"):
        facade.EliminationClassifier(n=4, binarize=None).learn_one({"a": 0.7}, True)
    boxes = facade.BoxWinnowClassifier(n=2, sides=8)
    boxes.learn_one({"a": 2.7, "b": 1.2}, True)
    assert boxes.predict_one({"a": 2.1, "b": 1.9}) == boxes.predict_one({"a": 2, "b": 1})


def test_pipelines_and_progressive_validation():
    model = preprocessing.StandardScaler() | facade.BalancedWinnowClassifier(alpha=1.1, averaged=True)
    assert evaluate.progressive_val_score(datasets.Phishing(), model, metrics.ROCAUC()).get() > 0.9
    words = feature_extraction.BagOfWords(lowercase=True) | WinnowClassifier(n=10_000, labels=("ham", "spam"))
    mails = [("win cash now", "spam"), ("lunch at noon", "ham"), ("cash prize", "spam"), ("noon meeting", "ham")]
    score = evaluate.progressive_val_score([*mails * 20], words, metrics.Accuracy())
    assert score.get() > 0.5
    assert words.predict_one("cash at once") == "spam"
    chosen = compose.Select("clean") | PerceptronClassifier()
    chosen.learn_one({"clean": 1.0, "other": 3.0}, True)
    assert set(chosen["PerceptronClassifier"].weights) == {"clean"}


def test_a_classifier_by_the_name_of_its_learner():
    named = facade.classifier("winnow:alpha=1.5")
    assert type(named) is facade.WinnowClassifier
    assert named.alpha == 1.5
    with pytest.raises(InvalidParameter, match="did you mean winnow"):
        facade.classifier("winow")
