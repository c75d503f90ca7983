"""Files that are rotated, emptied or gone for a while as they are followed; nothing is lost, nothing comes twice."""

import gzip
import os

import pytest

from littlestone.streams.sources import rotation
from littlestone.streams.sources.growing import Piece, Position
from littlestone.streams.sources.opened import Source
from tests.streams.live import append, followed, notices, rotate, summed, text, until_tick

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files that are renamed while they are open; pipes of POSIX")


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def test_a_file_that_is_rotated(log):
    log.write_bytes(b"one\ntwo")
    pieces = followed(log)
    assert text(until_tick(pieces)) == b"one\n"
    rotate(log)
    assert notices(until_tick(pieces)) == [f"{log}: it is gone; waiting for it to come back"]
    append(log.with_name("log.1"), b" and a half\nthr")  # whoever writes still has it open
    assert text(until_tick(pieces)) == b"two and a half\n"
    log.touch()
    append(log.with_name("log.1"), b"e")
    assert not until_tick(pieces)  # nothing is lost as long as the new one is empty
    append(log.with_name("log.1"), b"e")
    append(log, b"four\n")
    old = b"one\ntwo and a half\nthree"
    assert until_tick(pieces) == [
        Piece(b"three\n", 3, False, Position(summed(old), 3)),
        Piece(
            b"", 4, False, Position(summed(old), 3), f"{log}: it was rotated; the new file is read from its beginning"
        ),
        Piece(b"four\n", 4, True, Position(summed(b"four\n"), 4)),
    ]


def test_a_file_that_is_replaced_or_gone_for_a_while(log):
    log.write_bytes(b"one\n")
    pieces = followed(log)
    until_tick(pieces)
    log.unlink()
    assert notices(until_tick(pieces)) == [f"{log}: it is gone; waiting for it to come back"]
    assert not until_tick(pieces)  # once
    log.write_bytes(b"two\n")
    came = until_tick(pieces)
    assert notices(came) == [f"{log}: it was replaced; the new file is read from its beginning"]
    assert text(came) == b"two\n"
    other = log.with_name("other")
    log.rename(other)
    assert len(notices(until_tick(pieces))) == 1
    other.rename(log)  # it is the same
    append(log, b"three\n")
    assert until_tick(pieces) == [Piece(b"three\n", 3, False, Position(summed(b"two\nthree\n"), 3))]


def test_a_file_that_is_gone_and_does_not_grow_ends(log):
    log.write_bytes(b"one\n")
    pieces = followed(log, growing=False)
    next(pieces)
    log.unlink()
    assert notices(pieces) == [f"{log}: it is gone"]


def test_what_is_written_at_the_last_moment_is_read(log, monkeypatch):
    """The old file is read once more when the new one has been seen."""
    log.write_bytes(b"one\n")
    pieces = followed(log)
    until_tick(pieces)
    rotate(log)
    log.write_bytes(b"three\n")
    find = rotation.History.next

    def late(history, file):
        append(log.with_name("log.1"), b"two\n")
        return find(history, file)

    monkeypatch.setattr(rotation.History, "next", late)
    assert text(until_tick(pieces)) == b"two\nthree\n"


def test_a_file_that_is_renamed_while_they_are_listed(log, monkeypatch):
    log.write_bytes(b"one\n")
    pieces = followed(log)
    until_tick(pieces)
    for line in (b"two\n", b"three\n"):
        rotate(log)
        log.write_bytes(line)
    listed, calls = rotation._listed, []

    def missing(path):
        calls.append(path)
        return [one for one in listed(path) if len(calls) > 1 or one.path.name != "log.1"]

    monkeypatch.setattr(rotation, "_listed", missing)
    assert text(until_tick(pieces)) == b"two\nthree\n"


@pytest.mark.parametrize("kind", ["_siblings", "_listed"])
@pytest.mark.parametrize("call", range(12))
def test_a_rotation_behind_the_back_of_whoever_looks(log, monkeypatch, call, kind):
    """Between any two looks at what is there all files may get other names."""
    for line in (b"one\n", b"two\n", b"three\n"):
        rotate(log)
        log.write_bytes(line)
    look, calls = getattr(rotation, kind), []

    def moving(path):
        found = look(path)
        calls.append(path)
        if len(calls) == call + 1:
            rotate(log)
            log.write_bytes(b"four\n")
        return found

    monkeypatch.setattr(rotation, kind, moving)
    came = until_tick(followed(log, start=Position(summed(b"one\n"), 1)))
    assert text(came) == b"two\nthree\n" + (b"four\n" if len(calls) > call else b"")
    assert len(calls) > 3


def test_a_rotation_behind_the_back_when_the_last_file_is_deleted(log, monkeypatch):
    log.write_bytes(b"one\n")
    pieces = followed(log)
    until_tick(pieces)
    for line in (b"two\n", b"three\n"):
        rotate(log)
        log.write_bytes(line)
    log.with_name("log.2").unlink()
    look, calls = rotation._siblings, []

    def moving(path):
        found = look(path)
        if not calls:
            rotate(log)
            log.write_bytes(b"four\n")
        calls.append(path)
        return found

    monkeypatch.setattr(rotation, "_siblings", moving)
    assert text(until_tick(pieces)) == b"two\nthree\nfour\n"


def test_an_older_file_that_has_been_touched_is_still_older(log):
    log.with_name("log.1").write_bytes(b"zero\n")
    os.utime(log.with_name("log.1"), (1 << 32, 1 << 32))
    log.write_bytes(b"one\n")
    pieces = followed(log)
    assert text(until_tick(pieces)) == b"one\n"
    rotate(log)
    log.write_bytes(b"two\n")
    assert text(until_tick(pieces)) == b"two\n"


@pytest.mark.parametrize("same", [False, True])
def test_several_rotations_at_once(log, same):
    log.write_bytes(b"one\n")
    pieces = followed(log)
    until_tick(pieces)
    for line in (b"two\n", b"three", b"four\n"):
        rotate(log)
        append(log, line)
    if same:  # as if it had been within a few milliseconds
        for path in log.parent.iterdir():
            os.utime(path, (5, 5))
    came = until_tick(pieces)
    assert text(came) == b"two\nthree\nfour\n"
    assert [piece.begins for piece in came if piece.data] == [True, True, True]
    assert notices(came) == [
        f"{log}: it was rotated; {which} is read from its beginning" for which in ("log.2", "log.1", "the new file")
    ]


@pytest.mark.parametrize("times", [(1, 2, 3, 4, 5), (1, 2, 2, 2, 2)])
def test_names_that_rise_with_time(log, times):
    pieces = None
    for day, written in enumerate(times, start=1):
        log.write_bytes(b"day %d\n" % day)
        os.utime(log, (written, written))
        pieces = pieces or followed(log)
        if day == 1:
            assert text(until_tick(pieces)) == b"day 1\n"
        if day < 5:
            log.rename(log.with_name(f"log-2026013{day}"))
    assert text(until_tick(pieces)) == b"day 2\nday 3\nday 4\nday 5\n"


def test_what_only_begins_with_its_name_is_none_of_it(log):
    log.write_bytes(b"one\n")
    pieces = followed(log)
    until_tick(pieces)
    rotate(log)
    for name in ("log.bak", "log.npz.2", "logs", "log~"):
        log.with_name(name).write_bytes(b"no\n")
    log.with_name("log.3").mkdir()
    log.with_name("log.4").write_bytes(gzip.compress(b"no\n"))
    log.with_name("log.5").symlink_to(log)
    log.with_name("log.6").write_bytes(b"older\n")
    os.utime(log.with_name("log.6"), (1, 1))
    log.write_bytes(b"two\n")
    assert text(until_tick(pieces)) == b"two\n"


def test_an_inode_that_is_used_again(log):
    """A file that was known is deleted, and its number is that of another one: it is told by its beginning."""
    log.with_name("log.1").write_bytes(b"zero\n")
    log.write_bytes(b"one\n")
    pieces = followed(log)
    until_tick(pieces)
    log.with_name("log.1").unlink()
    rotate(log)
    append(log, b"two\n")
    rotate(log)
    append(log, b"three\n")
    following = pieces.gi_yieldfrom.gi_frame.f_locals["following"]
    number = Source(log.with_name("log.1")).status()
    following._history._known[number.st_dev, number.st_ino] = b"zero\n"
    assert text(until_tick(pieces)) == b"two\nthree\n"


@pytest.mark.parametrize("new", [b"", b"two\n", b"other\nthan before\n", b"One\n"])
def test_a_file_that_is_emptied(log, new):
    log.write_bytes(b"one\nhalf")
    pieces = followed(log)
    until_tick(pieces)
    log.write_bytes(new)
    came = until_tick(pieces)
    assert notices(came) == [f"{log}: it was emptied or written anew; it is read from its beginning"]
    assert text(came) == b"half\n" + new
    append(log, b"three\n")
    came = [*came, *until_tick(pieces)]
    assert text(came) == b"half\n" + new + b"three\n"
    assert came[-1].after == Position(summed(new + b"three\n"), 2 + (new + b"three\n").count(b"\n"))
    assert [piece.begins for piece in came if piece.data][1]


def test_a_long_file_that_becomes_shorter(log):
    data = b"".join(b"%d\n" % k for k in range(1000))
    log.write_bytes(data)
    pieces = followed(log)
    assert text(until_tick(pieces)) == data
    os.truncate(log, 2000)
    came, rest = until_tick(pieces), data[: data.rfind(b"\n", 0, 2000) + 1]
    assert len(notices(came)) == 1 and text(came) == rest and came[-1].after.sum == summed(rest)


def test_a_file_that_is_copied_and_emptied_at_the_last_moment(log):
    log.write_bytes(b"one\ntw")
    pieces = followed(log)
    until_tick(pieces)
    append(log, b"o\nthree\nfo")  # nobody has seen that
    log.with_name("log.1").write_bytes(log.read_bytes())
    log.write_bytes(b"five\n")
    came = until_tick(pieces)
    assert text(came) == b"two\nthree\nfo\nfive\n"
    assert notices(came) == [
        f"{log}: it was emptied or written anew; log.1 is read on first",
        f"{log}: it was rotated; the new file is read from its beginning",
    ]
    append(log, b"six\n")
    assert text(until_tick(pieces)) == b"six\n"


def test_a_new_file_that_is_emptied_before_a_line_of_it_has_come(log):
    log.write_bytes(b"one\n")
    pieces = followed(log)
    until_tick(pieces)
    rotate(log)
    log.write_bytes(b"half")
    assert len(notices(until_tick(pieces))) == 1
    log.write_bytes(b"two\n")
    came = until_tick(pieces)
    assert text(came) == b"half\ntwo\n"
    assert notices(came) == [f"{log}: it was emptied or written anew; it is read from its beginning"]


def test_a_half_line_that_is_taken_back(log):
    log.write_bytes(b"one\nhalf")
    pieces = followed(log)
    until_tick(pieces)
    log.write_bytes(b"one\nha")
    assert not until_tick(pieces)
    append(log, b"!\n")
    assert text(until_tick(pieces)) == b"ha!\n"


HEADER = b"id,a\n"


def begun(log):
    """The place behind a header, which all files have."""
    log.write_bytes(HEADER)
    return next(followed(log)).after


@pytest.mark.parametrize("known", [True, False])
def test_the_file_that_was_read_is_known_also_where_others_begin_alike(log, known):
    start = begun(log)
    append(log, b"1,2\n")
    rotate(log)
    log.write_bytes(HEADER + b"3,4\n")
    start = start if known else Position(start.sum, start.lines)  # as it was saved by earlier versions
    pieces = [*followed(log, start=start, growing=False)]
    assert text(pieces) == b"1,2\n" + HEADER + b"3,4\n"
    assert notices(pieces)[0] == f"{log}: it was rotated; log.1 is read on"
    assert pieces[-1].after.identity == (log.stat().st_dev, log.stat().st_ino)


def test_files_that_were_read_before_are_not_read_again(log):
    for number in range(3):
        log.write_bytes(HEADER + b"%d,0\n" % number)
        rotate(log)
    start = begun(log)
    append(log, b"3,0\n")
    assert text(followed(log, start=start, growing=False)) == b"3,0\n"
    rotate(log)
    log.write_bytes(HEADER)
    assert text(followed(log, start=start, growing=False)) == b"3,0\n" + HEADER


def test_a_file_that_is_the_same_and_begins_otherwise_is_another_one(log):
    start = begun(log)
    append(log, b"1,2\n")
    copy = log.with_name("log.1")
    copy.write_bytes(log.read_bytes())
    log.write_bytes(b"new\n")  # as copytruncate leaves it
    assert text(followed(log, start=start, growing=False)) == b"1,2\nnew\n"


def test_a_file_of_which_much_was_read_needs_no_identity(log):
    data = b"".join(b"%06d\n" % k for k in range(1000))
    log.write_bytes(data)
    pieces = [*followed(log, growing=False, size=700)]
    short = [piece.after.identity is not None for piece in pieces]
    assert short == [piece.after.sum.size < rotation.SHORT for piece in pieces]
    assert not short[-1]
    copy = log.with_name("log.1")
    copy.write_bytes(data)  # somebody's own copy
    append(log, b"more\n")
    assert text(followed(log, start=pieces[-1].after, growing=False)) == b"more\n"
