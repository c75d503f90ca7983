"""Helmbold, Panizza and Warmuth, reproduced: every verdict, the errata with their counterexamples, the checklist."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.papers import load, reproduce
from littlestone.papers.helmbold_panizza_warmuth import _enumeration, _games, model_m, theorem_4
from littlestone.papers.outcome import Verdict

pytest.importorskip("matplotlib")
pytest.importorskip("joblib")

KEY = "helmbold_panizza_warmuth"
EXACTLY, STATISTICALLY, CORRECTED = Verdict.EXACTLY, Verdict.STATISTICALLY, Verdict.CORRECTED
VERDICTS = {
    "bayes-is-weighted-majority": EXACTLY,
    "direct-twice-the-best": EXACTLY,
    "attribute-errors": EXACTLY,
    "direct-against-indirect": EXACTLY,
    "noise-free-bounds": EXACTLY,
    "other-models": Verdict.NOT_CHECKABLE,
    "model-m-gamma": CORRECTED,
    "lemma-1": EXACTLY,
    "theorem-1": EXACTLY,
    "theorem-2": EXACTLY,
    "figure-1-optimal": STATISTICALLY,
    "theorem-3": EXACTLY,
    "theorem-3-proof": EXACTLY,
    "theorem-3-misprint": CORRECTED,
    "no-noise": EXACTLY,
    "mistake-driven": EXACTLY,
    "theorem-4": EXACTLY,
    "theorem-4-start": CORRECTED,
    "theorem-4-certificate": EXACTLY,
    "theorem-4-noise": EXACTLY,
    "theorem-5": EXACTLY,
    "theorem-5-proof": EXACTLY,
    "winnow-beside-it": EXACTLY,
    "corollary-1": EXACTLY,
    "incomparable": EXACTLY,
    "tuning": EXACTLY,
    "footnote-4": STATISTICALLY,
    "normalized-winnow-is-bayes": EXACTLY,
    "vectors-of-draws": EXACTLY,
    "mixed-labels": EXACTLY,
    "normalized-winnow-bound": EXACTLY,
    "poisson": Verdict.NOT_CHECKABLE,
    "naive-bayes-uniform": EXACTLY,
    "naive-bayes-mistake-driven": Verdict.NOT_CONFIRMED,
    "naive-bayes-redundant": STATISTICALLY,
    "label-noise": STATISTICALLY,
    "singly-variant": STATISTICALLY,
    "singly-variant-model": STATISTICALLY,
    "golden-runs": EXACTLY,
    "bylander": Verdict.EXACTLY,
}


@pytest.fixture(scope="session")
def found(tmp_path_factory):
    return {one.result.key: one for one in reproduce(KEY, out=tmp_path_factory.mktemp(KEY))}


def test_every_verdict(found):
    assert {key: one.verdict for key, one in found.items()} == VERDICTS


def test_the_checklist_is_met(found):
    rows = {row for one in found.values() for row in one.result.rows}
    assert rows == {"C9", "C10", "C11", "C12", "C13", "C14", "D3", "D4"}


@pytest.mark.parametrize(("key", "words"), [
    ("model-m-gamma", "gamma = 3/5, x = 0: P(y=1) = 2/5, not 3/5"),
    ("theorem-3-misprint", "n = 14, k = 3, greedy adversary: 38 mistakes, (12) allows 36.24"),
    ("theorem-3-misprint", "n = 25, e_1 positive again and again, 19 mistakes, (12) allows 18.88"),
    ("theorem-4-start", "n = 2, k = 1, w1 = 1e-08: 34 mistakes, (15) allows 30.55"),
    ("theorem-4-start", "n = 12, k = 0, 25 mistakes, (15) allows 24.79"),
])  # fmt: skip
def test_errata_come_with_their_smallest_counterexamples(found, key, words):
    assert words in found[key].outcome.counterexample


def test_what_is_not_confirmed_is_one_comparison_only(found):
    wrong = [one.what for one in found["naive-bayes-mistake-driven"].outcome.claimed if not one.holds]
    assert wrong == ["Naive Bayes on mistakes, less Naive Bayes"]


@pytest.mark.parametrize(("key", "bound", "ks"), [
    ("theorem-3", "theorem_3._bound", [2, 8]), ("theorem-4", "theorem_4._bound", [1]),
    ("corollary-1", "thresholded_beg._seventeen", [1, 4]),
])  # fmt: skip
def test_another_bound_gives_another_verdict(monkeypatch, key, bound, ks):
    result = next(result for result in load(KEY).results if result.key == key)
    sizes = {"searched": [2, 3], "searched_ks": [0, 1, 2, 3], "ns": [1024], "ks": ks, "runs": 3}

    def verdict():
        done = [result.part(0, **piece) for piece in result.pieces(**sizes)]
        return result.check(done, 0, **sizes).verdict

    assert verdict() is Verdict.EXACTLY
    monkeypatch.setattr(f"littlestone.papers.{KEY}.{bound}", lambda n, k, errors: 30.0)
    assert verdict() is Verdict.NOT_CONFIRMED


@settings(max_examples=50)
@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_attribute_errors_bit_by_bit(n, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.random((12, n)) < 0.5, rng.random(12) < 0.5
    table = _enumeration.attribute_errors(X, y)
    for d, code in ((d, sum(1 << i for i in d)) for d in _enumeration.disjunctions(n)):
        on = X[:, sorted(d)].sum(axis=1)
        assert table[code] == np.where(y, on == 0, on).sum()


def test_sums_that_agree_are_found_where_a_function_is_not_linear():
    cube = list(product((0, 1), repeat=4))
    assert _enumeration.not_linear({x: x[0] + x[1] + 2 * x[2] > 1 for x in cube}) is None
    ones, zeros = _enumeration.not_linear({x: bool((x[0] and x[1]) or (x[2] and x[3])) for x in cube})
    assert np.array_equal(np.sum(ones, axis=0), np.sum(zeros, axis=0))


def test_bayes_and_majority_break_ties_as_asked():
    for tie in (0, 1):
        for play in (_enumeration.bayes(Fraction(1, 3), 1, None, [((1,), 1)], tie),
                     _enumeration.majority(Fraction(1, 2), 1, None, [((1,), 1)], tie)):  # fmt: skip
            assert [(said, tied) for said, _, tied in play] == [(tie, True)]


def test_negative_rows_of_least_weight_are_all_mistakes():
    learner = ls.BayesBEG(w1=0.5).begin(5, labels=(0, 1))
    assert theorem_4._on_negatives(learner, 5) == learner.mistakes == learner.trials == 10
    assert not learner.predict(np.ones((1, 5), dtype=bool))[0]


def test_the_least_loss_of_any_rule_in_one_trial():
    """By hand: before any example the two answers are compared on each row alone."""
    model, half = model_m.TRUE, Fraction(1, 2)
    chance = {label: [sum(half * model.probability(label, bit, d) for d in (0, 1)) for bit in (0, 1)]
              for label in (0, 1)}  # fmt: skip
    best = [max(chance[label][a] * chance[label][b] for label in (0, 1)) for a, b in product((0, 1), repeat=2)]
    assert model_m._least_loss(1) == 1 - sum(best, Fraction(0)) / 4


def test_the_longest_game_is_the_one_that_is_named():
    games = [_games.Played(4, 1, 0, 3, 6.0), _games.Played(5, 1, 0, 5, 8.0), _games.Played(5, 0, 0, 0, 0.0)]
    assert _games.largest(games) is games[1]
    assert [game.ratio for game in games] == [0.5, 0.625, 0.0]
