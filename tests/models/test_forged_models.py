"""Forged models: what is refused is refused soon; what is accepted plays, without a crash, a hang or much memory."""

import os
import random
import subprocess
import sys
import time
from copy import deepcopy

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidModel, LittlestoneError
from littlestone.core.rational import decoded, encoded
from littlestone.engine.learning import ballot
from littlestone.models.files import load, save
from littlestone.models.files._archive import npy, replace_file
from tests.forged import MOST_MORE, Battery, Meter, plays
from tests.forging import models, put_together, taken_apart, widen
from tests.models.test_model_damage import forged, model

slow = pytest.mark.slow


@pytest.mark.filterwarnings("ignore")  # of numbers that no game leads to
def test_forged_models_are_refused_or_play(tmp_path):
    battery = Battery(0, tmp_path)
    for number in range(400):
        battery.case(number)
    assert battery.finds == []
    assert 40 < battery.accepted < 200


@slow
def test_many_forged_models_are_refused_or_play(tmp_path):
    """With bounds checked, in a cache of its own, where a planted overflow is noticed; memory is measured, too."""
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-m", "tests.forged", "100000", "1"], env=environment, capture_output=True,
                          text=True, check=False)  # fmt: skip
    assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-2000:])
    assert done.stdout.strip().endswith("0 finds")


def test_the_battery_sees_whether_bounds_are_checked(tmp_path):
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    code = "from tests.forged import planted; print(planted())"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


def test_the_battery_finds_what_is_wrong(tmp_path, monkeypatch):
    """A learner that crashes in a way of its own, or takes long, is written down."""
    battery = Battery(0, tmp_path)

    def broken(learner, chance):
        raise IndexError(f"{learner!r} and {chance!r}")

    monkeypatch.setattr("tests.forged.plays", broken)
    for number in range(40):
        battery.case(number)
    assert len(battery.finds) == battery.accepted > 0
    assert "IndexError" in battery.finds[0]
    monkeypatch.setattr("tests.forged.plays", lambda *_: None)
    monkeypatch.setattr("tests.forged.LONGEST", -1.0)
    battery.case(40)
    assert battery.finds[-1].endswith("seconds")


MEASURED = """
import random, sys
from littlestone.models.files import load
from tests.forged import Meter, plays
for path in sys.argv[1:]:
    plays(load(path + ".small"), random.Random(0))
    meter = Meter()
    learner = load(path)
    for seed in range(2):
        plays(learner, random.Random(seed))
    print(meter.more)
    del learner
"""


@pytest.mark.skipif(not Meter.there, reason="nobody says how large a process has been")
def test_a_million_attributes_are_loaded_and_played_in_little_memory(tmp_path):
    """As the battery measures it: twice what a file declares, and 64 MB; each array goes back when it is not needed."""
    wide = {
        name: models()[name]
        for name in ("growing with negations, rows", "bounded Winnow, real", "bounded, averaged, rows", "winnow, rows",
                     "float32, negations, real", "naive-bayes, rows", "its own start, rows")
    }  # fmt: skip
    save(ls.Winnow(negations=True).begin(12, labels=(0, 1)), tmp_path / "model.npz")
    wide["Winnow with negations, which become duals"] = taken_apart(tmp_path / "model.npz")
    paths, declared = [], []
    for header, arrays in wide.values():
        paths.append(str(tmp_path / f"{len(paths)}.npz"))
        put_together(paths[-1] + ".small", header, arrays, random.Random(0))
        told, wider = deepcopy(header), dict(arrays)
        widen(told, wider, 10**6)
        declared.append(put_together(paths[-1], told, wider, random.Random(0)))
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}
    done = subprocess.run([sys.executable, "-c", MEASURED, *paths], env=environment, capture_output=True, text=True,
                          check=True)  # fmt: skip
    more = [int(line) for line in done.stdout.split()]
    measured = zip(wide, more, declared, strict=True)
    assert [(name, took, size) for name, took, size in measured if took > 2 * size + MOST_MORE] == []


def refused_soon(path, seconds=2.0):
    """Hold a file to it that it is refused without much time of the processor."""
    begun = time.process_time()
    with pytest.raises(InvalidModel, match=str(path)):
        load(path)
    assert time.process_time() - begun < seconds


HEADERS = {
    "60 MB, nested": lambda: b'{"a":' + b"[" * 30_000_000 + b"]" * 30_000_000 + b"}",
    "60 MB of lists": lambda: b"[" + b"[]," * 20_000_000 + b"[]]",
    "60 MB of objects": lambda: b"[" + b'{"a":1},' * 7_000_000 + b"1]",
    "lists": lambda: b"[" + b"[]," * 500_000 + b"[]]",
    "deep": lambda: b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
}


@pytest.mark.parametrize("text", HEADERS)
def test_large_headers_are_refused_soon(text, tmp_path):
    path = tmp_path / "model.npz"
    replace_file(path, {"header": npy(np.frombuffer(HEADERS[text](), dtype=np.uint8))})
    refused_soon(path)


def test_many_classes_have_room_in_a_header(tmp_path):
    classes = [f"class number {i}" for i in range(100_000)]
    learner = ls.learners.WinnerTakesAll("perceptron", class_weights=dict.fromkeys(classes, 0.5)).begin(3, classes)
    save(learner, tmp_path / "model.npz")
    assert load(tmp_path / "model.npz").labels == learner.labels


@pytest.mark.parametrize("digits", ["f" * 20_000, "1" + "0" * 3_000_000])
def test_numbers_that_nobody_would_wait_for_are_refused_soon(digits, tmp_path):
    path = model(tmp_path, "winnow")
    value = {"fraction": [f"0x{digits}", f"0x{digits[:-1]}3"]}
    forged(path, lambda header, _: header["params"].update(alpha=value))
    refused_soon(path)


def longer(header, arrays, updates):
    """Tell of a game with so many updates."""
    arrays["counts"][:4] = updates, updates, 0, updates
    header["game"] |= {"trials": updates, "mistakes": updates}
    header["counts"] |= {"trials": updates, "mistakes": updates, "updates": updates, "promotions": 0}
    header["counts"]["demotions"] = updates


TINY_WEIGHTS = """
import sys
from littlestone.models.files import load
import numpy as np
learner = load(sys.argv[1])
row = np.zeros((1, 12))
row[0, [0, 1, 5]] = 1.0
print(learner.predict(row).tolist())
"""


def test_tiny_weights_decide_a_tie_soon(tmp_path):
    """Two weights of 1 and one of 2^-4,000,000,000 are more than 2."""
    path = tmp_path / "model.npz"
    save(ls.Winnow(theta=2).begin(12, labels=(0, 1)), path)
    header, arrays = taken_apart(path)
    longer(header, arrays, 4_000_000_000)
    arrays["exponents"] = np.array([[0, 0], [-4_000_000_000, 0]])
    arrays["states"] = np.array([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], dtype=np.uint8)
    put_together(path, header, arrays, random.Random(0))
    done = subprocess.run([sys.executable, "-c", TINY_WEIGHTS, str(path)], capture_output=True, text=True, check=True,
                          timeout=20)  # fmt: skip
    assert done.stdout.strip() == "[1]"


def test_many_states_of_an_eliminating_winnow_are_loaded_soon(tmp_path):
    path = tmp_path / "model.npz"
    save(ls.Winnow(demotion=0, theta=2).begin(12, labels=(0, 1)), path)
    header, arrays = taken_apart(path)
    longer(header, arrays, 20_000)
    arrays["exponents"] = np.array([*((p, 0) for p in range(20_000)), (0, 1)])
    arrays["states"] = arrays["states"].astype(np.uint16)
    put_together(path, header, arrays, random.Random(0))
    begun = time.process_time()
    learner = load(path)
    assert time.process_time() - begun < 2.0
    plays(learner, random.Random(0))


@pytest.mark.parametrize("eta", [1.0, 0.1])
@pytest.mark.parametrize("start", [np.linspace(-1, 1, 10**6), np.arange(1e6), np.arange(10**6) / 10])
def test_a_start_for_each_of_a_million_attributes_is_loaded_soon(eta, start, tmp_path):
    path = tmp_path / "model.npz"
    begun = time.process_time()
    save(ls.Perceptron(eta=eta, w1=start).begin(len(start), labels=(0, 1)), path)
    learner = load(path)
    assert time.process_time() - begun < 6.0  # it was 22 seconds
    assert np.allclose(learner.hypothesis().w, start, rtol=1e-15)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("trials", [1000, 2**40])
@pytest.mark.parametrize("errors", [[0, 0, 1, 900_000], [0, 0, 0, 2**30], [-(2**30), 2**30, 5, 5]])
def test_errors_that_are_far_apart_are_compared_soon(errors, trials, tmp_path):
    """All disjunctions of 2 attributes: of equal votes among the best the next ones decide."""
    path = tmp_path / "model.npz"
    save(ls.learners.WeightedMajority().begin(2, labels=(0, 1)), path)
    header, arrays = taken_apart(path)
    longer(header, arrays, trials)
    arrays["errors"] = np.array(errors, dtype=np.int32)
    put_together(path, header, arrays, random.Random(0))
    if max(errors) > 1000 * trials:
        refused_soon(path)
        return
    begun = time.process_time()
    learner = load(path)
    assert learner.predict(np.array([[1, 0], [0, 1], [1, 1]])).shape == (3,)
    assert time.process_time() - begun < 2.0


@pytest.mark.parametrize("name", ["voted-perceptron", "monotone", "real rows", "sampled rows"])
def test_attributes_that_are_far_away_take_no_room(name, tmp_path):
    """Memory is that of the attributes that there are, not of the largest."""
    from tests.forged import Meter

    makers = {"monotone": lambda: ls.KernelPerceptron("monotone"), "real rows": lambda: ls.KernelPerceptron("gaussian"),
              "sampled rows": lambda: ls.KernelPerceptron("monotone:3", budget=3, forget="forgetron"),
              "voted-perceptron": ls.learners.VotedPerceptron}  # fmt: skip
    learner, path = makers[name](), tmp_path / "model.npz"
    learner.learn([[1, 0, 1], [0, 1, 1], [1, 1, 0]], [0, 1, 0])
    save(learner, path)
    header, arrays = taken_apart(path)
    far = 1 << 28
    arrays["size"] = np.array(far)
    ends = arrays["stored"][1:]
    last = ends[np.diff(arrays["stored"]) > 0] - 1
    arrays["attributes"][last] = far - 1
    put_together(path, header, arrays, random.Random(0))
    meter = Meter()
    learner = load(path)
    rows = ls.Block(np.array([0, 2, 4]), np.array([0, far - 1, 1, far - 1], dtype=np.uint32))
    said = learner.predict(rows)
    learner.learn(rows, said)
    learner.learn(rows, 1 - said)
    assert meter.more < 1 << 25


def test_negations_of_a_million_attributes_take_little_room(tmp_path):
    """Rows (x, 1 - x) are not written out as dense ones: that took 250 MB."""
    from tests.forged import Meter

    path = tmp_path / "model.npz"
    for n in (1000, 10**6):  # the first to compile what is needed
        save(ls.Perceptron(dtype="float32", negations=True).begin(n, labels=(0, 1)), path)
        meter = Meter()
        plays(load(path), random.Random(0))
    assert meter.more < (2 * 8 + 64) << 20


def test_a_vote_among_classes_ends():
    """Rounding puts the last class now above and now below the level: it went on for ever."""
    for scores in ([0.0, -0.9419375771243503, -0.8838751542487009], [-0.6028678703345237, 0.0, -0.20573574066904754]):
        shares = np.zeros(3)
        assert ballot._shares(np.array(scores), 3, 1.0, shares) == int(np.argmax(scores))
        assert abs(shares.sum() - 1.0) < 1e-12


def test_a_state_that_no_game_leads_to_is_not_saved(tmp_path):
    path = tmp_path / "model.npz"
    learner = ls.Perceptron()
    learner.learn(np.eye(3), [0, 1, 0])
    save(learner, path)
    before = path.read_bytes()
    learner._machine._weights[0, 1] = np.nan
    with pytest.raises(InvalidModel, match=r"no game leads to .*numbers in weights.*nothing was written.*earlier copy"):
        save(learner, path)
    named = ls.Winnow(theta=2).begin(2, labels=(0, 1))
    named.learn_one({"a", "b"}, 1)
    named._vocabulary.add(["c"])  # one name more than there are weights
    with pytest.raises(InvalidModel, match="3 names"):
        save(named, path)
    drifting = ls.learners.DirectedDrift(mode="asynchronous", batch=5).begin(12)
    drifting._machine._planes[:] = 1
    with pytest.raises(InvalidModel, match="votes"):
        save(drifting, path)
    assert [file.name for file in tmp_path.iterdir()] == ["model.npz"]
    assert path.read_bytes() == before
    load(path)


@pytest.mark.parametrize("change", ["more", "fewer", "other"])
def test_a_state_with_other_arrays_than_its_machine_has_is_not_saved(tmp_path, monkeypatch, change):
    """`save` refuses the set of arrays that `load` would refuse."""
    learner = ls.Perceptron()
    learner.learn([[1, 0, 1], [0, 1, 1]], [1, 0])
    state = learner.machine.state()
    if change == "fewer":
        del state["scalars"]
    elif change == "more":
        state["odd"] = np.zeros(3)
    else:
        state["weights"] = state["weights"].astype(np.int64)
    monkeypatch.setattr(learner.machine, "state", lambda: state)
    with pytest.raises(InvalidModel, match=r"no game leads to .*expected (the arrays|weights of)"):
        ls.save(learner, tmp_path / "model.npz")
    assert not list(tmp_path.iterdir())


def test_what_could_not_be_read_again_is_not_saved(tmp_path):
    path = tmp_path / "model.npz"
    with pytest.raises(LittlestoneError, match=r"expected at most 16,777,216 bytes.*shorten them"):
        save(ls.Perceptron(), path, source="x" * 20_000_000)
    with pytest.raises(LittlestoneError, match="link: expected a value that `load` can read"):
        save(ls.QuasiAdditive(link=ls.links.power(np.nan)), path)
    with pytest.raises(LittlestoneError, match="65,536 bits"):
        save(ls.KernelPerceptron(theta=1 << 70_000), path)
    assert not path.exists()


def test_weights_of_no_game_are_noticed_where_a_map_is_too_large_to_be_checked(tmp_path, monkeypatch):
    """Of a large map few sets are looked at, and two coefficients may be wrong: who plays with it is told so."""

    def two_others(_, arrays):
        numbers = decoded(arrays["coefficients"])
        much = 10**9 * max(map(abs, numbers))
        numbers[-1], numbers[-2] = numbers[-1] - much, numbers[-2] + much
        arrays["coefficients"] = encoded(numbers)

    monkeypatch.setattr("littlestone.machines.sets.closures.LOOKS", 1)
    for name in ("boxes", "map"):
        path = model(tmp_path, name)
        forged(path, two_others)
        learner = load(path)
        with pytest.raises(InvalidModel, match="not those of a game"):
            learner.activation(np.ones((1, 12), dtype=bool) - np.eye(12))
