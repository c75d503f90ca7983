"""Block: a run of examples as CSR rows, the one form in which data reaches a learner.

Everything is checked and converted here, once: indices become uint32, sorted and without repeats in each row; stored
zeros go; rows whose values are all 1 lose their value array, for they are Boolean.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Columns, Floats, Ints
from littlestone.core.errors import InvalidData
from littlestone.core.in_order import in_order, pieces
from littlestone.core.messages import repeated

__all__ = ["LARGEST_INDEX", "LARGEST_VALUE", "Block"]

LARGEST_INDEX = 2**32 - 2
LARGEST_VALUE = 1e100  # beyond it sums of products would leave the floats


@dataclass(frozen=True, eq=False)
class Block:
    """Rows of a stream: attributes that are on, their values, and the outcomes.

    Row ``r`` has the attributes ``indices[indptr[r]:indptr[r + 1]]``, with the ``values`` there, or all 1 where
    ``values`` is None. An outcome is a position in ``labels``: for two labels, 0 is negative and 1 positive. Where
    ``labels`` is empty outcomes are numbers, for regressors. Rows may have ``weights`` (how often each counts) and
    ``tags`` (what each is called).

    ``indices`` and ``values`` end where the last row does, at ``indptr[-1]``. They need not begin where the first row
    does: rows that were cut out of others share their arrays, and ``indptr[0]`` is how much stands before them. It is 0
    wherever rows were not cut. So ``block.indices[block.indptr[0]:]`` has the attributes of all rows, and nothing else.

    >>> block = Block.from_arrays([[0, 1, 1], [0, 0, 0]])
    >>> len(block), block.indices.tolist(), block.values is None, block.n_attributes
    (2, [1, 2], True, 3)
    """

    indptr: Ints
    indices: Columns
    values: Floats | None = None
    outcomes: NDArray[Any] | None = None
    labels: tuple[Any, ...] | None = None
    n_attributes: int | None = None
    names: Sequence[Hashable] | None = None  # as a tuple, or made later
    spoken: Ints | None = None  # how many names each row knows of: up to its last one, also of value 0; None: of all
    start: int = 0  # the number of the first row in its stream, for messages
    weights: Floats | None = None
    tags: tuple[str, ...] | None = None
    checked: bool = field(default=False, repr=False)  # whether the arrays are known to have the one form

    def __post_init__(self) -> None:
        if not self.checked:
            sound = _clean(np.asarray(self.indptr), np.asarray(self.indices), self.values, self.n_attributes)
            for name in ("indptr", "indices", "values"):
                object.__setattr__(self, name, getattr(sound, name))
            object.__setattr__(self, "checked", True)
        elif len(self.indices) > (stop := int(self.indptr[-1])):  # room that nobody needed, or rows that were cut off
            object.__setattr__(self, "indices", self.indices[:stop])
            object.__setattr__(self, "values", None if self.values is None else self.values[:stop])

    @classmethod
    def from_arrays(cls, X: Any) -> Block:
        """Return ``X`` as a block without outcomes: an array, a SciPy sparse matrix, a data frame or a Block."""
        if isinstance(X, Block):
            return X
        if hasattr(X, "tocsr"):
            return _from_sparse(X.tocsr())
        if isinstance(X, str | bytes | dict):
            raise InvalidData(
                f"X: expected rows (a 2-D array, a sparse matrix, a data frame or a Block), got {type(X).__name__}; "
                "for one example with named attributes use learn_one or predict_one"
            )
        try:
            dense = np.asarray(X)
        except ValueError as error:
            raise InvalidData(
                f"X: expected rows of equal length, got {error}; pad them, or give a sparse matrix"
            ) from None
        return _from_dense(dense, _frame_names(X))

    @classmethod
    def from_csr(cls, indptr: Any, indices: Any, values: Any = None, *, n_attributes: int | None = None) -> Block:
        """Return CSR arrays as a block, checked: any integer types, indices in any order within a row."""
        return _clean(np.asarray(indptr), np.asarray(indices), None if values is None else np.asarray(values),
                      n_attributes)  # fmt: skip

    def labelled(self, outcomes: Any, labels: tuple[Any, ...] = (0, 1)) -> Block:
        """Return the rows with their outcomes, positions in ``labels``: with two labels 0 is negative, 1 positive."""
        codes = np.asarray(outcomes)
        if codes.shape != (len(self),) or codes.dtype.kind not in "iub":
            raise InvalidData(f"outcomes: expected {len(self)} whole numbers, got {codes.dtype} of {codes.shape}")
        strange = (codes < 0) | (codes >= len(labels))
        if strange.any():
            row = int(np.flatnonzero(strange)[0])
            raise InvalidData(f"outcomes: row {row}: expected 0 to {len(labels) - 1}, got {codes[row]}")
        return replace(self, outcomes=codes.astype(np.int64), labels=tuple(labels))

    def numbered(self, outcomes: Any) -> Block:
        """Return the rows with numbers as outcomes.

        >>> block = Block.from_arrays([[0, 1], [1, 0]]).numbered([0.5, 2])
        >>> block.outcomes.tolist(), block.labels, block.is_numbered
        ([0.5, 2.0], (), True)
        """
        from littlestone.core.numbers import numbers

        return replace(self, outcomes=numbers(outcomes, len(self), "outcomes"), labels=())

    @property
    def is_numbered(self) -> bool:
        """Whether outcomes are numbers, and no positions in ``labels``."""
        return self.outcomes is not None and self.labels == ()

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __getitem__(self, rows: slice) -> Block:
        """Return some consecutive rows, without copying them."""
        start, stop, step = rows.indices(len(self))
        if step != 1:
            raise InvalidData(f"Block: expected consecutive rows, got a step of {step}; order is never changed")
        each = self._of_each_row(slice(start, stop))
        tags = None if self.tags is None else self.tags[start:stop]
        indptr = self.indptr[start : max(start, stop) + 1]
        found = replace(self, indptr=indptr, start=self.start + start, tags=tags, **each)
        # The width of the rows that these are cut from, if it was asked for. No field: with other indices it is untrue.
        vars(found)["known"] = vars(self).get("width", vars(self).get("known"))
        return found

    def _of_each_row(self, rows: Any) -> dict[str, Any]:
        """Return the outcomes, weights and so on of some rows."""
        arrays = {"outcomes": self.outcomes, "spoken": self.spoken, "weights": self.weights}
        return {name: None if array is None else array[rows] for name, array in arrays.items()}

    @classmethod
    def joined(cls, blocks: Sequence[Block]) -> Block:
        """Return consecutive blocks of one stream as one."""
        lengths = np.concatenate([np.diff(block.indptr) for block in blocks])
        spans = [slice(block.indptr[0], block.indptr[-1]) for block in blocks]
        values = weights = tags = None
        if any(block.values is not None for block in blocks):
            each = zip(blocks, spans, strict=True)
            values = np.concatenate([np.ones(s.stop - s.start) if b.values is None else b.values[s] for b, s in each])
        if any(block.weights is not None for block in blocks):
            weights = np.concatenate([np.ones(len(b)) if b.weights is None else b.weights for b in blocks])
        if any(block.tags is not None for block in blocks):
            tags = tuple(tag for block in blocks for tag in block.tags or ("",) * len(block))
        spoken = [block.spoken for block in blocks if block.spoken is not None]
        kind = np.float64 if blocks[-1].is_numbered else np.int64
        return replace(
            blocks[-1],  # if names were added on the way, it has them all
            start=blocks[0].start,
            weights=weights,
            tags=tags,
            spoken=np.concatenate(spoken) if len(spoken) == len(blocks) else None,
            indptr=np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths))),
            indices=np.concatenate([block.indices[span] for block, span in zip(blocks, spans, strict=True)]),
            values=values,
            outcomes=np.concatenate([np.asarray(block.outcomes, dtype=kind) for block in blocks]),
        )

    def taken(self, rows: NDArray[np.integer[Any]]) -> Block:
        """Return the rows at these places, in this order."""
        starts, lengths = self.indptr[rows], self.indptr[rows + 1] - self.indptr[rows]
        indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths)))
        at = np.repeat(starts - indptr[:-1], lengths) + np.arange(indptr[-1])
        values = None if self.values is None else self.values[at]
        tags = None if self.tags is None else tuple(self.tags[row] for row in rows.tolist())
        return replace(
            self, indptr=indptr, indices=self.indices[at], values=values, tags=tags, **self._of_each_row(rows)
        )

    def split(self, rows: int) -> Iterator[Block]:
        """Yield the rows in order, ``rows`` at a time."""
        assert self.width >= 0  # once for all, and each part knows of it
        for start in range(0, len(self), rows):
            yield self[start : start + rows]

    @cached_property
    def width(self) -> int:
        """The largest index among these rows, plus one; 0 if they are empty."""
        ends = self.indptr[1:][self.indptr[:-1] < self.indptr[1:]] - 1
        return int(self.indices[ends].max()) + 1 if len(ends) else 0

    def is_within(self, size: int) -> bool:
        """Tell whether all attributes are below ``size``; where larger rows are, nobody has to look.

        >>> rows = Block.from_arrays([[0, 1], [1, 0]])
        >>> rows.is_within(2), rows[1:].is_within(1), rows.is_within(1)
        (True, True, False)
        """
        known: int | None = vars(self).get("known")
        return (known is not None and known <= size) or self.width <= size

    def row(self, r: int) -> tuple[Columns, Floats | None]:
        """Return the attributes of row ``r`` and their values."""
        part = slice(self.indptr[r], self.indptr[r + 1])
        return self.indices[part], None if self.values is None else self.values[part]

    def place(self, position: int) -> str:
        """Say where the non-zero at ``position`` of ``indices`` stands."""
        row = self.start + int(np.searchsorted(self.indptr, position, side="right")) - 1
        return f"row {row}, attribute {_named(int(self.indices[position]), self.names)}"

    def find(self, condition: NDArray[np.bool_]) -> str:
        """Say where the first of these rows' non-zeros with ``condition`` stands."""
        return self.place(int(self.indptr[0]) + int(np.flatnonzero(condition)[0]))

    def mapped(self, columns: Columns, names: Sequence[Hashable]) -> Block:
        """Return the block with column ``i`` moved to ``columns[i]``, under all these names."""
        first, last = self.indptr[0], self.indptr[-1]
        values = None if self.values is None else self.values[first:last]
        block = _clean(self.indptr - first, columns[self.indices[first:last]], values, len(names))
        return replace(block, outcomes=self.outcomes, labels=self.labels, names=names, start=self.start,
                       spoken=self.spoken, weights=self.weights, tags=self.tags)  # fmt: skip

    def with_negations(self, n: int) -> Block:
        """Return the rows (x, 1 - x): attribute ``n + i`` is the negation of attribute ``i``."""
        first, last = self.indptr[0], self.indptr[-1]
        lengths = np.diff(self.indptr)
        rows, columns = np.repeat(np.arange(len(self)), lengths), self.indices[first:last]
        x = None if self.values is None else self.values[first:last]
        there = np.ones((len(self), n), dtype=np.bool_)  # whether 1 - x is not 0
        part = None if x is None else x != 1.0
        there[rows, columns] = False if part is None else part
        indptr = self.indptr - first
        indptr[1:] += np.cumsum(np.count_nonzero(there, axis=1))
        # First the attributes of a row, then its negations
        own = np.arange(last - first) + (indptr[:-1] - self.indptr[:-1])[rows] + first
        negations = np.ones(indptr[-1], dtype=np.bool_)
        negations[own] = False
        indices, values = np.empty(len(negations), dtype=np.uint32), None
        indices[own] = columns
        indices[negations] = np.broadcast_to(np.arange(n, 2 * n, dtype=np.uint32), there.shape)[there]
        if x is not None and part is not None and part.any():
            values, some = np.ones(len(negations)), part.nonzero()[0]
            values[own] = x
            # A negation stands as many places on as its column says, less one for each attribute before that is 1.
            starts = self.indptr[:-1] - first
            begun = indptr[:-1] + lengths + starts - some.searchsorted(starts)
            values[begun[rows[some]] + columns[some] - some + np.arange(len(some))] = 1.0 - x[some]
        full = Block(indptr, indices, values, n_attributes=2 * n, checked=True)
        return replace(full, outcomes=self.outcomes, labels=self.labels, weights=self.weights, tags=self.tags)


def _named(column: int, names: Sequence[Hashable] | None) -> str:
    return str(column) if names is None else repr(names[column])


def _from_dense(X: NDArray[Any], names: tuple[Hashable, ...] | None) -> Block:
    if X.dtype == object:
        X = _numbers(X)
    if X.ndim != 2:
        remedy = "for one example use learn_one or predict_one" if X.ndim == 1 else "reshape it to rows and columns"
        raise InvalidData(f"X: expected a 2-D array of rows, got {X.ndim} dimension(s); {remedy}")
    if X.dtype.kind not in "biuf":
        raise InvalidData(f"X: expected numbers, got an array of {X.dtype}; for named attributes use learn_one")
    rows, columns = np.nonzero(X)
    values = None if X.dtype == bool else X[rows, columns]
    indptr = np.zeros(len(X) + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=len(X)), out=indptr[1:])
    return replace(_clean(indptr, columns, values, X.shape[1], names), names=names)


def _from_sparse(X: Any) -> Block:
    if X.ndim != 2:
        raise InvalidData(f"X: expected a 2-D sparse matrix, got {X.ndim} dimension(s)")
    values = None if X.dtype == bool and bool(X.data.all()) else X.data
    return _clean(X.indptr, X.indices, values, X.shape[1])


def _numbers(X: NDArray[Any]) -> NDArray[Any]:
    """Turn an array of objects (a mixed data frame) into numbers."""
    for x in X.ravel():
        if not isinstance(x, int | float | np.integer | np.floating | np.bool_):
            raise InvalidData(
                f"X: expected numbers, got {x!r} of type {type(x).__name__}; for named attributes use learn_one"
            )
    return X.astype(np.float64)


def _frame_names(X: Any) -> tuple[Hashable, ...] | None:
    """Return a data frame's column names; positions 0, 1, 2, ... are no names."""
    columns = getattr(X, "columns", None)
    if columns is None:
        return None
    names = tuple(columns)
    if len(set(names)) < len(names):
        raise InvalidData(f"X: expected each column name once, got {repeated(names)} twice; rename the columns")
    return None if names == tuple(range(len(names))) else names


def _clean(
    indptr: NDArray[Any],
    indices: NDArray[Any],
    values: NDArray[Any] | None,
    n_attributes: int | None,
    names: tuple[Hashable, ...] | None = None,
) -> Block:
    """Check CSR arrays and bring them to the one form, without copies where they have it already."""
    if n_attributes is not None and not isinstance(n_attributes, int | np.integer):
        raise InvalidData(f"n_attributes: expected a whole number, got {n_attributes!r}")
    if indices.size == 0:
        indices = np.zeros(0, dtype=np.uint32)
    if indptr.ndim != 1 or indices.ndim != 1 or indptr.dtype.kind not in "iu":
        raise InvalidData(f"indptr, indices: expected 1-D whole numbers, got {indptr.dtype}, {indices.ndim} dimensions")
    indptr = np.ascontiguousarray(indptr, dtype=np.int64)
    if len(indptr) == 0 or indptr[0] != 0 or indptr[-1] != len(indices) or np.any(np.diff(indptr) < 0):
        raise InvalidData(
            f"indptr: expected numbers that rise from 0 to the {len(indices)} indices, got {_shortly(indptr)}"
        )
    if indices.dtype.kind not in "iu":
        raise InvalidData(f"indices: expected whole numbers, got an array of {indices.dtype}")
    indices = np.ascontiguousarray(indices)
    if values is not None:
        if values.shape != indices.shape:
            raise InvalidData(f"values: expected one an index ({len(indices)}), got {len(values)}")
        indptr, indices, values = _without_zeros(indptr, indices, _numeric(values), names)
    indices, values = in_order(indptr, indices, values)
    _check_range(indptr, indices, LARGEST_INDEX if n_attributes is None else min(n_attributes - 1, LARGEST_INDEX))
    columns = indices.view(np.uint32) if indices.dtype == np.int32 else indices.astype(np.uint32, copy=False)
    return Block(indptr, columns, values, n_attributes=n_attributes, checked=True)


def _check_range(indptr: Ints, indices: NDArray[Any], most: int) -> None:
    """Refuse an index below 0 or above ``most``; the rows are sorted, so their ends tell."""
    filled = np.flatnonzero(indptr[:-1] < indptr[1:])
    first, last = indices[indptr[filled]], indices[indptr[filled + 1] - 1]
    bad = (first < 0) | (last > most)
    if bad.any():
        at = int(np.flatnonzero(bad)[0])
        got = first[at] if first[at] < 0 else last[at]
        raise InvalidData(f"row {filled[at]}: expected an index from 0 to {most}, got {got}")


def _numeric(values: NDArray[Any]) -> NDArray[Any]:
    if values.dtype.kind not in "biuf":
        raise InvalidData(f"values: expected numbers, got an array of {values.dtype}")
    return np.ascontiguousarray(values)


def _without_zeros(
    indptr: Ints, indices: NDArray[Any], values: NDArray[Any], names: tuple[Hashable, ...] | None
) -> tuple[Ints, NDArray[Any], Floats | None]:
    """Return only what is not zero, as floats; values that are all 1 are None. Refuse what is not finite."""
    if all((part == 1).all() for part in pieces(values)):
        return indptr, indices, None
    floats: Floats = values.astype(np.float64, copy=False)
    if not all((np.abs(part) <= LARGEST_VALUE).all() for part in pieces(floats)):
        at = int(np.flatnonzero(~(np.abs(floats) <= LARGEST_VALUE))[0])
        row = int(np.searchsorted(indptr, at, side="right")) - 1
        expected = "a value of at most 1e100" if np.isfinite(floats[at]) else "a finite value"
        raise InvalidData(
            f"row {row}, attribute {_named(int(indices[at]), names)}: expected {expected}, got {floats[at]}; "
            "drop, fill or scale such values first"
        )
    if floats.all():
        return indptr, indices, floats
    kept = floats != 0.0
    left = floats[kept]
    indptr = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(kept)))[indptr]
    return indptr, indices[kept], None if bool(np.all(left == 1.0)) else left


def _shortly(numbers: Sequence[Any] | NDArray[Any]) -> str:
    shown = ", ".join(str(number) for number in numbers[:6])
    return f"[{shown}{', ...' if len(numbers) > 6 else ''}]"
