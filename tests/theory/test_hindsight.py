"""The best disjunction in hindsight: counts, table, integer program, greedy."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.block import Block
from littlestone.streams import Stream
from littlestone.theory.hindsight import attribute_errors, best_disjunction, disjunction, greedy_path
from tests.strategies import streams


def counts(X, y, chosen):
    """Misses, false alarms, squares and mistakes of a disjunction, by definition."""
    on = [sum(bool(row[i]) for i in chosen) for row in X]
    negative = [c for c, label in zip(on, y, strict=True) if not label]
    misses = sum(c == 0 for c, label in zip(on, y, strict=True) if label)
    return misses, sum(negative), sum(c * c for c in negative), misses + sum(c > 0 for c in negative)


def brute_force(X, y, most):
    """The least (attribute errors, size, positions) over all disjunctions of at most ``most`` attributes."""
    n = X.shape[1]
    every = (u for k in range(min(n, most) + 1) for u in combinations(range(n), k))
    return min((sum(counts(X, y, u)[:2]), len(u), u) for u in every)


def four(found):
    return found.misses, found.false_alarms, found.squares, found.mistakes


def noisy(seed, n=10, rows=120, noise=0.1):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, n)) < rng.uniform(0.1, 0.5)
    return X, X[:, :3].any(axis=1) ^ (rng.random(rows) < noise)


SIZES = st.none() | st.integers(0, 7)


@given(streams(), st.data())
def test_the_counts_are_those_of_the_definition(drawn, data):
    chosen = data.draw(st.lists(st.integers(0, drawn.n - 1), unique=True))
    found = attribute_errors(ls.from_arrays(drawn.X, drawn.y), chosen)
    assert four(found) == counts(drawn.X, drawn.y, chosen)
    assert (found.trials, found.n, found.k, found.attributes) == (
        len(drawn.X), drawn.n, len(chosen), tuple(sorted(chosen)))  # fmt: skip
    assert found.largest == int((drawn.X != 0).sum(axis=1).max())
    assert found.mistakes <= found.attribute_errors <= max(1, found.k) * found.mistakes
    assert (found.lower, found.gap, found.exact) == (None, None, False)


@given(streams(), st.data())
def test_losses_are_those_of_the_linear_threshold_function(drawn, data):
    chosen = data.draw(st.lists(st.integers(0, drawn.n - 1), unique=True))
    u = np.append(np.isin(np.arange(drawn.n), chosen), -0.5)
    sign = np.where(drawn.y == 1, 1.0, -1.0)
    lost = np.maximum(0.0, 0.5 - sign * (np.hstack((drawn.X, np.ones((len(drawn.X), 1)))) @ u))
    found = attribute_errors(ls.from_arrays(drawn.X, drawn.y), chosen)
    assert (found.losses, found.squared_losses) == (lost.sum(), (lost**2).sum())


@given(streams(), SIZES)
def test_the_table_is_brute_force_with_its_ties(drawn, most):
    found = best_disjunction(ls.from_arrays(drawn.X, drawn.y), most)
    expected = brute_force(drawn.X, drawn.y, drawn.n if most is None else most)
    assert (found.attribute_errors, found.k, found.attributes) == expected
    assert found.exact and found.method == "table" and four(found) == counts(drawn.X, drawn.y, found.attributes)


@given(streams(), SIZES, st.sampled_from([None, 1e-9]))
@settings(max_examples=40)
def test_the_program_certifies_what_it_says(drawn, most, time_limit):
    stream = ls.from_arrays(drawn.X, drawn.y)
    best = best_disjunction(stream, most, method="table").attribute_errors
    found = best_disjunction(stream, most, method="milp", time_limit=time_limit)
    assert found.lower <= best <= found.attribute_errors
    assert found.exact or time_limit is not None
    assert found.k <= (drawn.n if most is None else most)


@pytest.mark.parametrize("most", [None, 0, 1, 2, 4])
@pytest.mark.parametrize("seed", range(4))
def test_program_and_table_agree_on_noisy_streams(seed, most):
    X, y = noisy(seed)
    one, other = (best_disjunction(ls.from_arrays(X, y), most, method=way) for way in ("table", "milp"))
    assert one.attribute_errors == other.attribute_errors == one.lower == other.lower


@given(streams(max_n=6), SIZES)
def test_greedy_saves_at_every_step_and_is_no_better_than_the_best(drawn, most):
    stream = ls.from_arrays(drawn.X, drawn.y)
    path = greedy_path(stream, most)
    left = [found.attribute_errors for found in path]
    assert [found.k for found in path] == list(range(len(path)))
    assert all(a > b for a, b in pairwise(left))
    for found, after in zip(path, [*path[1:], None], strict=True):
        assert four(found) == counts(drawn.X, drawn.y, found.attributes)
        more = [sum(counts(drawn.X, drawn.y, {*found.attributes, i})[:2]) for i in range(drawn.n)]
        if after is not None:
            assert after.attribute_errors == min(more)
        elif most is None or found.k < most:
            assert min(more) >= found.attribute_errors
    greedy, best = (best_disjunction(stream, most, method=way) for way in ("greedy", "table"))
    assert best.attribute_errors <= greedy.attribute_errors <= left[-1]
    assert greedy.lower is None and set(greedy.attributes) <= set(path[-1].attributes)


def test_pruning_drops_what_later_choices_made_useless():
    """The first choice covers four rows at a cost of 1; the next two cover the same rows and two more, at no cost."""
    X = [[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1], [0, 1, 0], [0, 0, 1], [1, 0, 0]]
    stream = ls.from_arrays(X, [1, 1, 1, 1, 1, 1, 0])
    assert [found.attributes for found in greedy_path(stream)][:2] == [(), (0,)]
    assert best_disjunction(stream, method="greedy").attributes == (1, 2)


class Cut(Stream):
    """A stream in blocks of a few rows, under names that come with the rows, in an order of their own."""

    def __init__(self, X, y, size, names=None, known=True):
        self.stream, self.size, self.own = ls.from_arrays(X, y), size, names
        if known:
            self.n_attributes = self.stream.n_attributes
        self.labels = self.stream.labels

    def blocks(self, rows=8192):  # noqa: ARG002 - it has a size of its own
        for at, block in enumerate(self.stream.blocks(self.size)):
            if self.own is not None and at % 2:
                n = len(self.own)
                yield block.mapped(np.arange(n, dtype=np.uint32)[::-1], self.own[::-1])
            else:
                yield replace(block, names=self.own, n_attributes=self.n_attributes)


@pytest.mark.parametrize("way", ["table", "milp", "greedy"])
@pytest.mark.parametrize("known", [True, False])
def test_blocks_change_nothing(way, known):
    X, y = noisy(7)
    X[:, -1] |= ~X.any(axis=0)[-1]  # the last attribute occurs, so n can be seen
    whole = best_disjunction(ls.from_arrays(X, y), method=way)
    for size in (1, 7, 50):
        assert best_disjunction(Cut(X, y, size, known=known), method=way) == whole
    assert greedy_path(Cut(X, y, 7, known=known)) == greedy_path(ls.from_arrays(X, y))


def test_names():
    pandas = pytest.importorskip("pandas")
    X, y = noisy(3, n=5)
    names = tuple("abcde")
    stream = ls.from_arrays(pandas.DataFrame(X, columns=list(names)), y)
    found = attribute_errors(stream, ["c", "a"])
    assert (found.attributes, found.names) == ((0, 2), ("a", "c"))
    assert found == attribute_errors(stream, [0, "c"]) == attribute_errors(Cut(X, y, 7, names), ["a", "c"])
    assert str(found).startswith("a or c: ")
    best = best_disjunction(stream)
    assert best.names == tuple(names[i] for i in best.attributes)
    assert best == best_disjunction(Cut(X, y, 7, names))
    with pytest.raises(ls.InvalidParameter, match="such as 'a'; got 'z'"):
        attribute_errors(stream, ["z"])


@pytest.mark.parametrize("way", [None, "table", "milp", "greedy"])
def test_empty_cases(way):
    nothing = ls.from_arrays(np.zeros((0, 3)), np.zeros(0, dtype=int))
    assert best_disjunction(nothing, method=way).attribute_errors == 0
    negatives = ls.from_arrays(np.eye(3), [0, 0, 0])
    assert best_disjunction(negatives, method=way).attributes == ()
    positives = ls.from_arrays(np.vstack((np.eye(3), np.zeros((2, 3)))), [1] * 5)
    assert best_disjunction(positives, 0, method=way).misses == 5
    best = best_disjunction(positives, method=way)
    assert (best.attributes, best.misses) == ((0, 1, 2), 2)
    assert best.exact == (way != "greedy")
    assert [found.k for found in greedy_path(nothing)] == [0]
    assert str(best_disjunction(negatives)) == "never: 0 attribute errors, 0 mistakes in 3 trials (exact)"


def test_what_it_says():
    X = np.eye(20)
    found = attribute_errors(ls.from_arrays(X, [1] * 19 + [0]), range(20))
    assert str(found) == (
        " or ".join(f"x{i}" for i in range(12)) + " or ... (20 attributes): 1 attribute errors, 1 mistakes in 20 trials"
    )
    assert str(replace(found, lower=0)).endswith("trials (at most 1 from the best)")


def test_few_useful_columns_of_many_go_to_the_table():
    X, y = noisy(1, n=10)
    wide = np.zeros((len(X), 5000), dtype=bool)
    wide[:, 4900:4910] = X
    wide[~y, :4900] = True  # on in negative rows only
    found, narrow = best_disjunction(ls.from_arrays(wide, y)), best_disjunction(ls.from_arrays(X, y))
    assert found.method == "table" and found.attributes == tuple(4900 + i for i in narrow.attributes)


REFUSED = {
    "three labels": (lambda: best_disjunction(ls.from_arrays(np.eye(3), [0, 1, 2])), "expected .negative, positive."),
    "values": (lambda: best_disjunction(ls.from_arrays([[1.0], [0.5]], [1, 0])), "row 1, attribute 0: expected 0 or 1"),
    "values, counted": (lambda: attribute_errors(ls.from_arrays([[-1.0]], [1]), [0]), "got -1; make Boolean"),
    "no stream": (lambda: best_disjunction([[1]]), "expected a Stream, got list"),
    "negative size": (lambda: best_disjunction(ls.from_arrays([[1]], [1]), -1), "max_size must be a whole number >= 0"),
    "a path's size": (lambda: greedy_path(ls.from_arrays([[1]], [1]), -1), "greedy_path: max_size"),
    "method": (lambda: best_disjunction(ls.from_arrays([[1]], [1]), method="magic"), "table, milp, greedy or None"),
    "time": (lambda: best_disjunction(ls.from_arrays([[1]], [1]), time_limit=0), "time_limit must be"),
    "table": (lambda: best_disjunction(ls.from_arrays(np.eye(25), [1] * 25), method="table"), 'method="milp"'),
    "position": (lambda: attribute_errors(ls.from_arrays([[1]], [1]), [1]), "from 0 to 0, got 1"),
    "twice": (lambda: attribute_errors(ls.from_arrays([[1]], [1]), [0, 0]), "each once"),
    "a string": (lambda: attribute_errors(ls.from_arrays([[1]], [1]), "x"), "expected several"),
    "no names": (lambda: attribute_errors(ls.from_arrays([[1]], [1]), ["x"]), "the stream has no names; got 'x'"),
    "unhashable": (lambda: attribute_errors(ls.from_arrays([[1]], [1]), [[0]]), "got \\[0\\]"),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_blocks_without_outcomes_are_refused():
    class Silent(Stream):
        n_attributes = 2

        def blocks(self, rows=8192):  # noqa: ARG002 - it has a size of its own
            yield Block.from_arrays(np.eye(2))

    with pytest.raises(ls.InvalidLabel, match="with outcomes"):
        attribute_errors(Silent(), [0])


def test_a_program_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(disjunction, "LARGEST_PROGRAM", 10)
    with pytest.raises(ls.TooLarge, match='method="greedy"'):
        best_disjunction(ls.from_arrays(*noisy(0)), method="milp")


@given(streams(disjunction=True))
def test_a_disjunction_without_noise_is_found(drawn):
    assume(drawn.k)
    best = best_disjunction(ls.from_arrays(drawn.X, drawn.y))
    assert best.attribute_errors == best.mistakes == 0 and best.k <= drawn.k


REAL = ["mushroom_train", "tic-tac-toe", "monks1_train", "vote", "spambase_bool", "sms_spam"]


@pytest.mark.parametrize("name", REAL)
def test_real_data(name, real_set):
    stream = ls.from_arrays(*real_set(name))
    best = best_disjunction(stream, method="milp", time_limit=20)
    path = greedy_path(stream)
    assert best.lower <= best.attribute_errors <= path[-1].attribute_errors <= path[0].attribute_errors
    assert best.exact
    assert replace(best, lower=None, method="given") == attribute_errors(stream, best.attributes)
