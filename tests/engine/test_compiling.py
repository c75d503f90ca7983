"""How kernels are compiled, cached and kept within bounds."""

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import littlestone as ls
from littlestone.engine.compiling import passing
from littlestone.engine.intrinsics import borrowed
from littlestone.engine.learning import duals
from littlestone.engine.text.numbers import Known

SOURCE = Path(ls.__file__).parent

GAME = """
import numpy as np, littlestone as ls
from littlestone.learners import LEARNERS
rng = np.random.default_rng(0)
X = rng.random((60, 9)) < 0.4
y = X[:, :2].any(axis=1) ^ (rng.random(60) < 0.1)
for name, kind in sorted(LEARNERS.items()):
    for options in ({}, {"averaged": True}, {"margin": 0.3}):
        if not options.keys() <= {*kind.parameter_names()}:
            continue
        learner = kind(**options)
        learner.learn(X, y)
        if learner.domain == "any":
            learner.learn(X * 0.5, y)
        learner.predict(X)
        learner.hypothesis()
        print(name, sorted(options), learner.mistakes, learner.updates)
"""


def run(code, cache, **environment):
    """Run Python code in a fresh process with a cache of its own."""
    settings = {**os.environ, "NUMBA_CACHE_DIR": str(cache), **environment}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=settings, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return run(GAME, os.environ.get("NUMBA_CACHE_DIR", tmp_path_factory.mktemp("cache")))


def test_compiled_and_plain_python_play_the_same_game(expected, tmp_path):
    # Unsigned arithmetic warns in plain NumPy where compiled code wraps silently: here nothing wraps.
    assert run(GAME, tmp_path, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error::RuntimeWarning:littlestone") == expected


@pytest.mark.slow
def test_nothing_is_read_or_written_beyond_an_array(expected, tmp_path):
    assert run(GAME, tmp_path, NUMBA_BOUNDSCHECK="1") == expected
    planted = """
import numpy as np
from littlestone import links
from littlestone.core.rows import Rows
from littlestone.machines.duals import Duals
from littlestone.parts.links import Rule
machine = Duals(Rule(links.identity(), 1.0, -1.0, 0.0, 0.0), None)
rows = Rows(np.array([0, 1]), np.array([10**6], dtype=np.uint32), np.zeros(0))
try:
    machine.learn(rows, np.array([0], dtype=np.uint8), np.zeros(0))
except IndexError:
    print("caught")
"""
    assert run(planted, tmp_path, NUMBA_BOUNDSCHECK="1").strip() == "caught"


def test_a_second_process_compiles_nothing(tmp_path):
    code = "SOME = ('perceptron', 'winnow', 'normalized-winnow', 'p-norm', 'thresholded-beg', 'elimination')" + (
        GAME.replace("LEARNERS.items()", "(kind for kind in LEARNERS.items() if kind[0] in SOME)")
        + """
from littlestone.engine.learning import duals, exponents
kernels = [duals.learn, duals.score, duals.rescale, duals.transform, exponents.learn, exponents.score]
print("misses", sum(sum(kernel.dispatcher.stats.cache_misses.values()) for kernel in kernels))
print("hits", sum(sum(kernel.dispatcher.stats.cache_hits.values()) for kernel in kernels))
"""
    )
    first, second = (run(code, tmp_path, LITTLESTONE_NATIVE="none") for _ in range(2))
    assert "misses 0" not in first
    assert "misses 0" in second
    assert int(second.split()[-1]) >= 6


def test_one_engine_serves_all_links_with_one_compilation():
    """No kernel has more variants than dtypes of weights: nothing recompiles for a link, a policy or Boolean rows."""
    ls.Perceptron(dtype="float32").learn(np.eye(2), [0, 1])
    for kernel in (duals.learn, duals.score):
        assert len(kernel.signatures) <= 2


def test_options_come_from_one_place():
    for path in SOURCE.rglob("*.py"):
        text = path.read_text()
        if path.name != "compiling.py":
            assert not re.search(r"\bn?jit\b\(|import.*\bn?jit\b", text), path
        assert "fastmath=" not in text, path


def test_importing_imports_nothing_heavy(tmp_path):
    code = "import sys, littlestone; print(sorted({'numpy', 'numba', 'scipy', 'click'} & set(sys.modules)))"
    assert run(code, tmp_path).strip() == "[]"
    heavy = "{'numba', 'numpy', 'rich', 'jinja2'}"
    code = f"import sys; from littlestone.cli import main; print(sorted({heavy} & set(sys.modules)))"
    assert run(code, tmp_path).strip() == "[]"
    heavy = "{'sklearn', 'pandas', 'rich', 'jinja2'}"
    code = f"import sys, littlestone as ls; ls.Winnow; print(sorted({heavy} & set(sys.modules)))"
    assert run(code, tmp_path).strip() == "[]"


def test_importing_takes_little_longer_than_numpy_and_numba(tmp_path):
    """At most 1.5 times, in CPU time: the best of several interleaved imports, learners included, from bytecode."""
    clock = "from time import process_time as t; a = t(); {}; print(t() - a)"
    ours = clock.format("import littlestone as ls; ls.Winnow; ls.play; ls.check_learner")
    theirs = clock.format("import numpy, numba")
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path)}
    times = [(float(run(ours, tmp_path, **kept)), float(run(theirs, tmp_path, **kept))) for _ in range(8)]
    assert min(ours for ours, _ in times) <= 1.5 * min(theirs for _, theirs in times)


PROBE = """
from littlestone.engine.compiling import native
from littlestone.engine.{callee} import number

@native
def doubled():
    return {factor} * number()
"""
CALLEE = """
from littlestone.engine.compiling import native

@native
def number():
    return {number}
"""


@pytest.mark.parametrize(("number", "factor", "expected"), [(5, 2, "10"), (3, 7, "21"), (3, 2, "6")])
def test_the_cache_notices_a_changed_kernel_and_a_changed_callee(number, factor, expected, tmp_path):
    """Numba itself looks at the file of the kernel alone. The last one has not changed, and is not compiled again."""
    engine, kept = tmp_path / "littlestone" / "engine", tmp_path / "kept"
    shutil.copytree(SOURCE, tmp_path / "littlestone", ignore=shutil.ignore_patterns("__pycache__", "_native*"))
    hits = "sum(doubled.dispatcher.stats.cache_hits.values())"
    program = f"from littlestone.engine.probe import doubled\nprint(doubled(), {hits})"
    said = []
    for n, f in ((3, 2), (number, factor)):
        (engine / "callee.py").write_text(CALLEE.format(number=n))
        (engine / "probe.py").write_text(PROBE.format(callee="callee", factor=f))
        said.append(run(program, kept, PYTHONPATH=str(tmp_path), PYTHONDONTWRITEBYTECODE="1").split())
    assert said == [["6", "0"], [expected, "1" if (number, factor) == (3, 2) else "0"]]


def test_a_learner_works_where_nothing_can_be_cached(tmp_path):
    code = """
import numba.core.caching as caching
caching.CacheImpl._locator_classes = []
import littlestone as ls
from littlestone.engine.compiling import WORK
from littlestone.engine.learning import duals
print(ls.Perceptron().learn([[1, 0]], [0]))
assert WORK.seconds > 0 and type(duals.learn.dispatcher._cache).__name__ == "NullCache"
assert ls.AROW().learn([[1, 0]], [0]).tolist() == [1]
"""
    assert run(code, tmp_path, LITTLESTONE_NATIVE="none").strip() == "[1]"
    assert not list(tmp_path.rglob("*.nb*"))


def test_threads_do_not_disturb_each_other():
    from concurrent.futures import ThreadPoolExecutor

    rng = np.random.default_rng(0)
    X = rng.random((5000, 300)) < 0.1
    y = X[:, :3].any(axis=1)
    stream = ls.from_arrays(X, y)
    alone = [ls.play(kind(), stream).mistakes for kind in (ls.Perceptron, ls.Winnow)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda kind: ls.play(kind(), stream).mistakes, [ls.Perceptron, ls.Winnow] * 4))
    assert together == alone * 4


def test_cost_of_one_example_does_not_grow_with_the_attributes_seen():
    """learn_one touches the active attributes only: no copy, no scan of all weights."""
    from time import perf_counter

    def best(known):
        learner = ls.Perceptron().begin(labels=(0, 1), names=range(known))
        examples = [(list(range(i, i + 20)), i % 2) for i in range(200)]
        times = []
        for _ in range(7):
            started = perf_counter()
            for x, y in examples:
                learner.predict_one([*x, "unseen"])
                learner.learn_one(x, y)
            times.append(perf_counter() - started)
        return min(times)

    small, large = best(1_000), best(1_000_000)
    assert large < 3 * small


@passing
def doubled(numbers, known):
    """Double what is given, by arrays that are only borrowed."""
    numbers, known = borrowed(numbers), borrowed(known)
    for k in range(len(numbers)):
        known.values[k] = 2.0 * numbers[k]
    return known.at.sum()


def test_borrowed_arrays_are_those_of_their_owner():
    known = Known(np.array([3, 4]), np.zeros(2), np.zeros(0, dtype=np.int64))
    numbers = np.frombuffer(bytes([7, 9]), dtype=np.uint8)  # not to be written
    counted = [sys.getrefcount(array) for array in (*known, numbers)]
    for _ in range(100):
        assert doubled(numbers, known) == 7
    assert known.values.tolist() == [14.0, 18.0]
    assert [sys.getrefcount(array) for array in (*known, numbers)] == counted


def test_no_parser_takes_a_dozen_parameters():
    from importlib import import_module

    for path in (SOURCE / "engine" / "text").glob("[!_]*.py"):
        for name, found in vars(import_module(f"littlestone.engine.text.{path.stem}")).items():
            function = getattr(found, "py_func", None)
            if function is not None:
                assert len(inspect.signature(function).parameters) < 12, (path.stem, name)
                assert len(inspect.getsource(function).splitlines()) <= 75, (path.stem, name)
