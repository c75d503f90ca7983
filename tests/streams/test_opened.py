"""Files: plain or compressed, sound or broken, and blocks of whole lines."""

import bz2
import gzip
import io
import lzma
import os
import stat
import sys
import threading

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.streams.sources.lines import whole_lines
from littlestone.streams.sources.opened import Source, opened, plain_suffix

COMPRESS = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: zstandard.ZstdCompressor(write_checksum=True).compress(data),
}
TEXT = b"".join(b"+1 %d:1 %d:0.5\n" % (i, i + 7) for i in range(1, 20000))


@pytest.mark.parametrize("suffix", COMPRESS)
def test_every_compression_is_seen_by_its_first_bytes(tmp_path, suffix):
    whole = COMPRESS[suffix](TEXT)
    several = COMPRESS[suffix](TEXT[:1000]) + COMPRESS[suffix](TEXT[1000:])
    for data in (whole, several):
        for path in (tmp_path / f"data{suffix}", tmp_path / "data"):
            path.write_bytes(data)
            source = Source(path)
            assert source.again
            for _ in range(2):
                with source.open() as file:
                    assert file.name == str(path)
                    assert file.read() == TEXT
        assert opened(io.BytesIO(data)).read() == TEXT
        assert opened(str(path)).read(7) == TEXT[:7]


@pytest.mark.parametrize("suffix", [suffix for suffix in COMPRESS if suffix])
@pytest.mark.parametrize("kept", [7, 0.5, 0.999])
def test_a_file_cut_short_is_refused(tmp_path, suffix, kept):
    data = COMPRESS[suffix](TEXT)
    path = tmp_path / f"data{suffix}"
    path.write_bytes(data[: kept if kept == 7 else int(kept * len(data))])
    with opened(path) as file, pytest.raises(InvalidData, match=f"data{suffix}: expected the end.*cut short"):
        file.read()


@pytest.mark.parametrize("suffix", [suffix for suffix in COMPRESS if suffix])
def test_a_damaged_file_is_refused(tmp_path, suffix):
    data = bytearray(COMPRESS[suffix](TEXT))
    for at in range(len(data) // 2, len(data) // 2 + 20):
        data[at] ^= 0xFF
    path = tmp_path / f"data{suffix}"
    path.write_bytes(data)
    with opened(path) as file, pytest.raises(InvalidData, match=f"data{suffix}: expected"):
        file.read()


def test_a_suffix_that_does_not_fit_is_refused(tmp_path):
    path = tmp_path / "data.gz"
    path.write_bytes(b"+1 3:1\n")
    with pytest.raises(InvalidData, match=r"data.gz: expected gzip data.*got the first bytes b'\+1 3:1'.*rename"):
        opened(path)
    path.write_bytes(b"")
    with pytest.raises(InvalidData, match="got an empty file"):
        opened(path)
    path.write_bytes(bz2.compress(TEXT))
    with pytest.raises(InvalidData, match="got bzip2 data"):
        opened(path)


def test_what_cannot_be_opened_is_named(tmp_path):
    with pytest.raises(InvalidData, match=r"nowhere.svm: expected a file, found none; check the path"):
        opened(tmp_path / "nowhere.svm")
    with pytest.raises(InvalidData, match="got a directory"):
        opened(tmp_path)
    with pytest.raises(InvalidParameter, match="expected a path"):
        opened(3)
    with pytest.raises(InvalidParameter, match="open for bytes"):
        opened(io.StringIO("1 3:1"))


def test_a_file_that_may_not_be_read_is_named(tmp_path):
    path = tmp_path / "secret"
    path.write_bytes(b"1")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    with pytest.raises(InvalidData, match="check its permissions"):
        opened(path)
    path.chmod(stat.S_IRUSR)


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_pipe_is_read_once_and_may_come_byte_by_byte(suffix):
    data = COMPRESS[suffix](TEXT)
    read, write = os.pipe()

    def feed():
        with os.fdopen(write, "wb", buffering=0) as end:
            for i in range(10):
                end.write(data[i : i + 1])
            end.write(data[10:])

    feeder = threading.Thread(target=feed)
    feeder.start()
    with os.fdopen(read, "rb", buffering=0) as pipe:
        source = Source(pipe)
        assert not source.again
        assert source.open().read() == TEXT
        with pytest.raises(InvalidData, match="only once"):
            source.open()
    feeder.join()


def test_a_file_opened_by_the_caller_stays_open_and_begins_where_it_stood(tmp_path):
    path = tmp_path / "data"
    path.write_bytes(b"skipped\nkept\n")
    with path.open("rb") as file:
        file.readline()
        source = Source(file)
        for _ in range(2):
            with source.open() as again:
                assert again.read() == b"kept\n"
        assert not file.closed


def test_stdin_is_a_dash(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"1 3:1\n"))))
    file = opened("-")
    assert (file.name, file.read()) == ("stdin", b"1 3:1\n")


def test_zstd_without_its_package_says_what_to_install(monkeypatch, tmp_path):
    path = tmp_path / "data.zst"
    path.write_bytes(COMPRESS[".zst"](TEXT))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(InvalidData, match=r"data.zst: .*pip install 'littlestone\[zstd\]'"):
        opened(path)


@given(st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\n", b"")), max_size=12), st.integers(1, 30))
def test_whole_lines_are_all_lines_in_order(lines, size):
    text = b"\n".join(lines)
    blocks = list(whole_lines(io.BytesIO(text), size))
    joined = b"".join(block for _, block in blocks)
    assert joined == text + (b"" if text.endswith(b"\n") or not text else b"\n")
    count = 1
    for first, block in blocks:
        assert first == count
        assert block.endswith(b"\n")
        count += block.count(b"\n")


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 40))
def test_the_limit_on_a_line_does_not_depend_on_the_size_of_blocks(before, length, size):
    text = b"x" * min(before, 20) + b"\n" + b"y" * length + b"\n"
    file = io.BytesIO(text)
    if length <= 20:
        assert b"".join(block for _, block in whole_lines(file, size, longest=20)) == text
    else:
        with pytest.raises(InvalidData, match=":2: expected a line of at most 20 bytes"):
            list(whole_lines(file, size, longest=20))


def test_the_suffix_of_a_format_is_below_that_of_a_compression():
    assert [plain_suffix(name) for name in ("a.svm", "a.vw.ZST", "a", "b.c/a.gz")] == [".svm", ".vw", "", ""]
