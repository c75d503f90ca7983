"""The exact theory of Directed Drift: its chain, when to stop, samples, consistent vectors."""

from fractions import Fraction
from itertools import product
from math import comb, exp, inf, log, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlestone import bounds
from littlestone.bounds.drift_chain import central, closest_mistakes
from littlestone.bounds.fang_venkatesh import FITTED, growth_constants, theorem1_constants
from littlestone.core.errors import InvalidParameter, TooLarge
from littlestone.theory import drift


def enumerated(n, d, way):
    """P_d and p_d, from all vertices: the target is all +1, the first d coordinates of w are wrong."""
    w = [-1] * d + [1] * (n - d)
    total = mistakes = down = Fraction(0)
    for u in product((-1, 1), repeat=n):
        weight = Fraction(0 if sum(u) < 0 else 1 if sum(u) == 0 and way == "reflected" else 2)
        total += weight
        wrong = [i for i in range(n) if w[i] != u[i]]
        if 2 * len(wrong) > n:
            mistakes += weight
            down += weight * Fraction(sum(i < d for i in wrong), len(wrong))
    return mistakes / total, down / mistakes


@pytest.mark.parametrize("way", ["uniform", "reflected"])
@pytest.mark.parametrize("n", range(1, 9))
def test_the_chain_is_that_of_all_vertices(n, way):
    chain = drift.chain(n, sampling=way, exact=True)
    found = [enumerated(n, d, way) for d in range(1, n + 1)]
    assert list(zip(chain.P, chain.p, strict=True))[1:] == found
    assert closest_mistakes(n, way) == pytest.approx(float(chain.P[1]), rel=1e-15)


RATIONALS = {  # n: p, E from distance 1..n, E from a random start
    1: ("1", "1", "1/2"),
    2: ("1/2 1", "3 4", "5/2"),
    3: ("1/2 5/6 1", "17/5 24/5 29/5", "19/5"),
    4: ("1/3 11/18 3/4 1", "277/33 122/11 421/33 454/33", "907/88"),
    5: ("1/3 7/12 71/100 22/25 1", "50205/5467 67107/5467 7059/497 84607/5467 90074/5467", "1105847/87472"),
}


@pytest.mark.parametrize("n", RATIONALS)
def test_rationals_of_the_specification(n):
    p, E, random = ([Fraction(x) for x in row.split()] for row in RATIONALS[n])
    chain = drift.chain(n, exact=True)
    assert list(chain.p[1:]) == p
    assert [chain.mistakes(d) for d in range(n + 1)] == [0, *E]
    assert [chain.mistakes()] == random
    assert (chain.mistakes(0), chain.variance(0), chain.examples(0)) == (0, 0, 0)
    if n > 1:
        assert chain.examples(n) == {2: 12, 3: Fraction(51, 5), 4: Fraction(628, 15)}.get(n, chain.examples(n))


def test_floats_of_the_specification():
    first = {7: 23.7785, 9: 61.9298, 11: 164.491, 15: 1238.40, 21: 29211.4, 31: 7.16251e6, 41: 2.1192e9, 101: 8.8588e24}
    last = {7: 39.894, 9: 94.339, 11: 228.931, 15: 1522.64, 21: 33063.2, 10: 209.04}
    assert all(drift.chain(n).mistakes(1) == pytest.approx(E, rel=3e-5) for n, E in first.items())
    assert all(drift.chain(n).mistakes(n) == pytest.approx(E, rel=3e-5) for n, E in last.items())
    assert [float(f"{drift.chain(31).mistakes(31, within=d):.2g}") for d in (0, 1, 3, 7)] == [7.7e6, 5.6e5, 1.6e4, 310]
    assert round(drift.chain(31).mistakes(31, within=7)) == 306
    assert drift.chain(11).mistakes() == pytest.approx(218.77, abs=0.005)
    simulated = drift.chain(10, sampling="reflected").mistakes(10)  # 4000 runs: 178.9
    assert simulated == pytest.approx(178.9, abs=5 * drift.chain(10).variance(10) ** 0.5 / sqrt(4000))


@pytest.mark.parametrize("n", [1, 2, 3, 12, 13, 40, 101])
@pytest.mark.parametrize("way", ["uniform", "reflected"])
def test_floats_are_the_rationals(n, way):
    exact, chain = drift.chain(n, sampling=way, exact=True), drift.chain(n, sampling=way)
    np.testing.assert_allclose(chain.P, np.array(exact.P, dtype=float), rtol=1e-14)
    np.testing.assert_allclose(chain.p, np.array(exact.p, dtype=float), rtol=1e-14)
    for d in {0, 1, n // 2, n} if n <= 40 else {1}:
        true = float(exact.mistakes(d))
        assert chain.mistakes(d) == pytest.approx(true, rel=1e-12)
        assert exp(chain.mistakes(d, log=True)) == pytest.approx(true, rel=1e-11)
        assert chain.mistakes(d, log=True) == pytest.approx(exact.mistakes(d, log=True), rel=1e-12)
        assert chain.examples(d) == pytest.approx(float(exact.examples(d)), rel=1e-12)
        assert n > 40 or chain.variance(d) == pytest.approx(float(exact.variance(d)), rel=1e-12)
    if n <= 40:
        for within in {0, 1, n // 3}:
            for one in ("mistakes", "examples", "variance"):
                true = float(getattr(exact, one)(within=within))
                assert getattr(chain, one)(within=within) == pytest.approx(true, rel=1e-12)
            assert exp(chain.examples(log=True)) == pytest.approx(float(exact.examples()), rel=1e-11)


@pytest.mark.parametrize("n", [*range(1, 42), 100, 101, 300, 301, 1000, 1001])
def test_identities_of_the_chain(n):
    chain = drift.chain(n)
    P = np.array(chain.P)
    assert P[1] == pytest.approx(closest_mistakes(n), rel=1e-13)
    np.testing.assert_allclose(P[1:-1:2], P[2::2], rtol=1e-12)  # P_(2j-1) = P_2j
    assert np.all(np.diff(P) >= -1e-13)
    assert P[n] == pytest.approx(1 if n % 2 else (1 - central(n)) / (1 + central(n)), rel=1e-13)
    assert chain.p[n] == 1
    share = np.arange(1, n + 1) / n
    assert np.all(share * (1 - 1e-12) <= chain.p[1:]) and np.all(chain.p[1:] <= 2 * share)
    assert n < 2 or chain.mistakes(1, log=True) > log(theorem1_constants()[0]) + theorem1_constants()[1] * n
    assert n < 4 or chain.mistakes(n, log=True) < n * log(n / 2)
    if n % 2 == 0:
        reflected_P = drift.chain(n, sampling="reflected").P
        assert np.all(np.diff(reflected_P) >= -1e-13)


def test_the_bias_of_one_coordinate_is_the_least_probability_of_a_mistake():
    for n in range(1, 11):
        positive = [u for u in product((-1, 1), repeat=n) if sum(u) >= 0]
        assert len(positive) == drift.positive_half(n)
        assert Fraction(sum(u[0] for u in positive), len(positive)) == drift.chain(n, exact=True).P[1]


def test_mistakes_have_the_variance_of_the_chain():
    """The chain's own law: probabilities of all numbers of mistakes, until next to nothing is left."""
    for n, d in ((5, 5), (6, 2), (7, 7)):
        chain = drift.chain(n)
        at, mean, square, t = np.zeros(n + 2), 0.0, 0.0, 0
        at[d] = 1.0
        p = np.array([*chain.p, 0.0])
        while at[1:].sum() > 1e-13:
            t += 1
            at = np.append((at * p)[1:], 0.0) + np.append(0.0, (at * (1 - p))[:-1])
            mean, square, at[0] = mean + t * at[0], square + t * t * at[0], 0.0
        assert chain.mistakes(d) == pytest.approx(mean, rel=1e-9)
        assert chain.variance(d) == pytest.approx(square - mean**2, rel=1e-8)


def slope(ns, values):
    return np.polyfit(ns, values, 1)[0]


def test_growth():
    ln_E = {n: drift.chain(n).mistakes(1, log=True) for n in (*range(1, 302), 1001, 2000, 3000)}
    local = {5: 0.50, 7: 0.48, 9: 0.48, 15: 0.51, 21: 0.534, 31: 0.559, 41: 0.575}
    assert all((ln_E[n] - ln_E[n - 2]) / 2 == pytest.approx(s, abs=0.005) for n, s in local.items())
    for ns, expected in ((range(5, 22, 2), 0.504), (range(11, 42, 2), 0.547)):
        assert slope(ns, [ln_E[n] for n in ns]) == pytest.approx(expected, abs=5e-4)
    assert (ln_E[13] - ln_E[5]) / 8 == pytest.approx(0.4856, abs=5e-5)
    n = np.arange(51, 302, 2)
    terms = np.stack([n, np.sqrt(n), np.log(n), np.ones(len(n))], axis=1)
    fit = np.linalg.lstsq(terms, [ln_E[i] for i in n], rcond=None)[0]
    assert np.all(np.abs(fit - [0.6928, -1.690, 0.631, 1.55]) < [1e-4, 5e-3, 0.01, 0.02])
    root, power = growth_constants()
    for odd, fitted in FITTED.items():
        n = np.arange(52 - odd, 302, 2)
        E = np.array([ln_E[i] for i in n])
        left = E - n * log(2) + root * np.sqrt(n) - power * np.log(n)
        again = np.linalg.lstsq(np.stack([np.ones(len(n)), n**-0.5], axis=1), left, rcond=None)[0]
        assert again == pytest.approx(fitted, abs=6e-5)
        free = np.stack([np.sqrt(n), np.log(n), np.ones(len(n)), n**-0.5], axis=1)
        assert np.linalg.lstsq(free, E - n * log(2), rcond=None)[0][0] == pytest.approx(-root, rel=1e-3)
    for n in (i for i in ln_E if i >= 5):
        near = 1e-3 if 51 <= n <= 301 else 5e-3 if n > 301 else 0.14
        assert bounds.directed_drift_growth(n, log=True) == pytest.approx(ln_E[n], abs=near)
    assert bounds.directed_drift_growth(10**6) == inf
    assert exp(bounds.directed_drift_growth(77, log=True)) == bounds.directed_drift_growth(77)


def test_the_exact_expectation_as_a_bound():
    bound = bounds.directed_drift_exact(n=5, d=5)
    assert (bound.kind, bound.claim) == ("exact", "expected mistakes = 16.4759")
    assert bound.at(d=None).value == float(Fraction(RATIONALS[5][2]))
    assert bound.needed("n", 100).value == 9
    assert bounds.directed_drift_exact(n=9, d=9).value < 100 < bounds.directed_drift_exact(n=10, d=10).value
    with pytest.raises(InvalidParameter, match="the value is in the range of floats"):
        bounds.directed_drift_exact(n=1200)
    assert bounds.directed_drift_exact(n=1200, within=600).value < 600


def test_batch_sizes_and_memory_of_table_1():
    for n in (1, 2, 11, 21, 51, 101, 201, 401):
        need = n * log(n)
        assert drift.batch_size(n, "single") == 1
        assert 0 <= drift.batch_size(n, "asynchronous") - pi / 2 * need <= 1
        synchronous = drift.batch_size(n, "synchronous")
        assert 0 <= synchronous - pi * need < 2 and synchronous % 2 == 1
        for mode, m in (("asynchronous", 7), ("synchronous", synchronous)):
            assert drift.memory_bits(n, mode, batch=m) == m * n + n
            assert drift.memory_bits(n, mode, batch=m, counters=True) == n * int(np.ceil(np.log2(m + 1))) + 2 * n
        assert drift.memory_bits(n, "single") == drift.memory_bits(n, "single", counters=True) == 2 * n


@given(st.integers(1, 300), st.floats(1e-9, 0.999), st.sampled_from(["uniform", "reflected"]))
@settings(max_examples=60)
def test_the_rule_for_one_hypothesis_is_the_least(n, delta, way):
    T0 = drift.hypothesis_rule(n, delta, sampling=way)
    stays = 1 - closest_mistakes(n, way)
    assert stays**T0 < delta * (1 + 1e-9)
    assert T0 == 1 or stays ** (T0 - 1) >= delta * (1 - 1e-9)
    if n % 2:
        assert drift.paper_rule(n, delta) >= T0
    elif way == "uniform" and n > 1:
        assert log(1 / delta) / log(1 + central(n)) * (1 - 1e-12) < T0


def test_the_papers_rule_holds_for_odd_n_only():
    assert all(closest_mistakes(n) > sqrt(2 / (pi * n)) for n in range(1, 2000, 2))
    assert all(closest_mistakes(n) < sqrt(2 / (pi * n)) for n in range(2, 2000, 2))
    found = [(1 - closest_mistakes(n)) ** drift.paper_rule(n, d) for n, d in ((20, 0.1), (10, 0.1), (10, 1e-6))]
    assert found == pytest.approx([0.121, 0.111, 5.6e-6], rel=0.01)
    assert drift.hypothesis_rule(3, 0.25) == 3 and drift.hypothesis_rule(3, 0.2500001) == 2  # (1/2)^2 is not below 1/4
    assert 0 <= drift.paper_rule(10**9 + 1, 0.1) - drift.hypothesis_rule(10**9 + 1, 0.1) <= 1


def test_no_delta_is_too_small():
    """The least float above 0, whose reciprocal is none."""
    tiny = 5e-324
    assert drift.paper_rule(5, tiny) > drift.paper_rule(5, 1e-300)
    assert drift.hypothesis_rule(5, tiny) <= drift.paper_rule(5, tiny)
    assert drift.hypothesis_rule(5, tiny) < drift.least_rule(5, tiny) <= drift.overall_rule(5, tiny)


FAILURES = {
    0.1: {5: 0.2317, 11: 0.7244, 21: 0.9787, 41: 1.0, 101: 1.0},
    0.01: {5: 0.0167, 11: 0.0872, 21: 0.3988, 51: 0.9986},
    1e-3: {11: 0.00705, 51: 0.5875},
    1e-6: {51: 1.5e-4, 101: 8.0e-4},
}


@pytest.mark.parametrize("delta", FAILURES)
def test_how_often_the_papers_rule_is_wrong(delta):
    for n, wrong in FAILURES[delta].items():
        found = drift.failure_probability(n, drift.paper_rule(n, delta))
        assert found == pytest.approx(wrong, rel=0.03 if wrong < 1e-3 else 0.003)


@pytest.mark.parametrize(
    ("n", "T0", "way"), [(3, 1, "uniform"), (5, 4, "uniform"), (6, 9, "uniform"), (6, 9, "reflected")]
)
def test_the_recursion_of_failures_is_the_linear_system(n, T0, way):
    """Solved densely, which is sound for small n alone: from d stop, or go to d-1 or d+1."""
    chain = drift.chain(n, sampling=way)
    A, b = np.eye(n), np.zeros(n)
    for d in range(1, n + 1):
        s = (1 - chain.P[d]) ** T0
        b[d - 1] = s
        if d > 1:
            A[d - 1, d - 2] = -(1 - s) * chain.p[d]
        if d < n:
            A[d - 1, d] = -(1 - s) * (1 - chain.p[d])
    wrong = np.linalg.solve(A, b)
    found = [drift.failure_probability(n, T0, d=d, sampling=way) for d in range(n + 1)]
    assert found == pytest.approx([0.0, *wrong], rel=1e-10)
    weights = [comb(n, d) / 2**n for d in range(n + 1)]
    assert drift.failure_probability(n, T0, sampling=way) == pytest.approx(np.dot(weights, found), rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 5, 10, 11, 20, 51, 101, 300])
@pytest.mark.parametrize("delta", [0.3, 0.1, 1e-3, 1e-9])
def test_the_overall_rule_bounds_the_probability_of_a_wrong_output(n, delta):
    for start in (None, 1, n):
        enough = drift.overall_rule(n, delta, d=start)
        least = drift.least_rule(n, delta, d=start)
        assert least <= enough
        assert drift.failure_probability(n, enough, d=start) <= drift.failure_probability(n, least, d=start) <= delta
        assert least == 1 or drift.failure_probability(n, least - 1, d=start) > delta
    if n > 1:
        assert drift.hypothesis_rule(n, delta) <= drift.overall_rule(n, delta)


BAD = {
    "n": [lambda: drift.chain(0), lambda: drift.chain(2.5), lambda: drift.chain("5"), lambda: drift.positive_half(0),
          lambda: drift.batch_size(0, "single"), lambda: drift.sample(0, 3, seed=0), lambda: drift.paper_rule(0, 0.1),
          lambda: bounds.directed_drift_growth(0), lambda: drift.memory_bits(-1, "single"),
          lambda: drift.memory_bits(-1, "synchronous", batch=3), lambda: drift.batch_size(10**400, "synchronous"),
          lambda: drift.hypothesis_rule(10**400, 0.1), lambda: bounds.directed_drift_growth(10**400),
          lambda: drift.reflection_bias(0), lambda: central(3), lambda: drift.consistent_fraction(0, 1, 1, seed=0)],
    "d": [lambda: drift.chain(5).mistakes(6), lambda: drift.chain(5).examples(-1, log=True),
          lambda: drift.chain(5).variance(7), lambda: drift.failure_probability(5, 3, d=6)],
    "within": [lambda: drift.chain(5).mistakes(within=6), lambda: drift.chain(5).mistakes(1, within=-1)],
    "delta": [lambda: drift.paper_rule(5, 0), lambda: drift.hypothesis_rule(5, 1), lambda: drift.overall_rule(5, -0.1),
              lambda: drift.least_rule(5, float("nan")), lambda: drift.paper_rule(5, True)],
    "T0": [lambda: drift.failure_probability(5, 0), lambda: drift.failure_probability(5, 10**400)],
    "T ": [lambda: drift.expected_consistent(5, -1)],
    "mode": [lambda: drift.batch_size(5, "D'"), lambda: drift.memory_bits(5, None),
             lambda: drift.memory_bits(5, "D'", batch=3)],
    "batch": [lambda: drift.memory_bits(5, "synchronous", batch=0), lambda: drift.memory_bits(5, "single", batch=2)],
    "sampling": [lambda: drift.chain(4, sampling="other"), lambda: drift.sample(4, 3, seed=0, sampling=[]),
                 lambda: drift.hypothesis_rule(4, 0.1, sampling=None), lambda: drift.chain(3, sampling="odd")],
    "seed": [lambda: drift.sample(4, 3, seed=None), lambda: drift.sample(4, 3, seed=-1)],
    "ratio": [lambda: drift.consistent_fraction(5, 0, 3, seed=0)],
    "samples": [lambda: drift.consistent_fraction(5, 1, 0, seed=0)],
    "time_limit": [lambda: drift.consistent_vector([[1]], time_limit=0)],
}  # fmt: skip


@pytest.mark.parametrize(("words", "call"), [(words, call) for words, calls in BAD.items() for call in calls])
def test_parameters_that_make_no_sense(words, call):
    with pytest.raises(InvalidParameter, match=words):
        call()


def test_what_is_too_large():
    for call in (lambda: drift.chain(201, exact=True), lambda: drift.chain(3001), lambda: drift.positive_half(10**9)):
        with pytest.raises(TooLarge, match="expected n <= .*; "):
            call()
