"""Pages that commands write: --page."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["check_page", "write_page"]


def check_page(page: str) -> None:
    """Refuse a page that cannot be drawn or written before the work, not after it."""
    from littlestone.report.figure import check_matplotlib

    check_matplotlib()
    if not Path(page).absolute().parent.is_dir():
        raise click.ClickException(f"{page}: it cannot be written: there is no such folder")


def write_page(page: str, text: str) -> None:
    """Write a page, whole or not at all."""
    from littlestone.streams.writers import atomic

    with atomic(page) as file:
        file.write(text.encode())
