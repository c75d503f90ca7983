"""What machines say of rows before they learn them: kept for whoever makes probabilities of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, Ints
from littlestone.core.rows import Rows
from littlestone.machines.machine import Machine

__all__ = ["NOT_HEARD", "Hearing", "Looking"]

NOT_HEARD = np.zeros((0, 0, 0))


class Hearing:
    """What the combinations of a pool say of rows (row, combination, class), and how many classes it knew at each."""

    def __init__(self, combinations: int) -> None:
        self._combinations = combinations
        self._said: list[Floats] = []
        self._known: list[Ints] = []

    def room(self, outcomes: NDArray[np.int32], known: int, wide: int) -> Floats:
        """Return the room for what is said of rows with these outcomes, where ``known`` classes are known before."""
        said = np.zeros((len(outcomes), self._combinations, wide))
        before = np.maximum.accumulate(np.append(known, outcomes + 1))[: len(outcomes)]
        self._said.append(said)
        self._known.append(before.astype(np.int64))
        return said

    def all(self) -> tuple[Floats, Ints]:
        """Return all of it."""
        wide = max((said.shape[2] for said in self._said), default=2)
        padded = [np.pad(said, ((0, 0), (0, 0), (0, wide - said.shape[2]))) for said in self._said]
        nothing = np.zeros((0, self._combinations, wide))
        return np.concatenate([nothing, *padded]), np.concatenate([np.zeros(0, dtype=np.int64), *self._known])


class Looking:
    """A machine that is asked about some rows, each just before it learns it; in all else it is that machine."""

    def __init__(self, rows: Ints) -> None:
        self.machine: Machine
        self._rows = rows.tolist()
        self._asked: list[Floats] = []
        self._passed = 0

    def learn(self, rows: Rows, outcomes: NDArray[Any], importance: Floats) -> NDArray[Any]:
        """Do what the machine does, in pieces that begin with the rows that are looked at."""
        predictions, start, first = np.empty(len(outcomes), dtype=outcomes.dtype), 0, self._passed
        self._passed += len(outcomes)
        learn, score, due, asked = self.machine.learn, self.machine.score, self._rows, self._asked
        while len(asked) < len(due) and due[len(asked)] < self._passed:
            stop = due[len(asked)] - first
            if stop > start:
                at = slice(start, stop)
                predictions[at] = learn(rows.some(at), outcomes[at], importance[at])
            asked.append(score(rows.some(slice(stop, stop + 1)))[1])
            start = stop
        at = slice(start, len(outcomes))
        predictions[at] = learn(rows.some(at), outcomes[at], importance[at])
        return predictions

    def activations(self) -> Floats:
        """Return the activations of the rows that were looked at."""
        return np.concatenate([np.zeros(0), *self._asked])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.machine, name)
