"""The models behind Bayes-BEG and Normalized Winnow, exactly: a label for each attribute, and all disjunctions.

Everything is in rationals, and `posterior` enumerates: for small n, to see that the weights which the learners keep are
the posterior. A *vector-label* has a label for each attribute; where a bit stands for one, all its labels are that bit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence, Sized
from fractions import Fraction
from itertools import product
from math import comb, isfinite, prod
from typing import Any

from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.core.rational import Number, simplest_fraction

__all__ = ["ModelM", "ProductModel", "product_form", "surjections"]

Bits = tuple[int, ...]
Weights = tuple[Fraction, ...]
Posterior = dict[Bits, Fraction]
Trials = Iterable[tuple[Sequence[int], "int | Sequence[int]"]]

ONE = Fraction(1)
MOST_STATES = 1 << 16


class _VectorLabels(ABC):
    """What both models have in common: labels independent given a hidden vector, which has a product prior."""

    beta1: Fraction
    beta0: Fraction

    @abstractmethod
    def _given(self, x: Bits, i: int, hidden: int, y: int) -> Fraction:
        """Return the probability of the label of component i."""

    def _likelihood(self, x: Bits, hidden: Bits, labels: Bits) -> Fraction:
        """AS4: the labels are independent."""
        return prod((self._given(x, i, h, y) for i, (h, y) in enumerate(zip(hidden, labels, strict=True))), start=ONE)

    def _posterior(self, prior: Posterior, n: int, trials: Trials) -> Posterior:
        """Return Bayes' rule over all hidden vectors."""
        found = prior
        for x, y in trials:
            row, labels = _bits("x", x, n), _labels(y, n)
            found = _normalised({h: p * self._likelihood(row, h, labels) for h, p in found.items()})
        return found

    def label_probability(self, posterior: Posterior, x: Sequence[int], y: int | Sequence[int]) -> Fraction:
        """Return P(y | x, S) of a vector-label: over all hidden vectors, by their posterior."""
        n = len(next(iter(posterior)))
        row, labels = _bits("x", x, n), _labels(y, n)
        return sum((p * self._likelihood(row, h, labels) for h, p in posterior.items()), start=Fraction(0))

    def expected_loss(self, posterior: Posterior, x: Sequence[int], guess: int) -> Fraction:
        """Return the expectation of L^n, which is 1 unless all labels are ``guess``: equation (7), term by term."""
        n = len(next(iter(posterior)))
        _check_states("expected_loss", len(posterior) << n, n, "label_probability(posterior, x, guess), by (8)")
        others = (labels for labels in product((0, 1), repeat=n) if labels != (guess,) * n)
        return sum((self.label_probability(posterior, x, labels) for labels in others), start=Fraction(0))

    def prediction(self, posterior: Posterior, x: Sequence[int]) -> int:
        """Return the Bayes-optimal prediction for L^n, equation (8): the likelier of 1^n and 0^n; on a tie 0."""
        return int(self.label_probability(posterior, x, 1) > self.label_probability(posterior, x, 0))


class ModelM(_VectorLabels):
    """Model M: every attribute is in the disjunction d or not, independently, and has a noisy label of its own.

    ``P(y=1 | x=1, d) = (1-beta0)/(beta1-beta0) beta1^d``, ``P(y=0 | x=1, d) = (beta1-1)/(beta1-beta0) beta0^d``, and
    ``P(y=0 | x=0) = gamma``: the probability of label 0, whatever the paper's sentence says, for its formula and
    Theorem 2 do. It is the only family with the update (6). Prior and posterior are products of the weights
    ``w_i = P(d_i = 1 | S)`` (Lemma 1).

    Parameters
    ----------
    beta1, beta0, gamma : numbers, 0 <= beta0 < 1 < beta1, 0 < gamma < 1
        Taken exactly: a float as the simplest fraction that rounds to it.

    Example
    -------
    >>> half = Fraction(1, 2)
    >>> model = ModelM(2, half, Fraction(3, 5))
    >>> w = model.update((half, half), x=(1, 0), y=1)
    >>> [str(p) for p in w]
    ['2/3', '1/2']
    >>> model.posterior((half, half), [((1, 0), 1)]) == product_form(w)
    True
    >>> model.predict(w, (1, 0))
    0

    Reference
    ---------
    Helmbold, Panizza and Warmuth, "Direct and indirect algorithms for on-line learning of disjunctions" (1999),
    Section 4.1.
    """

    def __init__(self, beta1: Number, beta0: Number, gamma: Number) -> None:
        self.beta1, self.beta0 = _betas("ModelM", beta1, beta0)
        self.gamma = _number("ModelM", "gamma", gamma, lambda value: 0 < value < 1, "a number in (0, 1)")

    def probability(self, y: int, x: int, d: int) -> Fraction:
        """Return P(y | x, d) of one attribute.

        >>> [str(ModelM(2, Fraction(1, 2), Fraction(3, 5)).probability(1, x, d)) for x, d in ((1, 1), (1, 0), (0, 1))]
        ['2/3', '1/3', '2/5']
        """
        if not x:
            return 1 - self.gamma if y else self.gamma
        if y:
            return (1 - self.beta0) / (self.beta1 - self.beta0) * self.beta1**d
        return (self.beta1 - 1) / (self.beta1 - self.beta0) * self.beta0**d

    def _given(self, x: Bits, i: int, hidden: int, y: int) -> Fraction:
        return self.probability(y, x[i], hidden)

    def posterior(self, w: Sequence[Number], trials: Trials) -> Posterior:
        """Return P(d | S) for all 2^n disjunctions d, by enumeration, from the prior weights ``w``."""
        first = _weights("ModelM", w)
        _check_states("ModelM", 1 << len(first), len(first), "the product form: update, then product_form")
        return self._posterior(product_form(first), len(first), trials)

    def update(self, w: Sequence[Number], x: Sequence[int], y: int | Sequence[int]) -> Weights:
        """Return the weights after a trial, equation (6): ``w_i beta_y^x_i / (1 - w_i + w_i beta_y^x_i)``.

        >>> [str(p) for p in ModelM(2, 0.5, 0.6).update((Fraction(2, 3), 0.5), (1, 1), 0)]
        ['1/2', '1/3']
        """
        before = _weights("ModelM", w)
        row, labels = _bits("x", x, len(before)), _labels(y, len(before))
        after = []
        for p, on, label in zip(before, row, labels, strict=True):
            up = p * (self.beta1 if label else self.beta0) ** on
            if up + 1 - p == 0:
                raise _impossible()
            after.append(up / (1 - p + up))
        return tuple(after)

    def sides(self, w: Sequence[Number], x: Sequence[int]) -> tuple[Fraction, Fraction]:
        """Return the two sides of Theorem 2 without its logarithms, that of label 1 first.

        ``prod_{i in x} (1-beta0)(1 + w_i (beta1-1)) (1-gamma)^(n-|x|)`` and
        ``prod_{i in x} (beta1-1)(1 + w_i (beta0-1)) gamma^(n-|x|)``: P(1^n | x, S) and P(0^n | x, S), times
        (beta1-beta0)^|x|.
        """
        now = _weights("ModelM", w)
        row = _bits("x", x, len(now))
        on = [p for p, bit in zip(now, row, strict=True) if bit]
        off = len(row) - len(on)
        one = prod(((1 - self.beta0) * (1 + p * (self.beta1 - 1)) for p in on), start=(1 - self.gamma) ** off)
        zero = prod(((self.beta1 - 1) * (1 + p * (self.beta0 - 1)) for p in on), start=self.gamma**off)
        return one, zero

    def predict(self, w: Sequence[Number], x: Sequence[int]) -> int:
        """Return Theorem 2's prediction, which is the L^n-Bayes one; on a tie 0."""
        one, zero = self.sides(w, x)
        return int(one > zero)


class ProductModel(_VectorLabels):
    """The model behind Normalized Winnow: n attributes v_1, ..., v_n drawn independently, each from the weights w.

    The vector v stands for the disjunction of its attributes. The label of component i is 1 with probability
    ``(1-beta0)/(beta1-beta0) beta1^x_v`` and 0 with ``(beta1-1)/(beta1-beta0) beta0^x_v``, x_v being the v_i-th
    attribute of the row. While all labels of a trial agree, the posterior stays an n-fold product, of Normalized
    Winnow's weights, and the L^n-Bayes prediction is ``w.x > theta = (1/(1-beta0) - 1/(beta1-1))/2``. The paper omits
    the details; these were worked out here, and this is one such model.

    Parameters
    ----------
    beta1, beta0 : numbers, 0 <= beta0 < 1 < beta1
        Taken exactly: a float as the simplest fraction that rounds to it.

    Example
    -------
    >>> half = Fraction(1, 2)
    >>> model = ProductModel(3, half)
    >>> w = model.update((half, half), x=(1, 0), y=1)
    >>> [str(p) for p in w], str(model.theta), model.predict(w, (0, 1)), model.predict(w, (1, 0))
    (['3/4', '1/4'], '3/4', 0, 0)
    >>> posterior = model.posterior((half, half), [((1, 0), 1)])
    >>> str(posterior[0, 1]), str(w[0] * w[1])
    ('3/16', '3/16')

    Reference
    ---------
    Helmbold, Panizza and Warmuth, "Direct and indirect algorithms for on-line learning of disjunctions" (1999),
    Section 5.
    """

    def __init__(self, beta1: Number, beta0: Number) -> None:
        self.beta1, self.beta0 = _betas("ProductModel", beta1, beta0)
        self.theta = (1 / (1 - self.beta0) - 1 / (self.beta1 - 1)) / 2

    def _given(self, x: Bits, i: int, hidden: int, y: int) -> Fraction:
        del i
        if y:
            return (1 - self.beta0) / (self.beta1 - self.beta0) * self.beta1 ** x[hidden]
        return (self.beta1 - 1) / (self.beta1 - self.beta0) * self.beta0 ** x[hidden]

    def posterior(self, w: Sequence[Number], trials: Trials) -> Posterior:
        """Return P(v | S) for all n^n vectors v, by enumeration, from the prior weights ``w``, which sum to 1."""
        first = _weights("ProductModel", w)
        n = len(first)
        if sum(first) != 1:
            raise InvalidParameter(f"ProductModel: w must sum to 1, got {sum(first)}")
        _check_states("ProductModel", n**n, n, "the product form: update")
        prior = {v: prod((first[i] for i in v), start=ONE) for v in product(range(n), repeat=n)}
        return self._posterior(prior, n, trials)

    def update(self, w: Sequence[Number], x: Sequence[int], y: int | Sequence[int]) -> Weights:
        """Return the weights after a trial all of whose labels are ``y``: ``w_i beta_y^x_i``, normalised.

        A vector of labels that do not agree leads to no such product, and is refused; `posterior` takes it.
        """
        before = _weights("ProductModel", w)
        row, labels = _bits("x", x, len(before)), _labels(y, len(before))
        if len(set(labels)) > 1:
            raise InvalidData(f"y: expected labels that agree, got {y!r}; ask posterior, which takes any labels")
        factor = self.beta1 if labels[0] else self.beta0
        grown = [p * factor**on for p, on in zip(before, row, strict=True)]
        if not sum(grown):
            raise _impossible()
        return tuple(p / sum(grown) for p in grown)

    def predict(self, w: Sequence[Number], x: Sequence[int]) -> int:
        """Return Normalized Winnow's prediction: 1 iff ``w.x > theta``."""
        now = _weights("ProductModel", w)
        row = _bits("x", x, len(now))
        return int(sum((p for p, on in zip(now, row, strict=True) if on), start=Fraction(0)) > self.theta)


def product_form(w: Sequence[Number]) -> Posterior:
    """Return the distribution over all disjunctions in which attribute i is in with probability w_i: equation (5).

    >>> {d: str(p) for d, p in product_form((Fraction(2, 3), Fraction(1, 2))).items()}
    {(0, 0): '1/6', (0, 1): '1/6', (1, 0): '1/3', (1, 1): '1/3'}
    """
    each = _weights("product_form", w)
    _check_states("product_form", 1 << len(each), len(each), "the weights themselves")
    return {
        d: prod((p if bit else 1 - p for p, bit in zip(each, d, strict=True)), start=ONE)
        for d in product((0, 1), repeat=len(each))
    }


def surjections(n: int, k: int) -> int:
    """Return how many vectors of n attributes stand for a given disjunction of k.

    >>> [surjections(4, k) for k in range(1, 5)]
    [1, 14, 36, 24]
    """
    return sum((-1) ** j * comb(k, j) * (k - j) ** n for j in range(k + 1))


def _normalised(weights: Posterior) -> Posterior:
    total = sum(weights.values())
    if not total:
        raise _impossible()
    return {state: p / total for state, p in weights.items()}


def _impossible() -> InvalidData:
    return InvalidData("trials: they have probability 0 under this model; give beta0 > 0, or weights inside (0, 1)")


def _check_states(owner: str, states: int, n: int, instead: str) -> None:
    if states > MOST_STATES:
        raise TooLarge(
            f"{owner}: n={n} means {states} terms to enumerate, expected at most {MOST_STATES}; instead use {instead}"
        )


def _number(owner: str, name: str, value: Any, sound: Callable[[Fraction], bool], expected: str) -> Fraction:
    try:
        if not isinstance(value, bool) and (not isinstance(value, float) or isfinite(value)):
            exact = simplest_fraction(value)
            if sound(exact):
                return exact
    except (OverflowError, TypeError, ValueError):
        pass
    raise InvalidParameter(f"{owner}: {name} must be {expected}, got {value!r}")


def _betas(owner: str, beta1: Number, beta0: Number) -> tuple[Fraction, Fraction]:
    return (
        _number(owner, "beta1", beta1, lambda value: value > 1, "a number > 1"),
        _number(owner, "beta0", beta0, lambda value: 0 <= value < 1, "a number in [0, 1)"),
    )


def _weights(owner: str, w: Sequence[Number]) -> Weights:
    if not len(w):
        raise InvalidParameter(f"{owner}: w must have a weight for each attribute, got none")
    return tuple(_number(owner, f"w[{i}]", p, lambda value: 0 <= value <= 1, "in [0, 1]") for i, p in enumerate(w))


def _bits(name: str, bits: Sequence[int], n: int) -> Bits:
    if len(bits) != n or any(bit not in (0, 1) for bit in bits):
        raise InvalidData(f"{name}: expected {n} bits, got {bits!r}")
    return tuple(int(bit) for bit in bits)


def _labels(y: int | Sequence[int], n: int) -> Bits:
    return _bits("y", (y,) * n if not isinstance(y, Sized) else y, n)
