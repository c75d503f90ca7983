"""Losses are what their naive twins say, their slopes are their derivatives, and a text names each of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.parts.losses import LOSSES, Loss, loss_of
from tests.naive import losses as naive

REAL = {
    "square": None, "absolute": None, "insensitive": 0.25, "huber": 0.5, "quantile": 0.75,
}  # fmt: skip
KINDS = {**REAL, "logistic": None, "linear-hinge": 0.5}
numbers = st.floats(-50, 50)


def made(name):
    return LOSSES[name]() if KINDS[name] is None else LOSSES[name](KINDS[name])


def test_every_loss_is_here():
    assert KINDS.keys() == LOSSES.keys()


@given(st.sampled_from([*REAL]), numbers, numbers)
def test_losses_of_numbers_are_what_twins_say(name, p, y):
    loss, twin = made(name), (name, KINDS[name])
    assert loss([p], [y])[0] == pytest.approx(naive.value(twin, p, y), rel=1e-12, abs=1e-12)
    assert loss.slope([p], [y])[0] == pytest.approx(naive.slope(twin, p, y), rel=1e-12, abs=1e-12)
    assert loss.predicted([p]).tolist() == [p]


@given(st.floats(-30, 30), st.floats(0, 1))
def test_the_logistic_loss(s, y):
    loss, twin = ls.losses.logistic(), ("logistic", None)
    p = loss.predicted(s)
    assert float(p) == pytest.approx(naive.predicted(twin, s), rel=1e-12)
    assert loss([p], [y])[0] == pytest.approx(naive.value(twin, float(p), y), rel=1e-6, abs=1e-9)
    assert loss.slope([p], [y])[0] == float(p) - y


@given(st.sampled_from([-1.0, 0.0, 0.5, 0.75, 3.0]), st.sampled_from([0.0, 1.0]), st.sampled_from([0, 1]))
def test_the_linear_hinge(p, y, tie):
    loss, twin = ls.losses.linear_hinge(0.5, tie=tie), ("linear-hinge", 0.5)
    assert loss([p], [y])[0] == naive.value(twin, p, y)
    assert loss.slope([p], [y])[0] == naive.slope(twin, p, y, tie)


@given(st.sampled_from([*KINDS]), st.floats(-5, 5), st.sampled_from([0.0, 1.0]))
def test_slopes_are_derivatives_by_the_score(name, s, y):
    """Where there is no kink nearby."""
    loss, h = made(name), 1e-6
    if naive.gap((name, KINDS[name]), s, y) < 1e-3 or (name == "huber" and abs(abs(s - y) - 0.5) < 1e-3):
        return
    low, high = (loss(loss.predicted([s + d]), [y])[0] for d in (-h, h))
    assert loss.slope(loss.predicted([s]), [y])[0] == pytest.approx((high - low) / (2 * h), rel=1e-4, abs=1e-4)


@given(st.lists(st.tuples(numbers, numbers), max_size=20), st.integers(0, 20), st.sampled_from([*REAL]))
def test_a_sum_of_losses_does_not_depend_on_blocks(pairs, cut, name):
    loss = made(name)
    p, y = (np.array([pair[i] for pair in pairs], dtype=float) for i in (0, 1))
    each, whole = loss.added(p, y, 0.0)
    first, total = loss.added(p[:cut], y[:cut], 0.0)
    second, total = loss.added(p[cut:], y[cut:], total)
    assert (total, [*first, *second]) == (whole, each.tolist())
    assert each.tolist() == loss(p, y).tolist()


@pytest.mark.parametrize("name", KINDS)
def test_losses_stay_within_the_floats(name):
    loss = made(name)
    assert 0.0 <= loss([1e250, -1e250], [0.0, 1.0]).min() <= loss([1e250, -1e250], [0.0, 1.0]).max() <= 1e300
    assert loss.added(np.array([1e200, 1e200]), np.zeros(2), 1e300)[1] == 1e300


def test_the_logistic_loss_is_never_negative():
    p = np.nextafter(0.3, 1.0)
    grid = np.concatenate((np.linspace(0, 1, 1001), [p, 5e-324, 1 - 2**-53]))
    assert (ls.losses.logistic()(grid, grid) >= 0.0).all()
    assert np.isfinite(ls.losses.logistic()([0.0, 1.0], [1.0, 0.0])).all()


@pytest.mark.parametrize("name", KINDS)
def test_a_text_names_a_loss(name):
    loss = made(name)
    assert loss_of(str(loss)) == loss == loss_of(loss)
    assert loss_of(name.upper().replace("-", "_")).name == name
    assert isinstance(eval(repr(loss), vars(ls.losses)), Loss)
    assert loss_of("linear-hinge:0.5:0") == ls.losses.linear_hinge(0.5, tie=0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hubert", "did you mean huber?"),
        ("huber:0", "GD: loss: huber: delta must be a number > 0"),
        ("quantile:1", "GD: loss: quantile: q must be"),
        ("square:2", "takes no number, got '2'"),
        ("huber:", "takes one number, got ''"),
        ("linear-hinge:0:2", "tie must be 0 or 1"),
        (3, "one of square"),
        (None, "one of square"),
    ],
)
def test_other_texts_are_refused(text, said):
    with pytest.raises(InvalidParameter) as error:
        loss_of(text, "GD")
    assert said in str(error.value)
