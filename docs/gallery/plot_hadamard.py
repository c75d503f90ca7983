"""
The Hadamard adversary
======================

One of n attributes decides. This teacher looks at the learner's weights before each trial: rows of a Hadamard matrix
tell a sum of earlier rows nothing about the next one, so that a learner whose weights are such a sum errs in each of
n trials. Winnow's weights are products. The grey line is a theorem of Kivinen and Warmuth: no additive learner that
begins at 0 makes fewer mistakes against it.
"""

import matplotlib.pyplot as plt

import littlestone as ls

learners = {"Perceptron": ls.Perceptron, "Passive-Aggressive": ls.PassiveAggressive, "Winnow": ls.Winnow}
sizes = [2**d for d in range(2, 9)]

figure, axes = plt.subplots()
for (name, learner), marker in zip(learners.items(), "osD", strict=True):
    mistakes = [ls.play(learner(), ls.teachers.Hadamard(order=n)).mistakes for n in sizes]
    axes.plot(sizes, mistakes, marker=marker, linestyle="--" if marker == "s" else "-", label=name)
bounds = [ls.bounds.winnow_disjunction(n=n, k=1).value for n in sizes]
axes.plot(sizes, bounds, linestyle=":", color="C2", label="Winnow's bound")
lower = [ls.bounds.additive_lower(n=n, k=1).value for n in sizes]
axes.plot(sizes, lower, color="grey", linewidth=6, alpha=0.3, zorder=0, label="at least, if additive")
axes.set(xscale="log", yscale="log", xlabel="attributes", ylabel="mistakes")
axes.set_xticks(sizes, sizes)
axes.set_yticks([4, 16, 64, 256], [4, 16, 64, 256])
axes.minorticks_off()
figure.legend(loc="outside lower center", ncols=2)
plt.show()
