"""How the lines of a live source may be read: options that there are, and that leave a model's attributes alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import unknown_parameter
from littlestone.models.following.lines import IN_FILES
from littlestone.models.model import Model
from littlestone.models.recipe import MADE, ROLES, WORDS
from littlestone.streams.base import options_of

__all__ = ["check_reading"]


OF_ATTRIBUTES = (*MADE, *ROLES, *WORDS)


def check_reading(model: Model, reading: Mapping[str, Any]) -> None:
    """Refuse an option of reading that there is not, or that would make other attributes than the model's.

    >>> import littlestone as ls
    >>> model = ls.Model.train([[1, 0], [0, 1]] * 5, [1, 0] * 5)
    >>> check_reading(model, {"delimiter": ";"})
    >>> check_reading(model, {"hash_bits": 4})
    Traceback (most recent call last):
    ...
    littlestone.core.errors.InvalidParameter: follow: hash_bits: expected what the model reads with, None, got 4; leave
    it out, or train another model
    """
    known = {name for format in IN_FILES for name in options_of(format)} | {"pairs", "hash_bits"}  # noqa: A001
    known -= {"on_error", "unlabelled", "threads", "absent", "zeros", "closed", "odd"}  # nobody is asked for these
    for name, value in reading.items():
        if name not in known:
            raise unknown_parameter("follow", name, sorted(known))
        if name in OF_ATTRIBUTES and not _same(value, model.reading.get(name)):
            problem = f"follow: {name}: expected what the model reads with, {model.reading.get(name)!r}, got {value!r}"
            raise InvalidParameter(problem, "leave it out, or train another model")


def _same(one: Any, other: Any) -> bool:
    return (list(one) if isinstance(one, list | tuple) else one) == (
        list(other) if isinstance(other, list | tuple) else other
    )
