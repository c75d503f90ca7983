"""Fang and Venkatesh, "Learning finite binary sequences from half-space data" (Directed Drift)."""

from littlestone.papers.result import Paper

__all__ = ["PAPER"]

PAPER = Paper.of_chapters(
    __name__,
    "Learning finite binary sequences from half-space data",
    "Shao C. Fang and Santosh S. Venkatesh, Learning finite binary sequences from half-space data, University of "
    "Pennsylvania.",
    "half_spaces algorithm_d termination batches figure_1",
    "Directed Drift learns weights of one bit from positive examples. One at a time it takes exponentially many "
    "mistakes; with the votes of batches of about n log n examples it takes n, or one.",
)
