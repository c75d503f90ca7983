"""A game played again from its rules alone, in plain NumPy: who errs where, and what each mistake pays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlestone.block import Block
from littlestone.certificates.potentials import Potential
from littlestone.certificates.proofs import Survey
from littlestone.certificates.rules import Rules
from littlestone.errors import InvalidCertificate
from littlestone.rational import simplest_fraction
from littlestone.streams.base import Stream

__all__ = ["Replay", "replayed", "surveyed"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

UNIT = 2.0**16
NEAR = 1e-9  # a score so near to theta (relatively) may have been decided either way: by rationals, or by rounding


class Part(NamedTuple):
    """Some rows as a SciPy matrix over all coordinates, the constant one last, and which of them are positive."""

    rows: Any
    positive: NDArray[np.bool_]
    start: int


def parts(stream: Stream, rules: Rules, labels: tuple[Any, Any], trials: int) -> Iterator[tuple[Block, Part]]:
    """Yield the first ``trials`` rows of a stream, block by block."""
    from scipy.sparse import csr_array, hstack

    seen = 0
    for block in stream.blocks():
        if seen >= trials:
            break
        block = replace(block[: trials - seen], start=seen)  # noqa: PLW2901 - the same rows, cut to size
        positive = np.array([label == labels[1] for label in block.labels or stream.labels])[block.outcomes]
        full = block.with_negations(rules.n // 2) if rules.negations else block
        first, last = full.indptr[0], full.indptr[-1]
        values = np.ones(last - first) if full.values is None else full.values[first:last]
        if len(values) and int(full.indices[first:last].max()) >= rules.n:
            raise InvalidCertificate(f"trial {seen}: expected {rules.n} attributes, got rows of another width")
        rows = csr_array((values, full.indices[first:last].astype(np.int64), full.indptr - first), (len(full), rules.n))
        if rules.bias:
            rows = csr_array(hstack([rows, np.ones((len(full), 1))]))
        yield block, Part(rows, positive, seen)
        seen += len(block)
    if seen < trials:
        raise InvalidCertificate(f"trial {seen}: expected {trials} trials, and the stream ends here")


def surveyed(
    stream: Stream, rules: Rules, labels: tuple[Any, Any], trials: int, mistakes: Ints, u: Floats
) -> tuple[Survey, float]:
    """Return what the comparator has to do with the stream, and its least margin y u.x."""
    radius = largest = 0.0
    least = inf
    reach, sizes, positive = [], [], []
    for _, part in parts(stream, rules, labels, trials):
        reached = part.rows @ u
        powers = abs(part.rows).power(rules.p).sum(axis=1) ** (1.0 / rules.p)
        radius = max(radius, float(np.max(powers, initial=0.0)))
        largest = max(largest, float(np.max(np.abs(part.rows.data), initial=0.0)))
        least = min(least, float(np.min(np.where(part.positive, reached, -reached), initial=inf)))
        here = mistakes[(mistakes >= part.start) & (mistakes < part.start + len(part.positive))] - part.start
        reach.append(reached[here])
        sizes.append(powers[here])
        positive.append(part.positive[here])
    none = np.zeros(0)
    survey = Survey(
        radius, largest, np.concatenate([none, *reach]), np.concatenate([none, *sizes]),
        np.concatenate([none.astype(bool), *positive]),
    )  # fmt: skip
    return survey, least


class _Digest:
    """The digest of a stream so far: of lengths, indices, values and outcomes apart, so that blocks leave no trace."""

    def __init__(self) -> None:
        self._parts = [hashlib.sha256() for _ in range(4)]

    def add(self, block: Block, positive: NDArray[np.bool_]) -> None:
        first, last = block.indptr[0], block.indptr[-1]
        values = np.ones(last - first) if block.values is None else block.values[first:last]
        told = (np.diff(block.indptr), block.indices[first:last], values, positive)
        for part, array in zip(self._parts, told, strict=True):
            part.update(np.ascontiguousarray(array).tobytes())

    def hexdigest(self) -> str:
        return hashlib.sha256(b"".join(part.digest() for part in self._parts)).hexdigest()


@dataclass
class Replay:
    """What the game came to: the potential at the start and, of each mistake, before it, the fall and the remainder."""

    start: float
    before: list[float] = field(default_factory=list)
    falls: list[float] = field(default_factory=list)
    remainders: list[float] = field(default_factory=list)  # what the dual potential rose beyond its tangent
    digests: list[str] = field(default_factory=list)
    stream: str = ""
    boolean: bool = True  # whether all values so far were 1
    end: float = 0.0  # the potential after the last trial, computed anew
    promoted: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    demoted: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))


def replayed(
    stream: Stream, rules: Rules, labels: tuple[Any, Any], trials: int, mistakes: Ints, u: Floats,
    potential: Potential, *, kind: str,
) -> Replay:  # fmt: skip
    """Play again, update on ``mistakes``, and refuse at the first trial that comes out otherwise."""
    z = np.full(rules.n + int(rules.bias), rules.start)
    potential.begin(z)
    v = potential.weight(z).copy()
    told = Replay(potential.total(z) if kind == "weight" else potential.divergence(u, z))
    told.promoted, told.demoted = np.zeros_like(z, dtype=np.int64), np.zeros_like(z, dtype=np.int64)
    now, digest, due = told.start, _Digest(), iter([*mistakes.tolist(), trials])
    at = next(due)
    for block, part in parts(stream, rules, labels, trials):
        low = 0
        while low < len(block):
            high = min(at - part.start + 1, len(block))
            errs = at - part.start < len(block)
            told.boolean = told.boolean and bool(np.all(part.rows.data == 1.0))
            _check(rules, part, low, high, v, potential.scale(), errs, told)
            digest.add(block[low:high], part.positive[low:high])
            low = high
            if not errs:
                continue
            row = part.rows[[at - part.start]]
            fall, remainder = _update(
                rules,
                row,
                bool(part.positive[at - part.start]),
                z,
                v,
                u if kind == "divergence" else None,
                potential,
                told,
            )
            told.before.append(now)
            told.falls.append(fall)
            told.remainders.append(remainder)
            told.digests.append(digest.hexdigest()[:16])
            now -= fall
            at = next(due)
    told.stream = digest.hexdigest()
    told.end = potential.total(z) if kind == "weight" else potential.divergence(u, z)
    return told


def _check(rules: Rules, part: Part, low: int, high: int, v: Floats, scale: float, errs: bool, told: Replay) -> None:
    """Refuse rows of which one is predicted otherwise than the ledger has it: if ``errs``, the last is a mistake."""
    rows, positive = part.rows[low:high], part.positive[low:high]
    gaps = rows @ v / scale - rules.theta if scale > 0.0 else np.full(high - low, -rules.theta)
    claimed = positive.copy()
    claimed[-1] = claimed[-1] != errs
    predicted = (gaps > 0.0) | ((gaps == 0.0) & (rules.tie == 1))
    sizes = abs(rules.theta) + abs(rows) @ np.abs(v) / (scale or 1.0)
    for row in np.flatnonzero(np.abs(gaps) <= NEAR * sizes).tolist():
        decided = _decided(rules, rows[[row]], v, told)
        predicted[row] = claimed[row] if decided is None else decided
    if np.any(predicted != claimed):
        row = int(np.argmax(predicted != claimed))
        said = "a mistake" if claimed[row] != positive[row] else "no mistake"
        raise InvalidCertificate(
            f"trial {part.start + low + row}: the ledger has {said} here, and the rules say otherwise "
            f"(w.x - theta is {gaps[row]:.6g}): this is another stream, or the ledger was altered"
        )


def _decided(rules: Rules, row: Any, v: Floats, told: Replay) -> bool | None:
    """Return the prediction of a row near theta where it can be computed exactly; None: rounding may decide it."""
    if rules.algorithm == "winnow" and told.boolean:
        weights = (rules.exact(int(told.promoted[i]), int(told.demoted[i])) for i in row.indices)
        gap = sum(weights, -simplest_fraction(rules.theta))
    elif rules.algorithm == "perceptron":
        numbers = np.concatenate((v[row.indices], row.data, [rules.theta])) * UNIT
        if not np.all((numbers == np.round(numbers)) & (np.abs(numbers) < UNIT**2)):
            return None
        gap = simplest_fraction(float(row.data @ v[row.indices]) - rules.theta)  # on whole units floats are exact
    else:
        return None
    return gap > 0 or (gap == 0 and rules.tie == 1)


def _update(
    rules: Rules, row: Any, positive: bool, z: Floats, v: Floats, u: Floats | None,
    potential: Potential, told: Replay,
) -> tuple[float, float]:  # fmt: skip
    """Move the duals; return by how much the potential fell, and how much the dual one rose beyond its tangent."""
    on, x = row.indices, row.data
    step = rules.steps[int(positive)]
    dz = step * x if np.isfinite(step) else np.where(x > 0.0, step, 0.0)
    (told.promoted if positive else told.demoted)[on] += 1
    scale = potential.scale() or 1.0
    tangent = float(np.where(np.isfinite(dz), dz, 0.0) @ v[on]) / scale
    rise = potential.rise(z[on], dz)
    gained = 0.0
    if u is not None:
        relevant = u[on] != 0.0
        gained = float(u[on][relevant] @ dz[relevant])
    z[on] += dz
    if potential.stale(z[on]):
        potential.begin(z)
        v[:] = potential.weight(z)
    else:
        v[on] = potential.weight(z[on])
    return gained - rise, rise - tangent
