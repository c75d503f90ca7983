"""Contests: several learners, the same rows, in one order or in many."""

from littlestone.theory.contests.contest import contest
from littlestone.theory.contests.outcome import Contest, Entry
from littlestone.theory.contests.statistics import Difference, Sample

__all__ = ["Contest", "Difference", "Entry", "Sample", "contest"]
