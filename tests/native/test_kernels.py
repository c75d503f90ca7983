"""Kernels that are compiled ahead of time give the bits of Numba's, and of plain Python."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from littlestone.engine import ahead

pytestmark = pytest.mark.skipif(ahead.native is None, reason="there is no extension module")


def played(*games):
    """Play games in a process of their own; every call in it is checked."""
    call = [sys.executable, "-m", "tests.native.games", *games]
    done = subprocess.run(call, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONWARNINGS": ""})
    assert done.returncode == 0, done.stderr
    return {what: {tuple(one) for one in some} for what, some in json.loads(done.stdout).items()}


@pytest.mark.parametrize("game", ["perceptron", "auto", "csv"])
def test_the_main_kernels_give_the_same_bits_in_three_ways(game):
    found = played(game)
    assert len(found["called"]) >= 5
    assert found["plain"] == found["called"]


@pytest.mark.slow
def test_every_kernel_of_the_module_gives_the_same_bits_in_three_ways():
    """All of them, for all types that they are compiled for: whoever adds one adds a game, too."""
    found = played()
    assert found["expected"] - found["called"] == set(), "no game calls these"
    assert found["called"] - found["expected"] == set(), "the module has no such signature"
    assert found["expected"] - found["plain"] == set(), "never called in plain Python"
    assert len(found["expected"]) > len({name for name, *_ in found["expected"]})  # some have several signatures


def test_rules_that_kernels_call_by_address_give_the_same_bits():
    """A rule of the second order, by its address in the module, and as Python has it."""
    from importlib import import_module

    from tests.native.three_ways import asked

    rng = np.random.default_rng(0)
    assert len(ahead.native.addresses()) >= 8
    for name, address in ahead.native.addresses().items():
        module, _, function = name.rpartition(".")
        rule = getattr(import_module(module), function)
        assert rule.address == address
        for given in np.concatenate((rng.normal(size=(200, 5)), rng.random((200, 5)))).tolist():
            given[1:] = np.abs(given[1:]).tolist()  # a variance, a weight, and what the rule is told
            numbers = [np.float64(number) for number in given]
            with np.errstate(all="ignore"):
                try:
                    expected = rule.code(*numbers)
                except ValueError:  # the root of a negative number, which is a NaN in compiled code
                    continue
            assert np.array(asked(address, 5, 2, given)).tobytes() == np.array(expected, dtype=float).tobytes(), name
