"""How a contest of regressors is printed: one line for each, its loss beside its regret and its bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlestone.cli._contest_table import bound_cell, spread_cells
from littlestone.core.amounts import amount
from littlestone.theory.hindsight import BestWeights
from littlestone.theory.hindsight.regret import class_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from littlestone.theory.contests import Contest, Entry

__all__ = ["loss_cells", "loss_headings", "loss_notes"]


def loss_headings(played: Contest) -> list[str]:
    """Return the headings between the names of the learners and the theorems."""
    spread = ("mean", "± s.d.", "from the best (95%)") if played.permutations else ()
    return ["loss", "RMSE", *spread, "regret", "bound", "ratio", "ms"]


def loss_cells(played: Contest, entry: Entry) -> list[str]:
    """Return a learner's cells, the theorem last."""
    run, verdict = (entry.runs[0] if entry.runs else None), entry.verdict.as_dict()
    ms = "-" if entry.seconds is None else f"{1000 * entry.seconds:.1f}"
    rmse = "-" if run is None else f"{run.rmse:.4g}"
    spread = spread_cells(played, entry) if played.permutations else []
    ratio, bound = played.ratio(entry), entry.verdict.bound
    theorem = "-"
    if run is not None and bound is not None:
        of = "" if bound.of == "loss" else f", on the {bound.of}"
        theorem = f"{bound.theorem} ({bound.assumes}{of})"
    shown = "-" if ratio is None else f"{ratio:.2g}"
    regret, value = verdict.get("regret"), None if bound is None else bound.value
    return [entry.name, amount(entry.loss), rmse, *spread, amount(regret), bound_cell(value), shown, ms, theorem]


def loss_notes(played: Contest) -> Iterator[str]:
    """Yield what the columns mean, and the best weights of each class."""
    yield f"Loss: {played.measure}, of predictions made before the outcome was known."
    unknown: dict[str, list[str]] = {}
    for entry in played.entries:
        if why := getattr(entry.verdict, "no_regret", None):
            unknown.setdefault(why, []).append(entry.name)
    for why, names in unknown.items():
        yield f"No regret for {', '.join(names)}: {why}"
    against: dict[tuple[str, float | None], tuple[float, float, list[str]]] = {}
    for entry in played.entries:
        found = entry.verdict.comparator
        if isinstance(found, BestWeights):
            against.setdefault((found.kind, found.U), (found.loss, found.gap, []))[2].append(entry.name)
    for (kind, U), (loss, gap, names) in against.items():
        of = class_in_words(kind, U)
        proof = "" if gap <= 1e-6 * max(1.0, loss) else f", proved to {amount(gap)} from the best"
        yield f"Regret of {', '.join(names)}: beyond the best of {of}, which lose {amount(loss)}{proof}."
