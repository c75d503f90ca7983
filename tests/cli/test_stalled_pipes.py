"""A pipe that brings nothing more: the first interrupt ends the waiting, and what has come is learned and saved."""

import bz2
import gc
import gzip
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from littlestone.cli._model import Interrupts
from littlestone.models.files import inspect_model, load
from littlestone.models.record import described
from littlestone.streams.sources.lines import whole_lines
from littlestone.streams.sources.opened import Source
from littlestone.streams.sources.pieces import Interrupted, interruptible, waiting
from tests.cli.test_train import call

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")

PATIENCE = 20.0
SVM = b"1 1:1\n-1 2:1\n" * 50
JSONL = b'{"label":1,"a":1}\n{"label":-1,"b":1}\n' * 50
CSV = b"a,b,label\n" + b"1,0,1\n0,1,-1\n" * 50
WAYS = {  # format, what comes, in the middle of a line or of a row
    "svmlight": ("svmlight", SVM + b"1 1:1 2"), "vw": ("vw", b"1 | a\n-1 | b\n" * 50 + b"1 | a"),
    "jsonl": ("jsonl", JSONL + b'{"la'), "snow": ("snow", b"1, 5:\n0, 6:\n" * 50 + b"1, 5"),
    "csv": ("csv", CSV + b"1,"), "csv in quotes": ("csv", CSV + b'1,"0\n'),
    "gzip": ("svmlight", gzip.compress(SVM)[:-3]), "bzip2": ("svmlight", bz2.compress(SVM)),
}  # fmt: skip


@contextmanager
def stalled(path, data, number):
    """Write to a pipe, and no more; when it is waited for, send a signal. Tell whether that was obeyed."""
    os.mkfifo(path)
    done, obeyed = Event(), []

    def write():
        with path.open("wb") as pipe:
            pipe.write(data)
            pipe.flush()
            patience = time.monotonic() + PATIENCE
            while not isinstance(signal.getsignal(number), Interrupts) and time.monotonic() < patience:
                time.sleep(0.01)
            time.sleep(0.2)
            os.kill(os.getpid(), number)
            obeyed.append(done.wait(PATIENCE))  # else the pipe is closed, and it is over

    before = signal.signal(number, lambda *_: None)  # one that comes too late is not to end the tests
    writer = Thread(target=write, daemon=True)
    writer.start()
    try:
        yield obeyed
    finally:
        done.set()
        writer.join(PATIENCE)
        signal.signal(number, before)


@pytest.mark.parametrize("way", WAYS)
def test_one_interrupt_is_enough(way, tmp_path):
    kind, data = WAYS[way]
    pipe, model = tmp_path / "pipe", tmp_path / "model.npz"
    with stalled(pipe, data, signal.SIGTERM) as obeyed:
        done = call("train", pipe, "--format", kind, "-m", model, code=143)
    assert obeyed == [True]
    assert "\ninterrupted\n" in done.stderr and f"saved to {model}\n" in done.stderr  # and not: --checkpoint goes on
    record = described(inspect_model(model))
    assert (load(model).trials, record.here["examples"], record.finished) == (100, 100, False)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_pipe_that_has_brought_nothing_can_be_left(number, tmp_path):
    pipe, model = tmp_path / "pipe", tmp_path / "model.npz"
    with stalled(pipe, b"", number) as obeyed:
        done = call("train", pipe, "--format", "svmlight", "-m", model, code=128 + number)
    assert obeyed == [True]
    assert "not saved (nothing was learned)" in done.stderr
    assert not model.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_was_held_out_is_scored(number, tmp_path):
    pipe, model = tmp_path / "pipe", tmp_path / "model.npz"
    with stalled(pipe, SVM, number) as obeyed:
        done = call("train", pipe, "--format", "svmlight", "--holdout", 3, "-m", model, code=128 + number)
    assert obeyed == [True]
    assert load(model).trials == 67
    assert "33 never learned from" in done.stderr


def test_what_is_there_is_not_replaced_by_nothing(tmp_path):
    pipe, model = tmp_path / "pipe", tmp_path / "model.npz"
    (tmp_path / "rows.svm").write_bytes(SVM)
    call("train", tmp_path / "rows.svm", "-m", model)
    before = model.read_bytes()
    with stalled(pipe, b"1 1:1 2:1", signal.SIGINT) as obeyed:
        done = call("train", pipe, "--format", "svmlight", "-m", model, code=130)
    assert obeyed == [True]
    assert "number of examples = 0" in done.stderr and "not saved (nothing was learned)" in done.stderr
    assert model.read_bytes() == before


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # the process ends, which closes the pipe
@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (None, b""),
        ("csv", b""),
        (None, b"\n"),
        ("csv", b"\n"),
        (None, b"a,b"),
        ("csv", b"a,b"),
        ("csv", b"a,b,label\n"),
    ],
)
def test_too_little_to_tell_how_it_is_read_is_no_fault_of_the_data(kind, data, tmp_path):
    pipe, model = tmp_path / "pipe", tmp_path / "model.npz"
    with stalled(pipe, data, signal.SIGINT) as obeyed:
        done = call("train", pipe, *(() if kind is None else ("--format", kind)), "-m", model, code=130)
    assert obeyed == [True]
    assert "interrupted" in done.stderr and "nothing was learned" in done.stderr and "Error" not in done.stderr
    assert not model.exists()
    del done
    gc.collect()


def test_a_pipe_that_ended_and_a_file_are_faulty_as_ever(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "littlestone", "train", "-"], input=b"\n", capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 1 and b"got an empty file" in done.stderr
    (tmp_path / "empty.csv").write_bytes(b"\n")
    assert "got an empty file" in call("train", tmp_path / "empty.csv", code=1).stderr


def test_standard_input_that_stalls(tmp_path):
    model = tmp_path / "model.npz"
    command = [sys.executable, "-m", "littlestone", "train", "-", "--format", "svmlight", "-m", str(model)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(SVM)
    process.stdin.flush()
    process.stderr.readline()  # the head of the table: it has begun
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    try:
        assert process.wait(PATIENCE) == 143
    finally:
        process.kill()
        process.communicate()
    assert load(model).trials == 100


def test_a_pipe_that_is_read_to_its_end_is_read_to_its_end():
    """A last line that does not end counts, unless nobody waited for its end."""
    for over, lines in ((False, b"one\ntwo\n"), (True, b"one\n")):
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb") as pipe, interruptible() as end:
            os.write(writing, b"one\ntwo")
            os.close(writing)
            file = Source(pipe).open()
            if over:
                end()
            assert b"".join(block for _, block in whole_lines(file)) == lines


def test_nobody_waits_when_it_is_over():
    with interruptible() as end:
        end()
        with pytest.raises(Interrupted), waiting():
            pass
        others = []
        thread = Thread(target=lambda: others.append(tuple(waits())))  # signals do not come to it
        thread.start()
        thread.join()
        assert others == [("waited",)]
    with waiting():
        pass


def waits():
    with waiting():
        yield "waited"
