"""First-order learners beyond the family keep their bounds."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone import bounds
from littlestone.learners import ALMA, OGD, ROMMA, PassiveAggressive, ShiftingWinnow
from tests import strategies
from tests.bounds.test_bounds_hold import attribute_errors, played


def separable(n, seed, p=2.0):
    """Return rows, labels and u with y (u.x) >= 1."""
    rng = np.random.default_rng(seed)
    u, X = rng.normal(size=n), rng.normal(size=(150, n))
    far = np.abs(X @ u) > 0.05 * np.linalg.norm(u, p / (p - 1.0))
    X = X[far] if far.any() else u[np.newaxis]
    return X, np.sign(X @ u).astype(int), u / np.abs(X @ u).min()


SEPARATING = {
    "PA": (PassiveAggressive(variant="PA", bias=False), bounds.passive_aggressive),
    "ROMMA": (ROMMA(bias=False), bounds.romma),
    "aggressive ROMMA": (ROMMA(aggressive=True, bias=False), bounds.romma),
}


@pytest.mark.parametrize("name", SEPARATING)
@given(st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_a_margin_bounds_the_mistakes(name, n, seed):
    X, y, u = separable(n, seed)
    learner = SEPARATING[name][0].copy().begin(labels=(-1, 1))
    for _ in range(3):
        learner.learn(X, y)
    radius = np.linalg.norm(X, axis=1).max()
    assert learner.mistakes <= SEPARATING[name][1](radius=radius, norm=np.linalg.norm(u)).value


@given(st.integers(1, 6), st.sampled_from([0.05, 1.0, 20.0]), st.floats(0.05, 5.0), st.integers(0, 2**32 - 1))
def test_losses_of_any_comparator_bound_passive_aggressive(n, C, size, seed):
    rng = np.random.default_rng(seed)
    u, X = size * rng.normal(size=n), rng.normal(size=(80, n))
    y = np.where(rng.random(80) < 0.2, -1, 1) * np.sign(X @ u).astype(int)
    loss = np.maximum(1.0 - y * (X @ u), 0.0)
    numbers = {"C": C, "radius": np.linalg.norm(X, axis=1).max(), "norm": np.linalg.norm(u)}
    found = {"PA-I": bounds.passive_aggressive_1(**numbers, loss=loss.sum()),
             "PA-II": bounds.passive_aggressive_2(**numbers, squared_losses=(loss**2).sum())}  # fmt: skip
    for variant, bound in found.items():
        learner = PassiveAggressive(variant=variant, C=C, bias=False).begin(labels=(-1, 1))
        learner.learn(X, y)
        assert learner.mistakes <= bound.value


@given(st.integers(1, 6), st.sampled_from([2.0, 3.0, 6.0]), st.sampled_from([0.5, 0.9, 1.0]),
       st.sampled_from([None, 3.0]), st.sampled_from([0.0, 0.1]), st.integers(0, 2**32 - 1))  # fmt: skip
def test_corrections_of_alma_are_bounded(n, p, alpha, B, noise, seed):
    X, y, u = separable(n, seed, p)
    rng = np.random.default_rng([seed, 1])
    y = np.where(rng.random(len(y)) < noise, -y, y)
    u = u / np.linalg.norm(u, p / (p - 1.0))
    margins = y * (X @ u) / np.linalg.norm(X, p, axis=1)
    learner = ALMA(p=p, alpha=alpha, B=B, bias=False).begin(labels=(-1, 1))
    wrong, corrected = np.zeros(len(y), dtype=bool), np.zeros(len(y), dtype=bool)
    for t in range(len(y)):
        before = learner.mistakes, learner.updates
        learner.learn(X[t : t + 1], y[t : t + 1])
        wrong[t], corrected[t] = learner.mistakes > before[0], learner.updates > before[1]
    assert (wrong <= corrected).all()
    for gamma in (float(margins[margins > 0].min()), 0.3, 1.0):
        loss = float(np.maximum(gamma - margins[corrected], 0.0).sum())
        assert learner.updates <= bounds.alma_margin(gamma=gamma, p=p, alpha=alpha, B=B, loss=loss).value
    assert np.linalg.norm(learner.hypothesis().w, p / (p - 1.0)) <= 1 + 1e-9


@pytest.mark.parametrize("learner", [
    PassiveAggressive(), PassiveAggressive(variant="PA-II", C=0.3), ALMA(), ALMA(alpha=0.5, B=0.1), ALMA(p=5, alpha=1.0)
], ids=repr)  # fmt: skip
@given(stream=strategies.streams(max_rows=60), data=st.data())
def test_what_is_kept_on_one_stream_with_noise(learner, stream, data):
    """Any disjunction on any labels: its hinge losses, at margin 1/2, bound the mistakes."""
    target = data.draw(st.lists(st.integers(0, stream.n - 1), unique=True))
    player = learner.copy().begin(stream.n, labels=(0, 1))
    player.learn(stream.X, stream.y)
    loss = np.maximum(0.5 - (2 * stream.y - 1) * (stream.X[:, target].sum(axis=1) - 0.5), 0.0)
    told = {"k": len(target), "attribute_errors": attribute_errors(stream, target), "losses": loss.sum(),
            "squared_losses": (loss**2).sum(), "X": int(stream.X.sum(axis=1).max())}  # fmt: skip
    assert player.mistakes <= bounds.on_stream(player.guarantee, **told).value + 1e-9


@given(st.integers(1, 6), st.sampled_from([0.1, 1.0, 5.0]), st.sampled_from([0.5, 3.0]), st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_regret_bounds_gradient_descent(n, eta, radius, seed):
    rng = np.random.default_rng(seed)
    u, X = rng.normal(size=n), rng.normal(size=(80, n))
    u *= radius / np.linalg.norm(u)
    y = np.where(rng.random(80) < 0.2, -1, 1) * np.sign(X @ u).astype(int)
    numbers = {"trials": 80, "radius": radius, "R": np.linalg.norm(X, axis=1).max(), "eta": eta}
    losses = {"hinge": lambda m: np.maximum(1 - m, 0), "logistic": lambda m: np.logaddexp(0, -m)}
    for name, theorem in (("hinge", bounds.ogd_hinge), ("logistic", bounds.ogd_logistic)):
        learner, paid = OGD(loss=name, eta=eta, radius=radius, bias=False).begin(labels=(-1, 1)), 0.0
        for t in range(80):
            paid += losses[name](y[t] * learner.activation(X[t : t + 1])[0])
            learner.learn(X[t : t + 1], y[t : t + 1])
        best = losses[name](y * (X @ u)).sum()
        regret = bounds.ogd_regret(trials=80, radius=radius, gradient=numbers["R"], eta=eta)
        assert paid <= best + regret.value
        assert learner.mistakes <= theorem(**numbers, loss=best).value
        assert np.linalg.norm(learner.hypothesis().w) <= radius * (1 + 1e-9)


@pytest.mark.parametrize("learner", [
    PassiveAggressive(variant="PA"), PassiveAggressive(), PassiveAggressive(C=0.01), PassiveAggressive(variant="PA-II"),
    ROMMA(), ROMMA(aggressive=True), ALMA(), ALMA(alpha=0.5), ALMA(p=None), ShiftingWinnow(),
    ShiftingWinnow(alpha=1.5, demotion=0.4, theta=3.0, floor=0.01), ShiftingWinnow.for_shifts(n=9, k=2, added=3),
], ids=repr)  # fmt: skip
@given(stream=strategies.streams(min_n=2, max_n=9, max_rows=60, disjunction=True))
def test_the_guarantee_holds_on_disjunctions(learner, stream):
    wide = np.pad(stream.X, ((0, 0), (0, 9 - stream.n)))
    player = learner.copy() if learner.n else learner.copy().begin(9)
    player.learn(wide, stream.y)
    assert player.mistakes <= player.guarantee.at(k=stream.k).value


@given(st.lists(strategies.streams(min_n=6, max_n=6, max_rows=30), min_size=1, max_size=4), st.data(),
       st.sampled_from([(2.0, None, 6.0, 0.1), (1.5, 0.4, 2.0, 0.3), (3.0, 0.8, 1.0, 0.01)]))  # fmt: skip
def test_floored_weights_follow_a_target_that_shifts(parts, data, parameters):
    """Any schedule of targets, on any labels: attribute errors are counted on the mistakes."""
    alpha, demotion, theta, floor = parameters
    learner = ShiftingWinnow(alpha=alpha, demotion=demotion, theta=theta, floor=floor).begin(6, labels=(0, 1))
    targets = [data.draw(st.sets(st.integers(0, 5), min_size=1)) for _ in parts]
    errors = sum(attribute_errors(part, sorted(target), played(learner, part))
                 for part, target in zip(parts, targets, strict=True))  # fmt: skip
    added = sum(len(after - before) for before, after in pairwise(targets))
    removed = sum(len(before - after) for before, after in pairwise(targets))
    bound = learner.guarantee.at(k=len(targets[0]), added=added, removed=removed, attribute_errors=errors)
    assert learner.mistakes <= bound.value


def test_a_floor_helps_where_the_target_shifts():
    stream = ls.teachers.Shifting(n=500, k=3, every=500, trials=10_000, seed=1)
    floored, plain = ShiftingWinnow(), ls.Winnow()
    floored, plain = (ls.play(learner, stream).mistakes for learner in (floored, plain))
    assert floored < 0.8 * plain


# What is refused, and numbers at the edge


def test_a_part_of_a_bound_is_not_rounded():
    """Only the value of a bound that is whole but for rounding is the whole number."""
    losses = 1e-2 * 1.5 / 2e5 + 1e5 * 1.5
    assert losses != 150_000 == bounds.adagrad(eta=1e5, lengths=1.5, distance=0.1).value
    found = bounds.adagrad_logistic(eta=1e5, lengths=1.5, distance=0.1).value
    assert found > 150_000 / np.log(2) and found == pytest.approx(losses / np.log(2), rel=1e-15)
    played = {"trials": 10**10, "radius": 1e-6, "eta": 2.0}
    regret = 2e-12 * 1e5 / 2.0 + 2.0 * (1e5 - 0.5)
    assert regret != 199_999 == bounds.ogd_regret(**played, gradient=1.0).value
    found = bounds.ogd_logistic(**played, R=1.0).value
    assert found > 199_999 / np.log(2) and found == pytest.approx(regret / np.log(2), rel=1e-15)
