"""Threads that use one learner at once, in a process of their own: what crashes here kills no test run.

``python -m tests.thread_battery`` prints a line of JSON for each kind of learner: what was refused, what was learned.
"""

import json
import signal
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from threading import Thread
from time import perf_counter

import numpy as np

import littlestone as ls
from littlestone.core.block import Block
from littlestone.core.errors import InUse
from littlestone.learners import LEARNERS
from littlestone.learners.calibrated import Calibrated
from littlestone.learners.experts import Experts
from littlestone.learners.regressors import REGRESSORS, Regressor

N, ROWS, SECONDS = 10, 40, 0.05
NAMES = tuple(f"a{i}" for i in range(N))
MORE = {  # options that bring another machine
    "bounded winnow": lambda: ls.Bounded(ls.Winnow(theta=3), max_attributes=9),
    "bounded classes": lambda: ls.Bounded(ls.WinnerTakesAll("perceptron"), max_attributes=9),
    "kernel perceptron, bounded": lambda: ls.KernelPerceptron("monotone:2", theta=1, budget=20),
    "kernel perceptron, by table": lambda: ls.KernelPerceptron("conjunctions:2", theta=3),
    "kernel perceptron, linear": lambda: ls.KernelPerceptron("linear", theta=1),
    "kernel winnow, local": lambda: ls.KernelWinnow(max_size=2, backend="local"),
    "direct bayes, map": lambda: ls.DirectBayes(backend="map"),
    "arow, full": lambda: ls.AROW(covariance="full"),
    "perceptron, negations": lambda: ls.Perceptron(negations=True, averaged=True),
}


NUMBERS = {**REGRESSORS, "vaw, diagonal": lambda: ls.VAWForecaster(covariance="diagonal")}


def data(seed=0, rows=ROWS):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, N)) < rng.uniform(0.1, 0.6, rows)[:, np.newaxis]
    return X, (X[:, :2].any(axis=1) ^ (rng.random(rows) < 0.1)).astype(np.int64)


def named(X, y):
    """Return the rows as a block with names, and as dicts."""
    block = replace(Block.from_arrays(X), names=NAMES).labelled(y)
    return block, [{NAMES[i]: 1 for i in np.flatnonzero(row)} for row in X]


def ready(make):
    """Return a learner that knows how many attributes there are and, unless it predicts numbers, the labels."""
    learner = make()
    return learner.begin(N) if isinstance(learner, Regressor) else learner.begin(N, labels=(0, 1))


def together(tasks, seconds=SECONDS):
    """Let each task run again and again in a thread; return what they gave, and how often one was refused."""
    given, failed, refused, end = [], [], [0], perf_counter() + seconds

    def run(task):
        at = 0
        while perf_counter() < end and not failed:
            try:
                given.append(task(at))
            except InUse:
                refused[0] += 1
            except BaseException as error:  # noqa: BLE001 -- it is told below
                failed.append(f"{type(error).__name__}: {error}")
            at += 1

    threads = [Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed
    return given, refused[0]


def learned_by_many(make):
    """Let two threads learn blocks, one single examples, and one ask; what succeeded must be what was learned."""
    X, y = data()
    block, dicts = named(X, y)
    learner = ready(make)

    def cost(said, outcomes):
        if isinstance(learner, Regressor):
            return float(learner.measure(said, outcomes).sum())
        return int(np.count_nonzero(said != outcomes))

    def blocks(at):
        part = block[at % ROWS : at % ROWS + 9]
        return len(part), cost(learner.learn(part), part.outcomes)

    def one(at):
        said = learner.learn_one(dicts[at % ROWS], int(y[at % ROWS]))
        return 1, cost(np.array([said]), y[at % ROWS : at % ROWS + 1])

    def ask(at):
        learner.predict(block[: at % ROWS])
        learner.predict_one(dicts[at % ROWS])
        learner.activation(block[:5])
        learner.copy()
        return 0, 0

    given, refused = together([blocks, blocks, one, ask])
    assert learner.trials == sum(rows for rows, _ in given), "trials"
    if isinstance(learner, Regressor):
        assert np.isclose(learner.loss, sum(cost for _, cost in given), rtol=1e-9), "loss"
        twin = type(learner).from_state(learner.params(), learner.state())
        assert twin.learn(block).tolist() == learner.copy().learn(block).tolist(), "what comes of it"
        return {"refused": refused, "learned": learner.trials}
    if not hasattr(learner, "tested_rows"):  # Directed Drift is not tested on all rows
        assert learner.mistakes == sum(mistakes for _, mistakes in given), "mistakes"
    with tempfile.TemporaryDirectory() as folder:
        ls.save(learner, Path(folder) / "m.npz")
        loaded = ls.load(Path(folder) / "m.npz")
    for twin in (loaded, type(learner).from_state(learner.params(), learner.state())):
        assert twin.learn(block).tolist() == learner.copy().learn(block).tolist(), "what comes of it"
    return {"refused": refused, "learned": learner.trials}


def asked_by_many(make):
    """Let four threads ask: each must hear what one alone hears, also of a learner that remembers nothing yet."""
    block, dicts = named(*data())
    learner = ready(make)
    learner.learn(block)
    asked = [named(*data(seed, rows))[0] for seed, rows in ((1, 3), (2, 11), (3, 1), (4, 30))]
    expected = [(learner.predict(b).tolist(), learner.activation(b).tolist()) for b in asked]
    alone = [learner.predict_one(x) for x in dicts]
    cold = [type(learner).from_state(learner.params(), learner.state()) for _ in range(20)]

    def ask(at):
        b, x, it = (at * 7) % len(asked), at % ROWS, cold[at // 11 % len(cold)]
        assert it.predict(asked[b]).tolist() == expected[b][0], "predict"
        assert it.activation(asked[b]).tolist() == expected[b][1], "activation"
        assert it.predict_one(dicts[x]) == alone[x], "predict_one"

    given, refused = together([ask, lambda at: ask(at + 1), lambda at: ask(at + 2), lambda at: ask(at + 3)])
    assert refused == 0, "nobody learned"
    return {"asked": len(given)}


def composites():
    """Let threads learn with what is made of learners."""
    X, y = data()
    _, dicts = named(X, y)
    found = {}
    for name, service in {
        "experts": Experts([ls.Perceptron(), ls.Winnow(theta=2)]),
        "calibrated": Calibrated(ls.Perceptron()),
    }.items():
        service.learn_one(dicts[0], int(y[0]))
        given, refused = together([
            lambda at, s=service: s.learn_one(dicts[at % ROWS], int(y[at % ROWS])) in (0, 1),
            lambda at, s=service: s.learn_one(dicts[at % ROWS], int(y[at % ROWS])) in (0, 1),
            lambda at, s=service: s.predict(named(X, y)[0][: at % 9]) is None,
        ])  # fmt: skip
        own = service.trials if name == "experts" else service._seen
        assert own == 1 + sum(given), name
        for learner in getattr(service, "pool", [getattr(service, "learner", None)]):
            assert learner.trials == own, name
        found[name] = refused
    hedge = ls.Hedge(2)
    given, found["hedge"] = together([lambda _: len(hedge.learn([[0.0, 1.0]]))] * 3)
    assert (hedge.trials, hedge.losses.tolist()) == (sum(given), [0.0, float(sum(given))])
    later = ls.Delayed(ls.Winnow(theta=2))

    def serve(at, who):
        later.predict_one(dicts[at % ROWS], id=(who, at))
        later.learn_one((who, at), int(y[at % ROWS]))
        return 1

    given, refused = together([lambda at, who=who: serve(at, who) for who in range(3)])
    assert refused == 0, "Delayed lets one in after the other"
    assert later.trials == later.learner.trials == sum(given)
    return found


MADE = {
    "restarting": lambda: ls.Restarting(ls.Perceptron(), delta=0.9),
    "restarting classes": lambda: ls.Restarting(ls.WinnerTakesAll(), delta=0.9),
    "forgetting": lambda: ls.Forgetting(ls.Perceptron(), window=7),
    "forgetting classes": lambda: ls.Forgetting(ls.MulticlassPerceptron(), window=7),
    "experts": lambda: Experts([ls.Perceptron(), ls.Winnow(theta=2)]),
    "calibrated": lambda: Calibrated(ls.Perceptron()),
    "delayed": lambda: ls.Delayed(ls.Perceptron()),
}


def stopped():
    """Interrupt learners made of learners at any moment; what is left of each is what some game leads to."""
    X, y = data()
    block, dicts = named(X, y)
    came = 0
    for i in range(60):
        for name, make in MADE.items():
            learner = make().begin(labels=(0, 1), names=NAMES)
            learner.learn(block)
            at = 0
            try:
                # Again, for one may be lost in what nobody listens to, such as a generator that is thrown away.
                signal.setitimer(signal.ITIMER_REAL, 3e-4 * (1 + i % 11), 0.5)
                while True:
                    learner.learn(block[at % ROWS : at % ROWS + 1])
                    learner.learn_one({**dicts[at % ROWS], at: 1}, int(y[at % ROWS]))  # a new name each time
                    at += 1
            except KeyboardInterrupt:
                came += 1
            signal.setitimer(signal.ITIMER_REAL, 0)
            try:
                again = type(learner).from_state(learner.params(), learner.state())
                assert again.learn(block).tolist() == learner.learn(block).tolist(), "what comes of it"
                type(learner).from_state(learner.params(), learner.state())
            except ls.errors.InvalidModel as error:
                raise AssertionError(f"{name}: {error}") from error
    return came


def interrupted():
    """Interrupt learners at any moment; nobody is using them afterwards."""
    X, y = data()
    block, dicts = named(X, y)
    learner = ls.Perceptron().begin(N, labels=(0, 1), names=NAMES)
    slow = ls.KernelWinnow().begin(N, labels=(0, 1), names=NAMES)

    def stop(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, stop)
    came = 0
    for i in range(800):
        try:
            signal.setitimer(signal.ITIMER_REAL, 2e-5 * (1 + i % 13))
            while True:
                learner.learn_one(dicts[0], 1)
                learner.predict_one(dicts[1])
                learner.learn_one(set(dicts[2]), 0)
                learner.predict(block[:2])
                slow.learn(block[:3])
        except KeyboardInterrupt:
            came += 1
        assert (learner._users.learner, learner._users.askers) == (0, 0), i
        assert (slow._users.learner, slow._users.askers) == (0, 0), i
    return came


def tell(found):
    sys.stdout.write(f"{json.dumps(found)}\n")
    sys.stdout.flush()  # for what comes next may crash


def main():
    sys.setswitchinterval(1e-5)
    for name, make in {**LEARNERS, **MORE, **NUMBERS}.items():
        warm = ready(make)  # compiled before the clock runs
        block, dicts = named(*data())
        warm.learn(block), warm.activation(block), warm.learn_one(dicts[0], 1), warm.predict_one(dicts[0])
        told = {"name": name}
        for check in (learned_by_many, asked_by_many):
            try:
                told |= check(make)
            except AssertionError as error:
                told["wrong"] = f"{check.__name__}: {error}"
        tell(told)
    tell({"name": "composites", **composites()})
    tell({"name": "interrupted", "came": interrupted()})
    tell({"name": "stopped", "came": stopped()})


if __name__ == "__main__":
    main()
