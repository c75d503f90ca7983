"""
Few of many attributes
======================

Five of ever more attributes decide the label. The Perceptron's mistakes grow with the number of all attributes,
Winnow's hardly: its bound grows with the logarithm.
"""

import matplotlib.pyplot as plt

import littlestone as ls

numbers = [100, 200, 500, 1000, 2000, 5000]
learners = {"Perceptron": ls.Perceptron, "Winnow": ls.Winnow}
mistakes = {name: [] for name in learners}
bounds = []
for n in numbers:
    stream = ls.teachers.Disjunction(n=n, k=5, trials=5000)
    for name, learner in learners.items():
        run = ls.play(learner(), stream)
        mistakes[name].append(run.mistakes)
    bounds.append(run.guarantee.at(k=5).value)

# %%
# The dashed line is no measurement: it is what Winnow cannot exceed, whatever the rows are.

figure, axes = plt.subplots()
for name, counts in mistakes.items():
    axes.plot(numbers, counts, marker="o", label=name)
axes.plot(numbers, bounds, linestyle="--", color="C1", label="Winnow's bound")
axes.set(xscale="log", xlabel="attributes", ylabel="mistakes in 5,000 trials")
axes.legend()
figure.tight_layout()
