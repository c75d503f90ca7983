"""Figures of results, drawn when the page is made."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from littlestone.papers.outcome import Figure, Line
from littlestone.report.figure import figure, line_style

__all__ = ["drawn"]

MARKED = 12  # points: a line of fewer shows each of them
TITLE, LABEL = 44, 25  # letters that fit into a line, and beside another label


def drawn(found: Figure, name: str) -> str:
    """Return a figure as HTML; ``name`` goes before all ids in it."""
    columns = 2 if max(len(line.label) for line in found.lines) <= LABEL else 1
    height = 3.0 + 0.17 * -(-len(found.lines) // columns)

    def draw(canvas: Any, axes: Any) -> None:
        for number, line in enumerate(found.lines):
            _line(axes, line, number)
        axes.set(title=fill(found.title, TITLE), xlabel=found.xlabel, ylabel=found.ylabel)
        axes.set(xscale=found.xscale, yscale=found.yscale)
        _ticks(axes)
        axes.margins(x=0.02)
        canvas.legend(loc="outside lower center", ncols=columns, handlelength=2.6, columnspacing=1.2, labelspacing=0.3)

    ends = "; ".join(f"{line.label} {line.y[-1]:,.4g} at {line.x[-1]:,.4g}" for line in found.lines if len(line.y))
    says = f"{found.title}: {found.ylabel} against {found.xlabel}. At the right end: {ends}."
    return figure(draw, name=name, says=says, caption=found.caption, height=height)


def _line(axes: Any, line: Line, number: int) -> None:
    colour, dashes = line_style(number)
    style: Any = (0, tuple(float(part) for part in dashes.split(","))) if dashes else "solid"
    if line.kind == "theory":
        style = (0, (2.0, 1.6))
    marker = "o" if len(line.x) <= MARKED and line.kind == "measured" else None
    axes.plot(
        line.x, line.y, color=colour, linestyle=style, linewidth=1.1 if line.kind == "theory" else 1.6, marker=marker,
        markersize=3.2, label=line.label,
    )  # fmt: skip
    if line.low is not None and line.high is not None:
        axes.fill_between(line.x, line.low, line.high, color=colour, alpha=0.15, linewidth=0)


def _ticks(axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter

    short = FuncFormatter(lambda value, _: f"{value:,.10g}" if 1e-3 <= abs(value) < 1e6 or value == 0 else f"{value:g}")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(short)
