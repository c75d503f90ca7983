"""littlestone bound: theorems on the command line."""

import json

import pytest

from littlestone import bounds
from tests.cli.test_cli import call


def test_all_theorems_are_listed():
    done = call("bound")
    assert done.exit_code == 0
    every = json.loads(call("bound", "--json").stdout)["theorems"]
    assert [theorem["name"] for theorem in every] == list(bounds.THEOREMS)
    assert all(name in done.output for name in bounds.THEOREMS)
    assert {"required", "optional", "theorem", "kind", "of", "assumptions", "source"} <= set(every[0])


def test_a_theorem_with_its_numbers():
    done = call("bound", "winnow-disjunction", "n=200", "k=20", "alpha=3/2", "theta=10")
    assert done.exit_code == 0
    for words in ("mistakes <= 359", "upper", "Kivinen-Warmuth, Winnow", "alpha=3/2", "x in {0,1}^n", "COLT 1995"):
        assert words in done.output
    report = json.loads(call("bound", "winnow_disjunction", "n=200", "k=20", "alpha=3/2", "theta=10", "--json").stdout)
    assert (report["value"], report["kind"], report["arguments"]["alpha"]) == (359, "upper", "3/2")
    assert report["why"] is None


def test_fractions_become_floats_where_a_theorem_has_floats():
    report = json.loads(call("bound", "thresholded-beg", "n=1e2", "k=1", "alpha=3/2", "--json").stdout)
    assert report["arguments"]["alpha"] == 1.5
    assert report["arguments"]["n"] == 100
    assert report["value"] == bounds.thresholded_beg(n=100, k=1, alpha=1.5).value


def test_a_bound_that_does_not_apply_is_not_printed_as_a_number():
    arguments = ("bound", "normalized-winnow-margin", "n=2", "gamma=0.1", "eta=1")
    report = json.loads(call(*arguments, "--json").stdout)
    assert report["value"] is None and "nothing finite" in report["why"]
    assert "nothing finite" in call(*arguments).output


def test_inverse_questions():
    arguments = ("bound", "winnow-disjunction", "n=1000", "k=?", "--target", "100")
    assert call(*arguments).output.startswith("k <= 3 (mistakes <= 91, Kivinen-Warmuth, Winnow, derived)")
    report = json.loads(call(*arguments, "--json").stdout)
    assert (report["parameter"], report["value"], report["side"], report["target"]) == ("k", 3, "at most", 100)
    assert report["bound"]["value"] == 91
    never = ("bound", "vc-lower", "n=8", "k=?", "--target", "100")
    assert call(*never).output.startswith("no k will do")
    assert json.loads(call(*never, "--json").stdout)["value"] is None


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["winow-disjunction", "n=3"], 2, "did you mean winnow_disjunction"),
        (["qqqq"], 2, "expected the name of a theorem"),
        (["elimination", "n"], 2, "name=number"),
        (["elimination", "n=many", "k=1"], 2, "expected a number for n"),
        (["elimination", "n=1/0", "k=1"], 2, "expected a number for n"),
        (["elimination", "n=5", "n=6", "k=1"], 2, "each number once"),
        (["elimination", "n=?", "k=?", "--target", "3"], 2, "one number asked for"),
        (["elimination", "n=?", "k=1"], 2, "go together"),
        (["elimination", "n=5", "k=1", "--target", "3"], 2, "go together"),
        (["elimination", "n=5"], 2, "missing a required argument: 'k'"),
        (["elimination", "n=5", "k=1", "gamma=2"], 2, "it takes n, k"),
        (["elimination", "n=5", "k=6"], 2, "0 <= k <= n"),
        (["elimination", "n=nan", "k=6"], 2, "finite number for n"),
        (["elimination", "n=2.5", "k=1"], 2, "whole number for n"),
        (["elimination", "n=5", "k=?", "--target", "nan"], 2, "finite number as target"),
        (["elimination", "n=5", "gamma=?", "--target", "3"], 2, "unknown among n, k"),
    ],
)
def test_wrong_calls(arguments, code, words):
    for more in ([], ["--json"]):
        done = call("bound", *arguments, *more)
        assert done.exit_code == code
        assert words in " ".join(done.stderr.split())
        assert done.stdout == ""
