"""`open`: a file of any format as a stream."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, get_type_hints

from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.messages import Blank, Remedy
from littlestone.streams.base import Stream
from littlestone.streams.sources.opened import Source, plain_suffix

__all__ = ["FORMATS", "format_of", "open", "options_of"]

FORMATS = {  # name: module and class
    "svmlight": ("littlestone.streams.formats.svmlight", "SvmlightStream"),
    "vw": ("littlestone.streams.formats.vw", "VWStream"),
    "csv": ("littlestone.streams.formats.csv", "CsvStream"),
    "tsv": ("littlestone.streams.formats.csv", "CsvStream"),
    "jsonl": ("littlestone.streams.formats.jsonl", "JsonlStream"),
    "parquet": ("littlestone.streams.formats.frame", "ParquetStream"),
    "snow": ("littlestone.streams.formats.snow", "SnowStream"),
}
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


def open(  # noqa: A001
    source: Any,
    format: str | None = None,  # noqa: A002
    *,
    pairs: bool | Sequence[str] = False,
    absent: bool = False,
    hash_bits: int | None = None,
    **options: Any,
) -> Stream:
    r"""Return a file as a stream: a path, "-" for stdin, a binary file, a data frame or an Arrow table.

    The format is told by ``format`` ("svmlight", "vw", "csv", "tsv", "jsonl", "parquet" or "snow"), else by the suffix
    (below .gz, .bz2, .xz or .zst), else by the first line. ``options`` are those of the format's stream: label=,
    text=, ngrams=, ignore= and so on for tables, targets= for SNoW's; labels=, unlabelled= and on_error= for all of
    them. ``pairs`` adds the pairs of all attributes, or with (a, b) those between two namespaces or columns (which
    may be ``absent``), as `Pairs` does; ``hash_bits`` hashes all of them to so many bits, as `Hashed` does.

    >>> import io
    >>> stream = open(io.BytesIO(b"size,colour,class\n1,red,yes\n2,blue,no\n"))
    >>> stream, stream.labels
    (CsvStream('<BytesIO>'), ('no', 'yes'))
    >>> open(io.BytesIO(b"1 | a b\n"), pairs=True, hash_bits=18)
    Hashed(Pairs(VWStream('<BytesIO>')), bits=18)
    """
    stream = _opened(source, format, options)
    if pairs is not False and pairs is not None:
        from littlestone.streams.wrappers.pairs import Pairs

        stream = Pairs(stream, between=None if pairs is True else pairs, absent=absent)
    if hash_bits is not None:
        from littlestone.streams.wrappers.hashed import Hashed

        stream = Hashed(stream, bits=hash_bits)
    return stream


def _opened(source: Any, format: str | None, options: dict[str, Any]) -> Stream:  # noqa: A002
    if hasattr(source, "columns") or hasattr(source, "num_rows"):
        return _made(FORMATS["parquet"][0], "FrameStream", source, options)
    if isinstance(format, str) and format.lower() not in FORMATS:
        raise InvalidParameter(f"open: format must be one of {', '.join(FORMATS)}, got {format!r}")
    if format == "parquet" or (format is None and isinstance(source, str | Path) and _suffix(source) == "parquet"):
        return _made(*FORMATS["parquet"], source, options)
    found = Source(source)
    known = format.lower() if format is not None else format_of(found)
    if known == "tsv":
        options = {"delimiter": "\t", **options}
    if known == "parquet":
        return _made(*FORMATS[known], source, options)
    return _made(*FORMATS[known], source if found.again else found.open(), options)


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


def options_of(format: str) -> list[str]:  # noqa: A002
    """Return the names of the options that a format's stream takes.

    >>> "zero_based" in options_of("svmlight"), "zero_based" in options_of("csv")
    (True, False)
    """
    module, name = FORMATS[format]
    return [*_options(getattr(import_module(module), name)), *EVERY]


def _suffix(name: str | Path) -> str | None:
    return SUFFIXES.get(plain_suffix(str(name)))


def _made(module: str, name: str, source: Any, options: dict[str, Any]) -> Stream:
    made = getattr(import_module(module), name)
    known = list(_options(made))
    for option in options:
        if option not in known:
            takes = ", ".join([*known, *EVERY])
            raise InvalidParameter(f"open: {name} has no option {option!r}; it takes {takes}")
    stream: Stream = made(source, **options)
    return stream


def _options(made: Any) -> Iterator[str]:
    for name, parameter in list(signature(made).parameters.items())[1:]:
        if parameter.kind is parameter.VAR_KEYWORD:
            from littlestone.streams.formats.table import TableOptions

            yield from get_type_hints(TableOptions)
        else:
            yield name
