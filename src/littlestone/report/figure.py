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
    "INK",
    "LEGEND",
    "SOFT",
    "STYLE",
    "WIDTH",
    "Drawn",
    "check_matplotlib",
    "figure",
    "fit",
    "line_style",
    "picture",
    "plain_axes",
    "themed",
]

# In a page these become the page's own colours, light or dark; nothing else in a figure may have them
INK, SOFT, LINE = "#1b1b1b", "#555555", "#e4e4e4"
THEME = {INK: "var(--ink)", SOFT: "var(--soft)", LINE: "var(--line)"}
# Mostly Okabe and Ito's colours, which differ for people with any kind of colour vision, in place of those that are too
# pale for thin lines a darker yellow and a violet: each at least 3:1 on white and on dark. Then again, in broken lines
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", INK, "#A67C00", "#9A7FD1")
DASHES = ("", "5,2", "1.2,1.6", "6,2,1.2,2")
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Verdana"], "font.size": 9.5,
    "axes.titlesize": 10.0, "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.spines.top": False,
    "axes.spines.right": False, "axes.edgecolor": SOFT, "axes.labelcolor": INK, "axes.grid": True,
    "text.color": INK, "axes.axisbelow": True, "grid.color": LINE, "grid.linewidth": 0.6, "lines.linewidth": 1.6,
    "xtick.color": INK, "ytick.color": INK, "legend.frameon": False, "legend.fontsize": 9.5,
    "svg.fonttype": "none", "svg.hashsalt": "littlestone", "path.simplify": True,
}  # fmt: skip
FEW = 300  # from the least to the largest: no more than three powers of ten
FIRST = 20  # trials before which a percentage of mistakes says nothing
WIDTH, HEIGHT = 4.8, 3.2  # inches, without a legend: a page 400 pixels wide shows letters of 9.5 points in 10 pixels
LEGEND = {"loc": "outside lower center", "handlelength": 2.6, "columnspacing": 1.2, "labelspacing": 0.3}
SPARE = 6.0  # points beside a legend


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
    box, shapes = _inline(picture(draw, height=height, ground="none"), name)
    return Drawn(box, shapes, says, caption)


def picture(draw: Callable[[Any, Any], None], *, height: float = HEIGHT, ground: str = "white") -> str:
    """Return what ``draw(figure, axes)`` draws as an SVG file of its own, on a ground of this colour."""
    check_matplotlib()
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context({**STYLE, "figure.facecolor": ground, "axes.facecolor": ground, "savefig.facecolor": ground}):
        drawn = Figure(figsize=(WIDTH, height), layout="constrained")
        FigureCanvasSVG(drawn)
        draw(drawn, drawn.add_subplot())
        fit(drawn)
        file = io.BytesIO()
        with catch_warnings():  # letters that matplotlib's own font lacks are written all the same, as text
            filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
            drawn.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue().decode()


def fit(figure: Any) -> None:
    """Let the legends of a figure have as many columns as it is wide for, and give it room for their lines."""
    for made in list(figure.legends):
        legend = made
        handles, words = legend.legend_handles, [text.get_text() for text in legend.get_texts()]
        title, columns = legend.get_title().get_text(), min(legend._ncols, len(words))  # noqa: SLF001 - no other way
        while legend.get_window_extent().width > figure.bbox.width - SPARE * figure.dpi / 72 and columns > 1:
            columns -= 1
            legend.remove()
            legend = figure.legend(handles, words, title=title or None, ncols=columns, **LEGEND)
        figure.set_figheight(figure.get_figheight() + legend.get_window_extent().height / figure.dpi)


def line_style(number: int) -> tuple[str, str]:
    """Return the colour and the dashes of the ``number``-th line; no two are alike before the 29th.

    >>> line_style(0), line_style(7)
    (('#0072B2', ''), ('#0072B2', '5,2'))
    """
    return COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]


def plain_axes(axes: Any, whole: str = "") -> None:
    """Label both axes with plain numbers, 1,000 rather than 10^3, and leave a little room beside the curves.

    ``whole`` names the axes of counts, "x", "y" or both, which have whole numbers only.
    """
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if name in whole and axis.get_scale() == "linear":
            axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True))
        axis.set_major_formatter(FuncFormatter(lambda value, _: _plain(value)))
        axis.set_minor_formatter(FuncFormatter(partial(_between, axis)))
    axes.margins(x=0.02)


def themed(text: str) -> str:
    """Return text, a colour or shapes, with the page's own colours for ink and lines.

    >>> themed("stroke: #1b1b1b")
    'stroke: var(--ink)'
    """
    return re.sub("|".join(THEME), lambda found: THEME[found[0]], text)


def _plain(value: float) -> str:
    """Return the label of a tick: whole, or with the decimals that it has.

    >>> _plain(1000.0), _plain(2.5), _plain(0.1 + 0.2), _plain(12.25)
    ('1,000', '2.5', '0.3', '12.25')
    """
    near = round(value)
    return f"{near:,}" if abs(value - near) <= 1e-9 * max(1.0, abs(value)) else f"{value:,.6g}"


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
    shapes = re.sub(r'style="[^"]*"', lambda found: themed(found[0]), shapes)
    shapes = re.sub(r'(xlink:href="|url\()#', rf"\1#{name}-", shapes)
    return root[1], Markup(shapes.replace("xlink:href", "href"))  # noqa: S704 - it is matplotlib's, words escaped
