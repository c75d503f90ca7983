"""Khardon, Roth and Servedio, checked: the verdicts of a quick run, and the counterexamples of what is corrected."""

import pytest

from littlestone.papers import Verdict, load

pytest.importorskip("joblib")
pytest.importorskip("matplotlib")

PAPER = "khardon_roth_servedio"  # of which `outcomes` are
VERDICTS = {
    "theorem-1": Verdict.EXACTLY,
    "theorem-2": Verdict.EXACTLY,
    "theorem-3": Verdict.EXACTLY,
    "exact-predictions": Verdict.EXACTLY,
    "kernel-perceptron-run": Verdict.EXACTLY,
    "fact-4": Verdict.EXACTLY,
    "lemma-5": Verdict.EXACTLY,
    "theorem-6": Verdict.EXACTLY,
    "theorem-6-estimates": Verdict.EXACTLY,
    "theorem-6-scope": Verdict.EXACTLY,
    "remark-7-rate": Verdict.EXACTLY,
    "remark-7-large": Verdict.EXACTLY,
    "remark-7-negative": Verdict.CORRECTED,
    "theorem-8": Verdict.STATISTICALLY,
    "kernel-winnow-exact": Verdict.EXACTLY,
    "winnow-learns-dnf": Verdict.EXACTLY,
    "monte-carlo": Verdict.STATISTICALLY,
    "lemma-10": Verdict.EXACTLY,
    "theorem-9": Verdict.EXACTLY,
    "theorem-9-parameters": Verdict.EXACTLY,
    "theorem-9-no-clause": Verdict.CORRECTED,
    "result-3": Verdict.NOT_CHECKABLE,
    "maximum-margin": Verdict.EXACTLY,
    "geometric-classes": Verdict.EXACTLY,
    "other-work": Verdict.NOT_CHECKABLE,
}
ROWS = {"A14", *(f"C{number}" for number in range(1, 9)), "C13", "C14", "D1", "D2"}


def test_verdicts(outcomes):
    assert {key: outcome.verdict for key, outcome in outcomes.items()} == VERDICTS


def test_every_row_of_the_paper_is_met():
    assert {row for result in load(PAPER).results for row in result.rows} == ROWS


def test_remark_7_is_one_short_where_theta_is_whole(outcomes):
    outcome = outcomes["remark-7-negative"]
    assert [(one.measured, one.expected) for one in outcome.claimed] == [(2, 1), (4, 3), (4, 4), (1, 1), (1001, 1000)]
    assert outcome.counterexample.startswith("theta = -1:") and "2 mistakes, and not 1" in outcome.counterexample


def test_without_a_clause_theorem_9_misses_the_empty_assignment(outcomes):
    outcome = outcomes["theorem-9-no-clause"]
    (printed,) = outcome.claimed
    assert (printed.measured, printed.expected) == (11, 14)  # wrong for K = 2^n, n = 1, 2, 3
    assert "n = 1, no clause" in outcome.counterexample and "answers no (K = 1: yes)" in outcome.counterexample


def test_the_reference_numbers_are_among_what_is_compared(outcomes):
    references = [one.what for outcome in outcomes.values() for one in outcome.claimed if "reference" in one.what]
    assert len(references) > 60
    by_name = {one.what: one.measured for one in outcomes["theorem-6-scope"].claimed}
    assert by_name["monotone conjunctions of at most 1, ..., 6 attributes, reference"] == [
        18,
        108,
        579,
        2473,
        3002,
        3002,
    ]
