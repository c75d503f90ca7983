"""What second-order learners compute with: a mean an attribute, and how sure it is."""

from math import inf
from typing import ClassVar

import numpy as np

from littlestone.core.arrays import Codes, Floats, State
from littlestone.core.errors import TooLarge
from littlestone.core.messages import Remedy
from littlestone.core.rows import Rows
from littlestone.engine.compiling import Kept
from littlestone.engine.learning import covariances as engine
from littlestone.machines.columns import Columns, widened
from littlestone.machines.sound import COUNTS, Kinds, Loaded, check_columns, check_counts, need, within
from littlestone.parts.updates import Update

__all__ = ["MOST_COORDINATES", "Diagonal", "Full", "Moments", "Rates", "Ratios", "check_full"]

MOST_COORDINATES = 8192  # of a full covariance: half a GiB


class Moments(Columns):
    """Two numbers an attribute (``start`` before the first trial), of which the first is its mean."""

    kinds: ClassVar[Kinds] = {"moments": ("<f8", 2), "constant": ("<f8", 1), **COUNTS}
    _updates = 0

    def __init__(self, code: int, rule: tuple[float, ...], start: tuple[float, float], *, bias: bool) -> None:
        self._rule = np.zeros(2)
        self._rule[: len(rule)] = rule
        self._kind = np.array([code, bias, 0], dtype=np.int64)
        self._counts = np.zeros(3, dtype=np.int64)  # updates, promotions, demotions
        self._moments = np.array([start], dtype=np.float64)
        self._constant = self._moments[0].copy() if bias else np.zeros(2)

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x of each row."""
        predictions, activations = _answers(rows)
        engine.score(*rows, self._moments, self._constant, predictions, activations)
        return predictions, activations

    @property
    def size(self) -> int:
        """How many attributes have numbers of their own."""
        return int(self._kind[engine.SIZE])

    def _widen(self, old: int, size: int) -> None:
        self._moments = widened(self._moments, old, size, axis=0)
        self._kind[engine.SIZE] = size

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the means of ``size`` attributes, and of the constant coordinate."""
        return self._moments[np.minimum(np.arange(size), self.size), 0], float(self._constant[0])

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return {
            "moments": self._moments[: self.size + 1].T.copy(),  # a row each: most variances are 1
            "constant": self._constant.copy(),
            "counts": self._counts.copy(),
        }

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self._moments = np.array(state["moments"].T, dtype=np.float64, order="C")
        self._kind[engine.SIZE] = len(self._moments) - 1
        self._constant, self._counts = state["constant"].copy(), state["counts"].copy()

    def check(self, state: Loaded) -> None:
        """Check a mean and a variance (or a weight and a sum of squares) of each attribute, as kernels hold them."""
        super().check(state)
        numbers, constant = state["moments"], state["constant"]
        check_columns(numbers, 2)
        need(constant.shape == (2,), "two numbers of the constant coordinate")
        most = 2.0 * engine.MOST
        need(within(numbers[0], -most, most) and abs(constant[0]) <= most, "means that are held")
        need(within(numbers[1], 0.0, inf) and constant[1] >= 0.0, "variances")
        check_counts(state, 3)


def _answers(rows: Rows) -> tuple[Codes, Floats]:
    """Return room for the predictions and the activations of rows."""
    return np.empty(len(rows.indptr) - 1, dtype=np.uint8), np.empty(len(rows.indptr) - 1)


class Diagonal(Moments):
    """A mean and a variance an attribute."""

    takes_every_row = True

    def __init__(self, update: Update, rule: tuple[float, ...], *, bias: bool) -> None:
        super().__init__(update.when, rule, (0.0, 1.0), bias=bias)
        self._update = update

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        predictions = np.empty(len(outcomes), dtype=np.uint8)
        rule, kind, state, address = self._rule, self._kind, self._constant, self._update.address
        engine.learn(*rows, outcomes, importance, address, self._moments, rule, kind, state, self._counts, predictions)
        return predictions


class Rates(Moments):
    """A weight an attribute (or theta), and what its rate depends on, moved by a learner's own kernel."""

    takes_every_row = True

    def __init__(
        self, kernel: Kept, rule: tuple[float, ...], start: tuple[float, float], *, when: int, bias: bool
    ) -> None:
        super().__init__(when, rule, start, bias=bias)
        self._kernel = kernel

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        predictions = np.empty(len(outcomes), dtype=np.uint8)
        given = (*rows, outcomes, importance, self._moments, self._rule)
        self._kernel.code(*given, self._kind, self._constant, self._counts, predictions)
        return predictions


class Ratios(Rates):
    """Theta and A of each attribute: a row scores the sum of theta x/(A + x^2), by a kernel of the learner's."""

    def __init__(self, kernel: Kept, scoring: Kept, start: tuple[float, float], *, when: int, bias: bool) -> None:
        super().__init__(kernel, (), start, when=when, bias=bias)
        self._scoring = scoring

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and the score of each row."""
        predictions, activations = _answers(rows)
        self._scoring.code(*rows, self._moments, self._kind, self._constant, predictions, activations)
        return predictions, activations

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` attributes, and of the constant coordinate, on rows of zeros and ones."""
        some = self._moments[np.minimum(np.arange(size), self.size)]
        constant = float(self._constant[0] / (self._constant[1] + 1.0))
        return some[:, 0] / (some[:, 1] + 1.0), constant


class Full(Moments):
    """A mean an attribute, and J with the covariance JJ'; at first J = 1."""

    kinds: ClassVar[Kinds] = {**Moments.kinds, "factor": ("<f8", 2)}

    def __init__(self, owner: str, update: Update, rule: tuple[float, ...], *, bias: bool) -> None:
        super().__init__(update.when, rule, (0.0, 1.0), bias=bias)
        self._owner, self._update, self._bias = owner, update, int(bias)
        self._root = np.eye(self._bias)

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        predictions = np.empty(len(outcomes), dtype=np.uint8)
        rule, kind, state, address = self._rule, self._kind, self._constant, self._update.address
        both = self._moments, self._root
        engine.learn_full(*rows, outcomes, importance, address, both, rule, kind, state, self._counts, predictions)
        return predictions

    def grow(self, size: int) -> None:
        """Give means of their own to ``size`` attributes; newcomers vary by themselves."""
        old, new = self.size + self._bias, size + self._bias
        if new <= old:
            return
        check_full(self._owner, size, bias=bool(self._bias))
        super().grow(size)
        if new > len(self._root):
            room = min(new + old // 2, MOST_COORDINATES)
            wider = np.eye(room)
            wider[:old, :old] = self._root[:old, :old]
            self._root = wider

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        used = self.size + self._bias
        return super().state() | {"factor": self._root[:used, :used].copy()}

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        super().restore(state)
        self._root = np.array(state["factor"], dtype=np.float64, order="C")

    def check(self, state: Loaded) -> None:
        """Check a covariance of all coordinates."""
        super().check(state)
        size = state["moments"].shape[1] - 1 + self._bias
        need(state["factor"].shape == (size, size) and size <= MOST_COORDINATES, "a covariance of all coordinates")


def check_full(owner: str, n: int, *, bias: bool) -> None:
    """Refuse a full covariance of more than `MOST_COORDINATES`."""
    coordinates = n + int(bias)
    if coordinates > MOST_COORDINATES:
        raise TooLarge(
            f"{owner}: expected at most {MOST_COORDINATES:,} coordinates for a full covariance, got {coordinates:,}, "
            f"which would take {coordinates**2 * 8 / 2**30:,.1f} GiB",
            Remedy("set {covariance}", typed="give {covariance}", learner=True, covariance="diagonal"),
        )
