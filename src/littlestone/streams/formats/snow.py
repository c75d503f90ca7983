"""SNoW's examples as streams: lists of ids, some of which are the labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.block import LARGEST_INDEX
from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import Blank, Message, Remedy, repeated, shown
from littlestone.streams.formats.lines import Example, LineStream, Wrong
from littlestone.streams.formats.outcomes import CLASSIFICATION, REGRESSION, check_task
from littlestone.streams.formats.reading_rules import listed, sound
from littlestone.streams.formats.scanned import Pass

__all__ = ["SnowStream"]

# What is taken is not given back (*+, ++): a line that does not fit is refused in linear time.
_item = re.compile(r"\s*+(\d++)\s*+(?:\(([^()]*+)\)\s*+)?+", re.ASCII).fullmatch
_plain = re.compile(r" *+\d{1,10}+ *+(?:, *+\d{1,10}+ *+)*+:", re.ASCII).fullmatch
_number = re.compile(r"\s*+[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?\s*+", re.ASCII).fullmatch


class SnowStream(LineStream):
    r"""Examples in SNoW's format: ``7(1.5), 5, 13:`` are attributes 5, 7 and 13, of which 7 has the strength 1.5.

    An example is a line of ids with commas between them and a colon at its end; a strength that is not given is 1.
    Targets are ids among the others. An id is its attribute's column.

    Parameters
    ----------
    source : path, "-" for stdin, or a binary file
    targets : ids
        Two or more: the labels, the negative one first, of which each example has exactly one. One: the label is 1
        where it is active, and 0 where it is not.
    unlabelled : bool
        True: examples may lack a target; if they have one, it is left out.
    on_error : "raise" or "skip"
    task : "classification", or "auto", which is the same here: labels are ids, and no numbers

    Example
    -------
    >>> import io
    >>> stream = SnowStream(io.BytesIO(b"1, 7(1.5), 5:\n0, 5:\n"))
    >>> stream.labels, stream.n_attributes, next(stream.blocks()).values.tolist()
    ((0, 1), 8, [1.0, 1.5, 1.0])

    Reference
    ---------
    Carlson, Cumby, Rosen and Roth, "The SNoW learning architecture", UIUCDCS-R-99-2101, 1999.
    """

    _numbered = True

    def __init__(
        self, source: Any, *, targets: Sequence[int] = (0, 1), unlabelled: bool = False, on_error: str = "raise",
        task: str = CLASSIFICATION,
    ) -> None:  # fmt: skip
        if check_task("SnowStream", task, None) == REGRESSION:
            raise InvalidParameter(
                "SnowStream: task: expected 'classification', got 'regression': a target in SNoW's format is an id "
                "that is on, and no number; write the examples as JSON lines, svmlight or VW text"
            )
        known = [targets] if isinstance(targets, int) else list(targets)
        ids = [target for target in known if isinstance(target, int) and not isinstance(target, bool) and target >= 0]
        if not known or len(set(ids)) < len(known):
            raise InvalidParameter(
                f"SnowStream: targets must be different ids, whole numbers >= 0, got {shown(targets)}"
            )
        self._targets = dict.fromkeys(known)
        labels = tuple(known) if len(known) > 1 else (0, 1)
        super().__init__(source, labels=labels, unlabelled=unlabelled, on_error=on_error)

    def read_as(self) -> dict[str, Any]:
        """Return the targets."""
        return {"format": "snow", "targets": list(self._targets)}

    def _example(self, line: str) -> Example:
        text = line.strip()
        if not text.endswith(":"):
            raise Wrong(f"expected ids with commas between them and a colon at the end, got {_tail(text)}")
        if _plain(text):
            numbers = list(map(int, text[:-1].split(",")))
            if max(numbers) <= LARGEST_INDEX:
                targets = [number for number in numbers if number in self._targets]
                return self._made([number for number in numbers if number not in self._targets], [], targets)
        ids: list[int] = []
        values: list[float] = []
        targets = []
        for part in text[:-1].split(",") if text != ":" else []:
            found = _item(part)
            if found is None:
                raise Wrong(f"expected an id or id(strength), got {part.strip()[:40]!r}")
            number, strength = _id(found[1]), 1.0 if found[2] is None else _strength(found[2])
            if number in self._targets:  # its strength means nothing
                targets.append(number)
                continue
            ids.append(number)
            values.append(strength)
        return self._made(ids, values, targets)

    def _made(self, ids: list[int], values: list[float], targets: list[int]) -> Example:
        for several in (ids, targets):
            if len(set(several)) < len(several):
                raise Wrong(f"expected each id once, got {repeated(several)} twice")
        return Example(ids, None if values.count(1.0) == len(values) else values, self._labelled(targets))

    def _labelled(self, targets: list[int]) -> Any:
        if not self.labelled:
            return None
        if len(self._targets) == 1:
            return len(set(targets))
        if len(set(targets)) != 1:
            got = f"{len(set(targets))}: {listed(sorted(set(targets)))}" if targets else "none"
            remedy = Remedy("say {targets}", targets=Blank())
            raise Wrong(Message(f"expected exactly one target of {list(self._targets)[:8]}, got {got}", remedy))
        return targets[0]

    def _columns(self, names: list[Any], reading: Pass) -> NDArray[np.int64]:
        columns = np.array(names, dtype=np.int64)
        if len(columns):
            reading.largest = max(reading.largest, int(columns.max()))
        return columns


def _id(text: str) -> int:
    number = int(text) if len(text) <= 10 else LARGEST_INDEX + 1
    if number > LARGEST_INDEX:
        raise Wrong(f"expected an id of at most {LARGEST_INDEX}, got {text[:40]}")
    return number


def _strength(text: str) -> float:
    if not _number(text) or not sound(float(text)):
        raise Wrong(f"expected a strength, a number of at most 1e100, got {text.strip()[:40]!r}")
    return float(text)


def _tail(text: str) -> str:
    return repr(text) if len(text) <= 40 else f"a line that ends in {text[-20:]!r}"
