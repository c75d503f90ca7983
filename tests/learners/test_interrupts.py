"""Learners made of learners that are stopped in the middle of a row: they are saved, and go on."""

import inspect
import sys
from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.learners.calibrated import Calibrated
from littlestone.learners.experts import Experts
from littlestone.learners.restarting import Restarting
from tests.jumpy import jumpy

__all__ = ["jumpy"]

PLACES = 40  # so many of the places where a signal is looked for, of some hundreds or thousands
TWO = {
    "restarting": lambda: ls.Restarting(ls.Perceptron(), delta=0.9),
    "forgetting": lambda: ls.Forgetting(ls.Winnow(theta=2), window=5),
    "by turns": lambda: ls.Forgetting(ls.AROW(), window=1),
    "of composites": lambda: ls.Restarting(Experts([ls.Perceptron(), ls.Delayed(ls.Winnow(theta=2))]), delta=0.9),
    "twice": lambda: ls.Forgetting(ls.Restarting(Calibrated(ls.Perceptron()), delta=0.9), window=7),
    "experts": lambda: Experts([ls.Perceptron(), ls.Winnow(theta=2)]),
    "calibrated": lambda: Calibrated(ls.Perceptron()),
    "delayed": lambda: ls.Delayed(ls.Perceptron()),
}
MANY = {
    "restarting classes": lambda: ls.Restarting(ls.WinnerTakesAll(), delta=0.9),
    "forgetting classes": lambda: ls.Forgetting(ls.MulticlassPerceptron(), window=5),
    "delayed classes": lambda: ls.Delayed(ls.WinnerTakesAll()),
}
ONE = replace(ls.Block.from_arrays([[1, 1]]), names=("a", "new"))


def played(name):
    """Return a learner in the middle of a game: where it may, with two players."""
    learner = {**TWO, **MANY}[name]()
    learner.begin(None, labels=(0, 1, 2) if name in MANY else (0, 1), names=["a", "b"])
    for i in range(200):
        learner.learn_one({"ab"[i % 2]: 1}, i // 3 % 2)
        inner = getattr(learner, "present", learner)
        if i > 10 and not (isinstance(inner, Restarting) and inner.challenger is None):
            break
    else:
        pytest.fail("no duel")
    return learner


def stopped(call, place):
    """Make a call, and interrupt it where a function begins or ends, as signals do; return how many of these came."""
    left = place

    def look(frame, *_):
        nonlocal left
        if frame.f_code.co_flags & inspect.CO_GENERATOR or frame.f_code is stopped.__code__:
            return  # a generator that is thrown away runs where nobody listens
        left -= 1
        if left == 0:
            sys.setprofile(None)
            raise KeyboardInterrupt

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        call()
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(before)
    return place - left


@pytest.mark.parametrize("one", [False, True], ids=["learn", "learn_one"])
@pytest.mark.parametrize("name", [*TWO, *MANY])
@pytest.mark.usefixtures("jumpy")
def test_whatever_stops_a_row_it_is_counted_by_all_or_by_none(name, one):
    """With a name and a label that are new, interrupted again and again."""
    base, label = played(name), 7 if name in MANY else 1
    block = ONE.labelled(np.zeros(1, dtype=np.int64), (label,) if name in MANY else (1, 0))

    def play(learner):
        return learner.learn_one({"a": 1, "new": 1}, label) if one else learner.learn(block)

    whole = base.copy()
    places = stopped(lambda: play(whole), sys.maxsize)
    assert places > PLACES
    reached = 0
    for place in np.linspace(1, places, PLACES, dtype=int).tolist():
        learner = base.copy()
        reached += stopped(lambda: play(learner), place) == place  # noqa: B023
        type(learner).from_state(learner.params(), learner.state())
        assert learner.trials in (base.trials, base.trials + 1), place
        for x, y in (({"b": 1}, 0), ({"newer": 1}, 8 if name in MANY else 1), ({"new": 1}, label)):
            learner.learn_one(x, y)
            type(learner).from_state(learner.params(), learner.state())
    assert reached > PLACES // 2  # the last ones may be past the end, where a cache was cold at first


@pytest.mark.parametrize("one", [False, True], ids=["learn", "learn_one"])
@pytest.mark.parametrize("name", ["restarting", "forgetting"])
@pytest.mark.usefixtures("jumpy")
def test_one_that_has_no_memory_left_stops_both(monkeypatch, name, one):
    """The second player cannot learn the row, not even when it is asked again."""
    learner = played(name)
    first, second = learner.players
    kind, trials = type(second), (first.trials, second.trials, learner.trials)

    def full(method):
        def learn(self, *args, **kwargs):
            if self is second:
                raise MemoryError
            return method(self, *args, **kwargs)

        return learn

    with monkeypatch.context() as patched:
        patched.setattr(kind, "learn", full(kind.learn))
        patched.setattr(kind, "learn_one", full(kind.learn_one))
        with pytest.raises(MemoryError):
            learner.learn_one({"new": 1}, 1) if one else learner.learn(ONE.labelled(np.array([1]), (0, 1)))
    assert (first.trials, second.trials, learner.trials) == trials
    assert second.vocabulary == first.vocabulary or list(second.vocabulary) == list(first.vocabulary)
    type(learner).from_state(learner.params(), learner.state())
