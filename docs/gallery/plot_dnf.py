"""
A kernel on a DNF
=================

Has x won this game of tic-tac-toe? That is a disjunction of eight conjunctions, one for each line of three. A linear rule over
the squares cannot say it. Kernel Winnow has a weight for every conjunction of up to three marks, and Growing Winnow adds
conjunctions when it needs them.
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
# What it has learned are the eight lines:

ls.play(kernel, games)
for line, _ in kernel.heaviest(8):
    print(" and ".join(line))
plt.show()
