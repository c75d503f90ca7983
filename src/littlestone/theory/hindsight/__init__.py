"""After the fact: the best comparator of a stream, and its margin."""

from littlestone.theory.hindsight.comparator import Comparator, attribute_errors
from littlestone.theory.hindsight.covering import greedy_path
from littlestone.theory.hindsight.disjunction import best_disjunction
from littlestone.theory.hindsight.margin import Margin, margin
from littlestone.theory.hindsight.verdict import Verdict, comparators, tightest

__all__ = [
    "Comparator",
    "Margin",
    "Verdict",
    "attribute_errors",
    "best_disjunction",
    "comparators",
    "greedy_path",
    "margin",
    "tightest",
]
