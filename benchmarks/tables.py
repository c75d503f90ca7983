"""`Model.train` without options beside scikit-learn's pipelines, tuned by cross-validation, on tables.

    python benchmarks/tables.py [--write]

The tables are scikit-learn's and river's bundled ones, and one of mixed columns with a known rule (ls.datasets.people).
Of each, shuffled by a seed, the first four fifths are learned from and the rest are predicted. The rivals scale
numbers, make categories one-hot, and fit logistic regression or SGD; their parameters are chosen by cross-validation on
what is learned from. Ours reads what is learned from once, in order, with nothing set.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import littlestone as ls
from common import versions

SEEDS = range(8)
OURS, MANY = "Model.train", "Model.train, 3 passes"
PAGE = Path(__file__).with_name("RESULTS-tables.md")


def tables() -> Iterator[tuple[str, Any]]:
    """Yield the tables, each as a frame whose last column is the label."""
    import pandas as pd
    from river import datasets as of_river
    from sklearn import datasets as of_sklearn

    made = ls.datasets.people(rows=4000)
    yield "people (made, mixed)", pd.DataFrame(made.rows, columns=made.columns)
    for name in ("breast_cancer", "wine", "iris", "digits"):
        found = getattr(of_sklearn, f"load_{name}")(as_frame=True)
        frame = found.frame.drop(columns="target")
        yield name, frame.assign(label=[f"class {label}" for label in found.target])
    for name in ("Phishing", "Bananas", "ImageSegments"):
        rows = [{**x, "label": f"class {y}"} for x, y in getattr(of_river, name)()]
        yield name, pd.DataFrame(rows)


def rivals() -> dict[str, Any]:
    """Return scikit-learn's pipelines, by name."""
    import numpy as np
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.linear_model import LogisticRegression, SGDClassifier
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    def pipeline(estimator: Any, grid: dict[str, list[Any]]) -> Any:
        prepared = make_column_transformer(
            (StandardScaler(), make_column_selector(dtype_include=np.number)),
            (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude=np.number)),
        )
        named = type(estimator).__name__.lower()
        chosen = {f"{named}__{name}": values for name, values in grid.items()}
        return GridSearchCV(make_pipeline(prepared, estimator), chosen, cv=3)

    return {
        "LogisticRegression": pipeline(LogisticRegression(max_iter=2000), {"C": [0.1, 1.0, 10.0]}),
        "SGDClassifier": pipeline(
            SGDClassifier(random_state=0), {"alpha": [1e-4, 1e-3, 1e-2], "loss": ["hinge", "log_loss"]}
        ),
    }


def errors(frame: Any) -> dict[str, float]:
    """Return everybody's error, the mean of all seeds."""
    label = frame.columns[-1]
    found: dict[str, list[float]] = {}
    for seed in SEEDS:
        shuffled = frame.sample(frac=1, random_state=seed).reset_index(drop=True)
        cut = len(shuffled) * 4 // 5
        learned, new = shuffled[:cut], shuffled[cut:]
        for name, rival in rivals().items():
            rival.fit(learned.drop(columns=label), learned[label])
            found.setdefault(name, []).append(1.0 - rival.score(new.drop(columns=label), new[label]))
        for name, passes in ((OURS, 1), (MANY, 3)):
            model = ls.Model.train(learned, label=label, passes=passes)
            found.setdefault(name, []).append(1.0 - model.evaluate(new).accuracy)
    return {name: mean(each) for name, each in found.items()}


def page() -> str:
    """Measure, and return the page."""
    lines = [
        "# Tables, beside scikit-learn's pipelines", "",
        f"Written by `python benchmarks/tables.py --write`, which says how. Means of {len(SEEDS)} seeds.", "",
        versions("numpy", "scikit-learn", "river", "pandas"), "",
        "| table | rows | LogisticRegression | SGDClassifier | ours | times the better | ours, 3 passes |",
        "|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for name, frame in tables():
        found = errors(frame)
        best = min(found["LogisticRegression"], found["SGDClassifier"])
        ratio = f"{found[OURS] / best:.2f}" if best else "-"
        cells = [f"{found[who]:.4f}" for who in ("LogisticRegression", "SGDClassifier", OURS)]
        lines.append(f"| {name} | {len(frame):,} | {' | '.join(cells)} | {ratio} | {found[MANY]:.4f} |")
        print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of solvers that stop early
    found = page()
    if options.write:
        PAGE.write_text(found, encoding="utf-8")


if __name__ == "__main__":
    main()
