"""Mathematics as MathML, made while the site is built: no script, and no request to anybody.

The font comes from ziamath's wheel (STIX Two Math); what pages never show is left out of it.
"""

from __future__ import annotations

from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from docutils import nodes
from fontTools import subset
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx
from sphinx.util import logging

from docs.building.formulas import mathml

__all__ = ["setup"]

WHEEL = find_spec("ziamath")  # its import would warn of what it imports
FONT = Path((WHEEL and WHEEL.origin) or "").parent / "fonts" / "STIXTwoMath-Regular.ttf"
# Latin, Greek, punctuation, letterlike symbols, arrows, operators, technical, shapes, more operators; letters of
# mathematics; what is accented
SHOWN = (
    "0020-024F 02B0-036F 0370-03FF 2000-206F 2070-209F 20D0-214F 2190-22FF 2300-23FF 25A0-25FF 27C0-27EF "
    "2A00-2AFF 1D400-1D7FF"
)
logger = logging.getLogger(__name__)


def _written(translator: Any, node: Any, display: str) -> None:
    try:
        made = mathml(node.astext(), display=display)
    except Exception as error:  # noqa: BLE001 - whatever a formula may do to the converter, it is a warning about it
        logger.warning("formula %r: %s", node.astext(), error, location=node)
        made = f"<code>{translator.encode(node.astext())}</code>"
    translator.body.append(made if display == "inline" else f'<div class="formula">{made}</div>\n')
    raise nodes.SkipNode


def _inline(translator: Any, node: Any) -> None:
    _written(translator, node, "inline")


def _block(translator: Any, node: Any) -> None:
    _written(translator, node, "block")


def font() -> bytes:
    """Return the font of mathematics, as small as it can be."""
    found = TTFont(FONT)
    wanted = [(int(low, 16), int(high, 16)) for low, high in (one.split("-") for one in SHOWN.split())]
    options = subset.Options(layout_features=["*"], flavor="woff", notdef_outline=True)
    made = subset.Subsetter(options)
    made.populate(unicodes=[code for low, high in wanted for code in range(low, high + 1)])
    made.subset(found)
    found.flavor = "woff"
    kept = BytesIO()
    found.save(kept)
    return kept.getvalue()


def _with_font(app: Sphinx, error: Exception | None) -> None:
    path = Path(app.outdir) / "_static" / "mathematics.woff"
    if error is None and app.builder.format == "html" and not path.exists():
        path.write_bytes(font())


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx how mathematics is written."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("build-finished", _with_font)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
