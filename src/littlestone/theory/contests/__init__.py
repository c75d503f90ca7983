"""Contests: several learners, the same rows, in one order or in many."""

from littlestone.theory.contests._losses import entrant_of
from littlestone.theory.contests.contest import contest
from littlestone.theory.contests.outcome import Contest, Difference, Entry, Sample

__all__ = ["Contest", "Difference", "Entry", "Sample", "contest", "entrant_of"]
