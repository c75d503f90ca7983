"""Coming from another package: the commands of the pages run on the data of the pages."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from littlestone.cli import main

PAGES = sorted((Path(__file__).parents[1] / "docs" / "coming-from").glob("*.md"))
FILE = re.compile(r"^The file `([\w.]+)`:\n\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"`(littlestone [^`]*)`")


def task(page):
    """Return the files and the commands of the section that does one task in both packages."""
    text = page.read_text(encoding="utf-8")
    section = text.split("\n## The same task in both\n", 1)[1].split("\n## ", 1)[0]
    return dict(FILE.findall(section)), COMMAND.findall(section)


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "index.md"], ids=lambda page: page.stem)
def test_the_commands_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files, commands = task(page)
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert commands
    for command in commands:
        done = CliRunner().invoke(main, shlex.split(command)[1:], prog_name="littlestone")
        assert done.exit_code == 0, f"{command}: {done.output}"


def test_every_page_is_in_the_contents():
    index = (PAGES[0].parent / "index.md").read_text(encoding="utf-8")
    for page in PAGES:
        assert page.name == "index.md" or (f"({page.name})" in index and f"\n{page.stem}\n" in index)


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "index.md"], ids=lambda page: page.stem)
def test_a_page_has_what_the_others_have(page):
    heads = re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    known = ["The same task in both", "How its data is read", "Options", "What is better there"]
    assert heads == [*known, "Problems that its users reported"]
