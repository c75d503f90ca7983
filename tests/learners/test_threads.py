"""One thread learns, or any number ask: whoever comes in between is told so, and nothing is disturbed."""

import copy
import inspect
import json
import pickle
import subprocess
import sys
from threading import Event, Thread

import numpy as np
import pandas as pd
import pytest

import littlestone as ls
from littlestone.core.errors import InUse
from littlestone.engine.dicts import USABLE
from littlestone.learners import LEARNERS
from littlestone.learners.calibrated import Calibrated
from littlestone.learners.experts import Experts
from tests.models.test_model_file import same
from tests.thread_battery import MADE, MORE, NUMBERS

X, Y = np.eye(4, dtype=bool), np.array([0, 1, 1, 0])
LEARN = {"begin", "learn", "learn_one"}
OTHER = 1  # the number of a thread that is none of ours


def test_threads_do_not_disturb_each_other():
    """In a process of its own: four threads on each learner, and interrupts at any moment."""
    run = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "tests.thread_battery"],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-4000:]
    found = {told["name"]: told for told in map(json.loads, run.stdout.splitlines())}
    assert not [told for told in found.values() if "wrong" in told]
    assert found.keys() == {*LEARNERS, *MORE, *NUMBERS, "composites", "interrupted", "stopped"}
    assert all(found[name]["learned"] and found[name]["asked"] for name in (*LEARNERS, *MORE, *NUMBERS))
    assert sum(found[name]["refused"] > 0 for name in LEARNERS) > len(LEARNERS) // 2
    assert found["interrupted"]["came"] == 800
    assert found["stopped"]["came"] == 60 * len(MADE)


def methods(kind):
    """Return the public methods of a class, but for what says the parameters."""
    return [name for name, _ in inspect.getmembers(kind, inspect.isfunction) if name[0] != "_" and name != "params"]


def call(one, name):
    """Call a method; its arguments come too late to matter."""
    return getattr(one, name)(*{"learn_one": (None, None), "predict_one": (None,)}.get(name, ()))


@pytest.mark.parametrize(
    "make",
    [
        *LEARNERS.values(),
        lambda: Experts([ls.Perceptron()]),
        lambda: Calibrated(ls.Winnow()),
        lambda: ls.Restarting(ls.Winnow()),
        lambda: ls.Forgetting(ls.Winnow()),
        lambda: ls.Hedge(3),
    ],
)
def test_every_public_method_is_guarded(make):
    one = make()
    names = methods(type(one))
    assert LEARN & set(names) and len(names) > 1
    one._users.learner = OTHER
    for name in names:
        with pytest.raises(InUse, match=r"no other thread to use it .* copy\(\) of it, or let them ask"):
            call(one, name)
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(InUse):
            copied(one)
    assert repr(one)  # which may be wanted at any time
    one._users.learner, one._users.askers = 0, 1
    for name in LEARN & set(names):
        with pytest.raises(InUse):
            call(one, name)
    assert one.copy()._users.askers == pickle.loads(pickle.dumps(one))._users.askers == 0
    assert (one._users.learner, one._users.askers) == (0, 1)


def paused(learner, name):
    """Let the machine of a learner wait in a method; return how to know that it waits, and how to let it go on."""
    there, go, machine = Event(), Event(), learner._machine
    own = getattr(machine, name)

    def wait(*args):
        there.set()
        assert go.wait(20)
        return own(*args)

    setattr(machine, name, wait)
    return there, go


@pytest.mark.parametrize("kind", [ls.Perceptron, ls.Winnow, ls.KernelPerceptron, ls.WinnerTakesAll])
def test_the_second_thread_is_refused_and_the_first_is_not(kind):
    learner, alone = (kind().begin(4, labels=(0, 1)) for _ in range(2))
    there, go = paused(learner, "learn")
    said = []
    first = Thread(target=lambda: said.extend(learner.learn(X, Y).tolist()))
    first.start()
    assert there.wait(20)
    for second in (
        lambda: learner.learn(X, Y), lambda: learner.predict(X), lambda: learner.learn_one(X[0], 1),
        lambda: learner.predict_one({"a": 1}), learner.weights, learner.state, lambda: ls.freeze(learner),
        lambda: ls.play(learner, ls.from_arrays(X, Y)), lambda: ls.explain(learner),
    ):  # fmt: skip
        with pytest.raises(InUse):
            second()
    go.set()
    first.join()
    del learner._machine.learn
    assert said == alone.learn(X, Y).tolist()
    same(learner, alone)


def test_who_asks_a_learner_of_late_labels_waits_for_who_learns():
    """What it inherits and what it hands on to the learner inside wait, too."""
    service = ls.Delayed(ls.WinnerTakesAll().begin(4, labels=(0, 1)))
    there, go = paused(service.learner, "learn")
    first = Thread(target=lambda: service.learn(X, Y))
    first.start()
    assert there.wait(20)
    found = []
    asks = (service.state, service.weights, lambda: service.predict_proba(X), lambda: service.aligned(X))
    others = [Thread(target=lambda ask=ask: found.append(ask())) for ask in asks]
    for other in others:
        other.start()
    others[0].join(0.05)
    assert not found and all(other.is_alive() for other in others)
    go.set()
    for thread in (first, *others):
        thread.join(20)
    assert len(found) == len(asks)
    del service.learner._machine.learn


def test_who_asks_keeps_out_who_learns_and_lets_in_who_asks():
    learner = ls.Perceptron().begin(4, labels=(0, 1))
    learner.learn(X, Y)
    before, expected = learner.copy(), learner.predict(X).tolist()
    there, go = paused(learner, "score")
    said = []
    first = Thread(target=lambda: said.extend(learner.predict(X).tolist()))
    first.start()
    assert there.wait(20)
    for second in (lambda: learner.learn(X, Y), lambda: learner.learn_one(X[0], 1), learner.begin):
        with pytest.raises(InUse):
            second()
    assert learner.weights() == before.weights()
    go.set()
    first.join()
    assert said == expected
    del learner._machine.score
    same(learner, before)
    learner.learn(X, Y)


def test_a_thread_may_go_on_in_the_middle_of_its_own_call():
    class Own(ls.Perceptron):
        def learn_one(self, x, y):
            said = self.predict_one(x)
            self.learn(x[np.newaxis], np.array([y]))
            assert self.copy().trials == self.trials == int(self.state()["game"][0])
            return said

    learner, plain = Own().begin(4, labels=(0, 1)), ls.Perceptron().begin(4, labels=(0, 1))
    assert [learner.learn_one(x, y) for x, y in zip(X, Y, strict=True)] == plain.learn(X, Y).tolist()
    assert learner.weights() == plain.weights()


@pytest.mark.parametrize("wrong", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("learn", lambda learner: learner.learn_one({"a"}, 1)),
        ("learn_one", lambda learner: learner.learn_one({"a": 1}, 1)),
        ("score", lambda learner: learner.predict_one({"a"})),
        ("predict_one", lambda learner: learner.predict_one({"a": 1})),
    ],
)
def test_an_error_lets_go(name, use, wrong):
    learner = ls.Perceptron().begin(4, labels=(0, 1), names="abcd")
    if name.endswith("one") and not USABLE:
        pytest.skip("compiling is switched off")

    def fails(*_):
        raise wrong

    setattr(learner._machine, name, fails)
    with pytest.raises(wrong):
        use(learner)
    delattr(learner._machine, name)
    assert (learner._users.learner, learner._users.askers) == (0, 0)
    assert use(learner) in (0, 1)


@pytest.mark.parametrize("kind", [ls.Perceptron, ls.Winnow, ls.WinnerTakesAll])
def test_what_was_learned_before_an_interrupt_keeps_its_names_and_labels(kind):
    """An interrupt comes when a kernel returns: the block is learned, though nobody has counted it."""
    labels = None if kind is ls.WinnerTakesAll else ("no", "yes")
    learner, plain = (kind().begin(9, labels=labels) for _ in range(2))
    for one in (learner, plain):
        one.learn_one({"a": 1}, "no")
    frames = [pd.DataFrame(X, columns=list(names)) for names in ("abcd", "azyx")]
    own = learner._machine.learn

    def interrupted(*args):
        own(*args)
        raise KeyboardInterrupt

    learner._machine.learn = interrupted
    with pytest.raises(KeyboardInterrupt):
        learner.learn(frames[0], ["yes", "no", "yes", "no"])
    with pytest.raises(KeyboardInterrupt):
        learner.learn_one({"new"}, "yes")
    del learner._machine.learn
    plain.learn(frames[0], ["yes", "no", "yes", "no"])
    plain.learn_one({"new"}, "yes")
    for one in (learner, plain):
        one.learn(frames[1], ["no", "yes", "no", "yes"])
    assert learner.weights() == plain.weights()
    assert learner.labels == plain.labels
    assert (learner.trials, plain.trials) == (5, 10)


def test_callbacks_and_teachers_look_at_the_learner(tmp_path):
    learner, kept = ls.Winnow(), []

    def on_block(it):
        ls.save(it, tmp_path / "m.npz")
        kept.append((it.predict(np.eye(30, dtype=bool)).tolist(), ls.freeze(it).trials))

    ls.play(learner, ls.teachers.Disjunction(n=30, k=2, trials=300), on_block=on_block)
    assert kept[-1] == (learner.predict(np.eye(30, dtype=bool)).tolist(), 300)
    assert ls.play(ls.Winnow(), ls.teachers.Greedy(n=8, target={0, 1})).mistakes > 0


def test_facades_are_guarded():
    river, sklearn = pytest.importorskip("littlestone.river"), pytest.importorskip("littlestone.sklearn")
    model = river.PerceptronClassifier()
    model.learn_one({"a": 1}, True)
    model.learn_one({"a": 1}, False)
    model._learner._users.learner = OTHER
    for use in (lambda: model.learn_one({"a": 1}, True), lambda: model.predict_one({"a": 1}),
                lambda: model.predict_proba_one({"a": 1})):  # fmt: skip
        with pytest.raises(InUse):
            use()
    classifier = sklearn.WinnowClassifier().fit(X, Y)
    classifier.learner_._users.learner = OTHER
    for use in (lambda: classifier.partial_fit(X, Y), lambda: classifier.predict(X), lambda: classifier.coef_):
        with pytest.raises(InUse):
            use()


def changing(machine, name, values):
    """Let an attribute be another one each time it is read, as if other threads had set it in between."""
    left = list(values)
    whole = property(lambda _: left.pop(0) if len(left) > 1 else left[0], lambda *_: None)
    machine.__class__ = type(type(machine).__name__, (type(machine),), {name: whole})


def test_what_is_remembered_is_looked_at_once():
    """Threads that ask side by side set what the machines of kernels remember, each for its own row."""
    learner = ls.KernelWinnow(backend="local").begin(4, labels=(0, 1))
    learner.learn(X, Y)
    machine = learner._machine
    one, other = ((element, machine.value(element)) for element in (0b0010, 0b1111))
    assert one[1] != other[1]
    changing(machine, "_recent", [one, one, other])
    assert machine.value(one[0]) == one[1]
    learner = ls.KernelPerceptron("monotone:1", theta=1).begin(4, labels=(0, 1))
    learner.learn(X, Y)
    machine = learner._machine
    long, short = (np.arange(length) for length in (5, 2))
    changing(machine, "_table", [long, short])
    assert machine._way(5, 0)[1] is long
    changing(machine, "_values", [long.tolist(), short.tolist()])
    assert machine._of_literals(4) == 4
    experts = Experts([ls.Winnow(), ls.Perceptron()])
    changing(experts, "_powers", [np.ones(1), np.array([1.0, 0.5])])
    behind, powers = experts._weighed(np.array([[0], [9]]))
    assert powers[behind].ravel().tolist() == [1.0, 0.5**9]
