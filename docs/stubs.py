"""Write the stubs: names that are imported, or made from the learners, when they are asked for; and their types."""

import inspect
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

from littlestone import river, sklearn
from littlestone.learners.register import can_be_named, ours

SOURCE = Path(__file__).parents[1] / "src" / "littlestone"
SIMPLE = re.compile(r"(?:float|int|bool|str|None|Number|\s|\|)+")
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
from littlestone.sklearn._many import ManyClassifier as ManyClassifier
from littlestone.sklearn.vocabulary_vectorizer import VocabularyVectorizer as VocabularyVectorizer

EXCUSED: dict[str, dict[str, str]]
""",
    "river": """from littlestone.river._classifier import LearnerClassifier as LearnerClassifier
from littlestone.river._classifier import classifier as classifier
from littlestone.river._many import ManyClassifier as ManyClassifier
""",
}


def page(name: str) -> str:
    """Return the stub of a package, by its name inside littlestone; "": littlestone itself."""
    if name in HEADS:
        return facade(name)
    package = import_module(f"littlestone.{name}".rstrip("."))
    lines = imports(package) + ([] if name else ["", "__version__: str"])
    return "\n".join([*lines, ""])


def imports(package: ModuleType) -> list[str]:
    """Return a line for each public name: where it comes from."""
    found = []
    for name in package.__all__:
        thing = getattr(package, name)
        if inspect.ismodule(thing):
            place, _, inner = thing.__name__.rpartition(".")
        else:
            place, inner = package._HOME.get(name) or thing.__module__, name
        found.append((place, inner, name))
    found.sort(key=lambda one: (one[0], not one[1].isupper(), not one[1][0].isupper(), one[1].lower()))
    return [f"from {place} import {inner} as {name}" for place, inner, name in found]


def facade(name: str) -> str:
    """Return a stub: every class with the true parameters of its learner, and their types where these are simple."""
    facade = {"sklearn": sklearn, "river": river}[name]
    parts = [f"from typing import Any\n\nfrom littlestone.core.rational import Number\n{HEADS[name]}"]
    for called, learner in sorted(ours().items()):
        if not can_be_named(learner):
            continue
        made = getattr(facade, f"{called}Classifier")
        own = learner.parameters()
        lines = []
        for parameter in list(inspect.signature(made).parameters.values()):
            told = MORE.get(parameter.name) or own[parameter.name].type
            kind = told if SIMPLE.fullmatch(told) or parameter.name in MORE else "Any"
            lines.append(f"        {parameter.name}: {kind} = ...,\n")
        parts.append(
            f"class {made.__name__}({made.__base__.__name__}):\n    def __init__(\n        self,\n        *,\n"
            f"{''.join(lines)}    ) -> None: ...\n"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    for name in ("", "learners", "streams", *HEADS):
        (SOURCE / name / "__init__.pyi").write_text(page(name), encoding="utf-8")
