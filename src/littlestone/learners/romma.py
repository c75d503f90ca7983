"""ROMMA: the relaxed on-line maximum margin algorithm."""

from __future__ import annotations

import math

import numpy as np

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Codes, Columns, Floats, Ints
from littlestone.core.parameters import flag
from littlestone.core.rational import check_counted
from littlestone.engine.compiling import kept, native
from littlestone.engine.learning import steps
from littlestone.engine.learning.rules import MARGIN, MISTAKE
from littlestone.engine.learning.steps import CONSTANT, ERROR, SCALE, SQUARE, UNIT
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.stepping import Stepping

__all__ = ["ROMMA", "relaxed"]

AGGRESSIVE = steps.OWN
FLAT = 1e-12  # sin^2 of the angle between w and x below which their constraints contradict each other
ROUNDING = 1e-15  # of one step
ENOUGH = 1e-6  # how well |w|^2 must be known for what it is divided by
ROOT = 2.0**100  # of LARGE
FAR = 300  # bits: what is longer or shorter by more than these is brought into the unit before it is squared


@native
def _measure(v: Floats, state: Floats) -> float:
    """Compute |w|^2 anew."""
    total = state[CONSTANT] * state[CONSTANT]
    for i in range(len(v)):
        total += v[i] * v[i]
    state[SQUARE], state[ERROR] = total * state[SCALE] * state[SCALE], ROUNDING
    return float(state[SQUARE])


@native
def _renew(square: float, v: Floats, state: Floats) -> float:
    """Set w to the shortest one with y (w.x) = UNIT, but for x itself: return tau."""
    if state[SQUARE] != 0.0:  # what was learned is forgotten
        v[:] = 0.0
        state[CONSTANT] = 0.0
    bits = math.frexp(state[UNIT])[1] - math.frexp(square)[1] // 2
    if abs(bits) > FAR:
        state[UNIT] = math.ldexp(state[UNIT], -bits)
    tau = state[UNIT] / square
    state[SCALE], state[SQUARE], state[ERROR] = 1.0, state[UNIT] * tau, ROUNDING
    return float(tau)


@native
def _lengthen(m: float, square: float, state: Floats) -> float:
    """Make the step where w becomes longer by more than `FAR` bits: in a unit in which the new w is as long as w.

    With a = cos of the angle between w and y x, and q = UNIT / (|w| |x|), c is (1 - q a) / (1 - a^2), tau is (q - a) /
    (1 - a^2) |w| / |x|, and |w|^2 grows by (1 - 2 q a + q^2) / (1 - a^2); all in units of ``f``, so that q f is near 1.
    """
    length, size = np.sqrt(state[SQUARE]), np.sqrt(square)
    a, q = m / length / size, state[UNIT] / length / size
    f = math.ldexp(1.0, -math.frexp(q)[1])
    rest, q = 1.0 - a * a, q * f
    if rest <= FLAT:
        return 0.0
    state[UNIT] *= f
    c = (f - q * a) / rest
    growth = (f * f - 2.0 * q * a * f + q * q) / rest
    state[SCALE] *= c
    state[SQUARE] *= growth
    state[ERROR] = c / growth * c * state[ERROR] + ROUNDING * (1.0 + c / growth * c + 1.0 / rest)
    return float((q - a * f) / rest * length / size)


@native
def _relax(m: float, square: float, _weight: float, _trial: int, own: tuple[bool, Floats, Floats]) -> float:
    """Scale w by c and return tau, as in the paper, where d is y tau; 0: no step. ``own``: aggressive, v, state."""
    aggressive, v, state = own
    unit, norm = state[UNIT], state[SQUARE]
    if square < steps.TINY:
        return 0.0
    together = square * norm
    if state[ERROR] > ROUNDING and state[ERROR] * together > ENOUGH * (together - m * m):
        # Where no hyperplane separates the rows, errors of |w|^2 grow from step to step.
        norm = _measure(v, state)
        together = square * norm
    if norm == 0.0 or (aggressive and unit * m >= together):
        # The shortest w with y (w.x) = 1 keeps the other constraint too.
        tau = _renew(square, v, state)
    elif math.frexp(unit)[1] - (math.frexp(norm)[1] + math.frexp(square)[1]) // 2 > FAR:
        tau = _lengthen(m, square, state)
    else:
        rest = together - m * m
        if rest <= FLAT * together:
            return 0.0
        c = (together - unit * m) / rest
        tau = norm * (unit - m) / rest
        state[SCALE] *= c
        state[SQUARE] = c * norm + tau * unit
        growth = c * norm / state[SQUARE] * c
        state[ERROR] = growth * state[ERROR] + ROUNDING * (1.0 + growth + together / rest)
    for _ in range(5):  # it is enough: |w|^2 was, or is now, within 2^(2 FAR) of 1, times 2^240 at most
        if state[SQUARE] > steps.LARGE:
            tau /= ROOT
            state[SCALE] /= ROOT
            state[UNIT] /= ROOT
            state[SQUARE] /= steps.LARGE
        if state[SQUARE] < 1.0 / steps.LARGE:
            tau *= ROOT
            state[SCALE] *= ROOT
            state[UNIT] *= ROOT
            state[SQUARE] *= steps.LARGE
    if not 1.0 / steps.LARGE < state[SCALE] < steps.LARGE:
        steps.fold(v, state)
    return float(tau)


@kept
def relaxed(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Codes, importance: Floats,
    v: Floats, rule: Floats, state: Floats, counts: Ints, predictions: Codes,
) -> None:  # fmt: skip
    """Play a block: predict, then update, row by row."""
    own = (rule[AGGRESSIVE] != 0.0, v, state)
    steps.play(_relax, own, indptr, indices, values, outcomes, importance, v, rule, state, counts, predictions)


class ROMMA(Learner):
    """The shortest w in two half-spaces: that of the last example, and one that stands for all before it.

    Update on a mistake: to the shortest u with ``y (u.x) >= 1`` and ``u.w >= |w|^2``. From 0 that is ``y x / |x|^2``;
    else, with y in {-1, +1}, ``w <- c w + d x`` with

    ``c = (|x|^2 |w|^2 - y (w.x)) / (|x|^2 |w|^2 - (w.x)^2)``, ``d = |w|^2 (y - w.x) / (|x|^2 |w|^2 - (w.x)^2)``.

    Predict 1 iff ``w.x >= 0``. Where x and w point in opposite directions (sin^2 of the angle below 1e-12) no u is in
    both half-spaces, and w stays. On rows that no hyperplane separates |w| grows without end: beyond 1e150 `hypothesis`
    and `activation` give it in a unit of its own.

    An example's weight is 0 or 1: to repeat a row changes nothing.

    Bound
    -----
    |u|^2 R^2 mistakes, aggressive or not, where y (u.x) >= 1 on every trial and |x| <= R: the Perceptron's.

    Example
    -------
    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=20, k=3, trials=500)
    >>> for learner in (ls.ROMMA(), ls.ROMMA(aggressive=True)):
    ...     run = ls.play(learner, stream)
    ...     run.mistakes, run.updates, run.guarantee.at(k=3).value
    (31, 31, 273)
    (22, 244, 273)

    Reference
    ---------
    Li and Long, "The relaxed online maximum margin algorithm", Machine Learning 46 (2002).
    """

    aggressive: bool = flag(
        default=False,
        says="Update also where ``y (w.x) < 1``. Then ``y x / |x|^2`` may be in both half-spaces, and is taken.",
    )
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")

    def _check_weights(self, importance: Floats) -> None:
        check_counted(self._owner, importance, "its step is a projection")

    def _build(self, n: int | None) -> Machine:
        del n
        when = MARGIN if self.aggressive else MISTAKE
        return Stepping(relaxed, float(self.aggressive), when=when, bias=self.bias, moves_scale=True)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if attribute_errors or not self.bias:
            return None
        return bounds.romma_disjunction(k=k, X=n - 1)
