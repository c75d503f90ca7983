"""Forged models: anything in a model file is changed, and its digests are made anew. `tests.forged` has them played."""

import io
import json
import random
import zipfile
from copy import deepcopy
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np

import littlestone as ls
from littlestone.learners import LEARNERS
from littlestone.learners.regressors import REGRESSORS, Regressor
from littlestone.models.files import save
from littlestone.models.files._archive import npy, packed, unpacked
from littlestone.models.files._header import sealed
from littlestone.parts.kernels import Conjunctions

N = 12

# So that every machine, and every array that only some options have, occurs
OTHERS = {
    "averaged": lambda: ls.Winnow(averaged=True, bias=True),
    "eliminating": lambda: ls.Winnow(demotion=0, bias=True),
    "two factors": lambda: ls.Winnow(demotion=Fraction(4, 5), margin=0.5),
    "float32, negations": lambda: ls.Perceptron(dtype="float32", negations=True),
    "its own start": lambda: ls.Perceptron(w1=np.linspace(-1.0, 1.0, N)),
    "randomised": lambda: ls.Winnow(randomized=True, seed=3),
    "averaged sum": lambda: ls.NormalizedWinnow(averaged=True),
    "a link": lambda: ls.QuasiAdditive(link=ls.links.p_norm(3.0), averaged=True),
    "a map of disjunctions": lambda: ls.learners.DirectBayes(backend="map"),
    "bounded disjunctions": lambda: ls.learners.WeightedMajority(max_size=2, policy="mistakes", randomized=True),
    "deep cuts": lambda: ls.learners.Ellipsoid(deep=True, bias=False, theta=0.2),
    "monotone": lambda: ls.KernelPerceptron("monotone"),
    "sums in a table": lambda: ls.KernelPerceptron(Conjunctions(max_size=2), theta=3, eta=Fraction(1, 3)),
    "a budget": lambda: ls.KernelPerceptron(budget=7, forget="random"),
    "Forgetron": lambda: ls.KernelPerceptron("conjunctions:3", budget=7, forget="forgetron"),
    "real kernel": lambda: ls.KernelPerceptron("gaussian", budget=9),
    "polynomial": lambda: ls.KernelPerceptron("polynomial"),
    "conjunctions with negations": lambda: ls.learners.KernelWinnow(monotone=False, alpha=1.5),
    "local": lambda: ls.learners.KernelWinnow(max_size=2, backend="local"),
    "sampled": lambda: ls.learners.KernelWinnow(method="gibbs", sweeps=20),
    "growing with negations": lambda: ls.learners.GrowingWinnow(negations=True, budget=4, memory=64, max_size=3),
    "boxes in a map": lambda: ls.learners.BoxWinnow(sides=(3,) * N, backend="map", theta=10**7),
    "asynchronous": lambda: ls.learners.DirectedDrift(mode="asynchronous", batch=5),
    "synchronous": lambda: ls.learners.DirectedDrift(mode="synchronous", batch=8, patience=9),
    "bounded Winnow": lambda: ls.learners.Bounded(ls.Winnow(theta=12), max_attributes=11),
    "bounded, averaged": lambda: ls.learners.Bounded(ls.BalancedWinnow(averaged=True), max_attributes=11, eligible=2),
    "bounded links": lambda: ls.learners.Bounded(ls.learners.WinnerTakesAll(), max_attributes=11, eligible=2),
    "links": lambda: ls.learners.WinnerTakesAll("perceptron", linked=False, policy="uniform", averaged=True),
    "class weights": lambda: ls.learners.MulticlassPerceptron(class_weights={0: 2.0, 1: 0.5}),
    "full covariance": lambda: ls.learners.AROW(covariance="full"),
    "full, without a constant": lambda: ls.learners.SCW(covariance="full", bias=False),
    "logistic": lambda: ls.learners.Adagrad(loss="logistic"),
    "aggressive": lambda: ls.learners.ROMMA(aggressive=True),
    "another norm": lambda: ls.learners.ALMA(p=3.0),
    "a ball": lambda: ls.learners.OGD(radius=0.7),
    "diagonal forecaster": lambda: ls.VAWForecaster(covariance="diagonal", bias=False),
    "full ridge, without a constant": lambda: ls.RidgeRegression(bias=False),
    "logistic EG": lambda: ls.ExponentiatedGradient(loss_function="logistic"),
    "a mirror": lambda: ls.MirrorDescent(link=ls.links.two_sinh(1.3), eta=0.1, bias=False),
}
WIDE = ("perceptron", "winnow", "normalized-winnow", "naive-bayes", "directed-drift", "asynchronous", "monotone",
        "polynomial", "voted-perceptron", "growing-winnow", "winner-takes-all", "auto", "arow", "gradient-descent",
        "normalized-gradient", "vaw-forecaster")  # fmt: skip
NAMED = ("winnow", "perceptron", "kernel-perceptron", "voted-perceptron", "growing-winnow", "winner-takes-all", "auto",
         "bounded", "arow", "alma", "gradient-descent", "exponentiated-gradient", "vaw-forecaster")  # fmt: skip


def rows_for(learner, chance, number, width, *, real=False):
    """Return rows that a learner takes, as a block, with attributes up to ``width``."""
    indptr, indices, values = [0], [], []
    for _ in range(number):
        some = sorted(chance.sample(range(width), min(width, chance.randrange(6))))
        indices += some
        indptr.append(len(indices))
    for _ in indices:
        match learner.domain:
            case "any" if real and not learner.negations:
                values.append(chance.choice((1.0, -1.0, 0.5, 3.0, 1e-3)))
            case "any" | "non-negative" if real:
                values.append(chance.choice((1.0, 0.25, 0.5)))
            case _:
                values.append(1.0)
    return ls.Block.from_csr(np.array(indptr), np.array(indices, dtype=np.int64), np.array(values))


def taught(make, how, chance):
    """Return a learner after a game: begun, by rows, by real ones, by wide ones, or with names."""
    learner, n = make(), 300 if how == "wide" else N
    labels = ("a", "b", "c") if learner.many_classes and how == "named" else (0, 1)
    learner.begin(n, labels=None if isinstance(learner, Regressor) else labels)
    if how == "named":
        for _ in range(40):
            x = {f"x{i}": 1 for i in chance.sample(range(N), chance.randrange(5))}
            learner.learn_one(x, labels["x0" in x if len(labels) == 2 or "x1" not in x else 2])
    elif how != "begun":
        X = rows_for(learner, chance, 60, n, real=how == "real")
        y = [int(min(row, default=n) < 3) ^ (chance.random() < 0.1) for row in np.split(X.indices, X.indptr[1:-1])]
        learner.learn(X, y)
    return learner


@cache
def models():
    """Return models, as a header and arrays of each, by what they are."""
    found = {}
    makers = {**{name: LEARNERS[name] for name in LEARNERS}, **dict(REGRESSORS), **OTHERS}
    with TemporaryDirectory() as folder, patch("os.fsync"):  # nobody minds if they are lost
        path = Path(folder) / "model.npz"
        for name, make in makers.items():
            real = make().domain in ("any", "non-negative")
            ways = {"begun": True, "rows": True, "real": real, "wide": name in WIDE, "named": name in NAMED}
            for how in (how for how, wanted in ways.items() if wanted):
                save(taught(make, how, random.Random(name)), path)
                found[f"{name}, {how}"] = taken_apart(path)
    return found


def taken_apart(path):
    """Return a model's header, without what is made anew, and its arrays, each as a whole."""
    with zipfile.ZipFile(path) as archive:
        members = {name.removesuffix(".npy"): archive.read(name) for name in archive.namelist()}
    parts = {name: np.lib.format.read_array(io.BytesIO(data)) for name, data in members.items()}
    header = json.loads(parts.pop("header").tobytes())
    del header["sha256"], header["members"]
    arrays = {
        name: unpacked(name, tuple(told["shape"]), parts) if told["sparse"] else parts[name]
        for name, told in header.pop("arrays").items()
    }
    return header, arrays


def put_together(path, header, arrays, chance):
    """Write a model with right digests; return how many bytes its arrays take, as its header declares them."""
    told, members, declared = {}, {}, 0
    for name, array in arrays.items():
        sparse, parts = packed(name, array) if chance.random() < 0.8 else (False, {name: array})
        told[name] = {"shape": list(array.shape), "sparse": sparse}
        if sparse and chance.random() < 0.05:
            spoil_parts(chance, told[name], parts, name)
        members |= {key: npy(part) for key, part in parts.items()}
        declared += int(np.prod([float(length) for length in told[name]["shape"]])) * array.itemsize
    header = {**header, "arrays": told, "members": {key: sha256(data).hexdigest() for key, data in members.items()}}
    with zipfile.ZipFile(path, "w") as archive:
        for key, data in {"header": sealed(header), **members}.items():
            archive.writestr(f"{key}.npy", data)
    return declared


# What is changed

ODD = (None, True, False, -1, 0, 1, 2, 3, 7, 13, 63, 10**6, 2**31, 2**40, 2**62, 2**63, -(2**63), 0.5, -2.5, 1e-300,
       1e300, "", "winnow", "map", "full", [], [1], {}, {"int": "0xff"}, {"fraction": ["0x1", "0x3"]}, {"float": "inf"},
       {"float": "nan"}, {"tuple": [1, 2]}, {"array": "counts"}, {"array": "param.w1"}, {"dict": [[0, 1]]},
       {"scalar": ["int64", 3]}, {"learner": ["winnow", {}]}, {"kernel": ["Gaussian", {}]},
       {"link": ["power", 2.0, 0.0, 1.0]})  # fmt: skip
SIZES = (2, 3, 5, 64, 100)
LARGE, LARGEST = 10_000, 30_000_000  # arrays of more entries are seldom, or never, made larger


def leaf(chance, header):
    """Return a place in a header: what holds it, and its key."""
    at = header
    while True:
        key = chance.choice([*at]) if isinstance(at, dict) else chance.randrange(len(at))
        if not isinstance(at[key], dict | list) or not at[key] or chance.random() < 0.15:
            return at, key
        at = at[key]


def spoil_header(chance, header):
    """Change a leaf of the header."""
    at, key = leaf(chance, header)
    value = at[key]
    match chance.randrange(6):
        case 0 | 1 if isinstance(value, int | float) and not isinstance(value, bool):
            at[key] = chance.choice((value + 1, value - 1, 2 * value, value * 1000, -value, value + 0.5, value / 3))
        case 2 if isinstance(at, dict):
            del at[key]
        case 3 if isinstance(at, list):
            at.insert(key, value)
        case 4:
            other, place = leaf(chance, header)
            at[key], other[place] = other[place], value
        case _:
            at[key] = deepcopy(chance.choice(ODD))  # or what is changed in it next would come again and again


def extreme(chance, dtype):
    """Return a number at an edge of what an array can hold."""
    if dtype.kind == "f":
        edges = (0.0, -0.0, 1.0, -1.0, 5e-324, 1e-200, 1e100, 1e150, 1e200, 1e308, np.inf, -np.inf, np.nan, 0.1)
        return dtype.type(chance.choice(edges))
    if dtype.kind == "b":
        return dtype.type(chance.random() < 0.5)
    info = np.iinfo(dtype)
    edges = (info.min, info.max, 0, 1, 2, N, 255, 256, 1 << 16, 1 << 28, 1 << 31, 1 << 40, 1 << 60, info.max // 2)
    return dtype.type(min(max(chance.choice(edges) * chance.choice((1, 1, -1)), info.min), info.max))


def spoil_entry(chance, array):
    """Change an entry, some of them or all."""
    flat = array.reshape(-1)
    at = chance.randrange(len(flat))
    match chance.randrange(8):
        case 0:
            bits = flat.view(np.uint8)
            bits[chance.randrange(len(bits))] ^= 1 << chance.randrange(8)
        case 1 | 2:
            flat[at] = extreme(chance, array.dtype)
        case 3 if array.dtype.kind in "iu":
            flat[at] += array.dtype.type(1) if chance.random() < 0.5 else np.invert(array.dtype.type(0))  # or - 1
        case 3 if array.dtype.kind == "f":
            flat[at] *= array.dtype.type(chance.choice((-1.0, 2.0, 1e10, 1e-10)))
        case 4 | 5:
            flat[at] = flat[chance.randrange(len(flat))]
        case 6:
            flat[:] = (
                extreme(chance, array.dtype)
                if chance.random() < 0.5
                else flat * array.dtype.type(chance.choice((3, 100)))
            )
        case _:
            flat.view(np.uint8)[:] = chance.choice((255, 1, 127, 128))
    return array


def spoil_shape(chance, array):
    """Change the length, the order, the type or the dimensions of an array."""
    axis = chance.randrange(array.ndim) if array.ndim else 0
    length = array.shape[axis] if array.ndim else 0
    match chance.randrange(9):
        case 0 if length:
            return np.delete(array, chance.randrange(length), axis)
        case 1 if length:
            at = chance.randrange(length)
            return np.insert(array, at, np.take(array, chance.randrange(length), axis), axis)
        case 2 if length:
            return np.take(array, range(chance.randrange(length)), axis)
        case 3 if length:
            return np.take(array, chance.sample(range(length), length), axis)
        case 4 if length and array.size < LARGE:
            return np.repeat(array, chance.choice(SIZES), axis)
        case 5 if array.ndim > 1:
            return np.ascontiguousarray(array.T)
        case 6:
            return array.reshape(chance.choice(((-1,), (1, -1), (-1, 1), (1, 1, -1))))
        case 7:
            return np.zeros(0, dtype=array.dtype)
        case _:
            with np.errstate(all="ignore"):
                return array.astype(chance.choice(("u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "?")))


def spoil_together(chance, arrays):
    """Change all arrays of one length in one way: an entry more or less, another order, many times as many."""
    lengths = sorted({length for array in arrays.values() for length in array.shape if length > 1})
    if not lengths:
        return
    length = chance.choice(lengths)
    there = [*range(length)]
    at, other = chance.randrange(length), chance.randrange(length)
    places = chance.choice((
        there[:at] + there[at + 1 :], [*there[:at], other, *there[at:]], chance.sample(there, length),
        there * chance.choice(SIZES), sorted(there * chance.choice(SIZES)), there[:at],
    ))  # fmt: skip
    for name, array in arrays.items():
        changed = array
        for axis in range(array.ndim):
            if array.shape[axis] in (length, length + 1) and changed.size < LARGE:  # such as ends, or a spare column
                changed = np.take(changed, [*places, *range(length, array.shape[axis])], axis)
        arrays[name] = changed


def spoil_counts(chance, header, arrays):
    """Tell of a longer game than there was: what a game can reach is then more."""
    many, game = chance.choice((10, 10**4, 10**9, 2**40, 2**61)), header.get("game")
    for name in ("trials", "mistakes") if isinstance(game, dict) else ():
        if isinstance(game.get(name), int):
            game[name] += many
    if "counts" in arrays and arrays["counts"].dtype == np.int64 and arrays["counts"].ndim == 1:
        counts = arrays["counts"]
        for at in range(min(len(counts), 4)):
            counts[at] += many
        for at in range(4, len(counts)):
            counts[at] += many if chance.random() < 0.3 else 0


def widen(header, arrays, after):
    """Have so many more attributes, all like the last one, wherever there are as many as now."""
    before = header["game"]["n"] or N
    for name, array in arrays.items():
        changed = array
        for axis in range(array.ndim):
            now = changed.shape[axis]
            if now in (before, before + 1, 2 * before, 2 * before + 1):
                places = np.minimum(np.arange(now // before * after + now % before), now - 1)
                changed = np.take(changed, places, axis) if changed.size // now * len(places) <= LARGEST else changed
        arrays[name] = changed
    header["game"] |= {"n": after, "width": after}
    if "size" in arrays:
        arrays["size"] = np.array(after)


def spoil_n(chance, header, arrays):
    """Tell of another number of attributes, and perhaps of as many in the arrays."""
    n = chance.choice((1, 2, 5, 11, 13, 24, 64, 65, 1000, 10**5, 10**7, 1 << 28))
    if chance.random() < 0.8:
        header["game"]["n"] = n
    if chance.random() < 0.8:
        header["game"]["width"] = n
    if "size" in arrays and chance.random() < 0.8:
        arrays["size"] = np.array(n)


def spoil_parts(chance, told, parts, name):
    """Change how an array is written down."""
    part = f"{name}.{chance.choice(('at', 'is', 'rest'))}"
    match chance.randrange(4):
        case 0 if parts[part].size:
            parts[part] = spoil_entry(chance, parts[part].copy())
        case 1:
            told["shape"] = [chance.choice((1, 10, 1000, 10**6)) * length for length in told["shape"]]
        case 2:
            parts[part] = np.repeat(parts[part], chance.choice((2, 3, 12)))
        case _:
            told["sparse"] = False


def forge(chance, known):
    """Return a header and arrays of which anything may be changed; several things, perhaps."""
    name = chance.choice([*known])
    header, arrays = known[name]
    header, arrays = json.loads(json.dumps(header)), {key: array.copy() for key, array in arrays.items()}
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5))):
        keys = [key for key, array in arrays.items() if array.size]
        match chance.randrange(12):
            case 0 | 1:
                spoil_header(chance, header)
            case 2 | 3 | 4 | 5 if keys:
                key = chance.choice(keys)
                arrays[key] = spoil_entry(chance, arrays[key])
            case 6 if arrays:
                key = chance.choice([*arrays])
                arrays[key] = spoil_shape(chance, arrays[key])
            case 7 | 8:
                spoil_together(chance, arrays)
            case 9 if isinstance(header.get("game"), dict):
                if isinstance(header["game"].get("n"), int) and header["game"]["n"] > 1 and chance.random() < 0.05:
                    widen(header, arrays, chance.choice((1000, 50_000, 1_000_000)))
                else:
                    spoil_n(chance, header, arrays)
            case 10:
                spoil_counts(chance, header, arrays)
            case _:
                other = chance.choice([*known])  # of another model
                part = chance.choice(("arrays", "params", "learner", "both"))
                if part in ("arrays", "both"):
                    arrays |= {key: array.copy() for key, array in known[other][1].items() if chance.random() < 0.5}
                if part in ("params", "both"):
                    header["params"] = deepcopy(known[other][0]["params"])
                if part in ("learner", "both"):
                    header["learner"] = deepcopy(known[other][0]["learner"])
    return name, header, arrays
