"""Files that grow: in pieces of whole lines, from any position on; nothing is lost, nothing comes twice."""

import gzip
import os
import random
import subprocess
import sys
import threading
import time
from functools import partial
from itertools import accumulate
from pathlib import Path
from threading import Thread

import pytest

from littlestone.core.errors import InvalidData
from littlestone.streams.sources import growing
from littlestone.streams.sources.cutting import Cutter
from littlestone.streams.sources.growing import Piece, Position, live
from littlestone.streams.sources.opened import Source
from littlestone.streams.sources.quoted import ANY, Marks, Quotes
from tests.streams.live import append, followed, notices, rotate, summed, text, until_tick

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files that are renamed while they are open; pipes of POSIX")


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def test_a_file_that_does_not_grow(log):
    log.write_bytes(b"one\r\ntwo\n\nfour")
    assert [*live(Source(log), growing=False)] == [
        Piece(b"one\r\ntwo\n\n", 1, True, Position(summed(b"one\r\ntwo\n\n"), 3)),
        Piece(b"four\n", 4, False, Position(summed(b"one\r\ntwo\n\nfour"), 4)),  # the bytes that are there
    ]
    log.write_bytes(b"")
    assert [*live(Source(log), growing=False)] == []


@pytest.mark.parametrize("size", [1, 2, 7, 64, 1 << 20])
def test_pieces_of_any_size_have_the_same_lines_and_positions(log, size):
    data = b"".join(b"%d\n" % (k**3) for k in range(200))
    log.write_bytes(data)
    place = count = 0
    for piece in live(Source(log), growing=False, size=size):
        assert piece.data.endswith(b"\n") and piece.first == count + 1 and piece.begins == (not place)
        place, count = place + len(piece.data), count + piece.data.count(b"\n")
        assert piece.data == data[place - len(piece.data) : place]
        assert piece.after == Position(summed(data[:place]), count)
    assert place == len(data)


def test_a_file_that_grows_and_a_line_that_is_half_written(log):
    log.write_bytes(b"one\ntw")
    pieces = followed(log)
    assert next(pieces).data == b"one\n"
    tick = next(pieces)
    assert tick == Piece(b"", 2, False, Position(summed(b"one\n"), 1))
    append(log, b"o\nthree\n")
    assert next(pieces) == Piece(b"two\nthree\n", 2, False, Position(summed(b"one\ntwo\nthree\n"), 3))
    append(log, b"four")
    assert not until_tick(pieces)
    append(log, b"\n")
    assert text(until_tick(pieces)) == b"four\n"


def test_an_empty_file_grows(log):
    log.touch()
    pieces = followed(log)
    assert next(pieces) == Piece(b"", 1, False, Position())
    append(log, b"one\n")
    assert next(pieces) == Piece(b"one\n", 1, True, Position(summed(b"one\n"), 1))


def test_ticks_come_about_when_they_are_due_and_waiting_costs_next_to_nothing(log):
    log.write_bytes(b"one\n")
    pieces = live(Source(log), tick=0.2)
    assert next(pieces).data
    began, used = time.monotonic(), time.process_time()
    assert [next(pieces).data for _ in range(3)] == [b"", b"", b""]
    assert time.monotonic() - began >= 0.6
    assert time.process_time() - used < 0.3


def test_what_grows_is_answered_soon(log):
    log.touch()
    pieces, late = live(Source(log), tick=20.0), []
    for _ in range(9):
        written = []

        def write(written=written):
            time.sleep(0.01)
            written.append(time.monotonic())
            append(log, b"line\n")

        writer = Thread(target=write)
        writer.start()
        assert next(pieces).data == b"line\n"
        late.append(time.monotonic() - written[0])
        writer.join()
    assert sorted(late)[2] < 0.02  # the machine may be busy now and then


QUOTED = b'id,text\n1,"a\nb"\n2,"say ""no""\n"\n3,plain\n"4\n\n",""\n5,\xff\n'
ROWS = {0, 8, 16, 32, 40, 49, 53}  # places between rows


@pytest.mark.parametrize("size", [1, 2, 3, 5, 11, 100])
def test_pieces_are_not_cut_within_quotes(log, size):
    log.write_bytes(QUOTED)
    place = 0
    for piece in live(Source(log), growing=False, marks=b",", size=size):
        place += len(piece.data)
        assert place in ROWS and piece.after.sum == summed(QUOTED[:place])
        assert piece.first + piece.data.count(b"\n") == piece.after.lines + 1
    assert place == len(QUOTED)


def test_the_places_between_rows_are_those_with_an_even_number_of_quotes():
    ends = (k for k in range(len(QUOTED) + 1) if QUOTED[:k].endswith(b"\n") and QUOTED[:k].count(b'"') % 2 == 0)
    assert {0, *ends} == ROWS


def test_a_quote_that_is_open_waits(log):
    log.write_bytes(b'a\n1,"two\nthree\n')
    pieces = followed(log, marks=b",")
    assert text(until_tick(pieces)) == b"a\n"
    append(log, b'four"')
    assert not until_tick(pieces)
    append(log, b'\n"')
    assert text(until_tick(pieces)) == b'1,"two\nthree\nfour"\n'
    assert [piece.data for piece in live(Source(log), growing=False, marks=b",")][-1] == b'"\n'
    log.write_bytes(b'"left open\n')
    assert text(live(Source(log), growing=False, marks=b",")) == b'"left open\n'


@pytest.mark.parametrize("size", [10, 33, 1 << 20])
@pytest.mark.parametrize("marks", [b"", b","])
def test_a_line_that_is_too_long_is_left_out(log, monkeypatch, size, marks):
    monkeypatch.setattr(growing, "LONGEST", 100)
    data = b"one\n" + 101 * b"x" + b"\ntwo\n" + 100 * b"y" + b"\n" + 250 * b"z" + b"\n" + 300 * b"z"
    log.write_bytes(data)
    pieces = [*live(Source(log), growing=False, size=size, marks=marks)]
    assert text(pieces) == b"one\ntwo\n" + 100 * b"y" + b"\n"
    said = "expected a line of at most 100 bytes, got a longer one; it was left out"
    assert notices(pieces) == [f"{log}:{line}: {said}" for line in (2, 5, 6)]
    assert pieces[-1].after == Position(summed(data), 6)
    for piece in pieces:  # whoever is stopped there goes on there
        rest = [*live(Source(log), start=piece.after, growing=False, size=size, marks=marks)]
        assert [one.data for one in rest] == [one.data for one in pieces[pieces.index(piece) + 1 :]]
        assert piece.after.sum == summed(data[: piece.after.sum.size])


def test_a_line_that_is_too_long_and_does_not_end_waits(log, monkeypatch):
    monkeypatch.setattr(growing, "LONGEST", 100)
    log.write_bytes(b"one\n" + 201 * b"x")
    pieces = followed(log, size=50)
    assert text(until_tick(pieces)) == b"one\n"
    append(log, b"x\ntwo\n")
    [left_out, two] = until_tick(pieces)
    assert (left_out.data, left_out.after) == (b"", Position(summed(b"one\n" + 202 * b"x" + b"\n"), 2))
    assert (two.data, two.first, two.begins) == (b"two\n", 3, False)


STRAY = b'a,b\n"oops,2\n' + 30 * b"next,1\n" + b'"two\nlines",3\n'


def test_a_quote_that_is_left_open_does_not_keep_others_waiting(log, monkeypatch):
    monkeypatch.setattr(growing, "Cutter", partial(Cutter, row=100))
    log.write_bytes(STRAY)
    pieces = followed(log, marks=b",")
    came = until_tick(pieces)
    assert came[0].data == b"a,b\n"
    assert came[1] == Piece(b'"oops,2\n', 2, False, Position(summed(b'a,b\n"oops,2\n'), 2))
    assert text(came) == STRAY
    log.write_bytes(STRAY[:60])  # less than such a row: it may be one, as long as more may come
    assert text(until_tick(followed(log, marks=b","))) == b"a,b\n"
    first, stray, *rest = live(Source(log), growing=False, marks=b",")
    assert (first.data, stray.data, text(rest)) == (b"a,b\n", b'"oops,2\n', STRAY[12:60] + b"\n")


def cuts(data, size, row=100):
    cutter = Cutter(Marks(b","), row=row)
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    return [cut for chunk in chunks for cut in cutter.cut(chunk)] + [*cutter.rest()]


def given_up(data, row):
    """Where rows end, and those that come alone: a line, where a row of several would be longer than ``row``."""
    found, alone, start = [], set(), 0
    while start < len(data):
        end = min((at for at in row_ends(data[start:], b",")), default=0)
        line = data.find(b"\n", start) + 1 or len(data)
        if not end or (start + end > line and end > row):
            alone |= {start, line} - {0}
            start = line
        else:
            start += end
        found.append(start)
    return {*found}, alone


def test_rows_are_cut_by_the_definition_however_they_come():
    draw = random.Random(4)
    for _ in range(1500):
        data = bytes(draw.choices(b'a"\n,', weights=(3, draw.choice((0.3, 2)), 1, 1), k=draw.randint(1, 120))) + b"\n"
        row = draw.choice((5, 20, 60))
        ends, alone = given_up(data, row)
        for size in (1, 3, row, 200):
            found = cuts(data, size, row)
            at = {*accumulate(len(cut.data) for cut in found)}
            assert max(at) == len(data)
            assert alone <= at <= ends, (data, size, row)
            assert sum(cut.lines for cut in found) == data.count(b"\n")


def test_how_rows_are_divided_may_change_from_piece_to_piece(log):
    log.write_bytes(b'"a\nb";c\n1;"x\ny"\n2;,"z\n3;4\n')
    marks = Marks(ANY, alone=True)
    pieces = live(Source(log), growing=False, marks=marks)
    assert next(pieces).data == b'"a\nb";c\n'
    marks.between, marks.alone = b";", False
    assert next(pieces).data == b'1;"x\ny"\n2;,"z\n3;4\n'
    marks = Marks(ANY, alone=True)
    log.write_bytes(b'{"a":"b,"}\n1\n')  # a line of JSON is no row
    assert next(live(Source(log), growing=False, marks=marks)).data == b'{"a":"b,"}\n'


def row_ends(data, marks):
    """The places behind line feeds that end rows: byte by byte, as the csv module goes through cells."""
    found, inside, at = set(), False, 0
    while at < len(data):
        byte, before, after = data[at : at + 1], data[at - 1 : at] if at else b"\n", data[at + 1 : at + 2]
        if inside and byte == after == b'"':
            at += 1
        elif byte == b'"' and (inside or before in marks + b"\n"):
            inside = not inside
        elif not inside and byte == b"\n":
            found.add(at + 1)
        at += 1
    return found


@pytest.mark.parametrize("marks", [b",", b",;\t"])
def test_rows_end_outside_of_quoted_cells(marks):
    draw = random.Random(3)
    for _ in range(3000):
        data = bytes(draw.choices(b'a"\n,;', weights=(2, draw.choice((0.3, 2)), 1, 1, 1), k=draw.randint(0, 40)))
        cuts = sorted(draw.choices(range(len(data) + 1), k=draw.randint(0, 6)))
        quotes, ends = Quotes(marks), row_ends(data, marks)
        for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True):
            inner = [end - start for end in ends if start < end <= stop]
            assert quotes.last_end(data[start:stop]) == max(inner, default=0), (data, cuts)


def test_a_quote_within_a_cell_is_a_character(log):
    log.write_bytes(b'name,size\nscreen,5" wide\n')
    pieces = followed(log, marks=b",")
    assert text(until_tick(pieces)) == log.read_bytes()


def test_going_on_in_the_same_file(log):
    log.write_bytes(b"one\ntwo\n")
    start = Position(summed(b"one\n"), 7)
    whole = summed(b"one\ntwo\n")
    assert [*live(Source(log), start=start, growing=False)] == [Piece(b"two\n", 8, False, Position(whole, 8))]
    assert [*live(Source(log), start=Position(whole, 8), growing=False)] == []


@pytest.mark.parametrize("there", [True, False])
def test_going_on_in_a_file_that_was_rotated(log, there):
    data = b"one\ntwo\n"
    for content in (data, b"three\n", b"four"):
        log.write_bytes(content)
        rotate(log)
    log.with_name("log.9").write_bytes(b"too old\n")
    os.utime(log.with_name("log.9"), (1, 1))
    if there:
        log.write_bytes(b"five\n")
    pieces = [*live(Source(log), start=Position(summed(b"one\n"), 1), growing=False)]
    assert text(pieces) == b"two\nthree\nfour\n" + (b"five\n" if there else b"")
    assert notices(pieces)[0] == f"{log}: it was rotated; log.3 is read on"
    assert [piece.begins for piece in pieces if piece.data] == [False, True, True, True][: 3 + there]
    lines = 5 if there else 4
    assert pieces[-1].after.lines == lines
    if there:
        ended = [*live(Source(log), start=pieces[-1].after, growing=False)]
        assert ended == []


def test_going_on_where_the_old_file_has_been_read_to_its_end(log):
    log.write_bytes(b"one\n")
    pieces = followed(log)
    start = next(pieces).after
    rotate(log)
    log.write_bytes(b"two\n")
    rotated = next(piece for piece in pieces if "rotated" in piece.notice)
    assert rotated.after == start  # the new file's when a line of it was given on
    for _ in range(2):
        rotate(log)
        log.write_bytes(b"three\n")
    assert text(live(Source(log), start=rotated.after, growing=False)) == b"two\nthree\nthree\n"


def test_going_on_in_a_file_that_nobody_has(log):
    log.write_bytes(b"new\n")
    log.with_name("log.1").write_bytes(gzip.compress(b"one\n"))
    log.with_name("log.2").write_bytes(b"on")
    start = Position(summed(b"one\n"), 1)
    assert [*live(Source(log), start=start, growing=False)] == [
        Piece(
            b"", 2, False, start, f"{log}: it does not begin with what was read before; log is read from its beginning"
        ),
        Piece(b"new\n", 2, True, Position(summed(b"new\n"), 2)),
    ]


def test_errors_name_the_file(log):
    with pytest.raises(InvalidData, match=f"{log}: expected a file, found none; check the path"):
        next(live(Source(log), growing=False))
    with pytest.raises(InvalidData, match="expected a file, found none"):
        next(live(Source(log), start=Position(summed(b"one\n"), 1), growing=False))
    with pytest.raises(InvalidData, match="expected a file, found none"):
        next(live(Source(log.parent / "no" / "log")))
    with pytest.raises(InvalidData, match="got a directory"):
        next(live(Source(log.parent)))
    log.write_bytes(b"one\n")
    pieces = followed(log)
    until_tick(pieces)
    log.unlink()
    os.mkfifo(log)
    with pytest.raises(InvalidData, match=f"{log}: expected a regular file.*got a pipe or a device"):
        until_tick(pieces)


def test_a_file_that_is_still_to_come_is_waited_for(log):
    pieces = live(Source(log))
    assert next(pieces).notice == f"{log}: it is not there yet; waiting for it"
    later = threading.Timer(0.05, lambda: log.write_bytes(b"one\n"))
    later.start()
    assert next(pieces).data == b"one\n"
    later.join()
    pieces.close()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux shows what is open")
def test_a_source_that_is_let_go_leaves_nothing_open(log):
    def count():
        return len([*Path("/proc/self/fd").iterdir()])

    before = count()
    log.write_bytes(b"one\n")
    pieces = followed(log)
    next(pieces)
    rotate(log)
    log.write_bytes(b"two\n")
    next(piece for piece in pieces if piece.notice)
    assert count() > before
    pieces.close()
    assert count() == before


class Writer:
    """Somebody who writes and rotates at random; ``lines`` is what has been written, as it is to be read."""

    def __init__(self, path, seed, *, rising):
        self.path, self.rising = path, rising
        self._random, self._count, self._time = random.Random(seed), 0, 1_000_000
        self.files = [b""]
        path.touch()

    def act(self):
        for _ in range(self._random.randint(1, 4)):
            if self._random.random() < 0.7:
                self._write()
            elif self.files[-1]:
                self._rotate()

    def _write(self):
        some = b"".join(b"%06d %s\n" % (self._count + k, b"x" * self._random.randint(0, 30)) for k in range(4))
        self._count += 4
        cut = self._random.randint(1 if self.files[-1] else 7, len(some))  # no two files begin alike
        append(self.path, some[:cut])
        self.files[-1] += some[:cut]
        self._time += 1
        if self.rising:  # as if much time went by
            os.utime(self.path, (self._time, self._time))

    def _rotate(self):
        if self.rising:
            self.path.rename(self.path.with_name(f"log-{len(self.files)}"))
        else:
            rotate(self.path)
        self.files.append(b"")
        if self._random.random() < 0.5:
            self.path.touch()

    def whole(self, *, ended):
        files = [data if not data or data.endswith(b"\n") else data + b"\n" for data in self.files[:-1]]
        return b"".join(files) + (self.files[-1] if ended else self.files[-1][: self.files[-1].rfind(b"\n") + 1])


@pytest.mark.parametrize("rising", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_whatever_is_written_is_read_once_and_in_order(log, seed, rising):
    """The reader, too, is stopped at random, and goes on where it was."""
    writer, draw = Writer(log, seed, rising=rising), random.Random(-seed)
    size, got, position, pieces = draw.choice([5, 50, 1 << 20]), b"", Position(), None
    for step in range(60):
        if step:
            writer.act()
        if step == 59:
            append(log, b"the end\n")
            writer.files[-1] += b"the end\n"
        if pieces is None:
            pieces = followed(log, start=position, size=size)
        for _ in range(draw.choice([0, 1, 3, 1000]) if 0 < step < 59 else 1000):
            piece = next(pieces)
            if not (piece.data or piece.notice):
                break
            assert piece.first == position.lines + 1
            got, position = got + piece.data, piece.after
            assert position.lines == got.count(b"\n")
        if pieces is not None and draw.random() < 0.3 and position.sum.size and step < 58:
            pieces.close()
            pieces = None
    assert got == writer.whole(ended=True)


def test_a_writer_in_another_process(log):
    """Real time, real races: lines in arbitrary chunks, and a rotation every few of them."""
    code = """
import os, random, sys, time
path, draw = sys.argv[1], random.Random(5)
data = b"".join(b"%d\\n" % k for k in range(40000))
file, place, rotations = open(path, "ab", buffering=0), 0, 0
while place < len(data):
    size = draw.randint(1, 3000)
    file.write(data[place:place + size])
    place += size
    if draw.random() < 0.2:
        end = data.find(b"\\n", place) + 1
        file.write(data[place:end])
        place = max(place, end)
        file.close()
        for k in range(rotations, 0, -1):
            os.rename(f"{path}.{k}", f"{path}.{k + 1}")
        os.rename(path, f"{path}.1")
        rotations += 1
        file = open(path, "ab", buffering=0)
    if draw.random() < 0.1:
        time.sleep(0.003)
"""
    log.touch()
    with subprocess.Popen([sys.executable, "-c", code, log]) as writer:
        got, position = [], Position()
        pieces = live(Source(log), tick=0.05, poll=0.001)
        patience = time.monotonic() + 20.0
        while position.lines < 40000 and time.monotonic() < patience:
            piece = next(pieces)
            got.append(piece.data)
            position = piece.after
            if len(got) % 50 == 0:
                pieces.close()
                pieces = live(Source(log), start=position, tick=0.05, poll=0.001)
        pieces.close()
        assert writer.wait() == 0
    assert b"".join(got).split() == [b"%d" % k for k in range(40000)]
