"""Theorem 9 by hand: the sequence as bit masks, and the weights of Winnow summed up inside a row."""

from fractions import Fraction
from itertools import product
from math import ceil


def models(clauses, n):
    """How many assignments satisfy the formula: all are tried."""
    return sum(all(any(y[i] for i in clause) for clause in clauses) for y in product((0, 1), repeat=n))


def ceiling(alpha, x):
    """The smallest j >= 0 with alpha^j >= x, counted up."""
    j, power = 0, Fraction(1)
    while power < x:
        j, power = j + 1, power * alpha
    return j


def lemma10(variables, p):
    k = variables - 1
    if p == 2**k:
        return [{k}]
    if p < 2**k:
        return [{k}, *lemma10(k, p)]
    return [clause | {k} for clause in lemma10(k, p - 2**k)]


def build(n, clauses, K, alpha, theta_of):
    """Return (mask, label, times) of all examples, the query, theta and m."""
    c = ceiling(alpha, 4)
    U = n + 1 + ceiling(2, alpha ** (c + 1))
    V, W = ceiling(alpha, 2 ** (n + 1)) + 1, ceiling(alpha, 2 ** (U + 2)) + 1
    m = n + U + 6 * V * n * n + 6 * U * W + 3
    theta = Fraction(theta_of(m))
    A, B = (1 << n) - 1, ((1 << U) - 1) << n
    sequence, slack, third = [], n + U, ceiling(alpha, theta / 3)

    def demote(Q):
        nonlocal slack
        sequence.extend((3 << (slack + 2 * t), 1, third) for t in range(3))
        sequence.append((Q | 0b010101 << slack, 0, 1))
        slack += 6

    for clause in clauses:
        for _ in range(V):
            demote(A & ~sum(1 << i for i in set(clause)))
    slack = n + U + 6 * V * n * n
    q = ceiling(alpha, theta / 2 ** (n + 1)) - 1
    sequence.append((A | 1 << slack, 1, q))
    slack += 1
    D = theta - (2**n - 1) * (2**U - 1) - alpha**q * K
    for clause in lemma10(U, ceil(D / alpha ** (q - c))):
        for _ in range(W):
            demote(B & ~sum(1 << (n + i) for i in clause))
    R = ceiling(alpha, 2 ** (U - n))
    sequence += [(B | 1 << (m - 2), 1, q - R), (B | 1 << (m - 1), 1, R - c)]
    return sequence, A | B, theta, m


def local(z, stored):
    """The sum over nonempty T within z of the product of the factors of all stored sets that contain T."""
    factors = {}
    for x, a in stored.items():
        if x & z:
            factors[x & z] = factors.get(x & z, 1) * a
    coefficients = {z: Fraction(1)}
    for x, a in factors.items():
        for J, c in list(coefficients.items()):
            if J & x:
                coefficients[J & x] = coefficients.get(J & x, 0) + c * (a - 1)
    return sum(c * (2 ** J.bit_count() - 1) for J, c in coefficients.items())


def simulate(sequence, alpha, theta):
    """Run Winnow on runs of equal examples; return the stored factors and whether every example was a mistake.

    Each promotion on x multiplies the value of x itself by alpha: of equal examples the first and the last decide.
    """
    alpha, stored, wrong = Fraction(alpha), {}, True
    for x, label, times in sequence:
        value = local(x, stored)
        if label:
            wrong &= value * alpha ** (times - 1) < theta
            stored[x] = stored.get(x, 1) * alpha**times
        else:
            wrong &= times == 1 and value >= theta
            stored[x] = stored.get(x, 1) / alpha
    return stored, wrong
