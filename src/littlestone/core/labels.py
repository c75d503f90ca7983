"""Labels and their codes: two of them, known at sight or given, or any number of classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidLabel
from littlestone.core.messages import Blank, Remedy, repeated
from littlestone.core.vocabulary import Vocabulary

__all__ = ["BOTH", "Classes", "Labels", "all_labels", "distinct", "plain"]

BOTH = Blank("(negative, positive)")  # labels, as a remedy asks for them
REMEDY = (
    "for more than two labels take Auto(), WinnerTakesAll() or MulticlassPerceptron() (-l auto, winner-takes-all or "
    "multiclass-perceptron)"
)
NUMBERS = "for numbers take a regressor, such as GradientDescent() (-l gradient-descent)"
MANY = 20  # labels that are numbers: they may be no classes
EXPECTED = "y: expected labels that are bool, int, float or str, got"
OUTCOMES = (np.zeros(1, dtype=np.uint8), np.ones(1, dtype=np.uint8))
Codes = NDArray[Any]  # outcomes and predictions: 0 and 1, or the numbers of classes


# `Labels` and `Classes` have the same methods: learners use either. Nothing changes; what is new is returned.


@dataclass(frozen=True)
class Labels:
    """The negative and the positive label; ``settled`` is False while only a 1 has been seen (0 or -1 may follow)."""

    negative: Any = 0
    positive: Any = 1
    settled: bool = False
    dtype: ClassVar[Any] = np.uint8  # of codes

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
        """Return the labels as arrays; an array of numbers would make 1.0 of a 1 beside a 2.5."""
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
        now = cls(negative, positive, settled=True)
        if before is not None and now != before and (before.settled or positive != 1):
            raise InvalidLabel(f"labels: they are {before.negative!r} and {before.positive!r} already, got {labels!r}")
        return now

    @classmethod
    def encode(cls, y: Any, labels: Labels | None, rows: int) -> tuple[Codes, Labels | None]:
        """Return the outcomes as 0/1 and the labels as they are now known; nothing is changed."""
        y = _one_a_row(y, rows)
        if rows == 0:
            return np.zeros(0, dtype=np.uint8), labels
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
        if len(stream) == 0 and rows:
            raise InvalidLabel(f"labels: expected two, got outcomes that are numbers; {NUMBERS}")
        if len(stream) > 2:
            many = len(stream) > MANY and all(isinstance(label, int | float) for label in stream)
            remedy = f"{REMEDY}; {NUMBERS}" if many else REMEDY
            raise InvalidLabel(f"labels: expected two, got {len(stream)}: {', '.join(map(repr, stream[:5]))}; {remedy}")
        given = cls(*_one_kind(*cls.given(stream).all), settled=True)
        codes = _positions(outcomes, stream, rows)
        if labels is None or labels.all == given.all:
            return codes.astype(np.uint8), _like(given, labels)
        again, now = cls.encode(np.array(given.all)[codes.astype(np.intp)], labels, rows)
        return again, now or given

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


@dataclass(frozen=True)
class Classes:
    """The labels in the order in which they were first seen; never changed, only replaced."""

    all: tuple[Any, ...] = ()
    codes: Mapping[Any, int] = field(default_factory=dict)
    dtype: ClassVar[Any] = np.int32  # of codes

    def decode(self, predictions: Codes) -> NDArray[Any]:
        """Return predicted classes in the caller's labels; None where there was nothing to predict yet."""
        if len(predictions) and predictions.min() < 0:
            shown = np.empty(len(self.all) + 1, dtype=object)  # its last entry, None, is number -1
            shown[:-1] = self.all
            return shown[predictions]
        return np.array(self.all)[predictions] if len(predictions) else np.array(self.all)[:0]

    def label(self, prediction: int) -> Any:
        """Return one predicted class in the caller's labels."""
        return None if prediction < 0 else self.all[prediction]

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the labels as an array: as names are written down, with their types."""
        return {"labels": Vocabulary(self.all).state()}

    def with_more(self, labels: Iterable[Any]) -> Classes:
        """Return these classes and new ones; refuse what is no label, or of another kind than the others."""
        first, new = self.all[:1], dict[Any, int]()
        for label in labels:
            _sound(label)
            if first and _kind(first[0]) != _kind(label):  # before it is looked up, for True is equal to 1
                raise InvalidLabel(
                    f"labels: expected {_kind(first[0])} such as {first[0]!r}, as so far, got {label!r}; make "
                    "them all Booleans, all numbers or all strings"
                )
            if label not in self.codes and label not in new:
                new[label] = len(self.all) + len(new)
                first = first or (label,)
        return Classes((*self.all, *new), {**self.codes, **new}) if new else self

    def __len__(self) -> int:
        return len(self.all)

    @classmethod
    def given(cls, labels: Any, before: Classes | None = None) -> Classes:
        """Return the classes that a user has named, after those that were known; any others may still come."""
        if not isinstance(labels, tuple | list | np.ndarray) or len(labels) == 0:
            raise InvalidLabel(f"labels: expected the classes, such as ('red', 'green', 'blue'), got {labels!r}")
        named = [plain(label) for label in labels]
        if len(cls().with_more(named)) < len(named):
            raise InvalidLabel(f"labels: expected each class once, got {repeated(named)} twice")
        return (before or cls()).with_more(named)

    @classmethod
    def encode(cls, y: Any, labels: Classes | None, rows: int) -> tuple[Codes, Classes | None]:
        """Return the number of each row's class, and the classes as they are now known; nothing is changed."""
        y = _one_a_row(y, rows)
        if rows == 0:
            return np.zeros(0, dtype=np.int32), labels
        if y.dtype.kind not in "biufUO":
            raise InvalidLabel(f"{EXPECTED} an array of {y.dtype}")
        known = labels or cls()
        if y.dtype.kind == "O":
            each = [plain(label) for label in y.tolist()]
            try:
                known = known.with_more(each)
            except TypeError:
                raise InvalidLabel(f"{EXPECTED} something else") from None
            return np.fromiter((known.codes[label] for label in each), np.int32, rows), known
        distinct, first, inverse = np.unique(y, return_index=True, return_inverse=True)
        return _in_order([plain(label) for label in distinct], first, inverse, known)

    @classmethod
    def recoded(
        cls, outcomes: Any, stream: tuple[Any, ...], labels: Classes | None, rows: int
    ) -> tuple[Codes, Classes | None]:
        """Return a block's outcomes (positions in the stream's labels) as numbers of the learner's classes."""
        if len(stream) == 0 and rows:
            raise InvalidLabel(f"labels: expected classes, got outcomes that are numbers; {NUMBERS}")
        codes = _positions(outcomes, stream, rows)
        if rows == 0:
            return np.zeros(0, dtype=np.int32), labels
        distinct, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
        return _in_order([plain(stream[code]) for code in distinct.tolist()], first, inverse, labels or cls())

    @classmethod
    def one(cls, y: Any, labels: Classes | None) -> tuple[Codes, Classes]:
        """Return the class of one example, as an array, and the classes as they are now known."""
        label = plain(y)
        try:
            known = (labels or cls()).with_more((label,))
        except TypeError:
            raise InvalidLabel(f"y: expected a label that is a bool, int, float or str, got {y!r}") from None
        return np.array([known.codes[label]], dtype=np.int32), known

    @classmethod
    def from_state(cls, state: Mapping[str, NDArray[Any]]) -> Classes:
        """Return the classes that `Classes.state` wrote down."""
        return cls().with_more(Vocabulary.from_state(state["labels"]))


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
    return (_after(y, None) if seen else Labels()).all


def plain(label: Any) -> Any:
    """Return a NumPy scalar as the Python object it stands for."""
    return label.item() if isinstance(label, np.generic) else label


def _one_a_row(labels: Any, rows: int) -> NDArray[Any]:
    """Return labels as an array; refuse another number of them, and nan."""
    y: NDArray[Any] = np.asarray(labels)
    if y.ndim != 1 or len(y) != rows:
        raise InvalidLabel(f"y: expected one label a row ({rows}), got an array of shape {y.shape}")
    if y.dtype.kind == "f" and np.isnan(y).any():
        raise InvalidLabel(f"y: expected a label in row {int(np.flatnonzero(np.isnan(y))[0])}, got nan")
    return y


def _positions(outcomes: Any, stream: tuple[Any, ...], rows: int) -> NDArray[Any]:
    """Return the outcomes of a block as an array; refuse what is no position in the stream's labels."""
    codes = np.asarray(outcomes)
    if codes.shape != (rows,) or codes.dtype.kind not in "iub":
        raise InvalidLabel(f"outcomes: expected a whole number a row ({rows}), got {codes.dtype} of {codes.shape}")
    if rows and not 0 <= codes.min() <= codes.max() < len(stream):
        row = int(np.flatnonzero((codes < 0) | (codes >= len(stream)))[0])
        expected = f"0 {'or' if len(stream) == 2 else 'to'} {len(stream) - 1}, a position among {len(stream)} labels"
        raise InvalidLabel(f"outcomes: row {row}: expected {expected}, got {codes[row]}")
    return codes


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


def distinct(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return the different ones of some numbers, in order; there is no NaN among them.

    NumPy's `unique` imports its masked arrays, which takes longer than to read a small file.

    >>> distinct(np.array([3, 1, 3, 2, 1])).tolist()
    [1, 2, 3]
    """
    ordered = np.sort(numbers, axis=None)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def _seen(y: NDArray[Any]) -> set[Any]:
    """Return the different labels in ``y``, as Python's own; refuse what can be none."""
    if y.dtype.kind in "OUS":
        try:
            return {_sound(plain(label)) for label in set(y.tolist())}
        except TypeError:
            raise InvalidLabel(f"{EXPECTED} something else") from None
    if y.dtype.kind not in "iuf":
        raise InvalidLabel(f"{EXPECTED} an array of {y.dtype}")
    if len(y) == 0:
        return set()
    least, most = y.min(), y.max()  # most often these are all, and nothing has to be sorted
    between = y[(y != least) & (y != most)]
    return {least.item(), most.item(), *distinct(between).tolist()}


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


def _like(given: Labels, before: Labels | None) -> Labels:
    """Return labels that a stream brings, as floats if they were floats before; two kinds were somebody's wish."""
    kinds = set() if before is None else {*map(type, before.all)}
    if before is not None and len(kinds) == 2:
        return before
    return Labels(float(given.negative), float(given.positive), settled=True) if kinds == {float} else given


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


def _kind(label: Any) -> str:
    if isinstance(label, bool):
        return "Booleans"
    return "strings" if isinstance(label, str) else "numbers"


def _in_order(
    distinct: list[Any], first: NDArray[np.intp], inverse: NDArray[np.intp], known: Classes
) -> tuple[Codes, Classes]:
    """Number the labels that are new in the order in which rows have them first, whatever the order in a list."""
    known = known.with_more(distinct[at] for at in np.argsort(first).tolist())
    numbers = np.array([known.codes[label] for label in distinct], dtype=np.int32)
    return numbers[inverse], known
