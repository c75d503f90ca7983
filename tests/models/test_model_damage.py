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
from littlestone.core.errors import InvalidModel
from littlestone.learners import LEARNERS
from littlestone.models.files import inspect_model, load, save
from littlestone.models.files._archive import npy, replace_file
from littlestone.models.files._header import sealed
from tests.models.test_model_file import data, same

NAMES = {kind: name for name, kind in LEARNERS.items()}


SOME = ("winnow", "perceptron", "kernel-perceptron", "growing-winnow", "direct-bayes", "directed-drift", "named")
MORE = {
    "asynchronous": lambda: ls.learners.DirectedDrift(mode="asynchronous", batch=5),
    "eliminating": lambda: ls.Winnow(demotion=0),
    "sampled rows": lambda: ls.KernelPerceptron("conjunctions:3", budget=7, forget="forgetron"),
    "boxes": lambda: ls.learners.BoxWinnow(sides=3, backend="map"),
    "map": lambda: ls.learners.DirectBayes(backend="map"),
    "full": lambda: ls.learners.AROW(covariance="full"),
}


def model(folder, name):
    """Save a model of this name after a game, and return where it is."""
    path = folder / f"{name}.npz"
    if name == "named":
        learner = ls.Winnow(theta=2)
        learner.learn_one(["a", "b"], 1)
    else:
        X, y = data()
        learner = (MORE[name] if name in MORE else LEARNERS[name])().begin(12)
        learner.learn(X[:60], y[:60])
    save(learner, path)
    return path


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
    files = [model(folder, name) for name in SOME]
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


def one_list_each(_, arrays):
    """Have every conjunction be the first of a list of the same attribute."""
    arrays["members"][:, 0], arrays["listed"][:], arrays["following"][:] = 0, 0, -1


def many_rows(header, arrays):
    """Have so many half-spaces that each of them matters little; and as many cuts."""
    arrays.update(A=np.repeat(arrays["A"], 100, axis=0), b=np.repeat(arrays["b"], 100))
    arrays["counts"][0] = header["game"]["trials"] = header["counts"]["trials"] = header["counts"]["updates"] = 10**6


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
    "more votes than were cast": ("asynchronous", lambda _, a: a["votes"].fill(2**12 - 1)),
    "votes of no batch": ("asynchronous", lambda _, a: (a["votes"].fill(1), put("counts", 7, 0)(_, a))),
    "votes to come for ever": ("asynchronous", put("counts", 7, 5)),
    "a unit that is no margin": ("romma", put("scalars", 3, 1e308)),
    "a unit of 0": ("p-norm", put("scalars", 6, 0.0)),
    "a norm of 0": ("romma", put("scalars", 2, 0.0)),
    "weights beyond their norm": ("romma", put("vectors", (0, 3), 1e200)),
    "a scale of 0": ("ogd", put("scalars", 1, 0.0)),
    "two lists of one attribute": ("growing-winnow", one_list_each),
    "a list of another attribute": ("growing-winnow", put("listed", -1, 11)),
    "exponents beyond all updates": ("winnow", put("exponents", -1, (-(4 * 10**9), 0))),
    "two kinds of eliminated": ("eliminating", put("exponents", -1, (7, 1))),
    "an exponent that has no factor": ("winnow", put("exponents", -1, (1, 1))),
    "values of Boolean rows": ("sampled rows", put("values", 0, 1e9)),
    "rows of fewer attributes than n": ("kernel-perceptron", setting("game", "n", value=24)),
    "more spent than mistakes allow": ("sampled rows", lambda _, a: a.update(spent=np.array(1e9))),
    "sums beyond 64 bits": ("kernel-perceptron", put("coefficients", 0, 2**61)),
    "survived for ever": ("voted-perceptron", put("survived", 0, 2**60)),
    "a hull that is none": ("boxes", put("closed", (0, 0), 4)),
    "another coefficient": ("boxes", lambda _, a: a["coefficients"].fill(1)),
    "coefficients of no game": ("map", lambda _, a: a["coefficients"].fill(3)),
    "n without arrays of that size": ("directed-drift", setting("game", "n", value=2**28)),
    "an ellipsoid of other coordinates": ("ellipsoid", setting("game", "n", value=13)),
    "half-spaces that do not matter": ("volumetric-center", many_rows),
    "a covariance of others": ("full", lambda _, a: a.update(factor=a["factor"][:-1, :-1])),
    "counts beyond all numbers": ("arow", put("counts", 0, 2**63 - 1)),
    "more counted than seen": ("sbsb", put("net", 0, 10**6)),
    "a class that is none": ("winner-takes-all", put("owners", 0, 7)),
    "more mistakes than trials": ("perceptron", setting("game", "mistakes", value=10**6)),
    "a promise that nobody asks for": ("perceptron", setting("promise", value=[["x", 1.0]])),
    "a number that nobody would wait for": ("winnow", setting("params", "alpha", value={"int": "0x" + "f" * 10**6})),
    "a name twice": ("named", lambda _, a: a.update(names=np.frombuffer(b'["a","a"]', dtype=np.uint8))),
    "more names than weights": (
        "named",
        lambda h, a: (a.update(names=np.frombuffer(b'["a","b","c","d"]', dtype=np.uint8)), h.update(names=4)),
    ),
    "names that are no list": ("named", lambda _, a: a.update(names=np.frombuffer(b"7", dtype=np.uint8))),
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_files_are_refused(forgery, tmp_path):
    name, change = FORGERIES[forgery]
    path = model(tmp_path, name)
    forged(path, lambda _, __: None)
    load(path)  # a forgery that changes nothing is a model
    forged(path, change)
    with pytest.raises(InvalidModel, match=str(path)):
        load(path)


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
