"""
A change is noticed
===================

The share of mistakes so far of a Perceptron whose target changes after 3,000 trials. ``run.changes()`` asks a test that
is wrong with a probability of at most 1% on a stream of any length, if mistakes become no more probable; the dotted
line stands where it found that they became more frequent.
"""

import matplotlib.pyplot as plt

import littlestone as ls

stream = ls.teachers.Shifting(n=50, k=3, every=3000, trials=6000)
run = ls.play(ls.Perceptron(), stream)
for change in run.changes():
    print(f"noticed after trial {change.noticed:,}, began about trial {change.began:,}")
run.plot(kind="rate")
plt.show()
