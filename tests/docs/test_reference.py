"""The reference: every public name and every command has a page, and every public name an example that runs."""

import doctest
import inspect
import re
import shutil
import subprocess
from importlib import import_module

import pytest

import littlestone as ls
from docs.building.api import api_pages
from docs.building.commands import command_pages, commands
from docs.building.man import man_pages, write
from docs.building.members import members
from docs.building.names import GROUPS, modules, names, page_of
from littlestone.cli import main
from littlestone.learners.register import ours
from tests.test_public_names import ROOMS, public_things

PAGES = api_pages()
HOSTS = ("littlestone.sklearn.", "littlestone.river.")
LEARNERS = {one.full: one for one in names() if one.thing in ours().values()}


def test_every_public_name_has_a_page():
    pages = {f"{page_of(one)}.rst" for one in names()}
    assert len(pages) == len(names()) == len({page.lower() for page in pages})
    assert pages < set(PAGES)
    known = {id(one.thing) for one in names()}
    assert all(id(thing) in known for thing in public_things().values())
    assert {import_module(f"littlestone.{room}") for room in ROOMS} <= set(modules().values())
    every = {name for name in ls.__all__ if not inspect.ismodule(getattr(ls, name))}
    assert every <= {one.short for one in names()}


def test_every_name_is_in_one_group_and_every_module_on_a_page():
    listed = {group.key: PAGES[f"api/{group.key}.rst"] for group in GROUPS}
    for one in names():
        found = [key for key, page in listed.items() if f"   * - :py:obj:`{one.last} <{one.full}>`" in page]
        assert found == [one.group.key], one.full
        assert f"<{one.full}>" in PAGES["api/index.rst"]
    for shown in modules().keys() - {"littlestone", "littlestone.learners", "littlestone.errors"}:
        assert any(f".. py:module:: {shown}\n" in page for page in listed.values()), shown


def test_every_public_name_has_an_example():
    """In its docstring; what is neither a class nor a function: in that of its module."""
    without = []
    for one in names():
        doc = modules()[one.full.rpartition(".")[0]].__doc__ if one.kind == "data" else one.thing.__doc__
        if ">>>" not in (doc or "") or (one.kind == "data" and one.last not in doc):
            without.append(one.full)
    assert not without


@pytest.mark.parametrize("host", HOSTS)
def test_examples_of_classes_that_are_made_run(host):
    """pytest finds no docstrings of classes that no file defines."""
    pytest.importorskip(host.split(".")[1])
    found = [one for one in names() if one.full.startswith(host) and one.last.removesuffix("Classifier") in ls.__all__]
    assert len(found) > 35
    for one in found:
        example = doctest.DocTestParser().get_doctest(one.thing.__doc__, {}, one.full, None, 0)
        said = []
        doctest.DocTestRunner().run(example, out=said.append)
        assert example.examples and not said, "".join(said)


@pytest.mark.parametrize("full", LEARNERS)
def test_a_learners_page_has_every_parameter(full):
    """With what it may be and its default; help() has them too."""
    learner = LEARNERS[full].thing
    page = PAGES[f"{page_of(LEARNERS[full])}.rst"]
    for name, one in learner.parameters().items():
        shown = name.replace("_", r"\_")
        entry = re.search(rf"^   \*\*{re.escape(shown)}\*\* : (.+)\n +(\S.*)", page, re.MULTILINE)
        assert entry, name
        default = inspect.signature(learner).parameters[name].default
        declared = one.default is not inspect.Parameter.empty and learner.__init__ is ls.Learner.__init__
        assert not declared or entry[1].endswith(f" — default ``{default!r}``"), name
        assert re.search(rf"^ *{name} : ", learner.__doc__, re.MULTILINE)
    assert ".. rubric:: Example" in page
    assert ".. rubric:: Bound" in page or learner in ls.learners.COMPOSITES.values()


def test_what_is_inherited_is_linked_to_the_page_that_describes_it():
    winnow = next(one for one in names() if one.full == "littlestone.Winnow")
    owners = {one.name: one.owner.full for one in members(winnow)}
    assert owners["learn"] == owners["predict"] == "littlestone.Learner"
    assert owners["for_disjunctions"] == owners["preset"] == "littlestone.Winnow"
    assert "Winnow.for_disjunctions(" in PAGES["api/Winnow.rst"]
    assert ":py:obj:`learn <littlestone.Learner.learn>`" in PAGES["api/Winnow.rst"]


def test_every_command_has_a_page_with_all_its_options():
    found = {one.name: one for one in commands()}
    assert found.keys() == {"", *main.list_commands(None)}
    pages = command_pages()
    for name, one in found.items():
        page = pages[f"commands/{name or 'littlestone'}.rst"]
        params = main.params if not name else main.get_command(None, name).params
        options = [option for param in params for option in param.opts if option.startswith("-")]
        for option in [*options, "--help"]:
            assert re.search(rf"^\.\. option:: .*{re.escape(option)}(?![\w-])", page, re.MULTILINE), (name, option)
        assert one.usage in page
        assert not name or f"<{name}>`" in pages["commands/index.rst"]


def test_every_command_has_a_man_page():
    pages = man_pages()
    assert len(pages) == len(commands())
    for page in pages.values():
        heads = re.findall(r"^\.SH (.+)", page, re.MULTILINE)
        assert heads[:3] == ["NAME", "SYNOPSIS", "DESCRIPTION"] and heads[-2:] == ["EXIT STATUS", "SEE ALSO"]
        assert all(line.strip() for line in page.splitlines())  # roff: no empty lines
    assert r"\fB\-l\fR, \fB\-\-learner\fR \fINAME\fR" in pages["littlestone-train.1"]


def test_a_checker_of_man_pages_has_nothing_to_say(tmp_path):
    checker = shutil.which("mandoc")
    if checker is None:
        pytest.skip("no mandoc here: apt-get install mandoc")
    write(tmp_path)
    words = [checker, "-T", "lint", "-W", "style", *sorted(tmp_path.iterdir())]
    said = subprocess.run(words, capture_output=True, text=True, check=False)
    assert not said.returncode and not said.stdout, said.stdout
