"""How `intrinsics` are made of LLVM's instructions: imported when a kernel that uses one is compiled."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils as _cgutils

from littlestone.engine.arrays import LANES
from littlestone.engine.compiling import numbers

__all__ = [
    "asking",
    "borrowed",
    "each",
    "four",
    "high",
    "if_positive",
    "over",
    "overlap",
    "plus",
    "popcount",
    "prefetch",
    "put_four",
    "root",
    "times",
]

cgutils: Any = _cgutils

WORDS = 31  # at most 8 bits in each byte of a word: so many fit before a byte overflows


def prefetch(_typing: Any, array: Any, _index: Any) -> Any:
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


def borrowed(_typing: Any, arrays: Any) -> Any:
    """Return an array, or a tuple of them, without its count of references: valid while its owner is.

    A kernel borrows what it is given, for its caller keeps it. Functions that it hands arrays to, inlined or not, then
    count nothing; to count costs as much as to parse a number.
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        if isinstance(kind, types.Array):
            return _uncounted(context, builder, kind, arguments[0])
        parts = zip(kind.types, cgutils.unpack_tuple(builder, arguments[0]), strict=True)
        return context.make_tuple(builder, kind, [_uncounted(context, builder, *part) for part in parts])

    return arrays(arrays), code


def _uncounted(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    array = context.make_array(kind)(context, builder, value)
    array.meminfo = cgutils.get_null_value(array.meminfo.type)
    array.parent = cgutils.get_null_value(array.parent.type)
    return array._getvalue()  # noqa: SLF001 - as Numba names it


def asking(takes: int, gives: int) -> Any:
    """Return what calls an `Addressed` function of so many floats."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        double = ir.DoubleType()
        shape = ir.FunctionType(double if gives == 1 else ir.ArrayType(double, gives), [double] * takes)
        return builder.call(builder.inttoptr(arguments[0], shape.as_pointer()), arguments[1:])

    typed = numbers(gives)(types.int64, *[types.float64] * takes), code
    makers: dict[int, Any] = {
        1: lambda _typing, _f, _a: typed,
        4: lambda _typing, _f, _a, _b, _c, _d: typed,
        5: lambda _typing, _f, _a, _b, _c, _d, _e: typed,
    }
    return makers[takes]


# Four floats are a tuple to Numba and a vector to the processor: LLVM, left to itself, moves them one by one.

VECTOR = ir.VectorType(ir.DoubleType(), 4)
FOUR: Any = types.UniTuple(types.float64, 4)  # type: ignore[no-untyped-call]


def _vector(builder: Any, four: Any) -> Any:
    found = ir.Constant(VECTOR, ir.Undefined)
    for i in range(4):
        found = builder.insert_element(found, builder.extract_value(four, i), ir.IntType(32)(i))
    return found


def _tuple(builder: Any, vector: Any) -> Any:
    found = ir.Constant(ir.ArrayType(ir.DoubleType(), 4), ir.Undefined)
    for i in range(4):
        found = builder.insert_value(found, builder.extract_element(vector, ir.IntType(32)(i)), i)
    return found


def _on_vectors(makes: Any, number: int) -> Any:
    """Return an instruction that makes four floats of fours."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _tuple(builder, makes(builder, *(_vector(builder, one) for one in arguments)))

    typed = FOUR(*[FOUR] * number), code
    return (lambda _typing, _a: typed) if number == 1 else lambda _typing, _a, _b: typed


def _place(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), VECTOR.as_pointer())


def four(_typing: Any, array: Any, _at: Any) -> Any:
    """Return ``array[at]`` and the three behind it; of an array of rows, as they lie in memory."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _tuple(builder, builder.load(_place(context, builder, signature.args[0], *arguments), align=8))

    return FOUR(array, types.uint64), code


def put_four(_typing: Any, array: Any, _at: Any, _numbers: Any) -> Any:
    """Put four numbers to ``array[at]`` and the three behind it."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature.args[0], *arguments[:2])
        builder.store(_vector(builder, arguments[2]), place, align=8)
        return context.get_dummy_value()

    return types.void(array, types.uint64, FOUR), code


def each(_typing: Any, _x: Any) -> Any:
    """Return a number four times."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        single = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), arguments[0], ir.IntType(32)(0))
        nowhere = ir.Constant(ir.VectorType(ir.IntType(32), 4), [0] * 4)
        return _tuple(builder, builder.shuffle_vector(single, ir.Constant(VECTOR, ir.Undefined), nowhere))

    return FOUR(types.float64), code


def _root(builder: Any, x: Any) -> Any:
    return builder.call(cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(VECTOR, [VECTOR]), "llvm.sqrt.v4f64"), [x])  # fmt: skip


def _if_positive(builder: Any, a: Any, b: Any) -> Any:
    nothing = ir.Constant(VECTOR, [0.0] * 4)
    return builder.select(builder.fcmp_ordered(">", a, nothing), b, nothing)


plus = _on_vectors(lambda builder, a, b: builder.fadd(a, b), 2)
times = _on_vectors(lambda builder, a, b: builder.fmul(a, b), 2)
over = _on_vectors(lambda builder, a, b: builder.fdiv(a, b), 2)
root = _on_vectors(_root, 1)
if_positive = _on_vectors(_if_positive, 2)


def popcount(_typing: Any, _word: Any) -> Any:
    """Count the bits that are on in a word."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [arguments[0].type]), arguments)

    return types.uint64(types.uint64), code


def high(_typing: Any, _a: Any, _b: Any) -> Any:
    """Return the upper half of the product of two words."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        a, b = (builder.zext(word, wide) for word in arguments)
        return builder.trunc(builder.lshr(builder.mul(a, b), ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), code


def overlap(_typing: Any, words: Any, _tile: Any, row: Any, out: Any) -> Any:
    """Set ``out[lane]`` to the number of bits on in both ``words[tile, :, lane]`` and ``row``.

    Vectors of bytes: LLVM counts the bits of many bytes at once where a processor can, and left to itself does not see
    that bytes may be summed before they are widened.
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        arrays = [context.make_array(signature.args[i])(context, builder, arguments[i]) for i in (0, 2, 3)]
        word, size = ir.IntType(64), 8 * LANES
        lanes, octets = ir.VectorType(word, LANES), ir.VectorType(ir.IntType(8), size)

        def every(number: int) -> Any:
            return ir.Constant(lanes, [number] * LANES)

        width = builder.extract_value(arrays[1].shape, 0)
        tile = builder.gep(arrays[0].data, [builder.mul(builder.mul(arguments[1], width), word(LANES))])
        count = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(octets, [octets]), f"llvm.ctpop.v{size}i8"
        )
        nowhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        total, some = cgutils.alloca_once(builder, lanes), cgutils.alloca_once(builder, octets)
        builder.store(every(0), total)
        groups = builder.udiv(builder.add(width, word(WORDS - 1)), word(WORDS))
        with cgutils.for_range(builder, groups) as group:
            builder.store(ir.Constant(octets, [0] * size), some)
            first = builder.mul(group.index, word(WORDS))
            left = builder.sub(width, first)
            number = builder.select(builder.icmp_unsigned("<", left, word(WORDS)), left, word(WORDS))
            with cgutils.for_range(builder, number) as loop:
                w = builder.add(first, loop.index)
                at = builder.bitcast(builder.gep(tile, [builder.mul(w, word(LANES))]), lanes.as_pointer())
                single = builder.insert_element(
                    ir.Constant(lanes, ir.Undefined), builder.load(builder.gep(arrays[1].data, [w])), ir.IntType(32)(0)
                )
                spread = builder.shuffle_vector(single, ir.Constant(lanes, ir.Undefined), nowhere)
                both = builder.bitcast(builder.and_(builder.load(at, align=8), spread), octets)
                builder.store(builder.add(builder.load(some), builder.call(count, [both])), some)
            sums = builder.bitcast(builder.load(some), lanes)
            pairs = builder.add(
                builder.and_(sums, every(0x00FF00FF00FF00FF)),
                builder.and_(builder.lshr(sums, every(8)), every(0x00FF00FF00FF00FF)),
            )
            added = builder.lshr(builder.mul(pairs, every(0x0001000100010001)), every(48))
            builder.store(builder.add(builder.load(total), added), total)
        builder.store(builder.load(total), builder.bitcast(arrays[2].data, lanes.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(words, types.int64, row, out), code
