"""The page: one HTML file with the summary first, then every result of every paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from littlestone.papers.checklist import CHECKLIST
from littlestone.papers.comparisons import Comparison
from littlestone.papers.drawing import drawn
from littlestone.papers.outcome import Table
from littlestone.papers.result import Paper
from littlestone.papers.runner import Checked
from littlestone.papers.store import versions
from littlestone.papers.words import agreement, duration, intro, number, parameters, tally
from littlestone.report.page import page, section, table

__all__ = ["web_page"]

TITLE = "The papers, reproduced"
STYLE = """\
article { border-top: 1px solid var(--line); padding-top: .5rem; margin-top: 2rem }
h3 { font-size: 1.02rem; margin: .5rem 0 .25rem; overflow-wrap: anywhere }
h2, article { scroll-margin-top: .5rem }
a { color: inherit; text-decoration-color: var(--soft); text-underline-offset: .15em }
nav li { margin: .1rem 0 }
.verdict { font-size: .8rem; font-weight: 600; white-space: nowrap; padding: .05rem .45rem; border-radius: 1rem;
  border: 1px solid currentColor }
.confirmed { color: #00664a } .corrected { color: #0b5ea8 } .not-confirmed { color: #a83b00 }
.not-checkable { color: #5c5c5c }
@media (prefers-color-scheme: dark) {
  .confirmed { color: #4fd1a5 } .corrected { color: #7cc0f5 } .not-confirmed { color: #ff9d66 }
  .not-checkable { color: #b0b0b0 }
}
#summary td.word, .comparisons td.word { min-width: 0 } #summary td:last-child { min-width: 11rem }
#summary th[scope=row] { max-width: 24rem } #summary .group { background: var(--best) }
@media (max-width: 40rem) {
  #summary .verdict { white-space: normal; border-radius: .7rem; display: inline-block; line-height: 1.2 }
  #summary table { font-size: .875rem } #summary th[scope=row] { min-width: 6.5rem }
  #summary td:last-child { min-width: 7rem; overflow-wrap: anywhere }
}
#summary tbody th, #summary td { vertical-align: top }
.comparisons th[scope=row] { font-weight: 400; font-size: .875rem; min-width: 7.5rem; max-width: 38rem }
.comparisons td { font-size: .875rem; overflow-wrap: anywhere; color: var(--ink) }
.fails td:last-child { font-weight: 700 } article .wide { margin: .75rem 0 } article .figures { margin: 1rem 0 }
.claim { border-left: 3px solid var(--line); padding-left: .75rem }
article figure { max-width: 40rem }
"""


def web_page(found: Sequence[Checked], command: str = "") -> str:
    """Return the page of these results; the same results give the same bytes."""
    papers = [(paper, list(own)) for paper, own in groupby(found, key=lambda one: one.paper)]
    meaning = [f"<p>{escape(words)}</p>" for words in intro()]
    parts = [
        f'<p class="lead">{escape(tally(found))}</p>',
        section("Summary", _summary(papers), anchor="summary"),
        section("What the verdicts mean", *meaning, _facts(found, command), anchor="verdicts"),
        section("Contents", _contents(papers), anchor="contents"),
        *(_paper(paper, own) for paper, own in papers),
        section("Checklist", _checklist(found), anchor="checklist"),
    ]
    return page(TITLE, parts, "Made by littlestone reproduce.", style=STYLE)


def _anchor(one: Checked) -> str:
    return f"{one.paper.key}-{one.result.key}"


def _link(one: Checked) -> str:
    return f'<a href="#{_anchor(one)}">{escape(one.result.title)}</a>'


def _verdict(one: Checked) -> str:
    kind = str(one.verdict).replace(" ", "-")
    kind = "confirmed" if kind.startswith("confirmed") else kind
    return f'<span class="verdict {kind}">{one.verdict}</span>'


def _facts(found: Sequence[Checked], command: str) -> str:
    told = {
        "Sizes": "full: those of the papers" if found[0].full else "quick: smaller than the papers', see each result",
        "Seed": str(found[0].seed),
        "Time": f"{duration(sum(one.seconds for one in found))} of one core",
        "Versions": ", ".join(f"{name} {value}" for name, value in versions().items()),
    }
    lines = [f"<dt>{name}</dt><dd>{escape(fact)}</dd>" for name, fact in told.items()]
    if command:
        lines.append(f"<dt>Command</dt><dd><code>{escape(command)}</code></dd>")
    return "\n".join(['<dl class="facts">', *lines, "</dl>"])


def _summary(papers: Iterable[tuple[Paper, Sequence[Checked]]]) -> str:
    head = [("word", "result"), ("word", "verdict"), ("word", "measured")]
    rows = []
    for paper, own in papers:
        rows.append(("group", [f'<a href="#{paper.key}">{escape(paper.title)}</a>', "", escape(tally(own))]))
        for one in own:
            place = f"<br><small>{escape(one.result.place)}</small>"
            rows.append(("", [_link(one) + place, _verdict(one), escape(one.outcome.measured)]))
    return table("Every result, its verdict, and what was measured", head, rows)


def _contents(papers: Iterable[tuple[Paper, Sequence[Checked]]]) -> str:
    lines = ["<nav><ul>"]
    for paper, own in papers:
        lines.append(f'<li><a href="#{paper.key}">{escape(paper.title)}</a><ul>')
        lines += [f"<li>{_link(one)}</li>" for one in own]
        lines.append("</ul></li>")
    return "\n".join([*lines, '<li><a href="#checklist">Checklist</a></li></ul></nav>'])


def _paper(paper: Paper, own: Sequence[Checked]) -> str:
    about = [f'<p class="note">{escape(paper.source)}</p>']
    about += [f"<p>{escape(paper.about)}</p>"] if paper.about else []
    return section(paper.title, *about, *(_result(one) for one in own), anchor=paper.key)


def _result(one: Checked) -> str:
    outcome, result = one.outcome, one.result
    parts = [
        f'<article id="{_anchor(one)}">',
        f"<h3>{escape(result.title)} {_verdict(one)}</h3>",
        f'<p class="note">{escape(result.place)}</p>',
        f'<p class="claim">{escape(result.claim)}</p>',
        f"<p>{escape(outcome.measured)}</p>",
    ]
    if outcome.verdict == "corrected":
        parts += [f"<p><strong>Erratum.</strong> {escape(outcome.erratum)}</p>",
                  f"<p><strong>Counterexample.</strong> {escape(outcome.counterexample)}</p>"]  # fmt: skip
    parts += [f"<p>{escape(words)}</p>" for words in (outcome.evidence, outcome.note) if words]
    if outcome.claimed:
        parts.append(_comparisons("The claim against the run", outcome.claimed))
    if outcome.corrected:
        parts.append(_comparisons("What is said instead", outcome.corrected))
    parts += [_table(told) for told in outcome.tables]
    if outcome.figures:
        figures = [drawn(told, f"{_anchor(one)}-{at}") for at, told in enumerate(outcome.figures)]
        parts += ['<div class="figures">', *figures, "</div>"]
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


def _checklist(found: Sequence[Checked]) -> str:
    rows = []
    for key, fact in CHECKLIST.items():
        met = [f"{_link(one)} {_verdict(one)}" for one in found if key in one.result.rows]
        if met:
            rows.append(("", [key, escape(fact), "<br>".join(met)]))
    head = [("word", "row"), ("word", "fact"), ("word", "results")]
    return table("Facts worked out beforehand, and the results that meet them", head, rows)
