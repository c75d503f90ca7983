"""An explanation as a page: of a learner, of an example, or of a raw row with its words marked."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import PurePath

from littlestone.core.errors import InvalidParameter
from littlestone.models.explanation import Explained, Explanation, Reasons
from littlestone.report.cards.card import Card
from littlestone.report.cards.models import explained_card, explanation_card
from littlestone.report.cards.reasons import reasons_card
from littlestone.report.page import page

__all__ = ["explanation_page"]


def explanation_page(found: Explanation | Explained | Reasons, *, model: str = "") -> str:
    """Return an explanation as one HTML page that needs no network and no scripts; ``model`` is its file.

    >>> import littlestone as ls
    >>> learner = ls.Perceptron()
    >>> for x, y in [({"rain", "wind"}, 1), ({"sun"}, 0), ({"sun", "wind"}, 0)]:
    ...     _ = learner.learn_one(x, y)
    >>> text = explanation_page(ls.explain_example(learner, {"rain", "sun"}), model="weather.npz")
    >>> "<title>weather.npz, explained</title>" in text, "Predicts 0" in text
    (True, True)
    """
    return page(
        "report/templates/explanation.html",
        title=f"{PurePath(model).name}, explained" if model else "Explained",
        footer=f"Made by littlestone {version('littlestone')}.",
        card=_card(found),
    )


def _card(found: Explanation | Explained | Reasons) -> Card:
    if isinstance(found, Reasons):
        return reasons_card(found)
    if isinstance(found, Explained):
        return explained_card(found)
    if isinstance(found, Explanation):
        return explanation_card(found)
    raise InvalidParameter(f"report: expected what explain returns, got {type(found).__name__}")
