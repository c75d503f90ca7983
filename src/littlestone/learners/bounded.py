"""Bounded: a learner that keeps the weights of some attributes only, however many come."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from littlestone.bounds import Bound, OpenBound
from littlestone.core.arrays import Codes, Floats, Ints, State
from littlestone.core.block import Block
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.hypothesis import Hypothesis
from littlestone.core.labels import Classes, plain
from littlestone.core.names import named_block, one_block, with_names
from littlestone.core.parameters import anything, whole
from littlestone.core.rows import NOTHING, Rows, check_block, check_importance
from littlestone.core.vocabulary import Vocabulary
from littlestone.engine.learning import slots as engine
from littlestone.learners.base import Learner
from littlestone.learners.by_class import OF_CLASSES, ByClass
from littlestone.learners.knowledge import refuse_numbers
from littlestone.learners.many_classes import Many, class_factors
from littlestone.learners.perceptron import Perceptron
from littlestone.machines.machine import Machine, of_kind
from littlestone.machines.slots import Slots
from littlestone.machines.slotted import Brought, Kept, Slotted
from littlestone.machines.targets import Targets

__all__ = ["Bounded", "standing_alone"]


def standing_alone(learner: Learner) -> bool:
    """Tell whether a learner's weights stand alone: one of them can go, and the others stay what they are.

    >>> import littlestone as ls
    >>> standing_alone(ls.Winnow()), standing_alone(ls.NormalizedWinnow())
    (True, False)
    """
    each = any(
        isinstance(value, np.ndarray | list | tuple) for value in learner.params().values()
    )  # a start of its own for each
    if learner.negations or each or learner.inner or isinstance(learner, Bounded):
        return False
    machine = learner.new_machine(2) if learner.machine is None else learner.machine
    return machine.alone() is not None


def _learner(owner: str, name: str, value: Any) -> Learner:
    if not isinstance(value, Learner):
        raise InvalidParameter(f"{owner}: {name}: expected a learner, such as Winnow(), got {value!r}")
    refuse_numbers(f"{owner}: {name}", value)
    return value


class Bounded(Learner):
    """A learner over a stream whose attributes never end: at most ``max_attributes`` of them are kept.

    An attribute is taken in when it is first on, and has a weight from its ``eligible``-th example on; until then it is
    pending, and the learner does not see it. An example that is only predicted counts as the next one would, so that
    an attribute weighs in it if it has been on ``eligible - 1`` times. Where a row brings more new attributes than
    there is room for, the rows before it are learned, and then half of the attributes are dropped: first those whose
    weights have moved least from their start (in the dual: by promotions less demotions), of equally moved ones those
    that have not been on for longest, of those that were last on in the same row the ones of the largest slots; none
    that is on in the row. A dropped attribute is forgotten: when it comes again it is new. A new attribute takes the
    smallest free slot, in the order of its row: where a row has several new names, that order, which is the reader's,
    is all that the numbering of names decides.

    Of many classes, the one in which an attribute has moved furthest says how far it has, and one that has links has
    moved further than one that has none: where they tell which classes it was active in, that would be lost with them.
    It is dropped with its links in all classes; the classes stay. Memory is that of ``max_attributes`` attributes, each
    with a link in every class at most, whatever names come. ``held``, ``dropped`` and ``lost`` are kept as counts:
    asking for them costs nothing.

    Bound
    -----
    While ``lost`` is 0 and with ``eligible=1``, that of the learner: nothing was dropped but attributes at their
    initial weight, and the game is that of the learner itself, prediction by prediction. After that none is claimed: an
    attribute of the target that is pending or forgotten makes an attribute error in each example in which it is on. Nor
    is one where more than n names may have come, which can be once some were dropped.

    Example
    -------
    >>> import littlestone as ls
    >>> learner = Bounded(ls.Winnow(theta=8), max_attributes=1000)
    >>> for i in range(10_000):
    ...     _ = learner.learn_one({"spam" if i % 2 else "ham", f"name {i}"}, i % 2)
    >>> learner.held, learner.dropped, learner.lost, learner.mistakes
    (502, 9500, 0, 3)

    With `WinnerTakesAll` in it there are any number of classes, which are asked for as there, by ``classes``,
    ``class_counts()``, ``links``, ``predict_proba`` and ``predict_proba_one``:

    >>> learner = Bounded(ls.WinnerTakesAll("perceptron"), max_attributes=1000)
    >>> for i in range(10_000):
    ...     _ = learner.learn_one({["rain", "sun", "snow"][i % 3], f"name {i}"}, ["wet", "dry", "white"][i % 3])
    >>> learner.predict_one({"snow", "new"}), learner.held, learner.links, learner.classes
    ('white', 503, 503, ('wet', 'dry', 'white'))

    Reference
    ---------
    Eligibility as in SNoW (Carlson, Cumby, Rosen and Roth, 1999); what is dropped, and when, is of this package.
    """

    in_slots = True

    learner: Learner | None = anything(
        default=None,
        takes="Learner",
        kw_only=False,
        check=_learner,
        says="Whose algorithm it is; None: the Perceptron. One whose weights stand alone: no norm or sum of all of "
        "them in it (Perceptron, Winnow, BalancedWinnow, Elimination, ThresholdedBEG, BayesBEG, QuasiAdditive; "
        "WinnerTakesAll or MulticlassPerceptron for many classes), no negations.",
    )
    max_attributes: int | None = whole(
        default=None, says="How many attributes are kept, pending ones among them; no row may have more. None: all."
    )
    eligible: int = whole(default=1, says="In how many examples an attribute must have been on before it counts.")

    def _check(self) -> None:
        self._kind = Perceptron() if self.learner is None else self.learner
        if self._kind.trials or not standing_alone(self._kind):
            raise InvalidParameter(
                "Bounded: learner: expected one that has learned nothing and whose weights stand alone, such as "
                "Perceptron(), Winnow(), BalancedWinnow() or WinnerTakesAll(), without negations, got "
                f"{self.learner!r}"
            )
        self.averaged, self.margin, self.bias = self._kind.averaged, self._kind.margin, self._kind.bias
        self.dtype = self._kind.dtype
        self._promise = dict(self._kind.promise)
        self.many_classes, self._factors = self._kind.many_classes, NOTHING
        if self.many_classes:
            self._coding = Classes

    @property
    def domain(self) -> str:  # type: ignore[override]
        """The values it takes: what the learner takes."""
        return self._kind.domain

    @property
    def tie(self) -> int:
        """The prediction where ``w.x`` equals ``theta``."""
        return self._kind.tie

    def _needs_n(self) -> bool:
        return self._kind.needs_n

    def _build(self, n: int | None) -> Machine:
        return Slotted(self._kind.new_machine(n), self.eligible)

    def _bound(self, n: int, k: int, attribute_errors: int) -> Bound | None:
        return self._kind.bound(n, k, attribute_errors)

    @property
    def guarantee(self) -> Bound | OpenBound | None:
        """The learner's bound, once n is fixed, as long as no weight that had moved was lost; see the class."""
        n = self._n
        if n is None or self.eligible > 1 or self.lost or self.pruned:
            return None
        if self.named and self.held + self.dropped > n:  # these may be more than n names
            return None
        return super().guarantee

    # What is kept

    @property
    def _slots(self) -> Slots:
        return Slots() if self._machine is None else of_kind(self._machine, Slotted).slots

    def _slotted(self, n: int | None = None) -> tuple[Slotted, int | None]:
        machine, n = self._started(n, fix=False)
        return of_kind(machine, Slotted), n

    @property
    def held(self) -> int:
        """How many attributes are kept now, pending ones among them."""
        return len(self._slots.at)

    @property
    def dropped(self) -> int:
        """How many attributes were dropped for want of room."""
        return self._slots.dropped

    @property
    def lost(self) -> int:
        """How many of those had weights that had moved, or links that told of a class."""
        return self._slots.lost

    @property
    def pruned(self) -> int:
        """How many attributes were pruned: their weight is 0 for good."""
        return len(self._slots.gone)

    @property
    def named(self) -> bool:
        """Whether it knows attributes by name."""
        return self._machine is not None and of_kind(self._machine, Slotted).named

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The names of the attributes that are kept, where they have names."""
        return Vocabulary(self._slots.keys[self._slots.held]) if self.named else None

    def kept(self) -> Kept:
        """Return the attributes that are kept, their slots and their weights: 0 where the next one is too early."""
        return self._slotted()[0].kept()

    def brought(self, x: Any) -> list[Brought]:
        """Return what each attribute of one example weighs; ``x`` is given as to `learn_one`, or a Block of one row.

        Of many classes that is a dict, from each class that it is linked to.
        """
        block = one_block(self._owner, x, self._domain(), self._most())
        brought = self._slotted()[0].brought(_rows(block), block.names)
        return [one._replace(weight=self._by_label(one.weight)) for one in brought] if self.many_classes else brought

    def weights(self) -> dict[Hashable, Any]:
        """Return what each attribute that is kept weighs in the next example, by name (by position without names).

        That is 0 while it is pending, and the initial weight if the next example is its first that counts. Of many
        classes it is a dict, from each class that it is linked to: an empty one while it is pending.
        """
        if self.many_classes:
            return {key: self._by_label(own) for key, own in self._slotted()[0].linked().items()}
        keys, _, weights, _ = self.kept()
        return dict(zip(keys, weights.tolist(), strict=True))

    def hypothesis(self) -> Hypothesis | None:
        """Return the weights and the threshold; None where there are many classes."""
        return None if self.many_classes else super().hypothesis()

    def _by_label(self, weights: dict[int, float]) -> dict[Any, float]:
        labels = self.labels or ()
        return {labels[c]: weight for c, weight in weights.items()}

    def __getattr__(self, name: str) -> Any:
        if name not in OF_CLASSES or not self.many_classes:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(ByClass(self), name)

    # The game

    def begin(self, n: int | None = None, labels: Any = None, names: Iterable[Hashable] | None = None) -> Self:
        """Say how many attributes there are, and the labels; names are checked, and taken in when they are first on."""
        words = None
        if names is not None:
            words = with_names(self._owner, self._words(), names)
            if n is not None and len(words) > n:
                raise InvalidData(f"{self._owner}: expected at most the fixed n={n} names, got {len(words)}")
        machine, _ = self._slotted(n)
        known = self.held + self.pruned if machine.named else 0
        if n is not None and n < known:
            raise InvalidParameter(f"{self._owner}: it has {known} attributes already, got n={n}")
        super().begin(n, labels)
        machine, _ = self._slotted()
        machine.named = machine.named or words is not None
        if self.many_classes:
            of_kind(machine.inner, Targets).know(len(self.labels or ()))
        return self

    def learn(self, X: Any, y: ArrayLike | None = None, *, weight: ArrayLike | None = None) -> NDArray[Any]:
        """Play each row in turn: predict, then update; return the predictions, in the caller's labels."""
        block = self._sound_mode(X)
        codes, labels = self._outcomes(block, y)
        return self.decoded(self._learned(block, codes, labels, weight))

    def _learned(self, block: Block, codes: Codes, labels: Any, weight: ArrayLike | None = None) -> Codes:
        importance = check_importance(block.weights if weight is None else weight, len(block))
        machine, n = self._slotted(block.n_attributes)
        check_block(self._owner, block, None if block.names is not None else n, self._domain(), self._most())
        rows = _rows(block)
        placed = machine.places(rows, block.names)
        self._check_room(block, placed.where, n)
        # Nothing is refused from here on.
        machine.most = self._limit(n)
        if self.many_classes:
            of_kind(machine.inner, Targets).factors = self._factors
        predictions = machine.learn(rows, codes, importance, placed)
        self._machine, self._n, self._labels = machine, n, labels
        if len(block):
            machine.named = block.names is not None
            self._width = max(self._width, 0 if machine.named else block.n_attributes or block.width)
        self._weighted = self._weighted or len(importance) > 0
        self._trials += len(block)
        self._mistakes += int(np.count_nonzero(predictions != codes))
        return predictions

    def _outcomes(self, block: Block, y: ArrayLike | None) -> tuple[Codes, Any]:
        codes, labels = super()._outcomes(block, y)
        return codes, self._weighed(labels)

    def _outcome(self, y: Any) -> tuple[Codes, Any]:
        codes, labels = super()._outcome(y)
        return codes, self._weighed(labels)

    def _weighed(self, labels: Any) -> Any:
        """Return the labels; keep what their classes weigh, where there are many."""
        if isinstance(self._kind, Many):
            self._factors = class_factors(self._owner, self._kind.class_weights, labels)
        return labels

    def _limit(self, n: int | None) -> int | None:
        limits = [limit for limit in (self.max_attributes, n) if limit is not None]
        return min(limits) if limits else None

    def _check_room(self, block: Block, where: Ints, n: int | None) -> None:
        longest = int(np.diff(block.indptr).max(initial=0))
        if self.max_attributes is not None and longest > self.max_attributes:
            row = block.start + int(np.argmax(np.diff(block.indptr)))
            raise InvalidData(
                f"{self._owner}: row {row}: expected at most max_attributes={self.max_attributes} attributes, got "
                f"{longest}; raise max_attributes"
            )
        if n is None or block.names is None or self._limit(n) != n:
            return  # where fewer than n are kept, nobody knows how many have come: names are dropped, not refused
        new, known = int(np.count_nonzero(where == engine.NEW)), self.held + self.pruned
        if known + new > max(n, known):
            raise InvalidData(f"{self._owner}: expected at most the fixed n={n} names, got {new} more; begin with more")

    def learn_one(self, x: Any, y: Any) -> Any:
        """Play one trial: predict ``x``, then learn that it is ``y``; return the prediction."""
        if isinstance(x, np.ndarray):
            return super().learn_one(x, y)
        block = self._sound_mode(self._one(x))
        codes, labels = self._outcome(y)
        return labels.label(int(self._learned(block, codes, labels)[0]))

    def predict_one(self, x: Any) -> Any:
        """Return the prediction of one example, given as to `learn_one`; nothing changes."""
        if isinstance(x, np.ndarray):
            return super().predict_one(x)
        return plain(self.predict(self._one(x))[0])

    def _one(self, x: Any) -> Block:
        """Return one example with names as a block."""
        return named_block(self._owner, x, self._domain(), self._most())

    def _scored(self, X: Any) -> tuple[Codes, Floats]:
        block = self._sound_mode(X)
        machine, n = self._slotted(block.n_attributes)
        check_block(self._owner, block, None if block.names is not None else n, self._domain(), self._most())
        return machine.score(_rows(block), block.names)

    def _scored_one(self, x: Any) -> tuple[Codes, Floats]:
        return self._scored(self._one(x))

    def _sound_mode(self, X: Any) -> Block:
        """Return the rows; refuse to mix names with positions."""
        block = Block.from_arrays(X)
        if block.names is not None:
            self._words()
        elif self.named and len(block):
            raise InvalidData(f"{self._owner}: it knows attributes by name, got positions; give names")
        return block

    def _words(self) -> Vocabulary:
        if not self.named and self._trials:
            raise InvalidData(f"{self._owner}: it has learned attributes by position, got names; give arrays")
        return Vocabulary()

    # Written down

    def state(self) -> State:
        """Return all that has been learned, as a dict of arrays."""
        return super().state() | (Slots().state(named=False) if self._machine is None else {})

    def _take(self, state: Mapping[str, NDArray[Any]]) -> None:
        super()._take(state)
        self._vocabulary = None  # the names are in their slots, and nowhere else


def _rows(block: Block) -> Rows:
    return Rows(block.indptr, block.indices, NOTHING if block.values is None else block.values)
