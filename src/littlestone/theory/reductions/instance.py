"""The sequence of Theorem 9: four stages of examples, each of them a mistake, and a query."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor, log2
from typing import NamedTuple

import numpy as np

from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.core.rational import Number
from littlestone.learners import KernelWinnow
from littlestone.streams import Stream
from littlestone.theory.reductions.formulas import Clause, formula_with

__all__ = ["Examples", "KernelWinnowInstance", "bits", "least_power", "sizes"]


class Examples(NamedTuple):
    """Some equal examples in a row: the attributes that are on, the label, how many times, and in which stage.

    >>> import littlestone as ls
    >>> instance = ls.reductions.kernel_winnow_instance([(0, 1)], n=2, K=2)
    >>> first = instance.runs[0]
    >>> first.label, first.times, first.stage
    (1, 430, 1)
    """

    attributes: tuple[int, ...]
    label: int
    times: int
    stage: int


def least_power(base: Number, value: Number) -> int:
    """Return the smallest whole j with base^j >= value, compared exactly: the ceiling of a logarithm.

    >>> least_power(2, 1024), least_power(2, 1025), least_power(Fraction(3, 2), 10)
    (10, 11, 6)
    """
    base, value = Fraction(base), Fraction(value)
    j = floor(bits(value) / bits(base)) - 2  # a guess: what counts is compared below
    while base**j < value:
        j += 1
    while base ** (j - 1) >= value:
        j -= 1
    return j


def bits(value: Fraction) -> float:
    """Return the logarithm of a fraction that may be too large for a float."""
    return log2(value.numerator) - log2(value.denominator)


class KernelWinnowInstance(Stream):
    """A sequence of examples and a query: Winnow over all monomials predicts 1 on it iff F has at least K models.

    Made by `kernel_winnow_instance`. It is a stream of labels 0 and 1, to be played; every example is a mistake.

    Attributes
    ----------
    clauses, n, K
        The formula F, its number of variables, and how many models are asked about.
    alpha, theta, m
        Winnow's parameters, as fractions, and its number of attributes (``n_attributes`` too).
    c, U, V, W, q, R, p
        The proof's numbers; F's variables are attributes 0 to n - 1 (A), those of Lemma 10's formula with p models
        are the next U (B), and the rest are slack.
    runs
        The examples, equal ones together.
    query
        The attributes of the query: A and B.

    Example
    -------
    >>> from littlestone.theory.reductions import kernel_winnow_instance
    >>> instance = kernel_winnow_instance([(0, 1)], K=3)
    >>> instance.n_attributes == instance.m, len(instance.clauses)
    (True, 1)
    """

    def __init__(self, clauses: tuple[Clause, ...], n: int, K: int, alpha: Fraction, theta: Fraction, m: int) -> None:
        self.clauses, self.n, self.K, self.alpha, self.theta, self.m = clauses, n, K, alpha, theta, m
        self.n_attributes = m
        self.c, self.U, self.V, self.W = sizes(n, alpha)
        self._thirds = least_power(alpha, theta / 3)
        self.q = least_power(alpha, theta / 2 ** (n + 1)) - 1
        self.R = least_power(alpha, 2 ** (self.U - n))
        # Type-B monomials shall weigh D: with those of types A and AB it is theta + alpha^q (models - K).
        D = theta - (2**n - 1) * (2**self.U - 1) - alpha**self.q * K
        self.p = ceil(D / alpha ** (self.q - self.c))
        self._check()
        self.query = tuple(range(n + self.U))
        self.runs = tuple(self._runs())

    def _check(self) -> None:
        """Refuse a threshold for which an example of the last stage would not be a mistake."""
        alpha, q, c, R, p = self.alpha, self.q, self.c, self.R, self.p
        if q > R and 1 <= p < 2**self.U and alpha ** (R - c) * 2**self.U + alpha ** (q - c) * (p + 1) < self.theta:
            return
        raise InvalidParameter(
            f"kernel_winnow_instance: theta must be large, such as 2^m with m={self.m}, got {_shown(self.theta)}"
        )

    def _runs(self) -> Iterator[Examples]:
        n, U = self.n, self.U
        A, B = range(n), range(n, n + U)
        for number, clause in enumerate(self.clauses):  # stage 1: assignments that violate a clause are demoted
            for copy in range(self.V):
                slack = n + U + 6 * (self.V * number + copy)
                yield from self._demoted([i for i in A if i not in clause], slack, 1)
        slack = n + U + 6 * self.V * n**2
        yield Examples((*A, slack), 1, self.q, 2)  # stage 2: type-A monomials weigh alpha^q (models + a little)
        slack += 1
        for clause in formula_with(models=self.p, variables=U):  # stage 3: type-B monomials weigh p and a little
            for _ in range(self.W):
                yield from self._demoted([i for i in B if i - n not in clause], slack, 3)
                slack += 6
        yield Examples((*B, self.m - 2), 1, self.q - self.R, 4)  # stage 4: alpha^(q-c) times as much
        yield Examples((*B, self.m - 1), 1, self.R - self.c, 4)

    def _demoted(self, attributes: list[int], slack: int, stage: int) -> Iterator[Examples]:
        """Yield examples that bring one demotion of the monomials of ``attributes``, by six fresh slack attributes."""
        for pair in range(3):  # three pairs of slack attributes, promoted to theta / 3 each
            yield Examples((slack + 2 * pair, slack + 2 * pair + 1), 1, self._thirds, stage)
        yield Examples((*attributes, slack, slack + 2, slack + 4), 0, 1, stage)

    def learner(self) -> KernelWinnow:
        """Return kernel Winnow with these parameters, before the first example."""
        learner = KernelWinnow(alpha=self.alpha, theta=self.theta, backend="local")
        learner.begin(self.m)
        return learner

    def answer(self) -> bool:
        """Say whether there are at least K models: what kernel Winnow predicts on the query after all examples."""
        learner = self.learner()
        for block in self.blocks():
            learner.learn(block)
        z = Block.from_csr([0, len(self.query)], self.query, n_attributes=self.m)
        return bool(learner.predict(z)[0] == 1)

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield all examples in order, at most ``rows`` at a time."""
        rows = check_whole("KernelWinnowInstance", "rows", rows)
        start, waiting, held = 0, list[Examples](), 0
        for run in self.runs:
            left = run.times
            while left:
                part = run._replace(times=min(left, rows - held))
                waiting.append(part)
                left, held = left - part.times, held + part.times
                if held == rows:
                    yield self._block(waiting, start)
                    start, waiting, held = start + held, [], 0
        if held:
            yield self._block(waiting, start)

    def _block(self, runs: list[Examples], start: int) -> Block:
        times = [run.times for run in runs]
        lengths = np.repeat([len(run.attributes) for run in runs], times)
        indices = [np.tile(np.array(run.attributes, dtype=np.uint32), run.times) for run in runs]
        return Block(
            np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths))),
            np.concatenate(indices),
            outcomes=np.repeat([run.label for run in runs], times),
            labels=self.labels,
            n_attributes=self.m,
            start=start,
            checked=True,
        )

    def __len__(self) -> int:
        return sum(run.times for run in self.runs)

    def __repr__(self) -> str:
        theta = _shown(self.theta)
        return f"KernelWinnowInstance({list(self.clauses)}, n={self.n}, K={self.K}, alpha={self.alpha}, theta={theta})"


def sizes(n: int, alpha: Fraction) -> tuple[int, int, int, int]:
    """Return c, U, V and W: all that m depends on."""
    c = least_power(alpha, 4)
    U = n + 1 + least_power(2, alpha ** (c + 1))
    V = least_power(alpha, 2 ** (n + 1)) + 1  # so that 2^n alpha^-V < 1/2
    W = least_power(alpha, 2 ** (U + 2)) + 1  # so that 2^U alpha^-W < 1/4
    return c, U, V, W


def _shown(value: Fraction) -> str:
    """Return a number that may have hundreds of digits."""
    return str(value) if value.numerator.bit_length() < 64 else f"about 2^{bits(value):.2f}"
