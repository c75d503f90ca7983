"""`AutoRegressor` beside Vowpal Wabbit's defaults, and the passes of regressors beside SGDRegressor's: one run.

    python benchmarks/regression.py [--quick] [--write]

Errors. Every set is played once, in its own order: each row is predicted before it is learned, and the error is the
root of the mean of (p - y)^2 over all rows, the first among them, where all predict 0. Nothing is set, nothing scaled,
and the names and values of the attributes are the same for all. Vowpal Wabbit's "better default" is, of each set, the
best of three: without options, with --sgd, and with --coin. It is asked for the prediction of the row without its
outcome, then it learns the row; predictions are held in the range of the outcomes so far, as it does by default.

What is no number became attributes in the plainest way: a month of AirlinePassengers is the number of months since the
first and "month=5"; of ChickWeights the time, "chick=3" and "diet=1"; an hour of WaterFlow the number of hours since
the first, "hour=7" and "weekday=0"; all others are as they are.

Speed. The best of warm passes over rows that are there already, all in turn, round after round: scikit-learn's CSR
for it, a Block of the same for ours.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

import littlestone as ls
from common import measure, processor, timed, versions
from littlestone.core.block import Block

PAGE = Path(__file__).with_name("RESULTS-regression.md")
PACKAGES = ("numpy", "scipy", "numba", "scikit-learn", "vowpalwabbit", "river")
DEFAULTS = ("", "--sgd", "--coin")
ROWS, ACTIVE, WIDE, ROUNDS = 200_000, 75, 100_000, 7


class Set(NamedTuple):
    """Rows as dicts from names to values, and their outcomes, in order."""

    name: str
    rows: list[dict[str, float]]
    y: list[float]


# The sets


def bundled() -> Iterator[Set]:
    """Yield the bundled regression sets of scikit-learn and river."""
    from river import datasets
    from sklearn.datasets import load_diabetes, load_linnerud

    found = load_diabetes()
    yield Set("diabetes", _rows(found.data, found.feature_names), found.target.tolist())
    found = load_linnerud()
    for target, y in zip(found.target_names, found.target.T.tolist(), strict=True):
        yield Set(f"linnerud, {target}", _rows(found.data, found.feature_names), y)
    for name in ("AirlinePassengers", "ChickWeights", "TrumpApproval", "WaterFlow", "SP500Stocks"):
        xs, y = zip(*getattr(datasets, name)(), strict=True)
        yield Set(name, [_plain(name, x, xs[0]) for x in xs], [float(outcome) for outcome in y])


def _rows(X: Any, names: Any) -> list[dict[str, float]]:
    return [dict(zip(names, row, strict=True)) for row in np.asarray(X, dtype=float).tolist()]


def _plain(name: str, x: dict[str, Any], first: dict[str, Any]) -> dict[str, float]:
    """Return a row of river's as names and numbers."""
    if name == "AirlinePassengers":
        now, then = x["month"], first["month"]
        return {"months": 12.0 * (now.year - then.year) + now.month - then.month, f"month={now.month}": 1.0}
    if name == "WaterFlow":
        now, hours = x["Time"], (x["Time"] - first["Time"]).total_seconds() / 3600.0
        return {"hours": hours, f"hour={now.hour}": 1.0, f"weekday={now.weekday()}": 1.0}
    if name == "ChickWeights":
        return {"time": float(x["time"]), f"chick={x['chick']}": 1.0, f"diet={x['diet']}": 1.0}
    return {key: float(value) for key, value in x.items()}


def made(seed: int, trials: int = 5000) -> Iterator[Set]:
    """Yield four sets with known rules."""
    rng = np.random.default_rng(seed)
    u = np.where(np.arange(2000) < 60, rng.normal(size=2000), 0.0)
    on = [np.unique((2000 * rng.random(30) ** 3).astype(int)) for _ in range(trials)]
    y = [3.0 + float(u[i].sum()) + 0.3 * rng.normal() for i in on]
    yield Set("sparse Boolean, 2,000 wide", [{f"w{j}": 1.0 for j in i.tolist()} for i in on], y)
    X, u = rng.normal(size=(trials, 20)), rng.normal(size=20)
    names = [f"x{i}" for i in range(20)]
    yield Set("dense Gaussian", _rows(X, names), (X @ u + 1.0 + 0.5 * rng.normal(size=trials)).tolist())
    noise = 5.0 * rng.standard_t(2, size=trials)
    yield Set("heavy noise", _rows(X, names), (X @ rng.normal(size=20) + noise).tolist())
    moving = rng.normal(size=20) + np.cumsum(0.05 * rng.normal(size=(trials, 20)), axis=0)
    yield Set("drifting", _rows(X, names), ((X * moving).sum(axis=1) + 0.5 * rng.normal(size=trials)).tolist())


# Errors


def rmse(predictions: Any, y: list[float]) -> float:
    """Return the root of the mean squared error."""
    return float(np.sqrt(np.mean((np.asarray(predictions) - np.asarray(y)) ** 2)))


def of_vw(data: Set, options: str) -> float:
    """Return the error of Vowpal Wabbit's."""
    from vowpalwabbit import Workspace

    vw, said = Workspace(f"--quiet {options}"), []
    for x, y in zip(data.rows, data.y, strict=True):
        words = " ".join(f"{name.replace(' ', '_')}:{value!r}" for name, value in x.items())
        said.append(vw.predict(f"| {words}"))
        vw.learn(f"{y!r} | {words}")
    vw.finish()
    return rmse(said, data.y)


def of_ours(learner: Any, data: Set) -> float:
    """Return the error of one of ours."""
    return rmse([learner.learn_one(x, y) for x, y in zip(data.rows, data.y, strict=True)], data.y)


def errors() -> tuple[list[str], int, int]:
    """Play all sets; return the lines of a table, and on how many of them ours errs at most as much."""
    head = ["set", "rows", "attributes", "deviation of y", *(f"VW {one or '(none)'}" for one in DEFAULTS)]
    head += ["AutoRegressor", "of VW's better", "its best expert"]
    lines, won, sets = [_line(head), _line(["---"] * len(head))], 0, [*bundled(), *made(0)]
    for data in sets:
        theirs, learner = [of_vw(data, options) for options in DEFAULTS], ls.AutoRegressor()
        own = of_ours(learner, data)
        won += own <= min(theirs)
        names = {name for x in data.rows for name in x}
        figures = [f"{figure:.4g}" for figure in (float(np.std(data.y)), *theirs, own)]
        cells = [data.name, f"{len(data.rows):,}", f"{len(names):,}", *figures]
        lines.append(_line([*cells, f"{own / min(theirs):.3f}", learner.best.name]))
        print(lines[-1], flush=True)
    return lines, won, len(sets)


# The papers' point: whose target, whose rows


def games() -> Iterator[tuple[str, ls.teachers.Linear]]:
    """Yield a sparse target with dense rows, and a dense one with sparse rows, of some sizes; nothing is noisy."""
    for n in (100, 1000):
        yield "sparse target, dense rows", ls.teachers.Linear(n, 3, rows="dense", trials=2000)
    for n in (100, 1000):
        yield "dense target, sparse rows", ls.teachers.Linear(n, n, rows="sparse", active=1, trials=10 * n)


def losses() -> list[str]:
    """Return the lines of a table: what each loses, in square loss, predicting each row before it is learned."""
    head = [
        "game",
        "n",
        "GradientDescent",
        "EGPlusMinus",
        "VW (none)",
        "SGDRegressor",
        "SGDRegressor, GD's rate",
        "river",
    ]
    lines = [_line(head), _line(["---"] * len(head))]
    for name, teacher in games():
        n, U = teacher.n_attributes, float(np.abs(teacher.target).sum())
        length = float(n if "dense rows" in name else 1)
        ours = [ls.GradientDescent(eta=0.5 / length, bias=False), ls.EGPlusMinus(U=U, eta=0.5 / U**2, bias=False)]
        found = [ls.play(learner, teacher).loss for learner in ours]
        data = Set(name, *_named(teacher))
        found += [of_vw(data, "") ** 2 * len(data.y), *_of_sklearn(teacher, 0.5 / length), _of_river(data)]
        lines.append(_line([name, f"{n:,}", *(f"{loss:.4g}" for loss in found)]))
        print(lines[-1], flush=True)
    return lines


def _named(teacher: ls.teachers.Linear) -> tuple[list[dict[str, float]], list[float]]:
    """Return a teacher's rows as dicts, and their outcomes."""
    rows, outcomes = [], []
    for block in teacher.blocks():
        for r in range(len(block)):
            columns, values = block.row(r)
            x = np.ones(len(columns)) if values is None else values
            rows.append({f"x{i}": v for i, v in zip(columns.tolist(), x.tolist(), strict=True)})
        outcomes += np.asarray(block.outcomes).tolist()
    return rows, outcomes


def _of_sklearn(teacher: ls.teachers.Linear, eta: float) -> Iterator[float]:
    """Yield the losses of SGDRegressor as it is, and with the rate of gradient descent, row by row."""
    from sklearn.linear_model import SGDRegressor

    for given in ({}, {"learning_rate": "constant", "eta0": eta / 0.5, "penalty": None, "fit_intercept": False}):
        model, total, begun = SGDRegressor(shuffle=False, **given), 0.0, False
        with np.errstate(over="ignore"):
            for block in teacher.blocks():
                values = np.ones(len(block.indices)) if block.values is None else block.values
                X = sparse.csr_matrix(
                    (values, block.indices.astype(np.int32), block.indptr), (len(block), teacher.n_attributes)
                )
                for r, y in enumerate(np.asarray(block.outcomes).tolist()):
                    total += (float(model.predict(X[r])[0]) - y) ** 2 if begun else y * y
                    begun = model.partial_fit(X[r], [y]) is not None
        yield total


def _of_river(data: Set) -> float:
    """Return the loss of river's linear regression as it is."""
    from river.linear_model import LinearRegression

    model, total = LinearRegression(), 0.0
    for x, y in zip(data.rows, data.y, strict=True):
        total += (model.predict_one(x) - y) ** 2
        model.learn_one(x, y)
    return total


# Speed


def passes(*, real: bool, rows: int) -> dict[str, Callable[[], float]]:
    """Return what times a pass of each over rows of 75 of 100,000 attributes."""
    from sklearn.linear_model import SGDRegressor

    rng = np.random.default_rng(0)
    width = WIDE // ACTIVE
    columns = width * np.arange(ACTIVE) + rng.integers(0, width, (rows, ACTIVE))
    data = rng.normal(size=rows * ACTIVE) if real else np.ones(rows * ACTIVE)
    indptr = np.arange(rows + 1, dtype=np.int32) * ACTIVE
    X = sparse.csr_matrix((data, columns.astype(np.int32).ravel(), indptr), shape=(rows, WIDE))
    u = np.where(np.arange(WIDE) % 50 == 0, rng.random(WIDE), 0.0)
    y = X @ u + 0.1 * rng.normal(size=rows)
    block = Block.from_arrays(X).numbered(y)

    def ours(learner: Any) -> Callable[[], float]:
        return lambda: timed(lambda: learner.copy().begin(WIDE).learn(block))

    return {
        "scikit-learn SGDRegressor": lambda: timed(lambda: SGDRegressor(shuffle=False).partial_fit(X, y)),
        "GradientDescent": ours(ls.GradientDescent()),
        "ExponentiatedGradient": ours(ls.ExponentiatedGradient()),
        "EGPlusMinus": ours(ls.EGPlusMinus()),
        "AutoRegressor": ours(ls.AutoRegressor()),
    }


def speeds(rows: int, rounds: int) -> list[str]:
    """Return the lines of a table."""
    head = ["pass", "Boolean: best, ms", "times SGDRegressor's speed", "real: best, ms", "times SGDRegressor's speed"]
    found = [measure(passes(real=real, rows=rows), rounds) for real in (False, True)]
    lines = [_line(head), _line(["---"] * len(head))]
    for name in found[0]:
        cells = [name]
        for seconds in found:
            best, theirs = min(seconds[name]), min(seconds["scikit-learn SGDRegressor"])
            cells += [f"{1000 * best:.0f}", f"{theirs / best:.2f}"]
        lines.append(_line(cells))
        print(lines[-1], flush=True)
    return lines


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def page(*, quick: bool) -> str:
    """Measure, and return the page."""
    rows, rounds = (20_000, 2) if quick else (ROWS, ROUNDS)
    before = os.getloadavg()[0]
    times = speeds(rows, rounds)
    table, won, sets = errors()
    both = losses()
    when = datetime.now(UTC).strftime("%Y-%m-%d")
    return "\n".join([
        "# Regression, beside Vowpal Wabbit and scikit-learn", "",
        "Written by `python benchmarks/regression.py --write`, which says how.", "",
        f"{when}; {processor()}; {versions(*PACKAGES)}; load when it began {before:.2f}", "",
        "## Errors", "",
        "Progressive RMSE of one pass, in the order of the set. Of Vowpal Wabbit's default, --sgd and --coin the best",
        f"counts; AutoRegressor's error is at most that on {won} of {sets} sets.", "",
        "On series, much of the difference comes from experts that look at the last outcomes, which nobody gives to",
        "Vowpal Wabbit; and from counting from the first outcome, where it begins at 0.", "",
        *table, "",
        "## Whose target, whose rows", "",
        "Cumulative square loss: 3 of n attributes decide and rows are full of -1 and 1; or all of them decide and one",
        "is on in a row. GradientDescent and EGPlusMinus have the rates of their theorems, the others are as they are,",
        "SGDRegressor also with the rate of gradient descent. `littlestone reproduce kivinen-warmuth regression` has",
        "larger n.", "",
        *both, "",
        "## Speed", "",
        f"{rows:,} rows, {ACTIVE} of {WIDE:,} attributes in each, one pass; the best of {rounds} rounds, all in turn.",
        "SGDRegressor(shuffle=False).partial_fit on CSR; ours on a Block of the same rows.", "",
        *times, "",
    ])  # fmt: skip


def main() -> None:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few rows and rounds for the speed")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args()
    found = page(quick=options.quick)
    if options.write:
        PAGE.write_text(found, encoding="utf-8")


if __name__ == "__main__":
    main()
