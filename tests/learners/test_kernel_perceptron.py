"""The kernel Perceptron: exact for any n, equal to the Perceptron over features written down."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core import threads as pool
from littlestone.core.block import Block
from littlestone.core.coins import coin
from littlestone.core.errors import InvalidParameter, UnknownSize
from littlestone.engine.sets import bits
from littlestone.learners import KernelPerceptron
from littlestone.machines.stored import exact_sums, mistakes
from littlestone.machines.stored import heaviest as search
from littlestone.parts.kernels import Conjunctions, Polynomial
from tests import strategies
from tests.naive import kernel_perceptron as naive

FOUR = [Conjunctions(), Conjunctions(monotone=True), Conjunctions(monotone=True, max_size=2), Conjunctions(max_size=2)]
kernels = st.builds(
    Conjunctions, monotone=st.booleans(), max_size=st.sampled_from([None, 0, 1, 2, 4]), include_empty=st.booleans()
)


def fields(kernel):
    return {name: getattr(kernel, name) for name in ("monotone", "max_size", "include_empty")}


def data(seed, n, rows, density=0.5):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, n)) < density
    return X, (X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3] | (rng.random(rows) < 0.1)).astype(int)


def same(a, b):
    one, other = a.state(), b.state()
    return one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)


def holding(kernel, rows, coefficients, **options):
    """A learner that has stored these mistakes."""
    block = Block.from_arrays(np.asarray(rows, dtype=bool))
    learner = KernelPerceptron(kernel, **options).begin(block.n_attributes, labels=(0, 1))
    state = learner.state() | {
        "stored": block.indptr, "attributes": block.indices, "coefficients": np.asarray(coefficients, dtype=np.int64),
    }  # fmt: skip
    return KernelPerceptron.from_state(learner.params(), state)


# Against the definition


@given(strategies.streams(max_n=5), kernels, st.sampled_from([0, 1, -2, Fraction(5, 2), 8]),
       st.sampled_from([1, Fraction(1, 3), 2]), st.data())  # fmt: skip
def test_it_is_the_perceptron_over_features_written_down(stream, kernel, theta, eta, data):
    weight = data.draw(st.none() | st.lists(st.integers(0, 3), min_size=len(stream.y), max_size=len(stream.y)))
    twin = naive.KernelPerceptron(stream.n, theta=theta, eta=eta, **fields(kernel))
    learner = KernelPerceptron(kernel, theta=theta, eta=eta).begin(stream.n, labels=(0, 1))
    said, at = [], 0
    for X, y in stream.blocks():
        part = None if weight is None else weight[at : at + len(y)]
        said += learner.learn(X, y, weight=part).tolist()
        at += len(y)
    assert said == twin.learn(stream.X.tolist(), stream.y.tolist(), weight)
    expected = [twin.value(row) for row in stream.X.tolist()]
    assert learner.value(stream.X) == expected
    assert np.sign(learner.activation(stream.X)).tolist() == [(v > theta) - (v < theta) for v in expected]
    assert learner.predict(stream.X).tolist() == [int(v >= theta) for v in expected]
    if kernel.max_size != 0 and stream.n <= 4:
        count, most = data.draw(st.sampled_from([(1, 2), (3, 3), (99, 4)]))
        best = sorted((-w, len(c), [2 * i + 1 - sign for i, sign in c]) for c, w in heaviest(twin, learner, stream))
        listed = [
            (tuple(f"not {x // 2}" if x % 2 else x // 2 for x in c), -eta * w) for w, size, c in best if size <= most
        ]
        assert learner.heaviest(count, max_size=most) == listed[:count]


def heaviest(twin, learner, stream):
    """All conjunctions of positive weight that do not hold in the same mistakes as a part of them."""
    stored = learner.state()
    rows = np.zeros((len(stored["coefficients"]), stream.n), dtype=int)
    for r, (first, last) in enumerate(zip(stored["stored"], stored["stored"][1:], strict=False)):
        rows[r, stored["attributes"][first:last]] = 1
    extent = {c: tuple(naive.holds(c, row) for row in rows.tolist()) for c in twin.w}

    def has_part(c):
        parts = [c[:i] + c[i + 1 :] for i in range(len(c))]
        return any(part in twin.w and extent[part] == extent[c] for part in parts)

    return [(c, w) for c, w in twin.w.items() if w > 0 and not has_part(c)]


@pytest.mark.parametrize(("kernel", "mistakes"), [*zip(FOUR, (46, 52, 64, 56), strict=True)])
def test_golden_counts(kernel, mistakes):
    X = np.random.default_rng(0).random((300, 12)) < 0.5
    learner = KernelPerceptron(kernel)
    learner.learn(X, X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3])
    assert learner.mistakes == learner.stored == learner.updates == mistakes


@pytest.mark.parametrize("seed", range(5))
def test_single_attributes_and_the_empty_conjunction_are_the_perceptron_with_a_bias(seed):
    X, y = data(seed, 30, 200)
    kernel, plain = KernelPerceptron("monotone:1"), ls.Perceptron()
    assert kernel.learn(X, y).tolist() == plain.learn(X, y).tolist()
    (w, theta), (u, other) = kernel.hypothesis(), plain.hypothesis()
    assert (w.tolist(), theta) == (u.tolist(), other)
    assert kernel.weights() == plain.weights()
    assert KernelPerceptron("monotone:2").hypothesis() is None


@given(st.integers(1, 5), st.data())
@settings(max_examples=150)
def test_mistakes_on_a_dnf_are_within_the_bound(n, data):
    monotone = data.draw(st.booleans())
    literal = st.tuples(st.integers(0, n - 1), st.sampled_from([1] if monotone else [0, 1]))
    size = data.draw(st.sampled_from([None, 1, 2]))
    terms = data.draw(st.lists(st.lists(literal, max_size=size or n, unique_by=lambda pair: pair[0]), max_size=3))
    rows = data.draw(st.lists(st.lists(st.integers(0, 1), min_size=n, max_size=n), min_size=1, max_size=60))
    X = np.array(rows)
    y = [int(any(all(row[i] == sign for i, sign in term) for term in terms)) for row in rows]
    learner = KernelPerceptron(Conjunctions(monotone=monotone, max_size=size)).begin(n, labels=(0, 1))
    learner.learn(X, y)
    assert learner.mistakes <= learner.guarantee.at(k=len(terms)).value


# Exact, whatever the size


def test_where_floats_fail_it_decides():
    n, x = 1100, np.arange(1100) < 100
    almost = x.copy()
    almost[0] = False
    learner = holding("monotone", [x, almost, almost, np.zeros(n)], [1, -1, -1, -1])
    assert (learner.value(x), learner.predict(x[np.newaxis]).tolist()) == (-1, [0])  # 2^100 - 2 2^99 - 1; floats: 0
    assert learner.activation(x[np.newaxis]).tolist() == [-1.0]
    every = np.ones(n)
    for kernel in ("monotone", "conjunctions"):
        learner = holding(kernel, [every, every, x], [1, -1, -1])
        assert learner.value(every) == -(2**100) == learner.activation(every[np.newaxis])[0]
        learner = holding(kernel, [every], [-1])
        assert learner.value(every) == -(2**n)  # beyond the floats
        assert learner.activation(every[np.newaxis])[0] == -np.finfo(float).max


@st.composite
def histograms(draw):
    """Counts of which large parts cancel."""
    hist = draw(st.lists(st.integers(-3, 3), min_size=1, max_size=150))
    for _ in range(draw(st.integers(0, 6))):
        at, far = draw(st.integers(0, len(hist) - 1)), draw(st.integers(0, 40))
        if far <= at:
            c = draw(st.sampled_from([-1, 1, 2, -5]))
            hist[at] += c
            hist[at - far] -= c << far
    return hist


@given(histograms(), st.booleans())
def test_carries_find_the_sign_of_any_sum(hist, falling):
    a, s = bits.carry(np.array(hist[::-1] if falling else hist), falling)
    total = sum(c << e for e, c in enumerate(hist))
    assert (a > 0) - (a < 0) == (total > 0) - (total < 0)
    assert abs((a << s) - total) * 2**15 <= abs(total)
    assert s > 0 or a == total


@pytest.mark.parametrize("kernel", [Conjunctions(), Conjunctions(monotone=True, max_size=40),
                                    Conjunctions(include_empty=False)])  # fmt: skip
@pytest.mark.parametrize("theta", [0, 5, Fraction(-7, 2), 10**30, -(2**400)])
def test_wide_rows_are_decided_as_whole_numbers_say(kernel, theta):
    X, y = data(3, 150, 120)
    learner = KernelPerceptron(kernel, theta=theta, eta=Fraction(2, 3)).begin(150)
    stored, said = [], []
    for row, outcome in zip(X, y.tolist(), strict=True):
        said.append(int(Fraction(2, 3) * sum(c * kernel(x, row) for x, c in stored) >= theta))
        if said[-1] != outcome:
            stored.append((row, 1 if outcome else -1))
    assert learner.learn(X, y).tolist() == said
    assert learner.value(X[0]) == Fraction(2, 3) * sum(c * kernel(x, X[0]) for x, c in stored)


@pytest.mark.parametrize("kernel", ["monotone", "monotone:2"])
def test_thresholds_and_rates_may_be_of_any_size(kernel):
    X, y = data(9, 8, 30)
    for scale in (Fraction(1, 10**400), 10**400):
        learner, plain = KernelPerceptron(kernel, theta=3 * scale, eta=scale), KernelPerceptron(kernel, theta=3)
        assert learner.learn(X, y).tolist() == plain.learn(X, y).tolist()
        assert learner.value(X) == [scale * value for value in plain.value(X)]
        assert np.array_equal(np.sign(learner.activation(X)), np.sign(plain.activation(X)))
        assert np.isfinite(learner.activation(X)).all() and np.isfinite(list(learner.weights().values())).all()
        rate = KernelPerceptron(kernel, eta=scale)
        rate.learn(X, y)
        assert np.sign(rate.activation(X)).tolist() == [(value > 0) - (value < 0) for value in rate.value(X)]


# Blocks, threads, stores

PLAYERS = [
    {}, {"kernel": "monotone"}, {"kernel": "conjunctions:2"}, {"kernel": "monotone", "theta": 2, "eta": 0.3},
    {"kernel": "monotone", "budget": 9}, {"budget": 12, "forget": "random", "seed": 5}, {"kernel": "gaussian:0.1"},
    {"kernel": "polynomial", "budget": 7}, {"budget": 8, "forget": "forgetron"}, {"kernel": "linear", "theta": 0.5},
    {"kernel": "monotone:3", "budget": 8, "forget": "forgetron"}, {"kernel": lambda x, y: x @ y + 1.0},
    {"kernel": "gaussian:0.2", "budget": 9, "forget": "random"},
]  # fmt: skip


@pytest.mark.parametrize("options", PLAYERS)
def test_neither_blocks_nor_threads_change_a_game(options, monkeypatch):
    X, y = data(4, 80, 150)
    whole = KernelPerceptron(**options).begin(80, labels=(0, 1))
    expected = whole.learn(X, y).tolist()
    scores = whole.activation(X)
    for size, threads, worth in ((1, 1, 1 << 21), (7, 3, 1), (150, 2, 1), (64, 5, 1)):
        monkeypatch.setattr(pool, "THREADS", threads)
        monkeypatch.setattr(pool, "WORTH", worth)
        monkeypatch.setattr(exact_sums, "MOST_ROWS", size)
        parts = KernelPerceptron(**options).begin(80, labels=(0, 1))
        said = [label for at in range(0, 150, size) for label in parts.learn(X[at : at + size], y[at : at + size])]
        assert said == expected
        assert same(parts, whole)
        assert np.array_equal(parts.activation(X), scores)


@pytest.mark.parametrize("options", PLAYERS[:6])
def test_bits_and_lists_store_the_same(options, monkeypatch):
    X, y = data(5, 300, 200, density=0.05)
    ends = []
    for sparse, kind in ((1e9, mistakes.Packed), (0.0, mistakes.Listed), (mistakes.SPARSE, mistakes.Store)):
        monkeypatch.setattr(mistakes, "SPARSE", sparse)
        learner = KernelPerceptron(**options).begin(300, labels=(0, 1))
        said = [*learner.learn(X[:90], y[:90]).tolist(), *learner.learn(X[90:], y[90:]).tolist()]
        assert isinstance(learner._machine._store, kind)
        ends.append((said, learner))
        assert same(KernelPerceptron.from_state(learner.params(), learner.state()), learner)
    assert ends[0][0] == ends[1][0] == ends[2][0]
    assert same(ends[0][1], ends[1][1]) and same(ends[1][1], ends[2][1])


def test_few_attributes_of_many_are_stored_as_lists_and_back():
    rng = np.random.default_rng(0)
    wide = Block.from_csr(np.arange(0, 1601, 8), np.sort(rng.integers(0, 12_500, (200, 8)) * 8 + np.arange(8)).ravel(),
                          n_attributes=100_000)  # fmt: skip
    y = rng.integers(0, 2, 200)
    learner = KernelPerceptron().begin(100_000)
    learner.learn(wide, y)
    assert isinstance(learner._machine._store, mistakes.Listed)
    dense = rng.random((300, 2000)) < 0.5
    for at in range(0, 300, 50):
        learner.learn(np.pad(dense[at : at + 50], ((0, 0), (0, 98_000))), rng.integers(0, 2, 50))
    assert isinstance(learner._machine._store, mistakes.Listed) == mistakes.prefers_lists(
        bits.words_for(100_000), learner._machine._store.on, learner.stored
    )


@pytest.mark.parametrize("kernel", ["monotone", "monotone:2", "linear", "gaussian"])
@given(stream=strategies.streams(max_rows=15))
def test_attributes_that_arrive_late_by_name(kernel, stream):
    known, growing = KernelPerceptron(kernel).begin(labels=(0, 1)), KernelPerceptron(kernel).begin(labels=(0, 1))
    expected = known.learn(stream.X, stream.y).tolist()
    for row, y, said in zip(stream.X, stream.y.tolist(), expected, strict=True):
        example = {f"a{i}" for i in np.flatnonzero(row)}
        value = growing.value(example)
        assert (growing.predict_one(example), int(value >= 0)) == (said, said)
        assert growing.learn_one(example, y) == said
    assert growing.weights() == {f"a{i}": w for i, w in known.weights().items() if stream.X[:, i].any()}


def test_attributes_may_keep_coming():
    rng = np.random.default_rng(0)
    learner, known = KernelPerceptron("monotone").begin(labels=(0, 1)), KernelPerceptron("monotone")
    known.begin(900, labels=(0, 1))
    for width in range(20, 900, 40):
        X, y = rng.random((20, width)) < 0.5, rng.integers(0, 2, 20)
        assert learner.learn(X, y).tolist() == known.learn(np.pad(X, ((0, 0), (0, 900 - width))), y).tolist()
    assert learner.value(X) == known.value(np.pad(X, ((0, 0), (0, 900 - width))))


@pytest.mark.parametrize("kernel", [Conjunctions(), Conjunctions(monotone=True, max_size=2)])
@pytest.mark.parametrize("sparse", [0.0, 1e9])
def test_equal_examples_are_stored_once(kernel, sparse, monkeypatch):
    monkeypatch.setattr(mistakes, "SPARSE", sparse)
    rng = np.random.default_rng(0)
    different = rng.random((7, 300)) < 0.2
    chosen, y = rng.integers(0, 7, 600), rng.integers(0, 2, 600)
    learner = KernelPerceptron(kernel).begin(300, labels=(0, 1))
    weight, gram, said = [0] * 7, kernel.gram(different, exact=True), []
    for which, outcome in zip(chosen.tolist(), y.tolist(), strict=True):
        said.append(int(sum(c * k for c, k in zip(weight, gram[which], strict=True)) >= 0))
        if said[-1] != outcome:
            weight[which] += 1 if outcome else -1
    assert learner.learn(different[chosen], y).tolist() == said
    assert learner.stored == np.count_nonzero(weight) < learner.updates
    assert sorted(learner.state()["coefficients"].tolist()) == sorted(c for c in weight if c)
    parts = KernelPerceptron(kernel).begin(300, labels=(0, 1))
    for at in range(0, 600, 7):
        parts.learn(different[chosen[at : at + 7]], y[at : at + 7])
        parts = KernelPerceptron.from_state(parts.params(), parts.state())
    assert same(parts, learner)


# Budgets


@given(strategies.streams(max_n=5, max_rows=40), kernels, st.integers(1, 6), st.sampled_from(["oldest", "random"]),
       st.sampled_from(["exact", "polynomial"]))  # fmt: skip
def test_a_budget_forgets_as_it_says(stream, kernel, budget, forget, kind):
    k = kernel if kind == "exact" else Polynomial()
    stored, said, updates = [], [], 0
    for row, y in zip(stream.X, stream.y.tolist(), strict=True):
        said.append(int(sum(c * k(x, row) for x, c in stored) >= 0))
        if said[-1] != y:
            if len(stored) == budget:
                del stored[coin(3, updates) % budget if forget == "random" else 0]
            stored.append((row, 1 if y else -1))
            updates += 1
    learner = KernelPerceptron(k, budget=budget, forget=forget, seed=3).begin(stream.n, labels=(0, 1))
    assert [s for X, y in stream.blocks() for s in learner.learn(X, y).tolist()] == said
    assert (learner.stored, learner.updates, learner.guarantee) == (len(stored), updates, None)
    assert learner.value(stream.X) == [sum(c * k(x, row) for x, c in stored) for row in stream.X]


# What it refuses


@pytest.mark.parametrize(
    "options",
    [
        {"kernel": 3}, {"kernel": "cubic"}, {"kernel": Conjunctions}, {"theta": np.nan}, {"eta": 0}, {"eta": "1"},
        {"budget": 0}, {"budget": 2.5}, {"forget": "newest"}, {"seed": -1},
        {"theta": 10**400, "budget": 3, "forget": "forgetron"},
        {"eta": Fraction(1, 10**400), "budget": 3, "forget": "forgetron"}, {"kernel": "linear", "theta": 10**400},
    ],
)  # fmt: skip
def test_wrong_parameters_are_refused_at_once(options):
    with pytest.raises(InvalidParameter):
        KernelPerceptron(**options)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda it: it.learn(np.array([[0.5, 1, 0, 0]]), [1]), "expected a Boolean value"),
        (lambda it: it.learn(np.ones((1, 5)), [1]), "fixed n=4"),
        (lambda it: it.value(np.ones((1, 5))), "fixed n=4"),
        (lambda it: it.value(np.ones(5)), "fixed n=4"),
        (lambda it: it.learn(np.ones((1, 4)), [1], weight=[0.5]), "a weight is a whole number"),
        (lambda it: it.heaviest(count=0), "count must be a whole number >= 1"),
        (lambda it: it.heaviest(max_size=-1), "max_size must be a whole number >= 0"),
    ],
)
def test_wrong_rows_are_refused_and_nothing_changes(call, says):
    learner = KernelPerceptron().begin(4, labels=(0, 1))
    learner.learn(np.eye(4), [0, 1, 0, 0])
    before = learner.copy()
    with pytest.raises(ValueError, match=says):
        call(learner)
    assert same(learner, before)


def test_what_needs_n_says_so():
    for kernel in (None, "conjunctions:2", np.dot):
        with pytest.raises(UnknownSize, match="the number of attributes is needed"):
            KernelPerceptron(kernel).learn_one({"a"}, 1)


def test_guarantees_are_given_where_a_theorem_holds():
    X, y = data(8, 10, 50)
    for options, value in (
        ({}, 9 * 2**10), ({"kernel": "monotone:2"}, 9 * 56), ({"kernel": "conjunctions:0"}, None), ({"theta": 1}, None),
        ({"budget": 5}, None), ({"kernel": "linear"}, None), ({"kernel": Conjunctions(include_empty=False)}, None),
    ):  # fmt: skip
        learner = KernelPerceptron(**options)
        learner.learn(X, y)
        assert (learner.guarantee and learner.guarantee.at(k=2).value) == value


def test_negations_are_named_and_the_heaviest_found():
    names = ["sun", "rain", "wind"]
    learner = KernelPerceptron().begin(3, labels=(0, 1), names=names)
    for on in product((0, 1), repeat=3):
        for _ in range(3):
            learner.learn_one({name for name, bit in zip(names, on, strict=True) if bit}, int(on[0] and not on[1]))
    best, weight = learner.heaviest(count=1)[0]
    assert best == ("sun", "not rain")
    assert weight > 0


def test_a_search_that_would_take_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(search, "MOST", 20_000)
    rng = np.random.default_rng(0)
    learner = holding("conjunctions", rng.random((400, 60)) < 0.5, np.ones(400))
    with pytest.raises(ls.TooLarge, match="lower count or max_size"):
        learner.heaviest(count=10**6, max_size=10)
    assert len(learner.heaviest(count=5, max_size=2)) == 5
