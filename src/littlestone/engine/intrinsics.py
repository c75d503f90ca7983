"""Instructions that Numba has no word for: what kernels call them by. How they are made is in `instructions`."""

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from littlestone.engine.ahead import is_plain
from littlestone.engine.compiling import PLAIN

__all__ = [
    "asking",
    "borrowed",
    "each",
    "four",
    "high",
    "if_positive",
    "over",
    "overlap",
    "plus",
    "popcount",
    "prefetch",
    "put_four",
    "root",
    "times",
]


class Instruction:
    """Stands for an intrinsic of Numba's in a kernel's text; Numba is imported when that kernel is compiled.

    ``plain`` does the same in plain Python.
    """

    def __init__(self, name: str, plain: Callable[..., Any], *given: int) -> None:
        self._name, self.plain, self._given = name, plain, given

    @cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        made = getattr(import_module("littlestone.engine.instructions"), self._name)
        found = intrinsic(made(*self._given) if self._given else made)
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(found)


def asking(takes: int, gives: int) -> Any:
    """Return what calls an `Addressed` function of so many floats: one engine serves every link, and every rule."""
    return _known("asking", lambda address, *given: PLAIN[address](*given), takes, gives)


def _known(name: str, plain: Callable[..., Any], *given: int) -> Any:
    """Return the instruction, or what stands for it where compiling is switched off."""
    return plain if is_plain() else Instruction(name, plain, *given)


def _plain_popcount(word: Any) -> Any:
    return np.uint64(np.bitwise_count(word))


def _plain_overlap(words: Any, tile: Any, row: Any, out: Any) -> None:
    out[:] = np.bitwise_count(words[tile] & row[:, np.newaxis]).sum(axis=0)


def _plain_put_four(array: Any, at: Any, numbers: Any) -> None:
    array.reshape(-1)[int(at) : int(at) + 4] = numbers


def _plain_high(a: Any, b: Any) -> Any:
    return np.uint64(int(a) * int(b) >> 64)


high = _known("high", _plain_high)
prefetch = _known("prefetch", lambda _array, _index: None)
borrowed = _known("borrowed", lambda arrays: arrays)
popcount = _known("popcount", _plain_popcount)
overlap = _known("overlap", _plain_overlap)

# Four floats at once
four = _known("four", lambda array, at: array.reshape(-1)[int(at) : int(at) + 4].copy())
put_four = _known("put_four", _plain_put_four)
each = _known("each", lambda x: np.full(4, x))
plus = _known("plus", np.add)
times = _known("times", np.multiply)
over = _known("over", np.divide)
root = _known("root", np.sqrt)
if_positive = _known("if_positive", lambda a, b: np.where(a > 0.0, b, 0.0))
