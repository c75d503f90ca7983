"""Section 4: Lemma 10, and the reduction of Theorem 9 from counting models to kernel Winnow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np

import littlestone as ls
from littlestone.core.block import Block
from littlestone.machines.sets.closures import Subsets, local_value
from littlestone.papers.comparisons import Comparison, close, equal, every
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, in_pieces, results, run_with
from littlestone.papers.runs import each
from littlestone.theory.reductions import KernelWinnowInstance, count_models, formula_with, kernel_winnow_instance
from littlestone.theory.reductions.instance import sizes

__all__ = ["RESULTS", "answered", "drawn", "is_consistent", "models_of", "stages_hold"]

Formula = Sequence[tuple[int, ...]]


def models_of(clauses: Formula, n: int) -> int:
    """Return how many assignments satisfy a monotone formula: all are tried."""
    y = np.arange(2**n)
    true = np.ones(2**n, dtype=bool)
    for clause in clauses:
        true &= (y & sum(1 << i for i in set(clause))) != 0
    return int(true.sum())


def _formulas(n: int) -> list[Formula]:
    """Return all formulas over n variables: sets of pairs and of single variables."""
    pairs = list(combinations_with_replacement(range(n), 2))
    return [some for r in range(1, len(pairs) + 1) for some in combinations(pairs, r)]


def answered(instance: KernelWinnowInstance) -> tuple[bool, Fraction, int]:
    """Play the examples; return the prediction of the query, its value, and the mistakes."""
    learner = instance.learner()
    run = ls.play(learner, instance)
    query = Block.from_csr([0, len(instance.query)], instance.query, n_attributes=instance.m)
    value = learner.value(np.isin(np.arange(instance.m), instance.query))
    return bool(learner.predict(query)[0] == 1), value, run.mistakes


def is_consistent(instance: KernelWinnowInstance) -> bool:
    """Tell whether no negative example has all attributes of a positive one: some monotone DNF agrees with all."""
    masks = {(sum(1 << i for i in run.attributes), run.label) for run in instance.runs}
    positive, negative = ([x for x, label in masks if label == side] for side in (1, 0))
    return not any(x & y == x for x, y in product(positive, negative))


def stages_hold(instance: KernelWinnowInstance) -> bool:
    """Tell whether the sums of weights are as the proof says after stages 1, 3 and 4, given that all were mistakes."""
    n, U, q, alpha = instance.n, instance.U, instance.q, instance.alpha
    lattice = Subsets(n + U, smallest=1)
    A, B = 2**n - 1, (2**U - 1) << n

    def value(z: int, stage: int) -> Fraction:
        nets: dict[int, int] = {}
        for run in instance.runs:
            if run.stage <= stage:
                mask = sum(1 << i for i in run.attributes if i < n + U)
                nets[mask] = nets.get(mask, 0) + (run.times if run.label else -run.times)
        return local_value(lattice, z, [(mask, alpha**net) for mask, net in nets.items() if mask])

    both = (2**n - 1) * (2**U - 1)
    D = instance.theta - both - alpha**q * instance.K
    first = value(A, 1) - models_of(instance.clauses, n)
    third = value(B, 3) - instance.p
    at_end = value(B, 4)
    ab = value(A | B, 4) - value(A, 4) - at_end
    return 0 <= first < Fraction(1, 2) and 0 <= third < Fraction(1, 4) and D <= at_end < D + alpha**q / 2 and ab == both


def drawn(n: int, count: int, seed: int) -> Iterator[tuple[Formula, int]]:
    """Yield formulas and all K; ``count`` formulas of all, drawn, or all of them where it is 0."""
    formulas = _formulas(n)
    chosen = range(len(formulas))
    if count:
        chosen = np.random.default_rng([seed, n]).choice(len(formulas), count, replace=False)  # type: ignore[assignment]
    for number in chosen:
        for K in range(1, 2**n + 1):
            yield formulas[number], K


@run_with(quick={"largest": 9}, full={"largest": 11})
@claim("lemma-10", "Lemma 10: formulas with exactly p models", "Section 4, Lemma 10", rows=["C7"])
def lemma_10(seed: int, largest: int) -> Outcome:
    """For every l and 1 <= p <= 2^l - 1 there is a monotone CNF formula over l variables with at most l clauses and
    exactly p models, made in polynomial time.
    """
    right, short = [], []
    for variables in range(1, largest + 1):
        for p in range(1, 2**variables):
            clauses = formula_with(models=p, variables=variables)
            right.append(models_of(clauses, variables) == p)
            short.append(len(clauses) <= variables)
    return Outcome(
        f"{sum(right):,} of {len(right):,} formulas for l <= {largest} have exactly p models, {sum(short):,} at most l "
        "clauses.",
        [every(f"p models, all l <= {largest} and all p", right), every("at most l clauses", short)],
        note="The last case of the proof, p = 2^(l-1), is a single variable; our copy of the text is damaged there.",
    )


def _pieces_9(formulas: dict[str, int], **_: Any) -> list[dict[str, Any]]:
    return [{"n": int(n), "count": count} for n, count in formulas.items()]


def _checked_9(seed: int, n: int, count: int) -> dict[str, Any]:
    """Return for all formulas and K: the answer right, all examples mistakes, consistent, the stages, the length."""
    found: dict[str, list[Any]] = {"answer": [], "mistakes": [], "consistent": [], "stages": [], "length": []}
    for clauses, K in drawn(n, count, seed):
        instance = kernel_winnow_instance(clauses, K=K, n=n)
        answer, _, mistakes = answered(instance)
        found["answer"].append(answer == (models_of(clauses, n) >= K))
        found["mistakes"].append(mistakes == len(instance))
        found["consistent"].append(is_consistent(instance))
        found["stages"].append(stages_hold(instance))
        found["length"].append(len(instance))
    return {"n": n, **found}


# Relative distance of the value from theta, K = 1, 2, ...
MARGINS: dict[tuple[tuple[int, int], ...], tuple[float, ...]] = {
    ((0, 1),): (0.12509, 0.06271, 0.00024, -0.06204),
    ((0, 1), (1, 2)): (0.12698, 0.09576, 0.06451, 0.03332, 0.00208, -0.02917, -0.06046, -0.09156),
}
LENGTHS = {2: [17_635, 39_582], 3: [32_999, 127_814]}
EXAMPLES = [17_635, 17_635, 29_254, 17_635]
CLAUSES = "clauses of Lemma 10's formula"
ONE_CLAUSE = {"q": 427, "R": 4, "p": [60, 56, 52, 48], CLAUSES: [1, 1, 2, 1], "examples": EXAMPLES}  # K = 1, 2, 3, 4
TWO_CLAUSES = {"q": 698, "p": [128 - 4 * K for K in range(1, 9)]}


def _numbers(asked: Sequence[KernelWinnowInstance]) -> dict[str, Any]:
    """Return the proof's numbers of one formula, for K = 1, 2, ..."""
    clauses = [len(formula_with(models=one.p, variables=one.U)) for one in asked]
    numbers = {"q": asked[0].q, "R": asked[0].R, "p": [one.p for one in asked]}
    return {**numbers, CLAUSES: clauses, "examples": [len(one) for one in asked]}


@run_with(quick={"formulas": {"1": 0, "2": 0, "3": 6}}, full={"formulas": {"1": 0, "2": 0, "3": 0, "4": 10, "5": 1}})
@in_pieces(_pieces_9, _checked_9)
@claim("theorem-9", "Theorem 9: kernel Winnow counts models", "Section 4, Theorem 9", rows=["C8"])
def theorem_9(done: Sequence[dict[str, Any]], seed: int, formulas: dict[str, int]) -> Outcome:
    """A monotone 2-CNF formula F and K become a sequence of examples that a monotone DNF agrees with, and a query:
    Winnow over all monomials predicts 1 on the query iff F has at least K models. So whoever predicts in polynomial
    time counts in polynomial time.
    """
    claims: list[Comparison] = []
    rows, instances, answers, wrong = [], 0, 0, 0
    for found in done:
        n = found["n"]
        where = f"n = {n}"
        instances += len(found["answer"])
        answers += sum(found["answer"])
        wrong += sum(found["mistakes"])
        claims += [
            every(f"{where}: the query is predicted 1 iff there are at least K models", found["answer"]),
            every(f"{where}: every example is a mistake", found["mistakes"]),
            every(f"{where}: some monotone DNF agrees with all examples", found["consistent"]),
            every(f"{where}: the sums of weights after stages 1, 3 and 4 are as the proof says", found["stages"]),
        ]
        shortest, longest = min(found["length"]), max(found["length"])
        if n in LENGTHS and formulas[str(n)] == 0:
            claims.append(equal(f"{where}: shortest and longest sequence, reference", [shortest, longest], LENGTHS[n]))
        m = kernel_winnow_instance([(0, 0)], K=1, n=n).m
        rows.append([n, len(found["answer"]), m, f"{shortest:,}", f"{longest:,}"])
    for (clauses, margins), numbers in zip(MARGINS.items(), (ONE_CLAUSE, TWO_CLAUSES), strict=True):
        where = f"F of {len(clauses)} clause{'s' * (len(clauses) > 1)}"
        asked = [kernel_winnow_instance(clauses, K=K) for K in range(1, len(margins) + 1)]
        own = [_numbers(asked)[name] for name in numbers]
        claims.append(equal(f"{where}: {', '.join(numbers)}, reference", own, list(numbers.values())))
        for instance, margin in zip(asked, margins, strict=True):
            value = answered(instance)[1]
            apart = float((value - instance.theta) / instance.theta)
            claims.append(close(f"{where}, K = {instance.K}: value/theta - 1, reference", apart, margin, 5e-6))
    caption = "Instances that were played in full, alpha 2, theta 2^m"
    paths = [count_models([(i, i + 1) for i in range(n - 1)]) for n in range(2, 6)]
    claims.append(equal("paths of 2, 3, 4, 5 variables: models counted by predictions alone", paths, [3, 5, 8, 13]))
    return Outcome(
        f"{instances} instances, n <= {max(found['n'] for found in done)}: {answers} answers are right, in {wrong} "
        f"every example is a mistake; sequences of up to {max(max(found['length']) for found in done):,} examples.",
        claims,
        note="Neighbouring K differ by 2^-(n+2) of theta, and the margin can be as small as 0.00024: an estimate of "
        "the value would not do. That counting is #P-hard is Valiant's theorem, which no run can check.",
        tables=[Table(caption, ["n", "formulas and K", "m", "shortest", "longest"], rows)],
    )


NUMBERS = {  # n, alpha: U, V, W, c
    (2, "2"): (6, 4, 9, 2), (3, "2"): (7, 5, 10, 2), (4, "2"): (8, 6, 11, 2), (5, "2"): (9, 7, 12, 2),
    (2, "3"): (8, 3, 8, 2), (2, "4"): (7, 3, 6, 1), (2, "8"): (9, 2, 5, 1), (2, "3/2"): (6, 7, 15, 4),
    (2, "5/4"): (6, 11, 26, 7), (2, "11/10"): (6, 23, 60, 15),
}  # fmt: skip
ATTRIBUTES = [431, 703, 1119, 1715, 469, 336, 332, 719, 1211, 2723]
THETAS: dict[str, Any] = {
    "2^m": "2^m", "2^m - 1": "2^m-1", "2^m/m": "2^m/m", "m 2^m": "m*2^m", "2^(2m)": "2^(2m)",
    "2^(m/2)": lambda m: 2 ** (m // 2), "2^(m/8)": lambda m: 2 ** (m // 8), "2^m/m^2": lambda m: Fraction(2**m, m * m),
}  # fmt: skip


def _scanned(seed: int, alpha: str, thetas: Sequence[str], near: bool) -> dict[str, list[int]]:
    """Return for each threshold how many answers are right, and how many were asked: n = 2, all formulas and all K.

    ``near``: only K that are the number of models, or one more.
    """
    found = {}
    for name in thetas:
        right = []
        for clauses, K in drawn(2, 0, seed):
            models = models_of(clauses, 2)
            if not near or 0 <= K - models <= 1:
                instance = kernel_winnow_instance(clauses, K=K, n=2, alpha=Fraction(alpha), theta=THETAS[name])
                right.append(answered(instance)[0] == (models >= K))
        found[name] = [sum(right), len(right)]
    return found


@run_with(
    quick={"alphas": ["2", "3/2"], "thetas": ["2^m - 1", "2^m/m^2", "2^(m/8)"], "near": True},
    full={"alphas": ["2", "3", "4", "8", "3/2"], "thetas": list(THETAS), "near": False},
)
@in_pieces(each(alpha="alphas"), _scanned)
@claim("theorem-9-parameters", "Theorem 9: a wide range of parameters", "Section 4, Theorem 9 and (1)", rows=["C8"])
def theorem_9_parameters(done: Sequence[Any], seed: int, alphas: list[str], thetas: list[str], near: bool) -> Outcome:
    """The reduction works for every alpha from 1 + 1/m^(1-eps) to a polynomial in m, and every theta from 2^m/poly(m)
    to 2^poly(m), with U = n + 1 + ceil((ceil(log_alpha 4) + 1) log alpha), V = ceil((n+1)/log alpha) + 1,
    W = ceil((U+2)/log alpha) + 1 and m = n + U + 6 V n^2 + 6 U W + 3.
    """
    claims = [
        equal(
            f"alpha = {alpha}, n = 2: right answers for all formulas, by threshold", *zip(*found.values(), strict=True)
        )
        for alpha, found in zip(alphas, done, strict=True)
    ]
    numbers, attributes = {}, []
    for n, alpha in NUMBERS:
        c, U, V, W = sizes(n, Fraction(alpha))
        numbers[n, alpha] = U, V, W, c
        attributes.append(n + U + 6 * V * n**2 + 6 * U * W + 3)
    claims += [
        equal("U, V, W, c, reference", list(numbers.values()), list(NUMBERS.values())),
        equal("m, reference", attributes, ATTRIBUTES),
    ]
    rows = [
        [alpha, *(f"{right} of {asked}" for right, asked in found.values())]
        for alpha, found in zip(alphas, done, strict=True)
    ]
    right, asked = (sum(pair[i] for found in done for pair in found.values()) for i in (0, 1))
    return Outcome(
        f"{right} of {asked} answers are right, for alpha = {', '.join(alphas)} and thresholds {', '.join(thetas)}.",
        claims,
        note="The construction works well outside (1), even for theta = 2^(m/8). Logarithms are to the base 2, and "
        "ceilings must be computed by comparing powers, not in floats.",
        tables=[Table("Right answers, n = 2, by alpha and theta", ["alpha", *thetas], rows)],
    )


@claim("theorem-9-no-clause", "Theorem 9: a formula without clauses", "Section 4, Theorem 9, stage 1", rows=["C8"])
def theorem_9_no_clause(seed: int) -> Outcome:
    """After stage 1 the weights of the monomials over A sum to about the number of models, whatever the formula: an
    assignment is the monomial of its true variables.
    """
    answers = {}
    for n in (1, 2, 3):
        _, U, V, W = sizes(n, Fraction(2))
        m = n + U + 6 * V * n**2 + 6 * U * W + 3
        for K in range(1, 2**n + 1):
            answers[n, K] = answered(KernelWinnowInstance((), n, K, Fraction(2), Fraction(2**m), m))[0]
    below = [answer for (n, K), answer in answers.items() if 2**n > K]
    at_all = [answer for (n, K), answer in answers.items() if 2**n == K]
    with_clause = [
        answered(kernel_winnow_instance(clauses, K=K, n=n))[0] == (models_of(clauses, n) >= K)
        for n in (1, 2)
        for clauses, K in drawn(n, 0, seed)
    ]
    return Outcome(
        f"Without clauses all 2^n assignments are models; asked for K = 2^n the reduction is wrong "
        f"{len(at_all) - sum(at_all)} of {len(at_all)} times (n = 1, 2, 3), for smaller K {len(below) - sum(below)} "
        "times.",
        [every("no clause: the answer is yes for every K <= 2^n, n = 1, 2, 3", answers.values())],
        [
            every("no clause, K < 2^n: the answer is yes", below),
            every("no clause, K = 2^n: the answer is no", [not answer for answer in at_all]),
            every("one clause or more, n = 1, 2: all answers are right", with_clause),
        ],
        erratum="The formula must have a clause. The empty assignment has no monomial, as monomials are not empty; "
        "with a clause it is no model, without one it is, and is not counted.",
        counterexample=f"n = 1, no clause: 2 models, but asked whether there are K = 2 the reduction answers "
        f"{'yes' if answers[1, 2] else 'no'} (K = 1: {'yes' if answers[1, 1] else 'no'}).",
    )


@claim("result-3", "Result 3: no efficient simulation unless #P is easy", "Sections 1.2 and 4")
def result_3(seed: int) -> Outcome:
    """No algorithm predicts as Winnow over all monomials in polynomial time, unless every function in #P can be
    computed in polynomial time.
    """
    return Outcome(
        "Not run: a statement about all algorithms.",
        evidence="What a run can show is that the reduction is right, see theorem-9. That counting the models of "
        "monotone 2-CNF formulas is #P-hard is a theorem of Valiant; the asymptotic statements (2^Omega(n), poly(m) in "
        "(1)) are about n to infinity.",
    )


RESULTS = results(globals())
