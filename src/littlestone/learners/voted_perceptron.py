"""The voted Perceptron: every hypothesis of the game votes, with the time it survived."""

from __future__ import annotations

from littlestone.core.hypothesis import Hypothesis
from littlestone.core.parameters import flag
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine
from littlestone.machines.voted import Voted

__all__ = ["VotedPerceptron"]


class VotedPerceptron(Learner):
    """A Perceptron whose hypotheses, all of them, vote on each row.

    The Perceptron: on a mistake of its own ``v_(j+1) = v_j + y x`` with y in {-1, +1}, from ``v_0 = 0``; c_j is the
    number of trials that v_j was right, and 1 for the mistake that made it. Predict 1 iff
    ``sum_j c_j sign(v_j.x) >= 0``, where sign(0) is 1.

    The last hypothesis alone is `Perceptron`, the mean of all is ``Perceptron(averaged=True)``, which costs no more
    than a Perceptron; the vote does. Only the mistakes are stored: a trial costs the number of mistakes so far, and
    the entries of their rows that have an attribute of this row.

    ``mistakes`` are those of the vote, ``updates`` those of the Perceptron. The vote is no linear threshold function:
    `hypothesis` is None, `weights` gives those of the last hypothesis, and `activation` the share of the votes for 1,
    less that for 0. An example's weight multiplies its update.

    Bound
    -----
    The Perceptron's, on the updates. After T rows drawn at random, the hypotheses after 1 to T rows vote, each once: on
    the next row the vote errs with a probability of at most 2/T times the expected number of updates on trials 2 to
    T+1, see `bounds.voted_error` for T-1. On the mistakes of the vote in a game there is none, and `guarantee` is None.

    Example
    -------
    >>> import littlestone as ls
    >>> run = ls.play(ls.VotedPerceptron(), ls.teachers.Disjunction(n=20, k=3, trials=500, noise=0.1))
    >>> run.mistakes, run.updates
    (117, 154)

    Reference
    ---------
    Freund and Schapire, "Large margin classification using the Perceptron algorithm", Machine Learning 37 (1999).
    """

    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")

    def _build(self, n: int | None) -> Machine:
        del n
        return Voted(bias=self.bias)

    def hypothesis(self) -> Hypothesis | None:
        """Return None: a vote is no linear threshold function."""
        return None
