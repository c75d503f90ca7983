"""Weighted Majority and Bayes over all disjunctions: exact, bounded, the same by table and by map."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import littlestone as ls
from littlestone import bounds
from littlestone.core.coins import RESOLUTION, coin
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.engine.learning import duals
from littlestone.learners import DirectBayes, WeightedMajority
from tests.naive import direct_bayes, weighted_majority
from tests.naive.weighted_majority import disjunctions

BACKENDS = ["table", "map"]


def data(seed, n, rows, density=0.35, k=2, noise=0.15):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, n)) < density
    return X, (X[:, :k].any(axis=1) ^ (rng.random(rows) < noise)).astype(int)


def same(a, b):
    one, other = a.state(), b.state()
    return one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)


@pytest.mark.parametrize("beta", [Fraction(1, 2), Fraction(2, 3), Fraction(9, 10)])
def test_votes_far_apart_are_decided_as_all_of_them_would(beta, monkeypatch):
    """Errors that are many more than the fewest are left out only where they decide nothing."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        errors = np.unique(np.cumsum(rng.choice((0, 1, 2, 500, 5000), 8)))
        part, total = (rng.integers(0, 3, len(errors)) for _ in range(2))
        total += part
        total[0] = max(total[0], 1)
        if rng.random() < 0.5:  # equal among the best
            total[:-1] = 2 * part[:-1]
        table = WeightedMajority(beta=beta).begin(2)._machine
        exactly = sum((p * beta ** int(e) for p, e in zip(part.tolist(), errors, strict=True)), Fraction(0))
        exactly -= sum((t * beta ** int(e) for t, e in zip(total.tolist(), errors, strict=True)), Fraction(0)) / 2
        for bits in (0, 1 << 20):
            monkeypatch.setattr("littlestone.machines.sets.error_table.MANY_BITS", bits)
            difference, whole = table._less(errors, part, total, 1, 2)
            assert whole > 0
            assert (difference > 0) - (difference < 0) == (exactly > 0) - (exactly < 0)


def test_a_tie_that_would_take_too_long_is_refused_and_leaves_no_trace(monkeypatch):
    monkeypatch.setattr("littlestone.machines.sets.error_table.MANY_BITS", 0)
    monkeypatch.setattr("littlestone.machines.sets.error_table.MOST_BITS", 3)
    learner = WeightedMajority(beta=0.9).begin(2, labels=(0, 1))
    learner.learn(np.array([[1, 0]] * 3), [1, 1, 1])
    before = learner.copy()
    with pytest.raises(TooLarge, match=r"so near to a tie.*take another beta"):
        learner.learn(np.array([[1, 0], *([[0, 1]] * 9)]), [0, *([1] * 9)])
    assert same(learner, before)


# Against the definition, in rationals

SETTINGS = [
    (Fraction(beta), max_size, policy, tie, n)
    for beta, (max_size, n), policy, tie in product(
        ("1/2", "1/3", "2/3", "1/10"), ((None, 3), (None, 5), (2, 5)), ("always", "mistakes"), (0, 1)
    )
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("beta", "max_size", "policy", "tie", "n"), SETTINGS)
def test_weights_written_down_say_the_same(beta, max_size, policy, tie, n, backend):
    X, y = data(n + 10 * beta.denominator, n, 25)
    twin = weighted_majority.WeightedMajority(n, beta, max_size=max_size, policy=policy, tie=tie)
    learner = WeightedMajority(beta=beta, max_size=max_size, policy=policy, tie=tie, backend=backend)
    assert learner.learn(X, y).tolist() == twin.learn(X, y)
    expected = twin.posterior()
    assert {d: learner.posterior(d) for d in disjunctions(n)} == {d: expected.get(d, 0) for d in disjunctions(n)}
    best = twin.most_probable()
    assert learner.most_probable() == (best, expected[best])
    marginals = [float(sum(p for d, p in expected.items() if i in d)) for i in range(n)]
    assert learner.marginals() == pytest.approx(marginals, rel=1e-12)
    assert list(learner.weights().values()) == learner.marginals().tolist()
    assert learner.hypothesis() is None
    shares = [twin.share(row) - Fraction(1, 2) for row in X]
    activations = learner.activation(X)
    assert activations == pytest.approx([float(share) for share in shares], rel=1e-9, abs=1e-12)
    assert np.sign(activations).tolist() == [(share > 0) - (share < 0) for share in shares]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("tie", [0, 1])
@pytest.mark.parametrize("policy", ["always", "mistakes"])
@pytest.mark.parametrize(("noise", "max_size"), [("1/3", None), ("1/4", 2), ("2/5", None), ("1/11", 1)])
def test_bayes_is_bayes_by_the_definition_and_weighted_majority(noise, max_size, policy, tie, backend):
    noise = Fraction(noise)
    settings = {"max_size": max_size, "policy": policy, "tie": tie}
    X, y = data(1, 4, 40)
    twin = direct_bayes.DirectBayes(4, noise, **settings)
    bayes = DirectBayes(noise=noise, **settings, backend=backend)
    majority = WeightedMajority(beta=noise / (1 - noise), **settings, backend=backend)
    assert bayes.learn(X, y).tolist() == majority.learn(X, y).tolist() == twin.learn(X, y)
    assert all(bayes.posterior(d) == majority.posterior(d) == p for d, p in twin.p.items())
    assert noise == bayes._beta() / (1 + bayes._beta())
    assert bayes.guarantee.at(errors=3).value == pytest.approx(majority.guarantee.at(errors=3).value)


def test_a_float_stands_for_the_simplest_fraction():
    X, y = data(2, 4, 30)
    learners = [DirectBayes(noise=0.1), DirectBayes(noise=Fraction(1, 10))]
    first, second = (learner.learn(X, y).tolist() for learner in learners)
    assert first == second
    assert learners[0].posterior([1]) == learners[1].posterior([1])


def test_ties_go_where_the_parameter_says():
    first = np.eye(3, dtype=bool)[:1]
    for backend, tie in product(BACKENDS, (0, 1)):
        learner = WeightedMajority(tie=tie, backend=backend).begin(3)
        assert learner.activation(first).tolist() == [0.0]
        assert learner.predict(first).tolist() == [tie] == [learner.tie]


# Table and map


@pytest.mark.parametrize("case", range(30))
def test_table_and_map_say_the_same(case):
    rng = np.random.default_rng(case)
    n = int(rng.integers(1, 13))
    X, y = data(case, n, 50, density=rng.uniform(0.2, 0.9), k=min(n, 3))
    settings = {
        "beta": float(rng.choice([0.5, 0.3, 0.9])), "max_size": [None, 0, 1, 3][int(rng.integers(4))],
        "policy": str(rng.choice(["always", "mistakes"])), "tie": int(rng.integers(2)),
        "randomized": bool(rng.integers(2)), "seed": case,
    }  # fmt: skip
    table, closed = (WeightedMajority(**settings, backend=backend) for backend in BACKENDS)
    weight = rng.integers(0, 4, len(X)) if case % 2 else None
    assert table.learn(X, y, weight=weight).tolist() == closed.learn(X, y, weight=weight).tolist()
    assert (table.updates, table.promotions, table.demotions) == (closed.updates, closed.promotions, closed.demotions)
    assert table.most_probable() == closed.most_probable()
    assert table.marginals() == pytest.approx(closed.marginals(), rel=1e-12)
    assert table.predict(X).tolist() == closed.predict(X).tolist()


@pytest.mark.parametrize("max_size", [None, 2])
def test_counts_outgrow_two_bytes(max_size):
    X, y = data(0, 4, 40)
    table, closed = (WeightedMajority(max_size=max_size, backend=backend).begin(4) for backend in BACKENDS)
    for learner in (table, closed):
        learner.learn(np.repeat(X[:1], 33, axis=0), np.ones(33), weight=np.full(33, 1000))
        learner.learn(X, y)
    assert table.state()["errors"].dtype == np.int32
    assert all(table.posterior(d) == closed.posterior(d) for d in disjunctions(4, max_size))
    again = WeightedMajority.from_state(table.params(), table.state())
    assert again.learn(X, y).tolist() == table.learn(X, y).tolist() == closed.learn(X, y).tolist()


def test_a_bounded_size_needs_no_map_for_many_attributes():
    X, y = data(3, 100, 60, density=0.8)
    table, closed = (DirectBayes(max_size=2, backend=backend, policy="mistakes") for backend in (None, "map"))
    assert table.learn(X, y).tolist() == closed.learn(X, y).tolist()
    assert len(table.state()["errors"]) == 1 + 100 + 100 * 99 // 2
    assert table.most_probable() == closed.most_probable()


def test_dense_rows_keep_the_map_small():
    X, y = data(0, 400, 300, density=0.9, k=3, noise=0.05)
    learner = WeightedMajority(policy="mistakes")
    learner.learn(X, y)
    state = learner.state()
    assert 20 <= len(state["closed"]) <= 1000
    assert learner.mistakes <= learner.guarantee.at(errors=int(np.count_nonzero(X[:, :3].any(axis=1) != y))).value


# Golden runs and bounds


@pytest.mark.parametrize(("beta", "policy", "mistakes"), [
    (0.5, "always", 10), (0.25, "always", 6), (0.5, "mistakes", 12), (0.25, "mistakes", 7),
])  # fmt: skip
@pytest.mark.parametrize("backend", BACKENDS)
def test_golden_runs(beta, policy, mistakes, backend):
    X = np.random.default_rng(1).random((200, 12)) < 0.3
    learner = WeightedMajority(beta=beta, policy=policy, backend=backend)
    learner.learn(X, X[:, :3].any(axis=1))
    assert learner.mistakes == mistakes


@pytest.mark.parametrize("policy", ["always", "mistakes"])
@pytest.mark.parametrize("max_size", [None, 1])
@pytest.mark.parametrize("beta", [0.1, 0.5, 0.9])
def test_who_is_always_contradicted_keeps_the_bound(beta, max_size, policy):
    largest = 0.0
    for seed in range(6):
        X = np.random.default_rng(seed).random((60, 5)) < 0.4
        learner = WeightedMajority(beta=beta, max_size=max_size, policy=policy).begin(5, labels=(0, 1))
        y = [1 - int(learner.learn_one(x, 1 - int(learner.predict_one(x)))) for x in X]
        assert learner.mistakes == 60
        errors = min(int(np.count_nonzero(X[:, list(d)].any(axis=1) != y)) for d in disjunctions(5, max_size))
        largest = max(largest, 60 / learner.guarantee.at(errors=errors).value)
    assert 0.3 < largest <= 1.0


@pytest.mark.parametrize("beta", [0.2, 0.5, 0.8])
def test_the_expectation_keeps_the_randomised_bound(beta):
    """The expectation is computed: with updates on every trial the weights do not depend on the coins."""
    largest = 0.0
    for seed in range(8):
        X = np.random.default_rng(seed).random((60, 5)) < 0.4
        learner = WeightedMajority(beta=beta, randomized=True, seed=seed).begin(5, labels=(0, 1))
        expected, y = 0.0, []
        for x in X:
            share = float(learner.activation(x[np.newaxis])[0]) + 0.5
            y.append(int(share < 0.5))
            expected += max(share, 1 - share)
            learner.learn_one(x, y[-1])
        errors = min(int(np.count_nonzero(X[:, list(d)].any(axis=1) != y)) for d in disjunctions(5))
        bound = learner.guarantee.at(errors=errors)
        assert bound.of == "expected mistakes"
        largest = max(largest, expected / bound.value)
    assert 0.5 < largest <= 1.0
    assert WeightedMajority(randomized=True, policy="mistakes").begin(5).guarantee is None


def test_guarantees_name_their_theorem():
    assert WeightedMajority(beta=0.5).begin(100).guarantee.example == bounds.direct_weighted_majority(n=100, beta=0.5)
    assert WeightedMajority(max_size=9).begin(4).guarantee.at(errors=0) == bounds.direct_weighted_majority(
        n=4, beta=0.5, k=4
    )
    randomized = WeightedMajority(max_size=1, randomized=True).begin(2000).guarantee
    assert randomized.at(errors=0) == bounds.weighted_majority_randomized(experts=2001, beta=0.5)


def test_a_noisy_trial_costs_the_direct_learner_one_mistake_and_the_indirect_one_k_more():
    n, k, noisy = 12, 6, 40
    singles, all_on = np.eye(n, dtype=bool)[:k], (np.arange(n) < k)[np.newaxis]

    def mistakes(learner):
        learner.begin(n, labels=(0, 1))
        for trial in range(noisy + 1):
            if trial:
                learner.learn(all_on, [0])
            while np.any(learner.learn(singles, np.ones(k, dtype=int)) == 0):
                pass
        return learner.mistakes

    assert mistakes(WeightedMajority(tie=0)) == k + noisy == 46
    assert mistakes(ls.ThresholdedBEG()) == 4 * k + (k + 1) * noisy == 304


def test_the_coin_is_that_of_the_engine():
    for seed, trial in product((0, 1, 2**62), (0, 1, 999, 2**40)):
        number = coin(seed, trial)
        assert duals._predicts_one((number + 1) / RESOLUTION, 1.0, seed, trial)
        assert not duals._predicts_one(number / RESOLUTION, 1.0, seed, trial)


def test_a_row_that_is_all_off_is_said_to_be_0_and_moves_no_share():
    X, y = data(7, 5, 20)
    for backend in BACKENDS:
        learner = WeightedMajority(backend=backend).begin(5)
        learner.learn(X, y)
        before = [learner.posterior(d) for d in disjunctions(5)]
        assert learner.learn(np.zeros((2, 5), dtype=bool), [0, 1]).tolist() == [0, 0]
        assert learner.trials == learner.updates == 22
        assert [learner.posterior(d) for d in disjunctions(5)] == before


def test_coins_follow_the_chances():
    X = np.ones((2000, 1), dtype=bool)
    learner = WeightedMajority(randomized=True, seed=3).begin(1, labels=(0, 1))
    assert abs(learner.predict(X).mean() - 0.5) < 0.05
    assert not learner.predict(~X).any()  # nobody says 1


# Names, weights of examples, refusals


@pytest.mark.parametrize("backend", BACKENDS)
def test_disjunctions_go_by_name_where_there_are_names(backend):
    learner = DirectBayes(backend=backend).begin(3, labels=("ham", "spam"))
    for words, label in ((["offer", "now"], "spam"), (["now"], "ham"), (["offer"], "spam")):
        learner.learn_one(words, label)
    best, probability = learner.most_probable()
    assert best == ("offer",)
    assert learner.posterior(["offer"]) == probability
    assert set(learner.weights()) == {"now", "offer"}
    with pytest.raises(InvalidData, match="one of its names, got 'zebra'"):
        learner.posterior(["zebra"])
    with pytest.raises(InvalidData, match="a position below 3, got 3"):
        DirectBayes(backend=backend).begin(3).posterior([3])


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_weight_is_a_number_of_errors(backend):
    X, y = data(4, 4, 20)
    once, often = WeightedMajority(backend=backend).begin(4), WeightedMajority(backend=backend).begin(4)
    once.learn(X, y, weight=np.arange(20) % 3)
    often.learn(np.repeat(X, np.arange(20) % 3, axis=0), np.repeat(y, np.arange(20) % 3))
    assert [once.posterior(d) for d in disjunctions(4)] == [often.posterior(d) for d in disjunctions(4)]
    before = once.copy()
    for bad in (0.5, 1001.0):
        with pytest.raises(InvalidData, match="whole number up to 1000"):
            once.learn(X, y, weight=np.full(20, bad))
    assert same(once, before)


@pytest.mark.parametrize(("settings", "words"), [
    ({"beta": 0.0}, r"beta must be a number in \(0, 1\)"), ({"beta": 1}, "beta"), ({"beta": -0.5}, "beta"),
    ({"policy": "never"}, "policy"), ({"tie": 2}, "tie"), ({"max_size": -1}, "max_size"), ({"cap": 0}, "cap"),
    ({"backend": "tree"}, "backend"), ({"seed": -1}, "seed"), ({"randomized": 1}, "randomized"),
])  # fmt: skip
def test_bad_parameters_of_weighted_majority(settings, words):
    with pytest.raises(InvalidParameter, match=words):
        WeightedMajority(**settings)


@pytest.mark.parametrize("noise", [0, 0.5, 0.7, -0.1, np.nan, "0.1", None])
def test_noise_is_less_than_a_half(noise):
    with pytest.raises(InvalidParameter, match=r"noise must be a number in \(0, 0.5\)"):
        DirectBayes(noise=noise)


def test_what_is_too_large_names_the_remedy():
    with pytest.raises(TooLarge, match="backend='map'"):
        WeightedMajority(backend="table").begin(23)
    with pytest.raises(TooLarge, match="backend='map'"):
        WeightedMajority(backend="table", max_size=5).begin(500)
    with pytest.raises(TooLarge, match="ThresholdedBEG"):
        WeightedMajority().begin(10_001)
    X = ~np.eye(40, dtype=bool)[:30]  # all but one: the empty set is the only intersection of what is free
    learner = DirectBayes(cap=100).begin(40)
    learner.learn(X, np.ones(30))
    assert len(learner.state()["closed"]) == 32


@pytest.mark.parametrize("policy", ["always", "mistakes"])
def test_a_map_that_outgrows_its_cap_leaves_the_learner_as_it_was(policy):
    X, y = data(0, 30, 200, density=0.5)
    learner = WeightedMajority(cap=50, policy=policy).begin(30)
    learner.learn(X[:4], y[:4])
    before = learner.copy()
    with pytest.raises(TooLarge, match=r"cap=50; raise cap, bound max_size .* policy='mistakes'"):
        learner.learn(X[4:], y[4:])
    assert same(learner, before)
    fresh = WeightedMajority(cap=50, policy=policy)
    with pytest.raises(TooLarge):
        fresh.learn(X, y)
    assert fresh.n is None and fresh.labels is None and fresh.trials == fresh.updates == 0


def test_a_row_of_names_that_is_refused_leaves_no_name():
    learner = WeightedMajority(cap=4).begin(30, labels=(0, 1))
    learner.learn_one(["a", "b"], 1)
    learner.learn_one(["b", "c"], 1)
    before = learner.copy()
    for _ in range(2):
        with pytest.raises(TooLarge):
            learner.learn_one(["a", "d"], 1)
        assert same(learner, before)
        assert list(learner.vocabulary) == ["a", "b", "c"]
    learner.learn_one(["a", "b"], 0)
    assert len(learner.state()["closed"]) == 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_real_values_are_refused(backend):
    X, y = data(5, 6, 30)
    learner = DirectBayes(backend=backend).begin(6)
    learner.learn(X, y)
    before = learner.copy()
    with pytest.raises(InvalidData, match="Boolean value"):
        learner.learn(X * 0.5, y)
    assert same(learner, before)


def test_a_search_for_the_most_probable_may_be_too_long():
    X = np.eye(17, dtype=bool)  # the best disjunction is that of all, and there are 2^17 extents
    learner, table = WeightedMajority(backend="map"), WeightedMajority(backend="table")
    for player in (learner, table):
        player.learn(X, np.ones(17))
    with pytest.raises(TooLarge, match=r"posterior\(attributes\) or marginals\(\)"):
        learner.most_probable()
    assert table.most_probable() == (tuple(range(17)), learner.posterior(range(17)))


def test_long_games_have_probabilities_that_can_be_printed():
    rng = np.random.default_rng(0)
    X = rng.random((9000, 4)) < 0.4
    y = X[:, 0] ^ (rng.random(9000) < 0.1)
    learner = DirectBayes()
    learner.learn(X, y)
    best, probability = learner.most_probable()
    assert best == (0,) and 0.99 < probability <= 1.0
    assert repr(learner.posterior([0])) == repr(probability)
    for wrong in (3, "ab", [["a"]], [9], [0.5]):
        with pytest.raises(ls.InvalidData, match="posterior"):
            learner.posterior(wrong)


def test_the_table_of_a_long_game_is_that_of_its_parts():
    """Sorted errors take over from the histogram in the course of a long game, and nothing changes."""
    rng = np.random.default_rng(1)
    X = rng.random((3000, 5)) < 0.4
    y = X[:, :2].any(axis=1) ^ (rng.random(3000) < 0.2)
    by_table, by_map = WeightedMajority(backend="table"), WeightedMajority(backend="map")
    assert by_table.learn(X, y).tolist() == by_map.learn(X, y).tolist()
    assert by_table.posterior([0, 1]) == pytest.approx(float(by_map.posterior([0, 1])))
    assert by_table.most_probable()[0] == (0, 1)
