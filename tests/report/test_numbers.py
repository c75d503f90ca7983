"""Regressors, models of numbers and their evaluations as cards and plots."""

import pytest

import littlestone as ls
from tests.models.test_regression import prices, trained


@pytest.fixture(scope="module")
def model():
    return trained(prices(200))


def test_cards_tell_errors_and_no_mistakes(model):
    rows = prices(50, seed=1)
    for thing, words in (
        (model, ["Outcomes", "RMSE", "Loss"]),
        (model.learner, ["Loss", "Trials"]),
        (model.evaluate(rows), ["MAE", "R2", "Quantiles of the errors"]),
        (model.explain(), ["updates upwards", "which raise a number and lower it"]),
        (model.explain(rows[0]), ["Predicts"]),
    ):
        card = thing._repr_html_()
        assert "istake" not in card
        assert all(word in card for word in words), words
    assert "learned nothing" in ls.GradientDescent()._repr_html_()


def test_weights_are_drawn(model):
    for axes in (model.plot(), model.explain().plot(), model.explain(prices(1)[0]).plot()):
        assert "size" in [text.get_text() for text in axes.get_yticklabels()]
