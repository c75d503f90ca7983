"""Bounded: a learner that keeps the weights of some attributes only, however many come."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.bounds import Bound, OpenBound
from littlestone.core import labels as two_labels
from littlestone.core.arrays import Codes, Floats, Ints, State
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.labels import Labels
from littlestone.core.names import named_block, with_names
from littlestone.core.parameters import check_whole
from littlestone.core.rows import NOTHING, Rows, check_block, check_importance, check_size
from littlestone.core.vocabulary import Vocabulary
from littlestone.engine.learning import duals
from littlestone.engine.learning import slots as engine
from littlestone.learners.base import Learner
from littlestone.learners.perceptron import Perceptron
from littlestone.machines.duals import Duals
from littlestone.machines.exponents import Exponents
from littlestone.machines.machine import Machine
from littlestone.machines.slots import Slots

__all__ = ["Bounded", "standing_alone"]


def standing_alone(learner: Learner) -> bool:
    """Tell whether a learner's weights stand alone: one of them can go, and the others stay what they are.

    >>> import littlestone as ls
    >>> standing_alone(ls.Winnow()), standing_alone(ls.NormalizedWinnow())
    (True, False)
    """
    each = any(
        isinstance(value, np.ndarray | list | tuple) for value in learner.params().values()
    )  # a start of its own for each
    if learner.negations or each or isinstance(learner, Bounded):
        return False
    machine = learner._build(2) if learner._machine is None else learner._machine
    return isinstance(machine, Exponents | Duals) and machine.rule.link.scale == duals.UNSCALED


class Bounded(Learner):
    """A learner over a stream whose attributes never end: at most ``max_attributes`` of them are kept.

    An attribute is taken in when it is first on, and has a weight from its ``eligible``-th example on; until then it is
    pending, and the learner does not see it. An example that is only predicted counts as the next one would, so that
    an attribute weighs in it if it has been on ``eligible - 1`` times. Where a row brings more new attributes than
    there is room for, the rows before it are learned, and then half of the attributes are dropped: first those whose
    weights have moved least from their start (in the dual: by promotions less demotions), of equally moved ones those
    that have not been on for longest, of those that were last on in the same row the ones of the largest slots; none
    that is on in the row. A dropped attribute is forgotten: when it comes again it is new. A new attribute takes the
    smallest free slot, in the order of its row: where a row has several new names, that order, which is the reader's,
    is all that the numbering of names decides.

    Parameters
    ----------
    learner : Learner, or None
        Whose algorithm it is; None: the Perceptron. One whose weights stand alone: no norm or sum of all of them in it
        (Perceptron, Winnow, BalancedWinnow, Elimination, ThresholdedBEG, BayesBEG, QuasiAdditive), no negations.
    max_attributes : int >= 1, or None
        How many attributes are kept, pending ones among them; no row may have more. None: all.
    eligible : int >= 1
        In how many examples an attribute must have been on before it counts.

    Bound
    -----
    While ``lost`` is 0 and with ``eligible=1``, that of the learner: nothing was dropped but attributes at their
    initial weight, and the game is that of the learner itself, prediction by prediction. After that none is claimed: an
    attribute of the target that is pending or forgotten makes an attribute error in each example in which it is on. Nor
    is one where more than n names may have come, which can be once some were dropped.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = Bounded(ls.Winnow(theta=8), max_attributes=1000)
    >>> for i in range(10_000):
    ...     _ = learner.learn_one({"spam" if i % 2 else "ham", f"name {i}"}, i % 2)
    >>> learner.held, learner.dropped, learner.lost, learner.mistakes
    (502, 9500, 0, 3)

    Reference
    ---------
    Eligibility as in SNoW (Carlson, Cumby, Rosen and Roth, 1999); what is dropped, and when, is of this package.
    """

    def __init__(self, learner: Learner | None = None, *, max_attributes: int | None = None, eligible: int = 1) -> None:
        super().__init__()
        if learner is not None and not isinstance(learner, Learner):
            raise InvalidParameter(f"Bounded: learner: expected a learner, such as Winnow(), got {learner!r}")
        self.learner = learner
        self._kind = Perceptron() if learner is None else learner
        if self._kind.trials or not standing_alone(self._kind):
            raise InvalidParameter(
                "Bounded: learner: expected one that has learned nothing and whose weights stand alone, such as "
                f"Perceptron(), Winnow() or BalancedWinnow(), without negations, got {learner!r}"
            )
        self.max_attributes = (
            None if max_attributes is None else check_whole("Bounded", "max_attributes", max_attributes)
        )
        self.eligible = check_whole("Bounded", "eligible", eligible)
        self._slots, self._named_mode = Slots(), False
        self.averaged, self.margin, self.bias = self._kind.averaged, self._kind.margin, self._kind.bias
        self.dtype = self._kind.dtype
        self._promise = dict(self._kind._promise)

    @property
    def domain(self) -> str:  # type: ignore[override]
        """The values it takes: what the learner takes."""
        return self._kind.domain

    @property
    def tie(self) -> int:
        """The prediction where ``w.x`` equals ``theta``."""
        return self._kind.tie

    @property
    def refuses_late(self) -> bool:
        """Whether it may refuse an example that `check_one` takes: one of more than ``max_attributes``."""
        return True

    def _needs_n(self) -> bool:
        return self._kind._needs_n()

    def _build(self, n: int | None) -> Machine:
        return self._kind._build(n)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        return self._kind._bound(n, k, attribute_errors)

    @property
    def guarantee(self) -> Bound | OpenBound | None:
        """The learner's bound, once n is fixed, as long as no weight that had moved was lost; see the class."""
        n = self._n
        if n is None or self.eligible > 1 or self.lost or self.pruned:
            return None
        if self._named_mode and self.held + self.dropped > n:  # these may be more than n names
            return None
        return super().guarantee

    # What is kept

    @property
    def held(self) -> int:
        """How many attributes are kept now, pending ones among them."""
        return len(self._slots.at)

    @property
    def dropped(self) -> int:
        """How many attributes were dropped for want of room."""
        return self._slots.dropped

    @property
    def lost(self) -> int:
        """How many of those had weights that had moved."""
        return self._slots.lost

    @property
    def pruned(self) -> int:
        """How many attributes were pruned: their weight is 0 for good."""
        return len(self._slots.gone)

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The names of the attributes that are kept, where they have names."""
        return Vocabulary(self._held_keys()) if self._named_mode else None

    def _held_keys(self) -> list[Any]:
        return list(self._slots.keys[self._slots.held])

    def _kept(self) -> tuple[list[Any], Ints, Floats]:
        """Return the attributes that are kept, their slots and their weights: 0 where the next one is too early."""
        slots = self._slots.held
        machine, _ = self._started(None, fix=False)
        own = machine.weights(machine.size)[0][slots]
        return self._held_keys(), slots, np.where(self._counts_next(slots), own, 0.0)

    def _counts_next(self, slots: Ints) -> NDArray[np.bool_]:
        """Tell which attributes count in the next example they are on in: that one is among their examples."""
        return np.asarray(self._slots.seen[slots] + 1 >= self.eligible)

    def weights(self) -> dict[Hashable, float]:
        """Return what each attribute that is kept weighs in the next example, by name (by position without names).

        That is 0 while it is pending, and the initial weight if the next example is its first that counts.
        """
        keys, _, weights = self._kept()
        return dict(zip(keys, weights.tolist(), strict=True))

    def _weights(self) -> tuple[Floats, float, float]:
        machine, n = self._started(None, fix=False)
        bias = machine.weights(0)[1]
        keys, _, own = self._kept()
        if self._named_mode:
            return own, bias, machine.theta
        size = max(self._width, n or 0)
        check_size(size)
        w = np.full(size, float(machine.weights(machine.size + 1)[0][-1]) if self.eligible == 1 else 0.0)
        for first, last in self._slots.gone.ends.reshape(-1, 2).tolist():
            w[first:last] = 0.0
        w[keys] = own
        return w, bias, machine.theta

    # The game

    def begin(self, n: int | None = None, labels: Any = None, names: Iterable[Hashable] | None = None) -> Self:
        """Say how many attributes there are, and the labels; names are checked, and taken in when they are first on."""
        words = None
        if names is not None:
            words = with_names(self._owner, self._words(), names)
            if n is not None and len(words) > n:
                raise InvalidData(f"{self._owner}: expected at most the fixed n={n} names, got {len(words)}")
        super().begin(n, labels)
        self._named_mode = self._named_mode or words is not None
        return self

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn: predict, then update; return the predictions, in the caller's labels."""
        block = self._sound_mode(X)
        codes, labels = self._outcomes(block, y)
        importance = check_importance(block.weights if weight is None else weight, len(block))
        machine, n = self._started(block.n_attributes, fix=False)
        check_block(self._owner, block, None if block.names is not None else n, self._domain(), self._most())
        keys, local, where = self._slots.places(block)
        self._check_room(block, where, n)
        # Nothing is refused from here on.
        predictions = self._play(machine, n, block, codes, importance, (keys, local, where))
        self._machine, self._n, self._labels = machine, n, labels
        if len(block):
            self._named_mode = block.names is not None
            self._width = max(self._width, 0 if self._named_mode else block.n_attributes or block.width)
        self._weighted = self._weighted or len(importance) > 0
        self._trials += len(block)
        self._mistakes += int(np.count_nonzero(predictions != codes))
        return (labels or Labels()).decode(predictions)

    def _play(
        self, machine: Machine, n: int | None, block: Block, codes: Codes, importance: Floats,
        placed: tuple[list[Any], Ints, Ints],
    ) -> Codes:  # fmt: skip
        """Play the rows as far as their attributes find room, make room, and go on."""
        keys, local, where = placed
        slots = self._slots
        indptr = block.indptr - block.indptr[0]
        values = NOTHING if block.values is None else block.values[block.indptr[0] : block.indptr[-1]]
        mapped, fresh = np.empty(len(local), dtype=np.int64), np.empty(len(local), dtype=np.int64)
        predictions = np.zeros(len(block), dtype=np.uint8)
        start = 0
        while True:  # each time at least one row is played: room is made for the next
            slots.meta[engine.FRESH] = 0
            stop = engine.admit(
                start, indptr, local, where, self.eligible, slots.seen, slots.last, slots.owner, slots.free, fresh,
                slots.meta, mapped,
            )  # fmt: skip
            slots.take(keys, fresh[: slots.meta[engine.FRESH]])
            part = _part(indptr, mapped, values, start, stop)
            predictions[start:stop] = machine.learn(part, codes[start:stop], importance[start:stop])
            if stop == len(block):
                return predictions
            self._make_room(machine, n, where, local[indptr[stop] : indptr[stop + 1]])
            start = stop

    def _make_room(self, machine: Machine, n: int | None, where: Ints, row: Ints) -> None:
        """Have room for the new attributes of a row: more slots where there may be more, else fewer attributes."""
        slots, limit = self._slots, self._limit(n)
        needed = int(np.count_nonzero(where[row] == engine.NEW))
        if limit is None or slots.size < limit:
            slots.grow(slots.larger(needed, limit))
            machine.grow(slots.size)
            if needed <= slots.meta[engine.FREE]:
                return
        distances: Floats = machine.distances()  # type: ignore[attr-defined]
        on = where[row][where[row] >= 0]
        off = np.ones(slots.size, dtype=np.bool_)
        off[on] = False
        others = slots.held[off[slots.held]]
        room = max(min(slots.size // 2, slots.size - needed) - len(on), 0)
        order = np.lexsort((-slots.last[others], -distances[others]))
        drop = np.sort(others[order[room:]])
        slots.release(drop, where, int(np.count_nonzero(distances[drop])))
        machine.reset(drop)  # type: ignore[attr-defined]

    def _limit(self, n: int | None) -> int | None:
        limits = [limit for limit in (self.max_attributes, n) if limit is not None]
        return min(limits) if limits else None

    def _check_room(self, block: Block, where: Ints, n: int | None) -> None:
        longest = int(np.diff(block.indptr).max(initial=0))
        if self.max_attributes is not None and longest > self.max_attributes:
            row = block.start + int(np.argmax(np.diff(block.indptr)))
            raise InvalidData(
                f"{self._owner}: row {row}: expected at most max_attributes={self.max_attributes} attributes, got "
                f"{longest}; raise max_attributes"
            )
        if n is None or block.names is None or self._limit(n) != n:
            return  # where fewer than n are kept, nobody knows how many have come: names are dropped, not refused
        new, known = int(np.count_nonzero(where == engine.NEW)), self.held + self.pruned
        if known + new > max(n, known):
            raise InvalidData(f"{self._owner}: expected at most the fixed n={n} names, got {new} more; begin with more")

    def learn_one(self, x: Any, y: Any) -> Any:
        """Play one trial: predict ``x``, then learn that it is ``y``; return the prediction."""
        if isinstance(x, np.ndarray):
            return super().learn_one(x, y)
        return two_labels.plain(self.learn(self._one(x), np.array([y]))[0])

    def predict_one(self, x: Any) -> Any:
        """Return the prediction of one example, given as to `learn_one`; nothing changes."""
        if isinstance(x, np.ndarray):
            return super().predict_one(x)
        return two_labels.plain(self.predict(self._one(x))[0])

    def _one(self, x: Any) -> Block:
        """Return one example with names as a block."""
        return named_block(self._owner, x, self._domain(), self._most())

    def _scored(self, X: Any) -> tuple[Codes, Floats]:
        block = self._sound_mode(X)
        machine, n = self._started(block.n_attributes, fix=False)
        check_block(self._owner, block, None if block.names is not None else n, self._domain(), self._most())
        _, local, where = self._slots.places(block)
        held = where >= 0
        slots = np.where(held, where, machine.size if self.eligible == 1 else -1)
        slots[where == engine.GONE] = -1
        slots[held] = np.where(self._counts_next(where[held]), where[held], -1)
        values = NOTHING if block.values is None else block.values[block.indptr[0] : block.indptr[-1]]
        return machine.score(_part(block.indptr - block.indptr[0], slots[local], values, 0, len(block)))

    def _scored_one(self, x: Any) -> tuple[Codes, Floats]:
        return self._scored(self._one(x))

    def _sound_mode(self, X: Any) -> Block:
        """Return the rows; refuse to mix names with positions."""
        block = Block.from_arrays(X)
        if block.names is not None:
            self._words()
        elif self._named_mode and len(block):
            raise InvalidData(f"{self._owner}: it knows attributes by name, got positions; give names")
        return block

    def _words(self) -> Vocabulary:
        if not self._named_mode and self._trials:
            raise InvalidData(f"{self._owner}: it has learned attributes by position, got names; give arrays")
        return Vocabulary()

    # Written down

    def state(self) -> State:
        """Return all that has been learned, as a dict of arrays."""
        return super().state() | self._slots.state(named=self._named_mode)

    @classmethod
    def from_state(cls, params: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Return a learner that goes on where `params` and `state` were taken."""
        made = super().from_state(params, state)
        words, made._vocabulary = made._vocabulary, None
        made._named_mode = words is not None
        keys = state["columns"].tolist() if words is None else list(words)
        made._slots = Slots.from_state(state, keys, 0 if made._machine is None else made._machine.size)
        return made


def _part(indptr: Ints, mapped: Ints, values: Floats, start: int, stop: int) -> Rows:
    """Return rows with the non-zeros that count, in slots."""
    first, last = indptr[start], indptr[stop]
    ends, slots = indptr[start : stop + 1] - first, mapped[first:last]
    values = values[first:last] if len(values) else NOTHING
    counts = slots >= 0
    if not counts.all():
        ends = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts)))[ends]
        slots, values = slots[counts], values[counts] if len(values) else NOTHING
    return Rows(ends, slots.astype(np.uint32), values)
