"""Contests of regressors: what they lost, beside the best of their class; classifiers play apart."""

import json
import re
from dataclasses import dataclass, replace

import numpy as np
import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli import main
from littlestone.core.errors import InvalidData, InvalidParameter, TooLarge
from littlestone.streams import Part
from littlestone.theory.contests import contest, entrant_of
from littlestone.theory.hindsight import BestWeights, bound_against, loss_verdict
from littlestone.theory.hindsight.regret import belongs, class_of

ROWS = ls.teachers.Linear.sparse(n=30, k=3, noise=0.2, trials=700)
TEACHER = ls.teachers.Linear(40, 3, weights="mixture", rows="sparse", trials=800)


def test_the_first_game_is_that_of_play_and_the_others_are_those_of_the_permuted_rows():
    found = contest({"g": ls.GradientDescent(), "e": ls.EGPlusMinus(U=3.0)}, ROWS, permutations=3, seed=5)
    block = ls.Block.joined(list(ROWS.blocks()))
    for name, make in (("g", ls.GradientDescent), ("e", lambda: ls.EGPlusMinus(U=3.0))):
        orders = [np.arange(700), *(np.random.default_rng([5, game]).permutation(700) for game in (1, 2, 3))]
        for run, order in zip(found[name].runs, orders, strict=True):
            alone = ls.play(make(), ls.streams.ArrayStream(block.taken(order)))
            assert (run.loss, run.updates, run.trials) == (alone.loss, alone.updates, alone.trials)
            assert run.losses.tolist() == alone.losses.tolist() and run.rmse == alone.rmse
        assert found[name].loss == found[name].runs[0].loss and found[name].mistakes is None
        assert found[name].counts.tolist() == [run.loss for run in found[name].runs[1:]]
        assert found[name].runs[0].regret(ROWS.target) == pytest.approx(found[name].loss - _loss(ROWS.target))
    assert found.best.name == "e" and found.measure == "square"
    assert found.difference(found["g"]).more == 3
    mean, _ = found.curve(found.best)
    assert mean[-1] == pytest.approx(found.best.sample.mean)


def _loss(u):
    return ls.play(ls.GradientDescent(), ROWS).loss_of(u)


@pytest.mark.parametrize(
    ("learner", "find"),
    [
        (ls.GradientDescent(), lambda stream: ls.hindsight.least_squares(stream)),
        (ls.GradientDescent(bias=False), lambda stream: ls.hindsight.least_squares(stream, constant=False)),
        (ls.ExponentiatedGradient(), lambda stream: ls.hindsight.simplex(stream)),
        (ls.EGPlusMinus(U=2.0, bias=False), lambda stream: ls.hindsight.l1_ball(stream, 2.0, constant=False)),
        (ls.BEGRegression(), lambda stream: ls.hindsight.box(stream)),
        (ls.VAWForecaster(), lambda stream: ls.hindsight.least_squares(stream)),
    ],
    ids=["GD", "GD without constant", "EG", "EG+-", "BEG", "VAW"],
)
def test_the_regret_is_against_the_best_of_the_learners_class(learner, find):
    found = contest([learner], ROWS)
    verdict, best = found.best.verdict, find(ROWS)
    assert verdict.comparator.loss == pytest.approx(best.loss, rel=1e-9)
    assert verdict.regret == pytest.approx(found.best.loss - best.loss, rel=1e-9)
    assert (verdict.comparator.kind, verdict.comparator.U) == class_of(learner)
    tuned = contest([learner], ROWS, tuning=100)
    assert tuned.trials == 600
    assert tuned.best.verdict.comparator.loss == pytest.approx(find(Part(ROWS, 100)).loss, rel=1e-7)


def test_the_target_of_a_teacher_is_a_comparator_where_it_is_of_the_class_and_never_changes():
    wide = ls.teachers.Linear.dense(20_000, trials=500)
    found = contest(["gradient-descent", "eg-plus-minus:U=20000", "eg-plus-minus:U=2", "beg-regression"], wide)
    assert [entry.verdict.regret for entry in found.entries[:2]] == [entry.loss for entry in found.entries[:2]]
    for entry in found.entries[2:]:
        assert entry.verdict.regret is None and "takes long; hindsight='exact' does" in entry.verdict.no_regret
    assert contest(["gradient-descent"], wide, hindsight="none").best.verdict.regret is None
    shifting = ls.teachers.Linear.dense(20_000, trials=500, shift_every=100)
    assert contest(["gradient-descent"], shifting).best.verdict.regret is None
    with pytest.raises(TooLarge, match="at most 4,000 attributes"):
        contest(["gradient-descent"], ls.teachers.Linear.dense(20_000, trials=2000), hindsight="exact")
    assert belongs(TEACHER.target, "simplex", None) and belongs(TEACHER.target, "box", None)
    exact = contest(["exponentiated-gradient", "beg-regression"], TEACHER)
    assert all(entry.verdict.regret == pytest.approx(entry.loss) for entry in exact.entries)


def test_other_losses_have_no_best_weights_and_one_contest_has_one_loss():
    both = contest(["gradient-descent", "passive-aggressive-regression"], ROWS, permutations=1)
    run = ls.play(ls.PassiveAggressiveRegression(), ROWS)
    paid = both["passive-aggressive-regression"].runs[0]
    assert both.measure == "square" and str(run.measure) != "square" and paid.guarantee is None
    assert paid.losses.tolist() == (run.errors**2).tolist() and paid.rmse == run.rmse
    assert both.entries[1].verdict.regret == pytest.approx(paid.loss - ls.hindsight.least_squares(ROWS).loss)
    found = contest(["gradient-descent:loss_function=absolute"], ROWS)
    assert found.measure == "absolute" and "square loss only" in found.best.verdict.no_regret


def test_classifiers_and_regressors_do_not_mix():
    with pytest.raises(InvalidParameter, match=r"got both: gradient-descent and winnow; let them play apart"):
        contest(["winnow", "gradient-descent"], ROWS)
    with pytest.raises(
        InvalidParameter, match=r"winnow predicts labels, and the outcomes of Linear\(.*are numbers; take"
    ):
        contest(["winnow"], ROWS)
    labels = ls.from_arrays([[1, 0], [0, 1]] * 5, [1, 0] * 5)
    assert contest(["gradient-descent"], labels).best.loss is not None
    with pytest.raises(InvalidData, match="numbers as outcomes"):
        contest(["gradient-descent"], ls.from_arrays([[1, 0], [0, 1]] * 5, ["a", "b"] * 5))
    with pytest.raises(InvalidParameter, match="contest: gradient-descent: no parameter 'etta'; did you mean eta"):
        contest(["gradient-descent:etta=2"], ROWS)
    assert repr(entrant_of("eg-plus-minus:U=2")) == repr(entrant_of("EGPlusMinus:u=2")) == "EGPlusMinus(U=2)"


def test_tuning_chooses_by_the_loss():
    several = [ls.GradientDescent(eta=eta) for eta in (1e-6, 0.01, 1e-5)]
    found = contest({"g": several, "p": ls.PNormRegression()}, ROWS, tuning=0.2, permutations=2)
    assert found["g"].chosen == {"GradientDescent(eta=0.01)": 3} and found.tuning == 140


@dataclass(frozen=True)
class Open:
    """A guarantee that is open in numbers, as theorems about regressors are."""

    arguments: dict
    of: str = "loss"
    theorem: str = "a theorem"
    assumes: str = "something"
    value: float | None = None

    def at(self, **numbers):
        assert set(numbers) <= set(self.arguments)
        return replace(self, arguments=numbers, value=2 * numbers.get("loss", 0) + sum(numbers.values()))


def test_a_bound_gets_the_numbers_that_its_theorem_takes():
    u = BestWeights("least squares", np.array([3.0, 0.0]), -4.0, 10.0, 0.0, 5)
    found = bound_against(Open({"loss": 0, "norm": 1, "X": 2}), u, ls.GradientDescent())
    assert found.arguments == {"loss": 10.0, "norm": 5.0}
    assert bound_against(Open({"norm": 1}), u, ls.GradientDescent(bias=False)).arguments == {"norm": 3.0}
    assert bound_against(None, u, ls.GradientDescent()) is None
    ball = BestWeights("l1 ball", np.array([1.0, 0.0]), -1.0, 1.0, 0.0, 5, U=2.0)
    eg = bound_against(Open({"loss": 0, "divergence": None}), ball, ls.EGPlusMinus(U=2.0))
    assert eg.arguments["divergence"] == pytest.approx(np.log(3))  # two of six weights
    loose = bound_against(Open({"divergence": None}), ball, ls.EGPlusMinus(U=1e9))
    assert loose.arguments["divergence"] == pytest.approx(0.0, abs=1e-6)  # near to none at all
    corner = BestWeights("simplex", np.array([1.0, 0.0, 0.0]), 0.0, 1.0, 0.0, 5)
    eg = bound_against(Open({"divergence": None}), corner, ls.ExponentiatedGradient())
    assert eg.arguments["divergence"] == pytest.approx(np.log(4))
    box = BestWeights("box", np.array([1.0, 0.5]), 0.0, 1.0, 0.0, 5)
    beg = bound_against(Open({"divergence": None}), box, ls.BEGRegression(w1=0.5))
    assert beg.arguments["divergence"] == pytest.approx(2 * np.log(2))
    p = bound_against(Open({"norm": 1}), u, ls.PNormRegression(p=4.0))
    assert p.arguments["norm"] == pytest.approx((3 ** (4 / 3) + 4 ** (4 / 3)) ** 0.75)


def test_the_smallest_bound_of_several_comparators_is_taken():
    run = replace(ls.play(ls.GradientDescent(), ROWS), guarantee=Open({"loss": 0, "norm": 1}))
    far = BestWeights("least squares", np.full(30, 100.0), 0.0, 1.0, 0.0, 700)
    near = BestWeights("least squares", np.zeros(30), 0.0, 5.0, 0.0, 700)
    verdict = loss_verdict(ls.GradientDescent(), run, [far, near], None)
    assert verdict.bound.value == 15.0 and verdict.regret == run.loss - 1.0 and verdict.why_not is None
    none = loss_verdict(ls.GradientDescent(), run, [], "it takes long")
    assert (none.bound, none.regret, none.why_not, none.no_regret) == (None, None, "it takes long", "it takes long")


def test_bounds_hold_and_the_best_u_for_gradient_descent_is_a_nearer_one():
    rows = ls.teachers.Linear(n=60, k=3, noise=1.0, trials=80)  # where least squares fit the noise
    X = rows.sizes().length
    found = contest([ls.GradientDescent(X=X), ls.GradientDescent(X=X, c=0.25, bias=False)], rows)
    for entry, bias in zip(found.entries, (True, False), strict=True):
        learner, bound = ls.GradientDescent(X=X, c=0.25 if not bias else 1.0, bias=bias), entry.verdict.bound
        assert entry.loss <= bound.value and bound.theorem.endswith("gradient descent")
        best = ls.hindsight.least_squares(rows, constant=bias)
        assert entry.verdict.regret == pytest.approx(entry.loss - best.loss)
        assert bound.value < bound_against(entry.runs[0].guarantee, best, learner).value
        rng, u = np.random.default_rng(0), rows.target
        for other in [u, 0 * u, *(u * s + rng.normal(size=60) * 0.1 for s in (0.5, 0.9))]:
            at = {"loss": entry.runs[0].loss_of(other), "norm": float(np.linalg.norm(other))}
            assert bound.value <= entry.runs[0].guarantee.at(**at).value * (1 + 1e-9)
    for learner in (ls.ExponentiatedGradient(X=2.0), ls.EGPlusMinus(U=3.0, X=1.0), ls.BEGRegression(X=X)):
        entry = contest([learner], rows).best
        assert entry.loss <= entry.verdict.bound.value
    beyond = contest([ls.GradientDescent(X=0.9 * X)], rows).best.verdict
    assert beyond.bound is None and "in trial 1 a row is larger than X" in beyond.why_not and beyond.regret > 0


def said(*words):
    found = CliRunner().invoke(main, ["compare", *words])
    assert found.exit_code == 0, found.output
    return found.output


def test_the_command_prints_losses_and_regrets():
    text = said(
        "regression-sparse", "n=50", "trials=500", "-l", "gradient-descent,exponentiated-gradient,eg-plus-minus"
    )
    assert "loss" in text and "RMSE" in text and "regret" in text and "eg-plus-minus" in text
    assert "Regret of eg-plus-minus: beyond the best of weights whose sizes sum to 5 at most, which lose 0." in text
    found = json.loads(said("regression-dense", "n=50", "-t", "500", "--noise", "0.5", "--seed", "3", "--json"))
    assert found["measure"] == "square" and found["settings"]["made"] == (
        "Linear(n=50, weights='signs', rows='sparse', active=10, noise=0.5, trials=500, seed=3)"
    )
    names = ["gradient-descent", "p-norm-regression", "exponentiated-gradient", "eg-plus-minus", "beg-regression"]
    assert [one["name"] for one in found["learners"]] == names
    for one in found["learners"]:
        assert one["loss"] > one["regret"] >= 0 and {"rmse", "bound", "updates", "seconds"} <= set(one)
        assert "mistakes" not in one
    x = [one["learner"] for one in found["learners"]]
    assert x[0] == f"GradientDescent(X={11**0.5!r})" and x[3] == "EGPlusMinus(U=50.0, X=1.0)"


def test_the_command_takes_permutations_tuning_lists_and_other_losses():
    text = said("linear", "n=20", "k=2", "trials=300", "-p", "2", "-l", "practical")
    assert "Loss, RMSE and regret: in the order of the rows." in text and "adagrad-regression" in text
    text = said("linear", "n=20", "trials=300", "--tune", "50", "-l", "gradient-descent:eta=0.01:eta=1e-6")
    assert "GradientDescent(eta=0.01) in 1" in text
    text = said("linear", "n=20", "trials=300", "-l", "gradient-descent:loss_function=huber:2", "--hindsight", "none")
    assert "Loss: huber:2.0" in text and "No regret for gradient-descent" in text
    wide = said("regression-dense", "n=5000", "trials=1000", "-l", "exponentiated-gradient")
    assert "takes long; --hindsight exact does" in wide


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["regression-sparse", "-l", "winnow"], "winnow predicts labels, and the outcomes of"),
        (["regression-sparse", "-l", "winnow,gradient-descent"], "let them play apart"),
        (["regression-sparse", "active=3"], "expected KEY=VALUE with one of n, k, noise, shift_every, trials, seed"),
        (["regression-sparce"], "did you mean regression-sparse"),
        (["regression-sparse", "k=5000"], "k must be a whole number >= 1 and <= 1000, got 5000"),
        (["disjunction", "-l", "gradient-descent,winnow"], "let them play apart"),
    ],
)
def test_wrong_calls_are_told(words, told):
    found = CliRunner().invoke(main, ["compare", *words])
    assert found.exit_code != 0 and told in " ".join(found.output.split())


def test_pages_of_losses_are_whole(tmp_path):
    page = tmp_path / "a.html"
    said("regression-sparse", "n=50", "trials=500", "-p", "2", "--page", str(page))
    text = page.read_text()
    assert text.count("<figure>") == 3 and "lost the least" in text and not re.search(r"mistakes?[ .,<]", text)
