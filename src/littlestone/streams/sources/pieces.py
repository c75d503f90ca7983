"""The bytes of a file in pieces of whole lines: waited for, cut, read and worked on in order, with their checksums.

A pipe may never bring more: whoever takes signals can put an end to waiting for it.
"""

from __future__ import annotations

import io
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from threading import current_thread, main_thread
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar
from zlib import crc32

import numpy as np

from littlestone.core.errors import InvalidData, LittlestoneError

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

__all__ = [
    "BLOCK",
    "LONGEST",
    "NEW_LINE",
    "NOTHING",
    "Interrupted",
    "Quiet",
    "Spans",
    "Sum",
    "Summed",
    "ended_early",
    "in_order",
    "interruptible",
    "sentence",
    "too_long",
    "waiting",
]

T = TypeVar("T")
R = TypeVar("R")

BLOCK = 1 << 20  # bytes read at once
PIECE = 1 << 18  # bytes summed at once: they stay in the cache
PROBE = 1 << 12  # bytes in which the end of a line is looked for
LONGEST = 1 << 26  # bytes of one line: 64 MiB are surely no line of examples
NEW_LINE = np.uint8(10)
POLYNOMIAL = 0xEDB88320  # of CRC-32, the lowest power first
UNIT = 1 << 31  # x^0

Span = tuple[int, int]  # first byte, and the one behind the last


class Interrupted(Exception):
    """An end was put to the waiting for a pipe."""


class Quiet(Exception):
    """A pipe has brought nothing for as long as somebody was patient; nothing is lost by asking again."""


class _Waits:
    now = False  # whether the main thread, to which signals come, waits
    over = False  # whether it is to wait no more


@contextmanager
def waiting() -> Iterator[None]:
    """Wait for a pipe here: Interrupted is raised as soon as nobody wants to wait any more."""
    if current_thread() is not main_thread():
        yield
        return
    before, _Waits.now = _Waits.now, True
    try:
        if _Waits.over:
            raise Interrupted
        yield
    finally:
        _Waits.now = before


@contextmanager
def interruptible() -> Iterator[Callable[[], None]]:
    """Give what a signal handler calls to put an end to all waiting for pipes, as long as this context lasts.

    >>> with interruptible() as end:
    ...     end()  # nobody waits
    ...     try:
    ...         with waiting():
    ...             print("never")
    ...     except Interrupted:
    ...         print("at once")
    at once
    """

    def end() -> None:
        _Waits.over = True
        if _Waits.now:
            raise Interrupted

    try:
        yield end
    finally:
        _Waits.over = False


def ended_early(file: Any) -> bool:
    """Tell whether a file, or the one that it reads from, is a pipe of which somebody did not wait for the end."""
    return bool(getattr(getattr(file, "raw", file), "ended_early", False))


def too_long(name: str, line: int, longest: int) -> InvalidData:
    """Return the error about a line that is too long."""
    return InvalidData(
        f"{name}:{line}: expected a line of at most {longest} bytes, got a longer one; is it a text file?"
    )


def sentence(name: str, error: BaseException) -> str:
    """Say what was wrong with a file, and the remedy."""
    if isinstance(error, FileNotFoundError):
        return f"{name}: expected a file, found none; check the path"
    if isinstance(error, IsADirectoryError):
        return f"{name}: expected a file, got a directory; name a file in it"
    if isinstance(error, PermissionError):
        return f"{name}: expected a file that may be read, got {error.strerror or error}; check its permissions"
    if isinstance(error, EOFError):
        return f"{name}: expected the end of the compressed data, got the end of the file; it was cut short"
    if isinstance(error, OSError) and error.errno is not None:
        return f"{name}: it cannot be read: {error.strerror or error}"
    return f"{name}: expected sound compressed data, got {error}; the file is damaged, copy it anew"


class Sum(NamedTuple):
    """How many bytes were read from the beginning of a file on, and their CRC-32.

    >>> Sum().then(6, crc32(b"before")).then(5, crc32(b"after")) == Sum(11, crc32(b"beforeafter"))
    True
    """

    size: int = 0
    crc: int = 0

    def then(self, size: int, crc: int) -> Sum:
        """Return the sum of these bytes and ``size`` more, whose own sum is ``crc``."""
        return Sum(self.size + size, _times(_power(8 * size), self.crc) ^ crc if self.crc else crc)

    @classmethod
    def of(cls, path: str | Path, size: int) -> Sum:
        """Return the sum of the first ``size`` bytes of a file, of fewer if it is shorter."""
        with Path(path).open("rb", buffering=0) as file:
            return cls.of_next(file, size)

    @classmethod
    def of_next(cls, file: IO[bytes] | io.FileIO, size: int) -> Sum:
        """Return the sum of the next ``size`` bytes of an open file, of fewer if it ends."""
        found, crc = 0, 0
        while piece := file.read(min(PIECE, size - found)):
            found, crc = found + len(piece), crc32(piece, crc)
        return cls(found, crc)


NOTHING = Sum()


class Summed(io.FileIO):
    """A regular file that is read from its beginning on; ``sum`` is that of what has been read."""

    def __init__(self, path: Path) -> None:
        super().__init__(os.fspath(path))
        self.sum = NOTHING

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to the beginning, and begin anew."""
        self.sum = NOTHING
        return super().seek(offset, whence)

    def read(self, size: int | None = -1, /) -> bytes:
        """Return some bytes."""
        piece = super().read(-1 if size is None else size)
        self._add(piece)
        return piece

    def readinto(self, buffer: Any, /) -> int:
        """Read bytes into a buffer."""
        size = super().readinto(buffer) or 0
        self._add(memoryview(buffer)[:size])
        return size

    def _add(self, piece: bytes | memoryview) -> None:
        self.sum = Sum(self.sum.size + len(piece), crc32(piece, self.sum.crc))


# The CRC-32 of a piece is its polynomial modulo that of CRC-32; to append n bits is to multiply by x^n.


def _times(one: int, other: int) -> int:
    product = 0
    while one:
        if one & UNIT:
            product ^= other
        one = (one << 1) & 0xFFFFFFFF
        other = (other >> 1) ^ POLYNOMIAL if other & 1 else other >> 1
    return product


def _power(n: int) -> int:
    power = UNIT
    for square in SQUARES:
        if n & 1:
            power = _times(power, square)
        n >>= 1
    return power


def _squares() -> list[int]:
    """Return x^1, x^2, x^4, ...: as many as a file has bits."""
    found = [UNIT >> 1]
    while len(found) < 64:
        found.append(_times(found[-1], found[-1]))
    return found


SQUARES = _squares()


class Spans:
    r"""Pieces of about ``size`` bytes of an open file, each of whole lines.

    >>> import tempfile
    >>> with tempfile.TemporaryFile(buffering=0) as file:
    ...     _ = file.write(b"one\ntwo\nthree")
    ...     pieces = Spans(file, "a file", 2)
    ...     list(pieces), [pieces.read(piece)[0] for piece in pieces]
    ([(0, 4), (4, 8), (8, 13)], [b'one\n', b'two\n', b'three\n'])
    """

    def __init__(self, file: IO[bytes], name: str, size: int, *, summing: bool = False) -> None:
        self._file, self._name, self._size, self._summing = file.fileno(), name, size, summing
        self._end = os.fstat(self._file).st_size

    def __iter__(self) -> Iterator[Span]:
        start = 0
        while start < self._end:
            stop = self._line_end(start + self._size)
            if stop - start > LONGEST:
                self._check(start, stop)
            yield start, stop
            start = stop

    def read(self, span: Span) -> tuple[bytes, Sum]:
        """Return the bytes of a piece and their sum, 0 if nobody wants it; a last line is given the end it lacks."""
        start, stop = span
        data = self._at(start, stop - start)
        while len(data) < stop - start:
            more = self._at(start + len(data), stop - start - len(data))
            if not more:
                raise InvalidData(f"{self._name}: it became shorter while it was read; read it again when it is whole")
            data += more
        found = Sum(len(data), crc32(data) if self._summing else 0)
        return data if data.endswith(b"\n") else data + b"\n", found

    def _at(self, place: int, size: int) -> bytes:
        try:
            return os.pread(self._file, size, place)
        except OSError as error:
            raise InvalidData(sentence(self._name, error)) from None

    def _line_end(self, place: int) -> int:
        """Return the place behind the first line feed from the byte before ``place`` on."""
        place, size = place - 1, PROBE
        while place < self._end:
            data = self._at(place, size)
            found = data.find(b"\n")
            if found >= 0:
                return min(place + found + 1, self._end)
            if not data:
                break
            place, size = place + len(data), min(2 * size, 1 << 20)
        return self._end

    def _check(self, start: int, stop: int) -> None:
        """Refuse a line that is too long to be one."""
        before = self._at(start, self._size)
        begins = start + before.rfind(b"\n") + 1
        if stop - begins > LONGEST:
            lines = sum(self._at(place, 1 << 20).count(b"\n") for place in range(0, start, 1 << 20))
            lines -= self._at(start, (1 << 20) - start % (1 << 20)).count(b"\n") if start % (1 << 20) else 0
            raise too_long(self._name, 1 + lines + before.count(b"\n"), LONGEST)


def in_order(
    task: Callable[[T], R], items: Iterator[T], threads: int, *, ahead: bool, first: Iterable[R] = (),
    pauses: Callable[[T], bool] = lambda _: False,
) -> Generator[R]:  # fmt: skip
    """Yield ``task(item)`` for all items in order, ``threads`` of them at work at once.

    Behind an item that ``pauses`` others may be long in coming: what is being worked on is yielded before it is asked.
    With ``ahead`` the items too are taken in a thread, one in advance: not where taking one may wait for ever. An
    error of an item or a task is raised where its result would have come. ``first`` are results that come before all
    others; they are yielded when the others are being worked on. Where there are no others, no thread is started.

    >>> list(in_order(abs, iter([-1, 2, -3]), 2, ahead=True, first=[0]))
    [0, 1, 2, 3]
    """
    if threads == 1:
        yield from first
        yield from map(task, items)
        return
    begun, broken = _begun(items)
    if not begun:
        yield from first
        if broken is not None:
            raise broken
        return
    from concurrent.futures import ThreadPoolExecutor  # it takes as long as parsing a megabyte

    pending = deque(map(_done, first))
    with ThreadPoolExecutor(threads + ahead) as pool:
        source = chain(begun, _ahead(items, pool) if ahead else items)
        try:
            while True:
                try:
                    item = next(source)
                except LittlestoneError as error:
                    broken = error
                    break
                except StopIteration:
                    break
                if pauses(item):
                    while pending:
                        yield pending.popleft().result()
                    yield task(item)
                    continue
                pending.append(pool.submit(task, item))
                if len(pending) > threads + 1:  # one more than is worked on: no thread waits while a result is used
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()
    if broken is not None:
        raise broken


def _begun(items: Iterator[T]) -> tuple[list[T], LittlestoneError | None]:
    """Return the next item, or none, and the error that came in its place."""
    try:
        return [*islice(items, 1)], None
    except LittlestoneError as error:
        return [], error


def _done(result: R) -> Future[R]:
    from concurrent.futures import Future

    done: Future[R] = Future()
    done.set_result(result)
    return done


def _ahead(items: Iterator[T], pool: Executor) -> Iterator[T]:
    coming = pool.submit(_next, items)
    while found := coming.result():
        coming = pool.submit(_next, items)
        yield found[0]


def _next(items: Iterator[T]) -> tuple[T] | None:
    for item in items:
        return (item,)
    return None
