"""The game as the papers have it: score, predict, be told, update. Rows are dicts from attribute to value."""

from dataclasses import dataclass, field


@dataclass
class Game:
    """What a twin's game came to; ``gaps`` holds how far each decision was from going the other way."""

    predictions: list = field(default_factory=list)
    updates: list = field(default_factory=list)
    gaps: list = field(default_factory=list)
    weights: list = field(default_factory=list)


def with_constant(row, n):
    return {**row, n: 1}


def with_negations(row, n):
    full = dict(row)
    for i in range(n):
        rest = 1 - row.get(i, 0)
        if rest != 0:
            full[n + i] = rest
    return full


def play(twin, rows, outcomes, *, theta, tie=1, margin=None, averaged=False, always=False, importance=None):
    """Play a twin: ``weights()`` is its hypothesis, ``update(row, y, weight)`` what it makes of an example."""
    game = Game()
    total = None
    for t, (row, y) in enumerate(zip(rows, outcomes, strict=True)):
        w = twin.weights()
        gap = sum(w[i] * x for i, x in row.items()) - theta
        size = abs(theta) + sum(abs(w[i] * x) for i, x in row.items())
        predicted = gap > 0 or (gap == 0 and tie == 1)
        near = [abs(gap) / size if size else 1.0]
        shown = predicted
        if averaged:
            total = list(w) if total is None else [a + b for a, b in zip(total, w, strict=True)]
            mean = sum(total[i] * x for i, x in row.items()) - theta * (t + 1)
            shown = mean > 0 or (mean == 0 and tie == 1)
            size = abs(theta) * (t + 1) + sum(abs(total[i] * x) for i, x in row.items())
            near.append(abs(mean) / size if size else 1.0)
        game.predictions.append(int(shown))
        right_by = gap if y else -gap
        if margin is not None:
            near.append(abs(right_by - margin) / (size + abs(margin)) if size + abs(margin) else 1.0)
        game.gaps.append(float(min(near)))
        if always or predicted != bool(y) or (margin is not None and right_by <= margin):
            weight = 1 if importance is None else importance[t]
            if weight:
                twin.update(row, y, weight)
                game.updates.append(t)
    game.weights = twin.weights()
    return game
