"""Kernels of real rows: sums over stored rows, always in the order of the stored rows and of their attributes.

A row's total does not depend on how many rows are scored together, nor on how often the sum was interrupted. Each
product is summed over the stored row's attributes; what the other row lacks adds 0.
"""

import math

import numpy as np

from littlestone.engine.arrays import Columns, Floats, Ints
from littlestone.engine.compiling import native

Rows = tuple[Ints, Columns, Floats, Floats]  # where each ends, attributes, values, x.x
Stored = tuple[Ints, Columns, Floats, Floats, Floats]  # the same, and coefficients
Kernel = tuple[int, Floats, Floats]  # its kind, rule and logarithms

LINEAR, POLYNOMIAL, GAUSSIAN, AGREEMENT, MONOTONE = range(5)
# rule: the kernel's parameters; NORMAL: divide by sqrt(K(x,x) K(y,y)); N: the number of attributes, for AGREEMENT, and
# FIRST that of literals from which on there are logarithms
GAMMA, COEF0, DEGREE, NORMAL, N, FIRST = range(6)


@native
def _literals(kind: int, rule: Floats, product: float, xx: float, yy: float) -> int:
    """Return where the logarithm stands of the kernel of two Boolean rows: by the literals on which they agree."""
    return int((product if kind == MONOTONE else rule[N] - xx - yy + 2.0 * product) - rule[FIRST])


@native
def _value(kind: int, rule: Floats, product: float, xx: float, yy: float) -> float:
    """Return the kernel of two rows from their products."""
    if kind == LINEAR:
        return product
    if kind == POLYNOMIAL:
        return float((rule[GAMMA] * product + rule[COEF0]) ** rule[DEGREE])
    return float(math.exp(-rule[GAMMA] * max(xx + yy - 2.0 * product, 0.0)))


@native
def evaluate(kind: int, rule: Floats, logs: Floats, product: float, xx: float, yy: float) -> float:
    """Return the kernel of two rows, normalised if the rule says so; conjunctions always are."""
    if kind >= AGREEMENT:
        both = logs[_literals(kind, rule, product, xx, yy)]
        if both == -np.inf:
            return 0.0
        own = logs[_literals(kind, rule, xx, xx, xx)] + logs[_literals(kind, rule, yy, yy, yy)]
        return float(math.exp(both - 0.5 * own))
    value = _value(kind, rule, product, xx, yy)
    if rule[NORMAL] == 0.0:
        return value
    own_x, own_y = _value(kind, rule, xx, xx, xx), _value(kind, rule, yy, yy, yy)
    if own_x <= 0.0 or own_y <= 0.0:
        return 0.0
    return float(value / (math.sqrt(own_x) * math.sqrt(own_y)))


@native
def squares(indptr: Ints, values: Floats, found: Floats) -> None:
    """Write x.x of each row."""
    for r in range(len(found)):
        found[r] = 0.0
        for j in range(indptr[r], indptr[r + 1]):
            found[r] += values[j] * values[j] if len(values) else 1.0


@native
def add(
    rows: Rows, store: Stored, first: int, last: int, width: int, kernel: Kernel, totals: Floats, bad: Ints
) -> None:
    """Add ``coefficient K(y, x)`` for the stored rows y from ``first`` to ``last`` to the total of each row x.

    Where one is not finite, ``bad`` says at which stored row, and the row is left.
    """
    (indptr, indices, values, xx), (kind, rule, logs) = rows, kernel
    stored, attributes, numbers, yy, coefficients = store
    x = np.zeros(width)
    for r in range(len(totals)):
        for j in range(indptr[r], indptr[r + 1]):
            x[indices[j]] = values[j] if len(values) else 1.0
        for place in range(first, last):
            if coefficients[place] != 0.0:
                product = 0.0
                for j in range(stored[place], stored[place + 1]):
                    product += numbers[j] * x[attributes[j]]
                totals[r] += coefficients[place] * evaluate(kind, rule, logs, product, xx[r], yy[place])
                if not np.isfinite(totals[r]):
                    bad[r] = place
                    break
        for j in range(indptr[r], indptr[r + 1]):
            x[indices[j]] = 0.0
