"""Section 2: which learners are additive, which are rotation invariant, and the examples that Winnow is neither."""

from __future__ import annotations

import numpy as np

import littlestone as ls
from littlestone.diagnostics import additive
from littlestone.papers.comparisons import close, equal
from littlestone.papers.outcome import Outcome
from littlestone.papers.result import claim

__all__ = ["RESULTS"]

EXAMPLE = ([[1, 1, 0], [1, 0, 1]], [1, 1])


def _after_example(theta: int) -> list[int]:
    learner = ls.Winnow(alpha=2, theta=theta)
    learner.learn(*map(np.array, EXAMPLE))
    hypothesis = learner.hypothesis()
    assert hypothesis is not None
    return [int(w) for w in hypothesis.w]


@claim("winnow-not-additive", "Winnow is not additive: the example", "Section 2.3", rows=["A10"])
def winnow_not_additive(seed: int) -> Outcome:
    """Winnow with w1 = 1, eta = ln 2 and theta = N = 3, given (1,1,0) and (1,0,1), both positive, comes to (4,2,2); and
    (3,1,1) is not in the span of the two instances.
    """
    three, four = _after_example(3), _after_example(4)
    evidence = additive(ls.Winnow(alpha=2, theta=4), *EXAMPLE)
    return Outcome(
        f"w3 is {tuple(three)} with theta 3 and {tuple(four)} with theta 4.",
        claimed=[equal("w3, theta 3", three, [4, 2, 2])],
        corrected=[
            equal("w3, theta 4", four, [4, 2, 2]),
            equal("additive, theta 3", additive(ls.Winnow(alpha=2, theta=3), *EXAMPLE).holds, True),
            equal("additive, theta 4", evidence.holds, False),
            close("distance of (3,1,1) from the span", evidence.size * 11**0.5, 3**-0.5),
        ],
        erratum="The example needs a threshold above 3, such as 4: at 3 the second trial is predicted rightly.",
        counterexample=f"theta 3: after (1,1,0) w = (2,2,1), and w.(1,0,1) = 3 >= 3 predicts 1: w3 = {tuple(three)}.",
    )


RESULTS = (winnow_not_additive,)
