"""Write the stubs: names that are imported, or made from the learners, when they are asked for; and their types."""

import inspect
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

from littlestone.learners.register import can_be_named, ours
from littlestone.learners.regressors.register import our_regressors
from littlestone.models.facade import called

SOURCE = Path(__file__).parents[1] / "src" / "littlestone"
SIMPLE = re.compile(r"(?:float|int|bool|str|None|Number|\s|\|)+")
PACKAGES = ("", "bounds", "learners", "learners.regressors", "streams", "teachers", "theory.drift")
# The parameters of estimators besides those of learners
MORE = {
    "max_iter": "int",
    "binarize": "float | None",
    "round_down": "bool",
    "n": "int | None",
    "labels": "tuple[Any, ...] | None",
}
HEADS = {
    "sklearn": """from littlestone.sklearn._classifier import LearnerClassifier as LearnerClassifier
from littlestone.sklearn._classifier import classifier as classifier
from littlestone.sklearn._regressor import LearnerRegressor as LearnerRegressor
from littlestone.sklearn._regressor import regressor as regressor
from littlestone.sklearn._variants import ManyClassifier as ManyClassifier
from littlestone.sklearn.vocabulary_vectorizer import VocabularyVectorizer as VocabularyVectorizer

EXCUSED: dict[str, dict[str, str]]
""",
    "river": """from littlestone.river._classifier import LearnerClassifier as LearnerClassifier
from littlestone.river._classifier import classifier as classifier
from littlestone.river._regressor import LearnerRegressor as LearnerRegressor
from littlestone.river._regressor import regressor as regressor
from littlestone.river._variants import ManyClassifier as ManyClassifier
""",
}


def stub(name: str) -> Path:
    """Return the file of a stub."""
    return SOURCE / name.replace(".", "/") / "__init__.pyi"


def page(name: str) -> str:
    """Return the stub of a package, by its name inside littlestone; "": littlestone itself."""
    if name in HEADS:
        return facade(name)
    package = import_module(f"littlestone.{name}".rstrip("."))
    return "\n".join([*imports(package), *([] if name else ["", "__version__: str"]), ""])


def imports(package: ModuleType) -> list[str]:
    """Return a line for each public name: where it comes from."""
    homes = {**package._HOME, **{name: learner.__module__ for name, learner in {**ours(), **our_regressors()}.items()}}
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


def facade(name: str) -> str:
    """Return a stub: every class with the true parameters of its learner, and their types where these are simple.

    Each has an ``__init__`` of its own: the hosts' base classes have no types, and where the parameters came from other
    base classes, type checkers would let misspelt ones pass.
    """
    package = import_module(f"littlestone.{name}")
    parts = [f"from typing import Any\n\nfrom littlestone.core.rational import Number\n{HEADS[name]}"]
    for _, learner in (*sorted(ours().items()), *sorted(our_regressors().items())):
        if not can_be_named(learner):
            continue
        made = getattr(package, called(learner))
        types = {key: one.type if SIMPLE.fullmatch(one.type) else "Any" for key, one in learner.parameters().items()}
        lines = "".join(f"        {one}: {(types | MORE)[one]} = ...,\n" for one in inspect.signature(made).parameters)
        head = f"class {made.__name__}({made.__base__.__name__}):\n    def __init__(\n        self,\n        *,\n"
        parts.append(f"{head}{lines}    ) -> None: ...\n")
    return "\n".join(parts)


if __name__ == "__main__":
    for name in (*PACKAGES, *HEADS):
        stub(name).write_text(page(name), encoding="utf-8")
