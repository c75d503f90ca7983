"""A remedy is said in the words of whoever asks: keywords in Python, options on the command line."""

import gc
import pickle
import re
import subprocess
import sys
import warnings

import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import main
from littlestone.core.errors import InvalidData, InvalidLabel, LittlestoneError, TooLarge
from littlestone.core.messages import Blank, Message, Remedy

WORDS = "labels label unlabelled zero_based names targets text quote categorical ignore format to between hindsight"
KEYWORD = re.compile(rf"\b({WORDS.replace(' ', '|')}|trials|memory|tuning|method|n)=(?![0-9])")
LABELS = "labels=(negative, positive)", "--labels NEG,POS"

# The file, its text, what is typed behind it, and the remedy in Python and on the command line ("": none)
FILES = [
    ("a.svm", "3 1:1\n3 2:1\n", (), f"give {LABELS[0]}", f"give {LABELS[1]}"),
    ("a.svm", "1:1 2:1\n", (), "for rows without labels give unlabelled=True", ""),
    ("a.svm", "1 0:1 2:1\n", ("--one-based",), "a file that counts from 0 give zero_based=True", "give --zero-based"),
    ("a.vw", "|a b\n", (), "is a tag), or give unlabelled=True", "put a blank between it and the bar"),
    ("a.vw", "1 | 3\n0 | x\n", (), "give names=True, and all numbers", "give --names, and all numbers are names"),
    ("a.csv", "a,label\n1,x\n2,x\n", (), f"say {LABELS[0]}", f"say {LABELS[1]}"),
    ("a.csv", "a,b\n1,x\n2,y\n", ("--label", "c"), "say label=COLUMN, or unlabelled=True", "say --label COLUMN"),
    ("a.csv", "a,label\n1,x\n2,\n", (), "say unlabelled=True to predict, or leave the row out", "leave the row out"),
    ("a.csv", "a,label\n1,x\n2,y\n", ("--ngrams", "2"), "say text=COLUMN", "say --text COLUMN"),
    ("a.jsonl", '{"a": 1, "label": 0}\n{"a": 1}\n', (), "say label=KEY, or unlabelled=True", "say --label COLUMN"),
    ("a.snow", "7, 9:\n", ("--targets", "0,1"), "say targets=", "say --targets IDS"),
    ("a.dat", "\x02\x01\n", (), "say format=, one of svmlight", "say --format, one of svmlight"),
]  # fmt: skip


def options(typed):
    """The Python options of what is typed."""
    given = {"--one-based": {"zero_based": False}, "--label": {"label": "c"}, "--ngrams": {"ngrams": 2},
             "--targets": {"targets": (0, 1)}}  # fmt: skip
    return given[typed[0]] if typed else {}


def said(*arguments):
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code in {1, 2} and "Traceback" not in done.output, done.output
    assert not KEYWORD.search(done.output), done.output
    return done.output


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    with warnings.catch_warnings():  # a file that was left in the middle is closed when its reader is collected
        warnings.simplefilter("ignore")
        gc.collect()


@pytest.mark.parametrize(("name", "text", "typed", "python", "spoken"), FILES)
def test_of_a_file(folder, name, text, typed, python, spoken):
    (folder / name).write_text(text)
    with pytest.raises(LittlestoneError) as found:
        ls.play(ls.Perceptron(), ls.open(name, **options(typed)))
    assert python in str(found.value)
    assert spoken in said("train", name, "-l", "perceptron", *typed, "-q", "-m", "m.npz")


def test_of_lines_that_were_skipped(folder):
    (folder / "a.svm").write_text("1 1:1\n0 2:1\n1 0:1\n")
    given = ["train", "a.svm", "-l", "perceptron", "--one-based", "--on-error", "skip", "-m", "m.npz"]
    done = CliRunner().invoke(main, given)
    assert done.exit_code == 0 and "give --zero-based" in done.output and not KEYWORD.search(done.output)
    assert ls.open("a.svm", zero_based=False, on_error="skip").n_attributes == 2


def test_of_learners_that_left_a_contest(folder, monkeypatch):
    """Each has its own words, and where all have left, the message has them all."""
    (folder / "a.svm").write_text("1 1:1\n0 2:1\n")
    monkeypatch.setattr("littlestone.machines.moments.MOST_COORDINATES", 1)
    advice = "-l NAME:covariance=diagonal"
    both = ["perceptron", "arow:covariance=full"]
    done = CliRunner().invoke(main, ["compare", "a.svm", "-l", ",".join(both), "--json"])
    assert done.exit_code == 0 and advice in done.output and "covariance='diagonal'" not in done.output
    assert said("compare", "a.svm", "-l", both[1]).count(advice) == 1
    with pytest.raises(TooLarge, match="set covariance='diagonal'"):
        ls.play(ls.AROW(covariance="full"), ls.open("a.svm"))
    spoken = said("train", "a.svm", "-l", "arow", "--set", "covariance=full", "-q", "-m", "m.npz")
    assert "give --set covariance=diagonal" in spoken


def test_of_a_pipe():
    given = [sys.executable, "-m", "littlestone", "compare", "-", "-l", "winnow,thresholded-beg"]
    done = subprocess.run(given, input="1 1:1\n0 2:1\n", capture_output=True, check=False, text=True)
    assert done.returncode == 1 and done.stderr.count("say --attributes N, or set the parameters") == 2
    assert not KEYWORD.search(done.stderr)
    with pytest.raises(
        LittlestoneError, match=r"call begin\(n=...\), learn from an array first, or set the parameters"
    ):
        ls.Winnow().learn_one({"a": 1}, 1)


def test_of_what_does_not_fit(folder, monkeypatch):
    (folder / "a.svm").write_text("1 1:1 2:1\n0 2:1\n" * 8)
    monkeypatch.setattr("littlestone.theory.hindsight.disjunction.LARGEST_PROGRAM", 0)
    monkeypatch.setattr("littlestone.theory.hindsight.disjunction.LARGEST_TABLE", 0)
    spoken = said("compare", "a.svm", "-l", "winnow", "--hindsight", "exact")
    assert "say --hindsight greedy" in spoken


def test_of_a_format_that_cannot_be_written(folder):
    (folder / "a.svm").write_text("1 1:1\n0 2:1\n")
    assert "say --to" in said("convert", "a.svm", "b.xyz")


def test_pruning_asks_for_what_can_be_typed(folder):
    ls.save(ls.Winnow(), "m.npz")
    assert "expected --below or --seen" in said("prune", "m.npz", "-m", "p.npz")
    del folder


def test_a_message_keeps_its_remedies():
    one = Message("a", Remedy("say {labels}", labels=Blank("(0, 1)")), "go")
    assert one == "a; say labels=(0, 1), or go" and str(InvalidLabel(one)) == one
    assert one.after("b: ").then(Message("c")) == "b: a; say labels=(0, 1), or go; c"
    typed = one.after("b: ").then(Message("c", "d")).worded(lambda remedy: None if remedy.options else remedy.words)
    assert typed == "b: a; go; c; d"
    assert Message(one, "stop") == "a; say labels=(0, 1), or go, or stop"


def test_an_error_without_remedies_is_what_it_says():
    assert str(InvalidData("a {b}")) == "a {b}" and InvalidData("a {b}").message == "a {b}"
    assert str(InvalidData()) == "" and str(InvalidData("a", "{b}")) == "a; {b}"


def test_errors_travel():
    error = InvalidLabel("a", Remedy("say {labels}", labels=Blank("(0, 1)")))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is InvalidLabel and str(again) == str(error) == "a; say labels=(0, 1)"
    assert again.message.worded(lambda remedy: None) == "a"
