"""A game played again from its rules alone, in plain NumPy: who errs where, and what each mistake pays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import fsum, inf
from typing import Any, NamedTuple

import numpy as np

from littlestone.core.arrays import Bools, Floats, Ints
from littlestone.core.errors import InvalidCertificate
from littlestone.games.certificates.decisions import Moves, sign
from littlestone.games.certificates.digest import Digest
from littlestone.games.certificates.potentials import Potential
from littlestone.games.certificates.proofs import Survey
from littlestone.games.certificates.rules import Rules
from littlestone.streams.base import Stream

__all__ = ["Game", "Replay", "replayed", "surveyed"]

# A score so near to theta (relatively) is decided in more digits: nearer, where weights have no running scale.
NEAR = {"normalized-winnow": 1e-9, "p-norm": 1e-9}
OWN = 1e-14  # how near to theta the weights of a user's link still decide
ANYWAY = 1 << 20  # attributes that a learner may have besides those that occur
FINEST, MOST = 2.0**-20, 2.0**30  # sums of multiples of the one are exact in floats while they are below the other


class Game(NamedTuple):
    """What is played again: which rows, by which rules, and in which trials the learner erred."""

    stream: Stream
    rules: Rules
    labels: tuple[Any, Any]
    trials: int
    mistakes: Ints

    def check_width(self) -> None:
        """Refuse rules over far more attributes than the stream shows: a few bytes could ask for any memory."""
        n = self.rules.n // (2 if self.rules.negations else 1)
        if n <= ANYWAY:
            return
        shown = self.stream.n_attributes or max((block.width for block in self.stream.blocks()), default=0)
        if n > shown:
            most = max(shown, ANYWAY)
            raise InvalidCertificate(
                f"certificate: n: expected at most the {most:,} attributes that the stream shows, got {n:,}"
            )

    def rows(self) -> Iterator[Rows]:
        """Yield the rows that were played, block by block."""
        rules, seen = self.rules, 0
        for whole in self.stream.blocks():
            if seen >= self.trials:
                break
            block = whole[: self.trials - seen]
            positive = np.array([label == self.labels[1] for label in block.labels or self.stream.labels])
            full = block.with_negations(rules.n // 2) if rules.negations else block
            first, last = full.indptr[0], full.indptr[-1]
            values = np.ones(last - first) if full.values is None else full.values[first:last]
            indices = full.indices[first:last].astype(np.int64)
            if len(values) and int(indices.max()) >= rules.n:
                raise InvalidCertificate(f"trial {seen}: expected {rules.n} attributes, got rows of another width")
            yield Rows(full.indptr - first, indices, values, positive[block.outcomes], seen)
            seen += len(block)
        if seen < self.trials:
            raise InvalidCertificate(f"trial {seen}: expected {self.trials} trials, and the stream ends here")


class Rows(NamedTuple):
    """Some rows of a stream over all coordinates but the constant one, and which of them are positive."""

    indptr: Ints
    indices: Ints
    values: Floats
    positive: Bools
    start: int  # the number of the first in the stream

    def sums(self, terms: Floats, low: int, high: int) -> Floats:
        """Return the sums of ``terms``, one a non-zero of the rows from ``low`` to ``high``, by row."""
        if high - low == 1:
            return np.array([terms.sum()])
        starts, ends = self.indptr[low:high], self.indptr[low + 1 : high + 1]
        sums, filled = np.zeros(high - low), starts < ends
        if filled.any():
            sums[filled] = np.add.reduceat(terms, starts[filled] - self.indptr[low])
        return sums

    def part(self, low: int, high: int) -> tuple[Ints, Floats]:
        """Return the columns and values of the rows from ``low`` to ``high``."""
        span = slice(self.indptr[low], self.indptr[high])
        return self.indices[span], self.values[span]


def surveyed(game: Game, u: Floats) -> tuple[Survey, float]:
    """Return what the comparator has to do with the stream, and its least margin y u.x."""
    rules, mistakes = game.rules, game.mistakes
    radius = largest = 0.0
    least = smallest = inf
    reach, sizes, positive = [np.zeros(0)], [np.zeros(0)], [np.zeros(0, dtype=bool)]
    constant, one = (float(u[-1]), 1.0) if rules.bias else (0.0, 0.0)
    for rows in game.rows():
        count = len(rows.positive)
        reached = rows.sums(u[rows.indices] * rows.values, 0, count) + constant
        lengths = (rows.sums(np.abs(rows.values) ** rules.p, 0, count) + one) ** (1.0 / rules.p)
        radius = max(radius, float(np.max(lengths, initial=0.0)))
        largest = max(largest, float(np.max(np.abs(rows.values), initial=one)))
        smallest = min(smallest, float(np.min(rows.values, initial=inf)))
        least = min(least, float(np.min(np.where(rows.positive, reached, -reached), initial=inf)))
        here = mistakes[(mistakes >= rows.start) & (mistakes < rows.start + count)] - rows.start
        reach.append(reached[here])
        sizes.append(lengths[here])
        positive.append(rows.positive[here])
    return Survey(radius, largest, smallest, *map(np.concatenate, (reach, sizes, positive))), least


@dataclass
class Replay:
    """What the game came to: the potential at the start and, of each mistake, before it, the fall and the remainder."""

    start: float
    before: list[float] = field(default_factory=list)
    falls: list[float] = field(default_factory=list)
    remainders: list[float] = field(default_factory=list)  # what the dual potential rose beyond its tangent
    digests: list[str] = field(default_factory=list)
    stream: str = ""
    end: float = 0.0  # the potential after the last trial, computed anew
    promoted: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    demoted: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))


class _Player:
    """The duals and weights of the game, and the record of it."""

    def __init__(self, rules: Rules, u: Floats, potential: Potential, kind: str) -> None:
        self.rules, self.u, self.potential, self.kind = rules, u, potential, kind
        self.z = np.full(rules.n + int(rules.bias), rules.dual)
        potential.begin(self.z)
        self.v = potential.weight(self.z).copy()
        self.record = Replay(self.measure())
        self.record.promoted, self.record.demoted = np.zeros((2, len(self.z)), dtype=np.int64)
        self.moves = np.zeros((2, len(self.z)))  # how far each coordinate was moved, in demotions and in promotions
        self.exact = True  # whether these are no rounded sums
        self.steps = np.zeros(len(self.z) if rules.algorithm == "perceptron" else 0)  # the duals in units of eta
        self.updates = 0

    def measure(self) -> float:
        """Return the potential, computed from all coordinates."""
        return self.potential.total(self.z) if self.kind == "weight" else self.potential.divergence(self.u, self.z)

    def check(self, rows: Rows, low: int, high: int, errs: bool) -> None:
        """Refuse rows of which one is predicted otherwise than the ledger says: if ``errs``, the last is a mistake."""
        rules, scale = self.rules, self.potential.scale()
        columns, values = rows.part(low, high)
        weights = self.steps if len(self.steps) else self.v
        terms = weights[columns] * values
        constant = float(weights[-1]) if rules.bias else 0.0
        gaps, unit = np.full(high - low, -rules.theta), scale if scale > 0.0 else 1.0
        if scale > 0.0:
            gaps = (rows.sums(terms, low, high) + constant) / scale - rules.theta
        claimed = rows.positive[low:high].copy()
        claimed[-1] = claimed[-1] != errs
        predicted = gaps >= 0.0 if rules.tie == 1 else gaps > 0.0
        sizes = abs(rules.theta) + (rows.sums(np.abs(terms), low, high) + abs(constant)) / unit
        terms_of = rows.indptr[low + 1 : high + 1] - rows.indptr[low:high]
        near = NEAR.get(rules.algorithm, 1e-12) + 2.0**-52 * (terms_of + 4 * self.updates)
        for row in np.flatnonzero(np.abs(gaps) <= near * sizes).tolist():
            decided = self.decided(*rows.part(low + row, low + row + 1))
            if decided is None:
                raise InvalidCertificate(
                    f"trial {rows.start + low + row}: w.x is so near to theta that no number of digits decides "
                    "on which side it is: this run cannot be certified"
                )
            predicted[row] = decided
        if (predicted != claimed).any():
            row = int(np.argmax(predicted != claimed))
            there = "a mistake" if claimed[row] != rows.positive[low + row] else "no mistake"
            raise InvalidCertificate(
                f"trial {rows.start + low + row}: the ledger has {there} here, and the rules say otherwise "
                f"(w.x - theta is {gaps[row]:.6g}): this is another stream, the ledger was altered, or the learner's "
                "rounding decided the trial"
            )

    def decided(self, columns: Ints, values: Floats) -> bool | None:
        """Return the prediction of a row near theta; None where it cannot be decided."""
        rules = self.rules
        if rules.bias:
            columns, values = np.append(columns, rules.n), np.append(values, 1.0)
        terms, found = self.v[columns] * values, None
        if rules.algorithm == "perceptron":  # its floats are what they are; only the order of their sum matters
            terms = self.steps[columns] * values
            gap = _interleaved(terms[:-1]) + float(terms[-1]) if rules.bias else _interleaved(terms)
            found = _sign(gap)  # theta is 0, or there is no proof
        elif rules.algorithm == "own-potential":  # its weights are the floats that the link gives
            gap = fsum((*terms, -rules.theta))
            found = _sign(gap) if gap == 0.0 or abs(gap) > OWN * float(np.abs(terms).sum()) else None
        elif self.exact and _fine(values):
            found = sign(rules, self._terms(columns, values), self._everything())
        if found is None and not terms.any():
            found = _sign(-rules.theta)
        return None if found is None else found > 0 or (found == 0 and rules.tie == 1)

    def _everything(self) -> dict[Moves, Fraction]:
        """Return how many coordinates were moved equally far, where a running scale depends on all of them."""
        if self.rules.algorithm != "normalized-winnow":
            return {}
        return self._terms(np.arange(len(self.z)), np.ones(len(self.z)))

    def _terms(self, columns: Ints, values: Floats) -> dict[Moves, Fraction]:
        """Return the sums of values over the coordinates that were moved equally far."""
        pairs, at = np.unique(self.moves[::-1, columns], axis=1, return_inverse=True)
        sums = np.bincount(at.ravel(), weights=values, minlength=pairs.shape[1])
        moves = [(Fraction(up), Fraction(down)) for up, down in pairs.T.tolist()]
        return dict(zip(moves, map(Fraction, sums.tolist()), strict=True))

    def update(self, columns: Ints, values: Floats, positive: bool) -> tuple[float, float]:
        """Move the duals; return by how much the potential fell, and how much the dual one rose beyond its tangent."""
        rules, potential, z = self.rules, self.potential, self.z
        if rules.bias:
            columns, values = np.append(columns, rules.n), np.append(values, 1.0)
        step = rules.steps[int(positive)]
        dz = step * values if step > -inf else np.where(values > 0.0, step, 0.0)
        (self.record.promoted if positive else self.record.demoted)[columns] += 1
        moves = self.moves[int(positive)]
        moves[columns] += values
        if len(self.steps):
            self.steps[columns] += values if positive else -values
        self.exact = self.exact and _fine(values) and bool((np.abs(moves[columns]) < MOST).all())
        self.updates += 1
        tangent = float(np.where(dz > -inf, dz, 0.0) @ self.v[columns]) / (potential.scale() or 1.0)
        rise = potential.rise(z, columns, dz)
        gained = 0.0
        if self.kind == "divergence":
            u = self.u[columns]
            relevant = u != 0.0
            gained = float(u[relevant] @ dz[relevant])
        z[columns] += dz
        if potential.stale():
            self.v[:] = potential.weight(z)
        else:
            self.v[columns] = potential.weight(z[columns])
        return gained - rise, rise - tangent


def _fine(values: Floats) -> bool:
    """Tell whether values are multiples of a power of two, so that their sums are exact."""
    return bool((np.fmod(values, FINEST) == 0.0).all())


def _sign(value: float) -> int:
    return (value > 0.0) - (value < 0.0)


def _interleaved(terms: Floats) -> float:
    """Return a sum in the order in which learners sum a row: four interleaved sums, what is left over in the first."""
    whole = len(terms) - len(terms) % 4
    parts = [float(np.cumsum(terms[k:whole:4])[-1]) if whole else 0.0 for k in range(4)]
    for term in terms[whole:].tolist():
        parts[0] += term
    return (parts[0] + parts[1]) + (parts[2] + parts[3])


def replayed(game: Game, u: Floats, potential: Potential, kind: str) -> Replay:
    """Play again, update on the mistakes, and refuse at the first trial that comes out otherwise."""
    player = _Player(game.rules, u, potential, kind)
    record, digest, due = player.record, Digest(), iter([*game.mistakes.tolist(), game.trials])
    now, at = record.start, next(due)
    for rows in game.rows():
        low, count = 0, len(rows.positive)
        while low < count:
            row = at - rows.start
            high = min(row + 1, count)
            player.check(rows, low, high, errs=row < count)
            digest.add(
                rows.indptr[low + 1 : high + 1] - rows.indptr[low:high], *rows.part(low, high), rows.positive[low:high]
            )
            low = high
            if row >= count:
                continue
            fall, remainder = player.update(*rows.part(row, row + 1), bool(rows.positive[row]))
            record.before.append(now)
            record.falls.append(fall)
            record.remainders.append(remainder)
            record.digests.append(digest.hexdigest()[:16])
            now -= fall
            at = next(due)
    record.stream, record.end = digest.hexdigest(), player.measure()
    return record
