"""Helmbold, Panizza and Warmuth, "Direct and indirect algorithms for on-line learning of disjunctions" (1999)."""

from littlestone.papers.result import Paper

__all__ = ["PAPER"]

PAPER = Paper.of_chapters(
    __name__,
    "Direct and indirect algorithms for on-line learning of disjunctions",
    "David P. Helmbold, Sandra Panizza and Manfred K. Warmuth, Direct and indirect algorithms for on-line learning of "
    "disjunctions, EuroCOLT 1999.",
    "direct model_m theorem_3 theorem_4 thresholded_beg randomised normalized_winnow experiments",
    "Direct learners keep a weight for each disjunction, indirect ones a weight for each attribute. With a label for "
    "each attribute Bayes' rule over all disjunctions needs n weights, and the mistake-driven learners that come of it "
    "have bounds like Winnow's.",
)
