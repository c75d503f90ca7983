"""The page of an evaluation: sound, with every figure; probabilities only where there are some."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.games.evaluation import Evaluation
from littlestone.report import evaluation_page
from tests.report.reading import check_alone
from tests.report.things import things

pytest.importorskip("matplotlib")

# how many figures and tables, and what is said
PAGES = {
    "evaluation": (3, 3, ["Log loss", "Reliability", "Confusion"]),
    "evaluation without probabilities": (2, 2, ["Average precision"]),
    "evaluation of classes": (3, 4, ["mean over the classes", "Most frequent mistakes", "<3>"]),
    "evaluation of many classes": (2, 4, ["Most frequent mistakes", "<29>"]),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_sound_and_has_all_figures(name):
    found, (figures, tables, sentences) = things()[name], PAGES[name]
    text = evaluation_page(found, model="a <b>.npz", learner="L<x>", source="dir/c.svm", command="littlestone <e>")
    read = check_alone(text)
    tags = [tag for tag, _ in read.tags]
    assert (tags.count("figure"), tags.count("caption")) == (figures, tables)
    assert all(told.get("aria-label") for tag, told in read.tags if tag == "svg")
    said = " ".join("".join(read.said).split())
    for sentence in [*sentences, "a <b>.npz on c.svm", "L<x>", "littlestone <e>", f"of {found.examples:,} examples"]:
        assert sentence in said
    for value in (found.auc, found.average_precision, found.log_loss, found.brier, found.calibration_error):
        assert value is None or f"{value:.4f}" in said


def test_the_same_evaluation_gives_the_same_bytes():
    one, other = (evaluation_page(things()["evaluation without probabilities"]) for _ in range(2))
    assert one == other


def test_an_evaluation_of_nothing_has_a_page():
    nothing = Evaluation((0, 1), np.zeros((2, 2), dtype=np.int64))
    read = check_alone(evaluation_page(nothing))
    assert "figure" not in [tag for tag, _ in read.tags]
    with pytest.raises(InvalidParameter, match="expected an Evaluation, as evaluate returns it, got Winnow"):
        evaluation_page(ls.Winnow())


def test_what_does_not_fit_is_said():
    size = 40
    counts = np.full((size, size), 1, dtype=np.int64)
    text = evaluation_page(Evaluation(tuple(range(size)), counts))
    assert "A table of 40 labels would not fit: 30 are the most." in text
    assert "Kinds of mistakes that are not listed: 1,540." in text
    assert "not listed" not in evaluation_page(things()["evaluation of classes"])


def test_pages_call_a_strong_colour_strong_which_is_not_dark_in_a_dark_page():
    text = evaluation_page(things()["evaluation of classes"])
    assert "stronger colour" in text and "arker" not in text
