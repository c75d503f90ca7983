"""What `Auto` computes with: a pool of experts that is always the same, their numbers side by side, and the vote."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Bools, Floats, Ints, State
from littlestone.core.rows import Rows, check_size
from littlestone.engine.learning import ballot, full_pool, pool
from littlestone.machines.full_pool import FullPool, covered
from littlestone.machines.hearing import NOT_HEARD, Hearing
from littlestone.machines.machine import Machine
from littlestone.machines.pool_sound import DELTA, EVERY, OUT, check_pool, check_room, places_of, targets_of
from littlestone.machines.roster import Roster, given_0, parameters, staying
from littlestone.machines.sound import COUNTS, Kinds, Loaded
from littlestone.parts.changes import ChangeDetector

__all__ = ["BETA", "CUT", "Pool"]

Codes = NDArray[np.int32]

BETA = 0.5  # what a loss of 1 leaves of an expert's weight
ETA = -float(np.log(BETA))
AT_ONCE = 1 << 14  # scores that are written down at a time: they stay in the cache
CUT = 8192  # trials after which few experts stay: the best, and as many as fill a group of the engine's
NO_OUTCOMES: Codes = np.zeros(0, dtype=np.int32)
NOTHING = np.zeros(0)


class Pool(Machine):
    """The numbers of all experts, for each target; what they have lost."""

    kinds: ClassVar[Kinds] = {
        "numbers": ("<f8", 2), "constants": ("<f8", 2), "means": ("<f8", 2), "roots": ("<f8", 3), "mu": ("<f8", 2),
        "sigma": ("<f8", 3), "ledger": ("<f8", 2), "told": ("<i8", 2), "parts": ("<f8", 1), "watch": ("<i8", 2),
        **COUNTS,
    }  # fmt: skip
    optional = frozenset({"parts", "watch"})  # files of before there were restarts have none

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self._counts = np.zeros(OUT + 1, dtype=np.int64)
        self._combination_rule = parameters(roster.combinations)[:, 0].copy()
        self._tally = np.zeros((0, 4), dtype=np.int64)
        self._watch = ChangeDetector(delta=DELTA, every=EVERY)
        self._before = np.zeros(3)  # parts of the game that are over, their trials, and what their best have lost
        self.hearing: Hearing | None = None  # who is told what the combinations say of rows that are learned
        self._begin()

    def _begin(self) -> None:
        """Let all experts begin anew, with no attributes and no classes."""
        single, combinations = self.roster.single, len(self.roster.combinations)
        self._counts[:] = 0
        self._counts[full_pool.IN] = 1
        self._covering = FullPool(self.roster)
        self._call(0)
        starts = np.array([kind.start for kind in self.roster.diagonal]).T.reshape(-1)
        self._numbers = np.empty((1, self._width))
        self._numbers[0, places_of(len(self._lanes))] = starts
        self._constants = self._numbers.copy()
        self._mu = np.full((combinations, single), 1.0 / single)
        self._sigma = np.tile(np.eye(single), (combinations, 1, 1))
        self._gone = np.zeros((len(self.roster.names), ballot.SIZES + 1))  # the ledger of those who have left
        self._ledger = self._gone.copy()

    def _restart(self, *, all_there: bool) -> None:
        """Begin anew with the attributes and the classes that there are, since mistakes have become more frequent.

        Experts may have learned later rows already; ``all_there``: those with full covariances were in the last one.
        """
        size, known = self.size, int(self._counts[ballot.KNOWN])
        self._counts[full_pool.IN] = all_there
        self._before += 1, self._counts[ballot.COUNTED], self.least
        self._begin()
        self.know(known)
        self.grow(size)

    @property
    def least(self) -> float:
        """What the best expert that has a vote has lost in the part of the game that is not over."""
        return float(np.min(self.ledger[self.present, ballot.LOSS]))

    @property
    def before(self) -> tuple[int, float]:
        """How many parts of the game are over, and what the best expert of each lost there, in all."""
        return int(self._before[0]), float(self._before[2])

    def _call(self, out: int) -> None:
        """Let all experts take part but those who are ``out``, a bit each."""
        diagonal, single, everybody = len(self.roster.diagonal), self.roster.single, len(self.roster.names)
        self._counts[OUT] = out
        self._voting: Ints = np.array([e for e in range(everybody) if not out >> e & 1], dtype=np.int64)
        self._lanes = self._voting[self._voting < diagonal]
        self._full: Ints = self._voting[(self._voting >= diagonal) & (self._voting < single)] - diagonal
        self._rule = parameters(self.roster.diagonal)[self._lanes]
        self._width = 2 * len(self._lanes)

    @property
    def size(self) -> int:
        """How many attributes have numbers of their own."""
        return int(self._counts[pool.SIZE])

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return int(self._counts[pool.CLASSES])

    @property
    def targets(self) -> int:
        """How many targets there are: of two classes one."""
        return targets_of(self.classes)

    @property
    def tally(self) -> Ints:
        """Examples, mistakes, promotions and demotions of each class."""
        return self._tally[: self.classes]

    @property
    def ledger(self) -> Floats:
        """The loss of each expert, its mistakes, and the sum of the sizes of its scores."""
        found = self._gone.copy()
        found[self._voting] = self._ledger
        return found

    @property
    def present(self) -> Bools:
        """Which experts take part: those with a full covariance may be out, and after `CUT` trials most are."""
        there = np.zeros(len(self._gone), dtype=np.bool_)
        there[self._voting] = True
        there[len(self.roster.diagonal) : self.roster.single] &= bool(self._counts[full_pool.IN])
        return there

    def know(self, classes: int) -> None:
        """Make the targets of the first ``classes`` classes."""
        self._room(self.size, classes)
        if classes > self.classes:
            pool.welcome(classes - 1, self._numbers, self._constants, self._kind, self._counts)
            self._counts[ballot.KNOWN] = classes
            self._counts[full_pool.IN] &= self._covering.cover(classes)
        self._tidy()

    def grow(self, size: int) -> None:
        """Give numbers of their own to ``size`` attributes: copies of the spare row, which stays the last."""
        old = self.size
        if size <= old:
            return
        check_size(size)
        self._room(size, self.classes)
        self._numbers[old + 1 : size + 1] = self._numbers[old].copy()  # or NumPy copies it for each
        self._counts[pool.SIZE] = size
        if self._counts[full_pool.IN]:
            self._covering.widen(size)

    def shrink(self, size: int) -> None:
        """Take the numbers of all but ``size`` attributes away: they are still copies of the spare row."""
        self._counts[pool.SIZE] = size

    def said(self, rows: Rows) -> Floats:
        """Return what each combination says of each class, for each row."""
        number = len(rows.indptr) - 1
        wide, votes = max(self.classes, 2), np.empty((1, max(self.classes, 1)))
        said = np.zeros((number, len(self.roster.combinations), wide))
        for at in self._parts(0, number):
            self._play(rows.some(at), np.empty(at.stop - at.start, dtype=np.int32), votes, said[at])
        return said

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict by the vote, then let everybody learn, row by row; return the predictions."""
        classes = max(int(outcomes.max(initial=-1)) + 1, self.classes)
        self._room(self.size, classes)
        predictions, votes = np.empty(len(outcomes), dtype=np.int32), np.empty((1, max(len(self._tally), 2)))
        hearing, said = self.hearing, NOT_HEARD
        if hearing is not None:
            said = hearing.room(outcomes, self.classes, max(len(self._tally), 2))
        start = 0
        while start < len(outcomes):
            self._cut()  # also of a model that was saved when nobody was cut
            self._room(self.size, classes)
            stop, over = start + self._before_the_cut(len(outcomes) - start, importance[start:]), self._before[0]
            for at in self._parts(start, stop):
                some = predictions[at], votes, said[at]
                start = at.start + self._learn(rows.some(at), outcomes[at], importance[at], *some)
                if self._before[0] > over:
                    break  # all have begun anew: what is left is played by them
        self._cut()
        self._tidy()
        return predictions

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions of rows, and the share of the vote that each class has."""
        number = len(rows.indptr) - 1
        predictions, votes = np.empty(number, dtype=np.int32), np.zeros((number, max(self.classes, 1)))
        for at in self._parts(0, number):
            self._play(rows.some(at), predictions[at], votes[at], NOT_HEARD)
        return predictions, votes[:, : self.classes] / votes.sum(axis=1, keepdims=True)

    def scores(self, rows: Rows) -> Floats:
        """Return what each diagonal expert that is left says of each row, for the second of two classes or for each."""
        scores = np.empty((len(rows.indptr) - 1, self.targets, len(self._lanes)))
        self._ask(rows, NO_OUTCOMES, np.zeros(0), scores)
        return scores

    def full_scores(self, rows: Rows) -> tuple[Floats, NDArray[np.uint8]]:
        """Return the scores (row, class, expert) of those with a full covariance, and where they have a say."""
        return self._ask_full(rows, NO_OUTCOMES, np.zeros(0))

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return nothing: there is no one weight an attribute."""
        raise NotImplementedError(f"{size} weights of {len(self._ledger)} experts: ask for those of one")

    def weights_of(self, expert: int, size: int) -> Floats:
        """Return one expert's weights of ``size`` attributes, a row a target."""
        diagonal = len(self.roster.diagonal)
        if expert >= diagonal:
            return self._covering.weights(expert - diagonal, size)
        lane, rows = int(np.searchsorted(self._lanes, expert)), np.minimum(np.arange(size), self.size)
        first, second = places_of(len(self._lanes))[[lane, lane + len(self._lanes)]]
        targets = covered(self.classes)
        some = self._numbers[rows, first :: self._width][:, :targets].T
        if self.roster.diagonal[expert].of == pool.WINNOW:
            some = some - self._numbers[rows, second :: self._width][:, :targets].T
        return np.array(some)

    def counts(self) -> tuple[int, int, int]:
        """Return the number of trials that were learned, and the promotions and demotions of all classes."""
        promotions, demotions = self.tally[:, ballot.PROMOTIONS :].sum(axis=0).tolist()
        return int(self._counts[ballot.COUNTED] + self._before[1]), promotions, demotions

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        columns = self._columns(self.targets)
        numbers = np.empty((len(columns), self.size + 1))  # a row each: most of them are what they were
        for row, column in zip(numbers, columns, strict=True):
            row[:] = self._numbers[: self.size + 1, column] + 0.0  # -0.0, to which nothing else looks, shows blocks
        return {
            "numbers": numbers,
            "constants": self._constants[: self.targets, places_of(len(self._lanes))] + 0.0,
            **self._covering.state(self.size),
            "mu": self._mu.copy(),
            "sigma": self._sigma.copy(),
            "ledger": self.ledger,
            "told": self.tally.copy(),
            "counts": self._counts.copy(),
            "parts": self._before.copy(),
            "watch": self._watch.state(),
        }

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self._tally, counts = state["told"].copy(), state["counts"]
        self._counts = np.pad(counts, (0, OUT + 1 - len(counts)))  # in older files nobody has left
        self._call(int(self._counts[OUT]))
        self._gone, self._ledger = state["ledger"].copy(), state["ledger"][self._voting]
        self._mu, self._sigma = (np.array(state[name], dtype=np.float64, order="C") for name in ("mu", "sigma"))
        if "watch" in state:
            self._before = state["parts"].astype(np.float64)
            self._watch.restore(state["watch"])
        self._covering.restore(self._full, covered(self.classes) if self._counts[full_pool.IN] else 1, state)
        self._numbers, self._constants = np.empty(state["numbers"].shape[::-1]), np.empty(state["constants"].shape)
        for row, column in zip(state["numbers"], self._columns(self.targets), strict=True):
            self._numbers[:, column] = row
        self._constants[:, places_of(len(self._lanes))] = state["constants"]

    def _columns(self, targets: int) -> Ints:
        """Return where the numbers stand that a file has in order: of each target all first ones, then the second."""
        return (np.arange(targets)[:, np.newaxis] * self._width + places_of(len(self._lanes))).reshape(-1)

    def _learn(
        self, rows: Rows, outcomes: Codes, importance: Floats, predictions: Codes, votes: Floats, said: Floats
    ) -> int:
        """Predict rows by the vote, and let everybody learn; return how many rows it was until all began anew."""
        heard, start = self._heard(rows, outcomes, importance), 0
        while start < len(outcomes):
            at = slice(start, min(start + self._watch.left, len(outcomes)))
            some = predictions[at], votes, said[at]
            kept = (self._mu, self._sigma), self._ledger, self._tally, self._counts
            self._vote(tuple(one[at] for one in heard), outcomes[at], importance[at], kept, some)
            start = at.stop
            wrong = int(np.count_nonzero(predictions[at] != outcomes[at]))
            if self._watch.add(at.stop - at.start, wrong) is not None:
                self._restart(all_there=bool(heard[2][start - 1]))
                break
        return start

    def _play(self, rows: Rows, predictions: Codes, votes: Floats, said: Floats) -> None:
        """Predict rows by the vote."""
        # The arrays of a learner in a file that is mapped may not be written to.
        mu, sigma, ledger, tally, counts = (
            array.copy() for array in (self._mu, self._sigma, self._ledger, self._tally, self._counts)
        )
        heard = self._heard(rows, NO_OUTCOMES, NOTHING)
        self._vote(heard, NO_OUTCOMES, NOTHING, ((mu, sigma), ledger, tally, counts), (predictions, votes, said))

    def _heard(self, rows: Rows, outcomes: Codes, importance: Floats) -> tuple[Any, ...]:
        """Return what all experts say of rows; let them learn, if there are outcomes."""
        number = len(rows.indptr) - 1
        scores = np.empty((number, targets_of(max(len(self._tally), self.classes)), len(self._lanes)))
        full, present = self._ask_full(rows, outcomes, importance)
        self._ask(rows, outcomes, importance, scores)
        return scores, full, present

    def _vote(
        self, heard: tuple[Any, ...], outcomes: Codes, importance: Floats, kept: tuple[Any, ...], found: tuple[Any, ...]
    ) -> None:
        rule = self.roster.rules[2], self._combination_rule
        ballot.vote(heard, outcomes, importance, ETA, *rule, *kept, *found)

    def _ask(self, rows: Rows, outcomes: Codes, importance: Floats, scores: Floats) -> None:
        numbers, constants, kind, rule, counts = self._numbers, self._constants, self._kind, self._rule, self._counts
        if len(outcomes):
            pool.learn(*rows, outcomes, importance, numbers, constants, kind, rule, counts, scores)
        else:
            pool.score(*rows, numbers, constants, kind, rule, counts, scores)

    @property
    def _kind(self) -> Ints:
        return self.roster.rules[0][self._lanes]

    def _ask_full(self, rows: Rows, outcomes: Codes, importance: Floats) -> tuple[Floats, NDArray[np.uint8]]:
        number, wide = len(rows.indptr) - 1, covered(max(len(self._tally), self.classes))
        full, present = np.zeros((number, wide, len(self._full))), np.zeros(number, dtype=np.uint8)
        if self._counts[full_pool.IN] and len(outcomes):
            self._covering.learn(rows, outcomes, importance, self._counts, self.classes, full, present)
        elif self._counts[full_pool.IN]:
            self._covering.score(rows, full, present)
        return full, present

    def _parts(self, start: int, stop: int) -> Iterator[slice]:
        """Yield rows a part at a time, so that their scores stay near; results do not depend on it."""
        step = max(1, AT_ONCE // (len(self._lanes) * targets_of(max(len(self._tally), self.classes))))
        for at in range(start, stop, step):
            yield slice(at, min(at + step, stop))

    def _before_the_cut(self, number: int, importance: Floats) -> int:
        """Return how many of so many rows are played before the cut."""
        left = CUT - int(self._counts[ballot.COUNTED])
        if self._counts[OUT] or left > number:
            return number
        counted = np.flatnonzero(importance) if len(importance) else np.arange(number)
        return number if len(counted) < left else int(counted[left - 1]) + 1

    def _cut(self) -> None:
        """After `CUT` trials go on with few experts: the best one, and those that a combination would miss most."""
        if self._counts[OUT] or self._counts[ballot.COUNTED] < CUT:
            return
        diagonal, single = len(self.roster.diagonal), self.roster.single
        there = np.flatnonzero(self.present[:single])  # who is not there says nothing, and is not missed
        mu, sigma = self._mu[:, there], self._sigma[:, there][:, :, there]
        best = int(np.argmin(self._ledger[there, ballot.LOSS]))
        groups = (there < diagonal, pool.GROUP), (there >= diagonal, 0)
        stay = staying(mu[0], sigma[0], best, groups)
        for out in reversed(range(len(there))):
            if out not in stay:
                less = [given_0(*one, out) for one in zip(mu, sigma, strict=True)]
                mu, sigma = np.array([one[0] for one in less]), np.array([one[1] for one in less])
        self._mu, self._sigma = mu, sigma
        self._keep(there[stay])

    def _keep(self, stay: Ints) -> None:
        """Have the numbers of those experts only who stay; all are here."""
        diagonal, single, everybody = len(self.roster.diagonal), self.roster.single, len(self.roster.names)
        lanes, full = stay[stay < diagonal], stay[stay >= diagonal] - diagonal
        places, ledger, wide = places_of(diagonal), self.ledger, len(self._constants)
        own = np.concatenate((places[lanes], places[lanes + diagonal]))  # in the order of places below
        columns = (np.arange(wide)[:, np.newaxis] * self._width + own).reshape(-1)
        self._numbers = np.take(self._numbers[: self.size + 1], columns, axis=1)
        self._constants = np.take(self._constants, own, axis=1)
        self._covering.keep(full)
        self._call(sum(1 << e for e in range(single) if e not in stay))
        self._gone, self._ledger = ledger, ledger[[*stay, *range(single, everybody)]]

    def _room(self, size: int, classes: int) -> None:
        """Have room for so many attributes and classes, and for half as many again where there is too little."""
        targets, width = targets_of(classes), self._width
        old_rows, old_targets = len(self._numbers), len(self._constants)
        rows = old_rows if size < old_rows else size + 1 + self.size // 2
        wide = old_targets if targets <= old_targets else max(targets, old_targets + old_targets // 2)
        if (rows, wide) != (old_rows, old_targets):
            check_room((size + 1) * targets * width)
            numbers = np.empty((rows, wide * width))
            numbers[: self.size + 1, : old_targets * width] = self._numbers[: self.size + 1]
            constants = np.zeros((wide, width))
            constants[:old_targets] = self._constants
            self._numbers, self._constants = numbers, constants
        if classes > len(self._tally):
            more = max(classes, len(self._tally) * 3 // 2) - len(self._tally)
            self._tally = np.concatenate((self._tally, np.zeros((more, 4), dtype=np.int64)))

    def _tidy(self) -> None:
        """Give back the room of those who are out."""
        if not self._counts[full_pool.IN]:
            self._covering.leave()

    def check(self, state: Loaded) -> None:
        """Check the numbers of each expert, target and attribute; full covariances take part while there are few."""
        super().check(state)
        check_pool(state, self.roster)
