"""A learner from words: ``winnow:alpha=1.5,theta=100``, as commands, contests and model files name it."""

from __future__ import annotations

from typing import Any

from littlestone.core.errors import InvalidParameter, LittlestoneError
from littlestone.core.messages import Remedy, did_you_mean, shown
from littlestone.core.spelling import meant, split_settings, value_of
from littlestone.learners.base import Learner
from littlestone.learners.register import by_name, command_name, registered_name

__all__ = ["learner_of", "settings_of"]


def learner_of(text: str, *settings: str, where: str = "") -> Learner:
    """Return a new learner by its name and its parameters: ``name:param=value,param=value``.

    The name may be written in any case, with hyphens, underscores or as its class is. A value is a number (5, 0.25 or
    3/2), true, false, none, or a word. ``settings`` are more of ``param=value``; ``where`` goes before an error.
    Regressors are named in the same way.

    >>> learner_of("Balanced_Winnow:alpha=3/2,margin=0.5")
    BalancedWinnow(alpha=Fraction(3, 2), margin=0.5)
    >>> learner_of("winnow", "alhpa=2")
    Traceback (most recent call last):
    littlestone.core.errors.InvalidParameter: winnow: no parameter 'alhpa'; did you mean alpha?
    """
    try:
        if not isinstance(text, str):
            raise InvalidParameter(f"learner: expected a name, such as 'winnow:alpha=1.5', got {shown(text)}")
        name, own = split_settings(text.strip())
        kind = _kind(name)
        return _made(kind, settings_of(kind, [*own, *settings]))
    except LittlestoneError as error:
        raise InvalidParameter(error.message.after(where)) from error


def _kind(name: str) -> type[Learner]:
    """Return the learner or, where there is none of this name, the regressor."""
    if registered_name(name) is None:
        from littlestone.learners.regressors import REGRESSORS

        found = meant(name, REGRESSORS)
        if found is not None:
            return REGRESSORS[found]
    return by_name(name)


def settings_of(kind: type[Learner], settings: list[str]) -> dict[str, Any]:
    """Return the parameters that ``param=value`` say, by name; refuse those that a learner does not take.

    >>> settings_of(by_name("winnow"), ["alpha=3/2", "negations=true"])
    {'alpha': Fraction(3, 2), 'negations': True}
    """
    name, known, found = command_name(kind), kind.parameter_names(), dict[str, Any]()
    for setting in settings:
        word, equals, value = setting.partition("=")
        key = word.strip().replace("-", "_")
        key = key if key in known else next((one for one in known if one.lower() == key.lower()), key)
        if not known or not equals:
            takes = f"expected PARAM=VALUE with one of {', '.join(known)}" if known else "expected no parameters"
            raise InvalidParameter(f"{name}: {takes}, got {setting!r}", *_close(setting, known))
        if key not in known:
            raise InvalidParameter(f"{name}: no parameter {key!r}", *(_close(key, known) or [_listed(kind)]))
        if key in found:
            raise InvalidParameter(f"{name}: expected {key} once, got it twice")
        found[key] = value_of(value.strip())
    return found


def _made(kind: type[Learner], params: dict[str, Any]) -> Learner:
    try:
        return kind(**params)
    except LittlestoneError as error:
        raise InvalidParameter(error.message, _listed(kind)) from error
    except (TypeError, ValueError) as error:  # of a learner that does not declare what it takes
        raise InvalidParameter(f"{command_name(kind)}: {error}", _listed(kind)) from error


def _close(word: str, known: list[str]) -> list[Remedy | str]:
    return [remedy] if (remedy := did_you_mean(word, known)) else []


def _listed(kind: type[Learner]) -> Remedy:
    name = command_name(kind)
    takes = f"{kind.__name__}.parameters() says what it takes"
    return Remedy(takes, typed=f"littlestone learners {name} lists its parameters")
