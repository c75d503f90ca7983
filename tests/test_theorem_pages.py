"""Every theorem is found from its paper and from its learner, and no learner has a guarantee that is not listed."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

import littlestone as ls
from littlestone.bounds import STATEMENTS, THEOREMS

DOCS = Path(ls.__file__).parents[2] / "docs"
pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the documentation is not beside the package")


@pytest.fixture(scope="module")
def guarantees():
    return SimpleNamespace(**runpy.run_path(str(DOCS / "guarantees.py")))


def page(name):
    return (DOCS / "theorems" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", THEOREMS)
def test_a_theorem_is_found_from_everywhere(name):
    paper = THEOREMS[name].__module__.rsplit(".", maxsplit=1)[-1]
    own = page(paper).split(f"\n## `{name}`\n")[1].split("\n## ")[0]
    statement = STATEMENTS[name]
    assert f"$$\n{statement.says}\n$$" in own and statement.assumptions in own and statement.source in own
    assert all(f"${symbol}$, `{argument}`: " in own for argument, (symbol, _) in statement.symbols.items())
    assert f">>> print(ls.bounds.{name}(" in own
    link = f"[`{name}`]({paper}.md#{name})"
    assert page("index").count(link) == 1 and link in page("by-learner")


def test_every_guarantee_of_a_learner_is_listed(guarantees):
    """What its code can return, somebody made it return."""
    for name, found in guarantees.guarantees().items():
        assert guarantees.returned(name) <= {one.bound.name for one in found}, name


def test_learners_that_guarantee_nothing_say_so(guarantees):
    found, silent = guarantees.guarantees(), page("by-learner").split("## Without a theorem")[1]
    without = {name for name, own in found.items() if not own and name not in guarantees.named()}
    assert {name for name in found if f"`littlestone.{name}`" in silent} == without
    assert {"BalancedWinnow", "NaiveBayes"} <= without and "Winnow" not in without
