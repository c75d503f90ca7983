"""The benchmarks beside other libraries: that they run, that their pages are what they measured, what they claim."""

import json
import os
import subprocess
import sys
from math import log2
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
from scipy import sparse

import littlestone as ls

ROOT = Path(ls.__file__).parents[2]
SEEDS = (0, 1)


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch):
    """Make the modules of benchmarks/ importable."""
    if not (ROOT / "benchmarks").is_dir():
        pytest.skip("the benchmarks are not beside the package")
    pytest.importorskip("vowpalwabbit")
    monkeypatch.syspath_prepend(ROOT / "benchmarks")


def kept(name):
    return json.loads((ROOT / "docs" / name).read_text(encoding="utf-8"))


def written(name):
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_the_page_is_what_was_measured():
    import peers_page

    assert written("peers.md") == peers_page.page(kept("peers.json")), "run python benchmarks/peers_page.py"


def test_the_advice_is_what_was_measured():
    import which_learner

    page = which_learner.page(kept("which-learner.json"), kept("peers.json"))
    assert written("which-learner.md") == page, "run python benchmarks/which_learner.py --page"


def test_the_facts_of_the_readme_are_what_was_measured():
    import readme_facts

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme == readme_facts.rewritten(readme, kept("peers.json")), "run python benchmarks/readme_facts.py"
    assert len(readme.splitlines()) <= 120


def test_facts_say_who_is_better():
    import readme_facts

    found = kept("peers.json")
    lost = {"sets": {"a": {"Auto": 0.3, "VW logistic": 0.2}, "b": {"Auto": 0.5, "VW logistic": 0.4}}}
    written = readme_facts.table({**found, "log loss": lost})
    assert "| log loss of its probabilities, mean of 2 | 0.400 | **0.300** | - | - |" in written.splitlines()
    without = {name: value for name, value in found.items() if name != "log loss"}
    assert "log loss" not in readme_facts.table(without)
    assert "real sets" not in readme_facts.table({**without, "real": {}})


def test_the_picture_is_drawn_in_both_themes(tmp_path):
    import front

    front.draw(kept("peers.json"), tmp_path)
    light, dark = ((tmp_path / name).read_text(encoding="utf-8") for name in front.THEMES)
    assert "#0d1117" in dark and "#0d1117" not in light
    for picture in (light, dark, written("front.svg"), written("front-dark.svg")):
        assert float(picture.partition('width="')[2].partition("pt")[0]) < 410  # letters keep their size on a telephone
        assert "<!-- 1,000,000 -->" in picture
    assert front.SIZE * 368 / 403.2 >= 10


def test_what_was_measured_is_not_a_trial_run():
    import growth
    import rivals

    found = kept("peers.json")
    if "note" in found:
        pytest.skip(found["note"])
    assert not found["quick"] and found["rounds"] >= 5
    assert found["peers"] == [*rivals.PEERS] and set(found["ours"]) <= set(rivals.OURS)
    assert [*found["generated"]["wide"]] == [str(n) for n in growth.SIZES]


@pytest.mark.slow
def test_everybody_plays_in_one_run(tmp_path):
    import rivals

    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "peers.py"), "--quick", "--out", str(tmp_path)],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "peers.md").read_text(encoding="utf-8")
    heads = [line.split(" | ")[0].removeprefix("| ") for line in page.splitlines() if line.startswith("| ")]
    for name in [*rivals.OURS, *rivals.PEERS]:
        assert heads.count(name) >= 2, f"{name} is not in both tables of generated streams"
    for name in ("littlestone, one", "Vowpal Wabbit, one", "scikit-learn, part", "river", "VW, parsed examples"):
        assert name in heads
    assert (tmp_path / "growth.svg").read_text(encoding="utf-8").startswith("<?xml")


SKLEARN = {
    "sklearn Perceptron": ("Perceptron", {}),
    "sklearn SGD": ("SGDClassifier", {}),
    "sklearn PA": ("SGDClassifier", {"penalty": None, "learning_rate": "pa1", "eta0": 1.0}),
}


@pytest.mark.parametrize("name", SKLEARN)
def test_leaving_out_calls_that_do_nothing_changes_nothing(name):
    from sklearn import linear_model

    from rivals import PEERS

    kind, parameters = SKLEARN[name]
    X, y = noisy_rows()
    plain = getattr(linear_model, kind)(shuffle=False, **parameters)
    mistakes = int(y[0])
    for row, label in zip(X, y, strict=True):
        if hasattr(plain, "coef_"):
            mistakes += plain.predict(row)[0] != label
        plain.partial_fit(row, [label], classes=[False, True])
    assert PEERS[name](X, y) == mistakes


@pytest.mark.parametrize("loss", ["logistic", "hinge"])
def test_vowpal_wabbit_counts_as_we_do(loss):
    from vowpalwabbit import Workspace

    from rivals import PEERS

    X, y = noisy_rows()
    vw = Workspace(f"--quiet -b 20 --binary --loss_function {loss}")
    mistakes = 0
    for row, label in zip(X, y, strict=True):
        line = f"| {' '.join(str(i + 1) for i in row.indices)}"
        mistakes += (vw.predict(line) > 0) != label
        vw.learn(f"{1 if label else -1} {line}")
    assert PEERS[f"VW {loss}"](X, y) == mistakes


def noisy_rows():
    rng = np.random.default_rng(0)
    X = rng.random((200, 12)) < 0.3
    return sparse.csr_matrix(X.astype(float)), X[:, :2].any(axis=1) ^ (rng.random(200) < 0.1)


def test_winnow_grows_with_log_n_and_adding_does_not_keep_up():
    from growth import RELEVANT, SHARE, TRIALS, additive, bounds, make_data
    from rivals import OURS

    made = {}
    for n in (1_000, 10_000, 100_000):
        streams = [ls.from_arrays(*make_data(TRIALS, n, n // SHARE, RELEVANT, seed)) for seed in SEEDS]
        for name in ["Winnow", *(additive(OURS) if n >= 10_000 else ())]:
            made[name, n] = mean(ls.play(getattr(ls.learners, name)(), stream).mistakes for stream in streams)
    winnow = {n: count for (name, n), count in made.items() if name == "Winnow"}
    assert all(count <= bounds("wide", n)["Winnow's bound"] for n, count in winnow.items())
    steps = [count / log2(n) for n, count in winnow.items()]
    assert max(steps) < 1.25 * min(steps)
    assert all(made[name, n] > 2 * winnow[n] for name, n in made if name != "Winnow")
