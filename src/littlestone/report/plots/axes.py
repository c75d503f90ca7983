"""What all plots share: axes, words and legends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import did_you_mean
from littlestone.report.figure import HEIGHT, STYLE, WIDTH, check_matplotlib

__all__ = ["AGAINST", "FOR", "check_kind", "legend", "on_axes", "word"]

FOR, AGAINST = "#0072B2", "#D55E00"  # bars of what speaks for a prediction, and against it
LONGEST = 24  # letters of a name


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
    return ax


def check_kind(kind: Any, kinds: tuple[str, ...]) -> None:
    """Refuse a kind of plot that there is not."""
    if kind not in kinds:
        hint = did_you_mean(kind, kinds) if isinstance(kind, str) else ""
        known = ", ".join(map(repr, kinds))
        raise InvalidParameter(f"plot: kind: expected one of {known}, got {kind!r}" + (f"; {hint}" if hint else ""))


def word(text: object, most: int = LONGEST) -> str:
    r"""Return a name or a label as matplotlib writes it: short, and never taken for mathematics or for a hidden line.

    >>> word("$1 or $2"), word("_x"), word("a\nb"), word("a" * 30)
    ('\\$1 or \\$2', ' _x', 'a b', 'aaaaaaaaaaaaaaaaaaaaaaa…')
    """
    plain = "".join(letter if letter.isprintable() else " " for letter in str(text))
    short = plain if len(plain) <= most else plain[: most - 1] + "…"
    return (" " if short.startswith("_") else "") + short.replace("$", r"\$")


def legend(figure: Any, axes: Any, columns: int = 2) -> None:
    """Put a legend below a figure of our own, or into axes that are somebody else's."""
    handles, words = axes.get_legend_handles_labels()
    if figure is None:
        axes.legend(handles, words, fontsize="small")
    else:
        how = {"ncols": columns, "handlelength": 2.6, "columnspacing": 1.2, "labelspacing": 0.3}
        figure.legend(handles, words, loc="outside lower center", **how)
