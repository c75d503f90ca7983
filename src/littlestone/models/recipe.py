"""Recipe: raw input (files, texts, dicts, rows, frames) as the stream of attributes that a model has learned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel
from littlestone.core.labels import all_labels
from littlestone.models.scaling import Scaling
from littlestone.streams import Stream
from littlestone.streams.base import SUFFIXES, as_kept, format_of, options_of
from littlestone.streams.base import open as opened
from littlestone.streams.sources.opened import Source, plain_suffix
from littlestone.streams.wrappers.wrapped import WrappedStream

__all__ = [
    "TABLES",
    "AsLearned",
    "Given",
    "Rows",
    "Scaled",
    "attribute_columns",
    "check_labels",
    "columns_of",
    "is_table",
    "read_like",
    "record_of",
    "scaled_as_learned",
    "scaled_columns",
    "stream_of",
]

TABLES = ("csv", "tsv", "parquet")  # formats of rows with the same columns
DIVIDING = ("delimiter", "quote", "header", "columns")  # what is no option of another format's files
MOST_TEXT = 60  # characters of a raw text in a message
NO_ATTRIBUTES = ("label", "id", "ignored", "weight", "tag")  # kinds of columns
MOST_LABELS = 1000  # of a table for which no learner was named


def is_table(reading: Mapping[str, Any]) -> bool:
    """Tell whether rows were read from a table: they have columns, which become attributes by their roles."""
    return reading.get("format") in TABLES or "closed" in reading


def read_like(
    source: Any, reading: Mapping[str, Any], given: Mapping[str, Any], format: str | None = None,  # noqa: A002
    *, predicting: bool = False,
) -> Stream:  # fmt: skip
    """Return a file as a stream that is read as another one was (``Stream.read_as``), but for what is ``given``.

    The format is the one that is named, or that of the suffix, or the same, or what the first line shows. For
    ``predicting``, labels are not read and may be missing.
    """
    before = as_kept(reading)
    format_before = before.pop("format", None)
    file, found = _format(source, format, format_before)
    known = [name for name in options_of(found) if found == format_before or name not in DIVIDING]
    if {found, format_before} <= {"csv", "tsv"}:
        known += [name for name in DIVIDING if name != "delimiter"]
    more = dict(given)
    if "ignore" in more:  # besides what is left out already
        more["ignore"] = list(dict.fromkeys([*before.get("ignore", ()), *more["ignore"]]))
    options = {name: value for name, value in before.items() if name in known} | more
    if "attributes" not in known:
        options.pop("attributes", None)  # then it is for the learner alone
    if predicting:
        options |= {"unlabelled": True} | ({"labels": ()} if found in {"svmlight", "vw"} else {})
        if "weight" in options:  # it may be missing, and is no attribute
            options["ignore"] = [*options.get("ignore", []), options.pop("weight")]
    return opened(file, found, **options)


def _format(source: Any, given: str | None, before: str | None) -> tuple[Any, str]:
    """Return what to open and its format: as given, by suffix, as before, or by the first line."""
    suffix = SUFFIXES.get(plain_suffix(str(source))) if isinstance(source, str | Path) and source != "-" else None
    known = given or suffix or before
    if known is not None:
        return source, known
    found = Source(source)
    format = format_of(found)  # noqa: A001
    return source if found.again else found.open(), format  # the first line of a pipe is not to be lost


def stream_of(raw: Any, reading: Mapping[str, Any], *, labelled: bool, zeros: bool = False, owner: str) -> Stream:
    """Return raw input of any kind as a stream: a file, texts, dicts, rows, a frame, arrays, a stream.

    ``labelled``: the labels are in the rows. ``owner`` names the call in messages. ``zeros``: numbers of a table that
    are 0 have entries, too.
    """
    more = {"zeros": True} if zeros else {}
    if isinstance(raw, Stream):
        return raw
    if isinstance(raw, Block):
        return Rows([raw], raw.labels)
    if isinstance(raw, str | Path) or hasattr(raw, "read"):
        _check_path(raw, reading, owner)
        return read_like(raw, reading, more, predicting=not labelled)
    if is_table(reading):
        return _table(raw, reading, more, owner, predicting=not labelled)
    return Rows([_attributes(raw, owner)])


def _check_path(raw: Any, reading: Mapping[str, Any], owner: str) -> None:
    if isinstance(raw, str) and raw != "-" and not Path(raw).exists():
        remedy = (
            f"for a raw text give a list, {owner}([text]), or use {owner}_one"
            if reading.get("text")
            else "check the path"
        )
        got = repr(raw if len(raw) <= MOST_TEXT else raw[:MOST_TEXT] + "...")
        raise InvalidData(f"{owner}: expected the path of a file, or rows, got {got}, which is no file; {remedy}")


def _table(raw: Any, reading: Mapping[str, Any], more: Mapping[str, Any], owner: str, *, predicting: bool) -> Stream:
    """Return rows of a table's columns: a frame, dicts, texts for the only column, or cells in the order of columns."""
    known = options_of("parquet")
    options = {name: value for name, value in as_kept(reading).items() if name in known} | dict(more)
    if predicting:
        options["unlabelled"] = True
        if "weight" in options:
            options["ignore"] = [*options.get("ignore", []), options.pop("weight")]
    if hasattr(raw, "columns") or hasattr(raw, "num_rows"):
        return opened(raw, **options)
    if not isinstance(raw, Iterable):
        raise InvalidData(f"{owner}: expected rows (texts, dicts, lists, a frame or a file), got {type(raw).__name__}")
    return opened([_record(row, at, reading, owner) for at, row in enumerate(raw)], **options)


def _record(row: Any, at: int, reading: Mapping[str, Any], owner: str) -> Mapping[str, Any]:
    """Return one row as a dict of its columns."""
    if isinstance(row, Mapping):
        return row
    columns = attribute_columns(reading)
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


def attribute_columns(reading: Mapping[str, Any]) -> list[str]:
    """Return the columns of a table that become attributes, in the order in which they stood there."""
    kinds = [name for role in ("numeric", "truth", "categorical", "text") for name in reading.get(role, ())]
    order = reading.get("order") or kinds
    return [name for name in order if name in kinds]


def _attributes(raw: Any, owner: str) -> Block:
    """Return arrays, or dicts and lists of names, as a block."""
    if not isinstance(raw, list | tuple) or not raw or not isinstance(raw[0], Mapping | set | frozenset | list | tuple):
        return Block.from_arrays(raw)
    if isinstance(raw[0], list | tuple) and not all(isinstance(name, str) for row in raw for name in row):
        return Block.from_arrays(raw)
    names: dict[Any, int] = {}
    indptr, indices, values = [0], list[int](), list[float]()
    for at, row in enumerate(raw):
        try:
            pairs = row.items() if isinstance(row, Mapping) else ((name, 1.0) for name in row)
            for name, value in pairs:
                indices.append(names.setdefault(name, len(names)))
                values.append(float(value))
        except (TypeError, ValueError) as error:
            raise InvalidData(f"{owner}: row {at}: expected attributes with numbers for values, got {error}") from None
        indptr.append(len(indices))
    block = Block.from_csr(np.array(indptr), np.array(indices, dtype=np.int64), np.array(values))
    return replace(block, names=tuple(names))


class Rows(Stream):
    """Blocks in memory."""

    def __init__(self, blocks: Sequence[Block], labels: tuple[Any, ...] | None = None) -> None:
        self._blocks = blocks
        self.labels = labels or (0, 1)

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order."""
        for block in self._blocks:
            yield from block.split(rows)


class Given(WrappedStream):
    """The rows of a stream with labels that come apart from them; ``known`` are those of the model."""

    def __init__(self, stream: Stream, labels: Any, known: tuple[Any, ...], owner: str) -> None:
        super().__init__(stream)
        y, self._owner = np.asarray(labels), owner
        if y.ndim != 1:
            raise InvalidData(f"{owner}: expected a label for each row, got an array of {y.ndim} dimensions")
        self._labels = tuple(dict.fromkeys((*known, *y.tolist()))) if known else tuple(all_labels(y))
        self._codes = np.zeros(len(y), dtype=np.int64)
        for code, label in enumerate(self._labels):
            self._codes[y == label] = code

    @property
    def labels(self) -> tuple[Any, ...]:  # type: ignore[override]
        """All labels, the negative one first."""
        return self._labels

    def read_as(self) -> dict[str, Any]:
        """Return how the rows are read."""
        return self.stream.read_as()

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order, with their labels."""
        at, number = 0, len(self._codes)
        for block in self.stream.blocks(rows):
            if at + len(block) > number:
                raise InvalidData(f"{self._owner}: expected a label for each row, got {number} labels for more rows")
            yield block.labelled(self._codes[at : at + len(block)], self._labels)
            at += len(block)
        if at < number:
            raise InvalidData(f"{self._owner}: expected a label for each row, got {number} labels for {at} rows")


class Scaled(WrappedStream):
    """The rows of a stream as a model's learner sees them when it predicts."""

    def __init__(self, stream: Stream, scaling: Scaling | None) -> None:
        super().__init__(stream)
        self._scaling = scaling

    names: Any = property(lambda self: self.stream.names, doc="The names of the attributes.")

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order, scaled."""
        for block in self.stream.blocks(rows):
            yield block if self._scaling is None else self._scaling.scaled(block)


class AsLearned(WrappedStream):
    """The rows of a table with its real numbers scaled as a model learns them: each by the rows before it."""

    def __init__(self, stream: Stream, columns: Sequence[str]) -> None:
        super().__init__(stream)
        self._columns = columns

    n_attributes: Any = property(lambda self: self.stream.n_attributes, doc="The number of attributes.")
    names: Any = property(lambda self: self.stream.names, doc="The names of the attributes.")

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order, scaled anew from the first."""
        scaling = Scaling(self._columns)
        for block in self.stream.blocks(rows):
            yield scaling.learned(block)

    def __repr__(self) -> str:
        return repr(self.stream)


def scaled_as_learned(stream: Stream) -> Stream:
    """Return a table with its real numbers scaled as they are learned; any other stream as it is."""
    columns = scaled_columns(stream)
    return AsLearned(stream, columns) if columns else stream


def columns_of(stream: Stream) -> tuple[str, ...]:
    """Return the columns of a table that become attributes, in the order in which they stand there."""
    schema = stream.schema()
    return () if schema is None else tuple(one.name for one in schema.columns if one.kind not in NO_ATTRIBUTES)


def check_labels(stream: Stream) -> None:
    """Refuse a table whose labels are thousands of different values, hardly any of which comes again."""
    schema = stream.schema()
    label = None if schema is None else next((column for column in schema.columns if column.kind == "label"), None)
    if schema is None or label is None or label.distinct <= MOST_LABELS:
        return
    for warning in schema.warnings:
        if repr(label.name) in str(warning) and "different values" in str(warning):
            raise InvalidLabel(warning.after(f"{schema.source}: "), "name a learner if that is right")


def scaled_columns(stream: Stream) -> tuple[str, ...]:
    """Return the columns of a table that have real numbers, of which the stream is to tell zeros, too."""
    schema = stream.schema()
    if schema is None:
        return ()
    reading = stream.read_as()
    if reading.get("pairs") or reading.get("hash_bits"):
        return ()  # what they make has no column of its own
    cut = reading.get("bins", {})
    found = tuple(column.name for column in schema.columns if column.kind == "number" and column.name not in cut)
    stream.zeros = bool(found)
    return found
