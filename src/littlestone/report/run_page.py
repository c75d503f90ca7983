"""One run as a page and as text: what was played, the counts, the curves, the theorem."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from littlestone.bounds import Bound
from littlestone.core.errors import InvalidParameter
from littlestone.games.loss_run import LossRun
from littlestone.games.run import Run
from littlestone.parts.changes import Change
from littlestone.report.cards.card import claimed, counted
from littlestone.report.cards.games import example_of
from littlestone.report.figure import Drawn, figure
from littlestone.report.loss_run_page import loss_run_page, loss_run_text
from littlestone.report.page import page
from littlestone.report.plots.axes import legend
from littlestone.report.plots.runs import draw_run, limit_of

__all__ = ["run_page", "run_text"]


def run_page(run: Run | LossRun, *, command: str = "") -> str:
    """Return a run as one HTML page that needs no network and no scripts; ``command`` is what was typed.

    The same run gives the same bytes, apart from times. It may be the run of a regressor.

    >>> import littlestone as ls
    >>> run = ls.play(ls.Winnow(), ls.teachers.Disjunction(n=100, k=3, trials=1000))
    >>> run_page(run).count("<figure>")
    2
    """
    if isinstance(run, LossRun):
        return loss_run_page(run, command=command)
    changes = _checked(run).changes()
    return page(
        "report/templates/run.html",
        title=f"{run.learner} in {run.trials:,} trials",
        footer=f"Made by littlestone {version('littlestone')}.",
        lead=_lead(run),
        known=_facts(run) | _told(changes),
        command=command,
        drawn=_curves(run, changes) if run.trials else [],
        theorem=_theorem(run),
    )


def run_text(run: Run | LossRun) -> str:
    """Return a run as lines of text.

    >>> import littlestone as ls
    >>> print(run_text(ls.play(ls.Perceptron(averaged=True), ls.from_arrays([[1, 1], [0, 1]], [1, 0]))))
    Perceptron(averaged=True) made 1 mistake in 2 trials, or 50.00%.
    Updates: 1 (0 promotions, 1 demotion)
    Theorem: none is known to hold with these parameters.
    """
    if isinstance(run, LossRun):
        return loss_run_text(run)
    facts = _facts(_checked(run))
    return "\n".join([_lead(run), f"Updates: {facts['Updates']}", f"Theorem: {_theorem(run)}"])


def _checked(run: Run) -> Run:
    if not isinstance(run, Run):
        raise InvalidParameter(f"report: expected a Run, as play returns it, got {type(run).__name__}")
    return run


def _lead(run: Run) -> str:
    share = f", or {100 * run.mistakes / run.trials:.2f}%" if run.trials else ""
    return f"{run.learner} made {counted(run.mistakes, 'mistake')} in {counted(run.trials, 'trial')}{share}."


def _facts(run: Run) -> dict[str, str]:
    steps = f"{counted(run.promotions, 'promotion')}, {counted(run.demotions, 'demotion')}"
    stream = None if run.played is None else run.played.stream
    facts = {
        "Learner": run.learner,
        "Examples": "" if stream is None else repr(stream),
        "Trials": f"{run.trials:,}",
        "Mistakes": f"{run.mistakes:,}",
        "Updates": f"{run.updates:,} ({steps})",
        "Milliseconds": f"{1000 * run.seconds:,.1f}, of learning alone",
    }
    if len(run.mistake_trials):
        facts["Last mistake"] = f"in trial {int(run.mistake_trials[-1]) + 1:,}"
    return facts


def _told(changes: Sequence[Change]) -> dict[str, str]:
    """Return where mistakes became more frequent, if they did."""
    each = (
        f"from about trial {one.began + 1:,} on: {100 * one.before:.1f}% before, {100 * one.after:.1f}% after"
        for one in changes
    )
    return {"More mistakes": "; ".join(each)} if changes else {}


def _theorem(run: Run) -> str:
    if run.guarantee is None:
        return "none is known to hold with these parameters."
    bound = run.guarantee
    if isinstance(bound, Bound):
        return claimed(f"{bound}.")
    example = example_of(bound, run.mistakes)
    return claimed(f"{bound.claim} if {bound.assumes}{example and f'; {example}'} ({bound.theorem}).")


def _curves(run: Run, changes: Sequence[Change]) -> list[Drawn]:
    limit, made = limit_of(run), f"{counted(run.mistakes, 'mistake')} in {counted(run.trials, 'trial')}."
    dotted = " Dotted: where mistakes became more frequent." if changes else ""
    bounded = "" if limit is None else f" The broken line is the bound: {claimed(str(limit))}."

    def draw(drawn: Any, axes: Any) -> None:
        draw_run(run, drawn, axes, "mistakes", limit, changes)
        if limit is not None:
            legend(drawn, axes, columns=1)

    return [
        figure(
            draw,
            name="mistakes",
            says=f"Mistakes against trials: {made}{bounded}",
            caption=f"Mistakes against trials. A curve that turns flat has learned.{dotted}",
        ),
        figure(
            lambda drawn, axes: draw_run(run, drawn, axes, "rate", changes=changes),
            name="rates",
            says=f"Mistakes per trial: {made}",
            caption="Mistakes per trial so far, in percent; the axis of trials is logarithmic.",
        ),
    ]
