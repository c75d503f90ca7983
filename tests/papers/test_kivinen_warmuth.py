"""The quick run of Kivinen and Warmuth's results: every verdict, every row of the checklist, the counterexamples."""

import json

import pytest

from littlestone.papers import load
from littlestone.papers.runner import checked
from littlestone.papers.store import Store

pytest.importorskip("joblib")

EXACT, CHANCE, CORRECTED, OPEN = "confirmed exactly", "confirmed statistically", "corrected", "not checkable"
VERDICTS = {
    "one-family": EXACT, "threshold": EXACT, "negations": EXACT, "learning-rate": EXACT, "exact-arithmetic": EXACT,
    "ellipsoid": EXACT, "linear-programming": CHANCE, "ellipsoid-runs": EXACT, "decision-lists": EXACT,
    "winnow-bound": EXACT, "winnow-tuned": CORRECTED, "elimination": EXACT, "elimination-noise": EXACT,
    "perceptron-bound": EXACT, "vc-dimension": EXACT, "batch": CORRECTED, "batch-one-each": CHANCE,
    "pseudo-random": CHANCE, "dnf-kernel": EXACT, "dnf-experiment": CHANCE, "dnf-bound": EXACT,
    "winnow-not-additive": CORRECTED, "winnow-not-rotation-invariant": CORRECTED, "additive-learners": EXACT,
    "theorem-3": EXACT, "lemma-5": EXACT, "lemma-10": EXACT, "misprints": CORRECTED,
    "theorem-8": EXACT, "theorem-13": EXACT, "theorem-13-any-start": EXACT,
    "theorem-13-game": EXACT, "paley": EXACT, "winnow-in-the-game": EXACT, "growth": CHANCE, "runs-repeated": EXACT,
    "figures-printed": OPEN, "dnf-optimal": OPEN, "figure-1-literal": CORRECTED, "figure-1-small-k": CHANCE,
    "figure-1-r1": CHANCE, "figure-1-r2": CHANCE, "figure-1-r3": CHANCE, "figure-1-r4": CHANCE,
    "figure-2": "not confirmed", "figure-2-variants": CHANCE, "figure-2-rows": CHANCE, "tunings": CHANCE,
    "normalized-winnow": CHANCE, "close-to-n": CHANCE, "horizons": CHANCE, "regression": CHANCE,
}  # fmt: skip
COUNTEREXAMPLES = {
    "winnow-not-additive": "w3 = (2, 2, 1)", "winnow-not-rotation-invariant": "theta 1.2",
    "winnow-tuned": "N = 12, k = 3", "batch": "l = 2, row 1",
    "misprints": "n = 2, k = 2", "figure-1-literal": "0 and 0 mistakes",
}  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    paper = load("kivinen_warmuth")
    chosen = [(paper, result) for result in paper.results]
    return {one.result.key: one for one in checked(chosen, Store(tmp_path_factory.mktemp("cache")), workers=2)}


def test_every_verdict(found):
    assert {key: str(one.verdict) for key, one in found.items()} == VERDICTS


def test_every_row_of_the_checklist_is_met(found):
    met = {row for one in found.values() for row in one.result.rows}
    assert met == {f"A{number}" for number in range(1, 15)} | {"A27", "B4", "B5"}


@pytest.mark.parametrize("key", COUNTEREXAMPLES)
def test_an_erratum_shows_the_smallest_counterexample(found, key):
    outcome = found[key].outcome
    assert COUNTEREXAMPLES[key] in outcome.counterexample
    assert outcome.erratum
    assert not all(one.holds for one in outcome.claimed)


def test_the_page_of_all_of_them_is_sound(found):
    pytest.importorskip("matplotlib")
    from littlestone.papers.pages import web_page
    from tests.report.test_contest_page import Reader

    text = web_page(list(found.values()))
    read = Reader(text)
    assert len(set(read.ids)) == len(read.ids)
    assert set(read.refs) <= set(read.ids)
    assert text.count("<figure>") == sum(len(one.outcome.figures) for one in found.values()) > 5
    assert web_page(list(found.values())) == text


def test_results_can_be_written_down(found):
    for one in found.values():
        listed = json.loads(json.dumps(one.as_dict(), allow_nan=False))
        assert listed["verdict"] == VERDICTS[listed["result"]]
        assert all(len(line["x"]) == len(line["y"]) for figure in listed["figures"] for line in figure["lines"])
