"""Regressors of a contest from words on the command line; what the theorems need of a built-in stream is filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from littlestone.learners.regressors import Regressor
    from littlestone.streams import Stream

__all__ = ["PAPERS", "PLAIN", "filled_in", "is_regressor", "regressor_of", "usual_regressors"]

# What plays on a built-in stream and on a file, where nobody says what is to
PAPERS = ("gradient-descent", "p-norm-regression", "exponentiated-gradient", "eg-plus-minus", "beg-regression")
PLAIN = (
    "auto-regressor",
    "gradient-descent",
    "p-norm-regression",
    "normalized-gradient",
    "adagrad-regression",
    "passive-aggressive-regression",
)


def usual_regressors(*, computed: bool) -> str:
    """Return the regressors that play by default: of a file the plain ones, of a ``computed`` stream the papers'."""
    return ",".join(PAPERS if computed else PLAIN)


def is_regressor(word: str) -> bool:
    """Tell whether a name is that of a regressor."""
    from littlestone.core.spelling import meant
    from littlestone.learners.regressors.register import REGRESSORS

    return meant(word, REGRESSORS) is not None


def regressor_of(text: str) -> Any:
    """Return a regressor by its name and its parameters."""
    from littlestone.theory.contests import entrant_of

    return entrant_of(text, where="")


def filled_in(learner: Regressor, source: Stream) -> Regressor:
    """Return a regressor with the X and the U that a teacher knows, where its theorem needs them and nobody gave them.

    A file does not say how large its rows will be: there the learner stays as it is.
    """
    from littlestone.learners.regressors.mirror_descent import DescentRegressor
    from littlestone.teachers import Linear

    if not isinstance(source, Linear) or not isinstance(learner, DescentRegressor):
        return learner
    given = learner.params()
    if given["X"] is None and given["eta"] is None:
        given["X"] = _largest(learner, source)
    if "U" in given and given["U"] == type(learner).parameters()["U"].default:
        given["U"] = float(abs(source.target).sum()) or 1.0
    return type(learner)(**given)


def _largest(learner: Any, source: Any) -> float | None:
    """Return the largest row of a stream as a learner's theorem measures it; None where rows have any size."""
    from littlestone.engine.learning import descent
    from littlestone.theory.hindsight.regret import exponent_of

    sizes, count = source.sizes(bias=learner.bias), source.active + learner.bias
    if sizes is None:
        return None
    if learner.size == descent.NORM and hasattr(learner, "p"):
        p = exponent_of(learner, source.n_attributes)
        return float((p - 1.0) ** 0.5 * sizes.largest * count ** (1.0 / p))
    named = {descent.LENGTH: sizes.length, descent.SPREAD: sizes.spread, descent.SIZE: sizes.largest}
    return named.get(learner.size)
