"""Who choose the examples: at random, or against the learner. Each is imported when it is asked for."""

from typing import TYPE_CHECKING

from littlestone.core.lazy import importer
from littlestone.teachers.base import Teacher, View

if TYPE_CHECKING:
    from littlestone.teachers.decision_list import DecisionList
    from littlestone.teachers.dnf import DNF
    from littlestone.teachers.greedy import Greedy
    from littlestone.teachers.hadamard import Hadamard, hadamard_matrix
    from littlestone.teachers.kernel_trap import KernelTrap
    from littlestone.teachers.kernel_trap_sample import KernelTrapSample
    from littlestone.teachers.model_m import ModelM
    from littlestone.teachers.noise import AttributeNoise, LabelNoise
    from littlestone.teachers.random import Disjunction
    from littlestone.teachers.register import TEACHERS, by_name, command_name, disjunction_of
    from littlestone.teachers.set_systems import lemma5, sparse_sets
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
    "KernelTrap",
    "KernelTrapSample",
    "LabelNoise",
    "ModelM",
    "Shifting",
    "Teacher",
    "Threshold",
    "View",
    "XorFeatures",
    "by_name",
    "command_name",
    "disjunction_of",
    "hadamard_matrix",
    "lemma5",
    "sparse_sets",
]

_LATER = {
    "AttributeNoise": "noise",
    "DNF": "dnf",
    "DecisionList": "decision_list",
    "Disjunction": "random",
    "Greedy": "greedy",
    "Hadamard": "hadamard",
    "KernelTrap": "kernel_trap",
    "KernelTrapSample": "kernel_trap_sample",
    "LabelNoise": "noise",
    "ModelM": "model_m",
    "Shifting": "shifting",
    "TEACHERS": "register",
    "Threshold": "threshold",
    "XorFeatures": "xor_features",
    "by_name": "register",
    "command_name": "register",
    "disjunction_of": "register",
    "hadamard_matrix": "hadamard",
    "lemma5": "set_systems",
    "sparse_sets": "set_systems",
}


__getattr__ = importer("littlestone.teachers", {name: f"littlestone.teachers.{at}" for name, at in _LATER.items()})
