"""Plots: axes in, axes out; what is drawn is what was counted; what cannot be drawn is refused with the remedy."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from tests.report.things import NAMES, many, things, words

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")

DRAWN = [
    ("run", {}), ("run", {"k": 2}), ("run", {"kind": "rate"}), ("run with a bound", {}), ("run without", {}),
    ("learner", {}), ("learner of classes", {}), ("learner of classes", {"label": "<2>", "top": 3}),
    ("learner of many classes", {}), ("auto", {}), ("explanation", {"top": 2}), ("explanation of classes", {}),
    ("explained", {}), ("explained classes", {}), ("model", {}), ("model", {"label": "ham", "top": 2}), ("reasons", {}),
    ("model of a table", {}), ("reasons of weights", {"top": 1}), ("reasons of classes", {}),
    ("evaluation", {}), ("evaluation", {"kind": "reliability"}),
    ("evaluation", {"kind": "confusion"}), ("evaluation without probabilities", {}), ("evaluation of classes", {}),
    ("evaluation of classes", {"kind": "reliability"}), ("evaluation of classes", {"kind": "confusion"}),
    ("evaluation of many classes", {"kind": "confusion"}), ("contest", {}), ("contest", {"kind": "rate"}),
    ("contest", {"kind": "differences"}), ("contest of one game", {}),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.mark.parametrize(("name", "options"), DRAWN, ids=str)
def test_axes_come_out_and_the_same_go_in(name, options):
    figure, (one, other) = plt.subplots(1, 2)
    before = dict(matplotlib.rcParams)
    axes = things()[name].plot(ax=one, **options)
    assert axes is one
    assert axes.get_title() and axes.get_xlabel()
    assert not other.has_data()
    assert not figure.legends
    made = things()[name].plot(**options)
    assert made.figure is not figure
    assert made.get_title(loc="left") == axes.get_title()
    assert dict(matplotlib.rcParams) == before
    if not options:
        made.figure.draw_without_rendering()


def test_the_curve_of_a_run_ends_at_its_mistakes_and_the_bound_lies_above():
    run = things()["run with a bound"]
    curve, bound = run.plot().lines
    assert curve.get_ydata()[-1] == run.mistakes
    assert curve.get_xdata()[-1] == run.trials
    assert set(bound.get_ydata()) == {run.guarantee.value}
    assert "a disjunction of k = 2" in " ".join(bound.get_label().split())
    assert len(things()["run"].plot().lines) == 1  # nobody has said k
    assert things()["run"].plot(k=2).lines[1].get_ydata()[0] == things()["run"].guarantee.at(k=2).value
    far = things()["run"].plot(k=20).lines[1]
    assert len(far.get_ydata()) == 0 and "(above the" in far.get_label()


def test_logarithmic_axes_have_plain_numbers_and_few():
    axes = things()["run"].plot(kind="rate")
    axes.figure.draw_without_rendering()
    labels = [text.get_text() for text in axes.get_xticklabels() + axes.get_xticklabels(minor=True)]
    assert {"20", "50", "100", "200"} <= set(labels)
    assert all(label.replace(",", "").isdigit() for label in labels if label)


def test_curves_of_precision_and_recall_and_of_reliability_are_those_of_the_evaluation():
    found = things()["evaluation"]
    line = found.plot().lines[0]
    np.testing.assert_array_equal(line.get_xdata()[1:], found.curves[1].recall)
    np.testing.assert_array_equal(line.get_ydata()[1:], found.curves[1].precision)
    assert f"{found.average_precision:.3f}" in line.get_label()
    bins = [one for one in found.reliability if one.examples]
    axes = found.plot(kind="reliability")
    np.testing.assert_array_equal(axes.lines[1].get_ydata(), [one.share for one in bins])
    assert sum(bar.get_height() for bar in axes.patches) == pytest.approx(1.0)
    counts = [text.get_text() for text in found.plot(kind="confusion").texts]
    assert counts == [f"{count:,}" for count in found.confusion.ravel().tolist()]


def test_names_are_written_as_they_are():
    axes = ls.explain_example(words(), set(NAMES)).plot()
    axes.figure.draw_without_rendering()
    names = {text.get_text() for text in axes.get_yticklabels()}
    assert {r"\$1 or \$2", "tomorrow night", "<b>bold</b>"} & names
    assert all(len(name) <= 26 for name in names)
    legend = things()["contest"].plot().figure.legends[0]
    assert sorted(text.get_text() for text in legend.get_texts()) == [" _w", "<p>"]


def test_bars_are_the_largest_weights_and_one_class_can_be_picked():
    learner = words()
    weights = sorted(filter(None, map(abs, learner.weights().values())), reverse=True)
    assert [abs(bar.get_width()) for bar in learner.plot(top=2).patches] == weights[:2]
    names = [text.get_text() for text in many(4)[0].plot(top=5).get_yticklabels()]
    assert len(names) == 5 and all(name.endswith(">)") for name in names)
    assert "2" in [text.get_text() for text in many(4)[0].plot(label="<2>").get_yticklabels()]


def test_bars_of_reasons_are_what_they_bring_and_the_other_label_mirrors_them():
    found = things()["reasons"]
    widths = [bar.get_width() for bar in found.plot().patches]
    assert widths == [one.brings for one in found.listed if one.brings]
    assert found.plot().get_xlabel() == "for ham (-) or for <spam> (+)"
    model = things()["model"]
    one, other = ([bar.get_width() for bar in model.plot(label=label).patches] for label in ("<spam>", "ham"))
    assert one == [-width for width in other]


WRONG = [
    ("fresh model", {}, "It has learned nothing yet"),
    ("model", {"label": "x"}, "label: expected one of"),
    ("run", {"kind": "mistake"}, "kind: expected one of 'mistakes', 'rate', got 'mistake'; did you mean mistakes"),
    ("run", {"ax": 3}, "ax: expected matplotlib's axes, got int"),
    ("run without", {"k": 2}, "expected a run with a bound to put k into"),
    ("evaluation", {"kind": "roc"}, "kind: expected one of 'precision-recall'"),
    ("evaluation without probabilities", {"kind": "reliability"}, "give evaluate probabilities="),
    ("evaluation of many classes", {}, "12 classes or fewer"),
    ("evaluation of no rows", {"kind": "reliability"}, "give evaluate probabilities="),
    ("contest of one game", {"kind": "differences"}, "two permutations or more"),
    ("learner of classes", {"label": "x"}, "label: expected one of"),
    ("learner", {"label": "x"}, "label: expected one of"),
    ("learner", {"top": 0}, "top"),
    ("fresh learner", {}, "It has learned nothing yet"),
    ("experts", {}, "plot one of these: learner.inner"),
    ("explanation of nothing", {}, "It has learned nothing yet"),
    ("conjunctions", {}, "expected weights of attributes, got none"),
]


@pytest.mark.parametrize(("name", "options", "message"), WRONG)
def test_what_cannot_be_drawn_is_refused(name, options, message):
    with pytest.raises(InvalidParameter, match=message):
        things()[name].plot(**options)
    assert not plt.get_fignums()


def test_without_matplotlib_the_remedy_is_said(monkeypatch):
    monkeypatch.setattr("littlestone.report.figure.find_spec", lambda name: None)
    with pytest.raises(InvalidParameter, match=r"^plot: figures need .* pip install 'littlestone\[plot\]'$"):
        things()["run"].plot()
