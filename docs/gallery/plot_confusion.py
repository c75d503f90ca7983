"""
Who is taken for whom
=====================

A simulated table of six kinds. A kind has two attributes of its own, and one that it shares with the next kind; each
is on in every second row. The confusion table of new rows has a row for each label and a column for each prediction:
neighbours are confused. In one row of sixteen nothing is on, and those all go to one kind.
"""

import matplotlib.pyplot as plt
import numpy as np

import littlestone as ls

draw = np.random.default_rng(0)
kinds = draw.integers(6, size=3000)
X = np.zeros((3000, 18), dtype=bool)
for row, kind in enumerate(kinds):
    own = [3 * kind, 3 * kind + 1, 3 * kind + 2, 3 * kind - 1]
    X[row, own] = draw.random(4) < 0.5
names = [f"kind {kind + 1}" for kind in kinds]

learner = ls.Auto()
ls.play(learner, ls.from_arrays(X[:2000], names[:2000]))
ls.evaluate(learner, ls.from_arrays(X[2000:], names[2000:])).plot(kind="confusion")
plt.show()
