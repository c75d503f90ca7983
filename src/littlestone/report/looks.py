"""How each kind of thing looks: its card in notebooks and its plot. A new kind is one line more here.

Its class is `Shown` or `Plotted` (`littlestone.core.display`), and a function makes a `Card` of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from littlestone.bounds import Bound, OpenBound, VoidBound
from littlestone.core.display import register
from littlestone.games.certificates import Certificate, LossCertificate
from littlestone.games.evaluation import Evaluation, RegressionEvaluation
from littlestone.games.loss_run import LossRun
from littlestone.games.run import Run
from littlestone.learners import Learner
from littlestone.models.explanation import Explained, Explanation, Reasons
from littlestone.models.model import Model
from littlestone.report.cards.card import Card, html_of
from littlestone.report.cards.complete import model_card
from littlestone.report.cards.evaluations import evaluation_card, numbers_card
from littlestone.report.cards.games import (
    bound_card,
    certificate_card,
    contest_card,
    loss_certificate_card,
    run_card,
)
from littlestone.report.cards.losses import loss_run_card
from littlestone.report.cards.models import explained_card, explanation_card, learner_card
from littlestone.report.cards.reasons import reasons_card
from littlestone.report.plots.contests import plot_contest
from littlestone.report.plots.evaluations import plot_evaluation
from littlestone.report.plots.losses import plot_loss_run
from littlestone.report.plots.runs import plot_run
from littlestone.report.plots.weights import plot_explained, plot_explanation, plot_learner, plot_model, plot_reasons
from littlestone.theory.contests import Contest

__all__ = ["look"]


def look(kind: type, card: Callable[[Any], Card], plot: Callable[..., Any] | None = None) -> None:
    """Say by which card and which plot a kind of thing is shown.

    >>> from littlestone.core.display import Shown
    >>> class Point(Shown):
    ...     pass
    >>> look(Point, lambda point: Card("A point"))
    >>> "A point" in Point()._repr_html_()
    True
    """
    register(kind, html=lambda thing: html_of(card(thing)), plot=plot)


look(Bound, bound_card)
look(OpenBound, bound_card)
look(VoidBound, bound_card)
look(Certificate, certificate_card)
look(Contest, contest_card, plot_contest)
look(LossCertificate, loss_certificate_card)
look(Evaluation, evaluation_card, plot_evaluation)
look(RegressionEvaluation, numbers_card)
look(Explained, explained_card, plot_explained)
look(Explanation, explanation_card, plot_explanation)
look(Learner, learner_card, plot_learner)
look(LossRun, loss_run_card, plot_loss_run)
look(Model, model_card, plot_model)
look(Reasons, reasons_card, plot_reasons)
look(Run, run_card, plot_run)
