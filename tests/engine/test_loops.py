"""Loops whose number of steps depends on data have a bound, also on data that no honest game leads to."""

import os
import subprocess
import sys
from time import perf_counter

import numpy as np

from littlestone.engine.learning import drift, growing
from littlestone.learners import GrowingWinnow
from littlestone.streams.formats.cells import gathered

HANGS = """
import numpy as np
from littlestone.learners import ROMMA
rows = [[1e100, 1e-50, 0], [0, 0, -1e100], [0, 0, 0], [0, 0, 1e-100]]
for aggressive in (False, True):
    for bias in (False, True):
        learner = ROMMA(aggressive=aggressive, bias=bias).begin(3, labels=(0, 1))
        learner.learn(rows, [0, 0, 1, 0])
        for place in range(5):
            for number in (1e308, 5e-324, np.inf, 0.0, np.nan, -1e308):
                state = learner.state()
                state["scalars"][place] = number
                ROMMA.from_state(learner.params(), state).learn(rows, [1, 0, 1, 0])
"""


def test_romma_ends_whatever_its_numbers_are():
    """In a process of its own: a loop without an end would hold all other tests up."""
    subprocess.run([sys.executable, "-c", HANGS], env=dict(os.environ), check=True, timeout=120)


def test_a_ring_of_conjunctions_is_left():
    learner = GrowingWinnow(theta=4, budget=4).begin(4, labels=(0, 1))
    X = np.array([[1, 1, 0, 0], [0, 0, 1, 1]])
    learner.learn(np.tile(X, (6, 1)), [1, 0] * 6)
    assert learner.conjunctions
    machine = learner._machine
    machine._conjunctions.following[0] = 0
    machine._conjunctions.members[0] = 3  # which is not on: nothing is found, again and again
    assert learner.predict(X[:1]).size == 1
    full = machine._conjunctions
    machine._counts[growing.USED] = len(full.sizes)
    full.listed[:], full.exponents[:], machine._attributes.heads[:] = 0, [1, 0, 2, 2], 0
    assert growing._room(5, machine._attributes, full, machine._counts) == 1  # it is not in its list


def test_votes_that_are_full_carry_nothing_beyond():
    planes = np.full((3, 2), drift.ALL, dtype=np.uint64)
    vote = getattr(drift._vote, "py_func", drift._vote)
    vote(planes, 0, drift.ALL)
    assert planes.tolist() == [[0, 2**64 - 1]] * 3


def test_a_row_of_many_columns_is_sorted_in_less_than_quadratic_time():
    count = 20_000
    named = [np.array([2 * count - i]) for i in range(count)]
    numeric, values = list(range(count, 0, -1)), [np.array([2.0])] * count
    gathered(1, named[:100], numeric[:100], values[:100])
    started = perf_counter()
    for _ in range(10):
        block = gathered(1, named, numeric, values)
    assert perf_counter() - started < 3
    assert (np.diff(block.indices.astype(np.int64)) > 0).all()
    assert block.values[:count].tolist() == [2.0] * count and block.values[count:].tolist() == [1.0] * count
