"""The machine of many classes: a target a class, links that are made when they are needed."""

from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Columns, Floats, Ints, State
from littlestone.core.rows import MOST_ATTRIBUTES, Rows, check_size
from littlestone.engine.learning import classes as engine
from littlestone.engine.learning import duals
from littlestone.machines.machine import Alone
from littlestone.machines.sound import COUNTS, ENOUGH, MOST_CLASSES, Kinds, Loaded, check_counts, need, within
from littlestone.parts.links import Rule

__all__ = ["POLICIES", "Contest", "Targets"]

Codes = NDArray[np.int32]

POLICIES = ("each", "top", "uniform", "proportional")
LEAST_ROOM = 64


@dataclass(frozen=True)
class Contest:
    """What does not change during a game besides the rule of each target."""

    policy: str
    linked: bool  # whether an attribute gets a weight in a class only by an example of that class
    calibrated: bool
    balanced: bool = False


class Targets(Alone):
    """All targets: the links of each attribute side by side in a pool that grows.

    What an attribute is linked to is its own: with its links gone, it is one that nobody has seen.
    """

    kinds: ClassVar[Kinds] = {
        "ends": ("<i8", 1), "owners": ("<u4", 1), "links": ("<f8", 2), "constant": ("<f8", 2), "told": ("<i8", 2),
        "scale": ("<f8", 1), **COUNTS,
    }  # fmt: skip
    infinite = frozenset({"links", "constant"})

    def __init__(self, rule: Rule, contest: Contest) -> None:
        self.contest, self.theta = contest, rule.theta
        start = float(rule.start)
        link = rule.arrays()[0]
        self._rule = np.array([
            rule.up, rule.down, rule.theta, rule.margin, rule.tie, link[duals.A], link[duals.C], link[duals.MOST],
            start, float(rule.link(start)),
        ], dtype=np.float64)  # fmt: skip
        self._kind = np.array([
            rule.link.code, rule.link.code != duals.IDENTITY, rule.averaged, rule.bias, POLICIES.index(contest.policy),
            contest.linked, contest.balanced, contest.calibrated,
        ], dtype=np.int64)  # fmt: skip
        self._layers = 1 + int(self._kind[engine.DUAL]) + int(rule.averaged)
        self._places = np.zeros((1, 3), dtype=np.uint64)
        self._owners = np.zeros(LEAST_ROOM, dtype=np.uint32)
        self._weights = np.zeros((self._layers, LEAST_ROOM))
        self._constant, self._tally = np.zeros((0, 3)), np.zeros((0, 5), dtype=np.int64)
        self._state = np.zeros(engine.SQUARES + 1)
        self._counts = np.zeros(engine.USED + 1, dtype=np.int64)
        self.factors: Floats = np.zeros(0)  # one a class, where classes have weights; set by the learner

    @property
    def classes(self) -> int:
        """How many targets there are."""
        return int(self._counts[engine.CLASSES])

    @property
    def tally(self) -> Ints:
        """Examples, mistakes, promotions, demotions and links of each class."""
        return self._tally[: self.classes]

    @property
    def scale(self) -> float:
        """The number by which activations are multiplied to give probabilities."""
        return float(engine.scale_of(self._state))

    def shares(self, activations: Floats) -> Floats:
        """Return the softmax of each row of activations, in the scale that was learned."""
        activations = np.clip(activations, -engine.FARTHEST, engine.FARTHEST)
        if activations.shape[1] == 0:
            return activations
        scale = self.scale if self.contest.calibrated else 1.0
        with np.errstate(under="ignore", over="ignore"):  # what is -inf has no share
            shares: Floats = np.exp(scale * (activations - activations.max(axis=1, keepdims=True)))
            return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def know(self, classes: int) -> None:
        """Make the targets of the first ``classes`` classes."""
        self._room(classes)
        engine.know(classes, float(self._counts[engine.TRIALS]), self._kind, self._rule, self._constant, self._counts)

    def grow(self, size: int) -> None:
        """Let ``size`` attributes have links; the spare row stays the last that is used."""
        if size <= self._size:
            return
        check_size(size)
        if size >= len(self._places):
            wider = np.zeros((size + 1 + self._size // 2, 3), dtype=np.uint64)
            wider[: self._size] = self._places[: self._size]
            self._places = wider
        self._size = size

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats) -> Codes:
        """Predict, then update, row by row; return the predictions."""
        self._room(int(outcomes.max(initial=-1)) + 1)
        predictions = np.empty(len(outcomes), dtype=np.int32)
        done = 0
        while True:  # each time at least one row is played: the pool has room for it then
            done += engine.learn(
                rows.indptr[done:], rows.indices, rows.values, outcomes[done:], importance[done:], self.factors,
                self._rule, self._kind, (self._places, self._owners, self._weights), self._constant,
                (self._tally, self._state, self._counts), predictions[done:],
            )  # fmt: skip
            if done == len(outcomes):
                return predictions
            self._more_pool(rows.indices[rows.indptr[done] : rows.indptr[done + 1]])

    def score(self, rows: Rows) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row in each class."""
        number = len(rows.indptr) - 1
        predictions, activations = np.empty(number, dtype=np.int32), np.empty((number, self.classes))
        engine.score(
            *rows, self._rule, self._kind, (self._places, self._owners, self._weights), self._constant, self._counts,
            predictions, activations,
        )  # fmt: skip
        return predictions, activations

    def links(self, columns: Ints | slice | None = None) -> tuple[Ints, Columns, Floats]:
        """Return the links of all attributes, or of some: how many each has, their classes, and what they weigh now."""
        number, at = self._found(slice(self._size) if columns is None else columns)
        shown = self._weights[0, at]
        if self._kind[engine.AVERAGED]:
            clock = float(self._counts[engine.TRIALS] + 1)
            shown = (clock * shown - self._weights[-1, at]) / clock
        return number, self._owners[at], shown

    def shown(self, columns: Ints) -> list[Any]:
        """Return what attributes weigh in each class that they are linked to, by its number."""
        number, owners, weights = self.links(columns)
        pairs = zip(owners.tolist(), weights.tolist(), strict=True)
        return [dict(islice(pairs, count)) for count in number.tolist()]

    def constants(self) -> Floats:
        """Return the weight of each class's constant coordinate."""
        v, u = self._constant[: self.classes, 0], self._constant[: self.classes, 2]
        clock = float(self._counts[engine.TRIALS] + 1)
        return (clock * v - u) / clock if self._kind[engine.AVERAGED] else v.copy()

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return nothing: there is no one weight an attribute."""
        raise NotImplementedError(f"{size} weights of {self.classes} classes: ask for the links")

    def counts(self) -> tuple[int, int, int]:
        """Return the number of trials that changed some target, and all promotions and demotions of targets."""
        promotions, demotions = self.tally[:, [engine.PROMOTIONS, engine.DEMOTIONS]].sum(axis=0).tolist()
        return int(self._counts[engine.UPDATES]), promotions, demotions

    # One attribute without the others

    def alone(self) -> Alone:
        """Return the machine: an attribute can go with all of its links."""
        return self

    def distances(self) -> Floats:
        """Return how far the dual of each attribute is from where it began, in the class where it is farthest.

        0 where a row is the same with the attribute and without: where it has no links, or, unless links tell by
        themselves which classes it was active in, none that has moved.
        """
        number, at = self._found(slice(self._size))
        far = np.abs(self._weights[self._kind[engine.DUAL], at] - self._rule[engine.START])
        moved = (self._weights[:, at] != 0.0).any(axis=0) | self.contest.linked  # weights that come later begin at 0
        far = np.where(moved, np.maximum(far, np.finfo(np.float64).tiny), 0.0)
        found, linked = np.zeros(self._size), np.flatnonzero(number)
        if len(linked):
            found[linked] = np.maximum.reduceat(far, (np.cumsum(number) - number)[linked])
        return found

    def reset(self, columns: Ints) -> None:
        """Take the links of attributes away; what room they had is given back with the next pool."""
        _, at = self._found(columns)
        self._tally[:, engine.LINKS] -= np.bincount(self._owners[at], minlength=len(self._tally))
        self._places[columns] = 0

    def _found(self, columns: Ints | slice) -> tuple[Ints, Ints]:
        """Return how many links attributes have, and where in the pool all of these are, attribute by attribute."""
        number = self._places[columns, engine.COUNT].astype(np.int64)
        linked = np.flatnonzero(number)
        some, begin = number[linked], self._places[columns, engine.BEGIN][linked].astype(np.int64)
        return number, np.repeat(begin - (np.cumsum(some) - some), some) + np.arange(some.sum())

    # Written down

    def state(self) -> State:
        """Return all that has been learned, as arrays; the links in the order of attributes, without gaps."""
        return self.select(slice(self._size))

    def select(self, columns: Ints | slice) -> State:
        """Return the state of these attributes alone."""
        number, at = self._found(columns)
        owners, told = self._owners[at], self.tally.copy()
        told[:, engine.LINKS] = np.bincount(owners, minlength=len(told))
        return {
            "ends": np.cumsum(number, out=number),
            "owners": owners,
            "links": self._weights[:, at],
            "constant": self._constant[: self.classes].copy(),
            "told": told,
            "scale": self._state.copy(),
            "counts": self._counts[: engine.USED].copy(),
        }

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        ends = state["ends"]
        self._size = len(ends)
        self._places = np.zeros((self._size + 1, 3), dtype=np.uint64)  # where there are no links it stays untouched
        linked = np.flatnonzero(ends != np.append(0, ends[:-1])) if len(ends) else ends
        begins = np.append(0, ends[linked])[:-1]
        self._places[linked, engine.BEGIN] = begins
        number = ends[linked] - begins
        self._places[linked, engine.COUNT] = self._places[linked, engine.ROOM] = number
        self._owners = state["owners"].astype(np.uint32)
        self._weights = np.array(state["links"], dtype=np.float64, order="C")
        self._constant, self._tally = state["constant"].copy(), state["told"].copy()
        self._state = state["scale"].copy()
        self._counts = np.append(state["counts"], len(self._owners))

    def _room(self, classes: int) -> None:
        """Have rows of arrays for so many classes."""
        old = len(self._tally)
        if classes > old:
            more = max(classes, old + old // 2) - old
            self._tally = np.concatenate((self._tally, np.zeros((more, 5), dtype=np.int64)))
            self._constant = np.concatenate((self._constant, np.zeros((more, 3))))

    def _more_pool(self, row: Columns) -> None:
        """Have more room for links, enough for one row's; what they moved away from is given back."""
        places = self._places
        rooms, counts = int(places[:, engine.ROOM].sum()), places[row, engine.COUNT]
        new = 1 if self.contest.linked else 2 if self.contest.policy == "top" else len(self._tally)
        size = max(LEAST_ROOM, rooms + rooms // 2 + 2 * int(counts.sum()) + new * len(row))
        owners, weights = np.zeros(size, dtype=np.uint32), np.zeros((self._layers, size))
        self._counts[engine.USED] = engine.repack(places, self._owners, self._weights, owners, weights)
        self._owners, self._weights = owners, weights

    def check(self, state: Loaded) -> None:
        """Check that each link is of an attribute and a class that there are, once, and the scale of probabilities."""
        super().check(state)
        ends, owners, tally = state["ends"], state["owners"], state["told"]
        check_counts(state, 3)
        trials, _, classes = state["counts"].tolist()
        need(len(ends) <= MOST_ATTRIBUTES and within(ends, 0, len(owners)), "links of attributes")
        last = ends[-1] if len(ends) else 0
        need(not (ends[1:] < ends[:-1]).any() and last == len(owners), "links of each attribute")
        need(state["links"].shape == (self._layers, len(owners)), "weights of each link")
        need(classes <= MOST_CLASSES and tally.shape == (classes, 5), "five counts of each class")
        need(state["constant"].shape == (classes, 3), "a constant coordinate of each class")
        need(within(tally, 0, ENOUGH) and tally[:, 0].sum(dtype=np.float64) <= trials, "counts of a game")
        need(within(owners, 0, classes - 1), "links to classes that there are")
        linked = np.flatnonzero(ends != np.append(0, ends[:-1])) if len(ends) else ends
        of = np.repeat(linked, np.diff(ends[linked], prepend=0))
        of *= max(classes, 1)
        of += owners
        of.sort()
        need((of[1:] != of[:-1]).all(), "each link once")
        need(np.array_equal(np.bincount(owners, minlength=classes), tally[:, 4]), "as many links as are counted")
        need(state["scale"].shape == (4,), "four numbers behind probabilities")
        log_scale, moved, spreads, squares = state["scale"].tolist()
        need(abs(log_scale) <= engine.LARGEST_LOG and moved.is_integer(), "a scale that a game can reach")
        need(0.0 <= moved <= trials, "trials that moved it")
        need(0 <= spreads <= 2 * moved * engine.WIDEST, "spreads of trials")  # 2: sums are rounded
        need(0 <= squares <= 2 * moved * engine.STEEPEST**2, "squares of trials")
