"""What machines over sets share when they check a state: sets as bits, and a closure map of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from littlestone.core.rational import decoded
from littlestone.machines.sound import COUNTS, Kinds, Loaded, need

__all__ = ["MAP", "check_bits", "check_map", "check_sets"]

MAP: Kinds = {"closed": ("|u1", 2), "coefficients": ("|u1", 2), "denominator": ("|u1", 2), **COUNTS}
MOST_BITS = 1 << 22  # of the exact weights of a map
LOOKS = 1 << 13  # at pairs of a map's sets


def check_sets(name: str, size: int, state: Loaded) -> list[int]:
    """Return sets of attributes, checked."""
    found = decoded(state[name])
    need(all(0 <= number >> size < 1 for number in found), f"{name} that are sets")
    need(len(set(found)) == len(found), f"each of {name} once")
    return found


def check_bits(nets: Iterable[int], base: Fraction) -> None:
    """Check that weights, powers of ``base``, are not too long to be computed with."""
    bits = sum(map(abs, nets)) * max(base.numerator, base.denominator).bit_length()
    need(bits <= MOST_BITS, "numbers that can be computed with")


def check_map(lattice: Any, nets: Mapping[Any, int], base: Fraction, closed: list[Any], state: Loaded) -> None:
    """Check a closure map: coefficients above an element sum to its weight; of many elements some are looked at."""
    coefficients, denominator = decoded(state["coefficients"]), decoded(state["denominator"])
    need(len(closed) == len(coefficients) and all(coefficients), "a coefficient for each set")
    need(len(denominator) == 1 and denominator[0] > 0, "one denominator")
    check_bits(nets.values(), base)
    step = 1 + len(closed) * (len(closed) + len(nets)) // LOOKS
    for at in closed[::step]:
        exponent = sum(net for row, net in nets.items() if lattice.meet(at, row) == at)
        above = sum(c for J, c in zip(closed, coefficients, strict=True) if lattice.meet(at, J) == at)
        need(above == denominator[0] * base**exponent, "coefficients that sum to the weights of sets")
