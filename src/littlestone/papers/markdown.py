"""The same results as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from littlestone.papers.checklist import NOTHING, met
from littlestone.papers.outcome import Verdict
from littlestone.papers.runner import Checked
from littlestone.papers.store import versions
from littlestone.papers.words import agreement, duration, intro, number, parameters, tally

__all__ = ["markdown_page"]


def markdown_page(found: Sequence[Checked], command: str = "", *, times: bool = True) -> str:
    """Return the page in Markdown, without figures; without ``times`` it has nothing of one run or machine."""
    lines = ["# The papers, reproduced", "", tally(found), ""]
    tables = {
        "Summary": (["result", "where", "verdict", "measured"], _summary(found)),
        "Errata": (["result", "printed", "true", "smallest counterexample"], _errata(found)),
        "Checklist": (["row", "fact", "results"], _checklist(found)),
    }
    for title, (head, rows) in tables.items():
        listed = list(rows)
        lines += [f"## {title}", "", *_table(head, listed), ""] if listed else []
    lines += ["## What the verdicts mean", ""]
    for words in intro():
        lines += [words, ""]
    lines += [f"- Seed: {found[0].seed}", f"- Sizes: {'full' if found[0].full else 'quick'}"]
    if times:
        lines += [
            f"- Time: {duration(sum(one.seconds for one in found))} of one core",
            f"- Versions: {', '.join(f'{name} {value}' for name, value in versions().items())}",
        ]
    lines += [f"- Command: `{command}`"] if command else []
    for paper, own in groupby(found, key=lambda one: one.paper):
        lines += ["", f"## {paper.title}", "", paper.source, ""]
        lines += [paper.about, ""] if paper.about else []
        for one in own:
            lines += _result(one, times=times)
    return "\n".join(lines).rstrip() + "\n"


def _cell(value: Any) -> str:
    return number(value).replace("|", "\\|").replace("\n", " ")


def _table(head: Sequence[str], rows: Any) -> list[str]:
    lines = [f"| {' | '.join(map(_cell, head))} |", f"|{'---|' * len(head)}"]
    return lines + [f"| {' | '.join(map(_cell, row))} |" for row in rows]


def _link(one: Checked) -> str:
    return f"[{one.result.title}](#{one.anchor})"


def _where(one: Checked) -> str:
    return f"{one.paper.title}, {one.result.place}"


def _summary(found: Sequence[Checked]) -> Iterator[list[str]]:
    for one in found:
        yield [_link(one), _where(one), f"**{one.verdict}**", one.outcome.measured]


def _errata(found: Sequence[Checked]) -> Iterator[list[str]]:
    for one in found:
        if one.verdict is Verdict.CORRECTED:
            words = one.outcome
            yield [f"{_link(one)} ({_where(one)})", one.result.claim, words.erratum, words.counterexample]


def _checklist(found: Sequence[Checked]) -> Iterator[list[str]]:
    for key, fact, own in met(found):
        yield [key, fact, "; ".join(f"{_link(one)} ({one.verdict})" for one in own) or NOTHING]


def _result(one: Checked, *, times: bool) -> list[str]:
    outcome, result = one.outcome, one.result
    lines = [f'<a id="{one.anchor}"></a>', "", f"### {result.title}", ""]
    lines += [f"**{one.verdict}** ({result.place})", "", f"> {result.claim}", ""]
    lines += [outcome.measured, ""]
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
