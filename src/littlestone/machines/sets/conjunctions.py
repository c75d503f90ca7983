"""All conjunctions of literals as concepts of Winnow: a row is the set of the literals that hold in it."""

from fractions import Fraction
from math import expm1, inf, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Bools, Codes, Columns, Floats
from littlestone.core.errors import LittlestoneError, TooLarge
from littlestone.core.messages import Remedy
from littlestone.core.rational import TINY, decoded, encoded, ln, readable, whole_times
from littlestone.core.rows import Rows
from littlestone.engine.sets.gibbs import log_ratio
from littlestone.machines.sets.closures import Subsets, check_sets
from littlestone.machines.sets.extents import largest_sums
from littlestone.machines.sets.mapped_winnow import MappedWinnow, Rules
from littlestone.machines.sound import Loaded

__all__ = ["Conjunctions", "Estimate", "SampledConjunctions"]

LARGEST = float(np.finfo(np.float64).max)
MOST_STEPS = 1 << 36  # of a sampler, for one row: about a minute


class Conjunctions(MappedWinnow[int]):
    """All conjunctions of ``n`` literals that are not empty; sets of literals are bits."""

    def __init__(self, rules: Rules, n: int, max_size: int | None) -> None:
        super().__init__(rules, Subsets(n, smallest=1, largest=max_size), n)
        self.largest = n if max_size is None else min(max_size, n)

    def element(self, indices: Columns, values: Floats) -> int:
        """Return the literals that hold, as bits."""
        del values  # all 1
        on = np.zeros(self.size, dtype=np.uint8)
        on[indices] = 1
        return int.from_bytes(np.packbits(on, bitorder="little").tobytes(), "little")

    def written(self, elements: list[int]) -> NDArray[Any]:
        """Return sets as rows of bytes."""
        return encoded(elements)

    def read(self, array: NDArray[Any]) -> list[int]:
        """Return sets from rows of bytes."""
        return decoded(array)

    def net(self, conjunction: int) -> int:
        """Return the exponent of alpha in the weight of one conjunction."""
        return sum(net for row, net in self.nets.items() if row & conjunction == conjunction)

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of the conjunctions of one literal; one beyond the floats is the largest float."""
        nets = [self.net(1 << i) for i in range(min(size, self.size))]
        return np.array([float(readable(self.rules.alpha, net)) for net in nets], dtype=np.float64), 0.0

    def heaviest(self, count: int, exactly: int | None, *, negations: bool) -> list[tuple[tuple[int, ...], int]]:
        """Return the heaviest conjunctions, of a size or heavier than all of their parts; and exponents of alpha."""
        try:
            return largest_sums(self.nets, self.size, count, largest=self.largest, exactly=exactly, negations=negations)
        except TooLarge:
            raise TooLarge(
                f"{self.rules.owner}: the heaviest {count} conjunctions are among too many; ask for fewer, bound "
                "max_size, or ask weights() for single attributes"
            ) from None

    def _check_elements(self, name: str, state: Loaded) -> list[int]:
        return check_sets(name, self.size, state)


# By sampling: the value of a row is estimated, and so are its predictions


class Estimate(NamedTuple):
    """The natural logarithm of a value, and the standard error of that logarithm."""

    log_value: float
    error: float


class SampledConjunctions(Conjunctions):
    """Conjunctions whose sums are estimated; the numbers drawn depend on the seed and the trial's number alone."""

    def __init__(self, rules: Rules, n: int, max_size: int | None, sweeps: int, seed: int) -> None:
        super().__init__(rules, n, max_size)
        self.sweeps, self.seed = sweeps, seed
        self._ln_theta, self._ln_alpha = ln(rules.theta), ln(rules.alpha)

    def estimate(self, element: int, trial: int | None = None) -> Estimate:
        """Estimate the sum of the weights of all conjunctions within ``element``."""
        number = self.lattice.count(element)
        if not number:
            return Estimate(-inf, 0.0)
        merged, everywhere = self._merged(element)
        known = log(number) + everywhere * self._ln_alpha
        if not merged:
            return Estimate(known, 0.0)
        nets = np.array(list(merged.values()), dtype=np.int64)
        things = _matrix([element, *merged], self.size)
        stages = sum(map(abs, merged.values()))
        steps = stages * self.sweeps * len(merged) * element.bit_count()
        if steps > MOST_STEPS:
            raise TooLarge(
                f"{self.rules.owner}: trial {int(self._counts[0])}: to sample would take {steps:,} steps, more than "
                f"{MOST_STEPS:,}",
                Remedy("take fewer sweeps, bound max_size, or take {method}", learner=True, method="exact"),
            )
        ratio, error = log_ratio(
            np.ascontiguousarray(things[1:, things[0]].T), nets, self._ln_alpha, stages,
            self.sweeps, self.largest, self.seed, int(self._counts[0]) if trial is None else trial,
        )  # fmt: skip
        return Estimate(known + ratio, error)

    def _merged(self, element: int) -> tuple[dict[int, int], int]:
        """Return the nets of the sets within ``element``, and that of the element itself: all its parts have it."""
        merged = self.lattice.within(element, self._net)
        return merged, merged.pop(element, 0)

    def _beyond(self, element: int, trial: int) -> float:
        """Return the estimated value less theta; its sign is exact where nothing has to be estimated."""
        if self.lattice.count(element) and not self._merged(element)[0]:
            value, theta = self.value(element).over(self.rules)
            gap = ln(Fraction(value, theta))
        else:
            gap = self.estimate(element, trial).log_value - self._ln_theta
        size = expm1(gap) * self.theta if gap < 700.0 else LARGEST
        return min(size, LARGEST) or (TINY if gap > 0.0 else -TINY if gap < 0.0 else 0.0)

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions. A refusal undoes the rows before it."""
        times = whole_times(self.rules.owner, importance, len(outcomes))
        kept = self.kept()
        try:
            return self._play(rows, outcomes, times)
        except LittlestoneError:
            self.back(kept)
            raise

    def _play(self, rows: Rows, outcomes: Codes, times: list[int]) -> Codes:
        predictions = np.empty(len(outcomes), dtype=np.uint8)
        for r, (outcome, many) in enumerate(zip(outcomes.tolist(), times, strict=True)):
            element = self.at(rows, r)
            predictions[r] = self._beyond(element, int(self._counts[0])) >= 0.0
            if predictions[r] != outcome and many:
                self.store(element, many if outcome else -many)
                self._counts[[1, 2 if outcome else 3]] += 1
            self._counts[0] += 1
        return predictions

    def predict(self, rows: Rows) -> Codes:
        """Return the prediction of each row, as `learn` would have it."""
        return self.score(rows)[0]

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions, and the estimated value less theta, of each row, as `learn` would have them."""
        number, trial = len(rows.indptr) - 1, int(self._counts[0])
        beyond = np.array([self._beyond(self.at(rows, r), trial + r) for r in range(number)], dtype=np.float64)
        return (beyond >= 0.0).astype(np.uint8), beyond


def _matrix(sets: list[int], n: int) -> Bools:
    """Return sets as rows of n Booleans."""
    width = n // 8 + 1
    data = np.frombuffer(b"".join(mask.to_bytes(width, "little") for mask in sets), dtype=np.uint8)
    return np.unpackbits(data.reshape(len(sets), width), axis=1, bitorder="little")[:, :n].astype(np.bool_)
