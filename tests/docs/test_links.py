"""How pages of the repository become pages of the site, without any of Sphinx."""

import doctest
import re
from importlib import import_module
from posixpath import dirname, normpath

import pytest

from docs.building.docstrings import body, inline
from docs.building.links import place_of, rewritten
from docs.building.places import DOCS, ROOT
from docs.building.site import pages
from docs.building.staging import write

MODULES = ("docstrings", "links", "man", "site", "types")


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_machine_run(name):
    assert not doctest.testmod(import_module(f"docs.building.{name}")).failed


@pytest.mark.parametrize(("page", "text", "expected"), [
    ("README.md", "[models](docs/models.md#a)", "[models](models.md#a)"),
    ("docs/files.md", "[it](../benchmarks/RESULTS.md)", "[it](performance/results.md)"),
    ("docs/live.md", "[it](../examples/redis_stream.py)", "[it](source/examples/redis_stream.py.md)"),
    ("benchmarks/RESULTS.md", "[it](../docs/theory.md)", "[it](../theory.md)"),
    ("src/littlestone/README.md", "[it](../../docs/words.md)", "[it](words.md)"),
    ("docs/a.md", "[it](https://example.org) and [there](#b)", "[it](https://example.org) and [there](#b)"),
    ("docs/a.md", "`[no](link.md)`", "`[no](link.md)`"),
    ("docs/a.md", "```\n[no](link.md)\n```", "```\n[no](link.md)\n```"),
    ("docs/theorems/a.md", "![it](../front.svg)", "![it](../front.svg)"),
])  # fmt: skip
def test_links_of_the_repository_are_links_of_the_site(page, text, expected):
    assert rewritten(page, text) == expected


def test_a_pair_of_pictures_is_one_for_each_theme():
    text = (
        '<picture><source media="(prefers-color-scheme: dark)" srcset="b.svg"><img\nalt="A\nb" src="a.svg"></picture>'
    )
    made = rewritten("docs/x.md", text)
    assert made.count("```{image}") == 2 and "only-dark" in made and "only-light" in made and ":alt: A b" in made


@pytest.fixture(scope="module")
def staged():
    return pages()


def test_every_link_of_a_page_leads_to_a_page_of_the_site(staged):
    places = set(staged)
    links = 0
    for place, page in staged.items():
        if place.endswith(".md") and isinstance(page, str):
            text = re.sub(r"^(```+).*?^\1\s*$|`[^`\n]*`", "", page, flags=re.DOTALL | re.MULTILINE)
            for target in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", text):
                file = normpath(f"{dirname(place)}/{target}".lstrip("/"))
                if file.startswith("gallery/"):  # sphinx-gallery makes a page of each program
                    program = (DOCS / file).with_suffix(".py")
                    assert program.is_file() or file in ("gallery/index", "gallery/index.rst"), f"{place}: {target}"
                elif not re.match(r"[a-z]+:", target):
                    links += 1
                    assert file in places, f"{place}: {target}"
    assert links > 60


def test_no_two_pages_have_the_same_place(staged):
    assert place_of("README.md") == "readme.md" and place_of("docs/a/b.md") == "a/b.md"
    assert len({name.lower() for name in staged}) == len(staged)


def test_what_has_not_changed_is_left_alone(tmp_path):
    write({"a/b.md": "one", "c.svg": b"two", "d.md": "three"}, tmp_path)
    before = (tmp_path / "a" / "b.md").stat().st_mtime_ns
    write({"a/b.md": "one", "c.svg": b"two"}, tmp_path)
    assert (tmp_path / "a" / "b.md").stat().st_mtime_ns == before and not (tmp_path / "d.md").exists()


def test_docstrings_become_restructured_text():
    parameters = "Parameters\n----------\na : int, default 1\n    A."
    made = body(f"It *learns* ``w_i <- 2 w_i``s.\n\n    w = f(z)\n\n>>> 1\n1\n\n{parameters}")
    assert made.splitlines() == [
        r"It *learns* ``w_i <- 2 w_i``\ s.", "", ".. code-block:: text", "", "   w = f(z)", "",
        ".. code-block:: pycon", "", "   >>> 1", "   1", "", ".. rubric:: Parameters", "",
        ".. rst-class:: parameters", "", "**a** : int — default ``1``", "   A.",
    ]  # fmt: skip
    assert inline("a*b*c |x|_1") == r"a\*b\*c \|x\|\_1"


def test_nothing_here_names_a_machine_or_a_registry():
    for path in [*(ROOT / "docs").rglob("*.py"), *(ROOT / "docs").rglob("*.css")]:
        text = path.read_text(encoding="utf-8")
        elsewhere = r"https?://(?!127\.0\.0\.1|www\.w3\.org/1998/Math/MathML)"
        assert not re.search(rf"{elsewhere}|/home/|{re.escape(str(ROOT))}", text), path
