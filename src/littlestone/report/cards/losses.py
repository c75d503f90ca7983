"""Card of a run of a regressor."""

from __future__ import annotations

from littlestone.core.amounts import amount
from littlestone.games.loss_run import LossRun
from littlestone.report.cards.card import Card, Curve, claimed, counted
from littlestone.report.plots.losses import loss_limit, points_of
from littlestone.report.plots.runs import FAR

__all__ = ["loss_run_card"]

SMALL = 80  # points of a curve


def loss_run_card(run: LossRun) -> Card:
    """Return the card of a run: the loss, the errors, the bound, the curve.

    >>> import littlestone as ls
    >>> card = loss_run_card(ls.play(ls.GradientDescent(), ls.from_arrays([[1], [1]], [1.0, 2.0])))
    >>> card.lead, card.facts["RMSE"]
    ('3.25 lost (square loss) in 2 trials, or 1.62 a trial', '1.275')
    """
    share = f", or {amount(run.loss / run.trials)} a trial" if run.trials else ""
    facts = _bound(run)
    if run.trials:
        facts |= {"RMSE": f"{run.rmse:.4g}", "MAE": f"{run.mae:.4g}"}
    facts["Updates"] = f"{run.updates:,} ({run.promotions:,} up, {run.demotions:,} down)"
    facts["Milliseconds"] = f"{1000 * run.seconds:,.1f}, of learning alone"
    lead = f"{amount(run.loss)} lost ({run.measure} loss) in {counted(run.trials, 'trial')}{share}"
    return Card(run.learner, lead, facts, curve=_curve(run) if run.trials and run.loss > 0.0 else None)


def _bound(run: LossRun) -> dict[str, str]:
    bound = run.guarantee
    if bound is None:
        return {"Bound": "none is known to hold with these parameters"}
    return {"Bound": claimed(bound.claim), "if": claimed(bound.assumes), "by": bound.theorem}


def _curve(run: LossRun) -> Curve:
    """Return the curve of losses, small; and the line of the bound where it is not far above."""
    points = points_of(run, SMALL)
    losses, limit = run.curve()[points - 1], loss_limit(run)
    near = limit is not None and limit.value <= FAR * run.loss
    top = max(run.loss, limit.value if near else 0.0) * 1.03
    places = zip((400 * points / run.trials).tolist(), (80 - 80 * losses / top).tolist(), strict=True)
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in [(0.0, 80.0), *places])
    bound = f"M0 {80 - 80 * limit.value / top:.1f}H400" if near else ""
    return Curve(line, bound, "loss over trials" + (", and the bound (broken line)" if bound else ""))
