"""What the combinations of a pool say of rows before they learn them: kept for whoever makes probabilities of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, Ints

__all__ = ["NOT_HEARD", "Hearing"]

NOT_HEARD = np.zeros((0, 0, 0))


class Hearing:
    """Scores of rows that are being learned (row, combination, class), and how many classes were known at each row."""

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
