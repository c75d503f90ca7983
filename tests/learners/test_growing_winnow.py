"""Growing Winnow: equal to its twin, better than linear learners on DNF, beside exact kernel Winnow."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.learners import GrowingWinnow, KernelWinnow
from tests import strategies
from tests.naive.growing_winnow import GrowingWinnow as Twin


def both(n, alpha, theta, **sizes):
    given = {"budget": 3, "max_size": 3, "candidates": 4, "memory": 64} | sizes
    twin = Twin(n, alpha, Fraction(n) if theta is None else theta, **given)
    return GrowingWinnow(alpha=alpha, theta=theta, **given).begin(n, labels=(0, 1)), twin


def features(twin, alpha):
    singles = {(i,): e for i, e in twin.attributes.items()}
    exponents = singles | {tuple(sorted(c)): e for c, e in twin.conjunctions.items()}
    return {feature: float(alpha) ** e for feature, e in exponents.items()}


@given(strategies.streams(min_n=2), st.sampled_from([Fraction(2), Fraction(3, 2), Fraction(5)]),
       st.sampled_from([None, Fraction(1), Fraction(5, 2)]), st.integers(1, 4), st.integers(2, 4),
       st.integers(2, 6), st.data())  # fmt: skip
@settings(max_examples=300)
def test_it_is_its_twin_trial_by_trial(stream, alpha, theta, budget, max_size, candidates, data):
    learner, twin = both(stream.n, alpha, theta, budget=budget, max_size=max_size, candidates=candidates)
    weight = data.draw(st.none() | st.lists(st.integers(0, 3), min_size=len(stream.y), max_size=len(stream.y)))
    times = [1] * len(stream.y) if weight is None else weight
    said = [twin.play(row, y, w) for row, y, w in zip(stream.X, stream.y.tolist(), times, strict=True)]
    got = []
    for at in range(0, len(said), 3):
        rows = slice(at, at + 3)
        got += learner.learn(stream.X[rows], stream.y[rows], weight=None if weight is None else times[rows]).tolist()
    assert got == said
    assert learner.conjunctions == len(twin.conjunctions) <= budget
    assert dict(learner.heaviest(1000)) == pytest.approx(features(twin, alpha))


@pytest.mark.parametrize("seed", range(4))
def test_it_is_its_twin_in_long_games_that_forget_and_replace(seed):
    rng = np.random.default_rng(seed)
    X = rng.random((1200, 9)) < 0.5
    y = (X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3] & X[:, 4]) ^ (rng.random(1200) < 0.1)
    learner, twin = both(9, 1.5, None, budget=8)
    assert learner.learn(X, y).tolist() == [twin.play(row, label) for row, label in zip(X, y, strict=True)]
    assert learner.introduced > learner.conjunctions == 8
    assert learner.updates > 2 * learner.memory
    assert dict(learner.heaviest(1000)) == pytest.approx(features(twin, 1.5))


def stream(**options):
    return ls.teachers.DNF(trials=10_000, **options)


@pytest.mark.parametrize(("n", "k", "size"), [(40, 3, 2), (40, 5, 3), (200, 5, 3), (1000, 3, 3), (100, 4, 5)])
@pytest.mark.parametrize("seed", [0, 1])
def test_it_learns_dnf_where_linear_learners_go_on_erring(n, k, size, seed):
    options = {"n": n, "k": k, "size": size, "seed": seed}
    learner = GrowingWinnow()
    run = ls.play(learner, stream(**options))
    linear = [ls.play(kind, stream(**options)) for kind in (ls.Winnow(alpha=1.5), ls.Perceptron(), ls.BalancedWinnow())]
    assert 8 * run.mistakes < min(other.mistakes for other in linear)
    assert run.mistake_trials[-1] < 9000 < min(other.mistake_trials[-100] for other in linear)
    terms = {members for members, _ in learner.heaviest(2 * k)}
    assert len(terms & set(stream(**options).target)) >= k - 1  # one may be covered by its parts


def test_it_makes_few_more_mistakes_than_exact_kernel_winnow_and_needs_few_conjunctions():
    for k, size in ((3, 2), (4, 3)):
        X, y = rows_of(ls.teachers.DNF(n=20, k=k, size=size, trials=2000))
        grown, exact = GrowingWinnow(), KernelWinnow(max_size=size)
        grown.learn(X, y), exact.learn(X, y)
        assert grown.mistakes < 1.5 * exact.mistakes
        assert 10 * grown.conjunctions < exact.sets


def rows_of(teacher):
    blocks = list(teacher.blocks(teacher.trials))
    dense = np.zeros((sum(map(len, blocks)), teacher.n_attributes), dtype=bool)
    outcomes = np.concatenate([block.outcomes for block in blocks])
    start = 0
    for block in blocks:
        rows = np.repeat(np.arange(len(block)), np.diff(block.indptr)) + start
        dense[rows, block.indices[block.indptr[0] : block.indptr[-1]]] = True
        start += len(block)
    return dense, outcomes


@pytest.mark.parametrize(("candidates", "finds"), [(64, False), (512, True)])
def test_terms_whose_attributes_tell_nothing_are_found_only_if_they_are_candidates(candidates, finds):
    X = np.random.default_rng(0).random((4000, 1000)) < 0.5
    y = X[:, 0] == X[:, 1]  # x0 & x1 or not x0 & not x1: with negations 1000 of 2000 literals are on
    learner = GrowingWinnow(negations=True, candidates=candidates)
    learner.learn(X, y)
    if finds:
        assert learner.mistakes < 400
        assert {members for members, _ in learner.heaviest(2)} == {(0, 1), ("not 0", "not 1")}
    else:
        assert learner.mistakes > 1600


def planted(terms, n, on, rows, rng):
    """Sparse rows: every other one has a whole term, the others at most two thirds of each."""
    for _ in range(rows):
        positive = rng.random() < 0.5
        parts = [rng.choice(term, rng.integers(3), replace=False) for term in terms]
        chosen = [terms[rng.integers(len(terms))]] if positive else parts
        yield np.unique(np.concatenate([*chosen, rng.integers(terms.size, n, on)])).astype(np.uint32), positive


def test_a_hundred_thousand_attributes_of_which_few_are_on():
    terms = np.arange(15).reshape(5, 3)
    rows, y = zip(*planted(terms, 100_000, 70, 3000, np.random.default_rng(0)), strict=True)
    block = ls.Block(np.cumsum([0, *map(len, rows)]), np.concatenate(rows), None)
    learner, *linear = GrowingWinnow(), ls.Winnow(alpha=1.5), ls.Perceptron()
    for player in (learner, *linear):
        player.begin(100_000).learn(block, y)
    assert 8 * learner.mistakes < min(player.mistakes for player in linear)
    assert {members for members, _ in learner.heaviest(5)} == set(map(tuple, terms.tolist()))


def test_the_rule_by_name_and_what_a_name_that_nobody_knows_does():
    learner = GrowingWinnow(theta=4.0).begin(labels=("no", "yes"))
    rule = {("cold", "wet"): "yes", ("dry", "hot"): "yes", ("hot", "wet"): "no", ("cold", "dry"): "no", ("hot",): "no"}
    for _ in range(30):
        for example, label in rule.items():
            learner.learn_one(example, label)
    assert learner.rule(2) == "cold & wet or dry & hot"
    assert learner.predict_one({"wet", "cold", "new"}) == "yes"
    assert learner.predict_one(["wet", "new"]) == "no"
    assert learner.hypothesis() is None
    assert learner.guarantee is None
    resumed = GrowingWinnow.from_state(learner.params(), learner.state())
    assert resumed.heaviest() == learner.heaviest()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 1.0}, "alpha must be a number >= 1.00001"),
        ({"alpha": 1 + Fraction(1, 10**40)}, "alpha must be a number >= 1.00001"),
        ({"theta": 0}, "theta must be a number > 0"),
        ({"budget": 0}, "budget must be a whole number >= 1"),
        ({"max_size": 1}, "max_size must be a whole number >= 2"),
        ({"memory": 100}, "memory must be a multiple of 64, got 100"),
        ({"candidates": 1}, "candidates must be a whole number >= 2"),
        ({"negations": 1}, "negations must be True or False"),
    ],
)
def test_what_it_does_not_take(options, message):
    with pytest.raises(InvalidParameter, match=f"GrowingWinnow: {message}"):
        GrowingWinnow(**options)


def test_refusals_leave_it_as_it_was():
    learner = GrowingWinnow()
    learner.learn(np.eye(3, dtype=bool), [1, 0, 1])
    before = learner.state()
    with pytest.raises(InvalidData, match="Boolean value"):
        learner.learn(np.full((1, 3), 0.5), [1])
    with pytest.raises(InvalidData, match="row 1: .* whole number up to 1000, got 0.5"):
        learner.learn(np.eye(3, dtype=bool), [0, 1, 0], weight=[1, 0.5, 1])
    assert all(np.array_equal(before[key], value) for key, value in learner.state().items())


def test_a_bad_weight_is_refused_before_attributes_or_rows_are_learned(monkeypatch):
    monkeypatch.setattr("littlestone.core.rows.NEGATED_AT_ONCE", 12)  # parts of three rows
    X = np.random.default_rng(0).random((8, 4)) < 0.5
    for learner in (GrowingWinnow(negations=True), GrowingWinnow(theta=4.0), KernelWinnow(monotone=False)):
        learner.learn(X[:, :4] if learner.negations else X[:, :3], X[:, 0])
        before = learner.state()
        with pytest.raises(InvalidData, match="weight: row 7: .* got 0.5"):
            learner.learn(X, ~X[:, 0], weight=[1] * 7 + [0.5])
        assert all(np.array_equal(before[key], value) for key, value in learner.state().items())


@pytest.mark.parametrize("theta", [1e-100, 1.0, 1e100])
def test_the_smallest_alpha_leaves_room_for_all_exponents(theta):
    X = np.random.default_rng(0).random((300, 6)) < 0.5
    learner = GrowingWinnow(alpha=1.00001, theta=theta, budget=2**20).begin(6, labels=(0, 1))
    learner.learn(X, X[:, 0] & X[:, 1])
    limits, exponents = learner._machine.limits, learner.state()["conjunctions"]
    assert max(limits.highest, -limits.lowest) + 1000 < 2**31  # an example counts up to 1000 times
    assert limits.lowest < limits.newcomer <= limits.most < limits.highest
    assert ((limits.newcomer < exponents) & (exponents <= limits.highest)).all()


def test_negations_are_written_as_attributes_are():
    X = np.random.default_rng(0).random((3000, 20)) < 0.5
    learner = GrowingWinnow(negations=True)
    learner.learn(X, X[:, 0] == X[:, 1])
    assert learner.rule(2) == "x0 & x1 or not x0 & not x1"
    assert [members for members, _ in learner.heaviest(2)] == [(0, 1), ("not 0", "not 1")]
