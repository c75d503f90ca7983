"""
Margins in hindsight
====================

Which of two theorems promises more on a stream, its margins tell. The Perceptron's bound is the square of the rows'
length over the margin in the Euclidean norm; that of Normalized Winnow grows with ln(n) over the square of the margin
in the 1-norm. Both margins are computed after the game. Here three of n attributes matter, all of them -1 or +1.
"""

import matplotlib.pyplot as plt
import numpy as np

import littlestone as ls

sizes = [10, 20, 50, 100, 200]
mistakes, bounds = {}, {}
for n in sizes:
    X = np.random.default_rng(n).choice([-1, 1], (500, n))
    X[:, -1] = 1  # the constant, so that the rule has no threshold
    stream = ls.from_arrays(X, (X[:, :3] == 1).any(axis=1))
    margin = ls.hindsight.margin(stream, bias=False, sign="non-negative")
    bounds["Normalized Winnow", n] = margin.normalized_winnow.value
    winnow = ls.NormalizedWinnow.for_margin(n=n, gamma=margin.gamma1)
    mistakes["Normalized Winnow", n] = ls.play(winnow, stream).mistakes
    bounds["Perceptron", n] = ls.hindsight.margin(stream, bias=False).perceptron.value
    mistakes["Perceptron", n] = ls.play(ls.Perceptron(bias=False), stream).mistakes

# %%
# Dashed: what the margins allow. Solid: what was made. The Perceptron's bound is the better one as long as there are
# few attributes.

figure, axes = plt.subplots()
for colour, marker, name in (("C0", "o", "Perceptron"), ("C1", "s", "Normalized Winnow")):
    axes.plot(sizes, [mistakes[name, n] for n in sizes], color=colour, marker=marker, label=name)
    axes.plot(sizes, [bounds[name, n] for n in sizes], color=colour, linestyle="--", label=f"{name}, bound")
axes.set(xscale="log", yscale="log", xlabel="attributes", ylabel="mistakes in 500 trials")
axes.set_xticks(sizes, sizes)
axes.minorticks_off()
figure.legend(loc="outside lower center", ncols=2)
plt.show()
