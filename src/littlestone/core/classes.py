"""Labels where there may be many: each gets the next number when it is first seen, and new ones may always come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidLabel
from littlestone.core.labels import plain
from littlestone.core.messages import repeated
from littlestone.core.vocabulary import Vocabulary

__all__ = ["Classes"]

Codes = NDArray[np.int32]


@dataclass(frozen=True)
class Classes:
    """The labels in the order in which they were first seen; never changed, only replaced."""

    all: tuple[Any, ...] = ()
    codes: Mapping[Any, int] = field(default_factory=dict)

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
            if not isinstance(label, bool | int | float | str) or label != label:  # noqa: PLR0124 - nan is not itself
                raise InvalidLabel(f"labels: expected bool, int, float or str, got {label!r}")
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
        told = [plain(label) for label in labels]
        sound = cls().with_more(told)
        if len(sound) < len(told):
            raise InvalidLabel(f"labels: expected each class once, got {repeated(told)} twice")
        return (before or cls()).with_more(told)

    @classmethod
    def encode(cls, y: Any, labels: Classes | None, rows: int) -> tuple[Codes, Classes | None]:
        """Return the number of each row's class, and the classes as they are now known; nothing is changed."""
        y = np.asarray(y)
        if y.ndim != 1 or len(y) != rows:
            raise InvalidLabel(f"y: expected one label a row ({rows}), got an array of shape {y.shape}")
        if rows == 0:
            return np.zeros(0, dtype=np.int32), labels
        if y.dtype.kind not in "biufUO":
            raise InvalidLabel(f"y: expected labels that are bool, int, float or str, got an array of {y.dtype}")
        if y.dtype.kind == "f" and np.isnan(y).any():
            raise InvalidLabel(f"y: expected a label in row {int(np.flatnonzero(np.isnan(y))[0])}, got nan")
        known = labels or cls()
        if y.dtype.kind == "O":
            told = [plain(label) for label in y.tolist()]
            try:
                known = known.with_more(told)
            except TypeError:
                raise InvalidLabel("y: expected labels that are bool, int, float or str, got something else") from None
            return np.fromiter((known.codes[label] for label in told), np.int32, rows), known
        distinct, first, inverse = np.unique(y, return_index=True, return_inverse=True)
        return _in_order([plain(label) for label in distinct], first, inverse, known)

    @classmethod
    def recoded(
        cls, outcomes: Any, stream: tuple[Any, ...], labels: Classes | None, rows: int
    ) -> tuple[Codes, Classes | None]:
        """Return a block's outcomes (positions in the stream's labels) as numbers of the learner's classes."""
        codes = np.asarray(outcomes)
        if codes.shape != (rows,) or codes.dtype.kind not in "iub":
            raise InvalidLabel(f"outcomes: expected a whole number a row ({rows}), got {codes.dtype} of {codes.shape}")
        if rows == 0:
            return np.zeros(0, dtype=np.int32), labels
        if not 0 <= codes.min() <= codes.max() < len(stream):
            row = int(np.flatnonzero((codes < 0) | (codes >= len(stream)))[0])
            raise InvalidLabel(f"outcomes: row {row}: expected a position among {len(stream)} labels, got {codes[row]}")
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
