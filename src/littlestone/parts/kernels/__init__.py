"""Kernels: the four of conjunctions, exact for any n; the usual ones for real rows; any function of two rows.

By name, as on a command line: ``conjunctions`` or ``monotone``, with a bound on the size as in ``monotone:2``;
``linear``; ``polynomial`` (``polynomial:3``: of degree 3); ``gaussian`` (``gaussian:0.5``: gamma 0.5).

`NAMES` has them all.

>>> from littlestone.parts.kernels import NAMES, named
>>> sorted(NAMES), named("polynomial:3")
(['conjunctions', 'gaussian', 'linear', 'monotone', 'polynomial'], Polynomial(degree=3, gamma=1.0, coef0=1.0))
"""

from littlestone.parts.kernels.conjunctions import Conjunctions
from littlestone.parts.kernels.kernel import Kernel, Wrapped, wrapped
from littlestone.parts.kernels.names import NAMES, named
from littlestone.parts.kernels.real import Gaussian, Linear, Polynomial

__all__ = ["NAMES", "Conjunctions", "Gaussian", "Kernel", "Linear", "Polynomial", "Wrapped", "named", "wrapped"]
