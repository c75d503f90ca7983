"""Many classes: against slow twins, one block or many, from files and back."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.learners import MulticlassPerceptron, WinnerTakesAll
from littlestone.learners.calibrated import Calibrated
from littlestone.learners.delayed import Delayed
from littlestone.models.files import load, save
from littlestone.models.predictor import freeze
from littlestone.streams import SvmlightStream
from tests.naive import multiclass_perceptron as slow_perceptron
from tests.naive import winner_takes_all as slow

WORDS = np.array(["red", "green", "blue", "grey", "black"])
SNOW = {"alpha": 1.35, "demotion": 0.8, "theta": 4.0, "w1": 0.2}
LOWERED = np.log(0.8) / np.log(1.35)
# What is told to the learner, and what to its twin
SETTINGS = {
    "default": (
        {},
        {"weight_of": slow.power(1.35, 0.2), "down": LOWERED, "theta": 4.0, "margin": 2.0, "averaged": True},
    ),
    "SNoW": (
        {"learner": ls.Winnow(**SNOW, bias=True)},
        {"weight_of": slow.power(1.35, 0.2), "down": LOWERED, "theta": 4.0, "bias": True},
    ),
    "Winnow, constraints": (
        {"learner": "winnow:theta=1:margin=0.25", "policy": "proportional"},
        {"weight_of": slow.power(2.0, 1.0), "theta": 1.0, "margin": 0.25, "policy": "proportional"},
    ),
    "Perceptron": ({"learner": "perceptron"}, {"bias": True}),
    "Perceptron, averaged, all attributes": (
        {"learner": ls.Perceptron(margin=1), "linked": False, "averaged": True},
        {"bias": True, "margin": 1.0, "linked": False, "averaged": True},
    ),
    "balanced, top": (
        {"learner": ls.BalancedWinnow(alpha=1.3, margin=0.5), "policy": "top"},
        {"weight_of": slow.sinh(1.3, 1.0), "bias": True, "margin": 0.5, "policy": "top"},
    ),
    "balanced, uniform, averaged": (
        {"learner": "balanced-winnow/alpha=1.2/bias=false", "policy": "uniform", "averaged": True},
        {"weight_of": slow.sinh(1.2, 1.0), "policy": "uniform", "averaged": True},
    ),
    "weights of classes": (
        {"learner": "balanced-winnow", "class_weights": {"red": 2.5, "blue": 0}},
        {"weight_of": slow.sinh(1.5, 1.0), "bias": True, "margin": 0.0, "class_weights": {"red": 2.5, "blue": 0}},
    ),
    "balanced classes": (
        {"learner": "perceptron", "class_weights": "balanced", "policy": "uniform"},
        {"bias": True, "class_weights": "balanced", "policy": "uniform"},
    ),
}


def examples(seed=0, rows=160, n=14, *, real=False):
    """Rows of several classes, of which some come late; one attribute in three is on."""
    rng = np.random.default_rng(seed)
    X = rng.random((rows, n)) < 1 / 3
    y = WORDS[np.minimum(X[:, :5].argmax(axis=1), rng.integers(0, 1 + np.arange(rows) // 20))]
    return (X * rng.choice([0.5, 1.0, 2.0], X.shape) if real else X), y


def as_rows(X):
    return [{int(i): float(x[i]) for i in np.flatnonzero(x)} for x in np.asarray(X, dtype=float)]


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", SETTINGS)
def test_winner_takes_all_is_its_twin(name, weighted, real):
    told, slowly = SETTINGS[name]
    X, y = examples(len(name), real=real)
    weight = np.random.default_rng(1).choice([0.0, 0.5, 1.0, 3.0], len(y)) if weighted else np.ones(len(y))
    learner, twin = WinnerTakesAll(**told), slow.WinnerTakesAll(**slowly)
    expected = [twin.learn(row, label, w) for row, label, w in zip(as_rows(X), y.tolist(), weight, strict=True)]
    assert learner.learn(X, y, weight=weight).tolist() == expected
    assert learner.classes == tuple(twin.counts)
    assert {c: list(counts[:4]) for c, counts in learner.class_counts().items()} == twin.counts
    assert learner.updates == twin.updates
    assert learner.mistakes == sum(counts[1] for counts in twin.counts.values())
    weights = {i: by_class for i, by_class in learner.weights().items() if by_class}
    assert weights.keys() == twin.weights().keys()
    for i, by_class in twin.weights().items():
        assert weights[i] == pytest.approx(by_class, rel=1e-9, abs=1e-12)
    assert learner.links == sum(map(len, twin.links.values()))
    assert learner._machine.scale == pytest.approx(twin.scale(), rel=1e-6)


@given(
    policy=st.sampled_from(["top", "uniform", "proportional"]), margin=st.sampled_from([0.0, 0.5, 2.0]),
    averaged=st.booleans(), seed=st.integers(0, 10**6),
)  # fmt: skip
def test_the_multiclass_perceptron_is_its_twin(policy, margin, averaged, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (40, 4))
    y = rng.integers(0, 1 + np.arange(40) // 8)
    learner = MulticlassPerceptron(policy=policy, margin=margin, averaged=averaged, bias=False)
    twin = slow_perceptron.MulticlassPerceptron(4, policy=policy, margin=margin, averaged=averaged)
    if policy == "top":  # all numbers are whole: ties are ties
        assert learner.learn(X, y).tolist() == [twin.learn(x, label) for x, label in zip(X.tolist(), y, strict=True)]
        own = np.array([np.asarray(twin.M[c], dtype=float) for c in learner.classes])
        if not averaged:
            assert np.array_equal(own, [h.w for h in learner.hypotheses().values()])
        return
    for x, label in zip(X, y.tolist(), strict=True):  # shares are rounded: only while no decision is near
        activations = learner.activation(x[np.newaxis])[0] if learner.classes else np.zeros(0)
        if len(activations) > 1 and np.diff(np.sort(np.append(activations, activations - margin))).min() < 1e-9:
            return
        assert learner.learn_one(x, label) == twin.learn(x.tolist(), label)


@given(
    policy=st.sampled_from(["top", "uniform", "proportional"]), classes=st.integers(2, 5), n=st.integers(1, 5),
    told=st.booleans(), noise=st.sampled_from([0.0, 0.1, 0.5]), seed=st.integers(0, 10**6),
)  # fmt: skip
def test_the_bound_of_crammer_and_singer_holds(policy, classes, n, told, noise, seed):
    rng = np.random.default_rng(seed)
    M = rng.normal(size=(classes, n))
    X = rng.integers(-3, 4, (200, n))
    y = (X @ M.T).argmax(axis=1)
    y[rng.random(200) < noise] = rng.integers(classes)
    scores = X @ M.T
    own = scores[np.arange(200), y].copy()
    scores[np.arange(200), y] = -np.inf
    margins = own - scores.max(axis=1)
    learner = MulticlassPerceptron(policy=policy, bias=False)
    if told:
        learner.begin(labels=list(range(classes))[::-1])
    learner.learn(X, y)
    for gamma in (0.1, 1.0, 3.0, max(margins.min(), 1e-3)):
        bound = ls.bounds.multiclass_perceptron(
            radius=np.linalg.norm(X, axis=1).max(), norm=np.linalg.norm(M), gamma=gamma,
            losses=(np.maximum(0.0, gamma - margins) ** 2).sum(), new_classes=0 if told else len(learner.classes),
        )  # fmt: skip
        assert learner.mistakes <= bound.value


def test_targets_of_a_full_network_are_binary_learners():
    X, y = examples(3)
    learner = WinnerTakesAll("perceptron", linked=False).begin(14, labels=WORDS.tolist())
    learner.learn(X, y)
    for word, hypothesis in learner.hypotheses().items():
        alone = ls.Perceptron()
        alone.learn(X, y == word)
        assert np.array_equal(hypothesis.w, alone.hypothesis().w)
        assert hypothesis.theta == alone.hypothesis().theta


@pytest.mark.parametrize("size", [1, 7, 50])
@pytest.mark.parametrize(
    "make", [WinnerTakesAll, MulticlassPerceptron, lambda: WinnerTakesAll(class_weights="balanced")]
)
def test_blocks_do_not_matter_though_classes_come_late(make, size):
    X, y = examples(5)
    whole, parts = make(), make()
    expected = whole.learn(X, y).tolist()
    assert [label for at in range(0, len(X), size) for label in parts.learn(X[at : at + size], y[at : at + size])] == (
        expected
    )
    one, other = whole.state(), parts.state()
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[key], other[key]) for key in one)
    assert expected[0] is None
    assert whole.classes == tuple(dict.fromkeys(y.tolist()))


def test_labels_of_a_block_may_grow():
    X, y = examples(6)
    told = list(dict.fromkeys(y.tolist()))
    learner, plain = WinnerTakesAll(), WinnerTakesAll()
    for at in range(0, len(X), 40):
        labels = tuple(told[: 1 + max(told.index(label) for label in y[: at + 40])])
        part = y[at : at + 40]
        learner.learn(ls.Block.from_arrays(X[at : at + 40]).labelled([labels.index(c) for c in part], labels))
        plain.learn(X[at : at + 40], part)
    assert np.array_equal(learner.state()["links"], plain.state()["links"])
    assert learner.classes == plain.classes


@pytest.mark.parametrize("averaged", [False, True])
def test_hypotheses_explain_the_activations(averaged):
    X, y = examples(13, real=True)
    for learner in (WinnerTakesAll(ls.Winnow(**SNOW, bias=True), averaged=averaged), MulticlassPerceptron()):
        learner.learn(X, y)
        found = learner.hypotheses()
        assert tuple(found) == learner.classes
        for c, (w, theta) in enumerate(found.values()):
            assert X @ w - theta == pytest.approx(learner.activation(X)[:, c], abs=1e-9)
        assert learner.hypothesis() is None


def test_files_of_many_classes_are_streams(tmp_path):
    X, y = examples(14, real=True)
    path = tmp_path / "some.svm"
    numbers = [WORDS.tolist().index(label) for label in y]
    path.write_text(
        "".join(
            f"{label} {' '.join(f'{i + 1}:{x[i]:g}' for i in np.flatnonzero(x))}\n"
            for label, x in zip(numbers, X, strict=True)
        )
    )
    learner, plain = WinnerTakesAll(), WinnerTakesAll()
    run = ls.play(learner, SvmlightStream(path))
    plain.learn(X, numbers)
    assert run.mistakes == plain.mistakes == learner.mistakes
    assert learner.classes == plain.classes
    assert np.array_equal(learner.state()["links"], plain.state()["links"])


def test_games_streams_and_records():
    X, y = examples(7)
    stream = ls.from_arrays(X, y)
    learners = [WinnerTakesAll(), MulticlassPerceptron(averaged=True)]
    alone = [learner.copy() for learner in learners]
    runs = ls.play_all(learners, stream)
    for run, learner, other in zip(runs, learners, alone, strict=True):
        wrong = [a != b for a, b in zip(other.learn(X, y).tolist(), y.tolist(), strict=True)]
        assert run.mistakes == learner.mistakes == sum(wrong)
        assert run.mistake_trials.tolist() == np.flatnonzero(wrong).tolist()
        assert run.guarantee is None
    run = ls.play(WinnerTakesAll(), stream, record=True)
    assert np.flatnonzero(run.transcript.predictions != run.transcript.outcomes).tolist() == run.mistake_trials.tolist()


def test_names_one_at_a_time():
    X, y = examples(8)
    many, one = WinnerTakesAll(), WinnerTakesAll()
    expected = many.learn(X, y).tolist()
    names = [[f"a{i:02}" for i in np.flatnonzero(x)] for x in X]
    for row, label, said in zip(names, y.tolist(), expected, strict=True):
        assert one.predict_one(row) == said
        assert one.learn_one(row, label) == said
    assert one.class_counts() == many.class_counts()
    assert {name: w for name, w in one.weights().items() if w} == {
        f"a{i:02}": pytest.approx(w) for i, w in many.weights().items() if w
    }


def test_a_service_of_many_classes():
    X, y = examples(9)
    service, plain = Delayed(WinnerTakesAll()), WinnerTakesAll()
    for i, (x, label) in enumerate(zip(X, y.tolist(), strict=True)):
        said = service.predict_one(x, id=i)
        assert service.learn_one(i, label) == said == plain.learn_one(x, label)
    assert service.mistakes == plain.mistakes
    frozen = freeze(plain)
    before = plain.predict(X).tolist()
    plain.learn(X, np.where(y == "red", "blue", "red"))
    assert frozen.predict(X).tolist() == before != plain.predict(X).tolist()
    assert frozen.predict_proba(X).shape == (len(X), len(frozen.labels))


def test_a_teacher_of_two_labels_is_played():
    for learner in (WinnerTakesAll(), MulticlassPerceptron()):
        run = ls.play(learner, ls.teachers.Hadamard(d=3), trials=8)
        assert run.mistakes == learner.mistakes


LAWS = {
    "default": WinnerTakesAll(),
    "a learner with parameters, weights of classes": WinnerTakesAll(
        ls.BalancedWinnow(alpha=1.3, margin=0.5), policy="proportional", class_weights={"red": 2.0, "grey": 0.5}
    ),
    "a name": WinnerTakesAll("perceptron/eta=1/2", linked=False, averaged=True),
    "the Perceptron": MulticlassPerceptron(averaged=True, class_weights="balanced"),
}


@pytest.mark.parametrize("name", LAWS)
def test_save_load_and_go_on_is_never_having_stopped(name, tmp_path):
    X, y = examples(10)
    learner = LAWS[name].copy()
    learner.learn(X[:90], y[:90])
    save(learner, tmp_path / "model.npz")
    loaded = load(tmp_path / "model.npz")
    assert repr(loaded) == repr(learner)
    assert loaded.classes == learner.classes
    assert loaded.learn(X[90:], y[90:]).tolist() == learner.learn(X[90:], y[90:]).tolist()
    one, other = loaded.state(), learner.state()
    assert all(np.array_equal(one[key], other[key]) for key in other)
    save(learner, tmp_path / "a.npz")
    save(loaded, tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize("labels", [[3, 1, 2], [0.5, 2, 7], ["b", "a", "é\n"], [True, False]])
def test_labels_keep_their_types(labels, tmp_path):
    learner = WinnerTakesAll()
    learner.learn(np.eye(len(labels), dtype=bool), np.array(labels, dtype=object))
    save(learner, tmp_path / "model.npz")
    for again in (learner.copy(), load(tmp_path / "model.npz"), WinnerTakesAll.from_state({}, learner.state())):
        assert again.classes == tuple(labels)
        assert list(map(type, again.classes)) == list(map(type, labels))
        assert again.predict(np.eye(len(labels), dtype=bool)).tolist() == labels


def test_probabilities():
    X, y = examples(11, rows=2000)
    learner, raw = WinnerTakesAll(), WinnerTakesAll(calibrated=False)
    assert learner.predict_proba(X).shape == (len(X), 0)
    for it in (learner, raw):
        it.learn(X[:1500], y[:1500])
    at = [learner.classes.index(label) for label in y[1500:]]
    before = learner.state()
    p, q = learner.predict_proba(X[1500:]), raw.predict_proba(X[1500:])
    assert all(np.array_equal(value, before[key]) for key, value in learner.state().items())
    assert p.sum(axis=1) == pytest.approx(1.0)
    assert (p.argmax(axis=1) == learner.activation(X[1500:]).argmax(axis=1)).all()
    assert [learner.classes[i] for i in p.argmax(axis=1)] == learner.predict(X[1500:]).tolist()

    def loss(probabilities):
        return -np.log(probabilities[np.arange(len(at)), at] + 1e-300).mean()

    assert loss(p) < loss(q)
    assert loss(p) < np.log(len(learner.classes))
    two = MulticlassPerceptron()
    two.learn(X, X[:, 0])
    a = two.activation(X)
    odds = two._machine.scale * (a[:, 1] - a[:, 0])
    assert two.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-odds)))


def test_two_labels_are_calibrated_without_changing_the_game():
    rng = np.random.default_rng(2)
    X = rng.random((1200, 20)) < 0.3
    y = np.where(X[:, :3].any(axis=1) ^ (rng.random(1200) < 0.15), "spam", "ham")
    for make in (lambda: ls.Perceptron(averaged=True), ls.Winnow, lambda: ls.BalancedWinnow(margin=0.5)):
        plain, service = make(), Calibrated(make())
        assert service.learn(X[:600], y[:600]).tolist() == plain.learn(X[:600], y[:600]).tolist()
        again = Calibrated.from_state(service.params(), service.state())
        for x, label in zip(X[600:800], y[600:800].tolist(), strict=True):
            assert service.learn_one(x, label) == plain.learn_one(x, label)
        again.learn(X[600:800], y[600:800])
        assert service.learner.mistakes == plain.mistakes
        before = service.state()
        assert all(np.array_equal(value, before[key]) for key, value in again.state().items())
        p = service.predict_proba(X[800:])
        assert p.sum(axis=1) == pytest.approx(1.0)
        outcomes = y[800:] == service.learner.labels[1]

        def loss(positive, outcomes=outcomes):
            return -np.log(np.where(outcomes, positive, 1 - positive) + 1e-300).mean()

        assert loss(p[:, 1]) < min(loss(np.full(400, 0.5)), loss(1 / (1 + np.exp(-plain.activation(X[800:])))))
        assert (np.diff(p[np.argsort(plain.activation(X[800:])), 1]) >= 0).all()
    with pytest.raises(InvalidParameter, match="two labels"):
        Calibrated(WinnerTakesAll())
    with pytest.raises(InvalidData):
        service.learn(np.full((2, 20), np.nan), y[:2])


def test_memory_is_that_of_the_links():
    """300 classes and 300,000 attributes: 90 million weights if they were written out, 720 MB a layer."""
    rng = np.random.default_rng(0)
    rows, active = 4000, 30
    indices = (300_000 * rng.random((rows, active)) ** 3).astype(np.int64)
    indices = np.sort(indices, axis=1) + np.arange(active)
    block = ls.Block.from_csr(np.arange(0, rows * active + 1, active), indices.ravel(), n_attributes=300_100)
    labels = tuple(range(300))
    block = block.labelled(rng.integers(0, 300, rows), labels)
    for learner in (WinnerTakesAll(), MulticlassPerceptron(policy="top", averaged=True)):
        tracemalloc.start()
        learner.learn(block)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert 100_000 < learner.links < 2 * rows * active
        assert peak < 24 * 2 * 300_100 + 6 * 28 * learner.links
        assert len(learner.classes) == 300


def test_unlinked_attributes_count_nothing_and_are_not_demoted():
    learner = WinnerTakesAll(ls.Winnow(theta=2.5))
    learner.learn([[1, 1, 0], [0, 1, 1], [1, 1, 1]], ["a", "b", "a"])
    assert learner.weights() == {0: {"a": 2.0}, 1: {"a": 2.0, "b": 1.0}, 2: {"b": 1.0, "a": 1.0}}
    assert learner.links == 5


def test_ties_go_to_the_class_that_came_first():
    learner = MulticlassPerceptron().begin(2, labels=("z", "a", "m"))
    assert learner.predict([[1, 0]]).tolist() == ["z"]
    assert learner.activation([[1, 0]]).tolist() == [[0.0, 0.0, 0.0]]
    assert WinnerTakesAll().predict([[1, 0]]).tolist() == [None]
    assert WinnerTakesAll().predict_one({"a"}) is None
