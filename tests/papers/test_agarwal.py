"""Agarwal's lecture, checked: the verdicts of a quick run, and the counterexamples of what is corrected."""

import pytest

from littlestone.papers import Verdict, load

pytest.importorskip("joblib")
pytest.importorskip("matplotlib")

PAPER = "agarwal"  # of which `outcomes` are
VERDICTS = {
    "theorem-2-1": Verdict.EXACTLY,
    "theorem-2-2": Verdict.EXACTLY,
    "theorem-2-3": Verdict.EXACTLY,
    "winnow-update": Verdict.EXACTLY,
    "theorem-3-1": Verdict.CORRECTED,
    "theorem-3-1-best-eta": Verdict.EXACTLY,
    "halving": Verdict.EXACTLY,
    "example-1": Verdict.STATISTICALLY,
    "example-2": Verdict.CORRECTED,
    "example-2-working": Verdict.STATISTICALLY,
    "regression": Verdict.EXACTLY,
}


def test_verdicts(outcomes):
    assert {key: outcome.verdict for key, outcome in outcomes.items()} == VERDICTS


def test_every_row_of_the_lecture_is_met():
    rows = {row for result in load(PAPER).results for row in result.rows}
    assert rows == {f"A{number}" for number in range(15, 23)}


def test_theorem_3_1_fails_in_one_trial(outcomes):
    outcome = outcomes["theorem-3-1"]
    (printed,) = outcome.claimed
    assert (printed.measured, round(printed.expected, 4)) == (1, -2.0767)
    assert "n = 2" in outcome.counterexample and "-2.0767" in outcome.counterexample


def test_example_2_has_nothing_to_learn(outcomes):
    outcome = outcomes["example-2"]
    assert [one.holds for one in outcome.claimed] == [True, False]  # the bounds are as printed
    assert "n = k = 1" in outcome.counterexample and "has the label +1" in outcome.counterexample


def test_the_reference_numbers_are_among_what_is_compared(outcomes):
    expected = {one.what: one.expected for one in outcomes["example-1"].claimed if "reference" in one.what}
    assert len(expected) == 10 and expected["n=1000, k=5: Winnow, reference"] == 113
