"""Mirror descent: the quasi-additive family for numbers, with a link of one's own; what all of the family share."""

from __future__ import annotations

from abc import abstractmethod
from math import inf, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import anything, flag, number
from littlestone.engine.learning import descent, duals
from littlestone.learners.regressors.base import Regressor
from littlestone.machines.descent import Descent
from littlestone.machines.machine import Machine
from littlestone.parts import links
from littlestone.parts.links import Link
from littlestone.parts.losses import Loss, loss_of

if TYPE_CHECKING:
    from littlestone.bounds import Bound

__all__ = ["DescentRegressor", "MirrorDescent", "best_c", "loss_function"]

MOST = 1e16  # c where a target loses nothing: 1 + 1/c is 1


def best_c(size: float, loss: float) -> float:
    """Return the c that makes a bound smallest, for a target that loses ``loss``.

    >>> best_c(6.0, 4.0), best_c(6.0, 0.0)
    (3.0, 1e+16)
    """
    return min(max(size / sqrt(loss), 1.0 / MOST), MOST) if loss > 0.0 else MOST


def _loss(owner: str, name: str, value: Any) -> str:
    return str(loss_of(value, owner, name))


def loss_function() -> Any:
    """Declare the loss whose slope is gone down."""
    return anything(
        default="square",
        takes="str or Loss",
        check=_loss,
        says='The loss whose slope is gone down: "square", "absolute", "insensitive:0.1", "huber:1", "quantile:0.5", '
        '"logistic" (the prediction is then 1/(1 + e^-w.x)) or "linear-hinge:0", with their numbers.',
    )


class DescentRegressor(Regressor):
    """A regressor that goes down the slope of a loss in the dual of a link: the parameters that all of them have."""

    eta: float | None = number(
        default=None,
        above=0,
        says="The learning rate; None: the one that c and X give or, without X, the one for the largest row so far.",
    )
    c: float = number(
        default=1.0, above=0, says="What eta is made of: a large c is quick to learn, a small one bears more noise."
    )
    loss_function: str | Loss = loss_function()
    X: float | None = number(
        default=None, above=0, says="The largest row that the guarantee is for; None: there is none."
    )
    bias: bool = flag(default=True, says="Add a constant coordinate, learned like any other.")

    size: ClassVar[int] = descent.LENGTH  # what makes a row large
    half: ClassVar[float] = 2.0  # the c that makes eta half as large as it can become

    @property
    def measure(self) -> Loss:
        """The loss that it pays, and that its bound is about."""
        return loss_of(self.loss_function)

    def _share(self) -> float:
        """Return eta times the square of the largest row, by c."""
        return 2.0 * self.c / (2.0 + self.c)

    @abstractmethod
    def _link(self, n: int | None) -> Link:
        """Return the link, which may depend on n."""

    def _start(self, n: int | None) -> float:
        """Return the dual of every attribute before the first trial."""
        del n
        return 0.0

    def _factor(self) -> float:
        """Return how far eta and a slope of 1 move a dual."""
        return 1.0

    @property
    def rate(self) -> float | None:
        """Eta as it is given, or as c and X give it; None: it follows the rows.

        >>> import littlestone as ls
        >>> ls.GradientDescent(X=2.0).rate, ls.GradientDescent().rate
        (0.0625, None)
        """
        if self.eta is not None:
            return float(self.eta)
        return None if self.X is None else self._share() / float(self.X) ** 2

    def _theorem(self) -> Bound | None:
        loss, eta, n = self.measure, self.rate, self._coordinates()
        if self.X is None or eta is None or (n is None and self._needs_n()) or eta * self._factor() > descent.FASTEST:
            return None
        X = float(self.X)
        if loss.name == "square":
            c = self._c()
            return None if c is None else self._on_squares(X, c, n or 0)
        if loss.name == "logistic":
            return self._on_logistic(X, eta, n or 0)
        return self._on_slopes(X, eta, loss.steepest, n or 0)

    def _on_squares(self, X: float, c: float, n: int) -> Bound | None:
        """Return the theorem about the square loss, for ``n`` weights; None: there is none."""
        del X, c, n
        return None

    def _on_slopes(self, X: float, eta: float, slope: float, n: int) -> Bound | None:
        """Return the theorem about a loss whose slopes are at most ``slope``; None: there is none."""
        del X, eta, slope, n
        return None

    def _on_logistic(self, X: float, eta: float, n: int) -> Bound | None:
        """Return the theorem about the logistic loss; None: there is none."""
        del X, eta, n
        return None

    def _coordinates(self) -> int | None:
        """Return the number of weights, the constant one counted; None: it is not known."""
        n = self._n or (self._width if self._vocabulary is None else len(self._vocabulary))
        return n + int(self.bias) if n else None

    def _c(self) -> float | None:
        """Return c as it is given, or as eta and X give it; None: eta is larger than any c would make it."""
        if self.eta is None:
            return float(self.c)
        assert self.X is not None
        most = self._share() * (self.half + self.c) / self.c / float(self.X) ** 2
        part = float(self.eta) / most
        return self.half * part / (1.0 - part) if part < 1.0 else None

    def _build(self, n: int | None) -> Machine:
        largest = inf if self.X is None else float(self.X) ** 2 * (1.0 + 1e-12)  # what a caller's root has rounded
        rate, factor = self.rate, self._factor()
        eta, share = rate and min(rate * factor, descent.FASTEST), min(self._share() * factor, descent.FASTEST)
        return self._machine_of(n, eta=eta, share=share, bias=self.bias, X2=largest)

    def _machine_of(self, n: int | None, **given: Any) -> Machine:
        """Return the machine, for rates and a largest row."""
        return Descent(self._link(n), self.measure, n, measure=self.size, start=self._start(n), **given)

    def _has_no_end(self) -> bool:
        """Tell whether a weight moves as far as its dual does, however far that is: what steps too large blow up."""
        return self._link(2).name in ("identity", "p_norm")

    def _diverges(self) -> str | None:
        eta, seen = self.rate, self.seen
        if eta is None or seen is None or seen.steep is None or not self._has_no_end():
            return None
        why = "" if self.eta is not None else f", which X={self.X:g} gives,"
        remedy = "None" if self.eta is not None else f"X={seen.largest**0.5:.4g} is as large as they were, None"
        return (
            f"eta={eta:g}{why} is too large: in trial {seen.steep}, and wherever rows are so long, a step leaves a "
            f"larger error on its own row than there was; the largest safe eta for the rows so far is "
            f"{1.0 / seen.largest:.4g} ({remedy} follows the rows)"
        )


class MirrorDescent(DescentRegressor):
    """The family with a link of one's own: gradient descent in the dual of a potential.

    Update: ``z <- z - eta l'(w.x) x`` with the slope of the loss, 2 (w.x - y) for the square loss; weights
    ``w = link(z)``; predict ``w.x``. With the identity it is `GradientDescent`, with `links.exponential` and a given
    eta `ExponentiatedGradient`. On the linear hinge, with `links.power` and eta = 1, it is `Winnow`, trial for trial.

    Bound
    -----
    That of the link's potential, if its owner can prove one; none is claimed here.

    Example
    -------
    >>> import littlestone as ls
    >>> cubic = ls.link(lambda z: z * z * z)
    >>> learner = ls.MirrorDescent(link=cubic, eta=0.5, start=1.0, bias=False)
    >>> learner.learn([[1, 0], [1, 1], [0, 1]], [2.0, 3.0, 1.5]).tolist()
    [1.0, 9.0, -125.0]
    >>> X, y = [[1, 0], [0, 1], [1, 1]], [0, 1, 0]
    >>> hinge = ls.losses.linear_hinge(1.0)
    >>> learner = ls.MirrorDescent(link=ls.links.power(2.0), eta=1.0, loss_function=hinge, bias=False)
    >>> winnow = ls.Winnow(alpha=2.0, theta=1.0)
    >>> (learner.learn(X, y) >= 1.0).astype(int).tolist() == winnow.learn(X, y).tolist()
    True
    >>> learner.weights() == winnow.weights(), learner.updates == winnow.mistakes
    (True, True)

    Reference
    ---------
    Grove, Littlestone and Schuurmans, "General convergence results for linear discriminant updates", Machine
    Learning 43 (2001); Kivinen and Warmuth, "Relative loss bounds for multidimensional regression problems", Machine
    Learning 45 (2001).
    """

    link: Link | None = anything(
        default=None,
        takes="Link",
        says="From `littlestone.link`, `littlestone.from_potential` or `littlestone.links`; None: the identity.",
    )
    start: float = number(default=0.0, says="The dual of every attribute before the first trial.")

    def _check(self) -> None:
        super()._check()
        if self.link is not None and not isinstance(self.link, Link):
            raise InvalidParameter(
                f"{self._owner}: link must be a Link, got {type(self.link).__name__}; make one with littlestone.link"
            )

    def _share(self) -> float:
        return self.c / (2.0 * (1.0 + self.c))

    @property
    def _counts_all(self) -> bool:  # type: ignore[override]
        return self._link(None).scale in (duals.SUM, duals.BOTH)

    def _needs_n(self) -> bool:
        return self._counts_all

    def _link(self, n: int | None) -> Link:
        del n
        return links.identity() if self.link is None else self.link

    def _start(self, n: int | None) -> float:
        del n
        return float(self.start)
