"""Directed Drift (Fang and Venkatesh), which learns with one bit a weight: simulated and solved exactly.

Each name is imported when it is asked for.
"""

from typing import TYPE_CHECKING

from littlestone.core.lazy import importer

if TYPE_CHECKING:
    from littlestone.bounds.drift_chain import DriftChain, chain, positive_half
    from littlestone.bounds.drift_termination import (
        failure_probability,
        hypothesis_rule,
        least_rule,
        overall_rule,
        paper_rule,
    )
    from littlestone.bounds.fang_venkatesh import batch_size, memory_bits
    from littlestone.theory.drift.consistent import (
        Answer,
        annealed_constant,
        consistent_fraction,
        consistent_vector,
        count_consistent,
        expected_consistent,
    )
    from littlestone.theory.drift.sampling import pack, reflection_bias, sample
    from littlestone.theory.drift.searching import Search, search
    from littlestone.theory.drift.simulation import Simulation, simulate

__all__ = [
    "Answer",
    "DriftChain",
    "Search",
    "Simulation",
    "annealed_constant",
    "batch_size",
    "chain",
    "consistent_fraction",
    "consistent_vector",
    "count_consistent",
    "expected_consistent",
    "failure_probability",
    "hypothesis_rule",
    "least_rule",
    "memory_bits",
    "overall_rule",
    "pack",
    "paper_rule",
    "positive_half",
    "reflection_bias",
    "sample",
    "search",
    "simulate",
]

_PLACES = {
    "littlestone.bounds.drift_chain": ("DriftChain", "chain", "positive_half"),
    "littlestone.bounds.fang_venkatesh": ("batch_size", "memory_bits"),
    "littlestone.theory.drift.consistent": (
        "Answer",
        "annealed_constant",
        "consistent_fraction",
        "consistent_vector",
        "count_consistent",
        "expected_consistent",
    ),
    "littlestone.theory.drift.sampling": ("pack", "reflection_bias", "sample"),
    "littlestone.theory.drift.searching": ("Search", "search"),
    "littlestone.theory.drift.simulation": ("Simulation", "simulate"),
    "littlestone.bounds.drift_termination": (
        "failure_probability",
        "hypothesis_rule",
        "least_rule",
        "overall_rule",
        "paper_rule",
    ),
}

__getattr__ = importer(__name__, {name: place for place, names in _PLACES.items() for name in names})


def __dir__() -> list[str]:
    return __all__
