"""Write the stubs: names that are imported, or made from the learners, when they are asked for; and their types."""

import inspect
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

from littlestone.learners.base import Learner
from littlestone.learners.register import can_be_named, ours

SOURCE = Path(__file__).parents[1] / "src" / "littlestone"
SIMPLE = re.compile(r"(?:float|int|bool|str|None|Number|\s|\|)+")
PACKAGES = ("", "bounds", "learners", "streams", "teachers", "theory.drift")
# The parameters of classifiers besides those of learners, by the class that has them in a stub
SHARED = {"Binarized": ("binarize", "float | None"), "RoundedDown": ("round_down", "bool")}
HEADS = {
    "sklearn": """from typing import dataclass_transform

from littlestone.models import options
from littlestone.sklearn._classifier import LearnerClassifier as LearnerClassifier
from littlestone.sklearn._classifier import classifier as classifier
from littlestone.sklearn._variants import ManyClassifier as ManyClassifier
from littlestone.sklearn.vocabulary_vectorizer import VocabularyVectorizer as VocabularyVectorizer

EXCUSED: dict[str, dict[str, str]]

@dataclass_transform(kw_only_default=True)
class _Options: ...

class _Sklearn(_Options):
    max_iter: int = ...
""",
    "river": """from typing import Any, dataclass_transform

from littlestone.models import options
from littlestone.river._classifier import LearnerClassifier as LearnerClassifier
from littlestone.river._classifier import classifier as classifier
from littlestone.river._variants import ManyClassifier as ManyClassifier

@dataclass_transform(kw_only_default=True)
class _Options: ...

class _River(_Options):
    n: int | None = ...
    labels: tuple[Any, ...] | None = ...
""",
}
OPTIONS = """\
# The parameters of each learner, which its classifiers for scikit-learn and river share; for type checkers alone:
# at run time there is no such module.

from typing import Any, dataclass_transform

from littlestone.core.rational import Number

@dataclass_transform(kw_only_default=True)
class Options: ...
"""


def stub(name: str) -> Path:
    """Return the file of a stub."""
    return SOURCE / "models" / "options.pyi" if name == "options" else SOURCE / name.replace(".", "/") / "__init__.pyi"


def page(name: str) -> str:
    """Return a stub by its name inside littlestone; "": littlestone itself, "options": the learners' parameters."""
    if name in HEADS:
        return facade(name)
    if name == "options":
        return options()
    package = import_module(f"littlestone.{name}".rstrip("."))
    return "\n".join([*imports(package), *([] if name else ["", "__version__: str"]), ""])


def imports(package: ModuleType) -> list[str]:
    """Return a line for each public name: where it comes from."""
    homes = {**package._HOME, **{name: learner.__module__ for name, learner in ours().items()}}
    found = []
    for name in package.__all__:
        thing = getattr(package, name)
        if inspect.ismodule(thing):
            place, _, inner = thing.__name__.rpartition(".")
        else:
            place, inner = homes.get(name) or thing.__module__, name
        found.append((place, inner, name))
    found.sort(key=lambda one: (one[0], not one[1].isupper(), not one[1][0].isupper(), one[1].lower()))
    lines = [f"from {place} import {inner} as {name}" for place, inner, name in found]
    # As the formatter would have it: too long a line is three
    return [re.sub(r" import (.*)", r" import (\n    \1,\n)", line) if len(line) > 120 else line for line in lines]


def named() -> dict[str, type[Learner]]:
    """Return the learners that have classifiers."""
    return {name: learner for name, learner in sorted(ours().items()) if can_be_named(learner)}


def declared(learner: type[Learner]) -> tuple[str, list[str]]:
    """Return the class that a learner has parameters from in a stub, and the lines of its own ones."""
    own, base = learner.parameters(), "Options"
    for parent in learner.__mro__[1:]:
        theirs = parent.parameters() if issubclass(parent, Learner) else {}
        if theirs and all(name in own and own[name].type == one.type for name, one in theirs.items()):
            base, own = parent.__name__, {name: one for name, one in own.items() if name not in theirs}
            break
    types = {name: one.type if SIMPLE.fullmatch(one.type) else "Any" for name, one in own.items()}
    return base, [f"    {name}: {kind} = ...\n" for name, kind in types.items()]


def options() -> str:
    """Return a class for each learner that has parameters, with their types where these are simple."""
    parts = {name: f"class {name}(Options):\n    {one}: {kind} = ...\n" for name, (one, kind) in SHARED.items()}
    for learner in named().values():
        for kind in reversed(learner.__mro__):
            base, lines = declared(kind) if issubclass(kind, Learner) else ("", [])
            if lines:
                parts.setdefault(kind.__name__, f"class {kind.__name__}({base}):\n{''.join(lines)}")
    return "\n".join([OPTIONS, *parts.values()])


def facade(name: str) -> str:
    """Return a stub: every class with the parameters of its learner and those of the host."""
    package, lines = import_module(f"littlestone.{name}"), []
    for called, learner in named().items():
        made = getattr(package, f"{called}Classifier")
        base, own = declared(learner)
        bases = [f"options.{called if own else base}"] if own or base != "Options" else []
        bases += [
            f"options.{shared}" for shared, (one, _) in SHARED.items() if one in inspect.signature(made).parameters
        ]
        lines.append(f"class {made.__name__}({', '.join([*bases, f'_{name.title()}', made.__base__.__name__])}): ...\n")
    return "\n".join([HEADS[name], "".join(lines)])


if __name__ == "__main__":
    for name in (*PACKAGES, *HEADS, "options"):
        stub(name).write_text(page(name), encoding="utf-8")
