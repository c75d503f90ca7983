"""Winnow over all concepts of a lattice, by closure maps: no weight is written down, and every number is exact."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any, ClassVar, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Codes, Columns, Floats, Ints, State
from littlestone.core.errors import InvalidModel, LittlestoneError, TooLarge
from littlestone.core.messages import Remedy
from littlestone.core.rational import MOST_TIMES, decoded, encoded, ln, quotient, whole_times
from littlestone.core.rows import Rows
from littlestone.machines.machine import Machine
from littlestone.machines.sets.closures import MAP, ClosureMap, E, Lattice, check_map
from littlestone.machines.sound import Kinds, Loaded, check_counts, need

__all__ = ["MappedWinnow", "Rules", "runs"]

SLACK = 1e-15  # relative, of theta in floats
MOST_BITS = 4096  # of the common denominator of a map that was not asked for


@dataclass(frozen=True)
class Rules:
    """Everything that does not change during a game."""

    owner: str
    alpha: Fraction
    theta: Fraction
    cap: int
    backend: str | None = None  # "map", "local", or None: the map while it is small, then local
    remedy: str | Remedy = "raise cap"

    def bits(self, net: int) -> int:
        """Return what a net number of promotions may add to the bits of the denominator."""
        return abs(net) * ((self.alpha.denominator if net > 0 else self.alpha.numerator) - 1).bit_length()


class Sieve(NamedTuple, Generic[E]):
    """The map in floats, where there is one, and theta times its denominator."""

    weigh: Callable[[E], tuple[float, float]] | None
    theta: float


class Value(NamedTuple):
    """The sum of the weights of all concepts true of a row: ``numerator / denominator * alpha^power``."""

    numerator: int
    denominator: int
    power: int = 0

    def over(self, rules: Rules, more: int = 0) -> tuple[int, int]:
        """Return two whole numbers that compare as the value, times alpha^more, and theta do."""
        power = self.power + more
        p, q = rules.alpha.numerator, rules.alpha.denominator
        up, down = (p, q) if power >= 0 else (q, p)
        theta = rules.theta
        return (
            self.numerator * theta.denominator * up ** abs(power),
            self.denominator * theta.numerator * down ** abs(power),
        )

    def exact(self, alpha: Fraction) -> Fraction:
        """Return the value."""
        return Fraction(self.numerator, self.denominator) * alpha**self.power


def runs(rows: Rows, *others: NDArray[Any]) -> Ints:
    """Return where runs of equal rows (equal in ``others``, too) begin, and the number of rows.

    >>> rows = Rows(np.array([0, 2, 4, 5, 5]), np.array([1, 3, 1, 3, 3], dtype=np.uint32), np.zeros(0))
    >>> runs(rows).tolist(), runs(rows, np.array([0, 1, 1, 1])).tolist()
    ([0, 2, 3, 4], [0, 1, 2, 3, 4])
    """
    lengths = np.diff(rows.indptr)
    number = len(lengths)
    new = np.ones(number + 1, dtype=np.bool_)
    if number:
        new[1:-1] = lengths[1:] != lengths[:-1]
        row = np.repeat(np.arange(number), lengths)
        alike = np.flatnonzero(~new[row])  # what is in a row as long as the one before
        before = alike - lengths[row[alike]] + rows.indptr[0]
        at = alike + rows.indptr[0]
        for part in (rows.indices, rows.values) if len(rows.values) else (rows.indices,):
            new[row[alike[part[at] != part[before]]]] = True
        for one in others:
            new[1:-1] |= one[1:] != one[:-1]
    return np.flatnonzero(new)


class MappedWinnow(Machine, Generic[E]):
    """Winnow with a weight for every concept of a lattice, 1 at first; what is true of a row is below its element.

    A mistake on a row multiplies the weights of all concepts below its element by alpha^(+-1). What is kept of a game
    is the net number of promotions of each distinct element, and, while it is small enough, the map of their meets.
    The value of a row is a sum over that map, or over a map inside the row that is made for it.
    """

    kinds: ClassVar[Kinds] = {**MAP, "stored": ("|u1", 2), "net": ("|u1", 2)}
    optional = frozenset(MAP) - {"counts"}  # of a game that has outgrown its map they are gone

    def __init__(self, rules: Rules, lattice: Lattice[E], n: int) -> None:
        self.rules, self.lattice, self._size = rules, lattice, n
        self.theta = quotient(rules.theta.numerator, rules.theta.denominator)
        self._map = None if rules.backend == "local" else ClosureMap(lattice, cap=rules.cap)
        self._net: dict[E, int] = {}  # promotions less demotions of each element
        self._bits = 0
        self._counts = np.zeros(4, dtype=np.int64)  # trials, updates, promotions, demotions
        self._recent: tuple[E, Value] | None = None
        self._sieve: Sieve[E] | None = None

    @abstractmethod
    def element(self, indices: Columns, values: Floats) -> E:
        """Return the element of one row; ``values`` is empty where all are 1."""

    @abstractmethod
    def written(self, elements: list[E]) -> NDArray[Any]:
        """Return elements as an array that can be written down."""

    @abstractmethod
    def read(self, array: NDArray[Any]) -> list[E]:
        """Return the elements that `written` wrote down."""

    def __len__(self) -> int:
        """Return the number of elements of the map; without one, that of distinct elements that have been updated."""
        return len(self._net if self._map is None else self._map)

    @property
    def nets(self) -> Mapping[E, int]:
        """Promotions less demotions of each distinct element, where they differ."""
        return self._net

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions. A refusal undoes the rows before it."""
        times = whole_times(self.rules.owner, importance, len(outcomes))
        starts = runs(rows, outcomes, importance) if len(importance) else runs(rows, outcomes)
        predictions = outcomes.copy()
        kept = self.kept() if len(starts) > 2 else None
        try:
            for start, stop in pairwise(starts.tolist()):
                wrong = self._run(self.at(rows, start), int(outcomes[start]), times[start], stop - start)
                predictions[start : start + wrong] ^= 1
        except LittlestoneError:
            if kept is not None:
                self.back(kept)
            raise
        return predictions

    def predict(self, rows: Rows) -> Codes:
        """Return the prediction of each row; change nothing."""
        starts = runs(rows)
        predictions = [self._predicted(self.at(rows, start)) for start in starts[:-1].tolist()]
        return np.repeat(np.array(predictions, dtype=np.uint8), np.diff(starts))

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions, and the value less theta, of each row."""
        starts = runs(rows).tolist()
        predictions, activations = np.empty(starts[-1], dtype=np.uint8), np.empty(starts[-1])
        for start, stop in pairwise(starts):
            value, theta = self.value(self.at(rows, start)).over(self.rules)
            predictions[start:stop] = value >= theta
            numerator, denominator = self.rules.theta.numerator, self.rules.theta.denominator
            activations[start:stop] = quotient((value - theta) * numerator, theta * denominator)
        return predictions, activations

    def value(self, element: E) -> Value:
        """Return the sum of the weights of all concepts below ``element``; that of the last one is remembered."""
        recent = self._recent  # by name: another thread that asks may set it to another element's
        if recent is not None and recent[0] == element:
            return recent[1]
        if self._map is not None:
            value = Value(self._map.numerator(element), self._map.denominator)
        else:
            try:
                value = Value(*self.lattice.inside(element, self._net, self.rules.alpha, self.rules.cap))
            except TooLarge:
                raise self._refusal("the map inside its row") from None
        if value.numerator < 0 or (value.numerator == 0 and self.lattice.count(element)):
            raise InvalidModel(f"{self.rules.owner}: its weights are not those of a game; take another copy of it")
        self._recent = element, value
        return value

    def at(self, rows: Rows, r: int) -> E:
        """Return the element of row r."""
        at = slice(rows.indptr[r], rows.indptr[r + 1])
        return self.element(rows.indices[at], rows.values[at] if len(rows.values) else rows.values)

    def _run(self, element: E, outcome: int, times: int, rows: int) -> int:
        """Play equal rows in one go; return how many of them, the first ones, are mistakes."""
        wrong = 0
        if self._predicted(element) != outcome:
            sums = None
            if self._map is not None and (self._recent is None or self._recent[0] != element):
                sums = self._map.sums(element)  # for the value and for the update
                self._recent = element, Value(self._map.numerator(element, sums), self._map.denominator)
            wrong = self._mistakes(self.value(element), outcome, times, rows)
            if times:
                if self.lattice.count(element):
                    self._shift(element, wrong * times if outcome else -wrong * times, sums)
                self._counts[1] += wrong
                self._counts[2 if outcome else 3] += wrong
        self._counts[0] += rows
        return wrong

    def _predicted(self, element: E) -> int:
        """Return the prediction: by floats, unless rounding could have made it."""
        recent = self._recent
        if self._map is not None and (recent is None or recent[0] != element):
            if self._sieve is None:
                theta, denominator = self.rules.theta, self._map.denominator
                theta_times = quotient(theta.numerator * denominator, theta.denominator)
                self._sieve = Sieve(self.lattice.sieve(self._map.coefficients), theta_times)
            if self._sieve.weigh is not None:
                value, error = self._sieve.weigh(element)
                gap = value - self._sieve.theta
                if abs(gap) > error + SLACK * abs(self._sieve.theta):
                    return int(gap > 0.0)
        value_, theta_ = self.value(element).over(self.rules)
        return int(value_ >= theta_)

    def _mistakes(self, value: Value, outcome: int, times: int, rows: int) -> int:
        """Return the number of mistakes, 1 or more, on equal rows: each multiplies their value by alpha^(+-times)."""

        def right(mistakes: int) -> bool:
            one, theta = value.over(self.rules, mistakes * (times if outcome else -times))
            return (one >= theta) == bool(outcome)

        if rows == 1 or not times or not value.numerator:
            return rows
        one, theta = value.over(self.rules)
        # But for rounding: a step or two.
        far, step = abs(ln(Fraction(theta, one))), times * ln(self.rules.alpha)
        steps = rows if far >= rows * step else max(ceil(far / step), 1)
        while steps < rows and not right(steps):
            steps += 1
        while steps > 1 and right(steps - 1):
            steps -= 1
        return steps

    def _shift(self, element: E, by: int, sums: Mapping[E, int] | None) -> None:
        """Multiply the weights of the concepts below ``element`` by alpha^by; a refusal changes nothing."""
        rules, value, old = self.rules, self.value(element), self._net.get(element, 0)
        bits = self._bits + rules.bits(old + by) - rules.bits(old)
        if rules.backend is None and bits > MOST_BITS:
            self._map = None
        if self._map is not None:
            try:
                self._map.add(element, rules.alpha**by, sums)
            except TooLarge:
                if rules.backend == "map":
                    raise self._refusal("the map of closed sets") from None
                self._map = None
            else:
                if self._map.denominator.bit_length() > 2 * bits + MOST_BITS:
                    self._map.coefficients, self._map.denominator = self._map.reduced()
        self._bits = bits
        self.store(element, by)
        self._recent = element, value._replace(power=value.power + by)

    def store(self, element: E, by: int) -> None:
        """Keep the net number of promotions, the last updated last."""
        net = self._net.pop(element, 0) + by
        if net:
            self._net[element] = net
        self._recent = self._sieve = None

    def _refusal(self, what: str) -> TooLarge:
        rules = self.rules
        trial = int(self._counts[0])
        return TooLarge(f"{rules.owner}: trial {trial}: {what} would outgrow cap={rules.cap:,}", rules.remedy)

    def grow(self, size: int) -> None:
        """All attributes have their place from the start."""
        del size

    def kept(self) -> Any:
        """Return what `back` needs to undo all that comes."""
        mapped = None if self._map is None else (self._map, dict(self._map.coefficients), self._map.denominator)
        return mapped, dict(self._net), self._bits, self._counts.copy()

    def back(self, kept: Any) -> None:
        """Return to what was kept."""
        mapped, self._net, self._bits, self._counts = kept
        if mapped is not None:
            self._map, self._map.coefficients, self._map.denominator = mapped
        self._recent = self._sieve = None

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        nets = self._net
        state = {"stored": self.written(list(nets)), "net": encoded(nets.values()), "counts": self._counts.copy()}
        if self._map is None:
            return state
        coefficients, denominator = self._map.reduced()
        closed = self.written(list(coefficients))
        order = np.lexsort(closed.T)  # the order in which they came depends on how the rows were cut into blocks
        numbers = encoded(coefficients.values())
        return state | {"closed": closed[order], "coefficients": numbers[order], "denominator": encoded([denominator])}

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self._net = dict(zip(self.read(state["stored"]), decoded(state["net"]), strict=True))
        self._bits = sum(map(self.rules.bits, self._net.values()))
        self._counts, self._recent, self._sieve = state["counts"].copy(), None, None
        if "closed" not in state:
            self._map = None
        elif self._map is not None:
            closed = zip(self.read(state["closed"]), decoded(state["coefficients"]), strict=True)
            self._map.coefficients, self._map.denominator = dict(closed), decoded(state["denominator"])[0]

    def check(self, state: Loaded) -> None:
        """Check elements, the net numbers of their promotions, and the map where there is one."""
        super().check(state)
        elements = self._check_elements("stored", state)
        closed = self._check_elements("closed", state) if "closed" in state else None
        nets, backend = decoded(state["net"]), self.rules.backend
        check_counts(state, 4)
        need(len(elements) == len(nets) and all(nets), "a net number for each row")
        most = MOST_TIMES * int(state["counts"][1])
        need(sum(map(abs, nets)) <= most, "net numbers that so many updates can reach")
        fits = closed is not None if backend == "map" else closed is None or backend is None
        need(fits, "a map as the backend has it")
        net = dict(zip(elements, nets, strict=True))
        need(len(net) == len(nets), "each row once")
        check_map(self.lattice, net, self.rules.alpha, closed, state)

    @abstractmethod
    def _check_elements(self, name: str, state: Loaded) -> list[E]:
        """Return the elements in an array of a state, checked."""
