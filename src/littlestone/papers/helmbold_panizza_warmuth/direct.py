"""Sections 2 and 3: a weight for each disjunction, by Bayes' rule and by Weighted Majority."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

import littlestone as ls
from littlestone import bounds
from littlestone.learners import DirectBayes, WeightedMajority
from littlestone.papers.comparisons import at_least, close, equal, every
from littlestone.papers.helmbold_panizza_warmuth._enumeration import bayes, bits, disjunctions, majority
from littlestone.papers.helmbold_panizza_warmuth._games import golden
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, run_with

__all__ = ["RESULTS"]

BETAS = [Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), Fraction(1, 10)]


@run_with(quick={"games": 32, "trials": 25}, full={"games": 400})
@claim(
    "bayes-is-weighted-majority",
    "Bayes over disjunctions is Weighted Majority",
    "Section 3, equation (1)",
    rows=["C9", "D4"],
)
def bayes_is_weighted_majority(seed: int, games: int, trials: int) -> Outcome:
    """With labels flipped at a known rate nu = beta/(1 + beta), Bayes' rule over all disjunctions predicts as direct
    Weighted Majority, which multiplies the weights of those that err by beta on every trial; its posterior is the
    weights, divided by their sum.
    """
    same, shares, learners, ties, told = [], [], [], 0, 0
    for game in range(games):
        rng = np.random.default_rng([seed, game])
        beta, n, largest = BETAS[game % 4], 2 + game % 4, (None, 2)[game // 4 % 2]
        rows = [(bits(rng, n), int(rng.integers(2))) for _ in range(trials)]
        nu, tie = beta / (1 + beta), game % 2
        one, other = (list(play) for play in (bayes(nu, n, largest, rows, tie), majority(beta, n, largest, rows, tie)))
        same += [a[0] == b[0] for a, b in zip(one, other, strict=True)]
        shares.append(all(a[1] == b[1] for a, b in zip(one, other, strict=True)))
        ties += sum(a[2] for a in one)
        told += len(rows)
        X, y = np.array([x for x, _ in rows], dtype=bool), [label for _, label in rows]
        players = (
            DirectBayes(noise=nu, max_size=largest, tie=tie),
            WeightedMajority(beta=beta, max_size=largest, tie=tie),
        )
        said = [a[0] for a in one]
        learners += [player.begin(n, labels=(0, 1)).learn(X, y).tolist() == said for player in players]
    X, truth = golden(12, 3, 200, 0.3, seed=1)
    counts = [
        _mistakes(WeightedMajority(beta=beta, policy=policy), X, truth)
        for policy in ("always", "mistakes")
        for beta in (0.5, 0.25)
    ]
    return Outcome(
        f"{sum(same):,} of {told:,} predictions agree, {ties} of them ties, and in {sum(shares)} of {games} games "
        "posterior and weights at every trial.",
        [
            every("predictions by (1) and by weights", same),
            every("games with posterior = normalised weights", shares),
            every("games of this package's learners with those predictions", learners),
            at_least("ties", ties, 1),
            equal("mistakes on the reference rows, beta 1/2 and 1/4, always updated", counts[:2], [10, 6]),
            equal("the same, updated on mistakes only", counts[2:], [12, 7]),
        ],
        note="The two agree only if ties are broken alike, and ties do occur; the paper's argmax does not say how. "
        "Here both sides of a game break them alike, half of the games towards 1, as the reference counts do.",
    )


def _mistakes(learner: ls.Learner, X: np.ndarray, y: np.ndarray) -> int:
    learner.begin(X.shape[1], labels=(0, 1))
    learner.learn(X, y.astype(int))
    return learner.mistakes


def _contradicted(beta: float, largest: int | None, policy: str, rows: np.ndarray) -> tuple[int, int, float]:
    """Return mistakes, the best disjunction's errors, and the bound, where every prediction is contradicted."""
    n = rows.shape[1]
    learner = WeightedMajority(beta=beta, max_size=largest, policy=policy).begin(n, labels=(0, 1))
    y = []
    for x in rows:
        y.append(1 - int(learner.predict_one(x)))
        learner.learn_one(x, y[-1])
    errors = min(int(np.count_nonzero(rows[:, list(d)].any(axis=1) != y)) for d in disjunctions(n, largest))
    bound = learner.guarantee
    assert bound is not None
    return learner.mistakes, errors, bound.at(errors=errors).value


@run_with(quick={"games": 24, "trials": 50}, full={"games": 300, "trials": 60})
@claim(
    "direct-twice-the-best",
    "Direct Weighted Majority: about twice the best disjunction's errors",
    "Section 2",
    rows=["C14"],
)
def direct_twice_the_best(seed: int, games: int, trials: int) -> Outcome:
    """Direct Weighted Majority makes not much more than twice the mistakes of the best disjunction, on any sequence;
    with randomised predictions the factor two disappears (footnote 3).
    """
    played = []
    for game in range(games):
        rng = np.random.default_rng([seed, game])
        beta, largest = (0.1, 0.5, 0.9)[game % 3], (None, 1)[game // 3 % 2]
        rows = rng.random((trials, 2 + game % 4)) < 0.4
        played.append(_contradicted(beta, largest, ("always", "mistakes")[game // 6 % 2], rows))
    ratio = max(mistakes / bound for mistakes, _, bound in played)
    chances = [_expected(seed, game, trials) for game in range(games // 3)]
    factors = {beta: _price(beta) for beta in (0.5, 0.9, 0.99, 0.999)}
    mistakes, errors, _ = _contradicted(0.5, None, "always", np.eye(3, dtype=bool)[[0] * trials])
    return Outcome(
        f"At most {ratio:.3f} of the bound in {games} games, randomised {max(chances):.3f}; an error of the best "
        f"disjunction costs {factors[0.99][0]:.3f} mistakes at beta .99, randomised {factors[0.99][1]:.3f}.",
        [every("games within (ln N + m ln(1/beta)) / ln(2/(1+beta))", [m <= bound for m, _, bound in played]),
         every("randomised: expected mistakes within (ln N + m ln(1/beta)) / (1-beta)", [c <= 1 for c in chances]),
         every("an error's price falls towards 2 as beta rises, and stays above", np.diff([2.0, *(
             price for price, _ in reversed(factors.values()))]) > 0),
         every("randomised: towards 1", np.diff([1.0, *(price for _, price in reversed(factors.values()))]) > 0),
         close("the price at beta .999", factors[0.999][0], 2.0, 0.001),
         close("randomised, at beta .999", factors[0.999][1], 1.0, 0.001),
         equal("one row again and again, contradicted: mistakes = twice the best's errors", mistakes, 2 * errors)],
        tables=[Table("What an error of the best disjunction costs at most", ["beta", "deterministic", "randomised"],
                      [[beta, *prices] for beta, prices in factors.items()])],
    )  # fmt: skip


def _price(beta: float) -> tuple[float, float]:
    """Return how much the bounds grow with one more error of the best disjunction."""
    sure, drawn = (
        theorem(experts=2, beta=beta, errors=1).value - theorem(experts=2, beta=beta, errors=0).value
        for theorem in (bounds.weighted_majority, bounds.weighted_majority_randomized)
    )
    return sure, drawn


def _expected(seed: int, game: int, trials: int) -> float:
    """Return expected mistakes over their bound; the weights do not depend on the coins, so no coin is tossed."""
    rng = np.random.default_rng([seed, game, 2])
    n, beta = 2 + game % 4, (0.2, 0.5, 0.8)[game % 3]
    X = rng.random((trials, n)) < 0.4
    learner = WeightedMajority(beta=beta, randomized=True, seed=game).begin(n, labels=(0, 1))
    expected, y = 0.0, []
    for x in X:
        share = float(learner.activation(x[np.newaxis])[0]) + 0.5
        y.append(int(share < 0.5))
        expected += max(share, 1 - share)
        learner.learn_one(x, y[-1])
    errors = min(int(np.count_nonzero(X[:, list(d)].any(axis=1) != y)) for d in disjunctions(n))
    bound = learner.guarantee
    assert bound is not None
    return expected / bound.at(errors=errors).value


RESULTS = (bayes_is_weighted_majority, direct_twice_the_best)
