"""KernelTrapSample: the distribution on which few examples teach the kernel Perceptron nothing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from littlestone.core.arrays import Bools
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.teachers._drawn import BLOCK_CELLS, Drawn
from littlestone.teachers.kernel_trap import KernelTrap

__all__ = ["KernelTrapSample"]


class KernelTrapSample(Drawn):
    """Examples drawn from the distribution of Khardon, Roth and Servedio's Theorem 8.

    0^n (negative) has probability 1/4, 1^n (positive) 1/4, and each of the t sets of Theorem 6 (negative) 1/2t. If
    0^n comes first and 1^n next, the kernel Perceptron over all monotone conjunctions predicts 1 on every set it has
    not seen, so that its error after m examples is at least ``1/2 - m/2t``.

    Parameters
    ----------
    n, sets, construction, size, overlap, kernel
        The sets, as in `KernelTrap`; ``sets_seed`` is its seed.
    trials, noise, seed
        How many examples are drawn, with which probability a label is flipped, and by which generator.

    ``trap`` is the `KernelTrap` that has the sets, ``target`` the conjunction of all attributes.

    Example
    -------
    >>> import littlestone as ls
    >>> from littlestone.learners import KernelPerceptron
    >>> stream = KernelTrapSample(320, trials=100)
    >>> learners = [KernelPerceptron("monotone"), ls.Perceptron()]
    >>> [run.mistakes for run in ls.play_all(learners, stream)]
    [55, 14]
    >>> [str(stream.error(learner)) for learner in learners]
    ['2947/6000', '21/2000']

    Reference
    ---------
    Khardon, Roth and Servedio, "Efficiency versus convergence of Boolean kernels for on-line learning algorithms",
    JAIR 24, 2005, Section 3.1.
    """

    def __init__(
        self, n: int = 320, *, trials: int = 100, sets: int | None = None, construction: str | None = None,
        size: int | None = None, overlap: int | None = None, kernel: str = "monotone", sets_seed: int = 0,
        noise: float = 0.0, seed: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(n, trials, seed, noise)
        self.trap = KernelTrap(
            n, sets=sets, construction=construction, size=size, overlap=overlap, kernel=kernel, seed=sets_seed
        )
        if not self.trap.sets:
            raise InvalidParameter(f"KernelTrapSample: sets must be at least 1, got {sets!r}")
        self.target = self.trap.target
        self.terms = None if noise else self.target

    def _draw(self, rng: np.random.Generator, start: int, rows: int) -> tuple[Bools, Bools]:
        del start
        kind, which = rng.integers(4, size=rows), rng.integers(self.trap.sets, size=rows)
        X = np.zeros((rows, self.n_attributes), dtype=bool)
        X[kind == 1] = True
        sets = np.flatnonzero(kind > 1)
        X[sets[:, np.newaxis], self.trap.members[which[sets]]] = True
        return X, kind == 1

    def error(self, predictor: Any) -> Fraction:
        """Return the probability that ``predictor`` errs on an example of the distribution, exactly.

        It is a learner that has learned, or something else with a method ``predict`` that takes Boolean rows, or a
        function of them; its positive label is the second of its ``labels``, or 1.

        >>> stream = KernelTrapSample(320)
        >>> stream.error(lambda rows: rows.any(axis=1)), stream.error(lambda rows: rows.all(axis=1))
        (Fraction(1, 2), Fraction(0, 1))
        """
        predict = getattr(predictor, "predict", predictor)
        positive = (getattr(predictor, "labels", None) or self.labels)[1]
        t, n = self.trap.sets, self.n_attributes
        ends = _positive(predict, positive, np.repeat([[False], [True]], n, axis=1))
        wrong, step = 0, max(1, BLOCK_CELLS // n)
        for start in range(0, t, step):
            members = self.trap.members[start : start + step]
            X = np.zeros((len(members), n), dtype=bool)
            np.put_along_axis(X, members, values=True, axis=1)
            wrong += int(_positive(predict, positive, X).sum())
        return Fraction(int(ends[0]) + int(not ends[1]), 4) + Fraction(wrong, 2 * t)

    def _parameters(self) -> dict[str, Any]:
        trap = self.trap
        given = {name: getattr(trap, name) for name in ("sets", "construction", "size", "overlap")}
        return given | {"kernel": None if trap.kernel == "monotone" else trap.kernel, "sets_seed": trap.seed or None}


def _positive(predict: Callable[[Bools], Any], positive: Any, X: Bools) -> Bools:
    predictions = np.asarray(predict(X))
    if predictions.shape != (len(X),):
        raise InvalidData(f"predictor: expected {len(X)} predictions, one a row, got an array of {predictions.shape}")
    return np.asarray(predictions == positive, dtype=bool)
