"""What several commands do: start quickly, take interrupts, and read a model with how files are read for it."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from littlestone.learners import Learner
    from littlestone.models.model import Model

__all__ = ["Interrupts", "first_number", "interrupts", "is_binary", "model_of", "start"]


class _NoLinearAlgebra:
    """Finds no linear algebra, as long as it stands among the finders of modules."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
        """Say that the module is not there, if it is that one; leave all others to the other finders."""
        del path, target
        if fullname in {"scipy", "scipy.linalg", "scipy.linalg.cython_blas"}:
            raise ModuleNotFoundError(f"{fullname}: not needed yet", name=fullname)


def start() -> None:
    """Say on stderr what is compiled; where nothing was ahead of time, import Numba without SciPy's linear algebra.

    That takes a third of Numba's time, and no kernel here calls it. Numba asks for it when it is imported, only to know
    whether it is there, and does without; a kernel that multiplies matrices, say in somebody's own learner, imports it
    when it is compiled.
    """
    from littlestone.engine import ahead, compiling

    compiling.WORK.announce = _announce
    if ahead.native is not None or ahead.is_plain() or "numba.np.arraymath" in sys.modules:
        return
    finder = _NoLinearAlgebra()
    sys.meta_path.insert(0, finder)
    try:
        import numba.np.arraymath  # noqa: F401
    except ModuleNotFoundError:  # without Numba, whatever has to be compiled says so
        pass
    finally:
        sys.meta_path.remove(finder)


def _announce(name: str) -> None:
    print(f"compiling {name}, once", file=sys.stderr, flush=True)


def is_binary(learner: Learner) -> bool:
    """Tell whether a learner knows its two labels: of many classes, a new file may have others."""
    return bool(learner.labels) and not learner.many_classes


def first_number(reading: dict[str, Any], zero_based: bool | None) -> tuple[int, str]:
    """Return the number of a model's first attribute as its file counts, and whose count that is."""
    if reading.get("hash_bits") is not None:
        return 0, "columns of hashed names"
    if reading.get("format") == "svmlight" or zero_based is not None:
        zero = reading.get("zero_based", False) if zero_based is None else zero_based
        return 0 if zero else 1, "as in its file"
    return (0, "as in its file") if "format" in reading else (1, "as in svmlight files")


def model_of(path: str) -> tuple[Model, dict[str, Any]]:
    """Return the model in a file, and the options with which files are read for it."""
    from littlestone.models.saving import model_of as found_in

    model = found_in(path)
    reading = dict(model.reading)
    if is_binary(model.learner):
        reading["labels"] = model.learner.labels
    if model.scaling is not None:
        reading["zeros"] = True
    return model, reading


class Interrupts:
    """Which signal has come, if any; its exit code is 128 more, as shells have it (130 for Ctrl-C)."""

    came: int | None = None

    def __init__(self, end: Callable[[], None] = lambda: None) -> None:
        self._end = end  # of what is waited for

    @property
    def code(self) -> int:
        """The exit code."""
        return 0 if self.came is None else 128 + self.came

    def __call__(self, number: int, frame: Any) -> None:
        """Remember the first one, and wait no longer for a pipe; leave at the second."""
        del frame
        if self.came is not None:
            os._exit(128 + number)
        self.came = number
        self._end()


@contextmanager
def interrupts() -> Iterator[Interrupts]:
    """Take SIGINT and SIGTERM while something is under way; a pipe that is read then ends with its last whole line."""
    from littlestone.streams.sources.pieces import interruptible

    with interruptible() as end:
        found = Interrupts(end)
        numbers = (signal.SIGINT, signal.SIGTERM)
        try:
            before = [signal.signal(number, found) for number in numbers]
        except ValueError:  # not the main thread: nothing to take
            yield found
            return
        try:
            yield found
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)
