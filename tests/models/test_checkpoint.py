"""Checkpoints: a game that is stopped at any moment goes on as if it had not been."""

import os
import random
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.models.files import Checkpoint, inspect_model, load
from littlestone.streams import Part
from tests.models.test_model_file import same


def test_a_checkpoint_saves_every_so_often(tmp_path):
    path = tmp_path / "model.npz"
    stream = ls.teachers.Disjunction(n=50, k=3, trials=40_000)
    checkpoint, seen = Checkpoint(path, every=10_000), []

    def after(learner):
        checkpoint(learner)
        seen.append(inspect_model(path)["counts"]["trials"] if path.exists() else None)

    learner = ls.Winnow()
    ls.play(learner, stream, on_block=after)
    assert seen == [None, 16384, 16384, 32768, 32768]
    checkpoint.save(learner)
    same(load(path), learner)
    with pytest.raises(InvalidParameter, match="got another"):
        checkpoint(ls.Winnow())
    with pytest.raises(InvalidParameter, match="take another path"):
        checkpoint.resume(ls.Winnow(alpha=3), stream)
    with pytest.raises(InvalidParameter, match="expected a learner and a stream"):
        checkpoint.resume(learner, 3)
    with pytest.raises(InvalidParameter, match="every"):
        Checkpoint(path, every=0)


def test_a_learner_that_had_learned_before_resumes_where_the_stream_was(tmp_path):
    stream = ls.teachers.Disjunction(n=50, k=3, trials=3000)
    whole = ls.Winnow()
    ls.play(whole, stream)
    part = whole.copy()
    ls.play(whole, stream)
    checkpoint = Checkpoint(tmp_path / "model.npz", every=1)
    learner, rest = checkpoint.resume(part, stream)
    assert rest is stream
    ls.play(learner, rest, trials=1200, on_block=checkpoint)
    learner, rest = checkpoint.resume(part, stream)
    assert ls.play(learner, rest).trials == 1800
    same(learner, whole)


def test_a_stream_that_is_too_short_is_another_one():
    stream = ls.teachers.Disjunction(n=50, k=3, trials=30)
    with pytest.raises(InvalidData, match="at least 31 examples, got 30"):
        list(Part(stream, 31).blocks())
    assert list(Part(stream, 30).blocks()) == []


TRAIN = """
import sys, time, littlestone as ls
from littlestone.models.files import Checkpoint, load
stream = ls.teachers.Disjunction(n=40, k=5, trials=400_000)
checkpoint = Checkpoint(sys.argv[1], every=1)
learner, rest = checkpoint.resume(ls.Winnow(), stream)
print(learner.trials, flush=True)
ls.play(learner, rest, on_block=lambda it: (checkpoint(it), time.sleep(0.01)))
checkpoint.save(learner)
print("done", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_killed_at_any_moment_it_goes_on(tmp_path):
    path, rng = tmp_path / "model.npz", random.Random(0)
    whole = ls.Winnow()
    ls.play(whole, ls.teachers.Disjunction(n=40, k=5, trials=400_000))
    started = []
    for _ in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(TRAIN), str(path)], stdout=subprocess.PIPE, text=True
        )
        started.append(int(process.stdout.readline()))
        patience = time.monotonic() + 60.0
        while time.monotonic() < patience and not (path.exists() and load(path).trials > started[-1]):
            time.sleep(0.01)  # until something is saved
        time.sleep(rng.uniform(0.0, 0.2))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if path.exists():
            assert load(path).trials >= started[-1]
    last = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(TRAIN), str(path)], stdout=subprocess.PIPE, text=True, check=True
    )
    assert last.stdout.endswith("done\n")
    same(load(path), whole)
    assert started == sorted(started)
    assert started[-1] > 0
    assert [p.name for p in tmp_path.iterdir()] == ["model.npz"]  # nothing half-written is left
