"""The regressors: learners that predict numbers, one file an algorithm, named as in its paper.

A regressor is registered by its file, as learners are, and imported when it is asked for: `REGRESSORS` has them by
their names on a command line.

>>> from littlestone.learners.regressors import REGRESSORS
>>> REGRESSORS["gradient-descent"](eta=0.1)
GradientDescent(eta=0.1)
"""

from typing import Any

from littlestone.core.lazy import importer, in_order

_HOME = {
    "REGRESSORS": "littlestone.learners.regressors.register",
    "Regressor": "littlestone.learners.regressors.base",
    "by_name": "littlestone.learners.regressors.register",
}


def _otherwise(name: str) -> Any:
    from littlestone.learners.regressors.register import our_regressor, our_regressors

    if name == "__all__":
        return in_order([*_HOME, *our_regressors()])
    return our_regressor(name) if name[:1].isupper() else None


__getattr__ = importer("littlestone.learners.regressors", _HOME, otherwise=_otherwise)


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), *globals()]
