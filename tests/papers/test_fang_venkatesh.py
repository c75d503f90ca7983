"""Fang and Venkatesh reproduced: a verdict for every result, and the errata where they show first."""

import pytest

from littlestone.papers import load, reproduce
from littlestone.papers.checklist import CHECKLIST

pytest.importorskip("matplotlib")
pytest.importorskip("joblib")

EXACTLY, STATISTICALLY = "confirmed exactly", "confirmed statistically"
VERDICTS = {
    "half-spaces": EXACTLY, "footnote-1": EXACTLY, "two-models": "corrected", "positive-or-not-negative": "corrected",
    "more-matches": "corrected", "1.45-n-examples": STATISTICALLY, "approximate-goal": STATISTICALLY, "chain": EXACTLY,
    "pigeonhole": STATISTICALLY, "convergence": STATISTICALLY, "theorem-1-lower": EXACTLY, "theorem-1-upper": EXACTLY,
    "theorem-1-constants": "corrected", "growth": STATISTICALLY, "termination-odd": EXACTLY,
    "termination-even": "corrected", "termination-output": "corrected", "termination-batches": "corrected",
    "table-1": STATISTICALLY, "theorem-2": STATISTICALLY, "votes-beat-chance": STATISTICALLY,
    "batches-of-one": STATISTICALLY, "ties-among-votes": "corrected", "index-of-the-update": "corrected",
    "theorem-3": STATISTICALLY, "pi-is-critical": STATISTICALLY, "small-batches-of-d-two": "corrected",
    "figure-1": STATISTICALLY, "figure-1-starts": STATISTICALLY, "real-perceptron": STATISTICALLY,
    "typical-instances": STATISTICALLY, "np-complete": "not checkable", "proofs": "not checkable",
}  # fmt: skip
FIRST = {  # where an erratum shows first
    "two-models": ["n = 4", "454/33", "2710/209"],
    "more-matches": ["n = 2", "(1, -1) agrees in 1 coordinate"],
    "positive-or-not-negative": ["n = 2", "(1, -1)"],
    "theorem-1-constants": ["1.7718665520"],
    "termination-even": ["n = 2, delta = 1/10: T = 5", "32/243"],
    "termination-output": ["n = 2, delta = 0.1", "the smallest odd n for this delta is 5: 0.2317"],
    "termination-batches": ["n = 2, delta = 0.1", "(at n = 1 0 and 0)"],
    "ties-among-votes": ["n = 2, m = 1", "0 of 1,000 runs"],
    "index-of-the-update": ["m = 2"],
    "small-batches-of-d-two": ["n = 2, m = 1", "only 1/2 of the runs"],
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return {one.result.key: one for one in reproduce("fang_venkatesh", out=tmp_path_factory.mktemp("fang"))}


def test_every_result_has_its_verdict(found):
    assert {key: str(one.verdict) for key, one in found.items()} == VERDICTS


@pytest.mark.parametrize("key", FIRST)
def test_an_erratum_shows_first_there(found, key):
    assert all(words in found[key].outcome.counterexample for words in FIRST[key]), found[key].outcome.counterexample


def test_every_erratum_is_listed():
    assert set(FIRST) == {key for key, verdict in VERDICTS.items() if verdict == "corrected"}


def test_all_rows_of_the_paper_are_met():
    own = {"A23", "A24", "A25", "A26", "B1", "B2", "B3", "B6"}
    assert own <= set(CHECKLIST)
    assert {row for result in load("fang_venkatesh").results for row in result.rows} == own


def test_what_is_not_checkable_says_why(found):
    assert all(one.outcome.evidence for one in found.values() if str(one.verdict) == "not checkable")
