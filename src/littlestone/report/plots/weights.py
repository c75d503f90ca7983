"""What attributes weigh, or bring, as bars: of a learner, an explanation, an example explained."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.learners import Learner
from littlestone.models.explanation import Evidence, Explained, Explanation, Reasons
from littlestone.models.model import Model
from littlestone.report.plots.axes import AGAINST, FOR, on_axes, word
from littlestone.report.weights import weights_of

__all__ = ["plot_explained", "plot_explanation", "plot_learner", "plot_model", "plot_reasons"]

TOP = 20  # bars


def plot_learner(learner: Learner, ax: Any = None, *, top: int = TOP, label: Any = None) -> Any:
    """Draw the ``top`` largest weights; of many classes those of all together, or those of one ``label``.

    >>> import littlestone as ls
    >>> learner = ls.Perceptron()
    >>> _ = ls.play(learner, ls.teachers.Disjunction(n=20, k=2, trials=300))
    >>> [text.get_text() for text in learner.plot(top=3).get_yticklabels()]
    ['1', '0', '15']
    """
    return plot_explanation(weights_of(learner, top=check_whole("plot", "top", top)), ax, top=top, label=label)


def plot_explanation(found: Explanation, ax: Any = None, *, top: int = TOP, label: Any = None) -> Any:
    """Draw the ``top`` largest weights of an explanation; ``label`` picks one of many classes."""
    bars = _of_classes(found, label) if found.classes else _of_two(found, label)
    bars = sorted(bars, key=lambda bar: -abs(bar[1]))[: check_whole("plot", "top", top)]
    if not bars:
        raise InvalidParameter(f"plot: expected weights of attributes, got none; {' '.join(found.notes)}")
    return _bars(ax, bars, title=word(f"Weights of {found.whose or found.learner}", most=40), what="weight")


def plot_explained(found: Explained, ax: Any = None, *, top: int = TOP) -> Any:
    """Draw what the attributes of an example bring, the ``top`` largest.

    >>> import littlestone as ls
    >>> learner = ls.Perceptron()
    >>> for x, y in [({"rain": 2, "wind": 1}, 1), ({"sun": 1}, 0), ({"sun": 1, "wind": 3}, 0)]:
    ...     _ = learner.learn_one(x, y)
    >>> axes = ls.explain_example(learner, {"wind": 2, "sun": 1, "fog": 1}).plot()
    >>> [text.get_text() for text in axes.get_yticklabels()]
    ['sun', '(the constant)']
    """
    brought = [(one.attribute, one.product) for one in found.contributions]
    return _brought(ax, brought, found.constant, top, found.notes, f"Predicts {found.prediction!s}", "what it brings")


def plot_model(model: Model, ax: Any = None, *, top: int = TOP, label: Any = None) -> Any:
    """Draw the ``top`` largest weights of a model's learner; of real numbers, per standard deviation."""
    return plot_learner(model.learner, ax, top=top, label=label)


def plot_reasons(found: Reasons, ax: Any = None, *, top: int = TOP) -> Any:
    """Draw what the attributes of a row bring, the ``top`` largest.

    >>> import littlestone as ls
    >>> rows = [{"note": "win now", "class": "spam"}, {"note": "lunch now", "class": "ham"}] * 20
    >>> axes = ls.Model.train(rows, label="class", text="note", learner="perceptron").explain("WIN it now").plot()
    >>> [text.get_text() for text in axes.get_yticklabels()], axes.get_xlabel()
    (['note=win'], 'for ham (-) or for spam (+)')
    """
    brought = [(one.attribute, one.brings) for one in found.listed]
    sure = f" (probability {found.probabilities[found.prediction]:.4f})" if found.probabilities else ""
    what = f"for {word(found.against)} (-) or for {word(found.toward)} (+)"
    return _brought(ax, brought, found.constant, top, found.notes, f"Predicts {found.prediction!s}{sure}", what)


def _brought(
    ax: Any, brought: Sequence[tuple[Hashable, float]], constant: float | None, top: int, notes: Sequence[str],
    title: str, what: str,
) -> Any:  # fmt: skip
    """Draw what attributes and the constant bring, the largest first."""
    if not brought:
        raise InvalidParameter(f"plot: expected what attributes bring, got nothing; {' '.join(notes)}")
    found = sorted([*brought, *([("(the constant)", constant)] if constant else [])], key=lambda one: -abs(one[1]))
    kept = [one for one in found if one[1]][: check_whole("plot", "top", top)] or found[:1]
    bars = [(word(name), value, value > 0) for name, value in kept]
    return _bars(ax, bars, title=word(title, most=60), what=what)


Bar = tuple[str, float, bool]  # a name, its size, and whether it speaks for the prediction


def _of_two(found: Explanation, label: Any) -> list[Bar]:
    if label is not None and label not in (found.labels or ()):
        raise InvalidParameter(f"plot: label: expected one of {found.labels}, got {label!r}; leave it out")
    bars = [*_sides(found.supports, True), *_sides(found.opposes, False)]
    if label is not None and found.labels is not None and label != found.labels[-1]:
        return [(name, -weight, not supports) for name, weight, supports in bars]
    return bars


def _of_classes(found: Explanation, label: Any) -> list[Bar]:
    known = [one for one, _, _ in found.classes]
    if label is not None and label not in known:
        raise InvalidParameter(f"plot: label: expected one of {known}, got {label!r}; give label={known[0]!r}")
    bars: list[Bar] = []
    for one, up, down in found.classes:
        if label is None or one == label:
            after = "" if label is not None else f" ({word(one, most=12)})"
            both = [*_sides(up, True), *_sides(down, False)]
            bars += [(f"{name}{after}", weight, supports) for name, weight, supports in both]
    return bars


def _sides(side: Sequence[Evidence], supports: bool) -> list[Bar]:
    """Return the bars of one side; those of the other have another colour."""
    return [(word(one.attribute), one.weight, supports) for one in side]


def _bars(ax: Any, bars: Sequence[Bar], *, title: str, what: str) -> Any:
    def draw(figure: Any, axes: Any) -> None:
        del figure
        colours = [FOR if supports else AGAINST for _, _, supports in bars]
        axes.barh(range(len(bars)), [value for _, value, _ in bars], color=colours, height=0.7)
        axes.axvline(0.0, color="#555555", linewidth=1.0)
        axes.set_yticks(range(len(bars)), [name for name, _, _ in bars])
        axes.set_ylim(len(bars) - 0.4, -0.6)
        axes.grid(visible=False, axis="y")
        axes.set(title=title, xlabel=what)

    return on_axes(ax, draw, height=1.1 + 0.22 * len(bars))
