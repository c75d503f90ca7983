"""Theorem 9 as a program: Lemma 10's formulas, the sequence of examples, and models counted by kernel Winnow alone."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest

import littlestone as ls
from littlestone.theory.reductions import count_models, formula_with, kernel_winnow_instance
from littlestone.theory.reductions.kernel_winnow import THRESHOLDS
from tests.naive import theorem9

FLOORS = {"2^(m/2)": lambda m: 2 ** (m // 2), "2^(m/8)": lambda m: 2 ** (m // 8), "2^m/m^2": lambda m: 2.0**m / m**2}


def formulas(n):
    """All formulas over n variables: sets of pairs and single variables."""
    pairs = list(combinations_with_replacement(range(n), 2))
    return [some for r in range(1, len(pairs) + 1) for some in combinations(pairs, r)]


def sampled(n, count, seed):
    rng = np.random.default_rng(seed)
    pairs = list(combinations_with_replacement(range(n), 2))
    return [
        [pairs[i] for i in rng.choice(len(pairs), rng.integers(1, len(pairs)), replace=False)] for _ in range(count)
    ]


def as_masks(instance):
    return [(sum(1 << i for i in run.attributes), run.label, run.times) for run in instance.runs]


@pytest.mark.parametrize("variables", range(1, 9))
def test_lemma_10(variables):
    for p in range(1, 2**variables):
        clauses = formula_with(models=p, variables=variables)
        assert len(clauses) <= variables
        assert theorem9.models(clauses, variables) == p


@pytest.mark.parametrize("alpha", [2, 3, 4, 8, Fraction(3, 2), 2.5])
@pytest.mark.parametrize("theta", ["2^m", "2^m-1", "2^m/m", "m*2^m", "2^(2m)", *FLOORS])
def test_the_sequence_by_hand(alpha, theta):
    """Every example is a mistake, and the query says whether there are K models; no learner of littlestone is asked."""
    theta_of = FLOORS.get(theta) or THRESHOLDS[theta]
    for clauses in formulas(2):
        number = theorem9.models(clauses, 2)
        for K in (number, number + 1):
            instance = kernel_winnow_instance(clauses, K=K, n=2, alpha=alpha, theta=FLOORS.get(theta, theta))
            made, query, limit, m = theorem9.build(2, clauses, K, Fraction(alpha), theta_of)
            assert (as_masks(instance), instance.theta, instance.m) == (made, limit, m)
            assert sum(1 << i for i in instance.query) == query
            stored, wrong = theorem9.simulate(made, Fraction(alpha), limit)
            assert wrong
            assert (theorem9.local(query, stored) >= limit) == (number >= K)


@pytest.mark.parametrize("alpha", [Fraction(3, 2), 2, 3, 8])
def test_a_threshold_is_refused_or_will_do(alpha):
    """However small: what is not refused brings mistakes only, and the right answers."""
    taken = []
    for theta, K in product([Fraction(3 * 2**j, 2) for j in range(40)], range(1, 5)):
        try:
            instance = kernel_winnow_instance([(0, 1)], K=K, alpha=alpha, theta=lambda m, theta=theta: theta)
        except ls.InvalidParameter:
            continue
        stored, wrong = theorem9.simulate(as_masks(instance), alpha, theta)
        assert wrong
        assert (theorem9.local(sum(1 << i for i in instance.query), stored) >= theta) == (K <= 3)
        taken.append(theta)
    assert Fraction(3 * 2**39, 2) in taken
    assert min(taken) > (2**2 - 1) * (2**instance.U - 1)  # or D would not be positive


@pytest.mark.parametrize(("n", "count"), [(1, 1), (3, 8), (4, 2)])
def test_larger_sequences_by_hand(n, count):
    for clauses in sampled(n, count, seed=n) if n > 1 else formulas(1):
        for K in range(1, 2**n + 1):
            instance = kernel_winnow_instance(clauses, K=K, n=n)
            stored, wrong = theorem9.simulate(as_masks(instance), instance.alpha, instance.theta)
            query = sum(1 << i for i in instance.query)
            assert wrong
            assert (theorem9.local(query, stored) >= instance.theta) == (theorem9.models(clauses, n) >= K)


@pytest.mark.parametrize(
    ("n", "alpha", "sizes", "m"),
    [
        (2, 2, (6, 4, 9, 2), 431),
        (3, 2, (7, 5, 10, 2), 703),
        (4, 2, (8, 6, 11, 2), 1119),
        (5, 2, (9, 7, 12, 2), 1715),
        (2, 3, (8, 3, 8, 2), 469),
        (2, 4, (7, 3, 6, 1), 336),
        (2, 8, (9, 2, 5, 1), 332),
        (2, 1.5, (6, 7, 15, 4), 719),
        (2, 1.25, (6, 11, 26, 7), 1211),
        (2, 1.1, (6, 23, 60, 15), 2723),
    ],
)
def test_the_numbers_of_the_proof(n, alpha, sizes, m):
    instance = kernel_winnow_instance([(0, 1)], K=2, n=n, alpha=alpha)
    assert (instance.U, instance.V, instance.W, instance.c) == sizes
    assert instance.m == instance.n_attributes == m
    assert max(max(run.attributes) for run in instance.runs) == m - 1


MARGINS = {
    ((0, 1),): (".12509", ".06271", ".00024", "-.06204"),
    ((0, 1), (1, 2)): (".12698", ".09576", ".06451", ".03332", ".00208", "-.02917", "-.06046", "-.09156"),
}


@pytest.mark.parametrize("clauses", MARGINS)
def test_reference_numbers(clauses):
    n = len(clauses) + 1
    for K, margin in enumerate(MARGINS[clauses], start=1):
        instance = kernel_winnow_instance(clauses, K=K)
        assert (instance.q, instance.R, instance.p) == ((427, 4) if n == 2 else (698, 4)) + (2**instance.U - 4 * K,)
        stored, _ = theorem9.simulate(as_masks(instance), 2, instance.theta)
        value = theorem9.local(sum(1 << i for i in instance.query), stored)
        learner = instance.learner()
        ls.play(learner, instance)
        assert learner.value(np.isin(np.arange(instance.m), instance.query)) == value
        assert abs((value - instance.theta) / instance.theta - Fraction(margin)) <= Fraction(1, 200_000)
    if n == 2:
        lengths = [len(kernel_winnow_instance(clauses, K=K)) for K in range(1, 5)]
        assert lengths == [17_635, 17_635, 29_254, 17_635]


def test_lengths():
    for n, (least, most) in {2: (17_635, 39_582), 3: (32_999, 127_814)}.items():
        lengths = [len(kernel_winnow_instance(f, K=K, n=n)) for f in formulas(n) for K in range(1, 2**n + 1)]
        assert (min(lengths), max(lengths)) == (least, most)


@pytest.mark.parametrize("n", [2, 3])
def test_a_monotone_dnf_agrees_with_every_example(n):
    """Take the positive examples for its terms: no negative example has all attributes of one."""
    for clauses in formulas(n)[:: 1 if n == 2 else 9]:
        for K in (1, 2**n - 1):
            masks = as_masks(kernel_winnow_instance(clauses, K=K, n=n))
            positive, negative = ([x for x, label, _ in masks if label == side] for side in (1, 0))
            assert not any(x & y == x for x, y in product(positive, negative))


def test_stages_do_what_the_proof_says():
    """gamma1 < 1/2 after stage 1, gamma2 < 1/4 after stage 3, and D <= M_B < D + alpha^q / 2 at the end."""
    for clauses, alpha in product(formulas(2), (Fraction(2), Fraction(3, 2))):
        instance = kernel_winnow_instance(clauses, K=3, n=2, alpha=alpha)
        n, U, q, theta = instance.n, instance.U, instance.q, instance.theta
        A, B = 2**n - 1, (2**U - 1) << n
        by_stage = {stage: [x for x, run in zip(as_masks(instance), instance.runs, strict=True) if run.stage <= stage]
                    for stage in (1, 3, 4)}  # fmt: skip
        stored = {stage: theorem9.simulate(some, alpha, theta)[0] for stage, some in by_stage.items()}
        assert 0 <= theorem9.local(A, stored[1]) - theorem9.models(clauses, n) < Fraction(1, 2)
        assert 0 <= theorem9.local(B, stored[3]) - instance.p < Fraction(1, 4)
        both = (2**n - 1) * (2**U - 1)
        D = theta - both - alpha**q * instance.K
        assert D <= theorem9.local(B, stored[4]) < D + alpha**q / 2
        parts = theorem9.local(A, stored[4]) + theorem9.local(B, stored[4])
        assert theorem9.local(A | B, stored[4]) == parts + both


@pytest.mark.parametrize("n", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_for_every_k_kernel_winnow_knows(n):
    for clauses in formulas(n):
        for K in range(1, 2**n + 1):
            instance = kernel_winnow_instance(clauses, K=K, n=n)
            assert instance.answer() == (theorem9.models(clauses, n) >= K), (clauses, K)


@pytest.mark.parametrize("theta", ["2^m", "2^m-1"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_count_models(n, theta):
    for clauses in formulas(n)[:: 1 if theta == "2^m" else 5]:
        assert count_models(clauses, n=n, theta=theta) == theorem9.models(clauses, n)


def test_count_models_of_four_variables():
    for clauses in sampled(4, 3, seed=0):
        assert count_models(clauses, n=4) == theorem9.models(clauses, 4)


def test_paths_have_as_many_models_as_fibonacci_says():
    """One of two neighbours must be true: the models of a path are counted without trying all assignments."""
    a, b = 2, 3
    for n in range(2, 7):
        assert count_models([(i, i + 1) for i in range(n - 1)]) == b
        a, b = b, a + b


@pytest.mark.parametrize("alpha", [3, 4, 8, 1.5])
def test_count_models_whatever_alpha(alpha):
    for clauses in formulas(2):
        assert count_models(clauses, n=2, alpha=alpha) == theorem9.models(clauses, 2)


def test_variables_without_a_clause_count():
    assert count_models([(1,)], n=3) == 4
    assert count_models([[0, 1], {1, 0}, (0, 1)]) == count_models(np.array([[0, 1]])) == 3
    assert kernel_winnow_instance([(2, 2), (2,)], K=1).clauses == ((2,),)


@pytest.mark.parametrize("rows", [1000, 8192])
def test_every_example_is_a_mistake_when_played(rows):
    instance = kernel_winnow_instance([(0, 1)], K=3)
    blocks = list(instance.blocks(rows))
    assert [block.start for block in blocks] == list(range(0, len(instance), rows))
    assert ls.Block.joined(blocks).indices.tolist() == [i for run in instance.runs for i in run.attributes * run.times]
    run = ls.play(instance.learner(), instance)
    assert run.mistakes == run.trials == len(instance) == 29_254
    assert run.demotions == sum(run.label == 0 for run in instance.runs)


@pytest.mark.slow
@pytest.mark.parametrize(("clauses", "K"), [([(0, 1)], 3), ([(0, 1)], 4)])
def test_step_by_step(clauses, K):
    """One row after the other: no run of equal rows is played in one go."""
    instance = kernel_winnow_instance(clauses, K=K)
    learner = instance.learner()
    for block in instance.blocks(rows=1):
        learner.learn(block)
    assert learner.mistakes == len(instance)
    query = np.isin(np.arange(instance.m), instance.query)
    assert (learner.value(query) >= instance.theta) == instance.answer() == (theorem9.models(clauses, instance.n) >= K)


@pytest.mark.parametrize(
    ("clauses", "more", "words"),
    [
        ([], {}, "at least one, got none"),
        ([()], {}, "clause 0: expected one or two variables, got 0"),
        ([(0, 1), (0, 1, 2)], {}, "clause 1: expected one or two variables, got 3; .* 2-CNF"),
        ([(0, -1)], {}, "got -1; .* no negated literals"),
        ([(0, "-y")], {}, "whole numbers for variables, got '-y'"),
        ([(0, 1.0)], {}, "got 1.0"),
        ([(0, True)], {}, "got True"),
        ([0, 1], {}, "clause 0: expected one or two variables, such as"),
        (["01"], {}, "got '01'"),
        ("01", {}, "pairs of variables"),
        (7, {}, "pairs of variables"),
        ([(0, 4)], {"n": 4}, "0 to 3 for n=4, got 4; give n=5"),
        ([(0, 1)], {"n": 0}, "n must be a whole number"),
        ([(0, 1)], {"n": 2.0}, "n must be a whole number"),
        ([(0, 1)], {"K": 0}, "K must be a whole number >= 1 and <= 4"),
        ([(0, 1)], {"K": 5}, "K must be"),
        ([(0, 1)], {"K": 1.0}, "K must be"),
        ([(0, 1)], {"alpha": 1}, "alpha must be a number > 1"),
        ([(0, 1)], {"alpha": float("nan")}, "alpha must be"),
        ([(0, 1)], {"alpha": "2"}, "alpha must be"),
        ([(0, 1)], {"alpha": 1 + Fraction(1, 10**40)}, "a larger alpha"),
        ([(0, 1)], {"alpha": 1.01}, "a larger alpha"),
        ([(0, 1)], {"alpha": 1 + Fraction(1, 10**400)}, "a larger alpha"),
        ([(0,)], {"alpha": 1}, "alpha must be a number > 1"),
        ([(0, 10**6)], {}, "fewer variables"),
        ([(0, 10**12)], {}, "fewer variables"),
        ([(0, 10**5000)], {}, "about 2.16610 .* fewer variables"),
        ([np.array(3)], {}, "clause 0: expected one or two variables, such as"),
        (np.array(3), {}, "pairs of variables"),
        ([(0, 1)], {"theta": "m"}, "theta must be a function of m or one of 2"),
        ([(0, 1)], {"theta": 8}, "theta must be a function"),
        ([(0, 1)], {"theta": lambda m: 0}, "positive number, got 0"),
        ([(0, 1)], {"theta": lambda m: float("inf")}, "positive number, got inf"),
        ([(0, 1)], {"theta": lambda m: "many"}, "positive number, got 'many'"),
        ([(0, 1)], {"theta": lambda m: m}, "theta must be large, such as 2.m with m=431, got 431"),
    ],
)
def test_bad_calls(clauses, more, words):
    with pytest.raises(ls.LittlestoneError, match=words):
        kernel_winnow_instance(clauses, **{"K": 1, **more})
    if "K" not in more:
        with pytest.raises(ValueError, match=words):
            count_models(clauses, **more)


@pytest.mark.parametrize("call", [{"models": 0, "variables": 3}, {"models": 8, "variables": 3},
                                  {"models": 1, "variables": 0}, {"models": 1.0, "variables": 2},
                                  {"models": 1, "variables": 10**9}])  # fmt: skip
def test_there_is_no_such_formula(call):
    with pytest.raises(ls.InvalidParameter, match="must be a whole number|less than 2.3, the assignments, got 8"):
        formula_with(**call)
