"""Models of numbers: learned in units of their own spread, predicted in their own, and the same bits whatever comes."""

import io
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidModel, InvalidParameter, TaskWarning
from littlestone.models.outcomes import Outcomes
from littlestone.models.recipe import USUAL
from littlestone.models.record import Record
from littlestone.models.training import Training

PROVENANCE = {"source": None, "date": None, "position": None}
HUBER = "gradient-descent:loss_function=huber:1"
REGRESSORS = ["gradient-descent", "p-norm-regression:p=3", "eg-plus-minus:U=3", HUBER]


def prices(rows=300, seed=0):
    rng = np.random.default_rng(seed)
    size, rooms = rng.uniform(20, 200, rows), rng.integers(1, 6, rows)
    noise = rng.normal(0, 5_000, rows)
    price = 40_000 + 2_500 * size + 10_000 * rooms + noise
    towns = [["Rome", "Oslo", "Lima"][at] for at in rng.integers(0, 3, rows)]
    return [
        {"size": s, "rooms": r, "town": t, "price": p}
        for s, r, t, p in zip(size.tolist(), rooms.tolist(), towns, price.tolist(), strict=True)
    ]


def trained(rows, learner="gradient-descent", **options):
    return ls.Model.train(rows, label="price", task="regression", learner=learner, **options)


def same(one, other):
    parts = [(model.learner.state(), model.outcomes.state(), model.scaling.state()) for model in (one, other)]
    for mine, theirs in zip(*parts, strict=True):
        assert mine.keys() == theirs.keys()
        for name, array in mine.items():
            assert array.tobytes() == theirs[name].tobytes(), name


@pytest.mark.parametrize("learner", REGRESSORS)
def test_predictions_are_in_the_outcomes_own_unit(learner):
    rows = prices()
    model = trained(rows[:250], learner=learner)
    found = model.evaluate(rows[250:])
    assert model.task == "regression"
    assert model.labels == ()
    assert found.r2 > 0.5
    assert found.rmse >= found.mae > 100.0
    errors = model.predict(rows[250:]) - np.array([row["price"] for row in rows[250:]])
    assert found.errors.tolist() == errors.tolist()
    assert model.predict_one(rows[0]) == model.predict(rows[:1])[0]
    assert isinstance(model.predict_one(rows[0]), float)


def test_diabetes_is_learned_in_one_pass():
    from sklearn.datasets import load_diabetes

    X, y = load_diabetes(return_X_y=True)
    model = ls.Model.train(X, y, task="regression", learner="gradient-descent")
    assert model.paid.rmse < 0.8 * y.std()
    assert model.evaluate(X, y).r2 > 0.48
    raw = ls.Model.train(X, y, task="regression", learner="gradient-descent", scale=False, scale_outcome=False)
    assert raw.scaling is None
    assert raw.outcomes.scale == (0.0, 1.0)
    assert raw.paid.rmse > 1.2 * model.paid.rmse  # what scaling is for


@pytest.mark.parametrize("learner", REGRESSORS)
def test_blocks_do_not_matter(learner):
    rows = prices()
    whole = trained(rows, learner=learner)
    model = trained(rows[:20], learner=learner)  # EG+- is to know all towns
    for first, last in ((20, 21), (21, 22), (22, 100), (100, 101), (101, 300)):
        model.learn(rows[first:last])
    assert model.paid == whole.paid
    same(model, whole)


def test_one_at_a_time_is_the_same():
    rows = prices(60)
    whole, one = trained(rows[:40]), trained(rows[:40])
    together = whole.learn(rows[40:])
    alone = [one.learn_one({k: v for k, v in row.items() if k != "price"}, row["price"]) for row in rows[40:]]
    assert together.tolist() == alone
    same(whole, one)
    assert one.learn(rows[:2], [1.0, 2]).tolist() == whole.learn(rows[:2], np.array([1.0, 2.0])).tolist()


def naive(outcomes, predictions):
    """Return means and deviations of the outcomes before each, two passes over them each time."""
    found = []
    for at in range(len(outcomes)):
        before = outcomes[:at]
        mean = float(np.mean(before)) if at else 0.0
        deviation = float(np.std(before)) if at else 0.0
        scaled = max(-10.0, min(10.0, (outcomes[at] - mean) / deviation)) if deviation else 0.0
        found.append((scaled, mean + deviation * predictions[at]))
    return found


@given(st.lists(st.integers(-1000, 1000).map(lambda k: k / 8), min_size=1, max_size=30), st.data())
def test_outcomes_are_scaled_by_those_before(y, data):
    outcomes, y = Outcomes(), np.array(y)
    p = np.array(data.draw(st.lists(st.integers(-3, 3), min_size=len(y), max_size=len(y))), dtype=float)
    cut = data.draw(st.integers(0, len(y)))
    parts, said = [], []
    for part in (slice(0, cut), slice(cut, None)):
        learned = outcomes.learned(y[part])
        parts.append(learned.scaled)
        said.append(outcomes.undone(p[part], learned))
    whole = Outcomes()
    learned = whole.learned(y)
    assert np.concatenate(parts).tolist() == learned.scaled.tolist()
    assert np.concatenate(said).tolist() == whole.undone(p, learned).tolist()
    scaled, undone = map(np.array, zip(*naive(y, p), strict=True))
    np.testing.assert_allclose(learned.scaled, scaled, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(whole.undone(p, learned), undone, rtol=1e-6, atol=1e-6)


def test_nothing_is_known_of_an_outcome_before_it_came():
    for first in (5.0, -1e12):
        model = trained([{"x": 1.0, "price": first}, {"x": 2.0, "price": first}])
        assert model.paid.absolute == abs(first)  # the first was predicted to be 0, the second to be the first


@pytest.mark.parametrize("value", [0.0, 7.25, -3e11, 1e12, 1e-9])
def test_a_constant_outcome_is_predicted(value):
    rows = [{"x": float(at % 7), "price": value} for at in range(50)]
    model = trained(rows)
    assert model.predict(rows).tolist() == [value] * 50
    found = model.evaluate(rows)
    assert (found.mae, found.rmse, found.r2) == (0.0, 0.0, None)


@pytest.mark.parametrize("unit", [1e-9, 1e12])
def test_the_unit_of_outcomes_does_not_matter(unit):
    rows = prices()
    one, other = trained(rows), trained([row | {"price": row["price"] * unit} for row in rows])
    np.testing.assert_allclose(other.predict(rows), one.predict(rows) * unit, rtol=1e-6)
    assert other.paid.mae == pytest.approx(one.paid.mae * unit, rel=1e-6)


@pytest.mark.parametrize("loss", ["huber:0.5", "insensitive:0.5", "absolute", "square", "quantile:0.9"])
def test_the_loss_is_in_the_outcomes_own_unit(loss):
    y = np.array([1.0, 5.0, 2.0, 9.0, 4.0, 4.5])
    model = ls.Model(ls.GradientDescent(eta=0.01, loss_function=loss), outcomes=Outcomes())
    block = ls.Block.from_arrays(np.arange(6.0).reshape(-1, 1)).numbered(y)
    said = model.learn_block(block)
    name, _, number = loss.partition(":")
    paid = 0.0
    for at, (p, outcome) in enumerate(zip(said.tolist(), y.tolist(), strict=True)):
        deviation = float(np.std(y[:at])) if at else 0.0
        own = float(number or 0) * deviation if name in {"huber", "insensitive"} else float(number or 0)
        e = abs(p - outcome)
        paid += {
            "square": e * e,
            "absolute": e,
            "insensitive": max(0.0, e - own),
            "huber": e * e if e <= own else own * (2 * e - own),
            "quantile": own * e if p < outcome else (1 - own) * e,
        }[name]
    assert model.paid.loss == pytest.approx(paid)


def test_quantiles_are_learned():
    rng = np.random.default_rng(0)
    rows = [{"x": x, "price": 100 + 10 * e} for x, e in zip(rng.random(6000), rng.exponential(size=6000), strict=True)]
    model = trained(rows, learner="gradient-descent:loss_function=quantile:0.9,eta=0.01")
    below = np.mean([row["price"] <= p for row, p in zip(rows[3000:], model.predict(rows[3000:]), strict=True)])
    assert 0.85 < below < 0.95


def test_losses_of_probabilities_are_not_scaled():
    rows = [{"x": float(at), "price": float(at > 20)} for at in range(40)]
    model = trained(rows, learner="gradient-descent:loss_function=logistic")
    assert not model.outcomes.scaled
    assert 0.0 <= model.predict(rows).min() <= model.predict(rows).max() <= 1.0


# Written down


@pytest.mark.parametrize("learner", REGRESSORS)
@pytest.mark.parametrize("scale_outcome", [True, False])
def test_saved_and_loaded_goes_on_bit_for_bit(learner, scale_outcome, tmp_path):
    rows = prices()
    model = trained(rows[:150], learner=learner, scale_outcome=scale_outcome)
    model.save(path := tmp_path / "model.npz")
    again = ls.load(path)
    assert again.task == "regression"
    assert again.paid == model.paid
    same(again, model)
    assert again.learn(rows[150:]).tolist() == model.learn(rows[150:]).tolist()
    same(again, model)
    again.save(tmp_path / "again.npz")
    model.save(path)
    assert path.read_bytes() == (tmp_path / "again.npz").read_bytes()


def test_a_training_that_stopped_goes_on_to_the_same_bytes(tmp_path):
    import pandas as pd

    pd.DataFrame(prices(20_000)).to_csv(csv := tmp_path / "prices.csv", index=False)

    def begun():
        stream = ls.open(str(csv), label="price", task="regression")
        model = ls.Model.begun("gradient-descent", stream)
        training = Training(model, stream, passes=2, holdout=10)
        return training, Record.of(training)

    training, record = begun()
    for _ in training.steps():
        pass
    record.save(training, whole := tmp_path / "whole.npz")
    held, paid = training.held_paid, training.paid
    path, stops = tmp_path / "model.npz", 0
    while True:
        training, record = begun()
        if record.resume(training, path) and training.finished:
            break
        for _ in training.steps():
            if training.settled and training.whole:
                record.save(training, path)
                stops += 1
                break
    assert stops >= 4
    assert path.read_bytes() == whole.read_bytes()
    assert (training.held_paid, training.paid) == (held, paid)
    assert held.examples == 4000
    assert held.rmse < 20_000


@pytest.mark.parametrize(
    "forged",
    [
        {"outcome_sums": np.full(6, np.nan)},
        {"outcome_sums": np.array([0.0, 0.0, -1.0, 0.0, 0.0, 0.0])},
        {"outcome_sums": np.zeros(5)},
        {"outcome_count": np.array(-1)},
        {"outcome_count": np.array(0)},
        {"outcome_count": np.array(1.5)},
    ],
)
def test_forged_outcomes_are_refused(forged):
    outcomes = Outcomes()
    outcomes.learned(np.array([1.0, 2.0, 4.0]))
    with pytest.raises(InvalidModel, match="outcomes: expected"):
        Outcomes.from_state(outcomes.state() | forged, scaled=True)


def test_outcomes_belong_to_regressors_alone():
    from littlestone.models import saving

    def loaded(model, **changed):
        rest = saving._rest(model)
        about = {name: value for name, value in (rest.about | changed).items() if value is not None}
        saving._model("model.npz", model.learner, rest._replace(about=about), {"provenance": PROVENANCE})

    model, plain = trained(prices(20)), ls.Model.train([[1, 0], [0, 1]] * 5, [1, 0] * 5)
    loaded(model)
    loaded(plain)
    for changed in ({"outcomes": None}, {"outcomes": {"scaled": 1}}, {"calibrated": True}, {"outcomes": {}}):
        with pytest.raises(InvalidModel, match="of a regressor and of no other"):
            loaded(model, **changed)
    with pytest.raises(InvalidModel, match="of a regressor and of no other"):
        loaded(plain, outcomes={"scaled": True})


def test_frozen_copies_predict_what_the_model_predicted():
    rows = prices()
    model = trained(rows[:100])
    frozen, before = ls.freeze(model), model.predict(rows[100:])
    copied = model.copy()
    model.learn(rows[100:])
    assert frozen.predict(rows[100:]).tolist() == before.tolist() == copied.predict(rows[100:]).tolist()
    assert model.predict(rows[100:]).tolist() != before.tolist()


# What is recognised, and what is refused


def test_numbers_are_recognised_and_said():
    rows = prices(50)
    said = "outcomes are numbers: regression; task='classification' takes them as labels"
    with pytest.warns(TaskWarning, match=said):
        model = ls.Model.train(rows, label="price")
    assert model.task == "regression"
    with pytest.warns(TaskWarning):
        assert ls.Model.train([[1, 0], [0, 1]] * 5, np.arange(10) / 4).task == "regression"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ls.Model.train([[1, 0], [0, 1]] * 5, [0, 1] * 5).task == "classification"
        assert ls.Model.train(rows, label="price", learner="gradient-descent").task == "regression"
        assert ls.Model.train([[1.5, 0], [0, 1]] * 5, [1.5, 2.5, 0.5, 1, 2] * 2, task="classification").labels


def test_a_classifier_is_no_regressor():
    rows = prices(20)
    with pytest.raises(InvalidParameter, match=f"train: task: .*{USUAL['regression']!r}"):
        trained(rows, learner="winnow")
    with pytest.raises(InvalidParameter, match=f"train: task: .*{USUAL['classification']!r}"):
        ls.Model.train(rows, label="price", task="classification", learner="gradient-descent")
    with pytest.raises(InvalidParameter, match="task must be"):
        ls.Model.train(rows, label="price", task="regresion")
    with pytest.raises(InvalidLabel, match="take a regressor"):
        ls.Model(ls.Perceptron()).learn_block(ls.Block.from_arrays([[1.0]]).numbered([2.0]))
    with pytest.raises(InvalidLabel, match="take a regressor"):
        ls.evaluate(
            ls.Model.train([[1, 0], [0, 1]] * 5, [0, 1] * 5).learner,
            ls.open(rows, task="regression", label="price", ignore=["town", "size", "rooms"]),
        )


@pytest.mark.parametrize("options", [{"threshold": 0.5}, {"cost": {"false-positive": 2}}])
def test_there_is_no_threshold(options):
    with pytest.raises(InvalidParameter, match="threshold: expected none, for GradientDescent.. predicts numbers"):
        trained(prices(20), **options)


def test_outcomes_of_any_form():
    rows = [{"x": float(at)} for at in range(9)]
    y = [0.5 * at for at in range(9)]
    models = [
        ls.Model.train(rows, given, task="regression", learner="gradient-descent")
        for given in (y, tuple(y), np.array(y), iter(y), [*map(np.float32, y)])
    ]
    for model in models[1:]:
        same(model, models[0])


def test_there_are_no_probabilities():
    model = trained(prices(20))
    for ask in (lambda: model.probabilities(prices(2)), lambda: model.probabilities_one(prices(1)[0])):
        with pytest.raises(InvalidParameter, match="probabilities: expected a model of labels"):
            ask()
    with pytest.raises(AttributeError, match="makes no mistakes"):
        _ = model.mistakes
    with pytest.raises(InvalidParameter, match="paid: expected a model of regression"):
        _ = ls.Model(ls.Perceptron()).paid
    with pytest.raises(InvalidParameter, match="probabilities"):
        ls.evaluate(model.learner, ls.from_arrays([[1]], [1.0]), probabilities=lambda rows: rows)


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), "cheap", None, 1e200])
def test_what_is_no_outcome_changes_nothing(odd):
    rows = prices(40)
    model, untouched = trained(rows[:30]), trained(rows[:30])
    bad = [*rows[30:35], rows[35] | {"price": odd}, *rows[36:]]
    with pytest.raises((InvalidLabel, InvalidData), match="row 5"):
        model.learn(bad)
    y = [row["price"] for row in bad]
    with pytest.raises((InvalidLabel, InvalidData), match="5"):
        model.learn(rows[30:], y)
    with pytest.raises((InvalidLabel, InvalidData)):
        model.learn_one(rows[0], odd)
    with pytest.raises((InvalidLabel, InvalidData), match="row 5"):
        trained(bad)
    same(model, untouched)
    assert model.paid == untouched.paid


def test_as_many_outcomes_as_rows():
    model = trained(prices(10))
    for count in (1, 3):
        with pytest.raises(InvalidData, match="expected a number for each row"):
            model.learn(prices(2), [1.0] * count)
    assert model.learn([], []).tolist() == []
    empty = ls.open(io.BytesIO(b"x,price\n"), task="regression")
    with pytest.raises(InvalidData, match="at least one example"):
        ls.Model.train(empty, learner="gradient-descent")


@settings(max_examples=20)
@given(st.lists(st.floats(-1e100, 1e100), min_size=1, max_size=20))
def test_any_outcomes_give_numbers(y):
    model = trained([{"x": float(at), "price": value} for at, value in enumerate(y)])
    assert not np.isnan(model.predict([{"x": 3.0}])).any()
    assert not np.isnan([*model.paid]).any()


def test_weights_of_rows_count():
    rows = [row | {"w": 1.0 + at % 2} for at, row in enumerate(prices(60))]
    weighted, plain = trained(rows, weight="w"), trained(rows, ignore="w")
    assert weighted.learner.weights() != plain.learner.weights()
    assert weighted.outcomes.scale == plain.outcomes.scale
    block = replace(ls.Block.from_arrays([[1.0]]).numbered([2.0]), weights=np.array([2.0]))
    assert ls.Model(ls.GradientDescent()).learn_block(block).tolist() == [0.0]
