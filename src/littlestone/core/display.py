"""How things look in a notebook and as plots. What draws them is in the report room, which registers it here."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from littlestone.core.errors import InvalidParameter

__all__ = ["Look", "Plotted", "Shown", "look_of", "register"]

LOOKS = "littlestone.report.looks"  # by its name, for it imports all that it draws


class Look(NamedTuple):
    """How one kind of thing is shown: a function to HTML, and one that draws it on axes."""

    html: Callable[[Any], str] | None
    plot: Callable[..., Any] | None


_LOOKS: dict[type, Look] = {}


def register(kind: type, *, html: Callable[[Any], str] | None = None, plot: Callable[..., Any] | None = None) -> None:
    """Say how a class and its subclasses look: ``html(thing)`` returns HTML, ``plot(thing, ax, **options)`` axes.

    ``ax`` may be None, for axes of a new figure.

    >>> class Point(Shown):
    ...     pass
    >>> register(Point, html=lambda point: "<b>.</b>")
    >>> Point()._repr_html_()
    '<b>.</b>'
    """
    _LOOKS[kind] = Look(html, plot)


class Shown:
    """Something with an HTML form, which notebooks show."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        html = look_of(self).html
        return None if html is None else html(self)


class Plotted(Shown):
    """Something that can be drawn, too."""

    __slots__ = ()

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw it on matplotlib's axes (None: those of a new figure), and return these; docs/seeing.md has the options.

        It takes the package matplotlib: ``pip install 'littlestone[plot]'``.
        """
        plot = look_of(self).plot
        if plot is None:
            raise InvalidParameter(f"plot: expected something that can be drawn, got {type(self).__name__}")
        return plot(self, ax, **options)


def look_of(thing: object) -> Look:
    """Return how a thing looks; what draws it is imported when the first thing is shown."""
    import_module(LOOKS)
    for kind in type(thing).__mro__:
        if kind in _LOOKS:
            return _LOOKS[kind]
    return Look(None, None)
