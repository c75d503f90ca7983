"""littlestone reproduce: verdicts, what is kept, the page, and what is refused."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import PurePosixPath

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from littlestone.cli import main
from littlestone.core.errors import InvalidParameter
from littlestone.papers import Figure, Line, Outcome, Paper, Table, claim, register, reproduce, selected
from littlestone.papers.checklist import CHECKLIST
from littlestone.papers.comparisons import (  # fmt: skip
    above,
    at_least,
    at_most,
    below,
    close,
    equal,
    every,
    less,
    mean_is,
    mean_within,
)
from littlestone.papers.drawing import drawn
from littlestone.papers.markdown import markdown_page, markdown_pages
from littlestone.papers.pages import agreement, web_page
from littlestone.papers.runner import Progress, checked
from littlestone.papers.store import Store
from tests.report.test_contest_page import Reader

pytest.importorskip("matplotlib")
pytest.importorskip("joblib")

CALLS = []  # of the toy checks, in this process


def _cut(runs, **_):
    return [{"first": first} for first in range(0, runs, 2)]


def _drawn(seed, first):
    CALLS.append(first)
    return np.random.default_rng([seed, first]).normal(10.0, 1.0, size=2).tolist()


@claim("mean", "A mean", "Section 1", quick={"runs": 40}, full={"runs": 80}, pieces=_cut, part=_drawn, rows=["B1"])
def toy_mean(done, seed, runs):
    """The mean is ten."""
    del seed
    numbers = np.concatenate(done)
    assert len(numbers) == runs
    line = Line("x < y & z", [1, 2], [3.0, 4.0], [2.0, 3.0], [4.0, 5.0])
    return Outcome(
        f"mean {numbers.mean():.6f}", [mean_is("mean", numbers, 10.0)],
        tables=[Table("t", ["a", "b"], [["x|y", 1]])], figures=[Figure("f", "c", "x", "y", [line], "log", "log")],
    )  # fmt: skip


@claim("sum", "A sum", "Section 2", quick={"n": 4}, rows=["A1"])
def toy_sum(seed, n):
    """The sum of 1, ..., n is n^2/2."""
    del seed
    CALLS.append("sum")
    total = n * (n + 1) // 2
    return Outcome(
        f"{total} and not {n * n // 2}",
        [equal("the sum", total, Fraction(n * n, 2))],
        [equal("the sum", total, Fraction(n * (n + 1), 2))], "It is n(n + 1)/2.", "n = 1: 1 is not 1/2.",
    )  # fmt: skip


TOYS = Paper("toys", "Toys & games", "Nobody, Nowhere", [toy_mean, toy_sum])


@pytest.fixture
def toys(monkeypatch):
    monkeypatch.setitem(register.PAPERS, "toys", "tests.toys_of_reproduce")
    monkeypatch.setattr(register, "load", lambda key: TOYS if key == "toys" else _refuse(key))
    CALLS.clear()
    return TOYS


def _refuse(key):
    raise InvalidParameter(f"no paper {key!r}")


TRUE, FALSE, CHANCE = equal("a", 1, 1), equal("a", 1, 2), mean_is("m", [1.0, 2.0, 3.0], 2.0)
CORRECTED = {"corrected": [TRUE], "erratum": "it is", "counterexample": "at 1"}


@pytest.mark.parametrize(("verdict", "parts"), [
    ("confirmed exactly", {"claimed": [TRUE, TRUE]}),
    ("confirmed statistically", {"claimed": [TRUE, CHANCE]}),
    ("not confirmed", {"claimed": [TRUE, FALSE]}),
    ("corrected", {"claimed": [FALSE, CHANCE], **CORRECTED}),
    ("confirmed exactly", {"claimed": [TRUE], **CORRECTED}),
    ("not confirmed", {"claimed": [FALSE], **CORRECTED, "corrected": [TRUE, FALSE]}),
    ("not confirmed", {"claimed": [TRUE], **CORRECTED, "corrected": [FALSE]}),
    ("not confirmed", {"claimed": [FALSE], **CORRECTED, "corrected": []}),
    ("not confirmed", {"claimed": [FALSE], **CORRECTED, "counterexample": ""}),
    ("not confirmed", {"claimed": [FALSE], **CORRECTED, "erratum": ""}),
    ("not checkable", {"evidence": "nobody knows"}),
])  # fmt: skip
def test_a_verdict_follows_from_the_comparisons(verdict, parts):
    outcome = Outcome("found", **parts)
    assert outcome.verdict == verdict
    written = json.loads(json.dumps(outcome.as_dict()))
    assert written.pop("verdict") == verdict
    assert Outcome.from_dict(written).as_dict() == outcome.as_dict()


@pytest.mark.parametrize(("found", "holds"), [
    (at_most("a", 3, 3), True), (at_most("a", Fraction(7, 2), 3), False), (at_least("a", 3, 3), True),
    (at_least("a", 2, 3), False), (below("a", 3, 3), False), (below("a", 2, 3), True), (above("a", 3, 3), False),
    (above("a", 4, 3), True), (equal("a", (1, Fraction(1, 2)), [1, "1/2"]), True), (equal("a", np.int64(4), 4), True),
    (close("a", 1.0, 1.0 + 1e-12), True), (close("a", 1.0, 1.1), False), (every("a", []), False),
    (every("a", np.array([1, 1]) == 1), True), (every("a", [1, 0]), False), (equal("a", [], [1]), False),
    (mean_within("a", [1.0, 2.0], 1.4, 1.6), False), (mean_within("a", [1.0, 1.1], 0.0, 2.0), True),
    (less("a", [1, 2, 1], [10, 11, 10]), True), (less("a", [1, 9, 1], [2, 2, 2]), False),
    (mean_is("a", [1.0, 1.1], 3.0), False), (mean_is("a", [1.0, 1.1], 3.0, error=1.0), True),
])  # fmt: skip
def test_what_agrees(found, holds):
    assert found.holds is holds
    json.dumps(found.measured), json.dumps(found.expected)


@pytest.mark.parametrize(("found", "undecided"), [
    (less("a", [1, 9, 1], [2, 2, 2]), True), (less("a", [9, 9, 8], [2, 2, 2]), False),
    (less("a", [2, 2], [2, 2]), False), (mean_within("a", [1.0, 2.0], 1.4, 1.6), True),
    (mean_within("a", [1.0, 1.1], 8, 9), False), (mean_is("a", [1.0, 1.1], 3.0), False),
])  # fmt: skip
def test_what_chance_can_explain_refutes_nothing(found, undecided):
    assert not found.holds and found.undecided is undecided
    outcome = Outcome("found", [found], **CORRECTED)
    assert outcome.verdict == ("not confirmed" if undecided else "corrected")
    assert agreement(found)[-1] == ("undecided" if undecided else "NO")


def test_numbers_that_differ_look_different():
    assert agreement(below("a", 308.0, 308.000001))[1:3] == ("308", "< 308.000001")
    assert agreement(equal("a", 10**15 + 1, 10**15))[1:3] == ("1,000,000,000,000,001", "= 1,000,000,000,000,000")
    assert agreement(close("a", 1 / 3, 1 / 3))[1:3] == ("0.3333", "= within 1e-09 0.3333")
    assert agreement(close("a", 1 / 3, 0.333333, 1e-5))[1:3] == ("0.3333333", "= within 1e-05 0.333333")
    assert agreement(equal("a", "x", "y"))[1:] == ("x", "= y", "NO")


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("made", [
    lambda: mean_is("rows", [3.0], 9.0), lambda: mean_is("rows", [], 9.0), lambda: mean_is("rows", [1, NAN], 1.0),
    lambda: mean_is("rows", [[1, 2], [1, 2]], 1.5), lambda: mean_is("rows", [1, 2], 9, error=INF),
    lambda: mean_is("rows", [1, 2], 9, error=NAN), lambda: mean_is("rows", [1, 2], NAN),
    lambda: mean_within("rows", [1.0], 0, 2), lambda: mean_within("rows", [1, 2], -INF, INF),
    lambda: mean_within("rows", [1, 2], 3, 0), lambda: less("rows", [1], [2]), lambda: less("rows", [1, 2], [5]),
    lambda: less("rows", [1, 2], [5, 5, 5]), lambda: equal("rows", [], ()), lambda: equal("rows", [NAN], [NAN]),
    lambda: equal("rows", {1}, {1}), lambda: close("rows", NAN, 1.0), lambda: close("rows", 1.0, 5.0, INF),
    lambda: close("rows", 1.0, 1.0, NAN), lambda: close("rows", INF, INF), lambda: at_most("rows", 3, INF),
    lambda: at_most("rows", [1, 9], [2, 0]), lambda: below("rows", "10", "9"), lambda: at_least("rows", NAN, 0.0),
    lambda: above("rows", 3, -INF), lambda: every("rows", {"a": False}), lambda: every("rows", ["no"]),
    lambda: every("rows", [1, 2]), lambda: every("rows", [0.5]),
])  # fmt: skip
def test_a_comparison_that_could_not_fail_is_refused(made):
    with pytest.raises(InvalidParameter, match=r"comparison 'rows': expected"):
        made()


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=30), st.floats(-5, 5))
def test_a_mean_agrees_with_itself_and_its_interval_is_the_one_that_decides(numbers, apart):
    found = mean_is("m", numbers, float(np.mean(numbers)))
    assert found.holds and not found.exact
    other = mean_is("m", numbers, float(np.mean(numbers)) + apart)
    assert other.holds == (other.low <= other.expected <= other.high)


@pytest.mark.usefixtures("toys")
def test_the_page_is_sound_and_says_everything(tmp_path):
    found = reproduce("toys", out=tmp_path, command="littlestone reproduce toys")
    assert [str(one.verdict) for one in found] == ["confirmed statistically", "corrected"]
    text = (tmp_path / "index.html").read_text()
    read = Reader(text)
    assert len(set(read.ids)) == len(read.ids)
    assert set(read.refs) <= set(read.ids)
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in read.tags}
    assert not re.search(r"https?://(?!www\.w3\.org)", text)
    words, plain = "".join(read.said), (tmp_path / "index.md").read_text()
    listed = json.loads((tmp_path / "results.json").read_text())
    for one in listed:
        assert one["verdict"] in words and one["verdict"] in plain
        assert one["command"] in words and one["command"] in plain
        assert one["claim"] in words and one["measured"] in words
        assert one["versions"]["numpy"] and one["seconds"] >= 0 and one["seed"] == 0
    assert listed[1]["counterexample"] in words and listed[1]["erratum"] in words
    assert "x\\|y" in plain


def sections(folder):
    """The parts of both pages by their titles, in order."""
    web = re.split(r"<h2>(.*?)</h2>", (folder / "index.html").read_text())
    markdown = re.split(r"^## (.*)$", (folder / "index.md").read_text(), flags=re.MULTILINE)
    return [dict(zip(parts[1::2], parts[2::2], strict=True)) for parts in (web, markdown)]


def test_the_summary_the_errata_and_the_checklist_come_first(tmp_path, toys):
    reproduce("toys", out=tmp_path)
    for found in sections(tmp_path):
        assert list(found)[:4] == ["Summary", "Errata", "Checklist", "What the verdicts mean"]
        errata, rows = found["Errata"], found["Checklist"]
        for words in ("A sum", "Section 2", "The sum of 1, ..., n is n^2/2.", "It is n(n + 1)/2.", "1 is not 1/2"):
            assert words in errata
        assert "A mean" not in errata and "#toys-sum" in errata
        assert CHECKLIST["A1"] in rows and CHECKLIST["B1"] in rows and "#toys-mean" in rows
        assert CHECKLIST["C1"] not in rows  # of papers that are not here
    reproduce("toys", "mean", out=tmp_path)
    for found in sections(tmp_path):
        assert "Errata" not in found
        assert CHECKLIST["B1"] in found["Checklist"] and CHECKLIST["A1"] not in found["Checklist"]
    del toys


def test_a_page_of_everything_has_all_rows_also_those_that_nothing_checks(tmp_path, toys, monkeypatch):
    monkeypatch.setattr("littlestone.papers.checklist.PAPERS", {"toys": ""})
    reproduce("toys", out=tmp_path)
    for found in sections(tmp_path):
        rows = found["Checklist"]
        assert rows.count("no result checks it") == len(CHECKLIST) - 2
        told = unescape(rows).replace("\N{LESS-THAN OR EQUAL TO}", "<=").replace("\N{GREATER-THAN OR EQUAL TO}", ">=")
        assert all(fact in told or fact.replace("|", "\\|") in rows for fact in CHECKLIST.values())
    reproduce("toys", "mean", out=tmp_path)
    assert "no result checks it" not in sections(tmp_path)[0]["Checklist"]
    del toys


def test_what_rounding_does_on_a_machine_is_not_printed():
    for near in (1 / 3 + 1e-16, 1 / 3 + 1e-10):
        assert agreement(close("a", near, 1 / 3))[1:3] == ("0.3333", "= within 1e-09 0.3333")
    assert agreement(close("a", 1 / 3 + 1e-10, 1 / 3, 1e-12))[1] == "0.3333333334"  # it fails: one sees why


def test_small_pages_say_what_the_one_page_says(tmp_path, toys):
    found = reproduce("toys", out=tmp_path)
    pages = markdown_pages(found, "again")
    papers = {"toys/index.md", "toys/mean.md", "toys/sum.md"}
    assert set(pages) == {"index.md", "errata.md", "checklist.md", *papers}
    whole = set(markdown_page(found, "again").splitlines())
    links = r"\]\([^)]*\)"
    said = {re.sub(links, "]()", line) for text in pages.values() for line in text.splitlines()}
    heads = {line for line in whole if line.startswith(("#", "<a id", "| [", "| result | where"))}
    assert {re.sub(links, "]()", line) for line in whole - heads} <= said
    for path, text in pages.items():
        for link in re.findall(r"\]\(([^)]*)\)", text):
            assert (PurePosixPath(path).parent / link).as_posix() in pages or link == "../index.md"
    assert pages["toys/sum.md"].startswith("# A sum\n") and "1 is not 1/2" in pages["errata.md"]
    del toys


def test_points_are_marks_without_a_line():
    points, line = (Line("p & q", [3, 1, 2], [1.0, 5.0, 2.0], kind=kind) for kind in ("points", "measured"))
    scatter, joined = (drawn(Figure("f", "c", "x", "y", [one]), "a").shapes for one in (points, line))
    paths = [len(re.findall(r'stroke: #0072b2;[^"]*stroke-width', text)) for text in (scatter, joined)]
    assert paths == [0, 2]  # in the figure and in the legend
    assert "p & q: 3 points, y from 1 to 5" in drawn(Figure("f", "c", "x", "y", [points]), "a").says
    assert scatter.count("<use ") == joined.count("<use ")  # a mark each


@pytest.mark.parametrize(("x", "xscale", "numbers"), [
    ([0.1, 0.15, 0.2, 0.25, 0.3, np.pi / 4, np.pi / 2], "log", ["0.1", "0.15", "0.25", "0.7854", "1.571"]),
    ([1, 10**7], "log", ["1", "10⁷"]), ([0, 15], "linear", ["0", "2", "4", "6", "8", "10", "12", "14"]),
    ([1e-9, 2e-5, 1e-2], "log", ["10⁻⁹", "2·10⁻⁵", "0.01"]), ([1000, 2048], "log", ["1,000", "2,048"]),
])  # fmt: skip
def test_the_numbers_of_an_axis_are_few_and_short(x, xscale, numbers):
    found = drawn(Figure("f, k = 2", "c", "x", "y", [Line("a", x, [1.0] * len(x))], xscale), "a").shapes
    at = found.index('id="a-matplotlib.axis_2"')
    assert re.findall(r"<text [^>]*>([^<]+)</text>", found[found.index('id="a-matplotlib.axis_1"') : at]) == [
        *numbers,
        "x",
    ]


@pytest.mark.parametrize(("parts", "words"), [
    ({"kind": "dots"}, "expected a kind of measured, theory, points, got 'dots'"),
    ({"y": [1, 2, 3]}, r"got \[2, 3\]"), ({"low": [1, 2]}, "low and high"), ({"low": [1], "high": [1]}, "got"),
])  # fmt: skip
def test_a_line_that_cannot_be_drawn_is_refused(parts, words):
    with pytest.raises(InvalidParameter, match=words):
        Line(**{"label": "a", "x": [1, 2], "y": [1, 2], **parts})


@pytest.mark.usefixtures("toys")
def test_what_is_finished_is_not_computed_again(tmp_path):
    reproduce("toys", out=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert len(CALLS) == 21
    reproduce("toys", out=tmp_path)
    assert len(CALLS) == 21
    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    reproduce("toys", "mean", out=tmp_path, full=True)  # the first half of its pieces are those of the quick run
    assert len(CALLS) == 41
    reproduce("toys", "mean", out=tmp_path, seed=1)
    assert len(CALLS) == 61


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing", "sequential"])
@pytest.mark.usefixtures("toys")
def test_numbers_do_not_depend_on_the_workers(tmp_path, backend):
    from joblib import parallel_config

    chosen = [(TOYS, toy_mean), (TOYS, toy_sum)]
    alone = checked(chosen, Store(tmp_path / "1"))
    with parallel_config(backend=backend):
        several = checked(chosen, Store(tmp_path / "2"), workers=2)
    assert [one.outcome for one in alone] == [one.outcome for one in several]


def test_what_code_and_parameters_make_of_a_name(tmp_path, monkeypatch):
    store = Store(tmp_path)
    names = {store.path(TOYS, toy_sum, unit, seed) for unit in ({"n": 4}, {"n": 5}) for seed in (0, 1)}
    assert len(names) == 4
    monkeypatch.setattr("littlestone.papers.store._code", lambda files: "other code")
    assert store.path(TOYS, toy_sum, {"n": 4}, 0) not in names
    monkeypatch.undo()
    monkeypatch.setattr("littlestone.papers.store.versions", lambda: {"numpy": "0"})
    assert store.path(TOYS, toy_sum, {"n": 4}, 0) not in names


@pytest.mark.parametrize(("arguments", "words"), [
    (["kivinen-warmut"], "did you mean kivinen_warmuth"), (["nobody"], "known are: kivinen_warmuth"),
    (["kivinen_warmuth", "theorem-14"], "did you mean theorem-13"), (["kivinen_warmuth", "x"], "winnow-not-additive"),
    (["--workers", "0"], "x>=1"), (["--seed", "-1"], "x>=0"),
])  # fmt: skip
def test_unknown_names_list_the_known_ones(arguments, words, tmp_path):
    done = CliRunner().invoke(main, ["reproduce", *arguments, "--out", str(tmp_path)])
    assert done.exit_code == 2
    assert words in done.stderr.replace("\n", " ")
    assert not list(tmp_path.iterdir())


def test_what_can_be_asked_for_is_listed():
    done = CliRunner().invoke(main, ["reproduce", "--list"])
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert [line.split(":")[0] for line in lines if not line.startswith(" ")] == list(register.PAPERS)
    assert [line.split()[0] for line in lines if line.startswith(" ")] == [result.key for _, result in selected()]
    done = CliRunner().invoke(main, ["reproduce", "kivinen-warmuth", "theorem-13", "--list"])
    assert (
        done.stdout == "kivinen_warmuth: The Perceptron algorithm vs. Winnow\n  theorem-13  Theorem 13: a zero start\n"
    )
    assert CliRunner().invoke(main, ["reproduce", "nobody", "--list"]).exit_code == 2


def test_where_there_is_no_terminal_a_line_comes_now_and_then(monkeypatch, capsys):
    from littlestone.cli import reproduce as bars

    clock = iter([0.0, 10.0, 31.0, 31.0, 40.0, 62.0, 62.0, 70.0])
    monkeypatch.setattr(bars, "monotonic", lambda: next(clock))
    with bars.Bar(quiet=False) as bar:
        for done in (1, 2, 3, 4):
            bar.move(Progress(done, 4, 1, ["mean", "sum"][done:], failed=done // 4))
    assert capsys.readouterr().err == "2/4 (1 kept) writing the page\n4/4 (1 kept, 1 failed) writing the page\n"
    with bars.Bar(quiet=True) as bar:
        bar.move(Progress(1, 4, 0, []))
    assert not capsys.readouterr().err


def test_the_command(tmp_path):
    done = CliRunner().invoke(main, ["reproduce", "kivinen-warmuth", "winnow-not-additive", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "corrected" in done.stdout and "1 result" in done.stdout
    assert [one["verdict"] for one in json.loads((tmp_path / "results.json").read_text())] == ["corrected"]
    (tmp_path / "file").write_text("")
    done = CliRunner().invoke(main, ["reproduce", "kivinen-warmuth", "--out", str(tmp_path / "file")])
    assert done.exit_code == 1


def test_claims_are_said_and_rows_are_known():
    chosen = selected()
    assert len({(paper.key, result.key) for paper, result in chosen}) == len(chosen)
    for _, result in chosen:
        assert set(result.rows) <= set(CHECKLIST)
        assert result.claim and result.place and result.title
        json.dumps([result.units(full=True), result.units(full=False)])
    with pytest.raises(InvalidParameter, match="the paper of the result"):
        selected(None, "theorem-13")
    with pytest.raises(InvalidParameter, match="expected a docstring"):
        claim("a", "A", "1")(lambda seed: Outcome(""))
    with pytest.raises(InvalidParameter, match="both pieces and part"):
        claim("a", "A", "1", pieces=_cut)
    with pytest.raises(InvalidParameter, match="mean twice"):
        Paper("a", "A", "", [toy_mean, toy_mean])


def test_every_row_of_the_checklist_is_met():
    if len(register.PAPERS) < 5:
        pytest.skip("not all papers are here yet")
    assert {row for _, result in selected() for row in result.rows} == set(CHECKLIST)


@pytest.mark.usefixtures("toys")
def test_without_joblib_the_remedy_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr("littlestone.papers.work.find_spec", lambda name: None)
    with pytest.raises(InvalidParameter, match=r"pip install 'littlestone\[papers\]'"):
        reproduce("toys", out=tmp_path)


def test_what_is_equal_within_a_tolerance_is_rounded_and_signs_are_those_of_print(tmp_path, toys):
    one = checked(selected("toys", "mean"), Store(tmp_path), workers=1)[0]
    outcome = Outcome("2 <= 3", [close("the bound", 4.500000000000001, 4.5), at_most("a", 2, 3)])
    text = web_page([replace(one, outcome=outcome)])
    assert (
        '<td class="word">4.5</td><td class="word">= within 1e-09 4.5</td>' in text and "4.50000000000000" not in text
    )
    assert "2 \N{LESS-THAN OR EQUAL TO} 3" in text and "&lt;=" not in text
    del toys
