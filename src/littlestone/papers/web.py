"""The page: one HTML file with the summary first, then every result of every paper."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from littlestone.papers.comparisons import Comparison
from littlestone.papers.drawing import drawn
from littlestone.papers.outcome import Table, Verdict
from littlestone.papers.overview import badge, overview
from littlestone.papers.result import Paper
from littlestone.papers.runner import Checked
from littlestone.papers.style import STYLE
from littlestone.papers.words import agreement, duration, number, parameters
from littlestone.report.page import page, section, table

__all__ = ["web_page"]

TITLE = "The papers, reproduced"
INSTEAD = "What is true instead"


def web_page(found: Sequence[Checked], command: str = "") -> str:
    """Return the page of these results; the same results give the same bytes."""
    papers = [(paper, list(own)) for paper, own in groupby(found, key=lambda one: one.paper)]
    parts = [*overview(papers, command), *(_paper(paper, own) for paper, own in papers)]
    return page(TITLE, parts, "Made by littlestone reproduce.", style=STYLE)


def _paper(paper: Paper, own: Sequence[Checked]) -> str:
    about = [f'<p class="note">{escape(paper.source)} <a class="back" href="#summary">To the summary</a></p>']
    about += [f"<p>{escape(paper.about)}</p>"] if paper.about else []
    return section(paper.title, *about, *(_result(one) for one in own), anchor=paper.key)


def _result(one: Checked) -> str:
    outcome, result = one.outcome, one.result
    parts = [
        f'<article id="{one.anchor}">',
        f"<h3>{escape(result.title)} {badge(one)}</h3>",
        f'<p class="note">{escape(result.place)} <a class="back" href="#row-{one.anchor}">To the summary</a></p>',
        f'<p class="claim">{escape(result.claim)}</p>',
        f"<p>{escape(outcome.measured)}</p>",
    ]
    if outcome.verdict is Verdict.CORRECTED:
        parts += [f"<p><strong>Erratum.</strong> {escape(outcome.erratum)}</p>",
                  f"<p><strong>Counterexample.</strong> {escape(outcome.counterexample)}</p>"]  # fmt: skip
    parts += [f"<p>{escape(words)}</p>" for words in (outcome.evidence, outcome.note) if words]
    if outcome.figures:
        figures = [drawn(told, f"{one.anchor}-{at}") for at, told in enumerate(outcome.figures)]
        parts += ['<div class="figures">', *figures, "</div>"]
    for caption, comparisons in (("The claim against the run", outcome.claimed), (INSTEAD, outcome.corrected)):
        parts += [_comparisons(caption, comparisons)] if comparisons else []
    parts += [_table(told) for told in outcome.tables]
    told = {"Parameters": escape(parameters(result.parameters(full=one.full))), "Seed": str(one.seed),
            "Time": duration(one.seconds), "Checklist": ", ".join(result.rows),
            "Command": f"<code>{escape(one.command)}</code>"}  # fmt: skip
    lines = [f"<dt>{name}</dt><dd>{fact}</dd>" for name, fact in told.items() if fact]
    return "\n".join([*parts, '<dl class="facts">', *lines, "</dl>", "</article>"])


def _comparisons(caption: str, comparisons: Sequence[Comparison]) -> str:
    head = [("word", "what"), ("word", "measured"), ("word", "expected"), ("", "holds")]
    rows = [("" if one.holds else "fails", [escape(cell) for cell in agreement(one)]) for one in comparisons]
    return f'<div class="comparisons">{table(caption, head, rows)}</div>'


def _table(told: Table) -> str:
    head = [("word" if at == 0 else "", words) for at, words in enumerate(told.head)]
    return table(told.caption, head, [("", [escape(number(cell)) for cell in row]) for row in told.rows])
