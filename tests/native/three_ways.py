"""Every call of a kernel, made three ways: ahead of time, by Numba, and in plain Python; all bits must agree.

``with three_ways() as seen:`` whatever is played inside is checked; ``seen`` has the names of the kernels called.
"""

from contextlib import contextmanager
from unittest.mock import patch

import numpy as np

from littlestone.engine import ahead
from littlestone.engine.compiling import Kernel

# Not in plain Python: these call by address, or count on words that overflow as a processor's do.
COMPILED_ONLY = ("asking", "address")
MOST_STEPS = 4000  # numbers in the arrays of a call that is made in plain Python, too


def copied(given):
    if isinstance(given, np.ndarray):
        return np.array(given, order="C")
    if isinstance(given, tuple):
        parts = [copied(one) for one in given]
        return type(given)(*parts) if hasattr(given, "_fields") else tuple(parts)
    return given


def bits(given):
    """What must be equal: the very bits of numbers, so that a NaN equals itself, and -0.0 is not 0.0."""
    if isinstance(given, np.ndarray):
        return given.dtype.str, given.shape, given.tobytes()
    if isinstance(given, tuple | list):
        return [bits(one) for one in given]
    if isinstance(given, float | np.floating):
        return np.float64(given).tobytes()
    return given if given is None else int(given)


def size(given):
    if isinstance(given, np.ndarray):
        return given.size
    return sum(size(one) for one in given) if isinstance(given, tuple) else 1


def row_of(example, columns):
    """The row that the extension module reads from a dict."""
    if any(name not in columns for name in example):
        return None
    indices = np.array([columns[name] for name in example], dtype=np.uint32)
    return indices, np.array([float(value) for value in example.values()])


def in_plain_python(kernel, given):
    """Call the function as Python has it, and all kernels that it calls."""
    with (
        patch.object(Kernel, "__call__", lambda self, *given: self.py_func(*given)),
        patch("littlestone.engine.intrinsics.Instruction.__call__", plain_instruction, create=True),
        np.errstate(all="ignore"),
    ):
        return kernel.py_func(*given)


def plain_instruction(self, *given):
    if self._name == "borrowed":
        return given[0]
    if self._name == "popcount":
        return np.uint64(np.bitwise_count(given[0]))
    if self._name == "overlap":
        words, tile, row, out = given
        out[:] = np.bitwise_count(words[tile] & row[:, np.newaxis]).sum(axis=0)
        return None
    if self._name == "prefetch":
        return None
    raise NotImplementedError(self._name)


@contextmanager
def three_ways(*, plain=True):
    """Check every call; yields the names of the kernels, and of those that ran in plain Python, too."""
    seen, in_plain = set(), set()
    once = {}

    def call(self, *given):
        name = f"{self.py_func.__module__}.{self.py_func.__qualname__}"
        if self.ahead is None:
            return self.dispatcher(*given)
        row = row_of(*given[:2]) if given and isinstance(given[0], dict) else ()
        others = given[2:] if row != () else given
        trials = [copied(others) for _ in range(3)]
        rows = [copied(row) for _ in range(3)] if row is not None else []
        found = self.ahead(*given)
        assert found is not NotImplemented, (name, [type(one) for one in given])
        if row is None:
            assert found == -1
            return found
        seen.add(name)
        expected = self.dispatcher(*rows[0], *trials[0])
        assert bits(found) == bits(expected), name
        assert bits(others) == bits(trials[0]), name
        once[name] = once.get(name, 0) + 1
        if plain and once[name] <= 3 and size(others) <= MOST_STEPS:
            try:
                slow = in_plain_python(self, (*rows[1], *trials[1]))
            except NotImplementedError:
                return found
            in_plain.add(name)
            assert bits(slow) == bits(found), f"{name} in plain Python"
            assert bits(others) == bits(trials[1]), f"{name} in plain Python"
        return found

    with patch.object(Kernel, "__call__", call):
        yield seen, in_plain


def exported():
    """The names of all kernels in the module."""
    return {name for name in dir(ahead.native) if name.startswith("littlestone.")}
