"""All conjunctions of literals as concepts of Winnow: a row is the set of the literals that hold in it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats
from littlestone.core.errors import TooLarge
from littlestone.core.rational import decoded, encoded, readable
from littlestone.machines.sets.closures import Subsets
from littlestone.machines.sets.heaviest import largest_sums
from littlestone.machines.sets.mapped_winnow import MappedWinnow, Rules
from littlestone.machines.sets.sound import check_sets
from littlestone.machines.sound import Loaded

__all__ = ["Conjunctions"]


class Conjunctions(MappedWinnow[int]):
    """All conjunctions of ``n`` literals that are not empty; sets of literals are bits."""

    def __init__(self, rules: Rules, n: int, max_size: int | None) -> None:
        super().__init__(rules, Subsets(n, smallest=1, largest=max_size), n)
        self.largest = n if max_size is None else min(max_size, n)

    def element(self, indices: NDArray[np.uint32], values: Floats) -> int:
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
