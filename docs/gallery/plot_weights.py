"""
Weights over time
=================

Three of 100 attributes matter. Winnow multiplies: the three climb to the threshold within a few mistakes, and the
others sink. The Perceptron adds, and wears the others down one mistake at a time. Weights are shown in parts of the
largest one at the end.
"""

import matplotlib.pyplot as plt
import numpy as np

import littlestone as ls

X = np.random.default_rng(0).random((1000, 100)) < 0.2
y = X[:, :3].any(axis=1)
trials = range(1, len(X) + 1)

figure, both = plt.subplots(2, sharex=True, figsize=(4.8, 5.2))
for axes, learner in zip(both, (ls.Winnow(), ls.Perceptron()), strict=True):
    weights = np.zeros(X.shape)
    for i in range(len(X)):
        learner.learn(X[i : i + 1], y[i : i + 1])
        weights[i] = learner.hypothesis().w[:100]
    weights /= abs(weights[-1]).max()
    axes.plot(trials, weights[:, 3:], color="0.5", alpha=0.3, linewidth=0.6)
    axes.plot(trials, weights[:, :3], color="C0", linewidth=1.8)
    axes.set(title=f"{type(learner).__name__}: {learner.mistakes} mistakes", ylabel="weight")
axes.plot([], [], color="C0", label="the three that matter")
axes.plot([], [], color="0.5", label="the other 97")
axes.set(xlabel="trials", xscale="log")
axes.legend()
plt.show()
