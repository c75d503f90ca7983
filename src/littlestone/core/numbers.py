"""Numbers as outcomes: what `Labels` is to classifiers, for learners that predict numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats
from littlestone.core.block import LARGEST_VALUE
from littlestone.core.errors import InvalidLabel
from littlestone.core.messages import shown

__all__ = ["Numbers", "numbers"]

TEXT = "for labels that are no numbers take a classifier, such as Auto() (-l auto)"


def numbers(y: Any, rows: int | None = None, what: str = "y") -> Floats:
    """Return outcomes as floats, one a row; refuse texts, and what is not finite.

    >>> numbers([1, 2.5]).tolist()
    [1.0, 2.5]
    """
    given = np.asarray(y)
    if given.ndim != 1 or (rows is not None and len(given) != rows):
        raise InvalidLabel(f"{what}: expected one number a row ({rows}), got an array of shape {given.shape}")
    if given.dtype.kind in "US" and isinstance(y, list | tuple):  # of numbers beside texts NumPy makes texts
        given = np.empty(len(y), dtype=object)
        given[:] = y
    if given.dtype.kind not in "biuf":
        given = _from_objects(given, what)
    found: Floats = np.ascontiguousarray(given, dtype=np.float64)
    bad = ~(np.abs(found) <= LARGEST_VALUE)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        expected = "a number of at most 1e100" if np.isfinite(found[row]) else "a finite number"
        raise InvalidLabel(
            f"{what}: row {row}: expected {expected}, got {found[row]}; drop, fill or scale such outcomes"
        )
    return found


def _from_objects(given: NDArray[Any], what: str) -> NDArray[Any]:
    """Return an array of numbers that has lost its type; name the first that is none."""
    found = np.empty(len(given))
    for row, one in enumerate(given.tolist()):
        if not isinstance(one, int | float | np.integer | np.floating | np.bool_):
            raise InvalidLabel(f"{what}: row {row}: expected a number, got {shown(one)}; {TEXT}")
        try:
            found[row] = one
        except OverflowError:
            raise InvalidLabel(f"{what}: row {row}: expected a number of at most 1e100, got {shown(one)}") from None
    return found


@dataclass(frozen=True)
class Numbers:
    """The coding of a learner that predicts numbers: outcomes and predictions are what they are."""

    settled: ClassVar[bool] = True
    dtype: ClassVar[Any] = np.float64  # of codes
    all: ClassVar[tuple[()]] = ()

    def decode(self, predictions: NDArray[Any]) -> NDArray[Any]:
        """Return predictions as they are."""
        return predictions

    def label(self, prediction: float) -> float:
        """Return one prediction as it is."""
        return float(prediction)

    def code(self, y: Any) -> int:
        """Return -1: no number stands for another one."""
        del y
        return -1

    def state(self) -> dict[str, NDArray[Any]]:
        """Return nothing: there is nothing to know."""
        return {}

    @classmethod
    def given(cls, labels: Any, before: Numbers | None = None) -> Numbers:
        """Return the coding; refuse labels that a user names."""
        del before
        if isinstance(labels, tuple | list) and len(labels) == 0:
            return cls()
        raise InvalidLabel(f"labels: expected none, for a regressor predicts numbers, got {shown(labels)}")

    @classmethod
    def encode(cls, y: Any, labels: Numbers | None, rows: int) -> tuple[Floats, Numbers]:
        """Return the outcomes as floats."""
        return numbers(y, rows), labels or cls()

    @classmethod
    def recoded(
        cls, outcomes: Any, stream: tuple[Any, ...], labels: Numbers | None, rows: int
    ) -> tuple[Floats, Numbers]:
        """Return a block's outcomes as numbers: those of a stream with labels stand in the stream's labels."""
        codes = np.asarray(outcomes)
        if len(stream) == 0:
            return numbers(codes, rows, "outcomes"), labels or cls()
        odd = next((label for label in stream if not isinstance(label, bool | int | float | np.number)), None)
        if odd is not None:
            raise InvalidLabel(f"labels: expected numbers as outcomes, got {odd!r}; {TEXT}")
        if rows and not 0 <= codes.min() <= codes.max() < len(stream):
            raise InvalidLabel(f"outcomes: expected positions among {len(stream)} labels, got {codes.min()}")
        return numbers(np.array(stream)[codes.astype(np.intp)], rows), labels or cls()

    @classmethod
    def one(cls, y: Any, labels: Numbers | None) -> tuple[Floats, Numbers]:
        """Return the outcome of one example, as an array."""
        if type(y) is float and abs(y) <= LARGEST_VALUE:
            return np.array([y]), labels or cls()
        given = np.empty(1, dtype=object)
        given[0] = y
        return numbers(given), labels or cls()

    @classmethod
    def from_state(cls, state: Mapping[str, NDArray[Any]]) -> Numbers:
        """Return the coding, which is always the same."""
        del state
        return cls()
