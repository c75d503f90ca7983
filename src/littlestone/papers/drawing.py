"""Figures of results, drawn when the page is made."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any

from littlestone.papers.outcome import Figure, Line
from littlestone.report.figure import Drawn, figure, line_style, picture

__all__ = ["drawn", "picture_of"]

MARKED = 12  # points: a line of fewer shows each of them, another so many
MARKS = "os^Dv"  # lines and scatters can be distinguished without colour too
BROKEN = ((2.0, 1.6), (6.0, 1.6), (1.0, 1.4), (6.0, 1.4, 1.0, 1.4))  # of bounds
TITLE, LABEL = 44, 25  # letters that fit into a line, and beside another label
TICKS = 9  # numbers that fit below an axis
FEW_DECADES = {1.0: (1, 1.5, 2, 3, 5, 7), 2.5: (1, 2, 5)}  # on a logarithmic axis of fewer these are shown
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def drawn(found: Figure, name: str) -> Drawn:
    """Return a figure to stand in a page; ``name`` goes before all ids in it."""
    lines = "; ".join(_in_words(line) for line in found.lines if len(line.y))
    says = f"{found.title}: {found.ylabel} against {found.xlabel}. {lines}."
    return figure(_draw(found), name=name, says=says, caption=found.caption, height=_height(found))


def picture_of(found: Figure) -> str:
    """Return a figure as an SVG file of its own."""
    return picture(_draw(found), height=_height(found))


def _in_words(line: Line) -> str:
    """Return a line in words: where it ends, or where the points lie."""
    if line.kind == "points":
        return f"{line.label}: {len(line.y)} points, y from {min(line.y):,.4g} to {max(line.y):,.4g}"
    return f"{line.label}: {line.y[-1]:,.4g} at the end, {line.x[-1]:,.4g}"


def _columns(found: Figure) -> int:
    return 2 if max(len(line.label) for line in found.lines) <= LABEL else 1


def _height(found: Figure) -> float:
    return 3.0 + 0.17 * -(-len(found.lines) // _columns(found))


def _draw(found: Figure) -> Callable[[Any, Any], None]:
    def draw(canvas: Any, axes: Any) -> None:
        theories = [number for number, line in enumerate(found.lines) if line.kind == "theory"]
        for number, line in enumerate(found.lines):
            _line(axes, line, number, theories.index(number) if number in theories else 0)
        title = found.title.replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
        axes.set(title=fill(title, TITLE), xlabel=found.xlabel, ylabel=found.ylabel)
        axes.set(xscale=found.xscale, yscale=found.yscale)
        axes.margins(x=0.02)
        _ticks(found, axes)
        canvas.legend(
            loc="outside lower center", ncols=_columns(found), handlelength=2.6, columnspacing=1.2, labelspacing=0.3
        )

    return draw


def _line(axes: Any, line: Line, number: int, theory: int) -> None:
    colour, dashes = line_style(number)
    mark = MARKS[number % len(MARKS)]
    every = -(-len(line.x) // MARKED)
    styles: dict[str, dict[str, Any]] = {
        "measured": {"linestyle": _broken(dashes), "marker": mark, "markersize": 3.2, "markevery": every},
        "theory": {"linestyle": (0, BROKEN[theory % len(BROKEN)]), "linewidth": 1.1},
        "points": {"linestyle": "none", "marker": mark, "markersize": 4.2, "alpha": 0.75},
    }
    axes.plot(line.x, line.y, color=colour, label=line.label, **styles[line.kind])
    if line.low is not None and line.high is not None:
        axes.fill_between(line.x, line.low, line.high, color=colour, alpha=0.15, linewidth=0)


def _broken(dashes: str) -> Any:
    return (0, tuple(float(part) for part in dashes.split(","))) if dashes else "solid"


def _ticks(found: Figure, axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    for axis, scale in ((axes.xaxis, found.xscale), (axes.yaxis, found.yscale)):
        if scale == "linear":
            axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))  # no 2.5 mistakes
        else:
            least, most = axis.get_view_interval()
            decades = math.log10(most / least)
            subs = next((subs for limit, subs in FEW_DECADES.items() if decades < limit), (1,))
            axis.set_major_locator(LogLocator(subs=subs))
        axis.set_major_formatter(FuncFormatter(lambda value, _: _number(value)))
        axis.set_minor_formatter(NullFormatter())
    places = sorted({float(x) for line in found.lines for x in line.x})
    if found.xscale == "log" and len(places) <= MARKED:  # the powers of ten may all lie elsewhere
        axes.set_xticks(_apart(places), minor=False)


def _apart(places: Sequence[float]) -> list[float]:
    """Return places on a logarithmic axis, without those that are too near to the one before."""
    gap = (places[-1] / places[0]) ** (1 / TICKS)
    chosen = [places[0]]
    for place in places[1:]:
        if place >= chosen[-1] * gap:
            chosen.append(place)
    return chosen


def _number(value: float) -> str:
    """Return a number of an axis in few letters."""
    if 1e-3 <= abs(value) < 1e6 or value == 0:
        return f"{value:,.10g}" if float(value).is_integer() else f"{value:,.4g}"
    digits, power = f"{value:.3e}".split("e")
    factor = "" if float(digits) == 1 else f"{float(digits):g}·"
    return f"{factor}10{str(int(power)).translate(RAISED)}"
