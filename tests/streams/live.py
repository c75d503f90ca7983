"""What tests of live sources share: files that are followed, written to and rotated."""

from itertools import takewhile
from zlib import crc32

from littlestone.streams.sources.growing import live
from littlestone.streams.sources.opened import Source
from littlestone.streams.sources.pieces import Sum


def followed(path, **options):
    """Follow a path; a tick comes as soon as nothing does."""
    return live(Source(path), **{"tick": 0.0, "poll": 0.0, **options})


def until_tick(pieces):
    """Return the pieces up to the first that says nothing."""
    return [*takewhile(lambda piece: piece.data or piece.notice, pieces)]


def text(pieces):
    return b"".join(piece.data for piece in pieces)


def notices(pieces):
    return [piece.notice for piece in pieces if piece.notice]


def summed(data):
    return Sum(len(data), crc32(data))


def append(path, data):
    with path.open("ab") as file:
        file.write(data)


def rotate(path, *, most=99):
    """Rename log to log.1, log.1 to log.2 ..., as logrotate does."""
    names = [path, *(path.with_name(f"{path.name}.{number}") for number in range(1, most + 1))]
    there = [name for name in names if name.exists()]
    for old in reversed(there):
        old.rename(names[names.index(old) + 1])
