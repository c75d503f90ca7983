"""The machine of the kernel Perceptron in floats: real kernels, and the Forgetron's coefficients."""

from math import sqrt
from typing import Any, ClassVar

import numpy as np

from littlestone.core.arrays import Codes, Floats, Ints, State
from littlestone.core.coins import coin
from littlestone.core.rows import Rows
from littlestone.machines.sound import REAL_ROWS, Kinds, Loaded, check_counts, check_rows, need, within
from littlestone.machines.stored.exact_sums import LARGEST, Rules, Sums
from littlestone.machines.stored.mistakes import NO_ROWS
from littlestone.machines.stored.real_rows import RealRows, adder
from littlestone.parts.kernels import Conjunctions, Kernel

__all__ = ["FloatSums", "shrinking"]

AT_ONCE = 64  # rows that are scored together


def shrinking(sigma: float, mu: float, spent: float, mistakes: int) -> tuple[float, float]:
    """Return by what the Forgetron multiplies all coefficients, and what it has spent then.

    sigma is the size of the oldest coefficient, mu the label of that mistake times its value. What its loss costs,
    ``psi = (phi sigma)^2 + 2 phi sigma - 2 phi^2 sigma mu``, may sum to 15/32 a mistake; phi <= 1 is the largest that
    keeps to it.

    >>> shrinking(1.0, 1.0, 0.0, 4)
    (1.0, 1.0)
    >>> phi, spent = shrinking(1.0, 0.2, 1.5, 4)
    >>> round(phi, 6), spent
    (0.177995, 1.875)
    """
    a, b, c = sigma * sigma - 2.0 * sigma * mu, 2.0 * sigma, spent - 15.0 / 32.0 * mistakes
    if a + b + c <= 0.0:
        return 1.0, spent + a + b
    # The parabola rises from c < 0 at 0 to more than 0 at 1, and is 0 once between.
    return -2.0 * c / (b + sqrt(b * b - 4.0 * a * c)), spent - c


class FloatSums(Sums):
    """The mistakes with coefficients in floats; each sum is taken in the order of the mistakes."""

    kinds: ClassVar[Kinds] = {**REAL_ROWS, "spent": ("<f8", 0)}

    def __init__(self, rules: Rules, kernel: Kernel, n: int | None) -> None:
        self.rules, self.kernel = rules, kernel
        self.theta, self._eta = float(rules.theta), float(rules.eta)
        self._forgetron = rules.budget is not None and rules.forget == "forgetron"
        self._size, self._fixed = n or 0, n is not None
        self._adder = adder(rules.owner, kernel, n, normal=self._forgetron)
        self._store = RealRows(*NO_ROWS, np.zeros(0), np.zeros(0))
        self._counts = np.zeros(4, dtype=np.int64)  # trials, updates, promotions, demotions
        self._spent = 0.0

    @property
    def stored(self) -> int:
        """How many mistakes are stored."""
        return len(self._store.places())

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions. A refusal undoes the rows before it."""
        before = self._kept(len(outcomes))
        predictions = np.zeros(len(outcomes), dtype=np.uint8)
        step = AT_ONCE if self.rules.budget is None else 1
        try:
            for start in range(0, len(outcomes), step):
                part = Rows(rows.indptr[start : start + step + 1], rows.indices, rows.values)
                if step > 1:
                    self._store.know(part)
                totals = self._totals(part, start)
                for r, y in enumerate(outcomes[start : start + step].tolist()):
                    predictions[start + r] = self._eta * float(totals[r]) >= self.theta
                    times = float(importance[start + r]) if len(importance) else 1.0
                    if predictions[start + r] != y and times:
                        self._update(part, r, times if y else -times, totals, start)
        except BaseException:  # a user's function may raise anything
            self._back(before)
            raise
        self._counts[0] += len(outcomes)
        return predictions

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and eta times the sum, less theta, of each row."""
        with np.errstate(over="ignore"):
            activations = np.clip(self._eta * self._totals(rows) - self.theta, -LARGEST, LARGEST)
        return (activations >= 0.0).astype(np.uint8), activations

    def values(self, rows: Rows) -> list[float]:
        """Return eta times the sum of each row."""
        return [self._eta * total for total in self._totals(rows).tolist()]

    def _totals(self, rows: Rows, start: int = 0) -> Floats:
        totals = np.zeros(len(rows.indptr) - 1)
        self._add(rows, 0, totals, start)
        return totals

    def _add(self, rows: Rows, first: int, totals: Floats, start: int) -> None:
        """Add the stored rows from ``first`` on; the rows are those from ``start`` on, in the caller's numbers."""
        store = self._store
        if first < store.number and len(totals):
            self._adder.add(rows, store, first, store.number, self._size, totals, start)

    # What is stored

    def _update(self, rows: Rows, r: int, coefficient: float, totals: Floats, start: int) -> None:
        """Store a mistake, and perhaps forget another."""
        store, rules = self._store, self.rules
        store.append(rows, r, coefficient)
        self._counts[1] += 1
        self._counts[2 if coefficient > 0.0 else 3] += 1
        if rules.budget is None:
            later = Rows(rows.indptr[r + 1 :], rows.indices, rows.values)
            self._add(later, store.number - 1, totals[r + 1 :], start + r + 1)
            return
        places = store.places()
        if len(places) > rules.budget:
            self._forget(places, start + r)
        if store.number > 2 * rules.budget + 64:
            self._store = RealRows(*store.rows())

    def _forget(self, places: Ints, now: int) -> None:
        store, rules = self._store, self.rules
        place = int(places[0])
        if rules.forget == "random":
            place = int(places[coin(rules.seed, int(self._counts[1]) - 1) % (len(places) - 1)])
        if self._forgetron:
            sigma = float(store.coefficients[place])
            mu = float(np.sign(sigma) * self._totals(store.row(place), now)[0])
            phi, self._spent = shrinking(abs(sigma), mu, self._spent, int(self._counts[1]))
            store.coefficients[: store.number] *= phi
        store.coefficients[place] = 0.0

    def _kept(self, rows: int) -> tuple[Any, ...]:
        """Return what `_back` needs to undo what comes."""
        store = self._store
        if self.rules.budget is not None and rows > 1:
            store = RealRows(*store.rows())
        return store, store.number, self._counts.copy(), self._spent

    def _back(self, before: tuple[Any, ...]) -> None:
        self._store, self._store.number, self._counts, self._spent = before

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return for each attribute eta times the sum of coefficient times value over the mistakes; no constant."""
        indptr, indices, values, coefficients = self._store.rows()
        found = np.bincount(indices, weights=np.repeat(coefficients, np.diff(indptr)) * values, minlength=size)
        return np.asarray(found[:size] * self._eta, dtype=np.float64), 0.0

    def state(self) -> State:
        """Return all that has been learned, as arrays: the mistakes as CSR rows, the oldest first."""
        indptr, indices, values, coefficients = self._store.rows()
        rows: State = {"stored": indptr, "attributes": indices, "values": values, "coefficients": coefficients}
        size, spent = np.array(self._size), np.array(self._spent)
        return {**rows, "spent": spent, "size": size, "counts": self._counts.copy()}

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self._store = RealRows(state["stored"], state["attributes"], state["values"], state["coefficients"])
        self._spent, self._size, self._counts = float(state["spent"]), int(state["size"]), state["counts"].copy()

    def check(self, state: Loaded) -> None:
        """Check that values of Boolean rows are 1, and that the Forgetron has not spent more than mistakes allow."""
        super().check(state)
        check_rows(state)
        check_counts(state, 4)
        kernel = self.kernel
        need(len(state["values"]) == len(state["attributes"]), "a value for each attribute")
        need(not kernel.boolean or within(state["values"], 1.0, 1.0), "Boolean rows")
        agree = isinstance(kernel, Conjunctions) and not kernel.monotone
        need(not agree or int(state["size"]) == self.size, "all n attributes, for those that are off count")
        need(state["coefficients"].all(), "coefficients")
        most = 15.0 / 32.0 * int(state["counts"][1])
        need(float(state["spent"]) <= most * (1.0 + 1e-9), "what mistakes allow to spend")
