"""What all plots share: axes, titles and legends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import did_you_mean
from littlestone.report.figure import HEIGHT, LEGEND, STYLE, WIDTH, check_matplotlib, fit
from littlestone.report.plots.names import word

__all__ = ["AGAINST", "FOR", "check_kind", "legend", "on_axes", "title"]

FOR, AGAINST = "#0072B2", "#D55E00"  # bars of what speaks for a prediction, and against it
LINE = 44  # letters of a title that fit into a line


def on_axes(ax: Any, draw: Callable[[Any, Any], None], *, height: float = HEIGHT) -> Any:
    """Let ``draw(figure, axes)`` draw on axes, and return them; None: axes of a new figure in the style of all pages.

    ``figure`` is None where the axes are somebody else's, whose figure is to be left alone.
    """
    check_matplotlib("plot")
    if ax is not None:
        if not hasattr(ax, "transAxes"):
            raise InvalidParameter(f"plot: ax: expected matplotlib's axes, got {type(ax).__name__}; give ax=axes")
        draw(None, ax)
        return ax
    from matplotlib import pyplot as plt
    from matplotlib import rc_context

    with rc_context(STYLE):
        figure, ax = plt.subplots(figsize=(WIDTH, height), layout="constrained")
        draw(figure, ax)
        fit(figure)
    return ax


def check_kind(kind: Any, kinds: tuple[str, ...]) -> None:
    """Refuse a kind of plot that there is not."""
    if kind not in kinds:
        hint = did_you_mean(kind, kinds) if isinstance(kind, str) else ""
        known = ", ".join(map(repr, kinds))
        raise InvalidParameter(f"plot: kind: expected one of {known}, got {kind!r}" + (f"; {hint}" if hint else ""))


def title(figure: Any, axes: Any, text: str) -> None:
    """Put a title over axes, broken into lines; in a figure of our own it begins at the figure's edge, not the axes'.

    Long names beside the axes would leave it too little room.
    """
    made = axes.set_title(fill(word(text, most=2 * LINE), LINE))
    if figure is not None:
        from matplotlib.transforms import blended_transform_factory

        made.set_transform(blended_transform_factory(figure.transFigure, axes.transAxes) + axes.titleOffsetTrans)
        made.set_x(0.012)


def legend(
    figure: Any, axes: Any, *, columns: int = 2, heading: str | None = None,
    key: Sequence[tuple[str, str]] | None = None,
) -> None:  # fmt: skip
    """Put a legend below a figure of our own, or into axes that are somebody else's.

    ``key`` has colours and their names, where the legend is not of lines.
    """
    handles, words = axes.get_legend_handles_labels()
    if key is not None:
        from matplotlib.patches import Patch

        handles, words = [Patch(color=colour) for colour, _ in key], [name for _, name in key]
    if figure is None:
        axes.legend(handles, words, fontsize="small", title=heading)
    else:
        figure.legend(handles, words, title=heading, ncols=columns, **LEGEND)
