"""Stream: where examples come from, in arrival order, block by block; and `open`, a file of any format as a stream."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.core.messages import Blank, Remedy, did_you_mean
from littlestone.core.parameters import check_flag
from littlestone.core.rows import completed
from littlestone.streams.formats.outcomes import AUTO, CLASSIFICATION, REGRESSION, check_task
from littlestone.streams.sources.opened import Source, plain_suffix

if TYPE_CHECKING:
    from littlestone.streams.formats.schema import Schema

__all__ = [
    "FORMATS",
    "SUFFIXES",
    "ReadStream",
    "Stream",
    "as_kept",
    "complete_blocks",
    "format_of",
    "open",
    "options_of",
]

FORMATS = {  # name: module and class, imported when they are needed
    "svmlight": ("littlestone.streams.formats.svmlight", "SvmlightStream"),
    "vw": ("littlestone.streams.formats.vw", "VWStream"),
    "csv": ("littlestone.streams.formats.csv", "CsvStream"),
    "tsv": ("littlestone.streams.formats.csv", "CsvStream"),
    "jsonl": ("littlestone.streams.formats.jsonl", "JsonlStream"),
    "parquet": ("littlestone.streams.formats.frame", "ParquetStream"),
    "snow": ("littlestone.streams.formats.snow", "SnowStream"),
}
JSON_TABLE = ("littlestone.streams.formats.json_table", "JsonTableStream")
RECORDS = ("littlestone.streams.formats.records", "RecordStream")
PAIRS = ("littlestone.streams.wrappers.pairs", "Pairs")
HASHED = ("littlestone.streams.wrappers.hashed", "Hashed")
SUFFIXES = {
    ".svm": "svmlight", ".svmlight": "svmlight", ".libsvm": "svmlight", ".vw": "vw", ".csv": "csv", ".tsv": "tsv",
    ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".parquet": "parquet", ".pq": "parquet",
    ".snow": "snow",
}  # fmt: skip

EVERY = ("pairs", "absent", "hash_bits")  # options of all formats

# What a first line looks like, tried in this order; what is taken is not given back (*+, ++), for a line may be long
LINES = (
    ("parquet", re.compile(rb"PAR1")),
    ("jsonl", re.compile(rb"\s*[{\[]")),
    ("snow", re.compile(rb"\s*+\d++\s*+(\([^)]*+\)\s*+)?+(,\s*+\d++\s*+(\([^)]*+\)\s*+)?+)*+:\s*+$")),
    ("vw", re.compile(rb"[^|,]*\|[^|,]*(\||\s|$)")),
    ("svmlight", re.compile(rb"\s*[^\s,:|]+(\s+[^\s:,]+:[^\s:,]+)+\s*(#.*)?$")),
    ("svmlight", re.compile(rb"\s*[+-]?\d+(\.\d*)?\s*(#.*)?$")),
    ("tsv", re.compile(rb"[^,;\t]*\t")),
    ("csv", re.compile(rb".*[,;\t]")),
)
REMEMBERED = 5  # complaints that are kept, of the rows that were skipped


class Stream(ABC):
    """A sequence of examples that does not depend on who learns from it.

    ``n_attributes`` is the number of attributes where it is known, ``labels`` all labels, the negative one first (none
    at all where outcomes are numbers, for regressors), ``names`` the attributes' names where they have any. ``terms``
    are those of a monotone DNF that all labels follow, where one is known: what learners of DNF are held against.
    ``again`` tells whether `blocks` may be called more than once: all but pipes can be read again. ``source`` is where
    its bytes come from, None for a stream that is read from no file. ``skipped`` counts the rows that the last pass
    left out, ``complaints`` says what was wrong with the first. ``zeros``: whether numbers of a table that are 0 have
    entries, so that they can be told from missing ones. ``met``: labels that are known before the rows are read: they
    need not come, and others may. ``apart``: whether the labels come apart from the rows, so that no column of a table
    has them.

    >>> import littlestone as ls
    >>> stream = ls.from_arrays([[1, 0], [0, 1], [1, 1]], ["spam", "ham", "spam"])
    >>> isinstance(stream, ls.Stream), stream.n_attributes, stream.labels
    (True, 2, ('ham', 'spam'))
    >>> sum(len(block) for block in stream.blocks())
    3
    """

    n_attributes: int | None = None
    labels: tuple[Any, ...] = (0, 1)
    names: Sequence[Hashable] | None = None
    terms: list[tuple[int, ...]] | None = None
    again: bool = True
    source: Source | None = None
    skipped: int = 0
    complaints: Sequence[str] = ()
    zeros: bool = False
    met: tuple[Any, ...] = ()
    apart: bool = False

    @property
    def task(self) -> str:
        """What the outcomes are for: "classification", or "regression" where they are numbers and have no labels."""
        return CLASSIFICATION if len(self.labels) else REGRESSION

    def read_as(self) -> dict[str, Any]:
        """Return the format and the options with which `open` reads another file in the same way; known once read."""
        return {}

    def schema(self) -> Schema | None:
        """Return how the columns of a table are read; None for what is no table."""
        return None

    def fingerprint(self) -> str | None:
        """Return what tells this stream from others before it is read: None for a pipe, which nobody can read again.

        Of a file it is a digest of its size and its two ends, however it is read; of any other stream its repr. What
        was read of a file is known to the last byte by ``source.sum``, if ``source.summing`` was set before.

        >>> import littlestone as ls
        >>> ls.teachers.Disjunction(n=10, k=2).fingerprint() == ls.teachers.Disjunction(n=10, k=3).fingerprint()
        False
        """
        return repr(self) if self.source is None else self.source.fingerprint()

    @abstractmethod
    def blocks(self, rows: int = 8192) -> Iterator[Block]:
        """Yield the examples in order, at most ``rows`` at a time; each call begins anew."""


def complete_blocks(stream: Stream, *, sized: bool = True) -> Iterator[Block]:
    """Return a stream's blocks, each with the labels and names of the stream where it has none of its own.

    So too the number of attributes, if it is to be ``sized``: a file is scanned for it, at once.
    """
    if not isinstance(stream, Stream):
        raise InvalidData(f"expected a Stream, got {type(stream).__name__}; for arrays use from_arrays(X, y)")
    return completed(stream, sized=sized)


class ReadStream(Stream):
    """A stream whose rows are read from outside, where some may be wrong, and all are known only once they are read.

    A bad row is an error or, with on_error="skip", left out and counted. The labels and the number of attributes, where
    not given, are found by `scan` when they are first asked for. With ``task="regression"`` the labels are numbers;
    with "auto" the first rows tell (`outcomes.are_numbers`).
    """

    complaints: list[str]

    def __init__(
        self, name: str, source: Source | None, *, labels: tuple[Any, ...] | None, unlabelled: bool, on_error: str,
        task: str = CLASSIFICATION,
    ) -> None:  # fmt: skip
        owner = type(self).__name__
        check_flag(owner, "unlabelled", unlabelled)
        if on_error not in {"raise", "skip"}:
            raise InvalidParameter(f"{owner}: on_error must be 'raise' or 'skip', got {on_error!r}")
        self.name, self.source, self.again = name, source, source is None or source.again
        self.unlabelled, self.on_error, self.given_labels = bool(unlabelled), on_error, labels
        self._labels: tuple[Any, ...] | None = None
        self._size: int | None = None
        self._task = task if task == CLASSIFICATION else check_task(owner, task, labels)
        if self._task == AUTO and unlabelled:
            self._task = CLASSIFICATION
        self._forget()

    @abstractmethod
    def scan(self) -> None:
        """Find the labels and the number of attributes, for which a file is read to its end."""

    @property
    def labels(self) -> tuple[Any, ...]:  # type: ignore[override]
        """All labels, the negative one first: as given, else those of the file, which is scanned for them."""
        if self.task == REGRESSION:
            return ()
        if self._labels is None:
            self.scan()
        return self._labels or (0, 1)

    @property
    def task(self) -> str:
        r"""What the outcomes are for, as given or recognised: "classification", or "regression" where they are numbers.

        >>> import io
        >>> open(io.BytesIO(b"rooms,price\n1,99.5\n2,140\n3,182.25\n"), task="auto").task
        'regression'
        """
        if self._task == AUTO:
            self._recognise()
        return self._task

    @abstractmethod
    def _recognise(self) -> None:
        """Settle the task by the first rows."""

    def _as_task(self) -> dict[str, str]:
        """Return the option with which another file's outcomes are read as numbers, where these are."""
        return {"task": REGRESSION} if self.task == REGRESSION else {}

    @property
    def n_attributes(self) -> int | None:  # type: ignore[override]
        """The number of attributes: as given, else as a scan finds it; None for a pipe, which is read only once."""
        if self._size is None:
            self.scan()
        return self._size

    def _forget(self) -> None:
        """Begin to count anew what is skipped."""
        self.skipped, self.complaints = 0, []

    def _refuse(
        self, message: str, kind: type[InvalidData | InvalidLabel] = InvalidData, *, counted: bool = True
    ) -> None:
        """Raise, or skip a row and, unless it is another pass that counts, count it."""
        if self.on_error == "raise":
            raise kind(message)
        if counted:
            self.skipped += 1
            if len(self.complaints) < REMEMBERED:
                self.complaints.append(message)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


# A file of any format


def open(  # noqa: A001
    source: Any,
    format: str | None = None,  # noqa: A002
    *,
    pairs: bool | Sequence[str] = False,
    absent: bool = False,
    hash_bits: int | None = None,
    **options: Any,
) -> Stream:
    r"""Return a file as a stream: a path, "-" for stdin, a binary file, a data frame, an Arrow table, or rows as dicts.

    The format is ``format`` ("svmlight", "vw", "csv", "tsv", "jsonl", "parquet" or "snow"), else by the suffix
    (below .gz, .bz2, .xz or .zst), else by the first line. ``options`` are those of the format's stream: label=,
    text=, ngrams=, ignore= and so on for tables, targets= for SNoW's; labels=, unlabelled= and on_error= for all of
    them; task="regression" where labels are numbers to be predicted, "auto" where the first rows are to tell.
    ``pairs`` adds the pairs of all attributes, or with (a, b) those between two namespaces or columns (which may be
    ``absent``), as `Pairs` does; ``hash_bits`` hashes all of them to so many bits, as `Hashed` does.

    >>> import io
    >>> stream = open(io.BytesIO(b"size,colour,class\n1,red,yes\n2,blue,no\n"))
    >>> stream, stream.labels
    (CsvStream('<BytesIO>'), ('no', 'yes'))
    >>> [block] = open(io.BytesIO(b"rooms,price\n1,99.5\n2,140\n"), task="regression").blocks()
    >>> block.outcomes.tolist(), block.labels
    ([99.5, 140.0], ())
    >>> open(io.BytesIO(b"1 | a b\n"), pairs=True, hash_bits=18)
    Hashed(Pairs(VWStream('<BytesIO>')), bits=18)
    """
    stream = _opened(source, format, options)
    if pairs is not False and pairs is not None:
        stream = _imported(*PAIRS)(stream, between=None if pairs is True else pairs, absent=absent)
    if hash_bits is not None:
        stream = _imported(*HASHED)(stream, bits=hash_bits)
    return stream


def _opened(source: Any, format: str | None, options: dict[str, Any]) -> Stream:  # noqa: A002
    if hasattr(source, "columns") or hasattr(source, "num_rows"):
        return _made(FORMATS["parquet"][0], "FrameStream", source, options)
    if isinstance(source, Iterable) and not isinstance(source, str | bytes | Path) and not hasattr(source, "read"):
        return _made(*RECORDS, source, options)
    if isinstance(format, str) and format.lower() not in FORMATS:
        remedies = filter(None, [did_you_mean(format.lower(), FORMATS)])
        raise InvalidParameter(f"open: format must be one of {', '.join(FORMATS)}, got {format!r}", *remedies)
    if format == "parquet" or (format is None and isinstance(source, str | Path) and _suffix(source) == "parquet"):
        return _made(*FORMATS["parquet"], source, options)
    found = Source.of(source)
    known = format.lower() if format is not None else format_of(found)
    if known == "tsv":
        options = {"delimiter": "\t", **options}
    if known == "parquet":
        return _made(*FORMATS[known], source, options)
    made = FORMATS[known]
    if known == "jsonl":
        made, options = _of_json(found, options)
    return _made(*made, source if found.again else found, options)  # what was read of a pipe is not to be lost


def _of_json(source: Source, options: dict[str, Any]) -> tuple[tuple[str, str], dict[str, Any]]:
    """Return what reads JSON lines: flat objects are a table if an option of tables, or a sentence, says so."""
    known = frozenset(_options(_imported(*FORMATS["jsonl"])))
    tabular = [option for option in options if option not in known and option in _options(_imported(*JSON_TABLE))]
    if not tabular and "text" in options:
        return FORMATS["jsonl"], options
    line, lines = source.first_line(), FORMATS["jsonl"][0]
    if _imported(lines, "is_flat")(line) and (tabular or _imported(lines, "has_sentence")(line)):
        return JSON_TABLE, options
    if options.get("closed"):  # a table's model, and attributes instead of cells
        options = {name: value for name, value in options.items() if name not in tabular}
    return FORMATS["jsonl"], options


def format_of(source: Source) -> str:
    """Return the name of the format that the suffix, or else the first line, shows.

    >>> import io
    >>> format_of(Source(io.BytesIO(b'{"label": 1, "features": ["a"]}')))
    'jsonl'
    """
    by_suffix = _suffix(source.name)
    if by_suffix is not None:
        return by_suffix
    line = source.first_line()
    for name, looks in LINES:
        if looks.match(line):
            return name
    shown = repr(line[:60]) if line else "an empty file"
    raise InvalidData(
        f"{source.name}: expected a file of examples, got {shown} first",
        Remedy(f"say {{format}}, one of {', '.join(FORMATS)}", format=Blank()),
    )


def as_kept(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a model has kept of its stream (``read_as``), as this version takes them.

    One that says nothing of tokens is of a version before there was a choice.

    >>> as_kept({"format": "csv", "text": ["message"]})
    {'format': 'csv', 'text': ['message'], 'tokens': 'plain'}
    """
    return {**reading, "tokens": "plain"} if reading.get("text") and "tokens" not in reading else dict(reading)


def options_of(format: str) -> list[str]:  # noqa: A002
    """Return the names of the options that a format's stream takes.

    >>> "zero_based" in options_of("svmlight"), "zero_based" in options_of("csv")
    (True, False)
    """
    made = [FORMATS[format], *([JSON_TABLE] if format == "jsonl" else [])]
    return [*dict.fromkeys(name for one in made for name in _options(_imported(*one))), *EVERY]


def _suffix(name: str | Path) -> str | None:
    return SUFFIXES.get(plain_suffix(str(name)))


def _made(module: str, name: str, source: Any, options: dict[str, Any]) -> Stream:
    made = _imported(module, name)
    known = list(_options(made))
    for option in options:
        if option not in known:
            close, takes = did_you_mean(option, known), ", ".join([*known, *EVERY])
            problem = f"open: {name} has no option {option!r}; it takes {takes}"
            raise InvalidParameter(problem, *([close] if close else []))
    stream: Stream = made(source, **options)
    return stream


def _imported(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


@cache
def _options(made: Any) -> tuple[str, ...]:
    return tuple(_found_options(made))


def _found_options(made: Any) -> Iterator[str]:
    for name, parameter in list(signature(made).parameters.items())[1:]:
        if parameter.kind is parameter.VAR_KEYWORD:  # **options: Unpack[a TypedDict]
            yield from get_type_hints(*get_args(get_type_hints(made.__init__)[name]))
        else:
            yield name
