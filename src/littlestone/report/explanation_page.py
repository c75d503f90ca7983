"""An explanation as a page: what a model has learned, or why it decides as it does on one row."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import PurePath

from littlestone.core.errors import InvalidParameter
from littlestone.models.explanation import Explained, Explanation, Reasons
from littlestone.report.cards.models import explained_card, explanation_card
from littlestone.report.cards.reasons import reasons_card
from littlestone.report.page import page

__all__ = ["explanation_page"]


def explanation_page(found: Reasons | Explanation | Explained, *, model: str = "", command: str = "") -> str:
    """Return an explanation as one HTML page that needs no network and no scripts.

    ``model`` is the file of the model, ``command`` what was typed. The same explanation gives the same bytes.

    >>> import littlestone as ls
    >>> rows = [{"note": "win <now>", "class": "spam"}, {"note": "lunch?", "class": "ham"}] * 20
    >>> trained = ls.Model.train(rows, label="class", text="note")
    >>> text = explanation_page(trained.explain("WIN <b>"), model="mail.npz")
    >>> "mail.npz predicts spam" in text, "WIN</mark> &lt;" in text
    (True, True)
    """
    if not isinstance(found, Reasons | Explanation | Explained):
        raise InvalidParameter(f"report: expected what explain returns, got {type(found).__name__}")
    name = PurePath(model).name
    if isinstance(found, Reasons):
        card, title = reasons_card(found), f"{name or 'The model'} predicts {found.prediction!s}"
    elif isinstance(found, Explained):
        card, title = explained_card(found), f"{name or 'The learner'} predicts {found.prediction!s}"
    else:
        card, title = explanation_card(found), f"What {name or 'the learner'} has learned"
    return page(
        "report/templates/explanation.html",
        title=title,
        footer=f"Made by littlestone {version('littlestone')}.",
        lead=card.lead if isinstance(found, Explanation) else "",
        known={"Model": model, "Learner": found.learner} | dict(card.facts),
        command=command,
        card=card,
    )
