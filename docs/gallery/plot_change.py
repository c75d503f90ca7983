"""
A change is noticed
===================

The mistakes of a Perceptron whose target changes after 3,000 trials. The dotted line stands where mistakes have
become more frequent, as a test finds: where they become no more probable, it says so falsely with a probability of at
most 1%, however long the stream is.
"""

import matplotlib.pyplot as plt

import littlestone as ls

stream = ls.teachers.Shifting(n=50, k=3, every=3000, trials=6000)
run = ls.play(ls.Perceptron(), stream)
run.plot()
plt.show()
