"""The ledger of losses: a game played again from its rules alone, in plain NumPy, and the bound that follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite
from typing import NamedTuple

import numpy as np

from littlestone.core.arrays import Floats, Ints
from littlestone.core.errors import InvalidCertificate, InvalidParameter
from littlestone.core.numbers import Numbers
from littlestone.games.certificates.digest import Digest
from littlestone.games.certificates.ledger import CLOSE, ROUNDING
from littlestone.games.certificates.losses.certificate import LossCertificate, LossEntry
from littlestone.games.certificates.losses.rules import LossRules
from littlestone.games.certificates.replay import ANYWAY
from littlestone.streams.base import Stream

__all__ = ["LossGame", "LossReplay", "loss_ledger", "replayed_losses"]


class _Row(NamedTuple):
    """A row over all coordinates but the constant one, and its outcome."""

    trial: int
    columns: Ints
    values: Floats
    y: float


class LossGame(NamedTuple):
    """What is played again: which rows, and by which rules."""

    stream: Stream
    rules: LossRules
    trials: int

    def check_width(self) -> None:
        """Refuse rules over far more attributes than the stream shows: a few bytes could ask for any memory."""
        if self.rules.n <= ANYWAY:
            return
        shown = self.stream.n_attributes or max((block.width for block in self.stream.blocks()), default=0)
        if self.rules.n > shown:
            raise InvalidCertificate(
                f"certificate: n: expected at most the {max(shown, ANYWAY):,} attributes that the stream shows, "
                f"got {self.rules.n:,}"
            )

    def rows(self, digest: Digest) -> Iterator[_Row]:
        """Yield the rows that were played; each of them is in the digest by then."""
        seen = 0
        for whole in self.stream.blocks():
            if seen >= self.trials:
                break
            block = whole[: self.trials - seen]
            if block.weights is not None and len(block.weights):
                raise InvalidParameter(f"trial {seen}: the example has a weight, and the proof is for those without")
            outcomes = Numbers.recoded(block.outcomes, block.labels or (), None, len(block))[0]
            for row in range(len(block)):
                span = slice(int(block.indptr[row]), int(block.indptr[row + 1]))
                columns = block.indices[span].astype(np.int64)
                values = np.ones(len(columns)) if block.values is None else block.values[span].astype(np.float64)
                if len(columns) and int(columns.max()) >= self.rules.n:
                    raise InvalidCertificate(
                        f"trial {seen}: expected {self.rules.n} attributes, got a row of another width"
                    )
                digest.add(np.array([len(columns)], dtype=np.int64), columns, values, outcomes[row : row + 1])
                yield _Row(seen, columns, values, float(outcomes[row]))
                seen += 1
        if seen < self.trials:
            raise InvalidCertificate(f"trial {seen}: expected {self.trials} trials, and the stream ends here")


@dataclass
class LossReplay:
    """What the game came to: its ledger, the predictions' residuals, the potential at both ends."""

    entries: list[LossEntry] = field(default_factory=list)
    residuals: list[float] = field(default_factory=list)
    start: float = 0.0
    end: float = 0.0  # computed anew
    stream: str = ""
    largest: float = 0.0  # of the terms that predictions and residuals are made of


def replayed_losses(game: LossGame, u: Floats) -> LossReplay:
    """Play again; refuse a row that is larger than the theorem assumes."""
    rules, potential, found, digest = game.rules, game.rules.potential(), LossReplay(), Digest()
    inside, z = rules.comparator(u), np.full(rules.coordinates, rules.dual)
    size = rules.n + int(rules.bias)
    potential.begin(z)
    v = potential.weight(z).copy()
    now = found.start = potential.divergence(inside, z)
    for row in game.rows(digest):
        if rules.size(row.values) > rules.X * (1.0 + 1e-12):
            raise InvalidParameter(
                f"certificate: trial {row.trial}: a row is larger than X = {rules.X:g}: the theorem does not apply"
            )
        columns = np.append(row.columns, rules.n) if rules.bias else row.columns
        values = np.append(row.values, 1.0) if rules.bias else row.values
        r = float(u[columns] @ values) - row.y
        if rules.algorithm == "eg-plus-minus":
            columns, values = np.append(columns, size + columns), np.append(rules.U * values, -rules.U * values)
        terms = v[columns] * values / (potential.scale() or 1.0)
        p = float(terms.sum()) - row.y
        step = (-2.0 * rules.eta * p) * values
        fall = float(inside[columns] @ step) - potential.rise(z, columns, step)
        z[columns] += step
        if potential.stale():
            v[:] = potential.weight(z)
        else:
            v[columns] = potential.weight(z[columns])
        required = (p * p - rules.share * (r * r)) / rules.price
        found.entries.append(LossEntry(p * p, r * r, now, fall, required, digest.hexdigest()[:16]))
        found.residuals.append(p)
        found.largest = max(found.largest, float(np.abs(terms).sum()) + abs(row.y))
        now -= fall
    found.end, found.stream = potential.divergence(inside, z), digest.hexdigest()
    return found


def loss_ledger(game: LossGame, u: Floats) -> tuple[LossCertificate, LossReplay]:
    """Play the game again and write down its ledger; return what was played as well."""
    game.check_width()
    rules = game.rules
    with np.errstate(over="ignore", invalid="ignore"):
        played = replayed_losses(game, u)
    loss, against = (float(sum(one)) for one in zip(*((e.loss, e.against) for e in played.entries), strict=True))
    bound = rules.share * against + rules.price * played.start
    _audit(rules, played, loss, bound)
    relevant = np.flatnonzero(u)
    certificate = LossCertificate(
        learner=str(rules),
        theorem=rules.theorem,
        rules=rules,
        attributes=tuple(relevant.tolist()),
        weights=tuple(u[relevant].tolist()),
        trials=game.trials,
        terms={"c": rules.c, "X": rules.X, "share": rules.share, "price": rules.price},
        start=played.start,
        entries=tuple(played.entries),
        loss=loss,
        against=against,
        bound=bound,
        stream=played.stream,
    )
    return certificate, played


def _audit(rules: LossRules, played: LossReplay, loss: float, bound: float) -> None:
    """Refuse a ledger in which a trial was paid less than the theorem says, or more was paid than there was."""
    size = abs(played.start) + sum(abs(entry.fall) for entry in played.entries)
    if not isfinite(size + played.end + bound):
        raise InvalidParameter("certificate: the potential leaves the floats; the comparator is outside its domain")
    finest = ROUNDING * (size + played.largest**2 / rules.price)
    for trial, entry in enumerate(played.entries):
        if not entry.fall >= entry.required - CLOSE * max(abs(entry.fall), abs(entry.required)) - finest:
            raise InvalidCertificate(
                f"trial {trial}: the potential fell by {entry.fall:.9g}, and the theorem asks for {entry.required:.9g}"
            )
    left = played.start - sum(entry.fall for entry in played.entries)
    if not abs(left - played.end) <= CLOSE * size or not played.end >= -CLOSE * size:
        raise InvalidCertificate(f"certificate: {left:.9g} of the potential should be left, and {played.end:.9g} is")
    if not loss <= bound * (1.0 + CLOSE) + ROUNDING * played.largest**2:
        raise InvalidCertificate(f"certificate: {loss:.9g} was lost, and the bound that follows is {bound:.9g}")
