"""Slots: which attribute has which weight, where not every attribute has one."""

from collections.abc import Hashable, Sequence
from copy import copy
from hashlib import blake2b
from itertools import repeat
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Bools, Columns, Ints, State
from littlestone.core.vocabulary import Vocabulary
from littlestone.engine.learning import slots as engine
from littlestone.machines.sound import Kinds, Loaded, ascending, check_kinds, need, within

__all__ = ["SLOTS", "Gone", "Placed", "Slots", "check_slots", "fingerprint"]

SLOTS: Kinds = {
    "held": ("<u4", 1), "columns": ("<u4", 1), "seen": ("<i8", 1), "last": ("<i8", 1), "bounded": ("<i8", 1),
    "gone_columns": ("<i8", 1), "gone_names": ("<u8", 1), "gone_bits": ("|u1", 1),
}  # fmt: skip
FIRST = 1024  # slots there are room for at first


def fingerprint(name: Hashable) -> int:
    """Return 64 bits of a name: two names have the same with a chance of 2^-64.

    >>> fingerprint("rain") == fingerprint("rain"), fingerprint("1") == fingerprint(1)
    (True, False)
    """
    return int.from_bytes(blake2b(Vocabulary([name]).state().tobytes(), digest_size=8).digest(), "little")


class Gone:
    """Attributes that are never to have a weight: ranges of columns, or the fingerprints of names."""

    def __init__(self) -> None:
        self.ends: Ints = np.zeros(0, dtype=np.int64)  # columns from ends[0] to ends[1] - 1, from ends[2] on, ...
        self.names: set[int] = set()

    def __len__(self) -> int:
        return len(self.names) + int((self.ends[1::2] - self.ends[::2]).sum())

    def add(self, keys: list[Any], *, named: bool) -> None:
        """Have these attributes gone, too."""
        if named or not keys:
            self.names.update(map(fingerprint, keys))
            return
        before = [np.arange(a, b) for a, b in self.ends.reshape(-1, 2).tolist()]
        columns = np.unique(np.concatenate([np.array(keys, dtype=np.int64), *before]))
        edges = np.flatnonzero(np.diff(columns) > 1)
        firsts = np.concatenate((columns[:1], columns[edges + 1]))
        lasts = np.concatenate((columns[edges], columns[-1:])) + 1
        self.ends = np.stack((firsts, lasts), axis=1).ravel()

    def among(self, keys: list[Any], columns: Columns, *, named: bool) -> Bools:
        """Tell which of these attributes are gone: names, or columns."""
        if named:
            return np.fromiter((fingerprint(key) in self.names for key in keys), np.bool_, len(keys))
        return np.asarray(np.searchsorted(self.ends, columns, side="right") % 2 == 1)

    def state(self) -> State:
        """Return the columns, as bits or as ranges, whichever is shorter, and the fingerprints."""
        size = int(self.ends[-1]) if len(self.ends) else 0
        bits, ranges = np.zeros(0, dtype=np.uint8), np.zeros(0, dtype=np.int64)
        if size // 8 < self.ends.nbytes:
            inside = np.zeros(size + 1, dtype=np.int8)
            inside[self.ends[::2]], inside[self.ends[1::2]] = 1, -1
            bits = np.packbits(np.cumsum(inside[:size], dtype=np.int8).view(np.uint8))
        else:
            ranges = self.ends.copy()
        return {"gone_bits": bits, "gone_columns": ranges, "gone_names": np.array(sorted(self.names), dtype=np.uint64)}

    @classmethod
    def from_state(cls, state: Loaded) -> Self:
        """Return what `state` wrote down."""
        made = cls()
        made.ends = state["gone_columns"].copy()
        if len(state["gone_bits"]):
            inside = np.unpackbits(state["gone_bits"])
            made.ends = np.flatnonzero(np.diff(inside, prepend=0, append=0))  # 255 is a step down
        made.names = set(state["gone_names"].tolist())
        return made


class Placed(NamedTuple):
    """The attributes of some rows, the number of each non-zero's among them, and their slots, or NEW or GONE."""

    keys: list[Any]
    local: Ints
    where: Ints


class Slots:
    """Attributes (columns, or names) and their slots; how often each was on, and in which row last."""

    def __init__(self) -> None:
        self.at: dict[Any, int] = {}
        self.keys: NDArray[Any] = np.empty(0, dtype=object)  # by slot; None where it is free
        self.seen, self.last, self.owner = (np.zeros(0, dtype=np.int64) for _ in range(3))
        self.free: Ints = np.zeros(0, dtype=np.int64)  # descending: the smallest is taken first
        self.meta = np.zeros(3, dtype=np.int64)
        self.dropped = self.lost = 0
        self.gone = Gone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return an independent copy; names never change, and to copy each of them would take long."""
        del memo
        made = type(self)()
        vars(made).update({name: copy(part) for name, part in vars(self).items()})
        made.gone.ends, made.gone.names = self.gone.ends.copy(), self.gone.names.copy()
        return made

    @property
    def size(self) -> int:
        """How many slots there are."""
        return len(self.keys)

    @property
    def held(self) -> Ints:
        """The slots that are taken."""
        taken = np.ones(self.size, dtype=np.bool_)
        taken[self.free[: self.meta[engine.FREE]]] = False
        return np.flatnonzero(taken)

    def grow(self, size: int) -> None:
        """Have ``size`` slots."""
        more, free = size - self.size, int(self.meta[engine.FREE])
        self.free = np.concatenate((np.arange(size - 1, self.size - 1, -1), self.free[:free]))
        self.meta[engine.FREE] = free + more
        self.keys = _longer(self.keys, size)
        self.seen, self.last, self.owner = (_longer(array, size) for array in (self.seen, self.last, self.owner))

    def larger(self, needed: int, limit: int | None) -> int:
        """Return how many slots there should be to take in so many new attributes."""
        wanted = max(2 * self.size, FIRST, len(self.at) + needed)
        return wanted if limit is None else min(wanted, limit)

    def places(self, indices: Columns, names: Sequence[Any] | None) -> Placed:
        """Return where the attributes of non-zeros are, given by column, or by the names of the columns."""
        columns, local = np.unique(indices, return_inverse=True)
        keys: list[Any] = columns.tolist()
        if names is not None:
            keys = [names[column] for column in keys]
        where = np.fromiter(map(self.at.get, keys, repeat(engine.NEW)), np.int64, len(keys))
        if len(self.gone):
            new = np.flatnonzero(where == engine.NEW)
            gone = self.gone.among([keys[i] for i in new.tolist()], columns[new], named=names is not None)
            where[new[gone]] = engine.GONE
        return Placed(keys, local.astype(np.int64, copy=False), where)

    def take(self, keys: list[Any], fresh: Ints) -> None:
        """Note whose the slots are that were given away."""
        new = [keys[i] for i in self.owner[fresh].tolist()]
        self.keys[fresh] = np.fromiter(new, object, len(new))  # tuples stay one name each
        self.at.update(zip(new, fresh.tolist(), strict=True))

    def release(self, slots: Ints, where: Ints, lost: int) -> None:
        """Free these slots; ``where`` no longer points to them."""
        for key in self.keys[slots].tolist():
            del self.at[key]
        self.keys[slots] = None
        left = np.zeros(self.size + 1, dtype=np.bool_)
        left[slots] = True
        where[left[where] & (where >= 0)] = engine.NEW
        free = self.free[: self.meta[engine.FREE]]
        self.free = np.sort(np.concatenate((free, slots)))[::-1].copy()
        self.meta[engine.FREE] = len(self.free)
        self.dropped += len(slots)
        self.lost += lost

    def state(self, *, named: bool) -> State:
        """Return all of it as arrays; attributes in the order of their slots."""
        held = self.held
        keys = self.keys[held].tolist()
        written: State = {"names": Vocabulary(keys).state()} if named else {"columns": np.array(keys, dtype=np.uint32)}
        return written | {
            "held": held.astype(np.uint32), "seen": self.seen[held], "last": self.last[held],
            "bounded": np.array([int(self.meta[engine.SERIAL]), self.dropped, self.lost], dtype=np.int64),
        } | self.gone.state()  # fmt: skip

    @classmethod
    def from_state(cls, state: Loaded, size: int) -> Self:
        """Return the slots that `state` wrote down."""
        made = cls()
        keys = list(Vocabulary.from_state(state["names"])) if "names" in state else state["columns"].tolist()
        held = state["held"]
        made.at = dict(zip(keys, held.tolist(), strict=True))
        made.keys = _longer(made.keys, size)
        made.keys[held] = np.fromiter(keys, object, len(keys))
        made.seen, made.last, made.owner = (np.zeros(size, dtype=np.int64) for _ in range(3))
        made.seen[held], made.last[held] = state["seen"], state["last"]
        free = np.ones(size, dtype=np.bool_)
        free[held] = False
        made.free = np.flatnonzero(free)
        made.free[:] = made.free[::-1]
        serial, made.dropped, made.lost = state["bounded"].tolist()
        made.meta[:] = (len(made.free), serial, 0)
        made.gone = Gone.from_state(state)
        return made


def _longer(array: NDArray[Any], length: int) -> NDArray[Any]:
    """Return an array with so many entries, the new ones 0 or None: zeros cost nothing before they are touched."""
    longer = np.empty(length, dtype=object) if array.dtype == object else np.zeros(length, dtype=array.dtype)
    longer[: len(array)] = array
    return longer


def check_slots(state: Loaded) -> None:
    """Check which attribute has which slot."""
    check_kinds({name: kind for name, kind in SLOTS.items() if name in state}, state)
    need({*SLOTS} - state.keys() <= {"columns"} and ("columns" in state) != ("names" in state), "slots of attributes")
    held, bounded, ends = (state[name].astype(np.int64) for name in ("held", "bounded", "gone_columns"))
    size = next((len(state[name]) for name in ("states", "ends") if name in state), 0)
    if "weights" in state and "states" not in state:
        size = state["weights"].shape[1] - 1
    need(ascending(held) and within(held, 0, size - 1), "ascending slots that there are")
    need(len(state["seen"]) == len(state["last"]) == len(held), "counts for each slot")
    need(len(bounded) == 3 and within(bounded, 0, 1 << 62) and bounded[2] <= bounded[1], "counts of what was dropped")
    rows = max(int(bounded[0]), 1)
    need(within(state["seen"], 1, rows) and within(state["last"], 0, rows - 1), "attributes that have been seen")
    if "columns" in state:
        taken = state["columns"]
        need(len(taken) == len(held) and (ascending(taken) or ascending(np.sort(taken))), "an attribute for each slot")
    need(not (len(ends) and len(state["gone_bits"])), "columns as bits or as ranges")
    need(len(ends) % 2 == 0 and ascending(ends) and within(ends, 0, 1 << 32), "ranges of columns")
    need(ascending(state["gone_names"]), "what is gone, in order")
