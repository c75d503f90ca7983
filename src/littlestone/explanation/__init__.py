"""Readable rules: what a learner has come to, and why it predicts what it predicts."""

from littlestone.explanation.clauses import Clause, Clauses
from littlestone.explanation.counting import Counts, count_updates
from littlestone.explanation.evidence import Evidence
from littlestone.explanation.example import Contribution, Explained, explain_example
from littlestone.explanation.names import read_names
from littlestone.explanation.rules import Conjunction, Explanation, explain

__all__ = [
    "Clause",
    "Clauses",
    "Conjunction",
    "Contribution",
    "Counts",
    "Evidence",
    "Explained",
    "Explanation",
    "count_updates",
    "explain",
    "explain_example",
    "read_names",
]
