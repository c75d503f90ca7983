"""save and load: a model or a learner as a file, and back."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from littlestone.core.arrays import State
from littlestone.core.errors import InvalidModel
from littlestone.learners import Learner
from littlestone.learners.regressors import Regressor
from littlestone.models import files
from littlestone.models.calibration import Calibration
from littlestone.models.decision import Decision
from littlestone.models.files import Rest
from littlestone.models.model import Model
from littlestone.models.outcomes import Outcomes
from littlestone.models.scaling import Scaling

__all__ = ["load", "model_of", "save"]

ABOUT = {"reading", "columns", "scaled", "calibrated", "decision"}
OUTCOMES = "outcomes"  # what a model of regression has besides
FOLLOWING = "following"  # what a model has that follows a live source, and the beginning of its arrays' names


def save(
    what: Model | Learner, path: str | os.PathLike[str], *, source: Any = None, date: str | None = None,
    position: int | None = None,
) -> None:  # fmt: skip
    """Write a model or a learner down; `load` goes on from there, bit for bit. It does not change.

    The file is written beside ``path``, flushed to the disk and then renamed: whatever happens, there is the old file
    or the new one. Equal models give equal files, so that no date is written unless one is given. ``source`` says where
    the examples came from (a model that was trained knows), ``position`` how many of them have been learned.

    >>> import littlestone as ls, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.npz"
    >>> ls.save(ls.Winnow(alpha=1.5, theta=8), path)
    >>> ls.load(path)
    Winnow(alpha=1.5, theta=8)
    """
    if not isinstance(what, Model):
        files.save(what, path, source=source, date=date, position=position)
        return
    source = what.source if source is None else source
    position = what.position if position is None else position
    files.save(what.learner, path, source=source, date=date, position=position, rest=_rest(what))


def load(path: str | os.PathLike[str], *, max_bytes: int = files.MOST_BYTES, **params: Any) -> Any:
    """Return the model or the learner that `save` wrote down. All of the file is checked before any of it is used.

    ``params`` are those of a learner that are code, which no file holds: ``load(path, link=mine)``. ``max_bytes`` is
    how much memory its arrays may take; few bytes of a file can stand for many equal weights. No code comes from a
    file: a damaged or forged one is refused by InvalidModel.

    >>> import littlestone as ls, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.npz"
    >>> ls.Model.train([[1, 0], [0, 1]] * 5, [1, 0] * 5).save(path)
    >>> ls.load(path)
    Model(Auto(), after 10 trials)
    """
    learner, rest, header = files.load_all(path, max_bytes=max_bytes, **params)
    return learner if rest is None else _model(path, learner, rest, header)


def model_of(path: str | os.PathLike[str]) -> Model:
    """Return what a file holds as a model: a learner that was trained from a file is read for as that was."""
    from littlestone.models.record import described

    learner, rest, header = files.load_all(path)
    if rest is not None:
        return _model(path, learner, rest, header)
    record = described(header)
    model = Model(learner, {} if record is None else record.reading)
    model.source, model.position = header["provenance"]["source"], header["provenance"]["position"]
    return model


def _rest(model: Model) -> Rest:
    scaling, calibration = model.scaling, model.calibration
    about = {
        "reading": model.reading, "columns": list(model.columns), "decision": model.decision.as_dict(),
        "scaled": [] if scaling is None else list(scaling.columns), "calibrated": calibration is not None,
    }  # fmt: skip
    arrays: State = {} if scaling is None else scaling.state()
    arrays |= {} if calibration is None else calibration.state()
    if model.outcomes is not None:
        about[OUTCOMES] = {"scaled": model.outcomes.scaled}
        arrays |= model.outcomes.state()
    if model.following is not None:
        about[FOLLOWING] = model.following.about
        arrays |= {f"{FOLLOWING}_{name}": array for name, array in model.following.arrays.items()}
    return Rest(about, arrays)


def _check(about: dict[str, Any]) -> None:
    """Refuse what a model would not write of itself."""
    sound = about.keys() - {FOLLOWING, OUTCOMES} == ABOUT and isinstance(about.get(FOLLOWING, {}), dict)
    sound = sound and isinstance(about["reading"], dict) and isinstance(about["calibrated"], bool)
    names = (about["columns"], about["scaled"])
    if not sound or not all(isinstance(each, list) and set(map(type, each)) <= {str} for each in names):
        raise InvalidModel("expected how it reads, its columns, and how it decides, got others")


def _outcomes(learner: Learner, about: dict[str, Any], arrays: State) -> Outcomes | None:
    """Return how outcomes are scaled, which a model of regression has, and no other."""
    given, regression = about.get(OUTCOMES), isinstance(learner, Regressor)
    sound = isinstance(given, dict) and given.keys() == {"scaled"} and isinstance(given["scaled"], bool)
    if (given is not None) != regression or (regression and (not sound or about["calibrated"])):
        raise InvalidModel("expected how outcomes are scaled, of a regressor and of no other learner, got others")
    return Outcomes.from_state(arrays, scaled=about[OUTCOMES]["scaled"]) if regression else None


def _model(path: str | os.PathLike[str], learner: Learner, rest: Rest, header: dict[str, Any]) -> Model:
    about, arrays = rest
    try:
        columns, scaled = (about[name] for name in ("columns", "scaled"))
        _check(about)
        outcomes = _outcomes(learner, about, arrays)
        calibration = Calibration.from_state(arrays) if about["calibrated"] else None
        model = Model(
            learner, about["reading"], columns=tuple(columns),
            scaling=Scaling.from_state(scaled, arrays) if scaled else None, calibration=calibration,
            decision=Decision.from_dict(about["decision"]), outcomes=outcomes,
        )  # fmt: skip
        model.check_decision()
    except (InvalidModel, ValueError, KeyError, TypeError) as error:
        raise InvalidModel(f"{path}: what the model has besides its learner: {error}") from error
    model.source, model.position = header["provenance"]["source"], header["provenance"]["position"]
    if FOLLOWING in about:
        beginning = f"{FOLLOWING}_"
        found = {name.removeprefix(beginning): arrays[name] for name in arrays if name.startswith(beginning)}
        model.following = Rest(about[FOLLOWING], found)
    again = _rest(model)
    same = again.about == about and again.arrays.keys() == arrays.keys()
    if not same or not all(np.array_equal(array, arrays[name]) for name, array in again.arrays.items()):
        raise InvalidModel(f"{path}: expected what the model itself would write, got something else")
    return model
