"""
Why is this spam?
=================

What each word of a message brings, for spam (blue) and against it (orange): by how much the logarithm of the odds
falls when the word is left out.
"""

import matplotlib.pyplot as plt

import littlestone as ls

table = ls.datasets.messages()
model = ls.Model.train(table.examples, table.labels)
model.explain("hello Ines, did you get the photos? claim your cash bonus, text WIN to 80085").plot()
plt.show()

# %%
# And what a linear model has learned about people, in all: the largest weights for "yes" and against it. Numbers
# count in standard deviations, so that their weights can be compared.

people = ls.datasets.people()
ls.Model.train(people.examples, people.labels, learner="arow").plot(top=12)
plt.show()
