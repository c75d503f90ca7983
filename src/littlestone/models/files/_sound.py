"""Whether a learner can be in a state: names, labels, n and promises. Its machine checks the arrays itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.engine.learning import duals
from littlestone.learners import Learner
from littlestone.learners.regressors import Regressor
from littlestone.machines.machine import Machine
from littlestone.machines.sound import ENOUGH, Loaded, Unsound, need, within

__all__ = ["Unsound", "check_game", "check_learner", "check_saved", "check_state"]

MANY = 1 << 20  # attributes: a larger n is refused without an array of as many entries
PROMISES = {"k", "attribute_errors", "added", "removed", "gamma", "radius", "norm"}


def check_game(header: dict[str, Any]) -> None:
    """Check the numbers of a game in a header."""
    game = header["game"]
    n = game["n"]
    need(n is None or 1 <= n <= MOST_ATTRIBUTES, f"n from 1 to {MOST_ATTRIBUTES}")
    need(game["mistakes"] <= game["trials"] <= ENOUGH, "mistakes of trials")
    promised = [name for name, _ in header["promise"]]
    need({*promised} <= PROMISES and len({*promised}) == len(promised), "promises that a theorem asks for")


def check_state(learner: Learner, game: dict[str, Any], state: Loaded) -> None:
    """Refuse a state that is not one of this learner's, which is new; nothing large is made before that is known."""
    n, machine = game["n"], None
    if "counts" in state:
        _check_size(learner, n, state)
        machine = learner.begin(n).machine
    _check_arrays(learner, machine, state, max(game["width"], n or 0))


def check_saved(learner: Learner, state: Loaded) -> None:
    """Refuse a learner whose state, as it is to be written, would not be loaded again."""
    if learner.machine is not None:
        _check_size(learner, learner.n, state)
    _check_arrays(learner, learner.machine, state, max(learner.width, learner.n or 0))
    check_learner(learner)


def _check_arrays(learner: Learner, machine: Machine | None, state: Loaded, width: int) -> None:
    """Refuse arrays other than those of the machine, or columns beyond ``width`` where only some are kept."""
    besides = {"names", "crowded"}
    if isinstance(learner, Regressor):
        need("loss" in state, "what the learner has lost")
        loss = state["loss"]
        need(loss.shape == () and loss.dtype == np.float64 and loss >= 0.0, "a loss of at least 0")
        besides.add("loss")
    own = {name: array for name, array in state.items() if name not in besides}
    if machine is not None:
        machine.check_kinds(own)
        machine.check(state)
    else:
        _check_early(learner, state, own)
    need(within(state.get("columns", np.zeros(0)), 0, width - 1), "columns of attributes that there are")


def _check_early(learner: Learner, state: Loaded, own: Loaded) -> None:
    """Refuse arrays of a learner that has no machine yet, unless it is one whose slots are written before."""
    if not learner.in_slots:
        return need(not own, "no arrays before the first trial")
    from littlestone.machines.slots import SLOTS, check_slots

    need(own.keys() <= SLOTS.keys(), "no arrays before the first trial")
    return check_slots(state)


def _check_size(learner: Learner, n: int | None, state: Loaded) -> None:
    """Refuse an n for which a new machine would be made much larger than the arrays are."""
    if n is None:
        return
    shapes = {name: array.shape for name, array in state.items()}
    if learner.tells_n is not None:
        name, shape = learner.tells_n
        sizes = {"n": n, "n+1": n + 1, "2n": 2 * n, "m": n + int(learner.bias), "words": -(-n // 64)}
        wanted = tuple(size if isinstance(size, int) else sizes[size] for size in shape)
        found = shapes.get(name, ())
        fits = len(found) == len(wanted) and all(w in (-1, f) for w, f in zip(wanted, found, strict=True))
        need(fits, f"{name} of n={n} attributes")
    columns = max([shapes[name][-1] for name in ("states", "weights", "exponents") if shapes.get(name)], default=0)
    if learner.negations:
        need(columns in (2 * n, 2 * n + 1) or "stored" in shapes, "weights of all attributes and their negations")
    if learner.counts_all and learner.tells_n is None:
        rule = learner.new_machine(1).rule
        summed = rule is not None and rule.link.scale in (duals.SUM, duals.BOTH)
        need(not summed or n <= max(columns, MANY), f"weights of {n} attributes")


def check_learner(learner: Learner) -> None:
    """Refuse a learner whose names have no weights, or whose classes have no labels."""
    machine, n = learner.machine, learner.n
    classes = None if machine is None else machine.classes
    if classes is not None:
        need(classes == len(learner.labels or ()), f"a label for each of {classes} classes")
    words = len(learner.vocabulary or ())
    size = 0 if machine is None else machine.size
    fits = words <= size
    if n is not None:
        coordinates = n * (2 if learner.negations else 1)
        room = size <= coordinates or learner.in_slots  # which may be more than the attributes
        fits &= max(words, learner.width) <= n and (size == coordinates if learner.negations else room)
    need(fits, f"weights for n={n} attributes and {words} names (there are {size})")
