"""Recipe: how a model reads files and tables: their columns, which are scaled, and another file like the first."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter, TaskWarning
from littlestone.core.messages import Message, Remedy
from littlestone.learners import Learner
from littlestone.learners.regressors import Regressor
from littlestone.models.outcomes import Outcomes
from littlestone.models.scaling import Scaling
from littlestone.streams import Stream
from littlestone.streams.base import SUFFIXES, as_kept, format_of, options_of
from littlestone.streams.base import open as opened
from littlestone.streams.formats.outcomes import AUTO, CLASSIFICATION, REGRESSION, check_task
from littlestone.streams.sources.opened import Source, plain_suffix
from littlestone.streams.wrappers.wrapped import Part, WrappedStream

__all__ = [
    "RECOGNISED",
    "TABLES",
    "USUAL",
    "AsLearned",
    "Scaled",
    "TellingZeros",
    "attribute_columns",
    "check_alike",
    "check_labels",
    "columns_of",
    "is_table",
    "outcomes_for",
    "read_like",
    "real_columns",
    "scaled_as_learned",
    "scaled_columns",
    "task_of",
    "unscaled_columns",
    "usual_learner",
]

RECOGNISED = Message(
    "outcomes are numbers: regression", Remedy("{task} takes them as labels", task=CLASSIFICATION)
)  # as are_numbers says
IN_MEMORY = "parquet"  # the format of frames and dicts, too, so that it says nothing of a file
TABLES = ("csv", "tsv", IN_MEMORY)  # formats of rows with the same columns
DIVIDING = ("delimiter", "quote", "header", "columns")  # what is no option of another format's files
ROLES = ("numeric", "truth", "categorical", "text")
MADE = ("pairs", "hash_bits", "bins", "missing")  # of which other attributes come
WORDS = ("tokens", "lower", "ngrams", "characters")
NO_ATTRIBUTES = ("label", "id", "ignored", "weight", "tag")  # kinds of columns
USUAL = {CLASSIFICATION: "auto", REGRESSION: "auto-regressor"}  # the learners, where nobody names one
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
    if "zeros" not in known:
        more.pop("zeros", None)  # a format without columns
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
    known = given or suffix or (None if before == IN_MEMORY else before)
    if known is not None:
        return source, known
    found = Source(source)
    format = format_of(found)  # noqa: A001
    return source if found.again else found, format  # the first line of a pipe is not to be lost


def attribute_columns(reading: Mapping[str, Any]) -> list[str]:
    """Return the columns of a table that become attributes, in the order in which they stood there."""
    kinds = [name for role in ROLES for name in reading.get(role, ())]
    order = reading.get("order") or kinds
    return [name for name in order if name in kinds]


def check_alike(stream: Stream, reading: Mapping[str, Any], owner: str) -> None:
    """Refuse a stream that is open already, but read otherwise than the model reads."""
    other = stream.read_as()
    if not reading or not other:
        return
    for option in MADE:
        own, its = (json.dumps(one.get(option), sort_keys=True) for one in (reading, other))
        if own != its:
            words = f"expected a stream with {option}={own}, as the model reads, got one with {option}={its}"
            raise InvalidData(f"{owner}: {words}; give the file itself")
    if not is_table(reading) or stream.schema() is None:
        return
    for column in attribute_columns({name: value for name, value in reading.items() if name != "order"}):
        expected, got = _role(column, reading), _role(column, other)
        if got != expected:
            raise InvalidData(
                f"{owner}: expected a stream whose column {column!r} is read as {expected}, got one with "
                f"{'no such column' if got is None else f'it as {got}'}; give the file itself, and it is read as the "
                "model reads"
            )
    if reading.get("text") and {name: other.get(name) for name in WORDS} != {name: reading.get(name) for name in WORDS}:
        raise InvalidData(f"{owner}: expected a stream with the model's tokens, got other ones; give the file itself")


def _role(column: str, reading: Mapping[str, Any]) -> str | None:
    return next((role for role in ROLES if column in reading.get(role, ())), None)


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


class TellingZeros(Part):
    """A table, open already, that tells zeros from missing numbers as long as its rows are asked for here."""

    zeros = True

    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the rows in order."""
        before, self.stream.zeros = self.stream.zeros, True
        try:
            yield from super().blocks(rows)
        finally:
            self.stream.zeros = before


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


def task_of(learner: Learner | None, task: str | None, owner: str) -> str:
    """Return the task that is asked for: what is given, that of the learner, or "auto"; refuse two different ones."""
    own = None if learner is None else REGRESSION if isinstance(learner, Regressor) else CLASSIFICATION
    if task is None:
        return own or AUTO
    check_task(owner, task, None)
    if own is not None and task not in {own, AUTO}:
        what, kind = ("numbers", "regressor") if own == REGRESSION else ("labels", "classifier")
        usual = USUAL[task]
        raise InvalidParameter(
            f"{owner}: task: expected {own!r}, for {learner!r} is a {kind} and predicts {what}, got {task!r}",
            Remedy(
                f"for {task} take another learner, such as {usual!r}, or none",
                typed=f"for {task} take another learner, such as -l {usual}, or none",
            ),
        )
    return own or task


def usual_learner(stream: Stream, asked: str) -> Learner:
    """Return the learner that a stream is trained with where nobody names one; say so where numbers were recognised."""
    from littlestone.learners.named import learner_of

    task = stream.task
    if task == CLASSIFICATION:
        check_labels(stream)
    elif asked == AUTO:
        warnings.warn(str(RECOGNISED), TaskWarning, stacklevel=4)
    return learner_of(USUAL[task])


def outcomes_for(learner: Learner, *, scale: bool) -> Outcomes | None:
    """Return how the outcomes of a regressor are learned: scaled, if that is wanted and of use."""
    if not isinstance(learner, Regressor):
        return None
    return Outcomes(scaled=scale and not learner.finds_units and learner.measure.range == (-inf, inf))


def scaled_columns(stream: Stream) -> tuple[str, ...]:
    """Return the columns of a table that have real numbers, of which the stream is to tell zeros, too."""
    found = () if _has_no_columns(stream) else real_columns(stream)
    if found or stream.schema() is not None:
        stream.zeros = bool(found)
    return found


def real_columns(stream: Stream) -> tuple[str, ...]:
    """Return the columns of a table that have real numbers and are not cut into intervals."""
    schema = stream.schema()
    if schema is None:
        return ()
    cut = stream.read_as().get("bins", {})
    return tuple(column.name for column in schema.columns if column.kind == "number" and column.name not in cut)


def unscaled_columns(stream: Stream) -> tuple[str, ...]:
    """Return the columns of real numbers that cannot be scaled, for pairs and hashed attributes are no columns."""
    return real_columns(stream) if _has_no_columns(stream) else ()


def _has_no_columns(stream: Stream) -> bool:
    reading = stream.read_as()
    return bool(reading.get("pairs") or reading.get("hash_bits"))
