"""Made-up tables: the seed gives every byte, rules are as they are said, and there is something to learn."""

import csv
import io

import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.streams.grammar import HAM, SHARED, SPAM, WORDS
from littlestone.streams.samples import COAST, messages, people


def read(table, name="x.tsv"):
    file = io.BytesIO()
    table.write(file, like=name)
    return file.getvalue().decode()


@pytest.mark.parametrize("make", [messages, people])
def test_the_seed_gives_all_rows_and_fewer_rows_are_the_first(make):
    assert make(rows=30, seed=4) == make(rows=30, seed=4)
    assert make(rows=30, seed=4).rows == make(rows=50, seed=4).rows[:30]
    assert make(rows=30, seed=4).rows != make(rows=30, seed=5).rows


@pytest.mark.parametrize("make", [messages, people])
@pytest.mark.parametrize(("name", "delimiter"), [("x.tsv", "\t"), ("x.csv", ","), ("x", "\t"), ("x.csv.gz", ",")])
def test_what_is_written_is_read_back(make, name, delimiter):
    table = make(rows=200)
    found = list(csv.reader(io.StringIO(read(table, name)), delimiter=delimiter))
    assert found == [list(table.columns), *([str(cell) for cell in row] for row in table.rows)]


def test_labels_and_examples_are_the_rows():
    table = people(rows=20)
    assert table.labels == [row[-1] for row in table.rows]
    assert table.examples[3] == dict(zip(table.columns[:-1], table.rows[3][:-1], strict=True))


def test_every_slot_of_a_sentence_has_words():
    table = messages(rows=3000)
    assert not any("{" in text or "}" in text or "\t" in text or '"' in text for _, text in table.rows)
    assert not set(SPAM) & set(HAM) | set(SPAM) & set(SHARED) | set(HAM) & set(SHARED)
    assert all(words for words in WORDS.values())


def test_people_buy_by_the_rule_that_is_said_but_for_some():
    table = people(rows=4000)
    contrary = 0
    for age, income, _, city, work, contact, buys in table.rows:
        points = (income - 40) / 10 + 1.5 * (city in COAST) + (contact == "phone") - 2 * (work == "student")
        contrary += (points - (age - 50) / 15 > 0) != (buys == "yes")
    assert 0.03 < contrary / 4000 < 0.07
    assert "5% do the contrary" in table.made
    assert 0.3 < table.labels.count("yes") / 4000 < 0.7


def test_messages_can_be_learned_but_not_without_mistakes():
    rows = ls.open(io.BytesIO(read(messages(rows=3000)).encode()), "tsv", label="class", text="message")
    counts = {entry.name: entry.mistakes for entry in ls.contest(["auto", "perceptron"], rows).entries}
    always_ham = messages(rows=3000).labels.count("spam")
    assert 100 < counts["auto"] < counts["perceptron"] < always_ham / 2
    assert counts["auto"] < always_ham / 3


@pytest.mark.parametrize("make", [messages, people])
def test_odd_parameters_are_refused(make):
    with pytest.raises(InvalidParameter, match="rows must be a whole number >= 1"):
        make(rows=0)
    with pytest.raises(InvalidParameter, match="seed must be a whole number >= 0"):
        make(seed=-1)
