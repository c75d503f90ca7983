"""States of machines of many classes: what their kernels take for granted."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.models.files._unsound import ENOUGH, Kinds, State, Test, counts, need, within

__all__ = ["TESTS"]

MOST_CLASSES = (1 << 31) - 1


def targets(learner: Any, machine: Any, state: State) -> None:
    """Each link is of an attribute and a class that there are, once; the scale of probabilities is a number."""
    from littlestone.engine.learning import classes as engine

    del learner
    ends, owners, told = state["ends"], state["owners"], state["told"]
    counts(state, 3)
    trials, _, classes = state["counts"].tolist()
    need(len(ends) <= MOST_ATTRIBUTES and within(ends, 0, len(owners)), "links of attributes")
    need(not (ends[1:] < ends[:-1]).any() and (ends[-1] if len(ends) else 0) == len(owners), "links of each attribute")
    need(state["links"].shape == (machine._layers, len(owners)), "weights of each link")
    need(classes <= MOST_CLASSES and told.shape == (classes, 5), "five counts of each class")
    need(state["constant"].shape == (classes, 3), "a constant coordinate of each class")
    need(within(told, 0, ENOUGH) and told[:, 0].sum(dtype=np.float64) <= trials, "counts of a game")
    need(within(owners, 0, classes - 1), "links to classes that there are")
    linked = np.flatnonzero(ends != np.append(0, ends[:-1])) if len(ends) else ends
    of = np.repeat(linked, np.diff(ends[linked], prepend=0))
    of *= max(classes, 1)
    of += owners
    of.sort()
    need((of[1:] != of[:-1]).all(), "each link once")
    need(np.array_equal(np.bincount(owners, minlength=classes), told[:, 4]), "as many links as are counted")
    need(state["scale"].shape == (4,), "four numbers behind probabilities")
    log_scale, moved, spreads, squares = state["scale"].tolist()
    need(abs(log_scale) <= engine.LARGEST_LOG and moved.is_integer(), "a scale that a game can reach")
    need(0.0 <= moved <= trials, "trials that moved it")
    need(0 <= spreads <= 2 * moved * engine.WIDEST, "spreads of trials")  # 2: sums are rounded
    need(0 <= squares <= 2 * moved * engine.STEEPEST**2, "squares of trials")


def pool(learner: Any, machine: Any, state: State) -> None:
    """Numbers of each expert, target and attribute; those with a full covariance take part while there are few."""
    from littlestone.engine.learning import pool as engine
    from littlestone.engine.learning.full_pool import FEW

    del learner
    numbers, constants, told, ledger = (state[name] for name in ("numbers", "constants", "told", "ledger"))
    counts(state, 5)
    size, classes, voting, known, counted = state["counts"].tolist()
    of, width = 1 if classes <= 2 else classes + 1, engine.WIDTH
    need(size <= MOST_ATTRIBUTES and classes == known <= MOST_CLASSES, "attributes and classes")
    need(numbers.shape == (of * width, size + 1), "numbers of each expert, target and attribute, and spare ones")
    need(constants.shape == (of, width), "numbers of the constant coordinate")
    few, full = min(size, FEW) + 1 if voting else 0, len(machine._full_rule)
    need(voting in (0, 1) and not (voting and classes > 2), "two classes for experts with a full covariance")
    need(state["means"].shape == (full, few) and state["roots"].shape == (full, few, few), "covariances of few")
    for name in ("mu", "sigma", "ledger"):
        usual = getattr(machine, f"_{name}").shape
        need(state[name].shape == usual, f"{name} of shape {usual}")
    need(told.shape == (classes, 4) and within(told, 0, ENOUGH), "four counts of each class")
    need(within(ledger, 0.0, inf) and counted <= told[:, 0].sum(dtype=np.float64), "losses of trials")
    for array in (numbers.reshape(of, 2, -1), constants.reshape(of, 2, -1)):
        need(within(array[:, 1], 0.0, inf), "variances, sums of squares and weights")
        need(within(array, -2.0 * engine.MOST, max(2.0 * engine.MOST, engine.SQUARES)), "numbers that are held")


# By the class of the machine
TESTS: dict[str, tuple[Kinds, Test]] = {
    "Targets": (
        {"ends": ("<i8", 1), "owners": ("<u4", 1), "links": ("<f8", 2), "constant": ("<f8", 2), "told": ("<i8", 2),
         "scale": ("<f8", 1), "counts": ("<i8", 1)},
        targets,
    ),
    "Pool": (
        {"numbers": ("<f8", 2), "constants": ("<f8", 2), "means": ("<f8", 2), "roots": ("<f8", 3), "mu": ("<f8", 2),
         "sigma": ("<f8", 3), "ledger": ("<f8", 2), "told": ("<i8", 2), "counts": ("<i8", 1)},
        pool,
    ),
}  # fmt: skip
