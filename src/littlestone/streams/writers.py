"""Writers: a stream as JSON lines, and from any format to any that can be written."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.files import replacing
from littlestone.core.messages import Blank, Remedy, install
from littlestone.streams.base import SUFFIXES, Stream
from littlestone.streams.base import open as opened_stream
from littlestone.streams.sources.opened import plain_suffix, status_of

__all__ = ["WRITERS", "atomic", "convert", "decimal", "heads", "write_jsonl", "write_lines"]

WRITERS = {  # format: module and function of (stream, binary file)
    "jsonl": ("littlestone.streams.writers", "write_jsonl"),
    "svmlight": ("littlestone.streams.formats.svmlight", "write_svmlight"),
    "vw": ("littlestone.streams.formats.vw", "write_vw"),
}


def convert(source: Any, target: Any, format: str | None = None, to: str | None = None, **options: Any) -> int:  # noqa: A002
    r"""Write the examples of ``source`` to ``target`` in another format, and return how many they were.

    ``source`` is a stream, or what `open` takes, with its ``format`` and ``options``; ``target`` a path (compressed
    as its suffix says), "-" for stdout, or a binary file. ``to`` is the format to be written: jsonl, svmlight or vw;
    by default as the suffix says. A new file replaces the old one only when it is complete. A pipe or a device is
    written directly.

    >>> import io
    >>> target = io.BytesIO()
    >>> convert(io.BytesIO(b"+1 3:1 7:0.5\n-1 2:1\n"), target, format="svmlight", to="vw")
    2
    >>> target.getvalue()
    b'1 | 2 6:0.5\n-1 | 1\n'
    """
    stream = source if isinstance(source, Stream) else opened_stream(source, format, **options)
    wanted = to or (SUFFIXES.get(plain_suffix(str(target))) if isinstance(target, str | Path) else None)
    if wanted not in WRITERS:
        got = "no format" if wanted is None else repr(wanted)
        raise InvalidParameter(
            f"convert: expected a format that can be written ({', '.join(WRITERS)}), got {got}",
            Remedy("say {to}", to=Blank()),
        )
    module, name = WRITERS[wanted]
    write = getattr(import_module(module), name)
    with atomic(target, stream) as file:
        return int(write(stream, file))


def write_jsonl(stream: Stream, target: Any) -> int:
    """Write a stream as JSON lines, ``{"label": ..., "features": ...}``, and return how many examples it had.

    Features are a list of names where all values are 1, else an object; an attribute without a name is its number.

    >>> import io
    >>> import littlestone as ls
    >>> file = io.BytesIO()
    >>> write_jsonl(ls.from_arrays([[1, 0], [0, 2.5]], [1, -1]), file)
    2
    >>> print(file.getvalue().decode(), end="")
    {"label": 1, "features": {"0": 1.0}}
    {"label": -1, "features": {"1": 2.5}}
    """
    return write_lines(stream, target, lambda block, labels: _lines(stream, block, labels))


def write_lines(stream: Stream, target: Any, lines: Callable[[Block, tuple[Any, ...]], Iterable[str]]) -> int:
    """Write the lines of each block, given its labels, to ``target``, and return how many examples there were."""
    count = 0
    with atomic(target, stream) as file:
        for block in stream.blocks():
            file.write("".join(lines(block, stream.labels if block.labels is None else block.labels)).encode())
            count += len(block)
    return count


def decimal(owner: str, value: Any) -> str:
    """Return a number as text that reads back as itself, whole ones without a point.

    >>> decimal("", 1.0), decimal("", 0.1), decimal("", 1e99), decimal("", -3)
    ('1', '0.1', '1e+99', '-3')
    """
    if isinstance(value, str):
        raise InvalidData(f"{owner}: expected labels that are numbers, got {value!r}; give numbers to the classes")
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def heads(owner: str, block: Block, labels: tuple[Any, ...]) -> list[str]:
    """Return each row's outcome as text, a label or, where there are no labels, a number; "" for a row without one.

    >>> heads("", Block.from_arrays([[1], [1]]).numbered([0.1, 2]), ()), heads("", Block.from_arrays([[1]]), (0, 1))
    (['0.1', '2'], [''])
    """
    if block.outcomes is None:
        return [""] * len(block)
    if len(labels) == 0:
        return [decimal(owner, outcome) for outcome in block.outcomes.tolist()]
    known = [*(decimal(owner, label) for label in labels), ""]  # the last one for a code of -1
    return [known[code] for code in block.outcomes.tolist()]


@contextmanager
def atomic(target: Any, source: Stream | None = None) -> Iterator[IO[bytes]]:
    """Give a binary file whose bytes appear under ``target``, a path, all together or not at all: see `replacing`.

    The suffixes .gz, .bz2, .xz and .zst compress; "-" is stdout; an open binary file is handed through. A file that
    is open already and that ``source`` is read from is refused: what is read would never end.
    """
    if not isinstance(target, str | Path):
        if not hasattr(target, "write"):
            raise InvalidParameter(f"write: expected a path or a file open for bytes, got {target!r}")
        yield target
        return
    if target == "-":
        _check_apart("stdout", sys.stdout.buffer, source)
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        with replacing(target) as raw:
            _check_apart(str(target), raw, source)
            with _compressing(Path(target).suffix.lower(), raw) as file:
                yield file
    except BrokenPipeError:  # the reader has closed it
        raise
    except OSError as error:
        raise InvalidData(f"{target}: it cannot be written: {error.strerror or error}; check the folder") from None


def _check_apart(name: str, output: Any, source: Stream | None) -> None:
    """Refuse to write into the file that is read."""
    read = None if source is None or source.source is None else source.source.status()
    written = status_of(output)
    if read is not None and written is not None and stat.S_ISREG(read.st_mode) and os.path.samestat(read, written):
        raise InvalidParameter(f"{name}: expected another file than the input, got the same; give another name")


@contextmanager
def _compressing(suffix: str, raw: Any) -> Iterator[Any]:
    if suffix == ".gz":
        import gzip

        with gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:  # no time in it: the same rows give the same bytes
            yield file
    elif suffix == ".bz2":
        import bz2

        with bz2.BZ2File(raw, "wb") as packed:
            yield packed
    elif suffix == ".xz":
        import lzma

        with lzma.LZMAFile(raw, "wb") as packed:
            yield packed
    elif suffix == ".zst":
        try:
            import zstandard
        except ImportError:
            raise InvalidData(f".zst needs the package zstandard: {install('zstd')}; or write .gz") from None
        with zstandard.ZstdCompressor(write_checksum=True).stream_writer(raw, closefd=False) as packed:
            yield packed
    else:
        yield raw


def _lines(stream: Stream, block: Block, labels: tuple[Any, ...]) -> Iterator[str]:
    names = block.names if block.names is not None else stream.names
    for row in range(len(block)):
        indices, values = block.row(row)
        called = [str(at) if names is None else str(names[at]) for at in indices.tolist()]
        example: dict[str, Any] = {}
        if block.outcomes is not None:
            example["label"] = labels[block.outcomes[row]] if labels else float(block.outcomes[row])
        if block.weights is not None:
            example["weight"] = float(block.weights[row])
        if block.tags is not None and block.tags[row]:
            example["id"] = block.tags[row]
        example["features"] = called if values is None else dict(zip(called, values.tolist(), strict=True))
        yield json.dumps(example, ensure_ascii=False, allow_nan=False) + "\n"
