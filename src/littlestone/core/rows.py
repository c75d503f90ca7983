"""The edge of a learner: examples as a caller has them become rows that a machine can take, or are refused.

Everything here is pure: a refusal leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sized
from dataclasses import replace
from functools import lru_cache, wraps
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Floats
from littlestone.core.block import LARGEST_VALUE, Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.messages import repeated, shown

__all__ = [
    "Rows",
    "by_blocks",
    "check_block",
    "check_importance",
    "check_size",
    "completed",
    "ends",
    "named_row",
    "named_values",
    "negated",
    "one_more",
    "one_row",
    "parts",
]


F = TypeVar("F", bound=Callable[..., Any])

NOTHING: Floats = np.zeros(0)
NO_ROWS = Block(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.uint32))
NUMBER = (int, float, np.integer, np.floating, np.bool_)
MOST_ATTRIBUTES = 1 << 28  # weights are kept for every column up to the largest: 2 GiB of them is surely a slip
NEGATED_AT_ONCE = 1 << 20  # cells of (x, 1 - x) that are written out at a time

# What an algorithm takes: its name in an error, and a test of each value
DOMAINS: dict[str, tuple[str, Callable[[Floats], NDArray[np.bool_]]]] = {
    "any": ("a finite value", lambda x: np.abs(x) <= LARGEST_VALUE),
    "non-negative": ("a value >= 0", lambda x: x >= 0.0),
    "unit": ("a value in [0, 1], for the negation of x is 1 - x", lambda x: (x >= 0.0) & (x <= 1.0)),
    "Boolean": ("a Boolean value (0 or 1)", lambda x: (x == 1.0) | (x == 0.0)),
    "sign": ("+1 or -1 (or 0 and 1, where 0 stands for -1)", lambda x: (np.abs(x) == 1.0) | (x == 0.0)),
    "whole": ("a whole number >= 0", lambda x: (x >= 0.0) & (x == np.floor(x))),
}

# What can be kept of an example: kinds that are copied whole, with values that stay what they are
KINDS = frozenset({dict, set, frozenset, list, tuple})
_numbers = (kind for kind in np.sctypeDict.values() if issubclass(kind, np.number | np.bool_))
PLAIN = frozenset({int, float, bool, *_numbers})


class Rows(NamedTuple):
    """CSR rows as the engine takes them; ``values`` is empty where all are 1."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.uint32]
    values: Floats

    def some(self, at: slice) -> Rows:
        """Return rows in order, without a copy."""
        return Rows(self.indptr[at.start : at.stop + 1], self.indices, self.values)


def sound(values: Floats, domain: str) -> NDArray[np.bool_]:
    """Tell for each value whether it is in the domain."""
    return DOMAINS[domain][1](values)


def check_block(owner: str, block: Block, n: int | None, domain: str, most: float) -> None:
    """Refuse attributes beyond a fixed n, and values that the algorithm does not take.

    A name beyond n is refused where its value is not 0: elsewhere it is as good as absent.
    """
    if n is not None and not ((block.n_attributes or 0) <= n and block.is_within(n)):
        if block.width > n:
            where = block.find(block.indices[block.indptr[0] : block.indptr[-1]] >= n)
            if block.names is not None:
                raise one_more(owner, where, n)
            raise InvalidData(f"{owner}: {where}: expected an attribute below the fixed n={n}; begin with a larger n")
        if block.names is None:
            raise InvalidData(
                f"{owner}: expected at most the fixed n={n} attributes, got rows of {block.n_attributes}; "
                "begin with a larger n"
            )
    if block.values is None or (domain == "any" and most >= LARGEST_VALUE):
        return
    values = block.values[block.indptr[0] : block.indptr[-1]]
    for bad, expected in ((~sound(values, domain), DOMAINS[domain][0]), (np.abs(values) > most, f"at most {most:g}")):
        if bad.any():
            raise InvalidData(f"{owner}: {block.find(bad)}: expected {expected}, got {values[bad][0]:g}")


def one_more(owner: str, where: str, n: int) -> InvalidData:
    """Return the refusal of a name that a fixed n has no room for."""
    return InvalidData(f"{owner}: {where} is one more than the fixed n={n}; begin with a larger n")


def check_size(size: int) -> None:
    """Refuse more weights than can be meant."""
    if size > MOST_ATTRIBUTES:
        raise InvalidData(
            f"attribute {size - 1}: weights are kept up to the largest index, at most {MOST_ATTRIBUTES}; "
            "renumber the attributes, or give them names (learn_one)"
        )


def check_importance(weight: ArrayLike | None, rows: int) -> Floats:
    """Return example weights as an array; empty where none are given."""
    if weight is None:
        return NOTHING
    try:
        importance = np.ascontiguousarray(weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidData(f"weight: expected one number a row ({rows}), got {weight!r}") from None
    if importance.shape != (rows,):
        raise InvalidData(f"weight: expected one number a row ({rows}), got an array of shape {importance.shape}")
    bad = ~((importance >= 0.0) & (importance <= LARGEST_VALUE))
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise InvalidData(f"weight: row {row}: expected a number from 0 to 1e100, got {importance[row]}")
    return NOTHING if (importance == 1.0).all() else importance


def parts(block: Block, negated: int | None) -> Iterator[tuple[Rows, slice]]:
    """Yield the rows as the machine is to have them: as they are, or (x, 1 - x) over ``negated`` attributes."""
    if negated is None:
        yield rows_of(block), slice(None)
        return
    count = max(1, NEGATED_AT_ONCE // max(1, negated))
    for start in range(0, len(block), count):
        at = slice(start, start + count)
        yield rows_of(block[at].with_negations(negated)), at


def rows_of(block: Block) -> Rows:
    """Return a block's arrays."""
    return Rows(block.indptr, block.indices, NOTHING if block.values is None else block.values)


def negated(rows: Rows, n: int) -> Rows:
    """Return one row x as (x, 1 - x) over ``n`` attributes."""
    first, last = rows.indptr[0], rows.indptr[-1]
    columns, negations = rows.indices[first:last], np.arange(n, 2 * n, dtype=np.uint32)
    if len(rows.values):
        x, less = rows.values[first:last], np.ones(n)
        less[columns] = 1.0 - x
        there = less != 0.0
        values = np.concatenate((x, less[there]))
        values = NOTHING if (x == 1.0).all() else values
    else:
        there, values = np.ones(n, dtype=np.bool_), NOTHING
        there[columns] = False
    indices = np.concatenate((columns, negations[there]))
    return Rows(ends(len(indices)), indices, values)


def one_row(x: NDArray[Any]) -> NDArray[Any]:
    """Return a 1-D array as one row."""
    if x.ndim != 1:
        raise InvalidData(f"x: expected a 1-D array, got {x.ndim} dimensions; for many rows use learn or predict")
    return x[np.newaxis]


def named_values(owner: str, x: Any, domain: str, most: float) -> Floats:
    """Return the values of an example with named attributes, checked; empty where all are 1."""
    if not isinstance(x, (dict, Mapping)):  # in this order: most are dicts, and seen to be at once
        _check_names(owner, x)
        return NOTHING
    given = list(x.values())
    try:
        if given.count(1) == len(given):
            return NOTHING
        values = np.array(given)
    except (TypeError, ValueError):
        values = np.array(given, dtype=object)
    if values.dtype.kind not in "biuf" or values.ndim != 1:
        name, odd = next((pair for pair in x.items() if not isinstance(pair[1], NUMBER)), next(iter(x.items())))
        raise InvalidData(
            f"{owner}: attribute {name!r}: expected a number, got {odd!r}; for a category use a name like 'colour=red'"
        )
    values = values.astype(np.float64, copy=False)
    finite = np.abs(values) <= most
    if not finite.all():
        raise _unsound(owner, x, values, finite, f"a finite value of at most {most:g}")
    if domain != "any":
        good = sound(values, domain)
        if not good.all():
            raise _unsound(owner, x, values, good, DOMAINS[domain][0])
    return values


def _check_names(owner: str, x: Any) -> None:
    """Refuse what is no set, list or tuple of different names."""
    if isinstance(x, set | frozenset):
        return
    if not isinstance(x, list | tuple):
        raise InvalidData(
            f"{owner}: expected one example as a dict, a set, list or tuple of names or a 1-D array, "
            f"got {type(x).__name__}; for many rows use learn or predict"
        )
    try:
        names = set(x)
    except TypeError:
        raise InvalidData(f"{owner}: expected names that can be looked up (str, int, ...), got {shown(x)}") from None
    if len(names) < len(x):
        raise InvalidData(f"{owner}: expected each attribute at most once, got {repeated(x)} twice")


def _unsound(owner: str, x: Any, values: Floats, good: NDArray[np.bool_], expected: str) -> InvalidData:
    at = int(np.flatnonzero(~good)[0])
    return InvalidData(f"{owner}: attribute {list(x)[at]!r}: expected {expected}, got {values[at]:g}")


def named_row(x: Any, values: Floats, columns: Mapping[Hashable, int]) -> Rows:
    """Return one row in column order; a name without a column raises KeyError."""
    names: Sized = x
    indices = np.fromiter(map(columns.__getitem__, x), np.uint32, len(names))
    if len(values) == 0:
        indices.sort()
        return Rows(ends(len(indices)), indices, values)
    order = indices.argsort(kind="stable")
    if not values.all():
        order = order[values[order] != 0.0]
    left = values[order]
    return Rows(ends(len(order)), indices[order], NOTHING if (left == 1.0).all() else left)


@lru_cache(1024)
def ends(length: int) -> NDArray[np.int64]:
    """Return where one row begins and ends; nobody writes to it."""
    return np.array([0, length])


# Streams of rows, block by block


def _is_stream(X: Any) -> bool:
    """Tell whether rows come from a stream: something with `blocks`, which no array or data frame has."""
    return callable(getattr(type(X), "blocks", None))


def completed(stream: Any, *, sized: bool, labelled: bool = True) -> Iterator[Block]:
    """Return the blocks of a stream, each with the labels and names of the stream where it has none of its own.

    So too the number of attributes, if it is to be ``sized``: a file is scanned for it, at once.
    """
    n = stream.n_attributes if sized else None
    return (_completed(block, stream, n, labelled) for block in stream.blocks())


def _completed(block: Block, stream: Any, n: int | None, labelled: bool) -> Block:
    wanted = {
        "labels": stream.labels if labelled and block.labels is None else None,
        "names": stream.names if block.names is None else None,
        "n_attributes": n if block.n_attributes is None else None,
    }
    missing: dict[str, Any] = {name: value for name, value in wanted.items() if value is not None}
    return replace(block, **missing) if missing else block


def by_blocks(method: F) -> F:
    """Let a method of a learner take a stream in the place of rows: it is called for block after block.

    `learn` learns from the labels of the stream; the others look at none, so that there need not be any.
    """

    @wraps(method)
    def taking(self: Any, X: Any, *args: Any, **more: Any) -> Any:
        if not _is_stream(X):
            return method(self, X, *args, **more)
        learning = method.__name__ == "learn"
        if any(one is not None for one in (*args, *more.values())):
            raise InvalidParameter(
                f"{type(self).__name__}: expected a stream alone, which brings its labels and weights, got them beside "
                "it; leave y and weight out"
            )
        blocks = completed(X, sized=self.waits_for_n, labelled=learning)
        found = [method(self, block) for block in blocks if len(block)]
        if not found:
            return np.zeros(0) if learning else method(self, NO_ROWS)
        return found[0] if len(found) == 1 else np.concatenate(found)

    return cast("F", taking)
