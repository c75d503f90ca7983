"""Functions of a user, compiled for the engine: a link as it is given, or solved from its potential."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import inf, isfinite
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.engine.compiling import compiler, passing, reason

__all__ = ["compiled", "solver"]

SMALL = 1e-30  # the imaginary step of a derivative, relatively: nothing is subtracted, so it can be very small


def compiled(function: Callable[[float], float]) -> tuple[str, Any]:
    """Return the name of a user's function of one float, and the function compiled."""
    name = getattr(function, "__name__", "link")
    if not callable(function):
        raise InvalidParameter(f"link: expected a function z -> w, got {type(function).__name__}")
    plain = function if hasattr(function, "__code__") else lambda z: function(z)  # noqa: PLW0108 - math.tanh has no bytecode
    cfunc = compiler(plain).cfunc
    from numba.core.errors import NumbaError

    try:
        return name, cfunc("float64(float64)")(plain)
    except (NumbaError, TypeError) as error:
        raise InvalidParameter(
            f"link {name}: Numba cannot compile it ({reason(error)}); use arithmetic and the math module on one float"
        ) from error


def solver(
    potential: Callable[[Any], Any], domain: tuple[float, float], gradient: Callable[[float], float] | None
) -> tuple[Callable[[float], float], Any]:
    """Return the w with F'(w) = z as a function of z, and the slope F', of a convex F; see `from_potential`."""
    low, high, inside = _domain(domain)
    for name, function in (("potential", potential), ("gradient", gradient)):
        if not hasattr(function, "__code__") and (function is not None or name == "potential"):
            raise InvalidParameter(f"from_potential: {name} must be a Python function of one number, got {function!r}")
    slope = _slope(potential, gradient, low, high)
    _check_potential(potential, slope, _spread(low, high, inside), domain)

    def solve(z: float) -> float:
        # The bracket grows by doubling from the middle, or halves its way to an end: 60 bisections settle the rest.
        a = b = inside
        step = 1.0
        for _ in range(1070):
            if slope(a) <= z:
                break
            b = a
            a = low + 0.5 * (a - low) if low > -inf else inside - step
            step *= 2.0
        step = 1.0
        for _ in range(1070):
            if slope(b) >= z:
                break
            a = b
            b = high - 0.5 * (high - b) if high < inf else inside + step
            step *= 2.0
        for _ in range(1200):
            middle = 0.5 * (a + b)
            if middle in (a, b):
                break
            if slope(middle) <= z:
                a = middle
            else:
                b = middle
        return a if abs(slope(a) - z) <= abs(slope(b) - z) else b

    return solve, slope


def _domain(domain: Any) -> tuple[float, float, float]:
    """Return the ends of a domain and a point well inside."""
    try:
        low, high = (float(end) for end in domain)
    except (TypeError, ValueError):
        low = high = 0.0
    if not low < high:
        raise InvalidParameter(f"from_potential: expected a domain (low, high) with low < high, got {domain!r}")
    if isfinite(low) and isfinite(high):
        return low, high, 0.5 * (low + high)
    return low, high, low + 1.0 if isfinite(low) else high - 1.0 if isfinite(high) else 0.0


def _slope(potential: Any, gradient: Any, low: float, high: float) -> Any:
    """Return the derivative of a potential, compiled: its gradient, or by a step beside the real axis."""
    if gradient is not None:
        return passing(gradient)
    value: Any = passing(potential)

    def beside(w: float) -> Any:
        size = abs(w)
        if low > -inf:
            size = w - low
        if high < inf:
            size = min(size, high - w) if low > -inf else high - w
        step = SMALL * (size if size > 0.0 else 1.0)
        return value(complex(w, step)).imag / step

    return passing(beside)


def _check_potential(potential: Any, slope: Any, points: list[float], domain: Any) -> None:
    """Refuse what is not a strictly convex function whose derivative is the slope."""
    from numba.core.errors import NumbaError

    try:
        slopes = np.array([slope(w) for w in points], dtype=np.float64)
        h = 1e-5 * min(b - a for a, b in pairwise(points))
        plain = np.array([(potential(w + h) - potential(w - h)) / (2.0 * h) for w in points])
    except (NumbaError, TypeError, ValueError, ArithmeticError) as error:
        raise InvalidParameter(
            f"from_potential: it cannot be evaluated on its domain, or at a complex number ({reason(error)}); "
            "use NumPy's functions (np.log, not math.log), or give gradient="
        ) from error
    if not np.all(np.isfinite(slopes)) or not np.all(np.diff(slopes) > 0.0):
        raise InvalidParameter(
            f"from_potential: expected a strictly convex function on {domain}, got slopes {slopes.round(6).tolist()}"
        )
    if not np.allclose(slopes, plain, rtol=1e-3, atol=1e-6 * float(np.ptp(slopes))):
        raise InvalidParameter(
            f"from_potential: the slopes {slopes.round(6).tolist()} are not those of the function, "
            f"{plain.round(6).tolist()}; write powers as products (w * w), or give gradient= (or another one)"
        )


def _spread(low: float, high: float, inside: float) -> list[float]:
    left = [inside - (inside - low) * share if isfinite(low) else inside - 3.0 * share for share in (0.9, 0.5)]
    right = [inside + (high - inside) * share if isfinite(high) else inside + 3.0 * share for share in (0.5, 0.9)]
    return [*left, inside, *right]
