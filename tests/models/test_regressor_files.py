"""Files of regressors: what is saved and loaded goes on as if it had never stopped, and forged ones are refused."""

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidModel
from littlestone.learners.regressors import REGRESSORS
from littlestone.models.files import inspect_model, load, save
from littlestone.models.files._header import sealed
from littlestone.models.files._sound import Unsound, check_saved


def data(rows=120, n=12):
    rng = np.random.default_rng(0)
    X = rng.random((rows, n))
    return X, X @ rng.normal(size=n)


def same(one, other):
    assert type(one) is type(other)
    states = one.state(), other.state()
    assert states[0].keys() == states[1].keys()
    for name, array in states[0].items():
        assert array.dtype == states[1][name].dtype
        assert array.tobytes() == states[1][name].tobytes(), name


@pytest.mark.parametrize("name", [*REGRESSORS])
@pytest.mark.parametrize("seen", [None, 0, 70])  # not begun, begun, half-way
def test_saved_and_loaded_goes_on_as_if_never_stopped(name, seen, tmp_path):
    X, y = data()
    learner, path = REGRESSORS[name](), tmp_path / "model.npz"
    if seen is not None:
        learner.begin(X.shape[1])
        learner.learn(X[:seen], y[:seen])
    save(learner, path)
    again = load(path)
    same(learner, again)
    assert again.labels == ()
    assert inspect_model(path)["counts"]["trials"] == (seen or 0)
    assert learner.learn(X[70:], y[70:]).tolist() == again.learn(X[70:], y[70:]).tolist()
    assert learner.loss == again.loss > 0.0
    same(learner, again)


def test_names_are_kept(tmp_path):
    learner = ls.GradientDescent(eta=0.1, loss_function="huber:1.5")
    learner.learn_one({"size": 2.0, "new": 1.0}, 3.5)
    save(learner, tmp_path / "model.npz")
    again = load(tmp_path / "model.npz")
    assert again.weights() == learner.weights()
    assert again.learn_one({"size": 1.0, "old": 1.0}, 1) == learner.learn_one({"size": 1.0, "old": 1.0}, 1)
    same(learner, again)


def test_a_checkpoint_goes_on_to_the_same_bytes(tmp_path):
    X, y = data(2000)
    stream = ls.from_arrays(X, y)
    whole = ls.GradientDescent(eta=0.01)
    ls.play(whole, stream)
    path = tmp_path / "model.npz"
    first = ls.Checkpoint(path, every=1)
    learner, rest = first.resume(ls.GradientDescent(eta=0.01), stream)
    ls.play(learner, rest, trials=700, on_block=first)
    again, rest = (second := ls.Checkpoint(path, every=1)).resume(ls.GradientDescent(eta=0.01), stream)
    assert again.trials == 700
    ls.play(again, rest, on_block=second)
    same(whole, again)
    assert again.loss == whole.loss


@pytest.mark.parametrize("loss", [np.array(-1.0), np.array(float("nan")), np.array([1.0]), np.array(1)])
def test_a_loss_that_no_game_leads_to_is_refused(loss):
    learner = ls.GradientDescent()
    learner.learn([[1.0]], [2.0])
    with pytest.raises(Unsound, match="loss"):
        check_saved(learner, learner.state() | {"loss": loss, "game": learner.state()["game"]})


def test_labels_of_a_regressor_are_refused(tmp_path):
    from littlestone.models.files._archive import Archive, replace_file

    learner, path = ls.GradientDescent(), tmp_path / "model.npz"
    learner.learn([[1.0]], [2.0])
    save(learner, path)
    for labels in ({"negative": 0, "positive": 1, "settled": True}, {"classes": [1, 2]}):
        header = inspect_model(path)
        with Archive(path) as archive:
            members = {name: archive.member(name) for name in header["members"]}
        header["labels"] = labels
        del header["sha256"]
        forged = tmp_path / "forged.npz"
        replace_file(forged, {"header": sealed(header), **members})
        with pytest.raises(InvalidModel, match="labels"):
            load(forged)
