"""Directed Drift: the learner is its naive twin, the simulation follows the exact chain."""

from itertools import pairwise
from math import comb, log, pi
from pkgutil import iter_modules

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.learners import DirectedDrift
from littlestone.theory import drift
from littlestone.theory.drift import search, simulate
from tests.naive import directed_drift as naive

MODES = ["single", "asynchronous", "synchronous"]


def data(n, rows, seed=0):
    rng = np.random.default_rng(seed)
    target, X = rng.choice([-1, 1], n), rng.choice([-1, 1], (rows, n))
    return target, X, (X @ target >= 0).astype(int)


# The learner


@given(st.integers(1, 70), st.sampled_from(MODES), st.integers(1, 9), st.integers(0, 2**64 - 1), st.integers(0, 99),
       st.lists(st.integers(1, 40), max_size=4))  # fmt: skip
@settings(max_examples=200)
def test_learner_equals_its_twin(n, mode, batch, seed, drawn, cuts):
    _, X, y = data(n, 60, drawn)
    y[::7] = 1 - y[::7]  # no w agrees with all
    batch = 1 if mode == "single" else batch
    twin = naive.DirectedDrift(n, mode, batch, seed)
    expected = [twin.learn(row, int(label)) for row, label in zip(X.tolist(), y, strict=True)]
    learner = DirectedDrift(mode=mode, batch=batch, seed=seed).begin(n)
    edges = [0, *np.cumsum(cuts).clip(max=60).tolist(), 60]
    said = [learner.learn(X[a:b], y[a:b]) for a, b in pairwise(edges) if a < b]
    assert np.concatenate(said).tolist() == expected
    assert (learner.tested, learner.mistakes, learner.updates) == (twin.tested, twin.mistakes, twin.updates)
    assert learner.hypothesis().w.tolist() == twin.w
    assert learner.activation(X).tolist() == [twin.product(row) for row in X.tolist()]


@pytest.mark.parametrize("mode", MODES)
def test_boolean_rows_are_signs_with_zero_for_minus_one(mode):
    _, X, y = data(21, 300)
    signs, bits, words = (DirectedDrift(mode=mode, batch=None if mode == "single" else 9) for _ in range(3))
    expected = signs.learn(X, y).tolist()
    assert bits.learn(X > 0, y).tolist() == expected
    assert words.learn(sparse.csr_matrix(X > 0), y).tolist() == expected
    for learner, rows in ((signs, X), (bits, (X > 0).astype(float))):
        hypothesis = learner.hypothesis()
        np.testing.assert_array_equal(learner.activation(rows), rows @ hypothesis.w - hypothesis.theta)


@pytest.mark.parametrize(("mode", "batch"), [("single", None), ("asynchronous", 5), ("synchronous", 7)])
def test_mistakes_are_of_the_rows_that_were_tested(mode, batch):
    _, X, y = data(15, 400)
    run = ls.play(DirectedDrift(mode=mode, batch=batch), ls.from_arrays(X, y))
    learner = DirectedDrift(mode=mode, batch=batch)
    said = learner.learn(X, y)
    wrong = np.flatnonzero((said != y) & learner.tested_rows)
    assert run.mistakes == learner.mistakes == len(wrong)
    assert run.mistake_trials.tolist() == wrong.tolist()
    assert learner.trials == 400
    assert learner.tested == int(learner.tested_rows.sum()) == 400 - ((batch or 1) - 1) * learner.mistakes
    assert learner.updates == learner.promotions + learner.demotions == learner.mistakes


def test_a_tie_is_right_whatever_its_label():
    """As in the paper's footnote 1: the reflection of a row with w.u = 0 has w.u = 0, too, and that is right."""
    learner = next(made for seed in range(20) if (made := DirectedDrift(seed=seed).begin(2, labels=(0, 1)))
                   and made.hypothesis().w.tolist() == [1, -1])  # fmt: skip
    assert learner.learn([[-1, -1], [1, 1]], [0, 0]).tolist() == [1, 1]
    assert (learner.mistakes, learner.updates, learner.tested) == (0, 0, 2)
    assert learner.hypothesis().w.tolist() == [1, -1]
    assert ls.play(learner, ls.from_arrays([[-1, -1]], [0], labels=(0, 1))).mistakes == 0


def test_mistakes_for_even_n_are_those_of_the_reflected_chain():
    """7.1 where ties were mistakes, each of them a step at random."""
    mistakes = []
    for seed in range(1500):
        _, X, y = data(4, 150, seed)
        learner = DirectedDrift(seed=seed)
        learner.learn(X, y)
        mistakes.append(learner.mistakes)
    expected = drift.chain(4, sampling="reflected").mistakes()
    assert abs(np.mean(mistakes) - expected) < 4 * np.std(mistakes) / 1500**0.5
    assert 4 * np.std(mistakes) / 1500**0.5 < 1.5


@pytest.mark.parametrize("mode", MODES)
def test_it_learns_the_target_and_stops_there(mode):
    target, X, y = data(11, 30_000)
    learner = DirectedDrift(mode=mode, delta=1e-9)
    learner.learn(X, y)
    assert learner.hypothesis().w.tolist() == target.tolist()
    assert learner.terminated
    assert learner.tested < 30_000
    before = learner.hypothesis().w.tolist()
    learner.learn(-X, y)  # everything is wrong, and it has stopped
    assert learner.hypothesis().w.tolist() == before


@pytest.mark.parametrize("name", ["w", "votes", "counts"])
def test_a_state_of_another_size_is_refused(name):
    _, X, y = data(9, 23)
    learner = DirectedDrift(mode="asynchronous", batch=5)
    learner.learn(X, y)
    params, state = learner.params(), learner.state()
    again = DirectedDrift.from_state(params, state)
    assert again.learn(X, y).tolist() == learner.learn(X, y).tolist()
    with pytest.raises(InvalidData, match=f"state: expected {name} of shape"):
        DirectedDrift.from_state(params, {**state, name: np.zeros(77, dtype=state[name].dtype)})
    with pytest.raises(InvalidData, match="restore with the parameters it had"):
        DirectedDrift.from_state({**params, "batch": 500}, state)


def test_patience_is_what_the_rules_give():
    _, X, y = data(11, 20_000)
    by_delta, by_patience = DirectedDrift(delta=0.01), DirectedDrift(patience=drift.hypothesis_rule(11, 0.01))
    for learner in (by_delta, by_patience):
        learner.learn(X, y)
        assert learner.terminated
    assert by_delta.tested == by_patience.tested


def test_memory_is_as_the_paper_charges_it():
    n, m = 101, 50
    assert DirectedDrift().bits is None
    assert DirectedDrift().begin(n).bits == 2 * n
    assert DirectedDrift(mode="asynchronous", batch=m).begin(n).bits == m * n + n


def test_examples_may_be_left_out_but_count_no_more_than_once():
    _, X, y = data(9, 200)
    weight = (np.arange(200) % 3 > 0).astype(float)
    some, kept = DirectedDrift(), DirectedDrift()
    some.learn(X, y, weight=weight)
    kept.learn(X[weight > 0], y[weight > 0])
    assert some.hypothesis().w.tolist() == kept.hypothesis().w.tolist()
    with pytest.raises(InvalidData, match=r"row 0: expected 0 or 1.*repeat the row"):
        some.learn(X, y, weight=np.full(200, 2.0))


# The simulation


@pytest.mark.parametrize("way", ["uniform", "reflected"])
@pytest.mark.parametrize(
    ("n", "mode", "batch"),
    [(3, "single", 1), (4, "single", 1), (2, "asynchronous", 3), (3, "asynchronous", 4), (4, "asynchronous", 3),
     (2, "synchronous", 2), (3, "synchronous", 4), (4, "synchronous", 3), (4, "synchronous", 4)],
)  # fmt: skip
def test_the_law_of_the_mistakes_is_that_of_all_batches(n, mode, batch, way):
    """From a random start: every batch of positive vertices, and from it every next distance to the target."""
    cap, runs = 12, 20_000
    now, law = np.array([comb(n, d) / 2**n for d in range(n + 1)]), []
    moves = np.array([naive.moves(n, d, mode, batch, way) for d in range(n + 1)])
    for _ in range(cap + 1):
        law.append(now[0])
        now = np.append(0.0, now[1:]) @ moves
    law.append(1.0 - sum(law))
    simulation = simulate(n, mode, None if mode == "single" else batch, runs, cap=cap, sampling=way)
    counts = np.bincount(np.where(simulation.converged, simulation.mistakes, cap + 1), minlength=cap + 2)
    expected = runs * np.array(law)
    some = expected > 5
    chi = ((counts - expected)[some] ** 2 / expected[some]).sum()
    assert chi < some.sum() + 5 * np.sqrt(2 * some.sum())
    assert counts[expected < 1e-9].sum() == 0


def near(simulation, expected, errors=5.0):
    assert not simulation.capped.any()
    assert abs(simulation.mean - expected) < errors * simulation.standard_error
    assert (simulation.mistakes >= simulation.begun).all() or simulation.mode == "synchronous"


@pytest.mark.parametrize("sampling", ["uniform", "reflected"])
@pytest.mark.parametrize(
    ("n", "start"), [(5, "opposite"), (8, "opposite"), (9, "random"), (10, "opposite"), (11, "random"), (4, 1)]
)
def test_algorithm_d_follows_its_chain(n, start, sampling):
    chain = drift.chain(n, sampling=sampling)
    simulation = simulate(n, runs=4000, seed=1, start=start, sampling=sampling)
    near(simulation, chain.mistakes({"opposite": n, "random": None}.get(start, start)))
    assert ((simulation.mistakes - simulation.begun) % 2 == 0).all()


@pytest.mark.parametrize("batch", [16, 100])
def test_algorithm_d1_has_the_reference_means(batch):
    expected, error = {16: (21.5, 0.33), 100: (10.66, 0.07)}[batch]
    simulation = simulate(21, "asynchronous", batch, runs=4000)
    assert abs(simulation.mean - expected) < 5 * np.hypot(error, simulation.standard_error)
    assert (simulation.mistakes >= simulation.begun).all()
    assert ((simulation.mistakes - simulation.begun) % 2 == 0).all()


def test_algorithm_d1_with_a_batch_of_one_is_d():
    for n in (9, 10):
        single, batch = simulate(n, runs=500), simulate(n, "asynchronous", 1, runs=500)
        assert single.mistakes.tolist() == batch.mistakes.tolist()


@pytest.mark.parametrize(("n", "expected"), [(5, 0.2405), (9, 0.0595)])
def test_the_coordinate_must_be_chosen_at_random(n, expected):
    """Always the lowest: the last floor(n/2) coordinates never change, so that they must be right at the start."""
    lowest = simulate(n, runs=4000, choice="lowest", cap=2000)
    chance = 2.0 ** -(n // 2)
    assert abs(lowest.converged.mean() - chance) < 5 * np.sqrt(chance / 4000)
    assert expected == pytest.approx(chance, abs=5 * np.sqrt(chance / 2000))  # as measured elsewhere
    assert not simulate(n, runs=200, start="opposite", choice="lowest", cap=2000).converged.any()
    assert simulate(n, "asynchronous", 1, runs=200, start="opposite", choice="lowest", cap=2000).capped.all()
    assert simulate(21, "asynchronous", 100, runs=200, choice="lowest", cap=2000).converged.all()


@pytest.mark.parametrize(("n", "batch", "expected"), [(21, 201, (1.1364, 0.0014)), (101, 1464, (1.124, 0.011))])
def test_algorithm_d2_has_the_reference_means(n, batch, expected):
    simulation = simulate(n, "synchronous", batch, runs=4000)
    assert abs(simulation.mean - expected[0]) < 5 * np.hypot(expected[1], simulation.standard_error)


@pytest.mark.parametrize("n", [11, 21, 51, 101, 201, 401])
def test_theorem3_a_constant_number_of_mistakes(n):
    simulation = simulate(n, "synchronous", runs=2000)
    assert simulation.batch >= pi * n * log(n)
    assert simulation.mean + 2 * simulation.standard_error > 1.1
    assert simulation.mean - 2 * simulation.standard_error < 1.2


SIZES = (11, 21, 31, 51, 101)
FIGURE1 = {
    0.1: (2.31, 4.03, 4.82, 10.2), 0.15: (1.60, 1.79, 2.09, 2.64, 4.48), 0.2: (1.38, 1.33, 1.35, 1.43, 1.59),
    0.25: (1.020, 1.023, 0.998, 0.994, 0.923), 0.3: (0.922, 0.902, 0.845, 0.800, 0.742),
    0.5: (0.693, 0.650, 0.622, 0.583, 0.553), pi / 4: (0.574, 0.557, 0.539, 0.526, 0.514),
    1.0: (0.551, 0.526, 0.526, 0.513, 0.508), pi / 2: (0.511, 0.508, 0.509, 0.508, 0.502),
    pi: (0.505, 0.505, 0.499, 0.499, 0.504),
}  # fmt: skip


@pytest.mark.parametrize(
    ("x", "n", "expected"), [(x, *pair) for x in FIGURE1 for pair in zip(SIZES, FIGURE1[x], strict=False)]
)
def test_figure1(x, n, expected):
    """Both are means of 1000 runs; batches are rounded, as far as is known, to the nearest."""
    simulation = simulate(n, "asynchronous", max(1, round(x * n * log(n))), runs=1000)
    assert abs(simulation.mean / n - expected) < 5 * np.sqrt(2) * simulation.standard_error / n


def test_a_batch_of_one_cannot_settle_all_at_once():
    """After one update w is itself a positive row, and the row that is the target is never a mistake then."""
    simulation = simulate(7, "synchronous", 1, runs=1000, cap=500)
    assert 0.95 < simulation.capped.mean() < 0.995
    assert f"{simulation.capped.sum()} stopped after 500 mistakes" in str(simulation)
    assert "at least" in str(simulation)


@pytest.mark.parametrize("n", [3, 10, 64, 65, 130])
@pytest.mark.parametrize("mode", MODES)
def test_runs_depend_on_nothing_but_their_seed_and_number(n, mode):
    batch = None if mode == "single" else 21
    one = simulate(n, mode, batch, runs=70, seed=3, threads=1, cap=50)
    many = simulate(n, mode, batch, runs=70, seed=3, threads=5, cap=50)
    fewer = simulate(n, mode, batch, runs=40, seed=3, cap=50)
    other = simulate(n, mode, batch, runs=70, seed=4, cap=50)
    for name in ("mistakes", "tested", "begun", "ended"):
        assert getattr(one, name).tolist() == getattr(many, name).tolist()
        assert getattr(fewer, name).tolist() == getattr(one, name)[:40].tolist()
    assert one.begun.tolist() != other.begun.tolist()


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_rows_of_the_simulation_are_uniform(n):
    """A batch that is all of a mistake's votes tells how often each coordinate agrees: exactly mu = P_1 on average."""
    chain = drift.chain(n)
    first = simulate(n, runs=20_000, start=1, cap=1)
    rate = len(first.tested) / first.tested.sum()  # mistakes a row, one weight wrong
    assert rate == pytest.approx(float(chain.P[1]), abs=5 * np.sqrt(rate / first.tested.sum()))


def test_progress_is_told_block_by_block():
    told = []
    simulate(5, runs=100, on_block=told.append)
    assert told == sorted(told)
    assert told[-1] == 100


@pytest.mark.parametrize("n", [5, 11])
@pytest.mark.parametrize("delta", [0.1, 0.01])
def test_the_rule_of_termination_fails_as_often_as_the_chain_says(n, delta):
    wait = drift.paper_rule(n, delta)
    simulation = simulate(n, runs=4000, patience=wait)
    expected = drift.failure_probability(n, wait)
    error = np.sqrt(expected * (1 - expected) / 4000)
    assert abs(simulation.deceived.mean() - expected) < 5 * error


@pytest.mark.parametrize(("mode", "n", "expected"), [
    ("asynchronous", 11, 0.133), ("asynchronous", 10, 0.288), ("asynchronous", 20, 0.336),
    ("synchronous", 11, 0.0105), ("synchronous", 10, 0.077), ("synchronous", 20, 0.059),
])  # fmt: skip
def test_the_paper_s_rule_fails_with_batches_as_it_was_measured(mode, n, expected):
    """Both are shares of 4000 runs, at the batches of Table 1 (rounded up here, for D'' to an odd number)."""
    simulation = simulate(n, mode, runs=4000, patience=drift.paper_rule(n, 0.1))
    assert abs(simulation.deceived.mean() - expected) < 5 * np.sqrt(2 * expected / 4000)


@pytest.mark.parametrize(("n", "uniform", "reflected"), [(10, 1.738, 1.214), (100, 1.277, 1.126)])
def test_reflection_makes_even_n_look_easier(n, uniform, reflected):
    batch = round(pi * n * log(n))
    for sampling, expected in (("uniform", uniform), ("reflected", reflected)):
        simulation = simulate(n, "synchronous", batch, runs=4000, sampling=sampling)
        assert abs(simulation.mean - expected) < 5 * np.sqrt(2) * simulation.standard_error


def test_within_a_distance_is_sooner():
    means = [simulate(15, runs=300, within=d).mean for d in (0, 1, 3, 7)]
    assert means == sorted(means, reverse=True)


# Searching


def test_no_module_takes_the_name_of_what_is_exported():
    """A package's attribute becomes the module of that name as soon as anything imports it."""
    assert not {module.name for module in iter_modules(drift.__path__)} & set(drift.__all__)


def test_search_finds_what_there_is_and_says_what_there_is_not():
    _, X, y = data(13, 400)
    found = search(X, y, seed=2)
    assert found.converged
    assert found.errors == 0
    assert (X @ found.w >= 0).astype(int).tolist() == y.tolist()
    nothing = search(np.array([[1, 1, 1], [-1, -1, -1]]), passes=20)
    assert not nothing.converged
    assert (nothing.passes, nothing.tested, nothing.errors) == (20, 40, 1)
    assert nothing.mistakes >= 20


# Bad input


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: DirectedDrift(mode="double"), "mode must be"),
        (lambda: DirectedDrift(mode="synchronous", batch=0), "batch must be a whole number >= 1"),
        (lambda: DirectedDrift(batch=5), "has no batch"),
        (lambda: DirectedDrift(delta=1.5), "delta must be"),
        (lambda: DirectedDrift(patience=0), "patience must be"),
        (lambda: DirectedDrift(patience=5, delta=0.1), "one of delta and patience"),
        (lambda: DirectedDrift(seed=-1), "seed must be"),
        (lambda: simulate(0), "n must be"),
        (lambda: simulate(5, "double"), "mode must be"),
        (lambda: simulate(5, ["single"]), "mode must be"),
        (lambda: simulate(5, batch=True), "batch must be"),
        (lambda: simulate(5, cap=1 << 64), "cap must be"),
        (lambda: simulate(5, patience=1 << 64), "patience must be"),
        (lambda: simulate(5, "single", 3), "has no batch"),
        (lambda: simulate(5, "asynchronous", 0), "batch must be"),
        (lambda: simulate(5, start="here"), "start must be"),
        (lambda: simulate(5, start=6), "start must be"),
        (lambda: simulate(5, sampling="wrong"), "sampling must be"),
        (lambda: simulate(5, runs=0), "runs must be"),
        (lambda: simulate(5, cap=0), "cap must be"),
        (lambda: simulate(5, patience=0), "patience must be"),
        (lambda: simulate(5, threads=0), "threads must be"),
        (lambda: search(np.ones((2, 3)), passes=0), "passes must be"),
    ],
)
def test_parameters_that_are_refused(call, match):
    with pytest.raises(InvalidParameter, match=match):
        call()


@pytest.mark.parametrize(
    ("X", "match"),
    [
        (np.array([[1, -1, 0]]), "row 0: expected .1 or -1 in each of n=3 places, got 2"),
        (np.array([[1, 0, 1], [2, 1, 0]]), "row 1.*expected .1 or -1"),
        (np.array([[0.5, 1, 1]]), "expected .1 or -1"),
        (np.array([[1, -1]]), "expected rows of n=3 attributes, got rows of 2"),
        (np.array([[1, 0]]), "expected rows of n=3 attributes, got rows of 2"),
        (np.array([[1, -1, 1, 1]]), "expected"),
    ],
)
def test_rows_that_are_refused(X, match):
    learner = DirectedDrift().begin(3)
    learner.learn(np.array([[1, -1, 1]]), [1])
    before = learner.state()
    for call in (lambda: learner.learn(X, np.ones(len(X), dtype=int)), lambda: learner.predict(X)):
        with pytest.raises(InvalidData, match=match):
            call()
    assert all(np.array_equal(before[key], value) for key, value in learner.state().items())
