"""A regressor and its naive twin play the same game: what tests compare, and streams for them."""

import warnings
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from tests import strategies
from tests.naive import numbers

NEAR = 1e-9  # a prediction nearer than this to a kink of the loss may fall on either side by rounding
NUMBERS = st.sampled_from([-2.0, -0.5, 0.0, 0.0, 0.25, 1.0, 1.0, 3.0])
WEIGHTS = st.sampled_from([0.0, 0.25, 1.0, 1.0, 2.0])

# of each loss its name with its number, and the outcomes that it takes
LOSSES = {
    "square": (("square", None), NUMBERS),
    "absolute": (("absolute", None), NUMBERS),
    "insensitive:0.25": (("insensitive", 0.25), NUMBERS),
    "huber:0.5": (("huber", 0.5), NUMBERS),
    "quantile:0.75": (("quantile", 0.75), NUMBERS),
    "logistic": (("logistic", None), st.sampled_from([0.0, 0.25, 1.0])),
    "linear-hinge:0.5": (("linear-hinge", 0.5), st.sampled_from([0.0, 1.0])),
}
KINKED = ("absolute", "insensitive:0.25", "quantile:0.75", "linear-hinge:0.5")


@st.composite
def games(draw, losses=tuple(LOSSES), values=None):
    """Draw a stream of rows with numbers, weights of examples (or None), the loss and whether there is a constant."""
    kinds = [strategies.BOOLEAN, strategies.ANY] if values is None else [values]
    stream = draw(strategies.streams(draw(st.sampled_from(kinds))))
    text = draw(st.sampled_from(losses))
    loss, outcomes = LOSSES[text]
    stream.y = np.array(draw(st.lists(outcomes, min_size=len(stream.X), max_size=len(stream.X))))
    weights = draw(st.none() | st.lists(WEIGHTS, min_size=len(stream.X), max_size=len(stream.X)))
    return stream, weights, text, loss, draw(st.booleans())


def compare(learner, twin, stream, weights, *, bias, exact=False, tolerance=1e-9, form="dense"):
    """Play both; predictions, losses and weights must agree until rounding may have decided about a slope."""
    number = Fraction if exact else float
    rows = [{**row, stream.n: number(1)} if bias else row for row in stream.rows(exact)]
    counts = None if weights is None else [number(weight) for weight in weights]
    game = numbers.play(twin, rows, [number(y) for y in stream.y.tolist()], counts)
    said = learned(learner.begin(stream.n), stream, weights, form)
    unsure = [t for t, gap in enumerate(game.gaps) if not exact and gap < NEAR]
    end = unsure[0] + 1 if unsure else len(said)
    expected = np.array([float(p) for p in game.predictions])
    if exact:
        assert said.tolist() == expected.tolist()
    same(said[:end], expected[:end], tolerance)
    if not unsure:
        same([learner.loss], [float(sum(game.losses))], tolerance)
        w, constant, _ = learner.coordinates()
        same([*w, constant] if bias else w, [float(one) for one in twin.weights()], tolerance)
    return said


def learned(learner, stream, weights, form="dense"):
    """Learn a stream by its blocks; return the predictions."""
    parts, done = [np.zeros(0)], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ls.DivergenceWarning)
        for X, y in stream.blocks():
            given = None if weights is None else weights[done : done + len(y)]
            parts.append(learner.learn(sparse.csr_matrix(X) if form == "csr" else X, y, weight=given))
            done += len(y)
    return np.concatenate(parts)


def same(found, expected, tolerance):
    """Compare numbers, relatively to the largest of them."""
    scale = max(1.0, *np.abs(expected)) if len(expected) else 1.0
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale)
