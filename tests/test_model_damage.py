"""Damaged and forged model files: each is refused by InvalidModel, or is none the worse for it."""

import io
import json
import random
import zipfile
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.errors import InvalidModel, LittlestoneError
from littlestone.learners import LEARNERS
from littlestone.model_file import inspect_model, load, save
from littlestone.model_file._archive import npy, replace_file
from littlestone.model_file._header import sealed
from tests.test_model_file import data, same

NAMES = {kind: name for name, kind in LEARNERS.items()}


SOME = ("winnow", "perceptron", "kernel-perceptron", "growing-winnow", "direct-bayes", "directed-drift")


def models(folder, names=SOME):
    X, y = data()
    for name in names:
        learner = LEARNERS[name]().begin(12)
        learner.learn(X[:60], y[:60])
        save(learner, folder / f"{name}.npz")
    named = ls.Winnow(theta=2)
    named.learn_one(["a", "b"], 1)
    save(named, folder / "named.npz")


def refused_or_same(path, originals):
    try:
        loaded = load(path)
    except InvalidModel as error:
        said = str(error)
    else:
        same(loaded, originals[NAMES[type(loaded)] if loaded.vocabulary is None else "named"])
        return
    assert str(path) in said


def check_damage(folder, times, seed):
    rng = random.Random(seed)
    models(folder)
    files = sorted(folder.glob("*.npz"))
    contents = {path.stem: path.read_bytes() for path in files}
    originals = {path.stem: load(path) for path in files}
    damaged = folder / "damaged.npz"
    for _ in range(times):
        changed = bytearray(contents[rng.choice(files).stem])
        way = rng.randrange(5)
        if way == 0:  # bits
            for _ in range(rng.choice((1, 1, 3))):
                changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        elif way == 1:  # the end
            del changed[rng.randrange(len(changed)) :]
        elif way == 2:  # a part
            at = rng.randrange(len(changed))
            del changed[at : at + rng.randrange(1, 50)]
        elif way == 3:  # bytes
            at = rng.randrange(len(changed))
            changed[at : at + 8] = rng.randbytes(8)
        else:  # another file's
            at = rng.randrange(len(changed))
            changed[at:] = contents[rng.choice(files).stem][at:]
        damaged.write_bytes(changed)
        refused_or_same(damaged, originals)


def test_damaged_files_are_refused(tmp_path):
    check_damage(tmp_path, 3000, 0)


@pytest.mark.slow
def test_many_damaged_files_are_refused(tmp_path):
    check_damage(tmp_path, 60_000, 1)


@given(st.binary(max_size=300))
def test_bytes_are_no_model(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "bytes.npz"
    path.write_bytes(data)
    with pytest.raises(InvalidModel):
        load(path)
    with pytest.raises(InvalidModel):
        inspect_model(path)


def forged(path, change):
    """Write a model again after a change of its header and members, with digests that are right."""
    with zipfile.ZipFile(path) as archive:
        members = {name.removesuffix(".npy"): archive.read(name) for name in archive.namelist()}
    header = json.loads(members.pop("header")[128:])
    del header["sha256"]
    arrays = {name: np.lib.format.read_array(archive_member(data)) for name, data in members.items()}
    before = json.dumps(header["arrays"])
    change(header, arrays)
    members = {name: npy(array) for name, array in arrays.items()}
    header["members"] = {name: sha256(data).hexdigest() for name, data in members.items()}
    if json.dumps(header["arrays"]) == before:
        for name, told in header["arrays"].items():
            if not told["sparse"] and name in arrays:
                told["shape"] = list(arrays[name].shape)
    replace_file(path, {"header": sealed(header), **members})


def archive_member(data):
    return io.BytesIO(data)


def put(name, index, value):
    """Return a change of one entry of an array."""

    def change(_, arrays):
        arrays[name][index] = value

    return change


def setting(*keys, value):
    """Return a change of one field of the header."""

    def change(header, _):
        at = header
        for key in keys[:-1]:
            at = at[key]
        at[keys[-1]] = value

    return change


def another_array(header, arrays):
    arrays["more"] = arrays["counts"]
    header["arrays"]["more"] = {"shape": [4], "sparse": False}


FORGERIES = {
    "states beyond the table": ("winnow", put("states", 3, 255)),
    "a bias state that is none": ("winnow", put("counts", 4, 99)),
    "another start": ("winnow", put("exponents", 0, 5)),
    "a state twice": ("winnow", put("exponents", 2, (1, 0))),
    "huge exponents": ("winnow", put("exponents", 2, 2**60)),
    "negative trials": ("winnow", setting("game", "trials", value=-1)),
    "other counts": ("winnow", setting("counts", "mistakes", value=0)),
    "an n that is too small": ("winnow", setting("game", "n", value=3)),
    "an n that is huge": ("winnow", setting("game", "n", value=2**60)),
    "a learner nobody knows": ("winnow", setting("learner", value="os.system")),
    "a parameter nobody knows": ("winnow", setting("params", "power", value=3)),
    "a parameter out of range": ("winnow", setting("params", "alpha", value=0.5)),
    "a parameter that is a list": ("winnow", setting("params", "alpha", value=[2.0])),
    "a kernel that is none": ("kernel-perceptron", setting("params", "kernel", value={"kernel": ["Path", {}]})),
    "a tag that is none": ("winnow", setting("params", "alpha", value={"eval": "1+1"})),
    "a list for a label": (
        "winnow",
        setting("labels", value={"negative": [0], "positive": 1, "settled": True}),
    ),
    "a newer format": ("winnow", setting("format", value=2)),
    "format 0": ("winnow", setting("format", value=0)),
    "a huge shape": ("winnow", setting("arrays", "states", value={"shape": [2**40], "sparse": False})),
    "a field more": ("winnow", setting("more", value=1)),
    "a field that is none": ("winnow", setting("game", value=None)),
    "nan": ("perceptron", put("weights", (0, 0), np.nan)),
    "inf, where none can be": ("kernel-perceptron", lambda _, arrays: arrays.update(coefficients=np.full(9, np.inf))),
    "weights of another width": ("perceptron", lambda _, a: a.update(weights=a["weights"].astype(np.float32))),
    "no spare weight": ("perceptron", lambda _, a: a.update(weights=a["weights"][:, :0])),
    "an array more": ("perceptron", another_array),
    "an array that nobody names": ("perceptron", lambda _, a: a.update(x=a["counts"])),
    "an array less": ("perceptron", lambda _, a: a.pop("scalars")),
    "attributes that there are not": ("kernel-perceptron", put("attributes", 0, 4000)),
    "rows that do not end": ("kernel-perceptron", put("stored", 1, 10**9)),
    "rows that go back": ("kernel-perceptron", put("stored", 1, -1)),
    "a size that is too large": ("kernel-perceptron", lambda _, a: a.update(size=np.array(2**40))),
    "a ring of conjunctions": ("growing-winnow", lambda _, a: a.update(following=np.arange(9, dtype=np.int32))),
    "members beyond all attributes": ("growing-winnow", put("members", (0, 0), 10**6)),
    "a list of no attribute": ("growing-winnow", put("listed", 0, 10**6)),
    "sizes beyond the members": ("growing-winnow", put("sizes", 0, 60)),
    "more conjunctions than there are": ("growing-winnow", put("counts", 3, 900)),
    "errors without trials": ("direct-bayes", put("counts", 0, 0)),
    "a table of another size": ("direct-bayes", lambda _, a: a.update(errors=a["errors"][:100])),
    "bits beyond n": ("directed-drift", put("w", 0, 2**64 - 1)),
    "a name twice": ("named", lambda _, a: a.update(names=np.frombuffer(b'["a","a"]', dtype=np.uint8))),
    "more names than weights": (
        "named",
        lambda h, a: (a.update(names=np.frombuffer(b'["a","b","c","d"]', dtype=np.uint8)), h.update(names=4)),
    ),
    "names that are no list": ("named", lambda _, a: a.update(names=np.frombuffer(b"7", dtype=np.uint8))),
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_files_are_refused(forgery, tmp_path):
    models(tmp_path)
    name, change = FORGERIES[forgery]
    path = tmp_path / f"{name}.npz"
    forged(path, lambda _, __: None)
    load(path)  # a forgery that changes nothing is a model
    forged(path, change)
    with pytest.raises(InvalidModel, match=str(path)):
        load(path)


ODD = (None, True, -1, 0, 1, 3, 10**6, 2**40, 2**62, 0.5, -2.5, 1e300, "", "winnow", [], [1], {}, {"int": "0xff"})


def anything(rng, header, arrays):
    """Change anything: a leaf of the header, an entry of an array, its length or its type."""
    if rng.random() < 0.5:
        at = header
        while True:
            key = rng.choice([*at]) if isinstance(at, dict) else rng.randrange(len(at))
            if not isinstance(at[key], dict | list) or not at[key] or rng.random() < 0.2:
                break
            at = at[key]
        at[key] = rng.choice(ODD)
        return
    name = rng.choice([*arrays])
    array = arrays[name].copy()
    way = rng.randrange(4)
    if way == 0 and array.size:
        bits = array.reshape(-1).view(np.uint8)
        bits[rng.randrange(len(bits))] = rng.choice((0, 1, 127, 128, 255))
    elif way == 1 and array.ndim and len(array):
        array = array[: rng.randrange(len(array))]
    elif way == 2 and array.ndim:
        array = np.concatenate((array, array[:1]))
    else:
        array = array.astype(rng.choice(("u1", "i8", "f4", "f8", "?")))
    arrays[name] = array


def check_forgeries(folder, times, seed):
    """What is accepted is a learner: it predicts and learns, or refuses what it always refuses."""
    rng, (X, y) = random.Random(seed), data()
    models(folder, LEARNERS)
    contents = {path: path.read_bytes() for path in sorted(folder.glob("*.npz"))}
    accepted = 0
    for _ in range(times):
        path = rng.choice([*contents])
        path.write_bytes(contents[path])
        forged(path, lambda header, arrays: anything(rng, header, arrays))
        try:
            learner = load(path)
        except InvalidModel:
            continue
        accepted += 1
        try:
            if learner.vocabulary is None:
                learner.activation(X)
                learner.learn(X, y)
            else:
                learner.learn_one(["a", "z"], 0)
        except LittlestoneError:
            continue
    assert 0 < accepted < times // 2


@pytest.mark.filterwarnings("ignore")  # of numbers that no game leads to
def test_random_forgeries_are_refused_or_play(tmp_path):
    check_forgeries(tmp_path, 500, 0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_many_random_forgeries_are_refused_or_play(tmp_path):
    check_forgeries(tmp_path, 10_000, 1)


def test_sparse_arrays_are_checked(tmp_path):
    path = tmp_path / "model.npz"
    for wrong in (
        put("weights.at", 0, 2**31),
        put("weights.at", 1, 0),
        lambda _, a: a.update({"weights.is": a["weights.is"][:-1]}),
        lambda _, a: a.update({"weights.rest": np.zeros(2)}),
        setting("arrays", "weights", value={"shape": [1, 2**50], "sparse": True}),
        lambda _, a: a.pop("weights.rest"),
    ):
        learner = ls.Perceptron()
        learner.learn(np.eye(200, dtype=bool)[::-66], [0, 0, 1, 0])
        save(learner, path)
        same(load(path), learner)
        forged(path, wrong)
        with pytest.raises(InvalidModel, match="weights"):
            load(path)


@pytest.mark.parametrize("way", ["deflated", "pickled", "twice", "overlapping"])
def test_archives_that_are_not_plain_are_refused(way, tmp_path, recwarn):
    path = tmp_path / "model.npz"
    save(ls.Perceptron(), path)
    if way == "deflated":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("header.npy", npy(np.zeros(10**7, dtype=np.uint8)))
    elif way == "pickled":
        np.savez(path, header=np.array([{"a": 1}], dtype=object))
    elif way == "twice":
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("header.npy", npy(np.zeros(3, dtype=np.uint8)))
        recwarn.clear()
    else:
        with zipfile.ZipFile(path, "a") as archive:
            archive.filelist *= 50  # many members, one place
            archive._didModify = True
    with pytest.raises(InvalidModel, match=str(path)):
        load(path)
