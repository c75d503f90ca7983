"""Write docs/theorems.md: every theorem of `littlestone.bounds`, as the registry has it."""

from itertools import groupby
from pathlib import Path

from littlestone.bounds import STATEMENTS, THEOREMS
from littlestone.bounds.bound import Statement

__all__ = ["page"]

HEAD = """# Theorems

Every theorem is a function in `littlestone.bounds` that takes numbers and returns a `Bound`: its value, whether it is
an upper bound, a lower bound or exact, of what, the theorem, its assumptions and its source. On the command line
`littlestone bound NAME n=... k=...` asks it, `littlestone bound NAME n=... k=? --target 100` the other way round.
`make pages` writes this page from the registry.
"""
# Sections that are not the names of their authors with commas between
TITLES = {
    "cesa_bianchi_conconi_gentile": "Cesa-Bianchi, Conconi, Gentile",
    "crammer": "Crammer, Dekel, Keshet, Shalev-Shwartz, Singer",
    "online_to_batch": "On-line to batch: Littlestone; Cesa-Bianchi, Conconi, Gentile",
}
KINDS = {"upper": "upper bound on", "lower": "lower bound on", "exact": "exact value of the"}


def page() -> str:
    """Return the page: one section a source, one entry a theorem."""
    parts = [HEAD]
    for module, group in groupby(STATEMENTS.values(), lambda statement: THEOREMS[statement.name].__module__):
        authors = module.rsplit(".", maxsplit=1)[-1]
        parts.append(f"## {TITLES.get(authors, authors.replace('_', ', ').title())}\n")
        parts.extend(_entry(statement) for statement in group)
    return "\n".join(parts)


def _entry(statement: Statement) -> str:
    says = (THEOREMS[statement.name].__doc__ or "").splitlines()[0].replace("``", "`")
    numbers = ", ".join([*statement.required, *(f"{name}={value}" for name, value in statement.optional.items())])
    return (
        f"### `{statement.name}({numbers})`\n\n{says}\n\n"
        f"- Theorem: {statement.theorem}; {KINDS[statement.kind]} {statement.of}.\n"
        f"- Assumes: {statement.assumptions}.\n- Source: {statement.source}.\n"
    )


if __name__ == "__main__":
    Path(__file__).with_suffix(".md").write_text(page(), encoding="utf-8")
