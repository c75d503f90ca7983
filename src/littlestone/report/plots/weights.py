"""What attributes weigh, or bring, as bars: of a learner, an explanation, an example explained."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isfinite
from typing import Any, NamedTuple

from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_whole
from littlestone.learners import Learner
from littlestone.models.explanation import Evidence, Explained, Explanation, Reasons
from littlestone.models.model import Model
from littlestone.report.figure import SOFT
from littlestone.report.plots.axes import AGAINST, FOR, legend, on_axes, title
from littlestone.report.plots.names import LONGEST, word, words
from littlestone.report.weights import reach, weights_of

__all__ = ["plot_explained", "plot_explanation", "plot_learner", "plot_model", "plot_reasons"]

TOP = 20  # bars
NAME, CLASS = 20, 12  # letters of a label in a sentence, and of one behind a name


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
    """Draw the ``top`` largest weights of an explanation; ``label`` picks one of many classes.

    Where all weights begin at one that is not 0, as Winnow's do, bars are the factors to it, on a logarithmic scale.
    """
    top = check_whole("plot", "top", top)
    bars, key = _of_classes(found, label) if found.classes else _of_two(found, label)
    bars = _largest(bars, top, found.start)
    if not bars:
        raise InvalidParameter(f"plot: expected weights of attributes, got none; {' '.join(found.notes)}")
    whose = f"of {found.whose or found.learner}"
    heading = f"Weights {whose}" if label is None else f"Weights for {label!s}, {whose}"
    return _bars(ax, bars, heading, _what(found.start, key), key, found.start)


def _largest(bars: Sequence[Bar], top: int, start: float) -> list[Bar]:
    """Return the largest bars; where weights begin at one, half of them of each side, if it has so many.

    A weight may fall without end, but rises no further than the threshold: those that have risen would not be seen.
    """
    ordered = sorted(bars, key=lambda bar: -abs(bar.value))
    if start > 0.0:
        risen, fallen = ([bar for bar in ordered if bar.supports is side] for side in (True, False))
        risen = risen[: max(top - len(fallen), -(-top // 2))]
        ordered = sorted([*risen, *fallen[: top - len(risen)]], key=lambda bar: -abs(bar.value))
    return ordered[:top]


def _what(start: float, key: tuple[str, str]) -> str:
    """Return what the lengths of bars of weights are, and for which label they speak."""
    return f"{f'factor from {start:.4g}' if start > 0.0 else 'weight'}, {key[0]} (+), {key[1]} (-)"


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
    key = "raises the sum", "lowers the sum"
    heading, what = f"Predicts {found.prediction!s}", "what it brings to the sum"
    return _brought(ax, brought, found.constant, top, found.notes, heading, what, key)


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
    against, toward = words([found.against, found.toward], NAME)
    heading, what = f"Predicts {found.prediction!s}{sure}", f"for {against} (-) or for {toward} (+)"
    return _brought(ax, brought, found.constant, top, found.notes, heading, what, (f"for {toward}", f"for {against}"))


def _brought(
    ax: Any, brought: Sequence[tuple[Hashable, float]], constant: float | None, top: int, notes: Sequence[str],
    heading: str, what: str, key: tuple[str, str],
) -> Any:  # fmt: skip
    """Draw what attributes and the constant bring, the largest first."""
    if not brought:
        raise InvalidParameter(f"plot: expected what attributes bring, got nothing; {' '.join(notes)}")
    found = sorted([*brought, *([("(the constant)", constant)] if constant else [])], key=lambda one: -abs(one[1]))
    kept = [one for one in found if one[1]][: check_whole("plot", "top", top)] or found[:1]
    return _bars(ax, [Bar(str(name), value, value > 0) for name, value in kept], heading, what, key)


class Bar(NamedTuple):
    """A name, its size, and whether it speaks for the label; of many classes, whose it is."""

    name: str
    value: float
    supports: bool
    of: str = ""


def _of_two(found: Explanation, label: Any) -> tuple[list[Bar], tuple[str, str]]:
    """Return the bars of two labels, and for which label each colour speaks."""
    if label is not None and label not in (found.labels or ()):
        raise InvalidParameter(f"plot: label: expected one of {found.labels}, got {label!r}; leave it out")
    bars = [*_sides(found.supports, True, found.start), *_sides(found.opposes, False, found.start)]
    if found.kind == "numbers":
        return bars, ("raises it", "lowers it")
    negative, positive = (f"for {name}" for name in words((0, 1) if found.labels is None else found.labels[-2:], NAME))
    if label is not None and found.labels is not None and label != found.labels[-1]:
        return [Bar(name, -value, not supports) for name, value, supports, _ in bars], (negative, positive)
    return bars, (positive, negative)


def _of_classes(found: Explanation, label: Any) -> tuple[list[Bar], tuple[str, str]]:
    """Return the bars of all classes, or those of one."""
    known = [one for one, _, _ in found.classes]
    if label is not None and label not in known:
        raise InvalidParameter(f"plot: label: expected one of {known}, got {label!r}; give label={known[0]!r}")
    bars: list[Bar] = []
    for name, (one, up, down) in zip(words(known, CLASS), found.classes, strict=True):
        if label is None or one == label:
            both = [*_sides(up, True, found.start), *_sides(down, False, found.start)]
            bars += both if label is not None else [bar._replace(of=name) for bar in both]
    return bars, ("for the class" if label is None else f"for {word(label, NAME)}", "against it")


def _sides(side: Sequence[Evidence], supports: bool, start: float) -> list[Bar]:
    """Return the bars of one side; those of the other have another colour."""
    return [Bar(str(one.attribute), reach(one.weight, start), supports) for one in side]


def _bars(
    ax: Any, bars: Sequence[Bar], heading: str, what: str, key: tuple[str, str], start: float = 0.0
) -> Any:  # fmt: skip
    """Draw bars, the first on top; with a ``start``, they are doublings from there."""
    most = max((abs(bar.value) for bar in bars if isfinite(bar.value)), default=1.0)
    values = [max(-1.1 * most, min(1.1 * most, bar.value)) for bar in bars]  # a weight of 0 is endlessly far below
    names = words((bar.name for bar in bars), NAME if any(bar.of for bar in bars) else LONGEST)

    def draw(figure: Any, axes: Any) -> None:
        axes.barh(range(len(bars)), values, color=[FOR if bar.supports else AGAINST for bar in bars], height=0.7)
        axes.axvline(0.0, color=SOFT, linewidth=1.0)
        shown = [f"{name} ({bar.of})" if bar.of else name for name, bar in zip(names, bars, strict=True)]
        axes.set_yticks(range(len(bars)), shown)
        axes.set_ylim(len(bars) - 0.4, -0.6)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(what, loc="right")  # so it may be wider than the axes
        if start > 0.0:
            _factors(axes)
        title(figure, axes, heading)
        legend(figure, axes, key=list(zip((FOR, AGAINST), key, strict=True)))

    return on_axes(ax, draw, height=1.1 + 0.22 * len(bars))


def _factors(axes: Any) -> None:
    """Label an axis of doublings by factors."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    signs = "\N{DIVISION SIGN}", "\N{MULTIPLICATION SIGN}"
    axes.xaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{signs[bool(value >= 0.0)]}{_factor(2.0 ** abs(value))}")
    )


def _factor(value: float) -> str:
    return f"{value:,.4g}" if value < 1e4 else f"{value:,.0f}" if value < 1e6 else f"{value:.0e}"
