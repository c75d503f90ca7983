"""Why a model decides as it does on one row: the numbers add up, no fewer attributes change it, words are marked."""

import json
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.words import Tokeniser
from littlestone.models.explanation import reasons
from littlestone.models.explanation.marking import marked_texts

WORDS = ["win", "prize", "now", "free", "lunch", "noon", "at", "home", "call", "me"]
LINEAR = ["perceptron", "balanced-winnow", "arow", "passive-aggressive", "naive-bayes", "perceptron:negations=true"]


def messages(count=120, seed=0):
    """Return made-up messages: spam if two of the first four words are in it."""
    rng = np.random.default_rng(seed)
    rows = [list(rng.choice(WORDS, 4, replace=False)) for _ in range(count)]
    return [
        {"note": " ".join(row), "class": "spam" if len({*row} & {*WORDS[:4]}) > 1 else "ham"} for row in rows
    ]  # fmt: skip


@cache
def trained(learner="auto", **options):
    """Return a model of messages, the first of them ham."""
    rows = sorted(messages()[:8], key=lambda row: row["class"]) + messages()[8:]
    return ls.Model.train(rows, label="class", text="note", learner=learner, **options)


@cache
def people(learner="auto"):
    """Return a model of mixed columns, two of them real numbers."""
    rng = np.random.default_rng(1)
    rows = [
        {"age": float(age), "income": float(income), "job": job, "note": note, "rich": "yes" if income > 3e4 else "no"}
        for age, income, job, note in zip(
            rng.integers(18, 80, 150), rng.integers(10_000, 60_000, 150), rng.choice(["clerk", "nurse"], 150),
            rng.choice(["late again", "on time", "never late"], 150), strict=True,
        )
    ]  # fmt: skip
    return ls.Model.train(sorted(rows[:9], key=lambda row: row["rich"]) + rows[9:], label="rich", learner=learner)


@cache
def classes(learner="auto"):
    """Return a model of three classes of attributes by position."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 150)
    X = (rng.random((150, 6)) < 0.2) | np.repeat(np.eye(3, dtype=bool)[y] & (rng.random((150, 1)) < 0.9), 2, axis=1)
    return ls.Model.train(X.astype(float), np.array(["a", "b", "c"])[y], learner=learner)


def text_without(text, gone):
    return " ".join(word for word in text.split() if f"note={word}" not in gone)


@pytest.mark.parametrize("learner", LINEAR)
def test_what_a_linear_rule_brings_adds_up(learner):
    model = trained(learner)
    for row in messages(12, seed=3):
        found = model.explain(row, top=100)
        assert found.by == "weights"
        assert sum(one.brings for one in found.listed) + (found.constant or 0.0) == pytest.approx(found.total)
        block = next(model.blocks([row], "explain"))
        assert found.total - found.theta == pytest.approx(model.learner.activation(model.rows(block))[0])
        assert found.prediction == model.predict_one(row)
        assert found.probabilities == model.probabilities_one(row)
        assert all(one.brings == pytest.approx(one.weight * one.value) for one in found.listed)


def fewest(model, text):
    """Return how many words must go until the decision is another: every set is tried."""
    words, before = text.split(), model.predict_one(text)
    for size in range(1, len(words) + 1):
        for gone in combinations(words, size):
            if model.predict_one(" ".join(word for word in words if word not in gone)) != before:
                return size
    return None


@pytest.mark.parametrize(("learner", "threshold"), [*((name, None) for name in LINEAR), ("arow", 0.8), ("arow", 0.2)])
def test_no_fewer_attributes_change_a_linear_decision(learner, threshold):
    model = trained(learner, **({} if threshold is None else {"threshold": threshold}))
    sizes = set()
    for row in messages(10, seed=4):
        found, size = model.explain(row["note"]), fewest(model, row["note"])
        sizes.add(size)
        assert (found.change is None) == (size is None)
        if found.change is not None:
            assert (len(found.change.without), found.change.exact) == (size, True)
            left = text_without(row["note"], found.change.without)
            assert model.predict_one(left) == found.change.prediction != found.prediction
    assert len(sizes) > 1


def test_a_rule_that_divides_a_row_by_its_sum_promises_nothing():
    model = trained("modified-balanced-winnow")
    assert model.learner.machine.divisor(np.ones(3)) != 1.0
    for row in messages(5, seed=4):
        change = model.explain(row["note"]).change
        assert change is None or change.exact == (len(change.without) == 1)


@pytest.mark.parametrize("learner", ["auto", "voted-perceptron"])
def test_what_is_left_out_is_what_the_odds_lose(learner):
    model = trained(learner)

    def odds(text):
        shares = np.clip(model.probabilities([text])[0], 1e-12, 1.0)
        return float(np.log(shares[1]) - np.log(shares[0]))

    for row in messages(5, seed=5):
        found = model.explain(row["note"])
        assert (found.by, found.toward, found.against) == ("left out", *model.labels[::-1])
        assert (found.total, found.constant) == (None, None)
        for one in found.listed:
            assert one.brings == pytest.approx(odds(row["note"]) - odds(text_without(row["note"], {one.attribute})))
            assert one.weight is None
        if found.change is not None:
            assert model.predict_one(text_without(row["note"], found.change.without)) == found.change.prediction


def test_why_this_one_of_many_classes_and_not_the_next():
    model = classes()
    x = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    found = model.explain(x)
    order = sorted(found.probabilities, key=lambda label: -found.probabilities[label])
    assert [found.prediction, found.toward, found.against] == ["a", "a", order[1]]

    def odds(row):
        shares = dict(zip(model.labels, model.probabilities(row[np.newaxis])[0], strict=True))
        return np.log(shares["a"]) - np.log(shares[found.against])

    assert {one.attribute for one in found.listed} == {0, 1, 2}
    for one in found.listed:
        without = np.where(np.arange(6) == one.attribute, 0.0, x)
        assert one.brings == pytest.approx(odds(x) - odds(without))
    left = np.where(np.isin(np.arange(6), found.change.without), 0.0, x)
    assert model.predict(left[np.newaxis])[0] == found.change.prediction != "a"


@pytest.mark.parametrize("learner", ["auto", "arow"])
def test_values_are_as_they_came_and_as_they_are_scaled(learner):
    model = people(learner)
    found = model.explain({"age": 30, "income": 55_000, "job": "clerk", "note": "LATE again!"})
    by_name = {one.attribute: one for one in found.listed}
    for name, value in (("age", 30.0), ("income", 55_000.0)):
        mean, deviation = model.scaling[name]
        assert by_name[name].value == value
        assert by_name[name].scaled == pytest.approx((value - mean) / deviation)
        if learner == "arow":
            assert by_name[name].brings == pytest.approx(by_name[name].weight * by_name[name].scaled)
    assert (by_name["job=clerk"].value, by_name["job=clerk"].scaled) == (1.0, None)
    assert found.prediction == "yes"
    assert max(by_name, key=lambda name: abs(by_name[name].brings)) == "income"
    assert "standard deviations" in str(found)


def test_a_threshold_of_probabilities_is_told():
    assert "Decided by the probability of spam: positive from a probability of 0.8" in str(
        trained("arow", threshold=0.8).explain("win now")
    )


def test_a_row_is_the_same_however_it_comes(tmp_path):
    model = people()
    row = {"age": 30, "income": 55_000, "job": "clerk", "note": "late again"}
    path, bare = tmp_path / "rows.csv", tmp_path / "bare.csv"
    path.write_text("age,income,job,note,rich\n1,2,nurse,x,no\n30,55000,clerk,late again,yes\n")
    bare.write_text("age,income,job,note\n1,2,nurse,x\n30,55000,clerk,late again\n")
    found = model.explain(row)
    for file in (path, bare):
        block = next(model.stream(str(file)).blocks())
        again = reasons(model, block[1:2])
        assert (again.listed, again.change, again.probabilities) == (found.listed, found.change, found.probabilities)
        assert again.texts is None
    assert model.explain([30, 55_000, "clerk", "late again"]) == found
    mail = trained()
    assert mail.explain("win a prize") == mail.explain({"note": "win a prize"})


@pytest.mark.parametrize("made", [
    lambda: trained().explain("Win <now> 😀"), lambda: people("arow").explain([3, None, "x", "on time"]),
    lambda: classes().explain(np.ones(6)), lambda: trained("winnow").explain(""),
])  # fmt: skip
def test_as_a_dict_it_is_plain_json(made):
    found = made()
    told = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert told == found.as_dict()
    assert set(told["probabilities"]) == {str(label) for label in found.probabilities}
    assert str(found).startswith(f"Predicts {found.prediction}")


def test_what_cannot_be_explained_is_refused():
    model = trained()
    with pytest.raises(InvalidData, match="expected one row, got 2"):
        reasons(model, Block.from_arrays([[1.0], [1.0]]))
    with pytest.raises(InvalidParameter, match="top"):
        model.explain("win", top=0)


# Words

TEXTS = [
    "WINNER!! you\u2019ve won",
    "it's it",
    "😀👩‍❤️‍💋‍👨 ok",
    "Cafe\u0301 ΣΑΣ İs 1,000.5",
    "a_b  c\n",
    "",
    "...",
    "각각",
]
WAYS = [Tokeniser(), Tokeniser(ngrams=3), Tokeniser("plain"), Tokeniser(characters=3)]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "words", [Tokeniser(), Tokeniser(ngrams=3), Tokeniser("plain"), Tokeniser(characters=3)], ids=str
)
def test_every_word_is_marked_once_where_it_stands(text, words):
    reading = {"text": ["note"], **words.options}
    brings = {f"note={word}": 1.0 for word in words(text)}
    pieces = marked_texts(reading, {"note": text}, brings)["note"]
    assert "".join(piece.text for piece in pieces) == text
    marked = [piece.text for piece in pieces if piece.brings]
    single = Tokeniser(words.tokens, words.lower)
    assert [single(piece) for piece in marked] == [[word] for word in each_word(text, single)]
    assert not [piece for piece in pieces if not piece.brings and single(piece.text)]


def each_word(text, words):
    """Return the words of a text, repeated ones too."""
    return [next(iter(place.shares)) for place in words.places(text)]


def test_marks_by_hand():
    pieces = marked_texts(
        {"text": ["note"], "tokens": "words", "ngrams": 2}, {"note": "WINNER!! don\u2019t win"},
        {"note=winner": 3.0, "note=!!": -1.0, "note=winner_!!": 1.0, "note=don't": 0.5, "other=win": 9.0},
    )["note"]  # fmt: skip
    found = [(piece.text, piece.brings) for piece in pieces]
    assert found == [("WINNER", 3.5), ("!!", -0.5), (" ", 0.0), ("don\u2019t", 0.5), (" ", 0.0), ("win", 0.0)]


def test_texts_that_are_missing_have_no_marks():
    assert marked_texts({"text": ["a", "b"], "tokens": "words"}, {"a": None, "b": "x"}, {}).keys() == {"b"}


@settings(max_examples=60)
@given(st.text(max_size=30), st.booleans(), st.sampled_from(["words", "plain"]))
def test_words_are_found_where_the_tokeniser_finds_them(text, lower, tokens):
    words = Tokeniser(tokens, lower)
    places = words.places(text)
    assert list(dict.fromkeys(next(iter(place.shares)) for place in places)) == words(text)
    ends = [0, *(place.end for place in places)]
    assert all(before <= place.start < place.end <= len(text) for before, place in zip(ends, places, strict=False))


# What a model has learned


def test_a_vote_says_whose_weights_are_listed_in_one_list_of_two_classes():
    model = trained()
    found = model.explain(top=3)
    assert found.whose == model.learner.best.name
    assert (found.classes, found.labels) == ((), ("ham", "spam"))
    weights = model.learner.weights()
    assert {one.attribute: one.weight for one in found.supports} == {
        name: own["spam"] for name, own in weights.items() if name in {one.attribute for one in found.supports}
    }
    assert min(one.weight for one in found.supports) > 0.0 > max(one.weight for one in found.opposes)
    assert f"Weights of {found.whose}, the best of the experts, for spam and against it:" in str(found)
    many = classes().explain()
    assert many.whose and len(many.classes) == 3
    assert f"Weights of {many.whose}, the best of the experts, class by class:" in str(many)


def test_two_classes_of_a_learner_of_many_are_told_by_half_their_difference():
    model = trained("multiclass-perceptron")
    found, weights = model.explain(top=100), model.learner.weights()
    for one in (*found.supports, *found.opposes):
        assert one.weight == (weights[one.attribute]["spam"] - weights[one.attribute]["ham"]) / 2
    assert "A weight is half of what spam has more than ham." in str(found)


def test_scaled_columns_tell_their_mean_and_deviation():
    model = people("arow")
    mean, deviation = model.scaling["income"]
    assert f"income counts in standard deviations ({deviation:.6g}) from its mean ({mean:.6g})." in str(model.explain())
