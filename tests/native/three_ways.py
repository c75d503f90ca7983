"""Every call of a kernel, made three ways: ahead of time, by Numba, and in plain Python; all bits must agree.

``with three_ways() as seen:`` whatever is played inside is checked; ``seen`` says which kernels were called, for which
types, and which of them in plain Python, too. Numba has to compile for the processor that the module was made for.
"""

import ctypes
import math
from contextlib import contextmanager
from ctypes.util import find_library
from dataclasses import dataclass, field
from unittest.mock import patch

import numpy as np

from littlestone.engine import ahead
from littlestone.engine.compiling import Kernel

MOST_STEPS = 1_000_000  # numbers in the arrays of a call that is made in plain Python, too
MOST_ROOM = 30_000_000  # and of one that reads text, whose arrays are rooms that a small file hardly fills
SUMMED = "littlestone.engine.sets.gibbs.log_ratio"  # its mean of an array is NumPy's, in another order of summation
OFTEN = 3  # calls of each signature that are
LGAMMA = ctypes.CDLL(find_library("m")).lgamma  # of the C library, as all that kernels call
LGAMMA.argtypes, LGAMMA.restype = [ctypes.c_double], ctypes.c_double


@dataclass
class Seen:
    """What has been called: kernels and the types of the arrays that they were given."""

    types: set = field(default_factory=set)
    plain: dict = field(default_factory=dict)

    @property
    def names(self):
        return {name for name, _ in self.types}


def copied(given):
    if isinstance(given, np.ndarray):
        return np.array(given, order="C")
    if isinstance(given, tuple):
        parts = [copied(one) for one in given]
        return type(given)(*parts) if hasattr(given, "_fields") else tuple(parts)
    return given


def bits(given):
    """What must be equal: the very bits of numbers, so that -0.0 is not 0.0; but one NaN is as good as another."""
    if isinstance(given, np.ndarray):
        if given.dtype.kind == "f":
            given = np.where(np.isnan(given), np.array(np.nan, dtype=given.dtype), given)
        return given.dtype.str, given.shape, given.tobytes()
    if isinstance(given, tuple | list):
        return [bits(one) for one in given]
    if isinstance(given, float | np.floating):
        return np.float64(np.nan if np.isnan(given) else given).tobytes()
    return given if given is None else int(given)


def difference(given, other):
    """Where two arrays of a call differ, for whoever reads a failure."""
    for i, (one, two) in enumerate(zip(given, other, strict=True)):
        if isinstance(one, np.ndarray) and bits(one) != bits(two):
            at = np.flatnonzero(one != two)[:5]
            return f": argument {i} at {at}: {one.ravel()[at]!r}, not {two.ravel()[at]!r}"
    return ""


def size(given):
    if isinstance(given, np.ndarray):
        return given.size
    return sum(size(one) for one in given) if isinstance(given, tuple) else 1


def types_of(given):
    """The types of all arrays, in order: by these the signatures of a kernel differ."""
    if isinstance(given, np.ndarray):
        return (given.dtype.name,)
    return sum((types_of(one) for one in given), ()) if isinstance(given, tuple | list) else ()


def row_of(example, columns):
    """The row that the extension module reads from a dict."""
    if any(name not in columns for name in example):
        return None
    indices = np.array([columns[name] for name in example], dtype=np.uint32)
    return indices, np.array([float(value) for value in example.values()])


class Single(np.ndarray):
    """Numbers of four bytes with which one calculates in eight, as compiled code does; NumPy would stay with four."""

    def __getitem__(self, at):
        found = super().__getitem__(at)
        return np.float64(found) if isinstance(found, np.float32) else found


def as_compiled(given):
    """Numbers that overflow, and are divided by 0, as in compiled code."""
    if isinstance(given, np.ndarray) and given.dtype == np.float32:
        return given.view(Single)
    if isinstance(given, bool):
        return np.bool_(given)
    if isinstance(given, int):
        return np.int64(given)
    return np.float64(given) if isinstance(given, float) else given


def in_plain_python(kernel, given):
    """Call the function as Python has it, and all kernels that it calls."""
    with (
        patch.object(Kernel, "__call__", lambda self, *given: self.py_func(*map(as_compiled, given))),
        patch("littlestone.engine.intrinsics.Instruction.__call__", plain_instruction, create=True),
        patch.object(np, "exp", lambda x: np.float64(math.exp(x) if x < 709.0 else np.inf)),  # NumPy has its own
        patch.object(np, "log1p", lambda x: np.float64(math.log1p(x))),
        patch.object(math, "lgamma", LGAMMA),  # Python has its own
        np.errstate(all="ignore"),
    ):
        return kernel.py_func(*map(as_compiled, given))


class Two(ctypes.Structure):
    _fields_ = (("a", ctypes.c_double), ("b", ctypes.c_double))


def asked(address, takes, gives, given):
    """Call a compiled function by its address, as kernels do."""
    kind = ctypes.CFUNCTYPE(ctypes.c_double if gives == 1 else Two, *[ctypes.c_double] * takes)
    found = kind(int(address))(*map(float, given))
    return np.float64(found) if gives == 1 else (np.float64(found.a), np.float64(found.b))


def plain_instruction(self, *given):
    return asked(given[0], *self._given, given[1:]) if self._name == "asking" else self.plain(*given)


@contextmanager
def three_ways():
    """Check every call; yields what has been called."""
    seen = Seen()

    def call(self, *given):
        name = f"{self.py_func.__module__}.{self.py_func.__qualname__}"
        if self.ahead is None:
            return self.dispatcher(*given)
        of_dict = bool(given) and isinstance(given[0], dict)
        row = row_of(*given[:2]) if of_dict else ()
        others = given[2:] if of_dict else given
        trials = [copied(others) for _ in range(2)]
        rows = [] if row is None else [copied(row) for _ in range(2)]
        found = self.ahead(*given)
        assert found is not NotImplemented, (name, [type(one) for one in given])
        if row is None:
            assert found == -1
            return found
        types = types_of((*row, *others))
        seen.types.add((name, types))
        expected = self.dispatcher(*rows[0], *trials[0])
        assert bits(found) == bits(expected), f"{name}, by Numba"
        assert bits(others) == bits(trials[0]), f"{name}, by Numba{difference(others, trials[0])}"
        often = seen.plain.get((name, types), 0)
        most = MOST_ROOM if ".engine.text." in name else MOST_STEPS
        if often < OFTEN and size(others) <= most:
            slow = in_plain_python(self, (*rows[1], *trials[1]))
            seen.plain[name, types] = often + 1
            alike = np.allclose(slow, found, rtol=1e-12, atol=0.0) if name == SUMMED else bits(slow) == bits(found)
            assert alike, f"{name}, in plain Python: {slow}, not {found}"
            assert bits(others) == bits(trials[1]), f"{name}, in plain Python{difference(others, trials[1])}"
        return found

    with patch.object(Kernel, "__call__", call):
        yield seen


def exported():
    """The names of all kernels in the module."""
    return {name for name in dir(ahead.native) if name.startswith("littlestone.")}
