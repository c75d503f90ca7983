"""Auto: every expert is the learner that it is called, the vote is its box, and its bound holds on any sequence."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from littlestone import bounds, learners
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.core.rows import rows_of
from littlestone.engine.learning import covariances, full_pool
from littlestone.engine.learning import pool as engine
from littlestone.games.checks import _same, check_learner
from littlestone.learners import Auto
from littlestone.learners.auto import ROSTER
from littlestone.learners.calibrated import Calibrated
from littlestone.machines import pool, pool_sound
from littlestone.models.files import load, save
from tests import strategies
from tests.naive import auto as slow

NEAR = 1e-7  # a decision closer than this is rounding's
FULL = slice(len(ROSTER.diagonal), ROSTER.single)


@st.composite
def games(draw, values=strategies.ANY, classes=4):
    """Rows, and labels of some classes, which come when they come."""
    stream = draw(strategies.streams(values, max_n=5))
    few = draw(st.integers(1, classes))
    y = draw(st.lists(st.integers(0, few - 1), min_size=len(stream.X), max_size=len(stream.X)))
    return stream, np.array(y)


def numbered(y):
    """Return labels as numbers in the order in which they come."""
    seen = {}
    return [seen.setdefault(label, len(seen)) for label in y.tolist()]


def drawn(rows=400, n=12, classes=2, seed=0, real=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, n)) if real else (rng.random((rows, n)) < 0.3).astype(float)
    y = np.argmax(X @ rng.normal(size=(n, classes)) + 0.3 * rng.normal(size=(rows, classes)), axis=1)
    return X, y


def by_blocks(X, y, size):
    auto = Auto()
    said = [label for at in range(0, len(X), size) for label in auto.learn(X[at : at + size], y[at : at + size])]
    return auto, said


@settings(max_examples=40)
@given(games())
def test_the_vote_is_its_box(game):
    stream, y = game
    twin, auto = slow.Auto(stream.n), Auto().begin(stream.n)
    said = [label for (X, _), part in zip(stream.blocks(), np.split(y, stream.cuts), strict=True)
            for label in auto.learn(X, part).tolist()]  # fmt: skip
    codes = numbered(y)
    names = dict(zip(codes, y.tolist(), strict=True))
    for row, code, label in zip(stream.rows(), codes, said, strict=True):
        predicted = twin.learn(row, code)
        if twin.near < NEAR:
            return
        assert label == names.get(predicted)
    assert [expert.mistakes for expert in auto.experts] == twin.mistakes.tolist()
    np.testing.assert_allclose([expert.loss for expert in auto.experts], twin.losses, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("real", [True, False])
def test_long_games_are_their_box(classes, real):
    X, y = drawn(80 if real else 150, classes=classes, real=real)
    twin, auto = slow.Auto(X.shape[1]), Auto()
    said = auto.learn(X, y).tolist()
    codes = numbered(y)
    expected = [twin.learn(dict(enumerate(row)) if real else dict.fromkeys(np.flatnonzero(row), 1.0), code)
                for row, code in zip(X.tolist() if real else X, codes, strict=True)]  # fmt: skip
    names = dict(zip(codes, y.tolist(), strict=True))
    if twin.near > 1e-12:
        assert said == [names.get(code) for code in expected]
    np.testing.assert_allclose([expert.loss for expert in auto.experts], twin.losses, rtol=1e-6, atol=1e-7)
    assert all(expert.voting for expert in auto.experts[FULL])


def voting(auto):
    return [i for i, expert in enumerate(auto.experts) if expert.voting]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("real", [True, False])
def test_the_cut_is_its_box(real, classes, seed, monkeypatch):
    """The same experts stay, and what comes after is the same; a class that comes later is learned by them alone."""
    monkeypatch.setattr(pool, "CUT", 40)
    X, y = drawn(80 if real else 150, classes=classes, seed=seed, real=real)
    order = np.argsort(y > 1, kind="stable")
    X, y = X[order], y[order]
    twin, auto = slow.Auto(X.shape[1], cut=40), Auto()
    said = auto.learn(X, y).tolist()
    codes = numbered(y)
    expected = [twin.learn(dict(enumerate(row)) if real else dict.fromkeys(np.flatnonzero(row), 1.0), code)
                for row, code in zip(X.tolist() if real else X, codes, strict=True)]  # fmt: skip
    names = dict(zip(codes, y.tolist(), strict=True))
    assert voting(auto) == twin.here.tolist()
    assert len(twin.lanes) == engine.GROUP
    if twin.near > 1e-12:
        assert said == [names.get(code) for code in expected]
    np.testing.assert_allclose([expert.loss for expert in auto.experts], twin.losses, rtol=1e-6, atol=1e-7)
    assert auto.mistakes <= auto.guarantee.value
    assert auto.weights()


@settings(max_examples=40)
@given(games(), st.integers(1, 15), st.integers(0, 25), st.booleans())
def test_where_the_cut_falls_changes_nothing(tmp_path_factory, game, cut, split, weighted):
    """Blocks, files, weights of 0: the cut comes after the same trial; the bound holds before and after it."""
    stream, y = game
    weight = np.arange(len(y)) % 3 / 2 if weighted else None
    with patch.object(pool, "CUT", cut):
        whole, parts = Auto(), Auto()
        expected = whole.learn(stream.X, y, weight=weight).tolist()
        path, said = tmp_path_factory.mktemp("auto") / "model.npz", []
        for at in range(len(y)):
            if at == split and at:
                save(parts, path)
                parts = load(path)
            one = None if weight is None else weight[at : at + 1]
            said += parts.learn(stream.X[at : at + 1], y[at : at + 1], weight=one).tolist()
            assert weighted or parts.mistakes <= parts.guarantee.value
        assert said == expected
        _same(whole, parts, "row by row, and a file between")
        shares = whole.predict_proba(stream.X)
        save(whole, path)
        assert np.array_equal(load(path).predict_proba(stream.X), shares)
        counted = len(y) if weight is None else np.count_nonzero(weight)
        assert (len(voting(whole)) < 10) == (counted >= cut)


def test_the_best_expert_stays_whatever_it_is(monkeypatch):
    monkeypatch.setattr(pool, "CUT", 1000)
    X, y = drawn(1200, n=20, real=True)
    wide = ls.teachers.Disjunction(n=1000, k=5, trials=1500)
    for stream, kind in ((ls.from_arrays(X, y), "full"), (wide, "Winnow")):
        auto, before = Auto(), Auto()
        ls.play(auto, stream)
        ls.play(before, stream, trials=999)
        assert kind in before.best.name
        assert auto.experts[[one.name for one in before.experts].index(before.best.name)].voting


def test_models_of_before_there_was_a_cut_load(monkeypatch):
    """They have five counts, and are cut when they learn on."""
    X, y = drawn(300)
    old, new = Auto(), Auto()
    with patch.object(pool, "CUT", 10**9):
        old.learn(X[:200], y[:200])
    state = old.state()
    game = {name: array[:5] if name == "counts" else array for name, array in state.items()}
    old = Auto.from_state(old.params(), game)
    monkeypatch.setattr(pool, "CUT", 200)
    new.learn(X[:200], y[:200])
    assert len(voting(old)) == 17
    assert old.learn(X[200:], y[200:]).tolist() == new.learn(X[200:], y[200:]).tolist()
    assert voting(old) == voting(new)
    assert len(voting(new)) < 8


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("form", ["ones", "values"])
def test_every_expert_is_the_learner_that_it_is_called(form, weighted):
    """Bit for bit; a Winnow to rounding, which sums u and v apart."""
    X, y = drawn(500, n=30, seed=3)
    rows = sparse.csr_matrix(X * np.linspace(0.5, 3, 30) if form == "values" else X.astype(bool))
    weight = np.random.default_rng(4).random(400) * 3 if weighted else None
    auto = Auto().begin(labels=(0, 1))
    auto.learn(rows[:400], y[:400], weight=weight)
    asked = rows_of(auto._aligned(rows[400:])[0])
    scores = np.hstack((auto._pool.scores(asked)[:, 0], auto._pool.full_scores(asked)[0][:, 0]))
    for i, expert in enumerate(auto.experts[: ROSTER.single]):
        alone = eval(expert.name, vars(learners) | {name: getattr(learners, name) for name in learners.__all__})
        alone.begin(labels=(0, 1)).learn(rows[:400], y[:400], weight=weight)
        said = alone.activation(rows[400:])
        if "Winnow" in expert.name:
            np.testing.assert_allclose(scores[:, i], said, rtol=1e-9, atol=1e-9)
        else:
            assert np.array_equal(scores[:, i], said), expert.name


def test_what_engines_share_is_the_same():
    for name in ("MOST", "SAFE"):
        assert getattr(engine, name) == getattr(covariances, name)


@settings(max_examples=150)
@given(games(classes=5))
def test_the_bound_holds_on_any_sequence(game):
    stream, y = game
    auto = Auto()
    for at in range(len(y)):
        auto.learn(stream.X[at : at + 1], y[at : at + 1])
        bound = auto.guarantee
        assert auto.mistakes <= bound.value
        assert bound.name in bounds.THEOREMS
        assert bound.arguments["loss"] == min(expert.loss for expert in auto.experts if expert.voting)


def test_a_run_and_its_training_have_the_bound():
    auto = Auto()
    run = ls.play(auto, ls.teachers.Disjunction(n=50, k=3, trials=300, noise=0.1))
    assert run.mistakes <= run.guarantee.value == ls.training.stated_bound(auto).value
    auto.learn([[1] * 50], [1], weight=[2.0])
    assert auto.guarantee is None


@settings(max_examples=40)
@given(games(), st.integers(0, 25))
def test_blocks_and_files_change_nothing(tmp_path_factory, game, cut):
    stream, y = game
    whole, parts = Auto(), Auto()
    expected = whole.learn(stream.X, y).tolist()
    path = tmp_path_factory.mktemp("auto") / "model.npz"
    said = parts.learn(stream.X[:cut], y[:cut]).tolist()
    if cut:
        save(parts, path)
        parts = load(path)
    assert said + parts.learn(stream.X[cut:], y[cut:]).tolist() == expected
    _same(whole, parts, "a file between")


@pytest.mark.parametrize("late", ["attribute", "class"])
@pytest.mark.parametrize("size", [1, 64, 1000])
def test_experts_with_a_full_covariance_leave_for_good(late, size):
    X, y = drawn(300, n=full_pool.FEW + 2)
    X[:, -3:] = 0
    expected, _ = by_blocks(X[:200], y[:200], size)
    assert all(expert.voting for expert in expected.experts)
    if late == "attribute":
        X[200, -1] = 1
    else:
        y[200] = 2
    auto, said = by_blocks(X, y, size)
    whole = Auto()
    assert said == whole.learn(X, y).tolist()
    _same(auto, whole, "blocks")
    assert not any(expert.voting for expert in auto.experts[FULL])
    gone = [expert.mistakes for expert in auto.experts[FULL]]
    before = [expert.mistakes for expert in expected.experts[FULL]]
    assert all(0 <= now - then <= int(late == "class") for now, then in zip(gone, before, strict=True))
    assert auto.state()["roots"].size == 0
    assert auto.mistakes <= auto.guarantee.value


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_full_covariances_of_more_classes_have_fewer_attributes(size):
    """A third class finds nothing learned of those that are too many; a row that has one of them sends them away."""
    X, y = drawn(200, n=full_pool.FEW, classes=3)
    most = full_pool.few(3)
    y[:100] %= 2
    y[100] = 2
    X[:, most:] = 0
    auto, said = by_blocks(X[:150], y[:150], size)
    assert most == 172
    assert all(expert.voting for expert in auto.experts[FULL])
    X[150, most] = 1
    auto, said = by_blocks(X, y, size)
    whole = Auto()
    assert said == whole.learn(X, y).tolist()
    _same(auto, whole, "blocks")
    assert not any(expert.voting for expert in auto.experts[FULL])
    assert auto.mistakes <= auto.guarantee.value


def test_full_covariances_save_mistakes_in_many_classes():
    """The learners' own scores say so: with them, and without them, as where there are too many attributes."""
    X, y = drawn(1500, n=20, classes=6, real=True)
    few, many = Auto(), Auto()
    many.learn(np.eye(full_pool.FEW + 21)[-1:], y[:1])
    assert few.learn(X, y).shape == many.learn(X, y).shape
    assert not many.experts[FULL][0].voting
    assert few.mistakes < 0.9 * many.mistakes


def test_prediction_knows_who_will_leave():
    """A row with an attribute beyond the first few is predicted without the experts that it will send away."""
    X, y = drawn(60, n=20)
    wide = np.hstack((X, np.zeros((60, full_pool.FEW))))
    auto, named = Auto(), Auto().begin(labels=(0, 1))
    auto.learn(wide, y)
    for x, label in zip(X.astype(bool), y.tolist(), strict=True):
        named.learn_one([f"a{i}" for i in np.flatnonzero(x)], label)
    row = wide[:1].copy()
    row[0, -1] = 1
    share = auto.activation(row)
    auto.begin().learn(row, y[:1])
    assert not auto._pool.present[FULL].any()
    new = [f"new {i}" for i in range(full_pool.FEW)]
    before = named.copy()._scored_one(new)[1]
    assert share.shape == before.shape == (1, 2)
    assert named.predict_one(new) == named.learn_one(new, 0)


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_shares_sum_to_1_and_the_largest_is_predicted(classes):
    X, y = drawn(200, classes=classes, real=True)
    auto = Auto()
    auto.learn(X[:150], y[:150])
    shares = auto.predict_proba(X[150:])
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert (shares >= 0).all()
    assert np.array_equal(np.array(auto.classes)[shares.argmax(axis=1)], auto.predict(X[150:]))


def test_a_late_class_begins_as_one_that_has_never_been_seen():
    """Its target has learned that none of the earlier rows was of it."""
    X, y = drawn(300, classes=5, real=True)
    late, early = Auto(), Auto().begin(labels=tuple(range(6)))
    y[y == 4] = 3
    for auto in (late, early):
        auto.learn(X[:250], y[:250])
    width = 2 * len(ROSTER.diagonal)
    *_, fifth, sixth, spare = early.state()["numbers"].reshape(7, width, -1)
    assert np.array_equal(fifth, sixth)
    assert np.array_equal(fifth, spare)
    assert np.abs(late.state()["numbers"][-width:] - spare).max() > 0  # that began with the third class
    before = late.state()["numbers"][-width:]
    late.learn(X[250:251], [5], weight=[0.0])
    assert late.classes[-1] == 5
    *_, own, spare = late.state()["numbers"].reshape(6, width, -1)
    assert np.array_equal(own, before)
    assert np.array_equal(spare, before)


def test_one_label_only_and_labels_given_before():
    X, _ = drawn(50)
    auto = Auto()
    assert auto.predict(X[:1]).tolist() == [None]
    assert auto.learn(X, np.full(50, "yes")).tolist() == [None] + ["yes"] * 49
    assert auto.mistakes == 1
    told = Auto().begin(labels=("no", "yes"))
    assert told.learn(X, np.full(50, "yes")).tolist()[1:] == ["yes"] * 49
    assert told.classes == ("no", "yes")


def test_losses_of_long_games_do_not_wipe_out_weights():
    X, y = drawn(300)
    auto, later = Auto(), Auto()
    for one in (auto, later):
        one.learn(X[:100], y[:100])
    later._pool._ledger[:, 0] += 2.0**23  # as after some ten million trials
    assert auto.learn(X[100:], y[100:]).tolist() == later.learn(X[100:], y[100:]).tolist()


@pytest.mark.parametrize("scale", [1e-100, 1e-3, 1e3, 1e99])
def test_values_of_any_size(scale):
    X, y = drawn(300, real=True)
    auto = Auto()
    said = auto.learn(X * scale, y)
    assert np.isfinite(auto.state()["numbers"]).all()
    assert np.isfinite(auto.state()["ledger"]).all()
    assert np.isin(said[1:], (0, 1)).all()
    assert auto.mistakes <= auto.guarantee.value
    if 1e-3 <= scale <= 1e3:
        assert auto.mistakes < 100


def test_weights_of_examples():
    X, y = drawn(200)
    for weight in (1e-100, 1e100):
        auto = Auto()
        auto.learn(X, y, weight=np.full(200, weight))
        assert all(np.isfinite(array).all() for array in auto.state().values() if array.dtype.kind == "f")
    still, fresh = Auto().begin(12, labels=(0, 1)), Auto().begin(12, labels=(0, 1))
    still.learn(X, y, weight=np.zeros(200))
    fresh._pool.grow(12)
    assert (still.trials, still.updates) == (200, 0)
    for name in ("numbers", "constants", "means", "roots", "mu", "sigma", "ledger"):
        assert np.array_equal(still.state()[name], fresh.state()[name])


def test_few_relevant_attributes_among_many():
    """Where additive learners fail, it keeps up with Winnow."""
    for n in (1000, 10_000):
        stream = ls.teachers.Disjunction(n=n, k=5, trials=1500)
        runs = ls.play_all([Auto(), ls.Winnow(), ls.Perceptron()], stream)
        assert runs[0].mistakes < 1.1 * runs[1].mistakes < 0.3 * runs[2].mistakes


def test_it_says_who_has_led():
    auto = Auto()
    ls.play(auto, ls.teachers.Disjunction(n=100, k=3, trials=500))
    best = auto.best
    assert best in auto.experts[: ROSTER.single]
    assert best.loss == min(expert.loss for expert in auto.experts[: ROSTER.single] if expert.voting)
    assert set(auto.weights()) == set(range(100))
    assert auto.weights()[0][1] == -auto.weights()[0][0]
    assert auto.hypothesis() is None
    assert best.name == ls.explain(auto).whose
    assert best.name in str(ls.explain(auto))
    assert best.name in str(ls.explain_example(auto, np.eye(100)[3]))


def test_the_battery_and_refusals(monkeypatch):
    check_learner(Auto)
    auto = Auto()
    auto.learn(np.eye(3), [0, 1, 0])
    with pytest.raises(InvalidData, match="names"):
        auto.learn_one({"a": 1}, 1)
    with pytest.raises(InvalidParameter, match="two labels"):
        Calibrated(Auto())
    monkeypatch.setattr(pool_sound, "MOST_NUMBERS", 1000)
    with pytest.raises(TooLarge, match="hash"):
        Auto().learn(np.eye(100), np.arange(100) % 2)


@pytest.mark.parametrize(
    ("name", "harm"),
    [
        ("numbers", lambda a: a[:-1]),
        ("numbers", lambda a: -a - 1.0),
        ("constants", lambda a: a[:, :-1]),
        ("means", lambda a: a[:, :-1]),
        ("roots", lambda a: a[:, :-1]),
        ("ledger", lambda a: -a),
        ("told", lambda a: a[:-1]),
        ("counts", lambda a: a + 1),
        ("parts", lambda a: a[:2]),
        ("parts", lambda a: a - 1.0),
        ("parts", lambda a: a + 1e9),
        ("watch", lambda a: a[:0]),
        ("watch", lambda a: a[:, :1]),
        ("watch", lambda a: a + 2),
        ("watch", lambda a: a - 64),
        ("watch", lambda a: np.repeat(a, 7, axis=0)),
        ("mu", lambda a: a * np.nan),
    ],
)
@pytest.mark.parametrize("classes", [2, 4])
def test_forged_states_are_refused(name, harm, classes):
    from littlestone.models.files import _sound

    auto = Auto()
    auto.learn(*drawn(50, classes=classes))
    state = {key: array for key, array in auto.state().items() if key not in ("game", "labels")}
    _sound.check_state(Auto(), {"n": None, "width": 0}, state)
    with pytest.raises(_sound.Unsound):
        _sound.check_state(Auto(), {"n": None, "width": 0}, state | {name: harm(state[name])})


def peers(folder):
    """Return the mistakes in % of Vowpal Wabbit's logistic and hinge defaults, the better of the two, set by set."""
    lines = (folder / "README.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    start = next(i for i, row in enumerate(rows) if row[:3] == ["set", "logistic", "hinge"])
    return {row[0]: min(float(row[1]), float(row[2])) for row in rows[start + 2 :]}


def test_fewer_mistakes_than_the_best_peer_on_real_sets(data_folder):
    ratios = {}
    for name, percent in peers(data_folder).items():
        run = ls.play(Auto(), ls.open(data_folder / f"{name}.libsvm.gz"))
        assert not run.changes(), name  # so that nothing begins anew
        ratios[name] = run.mistakes / round(percent * run.trials / 100)
        assert run.mistakes <= run.guarantee.value
    assert len(ratios) >= 28
    assert np.mean([ratio < 1 for ratio in ratios.values()]) >= 0.75, ratios
    assert np.exp(np.mean(np.log(list(ratios.values())))) <= 0.95


@pytest.mark.parametrize("name", ["qc_train", pytest.param("20newsgroups_train", marks=pytest.mark.slow)])
def test_fewer_mistakes_in_many_real_classes(name, data_folder):
    stream = ls.open(data_folder / f"{name}.libsvm.gz")
    players = [Auto(), learners.WinnerTakesAll(), learners.MulticlassPerceptron(averaged=True)]
    mistakes = [run.mistakes for run in ls.play_all(players, stream)]
    assert mistakes[0] < 0.85 * min(mistakes[1:])


@pytest.mark.parametrize(("n", "seed"), [(6, 4), (14, 15), (6, 0), (9, 1)])
def test_what_is_written_down_has_the_same_bytes_however_rows_came(n, seed):
    """The sign of zeros too: a third class changes all signs of what the first two have in common."""
    rng = np.random.default_rng(seed)
    X = (rng.random((50, n)) < 0.1) * rng.choice([1.0, 1.0, 0.5, -1.0], (50, n))
    y = rng.integers(0, 3, 50)
    whole, single = Auto().begin(labels=(0, 1, 2)), Auto().begin(labels=(0, 1, 2))
    whole.learn(X, y)
    for r in range(len(X)):
        single.learn(X[r : r + 1], y[r : r + 1])
    other = single.state()
    assert [name for name, array in whole.state().items() if array.tobytes() != other[name].tobytes()] == []
