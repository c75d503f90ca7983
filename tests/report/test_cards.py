"""What notebooks show: sound HTML that needs nothing else, every word escaped, what is wanted first."""

import re

import pytest

import littlestone as ls
from tests.report.reading import check_alone
from tests.report.things import NAMES, things, words

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
