"""States that a learner can be in: what indexes an array is checked to lie in it, since kernels do not look."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.engine.learning import duals
from littlestone.learners import Bounded, Learner
from littlestone.models.files import _sound_classes, _sound_stores, _sound_weights
from littlestone.models.files._sound_stores import MAP, SLOTS
from littlestone.models.files._unsound import ENOUGH, Kinds, State, Unsound, need

__all__ = ["Unsound", "check_game", "check_learner", "check_saved", "check_state"]

TESTS = _sound_weights.TESTS | _sound_stores.TESTS | _sound_classes.TESTS
INFINITE = {"weights", "scalars", "links"}  # the dual of an attribute that is eliminated is -inf
MANY = 1 << 20  # attributes that are not believed without an array of as many entries
# Of learners whose machines are made for n attributes: an array that tells n, and its shape (-1: any)
SIZED: dict[str, tuple[str, tuple[int | str, ...]]] = {
    "DirectedDrift": ("w", ("words",)), "Ellipsoid": ("root", ("m", "m")), "VolumetricCenter": ("A", (-1, "m")),
    "NaiveBayes": ("on", ("n", 2)), "SBSB": ("net", ("n",)), "SASB": ("net", ("n",)),
    "BoxWinnow": ("stored", (-1, "2n")),
}  # fmt: skip
PROMISES = {"k", "attribute_errors", "added", "removed", "gamma", "radius", "norm"}


def check_game(header: dict[str, Any]) -> None:
    """Check what a header says of the game, by itself."""
    game = header["game"]
    n = game["n"]
    need(n is None or 1 <= n <= MOST_ATTRIBUTES, f"n from 1 to {MOST_ATTRIBUTES}")
    need(game["mistakes"] <= game["trials"] <= ENOUGH, "mistakes of trials")
    promised = [name for name, _ in header["promise"]]
    need({*promised} <= PROMISES and len({*promised}) == len(promised), "promises that a theorem asks for")


def check_state(learner: Learner, game: dict[str, Any], state: State) -> None:
    """Refuse a state that is not one of this learner's, which is new; nothing large is made before that is known."""
    n = game["n"]
    bounded = isinstance(learner, Bounded)
    given = state.keys() - {"names", "crowded"} - (SLOTS.keys() if bounded else set())
    if bounded:
        _check_kinds({name: kind for name, kind in SLOTS.items() if name in state}, state)
    if "counts" not in given:
        need(not given, "no arrays before the first trial")
    else:
        _check_size(learner, n, {name: state[name] for name in given})
        machine, _ = learner._started(n, fix=True)
        kinds = _kinds(machine, state)
        missing = MAP - given if kinds.keys() >= MAP and "rows" not in kinds else set[str]()
        need(not missing or missing == MAP, f"the arrays {sorted(MAP)}, or none of them")
        need(given == kinds.keys() - missing, f"the arrays {sorted(kinds)}")
        _check_kinds({name: kind for name, kind in kinds.items() if name in given}, state)
        _check_machine(learner, machine, state)
    if bounded:
        _sound_stores.slots(state, max(game["width"], n or 0))


def _check_size(learner: Learner, n: int | None, state: State) -> None:
    """Refuse an n for which a new machine would be made much larger than the arrays are."""
    if n is None:
        return
    told = {name: array.shape for name, array in state.items()}
    name, shape = SIZED.get(type(learner).__name__, ("", ()))
    if name:
        sizes = {"n": n, "2n": 2 * n, "m": n + int(learner.bias), "words": -(-n // 64)}
        wanted = tuple(size if isinstance(size, int) else sizes[size] for size in shape)
        found = told.get(name, ())
        need(len(found) == len(wanted) and all(w in (-1, f) for w, f in zip(wanted, found, strict=True)),
             f"{name} of n={n} attributes")  # fmt: skip
    columns = max([told[name][-1] for name in ("states", "weights", "exponents") if told.get(name)], default=0)
    if learner.negations:
        need(columns in (2 * n, 2 * n + 1) or "stored" in told, "weights of all attributes and their negations")
    scale = getattr(getattr(learner, "link", None), "scale", duals.SUM if learner._counts_all else duals.UNSCALED)
    need(scale != duals.SUM or name or n <= max(columns, MANY), f"weights of {n} attributes")


def _kinds(machine: Any, state: State) -> Kinds:
    """Return which arrays a machine writes down, and of what kind they are."""
    return TESTS[_classes(machine, state)[0]][0]


def _classes(machine: Any, state: State) -> list[str]:
    """Return the classes of a machine that are known here, the last one first."""
    names = [kind.__name__ for kind in type(machine).__mro__ if kind.__name__ in TESTS]
    return ["Duals"] if names == ["Exponents"] and "weights" in state else names  # exponents that have become duals


def _check_kinds(kinds: Kinds, state: State) -> None:
    for name, (types, dimensions) in kinds.items():
        array = state[name]
        need(array.ndim == dimensions, f"{name} of {dimensions} dimensions")
        need(array.dtype.newbyteorder("<").str in types.split(), f"{name} of {types}")


def check_saved(learner: Learner, state: State) -> None:
    """Refuse a learner whose state, as it is to be written down, would not be taken up again."""
    if learner._machine is not None:
        _check_size(learner, learner.n, state)
        _check_machine(learner, learner._machine, state)
    if isinstance(learner, Bounded):
        _sound_stores.slots(state, max(learner._width, learner.n or 0))
    check_learner(learner)


def _check_machine(learner: Learner, machine: Any, state: State) -> None:
    """Refuse a state that no game of this machine leads to."""
    names = _classes(machine, state)
    infinite = INFINITE | ({"constant"} if "Targets" in names else set())
    for name, array in state.items():
        if array.dtype.kind == "f" and not name.startswith("promise"):
            need(_numbers(array, name in infinite), f"numbers in {name}")
    for name in names:
        TESTS[name][1](learner, machine, state)


def _numbers(array: NDArray[Any], infinite: bool) -> bool:
    """Tell whether there is no NaN, nor, unless they may be, infinite ones; nothing as large as the array is made."""
    if not array.size:
        return True
    least, most = float(array.min()), float(array.max())  # a NaN is both
    return not np.isnan(least) if infinite else bool(np.isfinite(least) and np.isfinite(most))


def check_learner(learner: Learner) -> None:
    """Refuse a learner whose names have no weights, or whose classes have no labels."""
    machine, n = learner._machine, learner.n
    classes = getattr(machine, "classes", None)
    if classes is not None:
        need(classes == len(learner.labels or ()), f"a label for each of {classes} classes")
    words = len(learner.vocabulary or ())
    size = 0 if machine is None else machine.size
    fits = words <= size
    if n is not None:
        coordinates = n * (2 if learner.negations else 1)
        room = size <= coordinates or isinstance(learner, Bounded)  # whose slots may be more than the attributes
        fits &= max(words, learner._width) <= n and (size == coordinates if learner.negations else room)
    need(fits, f"weights for n={n} attributes and {words} names (there are {size})")
