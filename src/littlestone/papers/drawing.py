"""Figures of results, drawn when the page is made."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import fill
from typing import Any

from littlestone.papers.outcome import Figure, Line
from littlestone.report.figure import figure, line_style, picture

__all__ = ["drawn", "picture_of"]

MARKED = 12  # points: a line of fewer shows each of them
TITLE, LABEL = 44, 25  # letters that fit into a line, and beside another label
MARKS = "os^Dv"  # of scatters: told apart without colour
TICKS = 9  # numbers that fit below an axis


def drawn(found: Figure, name: str) -> str:
    """Return a figure as HTML; ``name`` goes before all ids in it."""
    told = "; ".join(_told(line) for line in found.lines if len(line.y))
    says = f"{found.title}: {found.ylabel} against {found.xlabel}. {told}."
    return figure(_draw(found), name=name, says=says, caption=found.caption, height=_height(found))


def _told(line: Line) -> str:
    """Return a line in words: where it ends, or where the points lie."""
    if line.kind == "points":
        return f"{line.label}: {len(line.y)} points, y from {min(line.y):,.4g} to {max(line.y):,.4g}"
    return f"{line.label}: {line.y[-1]:,.4g} at the end, {line.x[-1]:,.4g}"


def picture_of(found: Figure) -> str:
    """Return a figure as an SVG file of its own."""
    return picture(_draw(found), height=_height(found))


def _columns(found: Figure) -> int:
    return 2 if max(len(line.label) for line in found.lines) <= LABEL else 1


def _height(found: Figure) -> float:
    return 3.0 + 0.17 * -(-len(found.lines) // _columns(found))


def _draw(found: Figure) -> Callable[[Any, Any], None]:
    def draw(canvas: Any, axes: Any) -> None:
        for number, line in enumerate(found.lines):
            _line(axes, line, number)
        axes.set(title=fill(found.title, TITLE), xlabel=found.xlabel, ylabel=found.ylabel)
        axes.set(xscale=found.xscale, yscale=found.yscale)
        _ticks(found, axes)
        axes.margins(x=0.02)
        canvas.legend(
            loc="outside lower center", ncols=_columns(found), handlelength=2.6, columnspacing=1.2, labelspacing=0.3
        )

    return draw


def _line(axes: Any, line: Line, number: int) -> None:
    colour, dashes = line_style(number)
    styles: dict[str, dict[str, Any]] = {
        "measured": {"linestyle": _broken(dashes), "marker": "o" if len(line.x) <= MARKED else None, "markersize": 3.2},
        "theory": {"linestyle": (0, (2.0, 1.6)), "linewidth": 1.1},
        "points": {"linestyle": "none", "marker": MARKS[number % len(MARKS)], "markersize": 4.2, "alpha": 0.75},
    }
    axes.plot(line.x, line.y, color=colour, label=line.label, **styles[line.kind])
    if line.low is not None and line.high is not None:
        axes.fill_between(line.x, line.low, line.high, color=colour, alpha=0.15, linewidth=0)


def _broken(dashes: str) -> Any:
    return (0, tuple(float(part) for part in dashes.split(","))) if dashes else "solid"


def _ticks(found: Figure, axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    short = FuncFormatter(lambda value, _: f"{value:,.10g}" if 1e-3 <= abs(value) < 1e6 or value == 0 else f"{value:g}")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(short)
        axis.set_minor_formatter(NullFormatter())
    places = sorted({float(x) for line in found.lines for x in line.x})
    if found.xscale == "log" and len(places) <= MARKED:  # the powers of ten may all lie elsewhere
        axes.set_xticks(places[:: -(-len(places) // TICKS)], minor=False)
