"""The results in Markdown: one page of all of them, or an index, a page a paper and a page a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from littlestone.papers.checklist import NOTHING, met
from littlestone.papers.outcome import Verdict
from littlestone.papers.pages import agreement, duration, intro, number, parameters, tally
from littlestone.papers.result import Paper
from littlestone.papers.runner import Checked
from littlestone.papers.store import versions

__all__ = ["markdown_page", "markdown_pages"]

Way = Callable[[Checked], str]
TITLE = "The papers, reproduced"
AGAIN = """
`littlestone reproduce` makes this run again, in about three minutes on two cores, and writes it as one page with
figures. With the name of a paper, or of a paper and a result, it runs only these; `--list` lists them, and `--full`
takes the sizes of the papers. The page of each result ends with its own command.
"""
ABOUT_ERRATA = "What a paper says and a run refutes: the smallest counterexample, and what is true instead."
ABOUT_CHECKLIST = "Facts that were worked out before the code was written, and the results that check them."


def markdown_page(found: Sequence[Checked], command: str = "", *, times: bool = True) -> str:
    """Return one page of all, without figures; without ``times`` it has nothing of one run or machine."""
    lines = [f"# {TITLE}", "", tally(found), ""]
    for title, (head, rows) in _lists(found, _anchor).items():
        lines += _section(title, head, rows)
    lines += ["## What the verdicts mean", "", *_run(found, command, times=times)]
    for paper, own in groupby(found, key=lambda one: one.paper):
        lines += ["", f"## {paper.title}", "", *_about(paper)]
        for one in own:
            lines += [f'<a id="{one.anchor}"></a>', "", f"### {one.result.title}", "", *_result(one, times=times)]
    return "\n".join(lines).rstrip() + "\n"


def markdown_pages(found: Sequence[Checked], command: str = "", *, times: bool = True) -> dict[str, str]:
    """Return the same as small pages, by their paths: an index, the errata, the checklist, papers and their results."""
    lists = _lists(found, _below)
    pages = {
        "index.md": _index(found, command, times=times),
        "errata.md": _page("Errata of the papers", ABOUT_ERRATA, "", *_table(*lists["Errata"])),
        "checklist.md": _page("The checklist of facts", ABOUT_CHECKLIST, "", *_table(*lists["Checklist"])),
    }
    for paper, group in groupby(found, key=lambda one: one.paper):
        own = list(group)
        lines = [*_about(paper), tally(own), "", *_table(["result", "where", "verdict", "measured"], _summary(own))]
        pages[f"{paper.key}/index.md"] = _page(paper.title, *lines, "", f"[{TITLE}](../index.md)")
        for one in own:
            back = f"A result of [{paper.title}](index.md)."
            pages[_below(one)] = _page(one.result.title, back, "", *_result(one, times=times))
    return pages


def _page(title: str, *lines: str) -> str:
    return "\n".join([f"# {title}", "", *lines]).rstrip() + "\n"


def _index(found: Sequence[Checked], command: str, *, times: bool) -> str:
    lines = [tally(found), *AGAIN.splitlines(), ""]
    kinds = [verdict for verdict in Verdict if any(one.verdict is verdict for one in found)]
    rows = []
    for paper, own in groupby(found, key=lambda one: one.paper):
        counts = Counter(one.verdict for one in own)
        rows.append([f"[{paper.title}]({paper.key}/index.md)", *(counts[kind] for kind in kinds)])
    lines += [*_table(["paper", *kinds], rows), ""]
    lines += ["- [Errata](errata.md): what is wrong in them", "- [Checklist](checklist.md): which result checks what"]
    return _page(TITLE, *lines, "", "## What the verdicts mean", "", *_run(found, command, times=times))


# Where a result is: on the same page, below the index, beside the page of its paper


def _anchor(one: Checked) -> str:
    return f"#{one.anchor}"


def _below(one: Checked) -> str:
    return f"{one.paper.key}/{one.result.key}.md"


def _beside(one: Checked) -> str:
    return f"{one.result.key}.md"


def _link(one: Checked, way: Way) -> str:
    return f"[{one.result.title}]({way(one)})"


def _where(one: Checked) -> str:
    return f"{one.paper.title}, {one.result.place}"


# The lists of all results


def _lists(found: Sequence[Checked], way: Way) -> dict[str, tuple[list[str], list[list[str]]]]:
    """Return tables, head and rows, by their titles."""
    summary = [[_link(one, way), _where(one), f"**{one.verdict}**", one.outcome.measured] for one in found]
    checklist = [
        [key, fact, "; ".join(f"{_link(one, way)} ({one.verdict})" for one in own) or NOTHING]
        for key, fact, own in met(found)
    ]
    return {
        "Summary": (["result", "where", "verdict", "measured"], summary),
        "Errata": (["result", "printed", "true", "smallest counterexample"], list(_errata(found, way))),
        "Checklist": (["row", "fact", "results"], checklist),
    }


def _summary(own: Sequence[Checked]) -> Iterator[list[str]]:
    """Yield the rows of one paper's results."""
    for one in own:
        yield [_link(one, _beside), one.result.place, f"**{one.verdict}**", one.outcome.measured]


def _errata(found: Sequence[Checked], way: Way) -> Iterator[list[str]]:
    for one in found:
        if one.verdict is Verdict.CORRECTED:
            words = one.outcome
            yield [f"{_link(one, way)} ({_where(one)})", one.result.claim, words.erratum, words.counterexample]


# The parts of a page


def _section(title: str, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    return [f"## {title}", "", *_table(head, rows), ""] if rows else []


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    lines = [f"| {' | '.join(map(_cell, head))} |", f"|{'---|' * len(head)}"]
    return lines + [f"| {' | '.join(map(_cell, row))} |" for row in rows]


def _cell(value: Any) -> str:
    return number(value).replace("|", "\\|").replace("\n", " ")


def _run(found: Sequence[Checked], command: str, *, times: bool) -> list[str]:
    """Return what the verdicts mean, and which run this was."""
    lines = [line for words in intro() for line in (words, "")]
    lines += [f"- Seed: {found[0].seed}", f"- Sizes: {'full' if found[0].full else 'quick'}"]
    if times:
        lines += [
            f"- Time: {duration(sum(one.seconds for one in found))} of one core",
            f"- Versions: {', '.join(f'{name} {value}' for name, value in versions().items())}",
        ]
    return lines + ([f"- Command: `{command}`"] if command else [])


def _about(paper: Paper) -> list[str]:
    return [paper.source, "", *([paper.about, ""] if paper.about else [])]


def _result(one: Checked, *, times: bool) -> list[str]:
    outcome, result = one.outcome, one.result
    lines = [f"**{one.verdict}** ({result.place})", "", f"> {result.claim}", "", outcome.measured, ""]
    if outcome.verdict is Verdict.CORRECTED:
        lines += [f"Erratum: {outcome.erratum}", "", f"Counterexample: {outcome.counterexample}", ""]
    for words in (outcome.evidence, outcome.note):
        lines += [words, ""] if words else []
    head = ["measured", "expected", "holds"]
    for title, comparisons in (("the claim", outcome.claimed), ("what is true instead", outcome.corrected)):
        if comparisons:
            lines += [*_table([title, *head], map(agreement, comparisons)), ""]
    for table in outcome.tables:
        lines += [f"{table.caption}:", "", *_table(table.head, table.rows), ""]
    lines += [f"`{one.command}`", "", f"Parameters: {parameters(result.parameters(full=one.full))}.", ""]
    return lines + ([f"Time: {duration(one.seconds)}.", ""] if times else [])
