"""
Directed Drift
==============

A learner with one bit for each weight: when it errs, it flips one of the weights that disagree. Its distance to the
target is a Markov chain, so that the expected number of mistakes can be computed. It grows exponentially; the form
that lets a batch of rows vote makes about n/2 mistakes.
"""

import matplotlib.pyplot as plt

import littlestone as ls

sizes = [5, 11, 21, 31, 41, 51]
single = [float(ls.drift.chain(n).mistakes()) for n in sizes]
batches = [ls.drift.simulate(n, "asynchronous", runs=200).mistakes.mean() for n in sizes]

figure, axes = plt.subplots()
axes.plot(sizes, single, marker="o", label="single-bit, expected")
axes.plot(sizes, batches, marker="s", label="batches, mean of 200 runs")
axes.plot(sizes, [n / 2 for n in sizes], linestyle=":", color="C4", label="n / 2")
axes.set(yscale="log", xlabel="weights n", ylabel="mistakes")
figure.legend(loc="outside lower center", ncols=2)
plt.show()
