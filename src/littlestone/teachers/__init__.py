"""Who choose the examples: at random, or against the learner."""

from littlestone.teachers.base import Teacher, View
from littlestone.teachers.random import Disjunction

__all__ = ["Disjunction", "Teacher", "View"]
