"""What a live source brings: examples, labels that come later, and what is neither."""

from __future__ import annotations

import json
from collections.abc import Hashable
from typing import Any, NamedTuple

from littlestone.core.messages import Message

__all__ = ["NO_LABEL", "At", "Bad", "Example", "Late", "key_of"]


class _Without:
    """Stands where an example has no label."""

    def __repr__(self) -> str:
        return "no label"


NO_LABEL: Any = _Without()


class Example(NamedTuple):
    """A row to be predicted, under its id; ``x`` is a line, a dict or whatever else a model takes.

    With a label it is learned at once. ``weight`` is how much it counts, where that stands apart from the row.
    """

    line: int
    id: Hashable
    x: Any
    label: Any = NO_LABEL
    weight: float | None = None


class Late(NamedTuple):
    """The label of an example that came before."""

    line: int
    id: Hashable
    label: Any


class Bad(NamedTuple):
    """A line that is none of these, and what is wrong with it."""

    line: int
    problem: Message


class At(NamedTuple):
    """An item of a queue with its mark there: an offset, or an entry's id, which is saved with the model.

    After a stop whoever reads the queue goes on behind the mark that the model knows. It is a text, a number, or a list
    or dict of these.

    >>> import littlestone as ls
    >>> model = ls.Model.train([{"sky": "grey", "rain": 1}, {"sky": "blue", "rain": 0}] * 20, label="rain")
    >>> source = [ls.following.At(17, ({"sky": "blue"}, 0)), ls.following.At(18, ({"sky": "grey"}, 1))]
    >>> events = list(ls.follow(model, source))
    >>> ls.following.last_mark(model)
    18
    """

    mark: Any
    item: Any


def key_of(id: Hashable) -> str:  # noqa: A002 - the word for it
    """Return an id as a text: one format says 17 where another one says "17".

    >>> key_of(17), key_of("17"), key_of(None), key_of(("a", 1))
    ('17', '17', 'null', "('a', 1)")
    """
    if isinstance(id, str):
        return id
    return json.dumps(id) if id is None or isinstance(id, bool | int | float) else str(id)
