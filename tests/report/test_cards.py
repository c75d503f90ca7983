"""What notebooks show: sound HTML that needs nothing else, every word escaped, what is wanted first."""

import re
from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.models.explanation import Marked, Reason, Reasons
from littlestone.report.cards.card import Bar, html_of
from littlestone.report.cards.evaluations import confusion_grid, evaluation_card
from littlestone.report.cards.games import bound_facts, contest_card, run_card
from littlestone.report.cards.models import explanation_card, learner_card
from littlestone.report.cards.reasons import reasons_card
from tests.report.reading import check_alone
from tests.report.things import NAMES, many, things, words

NAMED = list(things())


@pytest.mark.parametrize("name", NAMED)
def test_a_card_is_sound_small_and_needs_nothing_else(name):
    text = things()[name]._repr_html_()
    read = check_alone(text)
    assert text.startswith("<div") and text.rstrip().endswith("</div>")
    assert len(text) < 25_000
    assert {tag for tag, _ in read.tags}.isdisjoint({"b", "spam", "p-norm", "html", "body"})
    styled = re.findall(r"^([^{}@]+)\{", re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1], re.MULTILINE)
    assert styled and all(part.strip().startswith(".littlestone") for rule in styled for part in rule.split(","))
    assert text == things()[name]._repr_html_()


SAID = {
    "run": ["mistakes in 300 trials", "if", "a disjunction of k attributes gives the labels"],
    "run with a bound": ["mistakes ≤", "a disjunction of k = 2 attributes gives the labels", "and the bound"],
    "run without": ["none is known to hold with these parameters"],
    "run of nothing": ["0 mistakes in 0 trials"],
    "bound": ["mistakes ≤", "a disjunction of k = 2 attributes gives the labels", "EuroCOLT 1999", "n = 20, k = 2"],
    "open bound": ["k + 1", "at(k=...) gives it"],
    "learner": ["Perceptron()", "60", "ham, <spam>", "<b>bold</b>", "mistakes ≤"],
    "fresh learner": ["It has learned nothing yet."],
    "learner of many classes": ["Classes that are not listed: 24."],
    "auto": ["the best of the experts, for 1 and against it"],
    "explanation": ["Threshold", "free", "<spam> if these are on"],
    "explained": ["Predicts <spam>", "(the constant)", "not seen before", "Sum"],
    "model": [
        "Auto()",
        "note (as words)",
        "ham, <spam>",
        "best expert loses at most",
        "yes, calibrated on-line",
        "Label",
    ],
    "model of a table": ["<size> (mean 4.", "kind", "positive from a probability of 0.75", "rows as they are scaled"],
    "model of an array": ["MulticlassPerceptron()", "as the learner predicts"],
    "fresh model": ["It has learned nothing yet."],
    "reasons": ["Predicts <spam>", "with probability", "What would change it", "FREE prize <b>lunch</b>", "for ham"],
    "reasons of weights": ["weight times value", "(the constant)", "not seen before"],
    "reasons of a table": ["standard deviations", "Decided by the probability of 1"],
    "reasons of classes": ["For <2> (+)", "more labels"],
    "evaluation": ["right:", "of 300 examples", "AUC", "Log loss", "has 0.6931", "Confusion table"],
    "evaluation of classes": ["mean over the classes", "<3>"],
    "evaluation of many classes": ["Classes that are not listed: 10."],
    "contest": ["made the fewest mistakes", "the mean of 2 permutations", "± s.d.", "<p>"],
    "loss run": ["lost (square loss) in 300 trials", "RMSE", "none is known to hold with these parameters", "up,"],
    "loss run of nothing": ["0 lost (square loss) in 0 trials"],
    "contest of regressors": ["lost the least", "regret", "RMSE", "<g>", "The smallest mean of loss first"],
    "contest of regressors far apart": ["The least loss first"],
    "certificate": ["Certificate: ", "Slack", "attributes 0, 1", "verify(certificate, stream)"],
}


@pytest.mark.parametrize("name", SAID)
def test_a_card_says_what_one_wants_to_see_first(name):
    said = " ".join("".join(check_alone(things()[name]._repr_html_()).said).split())
    for sentence in SAID[name]:
        assert sentence in said


def test_figures_of_probabilities_are_there_only_with_them():
    assert "Log loss" not in things()["evaluation without probabilities"]._repr_html_()


def test_a_card_of_two_classes_lists_one():
    assert things()["auto"]._repr_html_().count("<caption>") == 1


def test_a_learner_at_work_is_shown_without_its_weights():
    learner = words().copy()
    assert "Largest weights" in learner._repr_html_()
    learner._users.learner = -2  # another thread learns
    said = learner._repr_html_()
    assert "Perceptron()" in said and "Largest weights" not in said


def test_every_name_of_an_attribute_is_escaped():
    text = ls.explain_example(words(), set(NAMES))._repr_html_()
    assert "&lt;b&gt;bold&lt;/b&gt;" in text and "<b>" not in text


def test_what_fell_from_its_start_has_a_bar_as_what_rose_and_it_is_said_what_bars_are():
    learner = ls.Winnow()
    ls.play(learner, ls.teachers.Disjunction(n=200, k=2, trials=500))
    grids = [explanation_card(ls.explain(learner)), learner_card(learner)]
    for card in grids:
        lengths = [cell.bar for row in card.grids[-1].rows for cell in row if isinstance(cell, Bar)]
        assert max(lengths) > 20 and min(lengths) < -20
        assert any("the scale is logarithmic" in note for note in card.notes)
    assert not any("logarithmic" in note for note in explanation_card(things()["explanation"]).notes)


def test_all_classes_of_an_explanation_have_one_scale():
    found = things()["explanation of classes"]
    most = max(abs(one.weight) for _, up, down in found.classes for one in (*up, *down))
    for grid, (_, up, down) in zip(explanation_card(found).grids, found.classes, strict=True):
        lengths = [abs(cell.bar) for row in grid.rows for cell in row if isinstance(cell, Bar)]
        assert max(lengths) == round(100 * max(abs(one.weight) for one in (*up, *down)) / most)


def test_a_bound_is_told_for_a_target_that_it_speaks_of():
    bound = ls.Winnow().begin(n=1000).guarantee
    assert bound_facts(bound, 31)["Bound"].endswith("; 31 for k = 1")
    assert bound_facts(bound, 32)["Bound"].endswith("; for k = 2: 61, the first that is not below the mistakes")
    assert bound_facts(bound, 10**6)["Bound"].endswith("30 k + 1")  # no disjunction of so few attributes
    run = replace(things()["run"], mistakes=60)
    assert "not below the mistakes" in run_card(run).facts["Bound"]


def text_of(odds, by="left out", probabilities=True):
    """Return the reasons of a text whose words bring so much."""
    listed = tuple(Reason(f"note=w{i}", 1.0, None, None, value) for i, value in enumerate(odds))
    texts = {"note": tuple(Marked(f"w{i} ", value) for i, value in enumerate(odds))}
    shares = {"ham": 0.002, "spam": 0.998} if probabilities else {}
    return Reasons("Auto()", "spam", shares, "spam", "ham", by, listed, texts=texts)


def test_little_is_marked_little_and_next_to_nothing_not_at_all():
    def strengths(*odds, **how):
        return [mark.strength for mark in reasons_card(text_of(odds, **how)).texts["note"]]

    assert strengths(0.44, -0.049, -0.1) == [0.44, 0.0, 0.1]
    assert strengths(1.0, -0.5, 0.01) == [1.0, 0.5, 0.0]
    assert strengths(4.0, -1.0) == [1.0, 0.25]
    assert strengths(0.04, -0.01, by="weights") == [1.0, 0.5]  # whose size says nothing by itself


def test_attributes_that_bring_nothing_are_a_sentence_and_not_rows_of_zeros():
    card = reasons_card(text_of([0.5] + 10 * [0.0]))
    assert [row[0] for row in card.grids[0].rows] == ["note=w0"]
    assert any(note.startswith("10 attributes bring nothing: note=w1, note=w2") for note in card.notes)
    assert len(reasons_card(text_of([0.5, 0.0, 0.0])).grids[0].rows) == 3


def test_it_is_said_where_no_attribute_moves_the_probability():
    rng = np.random.default_rng(0)
    rows = [{"note": " ".join(rng.choice(SPAM if spam else HAM, 12)), "class": "spam" if spam else "ham"}
            for spam in rng.integers(0, 2, 300)]  # fmt: skip
    model = ls.Model.train(rows, label="class", text="note")
    sure = model.explain(" ".join(SPAM))
    assert sure.probabilities["spam"] > 0.99
    assert any("no single one decides" in note for note in sure.notes)
    assert not any("no single one decides" in note for note in model.explain("win lunch").notes)


SPAM = ["win", "prize", "free", "now", "cash", "call", "claim", "code"]
HAM = ["lunch", "today", "noon", "home", "later", "see", "you", "ok"]


def test_scaled_columns_are_one_table_and_many_of_them_are_folded():
    for columns in (3, 12):
        rng = np.random.default_rng(1)
        X = rng.normal(5, 2, (60, columns))
        rows = [dict(zip("abcdefghijkl", map(float, row), strict=False)) | {"y": int(row[0] > 5)} for row in X]
        model = ls.Model.train(rows, label="y", learner="perceptron")
        card = explanation_card(model.explain())
        grid = card.grids[-1]
        assert grid.heads == ("column", "mean", "deviation") and len(grid.rows) == columns
        assert grid.rows[0][1] == f"{model.scaling['a'].mean:.6g}"
        assert not any("counts in standard deviations" in note for note in card.notes)
        assert grid.folded == (columns > 10)
        assert ("<details>" in html_of(card)) == (columns > 10)


def test_numbers_of_a_column_are_aligned():
    for grid in explanation_card(things()["explanation of classes"]).grids:
        assert len({len(row[1].partition(".")[2]) for row in grid.rows}) == 1


def test_an_evaluation_of_many_classes_says_what_it_leaves_out():
    notes = evaluation_card(things()["evaluation of many classes"]).notes
    assert any("confusion table of 30 labels" in note for note in notes)


def test_the_least_share_that_is_there_can_be_seen():
    shares = [cell.share for row in confusion_grid(many(4)[1]).rows for cell in row[1:]]
    assert all(share == 0.0 or 0.15 <= share <= 0.75 for share in shares)


def test_a_contest_of_permutations_has_the_mean_first():
    card = contest_card(things()["contest"])
    assert card.grids[0].heads[:3] == ["learner", "mean", "\N{PLUS-MINUS SIGN} s.d."]
    assert card.grids[0].caption.startswith("The smallest mean of mistakes first")
