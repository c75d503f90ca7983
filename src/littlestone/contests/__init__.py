"""Contests: several learners, the same rows, in one order or in many."""

from littlestone.contests.contest import contest
from littlestone.contests.outcome import Contest, Entry
from littlestone.contests.statistics import Difference, Sample

__all__ = ["Contest", "Difference", "Entry", "Sample", "contest"]
