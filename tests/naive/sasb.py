"""Singly variant Bayes that counts its mistakes alone."""

from tests.naive.sbsb import SBSB


class SASB(SBSB):
    def __init__(self, n):
        super().__init__(n, always=False)
