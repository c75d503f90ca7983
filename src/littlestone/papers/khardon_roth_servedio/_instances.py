"""What the checks of Theorem 9 share: formulas, instances, and what is asked of an instance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import numpy as np

import littlestone as ls
from littlestone.core.block import Block
from littlestone.machines.sets.closures import Subsets, local_value
from littlestone.theory.reductions import KernelWinnowInstance

__all__ = ["answered", "drawn", "is_consistent", "models_of", "stages_hold"]

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
