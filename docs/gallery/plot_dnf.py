"""
A kernel on a DNF
=================

Has x won this game of tic-tac-toe? That is a disjunction of eight conjunctions, one for each line of three. A linear
rule over the squares cannot say it. Kernel Winnow has a weight for every conjunction of up to three marks, and
Growing Winnow adds conjunctions when it needs them.
"""

import matplotlib.pyplot as plt

import littlestone as ls

games = ls.datasets.tic_tac_toe(marks="x")
kernel = ls.KernelWinnow(max_size=3)
found = ls.contest(
    {"Perceptron": ls.Perceptron(), "KernelWinnow(max_size=3)": kernel, "GrowingWinnow": ls.GrowingWinnow()}, games
)
found.plot()
plt.show()

# %%
# Its twelve heaviest conjunctions: the eight lines, and behind them what is no line.

ls.play(kernel, games)
lines, weights = zip(*reversed(kernel.heaviest(12)), strict=True)
figure, axes = plt.subplots(figsize=(4.8, 3.8))
axes.barh([", ".join(line).replace("=x", "") for line in lines], weights)
axes.set(xlabel="weight", xscale="log")
axes.set_xticks([16, 32, 64, 128], [16, 32, 64, 128])
axes.minorticks_off()
axes.grid(visible=False, axis="y")
plt.show()
