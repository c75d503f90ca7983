"""Measures: how much of what is asked is done at a time, and what is too much for a model."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any
from weakref import WeakKeyDictionary

from littlestone.core.messages import Message
from littlestone.learners import Learner
from littlestone.learners.register import command_name
from littlestone.models.following.events import Refused
from littlestone.models.following.examples import Bad, Example, key_of
from littlestone.models.following.policies import inside
from littlestone.models.following.rows import alone
from littlestone.service.models.served import Line, Served
from littlestone.service.options import Limits
from littlestone.service.problems import invalid
from littlestone.service.wire import Problem

__all__ = ["NewLabels", "at_once", "most_of_square", "rows_for", "rows_to_learn", "too_many_names", "too_slow"]

SQUARE = {"ellipsoid": 2000, "volumetric-center": 100}  # attributes of learners that have a matrix of them
FULL = 2000  # the same of those with a full covariance
MANY = 1 << 30

_SQUARES = WeakKeyDictionary[Served, int | None]()


def most_of_square(learner: Learner) -> int | None:
    """Return for how many attributes a learner that keeps a matrix of them can be served; None: it keeps none.

    >>> import littlestone as ls
    >>> most_of_square(ls.learners.AROW(covariance="full")), most_of_square(ls.Winnow())
    (2000, None)
    """
    full = FULL if learner.params().get("covariance") == "full" else None
    found = [SQUARE.get(command_name(type(learner)), full), *map(most_of_square, learner.inner.values())]
    return min((one for one in found if one is not None), default=None)


def at_once(served: Served, limits: Limits) -> int:
    """Return how many rows of a model are done between two signs of life."""
    slow = rows_to_learn(served, limits)
    return max(1, min(limits.at_once // max(1, len(served.model.labels)), slow if slow < limits.rows else MANY))


def rows_to_learn(served: Served, limits: Limits) -> int:
    """Return how many rows a request may teach: fewer, where a learner goes through a matrix for each row."""
    if (most := _square(served)) is None:
        return limits.rows
    learner = served.model.learner
    words = learner.vocabulary
    n = max(learner.n or 0, 0 if words is None else len(words), 1)
    return max(1, min(limits.rows, int(limits.slow_rows * (most / n) ** 2)))


def _square(served: Served) -> int | None:
    """Return what `most_of_square` says of a model; to ask its learner takes longer than to learn a row."""
    if served not in _SQUARES:
        _SQUARES[served] = most_of_square(served.model.learner)
    return _SQUARES[served]


def too_slow(served: Served, count: int, limits: Limits) -> Problem | None:
    """Return why a request teaches too many rows at a time: others wait for it."""
    most = rows_to_learn(served, limits)
    if count <= most:
        return None
    of = f"of {served.name}, whose learner keeps a matrix of its attributes"
    return invalid(f"rows: expected at most {most:,} in a request {of}, got {count:,}; send several requests", "rows")


def rows_for(served: Served, limits: Limits) -> int:
    """Return how many rows a request may have predicted: fewer, the more labels there are."""
    return min(limits.rows, max(1, limits.cells // max(1, len(served.model.labels))))


class NewLabels:
    """Counts the labels of a request that a model has not met; ``known`` are those that it has."""

    def __init__(self, known: AbstractSet[Any], limits: Limits) -> None:
        self._known, self._most = known, limits.new_labels
        self._new = set[Any]()

    def refusal(self, label: Any) -> str | None:
        """Return why a label is one too many, if it is."""
        if label is None or label in self._known or label in self._new:
            return None
        if len(self._new) >= self._most:
            return f"expected at most {self._most:,} labels in a request that are new, got more; send several requests"
        self._new.add(label)
        return None


def too_many_names(served: Served, lines: Sequence[Line], size: int, limits: Limits) -> dict[int, Refused]:
    """Return which lines, of so many bytes, would have a model meet too many names, each with why."""
    learner = served.model.learner
    if inside(learner).in_slots:
        return {}
    words = learner.vocabulary
    known: Any = () if words is None else words
    most = min(limits.names, _square(served) or limits.names)
    runs = 1 + int(served.model.reading.get("ngrams", 1))
    waits = any(not isinstance(line, Example) for line in lines)
    if not waits and len(known) + runs * size <= most:
        return {}
    met, found = set[Hashable](), dict[int, Refused]()
    for at, names in _names(served, lines):
        new = {name for name in names if not _is_known(known, name)} - met
        if new and len(known) + len(met) + len(new) > most:
            expected = f"expected a model that has met at most {most:,} names of attributes"
            problem = f"{expected}, got a row with {len(new):,} new ones; leave them out, or begin another model"
            found[at] = Refused(lines[at].line, Message(problem), "row")
        else:
            met |= new
    return found


def _is_known(known: Any, name: Hashable) -> bool:
    return bool(known) and name in known.columns


def _names(served: Served, lines: Sequence[Line]) -> Iterator[tuple[int, Sequence[Hashable]]]:
    """Yield the names, or places, that are on in each line which can be read."""
    follower = served.follower
    examples = [line._replace(line=at) for at, line in enumerate(lines) if isinstance(line, Example)]
    for part in follower.reader.read(examples):
        if not isinstance(part, Bad):
            for row, example in enumerate(part[0]):
                yield example.line, list(alone(part[1], row))
    for at, line in enumerate(lines):
        if not isinstance(line, Example) and (key := key_of(line.id)) in follower.waiting:
            yield at, list(follower.waiting.find(key).x)
