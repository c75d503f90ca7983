"""One run of a regressor as a page and as text: what was played, what was lost, the curves, the theorem."""

from __future__ import annotations

from importlib.metadata import version
from math import isfinite
from typing import Any

from littlestone.core.amounts import amount
from littlestone.games.loss_run import LossRun
from littlestone.report.cards.card import claimed, counted
from littlestone.report.figure import Drawn, figure
from littlestone.report.page import page
from littlestone.report.plots.axes import legend
from littlestone.report.plots.losses import draw_loss_run, loss_limit

__all__ = ["loss_run_page", "loss_run_text"]


def loss_run_page(run: LossRun, *, command: str = "") -> str:
    """Return a run of a regressor as one HTML page, as `run_page` does.

    >>> import littlestone as ls
    >>> run = ls.play(ls.GradientDescent(), ls.teachers.Linear(n=20, k=2, trials=200))
    >>> loss_run_page(run).count("<figure>")
    2
    """
    return page(
        "report/templates/run.html",
        title=f"{run.learner} in {run.trials:,} trials",
        footer=f"Made by littlestone {version('littlestone')}.",
        lead=_lead(run),
        known=_facts(run),
        command=command,
        drawn=_curves(run) if run.trials else [],
        theorem=_theorem(run),
    )


def loss_run_text(run: LossRun) -> str:
    """Return a run of a regressor as lines of text.

    >>> import littlestone as ls
    >>> print(loss_run_text(ls.play(ls.GradientDescent(), ls.from_arrays([[1], [1]], [1.0, 2.0]))))
    GradientDescent() lost 3.25 in 2 trials, or 1.62 a trial.
    RMSE: 1.275; MAE: 1.25
    Updates: 2 (2 up, 0 down)
    Theorem: none is known to hold with these parameters.
    """
    errors = f"RMSE: {run.rmse:.4g}; MAE: {run.mae:.4g}"
    return "\n".join([_lead(run), errors, f"Updates: {_facts(run)['Updates']}", f"Theorem: {_theorem(run)}"])


def _lead(run: LossRun) -> str:
    share = f", or {amount(run.loss / run.trials)} a trial" if run.trials else ""
    return f"{run.learner} lost {amount(run.loss)} in {counted(run.trials, 'trial')}{share}."


def _facts(run: LossRun) -> dict[str, str]:
    return {
        "Learner": run.learner,
        "Examples": "" if run.stream is None else repr(run.stream),
        "Trials": f"{run.trials:,}",
        "Loss": f"{amount(run.loss)}, {run.measure}, of predictions made before the outcome came",
        "RMSE": f"{run.rmse:.4g}" if run.trials and isfinite(run.rmse) else "",
        "MAE": f"{run.mae:.4g}" if run.trials and isfinite(run.mae) else "",
        "Updates": f"{run.updates:,} ({run.promotions:,} up, {run.demotions:,} down)",
        "Milliseconds": f"{1000 * run.seconds:,.1f}, of learning alone",
    }


def _theorem(run: LossRun) -> str:
    return "none is known to hold with these parameters." if run.guarantee is None else claimed(f"{run.guarantee}.")


def _curves(run: LossRun) -> list[Drawn]:
    limit, lost = loss_limit(run), f"{amount(run.loss)} in {counted(run.trials, 'trial')}."
    bounded = "" if limit is None else f" The broken line is the bound: {claimed(str(limit))}."

    def draw(drawn: Any, axes: Any) -> None:
        draw_loss_run(run, drawn, axes, "loss", limit)
        if limit is not None:
            legend(drawn, axes, columns=1)

    return [
        figure(
            draw,
            name="losses",
            says=f"Loss against trials: {lost}{bounded}",
            caption="Loss against trials. A curve that turns flat has learned; a straight one pays for noise.",
        ),
        figure(
            lambda drawn, axes: draw_loss_run(run, drawn, axes, "rate"),
            name="rates",
            says=f"Loss per trial: {lost}",
            caption="Loss per trial so far; the axis of trials is logarithmic.",
        ),
    ]
