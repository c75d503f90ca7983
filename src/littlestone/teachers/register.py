"""The register: every teacher by the name that goes on a command line, and the disjunctions they follow."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import did_you_mean
from littlestone.core.spelling import meant
from littlestone.streams import Stream
from littlestone.teachers.base import Teacher
from littlestone.teachers.decision_list import DecisionList
from littlestone.teachers.greedy import Greedy
from littlestone.teachers.hadamard import Hadamard
from littlestone.teachers.kernel_trap import KernelTrap
from littlestone.teachers.kernel_trap_sample import KernelTrapSample
from littlestone.teachers.linear import Linear
from littlestone.teachers.model_m import ModelM
from littlestone.teachers.noise import AttributeNoise, LabelNoise
from littlestone.teachers.random import DNF, Disjunction, Shifting, Threshold
from littlestone.teachers.xor_features import XorFeatures

__all__ = ["NUMBERED", "TEACHERS", "by_name", "command_name", "disjunction_of"]


def command_name(teacher: type[Stream | Teacher]) -> str:
    """Return the name that goes on a command line: lower case, hyphened.

    >>> command_name(DecisionList), command_name(ModelM)
    ('decision-list', 'model-m')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", teacher.__name__).lower()


STREAMS = (Disjunction, Threshold, DNF, DecisionList, XorFeatures, Shifting, ModelM, KernelTrap, KernelTrapSample)
OPPONENTS = (Hadamard, Greedy)
TEACHERS: dict[str, type[Stream | Teacher]] = {command_name(teacher): teacher for teacher in (*STREAMS, *OPPONENTS)}
NUMBERED: dict[str, Callable[..., Any]] = {  # streams of numbers, for regressors
    "linear": Linear,
    "regression-sparse": Linear.sparse,
    "regression-dense": Linear.dense,
}


def disjunction_of(teacher: Stream | Teacher) -> list[int] | None:
    """Return the attributes of the disjunction that a teacher's labels follow but for noise; None: they follow none.

    >>> disjunction_of(LabelNoise(Disjunction(n=9, k=2), 0.1)), disjunction_of(DecisionList(3))
    ([0, 1], None)
    """
    if isinstance(teacher, LabelNoise | AttributeNoise):
        return disjunction_of(teacher.stream)
    if isinstance(teacher, Hadamard):
        return [int(i) for i in np.flatnonzero(np.asarray(teacher.target))]
    if isinstance(teacher, KernelTrap):
        return list(range(teacher.n_attributes)) if teacher.case == "disjunction" else None
    return [int(i) for i in teacher.target] if isinstance(teacher, Disjunction | XorFeatures | Greedy) else None


def by_name(name: str) -> type[Stream | Teacher]:
    """Return the teacher of this name, in any case, with hyphens, with underscores, or as its class is called.

    >>> by_name("xor-features").__name__, by_name("XorFeatures").__name__
    ('XorFeatures', 'XorFeatures')
    """
    found = meant(name, TEACHERS) if isinstance(name, str) else None
    if found is None:
        close = did_you_mean(str(name), TEACHERS)
        raise InvalidParameter(f"teacher: expected one of {', '.join(TEACHERS)}, got {name!r}", *filter(None, [close]))
    return TEACHERS[found]
