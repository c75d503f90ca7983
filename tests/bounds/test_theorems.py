"""Every theorem: what it refuses, its numbers in the papers, and that it holds."""

from fractions import Fraction
from itertools import product
from math import ceil, comb, e, inf, isnan, log, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone import bounds
from littlestone.bounds import STATEMENTS, THEOREMS
from littlestone.bounds.agarwal import _g
from littlestone.bounds.fang_venkatesh import theorem1_constants
from littlestone.bounds.ledger import theorem4_factors, theorem4_vote
from littlestone.core.errors import InvalidParameter

USUAL = {
    "n": 40, "k": 3, "X": 12, "gamma": 0.3, "eta": 0.3, "radius": 1.1, "norm": 1.2, "losses": 3.0, "loss": 2.0,
    "experts": 50, "beta": 0.5, "beta1": 2.7, "beta0": 0.2, "theta": 0.05, "p": 3, "size": 10, "overlap": 3,
    "sets": 400, "a": 0.7, "b": 1.5, "r": 0.8, "energy": 4.0, "spread": 6.0, "updates": 5, "lengths": 9.0,
    "distance": 1.5,
    "Y": 2.5, "width": 1.7,
    "C": 0.7, "floor": 0.1, "trials": 500, "mistakes": 20, "R": 1.3, "gradient": 1.2, "survived": 200,
    "changes": 5, "epsilon": 0.1, "errors": 7, "U": 2.0, "divergence": 1.5,
    "volume": 3.0, "residual": 4.0,
}  # fmt: skip
NEVER = [np.nan, inf, -inf, np.float64("nan"), True, np.bool_(True), 1j, "3", [1], b""]  # fmt: skip
ABSURD = [0, -1, -0.0, 1.5, -2.5, 10**6, 10**9, 10**400, 5e-324, 1e-300, 1e-9, 1 - 1e-16, 1 + 1e-15, 1e300, 2.0,
          Fraction(1, 3), Fraction(10**400, 3), 1 + Fraction(1, 10**40), np.int64(3), np.float32(0.5),
          None]  # fmt: skip
ARGUMENTS = [(name, argument) for name, s in STATEMENTS.items() for argument in (*s.required, *s.optional)]


def usual(name):
    return {argument: USUAL[argument] for argument in STATEMENTS[name].required}


def says_something(name, numbers):
    """A plain number that is not below 0, or a refusal that names the theorem."""
    try:
        bound = THEOREMS[name](**numbers)
    except InvalidParameter as error:
        assert str(error).startswith(name + ": expected")  # noqa: PT017
        return
    assert type(bound.value) in (int, float)
    assert not isnan(bound.value) and bound.value >= 0
    assert bound.kind == "upper" or bound.value < inf
    assert all(type(number) in (int, float, Fraction, type(None)) for number in bound.arguments.values())
    assert str(bound).startswith(STATEMENTS[name].of)


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_junk_is_refused_and_huge_numbers_are_not_too_much(name, argument):
    for number in ABSURD:
        says_something(name, {**usual(name), argument: number})
    for number in NEVER:
        with pytest.raises(InvalidParameter, match=argument):
            THEOREMS[name](**{**usual(name), argument: number})
    if argument in STATEMENTS[name].whole:
        with pytest.raises(InvalidParameter, match=f"whole number for {argument}"):
            THEOREMS[name](**{**usual(name), argument: 1.5})
        with pytest.raises(InvalidParameter, match=argument):
            THEOREMS[name](**{**usual(name), argument: -1})


@given(st.sampled_from(sorted(THEOREMS)), st.data())
@settings(max_examples=1500)
def test_junk_everywhere_at_once(name, data):
    numbers = st.one_of(st.sampled_from(ABSURD), st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 50),
                        st.integers(0, 10**12), st.floats(0, 3))  # fmt: skip
    statement = STATEMENTS[name]
    given_numbers = {argument: data.draw(numbers) for argument in statement.required}
    for argument in data.draw(st.lists(st.sampled_from([*statement.optional, None]), unique=True)):
        if argument:
            given_numbers[argument] = data.draw(numbers)
    says_something(name, given_numbers)


def test_a_bound_says_what_it_bounds():
    assert str(bounds.directed_drift_upper(n=4)) == "expected mistakes <= 16 (Fang-Venkatesh, Theorem 1, upper)"
    assert str(bounds.vc_lower(n=8, k=1)).startswith("mistakes >= 3 (")
    assert bounds.Bound(3, "upper", "t", "a", "s", "elimination", {"n": 4, "k": 1}).of == "mistakes"
    randomised = {name for name, statement in STATEMENTS.items() if "expected" in statement.of}
    assert randomised == {"directed_drift_exact", "directed_drift_lower", "directed_drift_upper",
                          "thresholded_beg_randomized", "voted_error", "weighted_majority_randomized",
                          "winnow_randomized"}  # fmt: skip
    assert set(THEOREMS) == set(STATEMENTS) <= set(bounds.__all__)
    assert all(statement.assumptions and statement.source for statement in STATEMENTS.values())


def test_numbers_of_the_specification():
    assert round(bounds.ellipsoid_simple(n=10, k=2).value) == 632
    assert round(bounds.ellipsoid(n=10, k=2).value) == 578
    assert theorem1_constants() == (1.7718665519963888, 0.1392322713805369)
    assert bounds.weighted_majority(experts=2**20, beta=0).value == pytest.approx(20)
    assert [bounds.vc_lower(n=n, k=k).value for n, k in ((4, 2), (8, 2), (12, 3), (16, 2), (8, 1))] == [2, 4, 6, 6, 3]
    assert bounds.kernel_perceptron_lower(size=4, overlap=0, sets=20).value == 18
    assert [bounds.kernel_perceptron_lower(size=n // 20, overlap=n // 80, sets=10**12).value - 2
            for n in (160, 200, 240, 320, 380, 400, 800)] == [64, 256, 512, 4096, 32768, 32768, 2**30]  # fmt: skip
    assert bounds.kernel_perceptron_lower(size=10**9, overlap=1, sets=7).value == 9
    assert bounds.kernel_perceptron_dnf(k=10**6, X=10**9).value == inf


TABLE = """2: 8, 14
3: 9.75, 17.5, 25.3
4: 11, 20, 29
5: 11.97, 21.9, 31.9
6: 12.75, 23.5, 34.3
7: 13.4, 24.8, 36.3
8: 14, 26, 38
9: 14.51"""


@pytest.mark.parametrize("line", TABLE.splitlines())
def test_theorem_2_as_tabulated(line):
    n, columns = line.split(":")
    for k, column in enumerate(columns.split(","), start=1):
        digits = len(column.partition(".")[2])
        assert round(bounds.winnow_theorem2(n=int(n), k=k).value, digits) == float(column)


@given(st.integers(1, 300), st.data(), st.fractions(Fraction(11, 10), 5), st.fractions(1, 1000))
def test_the_whole_number_form_of_theorem_2_is_never_larger(n, data, alpha, theta):
    k = data.draw(st.integers(0, n))
    sharper = bounds.winnow_disjunction(n=n, k=k, alpha=alpha, theta=theta).value
    assert sharper <= bounds.winnow_theorem2(n=n, k=k, alpha=alpha, theta=theta).value * (1 + 1e-12)


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_kernel_winnow_is_winnow_over_conjunctions(n):
    for alpha, theta in ((2, None), (1.5, 7), (3, 2**n)):
        explicit = bounds.winnow_theorem2(n=2**n - 1, k=1, alpha=alpha, theta=theta).value
        assert bounds.kernel_winnow_dnf(n=n, k=1, alpha=alpha, theta=theta).value == pytest.approx(explicit)
    assert bounds.kernel_winnow_dnf(n=2000, k=5).value == pytest.approx(2 + 15 * 2001)
    assert bounds.kernel_winnow_dnf(n=2000, k=5, theta=2**1999).value == pytest.approx(4 + 15 * 2000)


def test_additive_lower_bounds():
    for d in range(8):
        for k in (1, 2, 3, 5):
            n = 2**d + k - 1
            assert bounds.additive_lower(n=n, k=k).value == 2**d
            assert bounds.additive_lower_any_start(n=n, k=k).value == (2 ** (d - 1) if d else 0)


@pytest.mark.parametrize(("n", "k"), [(996, 5), (130, 4), (31, 1), (7, 2)])
def test_no_adversary_of_ours_forces_more_than_the_lower_bound(n, k):
    """512 was promised for n = 996, where the adversary of order 992 forces 992 mistakes."""
    order = next(order for order in range(n - k + 1, 0, -1) if _can_be_made(order))
    assert bounds.additive_lower(n=n, k=k).value == order
    assert bounds.additive_lower_any_start(n=n, k=k).value == order // 2
    if n < 500:
        assert ls.play(ls.Perceptron(), ls.teachers.Hadamard(order=order, k=k)).mistakes == order


def _can_be_made(order):
    try:
        return len(ls.teachers.hadamard_matrix(order)) == order
    except InvalidParameter:
        return False


def test_theorem_1_of_fang_and_venkatesh_against_the_exact_chain():
    for n in (*range(2, 42), 101, 199, 300, 301):
        assert bounds.directed_drift_lower(n=n).value <= bounds.directed_drift_exact(n=n, d=1).value
        assert n < 4 or bounds.directed_drift_upper(n=n).value >= bounds.directed_drift_exact(n=n, d=n).value
    alpha, beta = theorem1_constants()
    assert bounds.directed_drift_exact(n=1, d=1).value < alpha * e**beta  # what is refused is false
    assert all((n / 2) ** n < bounds.directed_drift_exact(n=n, d=n).value for n in (1, 2, 3))
    for n in (1, 2, 3):
        with pytest.raises(InvalidParameter, match="n >= 4 .below, the statement is false"):
            bounds.directed_drift_upper(n=n)
    with pytest.raises(InvalidParameter, match="n >= 2"):
        bounds.directed_drift_lower(n=1)
    with pytest.raises(InvalidParameter, match="range of floats"):
        bounds.directed_drift_lower(n=6000)
    assert bounds.directed_drift_upper(n=6000).value == inf


@pytest.mark.parametrize(("n", "start", "rise"), [(2, 8.43, 4.326), (10, 9.45, 3.373), (10**7, 10.06, 3.363)])
def test_theorem_4s_ledger(n, start, rise):
    ledger, factors = bounds.theorem4_ledger(n), theorem4_factors(n)
    assert (round(ledger.mistakes(0), 2), round(ledger.mistakes(1) - ledger.mistakes(0), 3)) == (start, rise)
    odds = factors.beta1 * factors.most * np.arange(1, 4002) / 4001
    lost = [1 - theorem4_vote(factors.beta0 * o, factors) / theorem4_vote(o, factors) for o in odds]
    assert np.all(np.diff(lost) < 0)  # the least fraction is lost at the largest odds
    assert ledger.fall == pytest.approx(lost[-1] * n * log(1.6) / (2 * (n - 1)))
    assert 1 / (n - 1) <= odds[-1]  # where the odds start
    assert theorem4_vote(factors.most, factors) == pytest.approx(log(1.6) * (n - 0.5) / (n - 1))


@pytest.mark.parametrize("n", [2, 3, 4, 5, 7, 10, 30, 100, 1000, 10**4, 10**5, 10**6, 10**7])
def test_the_sharper_forms_are_below_the_paper(n):
    for k in range(min(n, 200) + 1):
        third, fourth = bounds.bayes_beg_theorem3_sharper(n=n, k=k), bounds.bayes_beg_theorem4_sharper(n=n, k=k)
        assert third.value <= bounds.bayes_beg_theorem3(n=n, k=k).value
        assert fourth.value <= bounds.bayes_beg_theorem4(n=n, k=k).value
        free, printed = bounds.thresholded_beg_noise_free(n=n, k=k), bounds.thresholded_beg_corollary1(n=n, k=k)
        assert free.value <= printed.value or (n, k, int(printed.value)) == (2, 0, int(free.value))
        assert bounds.ellipsoid(n=n, k=k).value < bounds.ellipsoid_simple(n=n, k=k).value
    assert bounds.theorem3_ledger(n).start / bounds.theorem3_ledger(n).fall <= 3.2243


WORST = {  # exact worst cases, by search over all games; (n, k): mistakes with 0, 1, 2, ... attribute errors
    "bayes_beg_theorem4_sharper": {(2, 1): [1, 3, 6, 8, 11, 14, 16], (3, 1): [2, 5, 9, 12, 15], (4, 1): [4, 8, 11, 15],
                                   (4, 2): [5, 9, 12], (7, 3): [13]},
    "thresholded_beg": {(2, 1): [1, 3, 5, 7], (3, 2): [2, 4, 6, 8], (4, 1): [4, 7, 9, 12], (5, 2): [7, 10, 12, 15]},
    "bayes_beg_theorem3_sharper": {(3, 3): [3], (6, 4): [9], (9, 1): [5], (9, 4): [14], (8, 0): [2]},
    "thresholded_beg_corollary1": {(2, 0): [2], (3, 3): [3], (6, 4): [9], (9, 4): [12]},
    "winnow_attribute_errors": {(3, 1): [2], (4, 2): [4], (5, 2): [7]},
    "winnow_disjunction": {(2, 2): [2], (5, 3): [14], (8, 3): [20], (9, 1): [9]},
}  # fmt: skip


@pytest.mark.parametrize("name", WORST)
def test_exact_worst_cases_are_within_the_bound(name):
    for (n, k), mistakes in WORST[name].items():
        for errors, count in enumerate(mistakes):
            noise = {"attribute_errors": errors} if errors else {}
            assert count <= THEOREMS[name](n=n, k=k, **noise).value


def test_general_winnow_has_the_special_one_in_it():
    numbers = {"n": 50, "k": 4, "alpha": 1.7, "w1": 0.02, "attribute_errors": 3}
    special = bounds.winnow_attribute_errors(**numbers).value
    theta = 1.7 * log(1.7) / (1.7**2 - 1)
    assert bounds.winnow_attribute_errors(**numbers, theta=theta, demotion=1 / 1.7).value == pytest.approx(special)
    assert bounds.winnow_attribute_errors(**numbers, theta=theta).value == pytest.approx(special)
    scaled = {**numbers, "w1": 0.02 * 8}  # weights and threshold scaled alike make the same predictions
    assert bounds.winnow_attribute_errors(**scaled, theta=theta * 8).value == pytest.approx(special)
    assert bounds.winnow_attribute_errors(**numbers, demotion=0).value == inf
    assert bounds.winnow_attribute_errors(**{**numbers, "attribute_errors": 0}, demotion=0).value < inf


def test_randomised_bounds_replace_alpha_plus_one_by_alpha():
    numbers = {"n": 80, "k": 3, "alpha": 2.0, "attribute_errors": 7}
    for deterministic, randomised in ((bounds.thresholded_beg, bounds.thresholded_beg_randomized),
                                      (bounds.winnow_attribute_errors, bounds.winnow_randomized)):  # fmt: skip
        assert randomised(**numbers).value == pytest.approx(deterministic(**numbers).value * 2 / 3)


def test_disjunctions_counted_as_experts():
    for n, k in ((5, 0), (5, 2), (6, 6), (1000, 3), (2000, 999), (10**9, 20), (5000, 1500)):
        bits = log2(sum(comb(n, size) for size in range(k + 1)))
        near = bounds.direct_weighted_majority(n=n, beta=0, k=k).value
        assert bits * (1 - 1e-12) <= near <= bits + (0.5 if k > 1000 else 1e-9)
    assert bounds.direct_weighted_majority(n=2000, beta=0, k=1500).value == pytest.approx(2000)


def test_g_keeps_its_digits():
    assert _g(1.0) == log(2)
    for eps in (1e-12, 1e-6, 0.1, 0.9, 1 - 1e-12):
        assert eps * eps / 2 <= _g(eps) <= eps * eps * log(2) * (1 + 1e-12)
    eta = bounds.optimal_eta(gamma=0.3, radius=2, norm=0.5)
    best = bounds.normalized_winnow_optimal(n=70, gamma=0.3, radius=2, norm=0.5, entropy=1.0).value
    given_eta = bounds.normalized_winnow_margin(n=70, gamma=0.3, radius=2, norm=0.5, entropy=1.0, eta=eta).value
    assert best == pytest.approx(given_eta)
    assert bounds.normalized_winnow_optimal(n=1, gamma=1e-300).value == 0
    with pytest.raises(InvalidParameter, match="no margin is larger"):
        bounds.normalized_winnow_optimal(n=5, gamma=1.1)
    with pytest.raises(InvalidParameter, match="entropy <= ln n"):
        bounds.normalized_winnow_optimal(n=5, gamma=0.5, entropy=2.0)


def test_noise_that_a_learner_cannot_bear_has_no_bound():
    assert bounds.winnow_disjunction(n=9, k=2, demotion=0, attribute_errors=1).value == inf
    assert bounds.normalized_winnow_disjunction(n=9, k=2, beta1=e, beta0=0, theta=0.2, attribute_errors=1).value == inf
    assert bounds.weighted_majority(experts=9, beta=0, errors=1).value == inf
    halves = bounds.winnow_disjunction(n=9, k=0, demotion=0.125, attribute_errors=1).value  # 1/8 = 2^-3: 3 promotions
    assert halves == 3 + ceil(Fraction(9 + 3 * 9, 9) / Fraction(7, 8)) - 1


@pytest.mark.parametrize("literals", [1, 2])
@pytest.mark.parametrize("max_size", [None, 1, 2, 3])
def test_kernel_winnow_counts_the_conjunctions_it_weighs(literals, max_size):
    """Every attribute is left out, taken, or (literals 2) taken negated."""
    n = 4
    choices = product(range(literals + 1), repeat=n)
    N = sum(0 < np.count_nonzero(choice) <= (max_size or n) for choice in choices)
    bound = bounds.kernel_winnow_dnf(n=n, k=2, literals=literals, max_size=max_size)
    assert bound.value == pytest.approx(bounds.winnow_theorem2(n=N, k=2).value)
    bounds.kernel_winnow_dnf(n=n, k=N, literals=literals, max_size=max_size)
    with pytest.raises(InvalidParameter, match="number of conjunctions"):
        bounds.kernel_winnow_dnf(n=n, k=N + 1, literals=literals, max_size=max_size)
