"""States of Winnow with two factors that the engine makes: those that Python would make, bit by bit, in its order."""

import pickle
import random
from copy import deepcopy
from fractions import Fraction

import numpy as np
import pytest

import littlestone as ls
from littlestone.engine.learning import states as engine
from littlestone.machines.power_table import Table
from littlestone.models.files import load, save
from tests.soak import N, Teacher

GAMES = {
    "as in the soak": lambda: ls.Winnow(alpha=1.1, demotion=0.8, theta=8),
    "a constant and a margin": lambda: ls.Winnow(alpha=1.35, demotion=0.5, theta=4, margin=1, bias=True),
    "rational factors": lambda: ls.Winnow(alpha=Fraction(7, 5), demotion=Fraction(2, 3), theta=5.5, w1=0.3),
    "close to 1": lambda: ls.Winnow(alpha=1.001, demotion=0.9995, theta=8),
    "powers of 2": lambda: ls.Winnow(alpha=2, demotion=0.25, theta=8),
    "beyond the floats": lambda: ls.Winnow(alpha=1e40, demotion=1e-30, theta=1e100),
}


def played(make, blocks=25, way="block"):
    """Return a learner after a game, and its predictions."""
    teacher, learner = Teacher(), make().begin(N, labels=(0, 1))
    lesson = teacher.block if way == "block" else teacher.see_saw
    return learner, [learner.learn(*lesson(turn)).tolist() for turn in range(blocks)]


@pytest.mark.parametrize("way", ["block", "see-saw"])
@pytest.mark.parametrize("make", GAMES.values(), ids=GAMES)
def test_the_engine_makes_the_states_that_python_makes(make, way, monkeypatch, tmp_path):
    learner, predictions = played(make, way=way)
    table = learner.machine.table
    for state, pair in enumerate(table.exponents.tolist()):
        found = (*table.powers[:, state], table.exact[state])
        assert np.array(found).tobytes() == np.array(table.value(tuple(pair)), dtype=np.float64).tobytes(), pair
    monkeypatch.setattr(engine, "blank", lambda _: None)
    slow, expected = played(make, way=way)
    assert slow.machine.table.made is None
    assert predictions == expected
    assert np.array_equal(table.moves, slow.machine.table.moves)
    assert table.largest == slow.machine.table.largest
    for one, name in ((learner, "made"), (slow, "python")):
        save(one, tmp_path / name)
    assert (tmp_path / "made").read_bytes() == (tmp_path / "python").read_bytes()


def test_python_is_seldom_asked_for_new_states(monkeypatch):
    """It was for two of three mistakes, ever more of them: a trial took the longer the more had been played."""
    learner, _ = played(GAMES["as in the soak"], 50)
    asked, extend = [], Table.extend
    monkeypatch.setattr(Table, "extend", lambda *given: asked.append(given) or extend(*given))
    teacher, states, mistakes = Teacher(seed=1), learner.machine.table.count, learner.mistakes
    for turn in range(20):
        learner.learn(*teacher.block(turn))
    assert learner.machine.table.count > states + 4000
    assert len(asked) < (learner.mistakes - mistakes) / 20


@pytest.mark.parametrize("copied", [deepcopy, lambda learner: pickle.loads(pickle.dumps(learner))])
def test_copies_make_states_of_their_own(copied, tmp_path):
    learner, _ = played(GAMES["as in the soak"], 10)
    other, teacher = copied(learner), Teacher(seed=1)
    save(learner, tmp_path / "model")
    loaded = load(tmp_path / "model")
    for turn in range(10):
        rows, labels = teacher.block(turn)
        expected = learner.learn(rows, labels).tolist()
        assert other.learn(rows, labels).tolist() == expected == loaded.learn(rows, labels).tolist()
    assert np.array_equal(other.state()["exponents"], learner.state()["exponents"])
    assert np.array_equal(loaded.state()["exponents"], learner.state()["exponents"])


def test_a_full_table_is_made_anew(monkeypatch):
    """Those that are made afterwards have the same weights."""
    usual, predictions = played(GAMES["as in the soak"])
    monkeypatch.setattr("littlestone.machines.power_table.MOST_STATES", 2000)
    monkeypatch.setattr("littlestone.machines.exponents.MOST_STATES", 2000)
    small, expected = played(GAMES["as in the soak"])
    assert predictions == expected
    assert small.machine.table.count <= 2000 < usual.machine.table.count
    assert np.array_equal(small.weights(), usual.weights())


def test_states_stand_in_the_order_of_a_set():
    """Model files have always had them so."""
    chance, sets = random.Random(0), np.zeros((3, engine.MANY), dtype=np.int64)
    for _ in range(2000):
        states = np.array([chance.randrange(chance.choice((9, 100, 65536))) for _ in range(350)], dtype=np.uint16)
        row = np.arange(chance.choice((0, 1, 4, 5, 6, 10, 30, 80, 250)), dtype=np.uint32)
        bias = chance.choice((-1, 0, 7, 65535))
        found = engine.in_order(row, states, bias, sets)
        assert sets[2, :found].tolist() == [*{*states[row].tolist(), max(bias, 0)}]
    many = np.arange(engine.MANY, dtype=np.uint16)
    assert engine.in_order(many.astype(np.uint32), many, -1, sets) == -1
