"""Plots: axes in, axes out; what is drawn is what was counted; what cannot be drawn is refused with the remedy."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from tests.report.things import NAMES, many, numbers, shares, things, words

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
    ("loss run", {}), ("loss run", {"kind": "rate"}),
    ("loss run", {"comparator": np.zeros(20)}),
    ("loss run that falls far", {"kind": "rate", "comparator": np.ones(20)}),
    ("loss run of nothing", {}), ("contest of regressors", {}),
    ("contest of regressors", {"kind": "rate"}), ("contest of regressors", {"kind": "differences"}),
    ("contest of regressors far apart", {}), ("contest of regressors far apart", {"kind": "rate"}),
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


def test_the_curve_of_losses_ends_at_the_loss_beside_that_of_a_comparator():
    run, stream = things()["loss run"], numbers()
    best = ls.hindsight.least_squares(stream)
    curve, other = run.plot(comparator=best).lines
    assert curve.get_ydata()[-1] == run.loss and curve.get_xdata()[-1] == run.trials
    assert other.get_ydata()[-1] == pytest.approx(best.loss) and f"{best.loss:.2f}" in other.get_label()
    far = things()["loss run that falls far"].plot(kind="rate")
    assert far.get_yscale() == "log" and run.plot().get_yscale() == "linear"
    assert things()["contest of regressors far apart"].plot().get_yscale() == "log"
    ends = [line.get_ydata()[-1] for line in things()["contest of regressors"].plot(kind="loss").lines]
    assert ends == pytest.approx(sorted(e.sample.mean for e in things()["contest of regressors"].entries))


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
    shares = next(one for one in axes.figure.axes if one is not axes)
    assert shares.get_ylabel() == "share of the examples (bars)"
    assert sum(bar.get_height() for bar in shares.patches) == pytest.approx(1.0)
    sizes, many = axes.collections[0].get_sizes(), [one.examples for one in bins]
    assert np.argmin(sizes) == np.argmin(many) and np.argmax(sizes) == np.argmax(many)
    assert f"(calibration error {found.calibration_error:.3f})" in axes.lines[1].get_label()
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


def outside(figure):
    """Return the words of a figure that are not wholly in it."""
    figure.canvas.draw()
    texts = [text for legend in figure.legends for text in (*legend.get_texts(), legend.get_title())]
    for axes in figure.axes:
        texts += [axes.title, axes._left_title, axes.xaxis.label, axes.yaxis.label]
        texts += [tick.label1 for axis in (axes.xaxis, axes.yaxis) for tick in in_view(axis)]
    boxes = {text.get_text(): text.get_window_extent() for text in texts if text.get_visible() and text.get_text()}
    whole = figure.bbox.padded(1)
    return [word for word, box in boxes.items() if not whole.contains(*box.min) or not whole.contains(*box.max)]


def in_view(axis):
    """Return the ticks of an axis that are seen."""
    low, high = sorted(axis.get_view_interval())
    return [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]


LONG_NAMES = ["business administration", "business informatics", "environmental engineering",
              "environmental economics", "mechanical engineering"]  # fmt: skip


@pytest.mark.parametrize("kind", ["precision-recall", "reliability", "confusion"])
def test_long_labels_lie_within_the_figure_and_are_told_apart(kind):
    learner, rng = ls.MulticlassPerceptron(), np.random.default_rng(0)
    y = rng.integers(0, 5, 300)
    X = (np.eye(5, dtype=bool)[y] ^ (rng.random((300, 5)) < 0.2)).astype(float)
    rows = ls.from_arrays(X, np.array(LONG_NAMES)[y])
    ls.play(learner, rows)
    axes = ls.evaluate(learner, rows, probabilities=shares(learner)).plot(kind=kind)
    assert not outside(axes.figure)
    names = [text.get_text() for legend in axes.figure.legends for text in legend.get_texts()]
    names = [text.get_text() for text in axes.get_yticklabels()] if kind == "confusion" else names
    assert len({name.partition(":")[0] for name in names}) == len(names)


def test_long_names_of_learners_are_told_apart_in_legends_of_any_size():
    names = [f"winner-takes-all:learner={name},eta={eta}" for name in ("perceptron", "winnow") for eta in range(4)]
    rows = ls.teachers.Disjunction(n=5, k=1, trials=40)
    for size in (3, 8):
        axes = ls.contest({name: ls.Winnow() for name in names[:size]}, rows).plot()
        assert not outside(axes.figure)
        assert len({text.get_text() for text in axes.figure.legends[0].get_texts()}) == size


@pytest.mark.parametrize(("name", "options"), DRAWN, ids=str)
def test_nothing_is_cut_at_the_edges_and_letters_are_large_enough(name, options):
    figure = things()[name].plot(**options).figure
    assert not outside(figure)
    for text in figure.findobj(matplotlib.text.Text):
        assert text.get_fontsize() * 368 / (72 * 4.8) >= 10 or not text.get_text()  # pixels in a page of 400


def ticks(axis):
    """Return where the labels of an axis are, and what they say."""
    axis.axes.figure.canvas.draw()
    return [(tick.get_loc(), tick.label1.get_text()) for tick in in_view(axis) if tick.label1.get_text()]


@pytest.mark.parametrize("most", [1, 2, 3, 7, 10, 12, 1000])
def test_labels_of_ticks_are_their_places_and_those_of_counts_are_whole(most):
    rows = ls.from_arrays(np.zeros((most * 2, 1)), [1, 0] * most)
    run = ls.play(ls.Perceptron(), rows)
    for kind in ("mistakes", "rate"):
        axes = run.plot(kind=kind)
        found = {"x": ticks(axes.xaxis), "y": ticks(axes.yaxis)}
        for place, label in [*found["x"], *found["y"]]:
            assert float(label.replace(",", "")) == pytest.approx(place)
        whole = [*found["x"], *(found["y"] if kind == "mistakes" else [])]
        assert all(float(place).is_integer() for place, _ in whole)
        plt.close("all")


def test_labels_have_the_decimals_of_their_places():
    from littlestone.report.figure import plain_axes

    _, axes = plt.subplots()
    axes.plot([0, 12.5], [0.0, 0.5])
    plain_axes(axes)
    axes.set_xticks([0, 2.5, 5, 7.5, 10, 12.5])
    assert [label for _, label in ticks(axes.xaxis)] == ["0", "2.5", "5", "7.5", "10", "12.5"]
    assert [float(label) for _, label in ticks(axes.yaxis)] == pytest.approx([place for place, _ in ticks(axes.yaxis)])


def test_weights_that_fell_from_their_start_have_bars_as_those_that_rose():
    learner = ls.Winnow()
    ls.play(learner, ls.teachers.Disjunction(n=200, k=2, trials=500))
    found = ls.explain(learner, top=10)
    assert found.start == 1.0 and found.opposes[0].weight < 0.1
    axes = learner.plot(top=10)
    widths = [bar.get_width() for bar in axes.patches]
    weights = {one.attribute: one.weight for one in (*found.supports, *found.opposes)}
    names = [int(text.get_text()) for text in axes.get_yticklabels()]
    assert widths == pytest.approx([np.log2(weights[name]) for name in names])
    assert min(widths) < -1 and max(widths) > 1  # both sides are there
    assert axes.get_xlabel() == "factor from 1, for 1 (+), for 0 (-)"
    labels = [label for _, label in ticks(axes.xaxis)]
    assert "\N{MULTIPLICATION SIGN}1" in labels and any(label[0] == "\N{DIVISION SIGN}" for label in labels)


def test_bars_say_for_which_label_they_speak():
    def key(axes):
        return [text.get_text() for text in axes.figure.legends[0].get_texts()]

    assert key(things()["reasons"].plot()) == ["for <spam>", "for ham"]
    axes = things()["model"].plot(label="ham")
    assert key(axes) == ["for ham", "for <spam>"]
    assert axes.get_xlabel() == "weight, for ham (+), for <spam> (-)"
    assert axes.get_title(loc="left").startswith("Weights for ham, of ")
    assert key(things()["learner of classes"].plot(label="<2>")) == ["for <2>", "against it"]
    assert key(things()["learner of classes"].plot()) == ["for the class", "against it"]


def test_many_learners_have_no_bands_and_all_lines_can_be_seen():
    from littlestone.report.figure import COLOURS

    rows = ls.teachers.Disjunction(n=5, k=1, trials=40)
    for size, bands in ((4, 4), (5, 0)):
        axes = ls.contest({f"p{i}": ls.Perceptron() for i in range(size)}, rows, permutations=2).plot()
        assert len(axes.collections) == bands
    for colour in COLOURS:
        assert contrast(colour, "#ffffff") >= 3.0
    for colour in set(COLOURS) - {"#1b1b1b"}:  # which is the page's own ink
        assert contrast(colour, "#181818") >= 3.0


def contrast(one, other):
    """Return the contrast of two colours, as WCAG 2 has it."""

    def light(colour):
        parts = np.array(matplotlib.colors.to_rgb(colour))
        linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722]) + 0.05

    low, high = sorted((light(one), light(other)))
    return high / low


def test_counts_of_short_runs_jump():
    run = ls.play(ls.Perceptron(), ls.teachers.Disjunction(n=5, k=1, trials=40))
    assert run.plot().lines[0].get_drawstyle() == "steps-pre"
    assert things()["run"].plot().lines[0].get_drawstyle() == "steps-pre"
    assert ls.play(ls.Perceptron(), ls.teachers.Disjunction(trials=900)).plot().lines[0].get_drawstyle() == "default"


def test_figures_in_pages_have_the_colours_of_the_page():
    from littlestone.report import contest_page, run_page

    for text in (run_page(things()["run"]), contest_page(things()["contest"])):
        drawn = text.partition("<figure>")[2]
        assert "fill: var(--ink)" in drawn and "stroke: var(--line)" in drawn
        assert not any(colour in drawn for colour in ("#ffffff", "#1b1b1b", "#333333", "#e4e4e4", "#fff;"))
        assert "background: #fff" not in text
