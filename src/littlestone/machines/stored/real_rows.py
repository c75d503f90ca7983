"""Where a kernel learner keeps the real rows it has missed, and what adds up their kernels."""

from math import isfinite, sqrt
from typing import Protocol

import numpy as np

from littlestone.core.arrays import Columns, Floats, Ints
from littlestone.core.errors import InvalidData
from littlestone.core.rows import NOTHING, Rows
from littlestone.core.threads import in_threads
from littlestone.engine.learning import products
from littlestone.machines.stored.ranks import Ranks
from littlestone.parts.kernels import Conjunctions, Gaussian, Kernel, Polynomial, Wrapped

__all__ = ["Adder", "Calls", "Compiled", "RealRows", "adder"]


def _squares(indptr: Ints, values: Floats) -> Floats:
    """Return x.x of each row."""
    found = np.empty(len(indptr) - 1)
    products.squares(indptr, values, found)
    return found


class RealRows:
    """Rows as lists of attributes with values, the oldest first, each with a coefficient; 0: forgotten."""

    def __init__(self, indptr: Ints, indices: Columns, values: Floats, coefficients: Floats) -> None:
        self.number = len(coefficients)
        self.indptr, self.indices, self.values = indptr.copy(), indices.copy(), values.copy()
        self.ranks = Ranks(indices)
        self.ranked = self.ranks.of(indices)  # the attributes, by their ranks
        self._learning = indices[:0], 0, self.ranked[:0]  # of the rows that are being learned
        self.coefficients = coefficients.copy()
        self.squares: Floats = _squares(indptr, values) if len(values) else np.zeros(self.number)

    def append(self, rows: Rows, r: int, coefficient: float) -> None:
        """Store one row."""
        part = slice(rows.indptr[r], rows.indptr[r + 1])
        indices = rows.indices[part]
        values = rows.values[part] if len(rows.values) else np.ones(len(indices))
        first = int(self.indptr[self.number])
        last = first + len(indices)
        if self.number + 1 >= len(self.indptr):
            room = max(16, 2 * self.number)
            self.indptr = np.append(self.indptr, np.zeros(room, dtype=np.int64))
            self.coefficients = np.append(self.coefficients, np.zeros(room))
            self.squares = np.append(self.squares, np.zeros(room))
        if last > len(self.indices):
            self.indices = np.append(self.indices[:first], np.zeros(last, dtype=np.uint32))
            self.ranked = np.append(self.ranked[:first], np.zeros(last, dtype=np.uint32))
            self.values = np.append(self.values[:first], np.zeros(last))
        self.indices[first:last], self.values[first:last] = indices, values
        self.ranked[first:last] = self.ranks.add(indices)
        self.indptr[self.number + 1] = last
        self.coefficients[self.number] = coefficient
        self.squares[self.number] = _squares(np.array([0, len(values)]), values)[0]
        self.number += 1

    def know(self, rows: Rows) -> None:
        """Have ranks for all attributes of rows that are to be learned, so that they are looked up once."""
        first, last = rows.indptr[[0, -1]].tolist()
        self._learning = rows.indices, first, self.ranks.add(rows.indices[first:last])

    def ranks_of(self, rows: Rows) -> Columns:
        """Return the ranks of the attributes of rows."""
        first, last = rows.indptr[[0, -1]].tolist()
        indices, start, ranks = self._learning
        if indices is rows.indices and start <= first and last <= start + len(ranks):
            return ranks[first - start : last - start]
        return self.ranks.of(rows.indices[first:last])

    def places(self) -> Ints:
        """Return the places of the rows that are not forgotten."""
        return np.flatnonzero(self.coefficients[: self.number])

    def row(self, place: int) -> Rows:
        """Return one stored row."""
        return Rows(self.indptr[place : place + 2], self.indices, self.values)

    def rows(self) -> tuple[Ints, Columns, Floats, Floats]:
        """Return the rows that are not forgotten, as CSR, and their coefficients."""
        kept = self.coefficients[: self.number] != 0.0
        lengths = np.diff(self.indptr[: self.number + 1])
        entries = np.flatnonzero(np.repeat(kept, lengths))
        indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths[kept])))
        return indptr, self.indices[entries], self.values[entries], self.coefficients[: self.number][kept]


class Adder(Protocol):
    """What adds up kernels."""

    def add(self, rows: Rows, store: RealRows, first: int, last: int, width: int, totals: Floats, start: int) -> None:
        """Add coefficient times kernel of stored rows, in their order, to the total of each row; refuse infinities.

        Messages count rows from ``start``.
        """


class Compiled:
    """A kernel that is a function of products."""

    def __init__(self, owner: str, kernel: Kernel, n: int | None, *, normal: bool) -> None:
        self.owner, self.kernel = owner, kernel
        self._kind = products.LINEAR
        self._rule = np.zeros(products.FIRST + 1)
        self._rule[products.NORMAL], self._rule[products.N] = normal, n or 0
        self._logs = NOTHING
        if isinstance(kernel, Conjunctions):
            self._kind = products.MONOTONE if kernel.monotone else products.AGREEMENT
            self._know(0)
        elif isinstance(kernel, Polynomial):
            self._kind = products.POLYNOMIAL
            self._rule[[products.GAMMA, products.COEF0, products.DEGREE]] = kernel.gamma, kernel.coef0, kernel.degree
        elif isinstance(kernel, Gaussian):
            self._kind, self._rule[products.GAMMA] = products.GAUSSIAN, kernel.gamma

    def add(self, rows: Rows, store: RealRows, first: int, last: int, width: int, totals: Floats, start: int) -> None:
        """Add coefficient times kernel of stored rows, in their order, to the total of each row; refuse infinities."""
        del width  # what no stored row has adds nothing
        if isinstance(self.kernel, Conjunctions):
            self._know(int(max(np.diff(rows.indptr).max(), np.diff(store.indptr[: store.number + 1]).max(initial=0))))
        xx = _squares(rows.indptr, rows.values)
        inside = slice(rows.indptr[0], rows.indptr[-1])
        ends, ranks, spread = rows.indptr - rows.indptr[0], store.ranks_of(rows), len(store.ranks) + 1
        values = rows.values[inside] if len(rows.values) else rows.values
        bad: Ints = np.full(len(totals), -1, dtype=np.int64)

        def task(a: int, b: int) -> None:
            given = (ends[a : b + 1], ranks, values, xx[a:b])
            kept = (store.indptr, store.ranked, store.values, store.squares, store.coefficients)
            kernel = (self._kind, self._rule, self._logs)
            products.add(given, kept, first, last, spread, kernel, totals[a:b], bad[a:b])

        in_threads(task, len(totals), 4 * int(store.indptr[last] - store.indptr[first]))
        if (bad >= 0).any():
            r = int(np.flatnonzero(bad >= 0)[0])
            place = np.count_nonzero(store.coefficients[: bad[r]])  # without what is forgotten
            raise InvalidData(
                f"{self.owner}: row {start + r}, mistake {place}: expected {self.kernel!r} in the range of floats, "
                "got a sum beyond it; scale the rows"
            )

    def _know(self, on: int) -> None:
        """Have the logarithms of the kernel's values for rows of which so many attributes are on."""
        if not isinstance(self.kernel, Conjunctions):
            return
        if self._kind == products.MONOTONE:
            if on >= len(self._logs):
                self._logs = self.kernel.logs(2 * on)
        elif 2 * on >= len(self._logs) and (self._rule[products.FIRST] > 0.0 or not len(self._logs)):
            n = int(self._rule[products.N])  # two rows differ in no more attributes than are on in them
            first = max(n - 4 * on - 64, 0)
            self._logs, self._rule[products.FIRST] = self.kernel.logs(n, first), first


class Calls:
    """A user's function, called for each pair of rows."""

    def __init__(self, owner: str, kernel: Wrapped, *, normal: bool) -> None:
        self.owner, self.kernel, self.normal = owner, kernel, normal

    def add(self, rows: Rows, store: RealRows, first: int, last: int, width: int, totals: Floats, start: int) -> None:
        """Add coefficient times kernel of stored rows, in their order, to the total of each row; refuse infinities."""
        places = first + np.flatnonzero(store.coefficients[first:last])
        stored = [(place, _dense(store.row(place), 0, width)) for place in places.tolist()]
        before = int(np.count_nonzero(store.coefficients[:first]))
        for r in range(len(totals)):
            x = _dense(rows, r, width)
            total = float(totals[r])
            for i, (place, y) in enumerate(stored, start=before):
                where = f"{self.owner}: row {start + r}, mistake {i}: "
                total += float(store.coefficients[place]) * self._value(y, x, where)
                if not isfinite(total):
                    raise InvalidData(
                        f"{self.kernel!r}: {where}expected a sum in the range of floats, got {total}; scale it"
                    )
            totals[r] = total

    def _value(self, y: Floats, x: Floats, where: str) -> float:
        value = self.kernel.checked(y, x, where)
        if not self.normal:
            return value
        own = self.kernel.checked(y, y, where), self.kernel.checked(x, x, where)
        return value / (sqrt(own[0]) * sqrt(own[1])) if min(own) > 0.0 else 0.0


def _dense(rows: Rows, r: int, width: int) -> Floats:
    """Return one row written out, not to be written to."""
    x = np.zeros(width)
    part = slice(rows.indptr[r], rows.indptr[r + 1])
    x[rows.indices[part]] = rows.values[part] if len(rows.values) else 1.0
    x.flags.writeable = False
    return x


def adder(owner: str, kernel: Kernel, n: int | None, *, normal: bool) -> Adder:
    """Return what adds up this kernel."""
    if isinstance(kernel, Wrapped):
        return Calls(owner, kernel, normal=normal)
    return Compiled(owner, kernel, n, normal=normal)
