"""Pages of the documentation: their examples run, and what a program writes is up to date."""

import re
import runpy
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import littlestone as ls

SOURCE = Path(ls.__file__).parent


def test_examples_of_all_pages_run():
    settings = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    assert {"src", "docs/**/*.md", "README.md"} <= set(settings["testpaths"])
    assert {"--doctest-modules", "--doctest-glob=*.md"} <= set(settings["addopts"].split())


@pytest.mark.parametrize("name", [
    "theorems", pytest.param("dnf", marks=pytest.mark.slow), pytest.param("papers", marks=pytest.mark.slow),
])  # fmt: skip
def test_a_page_is_what_its_program_writes(name, monkeypatch):
    root = SOURCE.parents[1]
    monkeypatch.syspath_prepend(str(root / "docs"))
    if not (root / "docs").is_dir():
        pytest.skip("the documentation is not beside the package")
    program = runpy.run_path(str(root / "docs" / f"{name}.py"))
    made = program["pages"]() if "pages" in program else {f"{name}.md": program["page"]()}
    there = [root / "docs" / f"{name}.md", *(root / "docs" / name).rglob("*.md")]
    texts = {path.relative_to(root / "docs").as_posix(): path.read_text("utf-8") for path in there if path.is_file()}
    assert set(texts) == set(made), "run make pages"
    assert [path for path, text in made.items() if texts[path] != text] == [], "run make pages"


def anchors(page):
    """Return what links to a page may end in: its headings as GitHub names them, and ids."""
    text = page.read_text(encoding="utf-8")
    heads = [line.lstrip("# ") for line in text.splitlines() if line.startswith("#")]
    names = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
    return names | set(re.findall(r'id="([^"]+)"', text))


def test_links_lead_somewhere():
    root = SOURCE.parents[1]
    pages = [root / "README.md", root / "CONTRIBUTING.md", SOURCE / "README.md", *(root / "docs").rglob("*.md")]
    if not pages[0].is_file():
        pytest.skip("the documentation is not beside the package")
    links = [
        (page, link)
        for page in pages
        for link in re.findall(r'(?:\]\(|src="|srcset=")([^)"\s]+)[)"]', page.read_text(encoding="utf-8"))
        if not link.startswith(("http", "data:"))
    ]
    assert len(links) > 30
    for page, link in links:
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{page.name}: {link}"


def found(place):
    """Return the module, or what is in one, that has this name inside the package."""
    module, inner = f"littlestone.{place}", []
    while True:
        try:
            thing = import_module(module)
            break
        except ModuleNotFoundError:
            module, _, last = module.rpartition(".")
            inner.insert(0, last)
    for name in inner:
        thing = getattr(thing, name)
    return thing


def test_the_glossary_names_what_exists():
    page = SOURCE.parents[1] / "docs" / "words.md"
    if not page.is_file():
        pytest.skip("the documentation is not beside the package")
    lines = [line.strip("|").split(" | ") for line in page.read_text(encoding="utf-8").splitlines() if " | " in line]
    rows = [[cell.strip() for cell in cells] for cells in lines if cells[0] != " word"]
    words = [word for row in rows for word in row[0].split(", ")]
    assert len(rows) > 40 and len(set(words)) == len(words)
    for word, meaning, where in rows:
        assert meaning.endswith((".", ".)")), word
        places = re.findall(r"`([^`]+)`", where)
        assert places and all(found(place) is not None for place in places), word
