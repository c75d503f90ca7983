"""The facts that were worked out before the code was written: every one is to be met by some result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from littlestone.papers.register import PAPERS
from littlestone.papers.runner import Checked

__all__ = ["CHECKLIST", "NOTHING", "met"]

NOTHING = "no result checks it"

# A: exact facts and B: statistical ones, of Kivinen-Warmuth, Agarwal and Fang-Venkatesh;
# C: exact facts and D: statistical ones, of Khardon-Roth-Servedio and Helmbold-Panizza-Warmuth
CHECKLIST = {
    "A1": "an additive learner from zero errs 2^d = N - k + 1 times against the adversary, in every trial",
    "A2": "the adversary's target has k attributes and gives the labels",
    "A3": "any start: at least l/2 mistakes, attained by w1 = e_2",
    "A4": "the Perceptron's weights after the game are (l/2, 0, ..., 0)",
    "A5": "the instances shown to the Perceptron for N = 2, 4, 5, 8",
    "A6": "Lemma 5 by enumeration: n = 2, 4, 8, 16",
    "A7": "Winnow in the same game: 1, 3, 5, 8, 10, 13, 16, 19 mistakes",
    "A8": "Winnow's promotions and demotions within their bounds on any disjunction without noise",
    "A9": "Winnow with theta 1 and alpha > N predicts as elimination",
    "A10": "the example that Winnow is not additive, with theta 3 and 4",
    "A11": "batch: row 1 and any half of the others leave exactly one of z' and z'' wrong in each unseen row",
    "A12": "rotation by H16/4 changes no prediction of Perceptron and ellipsoid, but Winnow's",
    "A13": "ellipsoid: first cut, containment of the target, bound",
    "A14": "the kernel of conjunctions, 2^agreements, is the dot product of 3^N features",
    "A15": "Perceptron on the unit vectors: n mistakes, the bound itself",
    "A16": "linear kernel and primal Perceptron are the same on whole numbers",
    "A17": "XOR under (1 + x.z)^2: mistakes at trials 1, 3, 6, 8",
    "A18": "one step of normalised Winnow",
    "A19": "g(1) = ln 2; g(e) >= e^2/2; the denominator at eta* is |u| g(e)",
    "A20": "Theorem 3.1 needs its denominator to be positive",
    "A21": "the halving sequence for n = 16: 4 mistakes, or none",
    "A22": "normalised and plain Winnow predict alike with theta 0",
    "A23": "sizes of half-cubes, chances of mistakes and steps, expected mistakes as rationals, n <= 5",
    "A24": "the constants of Theorem 1 from Lambert's W",
    "A25": "every run of D or D': mistakes >= the first distance, and of its parity",
    "A26": "D' with batches of one is D",
    "A27": "Figure 1 as printed: no mistakes until the first negative example",
    "B1": "mean mistakes of D for n = 5, 9, 11",
    "B2": "mean mistakes of D' for n = 21",
    "B3": "mean mistakes of D'' for n = 21, 101",
    "B4": "readings R1, R2, R3 of Figure 1: Winnow makes fewer mistakes than the Perceptron",
    "B5": "Figure 2: elimination < Perceptron with a fixed threshold < Winnow(1.5, N/k) < Perceptron < Winnow(2, N)",
    "B6": "growth of D: the slope of ln E_1",
    "C1": "the four kernels of conjunctions, by enumeration",
    "C2": "the sign of a histogram of overlaps is exact",
    "C3": "the map of closed sets has the value of explicit weights",
    "C4": "runs of kernel Perceptron and kernel Winnow, mistake for mistake",
    "C5": "Theorem 6: the values, and the numbers of mistakes",
    "C6": "Remark 7: numbers of mistakes with thresholds",
    "C7": "Lemma 10: formulas with exactly p models",
    "C8": "Theorem 9: every example a mistake, consistent, and the answer right",
    "C9": "Bayes is Weighted Majority",
    "C10": "Lemma 1, the update (6) and Theorem 2, in rationals",
    "C11": "Normalized Winnow is Bayes over vectors of draws",
    "C12": "attribute errors of all disjunctions",
    "C13": "tables of exact worst cases",
    "C14": "mistakes within every bound on every sequence",
    "D1": "Monte Carlo kernel Winnow: its accuracy",
    "D2": "Theorem 8: the error after a sample",
    "D3": "naive Bayes against mistake-driven learners",
    "D4": "golden numbers of mistakes of learners that use floats",
}


def met(found: Sequence[Checked]) -> Iterator[tuple[str, str, list[Checked]]]:
    """Give each row with its fact and the results that check it.

    A page of all results has all rows, also one that nothing checks; a page of some has the rows of those.
    """
    papers = {one.paper.key: one.paper for one in found}
    whole = set(papers) == set(PAPERS) and len(found) == sum(len(paper.results) for paper in papers.values())
    for key, fact in CHECKLIST.items():
        own = [one for one in found if key in one.result.rows]
        if own or whole:
            yield key, fact, own
