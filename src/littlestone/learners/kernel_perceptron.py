"""Kernel Perceptron: the Perceptron over features that are never written down."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from inspect import signature
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone import bounds
from littlestone.bounds import Bound
from littlestone.core.arrays import Floats
from littlestone.core.errors import InvalidParameter
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.names import literal
from littlestone.core.parameters import anything, check_number, check_whole, choice, seed_parameter, whole
from littlestone.core.rational import Number, simplest_fraction, whole_times
from littlestone.core.rows import one_row, rows_of
from littlestone.learners.base import Learner
from littlestone.machines.machine import Machine, of_kind, size_kept
from littlestone.machines.stored.exact_sums import MOST_IMPORTANT, ExactSums, Rules, Sums
from littlestone.parts.kernels import Conjunctions, Kernel, Linear, Wrapped, named, wrapped

__all__ = ["KernelPerceptron"]

FORGET = ("oldest", "random", "forgetron")


class KernelPerceptron(Learner):
    """Store the examples it misses; predict by their kernels.

    Predict 1 iff ``eta (y_1 K(x_1, x) + ... + y_m K(x_m, x)) >= theta`` over the m mistakes (x_t, y_t) stored so far,
    y in {-1, +1}; on a mistake store (x, y). This is the Perceptron over the features of K. For the kernels of
    conjunctions every decision is exact, for any number of attributes and any number of mistakes.

    Kernels of conjunctions take Boolean rows, with negations over a fixed n; without, attributes may keep coming.
    Example weights are whole numbers there: a mistake counts so many times. Real kernels are computed in float64, each
    sum in the order of the mistakes, whatever the size of the blocks; their weights multiply the coefficients. A
    function needs n, and a block in which it returns no finite number is refused as a whole.

    `stored` is the number of examples kept (for conjunctions without a budget, equal ones are kept once, with the sum
    of their signs, and not at all where that is 0), `value` the sum itself, `heaviest` the conjunctions of the
    largest weight. `weights` gives ``eta (y_1 x_1 + ... + y_m x_m)``: the weights of the single attributes for
    `Linear` and `Conjunctions`, a summary for other kernels. `hypothesis` is None unless the kernel is linear.

    Bound
    -----
    With theta 0, all mistakes kept and the empty conjunction a feature: (4k+1) K(x,x) on a DNF of k terms, all of them
    features; K(x,x) is 2^n, less where the size is bounded. It can really be exponential, see `teachers.KernelTrap` and
    `bounds.kernel_perceptron_lower`. For any kernel, on data with a margin: `bounds.kernel_perceptron_margin`.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = ls.KernelPerceptron("monotone")
    >>> ls.play(learner, ls.teachers.DNF(n=12, k=2, trials=300)).mistakes, learner.stored
    (50, 50)
    >>> learner.heaviest(2)
    [((0, 1), 11), ((2, 3), 9)]

    Reference
    ---------
    Khardon, Roth and Servedio, "Efficiency versus convergence of Boolean kernels for on-line learning algorithms",
    JAIR 24 (2005); Dekel, Shalev-Shwartz and Singer, "The Forgetron: a kernel-based perceptron on a budget", SIAM J.
    Comput. 37 (2008).
    """

    kernel: Kernel | str | Callable[..., Any] | None = anything(
        default=None,
        takes="Kernel, str or function",
        kw_only=False,
        says='A kernel of `ls.kernels`, one of its names ("monotone", "conjunctions:2", "gaussian:0.5", ...), or a '
        "function of two 1-D float arrays; None: all conjunctions, ``Conjunctions()``.",
    )
    theta: Number = anything(
        default=0,
        takes="number",
        says="The threshold. For conjunctions an int or Fraction of any size, a float is the simplest fraction behind "
        "it.",
    )
    eta: Number = anything(default=1, takes="number > 0", says="The learning rate; only theta/eta matters.")
    budget: int | None = whole(
        default=None,
        says="Store at most so many mistakes. This is no longer the algorithm of the theorem, and has no `guarantee`.",
    )
    forget: str = choice(
        default="oldest",
        among=FORGET,
        listed=True,
        says='Which mistake a full budget gives up. "forgetron" shrinks all coefficients so that the oldest counts '
        "little before it goes (the self-tuned Forgetron); coefficients are then floats, and the kernel is "
        "normalised, ``K(x, y) / sqrt(K(x, x) K(y, y))``, for its analysis wants K(x, x) <= 1.",
    )
    seed: int = seed_parameter(
        says="Of the random choices; each depends on nothing but the seed and the number of updates before it."
    )

    def _check(self) -> None:
        self._kernel = _kernel(self.kernel)
        exact = isinstance(self._kernel, Conjunctions) and (self.budget is None or self.forget != "forgetron")
        for name, above in (("theta", -inf), ("eta", 0.0)):
            value = getattr(self, name)
            real = isinstance(value, int | Fraction) and not isinstance(value, bool) and value > above
            if not (real and exact):  # exact numbers may be of any size
                check_number(self._owner, name, value, above=above)

    @property
    def domain(self) -> str:  # type: ignore[override]
        """The values it takes: what the kernel takes."""
        return "Boolean" if self._kernel.boolean else "any"

    def _needs_n(self) -> bool:
        if isinstance(self._kernel, Conjunctions):
            return not self._kernel.monotone
        return isinstance(self._kernel, Wrapped)

    def _build(self, n: int | None) -> Machine:
        rules = Rules(
            self._owner, simplest_fraction(self.theta), simplest_fraction(self.eta), self.budget, self.forget, self.seed
        )
        if isinstance(self._kernel, Conjunctions) and not self._forgetron:
            return ExactSums(rules, self._kernel, n)
        from littlestone.machines.stored.float_sums import FloatSums

        return FloatSums(rules, self._kernel, n)

    def _check_weights(self, importance: Floats) -> None:
        if isinstance(self._kernel, Conjunctions) and not self._forgetron:
            whole_times(self._owner, importance, 0, MOST_IMPORTANT)

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn: predict, then update; return the predictions, in the caller's labels."""
        with size_kept(self._machine):
            return super().learn(X, y, weight=weight)

    def _learn_named(self, x: Any, y: Any) -> Any:
        with size_kept(self._machine):
            return super()._learn_named(x, y)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        kernel = self._kernel
        if attribute_errors or self.theta != 0 or self.budget is not None or not isinstance(kernel, Conjunctions):
            return None
        if not kernel.include_empty or kernel.max_size == 0:
            return None
        return bounds.kernel_perceptron_dnf(k=k, X=n, max_size=kernel.max_size)

    # What it has come to

    @property
    def stored(self) -> int:
        """How many examples are stored: the mistakes that are kept, for exact sums without a budget equal ones once."""
        return 0 if self._machine is None else of_kind(self._machine, Sums).stored

    def value(self, x: Any) -> Any:
        """Return ``eta (y_1 K(x_1, x) + ...)`` of one example, or a list of it for rows; it is compared with theta.

        One example is a 1-D array, or a dict or set of names; rows are given as to `predict`. For conjunctions it is
        exact: an int, or a Fraction where eta makes it one.
        """
        if isinstance(x, dict | set | frozenset):
            machine, n = self._started(None, fix=False)
            _, rows, _ = self._named(x, n)
            rows = rows._replace(indices=np.minimum(rows.indices, np.uint32(machine.size)))
            return of_kind(machine, Sums).values(rows)[0]
        one = isinstance(x, np.ndarray) and x.ndim == 1
        block, machine, _ = self._asked(one_row(x) if one else x)
        rows = rows_of(block)
        if block.width > machine.size:
            rows = rows._replace(indices=np.minimum(rows.indices, np.uint32(machine.size)))
        found = of_kind(machine, Sums).values(rows)
        return found[0] if one else found

    def heaviest(self, count: int = 10, max_size: int = 3) -> list[tuple[tuple[Hashable, ...], int | Fraction]]:
        """Return the conjunctions of the largest positive weight, of at most ``max_size`` literals, and their weights.

        The weight of a conjunction is eta times the signed number of stored mistakes in which it holds. A negated
        attribute is "not" and its name. One that holds in the same stored examples as a part of it is left out;
        of equal weights the shorter comes first.
        """
        count, max_size = (
            check_whole(f"{self._owner}: heaviest", "count", count),
            check_whole(f"{self._owner}: heaviest", "max_size", max_size, least=0),
        )
        kernel, machine = self._kernel, self._started(None, fix=False)[0]
        if not isinstance(kernel, Conjunctions) or self._forgetron:
            raise InvalidParameter(
                f"{self._owner}: heaviest: expected a kernel of conjunctions with whole coefficients, got {self!r}"
            )
        from littlestone.machines.stored.heaviest import heaviest

        sums = of_kind(machine, ExactSums)
        most = max_size if kernel.max_size is None else min(max_size, kernel.max_size)
        sizes = range(0 if kernel.include_empty else 1, most + 1)
        found = heaviest(*sums.rows(), n=sums.size, negated=sums.negated, count=count, sizes=sizes)
        return [(tuple(map(self._literal, chosen)), sums.rules.scaled(weight)) for chosen, weight in found]

    def _literal(self, chosen: int) -> Hashable:
        column, negated = divmod(chosen, 2)
        return literal(self._vocabulary, self._n, column + negated * (self._n or 0))

    def hypothesis(self) -> Hypothesis | None:
        """Return the weights and the threshold where the kernel is linear: `Linear`, or monotone of size 1."""
        kernel, linear = self._kernel, isinstance(self._kernel, Linear)
        if isinstance(kernel, Conjunctions):
            linear = kernel.monotone and kernel.max_size == 1
        return super().hypothesis() if linear and not self._forgetron else None

    def weights(self) -> dict[Hashable, float]:
        """Return ``eta (y_1 x_1 + ...)`` by name (by position where there are no names), see the class."""
        return super().weights()

    @property
    def _forgetron(self) -> bool:
        return self.budget is not None and self.forget == "forgetron"


def _kernel(given: Any) -> Kernel:
    """Return the kernel that was meant."""
    if given is None:
        return Conjunctions()
    if isinstance(given, Kernel):
        return given
    if isinstance(given, str):
        return named(given)
    if callable(given) and not isinstance(given, type) and _takes_two(given):
        return wrapped(given)
    raise InvalidParameter(
        f"KernelPerceptron: kernel must be a Kernel, a name, a function k(x, y) or None, got {given!r}"
    )


def _takes_two(function: Callable[..., Any]) -> bool:
    """Tell whether a function takes two rows; of one that is not written in Python nobody knows before it is called."""
    try:
        signature(function).bind(None, None)
    except TypeError:
        return False
    except ValueError:  # it has no signature
        return True
    return True
