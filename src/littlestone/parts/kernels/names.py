"""Kernels by name, as they go on a command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.parts.kernels.conjunctions import Conjunctions
from littlestone.parts.kernels.kernel import Kernel
from littlestone.parts.kernels.real import Gaussian, Linear, Polynomial

__all__ = ["NAMES", "named"]

NAMES: dict[str, Callable[..., Kernel]] = {
    "conjunctions": lambda max_size=None: Conjunctions(max_size=max_size),
    "monotone": lambda max_size=None: Conjunctions(monotone=True, max_size=max_size),
    "linear": Linear,
    "polynomial": lambda degree=2: Polynomial(degree=degree),
    "gaussian": lambda gamma=1.0: Gaussian(gamma=gamma),
}


def named(name: str) -> Kernel:
    """Return the kernel that goes by a name, perhaps with a number after a colon.

    >>> named("monotone:2"), named("gaussian:0.5")
    (Conjunctions(monotone=True, max_size=2), Gaussian(gamma=0.5))
    """
    word, colon, number = name.partition(":")
    if word not in NAMES or (colon and word == "linear"):
        known = "conjunctions[:size], monotone[:size], linear, polynomial[:degree], gaussian[:gamma]"
        raise InvalidParameter(f"kernel: expected one of {known}, got {name!r}")
    if not colon:
        return NAMES[word]()
    told: Any
    try:
        told = float(number) if word == "gaussian" else int(number)
    except ValueError:
        raise InvalidParameter(f"kernel: expected a number after the colon, got {name!r}") from None
    return NAMES[word](told)
