"""Write docs/papers.md, the quick run of littlestone reproduce, and docs/mistakes.svg, one of its figures."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from littlestone.papers import Checked, selected
from littlestone.papers.drawing import picture_of
from littlestone.papers.pages import markdown_page
from littlestone.papers.runner import checked
from littlestone.papers.store import Store

__all__ = ["page"]

KEPT = Path(__file__).parents[1] / ".cache" / "papers"


@cache
def _found() -> list[Checked]:
    from joblib import cpu_count

    os.environ.pop("LITTLESTONE_DATA", None)  # the page is the same where there are no files of data
    return checked(selected(), Store(KEPT), workers=cpu_count())


def page() -> str:
    """Return the page."""
    return markdown_page(_found(), "littlestone reproduce", times=False)


def _mistakes() -> str:
    """Return mistakes against N: the Perceptron's linear, Winnow's logarithmic, with the bounds."""
    chosen = next(
        one for one in _found() if (one.paper.key, one.result.key) == ("kivinen_warmuth", "winnow-in-the-game")
    )
    return picture_of(chosen.outcome.figures[0])


if __name__ == "__main__":
    Path(__file__).with_suffix(".md").write_text(page(), encoding="utf-8")
    Path(__file__).with_name("mistakes.svg").write_text(_mistakes(), encoding="utf-8")
