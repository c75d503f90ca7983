"""Steps of confidence-weighted learning that several rules share.

Each quotient is written so that it does not subtract near-equal numbers; z = m/sqrt(v) keeps squares in range.
"""

import math

from littlestone.engine.compiling import native

__all__ = ["FAR", "confident", "confident_variance", "shrinking", "soft"]

FAR = 1e150  # a mistake by more than this is as good as any


@native
def confident(z: float, phi: float) -> float:
    """Return alpha sqrt(v) with the alpha that makes ``m = phi sqrt(v)`` true: confidence by standard deviation."""
    square = phi * phi
    psi, xi = 1.0 + 0.5 * square, 1.0 + square
    h = math.sqrt(0.25 * z * z * square * square + square * xi)
    return (phi - z) * (phi + z) / (h + z * psi) if z >= 0.0 else (h - z * psi) / xi


@native
def confident_variance(m: float, v: float, phi: float) -> float:
    """Return the alpha that makes ``m = phi v`` true: confidence by variance."""
    h, s = math.sqrt((1.0 - 2.0 * phi * m) ** 2 + 8.0 * phi * phi * v), 1.0 + 2.0 * phi * m
    return 2.0 * (phi * v - m) / (v * (h + s)) if s >= 0.0 else (h - s) / (4.0 * phi * v)


@native
def soft(z: float, v: float, phi: float, C: float) -> float:
    """Return alpha sqrt(v) of SCW-II."""
    q = v / (v + 0.5 / C)
    t = 1.0 + q * phi * phi
    h, s = phi * math.sqrt((phi * z * q) ** 2 + 4.0 * t), z * (1.0 + t)
    return q * (2.0 * (phi - z) * (phi + z) / (h + s) if z >= 0.0 else 0.5 * (h - s) / t)


@native
def shrinking(alpha: float, v: float, phi: float) -> float:
    """Return alpha phi/sqrt(u), where sqrt(u) is what the standard deviation becomes."""
    g = alpha * math.sqrt(v) * phi
    return 0.5 * g * (g + math.sqrt(g * g + 4.0)) / v
