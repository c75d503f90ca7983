"""From a game of a regressor to its certificate: its rules from the learner, the comparator from what is given."""

from __future__ import annotations

from typing import Any

import numpy as np

from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidParameter
from littlestone.games.certificates.ledger import CLOSE
from littlestone.games.certificates.losses.certificate import LossCertificate
from littlestone.games.certificates.losses.ledger import LossGame, loss_ledger
from littlestone.games.certificates.losses.rules import LossRules
from littlestone.games.linear import linear
from littlestone.games.played import LossPlayed

__all__ = ["certify_losses"]

KINDS = {
    "GradientDescent": "gradient-descent",
    "ExponentiatedGradient": "exponentiated-gradient",
    "EGPlusMinus": "eg-plus-minus",
    "BEGRegression": "beg-regression",
}
NEAR = 1e-9  # a mixture whose weights sum to 1 so nearly is taken for one


def certify_losses(played: LossPlayed, trials: int, errors: Floats, comparator: Any) -> LossCertificate:
    """Return the ledger of a game against ``comparator``; see `LossRun.certificate`.

    >>> import littlestone as ls
    >>> run = ls.play(ls.GradientDescent(X=2.0), ls.from_arrays([[1], [1]], [1.0, 2.0], task="regression"))
    >>> certify_losses(run.played, run.trials, run.errors, [1.5]).trials
    2
    """
    why = _why_not(played)
    if why is not None:
        raise InvalidParameter(f"certificate: {played.learner}: {why}")
    rules, stream = _rules_of(played), played.stream
    if stream is None:
        raise InvalidParameter("certificate: the game cannot be played again; play it with record=True")
    u = _comparator(comparator, rules, stream.names)
    certificate, again = loss_ledger(LossGame(stream, rules, trials), u)
    differ = np.abs(np.array(again.residuals) - errors) > CLOSE * again.largest
    if differ.any():
        trial = int(np.flatnonzero(differ)[0])
        raise InvalidParameter(
            f"certificate: trial {trial}: by the rules the error is {again.residuals[trial]:.9g}, and it was "
            f"{errors[trial]:.9g}: this is another stream, examples had weights, or weights were held in the floats"
        )
    return certificate.sealed()


def _why_not(played: LossPlayed) -> str | None:
    """Return why a game has no ledger; None: it may have one."""
    if played.kind not in KINDS:
        return f"there is no ledger of its losses, but of those of {', '.join(KINDS)}"
    if played.loss != "square":
        return f"the ledger is of the square loss, and it paid the loss {played.loss}"
    if not played.fresh:
        return "it had learned before this game; a ledger begins at the first trial: play a new learner"
    if played.parameters["X"] is None:
        return "nothing says how large rows are, and where eta follows them nothing is proved; give X=..."
    return None


def _rules_of(played: LossPlayed) -> LossRules:
    """Return the rules of a game; refuse an eta that is larger than any c makes it."""
    given, algorithm = played.parameters, KINDS[played.kind]
    X, U, c = float(given["X"]), float(given.get("U", 1.0)), float(given["c"])
    additive = algorithm == "gradient-descent"
    half, most = (1.0, 0.5) if additive else (2.0, 2.0)
    radius = 2.0 * U * X if algorithm == "eg-plus-minus" else X
    if given["eta"] is None:
        eta = most * c / (half + c) / radius**2
    else:
        eta = float(given["eta"])
        part = eta * radius**2 / most
        if part >= 1.0:
            raise InvalidParameter(
                f"certificate: {played.learner}: the theorem is about eta < {most / radius**2:.6g}, got {eta:g}"
            )
        c = half * part / (1.0 - part)
    start = 0.0
    if algorithm == "beg-regression":
        w1 = given["w1"]
        start = float(w1) if w1 is not None else min(1.0 / played.n, 0.5)
    return LossRules(algorithm, played.n, eta, c, X, U, start, bool(given["bias"]))


def _comparator(comparator: Any, rules: LossRules, names: Any) -> Floats:
    """Return the weights of a comparator, that of the constant coordinate last."""
    w, constant = linear(comparator, names)
    if len(w) > rules.n and np.any(w[rules.n :]):
        raise InvalidParameter(f"comparator: expected weights of {rules.n} attributes, got {len(w)}")
    if constant and not rules.bias:
        raise InvalidParameter("comparator: a hypothesis has a threshold; the learner has no constant coordinate")
    u = np.zeros(rules.n + int(rules.bias))
    u[: min(len(w), rules.n)] = w[: rules.n]
    if rules.bias:
        u[-1] = constant
    total = float(u.sum())
    mixture = rules.algorithm == "exponentiated-gradient" and abs(total - 1.0) <= NEAR
    return u / total if mixture else u
