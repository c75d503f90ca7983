"""States of machines that keep examples, sets, bits or lists: what their kernels take for granted."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.rational import decoded
from littlestone.core.rows import MOST_ATTRIBUTES
from littlestone.models.files._unsound import Kinds, State, Test, ascending, counts, need, within

__all__ = ["MAP", "SLOTS", "TESTS", "slots"]

COUNTS = {"counts": ("<i8", 1)}
STORED = {"stored": ("<i8", 1), "attributes": ("<u4", 1), "size": ("<i8", 0), **COUNTS}
REAL = {**STORED, "values": ("<f8", 1), "coefficients": ("<f8", 1)}
MAP = {"closed", "coefficients", "denominator"}  # of a game that has outgrown its map they are gone
SETS = {"stored": ("|u1", 2), "net": ("|u1", 2), "closed": ("|u1", 2), "coefficients": ("|u1", 2),
        "denominator": ("|u1", 2), **COUNTS}  # fmt: skip
SLOTS: Kinds = {
    "held": ("<u4", 1), "columns": ("<u4", 1), "seen": ("<i8", 1), "last": ("<i8", 1), "bounded": ("<i8", 1),
    "gone_columns": ("<i8", 1), "gone_names": ("<u8", 1), "gone_bits": ("|u1", 1),
}  # fmt: skip
MOST_WEIGHT = 1000  # of an example that is counted
MOST_BITS = 1 << 22  # of the exact weights of a map
MOST_AGREEING = 1 << 24  # attributes, where numbers have as many bits
LOOKS = 1 << 13  # at pairs of a map's sets


def stored(learner: Any, machine: Any, state: State) -> None:
    """Rows of ascending attributes below the size; where a row is compared with n, all n are known."""
    del learner
    ends, attributes, number = state["stored"], state["attributes"], len(state["coefficients"])
    size = int(state["size"])
    need(0 <= size <= MOST_ATTRIBUTES, "a number of attributes")
    need(len(ends) == number + 1 and ends[0] == 0 and ends[-1] == len(attributes), "a row for each mistake")
    need(not (ends[1:] < ends[:-1]).any() and within(attributes, 0, size - 1), "attributes that there are")
    inside = np.ones(len(attributes), dtype=np.bool_)
    inside[ends[:-1][ends[:-1] < len(attributes)]] = False
    need((attributes[1:] > attributes[:-1])[inside[1:]].all(), "ascending attributes")
    need(
        not getattr(machine, "negated", False) or size == machine.size, "all n attributes, for those that are off count"
    )
    counts(state, 4)


def exact_sums(learner: Any, machine: Any, state: State) -> None:
    """Coefficients that are not 0, and whose sums stay numbers of 64 bits."""
    stored(learner, machine, state)
    coefficients = state["coefficients"]
    need(within(coefficients, -(1 << 60), 1 << 60) and coefficients.all(), "coefficients")
    need(np.abs(coefficients).sum(dtype=np.float64) < 1 << 60, "coefficients that can be summed")
    bits = machine.negated and not machine._carries and machine.kernel.max_size is None
    need(not bits or int(state["size"]) <= MOST_AGREEING, f"at most {MOST_AGREEING:,} attributes")


def float_sums(learner: Any, machine: Any, state: State) -> None:
    """Values of Boolean rows are 1; the Forgetron has not spent more than its mistakes allow."""
    stored(learner, machine, state)
    kernel = machine.kernel
    need(len(state["values"]) == len(state["attributes"]), "a value for each attribute")
    need(not kernel.boolean or within(state["values"], 1.0, 1.0), "Boolean rows")
    agree = kernel.boolean and not kernel.monotone
    need(not agree or int(state["size"]) == machine.size, "all n attributes, for those that are off count")
    need(state["coefficients"].all(), "coefficients")
    need(float(state["spent"]) <= 15.0 / 32.0 * int(state["counts"][1]) * (1.0 + 1e-9), "what mistakes allow to spend")


def voted(learner: Any, machine: Any, state: State) -> None:
    """A hypothesis for each update; all have survived no more trials than there were."""
    stored(learner, machine, state)
    number, survived, trials = len(state["coefficients"]), state["survived"], int(state["counts"][0])
    need(len(state["values"]) == len(state["attributes"]), "a value for each attribute")
    need(state["counts"][1] == number == len(survived) - 1, "a hypothesis for each update")
    need(within(survived, 0, trials) and survived.sum(dtype=np.float64) <= trials, "trials that were survived")


def error_table(learner: Any, machine: Any, state: State) -> None:
    """Errors of trials, a number for each disjunction."""
    del learner
    errors, trials = state["errors"], int(state["counts"][0])
    need(errors.shape == machine._errors.shape, "errors of each disjunction")
    need(within(errors, -MOST_WEIGHT * trials, MOST_WEIGHT * trials), "errors of trials")
    counts(state, 4)


def closed_sets(learner: Any, machine: Any, state: State) -> None:
    """Sets of attributes, and a map of what they have in common that tells the same weights."""
    del learner
    rows, nets = _sets("rows", machine.size, state), state["net"].tolist()
    closed = _sets("closed", machine.size, state)
    _mapped(machine._map.lattice, dict(zip(rows, nets, strict=False)), machine.voting.beta, closed, state)
    need(len(rows) == len(nets) and all(nets), "a net number for each row")
    counts(state, 4)


def conjunctions(learner: Any, machine: Any, state: State) -> None:
    """Sets of literals, and their net numbers of promotions."""
    del learner
    stored_sets = _sets("stored", machine.size, state)
    _winnowed(machine, stored_sets, _sets("closed", machine.size, state) if "closed" in state else None, state)


def points(learner: Any, machine: Any, state: State) -> None:
    """Points of the grid, and their net numbers of promotions; the map has hulls of points, and all boxes."""
    del learner
    grid, told = machine.grid, state["stored"]
    need(_are_hulls(told, grid.sides) and _are_points(told, grid.sides), "stored points of the grid")
    closed = None
    if "closed" in state:
        need(_are_hulls(state["closed"], grid.sides), "closed hulls of the grid")
        closed = machine.read(state["closed"])
    _winnowed(machine, machine.read(told), closed, state)


def _are_hulls(array: NDArray[Any], sides: tuple[int, ...]) -> bool:
    """Tell whether rows are boxes of a grid, or all of it, as `engine.boxes` has them."""
    d, m = len(sides), np.array(sides, dtype=np.int64)
    if array.shape[1] != 2 * d or not ((array >= 1) & (array <= np.tile(m, 2))).all():
        return False
    return bool(((array[:, :d] + array[:, d:] <= m + 1).all(axis=1) | (array == np.tile(m, 2)).all(axis=1)).all())


def _are_points(array: NDArray[Any], sides: tuple[int, ...]) -> bool:
    d = len(sides)
    return bool((array[:, :d] + array[:, d:] == np.array(sides, dtype=np.int64) + 1).all())


def _sets(name: str, size: int, state: State) -> list[int]:
    """Return sets of attributes, checked."""
    found = decoded(state[name])
    need(all(0 <= number >> size < 1 for number in found), f"{name} that are sets")
    need(len(set(found)) == len(found), f"each of {name} once")
    return found


def _winnowed(machine: Any, elements: list[Any], closed: list[Any] | None, state: State) -> None:
    """Check the net numbers of Winnow's elements, and the map where there is one."""
    nets, alpha, told = decoded(state["net"]), machine.rules.alpha, state["counts"]
    counts(state, 4)
    need(len(elements) == len(nets) and all(nets), "a net number for each row")
    need(sum(map(abs, nets)) <= MOST_WEIGHT * int(told[1]), "net numbers that so many updates can reach")
    backend = machine.rules.backend
    need(closed is not None if backend == "map" else closed is None or backend is None, "a map as the backend has it")
    net = dict(zip(elements, nets, strict=True))
    need(len(net) == len(nets), "each row once")
    if closed is not None:
        _mapped(machine.lattice, net, alpha, closed, state)
    else:
        need(_bits(nets, alpha) <= MOST_BITS, "numbers that can be computed with")


def _bits(nets: list[int], base: Fraction) -> int:
    return sum(map(abs, nets)) * max(base.numerator, base.denominator).bit_length()


def _mapped(lattice: Any, nets: Mapping[Any, int], base: Fraction, closed: list[Any], state: State) -> None:
    """Check a closure map: coefficients above an element sum to its weight; of many elements some are looked at."""
    coefficients, denominator = decoded(state["coefficients"]), decoded(state["denominator"])
    need(len(closed) == len(coefficients) and all(coefficients), "a coefficient for each set")
    need(len(denominator) == 1 and denominator[0] > 0, "one denominator")
    need(_bits(list(nets.values()), base) <= MOST_BITS, "numbers that can be computed with")
    step = 1 + len(closed) * (len(closed) + len(nets)) // LOOKS
    for at in closed[::step]:
        exponent = sum(net for row, net in nets.items() if lattice.meet(at, row) == at)
        above = sum(c for J, c in zip(closed, coefficients, strict=True) if lattice.meet(at, J) == at)
        need(above == denominator[0] * base**exponent, "coefficients that sum to the weights of sets")


def growing(learner: Any, machine: Any, state: State) -> None:
    """Conjunctions of attributes, each in the list of one of them; every list has one beginning and an end."""
    words = learner.memory // 64
    size, used = len(state["exponents"]), len(state["sizes"])
    lists = [state[name] for name in ("members", "conjunctions", "listed", "following")]
    need(size <= MOST_ATTRIBUTES and state["history"].shape == (words, size), "a history of attributes")
    need(state["signs"].shape == (2, words), "signs of mistakes")
    counts(state, 5)
    need(all(len(array) == used for array in lists) and state["counts"][3] == used, "as many of each as conjunctions")
    members, exponents, listed, following = lists
    sizes, most = state["sizes"], learner.max_size
    need(used <= learner.budget and members.shape[1] == most, "conjunctions within the budget")
    limits = machine.limits
    for numbers in (exponents, state["exponents"]):
        need(within(numbers, limits.lowest, limits.highest), "exponents within the limits")
    need(within(sizes, 2, most) and within(members, 0, size - 1), "attributes")
    there = np.arange(most) < sizes[:, np.newaxis]
    need((members[:, 1:] > members[:, :-1])[there[:, 1:]].all(), "ascending attributes")
    need(((members == listed[:, np.newaxis]) & there).any(axis=1).all(), "lists of attributes that are in them")
    need(within(following, -1, used - 1), "the next conjunction in a list")
    later = following[following >= 0]
    need(len(np.unique(later)) == len(later) and (listed[following >= 0] == listed[later]).all(), "lists that end")
    first = np.setdiff1d(np.arange(used), following)
    need(len(np.unique(listed[first])) == len(first), "one list of each attribute")
    need(_reached(first, following) == used, "lists that end")


def _reached(at: NDArray[Any], following: NDArray[Any]) -> int:
    """Return how many conjunctions are in lists that have a first one: no list is a ring."""
    reached = 0
    while len(at):
        reached += len(at)
        at = following[at]
        at = at[at >= 0]
    return reached


def drifting(learner: Any, machine: Any, state: State) -> None:
    """Bits of n coordinates; while a batch votes, no coordinate has more votes than were cast, and some has one."""
    del learner
    w, votes, told = state["w"], state["votes"], state["counts"]
    counts(state, 10)
    need(w.shape == machine._w.shape and votes.shape == machine._planes.shape, "bits of n coordinates")
    last = machine._last
    need(not (w[-1] & ~last) and not (votes[:, -1] & ~last).any(), "bits of n coordinates")
    to_come = int(told[7])
    need(to_come < machine.batch and within(told[8:], 0, 1), "votes to come, and an outcome that they answer")
    need(votes.any() == (to_come > 0), "votes while a batch votes, and then alone")
    cast = machine.batch - to_come if to_come else 0
    more, equal = np.zeros_like(w), ~np.zeros_like(w)  # where there are more votes than were cast; as many so far
    for plane in range(len(votes) - 1, -1, -1):
        if cast >> plane & 1:
            equal &= votes[plane]
        else:
            more |= equal & votes[plane]
            equal &= ~votes[plane]
    need(not more.any(), "at most one vote of each row")


def slots(state: State, width: int) -> None:
    """Check which attribute has which slot, before there is a machine."""
    need({*SLOTS} - state.keys() <= {"columns"} and ("columns" in state) != ("names" in state), "slots of attributes")
    held, bounded, ends = (state[name].astype(np.int64) for name in ("held", "bounded", "gone_columns"))
    size = len(state["states"]) if "states" in state else state["weights"].shape[1] - 1 if "weights" in state else 0
    need(ascending(held) and within(held, 0, size - 1), "ascending slots that there are")
    need(len(state["seen"]) == len(state["last"]) == len(held), "counts for each slot")
    need(len(bounded) == 3 and within(bounded, 0, 1 << 62) and bounded[2] <= bounded[1], "counts of what was dropped")
    rows = max(int(bounded[0]), 1)
    need(within(state["seen"], 1, rows) and within(state["last"], 0, rows - 1), "attributes that have been seen")
    if "columns" in state:
        taken = state["columns"]
        need(len(taken) == len(held) and (ascending(taken) or ascending(np.sort(taken))), "an attribute for each slot")
        need(within(taken, 0, width - 1), "attributes that have been spoken of")
    need(not (len(ends) and len(state["gone_bits"])), "columns as bits or as ranges")
    need(len(ends) % 2 == 0 and ascending(ends) and within(ends, 0, 1 << 32), "ranges of columns")
    need(ascending(state["gone_names"]), "what is gone, in order")


# By the class of the machine
TESTS: dict[str, tuple[Kinds, Test]] = {
    "ExactSums": ({**STORED, "coefficients": ("<i8", 1)}, exact_sums),
    "FloatSums": ({**REAL, "spent": ("<f8", 0)}, float_sums),
    "Voted": ({**REAL, "survived": ("<i8", 1)}, voted),
    "ErrorTable": ({"errors": ("<i2 <i4", 1), **COUNTS}, error_table),
    "ClosedSets": (
        {**{name: SETS[name] for name in (*MAP, "counts")}, "net": ("<i8", 1), "rows": ("|u1", 2)}, closed_sets
    ),
    "Conjunctions": (SETS, conjunctions),
    "Points": ({**SETS, "stored": ("<i8", 2), "closed": ("<i8", 2)}, points),
    "Growing": (
        {"exponents": ("<i4", 1), "members": ("<i4", 2), "sizes": ("<i4", 1), "conjunctions": ("<i4", 1),
         "listed": ("<i4", 1), "following": ("<i4", 1), "history": ("<u8", 2), "signs": ("<u8", 2), **COUNTS},
        growing,
    ),
    "Drifting": ({"w": ("<u8", 1), "votes": ("<u8", 2), "signs": ("|b1", 0), **COUNTS}, drifting),
}  # fmt: skip
