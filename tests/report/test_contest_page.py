"""The page of a contest: whole, sound HTML, the same bytes for the same seed, nothing from elsewhere."""

import json
import re
from dataclasses import replace

import pytest
from jinja2 import UndefinedError

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.report import contest_page, run_page, run_text
from littlestone.report.contest_page import cells_of
from littlestone.report.figure import line_style
from littlestone.report.page import ROOT, page
from littlestone.theory.contests import contest
from tests.report.reading import Reader, check_alone

pytest.importorskip("matplotlib")

ROWS = ls.teachers.Disjunction(n=30, k=3, trials=400, noise=0.05)
TEMPLATES = sorted(path for room in ("report", "papers") for path in (ROOT / room / "templates").iterdir())


def played(**options):
    learners = {"perceptron": ls.Perceptron(), "winnow": ls.Winnow(), "p<norm>": ls.PNorm(), "e": ls.Elimination()}
    return contest(learners, ROWS, **options)


def timeless(found):
    """The contest with times that do not differ from run to run."""
    entries = tuple(
        replace(entry, runs=tuple(replace(run, seconds=0.001) for run in entry.runs)) for entry in found.entries
    )
    return replace(found, entries=entries)


@pytest.mark.parametrize("options", [{}, {"permutations": 1}, {"permutations": 3, "seed": 7}, {"tuning": 20}])
def test_a_page_is_sound_and_needs_nothing_else(options):
    found = played(**options)
    text = contest_page(found, command="littlestone compare 'a b.svm'", skipped=3)
    read = check_alone(text)
    words = "".join(read.said)
    for entry in found.entries:
        assert entry.name in words
    assert f"{found.best.mistakes:,}" in words
    assert "littlestone compare 'a b.svm'" in words
    assert "<metadata>" not in text


def test_figures_can_be_heard_and_tables_have_heads():
    read = Reader(contest_page(played(permutations=3)))
    figures = [told for tag, told in read.tags if tag == "svg" and told.get("role") == "img"]
    assert len(figures) == 3
    assert all("perceptron" in told["aria-label"] for told in figures)
    assert all(told.get("scope") in {"col", "row"} for tag, told in read.tags if tag == "th")
    assert [tag for tag, _ in read.tags].count("caption") == 2
    assert [tag for tag, _ in read.tags].count("figcaption") == 3


def test_the_same_contest_gives_the_same_bytes():
    one, other = (contest_page(timeless(played(permutations=2, seed=3))) for _ in range(2))
    assert one == other
    assert one != contest_page(timeless(played(permutations=2, seed=4)))


def test_the_mean_of_permutations_comes_first_and_is_what_the_caption_speaks_of():
    text = contest_page(played(permutations=3))
    heads = re.findall(r'<th scope="col"[^>]*>([^<]*)<', text)
    assert heads[:5] == ["learner", "mean", "in their order", "bound", "ratio"]
    assert "the mean of 3 permutations; the smallest mean first" in text


def test_ratios_and_times_are_never_rounded_to_nothing():
    found = timeless(played())
    text = contest_page(found)
    assert "<td>1.0</td>" in text and ">ms</th>" in text  # milliseconds
    entry = next(entry for entry in found.entries if entry.verdict.bound is not None)
    bound = replace(entry.verdict.bound, value=36_575.0)
    run = replace(entry.runs[0], mistakes=93)
    assert cells_of(replace(entry, runs=(run,), verdict=replace(entry.verdict, bound=bound)))["ratio"] == "0.0025"


def test_a_curve_on_logarithmic_axes_is_not_said_to_turn_flat():
    rows = ls.teachers.Disjunction(n=300, k=1, trials=1500)
    text = contest_page(contest({"w": ls.Winnow(), "p": ls.Perceptron()}, rows))
    assert "both axes logarithmic" in text and "A curve that turns flat has learned" not in text
    assert "A curve that turns flat has learned" in contest_page(played())


def test_a_learner_that_left_has_its_reason_in_the_page():
    found = played()
    left = replace(found.entries[-1], runs=(), refused="it <did> not fit")
    text = contest_page(replace(found, entries=(*found.entries[:-1], left)))
    assert "It dropped out: it &lt;did&gt; not fit" in text
    Reader(text)


def test_lines_are_told_apart():
    assert len({line_style(number) for number in range(28)}) == 28


def test_words_are_escaped():
    text = contest_page(replace(played(), stream="a <b> & c"), command="d <e>")
    assert "<title>4 learners on a &lt;b&gt; &amp; c</title>" in text
    assert "<code>d &lt;e&gt;</code>" in text
    assert "p&lt;norm&gt;" in text
    assert not {"b", "e", "norm"} & {tag for tag, _ in Reader(text).tags}


def test_a_template_that_lacks_a_value_is_refused():
    with pytest.raises(UndefinedError, match="'lead' is undefined"):
        page("report/templates/contest.html", title="t", contest=played())


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_end_in_a_line_break_and_name_nothing_elsewhere(path):
    text = path.read_text()
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert not re.search(r"https?:|<script|\|\s*safe", text)


def test_without_matplotlib_the_remedy_is_said(monkeypatch):
    monkeypatch.setattr("littlestone.report.figure.find_spec", lambda name: None)
    with pytest.raises(InvalidParameter, match=r"pip install 'littlestone\[plot\]'"):
        contest_page(played())


RUNS = {
    "a bound with k": (ls.Winnow(), "the first that is not below the mistakes"),
    "a bound": (ls.Winnow.for_disjunctions(n=30, k=3), "if a disjunction of k = 3"),
    "none": (ls.Perceptron(averaged=True), "none is known"),
    "many classes": (ls.MulticlassPerceptron(), ""),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_a_page_text_and_json(name):
    learner, theorem = RUNS[name]
    run = replace(ls.play(learner.copy(), ROWS), seconds=0.25, learner=f"<{learner}>")
    text = run_page(run, command="littlestone train 'a b.svm' <x>")
    read = check_alone(text)
    assert [tag for tag, _ in read.tags].count("figure") == 2
    said = " ".join(read.said)
    for words in (run.learner, f"{run.mistakes:,} mistakes in 400 trials", "littlestone train 'a b.svm' <x>", theorem):
        assert words in said
    assert text == run_page(run, command="littlestone train 'a b.svm' <x>")
    lines = run_text(run).splitlines()
    assert lines[0].startswith(f"{run.learner} made {run.mistakes} mistakes in 400 trials")
    assert theorem in lines[2] and "<=" not in lines[2]
    assert ("mistakes ≤ " in said) == (run.guarantee is not None) and "<=" not in said
    assert repr(ROWS) in said and "250.0, of learning alone" in said
    told = json.loads(json.dumps(run.as_dict(), allow_nan=False))
    assert (told["mistakes"], told["updates"], told["error"]) == (run.mistakes, run.updates, run.mistakes / 400)
    assert (told["theorem"] is None) == (run.guarantee is None)


def test_a_run_without_trials_has_a_page():
    run = ls.play(ls.Perceptron(), ROWS, trials=0)
    assert "<figure>" not in run_page(run)
    assert run_text(run).startswith("Perceptron() made 0 mistakes in 0 trials.")
    assert run.as_dict()["error"] is None
    with pytest.raises(InvalidParameter, match="expected a Run, as play returns it, got Contest"):
        run_page(played())
