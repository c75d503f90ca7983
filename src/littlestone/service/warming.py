"""Warming up: what a model needs is compiled before it is served, while signs of life are given.

Where the kernels were compiled when littlestone was installed this takes some milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from threading import Event, Thread
from time import monotonic

from littlestone.core.errors import LittlestoneError
from littlestone.learners import Learner, MulticlassPerceptron, Perceptron
from littlestone.models.following.beginning import new_model
from littlestone.models.following.examples import Example
from littlestone.models.warming import warm_up
from littlestone.service.models.served import NOBODY, Served, Settings

__all__ = ["pulse", "warmed"]

BEAT = 0.5  # seconds
LONGEST = 300.0  # seconds for which signs of life are given: whatever takes longer hangs


def warmed(learner: Learner, alive: Callable[[], None]) -> None:
    """Compile what a model with a learner needs; ``alive`` is called meanwhile, by another thread."""
    with pulse(alive):
        _follow()
        with suppress(LittlestoneError):  # one that plays no such game
            warm_up(learner)


@contextmanager
def pulse(alive: Callable[[], None]) -> Iterator[None]:
    """Give signs of life while something goes on that cannot give any: nobody else may speak for this process."""
    done, last = Event(), monotonic() + LONGEST

    def beat() -> None:
        while not done.wait(BEAT) and monotonic() < last:
            alive()

    thread = Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@cache
def _follow() -> None:
    """Compile what is between rows and learners, once: with two labels, and with more."""
    several: tuple[tuple[Learner, tuple[str, ...]], ...] = (
        (Perceptron(), ("no", "yes")), (MulticlassPerceptron(), ("no", "perhaps", "yes")),
    )  # fmt: skip
    for learner, labels in several:
        served = Served(0, "warming", new_model(learner, "jsonl", {"labels": labels}), Settings())
        for count in (1, 1, 20):
            served.take([Example(at, NOBODY, {"a": 1.0, f"b{at}": 0.5}, labels[at % 2]) for at in range(count)])
