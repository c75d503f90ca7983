"""What is made of learners is a learner to everybody: played, checked, frozen, written down and taken up again."""

import copy
import json
from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidData, InvalidModel, InvalidParameter, TooLarge
from littlestone.learners import COMPOSITES, Bounded
from littlestone.learners.composite import Composite
from littlestone.theory.online_to_batch import longest_survivor
from tests.models.test_model_damage import forged, put

RNG = np.random.default_rng(3)
X = RNG.random((160, 8)) < 0.35
Y = X[:, :2].any(axis=1) ^ (RNG.random(160) < 0.1)
NAMES = [f"a{i}" for i in range(8)]
EXAMPLES = [{NAMES[i]: 1 for i in np.flatnonzero(row)} for row in X]

MADE = {
    "experts": lambda: ls.Experts([ls.Perceptron(), ls.Winnow(theta=2), ls.learners.AROW()], beta=0.7),
    "experts by coins": lambda: ls.Experts([ls.Perceptron(), ls.KernelPerceptron()], randomized=True, seed=5),
    "experts, each of its own": lambda: ls.Experts([
        ls.Calibrated(ls.Winnow(alpha=1.5, negations=True)), Bounded(ls.Winnow(theta=2), max_attributes=12),
        ls.Experts([ls.NaiveBayes(), ls.BalancedWinnow(negations=True)]),
    ]),
    "calibrated": lambda: ls.Calibrated(ls.Perceptron(averaged=True)),
    "calibrated, bounded": lambda: ls.Calibrated(Bounded(ls.Perceptron(w1=0.5))),
    "calibrated experts": lambda: ls.Calibrated(ls.Experts([ls.Winnow(theta=2), ls.Perceptron(w1=0.5)])),
    "delayed": lambda: ls.Delayed(ls.Winnow(theta=2), limit=7),
    "delayed, bounded": lambda: ls.Delayed(Bounded(ls.Perceptron(), max_attributes=12)),
    "delayed experts": lambda: ls.Delayed(ls.Experts([ls.Perceptron(), ls.KernelWinnow(theta=1)])),
    "delayed, many classes": lambda: ls.Delayed(ls.WinnerTakesAll()),
    "restarting": lambda: ls.Restarting(ls.Perceptron(averaged=True)),
    "restarting, bounded": lambda: ls.Restarting(Bounded(ls.Winnow(theta=2), max_attributes=12), delta=0.5),
    "restarting, many classes": lambda: ls.Restarting(ls.WinnerTakesAll()),
    "forgetting": lambda: ls.Forgetting(ls.Perceptron(averaged=True), window=30),
    "forgetting experts": lambda: ls.Forgetting(ls.Experts([ls.Winnow(theta=2), ls.NaiveBayes()]), window=50),
    "delayed, forgetting": lambda: ls.Delayed(ls.Forgetting(ls.Auto(), window=45)),
}  # fmt: skip
made = pytest.mark.parametrize("make", MADE.values(), ids=MADE)


def same(one, other):
    mine, theirs = one.state(), other.state()
    assert mine.keys() == theirs.keys()
    for key, array in mine.items():
        assert np.array_equal(array, theirs[key]), key
    assert repr(one) == repr(other)


@made
def test_it_keeps_the_contract_of_the_game(make):
    ls.check_learner(make())


@made
def test_it_is_played_and_goes_on_from_its_file(make, tmp_path):
    path = tmp_path / "model.npz"
    whole, half, expected = make(), make(), make().learn(X, Y).tolist()
    run = ls.play(whole, ls.from_arrays(X, Y))
    assert (run.trials, run.mistakes, run.learner) == (160, whole.mistakes, repr(whole))
    assert len(run.mistake_trials) == run.mistakes <= 80
    ls.play(half, ls.from_arrays(X[:70], Y[:70]))
    ls.save(half, path)
    assert ls.inspect_model(path)["format"] == 2
    for again in (ls.load(path), type(half).from_state(half.params(), half.state()), half.copy()):
        same(again, half)
        assert again.learn(X[70:], Y[70:]).tolist() == expected[70:]
        same(again, whole)
    ls.save(ls.load(path), tmp_path / "again.npz")
    assert path.read_bytes() == (tmp_path / "again.npz").read_bytes()


@made
def test_it_is_frozen(make):
    learner = make()
    learner.learn(X[:80], Y[:80])
    predictor = ls.freeze(learner)
    expected = learner.predict(X).tolist()
    learner.learn(X[80:], Y[80:])
    assert predictor.predict(X).tolist() == expected
    assert predictor.trials == 80
    assert predictor.labels == learner.labels
    assert learner.activation(X[:1])[0] == learner.activation_one(X[0]) if not learner.many_classes else True


def test_a_contest_of_all():
    found = ls.contest({name: make() for name, make in MADE.items() if "many" not in name}, ls.from_arrays(X, Y))
    for entry in found.entries:
        assert entry.refused is None, entry
        assert entry.runs[0].trials == 160
    assert found["calibrated"].runs[0].mistakes == np.count_nonzero(ls.Perceptron(averaged=True).learn(X, Y) != Y)


def test_what_waits_is_written_down(tmp_path):
    """Ids and names of any kind, dicts, lists, sets and arrays: pending examples survive the process."""
    asked = {
        "monday": {"rain": 1, "wind": True}, 7: ["sun"], ("x", 1): {"a", "b", "c"}, None: {}, 2.5: ("rain", "new"),
        "last": {"wind": np.float64(1), ("odd", 3): 1},
    }  # fmt: skip
    one = ls.Delayed(ls.Perceptron().begin(labels=("no", "yes")))
    one.learn_one({"rain"}, "yes")
    said = {name: one.predict_one(x, id=name) for name, x in asked.items()}
    ls.save(one, tmp_path / "model.npz")
    other = ls.load(tmp_path / "model.npz")
    assert (other.waiting, other.trials, other.mistakes) == (6, 1, one.mistakes)
    for i, name in enumerate(asked):
        y = ("no", "yes")[i % 2]
        assert other.learn_one(name, y) == one.learn_one(name, y) == said[name]
        same(one, other)
    vectors = ls.Delayed(ls.Winnow(theta=2).begin(3), limit=2)
    for i, row in enumerate([[1, 0, 0], [0, 1, 1], [1, 1, 0]]):
        vectors.predict_one(np.array(row), id=i)
    ls.save(vectors, tmp_path / "model.npz")
    again = ls.load(tmp_path / "model.npz")
    assert (again.waiting, again.dropped) == (2, 1)
    assert [again.learn_one(i, 1) for i in (1, 2)] == [vectors.learn_one(i, 1) for i in (1, 2)]
    same(vectors, again)


def test_an_id_that_cannot_be_written_down_is_named(tmp_path):
    service = ls.Delayed(ls.Perceptron())
    service.predict_one({"a"}, id=frozenset({1}))
    with pytest.raises(InvalidData, match=r"the ids of examples that wait: .*frozenset"):
        ls.save(service, tmp_path / "model.npz")


def test_examples_whose_labels_come_at_once():
    service, plain = ls.Delayed(ls.Winnow(theta=2)), ls.Winnow(theta=2)
    service.predict_one({"z"}, id="z")
    for x, y in zip(EXAMPLES, Y.tolist(), strict=True):
        assert service.predict_one(x) == plain.predict_one(x)
        assert service.learn_one(x, y) == plain.learn_one(x, y)
    assert (service.trials, service.mistakes, service.waiting) == (160, plain.mistakes, 1)
    for x in (("a0", "a1"), frozenset({"a0"})):  # these may be ids
        with pytest.raises(InvalidData, match="never asked"):
            service.learn_one(x, True)


def test_one_at_a_time_is_many():
    for make in MADE.values():
        many, one = make().begin(8, labels=(False, True), names=NAMES), make()
        one.begin(8, labels=(False, True), names=NAMES)
        rows = ls.Block.from_arrays(X)
        said = many.learn(replace(rows, names=tuple(NAMES)), Y)
        assert [one.learn_one(x, y) for x, y in zip(EXAMPLES, Y.tolist(), strict=True)] == said.tolist()
        assert one.mistakes == many.mistakes


def test_probabilities_of_one_example():
    service = ls.Calibrated(ls.Perceptron())
    service.learn(X, Y)
    shares = service.predict_proba_one(X[3])
    assert [*shares] == [False, True]
    assert list(shares.values()) == service.predict_proba(X[3:4])[0].tolist()


def test_learners_are_asked_for_where_one_has_no_weights_of_its_own():
    for make in MADE.values():
        learner = make()
        learner.learn(X, Y)
        assert isinstance(learner, Composite)
        with pytest.raises(InvalidParameter, match="made of learners"):
            longest_survivor(learner, X, Y)
        if learner.explained is not None and not learner.explained.inner:
            continue
        inside = r"made of learners \((learner|pool\.0, .*)\): give one of those"
        with pytest.raises(InvalidParameter, match=inside):
            ls.explain(learner)
        with pytest.raises(InvalidParameter, match=inside):
            ls.explain_example(learner, X[0])
        with pytest.raises(InvalidParameter, match="made of learners|prune: expected a learner"):
            ls.prune(learner)


# A refusal leaves no trace


def test_a_late_refusal_by_one_expert_leaves_all_as_they_were():
    """Several that may refuse while they learn, in any order, among those that do not."""
    late = [
        lambda: ls.KernelWinnow(theta=1, cap=3, backend="map"),
        lambda: Bounded(ls.Perceptron(), max_attributes=2),
        lambda: ls.learners.WeightedMajority(cap=3, max_size=2),
    ]
    refused = 0
    for order in ((0, 1), (1, 0), (0,), (1,), (2, 1), (1, 2, 0)):
        experts = ls.Experts([ls.Perceptron(), *(late[i]() for i in order), ls.Winnow(theta=2)])
        experts.begin(8, labels=(False, True), names=NAMES)
        for x, y in zip(EXAMPLES[:40], Y[:40].tolist(), strict=True):
            before = experts.copy()
            try:
                experts.learn_one(x, y)
            except (TooLarge, InvalidData):
                same(experts, before)
                refused += 1
            else:
                assert [learner.trials for learner in experts.pool] == [experts.trials] * len(experts.pool)
    assert refused > 50


def test_copies_are_made_only_where_several_may_refuse(monkeypatch):
    experts = ls.Experts([ls.Perceptron(), Bounded(ls.Perceptron(), max_attributes=12), ls.Winnow(theta=2)])
    experts.learn_one({"a"}, 1)
    experts.learn_one({"b"}, 0)
    copied = []
    monkeypatch.setattr(ls.Learner, "copy", lambda learner: copied.append(learner) or copy.deepcopy(learner))
    for x, y in zip(EXAMPLES, Y.tolist(), strict=True):
        experts.learn_one(x, int(y))
    assert copied == []
    assert [learner.refuses_late for learner in experts.pool] == [False, True, False]


def test_a_label_that_only_a_later_expert_refuses():
    experts = ls.Experts([ls.Perceptron(), ls.Perceptron().begin(labels=(0, 1))])
    experts.learn_one({"a"}, 1)
    before = experts.copy()
    with pytest.raises(ls.InvalidLabel):
        experts.learn_one({"b"}, -1)
    same(experts, before)


# Files that nobody wrote


@pytest.fixture
def model(tmp_path):
    experts = ls.Experts([ls.Calibrated(ls.Perceptron()), ls.Winnow(theta=2)])
    experts.learn(X, Y)
    service = ls.Delayed(experts)
    service.predict_one(np.ones(8), id="a")
    service.predict_one(np.ones(8), id="b")
    path = tmp_path / "model.npz"
    ls.save(service, path)
    return path


@pytest.mark.parametrize(
    ("array", "at", "value"),
    [("learner.errors", 0, -1), ("learner.errors", 1, 161), ("learner.counts", 0, 500), ("learner.counts", 1, -1),
     ("dropped", 0, -1), ("waiting_said", 0, 2), ("waiting_said", 1, -2), ("waiting_kinds", 0, 3),
     ("waiting_columns", 3, 8), ("waiting_columns", 3, -1), ("waiting_sizes", (0, 0), 7), ("waiting_sizes", (1, 1), 4),
     ("waiting_sizes", (0, 1), 1 << 40), ("learner.pool.0.scaling", 0, 1e9), ("learner.pool.0.scaling", 2, -1.0),
     ("learner.pool.0.scaling", 5, 1.5), ("learner.pool.0.scaling", 5, np.inf),
     ("learner.pool.0.learner.weights", (0, 0), np.nan), ("learner.pool.1.states", 0, 200)],
)  # fmt: skip
def test_a_forged_state_inside_is_refused(model, array, at, value):
    ls.load(model)
    forged(model, put(array, at, value))
    with pytest.raises(InvalidModel, match=r"model\.npz"):
        ls.load(model)


def deeper(header, times):
    """Put a learner so often into Calibrated, in words only."""
    for _ in range(times):
        header["params"] = {"learner": {"learner": [header["learner"], header["params"]]}}
        header["learner"] = "calibrated"
        part = {key: header[key] for key in ("labels", "promise", "game", "counts", "names", "inside")}
        header["inside"] = {"learner": part}


HEADERS = {
    "one less inside": lambda header: header["inside"]["learner"]["inside"].pop("pool.1"),
    "one more inside": lambda header: header["inside"].update(other=header["inside"]["learner"]),
    "none inside": lambda header: header.update(inside={}),
    "too deep": lambda header: deeper(header, 9),
    "much too deep": lambda header: deeper(header, 60),
    "another format": lambda header: header.update(format=1),
    "a newer format": lambda header: header.update(format=3),
    "too many": lambda header: header["params"]["learner"]["learner"][1].update(
        pool=[{"learner": ["perceptron", {}]}] * 1001
    ),
    "other mistakes": lambda header: header["inside"]["learner"]["counts"].update(mistakes=1),
    "another kind inside": lambda header: header["params"]["learner"]["learner"].__setitem__(0, "winnow"),
    "no learner inside": lambda header: header["params"].update(learner=3),
    "a part too much": lambda header: header["inside"]["learner"].update(more=1),
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_forged_header_is_refused(model, name):
    def change(header, arrays):
        del arrays
        HEADERS[name](header)

    forged(model, change)
    with pytest.raises(InvalidModel, match=r"model\.npz"):
        ls.load(model)


def test_too_much_inside_is_not_written(tmp_path):
    learner = ls.Perceptron()
    for _ in range(9):
        learner = ls.Calibrated(learner)
    with pytest.raises(InvalidParameter, match="at most 8 deep"):
        ls.save(learner, tmp_path / "model.npz")
    assert not (tmp_path / "model.npz").exists()


def test_code_inside_is_named(tmp_path):
    mine = ls.Calibrated(ls.QuasiAdditive(link=ls.link(lambda z: z * 1.0)))
    with pytest.raises(InvalidParameter, match="without code of its own"):
        ls.save(mine, tmp_path / "model.npz")


def test_a_checkpoint_of_experts(tmp_path):
    checkpoint = ls.Checkpoint(tmp_path / "model.npz", every=50)
    stream = ls.from_arrays(X, Y)
    learner, rest = checkpoint.resume(MADE["experts"](), stream)
    ls.play(learner, rest, trials=90, on_block=checkpoint)
    checkpoint.save(learner)
    learner, rest = ls.Checkpoint(tmp_path / "model.npz").resume(MADE["experts"](), stream)
    ls.play(learner, rest)
    whole = MADE["experts"]()
    ls.play(whole, stream)
    same(learner, whole)
    assert json.dumps(ls.inspect_model(tmp_path / "model.npz"))
    assert set(COMPOSITES) == {"experts", "delayed", "calibrated", "restarting", "forgetting"}
