"""Signs of sums of powers: equal to those of fractions written out, and no slower where exponents are large."""

import random
from fractions import Fraction
from math import prod
from time import process_time

import numpy as np
import pytest

import littlestone as ls
from littlestone.core import power_sums
from littlestone.core.power_sums import PowerSums
from littlestone.core.rational import Powers, digits_of
from tests.naive import loop
from tests.naive.balanced_winnow import BalancedWinnow
from tests.naive.winnow import Winnow


def written_out(bases, terms):
    total = sum((c * prod(map(pow, bases, powers), start=Fraction(1)) for powers, c in terms.items()), Fraction(0))
    return (total > 0) - (total < 0)


def drawn(chance):
    """Return bases and a sum in which some terms cancel out."""
    bases = [Fraction(*chance.sample(range(1, 13), 2)) for _ in range(chance.choice([1, 1, 2]))]
    span = chance.choice([3, 10, 60])
    terms = dict[tuple[int, ...], Fraction]()

    def add(powers, coefficient):
        terms[powers] = terms.get(powers, Fraction(0)) + coefficient

    for _ in range(chance.choice([0, 0, 1, 3])):
        add(tuple(chance.randint(-span, span) for _ in bases), Fraction(chance.randint(-4, 4), chance.randint(1, 3)))
    for _ in range(chance.randint(1, 3)):
        low, i, step = [chance.randint(-span, span) for _ in bases], chance.randrange(len(bases)), chance.randint(1, 3)
        high = [power + step * (at == i) for at, power in enumerate(low)]
        coefficient = Fraction(chance.randint(1, 5))
        add(tuple(high), coefficient)
        add(tuple(low), -coefficient * bases[i] ** step)
    return bases, terms


@pytest.mark.parametrize("first", [8, 192])
@pytest.mark.parametrize("at_once", [0, 16, 8192])
def test_signs_are_those_of_fractions(monkeypatch, first, at_once):
    """Whether sums are told by their first digits, by their gaps, or by writing them out."""
    monkeypatch.setattr(power_sums, "FIRST", first)
    monkeypatch.setattr(power_sums, "WRITTEN_OUT", at_once)
    chance, found = random.Random(at_once + first), {-1: 0, 0: 0, 1: 0}
    for _ in range(1500):
        bases, terms = drawn(chance)
        sign = PowerSums(bases).sign(terms)
        assert sign == written_out(bases, terms), (bases, terms)
        found[sign] += 1
    assert min(found.values()) > 100


@pytest.mark.parametrize("bits", [1, 8, 192])
def test_digits_are_never_too_large_and_hardly_too_small(bits):
    chance = random.Random(bits)
    for _ in range(300):
        powers = [(Fraction(chance.randint(1, 99), chance.randint(1, 99)), chance.randint(-300, 300)) for _ in range(2)]
        mantissa, exponent = digits_of(powers, bits)
        true, said = prod(base**count for base, count in powers), mantissa * Fraction(2) ** exponent
        assert said <= true < said + true / 2**bits or said == true


def test_a_sum_of_many_clusters_vanishes_only_if_each_does():
    """At exponents that nobody could write out; two bases, whose powers are never equal."""
    alpha, demotion = Fraction(11, 10), Fraction(4, 5)
    sums, terms = PowerSums([alpha, demotion]), {}
    for at in range(50):
        p, q = -(10**12) * at, 10**11 * at * at
        terms |= {(p, q): Fraction(-3), (p - 1, q): 3 * alpha - 2 * demotion, (p - 1, q + 1): Fraction(2)}
    assert sums.sign(terms) == 0
    for sign in (1, -1):
        assert sums.sign({**terms, (-(10**15), 10**15): Fraction(sign)}) == sign


def near_ties(trials):
    """Rows {a, b} that are negative and {b} that are positive: with theta = w1, b is worth theta, and a ever less."""
    X = np.zeros((trials, 3), dtype=bool)
    X[:, 1], X[::2, 0] = True, True
    return X, np.arange(trials) % 2


@pytest.mark.parametrize(
    ("options", "alpha", "demotion"),
    [
        ({"alpha": 1.1}, Fraction(11, 10), Fraction(10, 11)),
        ({"alpha": 1.21, "demotion": Fraction(10, 11)}, Fraction(121, 100), Fraction(10, 11)),
    ],
)
def test_games_of_near_ties_are_played_as_in_fractions(options, alpha, demotion):
    X, y = near_ties(1200)
    rows = [dict.fromkeys(np.flatnonzero(row).tolist(), 1) for row in X]
    game = loop.play(Winnow(3, alpha, demotion, Fraction(1)), rows, y.tolist(), theta=1)
    learner = ls.Winnow(theta=1, **options).begin(3, labels=(0, 1))
    assert min(gap for gap in game.gaps if gap) < 1e-20  # rounding would not know
    assert learner.learn(X, y).tolist() == game.predictions
    assert learner.predict(X[-2:]).tolist() == learner.learn(X[-2:], y[-2:])[:1].tolist() * 2


def test_a_margin_is_met_exactly():
    """Scores that reach the margin but for a weight that no float could add."""
    rows = [{0: 1, 1: 1}, {1: 1}] * 400
    game = loop.play(BalancedWinnow(3, Fraction(3, 2), 1), rows, [0, 1] * 400, theta=0, margin=Fraction(5, 6))
    learner = ls.BalancedWinnow(bias=False, margin=Fraction(5, 6)).begin(3, labels=(0, 1))
    X = np.array([[i in row for i in range(3)] for row in rows])
    assert learner.learn(X, [0, 1] * 400).tolist() == game.predictions
    assert learner.updates == len(game.updates) > 3


@pytest.mark.parametrize(
    "learner",
    [ls.Winnow(alpha=1.1, theta=1), ls.Bounded(ls.Winnow(alpha=1.1, theta=1), max_attributes=100)],
    ids=["winnow", "bounded"],
)
def test_a_game_of_near_ties_costs_the_same_for_ever(learner):
    """Weights as fractions made trial 60,000 nine times as dear as trial 6,000, and took a gigabyte."""
    X, y = near_ties(2000)
    seconds = []
    for _ in range(30):
        before = process_time()
        learner.learn(X, y)
        seconds.append(process_time() - before)
    assert min(seconds[-5:]) < 2 * min(seconds[2:7])
    assert learner.mistakes == learner.trials


@pytest.mark.parametrize("base", [Fraction(2), Fraction(11, 10), Fraction(4, 5), Fraction(10001, 10000)])
def test_powers_from_two_that_are_kept_are_those_that_are_computed_at_once(base):
    kept = Powers(base, 160)
    for exponent in [*range(-600, 601, 7), 10**6, -(10**6) - 3, 256 * 10**9]:
        (mantissa, shift), (right, at) = kept.digits(exponent), digits_of([(base, exponent)], 300)
        lost = Fraction(right) - Fraction(mantissa) * Fraction(2) ** (shift - at)
        assert -1 <= lost <= Fraction(right, 1 << 159)  # the longer one is itself cut
