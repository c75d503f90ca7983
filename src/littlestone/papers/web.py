"""The page: one HTML file with the summary first, then every result of every paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from littlestone.papers.checklist import NOTHING, met
from littlestone.papers.drawing import drawn
from littlestone.papers.outcome import Verdict
from littlestone.papers.runner import Checked
from littlestone.papers.store import versions
from littlestone.papers.words import agreement, duration, intro, number, parameters, tally
from littlestone.report.figure import Drawn
from littlestone.report.page import page

__all__ = ["web_page"]

WORDS = {call.__name__: call for call in (agreement, duration, intro, number, parameters, tally)}


def web_page(found: Sequence[Checked], command: str = "") -> str:
    """Return the page of these results; the same results give the same bytes."""
    wrong = [one for one in found if one.verdict is Verdict.CORRECTED]
    checklist = list(met(found))
    parts = {
        "summary": "Summary",
        **({"errata": "Errata"} if wrong else {}),
        **({"checklist": "Checklist"} if checklist else {}),
        "verdicts": "What the verdicts mean",
        "contents": "Contents",
    }
    return page(
        "papers/templates/papers.html",
        title="The papers, reproduced",
        footer="Made by littlestone reproduce.",
        papers=[(paper, list(own)) for paper, own in groupby(found, key=lambda one: one.paper)],
        found=found,
        wrong=wrong,
        checklist=checklist,
        nothing=NOTHING,
        parts=parts,
        known=_known(found),
        command=command,
        drawn_of=_figures,
        **WORDS,
    )


def _figures(one: Checked) -> list[Drawn]:
    return [drawn(figure, f"{one.anchor}-{at}") for at, figure in enumerate(one.outcome.figures)]


def _known(found: Sequence[Checked]) -> dict[str, str]:
    return {
        "Sizes": "full: those of the papers" if found[0].full else "quick: smaller than the papers', see each result",
        "Seed": str(found[0].seed),
        "Time": f"{duration(sum(one.seconds for one in found))} of one core",
        "Versions": ", ".join(f"{name} {value}" for name, value in versions().items()),
    }
