"""certify: from a game to its certificate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import check_number
from littlestone.games.certificates.certificate import Certificate
from littlestone.games.certificates.comparator import attributes_of, disjunction, weights_of
from littlestone.games.certificates.described import described
from littlestone.games.certificates.ledger import ledger
from littlestone.games.certificates.played import Played
from littlestone.games.certificates.rules import MEASURED, Rules
from littlestone.streams.base import Stream

__all__ = ["certify"]


def certify(
    played: Played, trials: int, mistakes: NDArray[np.int64], comparator: Any, *, gamma: float | None, kind: str | None
) -> Certificate:
    """Return the ledger of a game against ``comparator``; see `Run.certificate`.

    >>> import littlestone as ls
    >>> run = ls.play(ls.Winnow(), ls.teachers.Disjunction(n=50, k=2, trials=1000))
    >>> certify(run.played, run.trials, run.mistake_trials, {0, 1}, gamma=None, kind=None).mistakes == run.mistakes
    True
    """
    rules = described(played)
    if played.stream is None:
        raise InvalidParameter("certificate: the game cannot be played again; play it with record=True")
    if kind not in (None, "divergence", "weight"):
        raise InvalidParameter(f"certificate: kind must be 'divergence' or 'weight', got {kind!r}")
    attributes = attributes_of(comparator, rules, played.stream.names)
    u = weights_of(comparator, rules) if attributes is None else disjunction(attributes, rules)
    kind = kind or _usual(rules, played.theorem, boolean=_boolean(played.stream, trials))
    if kind == "weight" and attributes is None:
        raise InvalidParameter("certificate: a proof by total weight is about a disjunction; give a set of attributes")
    if gamma is not None:
        check_number("certificate", "gamma", gamma, above=0.0)
        gamma = float(gamma)
    elif attributes is not None:
        gamma = 0.5 if rules.algorithm in ("perceptron", "p-norm", *MEASURED) else 1.0
    own = played.rule.link if played.rule is not None and rules.algorithm == "own-potential" else None
    return ledger(kind, rules, u, gamma, played.stream, played.labels, trials, mistakes, own).sealed()


def _boolean(stream: Stream, trials: int) -> bool:
    """Tell whether all values of the first rows of a stream are 1."""
    seen = 0
    for block in stream.blocks():
        if seen >= trials:
            break
        part = block[: trials - seen]
        if part.values is not None and not np.all(part.values[part.indptr[0] : part.indptr[-1]] == 1.0):
            return False
        seen += len(part)
    return True


def _usual(rules: Rules, theorem: str | None, *, boolean: bool) -> str:
    """Return the kind of proof that the learner's own theorem has; by total weight on Boolean rows alone."""
    if rules.algorithm == "bayes-beg":
        if theorem not in ("bayes_beg_theorem3_sharper", "bayes_beg_theorem4_sharper"):
            raise InvalidParameter("certificate: Bayes-BEG has a proof with the parameters of Theorem 3 or 4 alone")
        return "weight"
    if rules.algorithm == "winnow":
        return "divergence" if theorem == "winnow_attribute_errors" or not boolean else "weight"
    return "divergence"
