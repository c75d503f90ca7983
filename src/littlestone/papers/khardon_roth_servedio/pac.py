"""Section 3.1, Theorem 8: a sample teaches the kernel Perceptron nothing."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

import littlestone as ls
from littlestone.learners import KernelPerceptron
from littlestone.papers.comparisons import Comparison, every, less, mean_is
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, in_pieces, run_with
from littlestone.teachers import KernelTrapSample

__all__ = ["RESULTS"]

REFERENCE = {10: 0.484, 30: 0.498, 100: 0.492}  # mean errors, to three digits, n = 400
OFTEN = {10: 0.94, 30: 1.00, 100: 1.00}  # part of the runs with an error of 0.49 or more
RUNS = 48  # of the reference


def _samples(n: int, sizes: Sequence[int], runs: int, block: int = 48, **_: Any) -> list[dict[str, Any]]:
    return [
        {"n": n, "size": size, "first": first, "runs": min(block, runs - first)}
        for size in sizes
        for first in range(0, runs, block)
    ]


def _errors(seed: int, n: int, size: int, first: int, runs: int) -> list[list[Any]]:
    """Return the error of the last hypothesis of each run, exact, and whether 0^n, then 1^n came first."""
    found = []
    for number in range(first, first + runs):
        sample = KernelTrapSample(n, trials=size, seed=seed + number)
        learner = KernelPerceptron("monotone")
        ls.play(learner, sample)
        on = [len(block.row(0)[0]) for block in islice(sample.blocks(rows=1), 2)]
        # after 0^n and 1^n, every example takes 2^size at most from the value of 1^n
        event = on == [0, n]
        left = not event or learner.value(np.ones(n)) >= 2**n - 1 - (size - 2) * 2**sample.trap.size
        found.append([str(sample.error(learner)), event, sample.trap.sets, bool(left)])
    return found


@run_with(quick={"n": 320, "sizes": [10, 30, 100], "runs": 108}, full={"n": 400, "runs": 480})
@in_pieces(_samples, _errors)
@claim("theorem-8", "Theorem 8: kernel Perceptron is no PAC learner", "Section 3.1, Theorem 8", rows=["D2"])
def theorem_8(done: Sequence[list[list[Any]]], seed: int, n: int, sizes: Sequence[int], runs: int) -> Outcome:
    """Let 0^n have probability 1/4, 1^n 1/4, and Lemma 5's sets 1/2 together. After a polynomial number of examples the
    error of the kernel Perceptron's hypothesis is 0.49 or more with probability 1/16 at least: whenever 0^n comes first
    and 1^n second.
    """
    by_size: dict[int, list[list[Any]]] = {size: [] for size in sizes}
    for piece, found in zip(_samples(n, sizes, runs), done, strict=True):
        by_size[piece["size"]] += found
    claims: list[Comparison] = []
    rows = []
    for size, found in by_size.items():
        errors = [Fraction(error) for error, *_ in found]
        numbers, sets = [float(error) for error in errors], found[0][2]
        certain = [error for error, (_, event, *_) in zip(errors, found, strict=True) if event]
        often = [float(error >= Fraction(49, 100)) for error in errors]
        floor_ = (1 - Fraction(size, sets)) / 2
        claims += [
            every(f"sample of {size}: error >= (1 - sample/sets)/2 wherever 0^n, 1^n came first",
                  [error >= floor_ for error in certain]),
            every(f"sample of {size}: there, 1^n has lost at most 2^size for each later example",
                  [left for *_, event, _, left in found if event]),
            less(f"sample of {size}: 1/16 less how often the error is 0.49 or more", np.full(runs, 1 / 16), often),
            mean_is(f"sample of {size}: how often the error is 0.49 or more, reference", often, OFTEN[size],
                    float(np.hypot(np.std(often, ddof=1) / RUNS**0.5, 0.005))),
            mean_is(f"sample of {size}: mean error, reference", numbers, REFERENCE[size],
                    float(np.hypot(np.std(numbers, ddof=1) / RUNS**0.5, 0.0005))),
        ]  # fmt: skip
        rows.append([size, f"{np.mean(numbers):.3f}", f"{np.mean(often):.2f}", len(certain),
                     f"{float(min(certain, default=0)):.4f}"])  # fmt: skip
    first = [float(event) for _, event, *_ in by_size[sizes[0]]]
    claims.append(mean_is("how often 0^n comes first and 1^n second", first, 1 / 16))
    return Outcome(
        f"n = {n}, {sets:,} sets, {runs} runs: mean error {', '.join(str(row[1]) for row in rows)} after "
        f"{', '.join(map(str, sizes))} examples; the error is 0.49 or more in {', '.join(str(row[2]) for row in rows)} "
        "of the runs.",
        claims,
        note="1/16 is far from tight: hardly anything else happens. Errors are exact, computed over all sets.",
        tables=[Table("Errors of the last hypothesis", ["examples", "mean error", "share of 0.49 or more",
                                                        "runs with 0^n, 1^n first", "least error of those"], rows)],
    )  # fmt: skip


RESULTS = (theorem_8,)
