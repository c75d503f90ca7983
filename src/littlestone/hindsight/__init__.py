"""After the fact: the best comparator of a stream, and its margin."""

from littlestone.hindsight.comparator import Comparator, attribute_errors
from littlestone.hindsight.disjunction import best_disjunction
from littlestone.hindsight.greedy import greedy_path
from littlestone.hindsight.margin import Margin, margin
from littlestone.hindsight.verdict import Verdict, comparators, tightest

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
