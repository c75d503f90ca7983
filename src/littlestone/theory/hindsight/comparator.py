"""Comparator: a monotone disjunction and how it fared on a stream; and Reader, the passes over a stream."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from littlestone.core.arrays import Codes, Ints
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.labels import Labels
from littlestone.core.messages import Blank, Remedy, shown
from littlestone.core.names import aligned
from littlestone.core.vocabulary import Vocabulary
from littlestone.streams import Stream

__all__ = ["Comparator", "Reader", "attribute_errors", "count_prefixes"]

SHOWN = 12  # attributes that str() names
MAKE_BOOLEAN = Remedy(
    "make Boolean attributes of it first, such as x >= 0.5",
    typed="{bins} makes Boolean attributes of numbers",
    bins=Blank(),
)


@dataclass(frozen=True)
class Comparator:
    """A monotone disjunction and its errors on a stream, counted after the fact.

    ``misses`` are the positive rows with none of its attributes on, ``false_alarms`` and ``squares`` the sums over the
    negative rows of the number of them that are on, and of its square. ``mistakes`` are errors of classification,
    ``largest`` the most attributes on in any row (X). ``lower``: no disjunction (of the size asked for) has fewer
    attribute errors, as far as ``method`` could prove; None where it proves nothing.

    >>> import littlestone as ls
    >>> from littlestone.theory.hindsight import attribute_errors
    >>> stream = ls.from_arrays([[1, 0, 0], [0, 1, 1], [0, 0, 1], [1, 1, 0]], [1, 1, 1, 0])
    >>> found = attribute_errors(stream, [0, 1])
    >>> found.misses, found.false_alarms, found.squares, found.mistakes, found.largest
    (1, 2, 4, 2, 2)
    >>> print(found)
    x0 or x1: 3 attribute errors, 2 mistakes in 4 trials
    """

    attributes: tuple[int, ...]
    names: tuple[Hashable, ...] | None
    n: int
    trials: int
    misses: int
    false_alarms: int
    squares: int
    mistakes: int
    largest: int
    lower: int | None = None
    method: str = "given"

    @property
    def k(self) -> int:
        """The number of its attributes."""
        return len(self.attributes)

    @property
    def attribute_errors(self) -> int:
        """The attributes that would have to be flipped to make it right everywhere: misses + false alarms."""
        return self.misses + self.false_alarms

    @property
    def losses(self) -> int:
        """The hinge losses ``(gamma - y u.x)_+`` of u = (1 on its attributes, -1/2) at gamma = 1/2, summed."""
        return self.misses + self.false_alarms

    @property
    def squared_losses(self) -> int:
        """The squares of those losses, summed: a miss loses 1, a negative row with c attributes on loses c."""
        return self.misses + self.squares

    @property
    def gap(self) -> int | None:
        """How many attribute errors a better disjunction could save at most; None where nothing is proved."""
        return None if self.lower is None else self.attribute_errors - self.lower

    @property
    def exact(self) -> bool:
        """Whether it is proved that none has fewer attribute errors."""
        return self.gap == 0

    def as_dict(self) -> dict[str, Any]:
        """Return it in plain numbers and words."""
        attributes = list(self.attributes) if self.names is None else [str(name) for name in self.names]
        others = ("k", "attribute_errors", "mistakes", "lower", "method")
        return {"attributes": attributes, **{name: getattr(self, name) for name in others}}

    def __str__(self) -> str:
        called = [f"x{i}" for i in self.attributes] if self.names is None else [str(name) for name in self.names]
        shown = " or ".join(called[:SHOWN]) + (f" or ... ({self.k} attributes)" if self.k > SHOWN else "")
        proof = "" if self.gap is None else " (exact)" if self.exact else f" (at most {self.gap:,} from the best)"
        return (
            f"{shown or 'never'}: {self.attribute_errors:,} attribute errors, "
            f"{self.mistakes:,} mistakes in {self.trials:,} trials{proof}"
        )


def attribute_errors(stream: Stream, attributes: Iterable[Hashable]) -> Comparator:
    """Count the errors of one monotone disjunction on a stream with Boolean rows, in one pass.

    ``attributes`` are positions (whole numbers) or, where the stream has names, names.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=50, k=2, trials=1000, noise=0.01)
    >>> print(attribute_errors(stream, stream.target))
    x0 or x1: 17 attribute errors, 16 mistakes in 1,000 trials
    """
    reader = Reader("attribute_errors", stream)
    return count_prefixes(reader, _positions(reader, attributes), "given")[-1]


def _positions(reader: Reader, attributes: Iterable[Any]) -> list[int]:
    """Return attributes as sorted positions."""
    if isinstance(attributes, str | bytes) or not isinstance(attributes, Iterable):
        raise InvalidParameter(f"attribute_errors: attributes: expected several of them, got {attributes!r}")
    asked = list(attributes)
    named = any(not isinstance(one, int | np.integer) or isinstance(one, bool) for one in asked)
    if named and reader.stream.names is None:  # names may come with the rows
        for _ in reader.blocks(boolean=False):
            pass
    found = [_position(reader, one) for one in asked]
    if len(set(found)) < len(found):
        raise InvalidParameter(f"attribute_errors: attributes: expected each once, got {shown(asked)}")
    return sorted(found)


def _position(reader: Reader, attribute: Any) -> int:
    n = reader.stream.n_attributes
    if isinstance(attribute, int | np.integer) and not isinstance(attribute, bool):
        if attribute < 0 or (n is not None and attribute >= n):
            most = "" if n is None else f" to {n - 1}"
            raise InvalidParameter(f"attribute_errors: expected a position from 0{most}, got {attribute}")
        return int(attribute)
    column = reader.words.column(attribute) if isinstance(attribute, Hashable) else None
    if column is None:
        has = "the stream has no names" if reader.names is None else f"such as {reader.names[0]!r}"
        raise InvalidParameter(f"attribute_errors: expected positions or names of attributes, {has}; got {attribute!r}")
    return column


def count_prefixes(
    reader: Reader, order: Sequence[int], method: str, lower: int | None = None, *, last: bool = True
) -> list[Comparator]:
    """Return the disjunction of ``order`` or, unless ``last``, those of its first 0, 1, 2, ... attributes."""
    missed, fooled, alarms, odd = _tallies(reader, np.array(order, dtype=np.int64))
    misses = missed[::-1].cumsum()[::-1]
    false_alarms, squares, wrong = (histogram.cumsum() - histogram for histogram in (alarms, odd, fooled))
    counts = np.column_stack([misses, false_alarms, squares, misses + wrong]).tolist()
    names = reader.names
    found = []
    for k in [len(order)] if last else range(len(order) + 1):
        attributes = tuple(sorted(order[:k]))
        called = None if names is None or reader.n > len(names) else tuple(names[i] for i in attributes)
        fared = (reader.n, reader.trials, *counts[k], reader.largest, lower, method)
        found.append(Comparator(attributes, called, *fared))
    return found


def _tallies(reader: Reader, order: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return four histograms over the ranks 0 .. K of the attributes in ``order`` (K: none of them), in one pass.

    Of the first attribute on in positive rows and in negative rows; of all that are on in negative rows, counted once,
    and counted 1, 3, 5, ... within a row, for these sum to the squares.
    """
    K, top = len(order), int(order.max(initial=-1)) + 1
    rank = np.full(top + 1, K, dtype=np.int64)
    rank[order] = np.arange(K)
    missed, fooled, alarms, odd = np.zeros((4, K + 1), dtype=np.int64)
    for block, codes in reader.blocks(boolean=True):
        on = rank[np.minimum(block.indices[block.indptr[0] : block.indptr[-1]], top)]
        rows = np.repeat(np.arange(len(block)), np.diff(block.indptr))[on < K]
        on = on[on < K]
        on = on[np.lexsort((on, rows))]
        begin = np.flatnonzero(np.diff(rows, prepend=-1))
        nth = np.arange(len(rows)) - np.repeat(begin, np.diff(begin, append=len(rows)))
        first = np.full(len(block), K, dtype=np.int64)
        first[rows[begin]] = on[begin]
        negative = codes[rows] == 0
        missed += np.bincount(first[codes == 1], minlength=K + 1)
        fooled += np.bincount(first[codes == 0], minlength=K + 1)
        alarms += np.bincount(on[negative], minlength=K + 1)
        np.add.at(odd, on[negative], 2 * nth[negative] + 1)
    return missed, fooled, alarms, odd


class Reader:
    """Reads a stream any number of times; ``n``, ``trials`` and ``largest`` are those of the last whole pass."""

    def __init__(self, owner: str, stream: Stream) -> None:
        if not isinstance(stream, Stream):
            raise InvalidData(
                f"{owner}: expected a Stream, got {type(stream).__name__}; for arrays use from_arrays(X, y)"
            )
        self.owner, self.stream = owner, stream
        self.labels = Labels.given(stream.labels)
        self.words = Vocabulary(stream.names or ())
        self.n = stream.n_attributes or 0
        self.trials = self.largest = 0

    @property
    def names(self) -> tuple[Hashable, ...] | None:
        """The attributes' names, as far as they have been seen."""
        return tuple(self.words) or None

    def blocks(self, *, boolean: bool) -> Iterator[tuple[Block, Codes]]:
        """Yield each block with its outcomes as 0/1; with ``boolean`` refuse values other than 0 and 1."""
        self.trials = self.largest = 0
        known: Sequence[Hashable] | None = self.stream.names
        for block in self.stream.blocks():
            if block.outcomes is None:
                raise InvalidLabel(f"{self.owner}: expected blocks with outcomes, got one without")
            codes, _ = Labels.recoded(block.outcomes, block.labels or self.stream.labels, self.labels, len(block))
            if boolean:
                self._check_boolean(block)
            rows = block
            if block.names is not None and block.names is not known and block.names != known:
                rows, new = aligned(block, self.words)
                self.words.add(new)
                known = block.names if tuple(self.words)[: len(block.names)] == block.names else None
            self.trials += len(rows)
            self.largest = max(self.largest, int(np.diff(rows.indptr).max(initial=0)))
            self.n = max(self.n, rows.n_attributes or 0, rows.width, len(self.words))
            yield rows, codes

    def _check_boolean(self, block: Block) -> None:
        if block.values is None:
            return
        values = block.values[block.indptr[0] : block.indptr[-1]]
        strange = values != 1.0
        if strange.any():
            raise InvalidData(
                f"{self.owner}: {block.find(strange)}: expected 0 or 1, for attribute errors are defined on Boolean "
                f"rows, got {values[strange][0]:g}",
                MAKE_BOOLEAN,
            )
