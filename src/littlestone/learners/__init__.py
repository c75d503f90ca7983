"""The learners: one file an algorithm, named as in its paper.

A learner is registered by its file: ``balanced_winnow.py`` has the class `BalancedWinnow`, which goes by the name
"balanced-winnow" on a command line. It is imported when it is asked for. Nothing else is to be written down:
`littlestone.learners.register` finds it; ``make stubs`` writes the names for type checkers.

`LEARNERS` has the learners by these names, `COMPOSITES` those around other learners.

>>> from littlestone.learners import COMPOSITES, LEARNERS
>>> LEARNERS["balanced-winnow"](alpha=1.2), sorted(COMPOSITES)[:2]
(BalancedWinnow(alpha=1.2), ['calibrated', 'delayed'])
"""

from typing import Any

from littlestone.core.lazy import importer, in_order

_HOME = {
    "Hypothesis": "littlestone.core.hypothesis",
    "Machine": "littlestone.machines.machine",
    "Learner": "littlestone.learners.base",
    "Hedge": "littlestone.learners.hedge",
    "COMPOSITES": "littlestone.learners.register",
    "LEARNERS": "littlestone.learners.register",
    "by_name": "littlestone.learners.register",
    "command_name": "littlestone.learners.register",
    "learner_of": "littlestone.learners.named",
}


def _otherwise(name: str) -> Any:
    if name == "__all__":
        from littlestone.learners.register import ours

        return in_order([*_HOME, *ours()])
    if name[:1].isupper():
        from littlestone.learners.register import our_learner

        return our_learner(name)
    return None


__getattr__ = importer("littlestone.learners", _HOME, otherwise=_otherwise)


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), *globals()]
