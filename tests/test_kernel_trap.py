"""Theorems 6 and 8 of Khardon, Roth and Servedio, and Remark 7: the kernel Perceptron, trapped."""

from fractions import Fraction

import pytest

from littlestone.bounds import kernel_perceptron_lower
from littlestone.teachers import KernelTrap


def monotone(n, x, y):  # noqa: ARG001 - a kernel may depend on n
    return 1 << (x & y).bit_count()


def every(n, x, y):
    """2^same: all conjunctions that hold in both."""
    return 1 << (n - (x ^ y).bit_count())


class Twin:
    """The kernel Perceptron in whole numbers: rows are the digits of an integer, ties are predicted 1."""

    def __init__(self, n, kernel=monotone, theta=0, eta=1):
        self.n, self.kernel, self.ratio, self.stored = n, kernel, Fraction(theta) / Fraction(eta), []

    def value(self, x):
        return sum(sign * self.kernel(self.n, x, y) for y, sign in self.stored)

    def predict(self, x):
        return self.value(x) >= self.ratio

    def mistakes(self, stream):
        """Play a stream; return the trials that were mistakes."""
        wrong = []
        for trial, (x, label) in enumerate(examples(stream)):
            if self.predict(x) != label:
                self.stored.append((x, 1 if label else -1))
                wrong.append(trial)
        return wrong


def examples(stream):
    for block in stream.blocks():
        for r, label in enumerate(block.outcomes):
            yield sum(1 << int(i) for i in block.row(r)[0]), bool(label)


MONOTONE = {"kernel": "monotone"}


@pytest.mark.parametrize("construction", ["reed-solomon", "greedy", "disjoint"])
@pytest.mark.parametrize("n", [20, 60, 80, 100, 160])
def test_every_row_is_a_mistake_by_default(n, construction):
    trap = KernelTrap(n, construction=construction)
    assert trap.trials == trap.certain == trap.promises == trap.sets + 2
    assert Twin(n).mistakes(trap) == list(range(trap.trials))


def test_reed_solomon_sets_of_320_attributes():
    trap = KernelTrap(320)
    assert (trap.sets, trap.size, trap.overlap) == (3000, 16, 4)
    assert kernel_perceptron_lower(size=16, overlap=4, sets=3000).value == trap.certain == trap.promises == 3002
    assert len(Twin(320).mistakes(trap)) == 3002
