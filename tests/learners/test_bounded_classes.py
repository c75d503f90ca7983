"""Bounded learners of many classes: the naive twin, any block size, what is dropped with its links, endless names."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidModel, InvalidParameter
from littlestone.learners import Bounded, MulticlassPerceptron, WinnerTakesAll
from littlestone.learners.delayed import Delayed
from littlestone.models.files import load, save
from tests.models.test_model_damage import forged
from tests.naive import winner_takes_all as slow
from tests.naive.bounded_classes import BoundedClasses

LABELS = ("red", "green", "blue", "grey")
# What is told to the learner, and what to its twin: all numbers are whole, or powers of two, so that ties are ties
SETTINGS = {
    "Perceptron": (lambda: WinnerTakesAll("perceptron"), {"bias": True}),
    "Winnow": (lambda: WinnerTakesAll("winnow:theta=2"), {"weight_of": slow.power(2.0, 1.0), "theta": 2.0}),
    "averaged": (
        lambda: WinnerTakesAll("winnow:theta=2:margin=1:averaged=true"),
        {"weight_of": slow.power(2.0, 1.0), "theta": 2.0, "margin": 1.0, "averaged": True},
    ),
    "all attributes, averaged": (
        lambda: WinnerTakesAll("perceptron", linked=False, averaged=True),
        {"bias": True, "linked": False, "averaged": True},
    ),
    "weights of classes": (
        lambda: MulticlassPerceptron(policy="top", margin=1, class_weights={"red": 2, "blue": 0}),
        {"bias": True, "policy": "top", "linked": False, "margin": 1, "class_weights": {"red": 2, "blue": 0}},
    ),
}
rows = st.sets(st.integers(0, 9), max_size=4).map(sorted)
games = st.lists(st.tuples(rows, st.sampled_from(LABELS)), min_size=1, max_size=60)
kinds = st.sampled_from(sorted(SETTINGS))
NAMES = tuple(f"n{i}" for i in range(10))


def block_of(game, names=None):
    """Return a game as a block, and its labels."""
    indptr = np.cumsum([0, *(len(row) for row, _ in game)])
    block = ls.Block.from_csr(indptr, np.array([i for row, _ in game for i in row], dtype=int))
    return replace(block, names=names), np.array([label for _, label in game])


def played(learner, game, size, names=None):
    """Let a learner learn a game in blocks of a size; return its predictions."""
    X, y = block_of(game, names)
    return [label for at in range(0, len(game), size) for label in learner.learn(X[at : at + size], y[at : at + size])]


def random_game(seed, number, width, on=5, labels=LABELS):
    """Rows of a wide world, a part of which says which class it is."""
    rng = np.random.default_rng(seed)
    found = [sorted(rng.choice(width, on, replace=False).tolist()) for _ in range(number)]
    return [(row, labels[min(row) % len(labels)]) for row in found]


def same(one, other):
    a, b = one.state(), other.state()
    assert a.keys() == b.keys()
    for key in a:
        np.testing.assert_array_equal(a[key], b[key], err_msg=key)


@given(games, kinds, st.sampled_from([None, 4, 5, 8]), st.integers(1, 3), st.sampled_from([1, 3, 100]), st.booleans())
@settings(max_examples=300)
def test_it_is_its_naive_twin(game, kind, most, eligible, size, named):
    make, told = SETTINGS[kind]
    learner, twin = Bounded(make(), max_attributes=most, eligible=eligible), BoundedClasses(most, eligible, **told)
    names = NAMES if named else None
    expected = [twin.trial(row, label) for row, label in game]
    assert played(learner, game, size, names) == expected
    assert (learner.held, learner.dropped, learner.lost) == (len(twin.slot), twin.dropped, twin.lost)
    assert {i if names is None else NAMES[i]: own for i, own in twin.weights().items()} == learner.weights()
    assert {label: counts.links for label, counts in learner.class_counts().items()} == twin.links()
    assert {label: list(counts[:4]) for label, counts in learner.class_counts().items()} == twin.twin.counts
    assert learner.classes == tuple(twin.twin.counts)
    assert learner.updates == twin.twin.updates
    whole = Bounded(make(), max_attributes=most, eligible=eligible)
    played(whole, game, 100, names)
    same(learner, whole)


@given(games, kinds, st.sampled_from([None, 4, 6]), st.integers(0, 60))
def test_written_down_half_way_it_goes_on(game, kind, most, at):
    X, y = block_of(game, NAMES)
    whole, half = (Bounded(SETTINGS[kind][0](), max_attributes=most, eligible=2) for _ in range(2))
    whole.learn(X, y)
    half.learn(X[:at], y[:at])
    for learner in (half.copy(), Bounded.from_state(half.params(), half.state())):
        learner.learn(X[at:], y[at:])
        same(whole, learner)


@given(games, kinds, st.sampled_from([4, 6, 8]))
def test_while_nothing_is_lost_it_is_the_learner_itself(game, kind, most):
    learner, plain = Bounded(SETTINGS[kind][0](), max_attributes=most), SETTINGS[kind][0]()
    X, y = block_of(game)
    said, expected = learner.learn(X, y).tolist(), plain.learn(X, y).tolist()
    assert learner.guarantee is plain.guarantee is None
    if learner.lost == 0:
        assert said == expected
        assert learner.predict_proba(X).tolist() == plain.predict_proba(X).tolist()
        weights = plain.weights()
        assert all(weights[i] == own for i, own in learner.weights().items())


@pytest.mark.parametrize("make", [WinnerTakesAll, MulticlassPerceptron, lambda: WinnerTakesAll(ls.ThresholdedBEG())])
@pytest.mark.parametrize("most", [None, 40, 12])
def test_rows_of_values_with_weights_in_blocks_of_any_size(make, most):
    rng = np.random.default_rng(3)
    X = rng.choice([0.5, 1.0, 2.0], (300, 40)) * (rng.random((300, 40)) < 0.15)
    X[(X > 0).sum(axis=1) > 8] = 0
    y, weight = np.array(LABELS)[X[:, :4].argmax(axis=1)], rng.integers(0, 3, 300)
    learner = Bounded(make(), max_attributes=most).begin(40)
    said = learner.learn(X, y, weight=weight)
    assert (learner.lost > 0) == (most == 12)
    if most != 12:
        assert said.tolist() == make().begin(40).learn(X, y, weight=weight).tolist()
    for size in (1, 7, 64):
        again = Bounded(make(), max_attributes=most).begin(40)
        for at in range(0, 300, size):
            part = slice(at, at + size)
            assert again.predict(X[part][:1]).tolist() == again.copy().learn(X[part][:1], y[part][:1]).tolist()
            assert again.learn(X[part], y[part], weight=weight[part]).tolist() == said[part].tolist()
        same(learner, again)


@pytest.mark.parametrize("kind", SETTINGS)
def test_a_dropped_attribute_is_new_when_it_comes_again(kind):
    learner = Bounded(SETTINGS[kind][0](), max_attributes=4, eligible=1)
    for label in ("red", "green", "red"):
        learner.learn_one({"a", "b"}, label)
    for i in range(9):  # on alone, and moved further than ``a``
        for value, label in ((16.0, "green"), (64.0, "red")):
            learner.learn_one({f"c{i}": value}, label)
    assert "a" not in learner.weights()
    assert learner.brought({"a"})[0] == ("a", 1.0, {}, "not seen before")
    assert learner.activation(named("a")).tolist() == learner.activation(named("never seen")).tolist()
    before = learner.copy()
    assert learner.learn_one({"a"}, "grey") == before.learn_one({"never seen"}, "grey")
    assert learner.weights()["a"] == before.weights()["never seen"]
    assert learner.links == sum(map(len, learner.weights().values()))


def named(*names):
    """Return one row with names."""
    return replace(ls.Block.from_arrays(np.ones((1, len(names)))), names=names)


def test_what_has_moved_furthest_in_any_class_stays():
    """Two thirds of the rows say little of ``often``, which is on last; ``told`` decides, and is a class's alone."""
    learner = Bounded(WinnerTakesAll("perceptron:bias=false"), max_attributes=3)
    learner.learn_one({"told": 3.0}, "red")
    learner.learn_one({"told": 3.0}, "blue")  # a step of three in both
    learner.learn_one({"often": 1.0}, "red")
    learner.learn_one({"later": 1.0}, "red")
    learner.learn_one({"new": 1.0}, "green")
    assert set(learner.weights()) == {"told", "new"}
    assert learner.dropped == learner.lost == 2


def test_an_attribute_of_which_no_class_knows_goes_first_and_is_not_lost():
    learner = Bounded(WinnerTakesAll("perceptron", class_weights={"blue": 0.0}), max_attributes=3)
    learner.learn_one({"linked"}, "red")
    learner.learn_one({"old"}, "blue")
    learner.learn_one({"late"}, "blue")
    learner.learn_one({"new"}, "blue")
    assert learner.weights().keys() == {"linked", "new"}
    assert (learner.dropped, learner.lost) == (2, 0)


def test_labels_come_when_they_come_or_are_told():
    learner = Bounded(WinnerTakesAll(), max_attributes=3)
    assert learner.predict([[1, 0]]).tolist() == [None]
    assert learner.activation([[1, 0]]).shape == learner.predict_proba([[1, 0]]).shape == (1, 0)
    assert (learner.classes, learner.links, learner.class_counts()) == ((), 0, {})
    learner.begin(labels=(3, 1))
    assert learner.activation([[1, 0]]).tolist() == [[-4.0, -4.0]]
    assert learner.learn([[1, 0], [0, 1], [1, 1]], [1, 2, 1]).tolist() == [3, 3, 1]
    assert learner.classes == learner.labels == (3, 1, 2)
    assert learner.learn_one(np.array([1, 0]), 5) == 1
    assert sum(learner.predict_proba_one(np.array([1, 0])).values()) == pytest.approx(1.0)
    assert list(learner.class_counts()) == [3, 1, 2, 5]
    assert learner.hypothesis() is None
    with pytest.raises(InvalidLabel, match="such as 3, as so far, got 'x'"):
        learner.learn_one(np.array([1, 0]), "x")


def test_probabilities_are_those_of_the_learner_inside():
    game = random_game(1, 400, 30)
    learner, plain = Bounded(WinnerTakesAll()), WinnerTakesAll()
    X, y = block_of(game, tuple(f"n{i:02}" for i in range(30)))
    learner.learn(X, y)
    plain.learn(X, y)
    assert learner.predict_proba(X).tolist() == plain.predict_proba(X).tolist()
    x = {f"n{i:02}": 1 for i in game[0][0]}
    assert learner.predict_proba_one(x) == plain.predict_proba_one(x)
    assert learner.class_counts() == plain.class_counts()
    assert learner.links == plain.links
    service = Delayed(learner)
    assert service.many_classes
    assert service.predict_proba_one(x) == learner.predict_proba_one(x)
    assert not hasattr(Bounded(), "predict_proba")
    assert not hasattr(Bounded(), "classes")


@pytest.mark.parametrize("kind", SETTINGS)
@pytest.mark.parametrize("in_names", [False, True])
def test_saved_in_the_middle_and_loaded(tmp_path, kind, in_names):
    X, y = block_of(random_game(2, 300, 60), tuple(f"n{i}" for i in range(60)) if in_names else None)
    learner = Bounded(SETTINGS[kind][0](), max_attributes=25, eligible=2)
    learner.learn(X[:150], y[:150])
    save(learner, tmp_path / "model.npz")
    again = load(tmp_path / "model.npz")
    assert repr(again) == repr(learner)
    assert again.classes == learner.classes
    same(again, learner)
    assert again.learn(X[150:], y[150:]).tolist() == learner.learn(X[150:], y[150:]).tolist()
    same(again, learner)
    assert learner.dropped
    for path, each in (("a", learner), ("b", again)):
        save(each, tmp_path / path)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("held", lambda a: a + 5000), ("ends.is", lambda a: a[::-1]), ("owners", lambda a: a + 9),
        ("told", lambda a: a + 1), ("last", lambda a: a + (1 << 40)), ("seen", lambda a: a[1:]),
    ],
)  # fmt: skip
def test_forged_slots_are_refused(tmp_path, name, change):
    learner = Bounded(WinnerTakesAll())
    learner.learn(*block_of([([1, 5], "red"), ([7, 9], "blue")]))
    save(learner, tmp_path / "model.npz")
    forged(tmp_path / "model.npz", lambda _, arrays: arrays.update({name: change(arrays[name])}))
    with pytest.raises(InvalidModel):
        load(tmp_path / "model.npz")


def test_why_it_decides_as_it_does():
    learner = Bounded(WinnerTakesAll("perceptron:margin=2:bias=false"), max_attributes=6, eligible=2)
    for i in range(12):
        for x, label in (({"rain"}, "wet"), ({"sun"}, "dry"), ({"snow", "rain"}, "white")):
            learner.learn_one({*x, f"name {i}"}, label)
    text = str(ls.explain(learner))
    assert "Class white" in text and "snow" in text and "were dropped" in text and "example number 2" in text
    found = ls.explain_example(learner, {"snow": 1, "sun": 1, "fog": 1})
    notes = {one.attribute: one.note for one in found.contributions}
    assert found.prediction == learner.predict_one({"snow", "sun", "fog"}) == "white"
    assert notes == {"snow": "", "sun": "not linked to the class", "fog": "pending"}
    scores = dict(zip(learner.classes, learner.activation(named("snow", "sun", "fog"))[0].tolist(), strict=True))
    assert found.activation == scores[found.prediction] == max(scores.values())
    assert found.total == sum(one.product for one in found.contributions)
    with pytest.raises(InvalidParameter, match="3; for many classes there is no pruning"):
        ls.prune(learner, below=0.5)


def test_by_position_it_is_explained_by_names_that_are_given():
    learner = Bounded(WinnerTakesAll("perceptron"), max_attributes=4)
    learner.learn([[1, 0, 1], [0, 1, 0], [0, 1, 1]], ["a", "b", "c"])
    found = ls.explain_example(learner, {"rain": 1, "wind": 1}, names=["rain", "sun", "wind"])
    assert {one.attribute for one in found.contributions} == {"rain", "wind"}
    assert found.prediction == learner.predict([[1, 0, 1]])[0]
    assert ls.explain_example(Bounded(WinnerTakesAll()), {"a": 1}).notes == ("There are no classes yet.",)


@pytest.mark.parametrize("many", [ls.Auto(), Delayed(WinnerTakesAll()), Bounded(WinnerTakesAll())])
def test_what_is_made_of_learners_is_not_bounded(many):
    with pytest.raises(InvalidParameter, match=r"Bounded: learner: expected one .* or WinnerTakesAll\(\), .* got"):
        Bounded(many)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda it: it.learn([[1] * 5], ["red"]), InvalidData, "row 0: expected at most max_attributes=4 .* got 5"),
        (lambda it: it.learn([[-1.0, 0]], ["red"]), InvalidData, "a value >= 0"),
        (lambda it: it.learn_one({"a"}, "red"), InvalidData, "by position, got names"),
        (lambda it: it.learn([[1, 0]], [7]), InvalidLabel, "such as 'red'"),
        (lambda it: it.learn([[1, 0]], ["new"], weight=[-1]), InvalidData, "weight"),
    ],
)
def test_a_refusal_changes_nothing(call, error, words):
    learner = Bounded(WinnerTakesAll(), max_attributes=4)
    learner.learn([[1, 0, 1], [0, 1, 1]], ["red", "blue"])
    before = learner.copy()
    with pytest.raises(error, match=words):
        call(learner)
    same(before, learner)
    with pytest.raises(InvalidLabel, match="class_weights: .* got 'red'"):
        Bounded(WinnerTakesAll(class_weights={"red": 2.0})).learn([[1]], [3])


def test_a_model_of_rows_with_names_has_probabilities(tmp_path):
    rng = np.random.default_rng(5)
    data = [({"colour": f"c{rng.integers(500)}", "kind": k}, f"is {k}") for k in rng.choice(list("abc"), 600)]
    X, y = [row for row, _ in data], [label for _, label in data]
    model = ls.Model.train(X, y, learner=Bounded(WinnerTakesAll(), max_attributes=100))
    assert model.learner.held <= 100
    assert model.learner.dropped
    assert model.predict(X[:9]).tolist() == y[:9]
    assert model.probabilities(X[:9]).sum(axis=1) == pytest.approx(1.0)
    model.save(tmp_path / "m.npz")
    assert ls.load(tmp_path / "m.npz").predict(X[:50]).tolist() == model.predict(X[:50]).tolist()
    assert model.explain(X[0]).prediction == y[0]


# Streams without end


def endless(number, size=1000, on=4, seed=0):
    """Yield blocks whose rows have one attribute that tells the class, and else names that come once."""
    rng = np.random.default_rng(seed)
    for part in range(number):
        told = rng.integers(0, 4, size)
        ids = np.arange(size * on).reshape(size, on) + size * on * part
        ids[:, 0] = -1 - told
        names, local = np.unique(ids, return_inverse=True)
        block = ls.Block.from_csr(np.arange(size + 1) * on, local.ravel().astype(np.int64))
        yield replace(block, names=tuple(map(str, names.tolist()))), np.array(LABELS)[told]


def test_names_without_end_take_no_room():
    """300,000 rows of ever-new names: the memory is that of a thousandth of them, and so is all that is kept."""
    learner = Bounded(WinnerTakesAll(), max_attributes=1000)
    used, sizes = [], []
    tracemalloc.start()
    for part, (block, y) in enumerate(endless(300, on=3)):
        learner.learn(block, y)
        del block, y
        if part % 10 == 0:
            used.append(tracemalloc.get_traced_memory()[0])
            sizes.append(sum(array.nbytes for array in learner.state().values()))
    tracemalloc.stop()
    assert learner.trials == 300_000
    assert learner.held <= 1000
    assert learner.held + learner.dropped == 300_000 * 2 + 4
    assert learner.mistakes < 100
    assert learner.links <= 4 * 1000
    assert max(used[10:]) < 1.5 * max(used[:5])  # a byte for each name that was dropped would be 600,000 more
    assert max(sizes[10:]) < 1.5 * max(sizes[:5])


def test_what_is_kept_can_be_asked_for_at_no_cost():
    """Of a learner that keeps a hundred times as many attributes, the counts come as fast, and copy nothing."""
    learner = Bounded(WinnerTakesAll("perceptron"), max_attributes=100_000)
    for block, y in endless(30):
        learner.learn(block, y)
    assert learner.held > 80_000
    tracemalloc.start()
    for _ in range(100):
        assert learner.held + learner.dropped == 30 * 3000 + 4
        assert learner.lost == learner.pruned == 0
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000
