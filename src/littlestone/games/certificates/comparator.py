"""The comparator of a certificate: a disjunction by its attributes, or any weights."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidParameter
from littlestone.games.certificates.rules import MEASURED, Rules

__all__ = ["attributes_of", "disjunction", "weights_of"]


def attributes_of(comparator: Any, rules: Rules, names: Sequence[Hashable] | None) -> list[int] | None:
    """Return the positions of a disjunction's attributes; None: the comparator is a vector of weights."""
    told = getattr(comparator, "attributes", comparator)
    array = np.asarray(told) if isinstance(told, np.ndarray) else None
    if isinstance(told, tuple) and hasattr(told, "theta"):
        return None
    if array is not None and array.dtype.kind == "b":
        told = np.flatnonzero(array).tolist()
    elif array is not None and array.dtype.kind in "iu":
        told = array.ravel().tolist()
    elif array is not None or isinstance(told, str) or not isinstance(told, Iterable):
        return None
    places = {name: i for i, name in enumerate(names or ())}
    found = [places.get(one, one) for one in told]
    for one in found:
        if not isinstance(one, int | np.integer) or isinstance(one, bool) or not 0 <= one < rules.n:
            raise InvalidParameter(
                f"comparator: expected attributes by name or by position (0 to {rules.n - 1}), got {one!r}; "
                "weights are given as an array of floats"
            )
    if len(set(found)) < len(found):
        raise InvalidParameter("comparator: expected each attribute once; weights are given as an array of floats")
    return sorted(int(one) for one in found)


def disjunction(attributes: list[int], rules: Rules) -> Floats:
    """Return a disjunction as weights: 1 on its attributes, -1/2 on the constant coordinate of an additive learner."""
    u = np.zeros(rules.n + int(rules.bias))
    u[attributes] = 1.0
    if rules.algorithm in ("perceptron", "p-norm", *MEASURED):
        if not rules.bias:
            raise InvalidParameter(
                "comparator: without the constant coordinate a disjunction has no margin around theta; give weights"
            )
        u[-1] = -0.5
    return u


def weights_of(comparator: Any, rules: Rules) -> Floats:
    """Return the weights of a comparator, checked; a hypothesis (w, theta) has -theta on the constant coordinate."""
    size = rules.n + int(rules.bias)
    if isinstance(comparator, tuple) and hasattr(comparator, "theta"):
        if not rules.bias:
            raise InvalidParameter("comparator: a hypothesis has a threshold; the learner has no constant coordinate")
        comparator = np.append(comparator[0], -comparator[1])
    try:
        u = np.asarray(comparator, dtype=np.float64)
    except (TypeError, ValueError):
        u = np.full(1, np.nan)
    if u.shape != (size,) or not np.all(np.isfinite(u)):
        raise InvalidParameter(f"comparator: expected a set of attributes, or {size} weights, got {comparator!r}")
    return u
