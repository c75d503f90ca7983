"""What stands between Python and a kernel that was compiled ahead of time: arguments, exceptions, threads."""

import ctypes
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import module_from_spec, spec_from_file_location
from threading import Event, Thread
from time import perf_counter

import numpy as np
import pytest

import littlestone as ls
from littlestone.engine import ahead
from littlestone.engine.compiling import Kernel
from littlestone.engine.learning import duals
from native.build import NoCompiler, linker
from tests.native import probe

NAMES = ("total", "deep", "several", "failing", "shaped", "shaped_too", "allocated", "waiting")
BUILD = """
import sys
from pathlib import Path
from native.build import _link, linker
from native.objects import compile_module
from native.wrappers import module_text
folder, name, *kernels = sys.argv[1:]
made = compile_module("tests.native.probe", kernels, [], "generic", folder)
source = Path(folder, "native.c")
source.write_text(module_text(made, set(), {}, 0))
_link(linker(), source, [one.file for one in made], name)
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    """The kernels of `probe`, as an extension module."""
    try:
        linker()
    except NoCompiler as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("probe")
    name = f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    call = [sys.executable, "-c", BUILD, str(folder), name, *NAMES]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    spec = spec_from_file_location("_native", folder / name)
    found = module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture
def kernels(module, monkeypatch):
    """The kernels of `probe`, which call the module, and count how often it did not take what it was given."""
    refused = []

    def ahead_of(name):
        function = getattr(module, f"tests.native.probe.{name}")

        def call(*given):
            found = function(*given)
            if found is NotImplemented:
                refused.append(name)
            return found

        return call

    for name in NAMES:
        monkeypatch.setattr(getattr(probe, name), "ahead", ahead_of(name))
    return refused


def arguments(**other):
    given = {
        "weights": np.zeros((2, 4)), "by": np.array([1, 3], dtype=np.uint32), "given": np.array([0.5, 2.0]),
        "factor": 3.0, "flag": True, "number": 7,
    }  # fmt: skip
    return [*{**given, **other}.values()]


def read_only(array):
    array.flags.writeable = False
    return array


def misaligned(array):
    room = np.zeros(array.nbytes + 1, dtype=np.uint8)[1:]
    found = room.view(array.dtype).reshape(array.shape)
    found[:] = array
    assert not found.flags.aligned
    return found


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_a_kernel_takes(dtype, kernels):
    given = arguments(weights=np.zeros((2, 4), dtype=dtype))
    assert probe.total(*given) == 2.5 * 3 + 7 + 1000
    assert given[0][0].tolist() == [0.0, 0.5, 0.0, 2.0]
    for other in (
        {"given": read_only(np.array([0.5, 2.0]))}, {"factor": 3}, {"factor": np.float32(3)}, {"factor": np.int8(3)},
        {"flag": np.True_}, {"number": np.uint8(7)}, {"number": np.int64(7)},
    ):  # fmt: skip
        assert probe.total(*arguments(**other)) == 2.5 * 3 + 7 + 1000
    assert probe.several(2, 3) == (3, 6.0, True)
    assert probe.deep(np.full((1, 1, 1), 5), np.uint64(2**64 - 6)) == 2**64 - 1
    assert probe.deep(np.full((1, 1, 1), 5), 1) == 6
    assert not kernels


OTHER = {
    "indices of int32": {"by": np.array([1, 3], dtype=np.int32)},
    "indices of int64": {"by": np.array([1, 3])},
    "in the order of Fortran": {"weights": np.zeros((2, 4), order="F")},
    "every other one": {"given": np.array([0.5, 9.0, 2.0, 9.0])[::2]},
    "backwards": {"given": np.array([2.0, 0.5])[::-1]},
    "misaligned": {"weights": misaligned(np.zeros((2, 4)))},
    "misaligned indices": {"by": misaligned(np.array([1, 3], dtype=np.uint32))},
    "half floats": {"given": np.array([0.5, 2.0], dtype=np.float32)},
    "a complex number": {"factor": 3 + 0j},
}


@pytest.mark.parametrize("other", OTHER)
def test_what_a_kernel_was_not_compiled_for_is_left_to_numba(other, kernels):
    """It is refused before anything is touched, and Numba compiles for it."""
    given = arguments(**OTHER[other])
    assert probe.total(*given) == 2.5 * 3 + 7 + 1000
    assert given[0][0].tolist() == [0.0, 0.5, 0.0, 2.0]
    assert kernels == ["total"]


def test_what_nobody_can_take_is_refused_with_numbas_words(kernels):
    from numba.core.errors import NumbaError

    nothing = np.zeros((2, 4))
    swapped = np.array([0.5, 2.0]).astype(np.dtype(np.float64).newbyteorder())
    for wrong in (
        {"weights": read_only(np.zeros((2, 4)))}, {"given": swapped}, {"weights": np.zeros(4)}, {"by": {1: 3}},
        {"factor": "3"}, {"number": None}, {"given": None}, {"weights": np.zeros((2, 4), dtype=object)},
    ):  # fmt: skip
        with pytest.raises((NumbaError, TypeError, NotImplementedError)):
            probe.total(*arguments(**wrong))
    assert kernels == ["total"] * 8
    for number in (2**63, -(2**63) - 1):
        with pytest.raises(OverflowError):
            probe.total(*arguments(weights=nothing, number=number))
    assert not nothing.any()


def test_the_number_of_arguments(kernels):
    for given in ([], arguments()[:-1], [*arguments(), 1]):
        with pytest.raises(TypeError, match="argument"):
            probe.total(*given)
    assert probe.several(b=3.0, a=2) == (3, 6.0, True)  # names are Numba's business
    assert kernels == ["total"] * 3


@pytest.mark.parametrize(
    ("which", "kind", "text"), [(1, ValueError, "it is one"), (2, OverflowError, ""), (3, KeyError, "('a', 3)")]
)
def test_exceptions_have_their_type_and_text(which, kind, text, kernels):
    with pytest.raises(kind, match=f"^{re.escape(text)}$") as caught:
        probe.failing(which)
    assert type(caught.value) is kind
    assert not kernels
    assert probe.failing(5) == 5


def test_exceptions_with_arguments_that_were_not_known_say_that_a_kernel_failed(kernels):
    """Kernels here raise none such, but for a slice of another shape, which would be a fault of their own."""
    with pytest.raises(RuntimeError, match="a kernel failed with status 1"):
        probe.failing(4)
    with pytest.raises(RuntimeError, match="a kernel failed with status 1"):
        probe.shaped(np.zeros(1), 1)
    assert not kernels


def test_memory_that_is_not_there(kernels):
    assert probe.allocated(3) == 3
    for count in (2**60, 2**62):
        with pytest.raises((MemoryError, ValueError)) as caught:
            probe.allocated(count)
        with pytest.raises(type(caught.value), match=re.escape(str(caught.value))):
            probe.allocated.dispatcher(count)
    with pytest.raises(ValueError, match="negative dimensions not allowed"):
        probe.allocated(-1)
    assert not kernels


def test_other_threads_run_meanwhile(kernels):
    """The kernel takes a second or so; another thread, which holds Python's lock now and then, goes on."""
    steps = 1 << 20
    while True:
        began = perf_counter()
        probe.waiting(steps)
        if perf_counter() - began > 0.3:
            break
        steps *= 2
    ended, counted = Event(), []

    def count():
        while not ended.is_set():
            counted.append(perf_counter())
            ended.wait(0.005)

    thread = Thread(target=count)
    thread.start()
    began = perf_counter()
    probe.waiting(steps)
    until = perf_counter()
    ended.set()
    thread.join()
    assert len([at for at in counted if began < at < until]) > 5
    assert not kernels


@pytest.mark.skipif(ahead.native is None, reason="there is no extension module")
def test_the_kernels_of_the_engine_refuse_and_fall_back_likewise():
    """The same block with indices of int32, as SciPy has them, straight into the kernel."""
    said = []
    for dtype in (np.uint32, np.int32):
        weights, predictions = np.zeros((1, 3)), np.zeros(2, dtype=np.uint8)
        kernel = duals.learn
        assert isinstance(kernel, Kernel) and kernel.ahead is not None
        given = (
            np.array([0, 1, 2]), np.array([0, 1], dtype=dtype), np.zeros(0), np.array([1, 0], dtype=np.uint8),
            np.zeros(0), weights, *numbers(), predictions,
        )  # fmt: skip
        assert (kernel.ahead(*given) is NotImplemented) == (dtype is np.int32)
        weights[:], predictions[:] = 0.0, 0
        given = (*given[:6], *numbers(), predictions)
        kernel(*given)
        said.append((predictions.tolist(), weights.tolist()))
    assert said[0] == said[1]


def numbers():
    """Return rule, kind, state and counts of a new Perceptron."""
    machine = ls.Perceptron().begin(2).machine
    return [array.copy() for array in (machine._rule, machine._kind, machine._state, machine._counts)]


@pytest.mark.skipif(ahead.native is None or not shutil.which("nm"), reason="no extension module, or no nm")
def test_the_module_asks_for_nothing_but_python_and_the_c_library():
    done = subprocess.run(["nm", "-D", ahead.native.__file__], capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    wanted = {name for *_, kind, name in lines if kind == "U"}
    assert not {name for name in wanted if not re.match(r"_?Py|.*@GLIBC", name)}
    assert {name for *_, kind, name in lines if kind in "TDBR"} == {"PyInit__native"}  # and shows nothing else
    library = ctypes.CDLL(ahead.native.__file__)
    assert not hasattr(library, "NRT_Allocate")
