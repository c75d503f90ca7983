"""Pipes whose lines come one by one: each has its answer before the next, and it does not matter how they come."""

import json
import os
import select
import signal
import subprocess
import sys
import zlib
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.block import Block
from tests.cli.test_train import call

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")

PATIENCE = 20.0  # seconds: who is late by so much has not answered
LINES = 200


def examples(count, seed=0):
    rng = np.random.default_rng(seed)
    return [(int(y), np.flatnonzero(on) + 1) for y, on in zip(rng.random(count) < 0.5, rng.random((count, 20)) < 0.3)]  # noqa: B905


def cells(line):
    y, on = line
    return len(on), "red" if y else "blue", "yes" if y or 3 in on else "no"


WRITTEN = {  # format: the first line, if it is no example, and how an example is written
    "svm": ("", lambda line: f"{2 * line[0] - 1} {' '.join(f'{i}:1' for i in line[1])}"),
    "vw": ("", lambda line: f"{2 * line[0] - 1} | {' '.join(f'w{i}' for i in line[1])}"),
    "csv": ("size,colour,label\n", lambda line: ",".join(map(str, cells(line)))),
    "tsv": ("label\tmessage\n", lambda line: f"{line[0]}\tsee {' '.join(f'word{i}' for i in line[1])} at noon"),
    "jsonl": ("", lambda line: json.dumps({"label": line[0], "features": [f"w{i}" for i in line[1]]})),
    "table.jsonl": ("", lambda line: json.dumps(dict(zip(("size", "colour", "label"), cells(line), strict=True)))),
    "snow": ("", lambda line: ", ".join(map(str, [line[0], *(i + 5 for i in line[1])])) + ":"),
}


def written(kind, lines):
    head, write = WRITTEN[kind]
    return head, [f"{write(line)}\n" for line in lines]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A model of each format, by its kind."""
    folder, found = tmp_path_factory.mktemp("live"), {}
    for kind in WRITTEN:
        head, lines = written(kind, examples(300))
        path, found[kind] = folder / f"rows.{kind}", folder / f"{kind}.npz"
        path.write_text(head + "".join(lines))
        options = {"snow": ("--targets", "0,1"), "table.jsonl": ("--label", "label")}.get(kind, ())
        call("train", path, "-l", "arow", "-q", "-m", found[kind], *options)
    return found


class Process:
    """A command that reads a pipe; what it is sent may be compressed, each piece flushed."""

    def __init__(self, *words, packed=False, out="stdout"):
        self.packer = zlib.compressobj(wbits=31) if packed else None
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen([sys.executable, "-m", "littlestone", *map(str, words)], bufsize=0, **pipes)
        self.out = getattr(self.process, out)

    def send(self, text):
        data = text.encode()
        if self.packer is not None:
            data = self.packer.compress(data) + self.packer.flush(zlib.Z_SYNC_FLUSH)
        self.process.stdin.write(data)

    def line(self):
        """Return the next line of what it says, or fail."""
        found = b""
        while not found.endswith(b"\n"):
            assert select.select([self.out], [], [], PATIENCE)[0], f"no answer, only {found!r}"
            piece = self.out.read(1)
            assert piece, (found, self.process.stderr.read())
            found += piece
        return found.decode()

    def end(self):
        if self.packer is not None:
            self.process.stdin.write(self.packer.flush())
        self.process.stdin.close()
        rest, code = self.out.read().decode(), self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return rest, code


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("kind", WRITTEN)
def test_each_line_has_its_answer_before_the_next(kind, packed, models, tmp_path):
    head, lines = written(kind, examples(LINES, seed=1))
    whole = tmp_path / f"new.{kind}"
    whole.write_text(head + "".join(lines))
    expected = call("predict", models[kind], whole).stdout.splitlines()
    process = Process("predict", models[kind], "-", packed=packed)
    process.send(head)
    said = []
    for line in lines:
        process.send(line)
        said.append(process.line().rstrip("\n"))
    assert process.end() == ("", 0)
    assert said == expected
    assert len(set(said)) == 2


def test_training_says_what_it_learns_as_it_comes(tmp_path):
    """Where nothing has to be found out from the first lines; the model is that of the whole file."""
    _, lines = written("svm", examples(100))
    path, model, other = tmp_path / "rows.svm", tmp_path / "model.npz", tmp_path / "other.npz"
    path.write_text("".join(lines))
    words = ["--labels=-1,1", "--one-based", "-l", "arow", "-P", "1"]
    process = Process("train", "-", "--format", "svmlight", *words, "-m", model, out="stderr")
    for _ in range(2):
        process.line()  # the head of the table
    for number, line in enumerate(lines, start=1):
        process.send(line)
        assert f" {number}.0 " in process.line()
    process.process.send_signal(signal.SIGTERM)
    rest, code = process.end()
    assert code == 143
    assert f"saved to {model}" in rest
    call("train", path, *words, "-m", other)
    assert call("predict", model, path).stdout == call("predict", other, path).stdout
    assert ls.load(model).trials == 100


@pytest.mark.parametrize("kind", ["svm", "csv"])
def test_whoever_reads_the_answers_may_leave(kind, models):
    head, lines = written(kind, examples(LINES))
    process = Process("predict", models[kind], "-")
    process.send(head + lines[0])
    process.line()
    process.process.stdout.close()
    with suppress(BrokenPipeError):
        for line in lines[1:]:
            process.send(line)
    assert process.process.wait(PATIENCE) == 0
    assert process.process.stderr.read() == b""
    process.process.stderr.close()
    with suppress(BrokenPipeError):
        process.process.stdin.close()


class Trickle:
    """A pipe that brings so many bytes at a time."""

    def __init__(self, data, sizes):
        self.data, self.sizes, self.name = data, iter(sizes), "a pipe"

    def read(self, size=-1):
        some = min(size, next(self.sizes, 1 << 20))
        piece, self.data = self.data[:some], self.data[some:]
        return piece


def rows_of(stream):
    """Everything that a stream says of its rows, however they come in blocks."""
    blocks = list(stream.blocks())
    block = Block.joined(blocks)
    names = None if block.names is None else [*block.names]
    outcomes = [blocks[-1].labels[code] for code in block.outcomes.tolist()]
    values = None if block.values is None else block.values.tolist()
    return block.indptr.tolist(), block.indices.tolist(), values, outcomes, names, blocks[-1].labels


@pytest.mark.parametrize("kind", WRITTEN)
@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 400), max_size=60))
def test_it_does_not_matter_how_lines_come(kind, sizes):
    head, lines = written(kind, examples(1200))
    data = (head + "".join(lines)).encode()
    options = {"snow": {"targets": [0, 1]}, "table.jsonl": {"label": "label"}}.get(kind, {})
    form = {"svm": "svmlight", "table.jsonl": "jsonl"}.get(kind, kind)
    read = [rows_of(ls.open(Trickle(data, cut), form, **options)) for cut in (sizes, [])]
    assert read[0] == read[1]


@pytest.mark.parametrize("kind", WRITTEN)
def test_what_came_before_a_bad_row_is_answered(kind, models):
    """Also if it came in the same piece."""
    head, lines = written(kind, examples(20))
    process = Process("predict", models[kind], "-")
    process.send(head + "".join(lines) + "{no JSON\n")
    assert len([process.line() for _ in lines]) == 20
    assert process.end() == ("", 1)
