"""Docstrings as reStructuredText: sections, lists of parameters, examples and formulas."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from textwrap import dedent, indent

__all__ = ["Section", "body", "first_line", "inline", "sections"]

Section = tuple[str, str]  # the title, "" for what comes before the first; the text
Linked = Callable[[str], str | None]  # of what stands between single backticks: a link in reStructuredText, or None
TITLE = re.compile(r"^(\w[\w ]*)\n-{3,}$\n?", re.MULTILINE)
LISTED = {"Parameters", "Attributes", "Returns", "Yields", "Raises"}
CODE = re.compile(r"``(.+?)``|`([^`\n]+)`", re.DOTALL)
EMPHASIS = re.compile(r"(?<![\w*])\*(\w[^*\n]*)\*(?![\w*])")


def sections(doc: str | None) -> list[Section]:
    r"""Return the sections of a docstring.

    >>> sections("It learns.\n\nBound\n-----\nNone.")
    [('', 'It learns.'), ('Bound', 'None.')]
    """
    parts = TITLE.split(inspect.cleandoc(doc or ""))
    pairs = [("", parts[0]), *zip(parts[1::2], parts[2::2], strict=True)]
    return [(title, text.strip("\n")) for title, text in pairs if text.strip()]


def first_line(doc: str | None) -> str:
    """Return the first sentence or paragraph of a docstring."""
    return " ".join(inspect.cleandoc(doc or "").split("\n\n")[0].split())


def inline(text: str, linked: Linked = lambda _: None) -> str:
    r"""Return a paragraph with what would be markup escaped, and names between backticks as links.

    >>> inline("|x|^p of ``w_i`` and *the* `Winnow`s", lambda name: f":any:`{name}`")
    '\\|x\\|^p of ``w_i`` and *the* :any:`Winnow`\\ s'
    """
    parts, at = [], 0
    for code in CODE.finditer(text):
        parts.append(_escaped(text[at : code.start()]))
        inner = " ".join((code[1] or code[2]).split())
        made = (linked(inner) if code[2] else None) or f"``{inner}``"
        before = r"\ " if code.start() and not text[code.start() - 1].isspace() else ""
        parts.append(before + made + (r"\ " if text[code.end() : code.end() + 1].strip() else ""))
        at = code.end()
    return "".join([*parts, _escaped(text[at:])])


def _escaped(text: str) -> str:
    """Return prose without markup, but for what is emphasised; a mark of that stands between spaces or escaped ones."""
    parts = EMPHASIS.split(text)
    made = [_plain(parts[0])]
    for inner, after in zip(parts[1::2], parts[2::2], strict=True):
        made += ["" if made[-1][-1:].isspace() else r"\ ", f"*{_plain(inner)}*", "" if after[:1].isspace() else r"\ "]
        made.append(_plain(after))
    return "".join(made)


def _plain(text: str) -> str:
    return re.sub(r"([\\*|`_])", r"\\\1", text)


def body(doc: str | None, linked: Linked = lambda _: None) -> str:
    """Return a whole docstring; sections get a rubric each."""
    parts = []
    for title, text in sections(doc):
        if title:
            parts.append(f".. rubric:: {title}")
        parts += _entries(text, linked) if title in LISTED else _blocks(text, linked)
    return "\n\n".join(parts)


def _blocks(text: str, linked: Linked) -> Iterator[str]:
    """Yield paragraphs: examples and formulas as they stand, prose and lists with links."""
    for block in re.split(r"\n\s*\n", text):
        lines = block.split("\n")
        first = block.lstrip()
        if first.startswith(">>>"):
            yield _code("pycon", dedent(block))
        elif all(line.startswith("    ") or not line.strip() for line in lines):
            yield _code("text", dedent(block))
        elif re.match(r"(?:-|\d+\.) ", first):
            yield "\n".join(_listed(lines, linked))
        else:
            yield inline(block, linked)


def _code(language: str, text: str) -> str:
    return f".. code-block:: {language}\n\n{indent(text.rstrip(), '   ')}"


def _listed(lines: list[str], linked: Linked) -> Iterator[str]:
    """Yield the items of a list; what follows an item's first line belongs to it."""
    items: list[list[str]] = []
    for line in lines:
        match = re.match(r"(-|\d+\.) (.*)", line.strip())
        if match:
            items.append([match[1], match[2]])
        elif items:
            items[-1][1] += " " + line.strip()
        else:
            yield inline(line, linked)
    for sign, text in items:
        yield f"{sign} {inline(text, linked)}"


def _entries(text: str, linked: Linked) -> Iterator[str]:
    """Yield parameters: the name, what it may be, its default, and what it means."""
    found: list[tuple[str, list[str]]] = []
    rest: list[str] = []
    for line in text.split("\n"):
        if rest or (not found and not line.strip()):
            rest.append(line)
        elif line.startswith(" ") or not line.strip():
            found[-1][1].append(line)
        elif found and found[-1][1] and not found[-1][1][-1].strip() and " : " not in line and len(line) > 60:
            rest.append(line)  # a paragraph behind the list
        else:
            found.append((line, []))
    made = [".. rst-class:: parameters\n"]
    for head, lines in found:
        name, _, takes = head.partition(" : ")
        kind, _, default = takes.partition(", default ")
        names = ", ".join(
            f"**{_plain(one.strip()).replace('*', chr(92) + '*')}**" for one in name.split(",") if one.strip()
        )
        shown = " : ".join(part for part in (names, inline(kind, linked)) if part)
        inner = "\n\n".join(_blocks(dedent("\n".join(lines)).strip("\n"), linked)) if lines else ""
        made.append(shown + (f" — default ``{default}``" if default else ""))
        made.append(indent(inner or "..", "   ") + "\n")
    yield "\n".join(made)
    if rest:
        yield from _blocks("\n".join(rest), linked)
