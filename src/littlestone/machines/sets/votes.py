"""The machine of a vote among disjunctions: what it says and when it updates. Two others count the votes."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from littlestone.core.arrays import Codes, Columns, Floats
from littlestone.core.coins import RESOLUTION, coin
from littlestone.core.errors import LittlestoneError
from littlestone.core.rational import whole_times
from littlestone.core.rows import Rows
from littlestone.machines.machine import Machine

__all__ = ["Vote", "Voters", "Voting"]

NEAR = 1e-9  # a share of the weight this near to what decides is computed exactly; floats are off by far less
TINY = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True)
class Voting:
    """The rules of the vote: everything that does not change during a game."""

    owner: str
    beta: Fraction
    max_size: int | None
    always: bool
    tie: int
    randomized: bool = False
    seed: int = 0
    cap: int = 0


class Vote(NamedTuple):
    """The share of the weight that says 1; exactly, it is the quotient of two whole numbers.

    ``exact(p, q)`` gives two whole numbers of which the quotient is the share less p/q.
    """

    share: float
    exact: Callable[[int, int], tuple[int, int]]
    found: Any = None  # what the counting found, for the update that may follow

    def beyond(self, numerator: int = 1, denominator: int = 2) -> float:
        """Return the share minus a fraction; its sign is exact."""
        gap = self.share - numerator / denominator
        if abs(gap) > NEAR:
            return gap
        difference, whole = self.exact(numerator, denominator)
        size = max(abs(difference) / whole, TINY)
        return 0.0 if difference == 0 else size if difference > 0 else -size


NOBODY = Vote(0.0, lambda p, q: (-p, q))  # says 1


class Voters(Machine):
    """All disjunctions of ``n`` attributes (of at most max_size), each with the weight beta^(its errors).

    A row goes by what it leaves ``free``, the attributes that are off: disjunctions within it say 0. If the outcome is
    1 they err; if it is 0 all others err, which is the same as the reverse of an error for these. Where all attributes
    are off the disjunctions say the same, and their weights, which count by their shares, stay as they are.
    """

    theta = 0.5

    def __init__(self, voting: Voting, n: int) -> None:
        self.voting, self._size = voting, n
        self._top = (1 << n) - 1
        self._counts = np.zeros(4, dtype=np.int64)  # trials, updates, promotions, demotions

    @abstractmethod
    def vote(self, free: int) -> Vote:
        """Count the votes on a row."""

    @abstractmethod
    def shift(self, free: int, by: int, vote: Vote) -> None:
        """Multiply the weights of the disjunctions within ``free`` by beta^by; a refusal changes nothing."""

    @abstractmethod
    def weight(self, disjunction: int) -> Fraction:
        """Return the share of the weight that one disjunction has."""

    @abstractmethod
    def heaviest(self) -> int:
        """Return the disjunction of the largest weight; of equal ones the smallest, then by positions."""

    @abstractmethod
    def kept(self) -> Any:
        """Return what `back` needs to undo all that comes."""

    @abstractmethod
    def back(self, kept: Any) -> None:
        """Return to what was kept."""

    def free(self, active: Columns) -> int:
        """Return the attributes that are off, as bits."""
        on = np.zeros(self.size, dtype=np.uint8)
        on[active] = 1
        return self._top ^ int.from_bytes(np.packbits(on, bitorder="little").tobytes(), "little")

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions. A refusal undoes the rows before it."""
        times = whole_times(self.voting.owner, importance, len(outcomes))
        if len(outcomes) == 1:
            return np.array([self._trial(rows, 0, int(outcomes[0]), times[0])], dtype=np.uint8)
        kept, counts = self.kept(), self._counts.copy()
        try:
            given = enumerate(zip(outcomes.tolist(), times, strict=True))
            predictions = [self._trial(rows, r, outcome, many) for r, (outcome, many) in given]
        except LittlestoneError:
            self.back(kept)
            self._counts = counts
            raise
        return np.array(predictions, dtype=np.uint8)

    def _trial(self, rows: Rows, r: int, outcome: int, times: int) -> int:
        free = self.free(rows.indices[rows.indptr[r] : rows.indptr[r + 1]])
        vote = self._vote(free)
        predicted = self._prediction(vote, int(self._counts[0]))
        wrong = predicted != outcome
        if times and (self.voting.always or wrong):
            if free != self._top:
                self.shift(free, times if outcome else -times, vote)
            self._counts[1] += 1
            if wrong:
                self._counts[2 if outcome else 3] += 1
        self._counts[0] += 1
        return predicted

    def _vote(self, free: int) -> Vote:
        return NOBODY if free == self._top else self.vote(free)

    def _prediction(self, vote: Vote, trial: int) -> int:
        if self.voting.randomized:
            return int(vote.beyond(coin(self.voting.seed, trial), RESOLUTION) > 0.0)
        gap = vote.beyond()
        return int(gap > 0.0 or (gap == 0.0 and self.voting.tie == 1))

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions, and the share of the weight that says 1, minus 1/2, of each row."""
        number = len(rows.indptr) - 1
        predictions, activations = np.empty(number, dtype=np.uint8), np.empty(number)
        for r in range(number):
            vote = self._vote(self.free(rows.indices[rows.indptr[r] : rows.indptr[r + 1]]))
            predictions[r] = self._prediction(vote, int(self._counts[0]) + r)
            activations[r] = vote.beyond()
        return predictions, activations

    def grow(self, size: int) -> None:
        """All attributes have their place from the start."""
        del size

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the probability that each attribute is in the disjunction: the vote on the row of it alone."""
        shares = [self.vote(self._top ^ 1 << i).share for i in range(min(size, self.size))]
        return np.array(shares, dtype=np.float64), 0.0
