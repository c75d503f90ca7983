"""What is said when something is wrong: where, what was expected, what came, and a remedy that works."""

import re
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import main
from littlestone.core.errors import InvalidLabel, InvalidParameter
from littlestone.core.messages import install

THREE = "1 1:1\n2 2:1\n3 3:1 1:1\n1 1:1 2:1\n2 2:1 3:1\n3 3:1\n"


@pytest.fixture(autouse=True)
def three(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "three.svm").write_text(THREE)


def said(*arguments, code):
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == code and "Traceback" not in done.output, done.output
    return done.output


@pytest.mark.parametrize("learner", ["auto", "winner-takes-all", "multiclass-perceptron"])
def test_the_learners_that_are_named_for_many_classes_take_them(learner):
    advice = said("train", "three.svm", "-l", "naive-bayes", "-q", code=1)
    assert learner in advice.split("-l ")[1]
    said("train", "three.svm", "-l", learner, "-q", code=0)


def test_advice_in_python_is_taken_as_it_is_written():
    with pytest.raises(InvalidLabel, match=r"take Auto\(\), WinnerTakesAll\(\) or MulticlassPerceptron\(\)"):
        ls.NaiveBayes().learn([[1], [1], [0]], [1, 2, 3])


def test_data_of_an_explanation_are_not_ignored():
    said("train", "three.svm", "-l", "winner-takes-all", "-m", "m.npz", "-q", code=0)
    assert "updates are counted for learners of two labels" in said("explain", "m.npz", "--data", "three.svm", code=2)


def test_pruning_says_that_it_is_not_for_many_classes():
    said("train", "three.svm", "-l", "winner-takes-all", "-m", "m.npz", "-q", code=0)
    assert "for many classes there is no pruning" in said("prune", "m.npz", "-m", "p.npz", "--below", "0.2", code=2)


def test_a_file_that_is_missing_is_called_so():
    for command, code in (("compare", 2), ("train", 1)):
        assert "nosuch.csv: expected a file" in said(command, "nosuch.csv", code=code)
        assert "is not there" in said(command, "nosuch.csv", code=code)
    assert "did you mean disjunction?" in said("train", "disjuction", code=1)


@pytest.mark.parametrize(
    ("setting", "words"),
    [("foo=1", "auto: expected no parameters, got 'foo=1'"), ("alpah=2", "did you mean alpha?")],
)
def test_settings_that_nobody_knows(setting, words):
    assert words in said("train", "three.svm", "-l", "auto" if "foo" in setting else "winnow", "--set", setting, code=2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ls.Winnow(alpah=2), "Winnow: no parameter 'alpah'; did you mean alpha? it takes alpha,"),
        (lambda: ls.Auto(foo=1), "Auto: no parameter 'foo'; it takes none"),
        (lambda: ls.AROW(R=2.0), "AROW: no parameter 'R'; it takes r,"),
        (lambda: ls.KernelPerceptron(bugdet=3), "did you mean budget?"),
        (lambda: ls.Perceptron(averagd=True), "did you mean averaged?"),
    ],
)
def test_parameters_that_nobody_knows(call, words):
    with pytest.raises(InvalidParameter) as caught:
        call()
    assert words in str(caught.value)


def test_a_facade_that_is_shown_warns_of_nothing():
    from littlestone.sklearn import AutoClassifier, PerceptronClassifier, WinnowClassifier

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for model in (AutoClassifier(), PerceptronClassifier(), WinnowClassifier(alpha=1.5)):
            assert type(model).__name__ in model._repr_html_()


@pytest.mark.parametrize("host", ["sklearn", "river"])
def test_a_facade_without_its_host_says_what_to_install(host):
    program = f"import sys; sys.modules[{host!r}] = None; import littlestone.{host}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert f"which is not installed: pip install 'littlestone[{host}]'" in done.stderr


def test_every_message_about_a_missing_extra_quotes_it():
    """A shell takes brackets for a pattern: zsh refuses pip install littlestone[plot]."""
    source = Path(ls.__file__).parent
    found = {}
    for file in source.rglob("*.py"):
        text = file.read_text()
        assert "pip install littlestone[" not in text, file
        for extra in re.findall(r"""install\(["'](\w+)["']\)""", text):
            found.setdefault(extra, set()).add(file.relative_to(source).as_posix())
    assert found == {
        "arrow": {"streams/formats/frame.py"},
        "papers": {"papers/work.py"},
        "plot": {"report/figure.py", "core/messages.py"},
        "serve": {"service/__init__.py", "cli/serve.py", "cli/__init__.py"},
        "zstd": {"streams/sources/compressed.py", "streams/writers.py"},
    }
    for extra in (*found, "sklearn", "river"):
        assert install(extra) == f"pip install 'littlestone[{extra}]'"
    project = source.parents[1] / "pyproject.toml"
    if project.is_file():
        assert found.keys() <= tomllib.loads(project.read_text())["project"]["optional-dependencies"].keys()
