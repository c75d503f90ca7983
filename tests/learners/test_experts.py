"""Experts: the vote is Weighted Majority, Hedge keeps its regret, and a game gives a hypothesis with a bound."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import littlestone as ls
from littlestone import bounds
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.learners import (
    Experts,
    Hedge,
    ModifiedBalancedWinnow,
    SecondOrderPerceptron,
    ShiftingWinnow,
    VotedPerceptron,
)
from littlestone.theory.online_to_batch import average, longest_survivor
from tests import strategies
from tests.naive import weighted_majority

POOL = [ls.Perceptron, ls.BalancedWinnow, ls.Elimination, lambda: ls.Winnow(theta=2), lambda: ls.Perceptron(theta=1)]


def pool():
    return [make() for make in POOL]


@given(strategies.streams(min_n=2), st.sampled_from([Fraction(1, 2), Fraction(1, 4), Fraction(0)]))
def test_the_vote_is_weighted_majority(stream, beta):
    """Powers of a half are exact: so are ties."""
    experts = Experts(pool(), beta=float(beta))
    for learner in experts.pool:
        learner.begin(stream.n, labels=(0, 1))
    said = np.concatenate([experts.learn(X, y) for X, y in stream.blocks()])
    advice = [learner.begin(stream.n, labels=(0, 1)).learn(stream.X, stream.y).tolist() for learner in pool()]
    voters = [lambda t, rows=rows: rows[t] for rows in advice]
    wrong, errors = weighted_majority.play(voters, range(len(stream.y)), stream.y, beta or Fraction(1, 10**9))
    if beta or min(errors) == 0:
        told = [
            share > Fraction(1, 2) or (share == Fraction(1, 2) and y == 0)
            for share, y in zip(wrong, stream.y, strict=True)
        ]
        assert (said != stream.y).tolist() == told
    assert experts.errors.tolist() == errors
    assert experts.mistakes == int((said != stream.y).sum())
    assert experts.regret == experts.mistakes - min(errors)
    if beta or min(errors) == 0:
        assert experts.mistakes <= experts.guarantee.value + 1e-9
    assert experts.best.mistakes == min(errors)


@given(strategies.streams(min_n=2), st.integers(0, 5), st.booleans())
def test_experts_one_at_a_time(stream, seed, randomized):
    many, one = (Experts(pool(), randomized=randomized, seed=seed) for _ in range(2))
    for experts in (many, one):
        for learner in experts.pool:
            learner.begin(stream.n, labels=(0, 1))
    said = many.learn(stream.X, stream.y).tolist()
    for x, y, told in zip(stream.X, stream.y.tolist(), said, strict=True):
        assert one.predict_one(x) == one.predict(x[np.newaxis])[0] == told
        assert one.learn_one(x, y) == told
    assert one.errors.tolist() == many.errors.tolist()
    assert (one.trials, one.mistakes) == (many.trials, many.mistakes)


@given(st.data(), st.sampled_from([0.9, 0.7, 0.3]), st.integers(1, 12))
def test_a_tie_is_a_tie_whatever_the_order_of_the_pool(data, beta, pairs):
    """Each expert has an opponent of as many errors: the vote is 1, in a block and alone."""
    half = data.draw(st.lists(st.integers(0, 9), min_size=pairs, max_size=pairs))
    order = data.draw(st.permutations(range(2 * pairs)))
    errors = np.array(half * 2)[order, np.newaxis]
    advice = np.repeat([True, False], pairs)[order, np.newaxis]
    experts = Experts([ls.Perceptron() for _ in order], beta=beta)
    for width in (1, 5):
        assert (
            experts._vote(np.repeat(errors, width, axis=1), np.repeat(advice, width, axis=1), 0).tolist() == [1] * width
        )


@given(strategies.streams(min_n=2), st.booleans())
def test_experts_go_on_where_their_state_was_taken(stream, randomized):
    first = Experts(pool(), randomized=randomized, beta=0.8).begin(stream.n, labels=("no", "yes"))
    said = np.where(stream.y, "yes", "no")
    first.learn(stream.X, said)
    second = Experts.from_state(first.params(), first.state())
    assert repr(second) == repr(first)
    assert second.learn(stream.X, said).tolist() == first.learn(stream.X, said).tolist()
    assert second.errors.tolist() == first.errors.tolist()


def test_experts_are_told_names_and_labels_before_they_begin():
    experts = Experts(pool()).begin(3, labels=("ham", "spam"), names=["a", "b", "c"])
    assert experts.predict_one({"b"}) in ("ham", "spam")
    assert experts.learn_one({"a", "b"}, "spam") in ("ham", "spam")
    assert [learner.trials for learner in experts.pool] == [1] * len(POOL)


def test_experts_have_two_classes():
    for many in (ls.MulticlassPerceptron(), ls.WinnerTakesAll()):
        with pytest.raises(InvalidParameter, match="pool must be learners of two classes, got"):
            Experts([ls.Winnow(), many])


def test_coins_follow_the_weights():
    rng = np.random.default_rng(0)
    X, y = rng.random((400, 5)) < 0.5, rng.random(400) < 0.5
    found = [Experts(pool(), randomized=True, seed=seed, beta=0.8) for seed in range(60)]
    for experts in found:
        experts.learn(X, y)
    mean = np.mean([experts.mistakes for experts in found])
    assert len({experts.mistakes for experts in found}) > 10
    assert mean <= found[0].guarantee.value


def test_a_refusal_by_one_expert_leaves_all_as_they_were():
    experts = Experts([ls.Perceptron(), ls.Winnow(theta=1)])
    experts.learn([[1, 0], [0, 1]], [0, 1])
    before = experts.copy()
    for call in (lambda: experts.learn([[1, 1], [-1, 0]], [1, 0]), lambda: experts.learn_one(np.array([-1.0, 0.0]), 1)):
        with pytest.raises(InvalidData, match="Winnow"):
            call()
        assert [learner.trials for learner in experts.pool] == [2, 2]
        assert experts.pool[0].weights() == before.pool[0].weights()
    for wrong in ([], [3], 3, ls.Winnow(), iter([])):
        with pytest.raises(InvalidParameter, match="pool must be a list of learners"):
            Experts(wrong)


@given(st.integers(1, 6), st.sampled_from([None, 0.9, 0.5]), st.integers(0, 2**32 - 1), st.integers(0, 60))
def test_hedge_keeps_its_bound(n, beta, seed, cut):
    rng = np.random.default_rng(seed)
    losses = (rng.random((60, n)) < rng.random(n)) if seed % 2 else rng.random((60, n))
    hedge, parts, paid = Hedge(n, beta=beta), Hedge(n, beta=beta), 0.0
    cost = hedge.learn(losses)
    got = np.concatenate([parts.learn(losses[:cut].reshape(-1, n)), parts.learn(losses[cut:].reshape(-1, n))])
    assert np.allclose(got, cost, rtol=1e-12)
    lost = np.zeros(n)
    for t, row in enumerate(losses.astype(float), start=1):  # as in the box
        w = np.exp(-np.sqrt(8 * np.log(n) / t) * lost) if beta is None else beta**lost
        paid += w @ row / w.sum()
        lost += row
    assert hedge.loss == pytest.approx(paid)
    assert hedge.losses == pytest.approx(lost)
    assert (hedge.regret if beta is None else hedge.loss) <= hedge.guarantee.value + 1e-9
    assert hedge.shares.sum() == pytest.approx(1.0)
    again = Hedge.from_state(hedge.params(), hedge.state())
    assert again.learn(losses).tolist() == hedge.learn(losses).tolist()
    assert repr(again) == repr(hedge)


def test_a_hedge_has_no_model_file_but_a_state(tmp_path):
    with pytest.raises(InvalidParameter, match=r"got .*; keep its params\(\) and state\(\) instead"):
        ls.save(Hedge(3), tmp_path / "hedge.npz")


def test_losses_that_are_refused():
    for wrong, match in (
        ([0.5, 1.5], "row 0, expert 1: expected a loss in .0, 1., got 1.5"),
        ([0.5], "each of 2 experts"),
    ):
        with pytest.raises(InvalidData, match=match):
            Hedge(2).learn(wrong)


# On-line to batch


@given(strategies.streams(min_n=2), st.booleans())
def test_the_longest_survivor_is_the_hypothesis_before_its_run(stream, aggressive):
    learner = (ls.learners.PassiveAggressive() if aggressive else ls.Perceptron()).begin(stream.n, labels=(0, 1))
    found = longest_survivor(learner, stream.X, stream.y)
    assert learner.trials == 0
    start, s = found.learner.trials, found.survived
    assert (found.learner.predict(stream.X[start : start + s]) == stream.y[start : start + s]).all()
    changes = found.learner.updates
    assert found.error.value == bounds.survivor(changes=changes, survived=s).value
    if not aggressive:
        wrong = learner.copy().learn(stream.X, stream.y) != stream.y
        runs = np.diff([-1, *np.flatnonzero(wrong), len(wrong)]) - 1
        assert s == runs.max()
        known = longest_survivor(learner, stream.X, stream.y, mistakes=int(wrong.sum()))
        assert known.error.value == bounds.longest_survivor(mistakes=int(wrong.sum()), survived=s).value
        if wrong.any():
            with pytest.raises(InvalidParameter, match="leave it out"):
                longest_survivor(learner, stream.X, stream.y, mistakes=int(wrong.sum()) - 1)


@given(strategies.streams(strategies.ANY, min_n=2))
def test_the_average_is_the_mean_of_the_hypotheses(stream):
    learner = ls.Perceptron().begin(stream.n, labels=(0, 1))
    found = average(learner, stream.X, stream.y)
    expected, player = np.zeros(len(stream.X)), learner.copy()
    for x, y in zip(stream.X, stream.y, strict=True):
        expected += player.predict(stream.X)
        player.learn(x[np.newaxis], [y])
    assert found.probability(stream.X) == pytest.approx(expected / len(stream.X))
    assert found.predict(stream.X).tolist() == (expected / len(stream.X) >= 0.5).astype(int).tolist()
    numbers = {"trials": len(stream.X), "mistakes": player.mistakes}
    assert (found.loss, found.error) == (bounds.averaged_risk(**numbers, delta=0.05), bounds.voted_risk(**numbers))


@pytest.mark.parametrize("make", [lambda: ls.Winnow(theta=2), lambda: ShiftingWinnow(theta=2, floor=0.1),
                                  lambda: ModifiedBalancedWinnow(bias=False), SecondOrderPerceptron,
                                  lambda: ls.Winnow(negations=True)])  # fmt: skip
@given(stream=strategies.streams(min_n=2))
def test_attributes_weigh_in_an_average_before_they_are_seen(make, stream):
    """Whoever was told neither n nor the labels: weights that do not begin at 0 are there from the first trial."""
    X, y = stream.X[stream.X.any(axis=1)], stream.y[stream.X.any(axis=1)]
    if not len(X):
        return
    expected, player = np.zeros(len(X)), make().begin(stream.n, labels=(0, 1))
    for x, label in zip(X, y, strict=True):
        far = np.abs(player.activation(X))
        assume(not ((far > 0.0) & (far < 1e-12)).any())  # there the order of a sum decides
        expected += player.predict(X)
        player.learn(x[np.newaxis], [label])
    for learner in (make(), make().begin(labels=(0, 1)) if not make()._needs_n() and not make().negations else make()):
        assert average(learner, X, y).probability(X) == pytest.approx(expected / len(X))


def test_an_average_knows_attributes_by_name():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((200, 5)) < 0.4, columns=list("abcde")).astype(float)
    found = average(ls.Winnow(), frame, frame["b"].astype(int))
    assert found.predict(frame[list("edcba")]).tolist() == found.predict(frame).tolist()
    with pytest.raises(InvalidData, match="by name, got positions"):
        found.predict(frame.to_numpy())


REFUSED = [
    (VotedPerceptron(), "changes with its updates only"),
    (ls.Perceptron(averaged=True), "changes with its updates only"),
    (ls.Winnow(randomized=True), "without coins"),
    (ls.MulticlassPerceptron(), "of two classes"),
]


@pytest.mark.parametrize(("learner", "match"), REFUSED)
@pytest.mark.parametrize("convert", [average, longest_survivor])
def test_whose_hypotheses_do_not_stand_still(convert, learner, match):
    with pytest.raises(InvalidParameter, match=f"{convert.__name__}: expected .* {match}"):
        convert(learner, [[1, 0], [0, 1]], [0, 1])


def test_what_has_no_linear_hypothesis_is_not_averaged():
    X, y = np.array([[1, 0], [0, 1], [1, 1]]), [0, 1, 1]
    with pytest.raises(InvalidParameter, match="hypothesis is linear"):
        average(ls.KernelPerceptron(), X, y)
    with pytest.raises(InvalidParameter, match="zeros and ones"):
        average(SecondOrderPerceptron(), X * 0.5, y)
    with pytest.raises(InvalidParameter, match="zeros and ones"):
        average(SecondOrderPerceptron(), X, y).predict(X * 0.5)
    with pytest.raises(InvalidParameter, match="no row without attributes"):
        average(ModifiedBalancedWinnow(bias=False), X, y).predict([[0, 0]])
    with pytest.raises(InvalidParameter, match="keeps every name"):
        average(ls.Bounded(), pd.DataFrame(X, columns=["a", "b"]), y)


def test_who_errs_and_does_not_change_has_not_survived():
    """Contrary labels of one row: ROMMA has no step, and what comes after counts for nothing."""
    learner = ls.learners.ROMMA(bias=False).begin(1, labels=(0, 1))
    assert longest_survivor(learner, np.ones((8, 1)), [0, 0, 1, 0, 0, 0, 0, 0]).survived == 1


@pytest.mark.parametrize("delta", [0.5, 0.1])
def test_errors_stay_within_their_bounds_as_often_as_said(delta):
    """Fresh samples, many times: what is claimed with probability 1 - delta fails no more often than that."""
    rng = np.random.default_rng(3)
    tests = rng.random((3000, 10)) < 0.3
    truth = tests[:, :2].any(axis=1)
    failed = np.zeros(3, dtype=int)
    for _ in range(40):
        X = rng.random((120, 10)) < 0.3
        y = X[:, :2].any(axis=1)
        survivor = longest_survivor(ls.Winnow().begin(10), X, y, delta=delta)
        mean = average(ls.Winnow().begin(10), X, y, delta=delta)
        share = mean.probability(tests)
        errors = [(survivor.learner.predict(tests) != truth).mean(), np.abs(share - truth).mean(),
                  (mean.predict(tests) != truth).mean()]  # fmt: skip
        failed += np.array(errors) > [survivor.error.value, mean.loss.value, mean.error.value]
    assert (failed <= 40 * delta).all()


def test_examples_needed_are_enough():
    for mistakes, epsilon, delta in ((0, 0.1, 0.05), (7, 0.03, 0.01)):
        trials = int(bounds.survivor_trials(mistakes=mistakes, epsilon=epsilon, delta=delta).value)
        shortest = -(-(trials - mistakes) // (mistakes + 1))  # some run among mistakes + 1 is at least so long
        assert bounds.longest_survivor(mistakes=mistakes, survived=shortest, delta=delta).value <= epsilon
        assert bounds.longest_survivor(mistakes=mistakes, survived=shortest - 1, delta=delta).value > epsilon
