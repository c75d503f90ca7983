"""Write the pages that a program of this folder makes, and take away those that it made before and makes no more."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

__all__ = ["write_pages"]

DOCS = Path(__file__).parent


def write_pages(folder: str, pages: Mapping[str, str]) -> None:
    """Write pages by their paths below docs/; all of them, and nothing else, are in that folder afterwards."""
    for path in [*(DOCS / folder).rglob("*.md")]:
        if path.relative_to(DOCS).as_posix() not in pages:
            path.unlink()
    for name, text in pages.items():
        path = DOCS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
