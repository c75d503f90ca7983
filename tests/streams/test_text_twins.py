"""The parsers of svmlight and Vowpal Wabbit text against slow ones, on sound, mutated and random lines."""

import gzip
import io
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlestone.engine.text import names
from littlestone.streams import SvmlightStream, VWStream
from littlestone.streams.formats import text
from littlestone.streams.formats.chunks import read
from littlestone.streams.sources.opened import COMPRESSED
from tests.naive import text_lines

numbers = st.one_of(
    st.sampled_from([b"1", b"0", b"-1", b"+1", b".5", b"5.", b"-0", b"1e3", b"1E-3", b"1e400", b"nan", b"-inf", b"x",
                     b"", b"1e", b".", b"1_0", b"9007199254740993", b"1e100", b"1.0000000000000001e100",
                     b"0x1", b"179769313486231580793728971405301e-400", b"2.2250738585072012e-308", b"1e-400"]),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda x: repr(x).encode()),
    st.integers(0, 10**25).map(lambda x: str(x).encode()),
)  # fmt: skip
blank = st.sampled_from([b" ", b" ", b" ", b"  ", b"\t", b"\r", b" \t "])
index = st.one_of(st.integers(0, 12), st.integers(0, 2**33), st.just(10**20)).map(lambda i: str(i).encode())
pair = st.one_of(st.tuples(index, st.just(b":1")), st.tuples(index, st.just(b":"), numbers)).map(b"".join)
junk = st.sampled_from([b"qid:3", b"qid:", b"#", b"# a:b", b"1,2", b":", b"1:2:3", b"|", b"\xff", b"\0", b"q"])
name = st.sampled_from([b"a", b"b", b"a^b", b"5", b"7", b"\xc3\xa9", b"\xff", b"x\0", b"w" * 9, b"'", b"word=1"])


def joined(*parts):
    return st.tuples(*parts).map(b"".join)


svmlight_line = joined(numbers, st.lists(joined(blank, st.one_of(pair, pair, pair, junk)), max_size=5).map(b"".join))
feature = st.one_of(name, joined(name, st.just(b":"), numbers), junk)
space = joined(st.just(b"|"), st.one_of(st.just(b""), name, joined(name, st.just(b":"), numbers)),
               st.lists(joined(blank, feature), max_size=4).map(b"".join))  # fmt: skip
vw_line = joined(st.lists(joined(numbers, blank), max_size=4).map(b"".join),
                 st.sampled_from([b"", b"t", b"'tag ", b"' "]), st.lists(space, max_size=3).map(b"".join))  # fmt: skip


PACKED = tuple(magic for _, magic in COMPRESSED.values())  # with which no text begins


def texts(line):
    some = st.lists(st.one_of(line, line, line, st.just(b""), st.binary(max_size=12)), max_size=8).map(b"\n".join)
    return some.filter(lambda data: not data.startswith(PACKED))


def compare(stream, expected):
    """Hold what a stream makes of a text against what each line should give."""
    rows = [(at, line) for at, line in enumerate(expected, start=1) if line is not None and line != "bad"]
    found = []
    with stream:
        for parsed in stream.stream._parsed():
            block = parsed.block
            for r in range(len(block)):
                columns, values = block.row(r)
                assert (np.diff(columns.astype(np.int64)) > 0).all()
                keys = columns.tolist() if block.names is None else [block.names[c] for c in columns]
                row = dict(zip(keys, [1.0] * len(keys) if values is None else values.tolist(), strict=True))
                weight = 1.0 if block.weights is None else block.weights[r]
                found.append(
                    (int(parsed.lines[r]), parsed.y[r], row, weight, "" if block.tags is None else block.tags[r])
                )
            assert block.values is None or (block.values != 1.0).any()
    assert stream.stream.skipped == expected.count("bad")
    assert [at for at, *_ in found] == [at for at, _ in rows]
    for (_, y, row, weight, tag), (_, wanted) in zip(found, rows, strict=True):
        assert text_lines.same(wanted[0], y)
        assert row == wanted[1]
        assert (weight, tag) == (wanted[2:] or (1.0, ""))


class Small:
    """A stream whose chunks are small, so that there are many."""

    def __init__(self, kind, data, chunk=64, **options):
        self.chunk, self.before = chunk, text.CHUNK
        self.stream = kind(io.BytesIO(data), on_error="skip", **options)

    def __enter__(self):
        text.CHUNK = self.chunk

    def __exit__(self, *_):
        text.CHUNK = self.before


def both(data, chunk=64, threads=2):
    for base, unlabelled in ((1, False), (0, True)):
        stream = Small(SvmlightStream, data, chunk, zero_based=not base, unlabelled=unlabelled, threads=threads)
        compare(stream, text_lines.svmlight(data.removeprefix(text.BOM), base=base, unlabelled=unlabelled))
    for named, unlabelled in ((True, False), (False, True)):
        stream = Small(VWStream, data, chunk, names=named, unlabelled=unlabelled, threads=threads)
        compare(stream, text_lines.vw(data.removeprefix(text.BOM), numbers=not named, unlabelled=unlabelled))


@given(texts(svmlight_line), st.sampled_from([1, 2]))
def test_svmlight_lines(data, threads):
    both(data, threads=threads)


@given(texts(vw_line), st.sampled_from([1, 2]))
def test_vw_lines(data, threads):
    both(data, threads=threads)


def test_rows_after_one_with_an_attribute_twice_keep_their_ones():
    indptr, indices = np.array([0, 1, 3, 5]), np.array([4, 2, 2, 3, 1], dtype=np.uint32)
    values = np.full(5, 9.0)  # what happens to be there while all values are 1
    assert names.tidy(indptr, indices, values, False, np.empty(2, dtype=np.int64), np.empty(2))
    assert (indptr.tolist(), indices[:4].tolist()) == ([0, 1, 2, 4], [4, 2, 1, 3])
    assert values[:4].tolist() == [1.0, 2.0, 1.0, 1.0]


@given(st.lists(st.one_of(numbers, st.from_regex(r"[+-]?[0-9]{1,40}(\.[0-9]{0,40})?(e[+-]?[0-9]{1,3})?", fullmatch=True)
                          .map(str.encode)), min_size=1))  # fmt: skip
def test_decimals_are_read_as_python_reads_them(words):
    data = np.frombuffer(b"|".join(words) + b"|", dtype=np.uint8)
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    starts = np.concatenate(([0], ends[:-1] + 1))
    got = read(data, np.stack((starts, ends), axis=1).ravel())
    wanted = [float(word) if text_lines.NUMBER.fullmatch(word) else float("nan") for word in words]
    np.testing.assert_array_equal(got, wanted)


SEEDS = (
    b"+1 1:1 3:0.25 17:1 # note\n-1 qid:4 2:1 9:1e-3 268435456:1\n3\n0.5 5:12345678901234567890.5 4:-1\n\n# only\n",
    b"1 2.0 'tag |word sun rain:0.5 |b:2 x\n-1 1 0 t|a \xc3\xa9 a a:3\n0 | 5 7:1e-3 5 12:0.25\n1 |\n\n| u:.5 v\n",
)


def mutated(rng, pieces):
    """Return a text with some bytes changed, dropped, doubled or drawn at random."""
    data = bytearray(pieces[rng.integers(len(pieces))])
    for _ in range(rng.integers(0, 6)):
        at = int(rng.integers(0, len(data) + 1))
        some = bytes(
            rng.choice(list(b"0123456789 .:|#'^-+eE\n\r\tqid,\0\xff\xc3\xa9nanif"), rng.integers(1, 4)).tolist()
        )
        match rng.integers(0, 5):
            case 0:
                data[at : at + 1] = some
            case 1:
                data[at:at] = some
            case 2:
                del data[at : at + int(rng.integers(1, 9))]
            case 3:
                data[at:at] = data[at : at + int(rng.integers(1, 30))]
            case _:
                data[at:at] = rng.bytes(int(rng.integers(1, 8)))
    return bytes(data)


def real_pieces(folder):
    pieces = list(SEEDS)
    for name in ("a9a", "rcv1_small", "qc_train") if folder else ():
        with gzip.open(f"{folder}/{name}.libsvm.gz") as file:
            pieces += [b"".join(file.readline() for _ in range(3))[:600] for _ in range(5)]
    return pieces


def fuzz(count, seed=0):
    rng, pieces = np.random.default_rng(seed), real_pieces(os.environ.get("LITTLESTONE_DATA"))
    for turn in range(count):
        data = mutated(rng, pieces)
        try:
            both(data, int(rng.integers(20, 300)), threads=1 + turn % 50 // 49)
        except BaseException as error:
            raise AssertionError(data) from error


def test_mutated_lines():
    fuzz(500)


@pytest.mark.slow
def test_many_mutated_lines():
    fuzz(50_000, seed=1)  # each four times: as either format, in two ways


BOUNDED = """
import numpy as np, sys
from littlestone.engine.text import numbers as parse
from littlestone.engine.text import vw
from tests.streams import test_text_twins

def planted(engine):
    try:  # a text that does not end in a line feed: the kernel runs past its end
        parse.decimals(np.frombuffer(b"12", np.uint8), np.array([0, 2]),
                       parse.Known(np.zeros(0, np.int64), np.zeros(0), np.zeros(4, np.int64)),
                       np.zeros(1), np.zeros(parse.MORE, np.int64))
    except IndexError:
        return
    sys.exit("no bounds were checked")

planted(parse)
test_text_twins.fuzz(int(sys.argv[1]), seed=2)
print("sound")
"""


@pytest.mark.slow
@pytest.mark.parametrize("count", [2_000])
def test_no_kernel_leaves_its_arrays(count, tmp_path):
    """With bounds checked, in a cache of its own, where a planted overflow is noticed."""
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", BOUNDED, str(count)], env=environment, capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, "sound"), done.stderr[-2000:]
