"""prune: a learner, or a model, without the weights that no decision needs."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import Floats, Ints
from littlestone.core.block import Block
from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import Remedy
from littlestone.core.vocabulary import Vocabulary
from littlestone.engine.learning import slots as engine
from littlestone.learners import Auto, Bounded, Learner
from littlestone.learners.bounded import standing_alone
from littlestone.learners.regressors import Regressor
from littlestone.machines.slots import Gone
from littlestone.models.model import Model
from littlestone.streams import Stream
from littlestone.streams.base import complete_blocks

__all__ = ["Pruning", "prune"]


SURE = 1e-9  # relative distance from the threshold within which rounding may decide
MOST = 1e290  # an activation that can be added to another
ALONE = "Perceptron, Winnow or BalancedWinnow"


@dataclass(frozen=True)
class Pruning:
    """What `prune` did: the new learner, how many weights went and stayed, and what that changed.

    ``model`` has the new learner in it, if a model was given. ``examples`` is how many were looked at, None if there
    was no stream; ``changed`` how many of them are decided on in another way, which only weights below a level may do;
    ``moved`` by how much at most the probability of a label changed, where a model has probabilities.

    >>> import littlestone as ls
    >>> stream = ls.teachers.Disjunction(n=100, k=3, trials=2000)
    >>> learner = ls.Winnow()
    >>> _ = ls.play(learner, stream)
    >>> found = ls.prune(learner, stream=stream)
    >>> found.dropped, found.kept, found.examples, found.changed
    (97, 3, 2000, 0)
    """

    learner: Bounded
    dropped: int
    kept: int
    examples: int | None
    model: Model | None = None
    changed: int | None = None
    moved: float | None = None

    @property
    def guarantee(self) -> str:
        """What is left of the bound, in words."""
        return (
            "No bound on mistakes is claimed for the pruned learner: it was proven for all attributes. From here on it "
            "plays the same algorithm on rows without the pruned attributes, so that each example in which a pruned "
            "attribute of the target is on has an attribute error."
        )

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        names = ("dropped", "kept", "examples", "changed", "moved", "guarantee")
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        return (
            f"{self.dropped} weights dropped, {self.kept} kept.{self._predictions()}{self._shares()}\n{self.guarantee}"
        )

    def _predictions(self) -> str:
        if self.examples is None:
            return ""
        if self.changed:
            return f" {self.changed} of {self.examples} predictions changed."
        return f" All {self.examples} predictions are unchanged."

    def _shares(self) -> str:
        """Say what became of the probabilities, which no pruning keeps."""
        if self.moved == 0.0:
            return " So are the probabilities."
        if self.moved is not None:
            return f" Probabilities changed by at most {self.moved:.4f} there."
        probable = self.model is not None and self.model.has_probabilities
        return " Probabilities change where a pruned attribute is on." if probable and self.dropped else ""


def prune(player: Learner | Model, *, below: float | None = None, stream: Stream | None = None) -> Pruning:
    """Return a new learner (of a model: a new model, too) without some of the weights; the given one is not changed.

    The weight of a pruned attribute stays 0: when it is on again, it is left out of the row, and it never gets the
    initial weight, as a new attribute does. Attributes that the learner has not seen are still new to it.

    Parameters
    ----------
    player : Learner or Model
        A learner whose weights stand alone, see `Bounded`, or a Bounded one; not randomized. Of a model the decisions
        are looked at, with its threshold, and rows as it scales them; its probabilities may change.
    below : number > 0, or None
        Drop the weights that are smaller than this in absolute value, as `Learner.weights` shows them, also those of
        attributes that still have their initial weight. Predictions may change.
    stream : Stream, or None
        Drop weights, the lightest first, as long as the predictions for its examples stay the same, and the weights of
        attributes that are on in none of them; pending attributes, see `Bounded`, stay pending. It is held in memory;
        in the end both learners predict all of it, and where they differ, weights are restored. Labels are ignored.
        For a model it is to be read as the model reads.
        With both arguments, weights below ``below`` are dropped first, and then what changes nothing more.

    The result can be saved, loaded and trained further; its ``guarantee`` is None, see `Pruning.guarantee`.

    Example
    -------
    >>> import numpy as np, littlestone as ls
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((500, 20)) < 0.3
    >>> stream = ls.from_arrays(X, X[:, :3].any(axis=1))
    >>> learner = ls.Winnow()
    >>> _ = ls.play(learner, stream)
    >>> pruning = prune(learner, stream=stream)
    >>> pruning.dropped, pruning.kept, pruning.learner.weights()
    (17, 3, {0: 32.0, 1: 32.0, 2: 32.0})
    >>> bool((pruning.learner.predict(X) == learner.predict(X)).all())
    True
    """
    model = player if isinstance(player, Model) else None
    learner: Any = player if model is None else model.learner
    _check(learner, below, stream)
    made, fewer = learner, 0
    if below is not None:
        keys, slots, weights = _known(learner)
        low = (np.abs(weights) < below) & (weights != 0.0)
        fewer = int(low.sum())
        made = _without(learner, keys, slots, low)
    if stream is None:
        return _report(_Player(made, model), fewer)
    read = stream if model is None else model.stream(stream, "prune")  # zeros told, where the model scales
    before, whole = _Player(made, model), _Player(learner, model)
    blocks = [whole.rows(replace(block, outcomes=None)) for block in complete_blocks(read)]
    keys, _, weights = _known(made)
    off = _needless(before, blocks, keys, weights)
    while True:  # each time fewer are to go, so at most once for each attribute
        pruned = _Player(_without(made, keys, _known(made)[1], off), model)
        differ = _used_where_different(before, pruned, blocks, keys)
        if not (differ & off).any():
            return _compared(_report(pruned, fewer + int(off.sum())), whole, pruned, blocks)
        off &= ~differ


class _Player:
    """A learner in its place: alone, or in a model, which decides."""

    def __init__(self, learner: Any, model: Model | None) -> None:
        self.learner, self.model = learner, None if model is None else copy(model)
        if self.model is not None:
            self.model.learner = learner

    def rows(self, block: Block) -> Block:
        """Return rows of the stream as the learner sees them."""
        return block if self.model is None else self.model.rows(block)

    def decided(self, rows: Block) -> NDArray[np.bool_]:
        """Return for which rows the positive label is decided on."""
        found = self.learner.predict(rows) if self.model is None else self.model.decided(rows)
        yes = 1 if self.learner.labels is None else self.learner.labels[1]
        return np.asarray(found == yes, dtype=np.bool_)

    def gaps(self, blocks: list[Block], positive: NDArray[np.bool_]) -> Floats:
        """Return how far the activation of each row is above what parts the positive rows from the others.

        A learner alone parts them at 0. A threshold on probabilities parts them elsewhere: these rise with the
        activation, so that it is somewhere between the rows on both sides; without one side, at the nearest row.
        """
        gaps: Floats = np.concatenate([np.zeros(0), *(self.learner.activation(rows) for rows in blocks)])
        if self.model is None or self.model.decision.threshold is None or not len(gaps):
            return gaps
        gaps = np.clip(gaps, -MOST, MOST)
        ends = (gaps[~positive].max(initial=-np.inf), gaps[positive].min(initial=np.inf))
        found = [end for end in ends if np.isfinite(end)]
        return np.asarray(gaps - sum(found) / len(found), dtype=np.float64)


def _check(learner: Any, below: Any, stream: Any) -> None:
    linear = Remedy(f"train {ALONE} to prune it", typed="train with -l perceptron or -l balanced-winnow to prune it")
    if isinstance(learner, Regressor):
        raise InvalidParameter(
            f"prune: expected a learner of two labels, got {learner!r}, which predicts numbers: every weight moves them"
        )
    if isinstance(learner, Learner) and learner.many_classes:
        if len(learner.labels or ()) > 2:
            raise InvalidParameter(
                f"prune: expected a learner of two labels, got {learner!r} with {len(learner.labels or ())}; for many "
                "classes there is no pruning"
            )
        vote = "a vote of experts, in which an attribute has no one weight"
        why = vote if isinstance(learner, Auto) else "in which an attribute has a weight for each class"
        raise InvalidParameter(
            f"prune: expected a learner with one weight an attribute, got {learner!r}, {why}", linear
        )
    if not isinstance(learner, Learner) or not (isinstance(learner, Bounded) or standing_alone(learner)):
        raise InvalidParameter(
            f"prune: expected a learner whose weights stand alone and no negations, got {learner!r}, of which none "
            "can go by itself",
            linear,
        )
    if getattr(learner.learner if isinstance(learner, Bounded) else learner, "randomized", False):
        raise InvalidParameter(f"prune: expected predictions without coins, got {learner!r}")
    if learner.machine is None:
        raise InvalidParameter(
            "prune: expected a learner that has learned something, got a new one", "let it learn first"
        )
    if below is None and stream is None:
        raise InvalidParameter("prune: expected below= or stream=, got neither", "say which weights to drop")
    if below is not None and not (isinstance(below, int | float) and isfinite(below) and below > 0):
        raise InvalidParameter(f"prune: below must be a number > 0, got {below!r}")
    if stream is not None and not isinstance(stream, Stream):
        raise InvalidParameter(f"prune: stream: expected a Stream, got {type(stream).__name__}; use from_arrays(X, y)")


def _known(learner: Learner) -> tuple[list[Any], Ints, Floats]:
    """Return the attributes that a learner knows, where their weights are, and the weights."""
    if isinstance(learner, Bounded):
        return learner.kept()[:3]
    weights = learner.coordinates()[0]
    words = learner.vocabulary
    return list(range(len(weights)) if words is None else words), np.arange(len(weights)), weights


def _without(learner: Learner, keys: list[Any], slots: Ints, off: NDArray[np.bool_]) -> Bounded:
    """Return a learner without these attributes; those whose weight is still the initial one become new to it."""
    machine = None if learner.machine is None else learner.machine.alone()
    assert machine is not None
    distances = np.zeros(len(keys))
    known = slots < machine.size
    distances[known] = machine.distances()[slots[known]]
    stay, state = np.flatnonzero(~off & (distances > 0.0)), learner.state()
    named = state.pop("names", None) is not None
    if isinstance(learner, Bounded):
        if learner.eligible > 1:  # how often each was on is known of those, too
            stay = np.flatnonzero(~off)
        params, gone = learner.params(), Gone.from_state(state)
        state |= {name: state[name][stay] for name in ("seen", "last")}
    else:
        params, gone = {"learner": type(learner)(**learner.params())}, Gone()
        state |= {"seen": np.ones(len(stay), dtype=np.int64), "last": np.zeros(len(stay), dtype=np.int64)}
        state["bounded"] = np.array([learner.trials, 0, 0])
    gone.add([keys[i] for i in np.flatnonzero(off).tolist()], named=named)
    held = [keys[i] for i in stay.tolist()]
    state |= machine.select(slots[stay]) | gone.state() | {"held": np.arange(len(stay))}
    state |= {"names": Vocabulary(held).state()} if named else {"columns": np.array(held, dtype=np.uint32)}
    if learner.labels is not None:
        state["labels"] = np.empty(2, dtype=object)  # as objects labels keep their types
        state["labels"][:] = learner.labels
    return Bounded.from_state(params, state)


def _report(player: _Player, dropped: int) -> Pruning:
    made = player.learner
    assert isinstance(made, Bounded)
    return Pruning(made, dropped, made.held, None, player.model)


def _compared(found: Pruning, before: _Player, after: _Player, blocks: list[Block]) -> Pruning:
    """Say how many decisions changed, and by how much probabilities did."""
    changed = sum(int((before.decided(rows) != after.decided(rows)).sum()) for rows in blocks)
    moved = None
    if before.model is not None and after.model is not None and before.model.has_probabilities:
        one, other = before.model.probabilities_of, after.model.probabilities_of
        moved = max((float(np.abs(one(rows) - other(rows)).max(initial=0.0)) for rows in blocks), default=0.0)
    return replace(found, examples=sum(map(len, blocks)), changed=changed, moved=moved)


def _needless(player: _Player, blocks: list[Block], keys: list[Any], weights: Floats) -> NDArray[np.bool_]:
    """Return which weights can all be dropped without changing a decision; the lightest are tried first."""
    learner = player.learner
    machine = learner.machine
    assert machine is not None
    decided = np.concatenate([np.zeros(0, dtype=np.bool_), *(player.decided(rows) for rows in blocks)])
    gaps, positive = player.gaps(blocks, decided), decided.astype(np.uint8)
    places = {key: i for i, key in enumerate(keys)}
    columns, rows, values = _cells(blocks, places)
    order = np.argsort(columns, kind="stable")
    starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(np.bincount(columns, minlength=len(keys)))))
    sizes = np.bincount(rows, weights=np.abs(weights[columns] * values), minlength=len(gaps))
    slack: Floats = np.asarray(SURE * (abs(machine.theta) + sizes), dtype=np.float64)
    kept = np.ones(len(keys), dtype=np.uint8)
    lightest = np.argsort(np.abs(weights), kind="stable")
    engine.spare(lightest, starts, rows[order], values[order], weights, positive, slack, gaps, kept)
    usual = machine.unseen()
    unseen = (np.diff(starts) == 0) & (weights == usual)  # neither on here nor learned
    if isinstance(learner, Bounded):
        unseen |= ~learner.kept().counts  # pending ones do not count yet
    return np.asarray((kept == 0) & ~unseen & ((weights != 0.0) | (usual != 0.0)))


def _cells(blocks: list[Block], places: dict[Any, int]) -> tuple[Ints, Ints, Floats]:
    """Return the known attribute, the row and the value of each non-zero."""
    columns, rows, values = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    first = 0
    for block in blocks:
        span = slice(block.indptr[0], block.indptr[-1])
        used, local = np.unique(block.indices[span], return_inverse=True)
        names = block.names
        own = [places.get(i if names is None else names[i], -1) for i in used.tolist()]
        found = np.array(own, dtype=np.int64)[local]
        at = first + np.repeat(np.arange(len(block)), np.diff(block.indptr))
        known = found >= 0
        columns.append(found[known])
        rows.append(at[known])
        values.append(np.ones(int(known.sum())) if block.values is None else block.values[span][known])
        first += len(block)
    return np.concatenate(columns), np.concatenate(rows), np.concatenate(values)


def _used_where_different(one: _Player, other: _Player, blocks: list[Block], keys: list[Any]) -> NDArray[np.bool_]:
    """Return which attributes are on in rows that are decided on differently."""
    used = np.zeros(len(keys), dtype=np.bool_)
    places = {key: i for i, key in enumerate(keys)}
    for block in blocks:
        for row in np.flatnonzero(one.decided(block) != other.decided(block)).tolist():
            used[_cells([block[row : row + 1]], places)[0]] = True
    return used
