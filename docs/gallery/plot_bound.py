"""
A mistake curve and its bound
=============================

Winnow on 1,000 attributes of which 5 matter. Mistakes come early and stop; the bound, below which the curve stays on
any such stream, is known before the first example. ``run.plot`` draws both.
"""

import matplotlib.pyplot as plt

import littlestone as ls

run = ls.play(ls.Winnow(), ls.teachers.Disjunction(n=1000, k=5, trials=5000))
run.plot(k=5)
plt.show()
