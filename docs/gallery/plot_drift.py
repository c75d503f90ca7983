"""
Who follows a target that changes
=================================

Every 2,000 trials another three of 100 attributes decide. Naive Bayes averages over all that it has seen, and falls
behind after each change. ``Restarting`` lets a new learner play beside the old one when mistakes become more
frequent, and ``Auto`` begins anew by itself.
"""

import matplotlib.pyplot as plt

import littlestone as ls

stream = ls.teachers.Shifting(n=100, k=3, every=2000, trials=8000, noise=0.02)
found = ls.contest(
    {
        "NaiveBayes": ls.NaiveBayes(),
        "Restarting(NaiveBayes)": ls.Restarting(ls.NaiveBayes()),
        "ShiftingWinnow": ls.ShiftingWinnow(),
        "Auto": ls.Auto(),
    },
    stream,
)
found.plot()
plt.show()
