"""What is known of the inside of CPython, which `dicts` reads by address, and of which versions it is known.

Nothing here is promised by Python. So there is a list of versions that were looked at, with a test that runs `holds` on
each that is installed; any other goes the ordinary way. This file imports nothing that has to be installed.
"""

import ctypes
import sys

__all__ = ["FUNCTIONS", "KIND_AT", "KNOWN", "REAL_AT", "functions", "holds", "is_known"]

KNOWN = frozenset({(3, 11), (3, 12), (3, 13)})
KIND_AT, REAL_AT = 8, 16  # where an object has its type, and a float its number
FUNCTIONS = (
    "PyDict_Size", "PyDict_Next", "PyDict_GetItemWithError", "PyLong_AsLongLong", "PyErr_Occurred", "PyErr_Clear",
)  # fmt: skip


def is_known() -> bool:
    """Tell whether this is a CPython of a known version, of 64 bits and with its lock."""
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    known = sys.implementation.name == "cpython" and sys.version_info[:2] in KNOWN
    return known and locked and sys.maxsize > 2**62


def functions() -> list[int]:
    """Return where `FUNCTIONS` are."""
    found = [ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for name in FUNCTIONS]
    return [address or 0 for address in found]


def holds() -> bool:
    """Tell whether objects are as they are said to be here, and whether a dict is read as `dicts` reads it."""
    tenth = 0.1
    names: dict[object, object] = {"a": 0.1, 7: 3, "b": True}
    if any(_word(id(one) + KIND_AT) != id(type(one)) for one in ("", 7, True, tenth)):
        return False
    if ctypes.c_double.from_address(id(tenth) + REAL_AT).value != tenth:
        return False
    return _walked(names) == [(id(name), id(value)) for name, value in names.items()]


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


def _walked(names: dict[object, object]) -> list[tuple[int, int]]:
    """Return where the names and values of a dict are, found by address alone; nothing, if a function fails."""
    size, following, find, whole, wrong, clear = functions()
    word, room = ctypes.c_int64, (ctypes.c_int64 * 3)()  # the position, a name, its value
    here, columns = ctypes.addressof(room), {name: i for i, name in enumerate(names)}
    found: list[tuple[int, int]] = []
    step = ctypes.PYFUNCTYPE(ctypes.c_int32, *[word] * 4)(following)
    column_of, number = ctypes.PYFUNCTYPE(word, word, word)(find), ctypes.PYFUNCTYPE(word, word)
    while step(id(names), here, here + 8, here + 16):
        column = column_of(id(columns), room[1])
        if column == 0 or number(whole)(column) != len(found):
            return []
        found.append((room[1], room[2]))
    missing = column_of(id(columns), id("nobody"))
    ctypes.PYFUNCTYPE(None)(clear)()
    sound = missing == 0 and ctypes.PYFUNCTYPE(word)(wrong)() == 0 and number(size)(id(names)) == len(found)
    return found if sound else []
