"""Write the stubs of littlestone.sklearn and littlestone.river, whose classes are made from the learners."""

import inspect
import re
from pathlib import Path

from littlestone import river, sklearn
from littlestone.core.parameters import Options
from littlestone.learners.register import LEARNERS

SOURCE = Path(__file__).parents[1] / "src" / "littlestone"
SIMPLE = re.compile(r"(?:float|int|bool|str|None|Number|\s|\|)+")
MORE = {
    "max_iter": "int", "binarize": "float | None", "round_down": "bool", "n": "int | None",
    "labels": "tuple[Any, ...] | None",
}  # fmt: skip
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
    """Return a stub: every class with the true parameters of its learner, and their types where these are simple."""
    facade = {"sklearn": sklearn, "river": river}[name]
    parts = [f"from typing import Any\n\nfrom littlestone.core.rational import Number\n{HEADS[name]}"]
    for learner in sorted(LEARNERS.values(), key=lambda learner: learner.__name__):
        made = getattr(facade, f"{learner.__name__}Classifier", None)
        if made is None:
            continue
        own = inspect.get_annotations(learner.__init__)
        lines = []
        for parameter in list(inspect.signature(made).parameters.values()):
            told = MORE.get(parameter.name) or str(own.get(parameter.name) or Options.__annotations__[parameter.name])
            told = told.removeprefix("ForwardRef('").removesuffix("')").split("', module")[0]
            kind = told if SIMPLE.fullmatch(told) or parameter.name in MORE else "Any"
            lines.append(f"        {parameter.name}: {kind} = ...,\n")
        parts.append(
            f"class {made.__name__}({made.__base__.__name__}):\n    def __init__(\n        self,\n        *,\n"
            f"{''.join(lines)}    ) -> None: ...\n"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    for name in HEADS:
        (SOURCE / name / "__init__.pyi").write_text(page(name), encoding="utf-8")
