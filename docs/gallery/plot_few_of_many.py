"""
Few of many attributes
======================

Five of ever more attributes decide the label. The Perceptron's mistakes grow with the number of all attributes,
Winnow's hardly: its bound grows with the logarithm.
"""

import matplotlib.pyplot as plt

import littlestone as ls

numbers = [100, 200, 500, 1000, 2000, 5000]
perceptron, winnow, bounds = [], [], []
for n in numbers:
    stream = ls.teachers.Disjunction(n=n, k=5, trials=5000)
    perceptron.append(ls.play(ls.Perceptron(), stream).mistakes)
    run = ls.play(ls.Winnow(), stream)
    winnow.append(run.mistakes)
    bounds.append(run.guarantee.at(k=5).value)

# %%
# The dashed line is no measurement: it is what Winnow cannot exceed, whatever the rows are, where a disjunction of 5
# attributes gives the labels.

figure, axes = plt.subplots()
axes.plot(numbers, perceptron, marker="o", label="Perceptron")
axes.plot(numbers, winnow, marker="s", label="Winnow")
axes.plot(numbers, bounds, linestyle="--", color="C1", label="Winnow's bound")
axes.set(xscale="log", xlabel="attributes", ylabel="mistakes in 5,000 trials", ylim=(0, None))
axes.set_xticks(numbers, [f"{n:,}" for n in numbers])
axes.minorticks_off()
figure.legend(loc="outside lower center", ncols=3)
plt.show()
