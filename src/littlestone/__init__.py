"""littlestone: on-line learning of linear threshold functions, with guarantees."""

from typing import Any

from littlestone.core.lazy import importer, in_order

__version__ = "0.1.0"

# Where each public name lives, apart from learners and errors. Nothing is imported before it is asked for.
_PLACES = {
    "bounds": ("Bound",),
    "core.block": ("Block",),
    "core.hypothesis": ("Hypothesis",),
    "core.vocabulary": ("Vocabulary",),
    "games.certificates": ("Certificate", "LossCertificate", "verify"),
    "games.checks": ("check_learner",),
    "games.evaluation": ("evaluate",),
    "games.game": ("play", "play_all"),
    "games.run": ("Run",),
    "learners.base": ("Learner",),
    "learners.hedge": ("Hedge",),
    "games.loss_run": ("LossRun",),
    "models.explanation": ("explain", "explain_example"),
    "models.files": ("Checkpoint", "inspect_model"),
    "models.following": ("follow", "follow_async"),
    "models.model": ("Model",),
    "models.predictor": ("Predictor", "freeze"),
    "models.pruning": ("prune",),
    "models.saving": ("load", "save"),
    "models.warming": ("warm_up",),
    "parts.changes": ("ChangeDetector",),
    "parts.losses": ("Loss",),
    "parts.links": ("Link", "from_potential", "link"),
    "parts.updates": ("rule",),
    "learners.regressors.base": ("Regressor",),
    "streams": ("Stream", "convert", "from_arrays", "open"),
    "teachers": ("Teacher",),
    "theory.contests": ("contest",),
    "theory.worst_case": ("worst_case",),
}
_MODULES = {
    "bayes": "littlestone.parts.bayes",
    "bounds": "littlestone.bounds",
    "contests": "littlestone.theory.contests",
    "datasets": "littlestone.streams.datasets",
    "diagnostics": "littlestone.theory.diagnostics",
    "drift": "littlestone.theory.drift",
    "errors": "littlestone.core.errors",
    "evaluation": "littlestone.games.evaluation",
    "explanation": "littlestone.models.explanation",
    "following": "littlestone.models.following",
    "hindsight": "littlestone.theory.hindsight",
    "kernels": "littlestone.parts.kernels",
    "learners": "littlestone.learners",
    "links": "littlestone.parts.links",
    "losses": "littlestone.parts.losses",
    "model_file": "littlestone.models.files",
    "online_to_batch": "littlestone.theory.online_to_batch",
    "papers": "littlestone.papers",
    "pruning": "littlestone.models.pruning",
    "reductions": "littlestone.theory.reductions",
    "regressors": "littlestone.learners.regressors",
    "report": "littlestone.report",
    "service": "littlestone.service",
    "streams": "littlestone.streams",
    "teachers": "littlestone.teachers",
    "training": "littlestone.models.training",
}
_HOME = {name: f"littlestone.{place}" for place, names in _PLACES.items() for name in names}


def _otherwise(name: str) -> Any:
    """Return an error, a learner, which is registered by its file, or the list of all names."""
    if name != "__all__" and not name[:1].isupper():
        return None
    from littlestone.core import errors

    if name in errors.__all__:  # without the learners, which import Numba
        return getattr(errors, name)
    from littlestone.learners.register import our_learner, ours
    from littlestone.learners.regressors.register import our_regressor, our_regressors

    if name == "__all__":
        return in_order([*_HOME, *_MODULES, *errors.__all__, *ours(), *our_regressors()])
    return our_learner(name) or our_regressor(name)


__getattr__ = importer("littlestone", _HOME, _MODULES, _otherwise)


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), "__version__"]
