"""Model files: what is saved and loaded goes on as if it had never stopped."""

import json
import math
import os
import stat
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidModel, InvalidParameter
from littlestone.learners import LEARNERS
from littlestone.models.files import inspect_model, load, save
from littlestone.models.files._header import FORMAT, MODEL, NESTED
from littlestone.parts.kernels import Conjunctions, Gaussian, Polynomial
from tests.forging import OTHERS as KINDS
from tests.games.test_checks import OPTIONS, OTHERS
from tests.golden.make import GOLDEN, recorded

SETTINGS = (
    {
        f"{name}, {o}": kind(**OPTIONS[o])
        for name, kind in LEARNERS.items()
        for o in OPTIONS
        if OPTIONS[o].keys() <= {*kind.parameter_names()}
    }
    | OTHERS
    | {f"{name}, once more": make() for name, make in KINDS.items()}
)


def data(rows=120, n=12):
    rng = np.random.default_rng(0)
    X = rng.random((rows, n)) < 0.3
    return X, X[:, :2].any(axis=1) ^ (rng.random(rows) < 0.05)


def code(learner):
    """Return the parameters that no file holds."""
    kernel = getattr(learner, "kernel", None)
    return {"kernel": kernel} if callable(kernel) and not isinstance(kernel, Conjunctions) else {}


def same(one, other):
    assert type(one) is type(other)
    states = one.state(), other.state()
    assert states[0].keys() == states[1].keys()
    for name, array in states[0].items():
        assert array.dtype == states[1][name].dtype
        assert array.tobytes() == states[1][name].tobytes(), name


@pytest.mark.parametrize("setting", SETTINGS)
def test_saved_and_loaded_goes_on_as_if_never_stopped(setting, tmp_path):
    X, y = data()
    prototype, path = SETTINGS[setting], tmp_path / "model.npz"
    for seen in (None, 0, 70):  # not begun, begun, half-way
        learner = prototype.copy()
        if seen is not None:
            learner.begin(12).learn(X[:seen], y[:seen])
        before = learner.copy()
        save(learner, path)
        same(learner, before)  # to save changes nothing
        loaded = load(path, **code(learner))
        same(loaded, learner)
        assert repr(loaded) == repr(learner)
        assert loaded.labels == learner.labels
        assert loaded.n == learner.n
        assert loaded.guarantee == learner.guarantee
    assert loaded.learn(X[70:], y[70:]).tolist() == learner.learn(X[70:], y[70:]).tolist()
    same(loaded, learner)
    assert loaded.activation(X).tolist() == learner.activation(X).tolist()
    paid = "loss" if isinstance(learner, ls.Regressor) else "mistakes"
    counts = ("trials", paid, "updates", "promotions", "demotions")
    assert [getattr(loaded, name) for name in counts] == [getattr(learner, name) for name in counts]


@pytest.mark.parametrize("setting", [*LEARNERS, *KINDS])
def test_values_and_names_go_on_too(setting, tmp_path):
    """Of every learner: rows of values, where it takes them, and examples with names."""
    make, path = LEARNERS[setting] if setting in LEARNERS else KINDS[setting], tmp_path / "model.npz"
    X, y = data(40)
    if make().domain in ("any", "non-negative"):
        learner = make().begin(12)
        learner.learn(X[:30] * np.linspace(0.25, 1.0, 12), y[:30])
        save(learner, path)
        loaded = load(path)
        same(loaded, learner)
        assert loaded.learn(X[30:] / 3, y[30:]).tolist() == learner.learn(X[30:] / 3, y[30:]).tolist()
        same(loaded, learner)
    learner = make().begin(12)
    for row, outcome in zip(X[:30], y[:30].astype(int).tolist(), strict=True):
        learner.learn_one({("a", i): 1 for i in np.flatnonzero(row).tolist()}, outcome)
    save(learner, path)
    loaded = load(path)
    same(loaded, learner)
    for row, outcome in zip(X[30:], y[30:].astype(int).tolist(), strict=True):
        x = {("a", i): 1 for i in np.flatnonzero(row).tolist()}
        assert loaded.learn_one(x, outcome) == learner.learn_one(x, outcome)
    same(loaded, learner)


def test_names_go_on_too(tmp_path):
    learner, path = ls.Winnow(theta=3), tmp_path / "model.npz"
    rows = [["sun", 3], [("colour", "red"), "sun", "wind\0"], [3, None, 2.5]]
    for row, label in zip(rows, (1, 0, 1), strict=True):
        learner.learn_one(row, label)
    save(learner, path)
    loaded = load(path)
    assert loaded.weights() == learner.weights()
    assert list(map(type, loaded.vocabulary)) == list(map(type, learner.vocabulary))
    for it in (loaded, learner):
        it.learn_one(["late", "sun"], 1)
    same(loaded, learner)
    assert inspect_model(path)["names"] == 6


@pytest.mark.parametrize(
    "labels",
    [(0, 1), (-1, 1), (False, True), ("ham", "spam"), ("\0", "a\0"), (1, 2.5), (False, 2), (-(2**70), 0.1), (0.0, 1)],
)
@pytest.mark.parametrize("kind", [ls.Perceptron, ls.learners.Bounded, ls.learners.WinnerTakesAll, ls.learners.Auto])
def test_labels_keep_their_types(kind, labels, tmp_path):
    if kind.many_classes and (isinstance(labels[0], bool) != isinstance(labels[1], bool) or labels[0] == "\0"):
        return  # many classes are of one kind, and go through arrays of NumPy, which drop a zero byte at the end
    learner = kind().begin(2, labels=labels)
    learner.learn([[1, 0], [0, 1]], [labels[1], labels[0]])
    save(learner, tmp_path / "model.npz")
    loaded = load(tmp_path / "model.npz")
    assert loaded.labels == labels
    assert list(map(type, loaded.labels)) == list(map(type, labels))
    said = loaded.predict_one(np.array([1, 0]))
    assert said == learner.predict_one(np.array([1, 0]))


def test_labels_that_are_not_settled_stay_so(tmp_path):
    learner = ls.Perceptron()
    learner.learn([[1.0]], [1])
    save(learner, tmp_path / "model.npz")
    loaded = load(tmp_path / "model.npz")
    loaded.learn([[1.0]], [-1])
    assert loaded.labels == (-1, 1)


@pytest.mark.parametrize(
    "learner",
    [
        ls.Winnow(alpha=Fraction(3, 2), theta=Fraction(10**400, 10**399 + 1)),
        ls.Winnow(alpha=np.float32(1.3), theta=np.int16(7)),
        ls.Perceptron(w1=np.linspace(-1, 1, 12).astype(np.float32)),
        ls.KernelPerceptron(theta=-(10**90), eta=Fraction(1, 7)),
        ls.KernelPerceptron(Conjunctions(monotone=True, max_size=3, include_empty=False)),
        ls.KernelPerceptron(Polynomial(degree=3, gamma=0.1)),
        ls.KernelPerceptron(Gaussian(gamma=0.3), budget=4),
        *(ls.QuasiAdditive(link=link, theta=0.3) for link in ls.links.LINKS.values()),
        ls.QuasiAdditive(link=ls.links.bayes(math.e, 0.0, 0.75), start=-1.0),
        ls.DirectedDrift(mode="synchronous", batch=5, seed=2**64 - 1),
    ],
    ids=repr,
)
def test_parameters_of_any_kind_come_back(learner, tmp_path):
    X, y = data()
    learner = learner.copy().begin(12)
    learner.learn(X, y)
    save(learner, tmp_path / "model.npz")
    loaded = load(tmp_path / "model.npz")
    same(loaded, learner)
    for name, value in learner.params().items():
        again = loaded.params()[name]
        assert type(again) is type(value)
        assert np.array_equal(again, value)


def test_code_is_given_again(tmp_path):
    path = tmp_path / "model.npz"
    arctan = ls.link(lambda z: math.atan(z))
    learner = ls.QuasiAdditive(link=arctan, eta=0.5)
    learner.learn(*data())
    save(learner, path)
    with pytest.raises(InvalidModel, match=r"link: it is code.*give load\(path, link=...\)"):
        load(path)
    with pytest.raises(InvalidParameter, match="got another"):
        load(path, link=ls.link(lambda z: 2.0 * math.atan(z)))
    with pytest.raises(InvalidParameter, match="eta: expected nothing"):
        load(path, link=arctan, eta=1.0)
    same(load(path, link=ls.link(lambda z: math.atan(z))), learner)
    for kernel in (np.dot, ls.kernels.wrapped(np.dot)):
        save(ls.KernelPerceptron(kernel), path)
        with pytest.raises(InvalidModel, match="give load"):
            load(path)
        assert load(path, kernel=kernel).kernel is kernel


class Mine(ls.Perceptron):
    """A learner that no register knows."""


def test_what_cannot_be_saved(tmp_path):
    path = tmp_path / "model.npz"
    for wrong, match in ((Mine(), "from_state"), (3, "expected a learner")):
        with pytest.raises(InvalidParameter, match=match):
            save(wrong, path)
    for options, match in (({"date": 3}, "date"), ({"position": -1}, "position")):
        with pytest.raises(InvalidParameter, match=match):
            save(ls.Perceptron(), path, **options)
    with pytest.raises(InvalidParameter, match="expected the name of a file, got a folder"):
        save(ls.Perceptron(), tmp_path)
    with pytest.raises(FileNotFoundError):
        save(ls.Perceptron(), tmp_path / "nowhere" / "model.npz")
    with pytest.raises(FileNotFoundError):
        load(path)
    assert list(tmp_path.iterdir()) == []


def test_the_header_says_what_it_is(tmp_path):
    path = tmp_path / "model.npz"
    stream = ls.teachers.Disjunction(n=100, k=3, trials=500)
    learner = ls.Winnow(seed=5)
    ls.play(learner, stream)
    save(learner, path, source=stream, date="2026-08-01", position=500)
    header = inspect_model(path)
    assert (header["format"], header["littlestone"], header["learner"]) == (1, ls.__version__, "winnow")
    assert header["params"]["seed"] == 5
    assert header["counts"]["mistakes"] == learner.mistakes
    assert header["provenance"] == {"source": repr(stream), "date": "2026-08-01", "position": 500}
    json.dumps(header)
    with np.load(path, allow_pickle=False) as file:  # any program that knows npz reads it
        assert json.loads(bytes(file["header"])) == header


def test_equal_learners_give_equal_files(tmp_path):
    one, other = tmp_path / "one.npz", tmp_path / "other.npz"
    for path in (one, other):
        learner = ls.Winnow()
        learner.learn(*data())
        save(learner, path)
    assert one.read_bytes() == other.read_bytes()
    save(load(one), other)
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("kind", ["Winnow", "Perceptron", "BalancedWinnow", "NormalizedWinnow", "NaiveBayes", "PNorm"])
def test_the_size_is_that_of_what_has_moved(kind, tmp_path):
    n, path = 1_000_000, tmp_path / "model.npz"
    learner = getattr(ls, kind)().begin(n)
    X = ls.Block(np.array([0, 100]), np.sort(np.random.default_rng(0).choice(n, 100, replace=False)).astype(np.uint32))
    for outcome in (True, False):
        learner.learn(X, [outcome])
    save(learner, path)
    assert path.stat().st_size < 8000
    same(load(path), learner)
    with pytest.raises(InvalidModel, match=r"max_bytes=\d+"):
        load(path, max_bytes=500)


def test_permissions_and_links_are_kept(tmp_path):
    path, link = tmp_path / "model.npz", tmp_path / "latest.npz"
    before = os.umask(0o027)
    try:
        save(ls.Perceptron(), path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    link.symlink_to(path)
    save(ls.Winnow(), link)
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert link.is_symlink()
    assert isinstance(load(path), ls.Winnow)


def test_a_failure_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "model.npz"
    save(ls.Perceptron(), path)
    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:

            def full(*_):
                raise OSError(28, "no space left")

            patch.setattr(os, name, full)
            patch.setattr(Path, "replace", full)
            with pytest.raises(OSError, match="no space"):
                save(ls.Winnow(), path)
        assert [p.name for p in tmp_path.iterdir()] == ["model.npz"]
        assert isinstance(load(path), ls.Perceptron)


# Golden files: what was written once must load for ever


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_files_load_and_predict_as_recorded(name):
    path = Path(__file__).parents[1] / "golden" / f"{name}.npz"
    learner = ls.load(path)
    assert recorded(learner, name) == json.loads(path.with_suffix(".json").read_text())
    assert learner.trials > 0
    assert ls.inspect_model(path)["format"] == int(name[6])


def test_there_is_a_golden_file_of_every_format():
    assert {int(name[6]) for name in GOLDEN} == {FORMAT, NESTED, MODEL}


def test_code_inside_a_learner_inside_is_refused_when_it_is_saved(tmp_path):
    def half(z):
        return 0.5 * z

    learner = ls.Bounded(ls.QuasiAdditive(link=ls.link(half)))
    learner.learn_one({"a"}, 1)
    with pytest.raises(InvalidParameter, match="without code of its own"):
        save(learner, tmp_path / "model.npz")


def test_a_bounded_learner_that_hears_of_n_later_can_be_loaded(tmp_path):
    learner = ls.Bounded().begin(labels=(0, 1))
    learner.learn_one({"a"}, 1)
    learner.begin(n=6)
    save(learner, tmp_path / "m.npz")
    again = load(tmp_path / "m.npz")
    same(again, learner)
    assert again.learn_one({"a", "b"}, 0) == learner.learn_one({"a", "b"}, 0)
