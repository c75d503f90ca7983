"""Write docs/papers/, the quick run of littlestone reproduce in small pages, and one of its figures, mistakes.svg."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from littlestone.papers import Checked, selected
from littlestone.papers.drawing import picture_of
from littlestone.papers.markdown import markdown_pages
from littlestone.papers.runner import checked
from littlestone.papers.store import Store

__all__ = ["pages"]

KEPT = Path(__file__).parents[1] / ".cache" / "papers"


@cache
def _found() -> list[Checked]:
    from joblib import cpu_count

    os.environ.pop("LITTLESTONE_DATA", None)  # the pages are the same where there are no files of data
    return checked(selected(), Store(KEPT), workers=cpu_count())


def pages() -> dict[str, str]:
    """Return the pages by their paths below docs/."""
    made = markdown_pages(_found(), "littlestone reproduce", times=False)
    return {f"papers/{path}": text for path, text in made.items()}


def _mistakes() -> str:
    """Return mistakes against N: the Perceptron's linear, Winnow's logarithmic, with the bounds."""
    chosen = next(
        one for one in _found() if (one.paper.key, one.result.key) == ("kivinen_warmuth", "winnow-in-the-game")
    )
    return picture_of(chosen.outcome.figures[0])


if __name__ == "__main__":
    from writing import write_pages

    write_pages("papers", pages())
    Path(__file__).with_name("mistakes.svg").write_text(_mistakes(), encoding="utf-8")
