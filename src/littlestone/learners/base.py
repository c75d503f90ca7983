"""Learner: the public face of every algorithm. What it computes with is a Machine, built once n is known."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.bounds import Bound, OpenBound
from littlestone.core import labels as two_labels
from littlestone.core.arrays import Codes, Floats, State
from littlestone.core.block import LARGEST_VALUE, Block
from littlestone.core.errors import InvalidData, InvalidLabel, InvalidParameter, UnknownSize
from littlestone.core.guard import Guarded, Users
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.names import aligned, new_in_each_row, with_names, within
from littlestone.core.parameters import DEFAULTS, check_whole, unknown_parameter
from littlestone.core.rows import MOST_ATTRIBUTES, check_block, check_importance, check_size, parts
from littlestone.core.vocabulary import Vocabulary
from littlestone.learners.one_at_a_time import NO_EXAMPLE, OneAtATime
from littlestone.machines.machine import Machine, Single

__all__ = ["Learner"]


class Learner(OneAtATime, Guarded, ABC):
    """An on-line learner: it predicts, is told the truth, and pays for each mistake.

    A concrete learner keeps its parameters under their own names and builds its `Machine`; everything else (labels,
    names, blocks, one row at a time, state) is here, once.

    Any number of threads may ask it at once; while one learns, a call from another one raises `InUse`.
    """

    domain: ClassVar[str] = "any"  # the values an algorithm takes: "any", "non-negative" or "Boolean"
    exchangeable: ClassVar[bool] = True  # permuting the attributes permutes the weights, no more
    many_classes: ClassVar[bool] = False  # whether its labels are classes, any number of them
    averaged = negations = bias = False  # unless a learner's parameters say otherwise
    margin, dtype = 0.0, "float64"
    _coding: ClassVar[Any] = two_labels  # what makes outcomes of labels
    _counts_all = False  # whether attributes that are never on count too, as in a sum of all weights

    def __new__(cls, *_: Any, **params: Any) -> Self:
        """Refuse parameters that nobody knows, with the remedy, before Python does."""
        known = cls.parameter_names()
        for name in params:
            if name not in known:
                raise unknown_parameter(cls.__name__, name, known)
        return super().__new__(cls)

    def __init__(self) -> None:
        self._users = Users()
        self._n: int | None = None  # the number of attributes, where it is fixed
        self._width = 0  # the number of attributes that a caller has spoken of
        self._labels: Any = None  # as `_coding` has them, once they are known
        self._vocabulary: Vocabulary | None = None
        self._named_columns = 0  # how many names have weights
        self._machine: Machine | None = None
        self._trials = self._mistakes = 0
        self._weighted = False  # whether some example counted more or less than once
        self._recent = NO_EXAMPLE
        self._promise: dict[str, float] = {}  # what a constructor from theory was told of the target

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

    # The game

    def begin(self, n: int | None = None, labels: Any = None, names: Iterable[Hashable] | None = None) -> Self:
        """Say how many attributes there are, the labels (negative, positive), and the names; resolve parameters.

        With ``n`` given, an attribute beyond it is refused from now on. `play` and `learn` call this by themselves,
        and fix ``n`` only for a learner whose parameters depend on it.
        """
        n = None if n is None else check_whole(self._owner, "n", n)
        known = self._labels if labels is None else self._coding.given(labels, self._labels)
        machine, fixed = self._started(n, fix=True)
        words = self._vocabulary
        if names is not None:
            words = with_names(self._owner, self._words(), names)
            if fixed is not None and len(words) > fixed:
                raise InvalidData(f"{self._owner}: expected at most the fixed n={fixed} names, got {len(words)}")
        if words is not None:
            machine.grow(len(words))  # every name has a weight
        self._keep(machine, fixed, known, words)
        return self

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn: predict, then update; return the predictions, in the caller's labels.

        ``X`` is an array, a sparse matrix, a data frame or a Block; ``y`` the labels (a Block brings its own);
        ``weight`` multiplies each row's update.
        """
        block, new_names = self._aligned(X)
        codes, labels = self._outcomes(block, y)
        importance = check_importance(block.weights if weight is None else weight, len(block))
        self._check_weights(importance)
        machine, n = self._started(block.n_attributes, fix=False)
        check_block(self._owner, block, n, self._domain(), self._most())
        block, new_names = within(block, new_names, n)
        declared = min(block.n_attributes or 0, MOST_ATTRIBUTES) if self._counts_all else 0
        machine.grow(max(block.width, declared, len(block.names or ())))  # every name has a weight
        assert block.width <= machine.size  # the engine does not look
        predictions = np.zeros(len(block), dtype=codes.dtype)
        words = self._words() if block.names is not None and (new_names or len(block)) else self._vocabulary
        try:
            for rows, at in parts(block, n if self.negations else None):
                predictions[at] = machine.learn(rows, codes[at], importance[at])
        except BaseException as error:
            self._stopped(error, machine, n, labels, words, new_names)
            raise
        # Nothing is refused from here on.
        self._keep(machine, n, labels, words, new_names)
        self._weighted = self._weighted or len(importance) > 0
        self._width = max(self._width, (block.n_attributes or block.width) if len(block) else 0)
        self._trials += len(block)
        self._mistakes += int(np.count_nonzero(predictions != codes))
        return self.decoded(predictions)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predictions of the rows of ``X``; nothing changes."""
        return self.decoded(self._scored(X)[0])

    def activation(self, X: Any) -> Floats:
        """Return ``w.x - theta`` of the rows of ``X``; nothing changes."""
        return self._scored(X)[1]

    def become(self, other: Learner) -> None:
        """Go on as ``other``, a learner of the same kind, which nobody is to use any more."""
        if type(other) is not type(self):
            raise InvalidParameter(f"{self._owner}: expected another {self._owner}, got {other!r}")
        vars(self).update(vars(other) | {"_users": self._users})

    # What it has come to

    def hypothesis(self) -> Hypothesis | None:
        """Return the current weights and threshold over the attributes; the constant coordinate is in theta."""
        w, bias, theta = self._weights()
        if not self.negations:
            return Hypothesis(w, theta - bias)
        n = len(w) // 2
        return Hypothesis(w[:n] - w[n:], theta - bias - float(w[n:].sum()))

    def weights(self) -> dict[Hashable, Any]:
        """Return the weight of each attribute by name (by position where there are no names)."""
        w, _, _ = self._weights()
        n = len(w) // 2 if self.negations else len(w)
        names = list(self._vocabulary) if self._vocabulary is not None else list(range(n))
        weights = dict(zip(names, w[:n].tolist(), strict=False))
        if self.negations:
            weights |= zip((f"not {name}" for name in names), w[n:].tolist(), strict=False)
        return weights

    @property
    def guarantee(self) -> Bound | OpenBound | None:
        """The bound on mistakes that these parameters buy, once n is known.

        It is about a target, such as a disjunction of k attributes. Where nobody has described it (constructors from
        theory, such as `Winnow.for_disjunctions`, are told), its ``value`` is None, and ``guarantee.at(k=5)`` is the
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
        return OpenBound(bound, described_by)

    @property
    def n(self) -> int | None:
        """The number of attributes, where it is fixed."""
        return self._n

    @property
    def width(self) -> int:
        """The number of attributes that have been spoken of; set it where more are known of than have been on."""
        return self._width

    @width.setter
    def width(self, width: int) -> None:
        self._width = max(self._width, width)

    @property
    def inner(self) -> dict[str, Learner]:
        """The learners that it is made of and that learn, by name: none, unless it is `Experts` or the like."""
        return {}

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

    @classmethod
    def parameter_names(cls) -> list[str]:
        """Return the names of the parameters, the family's options last."""
        names = [name for name in inspect.signature(cls.__init__).parameters if name != "self"]
        return [*names[:-1], *DEFAULTS] if names[-1:] == ["options"] else names

    def params(self) -> dict[str, Any]:
        """Return the parameters, as they were given."""
        return {name: getattr(self, name) for name in self.parameter_names()}

    def state(self) -> State:
        """Return all that has been learned, as a dict of arrays."""
        state: State = {"game": np.array([self._trials, self._mistakes, self._width, self._n or -1, self._weighted])}
        if self._promise:
            state |= {"promise": np.array([*self._promise.values()], float), "promised": np.array([*self._promise])}
        if self._labels is not None:
            state |= self._labels.state()
        if self._vocabulary is not None:
            state["names"] = self._vocabulary.state()
        return state if self._machine is None else state | self._machine.state()

    @classmethod
    def from_state(cls, params: Mapping[str, Any], state: Mapping[str, NDArray[Any]]) -> Self:
        """Return a learner that goes on where `params` and `state` were taken."""
        learner = cls(**params)
        learner._trials, learner._mistakes, learner._width, n, weighted = state["game"].tolist()
        learner._weighted = bool(weighted)
        if "promise" in state:
            learner._promise = dict(zip(state["promised"].tolist(), state["promise"].tolist(), strict=True))
        if "labels" in state:
            learner._labels = cls._coding.from_state(state)
        if "names" in state:
            learner._vocabulary = Vocabulary.from_state(state["names"])
        if "counts" in state:
            machine, size = learner._started(n if n >= 0 else None, fix=True)
            machine.restore(state)
            machine.grow(len(learner._vocabulary or ()))  # every name has a weight
            learner._keep(machine, size, learner._labels, learner._vocabulary)
        return learner

    def __repr__(self) -> str:
        defaults = type(self)().params()
        told = {name: value for name, value in self.params().items() if repr(value) != repr(defaults[name])}
        return f"{self._owner}({', '.join(f'{name}={value!r}' for name, value in told.items())})"

    # Inside

    def _domain(self) -> str:
        return "unit" if self.negations and self.domain != "Boolean" else self.domain

    def _most(self) -> float:
        """Return the largest value that the weights can take."""
        return LARGEST_VALUE if self.dtype == "float64" else 1e15

    def _weights(self) -> tuple[Floats, float, float]:
        """Return the weights of all coordinates spoken of, the constant one's, and theta."""
        machine, n = self._started(None, fix=False)
        if self.negations and n is not None:
            size = 2 * n
        elif self._vocabulary is not None:
            size = len(self._vocabulary)
        else:
            size = max(self._width, n or 0)
        check_size(size)
        return *machine.weights(size), machine.theta

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
                f"{self._owner}: the number of attributes is needed to resolve its parameters and nobody has said it; "
                "call begin(n=...), learn from an array first, or set the parameters that are None"
            )
        fixed = n if fix or needed else None
        if self.negations and fixed is not None:
            machine = self._build(2 * fixed)
            machine.grow(2 * fixed)  # every literal is in every row, negated or not
        else:
            machine = self._build(fixed)
            if isinstance(machine, Single):
                machine.limit(*self._ranged())
        return machine, fixed

    def _words(self) -> Vocabulary:
        """Return the vocabulary, or a new one; refuse to mix names with positions."""
        if self._vocabulary is None and self._trials:
            raise InvalidData(f"{self._owner}: it has learned attributes by position, got names; give arrays")
        return Vocabulary() if self._vocabulary is None else self._vocabulary

    def aligned(self, X: Any) -> Block:
        """Return the rows of ``X`` in this learner's columns, those of unknown names last; nothing changes."""
        return self._aligned(X)[0]

    def decoded(self, predictions: Codes) -> NDArray[Any]:
        """Return predictions as codes (0 or 1, or positions among the classes) in the caller's labels."""
        return (self._labels or self._coding.UNKNOWN).decode(predictions)  # type: ignore[no-any-return]

    def _aligned(self, X: Any) -> tuple[Block, Sequence[Hashable]]:
        """Return the rows in this learner's columns, and the names that are new to it."""
        block = Block.from_arrays(X)
        if block.names is not None:
            return aligned(block, self._words())
        if self._vocabulary is not None and len(block):
            raise InvalidData(f"{self._owner}: it knows attributes by name, got positions; give names")
        return block, []

    def _outcomes(self, block: Block, y: ArrayLike | None) -> tuple[Codes, Any]:
        coding, known = self._coding, self._labels
        if y is not None:
            return coding.encode(y, known, len(block))  # type: ignore[no-any-return]
        if block.outcomes is None or block.labels is None:
            raise InvalidLabel(f"{self._owner}: y is missing; give y, or a Block with outcomes")
        return coding.recoded(block.outcomes, block.labels, known, len(block))  # type: ignore[no-any-return]

    def _asked(self, X: Any) -> tuple[Block, Machine, int | None]:
        """Return rows that are only asked about, checked and in this learner's columns; the machine, and the fixed n.

        Attributes that nobody has seen have columns beyond those that are known.
        """
        block, new = self._aligned(X)
        machine, n = self._started(block.n_attributes, fix=False)
        if block.names is None or n is None or block.width <= n:
            check_block(self._owner, block, n, self._domain(), self._most())
            return block, machine, n
        check_block(self._owner, block, None, self._domain(), self._most())
        return new_in_each_row(self._owner, block, len(block.names) - len(new), n), machine, n

    def _scored(self, X: Any) -> tuple[Codes, Floats]:
        block, machine, n = self._asked(X)
        predictions, activations = np.zeros(len(block), dtype=np.uint8), np.zeros(len(block))
        if not self.negations and block.width > machine.size:
            block = replace(block, indices=np.minimum(block.indices, np.uint32(machine.size)))
        for rows, at in parts(block, n if self.negations else None):
            predictions[at], activations[at] = machine.score(rows)
        return predictions, activations
