"""Streams for Hypothesis: small, exact in floats (multiples of 1/4), full of ties, repeats and empty rows."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

BOOLEAN = st.sampled_from([0, 1])
NON_NEGATIVE = st.sampled_from([0, 0, 0, 1, 1, 0.25, 0.5, 2])
UNIT = st.sampled_from([0, 0, 1, 1, 0.25, 0.5])
ANY = st.sampled_from([0, 0, 0, 1, 1, -1, 0.5, -0.25, 2])


@dataclass
class Stream:
    """A dense matrix, its labels, and where to cut it into blocks."""

    X: np.ndarray
    y: np.ndarray
    cuts: list

    @property
    def n(self):
        return self.X.shape[1]

    def rows(self, exact=False):
        """The rows as a twin takes them."""
        number = Fraction if exact else float
        return [{int(i): number(float(row[i])) for i in np.flatnonzero(row)} for row in self.X]

    def blocks(self):
        edges = [0, *self.cuts, len(self.X)]
        for start, stop in pairwise(edges):
            yield self.X[start:stop], self.y[start:stop]


@st.composite
def streams(draw, values=BOOLEAN, min_n=1, max_n=7, max_rows=25, disjunction=False):
    """Draw a stream; with ``disjunction`` the labels are those of a random monotone disjunction (in ``stream.k``)."""
    n = draw(st.integers(min_n, max_n))
    distinct = draw(st.lists(st.lists(values, min_size=n, max_size=n), min_size=1, max_size=8))
    order = draw(st.lists(st.integers(0, len(distinct) - 1), min_size=1, max_size=max_rows))
    X = np.array([distinct[i] for i in order], dtype=float)
    if draw(st.booleans()) and n > 1:
        X[:, -1] = X[:, 0]  # identical columns
    k = 0
    if disjunction:
        target = draw(st.lists(st.booleans(), min_size=n, max_size=n))
        y = (X[:, np.array(target)] > 0).any(axis=1).astype(int)
        k = sum(target)
    else:
        y = np.array(draw(st.lists(BOOLEAN, min_size=len(X), max_size=len(X))))
    cuts = sorted(draw(st.lists(st.integers(0, len(X)), max_size=3)))
    stream = Stream(X, y, cuts)
    stream.k = k
    return stream
