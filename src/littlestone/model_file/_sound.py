"""States that a machine can take: what indexes an array is checked to lie in it, since kernels do not look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.engine import classes as engine
from littlestone.engine.full_pool import FEW
from littlestone.learners import Bounded, Learner
from littlestone.learners._edge import MOST_ATTRIBUTES
from littlestone.learners._moments import MOST_COORDINATES
from littlestone.learners._whole import decoded
from littlestone.learners.machine import Machine
from littlestone.learners.quasi_additive import Duals
from littlestone.model_file._archive import Archive

__all__ = ["check_learner_state", "check_state"]

State = Mapping[str, NDArray[Any]]

VARIANTS = {"states": ("|u1", "<u2"), "errors": ("<i2", "<i4")}  # small numbers grow when they must
# Arrays that are as large as those of a new machine, whatever has been learned
FIXED = (
    "counts", "scalars", "errors", "centre", "root", "exponent", "on", "w", "votes", "signs", "size", "spent", "scale",
    "mu", "sigma", "ledger",
)  # fmt: skip
INFINITE = ("weights", "scalars", "links", "constant")  # the dual of an attribute that is eliminated is -inf
MANY = 1 << 24  # attributes that are not believed without an array of as many entries
OWN = ("held", "columns", "seen", "last", "bounded", "gone_bits", "gone_columns", "gone_names")  # of slots
MAP = {"closed", "coefficients", "denominator"}  # of a game that has outgrown its map they are gone


class Unsound(ValueError):
    """A state that no game leads to."""


def need(fact: Any, expected: str) -> None:
    """Refuse a state of which ``expected`` is not a fact."""
    if not fact:
        raise Unsound(f"expected {expected}, got something else")


def check_state(archive: Archive, learner: Learner, n: int | None, state: State) -> None:
    """Refuse a state that is not one of this learner's; nothing large is made before that is known."""
    try:
        _check(learner, n, state)
    except Unsound as error:
        raise archive.refusal(f"the state of {type(learner).__name__}: {error}") from error


def _check(learner: Learner, n: int | None, state: State) -> None:
    need(n is None or 1 <= n <= MOST_ATTRIBUTES, f"n from 1 to {MOST_ATTRIBUTES}")
    for name, array in state.items():
        if array.dtype.kind == "f":
            sound = ~np.isnan(array) if name in INFINITE else np.isfinite(array)
            need(sound.all(), f"numbers in {name}")
    own = {name for name in OWN if name in state} if isinstance(learner, Bounded) else set[str]()
    given = state.keys() - {"names"} - own
    if own or isinstance(learner, Bounded):
        _slots(state)
    if "counts" not in given:
        need(not given, "no arrays before the first trial")
        return
    if n is not None and n > MANY and (learner._counts_all or learner.negations):  # a new one has a weight for each
        need(max(array.size for array in state.values()) >= n, f"an entry for each of n={n} attributes")
    machine, _ = learner._started(n, fix=True)
    like = machine.state()
    if "weights" in given and "states" in like:  # exponents that have become duals
        like = Duals(machine.rule, None).state()  # type: ignore[attr-defined]
    missing = MAP if "closed" in like and "closed" not in given and "rows" not in like else set[str]()
    need(given == like.keys() - missing, f"the arrays {sorted(like)}")
    for name in given:
        array, usual = state[name], like[name]
        need(array.ndim == usual.ndim, f"{name} of {usual.ndim} dimensions")
        kinds = VARIANTS.get(name, (usual.dtype.newbyteorder("<").str,))
        need(array.dtype.newbyteorder("<").str in kinds, f"{name} of {' or '.join(kinds)}")
        need(name not in FIXED or array.shape == usual.shape, f"{name} of shape {usual.shape}")
    for name, test in TESTS.items():
        if name in given:
            test(learner, machine, state)
    if "net" in given:
        (_counted if len(given) == 2 else _sets)(learner, machine, state)


def _slots(state: State) -> None:
    """Check which attribute has which slot, before there is a machine."""
    need({*OWN} - state.keys() <= {"columns"} and ("columns" in state) != ("names" in state), "slots of attributes")
    kinds = {"held": "<u4", "columns": "<u4", "seen": "<i8", "last": "<i8", "bounded": "<i8", "gone_columns": "<i8",
             "gone_names": "<u8", "gone_bits": "|u1"}  # fmt: skip
    for name, kind in kinds.items():
        if name in state:
            need(state[name].ndim == 1 and state[name].dtype.newbyteorder("<").str == kind, f"{name} of {kind}")
    held, bounded, ends = (state[name].astype(np.int64) for name in ("held", "bounded", "gone_columns"))
    slots = max((state[name].shape[-1] for name in ("states", "weights") if name in state), default=0)
    need((np.diff(held) > 0).all() and (not len(held) or held[-1] < slots), "ascending slots that there are")
    need(len(state["seen"]) == len(state["last"]) == len(held), "counts for each slot")
    need("columns" not in state or len(np.unique(state["columns"])) == len(held), "an attribute for each slot")
    need(len(bounded) == 3 and (bounded >= 0).all() and bounded[2] <= bounded[1], "counts of what was dropped")
    need((state["seen"] >= 1).all() and (state["last"] >= 0).all(), "attributes that have been seen")
    need((state["last"] < max(bounded[0], 1)).all(), "attributes that have been seen")
    need(not (len(ends) and len(state["gone_bits"])), "columns as bits or as ranges")
    need(len(ends) % 2 == 0 and (np.diff(ends) > 0).all() and (ends >= 0).all(), "ranges of columns")
    need((ends <= 1 << 32).all() and (np.diff(state["gone_names"].astype(object)) > 0).all(), "what is gone, in order")


def _duals(learner: Learner, machine: Any, state: State) -> None:
    del learner
    layers, columns = state["weights"].shape
    need(layers == 1 + int(machine.rule.link.code != 0) + int(machine.rule.averaged), "a layer for each kind of weight")
    need(1 <= columns <= MOST_ATTRIBUTES + 1, "a column for each attribute, and a spare one")


def _moments(learner: Learner, machine: Any, state: State) -> None:
    del machine
    moments, constant = state["moments"], state["constant"]
    layers, columns = moments.shape
    need(layers == 2 and constant.shape == (2,), "two numbers an attribute, and two of the constant coordinate")
    need(1 <= columns <= MOST_ATTRIBUTES + 1, "a column for each attribute, and a spare one")
    need(np.isfinite(constant).all() and moments[1].min() >= 0.0 and constant[1] >= 0.0, "variances")
    if "factor" in state:
        size = columns - 1 + int(learner.bias)
        need(state["factor"].shape == (size, size) and size <= MOST_COORDINATES, "a covariance of all coordinates")


def _vectors(learner: Learner, machine: Any, state: State) -> None:
    del learner
    layers, columns = state["vectors"].shape
    need(layers == len(machine.state()["vectors"]), "a row for each kind of weight")
    need(1 <= columns <= MOST_ATTRIBUTES + 1, "a column for each attribute, and a spare one")


def _voted(learner: Learner, machine: Machine, state: State) -> None:
    del learner, machine
    number = len(state["coefficients"])
    need(state["counts"][1] == number == len(state["survived"]) - 1, "a hypothesis for each update")
    need(state["survived"].min() >= 0, "trials that were survived")


def _exponents(learner: Learner, machine: Any, state: State) -> None:
    del learner
    table, states, counts = state["exponents"], state["states"], state["counts"]
    need(table.shape[1:] == (2,) and 1 <= len(table) <= 1 << 16 and not table[0].any(), "exponents, first the start")
    need(len(np.unique(table, axis=0)) == len(table), "each pair of exponents once")
    need(np.abs(table).max() < 1 << 40, "exponents that a game can reach")
    need(len(states) <= MOST_ATTRIBUTES and states.max(initial=0) < len(table), "states that are in the table")
    need(counts[4] < len(table) and (counts[4] >= 0) == machine.rule.bias, "a state of the constant coordinate")
    need(counts[4] >= -1 and -1 <= counts[5] <= 3, "a ruling")


def _errors(learner: Learner, machine: Machine, state: State) -> None:
    del learner, machine
    need(np.abs(state["errors"].astype(np.int64)).max(initial=0) <= 1000 * int(state["counts"][0]), "errors of trials")


def _counted(learner: Learner, machine: Machine, state: State) -> None:
    del learner
    counts = state["counts"]
    usual = machine.state()["counts"]
    need(counts[3] == usual[3] and counts[4] == -1 and counts[5:].min() >= 0, "counts as the policy has them")
    if "on" in state:
        need(((state["on"] >= 0) & (state["on"] <= counts[5:])).all(), "counts of at most all examples")
        return
    net = state["net"]
    need(net.shape == (machine.size,), "a count for each attribute")
    need((net >= -counts[5]).all() and (net <= counts[6]).all(), "counts of at most all examples")


def _stored(learner: Learner, machine: Machine, state: State) -> None:
    del machine
    ends, columns, number = state["stored"], state["attributes"], len(state["coefficients"])
    size = int(state["size"])
    need(0 <= size <= (learner.n or MOST_ATTRIBUTES), "a number of attributes")
    need(len(ends) == number + 1 and ends[0] == 0 and ends[-1] == len(columns), "a row for each mistake")
    need((np.diff(ends) >= 0).all() and columns.max(initial=0) < max(size, 1), "attributes that there are")
    inside = np.ones(len(columns), dtype=np.bool_)
    inside[ends[:-1][ends[:-1] < len(columns)]] = False
    need((columns[1:] > columns[:-1])[inside[1:]].all(), "ascending attributes")
    need("values" not in state or len(state["values"]) == len(columns), "a value for each attribute")


def _region(learner: Learner, machine: Machine, state: State) -> None:
    del learner, machine
    if "A" in state:
        need(state["A"].shape == (len(state["b"]), len(state["centre"])), "a half-space a row")
    else:
        need(abs(int(state["exponent"])) < 1 << 30, "an exponent of a float")


def _sets(learner: Learner, machine: Any, state: State) -> None:
    del learner
    for name in ("stored", "closed", "rows"):
        if name in state and hasattr(machine, "grid"):
            need(_are_hulls(state[name], machine.grid.sides, points=name == "stored"), f"{name} of the grid")
        elif name in state:
            need(all(0 <= number >> machine.size < 1 for number in decoded(state[name])), f"{name} that are sets")
    rows = state["rows" if "rows" in state else "stored"]
    need(len(rows) == len(state["net"]), "a net number for each row")
    if "closed" in state:
        need(len(state["closed"]) == len(state["coefficients"]), "a coefficient for each set")
        need(len(state["denominator"]) == 1 and decoded(state["denominator"])[0] > 0, "one denominator")


def _are_hulls(array: NDArray[Any], sides: tuple[int, ...], *, points: bool) -> bool:
    """Tell whether rows are boxes of a grid, as `engine.boxes` has them; ``points``: boxes of one point."""
    d, m = len(sides), np.array(sides)
    if array.dtype != np.int64 or array.ndim != 2 or array.shape[1] != 2 * d:
        return False
    both = array[:, :d] + array[:, d:]
    return bool(
        (array >= 1).all() and (array <= np.tile(m, 2)).all() and (both == m + 1 if points else both <= m + 1).all()
    )


def _growing(learner: Any, machine: Any, state: State) -> None:
    words = learner.memory // 64
    size, used = len(state["exponents"]), len(state["sizes"])
    lists = [state[name] for name in ("members", "conjunctions", "listed", "following")]
    need(size <= MOST_ATTRIBUTES and state["history"].shape == (words, size), "a history of attributes")
    need(all(len(array) == used for array in lists) and state["counts"][3] == used, "as many of each as conjunctions")
    members, exponents, listed, following = lists
    most = learner.max_size
    need(used <= learner.budget and members.shape[1] == most, "conjunctions within the budget")
    need(state["signs"].shape == (2, words), "signs of mistakes")
    limits = machine.limits
    for numbers in (exponents, state["exponents"]):
        need(((numbers >= limits.lowest) & (numbers <= limits.highest)).all(), "exponents within the limits")
    sizes = state["sizes"]
    need(((sizes >= 2) & (sizes <= most)).all() and ((members >= 0) & (members < max(size, 1))).all(), "attributes")
    need(((listed >= 0) & (listed < size)).all(), "lists of attributes")
    need(((following >= -1) & (following < used)).all(), "the next conjunction in a list")
    later = following[following >= 0]
    need(len(np.unique(later)) == len(later) and (listed[following >= 0] == listed[later]).all(), "lists that end")
    need(_reached(following, used) == used, "lists that end")


def _reached(following: NDArray[Any], used: int) -> int:
    """Return how many conjunctions are in lists that have a first one: no list is a ring."""
    at = np.setdiff1d(np.arange(used), following)
    reached = 0
    while len(at):
        reached += len(at)
        at = following[at]
        at = at[at >= 0]
    return reached


def _drift(learner: Learner, machine: Any, state: State) -> None:
    del learner
    counts, last = state["counts"], machine._last
    need(counts.min() >= 0, "counts")
    need(not (state["w"][-1] & ~last) and not (state["votes"][:, -1] & ~last).any(), "bits of n coordinates")


def _links(learner: Learner, machine: Machine, state: State) -> None:
    del learner
    ends, owners, told, counts = state["ends"], state["owners"], state["told"], state["counts"]
    classes = int(counts[2])
    need(len(ends) <= MOST_ATTRIBUTES and ends.min(initial=0) >= 0, "links of attributes")
    need((np.diff(ends, prepend=0) >= 0).all() and ends.max(initial=0) == len(owners), "links of each attribute")
    need(state["links"].shape == (len(machine.state()["links"]), len(owners)), "weights of each link")
    need(0 <= classes < 1 << 31 and len(told) == len(state["constant"]) == classes, "counts of each class")
    need(told.shape[1:] == (5,) and state["constant"].shape[1:] == (3,), "five counts and a constant of each class")
    need(told.min(initial=0) >= 0 and counts.min() >= 0 and told[:, 0].sum() <= counts[0], "counts")
    need(owners.max(initial=0) < max(classes, 1), "links to classes that there are")
    of = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    need(len(np.unique(of * max(classes, 1) + owners)) == len(owners), "each link once")
    need(np.array_equal(np.bincount(owners, minlength=classes), told[:, 4]), "as many links as are counted")
    log_scale, moved, spreads, squares = state["scale"].tolist()
    need(abs(log_scale) <= engine.LARGEST_LOG and moved in range(int(counts[0]) + 1), "a scale that a game can reach")
    need(0 <= spreads <= 2 * moved * engine.WIDEST, "spreads of trials")  # 2: sums are rounded
    need(0 <= squares <= 2 * moved * engine.STEEPEST**2, "squares of trials")


def _pool(learner: Learner, machine: Any, state: State) -> None:
    del learner
    numbers, told, ledger = state["numbers"], state["told"], state["ledger"]
    size, classes, voting, known, counted = state["counts"].tolist()
    targets, width = 1 if classes <= 2 else classes + 1, machine.state()["constants"].shape[1]
    need(0 <= size <= MOST_ATTRIBUTES and 0 <= classes == known < 1 << 31, "attributes and classes")
    need(numbers.shape == (targets * width, size + 1), "numbers of each expert, target and attribute, and spare ones")
    need(state["constants"].shape == (targets, width), "numbers of the constant coordinate")
    few = min(size, FEW) + 1 if voting else 0
    full = len(machine.state()["means"])
    need(voting in (0, 1) and not (voting and classes > 2), "two classes for experts with a full covariance")
    need(state["means"].shape == (full, few) and state["roots"].shape == (full, few, few), "covariances of few")
    need(told.shape == (classes, 4) and told.min(initial=0) >= 0, "four counts of each class")
    need(ledger.min() >= 0.0 and 0 <= counted <= told[:, 0].sum(), "losses of trials")
    seconds = numbers.reshape(targets, 2, -1)[:, 1], state["constants"].reshape(targets, 2, -1)[:, 1]
    need(min(array.min() for array in seconds) >= 0.0, "variances, sums of squares and weights")


# By an array that only such machines have
TESTS: dict[str, Callable[[Any, Any, State], None]] = {
    "weights": _duals,
    "moments": _moments,
    "vectors": _vectors,
    "survived": _voted,
    "states": _exponents,
    "errors": _errors,
    "on": _counted,
    "attributes": _stored,
    "centre": _region,
    "members": _growing,
    "w": _drift,
    "owners": _links,
    "ledger": _pool,
}


def check_learner_state(archive: Archive, learner: Learner, state: State) -> None:
    """Refuse a learner that would write down another state, or whose names have no weights."""
    again = learner.state()
    for name in (again.keys() | state.keys()) - {"labels"}:
        one, other = again.get(name), state.get(name)
        if one is None or other is None or one.dtype != other.dtype or not np.array_equal(one, other):
            raise archive.refusal(f"{name}: expected what the learner itself would write down, got something else")
    machine, n = learner._machine, learner.n
    classes = getattr(machine, "classes", None)
    if classes is not None and classes != len(learner.labels or ()):
        raise archive.refusal(f"expected a label for each of {classes} classes, got {learner.labels}")
    words = 0 if learner.vocabulary is None else len(learner.vocabulary)
    size = 0 if machine is None else machine.size
    fits = words <= size
    if n is not None:
        coordinates = n * (2 if learner.negations else 1)
        fits &= max(words, learner._width) <= n and (size == coordinates if learner.negations else size <= coordinates)
    if not fits:
        raise archive.refusal(f"expected weights for n={n} attributes and {words} names, got {size} weights")
