"""The skeleton of a page: one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from string import Template

__all__ = ["page", "section", "table"]

STYLE = """\
:root { color-scheme: light dark; --ink: #1b1b1b; --soft: #5c5c5c; --line: #d4d4d4; --back: #ffffff; --best: #eef4fa }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececec; --soft: #a9a9a9; --line: #484848; --back: #181818; --best: #22303c }
}
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 3rem); max-width: 86rem; background: var(--back);
  color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
p, li { max-width: 46rem; overflow-wrap: anywhere }
.lead, figcaption, .note, footer { color: var(--soft) }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 1rem 0 }
.facts dt { color: var(--soft) } .facts dd { margin: 0; overflow-wrap: anywhere }
code { font-family: ui-monospace, "DejaVu Sans Mono", Consolas, monospace; font-size: .9em }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; max-width: calc(100vw - 2rem) }
th, td { padding: .3rem .75rem .3rem 0; text-align: right; white-space: nowrap; vertical-align: baseline }
th[scope=row], th.word, td.word { text-align: left }
th[scope=row] { font-weight: 600; white-space: normal; overflow-wrap: break-word; min-width: 9.5rem; max-width: 18rem }
td.word { white-space: normal; min-width: 14rem; max-width: 46rem; color: var(--soft); font-size: .875rem }
thead th { border-bottom: 2px solid var(--ink); font-weight: 600; vertical-align: bottom }
tbody tr { border-bottom: 1px solid var(--line) } tr.best { background: var(--best) }
small { color: var(--soft); font-weight: 400 }
.figures { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)) }
figure { margin: 0 } figure svg { display: block; width: 100%; height: auto; background: #fff; border-radius: 4px }
.swatch { width: 1.6rem; height: .6rem; margin-right: .4rem; vertical-align: baseline; background: #fff }
@media (max-width: 40rem) { .facts { display: block } .facts dd { margin-bottom: .4rem } }
@media print { body { max-width: none; padding: 0; font-size: 9pt } .wide { overflow: visible }
  figure, tr { break-inside: avoid } th, td { white-space: normal } }
"""

SKELETON = Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
$style</style>
</head>
<body>
<main>
<h1>$title</h1>
$body
</main>
<footer><p>$footer</p></footer>
</body>
</html>
""")


def page(title: str, parts: Iterable[str], footer: str = "", *, style: str = "") -> str:
    """Return a whole page: a title, parts that are HTML already, a line at the end; ``style`` is more CSS.

    >>> "<h1>Winnow &amp; friends</h1>" in page("Winnow & friends", ["<p>They met.</p>"])
    True
    """
    return SKELETON.substitute(title=escape(title), style=STYLE + style, body="\n".join(parts), footer=escape(footer))


def section(title: str, *parts: str, anchor: str = "") -> str:
    """Return a part of a page with a title of its own, to which ``#anchor`` leads.

    >>> print(section("Curves", "<p>None.</p>"))
    <section>
    <h2>Curves</h2>
    <p>None.</p>
    </section>
    """
    named = f' id="{escape(anchor)}"' if anchor else ""
    return "\n".join([f"<section{named}>", f"<h2>{escape(title)}</h2>", *parts, "</section>"])


def table(caption: str, head: Sequence[tuple[str, str]], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Return a table; ``head`` has the class ("word" or "") and words of each column, a row its class and its cells.

    Cells are HTML already; the first one heads its row.
    """
    heads = "".join(f'<th scope="col"{_of(kind)}>{escape(words)}</th>' for kind, words in head)
    lines = [
        f'<tr{_of(kind)}><th scope="row">{first}</th>'
        + "".join(f"<td{_of(column)}>{cell}</td>" for (column, _), cell in zip(head[1:], cells, strict=True))
        + "</tr>"
        for kind, (first, *cells) in rows
    ]
    body = "\n".join(lines)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}">\n<table>\n'
        f"<caption>{escape(caption)}</caption>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n"
        "</div>"
    )


def _of(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
