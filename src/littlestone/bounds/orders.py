"""The orders of the Hadamard matrices that can be made here, and the primes that they are made from."""

__all__ = ["is_order", "is_prime", "largest_order"]

WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
LARGEST = 3_317_044_064_679_887_385_961_981  # below it these witnesses convict every composite number


def is_prime(q: int) -> bool:
    """Tell whether q is known to be prime, by the test of Miller and Rabin; beyond `LARGEST` no number is.

    >>> [q for q in range(20) if is_prime(q)], is_prime(2**61 - 1), is_prime(3215031751)
    ([2, 3, 5, 7, 11, 13, 17, 19], True, False)
    """
    if q < 2 or q >= LARGEST or any(q % p == 0 for p in WITNESSES):
        return q in WITNESSES
    twos = ((q - 1) & (1 - q)).bit_length() - 1
    for base in WITNESSES:
        power = pow(base, (q - 1) >> twos, q)
        if power not in (1, q - 1) and all((power := power * power % q) != q - 1 for _ in range(twos - 1)):
            return False
    return True


def is_order(order: int) -> bool:
    """Tell whether a matrix of this order can be made: 1, Paley's q + 1 for a prime q = 3 mod 4, or twice such a one.

    >>> [order for order in range(1, 50) if is_order(order)]
    [1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 44, 48]
    """
    if order == 1:
        return True
    if order % 4 == 0 and is_prime(order - 1):
        return True
    return order > 0 and order % 2 == 0 and is_order(order // 2)


def largest_order(most: int) -> int:
    """Return the largest order up to ``most``; orders are dense, so that few are tried. Beyond 2^60 a large one.

    >>> largest_order(995), largest_order(1000), largest_order(7), largest_order(10**400) > 0.9999 * 10**308
    (992, 1000, 4, True)
    """
    doublings = max(most.bit_length() - 60, 0)
    return next(order for order in range(most >> doublings, 0, -1) if is_order(order)) << doublings
