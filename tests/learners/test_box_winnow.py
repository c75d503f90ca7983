"""Winnow over boxes: equal to weights written down, within its bound, and able to say what it believes."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge, UnknownSize
from littlestone.learners import BoxWinnow
from littlestone.machines.sets.boxes import Boxes, BoxSums, box_numbers, heaviest_boxes
from littlestone.machines.sets.closures import ClosureMap
from tests.naive.box_winnow import BoxWinnow as Twin

GRIDS = {(6,): 21, (4, 4): 100, (3, 3, 3): 216, (1, 5): 15}  # and how many boxes they have


def games(sides, max_rows=12):
    point = st.tuples(*(st.integers(0, m - 1) for m in sides))
    return st.lists(st.tuples(point, st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=max_rows)


@pytest.mark.parametrize("sides", GRIDS)
@pytest.mark.parametrize("backend", ["local", "map"])
@given(data=st.data())
def test_it_is_its_twin_value_for_value(sides, backend, data):
    alpha = data.draw(st.sampled_from([Fraction(2), Fraction(3, 2), Fraction(5)]))
    theta = data.draw(st.sampled_from([None, Fraction(1), Fraction(7, 2), Fraction(40)]))
    game = data.draw(games(sides))
    weighted = data.draw(st.booleans())
    twin = Twin(sides, alpha, theta)
    assert len(twin.w) == GRIDS[sides] == Boxes(sides).number
    said = [twin.play(x, y, times if weighted else 1) for x, y, times in game]
    learner = BoxWinnow(sides=sides, alpha=alpha, theta=theta, backend=backend).begin(labels=(0, 1))
    X, y, times = (np.array(part) for part in zip(*game, strict=True))
    got = []
    for at in range(0, len(game), 4):
        rows = slice(at, at + 4)
        got += learner.learn(X[rows], y[rows], weight=times[rows] if weighted else None).tolist()
    assert got == said
    places = np.array(list(product(*map(range, sides))))
    values = [twin.value(x) for x in places]
    assert [learner.value(x) for x in places] == values
    assert learner.predict(places).tolist() == [int(value >= twin.theta) for value in values]
    np.testing.assert_allclose(learner.activation(places), [float(value - twin.theta) for value in values], atol=1e-9)
    for box, weight in learner.heaviest(3):
        assert twin.w[box] == weight
    assert max(twin.w.values()) == max([1, *(weight for _, weight in learner.heaviest(1))])


@pytest.mark.parametrize("sides", GRIDS)
@given(data=st.data())
def test_three_ways_to_sum_are_one(sides, data):
    nets = {x: net - 1 for x, _, net in data.draw(games(sides, 8))}
    z = data.draw(st.tuples(*(st.integers(0, m - 1) for m in sides)))
    grid = Boxes(sides)
    weights = ClosureMap(grid)
    for x, net in nets.items():
        weights.add(grid.point(x), Fraction(3, 2) ** net)
    numbers = box_numbers(z, sides, list(nets.items()))
    assert sum(numbers.values()) == grid.count(grid.point(z))
    value = sum(number * Fraction(3, 2) ** e for e, number in numbers.items())
    assert value == weights.value(grid.point(z))
    assert BoxSums(nets, sides, 1.5, cap=1000).value(z)[0] == pytest.approx(float(value), rel=1e-13)


def intervals(X, *ends):
    return np.any([(lo <= X[:, 0]) & (X[:, 0] < hi) for lo, hi in ends], axis=0)


def test_three_intervals_on_a_million_points_are_learned_within_the_bound():
    X = np.random.default_rng(0).integers(0, 10**6, (3000, 1))
    ends = (100_000, 300_000), (450_000, 600_000), (800_000, 900_000)
    y = intervals(X, *ends)
    learner, mapped = BoxWinnow(sides=10**6), BoxWinnow(sides=10**6, backend="map")
    assert learner.learn(X, y).tolist() == mapped.learn(X, y).tolist()
    bound = learner.guarantee.at(k=3)
    assert bound.value == pytest.approx(360.77, abs=0.01)
    assert learner.mistakes <= bound.value
    assert learner.sets == learner.mistakes  # distinct points
    assert mapped.sets == learner.mistakes * (learner.mistakes + 1) // 2 + 1  # intervals from point to point, and all
    found = sorted(box[0] for box, _ in learner.heaviest(3))
    assert all(lo <= found_lo and found_hi < hi for (lo, hi), (found_lo, found_hi) in zip(ends, found, strict=True))
    assert sum(hi - lo for lo, hi in found) > 0.99 * sum(hi - lo for lo, hi in ends)


@pytest.mark.parametrize("seed", range(3))
def test_boxes_of_a_plane_are_learned_within_the_bound(seed):
    rng = np.random.default_rng(seed)
    corners = np.sort(rng.integers(0, 1000, (2, 2, 2)), axis=0)  # lo and hi, of two boxes, in two dimensions
    X = rng.integers(0, 1000, (1500, 2))
    y = ((corners[0] <= X[:, np.newaxis]) & (X[:, np.newaxis] <= corners[1])).all(axis=2).any(axis=1)
    learner = BoxWinnow(sides=1000)
    learner.learn(X[:1000], y[:1000])
    assert learner.mistakes <= learner.guarantee.at(k=2).value
    assert np.mean(learner.predict(X[1000:]) != y[1000:]) < 0.1


@given(st.lists(st.integers(0, 40), min_size=1, max_size=60), st.lists(st.integers(0, 41), min_size=4, max_size=4),
       st.sampled_from([2, 1.5, 4]), st.sampled_from([None, 20, 300]))  # fmt: skip
def test_the_bound_holds_for_two_intervals(game, ends, alpha, theta):
    X = np.array(game)[:, np.newaxis]
    learner = BoxWinnow(sides=41, alpha=alpha, theta=theta).begin(1, labels=(0, 1))
    learner.learn(X, intervals(X, ends[:2], ends[2:]))
    assert learner.mistakes <= learner.guarantee.at(k=2).value


@given(
    st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(-3, 3).filter(bool), max_size=7),
    st.integers(1, 4),
)
def test_the_heaviest_boxes_are_heavier_than_all_around_and_within(nets, count):
    boxes = {
        box: sum(net for x, net in nets.items() if all(lo <= at <= hi for (lo, hi), at in zip(box, x, strict=True)))
        for box in product([(lo, hi) for lo in range(5) for hi in range(lo, 5)], repeat=2)
    }
    found = heaviest_boxes(nets, count, 1000)
    assert [net for _, net in found] == sorted((boxes[box] for box, _ in found), reverse=True)
    best = max(boxes.values())
    assert (found[0][1] if found else 0) == max(best, 0)
    for i, (box, net) in enumerate(found):
        for other, _ in found[:i]:
            within = [all(a <= lo and hi <= b for (a, b), (lo, hi) in zip(*pair, strict=True))
                      for pair in ((box, other), (other, box))]  # fmt: skip
            assert not any(within)
        assert boxes[box] == net > 0


def test_dimensions_by_name_sparse_points_and_their_own_sides():
    learner = BoxWinnow(sides=(10, 3)).begin(names=["height", "age"], labels=("no", "yes"))
    for _ in range(20):
        for height in range(10):
            learner.learn_one({"height": height}, "yes" if height > 6 else "no")  # an age left out is 0
    assert [learner.predict_one({"height": h, "age": 0}) for h in (6, 7, 9)] == ["no", "yes", "yes"]
    assert learner.weights() == {"height": 0.0, "age": 0.0}
    assert learner.heaviest(1)[0][0] == ((7, 9), (0, 0))
    assert learner.hypothesis() is None
    X = np.array([[0, 2], [5, 0], [0, 0], [9, 1]])
    dense, thin = BoxWinnow(sides=(10, 3)), BoxWinnow(sides=(10, 3))
    assert dense.learn(X, [1, 0, 1, 0]).tolist() == thin.learn(sparse.csr_matrix(X), [1, 0, 1, 0]).tolist()
    assert dense.value(X[3]) == thin.value(X[3])


def refused(learner, kind, words, call):
    before = learner.copy()
    with pytest.raises(kind, match=words):
        call(learner)
    one, other = learner.state(), before.state()
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[key], other[key]) for key in one)


@pytest.mark.parametrize("backend", ["local", "map"])
def test_points_outside_of_the_grid_and_rows_that_are_no_points(backend):
    learner = BoxWinnow(sides=(10, 3), backend=backend)
    learner.learn([[1, 1], [9, 2]], [1, 0])
    for X, words in (
        ([[0, 0], [3, 3]], "row 1, attribute 1: expected a whole number from 0 to 2, got 3; begin with larger sides"),
        ([[10, 0]], "row 0, attribute 0: .* from 0 to 9, got 10"),
        ([[0.5, 0]], "a whole number >= 0, got 0.5"),
        ([[-1, 0]], "a whole number >= 0, got -1"),
        ([[1]], "points of 2 coordinates, got rows of 1"),
        ([[1, 1, 1]], "points of 2 coordinates, got rows of 3"),
    ):
        refused(learner, InvalidData, words, lambda it, X=X: it.learn(X, [1] * len(X)))
        refused(learner, InvalidData, words, lambda it, X=X: it.predict(X))
        refused(learner, InvalidData, words, lambda it, X=X: it.activation(X))
    refused(learner, InvalidData, "from 0 to 2, got 7", lambda it: it.value(np.array([0, 7])))


def test_what_outgrows_its_cap_is_refused_as_a_whole():
    X = np.random.default_rng(0).integers(0, 1000, (400, 2))
    y = (X < 500).all(axis=1)
    for backend, words in (("map", "the map of closed sets would outgrow cap=40"), ("local", "outgrow cap=40")):
        learner = BoxWinnow(sides=1000, cap=40, backend=backend)
        learner.learn(X[:3], y[:3])
        refused(learner, TooLarge, words, lambda it: it.learn(X, y))
        assert learner.trials == 3
    many = BoxWinnow(sides=1000, cap=1000)
    many.learn(X[:60], np.arange(60) % 2)
    refused(many, TooLarge, "more than cap=1,000 hulls; raise cap", lambda it: it.heaviest())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sides": 0}, "sides must be a whole number >= 1"),
        ({"sides": (3, 0)}, "sides must be a whole number >= 1"),
        ({"sides": ()}, "sides must be a whole number or a tuple of them"),
        ({"sides": "wide"}, "sides must be a whole number or a tuple of them"),
        ({"alpha": 1}, "alpha must be a number > 1"),
        ({"theta": 0}, "theta must be a number > 0"),
        ({"backend": "grid"}, "backend must be 'local' or 'map'"),
    ],
)
def test_parameters_that_are_refused(options, message):
    with pytest.raises(InvalidParameter, match=f"BoxWinnow: {message}"):
        BoxWinnow(**options)


def test_the_number_of_dimensions_must_be_known_and_fit():
    with pytest.raises(UnknownSize, match="the number of attributes is needed"):
        BoxWinnow(sides=5).learn_one({"a": 1}, 1)
    with pytest.raises(InvalidParameter, match="it has 2 sides, got n=3"):
        BoxWinnow(sides=(5, 5)).begin(3)
    assert BoxWinnow(sides=(5, 5)).begin().n == 2


@pytest.mark.parametrize("backend", ["local", "map"])
def test_a_game_goes_on_where_its_state_was_taken(backend):
    X = np.random.default_rng(1).integers(0, 30, (120, 2))
    y = (X > 10).all(axis=1)
    whole, half = BoxWinnow(sides=30, backend=backend), BoxWinnow(sides=30, backend=backend)
    expected = whole.learn(X, y)[60:]
    half.learn(X[:60], y[:60])
    resumed = BoxWinnow.from_state(half.params(), half.state())
    for learner in (half.copy(), resumed, half):
        assert learner.learn(X[60:], y[60:]).tolist() == expected.tolist()
        assert learner.sets == whole.sets
        assert all(np.array_equal(value, learner.state()[key]) for key, value in whole.state().items())


def test_dimensions_beyond_all_numbers_are_refused():
    with pytest.raises(TooLarge, match="10,000 dimensions, got 20,000"):
        BoxWinnow().begin(20_000)


@pytest.mark.parametrize("names", [["d"], ["a", "b"], ["a", "b", "c"]])
def test_a_frame_of_any_width_is_its_rows_where_the_sides_are_told(names):
    whole, one = (BoxWinnow(sides=(4, 4)) for _ in range(2))
    frame = pd.DataFrame([[1] + [0] * (len(names) - 1), [0] * len(names)], columns=names)
    rows = [dict(row) for _, row in frame.iterrows()]
    assert whole.predict(frame).tolist() == [one.predict_one(x) for x in rows]
    assert whole.learn(frame, [1, 0]).tolist() == [one.learn_one(x, y) for x, y in zip(rows, [1, 0], strict=True)]
    assert list(whole.vocabulary) == list(one.vocabulary) == names[: 2 if len(names) < 3 else 1]
    with pytest.raises(ValueError, match="2 sides, got n=1"):
        BoxWinnow(sides=(4, 4)).begin(1)


def test_many_dimensions_in_which_points_agree():
    """Counting went one call deeper for each dimension."""
    more = (1,) * 1997  # with side 4: two lower ends, three upper ones
    nets = [((1, 2, 0), 1), ((2, 2, 1), -1), ((1, 0, 3), 2)]
    few = box_numbers((1, 2, 1), (4,) * 3, nets)
    many = box_numbers((1, 2, 1, *more), (4,) * 2000, [((*x, *more), net) for x, net in nets])
    assert many == {total: number * 6**1997 for total, number in few.items()}
    learner = BoxWinnow(sides=4).begin(2000, labels=(0, 1))
    learner.learn(np.array([[1] * 2000, [2] * 3 + [1] * 1997]), [1, 0])
    assert learner.predict(np.ones((1, 2000), dtype=int)).shape == (1,)
