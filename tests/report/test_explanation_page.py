"""The page of an explanation: sound, escaped, without scripts; the words of a text marked by what they bring."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.report import explanation_page
from tests.report.reading import check_alone
from tests.report.things import mail, many, things

TEXT = "Free <script>alert(1)</script> Lunch\ntoday"
# how many tables, and what is said
PAGES = {
    "reasons": (1, ["a <b>.npz predicts <spam>", "What would change it", "for ham", "note=free", "by how much"]),
    "reasons of weights": (1, ["weight times value", "(the constant)", "sum", "threshold of <spam>"]),
    "reasons of classes": (1, ["For <2> (+) and for <", "and 25 more labels"]),
    "explanation": (2, ["What a <b>.npz has learned", "Predict <spam> if these are on", "Threshold", "free"]),
    "explanation of classes": (4, ["Class “<3>”", "weights of different classes are compared"]),
    "explanation of nothing": (0, ["It has learned nothing yet."]),
    "explained": (1, ["a <b>.npz predicts <spam>", "not seen before", "Sum"]),
    "explained classes": (1, ["second: "]),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_sound_and_says_it_all(name):
    tables, sentences = PAGES[name]
    text = explanation_page(things()[name], model="dir/a <b>.npz", command="littlestone <e>")
    read = check_alone(text)
    assert [tag for tag, _ in read.tags].count("caption") == tables
    said = " ".join("".join(read.said).split())
    for sentence in [*sentences, things()[name].learner, "dir/a <b>.npz", "littlestone <e>"]:
        assert sentence in said
    assert text == explanation_page(things()[name], model="dir/a <b>.npz", command="littlestone <e>")


@pytest.mark.parametrize("shown", [explanation_page, lambda found: found._repr_html_()], ids=["page", "card"])
def test_words_are_marked_with_colour_line_and_words(shown):
    found = mail().explain(TEXT)
    text = shown(found)
    read = check_alone(text)
    assert TEXT in "".join(read.said)
    marks = [told for tag, told in read.tags if tag == "mark" and "title" in told]
    brings = [piece.brings for piece in found.texts["note"] if abs(piece.brings) >= 0.05]
    assert [told["class"] for told in marks] == ["ls-for" if one > 0 else "ls-against" for one in brings]
    assert [told["title"].split(",")[0] for told in marks] == [f"{one:+.4g}" for one in brings]
    strengths = [float(told["style"].removeprefix("--share:")) for told in marks]
    assert np.argmax(strengths) == np.argmax(np.abs(brings)) and max(np.abs(brings)) > 1.0 == max(strengths)
    assert "underline dotted" in text


def test_only_explanations_have_such_a_page():
    with pytest.raises(InvalidParameter, match="expected what explain returns, got Winnow"):
        explanation_page(ls.Winnow())


def test_many_classes_have_links_and_fewer_rows_each():
    text = explanation_page(ls.explain(many(30)[0]))
    read = check_alone(text)
    links = [told["href"] for tag, told in read.tags if tag == "a"]
    assert links == [f"#table-{i}" for i in range(1, 31)]
    assert text.count('scope="row"') <= 30 * 10
    assert "Of each class the 5 largest weights of each side are listed." in text
    assert "<nav" not in explanation_page(ls.explain(many(4)[0]))
