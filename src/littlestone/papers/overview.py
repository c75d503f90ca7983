"""What stands before the results of a page: summary, errata, checklist, contents."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from littlestone.papers.checklist import NOTHING, met
from littlestone.papers.outcome import Verdict
from littlestone.papers.result import Paper
from littlestone.papers.runner import Checked
from littlestone.papers.store import versions
from littlestone.papers.words import duration, intro, tally
from littlestone.report.page import section, table

__all__ = ["badge", "overview"]

Papers = Sequence[tuple[Paper, Sequence[Checked]]]


def overview(papers: Papers, command: str = "") -> list[str]:
    """Return the first parts of a page; a part with nothing in it is left out."""
    found = [one for _, own in papers for one in own]
    parts = [
        ("summary", "Summary", _summary(papers)),
        ("errata", "Errata", _errata(found)),
        ("checklist", "Checklist", _checklist(found)),
        ("verdicts", "What the verdicts mean", _verdicts(found, command)),
        ("contents", "Contents", _contents(papers)),
    ]
    some = [part for part in parts if part[-1]]
    top = "\n".join(f'<a href="#{name}">{title}</a>' for name, title, _ in some)
    return [
        f'<p class="lead">{escape(tally(found))}</p>',
        f'<nav class="top" aria-label="Parts of this page">\n{top}\n</nav>',
        *(section(title, part, anchor=name) for name, title, part in some),
    ]


def badge(one: Checked) -> str:
    """Return its verdict, in the colour of it."""
    kind = str(one.verdict).replace(" ", "-")
    kind = "confirmed" if kind.startswith("confirmed") else kind
    return f'<span class="verdict {kind}">{one.verdict}</span>'


def _link(one: Checked, name: str = "") -> str:
    named = f' id="{name}"' if name else ""
    return f'<a{named} href="#{one.anchor}">{escape(one.result.title)}</a>'


def _placed(one: Checked, words: str, name: str = "") -> str:
    return f"{_link(one, name)}<br><small>{escape(words)}</small>"


def _summary(papers: Papers) -> str:
    head = [("word", "result"), ("word", "verdict"), ("word", "measured")]
    rows = []
    for paper, own in papers:
        rows.append(("group", [f'<a href="#{paper.key}">{escape(paper.title)}</a>', "", escape(tally(own))]))
        for one in own:
            first = _placed(one, one.result.place, f"row-{one.anchor}")
            rows.append(("", [first, badge(one), escape(one.outcome.measured)]))
    return table("Every result, its verdict, and what was measured", head, rows)


def _errata(found: Sequence[Checked]) -> str:
    head = [("word", "result"), ("word", "printed"), ("word", "true"), ("word", "smallest counterexample")]
    rows = [
        ("", [_placed(one, f"{one.paper.title}, {one.result.place}"), escape(one.result.claim),
              escape(one.outcome.erratum), escape(one.outcome.counterexample)])
        for one in found if one.verdict is Verdict.CORRECTED
    ]  # fmt: skip
    return table("What the papers have wrong, and what is true instead", head, rows) if rows else ""


def _checklist(found: Sequence[Checked]) -> str:
    head = [("word", "row"), ("word", "fact"), ("word", "results")]
    rows = [
        ("", [key, escape(fact), "<br>".join(f"{_link(one)} {badge(one)}" for one in own) or NOTHING])
        for key, fact, own in met(found)
    ]
    return table("Facts worked out beforehand, and the results that check them", head, rows) if rows else ""


def _verdicts(found: Sequence[Checked], command: str) -> str:
    told = {
        "Sizes": "full: those of the papers" if found[0].full else "quick: smaller than the papers', see each result",
        "Seed": str(found[0].seed),
        "Time": f"{duration(sum(one.seconds for one in found))} of one core",
        "Versions": ", ".join(f"{name} {value}" for name, value in versions().items()),
    }
    lines = [f"<dt>{name}</dt><dd>{escape(fact)}</dd>" for name, fact in told.items()]
    if command:
        lines.append(f"<dt>Command</dt><dd><code>{escape(command)}</code></dd>")
    meaning = [f"<p>{escape(words)}</p>" for words in intro()]
    return "\n".join([*meaning, '<dl class="facts">', *lines, "</dl>"])


def _contents(papers: Papers) -> str:
    lines = ['<nav aria-label="Contents"><ul>']
    for paper, own in papers:
        lines.append(f'<li><a href="#{paper.key}">{escape(paper.title)}</a><ul>')
        lines += [f"<li>{_link(one)}</li>" for one in own]
        lines.append("</ul></li>")
    return "\n".join([*lines, "</ul></nav>"])
