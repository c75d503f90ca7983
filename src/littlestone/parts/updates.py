"""Updates: what a learner does after a trial, as a small compiled function over the engine's loop.

With y in {-1, +1} and ``m = y (w.x)``, a rule of the first order gives tau, and ``w <- w + tau y x``; one of the second
order gives alpha and c, and ``w <- w + alpha y S x``, ``S^-1 <- S^-1 + c x x'``. Each algorithm has its rule in its own
file; `rule` makes one of a user's function.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import sqrt
from typing import Any

from littlestone.core.errors import InvalidParameter
from littlestone.engine.compiling import Addressed, passing, reason
from littlestone.engine.learning import rules as engine
from littlestone.engine.learning.steps import LONGEST

__all__ = ["Update", "rule", "second_order"]

WHEN = {"mistake": engine.MISTAKE, "margin": engine.MARGIN, "always": engine.ALWAYS}
SHAPES = {1: (4, 1), 2: (5, 2)}  # how many numbers a rule of each order takes and gives
FORMS = {1: "(m, square, weight, trial) -> tau", 2: "(m, v, weight) -> (alpha, c)"}


class Update(Addressed):
    """A rule that kernels call by its address, and when they do: on mistakes, where m < 1, or always.

    Of the first order it is ``f(m, |x|^2, weight, trial) -> tau``; of the second ``f(m, v, weight, a, b) -> (alpha,
    c)`` with v = x'Sx and the learner's parameters a and b, and an alpha that is no number is no update.
    """

    def __init__(
        self, function: Callable[..., Any], order: int, when: str, *, user: Callable[..., Any] | None = None
    ) -> None:
        super().__init__(function, *SHAPES[order], cached=user is None)
        self.order, self.when, self._given = order, WHEN[when], (user, order, when)
        if user is not None:
            self.__module__, self.__qualname__ = user.__module__, getattr(user, "__qualname__", "rule")

    def __reduce__(self) -> Any:
        user, order, when = self._given
        if user is None or getattr(sys.modules.get(self.__module__), self.__qualname__, None) is self:
            return super().__reduce__()
        return _again, (user, order, when)

    def __repr__(self) -> str:
        return f"rule({self.__qualname__}, order={self.order})"


def second_order(*, when: str) -> Callable[[Callable[..., Any]], Update]:
    """Make a rule of a function in a learner's file, asked on a "mistake", where m < 1 ("margin"), or "always"."""
    return lambda function: Update(function, 2, when)


def rule(function: Callable[..., Any], *, order: int = 2, when: str = "margin") -> Update:
    """Turn a plain Python function into a rule of learning that runs inside the engine, by its address.

    With y in {-1, +1} and ``m = y (w.x)``, where w.x >= 0 is the prediction of 1, the function is

    - of order 1: ``(m, square, weight, trial) -> tau``, and ``w <- w + tau y x``; square is |x|^2, the constant
      coordinate counted, and trial the number of this one, from 1 on; a tau of 0 is no update;
    - of order 2: ``(m, v, weight) -> (alpha, c)``, and ``w <- w + alpha y S x``, ``S^-1 <- S^-1 + c x x'``, with
      ``v = x'Sx``; an alpha that is no number is no update, and c below 0 is 0.

    It is asked on a "mistake", where m < 1 ("margin"), or "always"; ``weight`` is the row's. It uses what Numba can
    compile (``math`` and arithmetic will do), and is compiled here, once: about a fifth of a second. `OwnRule` is the
    learner that plays by it.

    >>> import littlestone as ls
    >>> mine = ls.rule(lambda m, v, weight: ((1 - m) / (v + 1 / weight), weight))  # AROW with r = 1
    >>> X, y = [[1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 0, 1]], [1, 0, 1, 0]
    >>> learner, arow = ls.OwnRule(rule=mine), ls.AROW(r=1)
    >>> learner.learn(X, y).tolist() == arow.learn(X, y).tolist()
    True
    >>> learner.weights() == arow.weights()
    True
    >>> perceptron = ls.rule(lambda m, square, weight, trial: weight, order=1, when="mistake")
    >>> learner = ls.OwnRule(rule=perceptron)
    >>> learner.learn(X, y).tolist(), learner.weights()
    ([1, 1, 0, 0], {0: 1.0, 1: -1.0, 2: -1.0})
    """
    if order not in SHAPES:
        raise InvalidParameter(f"rule: order must be 1 or 2, got {order!r}")
    if when not in WHEN:
        raise InvalidParameter(f"rule: when must be one of {', '.join(WHEN)}, got {when!r}")
    if not callable(function):
        raise InvalidParameter(f"rule: expected a function {FORMS[order]}, got {type(function).__name__}")
    _check(function, order)
    inner: Any = passing(function)
    made = Update(_first(inner) if order == 1 else _second(inner), order, when, user=function)
    try:
        assert made.address is not None
    except ModuleNotFoundError:  # of Numba itself
        raise
    except Exception as error:  # Numba raises more than errors of its own
        raise InvalidParameter(
            f"rule: Numba cannot compile it ({reason(error)}); use arithmetic and the math module on floats"
        ) from error
    return made


def _check(function: Callable[..., Any], order: int) -> None:
    """Call a user's function once, in plain Python, and refuse what is not of its form."""
    given = (0.5, 1.0, 1.0) if order == 2 else (0.5, 1.0, 1.0, 1.0)
    try:
        found = function(*given)
        numbers = [float(number) for number in (found if order == 2 else (found,))]
    except Exception as error:  # whatever a user's function may raise
        raise InvalidParameter(
            f"rule: expected {FORMS[order]}, got {type(error).__name__} ({error}) at {given}"
        ) from error
    if len(numbers) != order:
        raise InvalidParameter(f"rule: expected {FORMS[order]}, got {found!r} at {given}")


def _first(inner: Any) -> Callable[..., float]:
    def asked(m: float, square: float, weight: float, trial: float) -> float:
        tau, most = float(inner(m, square, weight, trial)), LONGEST / max(1.0, sqrt(square))
        return min(max(tau, -most), most) if tau == tau else 0.0  # noqa: PLR0124 - no number: no update

    return asked


def _second(inner: Any) -> Callable[..., tuple[float, float]]:
    def asked(m: float, v: float, weight: float, _a: float, _b: float) -> tuple[float, float]:
        alpha, c = inner(m, v, weight)
        return float(alpha), float(c) if c > 0.0 else 0.0

    return asked


def _again(function: Callable[..., Any], order: int, when: str) -> Update:
    """Make the rule of a pickle."""
    return rule(function, order=order, when=when)
