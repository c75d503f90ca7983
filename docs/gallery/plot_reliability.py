"""
Are the probabilities to be believed?
=====================================

A model gave each of 2,000 new messages a probability of being spam. If it says 0.8 of some of them, 80% of these
should be spam: then the points lie on the diagonal. Bars below say how many messages each point stands for.
"""

import matplotlib.pyplot as plt

import littlestone as ls

table = ls.datasets.messages(rows=4000)
model = ls.Model.train(table.examples[:2000], table.labels[:2000])
found = model.evaluate(table.examples[2000:], table.labels[2000:])
found.plot(kind="reliability")
plt.show()

# %%
# Between the ends there are few messages, so the points there are uncertain. On this table of people it is another
# matter: a sharp rule made it, and one person in twenty does the contrary. Those flatten the logistic curve that makes
# probabilities of scores, so that it is not steep enough in the middle.

people = ls.datasets.people(rows=4000)
buyers = ls.Model.train(people.examples[:2000], people.labels[:2000])
buyers.evaluate(people.examples[2000:], people.labels[2000:]).plot(kind="reliability")
plt.show()
