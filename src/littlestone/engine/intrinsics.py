"""Three instructions that Numba has no word for.

Numba's cache does not notice a change in this file: clear the cache after one.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

__all__ = ["call", "popcount", "prefetch"]


def _prefetch(_typing: Any, array: Any, _index: Any) -> Any:
    """Ask for ``array[index]`` before it is needed."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        shape = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [byte], shape)
        builder.call(ask, [address, word(0), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(array, types.uint64), code


def _call(_typing: Any, _address: Any, _z: Any) -> Any:
    """Call the C function ``double f(double)`` at ``address``: one engine serves every user's link."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        double = ir.DoubleType()
        function = builder.inttoptr(arguments[0], ir.FunctionType(double, [double]).as_pointer())
        return builder.call(function, [arguments[1]])

    return types.float64(types.int64, types.float64), code


def _popcount(_typing: Any, _word: Any) -> Any:
    """Count the bits that are on in a word."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [arguments[0].type]), arguments)

    return types.uint64(types.uint64), code


def _plain_popcount(word: Any) -> Any:
    """Count the bits without a compiler, where compiling is switched off."""
    return np.uint64(np.bitwise_count(word))


prefetch: Any = intrinsic(_prefetch)
call: Any = intrinsic(_call)
popcount: Any = _plain_popcount if getattr(config, "DISABLE_JIT", 0) else intrinsic(_popcount)
