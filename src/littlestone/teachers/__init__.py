"""Who choose the examples: at random, or against the learner. Each is imported when it is asked for.

`TEACHERS` has those that a command line can name, `NUMBERED` the streams of numbers, for regressors.

>>> from littlestone.teachers import TEACHERS
>>> TEACHERS["hadamard"](d=3)
Hadamard(order=8, k=1)
>>> from littlestone.teachers import NUMBERED
>>> NUMBERED["regression-sparse"](n=100)
Linear(n=100, k=5, weights='signs', rows='dense', trials=10000, seed=0)
"""

from littlestone.core.lazy import importer, in_order

_PLACES = {
    "base": "Teacher View",
    "decision_list": "DecisionList",
    "greedy": "Greedy",
    "hadamard": "Hadamard hadamard_matrix",
    "kernel_trap": "KernelTrap",
    "kernel_trap_sample": "KernelTrapSample",
    "linear": "Linear Sizes",
    "model_m": "ModelM",
    "noise": "AttributeNoise LabelNoise",
    "random": "DNF Disjunction Shifting Threshold",
    "register": "NUMBERED TEACHERS by_name command_name disjunction_of",
    "set_systems": "lemma5 sparse_sets",
    "xor_features": "XorFeatures",
}
_HOME = {name: f"littlestone.teachers.{place}" for place, names in _PLACES.items() for name in names.split()}


__getattr__ = importer("littlestone.teachers", _HOME)


def __dir__() -> list[str]:
    return in_order(_HOME)
