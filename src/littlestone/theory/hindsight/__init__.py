"""After the fact: the best comparator of a stream, and its margin."""

from littlestone.theory.hindsight.comparator import Comparator, attribute_errors
from littlestone.theory.hindsight.covering import greedy_path
from littlestone.theory.hindsight.disjunction import best_disjunction
from littlestone.theory.hindsight.linear import BestWeights, box, l1_ball, least_squares, simplex
from littlestone.theory.hindsight.margin import Margin, margin
from littlestone.theory.hindsight.regret import LossVerdict, bound_against, loss_verdict
from littlestone.theory.hindsight.verdict import Verdict, comparators, tightest

__all__ = [
    "BestWeights",
    "Comparator",
    "LossVerdict",
    "Margin",
    "Verdict",
    "attribute_errors",
    "best_disjunction",
    "bound_against",
    "box",
    "comparators",
    "greedy_path",
    "l1_ball",
    "least_squares",
    "loss_verdict",
    "margin",
    "simplex",
    "tightest",
]
