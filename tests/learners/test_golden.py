"""Counts that were computed once in exact or carefully checked arithmetic, and must never change."""

from math import log

import numpy as np
import pytest

import littlestone as ls


def disjunction(n, k, trials, density):
    X = np.random.default_rng(0).random((trials, n)) < density
    return X, X[:, :k].any(axis=1)


SMALL, LARGE = (20, 3, 500, 0.3), (200, 5, 2000, 0.05)

# mistakes and promotions (None: not recorded) on the two streams
GOLDEN = {
    "Winnow(2, n)": (lambda n, k: ls.Winnow(), (17, None), (37, None)),
    "Perceptron without bias": (lambda n, k: ls.Perceptron(bias=False), (50, None), (194, None)),
    "Bayes-BEG, Theorem 3": (lambda n, k: ls.BayesBEG.theorem3(n), (11, 9), (36, 32)),
    "Bayes-BEG, Theorem 3, always": (lambda n, k: ls.BayesBEG.theorem3(n, policy="always"), (7, 5), (31, 31)),
    "Bayes-BEG, Theorem 4": (lambda n, k: ls.BayesBEG.theorem4(n), (14, 10), (42, 38)),
    "Bayes-BEG, defaults": (lambda n, k: ls.BayesBEG(), (14, 10), (42, 38)),
    "Thresholded-BEG(2)": (lambda n, k: ls.ThresholdedBEG(), (16, 10), (41, 37)),
    "Thresholded-BEG, Corollary 1": (lambda n, k: ls.ThresholdedBEG.noise_free(n), (10, 7), (29, 23)),
    "Winnow, Auer-Warmuth(2)": (lambda n, k: ls.Winnow(theta=2 * log(2) / 3, w1=1 / n, tie=0), (14, 9), (36, 32)),
    "Normalized Winnow, balanced": (lambda n, k: ls.NormalizedWinnow.for_disjunctions(n, k), (4, None), (25, None)),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_disjunctions(name):
    make, *expected = GOLDEN[name]
    for stream, (mistakes, promotions) in zip((SMALL, LARGE), expected, strict=True):
        learner = make(*stream[:2])
        learner.learn(*disjunction(*stream))
        assert learner.mistakes == mistakes
        assert promotions is None or learner.promotions == promotions


@pytest.mark.parametrize(
    ("alpha", "margin", "small", "large"),
    [
        (1.5, 0, (30, 31), (73, 75)),
        (1.5, 0.5, (26, 35), (56, 75)),
        (2, 0, (23, 24), (58, 60)),
        (2, 0.5, (22, 24), (54, 58)),
    ],
)
def test_balanced_winnow_mistakes_and_updates(alpha, margin, small, large):
    for stream, expected in ((SMALL, small), (LARGE, large)):
        learner = ls.BalancedWinnow(alpha=alpha, margin=margin)
        learner.learn(*disjunction(*stream))
        assert (learner.mistakes, learner.updates) == expected


def reading_1(n, k, trials, seed):
    """Every bit on with the same probability, half of the rows positive."""
    X = np.random.default_rng(seed).random((trials, n)) < 1 - 2 ** (-1 / k)
    return X, X[:, :k].any(axis=1)


def reading_3(n, k, trials, seed):
    """A fair label; irrelevant bits fair, relevant ones fair on positives and off on negatives; blocks of 500."""
    rng = np.random.default_rng(seed)
    blocks = []
    for _ in range(trials // 500):
        X = rng.random((500, n)) < 0.5
        X[:, :k] &= (rng.random(500) < 0.5)[:, np.newaxis]
        blocks.append(X)
    X = np.vstack(blocks)
    return X, X[:, :k].any(axis=1)


FIGURES = [
    # reading, n, k, seed: [Perceptron, Winnow(3/2, n/k), elimination, positives] after 500, 1000 and 20000 trials
    (reading_1, 200, 20, 0, [152, 116, 78, 257], [223, 151, 78, 517], [370, 178, 78, 10000]),
    (reading_1, 200, 20, 1, [162, 134, 74, 238], [224, 158, 74, 491], [387, 189, 74, 10041]),
    (reading_1, 400, 20, 0, [181, 153, 92, 255], [306, 209, 92, 513], [676, 254, 92, 10034]),
    (reading_1, 400, 20, 1, [189, 155, 87, 251], [308, 200, 88, 513], [662, 247, 88, 10122]),
    (reading_3, 200, 20, 0, [56, 14, 9, 250], [68, 14, 9, 481], [124, 18, 9, 9995]),
    (reading_3, 400, 20, 0, [65, 21, 10, 249], [102, 22, 10, 507], [207, 36, 10, 9951]),
    (reading_3, 200, 20, 1, [43, 13, 8, 245], [62, 13, 8, 522], [146, 21, 8, 10132]),
    (reading_3, 400, 20, 1, [71, 16, 7, 242], [96, 18, 7, 479], [240, 36, 7, 9964]),
    (reading_1, 200, 80, 0, [149, 119, 83, 241], [248, 213, 94, 506], [465, 327, 95, 9959]),  # Figure 2
    (reading_1, 400, 160, 0, [198, 143, 111, 272], [337, 256, 161, 510], [829, 648, 186, 9949]),
]


@pytest.mark.parametrize(("reading", "n", "k", "seed", "early", "later", "late"), FIGURES)
def test_figures_of_kivinen_and_warmuth(reading, n, k, seed, early, later, late):
    X, y = reading(n, k, 20_000, seed)
    learners = [ls.Perceptron(), ls.Winnow(alpha=1.5, theta=n / k), ls.Elimination()]
    curves = [ls.play(learner, ls.from_arrays(X, y)).curve() for learner in learners]
    for trials, expected in ((500, early), (1000, later), (20_000, late)):
        assert [*(int(curve[trials - 1]) for curve in curves), int(y[:trials].sum())] == expected


def test_the_built_in_disjunction_is_reading_1():
    stream = ls.teachers.Disjunction(200, 20, trials=1000, reading="R1", seed=1)
    assert [ls.play(player, stream).mistakes for player in (ls.Perceptron(), ls.Elimination())] == [224, 74]


def test_winnow_is_not_additive_only_for_theta_above_three():
    """The worked example of Kivinen and Warmuth: as printed (theta 3) the second trial is no mistake."""
    X, y = [[1, 1, 0], [1, 0, 1]], [1, 1]
    for theta, mistakes, w in ((3, 1, [2, 2, 1]), (4, 2, [4, 2, 2])):
        learner = ls.Winnow(theta=theta)
        learner.learn(X, y)
        assert (learner.mistakes, learner.hypothesis().w.tolist()) == (mistakes, w)


def test_one_step_of_normalized_winnow():
    learner = ls.NormalizedWinnow(eta=log(2)).begin(3, labels=(-1, 1))
    x = np.array([[1.0, -1.0, -1.0]])
    assert learner.activation(x)[0] == pytest.approx(-1 / 3)
    learner.learn(x, [1])
    assert learner.hypothesis().w == pytest.approx([2 / 3, 1 / 6, 1 / 6])


def test_the_halving_sequence_of_normalized_winnow():
    """n = 16, x^b_i = -1 where bit b of i is set, a huge eta: 4 mistakes for target 15, none for target 0."""
    X = np.array([[-1.0 if i >> b & 1 else 1.0 for i in range(16)] for b in range(4)])
    for target, mistakes in ((15, 4), (0, 0)):
        learner = ls.NormalizedWinnow(eta=1000.0).begin(16, labels=(-1, 1))
        learner.learn(X, X[:, target].astype(int))
        assert learner.mistakes == mistakes


def test_thresholded_beg_trace():
    """beta 2 and 1/2, w = (1/2, 1/2): (10, 1) -> (2/3, 1/2); (11, 0) -> (1/2, 1/3); (01, 1) -> (1/2, 1/2)."""
    learner = ls.ThresholdedBEG(w1=0.5, theta=10.0).begin(2, labels=(0, 1))
    learner.learn([[1, 0]], [1])
    assert learner.hypothesis().w == pytest.approx([2 / 3, 1 / 2])
    learner = ls.BayesBEG(beta1=2.0, beta0=0.5, gamma=0.6, w1=0.5, policy="always").begin(2, labels=(0, 1))
    learner.learn([[1, 0], [1, 1], [0, 1]], [1, 0, 1])
    odds = np.exp(learner._machine.state()["weights"][1][:2])
    assert odds / (1 + odds) == pytest.approx([0.5, 0.5])


def test_perceptron_on_unit_vectors_attains_its_bound():
    learner = ls.Perceptron(bias=False).begin(labels=(-1, 1))
    learner.learn(np.eye(9), [-1] * 9)
    assert learner.mistakes == 9 == ls.bounds.perceptron_margin(radius=1.0, norm=3.0, gamma=1.0).value


def test_elimination_attains_its_bound():
    learner = ls.Elimination().begin(10, labels=(0, 1))
    learner.learn(np.eye(10)[3:], [0] * 7)
    assert learner.mistakes == 7 == learner.guarantee.at(k=3).value


def test_noise_undoes_elimination_inside_beg():
    """beta0 = 0 tolerates no noise: (1^n, 0), then (e_1, 1) T times, costs 1 + T mistakes."""
    for learner in (ls.BayesBEG.theorem3(6), ls.ThresholdedBEG.noise_free(6)):
        X = np.vstack([np.ones(6), np.tile(np.eye(6)[0], (30, 1))])
        learner.begin(labels=(0, 1)).learn(X, [0] + [1] * 30)
        assert learner.mistakes == 31
        assert np.isfinite(learner.hypothesis().w).all()


def test_always_updating_bayes_beg_has_no_bound():
    """(1^n, 1) 10 times, then e_2 .. e_n negative: n - 1 mistakes at n = 50, more than Theorem 3 allows."""
    X = np.vstack([np.ones((10, 50)), np.eye(50)[1:]])
    y = [1] * 10 + [0] * 49
    always = ls.BayesBEG.theorem3(50, policy="always")
    always.learn(X, y)
    assert always.mistakes == 49
    assert always.guarantee is None
    careful = ls.BayesBEG.theorem3(50)
    careful.learn(X, y)
    assert careful.mistakes <= careful.guarantee.at(k=1).value < 49


@pytest.mark.parametrize(("times", "expected"), [(10, 2), (100, 40), (1000, 414)])
def test_always_updating_with_theorem_4_has_no_bound_either(times, expected):
    """(1^n, 1) so many times, then e_2 negative until it is learned: 2, 40, 414 mistakes at n = 50."""
    learner = ls.BayesBEG.theorem4(50, policy="always").begin(labels=(0, 1))
    learner.learn(np.ones((times, 50), dtype=bool), np.ones(times, dtype=int))
    before = learner.mistakes
    learner.learn(np.tile(np.eye(50, dtype=bool)[1], (1000, 1)), np.zeros(1000, dtype=int))
    assert learner.mistakes - before == expected


@pytest.mark.parametrize("make", [ls.BayesBEG.theorem3, ls.ThresholdedBEG.noise_free])
def test_elimination_tolerates_no_noise(make):
    """(1^n, 0), then (e_1, 1) T times: exactly 1 + T mistakes, for Theorem 3 and for Corollary 1."""
    rows = np.vstack([np.ones((1, 20), dtype=bool), np.tile(np.eye(20, dtype=bool)[0], (30, 1))])
    learner = make(20).begin(labels=(0, 1))
    learner.learn(rows, [0] + [1] * 30)
    assert learner.mistakes == 31
