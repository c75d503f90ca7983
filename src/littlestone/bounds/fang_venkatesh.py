"""Bounds of Fang and Venkatesh on Directed Drift, which learns weights in {-1,+1}^n."""

from __future__ import annotations

from functools import cache
from math import ceil, exp, inf, pi, sqrt
from math import log as ln
from typing import Any, Literal

from littlestone.bounds.bound import check, theorem
from littlestone.bounds.drift_chain import LARGEST, chain
from littlestone.core.rational import checked

__all__ = [
    "Mode",
    "batch_size",
    "directed_drift_exact",
    "directed_drift_growth",
    "directed_drift_lower",
    "directed_drift_upper",
    "growth_constants",
    "memory_bits",
    "theorem1_constants",
]

Mode = Literal["single", "asynchronous", "synchronous"]
FACTORS = {"single": 0.0, "asynchronous": pi / 2, "synchronous": pi}  # Table 1: m is that many n ln n
FITTED = {1: (0.9674, 1.0975), 0: (1.5206, 0.5705)}  # n odd, even: least squares over n = 51..301, 52..300

SOURCE = "Fang and Venkatesh, Learning finite binary sequences from half-space data, Theorem 1"
DRIFT = (
    "weights in {-1,+1}^n; algorithm D, which flips a random one of the coordinates that disagree; examples drawn "
    "uniformly from the vertices that the target classifies positively; "
)


@cache
def theorem1_constants() -> tuple[float, float]:
    """Return alpha = (1+w)/(1-w) and beta = w/2 of Theorem 1, w = W(1/e) with Lambert's W.

    >>> theorem1_constants()  # the paper's last digits are off
    (1.7718665519963888, 0.1392322713805369)
    """
    from scipy.special import lambertw

    w = float(lambertw(exp(-1.0)).real)
    return (1.0 + w) / (1.0 - w), w / 2.0


WEIGHTS = {"n": ("n", "the number of weights")}


@theorem(
    "Fang-Venkatesh, Theorem 1, lower",
    formula=r"\alpha e^{\beta n}",
    where=(r"\alpha = \frac{1 + w}{1 - w}", r"\beta = \frac{w}{2}", r"w = W\left(\frac{1}{e}\right)"),
    symbols=WEIGHTS,
    source=SOURCE,
    assumptions=DRIFT + "one coordinate wrong at the start; n >= 2",
    kind="lower",
    of="expected mistakes",
)
def directed_drift_lower(*, n: int) -> float:
    """``E[M] >= alpha e^(beta n)`` from a start that has one coordinate wrong.

    ``alpha = (1+w)/(1-w)`` and ``beta = w/2`` with ``w = W(1/e)``, by Lambert's function: ``w e^w = 1/e``. True of the
    exact chain from n = 2 on; the true growth is nearer to 2^n. At n = 1 it is false (1 < 2.04).

    >>> round(directed_drift_lower(n=21).value, 1)
    33.0
    """
    check(n >= 2, "directed_drift_lower", "n >= 2 (below, the statement is false)", f"n={n}")
    alpha, beta = theorem1_constants()
    return alpha * exp(beta * n)


@theorem(
    "Fang-Venkatesh, Theorem 1, upper",
    formula=r"\left(\frac{n}{2}\right)^n",
    symbols=WEIGHTS,
    source=SOURCE,
    assumptions=DRIFT + "any start; n >= 4",
    of="expected mistakes",
)
def directed_drift_upper(*, n: int) -> float:
    """``E[M] <= (n/2)^n`` from any start. Below n = 4 it is false: 0.5, 1, 3.375 against exact 1, 4, 5.8.

    >>> directed_drift_upper(n=4).value  # the chain has 13.76
    16.0
    """
    check(n >= 4, "directed_drift_upper", "n >= 4 (below, the statement is false)", f"n={n}")
    return float((n / 2.0) ** n)


@theorem(
    "Fang-Venkatesh, algorithm D, exact chain",
    formula=r"\sum_{i=w+1}^{d} h_i",
    where=(r"h_i = \frac{1 + (1 - p_i) h_{i+1}}{p_i}", "h_n = 1"),
    symbols=WEIGHTS
    | {
        "d": ("d", ("how many of them are wrong at the start; None: a start drawn uniformly, and the mean over d")),
        "within": ("w", "how many may be wrong at the end"),
    },
    source="the Markov chain behind Fang and Venkatesh's Theorem 1, solved for this package",
    assumptions=DRIFT + f"d coordinates wrong at the start (not said: a start drawn uniformly); n <= {LARGEST}",
    kind="exact",
    of="expected mistakes",
)
def directed_drift_exact(*, n: int, d: int | None = None, within: int = 0) -> float:
    """``E[M] = h_(within+1) + ... + h_d``, ``h_i = (1 + q_i h_(i+1))/p_i``: until at most ``within`` are wrong.

    A mistake with i coordinates wrong leaves i - 1 of them with probability p_i, else, q_i = 1 - p_i, it leaves i + 1.
    In rationals, as logarithms, and for other sampling: `bounds.drift_chain.chain`.

    >>> print(directed_drift_exact(n=5, d=5))
    expected mistakes = 16.4759 (Fang-Venkatesh, algorithm D, exact chain)
    >>> round(directed_drift_exact(n=31, d=31, within=7).value)
    306
    """
    owner = "directed_drift_exact"
    check(1 <= n <= LARGEST, owner, f"1 <= n <= {LARGEST} (beyond, there is directed_drift_growth)", f"n={n}")
    check(d is None or 0 <= d <= n, owner, "0 <= d <= n", f"d={d}, n={n}")
    check(0 <= within <= n, owner, "0 <= within <= n", f"within={within}, n={n}")
    return float(chain(n).mistakes(d, within=within))


@cache
def growth_constants() -> tuple[float, float]:
    """Return sqrt(pi/2) Si(pi/2) and pi/4 of `directed_drift_growth`, Si the sine integral.

    >>> growth_constants()
    (1.717995604245267, 0.7853981633974483)
    """
    from scipy.special import sici

    return sqrt(pi / 2) * float(sici(pi / 2)[0]), pi / 4


def directed_drift_growth(n: int, *, log: bool = False) -> float:
    """Return about the expected mistakes of algorithm D from distance 1: ``2^n e^(-1.718 sqrt n) n^(pi/4) c``.

    Not a theorem. The first three factors come from an expansion for large n that is not proved: on a mistake at
    distance xn, d falls with probability ``x + x(1-x) sqrt(pi/(2n))/arcsin(sqrt x)``, and the logarithms of the odds
    add up to ``n ln 2 - sqrt(pi/2) Si(pi/2) sqrt(n) + (pi/4) ln n``. The last, ``c = e^(c0 + c1/sqrt n)``, is fitted to
    the exact chain, n = 51..301, odd and even n apart. It is within 0.1% there, within 0.5% up to n = 3000 (as far as
    the chain goes) and within 15% from n = 5 on. From other starts there are up to twice as many mistakes.

    >>> [round(directed_drift_growth(n) / chain(n).mistakes(1), 4) for n in (5, 31, 101, 1000)]
    [1.1378, 0.9994, 1.0001, 0.9979]
    """
    n = _size("directed_drift_growth", n)
    root, power = growth_constants()
    c0, c1 = FITTED[n % 2]
    exponent = n * ln(2) - root * sqrt(n) + power * ln(n) + c0 + c1 / sqrt(n)
    if log:
        return exponent
    return exp(exponent) if exponent < 709.0 else inf


def batch_size(n: int, mode: Mode) -> int:
    """Return the batch size m of Table 1: 1 for D, ``(pi/2) n ln n`` for D', ``pi n ln n`` for D''.

    The paper has real numbers that m must reach, so they are rounded up. D'' flips where half of the votes are against,
    which an odd m decides without ties: an even one is made odd.

    >>> [batch_size(n, mode) for n in (21, 101) for mode in ("single", "asynchronous", "synchronous")]
    [1, 101, 201, 1, 733, 1465]
    """
    n, factor = _size("batch_size", n), _factor("batch_size", mode)
    m = max(1, ceil(factor * n * ln(n)))
    return m | 1 if mode == "synchronous" else m


def memory_bits(n: int, mode: Mode, *, batch: int | None = None, counters: bool = False) -> int:
    """Return the bits of scratch memory: ``mn + n`` for a batch of m examples and the hypothesis, as Table 1 has it.

    For D that is 2n. With ``counters`` of votes in place of the examples it is ``n ceil(log2(m+1)) + 2n``: the
    hypothesis and one example are there too.

    >>> memory_bits(101, "single"), memory_bits(101, "synchronous"), memory_bits(101, "synchronous", counters=True)
    (202, 148066, 1313)
    """
    n, _ = _size("memory_bits", n), _factor("memory_bits", mode)
    m = batch_size(n, mode) if batch is None else checked("memory_bits", "batch", "int", batch)
    check(m >= 1, "memory_bits", "batch >= 1", f"batch={batch}")
    check(m == 1 or mode != "single", "memory_bits", "batch=1 in mode 'single', or another mode", f"batch={batch}")
    votes: int = m.bit_length() + 1 if counters and mode != "single" else m
    return votes * n + n


def _size(owner: str, n: Any) -> int:
    size: int = checked(owner, "n", "int", n)
    check(1 <= size <= 10**100, owner, "1 <= n <= 1e100 coordinates", f"n={size}")
    return size


def _factor(owner: str, mode: Any) -> float:
    known = isinstance(mode, str) and mode in FACTORS
    check(known, owner, f"a mode out of {', '.join(FACTORS)}", repr(mode))
    return FACTORS[mode]
