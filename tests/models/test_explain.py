"""Readable rules: clauses against brute force, evidence, counts, single examples, and what is refused."""

import gzip
import io
import json
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.learners import LEARNERS, Bounded, GrowingWinnow, KernelPerceptron
from littlestone.models.explanation import count_updates, explain, explain_example, read_names
from littlestone.models.explanation.clauses import minimal_sets
from littlestone.models.pruning import prune


def brute(weights, needed, tie, most):
    """All minimal sets of at most ``most`` members, by trying every subset."""
    reaches = lambda chosen: (total := sum(weights[i] for i in chosen)) > needed or (tie and total == needed)  # noqa: E731
    return {
        chosen
        for size in range(most + 1)
        for chosen in combinations(range(len(weights)), size)
        if reaches(chosen) and not any(reaches(part) for part in combinations(chosen, size - 1) if size)
    }


@given(st.lists(st.integers(1, 12), max_size=8), st.integers(-2, 30), st.booleans(), st.integers(1, 8))
def test_the_minimal_sets_are_all_of_them(weights, needed, tie, most):
    weights = sorted(weights, reverse=True)
    found = minimal_sets(weights, needed, tie=tie, max_size=most, count=10_000)
    assert len(set(found.sets)) == len(found.sets)
    assert set(found.sets) == brute(weights, needed, tie, most)
    assert found.cut == []
    assert [len(chosen) for chosen in found.sets] == sorted(len(chosen) for chosen in found.sets)


@given(st.lists(st.integers(1, 12), max_size=8), st.integers(1, 30), st.integers(1, 3))
def test_a_list_that_is_cut_says_so(weights, needed, count):
    weights = sorted(weights, reverse=True)
    found = minimal_sets(weights, needed, tie=True, max_size=8, count=count)
    for size in range(1, 9):
        listed = [chosen for chosen in found.sets if len(chosen) == size]
        every = [chosen for chosen in brute(weights, needed, True, 8) if len(chosen) == size]
        assert set(listed) <= set(every)
        assert (size in found.cut) == (len(every) > count)
        assert len(listed) == min(count, len(every))


games = st.lists(st.tuples(st.sets(st.integers(0, 4)), st.booleans()), min_size=1, max_size=25)
makers = st.sampled_from([
    lambda: ls.Winnow(theta=3), lambda: ls.Winnow(alpha=1.35, demotion=0.8, theta=4, w1=0.2),
    lambda: ls.Winnow(theta=2, tie=0, bias=True), lambda: ls.Winnow(theta=5, negations=True),
    lambda: ls.BalancedWinnow(), lambda: ls.Perceptron(), lambda: ls.Perceptron(negations=True, bias=False),
    lambda: ls.Elimination(), lambda: ls.Winnow(theta=3, demotion=0),
])  # fmt: skip


@given(games, makers)
@settings(max_examples=300)
def test_clauses_are_what_the_learner_predicts(game, make):
    """A clause is enough with nothing against it; with always, whatever else is on; the whole list is the rule."""
    learner = make().begin(5, labels=(False, True))
    for on, outcome in game:
        learner.learn(np.isin(np.arange(5), list(on))[np.newaxis], [outcome])
    told = explain(learner, max_size=5, top=1000)
    cube = (np.arange(32)[:, np.newaxis] >> np.arange(5)) & 1
    said = learner.predict(cube)
    holds = lambda name: cube[:, name] == 1 if isinstance(name, int) else cube[:, int(name[4:])] == 0  # noqa: E731
    enough = np.zeros(32, dtype=bool)
    w = learner.hypothesis().w
    for clause in told.clauses.listed:
        true = np.all([holds(name) for name in clause.attributes] or [np.ones(32, dtype=bool)], axis=0)
        quiet = true & ~((cube == 1) & (w < 0)).any(axis=1) if not learner.negations else true
        assert said[quiet].all()
        if clause.always:
            assert said[true].all()
            enough |= true
    assert told.clauses.cut == ()
    if told.clauses.whole:
        np.testing.assert_array_equal(enough, said)
    ons = cube.sum(axis=1)
    if not learner.negations and told.clauses.least is not None and not (w < 0).any():
        assert not said[ons < told.clauses.least].any()
    if not learner.negations and told.clauses.enough is not None:
        assert said[ons >= told.clauses.enough].all()
    json.dumps(told.as_dict(), allow_nan=False)
    assert str(told)


def test_the_whole_rule_is_called_so():
    learner = ls.Elimination().begin(3)
    learner.learn([[0, 0, 1], [0, 1, 0]], [0, 1])
    told = explain(learner)
    assert [clause.attributes for clause in told.clauses.listed] == [(0,), (1,)]
    assert told.clauses.whole
    assert "This is the whole rule." in str(told)
    winnow = ls.Winnow(theta=2).begin(2)
    winnow.learn([[1, 0]], [1])
    assert "This is the whole rule.\nAll this is for attributes that are 0 or 1." in str(explain(winnow))


@pytest.mark.parametrize("margin", [0, 1])
@pytest.mark.parametrize("passes", [1, 3])
def test_counts_are_those_of_the_game(passes, margin):
    rng = np.random.default_rng(0)
    X = rng.random((80, 6)) < 0.4
    y = X[:, 0] | (rng.random(80) < 0.1)
    stream = ls.from_arrays(X, y)
    learner = ls.Winnow(theta=6, demotion=0.75, margin=margin)
    for _ in range(passes):
        ls.play(learner, stream)
    counts = count_updates(learner, stream)
    assert counts.exact
    assert counts.passes == passes
    numbers = learner._machine.table.exponents
    for i in range(6):
        assert counts.of(i) == (passes * X[:, i].sum(), *numbers[learner._machine._states[i]])
    told = explain(learner, stream=stream)
    for one in (*told.supports, *told.opposes):
        assert (one.on, one.promotions, one.demotions) == counts.of(one.attribute)
    for clause in told.clauses.listed:
        assert clause.holds == X[:, list(clause.attributes)].all(axis=1).sum()
    learner.learn(X[:1], y[:1])
    again = explain(learner, stream=stream)
    assert "does NOT lead to this model" in str(again)


@pytest.mark.parametrize("made", [
    lambda: ls.Perceptron(averaged=True), lambda: ls.BalancedWinnow(margin=0.5), ls.Winnow,
    lambda: Bounded(ls.Perceptron()), lambda: ls.Winnow(randomized=True, seed=4), lambda: ls.learners.NaiveBayes(),
])  # fmt: skip
def test_an_attribute_that_is_always_on_is_in_every_update(made):
    rng = np.random.default_rng(0)
    X = rng.random((900, 5)) < 0.5
    X[:, 2] = True
    learner, stream = made(), ls.from_arrays(X, X[:, 0] ^ (rng.random(900) < 0.1))
    ls.play(learner, stream)
    on, promoted, demoted = count_updates(learner, stream).of(2)
    assert (on, promoted + demoted) == (900, learner.updates)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_can_be_explained(name):
    rng = np.random.default_rng(0)
    X = rng.random((60, 6)) < 0.4
    y = X[:, :2].any(axis=1)
    learner = LEARNERS[name]()
    assert str(explain(learner)).endswith("nothing yet.")
    learner.begin(6)
    learner.learn(X, y)
    before = learner.state()
    told, one = explain(learner), explain_example(learner, X[0].astype(float))
    for found in (told, one):
        json.dumps(found.as_dict(), allow_nan=False)
        assert str(found)
    assert told.kind != "none"
    assert one.prediction == learner.predict(X[:1])[0]
    if one.total is not None:
        assert one.total - one.theta == pytest.approx(one.activation)
    assert all(np.array_equal(before[key], value) for key, value in learner.state().items())


@given(games, makers, st.sets(st.integers(0, 4)))
def test_contributions_add_up(game, make, on):
    learner = make().begin(5, labels=(False, True))
    for active, outcome in game:
        learner.learn(np.isin(np.arange(5), list(active))[np.newaxis], [outcome])
    row = np.isin(np.arange(5), list(on))
    one = explain_example(learner, row)
    assert one.total - one.theta == pytest.approx(learner.activation(row[np.newaxis])[0], abs=1e-9)
    assert one.prediction == learner.predict(row[np.newaxis])[0]


def test_an_example_by_names_and_with_names_nobody_knows():
    learner = ls.Winnow(theta=4)
    learner.learn_one({"a": 1, "b": 1}, 1)
    one = explain_example(learner, {"a", "zebra"})
    assert [(c.attribute, c.product, c.note) for c in one.contributions] == [
        ("a", 2, ""), ("zebra", 1, "not seen before"),
    ]  # fmt: skip
    assert "zebra" not in learner.vocabulary
    by_place = ls.Winnow(theta=4)
    by_place.learn([[1, 1, 0]], [1])
    assert explain_example(by_place, {"x", "z"}, names=["x", "y", "z"]).total == 3
    with pytest.raises(InvalidData, match="in the list of names, got 'q'"):
        explain_example(by_place, {"q"}, names=["x", "y", "z"])
    with pytest.raises(InvalidData, match="by position; give a 1-D array"):
        explain_example(by_place, {"q"})
    with pytest.raises(InvalidData, match="one row, got 2"):
        explain_example(by_place, ls.Block.from_arrays([[1, 1, 0], [0, 0, 1]]))


def test_what_is_kept_of_a_bounded_learner():
    learner = Bounded(ls.Winnow(theta=4), max_attributes=10, eligible=2)
    for x, y in [("ab", 1), ("ab", 1), ("ab", 0), ("cb", 1), ("ab", 1)]:
        learner.learn_one(set(x), y)
    told = explain(learner)
    assert told.attributes == 3
    assert {one.attribute: one.weight for one in told.supports} == {
        name: weight for name, weight in learner.weights().items() if weight > 1
    }
    small = prune(learner, below=3).learner
    one = explain_example(small, ["a", "b", "c", "d"])
    assert {c.attribute: c.note for c in one.contributions} == {"a": "pruned", "b": "", "c": "pruned", "d": "pending"}
    assert one.total - one.theta == pytest.approx(one.activation)
    placed = Bounded(ls.Perceptron())
    placed.learn([[1, 0, 1], [0, 0, 1]], [1, 0])
    one = explain_example(placed, np.array([1.0, 1.0, 1.0]), names=["x", "y", "z"])
    assert one.total - one.theta == pytest.approx(one.activation)
    assert {c.attribute for c in one.contributions if c.note} == {"y"}
    stream = ls.from_arrays([[1, 0, 1], [0, 0, 1]], [1, 0])
    assert count_updates(placed, stream).exact


def test_conjunctions_are_named_and_found_in_an_example():
    X = (np.arange(16)[:, np.newaxis] >> np.arange(4)) & 1
    y = (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])
    learner = GrowingWinnow()
    for _ in range(20):
        learner.learn(X, y)
    names = ["a", "b", "c", "d"]
    told = explain(learner, names=names)
    assert {("a", "b"), ("c", "d")} <= {one.literals for one in told.conjunctions}
    held = explain_example(learner, np.array([1.0, 1.0, 0.0, 0.0]), names=names)
    assert ("a", "b") in {one.literals for one in held.conjunctions}
    assert ("c", "d") not in {one.literals for one in held.conjunctions}
    negated = KernelPerceptron("conjunctions:2")
    for _ in range(5):
        negated.learn(X, 1 - X[:, 0])
    assert "not a" in {name for one in explain(negated, names=names).conjunctions for name in one.literals}
    one = explain_example(negated, np.array([0.0, 1.0, 0.0, 0.0]), names=names)
    assert any("not a" in found.literals for found in one.conjunctions)


class Classes(ls.Perceptron):
    """Stands for a learner of many classes."""

    classes = ("x", "y", "z")

    def weights(self):
        return {"a": {"x": 1.0, "y": 3.0}, "b": {"y": -1.0, "z": 2.0}}


def test_many_classes_by_the_protocol():
    told = explain(Classes().begin(2), top=2)
    assert [label for label, _, _ in told.classes] == ["x", "y", "z"]
    assert [(one.attribute, one.weight) for one in told.classes[1][1]] == [("a", 3.0)]
    assert [(one.attribute, one.weight) for one in told.classes[1][2]] == [("b", -1.0)]
    assert "Class z" in str(told)
    json.dumps(told.as_dict())


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda it: explain("winnow"), "expected a learner"),
        (lambda it: explain(it, top=0), "top"),
        (lambda it: explain(it, names=["a"]), "each of the 3 attributes, got 1"),
        (lambda it: explain(it, names="abc"), "a list of names"),
        (lambda it: explain_example(it, {"a"}, names=["a"]), "each of the 3 attributes"),
        (lambda it: explain(KernelPerceptron().begin(3).copy(), stream=ls.from_arrays([[1]], [1])), "no weights of"),
    ],
)
def test_what_is_refused(call, words):
    learner = ls.Winnow().begin(3)
    with pytest.raises((InvalidParameter, InvalidData), match=words):
        call(learner)
    named = ls.Winnow(theta=2)
    named.learn_one({"a"}, 1)
    with pytest.raises(InvalidParameter, match="names of its own"):
        explain(named, names=["a"])


def test_names_are_read_from_plain_and_compressed_files():
    assert read_names(io.BytesIO(gzip.compress("ä\nb=c\n".encode()))) == ["ä", "b=c"]
    with pytest.raises(InvalidData, match=":2: expected a name in UTF-8"):
        read_names(io.BytesIO(b"a\n\xff\n"))
    with pytest.raises(InvalidData, match="each of the model's 3 attributes, got 1 lines"):
        read_names(io.BytesIO(b"a\n"), ls.Winnow().begin(3))


@pytest.mark.parametrize(
    ("name", "passes", "rule"),
    [
        ("badges", 10, {"first1=a", "first1=e", "first1=i", "first1=o", "first1=u"}),
        ("mushroom_train", 20, {"odor=foul", "odor=pungent", "odor=creosote", "spore-print-color=green"}),
    ],
)
def test_known_rules_are_on_top(data_folder, name, passes, rule):
    """The attributes of the rule that is known of the data are the heaviest evidence."""
    stream = ls.streams.SvmlightStream(str(data_folder / f"{name}.libsvm.gz"))
    names = read_names(str(data_folder / f"{name}.features.txt.gz"))
    learner = ls.Winnow()
    while ls.play(learner, stream).mistakes and (passes := passes - 1):
        pass
    told = explain(learner, names=names, stream=stream)
    assert rule <= {one.attribute for one in told.supports[:5]}
    assert "which leads to this very model" in str(told)


def test_exact_weights_decide_ties():
    """27/20 twice and 4/5 once: floats would miss that the weights sum to theta exactly."""
    theta = Fraction(27, 20) * Fraction(1, 5) + Fraction(1, 5)
    learner = ls.Winnow(alpha=1.35, demotion=0.8, theta=theta, w1=0.2).begin(2)
    learner.learn([[1, 0]], [1])
    told = explain(learner)
    assert [clause.attributes for clause in told.clauses.listed] == [(0, 1)]
    assert learner.predict([[1, 1]])[0] == 1


def test_pending_attributes_of_a_bounded_learner_are_no_evidence():
    learner = Bounded(ls.Winnow(theta=2), eligible=3)
    for _ in range(4):
        learner.learn_one({"a"}, 1)
    learner.learn_one({"a", "once"}, 1)
    told = explain(learner)
    assert [one.attribute for one in (*told.supports, *told.opposes)] == ["a"]
    assert told.clauses.whole
    assert "not listed" in str(told)


def test_attributes_that_count_in_the_next_example_are_in_the_rule():
    learner = Bounded(ls.Winnow(theta=2), eligible=2)
    for name, y in [("a", 1)] * 4 + [("p", 0), ("q", 0)]:
        learner.learn_one({name}, y)
    assert learner.predict_one({"p", "q"}) == 1
    told = explain(learner).clauses
    assert told.whole
    assert [set(clause.attributes) for clause in told.listed] == [{"a"}, {"p", "q"}]
    assert (told.least, told.enough) == (1, None)  # a name that nobody has seen does not count at once


def _played(learner, rows, outcomes, n=4):
    learner.begin(n, labels=(0, 1)).learn(rows, outcomes)
    return learner


@pytest.mark.parametrize("learner", [
    _played(ls.Winnow(averaged=True), [[1, 1, 1, 1], [1, 1, 1, 0]], [1, 1]),
    _played(ls.Perceptron(eta=0.1), [[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 0], [0, 1, 1, 1]], [0, 1, 0, 1]),
    _played(ls.Winnow(theta=0.6, w1=0.2), [[0.5, 1, 0, 0]], [1]),
    ls.Winnow(theta=3), ls.Perceptron(w1=-1.0, bias=False),
])  # fmt: skip
def test_the_whole_rule_is_not_claimed_of_sums_that_are_rounded_or_open(learner):
    if learner.trials == 0:
        learner.learn([[1, 1, 1, 1], [1, 1, 0, 0]], [1, 1])
    told = explain(learner, max_size=5)
    assert not told.clauses.whole
    json.dumps(told.as_dict(), allow_nan=False)
    assert (told.clauses.least, told.clauses.enough) == (None, None)
    assert "never enough" not in str(told)
    assert "always are" not in str(told)


rounded = st.sampled_from([
    lambda: ls.Perceptron(eta=0.1), lambda: ls.Perceptron(averaged=True), lambda: ls.Winnow(averaged=True, theta=4),
    lambda: ls.Winnow(alpha=1.1, w1=0.1, theta=0.3),
])  # fmt: skip


@given(games, rounded)
def test_what_is_claimed_of_floats_is_so(game, make):
    learner = make().begin(5, labels=(False, True))
    for on, outcome in game:
        learner.learn(np.isin(np.arange(5), list(on))[np.newaxis], [outcome])
    cube = (np.arange(32)[:, np.newaxis] >> np.arange(5)) & 1
    said, told = learner.predict(cube).astype(bool), explain(learner, max_size=5, top=1000).clauses
    held = np.zeros(32, dtype=bool)
    for clause in told.listed:
        true = cube[:, list(clause.attributes)].all(axis=1)
        held |= true
        assert not clause.always or said[true].all()
    assert not told.whole or (held == said).all()


def test_an_example_by_name_adds_up_with_negations():
    learner = ls.Winnow(negations=True).begin(n=3, names=["a", "b", "c"])
    for x, y in [({"a"}, 1), ({"b"}, 0), ({"c"}, 1), ({"a", "c"}, 0)] * 3:
        learner.learn_one(x, y)
    told = explain_example(learner, {"a", "b"})
    assert {one.attribute for one in told.contributions if one.value} == {"a", "b", "not c"}
    assert (
        told.total - told.theta
        == told.activation
        == learner.weights()["a"] + learner.weights()["b"] + (learner.weights()["not c"] - told.theta)
    )
