"""Regressors are learners: names, forms, streams, copies, refusals and interrupts are as those of classifiers."""

import copy
import pickle
import random
import sys
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidLabel, LittlestoneError
from littlestone.machines.sound import Unsound
from tests.extremes import check_same
from tests.forging import spoil_counts, spoil_entry, spoil_shape
from tests.jumpy import jumpy  # noqa: F401 - a fixture
from tests.learners.regressors.kinds import KINDS
from tests.learners.test_forms import FORMS, row
from tests.learners.test_interrupts import stopped
from tests.learners.test_refusals import traces

RNG = np.random.default_rng(7)
N, ROWS = 8, 40
X = RNG.random((ROWS, N)) < 0.4
REAL = X * RNG.normal(size=X.shape)
Y = X[:, :3] @ [1.0, -0.5, 2.0] + RNG.normal(size=ROWS) * 0.1
NAMES = tuple(f"a{i}" for i in range(N))
each = pytest.mark.parametrize("kind", KINDS)
COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "from_state": lambda one: type(one).from_state(one.params(), one.state()),
}


@each
@pytest.mark.parametrize("how", COPIES.values(), ids=COPIES)
def test_copies_go_on_as_the_original_does(kind, how):
    learner = KINDS[kind]().begin(N, names=NAMES)
    block, dicts = named_rows()
    learner.learn(block[:20])
    twin, before = how(learner), learner.predict(block).tolist()
    assert twin.loss == learner.loss
    said = twin.learn(block).tolist()
    assert isinstance(twin.learn_one(dicts[3], 1.5), float)
    assert learner.predict(block).tolist() == before
    assert said == learner.learn(block).tolist()
    assert (learner.trials, twin.trials) == (60, 61)


def named_rows():
    dicts = [{NAMES[i]: 1 for i in np.flatnonzero(row)} for row in X]
    return replace(Block.from_arrays(X).numbered(Y), names=NAMES), dicts


@each
def test_all_forms_are_one_example(kind):
    game = [("a", 1.5), ("", 0.0), ("bc", 0.25), ("", -1.0), ("ad", 2.0), ("abcd", 0.5), ("b", 1.0)]

    def answers(learner, form):
        said = [learner.predict_one(form("")), learner.predict_one(form("a"))]
        for on, y in game:
            said += [learner.predict_one(form(on)), learner.learn_one(form(on), y)]
        return said

    expected = answers(KINDS[kind]().begin(4), row)
    for begun in ({"names": "abcd"}, {}):
        for name, form in FORMS.items():
            found = answers(KINDS[kind]().begin(4, **begun), form)
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, err_msg=name)
            assert begun == {} or found == expected  # without names their order is another, and so is that of sums


class InBlocks(ls.Stream):
    """Rows with numbers, few at a time."""

    n_attributes = N

    def __init__(self, rows, X):
        self.rows, self.X = rows, X

    def blocks(self, rows=8192):
        del rows
        for at in range(0, len(self.X), self.rows):
            yield Block.from_arrays(self.X[at : at + self.rows]).numbered(Y[at : at + self.rows])


@each
@pytest.mark.parametrize("rows", [X, REAL], ids=["Boolean", "real"])
def test_streams_are_their_rows(kind, rows):
    whole, parts, one = (KINDS[kind]().begin(N) for _ in range(3))
    said = whole.learn(rows, Y)
    assert parts.learn(InBlocks(7, rows)).tolist() == said.tolist()
    assert [one.learn_one(x, y) for x, y in zip(np.asarray(rows, float), Y.tolist(), strict=True)] == said.tolist()
    assert (parts.trials, parts.loss, parts.updates) == (whole.trials, whole.loss, whole.updates)
    assert one.state().keys() == parts.state().keys()
    check_same(whole.state(), parts.state(), "blocks")
    for asked in (InBlocks(11, rows), InBlocks(100, rows)):
        assert parts.predict(asked).tolist() == whole.predict(rows).tolist()
        assert parts.activation(asked).tolist() == whole.activation(rows).tolist()
    run = ls.play(KINDS[kind]().begin(N), InBlocks(9, rows))
    assert (run.loss, run.trials) == (whole.loss, ROWS)


@given(st.lists(st.integers(1, 9), max_size=8), st.sampled_from([*KINDS]), st.integers(0, 2**32))
def test_rows_of_ones_among_others_learn_alike_in_any_blocks(sizes, kind, seed):
    """A block whose values are all 1 is Boolean, and takes another way through kernels."""
    rng = np.random.default_rng(seed)
    rows = np.where(rng.random((20, 5)) < 0.3, rng.choice([1.0, 1.0, 1.0, 0.5, -2.0], (20, 5)), 0.0)
    y, whole, parts = rng.normal(size=20), *(KINDS[kind]().begin(5) for _ in range(2))
    said = whole.learn(rows, y).tolist()
    ends = [0, *np.minimum(np.cumsum(sizes), 20).tolist(), 20]
    again = [p for a, b in pairwise(ends) for p in parts.learn(rows[a:b], y[a:b]).tolist()]
    assert again == said
    check_same(whole.state(), parts.state(), "blocks")


@each
def test_new_names_grow_it(kind):
    """What is predicted of names that nobody has seen is what `learn_one` says first."""
    needs_n = KINDS[kind]().needs_n or KINDS[kind]().counts_all
    learner = KINDS[kind]().begin(40 if needs_n else None)
    for t in range(30):
        x = {f"n{t}": 1.0 + t % 3, f"n{t // 2}": 1.0, f"m{t % 4}": -0.5}
        said = learner.predict_one(x)
        assert learner.learn_one(x, float(t % 5)) == pytest.approx(said, rel=1e-12, abs=1e-12)
    assert len(learner.vocabulary) == 34
    assert len(learner.weights()) == 34
    assert np.isfinite([*learner.weights().values()]).all()
    twin = type(learner).from_state(learner.params(), learner.state())
    assert twin.predict_one({"n3": 1, "zebra": 2.0}) == learner.predict_one({"n3": 1, "zebra": 2.0})
    assert twin.learn_one({"n3": 1, "zebra": 2.0}, 1.0) == learner.learn_one({"n3": 1, "zebra": 2.0}, 1.0)


@each
def test_a_fixed_n_has_room_for_n_names(kind):
    learner = KINDS[kind]().begin(3)
    learner.learn_one({"a": 1, "b": 1, **{f"z{i}": 0 for i in range(50)}}, 1.0)
    assert len(learner.vocabulary) <= 3
    learner.learn_one({"c"}, 0.5)
    before = traces(learner)
    with pytest.raises(InvalidData, match="'d' is one more than the fixed n=3"):
        learner.learn_one({"d": 1}, 1.0)
    with pytest.raises(InvalidData, match="'d' is one more than the fixed n=3"):
        learner.predict_one({"d": 1})
    check_same(before, traces(learner), "a refusal")
    whole = KINDS[kind]().begin(2)
    frame = pd.DataFrame({"a": [1, 0], "b": [1, 1], "c": [0, 0]})
    assert whole.learn(frame, [1.0, 0.5]).shape == (2,)
    assert list(whole.vocabulary) == ["a", "b"]


BAD = {  # what is wrong with the last of three rows
    "an infinite value": lambda X, y: (np.vstack([X[:2], [[np.inf] * N]]), y, None),
    "a large value": lambda X, y: (np.vstack([X[:2], [[1e101] * N]]), y, None),
    "a negative weight": lambda X, y: (X, y, [1, 1, -1]),
    "a weight that is no number": lambda X, y: (X, y, [1, 1, np.nan]),
    "an outcome that is no number": lambda X, y: (X, [*y[:2], np.nan], None),
    "an infinite outcome": lambda X, y: (X, [*y[:2], -np.inf], None),
    "a large outcome": lambda X, y: (X, [*y[:2], 1e101], None),
    "a text": lambda X, y: (X, [*y[:2], "high"], None),
    "a text that looks like a number": lambda X, y: (X, [*map(str, y)], None),
    "nothing": lambda X, y: (X, [*y[:2], None], None),
    "a complex number": lambda X, y: (X, [*y[:2], 1j], None),
    "two outcomes a row": lambda X, y: (X, np.ones((3, 2)), None),
    "an outcome too few": lambda X, y: (X, y[:2], None),
}


@each
@pytest.mark.parametrize("what", BAD)
def test_a_refused_block_leaves_no_trace(kind, what):
    rows = np.eye(3, N) + np.eye(3, N, 5)
    fresh, begun, learned = KINDS[kind](), KINDS[kind]().begin(N), KINDS[kind]()
    learned.learn(np.eye(3, N), [0.0, 1.0, -0.5])
    for learner in (fresh, begun, learned):
        before = traces(learner)
        bad, y, weight = BAD[what](rows, [0.0, 1.0, 1.0])
        with pytest.raises(LittlestoneError):
            learner.learn(bad, y, weight=weight)
        check_same(before, traces(learner), what)
        assert (learner.loss, learner.trials) == (float(before["loss"]), 3 * (learner is learned))


@pytest.mark.parametrize("y", [np.nan, np.inf, "high", None, 1j, [1.0], 10**400, 1e101])
def test_an_outcome_by_name_that_is_no_number_is_refused(y):
    learner = ls.GradientDescent()
    learner.learn_one({"a": 1}, 1.0)
    before = traces(learner)
    with pytest.raises(InvalidLabel, match="row 0: expected"):
        learner.learn_one({"a": 1, "new": 1}, y)
    check_same(before, traces(learner), "a refusal")


@pytest.mark.parametrize("number", [1, True, np.float32(0.5), np.int8(3), np.bool_(1), 2**70])
def test_any_number_is_an_outcome(number):
    learner, twin = ls.GradientDescent(eta=0.01), ls.GradientDescent(eta=0.01)
    learner.learn_one({"a": 1}, number)
    twin.learn_one({"a": 1}, float(number))
    assert learner.weights() == twin.weights()


@pytest.mark.parametrize(("loss", "bad"), [("logistic", 1.5), ("logistic", -1e-9), ("linear-hinge:0", 0.5)])
def test_outcomes_that_the_loss_does_not_take_are_refused(loss, bad):
    for kind in (ls.GradientDescent, ls.ExponentiatedGradient, ls.NormalizedGradient, ls.AdagradRegression):
        learner = kind(loss_function=loss).begin(2)
        before = traces(learner)
        with pytest.raises(InvalidLabel, match=f"y: row 1: expected .* {loss.split(':')[0]} loss takes, got {bad:g}"):
            learner.learn([[1, 0], [0, 1]], [1.0, bad])
        with pytest.raises(InvalidLabel, match="expected"):
            learner.learn_one({"a": 1}, bad)
        check_same(before, traces(learner), "a refusal")


@each
@pytest.mark.usefixtures("jumpy")
def test_whatever_stops_a_row_it_is_counted_or_not(kind):
    """With a name that is new; the learner goes on, and so does what is made of its state."""
    base = KINDS[kind]().begin(9, names=["a", "b"])
    for t in range(6):
        base.learn_one({"ab"[t % 2]: 1.0}, float(t))

    def play(learner):
        return learner.learn_one({"a": 1, "new": 1}, 2.0)

    places = stopped(lambda: play(base.copy()), sys.maxsize)
    for place in np.linspace(1, places, 25, dtype=int).tolist():
        learner = base.copy()
        stopped(lambda: play(learner), place)  # noqa: B023
        assert learner.trials in (6, 7)
        learner.learn_one({"newer": 1, "new": 1}, 0.5)
        twin = type(learner).from_state(learner.params(), learner.state())
        assert twin.predict_one({"a": 1, "new": 1}) == learner.predict_one({"a": 1, "new": 1})


@each
def test_a_machine_says_what_its_state_is(kind):
    learner = KINDS[kind]().begin(N)
    learner.learn(REAL, Y)
    machine = learner.machine
    state = machine.state()
    machine.check_kinds(state)
    machine.check(state)
    with pytest.raises(Unsound):
        machine.check_kinds({**state, "more": np.zeros(1)})
    with pytest.raises(Unsound):
        machine.check_kinds({key: array for key, array in state.items() if key != "counts"})


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::littlestone.core.errors.DivergenceWarning")
@each
def test_a_forged_state_is_refused_or_predicts_numbers(kind):
    """Anything in it may be changed: what is taken up never predicts what is no number, and can be written down."""
    chance, refused, taken = random.Random(kind), 0, 0
    learner = KINDS[kind]().begin(N)
    learner.learn(REAL, Y)
    good = learner.machine.state()
    for _ in range(150):
        state = {key: array.copy() for key, array in good.items()}
        for _ in range(chance.choice((1, 1, 2))):
            keys = [key for key, array in state.items() if array.size]
            key = chance.choice(keys)
            how = chance.choice((spoil_entry, spoil_entry, spoil_shape))
            state[key] = how(chance, state[key])
            if chance.random() < 0.1:
                spoil_counts(chance, {}, state)
        machine = KINDS[kind]().begin(N).machine
        try:
            machine.check_kinds(state)
            machine.check(state)
        except Unsound:
            refused += 1
            continue
        taken += 1
        if machine.restore(state) or machine.size > 100:
            continue
        found = type(learner).from_state(learner.params(), learner.state() | state)
        width = found.machine.size
        rows = np.ones((3, width))
        if width:
            found.machine.grow(width)
            said = found._machine.score(rows_of(rows))[0]
            assert np.isfinite(said).all(), {key: state[key] for key in state}
    assert refused > 20 and taken > 5


def rows_of(rows):
    from littlestone.core.rows import rows_of as given

    return given(Block.from_arrays(rows))


@each
def test_every_public_method_is_guarded(kind):
    from littlestone.core.errors import InUse
    from tests.learners.test_threads import LEARN, OTHER, call, methods

    one = KINDS[kind]()
    names = methods(type(one))
    assert set(names) > LEARN and "losses" in names
    one._users.learner = OTHER
    for name in names:
        with pytest.raises(InUse):
            call(one, name)
    one._users.learner, one._users.askers = 0, 1
    for name in LEARN & set(names):
        with pytest.raises(InUse):
            call(one, name)


def test_a_full_covariance_of_too_many_coordinates_is_refused():
    for kind in (ls.VAWForecaster, ls.RidgeRegression):
        with pytest.raises(ls.errors.TooLarge, match="at most 8,192 coordinates for a full covariance, got 10,001"):
            kind().begin(10_000)
        learner = kind()
        learner.learn([[1.0, 2.0]], [1.0])
        before = traces(learner)
        wide = Block.from_csr([0, 1], np.array([9000], dtype=np.int64)).numbered([1.0])
        with pytest.raises(ls.errors.TooLarge, match="covariance"):
            learner.learn(wide)
        check_same(before, traces(learner), "a refusal")
        kind(covariance="diagonal").begin(10_000)
