"""Section 4.1, Figure 1: Bayes-BEG has the least expected loss of all rules where its model is true."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np

import littlestone as ls
from littlestone.papers.comparisons import equal, every, less
from littlestone.papers.helmbold_panizza_warmuth._enumeration import Bits
from littlestone.papers.outcome import Outcome, Table
from littlestone.papers.result import claim, run_with
from littlestone.parts.bayes import ModelM, product_form
from littlestone.teachers import ModelM as Teacher

__all__ = ["RESULTS"]

HALF = Fraction(1, 2)
TRUE, FIRST = ModelM(8, Fraction(1, 10), Fraction(3, 5)), (HALF,) * 2  # two attributes, a prior of 1/2, noise
CUBE = list(product((0, 1), repeat=2))  # rows, each as likely; and vector-labels


@run_with(
    quick={"runs": 20, "n": 50, "trials": 500, "exact_trials": 2}, full={"runs": 200, "trials": 1000, "exact_trials": 3}
)
@claim("figure-1-optimal", "Figure 1: Bayes-BEG where its model is true", "Section 4.1, Figure 1 and the text below it")
def figure_1_optimal(seed: int, runs: int, n: int, trials: int, exact_trials: int) -> Outcome:
    """Bayes-BEG that updates after every trial has the least chance of a mistake, under the loss of the vector-labels,
    where model M is true. Figure 1 is the algorithm itself: Theorem 1's update, Theorem 2's prediction.
    """
    losses, least = _losses(exact_trials), _least_loss(exact_trials)
    makers: dict[str, Callable[[], ls.Learner]] = {
        "Bayes-BEG, always": lambda: ls.BayesBEG(policy="always"),
        "Bayes-BEG, on mistakes": ls.BayesBEG,
        "Thresholded-BEG": ls.ThresholdedBEG,
        "Winnow": ls.Winnow,
        "Perceptron": ls.Perceptron,
    }
    found: dict[str, list[int]] = {name: [] for name in makers}
    for run in range(runs):
        stream = Teacher(n, trials=trials, seed=seed + run)
        for name, played in zip(makers, ls.play_all([make() for make in makers.values()], stream), strict=True):
            found[name].append(played.mistakes)
    always, *others = makers
    best = losses.pop("always")
    return Outcome(
        f"Expected loss in {exact_trials} trials, two attributes: {float(best):.4f} for Bayes-BEG, {float(least):.4f} "
        f"for the best rule there is, at least {float(min(losses.values())):.4f} for simpler ones; on streams "
        f"{np.mean(found[always]):.0f} mistakes against {min(np.mean(found[name]) for name in others):.0f}.",
        [equal("expected loss over all sequences of vector-labels, and the least that any rule can have", best, least),
         every("simpler rules with a larger expected loss", [best < p for p in losses.values()]),
         *(less(f"mistakes where all labels agree: Bayes-BEG, always, less {name}", found[always], found[name])
           for name in others)],
        note="The first comparison is the claim, in rationals: every sequence of rows and vector-labels, weighed by "
        "its probability; the least loss is found without update and prediction of the paper, by the better answer "
        "after each history. The last four take labels that all agree, which is no longer quite the model.",
        tables=[Table("Expected loss, exactly", ["rule", "loss"],
                      [["Bayes-BEG, always", float(best)], *([name, float(p)] for name, p in losses.items())]),
                Table(f"Mistakes in {trials:,} trials, {n} attributes, mean of {runs} runs", ["learner", "mistakes"],
                      [[name, float(np.mean(own))] for name, own in found.items()])],
    )  # fmt: skip


def _losses(trials: int) -> dict[str, Fraction]:
    """Return expected losses of some rules over all sequences."""
    rules = ("always", "on mistakes", "never updated", "always 0", "any attribute on")

    def step(w: dict[str, tuple[Fraction, ...]], d: Bits, left: int) -> dict[str, Fraction]:
        total = dict.fromkeys(rules, Fraction(0))
        for x in CUBE if left else []:
            said = {name: TRUE.predict(own, x) for name, own in w.items()}
            said |= {"always 0": 0, "any attribute on": int(any(x))}
            for y in CUBE:
                p = prod(map(TRUE.probability, y, x, d), start=Fraction(1, 4))
                moved = w | {"always": TRUE.update(w["always"], x, y)}
                if set(y) != {said["on mistakes"]}:
                    moved["on mistakes"] = TRUE.update(w["on mistakes"], x, y)
                later = step(moved, d, left - 1)
                for name in rules:
                    total[name] += p * ((set(y) != {said[name]}) + later[name])
        return total

    found = dict.fromkeys(rules, Fraction(0))
    for d, p in product_form(FIRST).items():
        for name, loss in step(dict.fromkeys(rules[:3], FIRST), d, trials).items():
            found[name] += p * loss
    return found


def _least_loss(trials: int) -> Fraction:
    """Return the least expected loss that any rule can have: after each history, the better of the two answers."""

    def step(joint: dict[Bits, Fraction], left: int) -> Fraction:
        """Return it from a history on, whose probability with each disjunction is told."""
        total = Fraction(0)
        for x in CUBE if left else []:
            after = {
                y: {d: p * prod(map(TRUE.probability, y, x, d), start=Fraction(1, 4)) for d, p in joint.items()}
                for y in CUBE
            }
            chance = {y: sum(own.values(), Fraction(0)) for y, own in after.items()}
            total += sum(chance.values()) - max(chance[0, 0], chance[1, 1])
            total += sum(step(own, left - 1) for own in after.values())
        return total

    return step(dict.fromkeys(CUBE, Fraction(1, 4)), trials)


RESULTS = (figure_1_optimal,)
