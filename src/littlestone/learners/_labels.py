"""Two labels, one of them positive: known at sight, or told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.errors import InvalidLabel

__all__ = ["Labels", "encode", "given", "pair_of", "recoded"]

Codes = NDArray[np.uint8]
REMEDY = "for more than two labels use WinnerTakesAll"


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


def given(labels: Any) -> Labels:
    """Return the labels that a user has named as (negative, positive)."""
    try:
        negative, positive = labels
    except (TypeError, ValueError):
        raise InvalidLabel(f"labels: expected (negative, positive), got {labels!r}; {REMEDY}") from None
    if negative == positive:
        raise InvalidLabel(f"labels: expected two different labels, got {negative!r} twice")
    return Labels(_plain(negative), _plain(positive), settled=True)


def encode(y: Any, labels: Labels | None, rows: int) -> tuple[Codes, Labels]:
    """Return the outcomes as 0/1 and the labels as they are now known; nothing is changed."""
    y = np.asarray(y)
    if y.ndim != 1 or len(y) != rows:
        raise InvalidLabel(f"y: expected one label a row ({rows}), got an array of shape {y.shape}")
    if rows == 0:
        return np.zeros(0, dtype=np.uint8), labels or Labels()
    if y.dtype.kind == "f" and np.isnan(y).any():
        raise InvalidLabel(f"y: expected a label in row {int(np.flatnonzero(np.isnan(y))[0])}, got nan")
    now = _after(y, labels)
    codes = np.asarray(y == now.positive)
    strange = ~(codes | np.asarray(y == now.negative))
    if strange.any():
        row = int(np.flatnonzero(strange)[0])
        raise _third(now, _plain(y[row]), f"row {row}: ")
    return codes.astype(np.uint8), now


def pair_of(y: NDArray[Any]) -> tuple[Any, ...]:
    """Return all labels of a whole stream, the negative one first; a label known at sight brings its other."""
    if y.dtype.kind == "b":
        return (False, True)
    seen = np.unique(y).tolist()
    if len(seen) > 2:
        return tuple(seen)
    found = _after(y, None) if seen else Labels()
    return (found.negative, found.positive)


def recoded(outcomes: NDArray[np.int64], stream: tuple[Any, ...], labels: Labels | None) -> tuple[Codes, Labels]:
    """Return a block's outcomes (positions in the stream's labels) as 0/1 of the learner's."""
    if len(stream) > 2:
        raise InvalidLabel(f"labels: expected two, got {len(stream)}: {', '.join(map(repr, stream[:5]))}; {REMEDY}")
    if labels is None:
        return outcomes.astype(np.uint8), given(stream)
    return encode(np.array(stream)[outcomes], labels, len(outcomes))


def _after(y: NDArray[Any], labels: Labels | None) -> Labels:
    """Return the labels as they are known once ``y`` has been seen."""
    if labels is not None and labels.settled:
        return labels
    if y.dtype.kind == "b":
        return Labels(False, True, settled=True)
    seen = set(y.tolist()) if y.dtype.kind in "OUS" else {y.min().item(), y.max().item()}
    if labels is not None:
        seen.add(1)  # all that an unsettled learner has seen
    if len(seen) > 2:
        raise InvalidLabel(f"y: expected two labels, got {len(seen)}: {_listed(seen)}; {REMEDY}")
    return _pair(seen) if len(seen) == 2 else _single(seen.pop())


def _pair(seen: set[Any]) -> Labels:
    try:
        negative, positive = sorted(seen)
    except TypeError:
        raise InvalidLabel(
            f"y: expected two labels of one kind, got {_listed(seen)}; name them with labels=(negative, positive)"
        ) from None
    return Labels(_plain(negative), _plain(positive), settled=True)


def _single(label: Any) -> Labels:
    return Labels(*_known(label), settled=label != 1 or isinstance(label, bool))


def _known(label: Any) -> tuple[Any, Any]:
    """Return the pair that a label known at sight belongs to."""
    if isinstance(label, bool | np.bool_):
        return False, True
    if isinstance(label, int | float | np.number) and label in (0, 1, -1):
        kind = float if isinstance(label, float | np.floating) else int
        return (kind(-1), kind(1)) if label == -1 else (kind(0), kind(1))
    raise InvalidLabel(
        f"y: the only label so far is {label!r}, and the other one is not known; "
        "give both in the first call, or begin(labels=(negative, positive))"
    )


def _third(labels: Labels, label: Any, where: str = "") -> InvalidLabel:
    return InvalidLabel(
        f"y: {where}expected {labels.negative!r} or {labels.positive!r}, got a third label {label!r}; {REMEDY}"
    )


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def _listed(labels: set[Any]) -> str:
    return ", ".join(sorted(map(repr, labels))[:5])
