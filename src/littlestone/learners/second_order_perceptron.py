"""Second-order Perceptron: the Perceptron on rows that are whitened by the mistakes so far."""

from __future__ import annotations

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Codes, Columns, Floats, Ints
from littlestone.core.parameters import number
from littlestone.engine.arrays import Grid
from littlestone.engine.compiling import inlined, kept
from littlestone.engine.learning import rates
from littlestone.engine.learning.rules import MISTAKE
from littlestone.learners.second_order import SecondOrder, covariances
from littlestone.machines.machine import Machine
from littlestone.machines.moments import Ratios
from littlestone.parts.updates import Update, second_order

__all__ = ["SecondOrderPerceptron", "diagonal", "diagonal_scores", "second_order_perceptron"]


@second_order(when="mistake")
def second_order_perceptron(m: float, v: float, weight: float, a: float, _: float) -> tuple[float, float]:
    """Return alpha and c: with S = a A^-1 and w = A^-1 theta, ``w += alpha y S x`` and ``S^-1 += c x x'``."""
    return (1.0 - m) / (v + a / weight), weight / a


@inlined
def _term(theta: float, A: float, x: float) -> float:
    """Return what an attribute adds to theta' (A + x x')^-1 x, with the diagonal of x x'."""
    return theta / (A + x * x) * x


@inlined
def _pull(_m: float, weight: float, _own: None) -> float:
    return weight


@inlined
def _move(theta: float, A: float, pull: float, x: float, _own: None) -> tuple[float, float]:
    """Return theta and A after a mistake; ``pull`` is y times the row's weight."""
    return rates.held(theta + pull * x), min(A + abs(pull) * (x * x), rates.LARGEST)


@kept
def diagonal(
    indptr: Ints, indices: Columns, values: Floats, outcomes: Codes, importance: Floats,
    moments: Grid[Floats], _rule: Floats, kind: Ints, state: Floats, counts: Ints, predictions: Codes,
) -> None:  # fmt: skip
    """Play a block with a diagonal covariance: predict, then update, row by row."""
    rates.play(
        _term, _pull, _move, None, indptr, indices, values, outcomes, importance,
        moments, kind, state, counts, predictions,
    )  # fmt: skip


@kept
def diagonal_scores(
    indptr: Ints, indices: Columns, values: Floats, moments: Grid[Floats], kind: Ints, state: Floats,
    predictions: Codes, activations: Floats,
) -> None:  # fmt: skip
    """Predict a block without learning."""
    rates.scored(_term, indptr, indices, values, moments, kind, state, predictions, activations)


class SecondOrderPerceptron(SecondOrder):
    """The Perceptron, in the metric of the rows on which it erred.

    With theta the sum of y x over the mistakes (y in {-1, +1}) and A = a 1 + the sum of x x' over them, predict 1 iff

        theta' (A + x x')^-1 x >= 0;   on a mistake  theta <- theta + y x,   A <- A + x x'.

    Only mistakes change anything. (Some implementations add every row to A.)

    A row's weight multiplies what a mistake adds.

    Bound
    -----
    For every u and gamma > 0, with the hinge losses of u over the mistakes: `bounds.second_order_perceptron`, for both
    covariances; on disjunctions of k attributes what follows from it, `guarantee`.

    Example
    -------
    >>> import littlestone as ls
    >>> for covariance in ("diagonal", "full"):
    ...     learner = ls.SecondOrderPerceptron(covariance=covariance)
    ...     run = ls.play(learner, ls.teachers.Disjunction(n=20, k=3, trials=500))
    ...     run.mistakes, run.guarantee.at(k=3).value
    (26, 2087)
    (24, 4405)

    Reference
    ---------
    Cesa-Bianchi, Conconi and Gentile, "A second-order Perceptron algorithm", SIAM Journal on Computing 34 (2005).
    """

    a: float = number(default=1.0, above=0, says="The larger, the more it is like the Perceptron.")
    covariance: str = covariances(
        "The diagonal one takes the diagonal of x x', in the prediction too: on rows of zeros and ones that is linear, "
        "with the weights ``theta_i/(A_i + 1)`` that `hypothesis` gives; on others it is no linear threshold function."
    )

    def _update(self) -> tuple[Update, tuple[float, ...]]:
        return second_order_perceptron, (float(self.a),)

    def _build(self, n: int | None) -> Machine:
        if self.covariance == "full":
            return super()._build(n)
        return Ratios(diagonal, diagonal_scores, (0.0, float(self.a)), when=MISTAKE, bias=self.bias)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        if attribute_errors or not self.bias:
            return None
        theorem = (
            bounds.second_order_perceptron_disjunction
            if self.covariance == "full"
            else bounds.second_order_perceptron_disjunction_diagonal
        )
        return theorem(n=n, k=k, X=n - 1, a=float(self.a))
