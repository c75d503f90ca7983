"""Models that come to be, are copied, given away, renamed and removed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from littlestone.core.errors import LittlestoneError
from littlestone.core.files import replacing
from littlestone.learners import Learner
from littlestone.learners.named import learner_of
from littlestone.learners.regressors import Regressor
from littlestone.models.following.beginning import new_model
from littlestone.models.following.policies import take_policy
from littlestone.models.model import Model
from littlestone.models.saving import load
from littlestone.service.checking import bad_name
from littlestone.service.erasing import TO_ERASE, erasing
from littlestone.service.journal.entries import encode, sealed
from littlestone.service.journal.journal import Draft
from littlestone.service.known import Known, known
from littlestone.service.memory import give_back
from littlestone.service.models.served import Served, Settings
from littlestone.service.problems import Refused, conflict, invalid, missing, too_much
from littlestone.service.reading import predicted
from littlestone.service.rework import Later
from littlestone.service.sizes import check_file, check_labels, check_size
from littlestone.service.uploads import path_of
from littlestone.service.warming import warmed
from littlestone.service.wire import (
    Clone,
    Create,
    Download,
    File,
    Made,
    Predict,
    Predicted,
    Problem,
    Remove,
    Reply,
    Request,
    Switch,
    Upload,
)  # fmt: skip

if TYPE_CHECKING:
    from littlestone.service.desk import Desk

__all__ = ["GROWING", "Download", "act", "beside", "past", "served_or_refused"]


GROWING = Create | Upload | Clone  # what needs memory


def act(desk: Desk, request: Request) -> Reply | Later:
    """Do what a request asks of models as a whole."""
    match request:
        case Create():
            return _create(desk, request)
        case Upload():
            return _upload(desk, request)
        case Download():
            return _download(desk, request)
        case Clone():
            return _clone(desk, request)
        case Switch():
            return _switch(desk, request)
        case Remove():
            return _remove(desk, request)
        case Predict():
            return _predict(desk, request)
        case _:
            raise Refused(invalid(f"expected a request that is known, got {type(request).__name__}"))


def served_or_refused(desk: Desk, name: str) -> Served:
    """Return the model of a name; refuse the request if there is none."""
    found = desk.served_by(name)
    if isinstance(found, Problem):
        raise Refused(found)
    return found


def _check_new(desk: Desk, name: str) -> None:
    if (problem := bad_name(name)) is not None:
        raise Refused(problem)
    if name in desk.served or name in desk.broken:
        raise Refused(conflict(f"{name}: expected the name of a new model, got one that is served", "exists"))
    most = desk.options.limits.models
    if len(desk.served) + len(desk.broken) >= most:
        raise Refused(conflict(f"expected at most {most:,} models; remove one that is not needed", "too-many"))


def _begin(desk: Desk, name: str, model: Model, settings: Settings, how: dict[str, Any]) -> Made:
    """Serve a model from now on; its first snapshot is what all of it begins with."""
    connection = desk.journal.connection
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM models").fetchone()
    served = Served(last + 1, name, model, settings)
    warmed(served.model.learner, desk.alive)
    try:
        desk.snapshots.write(served)
    except (LittlestoneError, MemoryError) as error:
        desk.snapshots.sweep()
        said = str(error).replace(f"{desk.snapshots.path(served.id, 0)}: ", "") or "there is no memory for it"
        expected = "expected a model that can be written down and read again, got another one"
        raise Refused(invalid(f"{name}: {expected} ({said})", "learner")) from error
    with desk.journal.transaction():
        connection.execute("INSERT INTO models VALUES (?, ?, ?, 0)", (served.id, name, encode(settings.as_dict())))
        desk.journal.append([Draft(served.id, 1, 0, "begin", sealed([encode({"name": name, **how})]))])
        desk.snapshots.add(served.id, 0, desk.journal.seq, pinned=True)
    desk.take_up(served)
    return Made(name, 0)


def _create(desk: Desk, request: Create) -> Reply:
    _check_new(desk, request.name)
    reading: dict[str, Any] = {"attributes": request.attributes}
    reading |= {} if request.labels is None else {"labels": tuple(request.labels)}
    try:
        learner = learner_of(request.learner)
        _check_labels_predicted(request.name, learner)
        check_labels(request.labels or (), desk.options)
        check_size(learner, request.attributes, request.labels, desk.options)
        model = new_model(learner, "jsonl", {k: v for k, v in reading.items() if v is not None})
        take_policy(model, request.on_change)
    except (LittlestoneError, TypeError, ValueError, OverflowError, MemoryError) as error:
        raise Refused(invalid(f"{request.name}: {error}", "learner")) from error
    settings = Settings(request.new_labels, _whole(request.limit), _whole(request.window))
    how = {key: value for key, value in msgspec.structs.asdict(request).items() if key != "name"}
    return _begin(desk, request.name, model, settings, {"how": "created", **how})


def _check_labels_predicted(name: str, learner: Learner) -> None:
    """Refuse a learner of numbers: what is asked, learned and measured here are labels."""
    if isinstance(learner, Regressor):
        problem = f"{name}: expected a model of labels, got {learner!r}, which predicts numbers and is not served yet"
        raise Refused(invalid(problem, "learner"))


def _whole(number: Any) -> int:
    if type(number) is not int or not 1 <= number <= 1 << 20:
        raise Refused(invalid(f"limit, window: expected a whole number from 1 to {1 << 20:,}, got {number!r}"))
    return number


def _upload(desk: Desk, request: Upload) -> Reply:
    """Serve the model of a file, of which all is checked before any of it is used."""
    _check_new(desk, request.name)
    if request.file is not None:
        path = path_of(desk.folder.path, request.file)
        if path is None:
            raise Refused(invalid(f"{request.name}: expected a file that was uploaded, got none", "file"))
        found = _loaded(desk, request, path)
    else:
        path = desk.folder.work / "uploaded.npz"
        try:
            with replacing(path) as file:
                file.write(request.data)
            found = _loaded(desk, request, path)
        finally:
            path.unlink(missing_ok=True)
    model = Model(found) if isinstance(found, Learner) else found
    _check_labels_predicted(request.name, model.learner)
    numbered = model.trials > 0 and model.learner.vocabulary is None
    settings = Settings(request.new_labels, _whole(request.limit), _whole(request.window), numbered)
    check_file(request.name, model, settings, desk.options)
    return _begin(desk, request.name, model, settings, {"how": "uploaded"})


def _loaded(desk: Desk, request: Upload, path: Path) -> Model | Learner:
    """Return what a file has, if it is not too large and all is right with it."""
    limits, size = desk.options.limits, path.stat().st_size
    if size > limits.file:
        raise Refused(too_much(f"file: expected at most {limits.file:,} bytes, got {size:,}"))
    try:
        found: Model | Learner = load(path, max_bytes=limits.memory)
    except LittlestoneError as error:
        raise Refused(invalid(f"{request.name}: {str(error).removeprefix(f'{path}: ')}", "file")) from error
    return found


def past(served: Served | Known, number: int) -> int:
    """Return the number of an event of a model; refuse one that it does not have, or has no longer."""
    if type(number) is not int or not 0 <= number <= served.number:
        raise Refused(missing(f"{served.name}: expected an event from 0 to {served.number:,}, got {number}", "event"))
    return number


def _download(desk: Desk, request: Download) -> Reply | Later:
    served = served_or_refused(desk, request.model)

    def give(found: Served) -> Reply:
        path = desk.folder.work / "download.npz"
        found.write(path)
        data = path.read_bytes()
        path.unlink()
        return File(request.model, found.number, data)

    if request.at is None or (request.at == served.number and not desk.reworks.has(served.id)):
        return give(served)
    return desk.reworks.past(served, past(served, request.at), give)


def _clone(desk: Desk, request: Clone) -> Reply | Later:
    served = served_or_refused(desk, request.model)
    _check_new(desk, request.name)

    def copy(found: Served) -> Reply:
        _check_new(desk, request.name)
        path = desk.folder.work / "clone.npz"
        found.write(path)
        again = Served.read(0, request.name, path, served.settings, 0)
        path.unlink()
        again.model.following = again.follower.state()
        how = {"how": "cloned", "of": served.id, "at": found.number}
        return _begin(desk, request.name, again.model, served.settings, how)

    if request.at is None:
        return copy(served)
    return desk.reworks.past(served, past(served, request.at), copy)


def _predict(desk: Desk, request: Predict) -> Reply | Later:
    """Predict as of an event."""
    served = served_or_refused(desk, request.model)
    assert request.at is not None

    def predict(found: Served) -> Reply:
        return predicted(found, [request.rows], desk.options.limits, desk.alive)[0]

    return desk.reworks.past(served, past(served, request.at), predict)


def beside(found: Sequence[Predicted | Problem], others: Sequence[Predicted | Problem]) -> list[Reply]:
    """Return predictions with those of another model beside them."""
    return [
        msgspec.structs.replace(one, shadow=other) if isinstance(one, Predicted) else one
        for one, other in zip(found, others, strict=True)
    ]


def _switch(desk: Desk, request: Switch) -> Reply:
    one, other = (served_or_refused(desk, name) for name in (request.model, request.other))
    if one is other:
        raise Refused(invalid(f"{one.name}: expected two models, got one"))
    with desk.journal.transaction():
        for served, name in ((one, other.name), (other, one.name)):
            desk.journal.connection.execute("UPDATE models SET name = ? WHERE id = ?", (name, served.id))
            about = sealed([encode({"how": "switched", "name": name})])
            desk.journal.append([Draft(served.id, served.number + 1, 0, "rename", about)])
    first, second = one.name, other.name
    one.renamed(second)
    other.renamed(first)
    desk.served[first], desk.served[second] = other, one
    return Made(first, other.number)


def _remove(desk: Desk, request: Remove) -> Reply | Later:
    """Serve a model no more; the digests of what it was taught stay, nothing else."""
    model = known(desk, request.model)
    run = desk.journal.connection.execute
    with desk.journal.transaction():
        run("UPDATE models SET removed = ?, name = NULL WHERE id = ?", (TO_ERASE, model.id))
        for table in ("amendments", "snapshots"):
            run(f"DELETE FROM {table} WHERE model = ?", (model.id,))  # noqa: S608 - of constants
        desk.journal.append([Draft(model.id, model.number + 1, 0, "remove", sealed([encode({})]))])
    desk.served.pop(request.model, None)
    desk.broken.pop(request.model, None)
    desk.loading.forget(model.id)
    desk.changed.discard(model.id)
    desk.reworks.drop(model.id)
    desk.saves.drop(model.id)
    desk.snapshots.sweep()
    id = model.id  # noqa: A001 - the word for it
    del model
    give_back()
    return desk.slices.begin(erasing(desk, id, request.model))
