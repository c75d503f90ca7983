"""Fang and Venkatesh, "Learning finite binary sequences from half-space data" (Directed Drift)."""

from littlestone.papers.fang_venkatesh import (
    algorithm_d,
    batches,
    elsewhere,
    figure_1,
    half_spaces,
    synchronous,
    termination,
    theorem_1,
)
from littlestone.papers.result import Paper

__all__ = ["PAPER"]

PAPER = Paper(
    "fang_venkatesh",
    "Learning finite binary sequences from half-space data",
    "Shao C. Fang and Santosh S. Venkatesh, Learning finite binary sequences from half-space data, University of "
    "Pennsylvania.",
    [
        *half_spaces.RESULTS, *algorithm_d.RESULTS, *theorem_1.RESULTS, *termination.RESULTS, *batches.RESULTS,
        *synchronous.RESULTS, *figure_1.RESULTS, *elsewhere.RESULTS,
    ],
    "Directed Drift learns weights of one bit from positive examples. One at a time it takes exponentially many "
    "mistakes; with the votes of batches of about n log n examples it takes n, or one.",
)  # fmt: skip
