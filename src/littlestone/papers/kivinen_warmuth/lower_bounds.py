"""Section 3: Theorem 8, the adversary made of Hadamard's matrices, and the lower bounds that Winnow escapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import littlestone as ls
from littlestone.bounds import additive_lower, winnow_disjunction
from littlestone.core.arrays import Ints
from littlestone.papers.comparisons import equal, every
from littlestone.papers.outcome import Figure, Line, Outcome, Table
from littlestone.papers.result import claim, in_pieces, results, run_with
from littlestone.papers.runs import each, weights
from littlestone.teachers import Hadamard

__all__ = ["RESULTS"]


class _Hindsight:
    """An additive learner as its teacher sees it: its start and all earlier rows, with new coefficients each time."""

    trials = 0

    def __init__(self, w1: Ints, rng: np.random.Generator) -> None:
        self.rng, self.rows = rng, np.zeros((0, len(w1)), dtype=np.int64)
        self.w1, self.w, self.theta = w1, w1, 0.0

    def take(self, row: Any) -> None:
        self.rows = np.vstack([self.rows, row])
        self.w = self.w1 + self.rng.integers(-9, 10, size=len(self.rows)) @ self.rows
        self.theta = int(self.rng.integers(-20, 20)) / 2

    def hypothesis(self) -> ls.Hypothesis:
        return ls.Hypothesis(self.w.astype(np.float64), self.theta)

    def activation(self, row: Any) -> float:
        return float(self.w @ np.asarray(row) - self.theta)

    def predict(self, row: Any) -> int:
        return int(self.activation(row) >= 0)


def _differ(teacher: Hadamard, w1: Ints) -> NDArray[np.bool_]:
    """Tell of each trial whether the start and the target differ in it (Definition 7)."""
    assert teacher.target is not None
    q = teacher.matrix[:, int(np.argmax(teacher.target[: teacher.order]))]
    preferred = teacher.matrix @ w1[: teacher.order]  # w1.z' - w1.z''
    return np.where(q > 0, preferred <= 0, preferred >= 0)


@run_with(quick={"games": 100}, full={"games": 5000})
@claim("theorem-8", "Theorem 8: coefficients chosen in hindsight", "Section 3, Definition 7 and Theorem 8")
def theorem_8(seed: int, games: int) -> Outcome:
    """On a sequence with pairwise constant dot products an additive learner errs wherever its start and the target
    differ, even if it chooses all coefficients and thresholds anew in each trial, as it likes.
    """
    rng = np.random.default_rng(seed)
    where_they_differ: list[bool] = []
    elsewhere: list[bool] = []
    kept = []
    for game in range(games):
        teacher = Hadamard(int(rng.integers(1, 7)), int(rng.integers(1, 5)))
        w1 = rng.integers(-9, 10, size=teacher.n_attributes) * (game % 2)  # every other one starts at zero
        learner = _Hindsight(w1, rng)
        teacher.begin(learner)
        for t, differ in enumerate(_differ(teacher, w1)):
            first, second = (instance.astype(np.int64) for instance in teacher.instances(t))
            kept.append(int(learner.w @ (first - second)) == int(w1 @ (first - second)))
            answer = teacher.trial(learner)
            assert answer is not None
            (where_they_differ if differ else elsewhere).append(learner.predict(answer[0]) != answer[1])
            learner.take(answer[0])
    return Outcome(
        f"{games:,} games of learners with random coefficients and thresholds: mistakes in {sum(where_they_differ):,} "
        f"of the {len(where_they_differ):,} trials in which start and target differ, and in {sum(elsewhere):,} of the "
        f"other {len(elsewhere):,}.",
        [
            every("mistakes, trials in which start and target differ", where_they_differ),
            every("w.z' - w.z'' is what it was at the start, trials", kept),
        ],
        note="Half of the games start at zero, where start and target differ in every trial (Lemma 11).",
    )


@run_with(quick={"largest": 7, "problems": 60}, full={"problems": 1000})
@claim("theorem-13-any-start", "Theorem 13: any start", "Section 3, Lemma 12 and Theorem 13", rows=["A3"])
def theorem_13_any_start(seed: int, largest: int, problems: int) -> Outcome:
    """Whatever its first weights, an additive learner can be made to err l/2 times, l = N - k + 1."""
    rng = np.random.default_rng(seed)
    at_least_differing, at_least_half, least = [], [], np.inf
    for _ in range(problems):
        teacher = Hadamard(int(rng.integers(1, 6)), int(rng.integers(1, 4)))
        w1 = rng.integers(-20, 21, size=teacher.n_attributes) / 4
        theta, eta = float(rng.choice([0.0, 0.5, -1.25, 3.0])), float(rng.choice([0.25, 1.0]))
        run = ls.play(ls.Perceptron(w1=w1.tolist(), theta=theta, eta=eta, bias=bool(rng.integers(2))), teacher)
        differing = int(_differ(teacher, (4 * w1).astype(np.int64)).sum())
        at_least_differing.append(run.mistakes >= differing)
        at_least_half.append(2 * differing >= teacher.order)
        least = min(least, run.mistakes / teacher.order)
    sizes = range(1, largest + 1)
    attained, ones = [_from_second(d) for d in sizes], [_from_ones(d) for d in sizes]
    all_differ = [[2**d, 2**d - 1] for d in sizes]
    return Outcome(
        f"{problems:,} random starts: never fewer than {least:.2f} l mistakes; from w1 = e_2 {attained[-1]} for l = "
        f"{2**largest}.",
        [
            every("mistakes >= differing trials, problems", at_least_differing),
            every("differing trials >= l/2, problems", at_least_half),
            equal("w1 = e_2, theta 1/2, eta 1e-9: mistakes for l = 2, 4, ...", attained, [2**d // 2 for d in sizes]),
            equal("w1 = (1, ..., 1), theta 0: mistakes and differing trials, reference", ones, all_differ),
        ],
        note="The half is attained: from w1 = e_2 no more mistakes than l/2 are made.",
    )


def _from_second(d: int) -> int:
    """Return the mistakes of a Perceptron that starts at e_2 and hardly moves."""
    w1 = np.zeros(2**d)
    w1[1] = 1.0
    return ls.play(ls.Perceptron(w1=w1.tolist(), theta=0.5, eta=1e-9, bias=False), Hadamard(d)).mistakes


def _from_ones(d: int) -> list[int]:
    """Return the mistakes of a Perceptron that starts at (1, ..., 1), and in how many trials the target differs."""
    teacher = Hadamard(d)
    mistakes = ls.play(ls.Perceptron(w1=1.0, bias=False), teacher).mistakes
    return [mistakes, int(_differ(teacher, np.ones(2**d, dtype=np.int64)).sum())]


# What is additive and starts at zero, whatever its threshold and step
ADDITIVE: dict[str, Callable[[], ls.Learner]] = {
    "Perceptron": ls.Perceptron,
    "Perceptron, theta 0": lambda: ls.Perceptron(bias=False),
    "Perceptron, theta 1.3, eta 0.37": lambda: ls.Perceptron(theta=1.3, eta=0.37, bias=False),
    "Perceptron, theta -2": lambda: ls.Perceptron(theta=-2, bias=False),
    "ellipsoid": ls.Ellipsoid,
    "ellipsoid, deep cuts": lambda: ls.Ellipsoid(deep=True),
    "ellipsoid, theta 0": lambda: ls.Ellipsoid(bias=False),
}


def _games(seed: int, player: str, d: int, ks: list[int]) -> list[list[int]]:
    """Return of each game, one for each k, the mistakes, the trials, and whether the target is as it should be."""
    found = []
    for k in ks:
        teacher = Hadamard(d, k)
        run = ls.play(ADDITIVE[player](), teacher, record=True)
        found.append([run.mistakes, run.trials, int(_labelled(run, teacher))])
    return found


@run_with(quick={"largest": 7, "ks": [1, 2, 3, 5]}, full={"largest": 9})
@in_pieces(lambda largest, ks: each(player=list(ADDITIVE), d=range(1, largest + 1))(ks=ks), _games)
@claim("theorem-13", "Theorem 13: a zero start", "Section 3, Theorem 13", rows=["A1", "A2"])
def theorem_13(done: Sequence[Any], seed: int, largest: int, ks: list[int]) -> Outcome:
    """For N = 2^d + k - 1 an adversary makes every additive learner that starts at zero, whatever its thresholds, err
    l = N - k + 1 times on a disjunction of k attributes.
    """
    games = np.array(done).reshape(len(ADDITIVE), largest, len(ks), 3)
    lower = [[additive_lower(n=2**d + k - 1, k=k).value for k in ks] for d in range(1, largest + 1)]
    right = games[..., 0] == lower
    played = zip(ADDITIVE, right, strict=True)
    found = [every(f"{name}: games with N - k + 1 mistakes", own.ravel()) for name, own in played]
    found.append(every("games in which every trial is a mistake", (games[..., 0] == games[..., 1]).ravel()))
    found.append(every("games whose target has k attributes and gives the labels", games[..., 2].ravel()))
    return Outcome(
        f"{len(ADDITIVE)} additive learners made N - k + 1 mistakes in {int(right.sum())} of {right.size} games, N up "
        f"to {2**largest + max(ks) - 1}.",
        found,
    )


def _labelled(run: ls.Run, teacher: Hadamard) -> bool:
    """Tell whether the target has k attributes and all labels are its own."""
    assert run.transcript is not None
    assert teacher.target is not None
    on = [bool(teacher.target[block.row(0)[0]].any()) for block in run.transcript.blocks]
    return bool(teacher.target.sum() == teacher.k and np.array_equal(on, run.transcript.outcomes.astype(bool)))


SEQUENCES = {
    (1, 1): "00/0 10/1",
    (2, 1): "0000/0 1010/1 0011/0 1001/1",
    (2, 2): "00000/0 10100/1 00110/0 10010/1",
    (3, 1): "00000000/0 10101010/1 00110011/0 10011001/1 00001111/0 10100101/1 00111100/0 10010110/1",
}


@run_with(quick={"largest": 8})
@claim("theorem-13-game", "The game of the Perceptron, trial by trial", "Section 3", rows=["A4", "A5"])
def theorem_13_game(seed: int, largest: int) -> Outcome:
    """The adversary shows the Perceptron, for each row of the matrix, the one of its two instances on which it errs;
    after all of them the weights are l/2 for the target attribute and zero elsewhere.
    """
    found = [
        equal(f"instances for N = {2**d + k - 1}, k = {k}", _instances(d, k), expected)
        for (d, k), expected in SEQUENCES.items()
    ]
    ended = []
    for d in range(1, largest + 1):
        learner = ls.Perceptron()
        ls.play(learner, Hadamard(d))
        ended.append(weights(learner, bias=True).tolist() == [2 ** (d - 1)] + [0] * 2**d)
    found.append(every(f"last weights (l/2, 0, ..., 0), threshold 0, for l = 2, ..., {2**largest}", ended))
    fixed, what = ls.Perceptron(theta=1, bias=False), "theta 1, not learned, N = 4"
    found.append(equal(f"{what}: instances", _instances(2, 1, fixed), "1111/1 0101/0 0011/0 1001/1"))
    found.append(equal(f"{what}: last weights", weights(fixed).astype(int), [2, 0, 0, 0]))
    return Outcome(
        f"For N = 4 the instances are {_instances(2, 1)}; the last weights are (l/2, 0, ..., 0) in {sum(ended)} of "
        f"{len(ended)} games.",
        found,
    )


@run_with(quick={"orders": [12, 20, 24]}, full={"orders": [12, 20, 24, 44, 48, 60, 80]})
@claim("paley", "Other Hadamard matrices", "Section 3")
def paley(seed: int, orders: list[int]) -> Outcome:
    """The adversary needs orthogonal rows, the first of them all ones, and no more: Paley's matrices, whose orders are
    no powers of two, serve as well, so that N need not be 2^d + k - 1.
    """
    found = {
        name: [ls.play(make(), Hadamard(order=order, k=k)).mistakes for order in orders for k in (1, 4)]
        for name, make in ADDITIVE.items()
    }
    expected = [order for order in orders for _ in (1, 4)]
    return Outcome(
        f"Orders {', '.join(map(str, orders))}: the Perceptron errs {', '.join(map(str, found['Perceptron'][::2]))} "
        "times.",
        [equal(f"{name}: mistakes, k = 1 and 4", mistakes, expected) for name, mistakes in found.items()],
        note="An extension: the paper speaks of powers of two.",
    )


SIZES = [2**d for d in range(1, 10)]
GAME: dict[str, tuple[Callable[[int], ls.Learner], list[int]]] = {  # and the mistakes for N = 2, 4, ..., 512
    "Perceptron": (lambda n: ls.Perceptron(), SIZES),
    "Winnow, alpha 2, theta N": (lambda n: ls.Winnow(theta=n), [1, 3, 5, 8, 10, 13, 16, 19, 21]),
    "Winnow, alpha 3/2, theta N": (lambda n: ls.Winnow(alpha=1.5, theta=n), [1, 3, 5, 8, 10, 12, 17, 22, 24]),
    "elimination": (lambda n: ls.Elimination(), list(range(1, 10))),
}


@claim("winnow-in-the-game", "Winnow against the same adversary", "Sections 1 and 3", rows=["A7"])
def winnow_in_the_game(seed: int) -> Outcome:
    """Learners that are not additive escape: against the adversary the mistakes of the Perceptron are N, those of
    Winnow grow as log N.
    """
    played = {name: [ls.play(make(n), Hadamard(order=n)).mistakes for n in SIZES] for name, (make, _) in GAME.items()}
    found = [equal(f"{name}: mistakes for N = 2, 4, ..., 512", played[name], own) for name, (_, own) in GAME.items()]
    lower = [additive_lower(n=n, k=1).value for n in SIZES]
    upper = [winnow_disjunction(n=n, k=1).value for n in SIZES]
    within = np.array(played["Winnow, alpha 2, theta N"]) <= np.array(upper)
    found.append(every("Winnow, alpha 2: within its bound, sizes", within))
    lines = [Line(name, SIZES, mistakes) for name, mistakes in played.items()]
    theory = {"lower bound, additive": lower, "upper bound, Winnow, alpha 2": upper}
    lines += [Line(name, SIZES, bound, kind="theory") for name, bound in theory.items()]
    rows = [[name, *mistakes] for name, mistakes in played.items()]
    last = [mistakes[-1] for mistakes in played.values()]
    title = "Mistakes against the number of attributes"
    caption = (
        "Mistakes against the adversary of Theorem 13, one relevant attribute, both axes logarithmic: the Perceptron's "
        "are N, Winnow's grow as the logarithm. Broken lines are the bounds."
    )
    return Outcome(
        f"At N = 512 the Perceptron errs {last[0]} times, Winnow {last[1]} and {last[2]}, elimination {last[3]}.",
        found,
        tables=[Table("Mistakes, one relevant attribute", ["learner", *map(str, SIZES)], rows)],
        figures=[Figure(title, caption, "attributes N", "mistakes", lines, "log", "log")],
    )


def _instances(d: int, k: int, learner: ls.Learner | None = None) -> str:
    teacher = Hadamard(d, k)
    run = ls.play(learner or ls.Perceptron(), teacher, record=True)
    assert run.transcript is not None
    rows = (set(block.row(0)[0].tolist()) for block in run.transcript.blocks)
    shown = ("".join("01"[i in on] for i in range(teacher.n_attributes)) for on in rows)
    return " ".join(f"{row}/{y}" for row, y in zip(shown, run.transcript.outcomes.tolist(), strict=True))


RESULTS = results(globals())
