"""The look of the gallery's figures: that of all figures of the package, on white in light and dark pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["style"]


def style(_conf: dict[str, Any], _script: str | Path) -> None:
    """Set matplotlib's parameters before a script of the gallery is run; sphinx-gallery calls it."""
    from cycler import cycler
    from matplotlib import rcParams

    from littlestone.report.figure import COLOURS, HEIGHT, STYLE, WIDTH

    own = {"figure.figsize": (WIDTH, HEIGHT), "figure.constrained_layout.use": True, "figure.dpi": 100}
    rcParams.update({**STYLE, **own, "axes.prop_cycle": cycler(color=COLOURS)})
