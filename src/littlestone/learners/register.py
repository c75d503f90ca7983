"""The register: every learner by the name that goes on a command line, imported when it is asked for."""

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import cast

from littlestone.core.errors import InvalidParameter
from littlestone.learners.base import Learner

__all__ = ["COMPOSITES", "LEARNERS", "by_name", "command_name"]

CLASSES = (
    "Perceptron", "Winnow", "BalancedWinnow", "NormalizedWinnow", "ThresholdedBEG", "BayesBEG", "Elimination", "PNorm",
    "QuasiAdditive", "DirectBayes", "WeightedMajority", "NaiveBayes", "SBSB", "SASB", "Ellipsoid", "VolumetricCenter",
    "KernelPerceptron", "KernelWinnow", "GrowingWinnow", "BoxWinnow", "DirectedDrift", "Bounded",
    "WinnerTakesAll", "MulticlassPerceptron",
    "SecondOrderPerceptron", "ConfidenceWeighted", "AROW", "NAROW", "NHERD", "SCW", "Adagrad",
    "PassiveAggressive", "ALMA", "ROMMA", "OGD", "VotedPerceptron", "ModifiedBalancedWinnow", "ShiftingWinnow",
    "Auto",
)  # fmt: skip


def command_name(learner: type[Learner]) -> str:
    """Return the name that goes on a command line: lower case, hyphened.

    >>> from littlestone.learners import PNorm, ThresholdedBEG
    >>> command_name(PNorm), command_name(ThresholdedBEG)
    ('p-norm', 'thresholded-beg')
    """
    return _hyphened(learner.__name__)


def _hyphened(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=^P)(?=Norm)", "-", name).lower()


class _Register(Mapping[str, type[Learner]]):
    """Names and classes; a class is imported when its name is looked up."""

    def __init__(self, classes: Iterable[str]) -> None:
        self._classes = {_hyphened(name): name for name in classes}

    def __getitem__(self, name: str) -> type[Learner]:
        found = self._classes[name]
        return cast("type[Learner]", getattr(import_module("littlestone.learners"), found))

    def __contains__(self, name: object) -> bool:
        return name in self._classes

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)


LEARNERS: Mapping[str, type[Learner]] = _Register(CLASSES)
# What is made of learners: it goes into model files by name, but no command line can say what it is made of
COMPOSITES: Mapping[str, type[Learner]] = _Register(("Experts", "Delayed", "Calibrated"))


def by_name(name: str) -> type[Learner]:
    """Return the learner that goes by ``name`` on a command line.

    >>> by_name("balanced-winnow").__name__
    'BalancedWinnow'
    """
    if name not in LEARNERS:
        raise InvalidParameter(f"learner: expected one of {', '.join(LEARNERS)}, got {name!r}")
    return LEARNERS[name]
