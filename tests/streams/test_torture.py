"""Malformed inputs against every reader: no crash, no silence, and everything that is skipped is counted."""

import io
import os
import subprocess
import sys

import pytest

from tests import torture

slow = pytest.mark.slow


@pytest.mark.parametrize("kind", torture.READERS)
@pytest.mark.parametrize("count", [1500, pytest.param(200_000, marks=slow)])
def test_spoiled_lines_are_rows_or_refused_as_slow_rules_say(kind, count):
    """Each refusal names its line, what was expected and what came; the rest of the file is read."""
    refused = torture.many_lines(kind, count, seed=count)
    assert count // 2 < refused < count


@pytest.mark.parametrize("kind", torture.GUESSING)
@pytest.mark.parametrize("count", [60, pytest.param(5_000, marks=slow)])
def test_wrecked_files_are_read_or_refused(kind, count):
    refused = torture.whole_files(kind, count, seed=count)
    assert count // 3 < refused < count


@pytest.mark.parametrize("count", [300, pytest.param(20_000, marks=slow)])
def test_damage_to_compressed_files_is_noticed(count):
    assert torture.packed_files(count, seed=count) > 0.9 * count


@pytest.mark.parametrize("count", [200, pytest.param(40_000, marks=slow)])
def test_damaged_parquet_files_are_read_or_refused(count):
    assert torture.parquet_files(count, seed=count) > 0.5 * count


def test_the_slow_rules_can_tell():
    """A reader that is silent about a bad line, or refuses a good one, is caught."""
    with pytest.raises(AssertionError):
        torture.check_message("x", "x: expected something, got nothing")
    assert torture.judged("jsonl", b'{"label": 1}\n{"label": 7}\n \n') == ["row", "bad", None]
    assert torture.judged("snow", b"1, 5:\n1, 1, 5:\n1(x), 5:\n") == ["row", "bad", "bad"]
    assert torture.judged("csv", b"a,b,t,y\nr,1,x,0\nr,q,x,0\nr,1,x\n") == [None, "row", "bad", "bad"]


@pytest.mark.parametrize(
    ("kind", "line", "rows"),
    [
        ("jsonl", rb'{"label": 1, "features": ["\\u0000"]}', 1),  # a backslash and five letters, no zero byte
        ("jsonl", rb'{"label": 1, "features": ["\u0000"]}', 0),
        ("jsonl", rb'{"label": 1, "features": ["\\\u0000"]}', 0),
        ("snow", b"1, 1, 5:", 0),
        ("snow", b"1(x), 5:", 0),
        ("snow", b"1(0.5), 5:", 1),
    ],
)
def test_what_was_found(kind, line, rows):
    heard = torture.Heard(kind, b"\n".join([*torture.SOUND[kind], line]) + b"\n")
    assert (heard.read() - 2, heard.stream.skipped) == (rows, 1 - rows)


@pytest.mark.parametrize("kind", ["jsonl", "csv", "tsv", "snow"])
def test_a_pipe_counts_what_it_skips_among_its_first_rows(kind):
    data = b"\n".join([*torture.SOUND[kind], b"bad", *torture.SOUND[kind][-1:] * 1200, b"bad"]) + b"\n"
    for file in (torture.Pipe, io.BytesIO):
        heard = torture.Heard(kind, data, file=file)
        assert (heard.read(), heard.stream.skipped) == (1202, 2)


BOUNDED = """
import sys
import numpy as np
from littlestone.engine.text import numbers as parse
from tests import torture

try:  # a text that does not end in a line feed: the kernel runs past its end
    parse.decimals(np.frombuffer(b"12", np.uint8), np.array([0, 2]),
                   parse.Known(np.zeros(0, np.int64), np.zeros(0), np.zeros(4, np.int64)),
                   np.zeros(1), np.zeros(parse.MORE, np.int64))
    sys.exit("no bounds were checked")
except IndexError:
    pass
for kind in torture.READERS:
    torture.many_lines(kind, int(sys.argv[1]), seed=1)
    torture.whole_files(kind, int(sys.argv[1]) // 100, seed=1)
print("sound")
"""


@slow
def test_no_kernel_leaves_its_arrays(tmp_path):
    """With bounds checked, in a cache of its own, where a planted overflow is noticed."""
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", BOUNDED, "20000"], env=environment, capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, "sound"), done.stderr[-2000:]
