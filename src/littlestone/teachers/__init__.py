"""Who choose the examples: at random, or against the learner."""

import re

from littlestone.errors import InvalidParameter
from littlestone.streams import Stream
from littlestone.teachers.base import Teacher, View
from littlestone.teachers.decision_list import DecisionList
from littlestone.teachers.dnf import DNF
from littlestone.teachers.greedy import Greedy
from littlestone.teachers.hadamard import Hadamard, hadamard
from littlestone.teachers.model_m import ModelM
from littlestone.teachers.noise import AttributeNoise, LabelNoise
from littlestone.teachers.random import Disjunction
from littlestone.teachers.shifting import Shifting
from littlestone.teachers.threshold import Threshold
from littlestone.teachers.xor_features import XorFeatures

__all__ = [
    "DNF",
    "TEACHERS",
    "AttributeNoise",
    "DecisionList",
    "Disjunction",
    "Greedy",
    "Hadamard",
    "LabelNoise",
    "ModelM",
    "Shifting",
    "Teacher",
    "Threshold",
    "View",
    "XorFeatures",
    "by_name",
    "command_name",
    "hadamard",
]


def command_name(teacher: type[Stream | Teacher]) -> str:
    """Return the name that goes on a command line: lower case, hyphened.

    >>> command_name(DecisionList), command_name(ModelM)
    ('decision-list', 'model-m')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", teacher.__name__).lower()


TEACHERS: dict[str, type[Stream | Teacher]] = {
    command_name(teacher): teacher
    for teacher in (Disjunction, Threshold, DNF, DecisionList, XorFeatures, Shifting, ModelM, Hadamard, Greedy)
}


def by_name(name: str) -> type[Stream | Teacher]:
    """Return the teacher that goes by ``name`` on a command line.

    >>> by_name("xor-features").__name__
    'XorFeatures'
    """
    if name not in TEACHERS:
        raise InvalidParameter(f"teacher: expected one of {', '.join(TEACHERS)}, got {name!r}")
    return TEACHERS[name]
