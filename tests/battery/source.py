"""Games as source: what a game of the battery may speak of, and its rows and examples written out."""

import atexit
import copy
import dataclasses
import math
import pickle
import shutil
import tempfile
import types
from fractions import Fraction
from math import inf, nan
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

import littlestone as ls

__all__ = ["HEAD", "OWN_CODE", "example_source", "on_in", "rows_source", "scope"]

HEAD = """import copy, dataclasses, math, pickle, types
from fractions import Fraction
from math import inf, nan
import numpy as np, pandas as pd, littlestone as ls
from scipy import sparse
ARCTAN = ls.link(lambda z: math.atan(z))
MINIMA = lambda x, y: float(np.minimum(x, y).sum())
NARROWING = ls.rule(lambda m, v, weight: ((1 - m) / (v + 2), weight))
WEIGHTS = {0: 2, 1: 0.5, "x": 3.0}
path, x, v = "model.npz", {}, np.zeros(0)
"""
OWN_CODE = ("ARCTAN", "MINIMA", "NARROWING")  # neither pickled nor saved

_scope: dict = {}


def scope():
    """Return what the source of a game may speak of."""
    if not _scope:
        link, folder = ls.link(lambda z: math.atan(z)), Path("/dev/shm")  # what is flushed there costs nothing
        place = tempfile.mkdtemp(prefix="battery", dir=folder if folder.is_dir() else None)
        atexit.register(shutil.rmtree, place, ignore_errors=True)
        _scope.update(
            ls=ls, np=np, pd=pd, sparse=sparse, copy=copy, pickle=pickle, types=types, dataclasses=dataclasses,
            Fraction=Fraction, inf=inf, nan=nan, path=f"{place}/model.npz", ARCTAN=link,
            MINIMA=lambda x, y: float(np.minimum(x, y).sum()), WEIGHTS={0: 2, 1: 0.5, "x": 3.0},
            NARROWING=ls.rule(lambda m, v, weight: ((1 - m) / (v + 2), weight)),
        )  # fmt: skip
    return _scope


def on_in(step):
    """Return one example as a dict; of a collection of names, those that are on."""
    told = dict(zip(step.names, step.rows[0], strict=True))
    if step.form in ("set", "list", "tuple", "frozenset"):
        return {name: 1 for name, value in told.items() if value}
    return {name: value for name, value in told.items() if value} if step.form == "on" else told


def example_source(step, form):
    if step.names is None:
        return f"np.array({step.rows[0]!r}, dtype=float)"
    told = on_in(step)
    if step.form in ("set", "list", "tuple", "frozenset"):
        return f"{step.form}({list(told)!r})"
    return f"types.MappingProxyType({told!r})" if form == "mapping" else repr(told)


def rows_source(step, start=0, stop=None, form=None):
    """Return the source of some rows of a step, in its form or another."""
    form, rows = form or step.form, step.rows[start:stop]
    width = len(step.rows[0]) if step.rows else len(step.names or ()) or 1
    flat = all(value in (0, 1) for row in rows for value in row)
    dtype = ("float", "bool", "np.int8")[(len(rows) + width) % 3] if flat else "float"
    dense = f"np.array({rows!r}, dtype={dtype})" if rows else f"np.zeros((0, {width}))"
    if form == "list":
        return repr(rows) if rows else dense
    if form == "array":
        return dense
    if form in ("csr", "coo"):
        return f"sparse.{form}_array({dense})"
    if form == "frame":
        return f"pd.DataFrame({dense}, columns={list(step.names)!r})"
    if form == "block":
        return f"ls.Block.from_arrays({dense})"
    indptr, indices, values = [0], [], []
    for row in rows:
        indices += [i for i, value in enumerate(row) if value]
        values += [value for value in row if value]
        indptr.append(len(indices))
    block = f"ls.Block.from_csr({indptr}, {indices}, {values})"
    return f"dataclasses.replace({block}, names={step.names!r})" if form == "named block" else block
