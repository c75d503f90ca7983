"""save and load: a learner as a file, and back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from littlestone.core.arrays import State
from littlestone.core.errors import InvalidModel, InvalidParameter
from littlestone.core.labels import Labels
from littlestone.core.messages import Remedy
from littlestone.core.vocabulary import Vocabulary
from littlestone.learners import COMPOSITES, LEARNERS, Learner, command_name
from littlestone.learners.composite import Composite
from littlestone.learners.regressors import REGRESSORS, Regressor
from littlestone.models.files import _header
from littlestone.models.files._archive import Archive, Kept, npy, packed, replace_file
from littlestone.models.files._header import (
    FORMAT,
    MODEL,
    NESTED,
    counts_of,
    is_code,
    kind_of,
    read_header,
    sealed,
    written,
)  # fmt: skip
from littlestone.models.files._sound import Unsound, check_game, check_learner, check_saved, check_state
from littlestone.models.files.rest import Rest

__all__ = ["MOST_BYTES", "inspect_model", "load", "load_all", "same_learner", "save"]

Arrays = dict[str, NDArray[Any]]
T = TypeVar("T")

MOST_BYTES = 1 << 31  # of the arrays of a model, once they are in memory
PARAM = "param."  # what the names of arrays among the parameters begin with
REST = "model."  # and those of what a model has besides its learner


def save(
    learner: Learner,
    path: str | os.PathLike[str],
    *,
    source: Any = None,
    date: str | None = None,
    position: int | None = None,
    rest: Rest | None = None,
) -> None:
    """Write a learner down; `load` goes on from there, bit for bit. The learner does not change.

    There is the old file or the new one, and one that `load` would refuse is not written. ``learner`` is one of those
    in ``ls.learners.LEARNERS``, or one of ``COMPOSITES``, such as `Experts`, of these. A parameter that is code (a link
    or a kernel of one's own) is not written down: give it to `load` again. ``source`` says where the examples came
    from, ``position`` how many have been learned, ``rest`` is what a `Model` has besides its learner.

    >>> import littlestone as ls, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.npz"
    >>> save(ls.Winnow(), path)
    >>> load(path).learn([[1, 0, 0]], [1]) == ls.Winnow().learn([[1, 0, 0]], [1])
    array([ True])
    """
    header, arrays = _described(learner)
    if rest is not None:
        header |= {"format": MODEL, "inside": header.get("inside", {}), "model": rest.about}
        arrays |= {REST + name: array for name, array in rest.arrays.items()}
    header["provenance"] = _provenance(source, date, position)
    _check_params(header["params"], arrays)
    try:
        _check_saved(learner, header, arrays, "")
    except (Unsound, InvalidModel) as error:
        raise InvalidModel(
            f"save: {path}: {type(learner).__name__} is in a state that no game leads to ({error}), which `load` would "
            "refuse; nothing was written: go on from an earlier copy or model, or train again"
        ) from error
    header["arrays"], parts = {}, dict[str, NDArray[Any]]()
    for name, array in arrays.items():
        sparse, kept = packed(name, array)
        header["arrays"][name] = {"shape": list(array.shape), "sparse": sparse}
        parts |= kept
    members = {name: npy(part) for name, part in parts.items()}
    header["members"] = {name: sha256(data).hexdigest() for name, data in members.items()}
    replace_file(path, {"header": sealed(header), **members})


def inspect_model(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the header of a model file, checked; the arrays are neither read nor checked.

    >>> import littlestone as ls, tempfile
    >>> save(ls.Perceptron(eta=0.5), path := f"{tempfile.mkdtemp()}/model.npz", source="by hand")
    >>> header = inspect_model(path)
    >>> header["learner"], header["params"]["eta"], header["counts"]["trials"], header["provenance"]["source"]
    ('perceptron', 0.5, 0, 'by hand')
    """
    with Archive(path) as archive:
        return read_header(archive)


def load(path: str | os.PathLike[str], *, max_bytes: int = MOST_BYTES, **params: Any) -> Learner:
    """Return the learner that `save` wrote down. All of the file is checked before any of it is used.

    ``params`` are those that are code, which no file holds: ``load(path, link=mine)``. ``max_bytes`` is how much
    memory its arrays may take; few bytes of a file can stand for many equal weights. No code comes from a file: a
    damaged or forged one is refused by InvalidModel.

    >>> import littlestone as ls, tempfile
    >>> save(ls.Winnow(alpha=1.5, theta=8), path := f"{tempfile.mkdtemp()}/model.npz")
    >>> load(path)
    Winnow(alpha=1.5, theta=8)
    """
    return load_all(path, max_bytes=max_bytes, **params)[0]


def load_all(
    path: str | os.PathLike[str], *, max_bytes: int = MOST_BYTES, **params: Any
) -> tuple[Learner, Rest | None, dict[str, Any]]:
    """Return the learner of a file, what a model has besides it, and the header; all is checked but the rest.

    >>> import littlestone as ls, tempfile
    >>> save(ls.Winnow(), path := f"{tempfile.mkdtemp()}/model.npz", rest=Rest({"made": "by hand"}, {}))
    >>> load_all(path)[:2]
    (Winnow(), Rest(about={'made': 'by hand'}, arrays={}))
    """
    with Archive(path) as archive:
        header = read_header(archive)
        try:
            arrays, kept = _arrays(archive, header, max_bytes)
            rest = None
            if header["format"] == MODEL:
                own = {name: arrays.pop(name) for name in list(arrays) if name.startswith(REST)}
                rest = Rest(header["model"], {name.removeprefix(REST): array for name, array in own.items()})
            return _learner(archive, header, (arrays, kept), params), rest, header
        except InvalidModel:
            raise
        except Unsound as error:
            raise archive.refusal(f"the state of {header['learner']}: {error}") from error
        except InvalidParameter as error:
            if params:
                raise
            raise archive.refusal(f"the learner cannot be made ({error})") from error
        except Exception as error:  # whatever a forged state makes of a learner
            raise archive.refusal(f"the learner cannot be made ({type(error).__name__}: {error})") from error


def same_learner(one: Learner, other: Learner) -> bool:
    """Tell whether two learners have equal parameters, as far as these are not code."""
    arrays: tuple[Arrays, Arrays] = {}, {}
    params = [
        {key: written(value, key, kept) for key, value in learner.params().items()}
        for learner, kept in zip((one, other), arrays, strict=True)
    ]
    plain = [{key: value for key, value in each.items() if not is_code(value)} for each in params]
    return (
        type(one) is type(other)
        and plain[0] == plain[1]
        and all(np.array_equal(array, arrays[1][key]) for key, array in arrays[0].items())
    )


def _described(learner: Any) -> tuple[dict[str, Any], Arrays]:
    """Return the learner as a header, still without its arrays, and the arrays."""
    if not isinstance(learner, Learner):
        remedy = "; keep its params() and state() instead" if hasattr(learner, "from_state") else ""
        raise InvalidParameter(f"save: expected a learner, such as Winnow(), got {learner!r}{remedy}")
    name = command_name(type(learner))
    if kind_of(name) is not type(learner):
        raise InvalidParameter(
            f"save: expected one of {', '.join([*LEARNERS, *REGRESSORS, *COMPOSITES])}, got {type(learner).__name__}; "
            "for a learner of your own keep params() and state(), and take it up with from_state"
        )
    from littlestone import __version__

    arrays: Arrays = {}
    params = {key: written(value, PARAM + key, arrays) for key, value in learner.params().items()}
    header = {
        "format": NESTED if learner.inner else FORMAT,
        "littlestone": __version__,
        "learner": name,
        "params": params,
        **_part(learner, "", arrays),
    }
    return header, arrays


def _part(learner: Learner, prefix: str, arrays: Arrays) -> dict[str, Any]:
    """Return what a header says of a learner and of those inside it; their arrays go to ``arrays``."""
    inner = learner.inner
    state = _own(learner.state(), "", inner)
    labels, words = (None, None) if inner else (learner.labels or None, learner.vocabulary)
    promised = zip(state.pop("promised", np.zeros(0)).tolist(), state.pop("promise", np.zeros(0)).tolist(), strict=True)
    game = dict(zip(_header.GAME, state.pop("game").tolist(), strict=True))
    state.pop("labels", None)  # an array would make 1.0 of a 1 beside a 2.5
    settled = state.pop("settled", None)
    arrays |= {prefix + name: array for name, array in state.items()}
    part = {
        "labels": None if labels is None else _labels_written(labels, settled),
        "promise": [list(pair) for pair in promised],  # in their order
        "game": {**game, "n": None if game["n"] < 0 else game["n"], "weighted": bool(game["weighted"])},
        "counts": counts_of(learner),
        "names": None if words is None else len(words),
    }
    if inner:
        part["inside"] = {name: _part(one, f"{prefix}{name}.", arrays) for name, one in inner.items()}
    return part


def _own(arrays: Mapping[str, T], prefix: str, inner: Iterable[str]) -> dict[str, T]:
    """Return, by their own names, what belongs to a learner itself: not to those inside it, nor to its parameters."""
    others = (PARAM, REST, *(f"{prefix}{name}." for name in inner))
    return {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix) and not name.startswith(others)
    }


def _check_saved(learner: Learner, part: dict[str, Any], arrays: Arrays, prefix: str) -> None:
    """Refuse a learner that would not be taken up again, or one inside it."""
    check_game(part)
    own = _own(arrays, prefix, learner.inner)
    if not learner.inner:
        return check_saved(learner, own)
    for name, one in learner.inner.items():
        _check_saved(one, part["inside"][name], arrays, f"{prefix}{name}.")
    assert isinstance(learner, Composite)
    type(learner).of(learner.params(), own | _small_state(learner, part), learner.inner)
    return None


def _check_params(params: dict[str, Any], arrays: Arrays) -> None:
    """Refuse parameters that could not be read again."""
    try:
        _header.check_nesting(params)
    except ValueError as error:
        raise InvalidParameter(f"save: {error}") from error
    for name, value in params.items():
        if is_code(value):
            continue
        try:
            _header.read(value, arrays)
        except Exception as error:
            raise InvalidParameter(
                f"save: {name}: expected a value that `load` can read, got another ({error})"
            ) from error


def _labels_written(labels: tuple[Any, ...], settled: NDArray[Any] | None) -> dict[str, Any]:
    """Return labels as a header has them: two, which may not be ``settled`` yet, or (None) classes."""
    values = [written(label, "labels", {}) for label in labels]
    if settled is None:
        return {"classes": values}
    return {"negative": values[0], "positive": values[1], "settled": bool(settled)}


def _labels_read(given: dict[str, Any], *, classes: bool) -> State:
    """Return the labels as a learner's state has them."""
    if classes:
        found = Vocabulary(_header.read(label, {}) for label in given["classes"])
        if len(found) < len(given["classes"]):
            raise ValueError("labels: expected each class once")
        return {"labels": found.state()}
    labels: State = {"labels": np.empty(2, dtype=object)}  # objects, in memory alone: labels keep their types
    both = [_header.read(given[which], {}) for which in ("negative", "positive")]
    Labels.given(both)
    labels["labels"][:] = both
    return labels | {"settled": np.array(given["settled"])}


def _provenance(source: Any, date: Any, position: Any) -> dict[str, Any]:
    if date is not None and not isinstance(date, str):
        raise InvalidParameter(f"save: date: expected text, such as '2026-08-01', got {date!r}")
    if position is not None and (type(position) is not int or position < 0):
        raise InvalidParameter(f"save: position: expected a number of examples, got {position!r}")
    text = source if source is None or isinstance(source, str) else repr(source)
    return {"source": text, "date": date, "position": position}


def _arrays(archive: Archive, header: dict[str, Any], max_bytes: int) -> tuple[Arrays, dict[str, Kept]]:
    """Return the arrays, each with the digest and the shape that the header gives it, and what is kept of them."""
    kept = {name: Kept(archive, name, one, header["members"]) for name, one in header["arrays"].items()}
    others = header["members"].keys() - {member for one in kept.values() for member in one.names}
    if others:
        raise archive.refusal(f"expected no more arrays, got {sorted(others)}")
    arrays: Arrays = {}
    left = max_bytes
    for name, one in kept.items():
        left -= one.bytes
        if left < 0:
            raise archive.refusal(
                f"{name}: expected a model of at most {max_bytes:,} bytes, got more",
                Remedy(f"if this is right, give load(path, max_bytes={max_bytes - left})", typed=""),
            )
        try:
            arrays[name] = one.array()
        except ValueError as error:
            raise archive.refusal(f"{name}: {error}") from error
    return arrays, kept


def _learner(
    archive: Archive, header: dict[str, Any], read: tuple[Arrays, dict[str, Kept]], given: dict[str, Any]
) -> Learner:
    kind = kind_of(header["learner"])
    if kind is None:
        raise archive.refusal(
            f"learner: expected one of {', '.join([*LEARNERS, *REGRESSORS, *COMPOSITES])}, got {header['learner']!r}",
            "is this littlestone too old?",
        )
    _header.check_nesting(header["params"])
    return _restored(archive, kind, _params(archive, header["params"], read[0], given), header, read, "")


def _restored(
    archive: Archive, kind: type[Learner], params: dict[str, Any], part: dict[str, Any],
    read: tuple[Arrays, dict[str, Kept]], prefix: str,
) -> Learner:  # fmt: skip
    """Return the learner whose arrays have names with this prefix, checked; first those inside it, each as itself."""
    check_game(part)
    if issubclass(kind, Regressor) and part["labels"] is not None:
        raise archive.refusal(f"labels: expected none, for {kind.__name__} predicts numbers, got {part['labels']}")
    arrays, all_kept = read
    blank = kind(**params)
    inner, inside = blank.inner, part.get("inside", {})
    if inner.keys() != inside.keys():
        raise archive.refusal(f"inside: expected the learners {sorted(inner)}, got {sorted(inside)}")
    kept = _own(all_kept, prefix, inner)
    state = {name: arrays.pop(prefix + name) for name in kept}
    small = _small_state(blank, part)
    if issubclass(kind, Composite):
        found = {
            name: _restored(archive, type(one), one.params(), inside[name], read, f"{prefix}{name}.")
            for name, one in inner.items()
        }
        try:
            learner: Learner = kind.of(params, state | small, found)
        except InvalidModel as error:
            raise archive.refusal(f"the state of {error}") from error
    else:
        check_state(blank, part["game"], state)
        del blank  # or its machine, as large as the learner's, would stay beside it
        learner = kind.from_state(params, state | small)
        check_learner(learner)
    state.clear()  # or there would be three of each array
    _check_same(archive, learner, part, small, kept)
    return learner


def _check_same(archive: Archive, learner: Learner, part: dict[str, Any], small: State, kept: dict[str, Kept]) -> None:
    """Refuse a file that differs from what the learner itself would write."""
    again = _own(learner.state(), "", learner.inner)
    small.pop("labels", None)
    again.pop("labels", None)
    if again.keys() != small.keys() | kept.keys():
        raise archive.refusal(f"expected the arrays that the learner itself would write, {sorted(again)}, got others")
    for name, array in again.items():
        same = np.array_equal(array, small[name]) if name in small else kept[name].is_that_of(array)
        if not same:
            raise archive.refusal(f"{name}: expected the array that the learner itself would write, got another")
    counts = counts_of(learner)
    words = None if learner.inner or learner.vocabulary is None else len(learner.vocabulary)
    if counts != part["counts"] or words != part["names"]:
        raise archive.refusal(f"counts: expected {part['counts']}, got {counts} and {words} names")


def _small_state(learner: Learner, header: dict[str, Any]) -> State:
    """Return that part of a state which is in the header."""
    game = header["game"]
    state: State = {"game": np.array([-1 if game[name] is None else game[name] for name in _header.GAME])}
    if header["promise"]:
        names, numbers = zip(*header["promise"], strict=True)
        state["promised"], state["promise"] = np.array(names), np.array(numbers)
    if header["labels"] is not None:
        state |= _labels_read(header["labels"], classes=learner.many_classes)
    return state


def _params(archive: Archive, params: dict[str, Any], arrays: Arrays, given: dict[str, Any]) -> dict[str, Any]:
    code = {name: value for name, value in params.items() if is_code(value)}
    for name in given:
        if name not in code:
            raise InvalidParameter(f"load: {name}: expected nothing, for the file says what it is; leave it out")
    for name, value in code.items():
        if name not in given:
            raise archive.refusal(
                f"{name}: it is code ({value['given']}), which no file holds", f"give load(path, {name}=...)"
            )
        if not _header.may_be_same_code(value, given[name]):
            raise InvalidParameter(
                f"load: {name}: expected {value['given']} as it was at -2, -1, 0, 1, 2, got another; give the same one"
            )
    return {name: given[name] if name in code else _header.read(value, arrays) for name, value in params.items()}
