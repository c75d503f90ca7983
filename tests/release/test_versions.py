"""The version stands in one place, and what repeats it says the same; the files that a release needs are there."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import littlestone as ls

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CITATION = (ROOT / "CITATION.cff").read_text("utf-8")
CHANGES = (ROOT / "CHANGELOG.md").read_text("utf-8")


def cited(key):
    """Return what a line of CITATION.cff says; there may be one at most."""
    found = re.findall(rf"^{key}: (.*)$", CITATION, re.MULTILINE)
    assert len(found) <= 1
    return found[0].strip("\"'") if found else None


def test_the_version_stands_in_one_place():
    assert SETTINGS["project"]["dynamic"] == ["version"] and "version" not in SETTINGS["project"]
    assert SETTINGS["tool"]["hatch"]["version"] == {"path": "src/littlestone/__init__.py"}
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?(\.dev\d+)?", ls.__version__)


def test_changelog_and_citation_say_the_same():
    newest, said = re.findall(r"^## (\S+) \((.*)\)$", CHANGES, re.MULTILINE)[0]
    assert newest == ls.__version__ == cited("version")
    assert said == "unreleased" or re.fullmatch(r"\d{4}-\d\d-\d\d", said)
    assert cited("date-released") == (None if said == "unreleased" else said)


def test_the_citation_is_that_of_this_project():
    project = SETTINGS["project"]
    assert cited("cff-version") == "1.2.0"
    assert (cited("title"), cited("license")) == (project["name"], project["license"])
    assert re.findall(r"^  - (?!name)(.*)$", CITATION, re.MULTILINE) == project["keywords"]
    assert re.findall(r"^  - name: (.*)$", CITATION, re.MULTILINE) == [one["name"] for one in project["authors"]]


def test_what_is_installed_is_this_version():
    try:
        installed = version("littlestone")
    except PackageNotFoundError:
        pytest.skip("the package is not installed here, but run from its sources")
    assert installed == ls.__version__


def test_python_versions_agree():
    lowest = SETTINGS["project"]["requires-python"].removeprefix(">=")
    named = [one.rpartition(" ")[2] for one in SETTINGS["project"]["classifiers"] if "Python :: 3." in one]
    assert min(named, key=lambda name: int(name[2:])) == lowest
    page = (ROOT / "docs" / "compatibility.md").read_text("utf-8")
    assert f"Python {lowest}" in page and all(name in page for name in named)
    assert SETTINGS["tool"]["mypy"]["python_version"] == lowest


@pytest.mark.parametrize("name", ["security", "compatibility", "releasing"])
def test_a_reader_finds_it(name):
    assert f"(docs/{name}.md)" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert f"\n{name}\n" in (ROOT / "docs" / "design.md").read_text("utf-8")
    assert name == "releasing" or f"(docs/{name}.md)" in (ROOT / "README.md").read_text("utf-8")
    assert "(docs/security.md)" in (ROOT / "SECURITY.md").read_text("utf-8")


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 120
