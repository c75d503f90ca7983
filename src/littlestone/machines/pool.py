"""What `Auto` computes with: a pool of experts that is always the same, their numbers side by side, and the vote."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Bools, Floats, Ints, State
from littlestone.core.errors import TooLarge
from littlestone.core.rows import MOST_ATTRIBUTES, Rows, check_size
from littlestone.engine.learning import ballot, full_pool, pool
from littlestone.machines.machine import Machine
from littlestone.machines.sound import COUNTS, ENOUGH, MOST_CLASSES, Kinds, Loaded, check_counts, need, within
from littlestone.parts.updates import Update

__all__ = ["BETA", "Kind", "Pool", "Roster"]

Codes = NDArray[np.int32]

BETA = 0.5  # what a loss of 1 leaves of an expert's weight
ETA = -float(np.log(BETA))
AT_ONCE = 1 << 14  # scores that are written down at a time: they stay in the cache
MOST_NUMBERS = 1 << 29  # 4 GiB
NO_OUTCOMES: Codes = np.zeros(0, dtype=np.int32)


class Kind(NamedTuple):
    """An expert: the learner that it is, and what the engine has to know of it."""

    name: str
    rule: Update | int  # its learner's own; an int where the engine has it: Adagrad's loss
    numbers: tuple[float, ...]
    start: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True)
class Roster:
    """The experts of a pool: those with two numbers an attribute, those with matrices, those on what the others say."""

    diagonal: tuple[Kind, ...]
    full: tuple[Kind, ...]
    combinations: tuple[Kind, ...]

    @cached_property
    def rules(self) -> tuple[Ints, Ints, Ints]:
        """The rules of all experts as the engine has them, in this process."""
        return _rules(self.diagonal), _rules(self.full), _rules(self.combinations)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.diagonal, self.full, self.combinations)  # without addresses

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    @property
    def single(self) -> int:
        """How many experts look at the rows themselves."""
        return len(self.diagonal) + len(self.full)

    @property
    def names(self) -> tuple[str, ...]:
        """The experts, in the order of their votes."""
        return tuple(kind.name for kind in (*self.diagonal, *self.full, *self.combinations))


def _rules(kinds: tuple[Kind, ...]) -> Ints:
    """Return the address of each rule and when it is asked, or the number that stands for it."""
    rules = [kind.rule for kind in kinds]
    found = [(rule, 0) if isinstance(rule, int) else (rule.address, rule.when) for rule in rules]
    return np.array(found, dtype=np.int64)


def _parameters(kinds: tuple[Kind, ...]) -> Floats:
    return np.array([kind.numbers[0] for kind in kinds])


class Pool(Machine):
    """The numbers of all experts, for each target; what they have lost."""

    kinds: ClassVar[Kinds] = {
        "numbers": ("<f8", 2), "constants": ("<f8", 2), "means": ("<f8", 2), "roots": ("<f8", 3), "mu": ("<f8", 2),
        "sigma": ("<f8", 3), "ledger": ("<f8", 2), "told": ("<i8", 2), **COUNTS,
    }  # fmt: skip

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        diagonal, full, combinations = roster.diagonal, roster.full, roster.combinations
        self._rule = np.zeros((len(diagonal), pool.MARGIN + 1))
        for row, kind in zip(self._rule, diagonal, strict=True):
            row[: len(kind.numbers)] = kind.numbers
        self._width = pool.WIDTH
        self._numbers = np.array([kind.start for kind in diagonal]).T.reshape(1, -1).copy()
        self._constants = self._numbers.copy()
        self._means, self._roots = np.zeros((len(full), 1)), np.ones((len(full), 1, 1))
        self._full_rule = _parameters(full)
        self._mu = np.full((len(combinations), roster.single), 1.0 / roster.single)
        self._sigma = np.tile(np.eye(roster.single), (len(combinations), 1, 1))
        self._combination_rule = _parameters(combinations)
        self._ledger = np.zeros((len(roster.names), ballot.SIZES + 1))
        self._tally = np.zeros((0, 4), dtype=np.int64)
        self._counts = np.array([0, 0, 1, 0, 0], dtype=np.int64)

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
        return _targets(self.classes)

    @property
    def tally(self) -> Ints:
        """Examples, mistakes, promotions and demotions of each class."""
        return self._tally[: self.classes]

    @property
    def ledger(self) -> Floats:
        """The loss of each expert, its mistakes, and the sum of the sizes of its scores."""
        return self._ledger

    @property
    def present(self) -> Bools:
        """Which experts take part: those with a full covariance may be out."""
        there = np.ones(len(self._ledger), dtype=np.bool_)
        there[len(self._rule) : self.roster.single] = self._counts[full_pool.IN] != 0
        return there

    def know(self, classes: int) -> None:
        """Make the targets of the first ``classes`` classes."""
        self._room(self.size, classes)
        if classes > self.classes:
            pool.welcome(classes - 1, self._numbers, self._constants, self._counts)
            self._counts[ballot.KNOWN] = classes
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
        self._widen()

    def shrink(self, size: int) -> None:
        """Take the numbers of all but ``size`` attributes away: they are still copies of the spare row."""
        self._counts[pool.SIZE] = size

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict by the vote, then let everybody learn, row by row; return the predictions."""
        self._room(self.size, max(int(outcomes.max(initial=-1)) + 1, self.classes))
        predictions, votes = np.empty(len(outcomes), dtype=np.int32), np.empty((1, max(len(self._tally), 2)))
        for at in self._parts(len(outcomes)):
            some = Rows(rows.indptr[at.start : at.stop + 1], rows.indices, rows.values)
            self._play(some, outcomes[at], importance[at], predictions[at], votes)
        self._tidy()
        return predictions

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions of rows, and the share of the vote that each class has."""
        number = len(rows.indptr) - 1
        predictions, votes = np.empty(number, dtype=np.int32), np.zeros((number, max(self.classes, 1)))
        nothing = np.zeros(0)
        for at in self._parts(number):
            some = Rows(rows.indptr[at.start : at.stop + 1], rows.indices, rows.values)
            self._play(some, NO_OUTCOMES, nothing, predictions[at], votes[at])
        return predictions, votes[:, : self.classes] / votes.sum(axis=1, keepdims=True)

    def scores(self, rows: Rows) -> Floats:
        """Return what each diagonal expert has to say of each row, for the second of two classes or for each."""
        scores = np.empty((len(rows.indptr) - 1, self.targets, len(self._rule)))
        self._ask(rows, NO_OUTCOMES, np.zeros(0), scores)
        return scores

    def full_scores(self, rows: Rows) -> tuple[Floats, NDArray[np.uint8]]:
        """Return the scores of the experts with a full covariance, and in which rows they have a say."""
        return self._ask_full(rows, NO_OUTCOMES, np.zeros(0))

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return nothing: there is no one weight an attribute."""
        raise NotImplementedError(f"{size} weights of {len(self._ledger)} experts: ask for those of one")

    def weights_of(self, expert: int, size: int) -> Floats:
        """Return one expert's weights of ``size`` attributes, a row a target."""
        if expert >= len(self._rule):
            means = self._means[expert - len(self._rule), 1:]
            return np.pad(means[:size], (0, max(0, size - len(means))))[np.newaxis]
        some = self._numbers[np.minimum(np.arange(size), self.size)].reshape(size, len(self._constants), self._width)
        some = some[:, : self.targets].transpose(2, 1, 0)
        if expert >= pool.SLOWER:
            return np.asarray(some[expert] - some[expert + len(self._rule)])
        return np.array(some[expert])

    def counts(self) -> tuple[int, int, int]:
        """Return the number of trials that were learned, and the promotions and demotions of all classes."""
        promotions, demotions = self.tally[:, ballot.PROMOTIONS :].sum(axis=0).tolist()
        return int(self._counts[ballot.COUNTED]), promotions, demotions

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        numbers = self._numbers[: self.size + 1, : self.targets * self._width]
        few = min(self.size, full_pool.FEW) + 1 if self._counts[full_pool.IN] else 0
        return {
            "numbers": numbers.T.copy(),  # a row each: most of them are what they were
            "constants": self._constants[: self.targets].copy(),
            "means": self._means[:, :few].copy(),
            "roots": self._roots[:, :few, :few].copy(),
            "mu": self._mu.copy(),
            "sigma": self._sigma.copy(),
            "ledger": self._ledger.copy(),
            "told": self.tally.copy(),
            "counts": self._counts.copy(),
        }

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self._numbers = np.array(state["numbers"].T, dtype=np.float64, order="C")
        self._constants, self._means, self._roots, self._mu, self._sigma = (
            np.array(state[name], dtype=np.float64, order="C")
            for name in ("constants", "means", "roots", "mu", "sigma")
        )
        self._ledger, self._tally, self._counts = (state[name].copy() for name in ("ledger", "told", "counts"))

    def _play(self, rows: Rows, outcomes: Codes, importance: Floats, predictions: Codes, votes: Floats) -> None:
        """Ask all experts about some rows, count the votes, and let everybody learn, if there are outcomes."""
        scores = np.empty((len(predictions), _targets(max(len(self._tally), self.classes)), len(self._rule)))
        full, present = self._ask_full(rows, outcomes, importance)
        self._ask(rows, outcomes, importance, scores)
        kept = [self._mu, self._sigma, self._ledger, self._tally, self._counts]
        if not len(outcomes):  # the arrays of a learner in a file that is mapped may not be written to
            kept = [array.copy() for array in kept]
        mu, sigma, ledger, tally, counts = kept
        rule = self.roster.rules[2], self._combination_rule
        ballot.vote(
            (scores, full, present), outcomes, importance, ETA, *rule, (mu, sigma), ledger, tally, counts, predictions,
            votes,
        )  # fmt: skip

    def _ask(self, rows: Rows, outcomes: Codes, importance: Floats, scores: Floats) -> None:
        own, counts = (self._numbers, self._constants), self._counts
        if len(outcomes):
            pool.learn(*rows, outcomes, importance, *own, self.roster.rules[0], self._rule, counts, scores)
        else:
            pool.score(*rows, *own, self._rule, counts, scores)

    def _ask_full(self, rows: Rows, outcomes: Codes, importance: Floats) -> tuple[Floats, NDArray[np.uint8]]:
        number = len(rows.indptr) - 1
        full, present = np.zeros((number, len(self._full_rule))), np.zeros(number, dtype=np.uint8)
        if self._counts[full_pool.IN] and len(outcomes):
            rule = self.roster.rules[1], self._full_rule
            full_pool.learn(*rows, outcomes, importance, self._means, self._roots, *rule, self._counts, full, present)
        elif self._counts[full_pool.IN]:
            full_pool.score(*rows, self._means, full, present)
        return full, present

    def _parts(self, number: int) -> Iterator[slice]:
        """Yield rows a part at a time, so that their scores stay near; results do not depend on it."""
        step = max(1, AT_ONCE // (len(self._rule) * _targets(max(len(self._tally), self.classes))))
        for start in range(0, number, step):
            yield slice(start, min(start + step, number))

    def _room(self, size: int, classes: int) -> None:
        """Have room for so many attributes and classes, and for half as many again where there is too little."""
        targets, width = _targets(classes), self._width
        old_rows, old_targets = len(self._numbers), len(self._constants)
        rows = old_rows if size < old_rows else size + 1 + self.size // 2
        wide = old_targets if targets <= old_targets else max(targets, old_targets + old_targets // 2)
        if (rows, wide) != (old_rows, old_targets):
            _check_numbers((size + 1) * targets * width)
            numbers = np.empty((rows, wide * width))
            numbers[: self.size + 1, : old_targets * width] = self._numbers[: self.size + 1]
            constants = np.zeros((wide, width))
            constants[:old_targets] = self._constants
            self._numbers, self._constants = numbers, constants
        if classes > len(self._tally):
            more = max(classes, len(self._tally) * 3 // 2) - len(self._tally)
            self._tally = np.concatenate((self._tally, np.zeros((more, 4), dtype=np.int64)))

    def _widen(self) -> None:
        """Have rows of full covariances for the attributes that there are, as many as they may have."""
        old, new = self._means.shape[1], min(self.size, full_pool.FEW) + 1
        if not self._counts[full_pool.IN] or new <= old:
            return
        new = min(max(new, old + old // 2), full_pool.FEW + 1)
        means, roots = np.zeros((len(self._full_rule), new)), np.tile(np.eye(new), (len(self._full_rule), 1, 1))
        means[:, :old], roots[:, :old, :old] = self._means, self._roots
        self._means, self._roots = means, roots

    def _tidy(self) -> None:
        """Give back the room of those who are out."""
        if self.classes > 2:
            self._counts[full_pool.IN] = 0
        if not self._counts[full_pool.IN]:
            self._means, self._roots = self._means[:, :0].copy(), self._roots[:, :0, :0].copy()

    def check(self, state: Loaded) -> None:
        """Check the numbers of each expert, target and attribute; full covariances take part while there are few."""
        super().check(state)
        numbers, constants, tally, ledger = (state[name] for name in ("numbers", "constants", "told", "ledger"))
        check_counts(state, 5)
        size, classes, voting, known, counted = state["counts"].tolist()
        of, width = _targets(classes), self._width
        need(size <= MOST_ATTRIBUTES and classes == known <= MOST_CLASSES, "attributes and classes")
        need(numbers.shape == (of * width, size + 1), "numbers of each expert, target and attribute, and spare ones")
        need(constants.shape == (of, width), "numbers of the constant coordinate")
        few, full = min(size, full_pool.FEW) + 1 if voting else 0, len(self._full_rule)
        need(voting in (0, 1) and not (voting and classes > 2), "two classes for experts with a full covariance")
        need(state["means"].shape == (full, few) and state["roots"].shape == (full, few, few), "covariances of few")
        for name, usual in (("mu", self._mu.shape), ("sigma", self._sigma.shape), ("ledger", self._ledger.shape)):
            need(state[name].shape == usual, f"{name} of shape {usual}")
        need(tally.shape == (classes, 4) and within(tally, 0, ENOUGH), "four counts of each class")
        need(within(ledger, 0.0, inf) and counted <= tally[:, 0].sum(dtype=np.float64), "losses of trials")
        for array in (numbers.reshape(of, 2, -1), constants.reshape(of, 2, -1)):
            need(within(array[:, 1], 0.0, inf), "variances, sums of squares and weights")
            need(within(array, -2.0 * pool.MOST, max(2.0 * pool.MOST, pool.SQUARES)), "numbers that are held")


def _targets(classes: int) -> int:
    return 1 if classes <= 2 else classes + 1


def _check_numbers(number: int) -> None:
    """Refuse more numbers than can be meant."""
    if number > MOST_NUMBERS:
        raise TooLarge(
            f"Auto: expected at most {MOST_NUMBERS * 8 / 2**30:.0f} GiB of numbers of experts, got "
            f"{number * 8 / 2**30:,.1f} GiB; hash the attributes into fewer columns, or take one learner, such as "
            "WinnerTakesAll"
        )
