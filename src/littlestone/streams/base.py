"""Stream: where examples come from, in arrival order, block by block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from littlestone.core.block import Block

__all__ = ["Stream"]


class Stream(ABC):
    """A sequence of examples that does not depend on who learns from it.

    ``n_attributes`` is the number of attributes where it is known, ``labels`` all labels, the negative one first,
    ``names`` the attributes' names where they have any. ``terms`` are those of a monotone DNF that all labels follow,
    where one is known: what learners of DNF are held against. ``again`` tells whether `blocks` may be called more than
    once: all but pipes can be read again.
    """

    n_attributes: int | None = None
    labels: tuple[Any, ...] = (0, 1)
    names: Sequence[Hashable] | None = None
    terms: list[tuple[int, ...]] | None = None
    again: bool = True

    def read_as(self) -> dict[str, Any]:
        """Return the format and the options with which `open` reads another file in the same way; known once read."""
        return {}

    @abstractmethod
    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the examples in order, at most ``rows`` at a time; each call begins anew."""
