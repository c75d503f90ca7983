"""Knowledge: what a learner knows: labels, names, machine, counts. Its parameters and its game are in `Learner`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.core.arrays import Codes, Floats, State
from littlestone.core.block import LARGEST_VALUE
from littlestone.core.display import Plotted
from littlestone.core.errors import InvalidData, InvalidParameter, UnknownSize
from littlestone.core.guard import Guarded, Users
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.labels import Classes, Labels
from littlestone.core.messages import Blank, Remedy
from littlestone.core.rows import check_size
from littlestone.core.vocabulary import Vocabulary
from littlestone.machines.hearing import Looking
from littlestone.machines.machine import Machine

if TYPE_CHECKING:
    from littlestone.bounds import Bound, OpenBound
    from littlestone.learners.base import Learner

__all__ = ["Knowledge", "refuse_numbers"]

NEEDS_N = Remedy(
    "call begin(n=...), learn from an array first, or set the parameters that are None",
    typed="say {attributes}, or set the parameters that are None",
    attributes=Blank(),
)
# The values with which a dict is read by compiled code; a Boolean one without zeros, the others by the long way
RANGES = {"any": (-inf, inf), "non-negative": (0.0, inf), "Boolean": (1.0, 1.0)}


def refuse_numbers(owner: str, learner: Any) -> None:
    """Refuse a regressor where only learners of labels will do.

    >>> import littlestone as ls
    >>> refuse_numbers("Bounded", ls.GradientDescent())
    Traceback (most recent call last):
        ...
    littlestone.core.errors.InvalidParameter: Bounded: expected a learner of labels, such as Winnow(), got
    GradientDescent(), which predicts numbers
    """
    if learner.predicts_numbers:
        raise InvalidParameter(
            f"{owner}: expected a learner of labels, such as Winnow(), got {learner!r}, which predicts numbers"
        )


class Knowledge(Guarded, Plotted, ABC):
    """The labels, the names and the machine of a learner, and its counts: what is read of it, and written down."""

    domain: ClassVar[str] = "any"  # the values an algorithm takes: "any", "non-negative" or "Boolean"
    narrow: ClassVar[bool] = False  # its targets are disjunctions or have positive weights, no more
    exchangeable: ClassVar[bool] = True  # permuting the attributes permutes the weights, no more
    averaged = negations = bias = False  # unless a learner's parameters say otherwise
    margin, dtype = 0.0, "float64"
    _coding: type[Labels | Classes] = Labels  # what makes outcomes of labels
    predicts_numbers: ClassVar[bool] = False  # whether its outcomes are numbers: a regressor
    many_classes = False  # whether its labels are classes, any number of them; of a Bounded one, as its learner has it
    tells_n: ClassVar[tuple[str, tuple[int | str, ...]] | None] = None  # an array made for n, and its shape: see `load`
    finds_units: ClassVar[bool] = False  # whether it finds the units of numbers itself: nothing is scaled for it
    in_slots: ClassVar[bool] = False  # whether only some attributes have weights, in slots that others may take over
    _counts_all = False  # whether attributes that are never on count too, as in a sum of all weights

    plot = Plotted.plot  # guarded, as all public methods are

    def _prepare(self) -> None:
        """Set what there is besides parameters: nothing is known yet."""
        self._users = Users()
        self._n: int | None = None  # the number of attributes, where it is fixed
        self._crowded = False  # whether a name has come that had no room: from then on only those on get any
        self._width = 0  # the number of attributes that a caller has spoken of
        self._labels: Any = None  # as `_coding` has them, once they are known
        self._vocabulary: Vocabulary | None = None
        self._named_columns = 0  # how many names have weights
        self._machine: Machine | None = None
        self._trials = self._mistakes = 0
        self._weighted = False  # whether some example counted more or less than once
        self._promise: dict[str, float] = {}  # what is known of the target, by a constructor from theory

    # What a concrete learner says of itself

    @abstractmethod
    def _build(self, n: int | None) -> Machine:
        """Return a fresh machine over ``n`` coordinates (None: as many as come)."""

    @property
    def tie(self) -> int:
        """The prediction where ``w.x`` equals ``theta``, as the paper has it."""
        return 1

    def _needs_n(self) -> bool:
        """Tell whether some parameter cannot be resolved without the number of attributes."""
        return False

    def _check_weights(self, importance: Floats) -> None:
        """Refuse example weights that the algorithm cannot take (empty: none are given)."""

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        """Return the theorem that these parameters buy on disjunctions of k literals over ``n`` coordinates."""
        del n, k, attribute_errors
        return None

    # What it has come to

    def hypothesis(self) -> Hypothesis | None:
        """Return the current weights and threshold over the attributes; the constant coordinate is in theta."""
        w, bias, theta = self.coordinates()
        if not self.negations:
            return Hypothesis(w, theta - bias)
        n = len(w) // 2
        return Hypothesis(w[:n] - w[n:], theta - bias - float(w[n:].sum()))

    def weights(self) -> dict[Hashable, Any]:
        """Return the weight of each attribute by name (by position where there are no names)."""
        w, _, _ = self.coordinates()
        n = len(w) // 2 if self.negations else len(w)
        names = list(self._vocabulary) if self._vocabulary is not None else list(range(n))
        weights = dict(zip(names, w[:n].tolist(), strict=False))
        if self.negations:
            weights |= zip((f"not {name}" for name in names), w[n:].tolist(), strict=False)
        return weights

    def coordinates(self) -> tuple[Floats, float, float]:
        """Return the weights of all coordinates spoken of, the constant one's, and theta."""
        machine, n = self._started(None, fix=False)
        if self.negations and n is not None:
            size = 2 * n
        else:
            words = self.vocabulary
            size = max(self._width, n or 0) if words is None else len(words)
        check_size(size)
        return *machine.weights(size), machine.theta

    @property
    def guarantee(self) -> Bound | OpenBound | None:
        """The bound on mistakes that these parameters buy, once n is known.

        It is about a target, such as a disjunction of k attributes. Where nobody has described it (constructors from
        theory, such as `Winnow.for_disjunctions`, do), its ``value`` is None, and ``guarantee.at(k=5)`` is the
        bound for five. None where no theorem is known to hold: averaged predictions, margins and example weights among
        them.
        """
        n = self._n or (self._width if self._vocabulary is None else len(self._vocabulary))
        if not n or self.averaged or self.margin > 0.0 or self._weighted:
            return None
        coordinates = n * (2 if self.negations else 1) + int(self.bias)
        k, attribute_errors = self._promise.get("k", 1), self._promise.get("attribute_errors", 0)
        if k > coordinates:
            return None
        bound = self._bound(coordinates, int(k), int(attribute_errors))
        described_by = None if bound is None else bound.described_by
        if bound is None or described_by is None or described_by in self._promise:
            return bound
        from littlestone.bounds import OpenBound

        return OpenBound(bound, described_by)

    @property
    def n(self) -> int | None:
        """The number of attributes, where it is fixed."""
        return self._n

    @property
    def width(self) -> int:
        """The number of attributes by position that have been spoken of; set it where more are known of."""
        return self._width

    @width.setter
    def width(self, width: int) -> None:
        self._width = max(self._width, width)

    @property
    def needs_n(self) -> bool:
        """Whether its parameters cannot be resolved without the number of attributes."""
        return self.negations or self._needs_n()

    @property
    def waits_for_n(self) -> bool:
        """Whether it has not begun, and needs the number of attributes to begin or to count with."""
        return self._machine is None and (self.needs_n or self._counts_all)

    @property
    def refuses_late(self) -> bool:
        """Whether it may refuse, while it learns, an example that `check_one` takes: one for which there is no room.

        True as long as that is not known.
        """
        return self._machine is None or not self._machine.takes_every_row

    @property
    def counts_all(self) -> bool:
        """Whether attributes that are never on count too, as in a sum of all weights."""
        return self._counts_all

    @property
    def promise(self) -> Mapping[str, float]:
        """What is known of the target, if a constructor from theory made the learner."""
        return MappingProxyType(self._promise)

    def bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        """Return the theorem that the parameters buy on disjunctions of k literals over ``n`` coordinates."""
        return self._bound(n, k, attribute_errors)

    @property
    def machine(self) -> Machine | None:
        """What it computes with, to be read only; None before it has begun."""
        return self._machine

    def anew(self) -> Self:
        """Return one of the same parameters that knows the labels, the names and n, and has learned nothing."""
        made = type(self)(**cast("Any", self).params())
        if self._machine is not None:
            settled = self._labels is not None and getattr(self._labels, "settled", True)
            cast("Any", made).begin(self._n, (self._labels.all or None) if settled else None, self.vocabulary)
        vars(made).update(_labels=self._labels, _crowded=self._crowded, _promise=dict(self._promise))
        made.width = self._width
        return made

    def mark(self) -> Callable[[], None]:
        """Return what takes the counts of later trials back; what was learned from them stays, with labels and names.

        So an interrupt leaves a learner that learns alone, too: the row that it came in is not counted.
        """
        return partial(vars(self).update, {"_trials": self._trials, "_mistakes": self._mistakes})

    def become(self, other: Knowledge) -> None:
        """Go on as ``other``, a learner of the same kind, which nobody is to use any more."""
        if type(other) is not type(self):
            raise InvalidParameter(f"{self._owner}: expected another {self._owner}, got {other!r}")
        vars(self).update(vars(other) | {"_users": self._users})

    @property
    def inner(self) -> dict[str, Learner]:
        """The learners that it is made of and that learn, by name: none, unless it is `Experts` or the like."""
        return {}

    def decoded(self, predictions: Codes) -> NDArray[Any]:
        """Return predictions as codes (0 or 1, or positions among the classes) in the caller's labels."""
        return (self._labels or self._coding()).decode(predictions)

    def learn_looked_at(self, X: Any, looking: Looking, y: ArrayLike | None = None) -> NDArray[Any]:
        """Do what `learn` does, and let the machine be asked about some rows on the way, each before it is learned."""
        machine = self._machine
        assert machine is not None
        looking.machine, self._machine = machine, cast("Machine", looking)
        try:
            return cast("NDArray[Any]", cast("Any", self).learn(X, y))
        finally:
            self._machine = machine

    def new_machine(self, n: int | None) -> Machine:
        """Return a new machine of the same algorithm over ``n`` coordinates (None: as many as come)."""
        return self._build(n)

    @property
    def trials(self) -> int:
        """How many examples it has learned from."""
        return self._trials

    @property
    def mistakes(self) -> int:
        """How many of them it predicted wrongly."""
        return self._mistakes

    @property
    def updates(self) -> int:
        """How often the hypothesis was updated."""
        return self._machine.counts()[0] if self._machine else 0

    @property
    def promotions(self) -> int:
        """Updates that answered a failure on a positive example: a mistake, or a trial inside the margin."""
        return self._machine.counts()[1] if self._machine else 0

    @property
    def demotions(self) -> int:
        """Updates that answered a failure on a negative example."""
        return self._machine.counts()[2] if self._machine else 0

    @property
    def labels(self) -> tuple[Any, ...] | None:
        """The negative and the positive label, once they are known; all classes, where there may be many."""
        return None if self._labels is None else self._labels.all

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The names of the attributes, where they have names."""
        return self._vocabulary

    def state(self) -> State:
        """Return all that has been learned, as a dict of arrays."""
        state: State = {"game": np.array([self._trials, self._mistakes, self._width, self._n or -1, self._weighted])}
        if self._promise:
            state |= {"promise": np.array([*self._promise.values()], float), "promised": np.array([*self._promise])}
        if self._labels is not None:
            state |= self._labels.state()
        if self._vocabulary is not None:
            state["names"] = self._vocabulary.state()
        if self._crowded:
            state["crowded"] = np.array(True)
        return state if self._machine is None else state | self._machine.state()

    # Inside

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _take(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on, as a new learner, from what `state` gave."""
        self._trials, self._mistakes, self._width, n, weighted = state["game"].tolist()
        self._weighted, self._crowded = bool(weighted), "crowded" in state
        if "promise" in state:
            self._promise = dict(zip(state["promised"].tolist(), state["promise"].tolist(), strict=True))
        if "labels" in state:
            self._labels = self._coding.from_state(state)
        if "names" in state:
            self._vocabulary = Vocabulary.from_state(state["names"])
        if "counts" in state:
            machine, size = self._started(n if n >= 0 else None, fix=True)
            machine.restore(state)
            machine.grow(len(self._vocabulary or ()))  # every name has a weight
            self._keep(machine, size, self._labels, self._vocabulary)

    def _domain(self) -> str:
        return "unit" if self.negations and self.domain != "Boolean" else self.domain

    def _most(self) -> float:
        """Return the largest value that the weights can take."""
        return LARGEST_VALUE if self.dtype == "float64" else 1e15

    def _started(self, n: int | None, *, fix: bool) -> tuple[Machine, int | None]:
        """Return the machine and the fixed n after hearing of ``n`` attributes; nothing is changed."""
        if self._machine is not None:
            if fix and n is not None:
                if self._n is not None and n != self._n:
                    raise InvalidParameter(f"{self._owner}: n is fixed at {self._n}, got n={n}; make a new learner")
                known = max(self._width, 0 if self._vocabulary is None else len(self._vocabulary))
                if n < known:
                    raise InvalidParameter(f"{self._owner}: it has {known} attributes already, got n={n}")
            return self._machine, n if fix and self._n is None else self._n
        needed = self._needs_n() or self.negations
        if needed and not n:
            raise UnknownSize(
                f"{self._owner}: the number of attributes is needed to resolve its parameters, and is not known",
                NEEDS_N,
            )
        fixed = n if fix or needed else None
        if self.negations and fixed is not None:
            machine = self._build(2 * fixed)
            machine.grow(2 * fixed)  # every literal is in every row, negated or not
        else:
            machine = self._build(fixed)
            machine.limit(*self._ranged())
        return machine, fixed

    def _pay(self, predictions: NDArray[Any], outcomes: NDArray[Any]) -> None:
        """Count what predictions of some outcomes cost."""
        self._mistakes += int(np.count_nonzero(predictions != outcomes))

    def _words(self) -> Vocabulary:
        """Return the vocabulary, or a new one; refuse to mix names with positions."""
        if self._vocabulary is None and self._trials:
            raise InvalidData(f"{self._owner}: it has learned attributes by position, got names; give arrays")
        return Vocabulary() if self._vocabulary is None else self._vocabulary

    def _ranged(self) -> tuple[float, float]:
        """Return the least and the largest value that a dict may be read with by compiled code."""
        least, largest = (inf, -inf) if self.negations else RANGES.get(self._domain(), (inf, -inf))
        return max(least, -self._most()), min(largest, self._most())

    def _keep(
        self, machine: Machine, n: int | None, labels: Any, words: Vocabulary | None, new: Iterable[Hashable] = ()
    ) -> None:
        """Go on with a machine that has weights for all names, the new ones among them."""
        if words is not None:
            words.add(new)
            self._named_columns = len(words)
        self._machine, self._n, self._labels, self._vocabulary = machine, n, labels, words
