"""Changes are noticed as their box says, soon, and hardly ever where there are none."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

import littlestone as ls
from littlestone import report
from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.parts.changes import ChangeDetector
from tests.naive.changes import changes

RATES = st.sampled_from([0.0, 0.01, 0.1, 0.3, 0.5, 0.9, 1.0])


def drawn(rates, seed):
    return np.random.default_rng(seed).random(len(rates)) < rates


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(RATES, st.integers(1, 700)), min_size=1, max_size=5), st.integers(0, 99),
    st.sampled_from([0.5, 0.01]), st.sampled_from([32, 5]), st.integers(1, 300),
)  # fmt: skip
def test_it_is_its_box_however_trials_come(parts, seed, delta, every, size):
    mistakes = drawn(np.repeat([rate for rate, _ in parts], [number for _, number in parts]), seed)
    detector = ChangeDetector(delta=delta, every=every)
    found = [one for at in range(0, len(mistakes), size) for one in detector.see(mistakes[at : at + size])]
    assert [one.noticed for one in found] == changes(mistakes.tolist(), delta=delta, every=every)
    assert detector.trials == len(mistakes)
    before = 0
    for one in found:
        assert before < one.began <= one.noticed
        assert one.before < one.after
        assert one.after == mistakes[one.began : one.noticed + 1].mean()
        assert one.before == mistakes[before : one.began].mean()
        before = one.noticed + 1


def falling(mistakes_of, seed, trials=3000):
    """Play a game in which a mistake never becomes more probable, as the past has it."""
    rng, rate, seen = np.random.default_rng(seed), 0.5, []
    for number in range(trials):
        seen.append(rng.random() < rate)
        rate = mistakes_of(rate, seen, number)
    return np.array(seen)


FALLING = {
    "the same": lambda rate, seen, number: 0.3,
    "slowly less": lambda rate, seen, number: 5 / (10 + number**0.5),
    "less after each lucky run": lambda rate, seen, _: rate / 2 if len(seen) > 20 and not any(seen[-20:]) else rate,
    "less after each unlucky run": lambda rate, seen, _: (
        rate * 0.9 if len(seen) > 20 and sum(seen[-20:]) > 14 else rate
    ),
}


@pytest.mark.parametrize("game", FALLING)
def test_false_changes_are_as_improbable_as_stated(game):
    """With delta = 0.3, at most so many of 100 games, but for 1 in 1,000 tests of a detector that just keeps it."""
    games = [falling(FALLING[game], seed) for seed in range(100)]
    false = sum(bool(ChangeDetector(delta=0.3).see(mistakes)) for mistakes in games)
    assert false <= binom.ppf(0.999, len(games), 0.3)
    assert any(ChangeDetector(delta=0.3).see(np.append(mistakes, np.ones(500, dtype=bool))) for mistakes in games)


def test_a_million_trials_without_a_change():
    for rate, seed in ((0.02, 0), (0.4, 1)):
        detector = ChangeDetector()
        assert detector.see(drawn(np.full(1_000_000, rate), seed)) == []
        assert len(detector.state()) <= 1 + 5 * 15  # lengths are powers of two


@pytest.mark.parametrize(
    ("before", "after", "most"), [(0.05, 0.25, 400), (0.0, 0.1, 300), (0.2, 0.3, 5000), (0, 1, 32)]
)
def test_changes_are_noticed(before, after, most):
    mistakes = drawn(np.repeat([before, after], 20_000), seed=3)
    (found,) = ChangeDetector().see(mistakes)
    assert 0 <= found.noticed - 20_000 < most
    assert abs(found.began - 20_000) <= most


def test_the_changes_of_a_run():
    """Each change of the target is noticed; not the first mistakes, which grow fewer."""
    block = ls.teachers.Disjunction(n=50, k=3, trials=9000, seed=1)
    X = next(block.blocks(9000))
    dense = np.zeros((9000, 50))
    dense[np.repeat(np.arange(9000), np.diff(X.indptr)), X.indices] = 1
    y = np.concatenate((dense[:3000, :3].any(1), dense[3000:6000, 10:13].any(1), dense[6000:, 20:23].any(1)))
    run = ls.play(ls.Winnow(alpha=1.1), ls.from_arrays(dense, y))
    assert [round(change.began, -3) for change in run.changes()] == [3000, 6000]
    assert ls.play(ls.Winnow(), ls.from_arrays(dense[:3000], y[:3000])).changes() == []


def test_a_page_and_a_plot_show_changes():
    stream = ls.from_arrays([[1, 0], [0, 1]] * 1000, [1, 0] * 500 + [0, 1] * 500)
    run = ls.play(ls.SBSB(), stream)
    (change,) = run.changes()
    page = report.run_page(run)
    assert (change.before < 0.01, change.after > 0.5) == (True, True)
    told = f"{100 * change.before:.1f}% before, {100 * change.after:.1f}% after"
    assert f"from about trial {change.began + 1:,} on: {told}" in page
    assert "Dotted: where mistakes became more frequent." in page
    (line,) = [line for line in run.plot(kind="rate").lines if len(set(line.get_xdata())) == 1]
    assert line.get_xdata()[0] == change.began + 1
    still = ls.play(ls.SBSB(), ls.from_arrays([[1, 0], [0, 1]] * 500, [1, 0] * 500))
    assert "Dotted" not in report.run_page(still) and "More mistakes" not in report.run_page(still)


def test_refusals():
    for delta in (0, 1, -0.1, "a", None):
        with pytest.raises(InvalidParameter, match="delta must be in"):
            ChangeDetector(delta=delta)
    with pytest.raises(InvalidParameter, match="every"):
        ChangeDetector(every=0)
    for wrong in ([0.5], [[True]], [2], ["a"]):
        with pytest.raises(InvalidData, match="whether it was a mistake"):
            ChangeDetector().see(wrong)
    assert ChangeDetector().see([]) == []
