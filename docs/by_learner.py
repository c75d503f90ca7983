"""The theorems of each learner, as a page."""

from __future__ import annotations

from collections.abc import Iterable

from guarantees import guarantees, named
from linking import api, theorem
from littlestone.bounds import STATEMENTS

__all__ = ["by_learner"]

HEAD = """# Theorems by learner

The first lines of each learner have its `guarantee`, when it is made as shown and has begun with 20 attributes. Where
the target is open, `learner.guarantee.at(k=5)` gives the number. Lines with "also" are other theorems about it: most of
them need numbers that are known only after a game, such as what the best u loses. A learner that averages, that keeps
a margin or whose examples had weights has no guarantee.
"""


def by_learner() -> str:
    """Return the page."""
    parts, silent = [HEAD], []
    for name, own in guarantees().items():
        others = named().get(name, set()) - {one.bound.name for one in own}
        if own or others:
            lines = [f"- `{one.made}`: {_stated(one.bound.name)}; assumes: {one.when}" for one in own]
            lines += [f"- also {_stated(other)}" for other in _in_order(others)]
            parts.append("\n".join([f"## {name}", "", api(name), "", *lines, ""]))
        else:
            silent.append(api(name))
    return "\n".join([*parts, *_others(), f"None is known or claimed: {', '.join(silent)}."]) + "\n"


def _others() -> list[str]:
    """Return teachers and theory, and what is about nobody in particular."""
    elsewhere = {name: theorems for name, theorems in named().items() if name not in guarantees()}
    about = {one for theorems in named().values() for one in theorems}
    about |= {one.bound.name for own in guarantees().values() for one in own}
    lines = ["## Teachers and theory", ""]
    lines += [f"- {api(name)}: {', '.join(map(theorem, _in_order(own)))}" for name, own in elsewhere.items()]
    lines += ["", "## Any learner", "", *(f"- {_stated(one)}" for one in _in_order(set(STATEMENTS) - about))]
    return [*lines, "", "## Without a theorem", ""]


def _stated(name: str) -> str:
    return f"{theorem(name)}, ${STATEMENTS[name].says}$"


def _in_order(names: Iterable[str]) -> list[str]:
    return sorted(names, key=list(STATEMENTS).index)
