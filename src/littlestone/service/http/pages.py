"""The page of documentation: all of it in one answer, nothing from the network, no script."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import Any

import msgspec

from littlestone import __version__
from littlestone.service.http.openapi import openapi
from littlestone.service.http.operations import OPERATIONS, Operation
from littlestone.service.http.problems import KINDS

__all__ = ["page"]

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222;
  background: #fff }
h1, h2, h3 { line-height: 1.2; margin-top: 2rem }
code, pre { font: 14px/1.45 ui-monospace, monospace }
pre { background: #f4f4f4; padding: .8rem; overflow-x: auto }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #ddd }
.method { display: inline-block; min-width: 4.5rem; font-weight: 600 }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #181818 } pre { background: #262626 } td, th { border-color: #444 } a { color: #8bf }
}
"""
ABOUT = """Learners behind HTTP: what was acknowledged is durable, what was sent twice under one
<code>Idempotency-Key</code> is learned once, and every decision can be explained. The same as data:
<a href="/v1/openapi.json">openapi.json</a> (OpenAPI 3.1)."""
WHO = """Where the server has keys, each request needs <code>Authorization: Bearer lst_...</code>; without keys it
serves its own machine only."""
EXAMPLES = {
    "predict": '{"row": {"sky": "grey"}}',
    "learn": '{"rows": [{"sky": "grey"}, {"sky": "blue"}], "labels": ["rain", "sun"]}',
    "ask": '{"row": {"sky": "grey"}, "id": "monday"}',
    "label": '{"id": "monday", "label": "rain"}',
}


def page() -> bytes:
    """Return the page.

    >>> b"<script" in page(), b"https://" in page(), b"/v1/models/{model}/learn" in page()
    (False, False, True)
    """
    body = "\n".join([
        "<h1>littlestone</h1>", f"<p>Version {escape(__version__)}. {ABOUT}</p>", f"<p>{WHO}</p>",
        "<h2>Addresses</h2>", *map(_address, _by_path()),
        "<h2>Problems</h2>", "<p>Errors are <code>application/problem+json</code> (RFC 9457). Their types:</p>",
        _table([
            (f'<code id="{kind}">{kind}</code>', str(status), f"{escape(title)}. {escape(remedy)}")
            for kind, (status, title, remedy) in KINDS.items()
        ]),
        "<h2>Forms</h2>", *map(_form, sorted(openapi()["components"]["schemas"].items())),
    ])  # fmt: skip
    head = f'<meta charset="utf-8"><title>littlestone</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>'.encode()


def _by_path() -> list[tuple[str, list[Operation]]]:
    order = list(dict.fromkeys(one.path for one in OPERATIONS))
    ordered = sorted(OPERATIONS, key=lambda one: order.index(one.path))
    return [(path, list(some)) for path, some in groupby(ordered, key=lambda one: one.path)]


def _address(found: tuple[str, list[Operation]]) -> str:
    path, operations = found
    return "\n".join([f"<h3><code>{escape(path)}</code></h3>", *map(_operation, operations)])


def _operation(one: Operation) -> str:
    who = "" if one.role is None else f" Role: {one.role}."
    parts = [f'<p><span class="method">{one.method}</span>{_coded(one.says)}{who}']
    if one.form is not None:
        parts.append(f' Body: <a href="#{one.form.__name__}">{one.form.__name__}</a>.')
    if one.line is not None:
        parts.append(f' As lines: <a href="#{one.line.__name__}">{one.line.__name__}</a>.')
    named = ", ".join(f'<a href="#{answer.__name__}">{answer.__name__}</a>' for answer in one.answers)
    parts.append(f" Answer: {named}.</p>" if named else "</p>")
    parts.extend(f"<p><code>?{each.name}=</code> {escape(each.says)}</p>" for each in one.query)
    if one.name in EXAMPLES:
        call = f"curl -H 'Content-Type: application/json' -d '{EXAMPLES[one.name]}' $URL{one.path}"
        parts.append(f"<pre>{escape(call)}</pre>")
    return "".join(parts)


def _form(found: tuple[str, dict[str, Any]]) -> str:
    name, schema = found
    text = msgspec.json.format(msgspec.json.encode(schema.get("properties", {}))).decode()
    says = escape(schema.get("description", ""))
    return f'<details id="{name}"><summary><code>{name}</code> {says}</summary><pre>{escape(text)}</pre></details>'


def _table(rows: list[tuple[str, ...]]) -> str:
    lines = ("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return "<table>" + "".join(lines) + "</table>"


def _coded(text: str) -> str:
    """Return text as HTML, with code where it has backquotes."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))
