"""The game for numbers: predict, be told, pay, update. Rows are dicts from attribute to value."""

from dataclasses import dataclass, field

from tests.naive import losses


@dataclass
class Game:
    """What a twin's game came to; ``gaps`` holds how far each prediction was from a kink of the loss."""

    predictions: list = field(default_factory=list)
    losses: list = field(default_factory=list)
    gaps: list = field(default_factory=list)


def play(twin, rows, outcomes, importance=None):
    """Play a twin: ``predict(x)`` is a number, ``learn(x, y, p, weight)`` what it makes of an example."""
    game = Game()
    for t, (x, y) in enumerate(zip(rows, outcomes, strict=True)):
        p = twin.predict(x)
        game.predictions.append(p)
        game.losses.append(losses.value(twin.loss, p, y))
        game.gaps.append(losses.gap(twin.loss, p, y))
        weight = 1 if importance is None else importance[t]
        twin.learn(x, y, p, weight)
    return game


def product(w, x):
    return sum(w[i] * v for i, v in x.items())
