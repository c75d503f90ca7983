"""Directed Drift (Fang and Venkatesh), which learns with one bit a weight: simulated and solved exactly.

Each name is imported when it is asked for.
"""

from littlestone.core.lazy import importer, in_order

_PLACES = {
    "bounds.drift_chain": "DriftChain chain positive_half",
    "bounds.drift_termination": "failure_probability hypothesis_rule least_rule overall_rule paper_rule",
    "bounds.fang_venkatesh": "batch_size memory_bits",
    "theory.drift.consistent": "Answer Search annealed_constant consistent_fraction consistent_vector count_consistent "
    "expected_consistent search",
    "theory.drift.sampling": "pack reflection_bias sample",
    "theory.drift.simulation": "Simulation simulate",
}
_HOME = {name: f"littlestone.{place}" for place, names in _PLACES.items() for name in names.split()}


__getattr__ = importer(__name__, _HOME)


def __dir__() -> list[str]:
    return in_order(_HOME)
