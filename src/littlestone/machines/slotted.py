"""Slotted: a machine that keeps the weights of some attributes only, however many come."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from littlestone.core.arrays import Bools, Codes, Floats, Ints, State
from littlestone.core.rows import NOTHING, Rows
from littlestone.engine.learning import slots as engine
from littlestone.machines.machine import Alone, Exactly, Machine
from littlestone.machines.slots import SLOTS, Placed, Slots, check_slots
from littlestone.machines.sound import Loaded, check_kinds

__all__ = ["Brought", "Kept", "Slotted"]

Keys = Sequence[Any] | None  # the names of columns; None: a column is its own name


class Kept(NamedTuple):
    """The attributes that are kept, their slots, what each weighs in the next example, and whether it counts there."""

    keys: list[Any]
    slots: Ints
    weights: Floats
    counts: Bools


class Brought(NamedTuple):
    """An attribute of an example, its value and its weight; ``note`` says why it has no weight of its own, or nothing.

    That is "not seen before", "pending" or "pruned". Of many classes, it has a weight in each that it is linked to.
    """

    key: Any
    value: float
    weight: Any
    note: str


class Slotted(Machine):
    """The machine of an algorithm whose weights stand alone, over slots: attributes take them and give them back.

    An attribute takes a slot when it is first on, and counts from its ``eligible``-th example on. There are at most
    ``most`` slots (None: any number); where a row needs more, attributes that are off in it are dropped.
    """

    inner: Alone
    most: int | None

    def __init__(self, inner: Machine, eligible: int) -> None:
        alone = inner.alone()
        assert alone is not None
        self.inner, self.eligible, self.most = alone, eligible, None
        self.slots, self.named = Slots(), False
        self.theta, self.rule, self.table = inner.theta, inner.rule, inner.table

    @property
    def size(self) -> int:
        """How many slots have weights of their own."""
        return self.inner.size

    @property
    def classes(self) -> int | None:
        """How many classes it knows; None: there are two labels."""
        return self.inner.classes

    def places(self, rows: Rows, names: Keys = None) -> Placed:
        """Return the attributes of rows, and which slots they have."""
        return self.slots.places(rows.indices[rows.indptr[0] : rows.indptr[-1]], names)

    def learn(self, rows: Rows, outcomes: Codes, importance: Floats, placed: Placed | None = None) -> Codes:
        """Play the rows as far as their attributes find room, make room, and go on; return the predictions."""
        keys, local, where = self.places(rows) if placed is None else placed
        slots, indptr = self.slots, rows.indptr - rows.indptr[0]
        values = rows.values[rows.indptr[0] : rows.indptr[-1]] if len(rows.values) else NOTHING
        mapped, fresh = np.empty(len(local), dtype=np.int64), np.empty(len(local), dtype=np.int64)
        predictions = np.zeros(len(outcomes), dtype=outcomes.dtype)
        start = 0
        while True:  # each time at least one row is played: room is made for the next
            slots.meta[engine.FRESH] = 0
            stop = engine.admit(
                start, indptr, local, where, self.eligible, slots.seen, slots.last, slots.owner, slots.free, fresh,
                slots.meta, mapped,
            )  # fmt: skip
            slots.take(keys, fresh[: slots.meta[engine.FRESH]])
            part = _part(indptr, mapped, values, start, stop)
            predictions[start:stop] = self.inner.learn(part, outcomes[start:stop], importance[start:stop])
            if stop == len(outcomes):
                return predictions
            self._make_room(where, local[indptr[stop] : indptr[stop + 1]])
            start = stop

    def _make_room(self, where: Ints, row: Ints) -> None:
        """Have room for the new attributes of a row: more slots where there may be more, else fewer attributes."""
        slots, most = self.slots, self.most
        needed = int(np.count_nonzero(where[row] == engine.NEW))
        if most is None or slots.size < most:
            slots.grow(slots.larger(needed, most))
            self.inner.grow(slots.size)
            if needed <= slots.meta[engine.FREE]:
                return
        distances = self.inner.distances()
        on = where[row][where[row] >= 0]
        off = np.ones(slots.size, dtype=np.bool_)
        off[on] = False
        others = slots.held[off[slots.held]]
        room = max(min(slots.size // 2, slots.size - needed) - len(on), 0)
        order = np.lexsort((-slots.last[others], -distances[others]))
        drop = np.sort(others[order[room:]])
        slots.release(drop, where, int(np.count_nonzero(distances[drop])))
        self.inner.reset(drop)

    def score(self, rows: Rows, names: Keys = None) -> tuple[Codes, Floats]:
        """Return the predictions and w.x - theta of each row."""
        _, local, where = self.places(rows, names)
        held = where >= 0
        slots = np.where(held, where, self.size if self.eligible == 1 else -1)
        slots[where == engine.GONE] = -1
        slots[held] = np.where(self._counts_next(where[held]), where[held], -1)
        values = rows.values[rows.indptr[0] : rows.indptr[-1]] if len(rows.values) else NOTHING
        return self.inner.score(_part(rows.indptr - rows.indptr[0], slots[local], values, 0, len(rows.indptr) - 1))

    def _counts_next(self, slots: Ints) -> Bools:
        """Tell which attributes count in the next example they are on in: that one is among their examples."""
        return np.asarray(self.slots.seen[slots] + 1 >= self.eligible)

    def grow(self, size: int) -> None:
        """Do nothing: slots are made when attributes need them."""
        del size

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of updates, promotions and demotions."""
        return self.inner.counts()

    # What it has come to

    def kept(self) -> Kept:
        """Return the attributes that are kept, their slots and their weights: 0 where the next one is too early."""
        slots = self.slots.held
        own, counts = self.inner.weights(self.size)[0][slots], self._counts_next(slots)
        return Kept(list(self.slots.keys[slots]), slots, np.where(counts, own, 0.0), counts)

    def linked(self) -> dict[Any, dict[int, float]]:
        """Return, of many classes, what each attribute that is kept weighs in those that it is linked to, by number."""
        slots = self.slots.held
        return dict(zip(self.slots.keys[slots].tolist(), self.inner.shown(slots), strict=True))

    def weights(self, size: int) -> tuple[Floats, float]:
        """Return the weights of ``size`` columns, or of the first names that are kept; and that of the constant."""
        bias = self.inner.weights(0)[1]
        keys, _, own, _ = self.kept()
        if self.named:
            return own[:size], bias
        w = np.full(size, self.unseen() if self.eligible == 1 else 0.0)
        for first, last in self.slots.gone.ends.reshape(-1, 2).tolist():
            w[first:last] = 0.0
        columns = np.array(keys, dtype=np.int64)
        w[columns[columns < size]] = own[columns < size]
        return w, bias

    def brought(self, rows: Rows, names: Keys = None) -> list[Brought]:
        """Return what each attribute of one row weighs."""
        keys, local, where = self.places(rows, names)
        weights = self.inner.shown(np.where(where >= 0, where, self.size))
        values = rows.values[rows.indptr[0] : rows.indptr[-1]] if len(rows.values) else np.ones(len(local))
        found = []
        for i, value in zip(local.tolist(), values.tolist(), strict=True):
            slot = int(where[i])
            seen = int(self.slots.seen[slot]) if slot >= 0 else 0
            note = "" if slot >= 0 else "pruned" if slot == engine.GONE else "not seen before"
            if slot != engine.GONE and seen + 1 < self.eligible:
                note = "pending"
            counts = self.classes is not None or note not in ("pruned", "pending")  # there are no links before
            found.append(Brought(keys[i], value, weights[i] if counts else 0.0, note))
        return found

    def unseen(self) -> float:
        """Return the initial weight."""
        return self.inner.unseen()

    def exactly(self, columns: Ints, weights: Floats, constant: float) -> Exactly:
        """Return the exact weights of some slots."""
        return self.inner.exactly(columns, weights, constant)

    def alone(self) -> Alone:
        """Return the machine over the slots."""
        return self.inner

    # Written down

    def state(self) -> State:
        """Return all that has been learned, as arrays."""
        return self.inner.state() | self.slots.state(named=self.named)

    def restore(self, state: Loaded) -> None:
        """Go on from what `state` gave."""
        self.inner.restore(state)
        self.slots, self.named = Slots.from_state(state, self.size), "names" in state

    def check_kinds(self, state: Loaded) -> None:
        """Check the arrays of the slots, and those of the machine over them."""
        check_kinds({name: kind for name, kind in SLOTS.items() if name in state}, state)
        self.inner.check_kinds(_without_slots(state))

    def check(self, state: Loaded) -> None:
        """Check the machine over the slots, and which attribute has which."""
        self.inner.check(_without_slots(state))
        check_slots(state)


def _without_slots(state: Loaded) -> Loaded:
    return {name: array for name, array in state.items() if name not in SLOTS and name != "names"}


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
