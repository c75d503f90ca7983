"""littlestone sample: what is written, what is said about it, and files that are not to be lost."""

import gzip

import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import main


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*arguments):
    return CliRunner().invoke(main, ["sample", *arguments])


def test_messages_are_written_and_said_to_be_made_up(folder):
    done = call("messages.tsv")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "messages.tsv: 2,000 rows, made up from a grammar" in done.stderr
    lines = (folder / "messages.tsv").read_text().splitlines()
    assert lines[0] == "class\tmessage" and len(lines) == 2001
    assert lines[1] == "\t".join(ls.datasets.messages().rows[0])


def test_the_rule_of_people_is_said(folder):
    done = call("people.csv", "--rows", "10", "--seed", "3")
    assert "points are (income - 40) / 10" in done.stderr and "(seed 3)" in done.stderr
    assert (folder / "people.csv").read_text().count("\n") == 11


def test_a_file_of_ones_own_is_not_written_over(folder):
    assert call("messages.tsv").exit_code == call("messages.tsv").exit_code == 0  # the same again
    (folder / "messages.tsv").write_text("mine")
    done = call("messages.tsv")
    assert done.exit_code == 2 and "messages.tsv: expected a new file" in done.stderr and "--overwrite" in done.stderr
    assert (folder / "messages.tsv").read_text() == "mine"
    assert call("messages.tsv", "--overwrite").exit_code == 0
    assert (folder / "messages.tsv").read_text().startswith("class\tmessage\n")


def test_other_names_stdout_and_compressed_files(folder):
    done = call("mine.tsv")
    assert done.exit_code == 2 and "--kind messages" in done.stderr
    assert call("mine.tsv", "--kind", "PEOPLE", "--rows", "1").exit_code == 0
    assert call("-", "--kind", "people", "--rows", "1").stdout.startswith("age\tincome\t")
    assert call("messages.csv.gz", "--rows", "1").exit_code == 0
    assert gzip.decompress((folder / "messages.csv.gz").read_bytes()).startswith(b"class,message\n")
    done = call("mine.tsv", "--kind", "poeple")
    assert done.exit_code == 2 and "did you mean people?" in done.stderr
