"""
How tight is a bound?
=====================

Games on few attributes can be searched to the end: the longest sequence of mistakes that any teacher can force on
Winnow, who never contradicts a disjunction of k attributes. The bound of the theorem is above it, and not far.
"""

import matplotlib.pyplot as plt

import littlestone as ls

sizes = range(2, 9)
figure, axes = plt.subplots()
for k, marker in ((1, "o"), (2, "s")):
    some = [n for n in sizes if n >= k]
    worst = [ls.worst_case(ls.Winnow(), n=n, k=k) for n in some]
    bound = [ls.Winnow().begin(n).guarantee.at(k=k).value for n in some]
    axes.plot(some, worst, marker=marker, color=f"C{k - 1}", label=f"worst case, k = {k}")
    axes.plot(some, bound, linestyle="--", color=f"C{k - 1}", label=f"bound, k = {k}")
axes.set(xlabel="attributes", ylabel="mistakes", ylim=(0, None))
figure.legend(loc="outside lower center", ncols=2)
plt.show()
