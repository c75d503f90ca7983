"""Pipes and compressed files as live sources: as they come, on or again, until nobody waits any more."""

import gzip
import os
import signal
import subprocess
import sys
import time
from threading import Thread

import pytest

from littlestone.core.errors import InvalidData
from littlestone.streams.sources.growing import Piece, Position, live
from littlestone.streams.sources.opened import Source
from littlestone.streams.sources.pieces import interruptible
from tests.streams.live import summed, text

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files that are renamed while they are open; pipes of POSIX")


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def pipe():
    """The two ends of a pipe."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb", buffering=0) as source, os.fdopen(writing, "wb", buffering=0) as end:
        yield source, end


def test_a_pipe_gives_what_has_come_and_ticks(pipe):
    source, end = pipe
    pieces = live(Source(source), tick=0.01)
    assert next(pieces) == Piece(b"", 1, False, Position())  # not even the first byte
    end.write(b"one\ntw")
    assert next(pieces) == Piece(b"one\n", 1, True, Position(summed(b"one\n"), 1))
    assert next(pieces) == Piece(b"", 2, False, Position(summed(b"one\n"), 1))
    end.write(b"o\n")
    assert next(pieces).data == b"two\n"
    end.write(b"three")
    assert next(pieces).data == b""
    end.close()
    assert [*pieces] == [Piece(b"three\n", 3, False, Position(summed(b"one\ntwo\nthree"), 3))]


def test_a_pipe_that_has_been_looked_at(pipe):
    source, end = pipe
    end.write(b"one\n")
    found = Source(source)
    assert found.first_line() == b"one\n"
    pieces = live(found, tick=0.01)
    assert next(pieces).data == b"one\n"
    assert next(pieces).data == b""
    end.close()
    assert [*pieces] == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere opening it waits for a writer")
def test_a_named_pipe_that_nobody_writes_to_yet(log):
    os.mkfifo(log)
    pieces = live(Source(log), tick=0.01)
    assert next(pieces).data == b""
    with log.open("wb", buffering=0) as end:
        assert next(pieces).data == b""
        end.write(b"one\n")
        assert next(pieces).data == b"one\n"
    assert [*pieces] == []


@pytest.mark.parametrize("chunk", [1000, 1 << 20])
def test_a_fast_pipe_fills_its_pieces_and_no_byte_is_lost(chunk):
    data = b"".join(b"%d\n" % k for k in range(600_000))
    code = f"import sys\nfor k in range(0, {len(data)}, {chunk}): sys.stdout.buffer.write(DATA[k:k+{chunk}])"
    code = f"DATA = b''.join(b'%d\\n' % k for k in range(600_000))\n{code}"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as writer:
        pieces = [piece for piece in live(Source(writer.stdout), tick=0.01, size=1 << 16) if piece.data]
    assert text(pieces) == data
    assert pieces[-1].after == Position(summed(data), 600_000)


def test_a_piece_of_a_pipe_is_not_kept_behind_one_that_is_full(pipe):
    """What is left in a buffer has come, though the system knows nothing of it any more."""
    source, end = pipe
    pieces = live(Source(source), tick=5.0, size=10)
    for round_ in range(3):
        end.write(b"".join(b"%d\n" % k for k in range(10, 19)))
        began = time.monotonic()
        got = b""
        while len(got) < 27:
            got += next(pieces).data
        assert got.split() == [b"%d" % k for k in range(10, 19)], round_
        assert time.monotonic() - began < 4.0


def test_a_pipe_goes_on_where_it_is(pipe):
    source, end = pipe
    end.write(b"two\n")
    end.close()
    start = Position(summed(b"one\n"), 1)
    assert [*live(Source(source), start=start)] == [
        Piece(b"two\n", 2, False, Position(summed(b"one\ntwo\n"), 2)),
    ]


@pytest.mark.parametrize("cut", [1, 4, 5, 6, 8])
def test_a_pipe_that_brings_all_again(pipe, cut):
    source, end = pipe
    pieces = live(Source(source), start=Position(summed(b"one\ntwo\n"), 2), replay=True, tick=0.01)
    end.write(b"one\ntwo\n"[:cut])
    assert next(pieces) == Piece(b"", 3, False, Position(summed(b"one\ntwo\n"), 2))
    end.write(b"one\ntwo\nthree\n"[cut:])
    assert next(pieces) == Piece(b"three\n", 3, False, Position(summed(b"one\ntwo\nthree\n"), 3))
    end.close()
    assert [*pieces] == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b"one\ntwO\nthree\n",
            r"expected the 8 bytes that were read before \(CRC-32 [0-9a-f]{8}\), got others \(CRC-32",
        ),
        (b"one\ntwo", "expected the 8 bytes that were read before, got 7; give the same data"),
        (b"", "got 0"),
    ],
)
def test_a_pipe_that_brings_something_else(pipe, data, message):
    source, end = pipe
    end.write(data)
    end.close()
    with pytest.raises(InvalidData, match=message):
        [*live(Source(source), start=Position(summed(b"one\ntwo\n"), 2), replay=True)]


def test_a_compressed_file_is_read_once_and_again_up_to_a_place(tmp_path):
    path, data = tmp_path / "log.gz", b"".join(b"%d\n" % k for k in range(9000))
    path.write_bytes(gzip.compress(data))
    pieces = [*live(Source(path), size=1000)]
    assert text(pieces) == data and len(pieces) > 9
    for k in (0, 3, len(pieces) - 1):
        assert [*live(Source(path), size=1000, start=pieces[k].after)][-1:] == pieces[k + 1 :][-1:]
        assert text(live(Source(path), size=1000, start=pieces[k].after)) == text(pieces[k + 1 :])
    with pytest.raises(InvalidData, match=f"{path}: expected the 4 bytes.*got others"):
        [*live(Source(path), start=Position(summed(b"one\n"), 1))]
    path.write_bytes(gzip.compress(data)[:-9])
    with pytest.raises(InvalidData, match="cut short"):
        [*live(Source(path))]


def test_a_compressed_pipe_gives_what_has_come_and_ticks(pipe):
    source, end = pipe
    pieces = live(Source(source), tick=0.01)
    with gzip.open(end, "wb") as file:
        for line in (b"one\n", b"two\n"):
            file.write(line)
            file.flush()
            assert next(piece.data for piece in pieces if piece.data) == line
            assert [next(pieces).data for _ in range(3)] == [b"", b"", b""]
    end.write(gzip.compress(b"three"))  # another member
    end.close()
    came = [piece for piece in pieces if piece.data]
    assert came == [Piece(b"three\n", 3, False, Position(summed(b"one\ntwo\nthree"), 3))]


def test_a_compressed_pipe_that_stands_still_in_a_header(pipe):
    source, end = pipe
    first, second = gzip.compress(b"one\n"), gzip.compress(b"two\n")

    def write():
        for part in (first + second[:5], second[5:]):
            end.write(part)
            time.sleep(0.05)
        end.close()

    writer = Thread(target=write)
    writer.start()
    assert text(live(Source(source), tick=0.005)) == b"one\ntwo\n"
    writer.join()


def test_standard_input_and_a_file_in_its_place(log):
    code = (
        "from littlestone.streams.sources.growing import live\n"
        "from littlestone.streams.sources.opened import Source\n"
        "print(b''.join(piece.data for piece in live(Source('-'), tick=0.01)))"
    )
    log.write_bytes(b"one\ntwo")
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, input=b"one\ntwo", capture_output=True, check=True)
    with log.open("rb") as file:
        again = subprocess.run(command, stdin=file, capture_output=True, check=True)
    assert done.stdout == again.stdout == b"b'one\\ntwo\\n'\n"


@pytest.mark.parametrize("kind", ["file", "pipe", "named", "gone"])
def test_an_end_of_the_waiting_is_the_end_at_a_whole_line(kind, log, pipe):
    source, end = pipe
    if kind == "pipe":
        end.write(b"one\ntw")
    elif kind == "named":
        os.mkfifo(log)
    else:
        log.write_bytes(b"one\ntw")
    with interruptible() as stop:
        before = signal.signal(signal.SIGALRM, lambda *_: stop())
        try:
            pieces = live(Source(source if kind == "pipe" else log), tick=20.0)
            if kind == "gone":
                assert next(pieces).data
                log.unlink()
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            began = time.monotonic()
            assert text(pieces) == (b"one\n" if kind in {"file", "pipe"} else b"")
            assert time.monotonic() - began < 10.0
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)


def test_who_is_not_to_wait_gets_no_half_line_of_a_pipe_that_brings_all_again(pipe):
    source, end = pipe
    end.write(b"on")
    with interruptible() as stop:
        pieces = live(Source(source), start=Position(summed(b"one\n"), 1), replay=True, tick=0.01)
        assert next(pieces).data == b""
        stop()
        assert [*pieces] == []
