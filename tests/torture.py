"""Malformed inputs for every reader: what is thrown at them, and what must come back."""

import bz2
import gzip
import io
import json
import lzma
import os
import random
import re

from littlestone.core.errors import LittlestoneError
from littlestone.streams import CsvStream, JsonlStream, ParquetStream, SnowStream, SvmlightStream, VWStream, base
from tests.naive import table_lines, text_lines

COLUMNS = {"numeric": "b", "categorical": "a", "text": "t", "labels": (0, 1)}
HEAD = b"a,b,t,y"
READERS = {  # name: stream, options, separator of words
    "svmlight": (SvmlightStream, {"zero_based": False}),
    "vw": (VWStream, {"names": True}),
    "jsonl": (JsonlStream, {"labels": (0, 1)}),
    "snow": (SnowStream, {}),
    "csv": (CsvStream, {**COLUMNS, "quote": ""}),
    "tsv": (CsvStream, {**COLUMNS, "delimiter": "\t"}),
}
SOUND = {  # two lines that every file begins with, so that there are two labels
    "svmlight": [b"+1 1:1", b"-1 2:1"],
    "vw": [b"1 | a", b"-1 | b"],
    "jsonl": [b'{"label": 1, "features": ["a"]}', b'{"label": 0, "a": 1}'],
    "snow": [b"1, 5:", b"0, 6:"],
    "csv": [HEAD, b"red,1,x,0", b"red,2,y,1"],
    "tsv": [HEAD.replace(b",", b"\t"), b"red\t1\tx\t0", b"red\t2\ty\t1"],
}
SPICE = [b'"', b",", b"\r", b"\0", b"\xff", b"\xf0\x9f\x98\x80", b"1e999", b"nan", b"inf", b"-", b"{", b"[", b":", b"(",
         b")", b"\\ud800", b"\\u0000", b"\\\\u0000", b"_", b"\t", b"9" * 30, b"9" * 400, b"=", b" ", b"null",
         b"\xef\xbb\xbf", b"#", b"|", b"0x1", b"1e-400", b"qid:", b"'", b"^", b"true", b"]", b"}", b"1.5", b"0",
         b"\xc3", b"\x1c", b"\xc2\x85", b"\xe2\x80\xa8", b"+", b"e", b".", b"\\"]  # fmt: skip


def pool(kind):
    """Return lines to be spoiled: real ones where there are any."""
    chance = random.Random(0)
    folder = os.environ.get("LITTLESTONE_DATA")
    rows = [
        (chance.choice([0, 1]), sorted(chance.sample(range(2, 60), chance.randint(1, 6))), chance.choice([1, 0.25]))
        for _ in range(200)
    ]
    if folder:
        for name in ("a9a", "rcv1_small", "qc_train"):
            with gzip.open(f"{folder}/{name}.libsvm.gz", "rt") as file:
                for line in (file.readline() for _ in range(100)):
                    label, *pairs = line.split()
                    found = [pair.split(":") for pair in pairs[:30]]
                    rows.append((int(float(label) > 0), [int(i) + 1 for i, _ in found], float(found[0][1])))
    return [_written(kind, *row) for row in rows]


def _written(kind, label, ids, value):
    match kind:
        case "svmlight":
            return f"{2 * label - 1} {' '.join(f'{i}:{value}' for i in ids)}".encode()
        case "vw":
            return f"{2 * label - 1} {value} 't{ids[0]}|w {' '.join(f'w{i}:{value}' for i in ids)}".encode()
        case "jsonl":
            flat = {"label": label, "features": {f"w{i}": value for i in ids}, "weight": value}
            return json.dumps(flat if value != 1 else {"label": label, "features": [f"w{i}" for i in ids]}).encode()
        case "snow":
            return (f"{label}, " + ", ".join(f"{i}({value})" if value != 1 else str(i) for i in ids) + ":").encode()
        case _:
            mark = "," if kind == "csv" else "\t"
            return mark.join([f"red{ids[0]}", str(value), " ".join(f"w{i}" for i in ids), str(label)]).encode()


def spoiled(chance, line, *, lines=False):
    """Return a line with some bytes cut out, doubled, changed or added; line feeds only if asked for."""
    found = bytearray(line)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(found) + 1)
        to = min(len(found), at + chance.randint(0, 8))
        match chance.randrange(5):
            case 0:
                piece = b""
            case 1:
                piece = bytes(found[at:to]) * 2
            case 2 | 3:
                piece = chance.choice(SPICE)
            case _:
                piece = chance.randbytes(2)
        found[at:to] = piece
    if chance.random() < 0.02:
        found[:] = chance.randbytes(chance.randint(0, 40))
    return bytes(found) if lines else bytes(found).replace(b"\n", b" ")


def judged(kind, data):
    """Return what the slow rules say of each line of a file."""
    if kind == "svmlight":
        return [_kind(line) for line in text_lines.svmlight(data)]
    if kind == "vw":
        return [_kind(line) for line in text_lines.vw(data)]
    if kind in {"csv", "tsv"}:
        mark = "," if kind == "csv" else "\t"
        return [None, *(table_lines.table(line, mark) for line in data.split(b"\n")[1:-1])]
    return [getattr(table_lines, kind)(line) for line in data.split(b"\n")[:-1]]


def _kind(found):
    return found if found is None or found == "bad" else "row"


class Heard:
    """A stream of a file, and everything that it says against it, however much that is."""

    def __init__(self, kind, data, on_error="skip", file=io.BytesIO):
        make, options = READERS[kind]
        self.name = f"<{file.__name__}>"
        self.stream = make(file(data), on_error=on_error, **options)
        self.said = []

    def read(self):
        """Return how many rows there are."""
        before, base.REMEMBERED = base.REMEMBERED, 1 << 60
        try:
            rows = sum(len(block) for block in self.stream.blocks())
        finally:
            base.REMEMBERED = before
        self.said = self.stream.complaints
        return rows


def check_message(name, message):
    """Hold a refusal to: file and line, what was expected, what came."""
    found = re.match(rf"{re.escape(name)}:(\d+): ", message)
    assert found, message
    assert "expected" in message and "got" in message, message
    return int(found[1])


def many_lines(kind, count, seed=0, size=400):
    """Spoil lines, read them many to a file, and hold the reader to the slow rules; return how many were refused."""
    chance, lines, refused = random.Random(f"{kind}{seed}"), pool(kind), 0
    while count > 0:
        some = [spoiled(chance, chance.choice(lines)) for _ in range(min(size, count))]
        data = b"\n".join([*SOUND[kind], *some]) + b"\n"
        try:
            refused += check_file(kind, data)
        except BaseException as error:
            raise AssertionError(culprit(kind, some)) from error
        count -= size
    return refused


def check_file(kind, data):
    expected = judged(kind, data)
    heard = Heard(kind, data)
    rows = heard.read()
    numbers = [check_message(heard.name, message) for message in heard.said]
    bad = {at for at, line in enumerate(expected, start=1) if line == "bad"}
    either = {at for at, line in enumerate(expected, start=1) if line == "either"}
    assert heard.stream.skipped == len(numbers) == len(set(numbers))
    assert set(numbers) - either == bad
    assert rows == expected.count("row") + len(either) - len(set(numbers) & either)
    refusal = refused_as(lambda: Heard(kind, data, "raise").read())
    assert check_message(heard.name, refusal) in numbers if numbers else refusal is None
    return len(numbers)


def refused_as(read):
    """Return what is said against a file, None if nothing is; any other error is a crash."""
    try:
        read()
    except LittlestoneError as error:
        return str(error)
    return None


def culprit(kind, some):
    """Return the line for which reader and rules differ."""
    for line in some:
        data = b"\n".join([*SOUND[kind], line]) + b"\n"
        try:
            check_file(kind, data)
        except Exception as error:  # noqa: BLE001 - whatever it was
            return f"{kind}: {line!r}: {error!r}"
    return f"{kind}: a file of {len(some)} lines"


PACKERS = {"gz": lambda data: gzip.compress(data, 6, mtime=0), "bz2": bz2.compress, "xz": lzma.compress}


def packed(kind, data):
    if kind == "zst":
        import zstandard

        return zstandard.ZstdCompressor(write_checksum=True).compress(data)
    return PACKERS[kind](data)


class Pipe(io.BytesIO):
    """Bytes that can be read once."""

    def seekable(self):
        return False

    def seek(self, *_):
        raise OSError


def damaged(chance, data):
    """Return a file with some bits flipped, some bytes gone, or its end cut off."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(found))
        match chance.randrange(4):
            case 0:
                found[at] ^= 1 << chance.randrange(8)
            case 1:
                found[at : at + chance.randint(1, 9)] = chance.randbytes(chance.randint(0, 9))
            case 2:
                del found[at:]
            case _:
                found[at] = chance.choice([0, 255, 128, 127, 1])
        if not found:
            return b""
    return bytes(found)


def content(stream):
    """Return all that a stream says, for comparison."""
    found = []
    for block in stream.blocks():
        first, last = block.indptr[0], block.indptr[-1]
        values = None if block.values is None else block.values[first:last].tolist()
        found.append((block.indices[first:last].tolist(), values, block.outcomes.tolist(), block.labels, block.names))
    return found


def packed_files(count, seed=0):
    """Damage compressed files: each is refused by name, or gives what it gave before; return how many were refused."""
    chance, refused = random.Random(seed), 0
    files = []
    for kind, (make, options) in READERS.items():
        data = b"\n".join([*SOUND[kind], *pool(kind)[:60]]) + b"\n"
        whole = content(make(io.BytesIO(data), **options))
        files += [(kind, packing, packed(packing, data), whole) for packing in ("gz", "bz2", "xz", "zst")]
    for turn in range(count):
        kind, packing, data, whole = files[turn % len(files)]
        make, options = READERS[kind]
        broken, file = damaged(chance, data), chance.choice([io.BytesIO, Pipe])
        found = []
        try:
            refusal = refused_as(lambda: found.extend(content(make(file(broken), **options))))  # noqa: B023 - called here
        except BaseException as error:
            raise AssertionError((kind, packing, broken)) from error
        if refusal is None:
            assert file is Pipe or not broken or found == whole, (kind, packing, broken)  # nothing says what it was
        else:
            check_refusal(f"<{file.__name__}>", refusal)
            refused += 1
    return refused


def parquet_files(count, seed=0):
    """Damage Parquet files: they are read, for their pages have no checksums, or refused; return how many were."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    chance, refused, files = random.Random(seed), 0, []
    for options in ({}, {"compression": "zstd"}, {"use_dictionary": False, "data_page_version": "2.0"}):
        rows = range(50)
        table = pa.table({
            "a": [f"red{i % 7}" for i in rows], "b": [i / 4 for i in rows], "c": [i % 5 for i in rows],
            "d": [i % 2 == 0 for i in rows], "y": [i % 2 for i in rows],
        })  # fmt: skip
        file = io.BytesIO()
        pq.write_table(table, file, **options)
        files.append(file.getvalue())
    for turn in range(count):
        broken = damaged(chance, files[turn % len(files)])
        try:
            refusal = refused_as(lambda: content(ParquetStream(io.BytesIO(broken))))  # noqa: B023 - it is called here
        except BaseException as error:
            raise AssertionError(broken) from error
        if refusal is not None:
            check_refusal("BytesIO", refusal)
            refused += 1
    return refused


GUESSING = {  # readers that find out by themselves what a file is like
    "svmlight": (SvmlightStream, {}),
    "vw": (VWStream, {}),
    "jsonl": (JsonlStream, {}),
    "snow": (SnowStream, {}),
    "csv": (CsvStream, {}),
    "tsv": (CsvStream, {"delimiter": "\t"}),
}
QUOTED = [
    b"a,b,t,y",
    b'red,1.5,"Free, entry",0',
    b'?,-2e3,"say ""no""",1',
    b'"blue\nsky",NA,x,1',
    b'"",4,"",0',
    b"a,1,b,0",
]


def wrecked(chance, kind, lines):
    """Return a whole file of which anything may be wrong."""
    some = [*SOUND[kind], *(chance.choice(lines) for _ in range(chance.randint(0, 4)))]
    if kind == "csv" and chance.random() < 0.5:
        some = list(QUOTED)
    data = b"\n".join(some) + chance.choice([b"", b"\n", b"\r\n"])
    match chance.randrange(12):
        case 0:
            return chance.randbytes(chance.randint(0, 300))
        case 1:
            return data.decode().encode(chance.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"]))
        case 2:
            return data + chance.choice([b"[", b'{"a":', b"(", b'"', b"9", b"1:", b"w ", b",", b"|"]) * 20_000
        case 3:
            return data.replace(b"\n", chance.choice([b"\r\n", b"\r", b"\n\n", b"\0\n", b" \n", b"\x0b"]))
        case 4:
            return data[: chance.randrange(len(data) + 1)]
        case _:
            return spoiled(chance, data, lines=True)


def whole_files(kind, count, seed=0):
    """Wreck whole files; each is refused by name with what was expected, or read; return how many were refused.

    What is read is read in the same way when errors are skipped; what is refused is then counted, or refused again for
    what is wrong with the file as a whole.
    """
    chance, lines, refused = random.Random(f"{kind}{seed}"), pool(kind)[:50], 0
    make, options = GUESSING[kind]
    for _ in range(count):
        data, file = wrecked(chance, kind, lines), chance.choice([io.BytesIO, Pipe])
        try:
            refused += _read_or_refused(make, options, data, file)
        except BaseException as error:
            raise AssertionError((kind, file, data[:3000])) from error
    return refused


def _read_or_refused(make, options, data, file):
    name = f"<{file.__name__}>"
    skipping = make(file(data), on_error="skip", **options)
    found = []
    refusal = refused_as(lambda: found.extend(content(make(file(data), **options))))
    if refusal is None:
        assert content(skipping) == found
        assert skipping.skipped == 0
        return 0
    check_refusal(name, refusal)
    again = refused_as(lambda: content(skipping))
    if again is None:
        assert skipping.skipped > 0
        assert all(check_message(name, complaint) for complaint in skipping.complaints)
    else:
        check_refusal(name, again)
    return 1


def check_refusal(name, message):
    assert message.startswith(f"{name}:"), message
    assert "expected" in message and "got" in message, message
