"""
Precision against recall
========================

How much of the spam is found, against how much of what is called spam is spam: one point for each threshold. The
curve has a dent at its beginning: among the messages that the model is surest of some have a wrong label, on purpose.
"""

import matplotlib.pyplot as plt

import littlestone as ls

table = ls.datasets.messages(rows=4000)
model = ls.Model.train(table.examples[:2000], table.labels[:2000])
model.evaluate(table.examples[2000:], table.labels[2000:]).plot()
plt.show()
