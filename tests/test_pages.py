"""Pages of the documentation: their examples run, and what a program writes is up to date."""

import runpy
import tomllib
from pathlib import Path

import pytest

import littlestone as ls

SOURCE = Path(ls.__file__).parent


def test_examples_of_all_pages_run():
    settings = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    assert {"src", "docs/*.md", "README.md"} <= set(settings["testpaths"])
    assert {"--doctest-modules", "--doctest-glob=*.md"} <= set(settings["addopts"].split())


@pytest.mark.parametrize("name", [
    "theorems", pytest.param("dnf", marks=pytest.mark.slow), pytest.param("papers", marks=pytest.mark.slow),
])  # fmt: skip
def test_a_page_is_what_its_program_writes(name):
    root = SOURCE.parents[1]
    if not (root / "docs").is_dir():
        pytest.skip("the documentation is not beside the package")
    made = runpy.run_path(str(root / "docs" / f"{name}.py"))["page"]()
    assert (root / "docs" / f"{name}.md").read_text(encoding="utf-8") == made, "run make docs"
