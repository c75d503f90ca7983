"""Two labels, one of them positive: known at sight, or told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Codes, State
from littlestone.core.errors import InvalidLabel
from littlestone.core.messages import Blank, Remedy

__all__ = ["BOTH", "Coding", "Labels", "all_labels", "plain"]

BOTH = Blank("(negative, positive)")  # labels, as a remedy asks for them
REMEDY = (
    "for more than two labels take Auto(), WinnerTakesAll() or MulticlassPerceptron() (-l auto, winner-takes-all or "
    "multiclass-perceptron)"
)
OUTCOMES = (np.zeros(1, dtype=np.uint8), np.ones(1, dtype=np.uint8))


class Coding(Protocol):
    """What makes outcomes of labels: two of them, or any number of classes. Nothing changes; what is new is returned.

    Made without arguments, it knows no labels yet.
    """

    @property
    def all(self) -> tuple[Any, ...]:
        """The labels, in the order of their codes."""

    def decode(self, predictions: NDArray[Any]) -> NDArray[Any]:
        """Return predictions in the caller's labels."""

    def label(self, prediction: int) -> Any:
        """Return one prediction in the caller's labels."""

    def state(self) -> State:
        """Return the labels as arrays."""

    @classmethod
    def given(cls, labels: Any, before: Any = None) -> Self:
        """Return the labels that a user has named; ``before``: those that were known."""

    @classmethod
    def encode(cls, y: Any, labels: Any, rows: int) -> tuple[NDArray[Any], Self | None]:
        """Return the outcomes as codes, and the labels as they are now known."""

    @classmethod
    def recoded(
        cls, outcomes: Any, stream: tuple[Any, ...], labels: Any, rows: int
    ) -> tuple[NDArray[Any], Self | None]:
        """Return a block's outcomes (positions in the stream's labels) as codes of the learner's."""

    @classmethod
    def one(cls, y: Any, labels: Any) -> tuple[NDArray[Any], Self]:
        """Return the outcome of one example, as an array, and the labels as they are now known."""

    @classmethod
    def from_state(cls, state: Mapping[str, NDArray[Any]]) -> Self:
        """Return the labels that `state` wrote down."""


@dataclass(frozen=True)
class Labels:
    """The negative and the positive label; ``settled`` is False while only a 1 has been seen (0 or -1 may follow)."""

    negative: Any = 0
    positive: Any = 1
    settled: bool = False

    def decode(self, predictions: Codes) -> NDArray[Any]:
        """Return 0/1 predictions in the caller's labels."""
        if self.negative is False and self.positive is True:
            return predictions.astype(np.bool_)
        return np.array([self.negative, self.positive])[predictions]

    def label(self, prediction: int) -> Any:
        """Return one 0/1 prediction in the caller's labels."""
        return self.positive if prediction else self.negative

    def code(self, y: Any) -> int:
        """Return 1 for the positive label, 0 for the negative one, and -1 where there is more to find out."""
        if self.settled:
            if y == self.positive:
                return 1
            if y == self.negative:
                return 0
        return -1

    @property
    def all(self) -> tuple[Any, ...]:
        """The negative and the positive label."""
        return (self.negative, self.positive)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the labels as arrays; an array of numbers would make 1.0 of a 1 that is told beside a 2.5."""
        mixed = len({*map(type, self.all)}) > 1
        return {"labels": np.array(self.all, dtype=object if mixed else None), "settled": np.array(self.settled)}

    @classmethod
    def given(cls, labels: Any, before: Labels | None = None) -> Labels:
        """Return the labels that a user has named as (negative, positive); ``before``: those that were known."""
        if not isinstance(labels, tuple | list | np.ndarray) or len(labels) != 2:
            raise InvalidLabel(f"labels: expected (negative, positive), got {labels!r}; {REMEDY}")
        negative, positive = (_sound(plain(label)) for label in labels)
        if negative == positive or isinstance(negative, str) != isinstance(positive, str):
            raise InvalidLabel(f"labels: expected two different labels of one kind, got {negative!r} and {positive!r}")
        told = cls(negative, positive, settled=True)
        if before is not None and told != before and (before.settled or positive != 1):
            raise InvalidLabel(f"labels: they are {before.negative!r} and {before.positive!r} already, got {labels!r}")
        return told

    @classmethod
    def encode(cls, y: Any, labels: Labels | None, rows: int) -> tuple[Codes, Labels | None]:
        """Return the outcomes as 0/1 and the labels as they are now known; nothing is changed."""
        y = np.asarray(y)
        if y.ndim != 1 or len(y) != rows:
            raise InvalidLabel(f"y: expected one label a row ({rows}), got an array of shape {y.shape}")
        if rows == 0:
            return np.zeros(0, dtype=np.uint8), labels
        if y.dtype.kind == "f" and np.isnan(y).any():
            raise InvalidLabel(f"y: expected a label in row {int(np.flatnonzero(np.isnan(y))[0])}, got nan")
        now = _after(y, labels)
        codes = np.asarray(y == now.positive)
        strange = ~(codes | np.asarray(y == now.negative))
        if strange.any():
            row = int(np.flatnonzero(strange)[0])
            got = plain(y[row])
            raise InvalidLabel(
                f"y: row {row}: expected {now.negative!r} or {now.positive!r}, got a third label {got!r}; {REMEDY}"
            )
        return codes.astype(np.uint8), now

    @classmethod
    def recoded(cls, outcomes: Any, stream: tuple[Any, ...], labels: Labels | None, rows: int) -> tuple[Codes, Labels]:
        """Return a block's outcomes (positions in the stream's labels) as 0/1 of the learner's."""
        if len(stream) > 2:
            raise InvalidLabel(f"labels: expected two, got {len(stream)}: {', '.join(map(repr, stream[:5]))}; {REMEDY}")
        told = cls(*_one_kind(*cls.given(stream).all), settled=True)
        codes = np.asarray(outcomes)
        if codes.shape != (rows,) or codes.dtype.kind not in "iub":
            raise InvalidLabel(
                f"outcomes: expected a 0 or 1 for each of {rows} rows, got {codes.dtype} of {codes.shape}"
            )
        if len(codes) and (codes.min() < 0 or codes.max() > 1):
            row = int(np.flatnonzero((codes < 0) | (codes > 1))[0])
            raise InvalidLabel(f"outcomes: row {row}: expected 0 or 1, a position in {stream}, got {codes[row]}")
        if labels is None or (labels.negative, labels.positive) == (told.negative, told.positive):
            return codes.astype(np.uint8), _like(told, labels)
        again, now = cls.encode(np.array([told.negative, told.positive])[codes.astype(np.intp)], labels, rows)
        return again, now or told

    @classmethod
    def one(cls, y: Any, labels: Labels | None) -> tuple[Codes, Labels]:
        """Return the outcome of one example, as an array, and the labels as they are now known."""
        if labels is not None and labels.settled and y in (labels.negative, labels.positive):
            return OUTCOMES[int(y == labels.positive)], labels
        codes, found = cls.encode(np.array([y]), labels, 1)
        return codes, found or cls()

    @classmethod
    def from_state(cls, state: Mapping[str, NDArray[Any]]) -> Labels:
        """Return the labels that `Labels.state` wrote down."""
        negative, positive = state["labels"].tolist()
        return Labels(negative, positive, settled=bool(state["settled"]))


def all_labels(y: NDArray[Any]) -> tuple[Any, ...]:
    """Return all labels of a whole stream, the negative one first; a label known at sight brings its other."""
    if y.dtype.kind == "b":
        return (False, True)
    seen = _seen(y)
    try:
        ordered = sorted(seen)
    except TypeError:
        raise _mixed(seen) from None
    if len(seen) > 2:
        return tuple(ordered)
    found = _after(y, None) if seen else Labels()
    return (found.negative, found.positive)


def plain(label: Any) -> Any:
    """Return a NumPy scalar as the Python object it stands for."""
    return label.item() if isinstance(label, np.generic) else label


def _after(y: NDArray[Any], labels: Labels | None) -> Labels:
    """Return the labels as they are known once ``y`` has been seen."""
    if labels is not None and labels.settled:
        return labels
    if y.dtype.kind == "b":
        return Labels(False, True, settled=True)
    seen = _seen(y)
    if labels is not None:  # all that it has seen is the positive label 1
        others = sorted(map(repr, seen - {0, 1, -1}))
        if others or seen >= {0, -1}:
            got = others[0] if others else "-1 and 0"
            raise InvalidLabel(f"y: expected 1 and one of 0 and -1, for it has learned 1, got {got}; {REMEDY}")
        seen.add(labels.positive)
        if isinstance(labels.positive, float):
            seen = {float(label) for label in seen}
    if len(seen) > 2:
        listed = ", ".join(sorted(map(repr, seen))[:5])
        raise InvalidLabel(f"y: expected two labels, got {len(seen)}: {listed}; {REMEDY}")
    return _single(seen.pop()) if len(seen) == 1 else _pair(seen)


def _seen(y: NDArray[Any]) -> set[Any]:
    """Return the different labels in ``y``, as Python's own; refuse what can be none."""
    if y.dtype.kind in "OUS":
        try:
            return {_sound(plain(label)) for label in set(y.tolist())}
        except TypeError:
            raise InvalidLabel("y: expected labels that are bool, int, float or str, got something else") from None
    if y.dtype.kind not in "iuf":
        raise InvalidLabel(f"y: expected labels that are bool, int, float or str, got an array of {y.dtype}")
    if len(y) == 0:
        return set()
    least, most = y.min(), y.max()  # most often these are all, and nothing has to be sorted
    between = y[(y != least) & (y != most)]
    return {least.item(), most.item(), *np.unique(between).tolist()}


def _sound(label: Any) -> Any:
    if not isinstance(label, bool | int | float | str) or label != label:  # noqa: PLR0124 - nan is not itself
        raise InvalidLabel(f"labels: expected bool, int, float or str, got {label!r}")
    return label


def _pair(seen: set[Any]) -> Labels:
    try:
        negative, positive = sorted(seen)
    except TypeError:
        raise _mixed(seen) from None
    return Labels(*_one_kind(negative, positive), settled=True)


def _one_kind(negative: Any, positive: Any) -> tuple[Any, Any]:
    """Return two labels as numbers of one kind, as an array has them: floats where one is a float, else ints."""
    kinds = {type(negative), type(positive)}
    if len(kinds) == 1 or str in kinds:
        return negative, positive
    kind = float if float in kinds else int
    try:
        return kind(negative), kind(positive)
    except OverflowError:  # no float is so large
        return negative, positive


def _like(told: Labels, before: Labels | None) -> Labels:
    """Return labels that a stream brings, as floats if they were floats before; two kinds were somebody's wish."""
    kinds = set() if before is None else {*map(type, before.all)}
    if before is not None and len(kinds) == 2:
        return before
    return Labels(float(told.negative), float(told.positive), settled=True) if kinds == {float} else told


def _mixed(seen: set[Any]) -> InvalidLabel:
    listed = ", ".join(sorted(map(repr, seen))[:5])
    return InvalidLabel(f"y: expected labels of one kind, got {listed}; make them all numbers or all strings")


def _single(label: Any) -> Labels:
    """Return the pair that a label known at sight belongs to."""
    if isinstance(label, bool):
        return Labels(False, True, settled=True)
    if label not in (0, 1, -1):
        raise InvalidLabel(
            f"y: the only label so far is {label!r}, and the other one is not known",
            Remedy("give both in the first call, or begin({labels})", typed="say {labels}", labels=BOTH),
        )
    kind = type(label)
    return Labels(kind(-1 if label == -1 else 0), kind(1), settled=label != 1)
