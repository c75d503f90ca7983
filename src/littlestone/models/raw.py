"""Raw input of any kind (files, texts, dicts, rows of cells, frames, arrays, attributes) as a stream for a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.messages import shown
from littlestone.core.numbers import numbers
from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.models.given import Rows, labels_of, with_y
from littlestone.models.recipe import TellingZeros, attribute_columns, check_alike, is_table, read_like
from littlestone.streams import Stream, from_arrays
from littlestone.streams.arrays import ArrayStream
from littlestone.streams.base import as_kept, options_of
from littlestone.streams.base import open as opened
from littlestone.streams.formats.layout import several
from littlestone.streams.formats.outcomes import AUTO, CLASSIFICATION, REGRESSION, are_numbers, check_task
from littlestone.streams.formats.reading_rules import listed

__all__ = ["record_of", "stream_of", "training_stream"]

LOOKED_AT = 1000  # labels, to tell whether they are numbers to be predicted
TEXT = "text"  # the name of the only column of texts, unless another one is given


def training_stream(
    source: Any, y: Any, format: str | None, reading: Mapping[str, Any], task: str = CLASSIFICATION  # noqa: A002
) -> Stream:  # fmt: skip
    """Return what a model is trained on as a stream; ``y`` are the labels, where they are not in the rows.

    For the task of regression they are numbers; "auto" asks whether they look so (`outcomes.are_numbers`).

    Arrays of numbers other than 0 and 1 are tables, whose columns are x0, x1, ... unless ``columns`` names them.
    """
    if isinstance(source, Stream):
        if reading or format is not None:
            raise InvalidParameter(f"train: {source!r} is read already; leave {', '.join(['format', *reading])} out")
        return source
    if y is None:
        more = {} if task == CLASSIFICATION else {"task": task}
        return opened(source, format, **{**more, **reading})
    known = reading.get("labels")
    check_task("train", task, known)
    y = y if isinstance(y, str) or hasattr(y, "__len__") else list(y)  # it is looked at more than once
    labels = labels_of(y, "train")
    if task == AUTO:
        task = REGRESSION if known is None and are_numbers(labels[:LOOKED_AT].tolist()) else CLASSIFICATION
    rows, options = _trainable(source, dict(reading))
    if isinstance(rows, Sequence) and not isinstance(rows, str) and len(rows) != len(labels):
        raise InvalidData(f"train: expected a label for each row, got {len(labels)} labels for {len(rows)} rows")
    if isinstance(rows, Rows) or hasattr(rows, "tocsr") or isinstance(rows, np.ndarray):
        if options or format is not None:
            names = ", ".join(["format"] * (format is not None) + [*options])
            raise InvalidParameter(f"train: rows without columns are not read by options; leave {names} out")
        if isinstance(rows, Rows):
            return with_y(rows, y, (), "train", task=task)
        if task == REGRESSION:
            return ArrayStream(Block.from_arrays(rows).numbered(numbers(y, len(labels))))
        return from_arrays(rows, labels)
    stream = opened(rows, format, **{**options, "unlabelled": True})
    stream.apart = True
    return with_y(stream, y, (), "train", task=task)


def _trainable(source: Any, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return rows, and the options with which they are opened: a table's, or arrays or attributes without any."""
    if hasattr(source, "tocsr") or hasattr(source, "read") or isinstance(source, str | Path) or _is_frame(source):
        return source, options
    if isinstance(source, Block):
        return Rows([source]), options
    if isinstance(source, Mapping) or not isinstance(source, Iterable):
        expected = "rows (texts, dicts, lists, a frame, an array or a file)"
        raise InvalidData(f"train: expected {expected}, got {type(source).__name__}; for columns give a frame")
    numbers = _numbers(source)
    if numbers is not None:
        if "columns" not in options and bool(((numbers == 0) | (numbers == 1)).all()):
            return numbers, options
        columns = several(options.pop("columns", None) or ()) or [f"x{at}" for at in range(numbers.shape[1])]
        return _dense(numbers, columns, "train"), {"numeric": columns} | options
    rows = source.to_pylist() if hasattr(source, "to_pylist") else source
    rows = rows.tolist() if isinstance(rows, np.ndarray) else rows
    if not isinstance(rows, Sequence):  # it may be used up by a look at its first row
        rest = iter(rows)
        begun = [*islice(rest, 1)]
        first, rows = next(iter(begun), None), chain(begun, rest)
    else:
        first = next((row for row in rows if row is not None), None)
    if isinstance(first, str):
        column = options.get("text") or TEXT
        column = column if isinstance(column, str) else column[0]
        found = [{column: text} for text in rows] if isinstance(rows, Sequence) else ({column: one} for one in rows)
        return found, options | {"text": [column]}
    if options.get("columns") is not None and isinstance(first, Sequence):
        columns, rows = several(options.pop("columns")), list(rows)
        for at, row in enumerate(rows):
            if not isinstance(row, Sequence) or len(row) != len(columns):
                got = f"{len(row)}" if isinstance(row, Sequence) else type(row).__name__
                raise InvalidData(f"train: row {at}: expected {len(columns)} cells ({listed(columns)}), got {got}")
        return [dict(zip(columns, row, strict=True)) for row in rows], options
    if not options and isinstance(rows, Sequence) and _are_attributes(rows):
        return Rows([_attributes(rows, "train")]), options
    return rows, options


def _are_attributes(rows: Sequence[Any]) -> bool:
    """Tell whether rows are no table: sets and lists of names, or dicts of numbers whose keys differ."""
    if not rows or not all(isinstance(row, Mapping | AbstractSet | list | tuple) for row in rows):
        return False
    if not isinstance(rows[0], Mapping):
        return all(isinstance(name, str) for row in rows for name in row)
    if all(isinstance(row, Mapping) and row.keys() == rows[0].keys() for row in rows):
        return False
    values = (value for row in rows if isinstance(row, Mapping) for value in row.values())
    return all(isinstance(value, int | float | np.number | np.bool_) for value in values)


def _numbers(raw: Any) -> NDArray[Any] | None:
    """Return rows of as many numbers each as an array; None for any others."""
    if not isinstance(raw, np.ndarray):
        if not (isinstance(raw, list | tuple) and raw and isinstance(raw[0], list | tuple | np.ndarray)):
            return None
        if len({len(row) if isinstance(row, list | tuple | np.ndarray) else -1 for row in raw}) > 1:
            return None
    found = np.asarray(raw)
    if isinstance(raw, np.ma.MaskedArray) and found.dtype.kind in "biuf":
        found = np.where(np.ma.getmaskarray(raw), np.nan, found)  # missing numbers
    return found if found.ndim == 2 and found.dtype.kind in "biuf" else None


def _is_frame(raw: Any) -> bool:
    return hasattr(raw, "columns") or hasattr(raw, "num_rows")


def _dense(numbers: NDArray[Any], columns: Sequence[str], owner: str) -> Any:
    from littlestone.streams.formats.frame import Dense

    if numbers.shape[1] != len(columns):
        raise InvalidData(
            f"{owner}: expected rows of {len(columns)} numbers ({listed(columns)}), got {numbers.shape[1]}"
        )
    return Dense(numbers, columns)


def stream_of(
    raw: Any, reading: Mapping[str, Any], *, labelled: bool, zeros: bool = False, numbered: bool = False, owner: str
) -> Stream:
    """Return raw input of any kind as a stream: a file, texts, dicts, rows, a frame, arrays, a stream.

    ``labelled``: the labels are in the rows. ``owner`` names the call in messages. ``zeros``: numbers of a table that
    are 0 have entries, too. ``numbered``: the model knows attributes by their positions, so that keys of dicts are
    these.
    """
    more = {"zeros": True} if zeros else {}
    if isinstance(raw, Stream):
        check_alike(raw, reading, owner)
        return TellingZeros(raw) if zeros and not raw.zeros else raw
    if isinstance(raw, Block):
        return Rows([raw], raw.labels)
    if isinstance(raw, str | Path) or hasattr(raw, "read"):
        _check_path(raw, reading, owner)
        return read_like(raw, reading, more, predicting=not labelled)
    if is_table(reading):
        return _table(raw, reading, more, owner, predicting=not labelled)
    if isinstance(raw, list | tuple) and not raw:
        return Rows([])
    return Rows([_attributes(raw, owner, numbered=numbered)])


def _check_path(raw: Any, reading: Mapping[str, Any], owner: str) -> None:
    if isinstance(raw, str) and raw != "-" and not _exists(raw):
        remedy = (
            f"for a raw text give a list, {owner}([text]), or use {owner}_one"
            if reading.get("text")
            else "check the path"
        )
        raise InvalidData(
            f"{owner}: expected the path of a file, or rows, got {shown(raw)}, which is no file; {remedy}"
        )


def _exists(path: str) -> bool:
    try:
        return bool(path) and Path(path).exists()
    except (OSError, ValueError):  # too long, or what no path has
        return False


def _table(raw: Any, reading: Mapping[str, Any], more: Mapping[str, Any], owner: str, *, predicting: bool) -> Stream:
    """Return rows of a table's columns: a frame, dicts, texts for the only column, or cells in the order of columns."""
    known = options_of("parquet")
    options = {name: value for name, value in as_kept(reading).items() if name in known} | dict(more)
    if predicting:
        options["unlabelled"] = True
        if "weight" in options:
            options["ignore"] = [*options.get("ignore", []), options.pop("weight")]
    rows = _rows_of_table(raw, reading, owner)
    columns = [*map(str, getattr(rows, "column_names", rows.columns))] if _is_frame(rows) else rows[0] if rows else None
    label = None if predicting else options.get("label")
    if label is not None and columns is not None and label not in list(columns):
        raise InvalidLabel(
            f"{owner}: expected a column {label!r} of labels, got {listed(list(columns))}; add it, or give the labels "
            f"apart: {owner}(rows, labels)"
        )
    # nobody asks for the names of all rows before they are predicted: they need be read only once
    stream = opened(iter(rows) if predicting and isinstance(rows, list) else rows, **options)
    stream.name = owner  # type: ignore[attr-defined]  # as its messages have it
    return stream


def _rows_of_table(raw: Any, reading: Mapping[str, Any], owner: str) -> Any:
    """Return a frame, or a list of dicts."""
    if hasattr(raw, "collect"):
        raise InvalidData(f"{owner}: expected rows, got {type(raw).__name__}, which has none yet; collect() it first")
    if _is_frame(raw):
        return raw
    if isinstance(raw, Mapping):
        raise InvalidData(
            f"{owner}: expected rows, got a {type(raw).__name__}; for one row give a list, {owner}([row]), or use "
            f"{owner}_one"
        )
    if not isinstance(raw, Iterable):
        raise InvalidData(f"{owner}: expected rows (texts, dicts, lists, a frame or a file), got {type(raw).__name__}")
    columns = attribute_columns(reading)
    if isinstance(raw, np.ndarray) and set(columns) <= set(reading.get("numeric", ())):
        numbers = _numbers(raw)
        if numbers is not None:
            return _dense(numbers, columns, owner)
    rows = raw.to_pylist() if hasattr(raw, "to_pylist") else raw
    return [_record(row, at, reading, owner) for at, row in enumerate(rows)]


def _record(row: Any, at: int, reading: Mapping[str, Any], owner: str) -> Mapping[str, Any]:
    """Return one row as a dict of its columns."""
    if isinstance(row, Mapping):
        return row
    if hasattr(row, "to_dict"):  # a row of a frame
        return dict(row.to_dict())
    columns = attribute_columns(reading)
    if row is None and columns == list(reading.get("text", ())) and len(columns) == 1:
        return {columns[0]: None}
    if isinstance(row, str):
        if columns != list(reading.get("text", ())) or len(columns) != 1:
            raise InvalidData(
                f"{owner}: row {at}: expected a dict of the columns {', '.join(columns)}, got a text; give "
                f"{{{columns[0]!r}: ...}}"
                if columns
                else f"{owner}: row {at}: expected a dict, got a text"
            )
        return {columns[0]: row}
    if isinstance(row, Sequence | np.ndarray) and len(row) == len(columns):
        return dict(zip(columns, row.tolist() if isinstance(row, np.ndarray) else row, strict=True))
    got = f"{len(row)} cells" if isinstance(row, Sequence | np.ndarray) else type(row).__name__
    raise InvalidData(f"{owner}: row {at}: expected a dict, or cells of {', '.join(columns)}, in this order, got {got}")


def record_of(row: Any, reading: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return one row of a table as a dict of its columns."""
    return _record(row, 0, reading, "explain")


def _attributes(raw: Any, owner: str, *, numbered: bool = False) -> Block:
    """Return arrays, or dicts and lists of names, as a block; ``numbered``: the names are positions."""
    if isinstance(raw, str | Mapping):
        raise InvalidData(
            f"{owner}: expected rows, got a {type(raw).__name__}; for one row give a list, {owner}([row]), or use "
            f"{owner}_one"
        )
    if isinstance(raw, Iterable) and not isinstance(raw, Sequence) and not hasattr(raw, "__array__"):
        raw = raw if hasattr(raw, "tocsr") or _is_frame(raw) else list(raw)
    if not isinstance(raw, list | tuple):
        return _of_arrays(raw, owner)
    if hasattr(raw[0], "tocsr"):
        from scipy import sparse

        return _of_arrays(sparse.vstack(raw) if len({row.shape[1] for row in raw}) == 1 else raw, owner)
    if isinstance(raw[0], str):
        raise InvalidData(f"{owner}: row 0: expected numbers or attributes, got a text, {shown(raw[0])}")
    if not isinstance(raw[0], Mapping | AbstractSet | list | tuple):
        return _of_arrays(raw, owner)
    if isinstance(raw[0], list | tuple) and not all(isinstance(name, str) for row in raw for name in row):
        return _of_arrays(raw, owner)
    return _named(raw, owner, numbered=numbered)


def _of_arrays(raw: Any, owner: str) -> Block:
    try:
        return Block.from_arrays(raw)
    except (OverflowError, TypeError) as error:
        raise InvalidData(f"{owner}: expected rows of numbers, got others ({error})") from None


def _named(raw: Sequence[Any], owner: str, *, numbered: bool) -> Block:
    names: dict[Any, int] = {}
    indptr, indices, values = [0], list[int](), list[float]()
    for at, row in enumerate(raw):
        try:
            pairs = row.items() if isinstance(row, Mapping) else ((name, 1.0) for name in row)
            for name, value in pairs:
                place = _position(name) if numbered else names.setdefault(name, len(names))
                indices.append(place)
                values.append(float(value))
        except (TypeError, ValueError, OverflowError) as error:
            raise InvalidData(f"{owner}: row {at}: expected attributes with numbers for values, got {error}") from None
        indptr.append(len(indices))
    block = Block.from_csr(np.array(indptr), np.array(indices, dtype=np.int64), np.array(values))
    return block if numbered else replace(block, names=tuple(names))


def _position(name: Any) -> int:
    if isinstance(name, bool) or not isinstance(name, int | np.integer) or not 0 <= name < MOST_ATTRIBUTES:
        raise ValueError(f"{name!r} where the model knows attributes by their positions, 0, 1, ...")
    return int(name)
