"""Readable rules: what a learner has learned, and why it predicts what it predicts."""

from littlestone.models.explanation._linear import read_names
from littlestone.models.explanation.asked import Change, Reason
from littlestone.models.explanation.clauses import Clause, Clauses
from littlestone.models.explanation.counting import Counts, count_updates
from littlestone.models.explanation.example import Contribution, Explained, explain_example
from littlestone.models.explanation.marking import Marked
from littlestone.models.explanation.reasons import Reasons, reasons
from littlestone.models.explanation.rules import Conjunction, Evidence, Explanation, ScaledColumn, explain

__all__ = [
    "Change",
    "Clause",
    "Clauses",
    "Conjunction",
    "Contribution",
    "Counts",
    "Evidence",
    "Explained",
    "Explanation",
    "Marked",
    "Reason",
    "Reasons",
    "ScaledColumn",
    "count_updates",
    "explain",
    "explain_example",
    "read_names",
    "reasons",
]
