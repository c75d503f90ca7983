"""Streams of svmlight and Vowpal Wabbit files: rules, messages, scans, pipes, writers, real data."""

import bz2
import gzip
import io
import lzma
import os
import re
import threading
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter
from littlestone.streams import SvmlightStream, VWStream, write_svmlight, write_vw
from littlestone.streams.formats import text
from littlestone.streams.sources.pieces import in_order
from tests.learners.test_real_data import EXACT

MANY = b"".join(b"%d %d:1 %d:0.5\n" % ((-1) ** i, i % 50 + 1, i % 50 + 60) for i in range(3000))


def svmlight(data, **options):
    return SvmlightStream(io.BytesIO(data), **options)


def vw(data, **options):
    return VWStream(io.BytesIO(data), **options)


def whole(stream, rows=8192):
    return ls.Block.joined(list(stream.blocks(rows)))


class Pipe(io.RawIOBase):
    """Bytes that can be read once."""

    def __init__(self, data):
        self.inner = io.BytesIO(data)

    def readable(self):
        return True

    def readinto(self, buffer):
        return self.inner.readinto(buffer)


# What is refused, and the words that say why

REFUSED = [
    ("svm", b"1 2:1\n3:1 4:1\n", ":2: expected a label before the first index:value, got '3:1'.*unlabelled=True"),
    ("svm", b"1,2 3:1\n", ":1: expected one label, got '1,2'"),
    ("svm", b"spam 3:1\n", ":1: expected a number as label, got 'spam'"),
    ("svm", b"1 3\n", ":1: expected index:value, got '3'"),
    ("svm", b"1 -3:1\n", ":1: expected index:value, got '-3:1'"),
    ("svm", b"1 3:1,4:1\n", ":1: expected index:value with a number as value, got '1,4:1'"),
    ("svm", b"1 3:\n", "got the end of the line"),
    ("svm", b"1 3:NaN\n", "expected a finite number, got 'NaN'"),
    ("svm", b"-inf 3:1\n", "expected a finite number, got '-inf'"),
    ("svm", b"1 3:1e101\n", "expected a number of at most 1e100, got '1e101'"),
    ("svm", b"1 3:1 268435457:1\n", "expected indices from 1 to 268435456, got '268435457:1'"),
    ("svm", b"1 18446744073709551617:1\n", "expected indices from 1 to 268435456"),
    ("svm", b"1 2:1 1:1 2:1\n", "expected each index at most once, got 2 twice"),
    ("svm", b"1 qid:x 2:1\n", "expected qid:number behind the label"),
    ("svm", b"1 2:1 qid:5\n", "expected qid:number behind the label"),
    ("vw", b"| a\n", "expected a label before the bar, got '|'"),
    ("vw", b"1| a\n", "a word that touches the bar is a tag"),
    ("vw", b"1:2:3 | a\n", "expected a number of at most 1e100 as label, got '1:2:3'"),
    ("vw", b"1 -1 | a\n", "expected a weight from 0 to 1e100, got '-1'"),
    ("vw", b"1 1 0.5 | a\n", "expected no initial prediction other than 0, got '0.5'"),
    ("vw", b"1 1 0 0 | a\n", "expected at most a label, a weight and an initial prediction, got '0'"),
    ("vw", b"1 'a b | c\n", "expected the tag last before the bar, got 'b'"),
    ("vw", b"1 |a b\n1 2\n", ":2: expected a bar | before the features, got the end of the line"),
    ("vw", b"1 |:3 b\n", "expected a namespace's name before ':'"),
    ("vw", b"1 |a:x b\n", "expected a number of at most 1e100 behind a namespace's ':', got 'x'"),
    ("vw", b"1 | :3\n", "expected a feature's name before ':'"),
    ("vw", b"1 | a:b\n", "behind a feature's ':', got 'b'; write name:value, or name=text for a category"),
    ("vw", b"1 | a:6e99 b:6e99\n", "expected values that add up to at most 1e100"),
    ("vw", b"1 | 1 2\n-1 | 1 b\n", ":2: expected a whole number as attribute.*got 'b'; give names=True"),
    ("vw", b"1 | 1 2\n-1 |a 1\n", ":2: expected a whole number as attribute"),
    ("vw", b"1 | 1 268435456\n", "expected a whole number from 0 to 268435455 as attribute"),
    ("vw", b"1 | a\xff\n", "expected UTF-8 without zero bytes"),
    ("vw", b"1 | a\0\n", "expected UTF-8 without zero bytes"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "data", "words"), REFUSED)
def test_what_is_refused_says_where_and_why(kind, data, words, tmp_path):
    path = tmp_path / "file.txt"
    path.write_bytes(data)
    stream = (SvmlightStream if kind == "svm" else VWStream)(path)
    with pytest.raises(InvalidData, match=words) as raised:
        list(stream.blocks())
    assert str(raised.value).startswith(f"{path}:")


def test_what_is_skipped_is_counted():
    good, bad = b"1 1:1\n-1 2:1\n", b"1 x\n"
    stream = svmlight(good + 7 * bad + good, on_error="skip")
    assert len(whole(stream)) == 4
    assert stream.skipped == 7 and len(stream.complaints) == 5
    assert ":3: expected index:value, got 'x'" in stream.complaints[0]
    assert len(whole(stream)) == 4 and stream.skipped == 7
    stream = svmlight(good + b"3 1:1\n", labels=(-1, 1), on_error="skip")
    assert whole(stream).outcomes.tolist() == [1, 0] and stream.skipped == 1
    assert ":3: expected a label among (-1, 1), got 3" in stream.complaints[0]
    names = vw(b"1 | a\n1 | b b:x\n-1 | c\n", on_error="skip")
    assert whole(names).names == ("a", "c")  # a refusal leaves no name


def test_what_a_line_may_look_like():
    data = b"\xef\xbb\xbf+1\t2:1  1:0.5 \r\n\n# c\n  \t\n-1 # c 3:1\n1 qid:3 5:0 4:-1e0#c\n-1"
    block = whole(svmlight(data))
    assert block.indptr.tolist() == [0, 2, 2, 3, 3]
    assert block.indices.tolist() == [0, 1, 3] and block.values.tolist() == [0.5, 1.0, -1.0]
    assert block.outcomes.tolist() == [1, 0, 1, 0]
    assert svmlight(data).n_attributes == 5  # an index counts, also of a value 0
    block = whole(vw(b"\xef\xbb\xbf1 0.5 |a:2 x y:0.25 x |\tz \r\n\n-1 tag|\n"))
    assert block.names == ("a^x", "a^y", "z") and block.values.tolist() == [4.0, 0.5, 1.0]
    assert block.weights.tolist() == [0.5, 1.0] and block.tags == ("", "tag")
    assert block[1:].tags == ("tag",) and block[:1].weights.tolist() == [0.5]


def test_attributes_begin_at_one_or_at_zero():
    assert svmlight(b"1 0:1\n-1 2:1\n").n_attributes == 3
    assert svmlight(b"1 1:1\n-1 2:1\n").n_attributes == 2
    assert svmlight(b"1 1:1\n-1 2:1\n", zero_based=True).n_attributes == 3
    with pytest.raises(InvalidData, match=":1: expected indices from 1 on, got '0:1'; .*zero_based=True"):
        svmlight(b"1 0:1\n", zero_based=False).n_attributes  # noqa: B018
    with pytest.raises(InvalidData, match=":2: expected indices from 1 to 3, got '4:1'; give more attributes"):
        whole(svmlight(b"1 3:1\n-1 4:1\n", attributes=3))
    with pytest.raises(InvalidData, match=":2: expected at most 1 names, got one more, 'b'"):
        whole(vw(b"1 | a\n-1 | b\n", attributes=1))


def test_a_zero_that_comes_late_is_refused(monkeypatch):
    monkeypatch.setattr(text, "CHUNK", 8)
    with pytest.raises(InvalidData, match=":3: expected indices from 1 on"):
        whole(svmlight(b"1 1:1\n-1 2:1\n1 0:1\n"))


def test_numbers_and_names_of_vw():
    assert whole(vw(b"1 |\n-1 | 5 7:2\n")).names is None
    assert vw(b"1 |\n-1 | 5 7:2\n").n_attributes == 8
    assert whole(vw(b"1 | 5 a\n-1 | 7\n")).names == ("5", "a", "7")
    assert whole(vw(b"1 | 5\n-1 | 7\n", names=True)).names == ("5", "7")
    assert whole(vw(b"1 | a^b\n-1 |a b\n")).names == ("a^b",)


@pytest.mark.parametrize(("labels", "found"), [
    ([1, -1], (-1, 1)), ([1, 0], (0, 1)), ([1], (0, 1)), ([-1], (-1, 1)), ([3, 1, 2], (1, 2, 3)), ([2.5, 1], (1, 2.5)),
])  # fmt: skip
def test_labels_are_found(labels, found):
    data = b"".join(b"%s 1:1\n" % str(label).encode() for label in labels)
    stream = svmlight(data)
    assert whole(stream).labels == stream.labels == found
    assert [found[code] for code in whole(stream).outcomes] == labels
    assert whole(SvmlightStream(Pipe(data))).labels == found


def test_labels_that_come_later(monkeypatch, tmp_path):
    monkeypatch.setattr(text, "CHUNK", 8)
    data = b"1 1:1\n0 1:1\n2 1:1\n"
    path = tmp_path / "a.svm"
    path.write_bytes(data)
    assert SvmlightStream(path).labels == (0, 1, 2)
    monkeypatch.setattr(text, "FIRST_LINES", 2)
    assert [block.labels for block in SvmlightStream(Pipe(data)).blocks()] == [(0, 1), (0, 1, 2)]  # a pipe's grow
    with pytest.raises(InvalidLabel, match="expected two labels, got only 3; give labels="):
        list(svmlight(b"3 1:1\n").blocks())
    with pytest.raises(InvalidLabel, match=r"got 2; correct it"):
        list(svmlight(data, labels=(0, 1)).blocks())


def test_rows_without_labels():
    block = whole(svmlight(b"3:1\n1 2:1\n", unlabelled=True))
    assert block.outcomes.tolist() == [-1, 1]
    assert next(vw(b"| a\n'tag | b\n", unlabelled=True).blocks()).outcomes is None
    learner = ls.Perceptron()
    with pytest.raises(InvalidLabel, match="row 0: expected 0 or 1"):
        learner.learn(block)
    assert len(learner.predict(block)) == 2


def test_a_pipe_is_read_once():
    stream = SvmlightStream(Pipe(MANY))
    assert stream.n_attributes is None
    assert len(whole(stream)) == 3000
    with pytest.raises(InvalidData, match="it can be read only once"):
        list(stream.blocks())
    assert stream.n_attributes == 109  # known by now
    assert SvmlightStream(Pipe(MANY), attributes=200).n_attributes == 200


def test_stdin(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(Pipe(gzip.compress(MANY)))))
    stream = SvmlightStream("-")
    assert ls.play(ls.Perceptron(), stream).trials == 3000
    with pytest.raises(InvalidData, match="stdin: it can be read only once"):
        list(stream.blocks())


@pytest.mark.parametrize(("suffix", "pack"), [
    ("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress),
])  # fmt: skip
def test_a_file_is_read_again_and_again_also_compressed(suffix, pack, tmp_path):
    path = tmp_path / f"a.svm{suffix}"
    path.write_bytes(pack(MANY))
    stream = SvmlightStream(path)
    assert stream.n_attributes == 109 and stream.labels == (-1, 1)
    for _ in range(2):
        assert [len(block) for block in stream.blocks(1000)] == [1000, 1000, 1000]
    assert repr(stream) == f"SvmlightStream({str(path)!r})"


def test_a_file_cut_short_is_an_error_after_its_rows(tmp_path):
    path, seen = tmp_path / "a.svm.gz", []
    path.write_bytes(gzip.compress(MANY * 100, 1)[:-9])
    with pytest.raises(InvalidData, match="it was cut short"):
        seen.extend(map(len, SvmlightStream(path, labels=(-1, 1)).blocks()))
    assert 100_000 < sum(seen) < 300_000


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("chunk", [30, 1000, 1 << 20])
@pytest.mark.parametrize("kind", [SvmlightStream, VWStream])
def test_blocks_do_not_depend_on_chunks_and_threads(kind, chunk, threads, monkeypatch):
    data = MANY[:20000] if kind is SvmlightStream else re.sub(rb"^(-?1)", rb"\1 |w", MANY[:20000], flags=re.MULTILINE)
    data = data[: data.rindex(b"\n") + 1]
    wanted = whole(kind(io.BytesIO(data)))
    monkeypatch.setattr(text, "CHUNK", chunk)
    for source in (io.BytesIO(data), Pipe(data)):
        stream = kind(source, threads=threads, labels=(-1, 1))
        blocks = list(stream.blocks(7))
        assert max(map(len, blocks)) <= 7
        assert [block.start for block in blocks] == np.cumsum([0, *map(len, blocks[:-1])]).tolist()
        block = ls.Block.joined(blocks)
        for name in ("indptr", "indices", "values", "outcomes"):
            np.testing.assert_array_equal(getattr(block, name), getattr(wanted, name))
        assert block.names == wanted.names


def test_a_stream_can_be_left_early(tmp_path, monkeypatch):
    monkeypatch.setattr(text, "CHUNK", 100)
    path = tmp_path / "a.svm"
    path.write_bytes(MANY)
    before = threading.active_count()
    for _ in range(3):
        next(iter(SvmlightStream(path).blocks()))
    assert ls.play(ls.Perceptron(), SvmlightStream(path), trials=10).trials == 10
    assert threading.active_count() == before


def test_errors_come_in_their_turn():
    def task(item):
        if item == 5:
            raise InvalidData("five")
        return item

    seen = []
    with pytest.raises(InvalidData, match="five"):
        seen.extend(in_order(task, iter(range(9)), 2, ahead=True))
    assert seen == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("options", [
    {"on_error": "ignore"}, {"attributes": 0}, {"attributes": 2**28 + 1}, {"labels": ("a", "b")}, {"labels": (1,)},
    {"labels": (1, 1)}, {"threads": 0}, {"zero_based": 3},
])  # fmt: skip
def test_wrong_calls(options):
    with pytest.raises((InvalidParameter, InvalidData)):
        svmlight(b"", **options)


def test_nothing_at_all():
    for stream in (svmlight(b""), svmlight(b"\n# c\n"), vw(b""), vw(b"\n \n")):
        assert sum(map(len, stream.blocks())) == 0
        assert stream.labels == (0, 1)


values = st.floats(-1e98, 1e98, allow_nan=False).filter(bool)
row = st.dictionaries(st.integers(0, 30), st.one_of(st.just(1.0), values), max_size=5)
tables = st.lists(st.tuples(st.sampled_from([0, 1]), row), min_size=1, max_size=6)


def block_of(rows):
    indptr = np.cumsum([0, *(len(row) for _, row in rows)])
    indices = [i for _, row in rows for i in sorted(row)]
    data = np.array([row[i] for _, row in rows for i in sorted(row)])
    block = ls.Block.from_csr(indptr, np.array(indices, dtype=np.int64), data, n_attributes=31)
    return ls.streams.ArrayStream(block.labelled([code for code, _ in rows], (-1, 1)))


@given(tables)
def test_what_is_written_reads_back_exactly(rows):
    stream, zero = block_of(rows), io.BytesIO()
    for write, read in ((write_svmlight, svmlight), (write_vw, vw)):
        file = io.BytesIO()
        assert write(stream, file) == len(rows)
        options = {"zero_based": False} if read is svmlight else {"names": False}
        again = whole(read(file.getvalue(), labels=(-1, 1), **options))
        for name in ("indptr", "indices", "values", "outcomes"):
            np.testing.assert_array_equal(getattr(again, name), getattr(stream.block, name))
    write_svmlight(stream, zero, zero_based=True)
    np.testing.assert_array_equal(whole(svmlight(zero.getvalue(), zero_based=True)).indices, stream.block.indices)


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
def test_names_weights_and_tags_are_written_and_read(suffix, tmp_path):
    data = b"1 2 'one |w sun rain:0.1 | x |w a^b\n-1 |v sun\n-1 0.25 | x:3\n"
    path = tmp_path / f"a.vw{suffix}"
    assert write_vw(vw(data), path) == 3
    one, other = whole(vw(data)), whole(VWStream(path))
    for r in range(3):
        rows = [dict(zip([b.names[i] for i in b.row(r)[0]], b.row(r)[1].tolist(), strict=True)) for b in (one, other)]
        assert rows[0] == rows[1]
    assert one.weights.tolist() == other.weights.tolist() == [2.0, 1.0, 0.25]
    assert one.tags == other.tags == ("one", "", "")


def test_what_cannot_be_written():
    named = vw(b"1 | a\n-1 | b\n")
    with pytest.raises(InvalidData, match="has names"):
        write_svmlight(named, io.BytesIO())
    words = ls.from_arrays([[1, 0], [0, 1]], ["no", "yes"])
    for write in (write_svmlight, write_vw):
        with pytest.raises(InvalidData, match="expected labels that are numbers, got 'no'"):
            write(words, io.BytesIO())
        with pytest.raises(InvalidParameter, match="expected a path or a file"):
            write(named, 3)
    with pytest.raises(InvalidData, match="no label and no attribute"):
        write_svmlight(vw(b"|\n", unlabelled=True, names=False), io.BytesIO())
    weighted = _One(whole(vw(b"1 2 | a\n")))
    with pytest.raises(InvalidData, match="a weight needs a label"):
        write_vw(weighted, io.BytesIO())


class _One(ls.Stream):
    def __init__(self, block):
        self.block = replace(block, outcomes=None)

    def blocks(self, rows=8192):
        yield from self.block.split(rows)


# Real data

QUICK = ("badges", "mushroom_train", "rcv1_small", "sms_spam", "vote")


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(n, marks=pytest.mark.slow) for n in EXACT if n not in QUICK)])
def test_exact_mistakes_from_files(name, data_folder, real_set, tmp_path):
    """As scikit-learn reads them, and with the mistakes that are known; svmlight, and written as VW text and back."""
    X, y = real_set(name)
    stream = SvmlightStream(data_folder / f"{name}.libsvm.gz")
    n = stream.n_attributes
    block = whole(stream)
    np.testing.assert_array_equal(block.indptr, X.indptr)
    np.testing.assert_array_equal(block.indices, X.indices)
    np.testing.assert_array_equal(np.ones(X.nnz) if block.values is None else block.values, X.data)
    np.testing.assert_array_equal(np.array(stream.labels)[block.outcomes], y)
    assert n == X.indices.max() + 1
    path = tmp_path / "a.vw"
    write_vw(stream, path)
    for source in (stream, VWStream(path), VWStream(path, names=True)):
        learners = [ls.Perceptron(), ls.Winnow(alpha=2, theta=n), ls.Winnow(alpha=1.5, theta=n / 2)]
        expected = [count for count in EXACT[name] if count is not None]
        assert [run.mistakes for run in ls.play_all(learners[: len(expected)], source)] == expected


@pytest.mark.slow
def test_memory_is_flat(tmp_path):
    """Twice the file takes no more memory."""
    import subprocess
    import sys

    peaks = []
    for count in (30, 60):
        path = tmp_path / f"{count}.svm"
        with path.open("wb") as file:
            for _ in range(count):
                file.write(MANY * 25)
        program = (
            "import resource, sys\nfrom littlestone.streams import SvmlightStream\n"
            "assert sum(map(len, SvmlightStream(sys.argv[1]).blocks())) > 0\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(path)], capture_output=True, check=True, env=os.environ
        )
        peaks.append(int(done.stdout))
    assert peaks[1] < peaks[0] + 16_000  # kilobytes


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", ["svm", "vw", "named"])
def test_every_chunk_is_parsed_once(tmp_path, monkeypatch, threads, kind):
    monkeypatch.setattr(text, "CHUNK", 100)
    stream_of, line = {
        "svm": (SvmlightStream, "{} 1:1 {}:1\n"), "vw": (VWStream, "{} | 1 {}\n"), "named": (VWStream, "{} |w a b{}\n"),
    }[kind]  # fmt: skip
    path = tmp_path / "rows"
    path.write_text("".join(line.format(1 if i % 3 else -1, i + 2) for i in range(100)))
    module, parsed = import_module(stream_of.__module__), []
    usual = module._Reader.parsed

    def counting(self, *more):
        parsed.append(bytes(self.chunk))
        return usual(self, *more)

    monkeypatch.setattr(module._Reader, "parsed", counting)
    block = whole(stream_of(path, threads=threads))
    assert len(block) == 100 and block.outcomes.tolist() == [int(i % 3 > 0) for i in range(100)]
    assert len(parsed) > 5 and b"".join(sorted(parsed, key=path.read_bytes().find)) == path.read_bytes()


def test_the_first_chunk_decides_as_it_did(tmp_path, monkeypatch):
    monkeypatch.setattr(text, "CHUNK", 30)
    path = tmp_path / "rows.svm"
    path.write_text("1 x\n1 3:1\n-1 0:1 2:1\n" + "1 4:1\n" * 20)  # a bad line, and then an index 0
    stream = SvmlightStream(path, on_error="skip")
    block = whole(stream)
    assert (len(block), stream.skipped, stream.read_as()["zero_based"]) == (22, 1, True)
    assert block.indices[:3].tolist() == [3, 0, 2]
    path.write_text("1 3:1\n1 2:1\n1 2:1\n1 2:1\n1 2:1\n" + "-1 4:1\n" * 9)  # its labels are not those of all
    assert whole(SvmlightStream(path)).outcomes.tolist() == [1] * 5 + [0] * 9


def test_results_in_order_come_after_those_that_were_there_and_before_an_error():
    def items():
        yield 3
        raise InvalidData("no more")

    for threads in (1, 2):
        seen = []
        with pytest.raises(InvalidData, match="no more"):
            seen.extend(in_order(abs, items(), threads, ahead=False, first=[1, 2]))
        assert seen == [1, 2, 3]

    def nothing():
        raise InvalidData("nothing")
        yield

    assert list(in_order(abs, iter([]), 2, ahead=False, first=[1])) == [1]
    results = in_order(abs, nothing(), 2, ahead=False, first=[1])
    assert next(results) == 1
    with pytest.raises(InvalidData, match="nothing"):
        next(results)
