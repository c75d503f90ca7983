"""The style of all figures, and a figure as SVG that can stand in a page: the same input gives the same bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple
from warnings import catch_warnings, filterwarnings

from markupsafe import Markup

from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import install

__all__ = [
    "FIRST",
    "HEIGHT",
    "STYLE",
    "WIDTH",
    "Drawn",
    "check_matplotlib",
    "figure",
    "line_style",
    "picture",
    "plain_axes",
]

# Okabe and Ito's colours, which differ for people with any kind of colour vision; then the same ones with broken lines
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
DASHES = ("", "5,2", "1.2,1.6", "6,2,1.2,2")
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Verdana"], "font.size": 9.0,
    "axes.titlesize": 10.0, "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.spines.top": False,
    "axes.spines.right": False, "axes.edgecolor": "#555555", "axes.labelcolor": "#1b1b1b", "axes.grid": True,
    "axes.axisbelow": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.6, "lines.linewidth": 1.6,
    "xtick.color": "#333333", "ytick.color": "#333333", "legend.frameon": False, "legend.fontsize": 8.0,
    "svg.fonttype": "none", "svg.hashsalt": "littlestone", "path.simplify": True,
}  # fmt: skip
FEW = 300  # from the least to the largest: no more than three powers of ten
FIRST = 20  # trials before which a percentage of mistakes says nothing
WIDTH, HEIGHT = 4.8, 3.4  # inches: in a page 400 pixels wide, letters keep their size


def check_matplotlib(what: str = "page") -> None:
    """Refuse, with the remedy, where matplotlib is not there."""
    if find_spec("matplotlib") is None:
        rest = "; or leave the page out" if what == "page" else ""
        raise InvalidParameter(f"{what}: figures need the package matplotlib: {install('plot')}{rest}")


class Drawn(NamedTuple):
    """A figure as a page has it: its shapes as SVG, the box they lie in, and words.

    ``says`` is read where a figure cannot be seen.
    """

    box: str
    shapes: Markup
    says: str
    caption: str


def figure(draw: Callable[[Any, Any], None], *, name: str, says: str, caption: str, height: float = HEIGHT) -> Drawn:
    """Return a figure that ``draw(figure, axes)`` draws, to stand in a page.

    ``name`` goes before all ids in it, so that several figures can stand in one page.
    """
    box, shapes = _inline(picture(draw, height=height), name)
    return Drawn(box, shapes, says, caption)


def picture(draw: Callable[[Any, Any], None], *, height: float = HEIGHT) -> str:
    """Return what ``draw(figure, axes)`` draws as an SVG file of its own."""
    check_matplotlib()
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawn = Figure(figsize=(WIDTH, height), layout="constrained")
        FigureCanvasSVG(drawn)
        draw(drawn, drawn.add_subplot())
        file = io.BytesIO()
        with catch_warnings():  # letters that matplotlib's own font lacks are written all the same, as text
            filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
            drawn.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue().decode()


def line_style(number: int) -> tuple[str, str]:
    """Return the colour and the dashes of the ``number``-th line; no two are alike before the 29th.

    >>> line_style(0), line_style(7)
    (('#0072B2', ''), ('#0072B2', '5,2'))
    """
    return COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]


def plain_axes(axes: Any) -> None:
    """Label both axes with plain numbers, 1,000 rather than 10^3, and leave a little room beside the curves."""
    from matplotlib.ticker import FuncFormatter

    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: _plain(value)))
        axis.set_minor_formatter(FuncFormatter(partial(_between, axis)))
    axes.margins(x=0.02)


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 or value == 0 else f"{value:g}"


def _between(axis: Any, value: float, place: int | None) -> str:
    """Return the label between powers of ten: of 2 and 5 times one, on an axis that has few of them."""
    del place
    low, high = axis.get_view_interval()
    few = 0 < high < FEW * low
    return _plain(value) if few and f"{value:.0e}"[0] in "25" else ""


def _inline(svg: str, name: str) -> tuple[str, Markup]:
    """Return the box of matplotlib's SVG and what is in it, as it can stand within HTML."""
    root = re.search(r'<svg[^>]*viewBox="([^"]+)"[^>]*>(.*)</svg>', svg, flags=re.DOTALL)
    assert root is not None
    shapes = re.sub(r"\s*<metadata>.*?</metadata>", "", root[2], flags=re.DOTALL)
    shapes = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', shapes)
    shapes = re.sub(r'(xlink:href="|url\()#', rf"\1#{name}-", shapes)
    return root[1], Markup(shapes.replace("xlink:href", "href"))  # noqa: S704 - it is matplotlib's, words escaped
