"""Tutorials: what their shells show is what the commands print. (Their Python is run as that of all pages.)"""

import os
import shutil

import pytest

from docs.building.places import DOCS
from tests.docs.sessions import Shell, pieces, same

PAGES = [path for name in ("tutorials", "guide") for path in sorted((DOCS / name).glob("*.md"))]
SESSIONS = [path for path in PAGES if "```console" in path.read_text(encoding="utf-8")]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="the shell is that of POSIX")
@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.stem)
def test_a_session_is_what_the_commands_print(page, tmp_path):
    for tool in ("bash", "curl"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool} here")
    with Shell(tmp_path) as shell:
        for piece in pieces(page.read_text(encoding="utf-8")):
            if piece.file:
                shell.write(piece)
                continue
            lines = piece.shown.count("\n") if piece.command.endswith("&") else 0
            printed = shell.run(piece.command, lines)
            assert same(piece.shown, printed), f"{page.name}:{piece.line}: $ {piece.command}\n{printed}"


def test_sessions_are_found():
    assert len(SESSIONS) >= 3
    assert all(pieces(page.read_text(encoding="utf-8")) for page in SESSIONS)
