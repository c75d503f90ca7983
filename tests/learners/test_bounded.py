"""Bounded learners: the naive twin, any block size, names and positions, endless streams, and what is refused."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidModel, InvalidParameter
from littlestone.learners import LEARNERS, Bounded
from littlestone.learners.bounded import standing_alone
from littlestone.models.files import load, save
from tests.models.test_model_damage import forged
from tests.naive.bounded import BoundedPerceptron, BoundedWinnow

games = st.lists(st.tuples(st.sets(st.integers(0, 9), max_size=4).map(sorted), st.booleans()), min_size=1, max_size=60)
kinds = st.sampled_from(["perceptron", "winnow", "winnow, alpha 1.5"])
MAKERS = {
    "perceptron": (ls.Perceptron, lambda most, eligible: BoundedPerceptron(most, eligible)),
    "winnow": (lambda: ls.Winnow(theta=2), lambda most, eligible: BoundedWinnow(2, 2, most, eligible)),
    "winnow, alpha 1.5": (
        lambda: ls.Winnow(alpha=1.5, theta=3),
        lambda most, eligible: BoundedWinnow(1.5, 3, most, eligible),
    ),
}


def block_of(game, names=None):
    """Return a game as a block; with names, by a list of names of its own."""
    lengths = [len(row) for row, _ in game]
    block = ls.Block.from_csr(
        np.concatenate(([0], np.cumsum(lengths))), np.array([i for row, _ in game for i in row], int)
    )
    block = replace(block, names=names)
    return block.labelled([int(outcome) for _, outcome in game])


def same(one, other):
    a, b = one.state(), other.state()
    assert a.keys() == b.keys()
    for key in a:
        np.testing.assert_array_equal(a[key], b[key], err_msg=key)


@given(games, kinds, st.sampled_from([None, 4, 5, 8]), st.integers(1, 3), st.sampled_from([1, 3, 100]), st.booleans())
@settings(max_examples=300)
def test_it_is_its_naive_twin(game, kind, most, eligible, size, named):
    make, twin = MAKERS[kind][0], MAKERS[kind][1](most, eligible)
    learner = Bounded(make(), max_attributes=most, eligible=eligible).begin(labels=(0, 1))
    names = tuple(f"n{i}" for i in range(10)) if named else None
    expected = [twin.trial(row, outcome) for row, outcome in game]
    block = block_of(game, names)
    said = [label for at in range(0, len(game), size) for label in learner.learn(block[at : at + size]).tolist()]
    assert said == expected
    assert (learner.held, learner.dropped, learner.lost) == (len(twin.z), twin.dropped, twin.lost)
    assert most is None or learner.held <= most
    whole = Bounded(make(), max_attributes=most, eligible=eligible).begin(labels=(0, 1))
    whole.learn(block)
    same(learner, whole)


@given(games, kinds, st.sampled_from([None, 4, 6]), st.integers(0, 60))
def test_written_down_half_way_it_goes_on(game, kind, most, at):
    def make():
        return Bounded(MAKERS[kind][0](), max_attributes=most, eligible=2).begin(labels=(0, 1))

    block = block_of(game, tuple("abcdefghij"))
    whole, half = make(), make()
    whole.learn(block)
    half.learn(block[:at])
    resumed = Bounded.from_state(half.params(), half.state())
    for learner in (half.copy(), resumed):
        learner.learn(block[at:])
        same(whole, learner)


@given(games, kinds, st.sampled_from([4, 6, 8]))
def test_while_nothing_is_lost_it_is_the_learner_itself(game, kind, most):
    learner, plain = Bounded(MAKERS[kind][0](), max_attributes=most).begin(10), MAKERS[kind][0]().begin(10)
    block = block_of(game)
    said = learner.learn(block).tolist()
    if learner.lost == 0:
        assert said == plain.learn(block).tolist()
        assert learner.guarantee == plain.guarantee
        np.testing.assert_allclose(learner.hypothesis().w, plain.hypothesis().w)
    else:
        assert learner.guarantee is None


@pytest.mark.parametrize("size", [1, 7, 100])
@pytest.mark.parametrize("most", [5, 8, 10, None])
def test_more_names_than_n_are_dropped_or_refused_whatever_the_block(size, most):
    """Where fewer than n are kept, names that were dropped made room; else there is none for name n + 1."""
    names = tuple(f"n{i}" for i in range(100))
    block = block_of([([i], i % 2 == 0) for i in range(100)], names)

    def play(size):
        learner = Bounded(ls.Winnow(theta=2), max_attributes=most).begin(10, labels=(0, 1))
        for at in range(0, 100, size):
            learner.learn(block[at : at + size])
        return learner

    if most is None or most == 10:
        with pytest.raises(InvalidData, match="fixed n=10 names"):
            play(size)
    else:
        learner = play(size)
        assert learner.trials == 100
        assert learner.guarantee is None
        same(learner, play(100))


@given(st.permutations(range(6)), st.lists(st.sets(st.integers(0, 5), min_size=1), max_size=12), st.integers(0, 12))
def test_the_numbers_of_names_do_not_decide_what_is_dropped(numbers, rows, at):
    """As long as no row has two new names, in which case they are taken in as the row has them."""
    places = np.argsort(numbers)
    plain = Bounded(ls.Winnow(theta=2), max_attributes=4).begin(labels=(0, 1))
    other = plain.copy()
    for i, row in enumerate(rows):
        held = set(plain.weights())
        few = sorted(row, key=lambda name: (f"n{name}" not in held, name))
        game = few[: sum(f"n{name}" in held for name in few) + 1][:4]
        y = [int(i > at)]
        plain.learn(replace(block_of([(sorted(game), 1)]), outcomes=None, names=tuple(f"n{i}" for i in range(6))), y)
        moved = block_of([(sorted(places[name] for name in game), 1)])
        other.learn(replace(moved, outcomes=None, names=tuple(f"n{i}" for i in numbers)), y)
    same(plain, other)


@pytest.mark.parametrize("make", [ls.Perceptron, lambda: ls.Winnow(theta=4), lambda: ls.BalancedWinnow(averaged=True)])
@pytest.mark.parametrize("most", [None, 12, 6])
def test_values_and_example_weights(make, most):
    """Rows of real values, some of them with weights; with too little room something is lost, and all goes on."""
    rng = np.random.default_rng(2)
    X = rng.integers(0, 4, (300, 12)) / 2 * (rng.random((300, 12)) < 0.3)
    X[(X > 0).sum(axis=1) > 6] = 0
    y, weight = X[:, 0] > X[:, 1], rng.integers(0, 3, 300)
    learner, plain = Bounded(make(), max_attributes=most), make()
    said, expected = learner.learn(X, y, weight=weight), plain.learn(X, y, weight=weight)
    if most == 6:
        assert learner.lost
        again = Bounded(make(), max_attributes=most)
        parts = [again.learn(X[at : at + 7], y[at : at + 7], weight=weight[at : at + 7]) for at in range(0, 300, 7)]
        assert np.concatenate(parts).tolist() == said.tolist()
        same(learner, again)
    else:
        assert said.tolist() == expected.tolist()
        np.testing.assert_allclose(learner.hypothesis().w, plain.hypothesis().w)


def test_pending_attributes_do_not_count_and_eligible_ones_do():
    learner = Bounded(ls.Winnow(theta=2), eligible=3)
    learner.learn_one({"a", "b"}, 1)
    assert learner.weights() == {"a": 0.0, "b": 0.0}
    assert learner.predict_one({"a", "b"}) == 0
    learner.learn_one({"a", "b"}, 1)
    assert learner.mistakes == 2  # it could not learn
    assert learner.predict_one({"a", "b"}) == 1  # this would be the third time
    assert learner.weights() == {"a": 1.0, "b": 1.0}
    assert learner.learn_one({"a", "b"}, 1) == 1
    assert learner.weights() == {"a": 1.0, "b": 1.0}
    assert learner.guarantee is None


def test_millions_of_names_take_no_room():
    """The memory of a long stream of names that come once is that of a short one, and the rule is learned."""
    learner = Bounded(ls.Winnow(theta=64), max_attributes=2000)
    rng = np.random.default_rng(0)
    peaks = []
    tracemalloc.start()
    for part in range(20):
        wanted = rng.random(1000) < 0.3
        ids = np.arange(10_000).reshape(1000, 10) + 10_000 * part
        ids[:, 0] = np.where(wanted, 5_000_000, 5_000_001 + rng.integers(0, 50, 1000))
        names, local = np.unique(ids, return_inverse=True)
        block = ls.Block.from_csr(np.arange(1001) * 10, local.ravel())
        learner.learn(replace(block, names=tuple(map(str, names.tolist()))), wanted)
        peaks.append(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()
    assert learner.held <= 2000
    assert learner.dropped > 150_000
    assert learner.mistakes <= 10
    assert max(peaks[10:]) < 1.1 * max(peaks[:5])


@pytest.mark.slow
def test_five_million_names():
    learner = Bounded(ls.Winnow(theta=64), max_attributes=10_000)
    y = np.arange(10_000) % 3 == 0
    for part in range(56):
        ids = np.arange(100_000, dtype=np.uint32).reshape(10_000, 10) + np.uint32(100_000 * part + 10)
        ids[:, 0] = ~y
        learner.learn(ls.Block.from_csr(np.arange(10_001) * 10, ids.ravel()), y)
    assert learner.held <= 10_000
    assert learner.mistakes <= 10
    assert learner.dropped > 5_000_000


@pytest.mark.parametrize("named", [False, True])
def test_saved_and_loaded(tmp_path, named):
    rng = np.random.default_rng(1)
    game = [(sorted(rng.choice(50, 5, replace=False).tolist()), bool(rng.random() < 0.5)) for _ in range(200)]
    block = block_of(game, tuple(map(str, range(50))) if named else None)
    learner = Bounded(ls.Winnow(alpha=1.5, theta=4), max_attributes=20)
    learner.learn(block[:100])
    save(learner, tmp_path / "model.npz")
    again = load(tmp_path / "model.npz")
    assert repr(again) == repr(learner)
    same(again, learner)
    assert again.learn(block[100:]).tolist() == learner.learn(block[100:]).tolist()
    same(again, learner)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("held", lambda a: a + 5000), ("held", lambda a: a[::-1]), ("columns", lambda a: a * 0),
        ("seen", lambda a: a - a),
        ("last", lambda a: a + (1 << 40)), ("bounded", lambda a: -a), ("seen", lambda a: a[1:]),
        ("gone_columns", lambda a: np.array([5, 3])), ("gone_names", lambda a: np.array([2, 1], dtype=np.uint64)),
        ("gone_bits", lambda a: np.ones(3)),
    ],
)  # fmt: skip
def test_forged_slots_are_refused(tmp_path, name, change):
    learner = Bounded(ls.Winnow(theta=4), max_attributes=20)
    learner.learn(block_of([([1, 5], True), ([7, 9], False)]))
    save(learner, tmp_path / "model.npz")
    load(tmp_path / "model.npz")
    forged(tmp_path / "model.npz", lambda _, arrays: arrays.update({name: change(arrays[name])}))
    with pytest.raises(InvalidModel):
        load(tmp_path / "model.npz")


@pytest.mark.parametrize(
    "made",
    [ls.NormalizedWinnow, ls.PNorm, lambda: ls.Winnow(negations=True), lambda: ls.Perceptron(w1=np.zeros(3)),
     ls.learners.KernelWinnow, lambda: 3, lambda: Bounded(), lambda: played()],
)  # fmt: skip
def test_learners_whose_weights_do_not_stand_alone_are_refused(made):
    with pytest.raises(InvalidParameter, match="learner: expected"):
        Bounded(made())


def played():
    learner = ls.Perceptron()
    learner.learn([[1]], [1])
    return learner


def test_which_learners_can_be_bounded():
    assert {name for name, kind in LEARNERS.items() if standing_alone(kind())} == {
        "perceptron", "winnow", "balanced-winnow", "thresholded-beg", "bayes-beg", "elimination", "quasi-additive",
        "winner-takes-all", "multiclass-perceptron",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda it: it.learn([[1] * 5], [1]), "row 0: expected at most max_attributes=4 attributes, got 5"),
        (lambda it: it.learn([[1, 2, 0]], [1]), "Boolean|value"),
        (lambda it: it.learn_one({"a"}, 1), "by position, got names"),
        (lambda it: it.learn([[1, 0]], [7]), "label"),
    ],
)
def test_a_refusal_changes_nothing(call, words):
    learner = Bounded(ls.Elimination(), max_attributes=4)
    learner.learn([[1, 0, 1]], [1])
    before = learner.copy()
    with pytest.raises(ValueError, match=words):
        call(learner)
    same(before, learner)
    with pytest.raises(InvalidParameter, match="max_attributes"):
        Bounded(max_attributes=0)
    with pytest.raises(InvalidParameter, match="eligible"):
        Bounded(eligible=0)


@pytest.mark.parametrize("pruned", [False, True])
def test_n_is_not_fixed_below_the_names_that_are_kept(pruned, tmp_path):
    learner = Bounded(ls.Winnow(theta=2))
    learner.learn_one(set("abc"), 1)
    learner.learn_one(set("d"), 0)
    learner = ls.prune(learner, below=1.5).learner if pruned else learner
    before = learner.copy()
    with pytest.raises(InvalidParameter, match="Bounded: it has 4 attributes already, got n=3"):
        learner.begin(n=3)
    same(before, learner)
    learner.begin(n=4)
    ls.save(learner, tmp_path / "m.npz")
    same(ls.load(tmp_path / "m.npz"), learner)


def test_an_attribute_that_comes_back_after_it_was_dropped_is_new():
    learner = Bounded(ls.Perceptron(bias=False), max_attributes=2)
    learner.learn_one({"a": 1.0}, 0)
    for name in "bcde":
        learner.learn_one({name: 1.0}, 0)
    assert "a" not in learner.weights()
    assert learner.lost > 0
    assert learner.predict_one({"a": 1.0}) == 1
    with pytest.raises(InvalidData, match="max_attributes=2"):
        learner.learn_one({"a", "b", "c"}, 0)
