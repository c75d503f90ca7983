"""The coin of a trial, in plain Python: it depends on the seed and the trial's number alone (`csr` has it compiled)."""

__all__ = ["RESOLUTION", "coin"]

RESOLUTION = 1 << 53
WORD = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def _mixed(x: int) -> int:
    """Return 64 bits that look independent of the 64 given ones (the finaliser of splitmix64)."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & WORD
    return x ^ (x >> 31)


def coin(seed: int, trial: int) -> int:
    """Return a whole number from 0 to 2^53 - 1; what has the chance p happens iff it is below p 2^53.

    >>> coin(0, 0), coin(0, 1) / RESOLUTION
    (5876733520225071, 0.7012121095215252)
    """
    return _mixed((_mixed(seed + STEP & WORD) + (trial + 1) * STEP) & WORD) >> 11  # 0 would mix to 0
