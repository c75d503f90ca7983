"""Auto begins anew when its mistakes become more frequent: as its box does it, whatever blocks rows come in."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.engine.learning import full_pool
from littlestone.games.checks import _same
from littlestone.learners import Auto
from littlestone.machines import pool
from littlestone.models.files import load, save
from tests.learners.test_auto import numbered
from tests.naive import auto as slow


def disturbed(times, classes=2, n=30):
    """Rows whose first attributes tell the class, and now and then say nothing of it for a while."""
    rng, rows = np.random.default_rng(0), 250 * times
    X, told = (rng.random((rows, n)) < 0.2).astype(float), rng.integers(0, classes, rows)
    X[:, :classes] = np.eye(classes)[told]
    return X, np.where(np.arange(rows) % 250 < 160, told, rng.integers(0, classes, rows))


@pytest.mark.parametrize("classes", [2, 3])
def test_restarts_are_their_box(classes):
    """When mistakes become more frequent all begin anew, with the attributes and the classes that there are."""
    X, y = disturbed(2, classes)
    X, y = X[:350], y[:350]
    twin, auto = slow.Auto(30), Auto()
    said = auto.learn(X, y).tolist()
    codes = numbered(y)
    names = dict(zip(codes, y.tolist(), strict=True))
    expected = [names.get(twin.learn(dict.fromkeys(np.flatnonzero(row), 1.0), code))
                for row, code in zip(X, codes, strict=True)]  # fmt: skip
    assert auto.restarts == twin.over == 1
    if twin.near > 1e-12:
        assert said == expected
    np.testing.assert_allclose([expert.loss for expert in auto.experts], twin.losses, rtol=1e-6, atol=1e-7)
    assert auto.guarantee.arguments["loss"] == pytest.approx(twin.lost + twin.losses[twin.here].min())
    assert auto.guarantee.arguments["parts"] == 2
    assert auto.mistakes <= auto.guarantee.value


@pytest.mark.parametrize("cut", [8192, 100])
@pytest.mark.parametrize("size", [1, 7, 50, 333])
def test_blocks_and_files_change_no_restart(size, cut, tmp_path, monkeypatch):
    """A late class, attributes that come late, and the cut change nothing, either."""
    monkeypatch.setattr(pool, "CUT", cut)
    X, y = disturbed(6, 3)
    X = np.hstack((X, np.zeros((1500, full_pool.FEW))))
    y[800:][X[800:, 5] > 0] = 3
    X[1100, -1] = 1
    whole, parts = Auto(), Auto()
    expected = whole.learn(X, y).tolist()
    said = []
    for at in range(0, 1500, size):
        if at and at // 400 != (at - size) // 400:
            save(parts, tmp_path / "auto.npz")
            parts = load(tmp_path / "auto.npz")
        said += parts.learn(X[at : at + size], y[at : at + size]).tolist()
        assert parts.mistakes <= parts.guarantee.value
    assert whole.restarts == parts.restarts >= 1
    assert said == expected
    _same(whole, parts, "blocks")
    assert whole.trials == whole.updates == 1500


def test_a_target_that_shifts_is_followed():
    """As well as by a Winnow that is made for it, nearly."""
    stream = ls.teachers.Shifting()
    auto = Auto()
    runs = ls.play_all([auto, ls.ShiftingWinnow(), ls.AROW()], stream)
    assert runs[0].mistakes <= 1.1 * runs[1].mistakes
    assert runs[0].mistakes < 0.4 * runs[2].mistakes
    assert auto.restarts == 9
    assert runs[0].mistakes <= runs[0].guarantee.value
