"""The register: every regressor by the name that goes on a command line, imported when it is asked for.

A regressor is registered by its file, as a learner is: ``p_norm_regression.py`` has the class `PNormRegression`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from littlestone.core.errors import InvalidParameter
from littlestone.core.messages import Remedy, did_you_mean, shown
from littlestone.core.spelling import hyphened, meant
from littlestone.learners.register import can_be_named, command_name, our_learner, ours
from littlestone.learners.regressors.base import Regressor

__all__ = ["REGRESSORS", "ROOM", "by_name", "our_regressor", "our_regressors"]

ROOM = "learners/regressors"


def our_regressor(class_name: str) -> type[Regressor] | None:
    """Return the regressor that has this class name; None: there is none.

    >>> our_regressor("GradientDescent").__name__, our_regressor("Winnow")
    ('GradientDescent', None)
    """
    return cast("type[Regressor] | None", our_learner(class_name, ROOM))


def our_regressors() -> Mapping[str, type[Regressor]]:
    """Return all regressors by the names of their classes; this imports every one of them."""
    return cast("Mapping[str, type[Regressor]]", ours(ROOM))


class _Register(Mapping[str, type[Regressor]]):
    """Names and classes; a class is imported when its name is looked up."""

    def __getitem__(self, name: str) -> type[Regressor]:
        found = {command_name(one): one for one in our_regressors().values()}
        return found[name]

    def __iter__(self) -> Iterator[str]:
        yield from (command_name(one) for one in our_regressors().values() if can_be_named(one))

    def __len__(self) -> int:
        return sum(1 for _ in self)


REGRESSORS: Mapping[str, type[Regressor]] = _Register()


def by_name(name: str) -> type[Regressor]:
    """Return the regressor of this name, in any case, with hyphens, with underscores, or as its class is called.

    >>> by_name("gradient_descent").__name__, by_name("EGPlusMinus").__name__
    ('GradientDescent', 'EGPlusMinus')
    """
    found = meant(name, REGRESSORS) if isinstance(name, str) else None
    if found is None:
        listed = Remedy("ls.regressors.REGRESSORS has them all", typed="littlestone learners lists them")
        close = did_you_mean(hyphened(name), REGRESSORS) if isinstance(name, str) else ""
        raise InvalidParameter(f"learner: expected the name of a regressor, got {shown(name)}", close or listed)
    return REGRESSORS[found]
