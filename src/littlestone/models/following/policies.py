"""What a model does when mistakes become more frequent: nothing, begin a challenger, or forget gradually."""

from __future__ import annotations

from littlestone.core.errors import InvalidParameter
from littlestone.learners import Forgetting, Learner, Restarting
from littlestone.models.model import Model

__all__ = ["POLICIES", "inside", "take_policy"]

POLICIES = {"warn": None, "restart": Restarting, "forget": Forgetting}


def take_policy(model: Model, on_change: str) -> None:
    """Put a policy around the learner of a model, which goes on as it is; one that has the policy keeps it.

    >>> import littlestone as ls
    >>> model = ls.Model.train([[1, 0], [0, 1]] * 5, [1, 0] * 5, learner="winnow")
    >>> take_policy(model, "restart")
    >>> model
    Model(Restarting(Winnow(), delta=0.01, 10 trials, 1 mistakes, 0 duels, 0 restarts), after 10 trials)
    """
    if on_change not in POLICIES:
        raise InvalidParameter(f"follow: on_change must be one of {', '.join(POLICIES)}, got {on_change!r}")
    kind, learner = POLICIES[on_change], model.learner
    if kind is not None and model.outcomes is not None:
        problem = f"follow: on_change: expected 'warn', for {learner!r} predicts numbers, and makes no mistakes"
        raise InvalidParameter(f"{problem}, got {on_change!r}")
    if kind is None or isinstance(learner, kind):
        return
    if isinstance(learner, Restarting | Forgetting):
        raise InvalidParameter(
            f"follow: on_change: expected {_word(learner)!r}, as the model was begun, got {on_change!r}"
        )
    model.learner = kind.around(learner)


def _word(learner: Learner) -> str:
    return next(word for word, kind in POLICIES.items() if kind is type(learner))


def inside(learner: Learner) -> Learner:
    """Return the learner that a policy is put around, or the learner itself.

    >>> import littlestone as ls
    >>> inside(ls.Forgetting(ls.Winnow())), inside(ls.Perceptron())
    (Winnow(), Perceptron())
    """
    while isinstance(learner, Restarting | Forgetting):
        learner = learner.explained
    return learner
