"""What a pass, a row, a file, a start and a name cost: littlestone beside its peers, all in turn, round after round."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse

import files
import littlestone as ls
from common import ACTIVE, make_data, measure, race, timed
from rivals import PASSIVE_AGGRESSIVE, liblinear, rows, write_rabbit

Seconds = dict[str, list[float]]
OURS = ("Auto", "Perceptron", "Winnow", "BalancedWinnow", "PassiveAggressive", "ALMA", "OGD",
        "AROW", "NHERD", "ConfidenceWeighted", "SCW", "Adagrad")  # fmt: skip
DIAGONAL = ("AROW", "NHERD", "ConfidenceWeighted", "SCW", "Adagrad")  # second-order, diagonal
FEW = 1000  # rows for those who take them one by one in Python

LOADED = (
    "import sys, numpy as np; from scipy import sparse; X = sparse.load_npz(sys.argv[1]); y = np.load(sys.argv[2]); "
)
MEMORY = {
    "the rows alone": LOADED,
    "littlestone": LOADED + "import littlestone as ls; ls.Perceptron().learn(X, y)",
    "scikit-learn": LOADED + "from sklearn.linear_model import Perceptron; Perceptron(max_iter=1, tol=None).fit(X, y)",
}
NAMES = (
    "rows = ((dict.fromkeys((f'name {i}' for i in range(s, s + 50)), 1), s % 100 == 0) for s in range(0, COUNT, 50))\n"
)
ROW_BY_ROW = "m = Perceptron()\nfor x, y in rows: m.predict_one(x); m.learn_one(x, y)"
NAMED = {
    "littlestone": f"from littlestone import Perceptron; {ROW_BY_ROW}",
    "river": f"from river.linear_model import Perceptron; {ROW_BY_ROW}",
}
STARTS = {
    "Python alone": "pass",
    "littlestone": "import littlestone as ls; ls.Perceptron().learn_one({'a': 1.0}, 1)",
    "littlestone, rows": "import littlestone as ls; ls.Perceptron().learn([[0, 1], [1, 0]], [0, 1])",
    "Vowpal Wabbit": "from vowpalwabbit import Workspace; Workspace('--quiet').learn('1 | a')",
    "scikit-learn": "from sklearn.linear_model import Perceptron; Perceptron().fit([[0, 1], [1, 0]], [0, 1])",
    "river": "from river.linear_model import Perceptron; Perceptron().learn_one({'a': 1.0}, True)",
}


def in_memory(X: sparse.csr_matrix, y: np.ndarray, rounds: int, folder: Path) -> Seconds:
    """Return the seconds an example, round by round, of a pass over rows in memory, in each one's own form."""
    few = min(FEW, len(y))
    block, n = ls.from_arrays(X, y).block, X.shape[1]
    calls: dict[str, Callable[[], float]] = {}
    for name in OURS:
        if name in ls.learners.__all__:
            calls[name] = _ours(name, n, len(y), block)
    calls["Perceptron, from the CSR matrix"] = _ours("Perceptron", n, len(y), X, y)
    once = {"max_iter": 1, "tol": None}
    for told, name, more in (
        ("sklearn Perceptron, unshuffled", "Perceptron", {"shuffle": False, **once}),
        ("sklearn SGD, unshuffled", "SGDClassifier", {"shuffle": False, **once}),
        ("sklearn PA, unshuffled", "SGDClassifier", {"shuffle": False, **PASSIVE_AGGRESSIVE, **once}),
        ("sklearn Perceptron, shuffled", "Perceptron", once),
        ("sklearn Perceptron, fit() as it is", "Perceptron", {}),
    ):
        calls[told] = _sklearn(name, more, X, y)
    calls["LIBLINEAR, to its end"] = lambda: timed(lambda: liblinear(X, y)) / len(y)
    calls["VW, parsed examples"] = _rabbit(X[:few], y[:few], folder)
    calls["river Perceptron"] = _river(X[:few], y[:few])
    return measure(calls, rounds)


def _ours(name: str, n: int, count: int, *data: Any) -> Callable[[], float]:
    def call() -> float:
        learner = getattr(ls.learners, name)().begin(n)
        return timed(lambda: learner.learn(*data)) / count

    return call


def _sklearn(name: str, parameters: dict[str, Any], X: sparse.csr_matrix, y: np.ndarray) -> Callable[[], float]:
    from sklearn import linear_model

    return lambda: timed(lambda: getattr(linear_model, name)(**parameters).fit(X, y)) / len(y)


def _rabbit(X: sparse.csr_matrix, y: np.ndarray, folder: Path) -> Callable[[], float]:
    from vowpalwabbit import Workspace

    path = folder / "memory.vw"
    write_rabbit(path, X, y)
    lines = path.read_text(encoding="ascii").splitlines()

    def call() -> float:
        vw = Workspace("--quiet -b 20 --binary --loss_function hinge")
        examples = [vw.parse(line) for line in lines]
        started = perf_counter()
        for example in examples:
            vw.learn(example)
        seconds = perf_counter() - started
        for example in examples:
            vw.finish_example(example)
        vw.finish()
        return seconds / len(lines)

    return call


def _river(X: sparse.csr_matrix, y: np.ndarray) -> Callable[[], float]:
    from river.linear_model import Perceptron

    examples = [(dict.fromkeys(columns.tolist(), 1.0), label) for columns, _, label in rows(X, y)]

    def call() -> float:
        model = Perceptron()
        started = perf_counter()
        for x, label in examples:
            model.predict_one(x)
            model.learn_one(x, label)
        return (perf_counter() - started) / len(examples)

    return call


def from_file(folder: Path, megabytes: float, rounds: int) -> dict[str, Any]:
    """Return what whole processes take that learn from text: seconds and megabytes of memory, round by round."""
    tiny = files.make(folder, "tiny", 0.001, 3)
    part = files.make(folder, "part", megabytes / 10, 2)
    one = files.make(folder, "one", megabytes, 0)
    commands, sizes = {}, {}
    for name, (svmlight, rabbit, count) in (("tiny", tiny), ("part", part), ("one", one)):
        size = svmlight.stat().st_size / 1e6
        commands[f"littlestone, {name}"] = files.ours(svmlight)
        commands[f"Vowpal Wabbit, {name}"] = files.rabbit(rabbit)
        if name == "part":
            commands[f"scikit-learn, {name}"] = files.scikit(svmlight)
        sizes[name] = {"rows": count, "svmlight": size, "vw": rabbit.stat().st_size / 1e6}
    return {"sizes": sizes, "took": race(commands, rounds)}


def starts(rounds: int) -> dict[str, Any]:
    """Return what whole processes take to their first example learned."""
    return race(_commands(STARTS), rounds)


def memory(folder: Path, rounds: int, count: int, names: int) -> dict[str, Any]:
    """Return the peak memory of processes: rows in memory, and as many names as come."""
    X, y = make_data(count, 1_000_000, ACTIVE)
    sparse.save_npz(folder / "X.npz", X, compressed=False)
    np.save(folder / "y.npy", y)
    held = race(_commands(MEMORY, [str(folder / "X.npz"), str(folder / "y.npy")]), rounds)
    named = race(_commands({who: NAMES.replace("COUNT", str(names)) + code for who, code in NAMED.items()}), rounds)
    return {"names": names, "rows": count, "in memory": held, "by name": named}


def _commands(programs: dict[str, str], arguments: Iterable[str] = ()) -> dict[str, list[str]]:
    return {who: [sys.executable, "-c", code, *arguments] for who, code in programs.items()}
